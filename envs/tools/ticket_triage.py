"""Sorting the tickets of a help desk by its policy, an original world.

After H. Trivedi and others, "AppWorld: A Controllable World of Apps and People for Benchmarking
Interactive Coding Agents" (2024), whose tasks need reading before acting and are judged by the
final records, and S. Yao and others, "tau-bench: A Benchmark for Tool-Agent-User Interaction in
Real-World Domains" (2024), whose agents follow a written policy. Tickets are written by a grammar.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Self

from palaestra.generators.tools.apps import Known, carry_out, worded
from palaestra.generators.tools.engine import Client, Tool, acting, scripted
from palaestra.generators.tools.errands import ErrandTask, random_calls
from palaestra.generators.tools.records import RecordWorld, Tables
from palaestra.generators.tools.ticket_triage.app import TOOLS
from palaestra.generators.tools.ticket_triage.client import Habits, triage
from palaestra.generators.tools.ticket_triage.decisions import Desk, deeds
from palaestra.generators.tools.ticket_triage.drawing import Size, random_desk
from palaestra.generators.tools.ticket_triage.policy import Policy
from palaestra.generators.tools.ticket_triage.records import Records, tables
from palaestra.task import Policy as Player
from palaestra.task import Task, ladder

FRAMES = (
    "triage all new tickets that were opened at {since} or later; a colleague has the others.",
    "please go through the new tickets. Those from before {since} are not yours.",
    "the new tickets since {since} have to be sorted. Leave all earlier ones alone.",
    "from {since} on, all new tickets are yours. Handle them, and no others.",
    "your shift has the new tickets from {since} or later. Work them off.",
    "everything new that came in since {since} is to be handled, and nothing older.",
)


class TicketTriage(ErrandTask):
    """Sort, merge, link, answer and escalate the tickets of a help desk by its policy."""

    tags = {"tool-use", "policy", "hidden-state", "apps"}
    version = 3
    hidden = {"records", "seed"}

    class Knobs(Task.Knobs):
        tickets: int = ladder(1, 2, 3, 4, 6, 8, 9, high=9)  # new ones that are to be handled
        others: int = ladder(3, 6, 10, 14, 20, 26, 32, high=40)
        organisations: int = ladder(3, 4, 5, 6, 7, 8, 10)
        products: int = ladder(2, 3, 4, 5, 6, 7, 8, high=12)
        rules: int = ladder(2, 4, 6, 8, 10, 12, 13, low=0)
        traps: int = ladder(10, 20, 40, 85, 85, 85, 90, low=0, high=100)
        # ^ percentage of misleading subjects, corrections, notes, quotes
        doubles: int = ladder(20, 30, 40, 60, 60, 60, 70, low=0, high=100)
        # ^ percentage of new tickets that are like an earlier one
        decoys: int = ladder(1, 2, 2, 3, 4, 5, 6, high=8)
        # ^ incidents and articles besides the right one, for each ticket
        busy: int = ladder(0, 0, 0, 2, 4, 7, 10, high=15)  # percentage of calls that fail

    records: Records
    policy: Policy
    now: str
    since: str
    seed: int
    busy: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = Size(**knobs.model_dump(exclude={"busy"}))
        records, policy, now, since = random_desk(rng, size)
        return cls(
            records=records,
            policy=policy,
            now=now,
            since=since,
            calls=40 + 38 * knobs.tickets,
            seed=rng.getrandbits(32),
            busy=knobs.busy,
        )

    def start(self) -> Tables:
        return tables(self.records)

    def world(self) -> RecordWorld:
        return RecordWorld(TOOLS, self.tables, self.seed, self.busy)

    def new_tickets(self) -> Sequence[int]:
        """The tickets that are to be handled, the earliest first."""
        new = (
            (each.opened, each.number)
            for each in self.records.tickets
            if each.status == "open" and not each.team and each.opened >= self.since
        )
        return [number for _, number in sorted(new)]

    def fulfil(self, world: RecordWorld) -> None:
        for number in self.new_tickets():
            carry_out(world, deeds(Desk(Known.of(world).rows, self.policy, self.now), number))

    def client(self) -> Client:
        return triage(self.policy, self.now, self.since)

    def brief(self) -> str:
        work = self.phrase(
            "You sort the tickets of a help desk by its policy.",
            "Tickets have come in at a help desk. It has a policy, which you must follow.",
            "You work at a help desk. Its policy is below, and binds you.",
        )
        return (
            f"{work} It is {self.now}.\n\nPolicy:\n{self.policy.text()}\n"
            "- Change nothing else, and no ticket that is not to be handled.\n\n"
            f"{worded(FRAMES, self.wording, 1, since=self.since)}"
        )

    @classmethod
    def toolkit(cls) -> Sequence[Tool]:
        return TOOLS

    def baselines(self, rng: Random) -> Mapping[str, Player]:
        """Players who do nothing, call at random, or work as the oracle does, but without rules,
        with the first row of each list, with the first message of each ticket, or without the other
        tickets of an organisation.
        """
        lawless = self.policy._replace(rules=())
        texts = [self.policy.product, *(name for name, *_ in self.policy.categories)]
        numbers = [*range(1, 5), *(n for table in self.tables.values() for n in table)]
        habits = {
            "first hits": Habits(rows=1),
            "no follow-ups": Habits(follow_ups=False),
            "no others": Habits(others=False),
        }
        players = {
            name: acting(triage(self.policy, self.now, self.since, each))
            for name, each in habits.items()
        }
        return {
            "do nothing": scripted([]),
            "random calls": scripted(random_calls(rng, self, texts, numbers)),
            "no rules": acting(triage(lawless, self.now, self.since)),
            **players,
        }
