"""A player who knows the rules and the requests, and reads everything else through the tools."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from palaestra.generators.tools.apps import MOST_CALLS, Known, Reading, calling, listed
from palaestra.generators.tools.engine import Client
from palaestra.generators.tools.smart_home.decisions import deeds
from palaestra.generators.tools.smart_home.policy import Policy
from palaestra.generators.tools.smart_home.requests import Action, Request


class Habits(NamedTuple):
    """What a client does, by which lazy ones differ from the oracle."""

    rows: int = 0
    """How many rows of a list it reads: 0 for all of them."""
    steps: int = MOST_CALLS
    """How many of the calls that a request needs it makes."""
    reports: bool = True
    """Whether it reports devices that are offline, and declines requests."""


CAREFUL = Habits()


def fulfil(policy: Policy, requests: Sequence[Request], habits: Habits = CAREFUL) -> Client:
    """Read what each request is about, and do what it needs."""
    offline: list[dict[str, Any]] = []
    for request in requests:
        reader = _Reader(habits)
        reader.known.note("report", offline)
        yield from reader.list("room", "list_rooms")
        yield from reader.list("member", "list_members")
        yield from _READ[request.action](reader, request)
        try:
            steps = deeds(reader.known, policy, request)
        except (StopIteration, KeyError):
            continue  # a lazy client has not read enough to know
        if not habits.reports:
            steps = [step for step in steps if step.tool not in ("report_offline", "decline")]
        yield from calling(steps[: habits.steps])
        offline += [
            {"id": len(offline) + n, "device": step.arguments["device"]}
            for n, step in enumerate(steps)
            if step.tool == "report_offline"
        ]


class _Reader:
    """What is known for one request."""

    def __init__(self, habits: Habits) -> None:
        self.habits, self.known = habits, Known()

    def list(self, table: str, tool: str, **arguments: Any) -> Reading:
        """Read the pages of a list."""
        self.known.note(table, (yield from listed(tool, most=self.habits.rows, **arguments)))


def _devices(reader: _Reader, request: Request) -> Reading:
    yield from reader.list("device", "list_devices", room=request.room, type=request.type)


def _scene(reader: _Reader, request: Request) -> Reading:
    yield from _devices(reader, request)
    yield from reader.list("scene", "list_scenes")
    scenes = [n for n, row in reader.known.rows("scene") if row["name"] == request.name]
    for number in scenes:
        yield from reader.list("scene", "read_scene", scene=number)


def _heaters(reader: _Reader, request: Request) -> Reading:
    yield from reader.list("device", "list_devices", type="heater")


def _schedules(reader: _Reader, request: Request) -> Reading:
    yield from _devices(reader, request)
    yield from reader.list("schedule", "list_schedules")


_READ: Mapping[Action, Callable[[_Reader, Request], Reading]] = {
    "set": _devices,
    "scene": _scene,
    "night": _devices,
    "extreme": _heaters,
    "conflicts": _schedules,
    "budget": _devices,
    "quiet": _schedules,
}
