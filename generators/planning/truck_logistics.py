"""Parcels that trucks carry inside cities and a plane carries between them.

The world of the logistics domain: each city has a truck and numbered places, of which place 0 is
its airport. The planner collects, flies and delivers, each on short tours.
"""

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

from palaestra.verifiers.planning.plans import Illegal

CITIES = "ABCDEF"

Location = tuple[int, int]
"""A city and a place in it."""
Parcel = tuple[Location, Location]
"""From where to where."""
Action = tuple[str, ...]
Facts = dict[str, str]
"""Where each vehicle and each parcel is; a parcel in a vehicle is at that vehicle's name."""
Job = tuple[str, int, int]
"""A parcel that a vehicle has to carry, from which stop to which."""


class World(NamedTuple):
    """The start of the vehicles, and the parcels with their destinations."""

    trucks: tuple[int, ...]  # the place of each city's truck in its city
    plane: int  # the city at whose airport it is
    parcels: tuple[Parcel, ...]

    def facts(self) -> Facts:
        """The position of everything at the start."""
        trucks = {f"truck{CITIES[c]}": named((c, number)) for c, number in enumerate(self.trucks)}
        parcels = {f"p{n}": named(start) for n, (start, _) in enumerate(self.parcels, 1)}
        return trucks | {"plane": named((self.plane, 0))} | parcels


def named(location: Location) -> str:
    """The name of a location.

    >>> named((1, 0)), named((0, 2))
    ('B0', 'A2')
    """
    return f"{CITIES[location[0]]}{location[1]}"


def done(facts: Facts, action: Action) -> Facts:
    """The positions after an action. Raises :class:`Illegal` if the action is not possible.

    >>> done({"truckA": "A1", "p1": "A1"}, ("load", "p1", "truckA"))
    {'truckA': 'A1', 'p1': 'truckA'}
    """
    verb, thing, *rest = action
    target = rest[0] if rest else facts.get(facts[thing], "")
    if verb == "drive" and target[0] != thing[-1]:
        raise Illegal("a truck would leave its city")
    if verb == "fly" and target[1:] != "0":
        raise Illegal("the plane flies to a place that is no airport")
    if verb == "load" and facts[thing] != facts[target]:
        raise Illegal(f"{thing} is not where the {target} is")
    if verb == "unload" and not target:
        raise Illegal(f"{thing} is in no vehicle")
    return facts | {thing: target}


@lru_cache(maxsize=256)
def planned(world: World, at_once: bool = True) -> tuple[Action, ...]:
    """The actions that deliver all parcels, together or one after the other."""
    lots = [world.parcels] if at_once else [(parcel,) for parcel in world.parcels]
    return tuple(_carried_out(world, lots))


def _carried_out(world: World, lots: Sequence[Sequence[Parcel]]) -> list[Action]:
    """The actions that collect, fly and deliver one lot of parcels after the other."""
    plan, trucks, plane, number = list[Action](), list(world.trucks), world.plane, 0
    for lot in lots:
        parcels = [(f"p{n}", *parcel) for n, parcel in enumerate(lot, number + 1)]
        number += len(lot)
        for city, truck in enumerate(trucks):
            jobs = [(name, a[1], b[1] if b[0] == city else 0) for name, a, b in parcels
                    if a[0] == city]  # fmt: skip
            trucks[city] = _driven(plan, city, truck, jobs)
        jobs = [(name, a[0], b[0]) for name, a, b in parcels]
        plane = _visited(plan, "plane", plane, jobs, {c: named((c, 0)) for c in range(len(trucks))})
        for city, truck in enumerate(trucks):
            jobs = [(name, 0, b[1]) for name, a, b in parcels if a[0] != b[0] == city]
            trucks[city] = _driven(plan, city, truck, jobs)
    return plan


def _driven(plan: list[Action], city: int, truck: int, jobs: list[Job]) -> int:
    names = {stop: named((city, stop)) for _, *stops in jobs for stop in stops}
    return _visited(plan, f"truck{CITIES[city]}", truck, jobs, names)


def _visited(
    plan: list[Action], vehicle: str, position: int, jobs: list[Job], names: dict[int, str]
) -> int:
    """Add to a plan the actions of a vehicle that carries parcels; return its last stop."""
    waiting, inside = [job for job in jobs if job[1] != job[2]], list[Job]()
    verb = "fly" if vehicle == "plane" else "drive"
    for stop in tour([(a, b) for _, a, b in waiting], position):
        if stop != position:
            plan.append((verb, vehicle, names[stop]))
            position = stop
        plan += [("unload", job[0]) for job in inside if job[2] == stop]
        plan += [("load", job[0], vehicle) for job in waiting if job[1] == stop]
        inside = [job for job in inside if job[2] != stop]
        inside += [job for job in waiting if job[1] == stop]
        waiting = [job for job in waiting if job[1] != stop]
    return position


def tour(pairs: Collection[tuple[int, int]], start: int) -> list[int]:
    """A short tour that comes to the first of each pair before the second, by greedy choice.

    It goes next to where nothing has to come before, which exists unless the pairs form a cycle;
    then to the place with the fewest still to come before it, which is visited again later.

    >>> tour([(1, 2), (2, 3)], 1), tour([(1, 2), (2, 1)], 0)
    ([1, 2, 3], [1, 2, 1])
    """
    due = set(pairs)  # what has still to be delivered
    fetched = {pair for pair in due if pair[0] == start}
    route = [start] if any(start in pair for pair in due) else []
    position = start

    def before(stop: int) -> tuple[int, bool, int]:
        """How much has still to be fetched before a stop, and whether it is a mere target."""
        waiting = sum(b == stop for _, b in due - fetched)
        return waiting, all(a != stop for a, _ in due), stop

    while due:
        stops = {b for _, b in fetched} | {a for a, _ in due - fetched}
        position = min(stops - {position}, key=before)
        route.append(position)
        due -= {pair for pair in fetched if pair[1] == position}
        fetched = {pair for pair in due if pair in fetched or pair[0] == position}
    return route
