"""Random houses: rooms, members, devices with similar names, scenes and schedules."""

from collections.abc import Mapping
from datetime import date, timedelta
from random import Random
from typing import NamedTuple

from palaestra.generators.people import MORE_NAMES, NAMES
from palaestra.generators.tools.ruled_records import Records, Values
from palaestra.generators.tools.smart_home.policy import RANGES, Policy, Type, random_policy

FLOORS = ("ground", "upstairs", "attic")
ROOMS = (
    "kitchen", "living room", "study", "bathroom", "hall", "workshop", "music room", "guest hall",
    "library",
)  # fmt: skip
ROLES = ("adult", "child", "guest")
NAMES_OF_DEVICES: Mapping[Type, tuple[str, ...]] = {
    "light": ("ceiling lamp", "desk lamp", "reading lamp", "night light", "wall lamp"),
    "heater": ("radiator", "wall heater"),
    "blind": ("left blind", "right blind"),
    "speaker": ("speaker", "shelf speaker"),
    "fan": ("fan", "table fan"),
    "lock": ("window lock", "door lock"),
    "plug": ("television", "charger", "aquarium pump", "printer", "freezer", "router"),
}
TIMES = ("06:00", "07:30", "12:00", "18:30", "22:00", "23:15", "01:00", "20:00")
SCENES = ("Movie", "Dinner", "Reading", "Morning", "Party", "Work")

FIELDS: Mapping[str, tuple[str, ...]] = {
    "room": ("name", "floor", "temperature", "window_open", "minutes_since_motion"),
    "member": ("name", "role", "room", "at_home"),
    "device": ("name", "room", "type", "level", "watts", "online", "held_by"),
    "schedule": ("device", "time", "level", "entered_by", "entered_on", "active"),
    "scene": ("name", "settings"),
    "report": ("device",),
    "refusal": ("member",),
}
"""The fields of each table. A temperature is in tenths of a degree."""


class Size(NamedTuple):
    """How much there is of each."""

    members: int
    rooms: int
    """Besides those of members."""
    devices: int
    """In each room, at most."""
    schedules: int
    rules: int
    traps: int
    """The percentage of rooms that are in use, and of those with an open window; two thirds of
    it of devices that are offline, and a third of those that somebody holds.
    """


class _Drawing(NamedTuple):
    """The records so far, and the numbers for others."""

    rng: Random
    size: Size
    names: list[str]
    numbers: list[int]
    rows: dict[str, list[Values]]

    def add(self, table: str, *values: int | str | bool) -> int:
        """Add a row, and give its number."""
        number = self.numbers.pop()
        self.rows[table].append((number, *values))
        return number

    def percent(self, share: int) -> bool:
        """Whether something is so that is so in that percentage of cases."""
        return self.rng.randrange(100) < share


def random_house(rng: Random, size: Size) -> tuple[Records, Policy]:
    """A random house and its rules."""
    names = rng.sample((*NAMES, *MORE_NAMES), size.members)
    roles = ["adult", "child", "guest", *rng.choices(ROLES, (2, 3, 2), k=size.members)]
    rooms = [f"room of {name}" for name in names] + rng.sample(ROOMS, size.rooms)
    temperatures = rng.sample(range(160, 245), len(rooms))
    numbers = rng.sample(range(10, 1_000), 400)
    drawing = _Drawing(rng, size, names, numbers, {name: [] for name in FIELDS})
    for name, role in zip(names, roles):
        drawing.add("member", name, role, f"room of {name}", rng.randrange(4) > 0)
    for n, (room, temperature) in enumerate(zip(rooms, temperatures)):
        floor = FLOORS[n % 2] if len(rooms) < 6 else rng.choice(FLOORS)
        motion = rng.randrange(0, 10) if drawing.percent(size.traps) else rng.randrange(25, 600)
        drawing.add("room", room, floor, temperature, drawing.percent(size.traps), motion)
        _add_devices(drawing, room)
    _add_schedules(drawing)
    for scene in SCENES[:4]:
        types = sorted(rng.sample([*RANGES][:5], rng.randint(2, 4)))
        settings = "; ".join(f"{each} {rng.randint(*RANGES[each])}" for each in types)
        drawing.add("scene", scene, settings)
    rows = drawing.rows
    plugs = sorted({str(row[1]) for row in rows["device"] if row[3] in ("plug", "fan", "speaker")})
    floors = sorted({str(row[2]) for row in rows["room"]})
    policy = random_policy(rng, size.rules, floors, names, plugs)
    return tuple((name, tuple(sorted(each))) for name, each in rows.items()), policy


def _add_devices(drawing: _Drawing, room: str) -> None:
    """A light, a heater and some more devices in a room."""
    rng, size = drawing.rng, drawing.size
    types: list[Type] = ["light", "heater", *rng.choices([*RANGES], k=size.devices)]
    taken: set[str] = set()
    for each in types[: rng.randint(2, size.devices)]:
        free = [name for name in NAMES_OF_DEVICES[each] if name not in taken]
        if not free:
            continue
        name = rng.choice(free)
        taken.add(name)
        low, high = RANGES[each]
        level = rng.choice((low, high, rng.randint(low, high)))
        watts = 0 if each in ("blind", "lock") else rng.randint(1, 40) * 5
        online = not drawing.percent(size.traps * 2 // 3)
        held_by = rng.choice(drawing.names) if drawing.percent(size.traps // 3) else ""
        drawing.add("device", name, room, each, level, watts, online, held_by)


def _add_schedules(drawing: _Drawing) -> None:
    """Schedules of devices, of which some are in conflict."""
    rng, number = drawing.rng, drawing.size.schedules
    entered = [date(2031, 1, 1) + timedelta(n) for n in rng.sample(range(500), 2 * number)]
    for _ in range(number):
        device, time = rng.choice(drawing.rows["device"]), rng.choice(TIMES)
        kept = rng.randrange(5) > 0
        low, high = next(ends for each, ends in RANGES.items() if each == device[3])
        for _ in range(rng.choice((1, 1, 2))):
            level, name = rng.randint(low, high), rng.choice(drawing.names)
            active = kept or rng.randrange(2) > 0
            entered_on = entered.pop().isoformat()
            drawing.add("schedule", device[0], time, level, name, entered_on, active)
