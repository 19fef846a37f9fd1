"""Random requests that change something in a house."""

from collections.abc import Callable, Mapping
from random import Random
from typing import TypedDict

from palaestra.generators.tools.apps import Deed, Known
from palaestra.generators.tools.errands import Asking, Wanted
from palaestra.generators.tools.records import RecordWorld, Row
from palaestra.generators.tools.ruled_records import Records, tables_of
from palaestra.generators.tools.smart_home.decisions import deeds
from palaestra.generators.tools.smart_home.home import TOOLS
from palaestra.generators.tools.smart_home.house import FIELDS, SCENES
from palaestra.generators.tools.smart_home.policy import RANGES, Policy
from palaestra.generators.tools.smart_home.requests import Request


class _Area(TypedDict, total=False):
    """A room or a floor of a request."""

    room: str
    floor: str


class HomeAsking(Asking[Request, Policy]):
    """Draws requests about a house."""

    most = 12
    single = frozenset({"extreme"})

    def __init__(self, rng: Random, records: Records, policy: Policy, wanted: Wanted) -> None:
        world = RecordWorld(TOOLS, tables_of(records, FIELDS))
        super().__init__(rng, world, policy, wanted)

    def ask(self, action: str) -> Request:
        return _DRAW[action](self)

    def deeds(self, known: Known, policy: Policy, request: Request) -> list[Deed]:
        return deeds(known, policy, request)

    def row(self, table: str) -> Row:
        """A random row of a table."""
        return self.rng.choice([*self.known.rows(table)])[1]

    def area(self) -> _Area:
        """A room or a floor."""
        room = self.row("room")
        areas: tuple[_Area, _Area] = ({"room": room["name"]}, {"floor": room["floor"]})
        return self.rng.choice(areas)

    def member(self) -> str:
        """Somebody who asks, or nobody in particular."""
        return self.row("member")["name"] if self.rng.randrange(2) else ""


def _set(asking: HomeAsking) -> Request:
    rng, device = asking.rng, asking.row("device")
    low, high = RANGES[device["type"]]
    request = Request(
        "set", device["type"], level=rng.randint(low, high), member=asking.member(),
        **asking.area(),
    )  # fmt: skip
    if rng.randrange(3) == 0:
        word = device["name"].split()[-1]
        request = request._replace(name=word)
    if high > 1 and rng.randrange(3) == 0:
        request = request._replace(above=rng.randint(low, high - 1))
    return request


def _scene(asking: HomeAsking) -> Request:
    name, room = asking.rng.choice(SCENES[:4]), asking.row("room")["name"]
    return Request("scene", room=room, name=name, member=asking.member())


def _night(asking: HomeAsking) -> Request:
    return Request("night", **asking.area())


def _extreme(asking: HomeAsking) -> Request:
    rng = asking.rng
    level, floor = rng.randint(*RANGES["heater"]), asking.row("room")["floor"]
    warmest, closed = rng.random() < 0.5, rng.random() < 0.5
    return Request("extreme", floor=floor, level=level, warmest=warmest, closed=closed,
                   member=asking.member())  # fmt: skip


def _conflicts(asking: HomeAsking) -> Request:
    return Request("conflicts", **asking.area())


def _budget(asking: HomeAsking) -> Request:
    power = sum(row["watts"] for _, row in asking.known.rows("device") if row["level"] != 0)
    return Request("budget", level=max(100, power - asking.rng.randint(10, 120) * 5))


def _quiet(asking: HomeAsking) -> Request:
    types = ("light", "heater", "blind", "speaker", "fan")
    return Request("quiet", asking.rng.choice(types), **asking.area())


_DRAW: Mapping[str, Callable[[HomeAsking], Request]] = {
    "set": _set,
    "scene": _scene,
    "night": _night,
    "extreme": _extreme,
    "conflicts": _conflicts,
    "budget": _budget,
    "quiet": _quiet,
}
