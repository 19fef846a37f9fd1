"""What requests need by the rules of a house, from what somebody knows."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from palaestra.generators.tools.apps import Deed, Known
from palaestra.generators.tools.records import Row
from palaestra.generators.tools.smart_home.house import ROLES
from palaestra.generators.tools.smart_home.policy import Policy
from palaestra.generators.tools.smart_home.requests import Action, Request

Device = tuple[int, Row]

SWITCHES = ("light", "speaker", "fan", "plug")
"""The types of devices that are turned off to save power."""

NIGHT = {"light": 0, "speaker": 0, "fan": 0, "blind": 0, "lock": 1}
"""The levels of a night, but for heaters and night lights."""


class Desk(NamedTuple):
    """What is known, the policy, and who asks."""

    known: Known
    policy: Policy
    member: str = ""

    def room(self, name: str) -> Row:
        """A room by its name."""
        return self.known.by("room", "name")[name][0][1]

    def member_of(self, name: str) -> tuple[int, Row]:
        """A member by name."""
        return self.known.by("member", "name")[name][0]

    def devices(self, request: Request) -> list[Device]:
        """The devices that the type, room, floor, name and level of a request describe."""
        index = self.known.by("device", "type")
        return [
            (number, row)
            for number, row in (
                index.get(request.type, ()) if request.type else self.known.rows("device")
            )
            if request.room in ("", row["room"])
            and request.floor in ("", self.room(row["room"])["floor"])
            and request.name in row["name"]
            and row["level"] > request.above
        ]

    def is_forbidden(self, devices: list[Device]) -> bool:
        """Whether the member who asks may not ask for one of the devices."""
        if not self.member:
            return False
        _, member = self.member_of(self.member)
        rows = [row for _, row in devices]
        if member["role"] == "child" and self.policy.has("children"):
            return any(row["type"] in ("heater", "lock") for row in rows)
        if member["role"] == "guest" and self.policy.has("guests"):
            return any(row["room"] != member["room"] for row in rows)
        return False

    def stays(self, row: Row, level: int) -> bool:
        """Whether a rule keeps a device as it is, which would get a level."""
        policy = self.policy
        if policy.has("held") and row["held_by"] and not self._may_set(row):
            return True
        if policy.has("ill") and row["room"] == f"room of {policy.ill}" and row["type"] != "heater":
            return True
        if policy.has("protected") and level == 0 and row["name"] in policy.protected:
            return True
        motion = self.room(row["room"])["minutes_since_motion"]
        return policy.has("occupied") and row["type"] == "light" and motion <= policy.minutes

    def _may_set(self, row: Row) -> bool:
        """Whether somebody who asks for a device holds it, and is an adult."""
        if not self.policy.has("adults") or row["held_by"] != self.member:
            return False
        return bool(self.member_of(self.member)[1]["role"] == "adult")

    def level(self, row: Row, level: int) -> int:
        """The level that a device gets in place of one that is wanted."""
        policy, room = self.policy, self.room(row["room"])
        if row["type"] == "heater" and policy.has("window") and room["window_open"]:
            return policy.frost
        if row["type"] == "speaker" and policy.has("quiet") and policy.is_quiet(policy.now):
            return min(level, policy.volume)
        if row["type"] == "light" and policy.has("bright") and room["floor"] == policy.floor:
            return min(level, policy.brightness)
        return level

    def setting(self, wanted: list[tuple[Device, int]]) -> list[Deed]:
        """The calls that give devices their levels, or the report or refusal in their place."""
        if self.is_forbidden([device for device, _ in wanted]):
            return [Deed("decline", {"member": self.member_of(self.member)[0]})]
        reported = {row["device"] for _, row in self.known.rows("report")}
        steps = []
        for (number, row), wish in wanted:
            level = self.level(row, wish)
            if self.stays(row, level) or level == row["level"]:
                continue
            if row["online"]:
                steps.append(Deed("set_device", {"device": number, "level": level}))
            elif number not in reported:
                steps.append(Deed("report_offline", {"device": number}))
        return steps


def deeds(known: Known, policy: Policy, request: Request) -> list[Deed]:
    """The calls that a request needs, by what is known."""
    return _DEEDS[request.action](Desk(known, policy, request.member), request)


def _set(desk: Desk, request: Request) -> list[Deed]:
    return desk.setting([(device, request.level) for device in desk.devices(request)])


def _scene(desk: Desk, request: Request) -> list[Deed]:
    scene = next(row for _, row in desk.known.rows("scene") if row["name"] == request.name)
    levels = dict(setting.rsplit(" ", 1) for setting in scene["settings"].split("; "))
    devices = desk.devices(Request("scene", room=request.room))
    return desk.setting(
        [(each, int(levels[each[1]["type"]])) for each in devices if each[1]["type"] in levels]
    )


def _night(desk: Desk, request: Request) -> list[Deed]:
    policy = desk.policy
    nurseries = {
        row["room"]
        for _, row in desk.known.rows("member")
        if row["role"] == "child" and row["at_home"]
    }
    wanted = []
    for number, row in desk.devices(request):
        with_child = row["room"] in nurseries
        if row["type"] == "heater":
            level = policy.night_children if with_child else policy.night
        elif with_child and "night light" in row["name"]:
            level = policy.dimmed
        elif row["type"] in NIGHT:
            level = NIGHT[row["type"]]
        else:
            continue
        wanted.append(((number, row), level))
    return desk.setting(wanted)


def _extreme(desk: Desk, request: Request) -> list[Deed]:
    devices = desk.devices(Request("set", type="heater", floor=request.floor))
    names = {
        row["room"]
        for _, row in devices
        if not (request.closed and desk.room(row["room"])["window_open"])
    }
    if not names:
        return []
    ordered = sorted(names, key=lambda name: int(desk.room(name)["temperature"]))
    room = ordered[-1 if request.warmest else 0]
    heaters = [device for device in devices if device[1]["room"] == room]
    return desk.setting([(heater, request.level) for heater in heaters])


def _conflicts(desk: Desk, request: Request) -> list[Deed]:
    devices = {number for number, _ in desk.devices(request)}
    groups: dict[tuple[int, str], list[tuple[int, Row]]] = {}
    for number, row in desk.known.rows("schedule"):
        if row["active"] and row["device"] in devices:
            groups.setdefault((row["device"], row["time"]), []).append((number, row))
    steps = []
    for schedules in groups.values():
        ordered = sorted(schedules, key=lambda each: each[1]["entered_on"], reverse=True)
        ordered.sort(key=lambda each: ROLES.index(desk.member_of(each[1]["entered_by"])[1]["role"]))
        steps += [
            Deed("switch_schedule", {"schedule": number, "active": False})
            for number, _ in ordered[1:]
        ]
    return steps


def _budget(desk: Desk, request: Request) -> list[Deed]:
    devices = [*desk.known.rows("device")]
    power = sum(row["watts"] for _, row in devices if row["level"] != 0)
    steps = []
    for number, row in sorted(devices, key=lambda each: (-each[1]["watts"], each[0])):
        if power <= request.level:
            break
        passed = row["type"] not in SWITCHES or row["level"] == 0 or not row["online"]
        if not passed and not desk.stays(row, 0):
            power -= row["watts"]
            steps.append(Deed("set_device", {"device": number, "level": 0}))
    return steps


def _quiet(desk: Desk, request: Request) -> list[Deed]:
    devices, policy = {number for number, _ in desk.devices(request)}, desk.policy
    return [
        Deed("move_schedule", {"schedule": number, "time": policy.quiet_until})
        for number, row in desk.known.rows("schedule")
        if row["active"] and row["device"] in devices and policy.is_quiet(row["time"])
    ]


_DEEDS: Mapping[Action, Callable[[Desk, Request], list[Deed]]] = {
    "set": _set,
    "scene": _scene,
    "night": _night,
    "extreme": _extreme,
    "conflicts": _conflicts,
    "budget": _budget,
    "quiet": _quiet,
}
