"""Requests to a smart home: what they are about, and their wording."""

from typing import Literal, NamedTuple

from palaestra.generators.tools.apps import worded

Action = Literal["set", "scene", "night", "extreme", "conflicts", "budget", "quiet"]
ACTIONS: tuple[Action, ...] = (
    "set", "scene", "night", "extreme", "conflicts", "budget", "quiet",
)  # fmt: skip
"""In the order in which levels add them."""


class Request(NamedTuple):
    """What is wanted. Each action uses some of the fields."""

    action: Action
    type: str = ""
    """Of the devices."""
    room: str = ""
    floor: str = ""
    name: str = ""
    """What the names of the devices contain, or the name of a scene."""
    above: int = -1
    """The devices have a higher level than that."""
    level: int = 0
    """The new level, or the power in watts."""
    member: str = ""
    """Who asks: a name, or nothing for the adult who owns the house."""
    warmest: bool = True
    """Whether a room is the warmest or the coldest one."""
    closed: bool = False
    """Whether rooms with an open window do not count for that."""


_FRAMES = {
    "set": (
        "set to {level} {devices}.",
        "{level} should be the level of {devices}.",
        "please bring {devices} to {level}.",
        "change the level of {devices} to {level}.",
        "for {devices}, I want the level {level}.",
        "put {devices} at {level}, please.",
    ),
    "scene": (
        "apply the scene '{name}' in {place}.",
        "{place} should be as the scene '{name}' says.",
        "please set the devices in {place} by the scene '{name}'.",
        "the scene '{name}' is wanted in {place}; set the devices.",
        "bring {place} into the state of the scene '{name}'.",
    ),
    "night": (
        "make {place} ready for the night.",
        "get {place} ready for the night by the house rules.",
        "the night begins: {place} should be ready for it.",
        "please prepare the devices of {place} for the night.",
        "see to it that {place} is ready for the night.",
    ),
    "extreme": (
        "set the heaters of the {end} room with a heater{windows} on {floor} to {level}.",
        "on {floor}, find the {end} room with a heater{windows}, and set its heaters to {level}.",
        "the {end} room with a heater{windows} on {floor} should have its heaters at {level}.",
        "{level} is the level for the heaters of the {end} room with a heater{windows} on {floor}.",
        "please take the {end} room with a heater{windows} on {floor}; set its heaters to {level}.",
    ),
    "conflicts": (
        "resolve the conflicts between schedules of devices in {place}.",
        "some schedules of devices in {place} may be in conflict; turn off those that must yield.",
        "there should be no conflicts of schedules in {place}.",
        "go through the schedules of {place}, and turn off what is in conflict by the rules.",
        "please clean up conflicts in the schedules for the devices of {place}.",
    ),
    "budget": (
        "bring the power in use in the house down to {level} watts or less.",
        "the house must not use more than {level} watts now; turn off what the rules say.",
        "save power: {level} watts in use are the limit for the whole house.",
        "please turn devices off until the house uses at most {level} watts.",
        "at most {level} watts should be in use in the house.",
    ),
    "quiet": (
        "move the active schedules of {type}s in {place} out of the quiet hours.",
        "no {type} in {place} should have an active schedule in quiet hours; move them.",
        "active schedules of {type}s in {place} that begin in quiet hours should be moved.",
        "please find schedules of {type}s in {place} that are active in quiet hours; move those.",
        "quiet hours are for sleeping: move active schedules of the {type}s in {place}.",
    ),
}


def in_words(request: Request, wording: int, number: int) -> str:
    """A request as a sentence, which depends on the wording of the task."""
    area = f"the {request.room}" if request.room else f"the rooms on the floor '{request.floor}'"
    name = f" with {request.name!r} in the name" if request.name else ""
    above = f" that are above {request.above}" if request.above >= 0 else ""
    text = worded(
        _FRAMES[request.action], wording, number,
        floor=f"the floor '{request.floor}'",
        devices=f"all {request.type}s in {area}{name}{above}", place=area,
        level=str(request.level), name=request.name, type=request.type,
        end="warmest" if request.warmest else "coldest",
        windows=" and no open window" if request.closed else "",
    )  # fmt: skip
    return f"{request.member} asks: {text}" if request.member else text
