"""Running errands across the apps of one person, an original world.

After H. Trivedi and others, "AppWorld: A Controllable World of Apps and People for Benchmarking
Interactive Coding Agents" (2024), whose requests need several apps of people who know each other.
Records, rules and requests are drawn for each task here.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Self

from palaestra.generators.tools.apps import Deed, Known
from palaestra.generators.tools.engine import Client, Tool, acting, scripted
from palaestra.generators.tools.errands import Wanted, random_calls
from palaestra.generators.tools.personal_assistant.apps import TOOLS
from palaestra.generators.tools.personal_assistant.client import Habits, fulfil
from palaestra.generators.tools.personal_assistant.decisions import deeds
from palaestra.generators.tools.personal_assistant.drawing import PersonalAsking
from palaestra.generators.tools.personal_assistant.policy import Policy, weekday
from palaestra.generators.tools.personal_assistant.records import FIELDS, Size, random_records
from palaestra.generators.tools.personal_assistant.requests import ACTIONS, Request, in_words
from palaestra.generators.tools.ruled_records import RuledRecordsTask
from palaestra.task import Policy as Player
from palaestra.task import Task, ladder


class PersonalAssistant(RuledRecordsTask):
    """Run errands of one person across calendar, notes, messages, payments, to-dos and files."""

    fields = FIELDS
    version = 3

    class Knobs(Task.Knobs):
        actions: int = ladder(2, 3, 4, 5, 6, 7, 7, low=1)  # types of requests, in their order
        requests: int = ladder(1, 2, 3, 3, 4, 5, 6, high=8)
        rules: int = ladder(1, 2, 4, 6, 8, 9, 10, low=0)
        strict: int = ladder(40, 50, 60, 80, 85, 90, 95, low=0, high=100)
        # ^ percentage of requests that a rule matters to, where one can
        steps: int = ladder(1, 1, 1, 2, 2, 2, 3, high=4)  # calls of a request at least, if possible
        people: int = ladder(6, 7, 9, 11, 14, 18, 22, low=4, high=24)
        outings: int = ladder(1, 2, 2, 3, 4, 5, 6, high=8)  # past events with costs
        parties: int = ladder(1, 2, 2, 3, 4, 4, 5, high=6)  # events to come
        meetings: int = ladder(6, 8, 12, 16, 22, 30, 36, low=4, high=40)
        files: int = ladder(3, 4, 5, 6, 7, 8, 10)
        wishes: int = ladder(4, 6, 8, 10, 12, 16, 20, high=24)  # messages that ask for files
        traps: int = ladder(10, 25, 40, 50, 60, 75, 85, low=0, high=100)
        # ^ percentage of records that look like others
        busy: int = ladder(0, 0, 0, 2, 4, 7, 10, high=30)  # percentage of calls that fail

    policy: Policy
    requests: tuple[Request, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = Size(
            knobs.people, knobs.outings, knobs.parties, knobs.meetings, knobs.files, knobs.wishes,
            knobs.rules, knobs.traps,
        )  # fmt: skip
        records, policy = random_records(rng, size)
        wanted = Wanted(knobs.requests, knobs.strict, knobs.steps)
        asking = PersonalAsking(rng, records, policy, wanted)
        return cls.with_requests(records, asking, ACTIONS[: knobs.actions], "collect", knobs.busy)

    def deeds(self, known: Known, request: Request) -> list[Deed]:
        return deeds(known, self.policy, request)

    def client(self) -> Client:
        return fulfil(self.policy, self.requests)

    def brief(self) -> str:
        work = self.phrase(
            "You run errands for me in my apps, by my rules.",
            "I have some errands for you in my apps. These are my rules, which you must follow.",
            "You are my assistant, with access to my apps. Keep to my rules.",
        )
        today = self.policy.today
        wishes = "\n".join(
            f"Request {number}: {in_words(request, self.wording, number)}"
            for number, request in enumerate(self.requests, 1)
        )
        return (
            f"{work} Today is {weekday(today)}, {today}.\n\nPolicy:\n"
            "- Handle the requests in their order, each by the records as they are then. Do what "
            "a request and the rules for it ask for, and change nothing else. A request does not "
            "overrule a rule.\n"
            f"{self.policy.text()}\n\n{wishes}"
        )

    @classmethod
    def toolkit(cls) -> Sequence[Tool]:
        return TOOLS

    def baselines(self, rng: Random) -> Mapping[str, Player]:
        """Players who do nothing, call at random, or work as the oracle does, but without rules,
        with the first row of each list, with one call for each request, or without reading
        payments or messages.
        """
        lawless = self.policy.without_rules()
        words = [word for each in self.requests for word in each[1:] if word]
        habits = {
            "first hits": Habits(rows=1),
            "one call": Habits(steps=1),
            "no payments": Habits(skipped="payment"),
            "no messages": Habits(skipped="message"),
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
