"""Working in a mailbox by the rules of an office, an original world.

After H. Trivedi and others, "AppWorld: A Controllable World of Apps and People for Benchmarking
Interactive Coding Agents" (2024), whose tasks need reading before acting and have distractors, and
are judged by the final records. Mailboxes, rules and requests are drawn for each task here.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Self

from palaestra.generators.tools.apps import Known, carry_out
from palaestra.generators.tools.engine import Client, Tool, acting, scripted
from palaestra.generators.tools.errands import ErrandTask, Wanted, random_calls
from palaestra.generators.tools.mail_desk.app import TOOLS, tables
from palaestra.generators.tools.mail_desk.client import Habits, fulfil
from palaestra.generators.tools.mail_desk.decisions import deeds
from palaestra.generators.tools.mail_desk.drawing import MailAsking
from palaestra.generators.tools.mail_desk.mailbox import Mailbox, Size, random_mailbox
from palaestra.generators.tools.mail_desk.policy import Policy
from palaestra.generators.tools.mail_desk.requests import ACTIONS, Request, in_words
from palaestra.generators.tools.records import RecordWorld, Tables
from palaestra.task import Policy as Player
from palaestra.task import Task, ladder


class MailDesk(ErrandTask):
    """Fulfil requests about a mailbox, its contacts and newsletters by the rules of an office."""

    tags = {"tool-use", "policy", "hidden-state", "apps"}
    version = 2
    hidden = {"mailbox", "seed"}

    class Knobs(Task.Knobs):
        actions: int = ladder(3, 4, 5, 6, 7, 7, 7, low=1)  # types of requests, in their order
        requests: int = ladder(1, 2, 3, 3, 4, 5, 6, high=8)
        rules: int = ladder(1, 2, 3, 5, 7, 9, 10, low=0)
        strict: int = ladder(50, 50, 60, 70, 75, 80, 90, low=0, high=100)
        # ^ percentage of requests that a rule matters to, where one can
        steps: int = ladder(1, 1, 1, 2, 2, 2, 3, high=4)  # calls of a request at least, if possible
        conditions: int = ladder(1, 1, 1, 1, 2, 2, 3)  # of the messages that a request is about
        people: int = ladder(6, 8, 10, 12, 16, 20, 24, high=40)
        namesakes: int = ladder(0, 1, 2, 2, 3, 4, 6, high=8)
        duplicates: int = ladder(1, 1, 2, 3, 3, 4, 5, high=8)  # second contacts, of each type
        events: int = ladder(1, 1, 2, 2, 3, 4, 5, high=8)
        messages: int = ladder(12, 16, 26, 40, 50, 62, 80, high=120)  # notes and invoices
        newsletters: int = ladder(2, 2, 3, 4, 4, 5, 6, high=8)
        busy: int = ladder(0, 0, 0, 2, 4, 7, 10, high=30)  # percentage of calls that fail

    mailbox: Mailbox
    policy: Policy
    today: str
    requests: tuple[Request, ...]
    seed: int
    busy: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = Size(
            knobs.people, knobs.namesakes, knobs.duplicates, knobs.events, knobs.messages,
            knobs.newsletters, knobs.rules,
        )  # fmt: skip
        mailbox, policy, today = random_mailbox(rng, size)
        wanted = Wanted(knobs.requests, knobs.strict, knobs.steps)
        asking = MailAsking(rng, tables(mailbox), policy, wanted, knobs.conditions)
        task = cls(
            mailbox=mailbox,
            policy=policy,
            today=today,
            requests=asking.requests(ACTIONS[: knobs.actions], "answer"),
            seed=rng.getrandbits(32),
            busy=knobs.busy,
        )
        return task.prepared(asking.world)

    def start(self) -> Tables:
        return tables(self.mailbox)

    def world(self) -> RecordWorld:
        return RecordWorld(TOOLS, self.tables, self.seed, self.busy)

    def fulfil(self, world: RecordWorld) -> None:
        for request in self.requests:
            carry_out(world, deeds(Known.of(world), self.policy, request))

    def client(self) -> Client:
        return fulfil(self.policy, self.requests)

    def brief(self) -> str:
        work = self.phrase(
            "You look after a mailbox of an office, by its rules.",
            "Fulfil requests about a mailbox. The office has rules, which you must follow.",
            "Somebody has given you their mailbox and some requests; keep to the rules.",
        )
        wishes = "\n".join(
            f"Request {number}: {in_words(request, self.wording, number)}"
            for number, request in enumerate(self.requests, 1)
        )
        return (
            f"{work} Today is {self.today}.\n\nPolicy:\n"
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
        with the first row of each list, with one call for each request, or from lists alone.
        """
        lawless = self.policy.without_rules()
        words = [self.today, *(word for each in self.requests for word in each if word)]
        texts = [word for word in words if isinstance(word, str)]
        return {
            "do nothing": scripted([]),
            "random calls": scripted(random_calls(rng, self, texts)),
            "no rules": acting(fulfil(lawless, self.requests)),
            "first hits": acting(fulfil(self.policy, self.requests, Habits(rows=1))),
            "one call": acting(fulfil(self.policy, self.requests, Habits(steps=1))),
            "no reading": acting(fulfil(self.policy, self.requests, Habits(reads=False))),
        }
