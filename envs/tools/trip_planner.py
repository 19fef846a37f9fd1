"""Booking trips by the travel policy of an employer, over several apps.

After J. Xie and others, "TravelPlanner: A Benchmark for Real-World Planning with Language Agents"
(2024), whose plans combine transport and hotels under stated constraints. Timetables, calendars,
policies and requests are drawn for each task here, and one itinerary is right.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Self

from palaestra.generators.tools.apps import Known, carry_out
from palaestra.generators.tools.engine import Client, Tool, acting, scripted
from palaestra.generators.tools.errands import ErrandTask, random_calls
from palaestra.generators.tools.records import RecordWorld, Tables
from palaestra.generators.tools.trip_planner.app import TOOLS, TripWorld
from palaestra.generators.tools.trip_planner.client import Habits, fulfil
from palaestra.generators.tools.trip_planner.drawing import Size, random_trips
from palaestra.generators.tools.trip_planner.itineraries import Planner, Timetable, timetable_of
from palaestra.generators.tools.trip_planner.policy import Policy
from palaestra.generators.tools.trip_planner.records import Records, tables
from palaestra.generators.tools.trip_planner.requests import Request, in_words
from palaestra.task import Policy as Player
from palaestra.task import Task, ladder


class TripPlanner(ErrandTask):
    """Book the cheapest itineraries that a travel policy allows, from timetables and calendars."""

    tags = {"tool-use", "policy", "hidden-state", "apps", "planning"}
    version = 3
    hidden = {"records", "seed"}

    class Knobs(Task.Knobs):
        requests: int = ladder(1, 1, 2, 2, 2, 3, 3)  # trips
        rules: int = ladder(2, 4, 5, 7, 9, 11, 13, low=0)
        strict: int = ladder(30, 40, 80, 100, 100, 100, 100, low=0, high=100)
        # ^ percentage of trips that the rules matter to, if such a one turns up
        cities: int = ladder(4, 5, 6, 7, 8, 9, 10, high=14)
        hubs: int = ladder(1, 2, 2, 2, 3, 2, 3)  # cities to change in, of each trip
        departures: int = ladder(2, 2, 2, 4, 4, 4, 4, high=6)  # between two cities on a day
        namesakes: int = ladder(0, 1, 1, 2, 2, 3, 4, high=5)
        appointments: int = ladder(2, 3, 4, 5, 6, 8, 10, high=12)  # of each traveller, besides
        hotels: int = ladder(3, 4, 5, 6, 8, 10, 12, high=14)  # in each city of a meeting
        zones: int = ladder(0, 0, 2, 3, 3, 3, 4)  # hours by which clocks differ at most
        busy: int = ladder(0, 0, 0, 2, 4, 7, 10, high=15)  # percentage of calls that fail

    records: Records
    policy: Policy
    today: str
    requests: tuple[Request, ...]
    seed: int
    busy: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = Size(
            knobs.requests, knobs.cities, knobs.hubs, knobs.departures, knobs.namesakes,
            knobs.appointments, knobs.hotels, knobs.zones, knobs.rules, knobs.strict,
        )  # fmt: skip
        records, policy, today, requests = random_trips(rng, size)
        return cls(
            records=records,
            policy=policy,
            today=today,
            requests=requests,
            calls=40 + 110 * knobs.requests,
            seed=rng.getrandbits(32),
            busy=knobs.busy,
        )

    def is_valid(self) -> bool:
        """Whether each trip has one cheapest itinerary at most, and one trip is booked."""
        planner = self._planner
        trips = [planner.meeting(request) for request in self.requests]
        ranked = [planner.ranked(trip) for trip in trips if trip is not None]
        is_unique = all(len(best) < 2 or best[0].total < best[1].total for best in ranked)
        return is_unique and any(path[:2] == ("booking", "new") for path in self.goal)

    @cached_property
    def _planner(self) -> Planner:
        """A planner who knows all records at the start."""
        return Planner(Known.of(self.world()).rows, self._timetable, self.policy)

    @cached_property
    def _timetable(self) -> Timetable:
        """All legs by their cities and dates."""
        return timetable_of(self.tables["leg"].items())

    def start(self) -> Tables:
        return tables(self.records)

    def world(self) -> RecordWorld:
        return TripWorld(self.tables, self._timetable, self.seed, self.busy)

    def fulfil(self, world: RecordWorld) -> None:
        for request in self.requests:
            carry_out(world, self._planner.deeds(request))

    def client(self) -> Client:
        return fulfil(self.policy, self.requests)

    def brief(self) -> str:
        work = self.phrase(
            "You book the trips of employees by the travel policy of a company.",
            "Fulfil requests for trips. The company has a travel policy, which you must follow.",
            "You are the travel desk of a company. Its policy is below, and binds you.",
        )
        wishes = "\n".join(
            f"Request {number}: {in_words(request, self.wording, number)}"
            for number, request in enumerate(self.requests, 1)
        )
        return (
            f"{work} Today is {self.today}.\n\nPolicy:\n"
            "- Do what the requests and the policy ask for, and change nothing else. A request "
            "does not overrule a rule. Legs and hotels are booked for the traveller.\n"
            f"{self.policy.text()}\n\n{wishes}"
        )

    @classmethod
    def toolkit(cls) -> Sequence[Tool]:
        return TOOLS

    def baselines(self, rng: Random) -> Mapping[str, Player]:
        """Players who do nothing, call at random, or work as the oracle does, but without rules,
        with the first row of each list, without changes, or without regard to clocks.
        """
        lawless = self.policy._replace(rules=())
        hasty = lawless._replace(margin=0, abroad=0, leaving=0, changes=(0, 0, 0))
        words = [self.today, *(word for each in self.requests for word in each)]
        numbers = [*range(1, 5), *(n for table in self.tables.values() for n in table)]
        habits = {
            "first hits": Habits(rows=1),
            "no changes": Habits(changes=False),
            "no clocks": Habits(clocks=False),
        }
        players = {
            name: acting(fulfil(self.policy, self.requests, each)) for name, each in habits.items()
        }
        return {
            "do nothing": scripted([]),
            "random calls": scripted(random_calls(rng, self, words, numbers)),
            "no rules": acting(fulfil(lawless, self.requests)),
            "no margins": acting(fulfil(hasty, self.requests)),
            **players,
        }
