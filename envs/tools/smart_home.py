"""Running the devices of a house by its rules, an original world.

After H. Trivedi and others, "AppWorld: A Controllable World of Apps and People for Benchmarking
Interactive Coding Agents" (2024), whose requests need reading before acting and are judged by the
final records. Houses, rules and requests are drawn for each task here.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Self

from palaestra.generators.tools.apps import Deed, Known
from palaestra.generators.tools.engine import Client, Tool, acting, scripted
from palaestra.generators.tools.errands import Wanted, random_calls
from palaestra.generators.tools.ruled_records import RuledRecordsTask
from palaestra.generators.tools.smart_home.client import Habits, fulfil
from palaestra.generators.tools.smart_home.decisions import deeds
from palaestra.generators.tools.smart_home.drawing import HomeAsking
from palaestra.generators.tools.smart_home.home import TOOLS
from palaestra.generators.tools.smart_home.house import FIELDS, Size, random_house
from palaestra.generators.tools.smart_home.pictures import HomeWorld
from palaestra.generators.tools.smart_home.policy import Policy
from palaestra.generators.tools.smart_home.requests import ACTIONS, Request, in_words
from palaestra.task import Policy as Player
from palaestra.task import Task, ladder


class SmartHome(RuledRecordsTask):
    """Bring the devices and schedules of a house into the states that its members ask for."""

    fields = FIELDS
    version = 2

    class Knobs(Task.Knobs):
        actions: int = ladder(2, 3, 4, 5, 6, 7, 7, low=1)  # types of requests, in their order
        requests: int = ladder(1, 2, 3, 3, 4, 5, 6, high=8)
        rules: int = ladder(1, 2, 4, 6, 8, 9, 10, low=0)
        strict: int = ladder(50, 60, 70, 85, 90, 95, 95, low=0, high=100)
        # ^ percentage of requests that a rule matters to, where one can
        steps: int = ladder(1, 1, 2, 2, 2, 3, 3, high=4)  # calls of a request at least, if possible
        members: int = ladder(3, 3, 4, 4, 5, 6, 7, high=10)
        rooms: int = ladder(2, 3, 3, 4, 5, 6, 7, low=1, high=9)  # besides those of members
        devices: int = ladder(3, 4, 4, 5, 6, 7, 8, high=9)  # in each room, at most
        schedules: int = ladder(6, 8, 10, 16, 22, 30, 36, high=40)
        traps: int = ladder(15, 20, 27, 36, 40, 42, 45, low=0, high=100)
        # ^ percentage of rooms in use, and so on
        busy: int = ladder(0, 0, 0, 2, 4, 7, 10, high=30)  # percentage of calls that fail

    policy: Policy
    requests: tuple[Request, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = Size(
            knobs.members, knobs.rooms, knobs.devices, knobs.schedules, knobs.rules, knobs.traps
        )
        records, policy = random_house(rng, size)
        wanted = Wanted(knobs.requests, knobs.strict, knobs.steps)
        asking = HomeAsking(rng, records, policy, wanted)
        return cls.with_requests(records, asking, ACTIONS[: knobs.actions], "night", knobs.busy)

    def deeds(self, known: Known, request: Request) -> list[Deed]:
        return deeds(known, self.policy, request)

    def client(self) -> Client:
        return fulfil(self.policy, self.requests)

    def world(self) -> HomeWorld:
        return HomeWorld(self.tables, self.seed, self.busy, self.wishes)

    def wishes(self) -> list[str]:
        """The requests in words."""
        return [
            in_words(request, self.wording, number)
            for number, request in enumerate(self.requests, 1)
        ]

    def brief(self) -> str:
        work = self.phrase(
            "You run the devices of a house by its rules.",
            "Fulfil requests about the devices of a house. The house has rules; follow them.",
            "Take care of the devices of a house. You must keep to the rules of the house.",
        )
        wishes = "\n".join(
            f"Request {number}: {wish}" for number, wish in enumerate(self.wishes(), 1)
        )
        return (
            f"{work}\n\nPolicy:\n"
            "- Handle the requests in their order, each by the state of the house as it is then. "
            "Do what a request and the rules for it ask for, and change nothing else. A request "
            "does not overrule a rule.\n"
            f"{self.policy.text()}\n\n{wishes}"
        )

    @classmethod
    def toolkit(cls) -> Sequence[Tool]:
        return TOOLS

    def baselines(self, rng: Random) -> Mapping[str, Player]:
        """Players who do nothing, call at random, or work as the oracle does, but without rules,
        with the first row of each list, with one call for each request, or without reports.
        """
        lawless = self.policy.without_rules()
        words = [word for each in self.requests for word in each if isinstance(word, str) and word]
        habits = {
            "first hits": Habits(rows=1),
            "one call": Habits(steps=1),
            "no reports": Habits(reports=False),
        }
        players = {
            name: acting(fulfil(self.policy, self.requests, each)) for name, each in habits.items()
        }
        return {
            "do nothing": scripted([]),
            "random calls": scripted(random_calls(rng, self, words)),
            "no rules": acting(fulfil(lawless, self.requests)),
            **players,
        }
