"""The logistics domain of the first planning competition (1998): parcels, trucks and a plane.

Parcels go by truck inside a city and by plane between airports. The solver collects, flies, and
delivers, each on short tours.
"""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Self

from palaestra.generators.planning.pictures import PicturedPlan
from palaestra.generators.planning.truck_logistics import (
    CITIES,
    Action,
    Parcel,
    World,
    done,
    named,
    planned,
)
from palaestra.scenes import Cell as Square
from palaestra.scenes import Grid
from palaestra.task import InvalidAnswer, ladder
from palaestra.verifiers.reading.moves import steps, words


class TruckLogistics(PicturedPlan):
    """Plan how trucks and a plane bring parcels to their destinations."""

    version = 2
    tags = {"planning", "search"}
    units = "actions"

    class Knobs(PicturedPlan.Knobs):
        cities: int = ladder(1, 2, 2, 3, 3, 4, high=5)
        places: int = ladder(4, 3, 4, 4, 5, 5, low=3, high=6)  # in each city
        parcels: int = ladder(3, 3, 4, 5, 7, 9, low=3, high=12)
        spare: int = ladder(2, 2, 2, 0, 0, 0)  # actions beyond the solver's

    places: int
    start: tuple[int, ...]
    plane: int
    parcels: tuple[Parcel, ...]
    spare: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        everywhere = [(c, p) for c in range(knobs.cities) for p in range(knobs.places)]
        parcels = sorted(
            (start, goal)
            for start, goal in (rng.sample(everywhere, 2) for _ in range(knobs.parcels))
        )
        return cls(
            places=knobs.places,
            start=tuple(rng.randrange(knobs.places) for _ in range(knobs.cities)),
            plane=rng.randrange(knobs.cities),
            parcels=tuple(parcels),
            spare=knobs.spare,
        )

    def is_valid(self) -> bool:
        """Whether a plan that delivers one parcel after the other exceeds the limit."""
        return len(planned(self.world(), at_once=False)) > self.move_limit()

    def world(self) -> World:
        """The world at the start, with the destinations of the parcels."""
        return World(self.start, self.plane, self.parcels)

    def search(self) -> tuple[Action, ...]:
        return planned(self.world())

    def move_limit(self) -> int:
        return len(self.plan()) + self.spare

    def canonical(self) -> str:
        return repr((self.places, self.start, self.plane, self.parcels, self.spare))

    def prompt(self) -> str:
        cities, last = CITIES[: len(self.start)], self.places - 1
        places = "; ".join(
            f"city {city} has the places {', '.join(f'{city}{n}' for n in range(last + 1))}"
            for city in cities
        )
        trucks = ", ".join(f"truck{c} at {c}{number}" for c, number in zip(cities, self.start))
        parcels = "\n".join(
            f"p{n}: from {named(start)} to {named(goal)}"
            for n, (start, goal) in enumerate(self.parcels, 1)
        )
        task = self.phrase(
            "Parcels have to be brought to where they belong.",
            "Plan how these parcels get from where they are to where they have to go.",
        )
        return (
            f"{task} Place 0 of each city is its airport: {places}. There is a truck in each city, "
            f"and one plane: {trucks}, plane at {CITIES[self.plane]}0.\n\n{parcels}\n\nThese are "
            "the actions:\n- load p1 truckA, or load p1 plane: puts a parcel into a vehicle that "
            "is at the same place;\n- unload p1: takes a parcel out of the vehicle that it is in, "
            "where the vehicle is;\n- drive truckA A1: drives a truck to any place of its own "
            "city, in one action;\n- fly plane A0: flies the plane to any airport, in one "
            "action.\n\nThere is room for any number of parcels in a vehicle. In the end each "
            f"parcel must be unloaded at its place. Use at most {self.move_limit()} actions, and "
            "write one per line, such as 'load p1 truckA'."
        )

    def picture(self, state: dict[str, str]) -> Grid:
        cities = CITIES[: len(self.start)]
        return Grid(
            tuple(
                tuple(place_picture(state, f"{city}{n}") for n in range(self.places))
                for city in cities
            ),
            left=tuple((city,) for city in cities),
            top=tuple((str(n),) for n in range(self.places)),
            right=tuple(tuple(self.loads(state, city)) for city in cities),
        )

    def loads(self, state: dict[str, str], city: str) -> Iterator[str]:
        """The plane if it is in a city, and the truck if it carries parcels, with the parcels."""
        for vehicle in ("plane", f"truck{city}"):
            parcels = " ".join(thing for thing, spot in state.items() if spot == vehicle)
            if state.get(vehicle, "")[:1] == city and (parcels or vehicle == "plane"):
                yield f"{vehicle}: {parcels}" if parcels else vehicle

    def goal_picture(self) -> Grid:
        return self.picture({f"p{n}": named(goal) for n, (_, goal) in enumerate(self.parcels, 1)})

    def as_text(self, moves: Iterable[Action]) -> str:
        return "\n".join(map(" ".join, moves))

    def read(self, answer: str) -> list[Action]:
        cities = CITIES[: len(self.start)]
        parcels = {f"p{n + 1}" for n in range(len(self.parcels))}
        trucks = {f"truck{city}".casefold(): f"truck{city}" for city in cities}
        vehicles = trucks | {"plane": "plane"}
        spots = {f"{c}{n}".casefold(): f"{c}{n}" for c in cities for n in range(self.places)}
        plan = list[Action]()
        for line in steps(answer):
            match words(line, {"the", "parcel", "to", "in", "into", "on", "onto"}):
                case ["load", parcel, vehicle] if parcel in parcels and vehicle in vehicles:
                    plan.append(("load", parcel, vehicles[vehicle]))
                case ["unload", parcel] if parcel in parcels:
                    plan.append(("unload", parcel))
                case ["drive", truck, spot] if truck in trucks and spot in spots:
                    plan.append(("drive", trucks[truck], spots[spot]))
                case ["fly", "plane", spot] if spot in spots:
                    plan.append(("fly", "plane", spots[spot]))
                case _:
                    raise InvalidAnswer("expected one action per line, such as 'load p1 truckA'")
        return plan

    def initial(self) -> dict[str, str]:
        return self.world().facts()

    def after(self, state: dict[str, str], move: Action) -> dict[str, str]:
        return done(state, move)

    def moves_from(self, state: dict[str, str]) -> Iterable[Action]:
        """Loading and unloading, except at the destination, and trips to where a parcel is, has to
        go, or changes vehicles.
        """
        cities = CITIES[: len(self.start)]
        vehicles = ["plane", *(f"truck{city}" for city in cities)]
        stops = {f"{city}0" for city in cities}
        for n, (_, end) in enumerate(self.parcels, 1):
            parcel, goal = f"p{n}", named(end)
            position = state[parcel]
            if position == goal:
                continue
            stops |= {position, goal}
            if position in state:
                yield "unload", parcel
            else:
                yield from (("load", parcel, v) for v in vehicles if state[v] == position)
        for city in cities:
            trips = sorted(stop for stop in stops if stop[0] == city)
            yield from (("drive", f"truck{city}", stop) for stop in trips)
            yield "fly", "plane", f"{city}0"

    def distance(self, state: dict[str, str]) -> float:
        """The actions that each parcel still needs if it is carried alone."""
        return sum(self.needed(state, n) for n in range(1, len(self.parcels) + 1))

    def needed(self, state: dict[str, str], parcel: int) -> int:
        """The actions that a parcel still needs if it is carried alone."""
        goal = named(self.parcels[parcel - 1][1])
        position = state[f"p{parcel}"]
        vehicle = position if position in state else ""
        position = state.get(position, position)
        if not vehicle:
            if position == goal:
                return 0
            drives = position[0] == goal[0] or position[1:] != "0"
            vehicle = f"truck{position[0]}" if drives else "plane"
            return 1 + (state[vehicle] != position) + self.carried(position, goal, vehicle)
        return self.carried(position, goal, vehicle)

    def carried(self, position: str, goal: str, vehicle: str) -> int:
        """The actions that a parcel in a vehicle still needs."""
        if position == goal:
            return 1
        if position[0] == goal[0] and vehicle != "plane":
            return 2
        if vehicle == "plane":
            flown = 1 + (position[0] != goal[0])
            return flown + (3 if goal[1:] != "0" else 0)
        return 1 + (position[1:] != "0") + 3 + (3 if goal[1:] != "0" else 0)

    def violation(self, state: dict[str, str]) -> str:
        for n, (_, goal) in enumerate(self.parcels, 1):
            if state[f"p{n}"] != named(goal):
                return f"in the end parcel p{n} is not unloaded at its place"
        return ""

    def audit(self, answer: str) -> bool:
        """Keeps a set of facts, as planners do."""
        facts = {("at", f"p{n}", named(start)) for n, (start, _) in enumerate(self.parcels, 1)}
        facts |= {("at", f"truck{c}", f"{c}{number}") for c, number in zip(CITIES, self.start)}
        facts.add(("at", "plane", f"{CITIES[self.plane]}0"))
        plan = self.read(answer)
        for verb, thing, *rest in plan:
            old = next(fact for fact in facts if fact[1] == thing)
            if verb in {"drive", "fly"}:
                if not (rest[0].endswith("0") if verb == "fly" else rest[0][0] == thing[-1]):
                    return False
                new = ("at", thing, rest[0])
            elif verb == "load":
                if old[0] != "at" or ("at", rest[0], old[2]) not in facts:
                    return False
                new = ("in", thing, rest[0])
            else:
                if old[0] != "in":
                    return False
                new = ("at", thing, next(f[2] for f in facts if f[1] == old[2]))
            facts = facts - {old} | {new}
        goals = {("at", f"p{n}", named(goal)) for n, (_, goal) in enumerate(self.parcels, 1)}
        return goals <= facts and len(plan) <= self.move_limit()

    def difficulty(self) -> float:
        return float(len(self.plan())) ** 2

    def shortcuts(self) -> Iterable[str]:
        yield self.as_text(planned(self.world(), at_once=False))


def place_picture(state: dict[str, str], spot: str) -> Square:
    """A place with its parcels, and its truck if that is there; airports are blue.

    >>> place_picture({"p1": "A0", "p3": "A0", "truckA": "A0"}, "A0").text
    'p1,3'
    """
    things = [thing for thing, position in state.items() if position == spot]
    numbers = ",".join(thing[1:] for thing in things if thing[1:].isdecimal())
    truck = "truck" if f"truck{spot[0]}" in things else ""
    fill = "t0" if spot.endswith("0") else "paper"
    return Square(f"p{numbers}" if numbers else "", fill, corner=truck)
