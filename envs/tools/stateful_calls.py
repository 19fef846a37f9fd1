"""A conversation about records that are changed through tools, whose requests build on each other.

After J. Lu and others, "ToolSandbox: A Stateful, Conversational, Interactive Evaluation Benchmark
for LLM Tool Use Capabilities" (2024), with its implicit dependencies between states and its
requests that lack an argument or cannot be fulfilled; the multi-turn category of S. Patil and
others, "The Berkeley Function Calling Leaderboard" (2025); and J. Ye and others, "Feedback-Driven
Tool-Use Improvements in Large Language Models via Automated Build Environments" (2025), known as
FTRL.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any, Self

from palaestra.generators.tools.engine import Changes, judged, manual, scripted
from palaestra.generators.tools.stateful_calls.client import Client
from palaestra.generators.tools.stateful_calls.domain import (
    Entity,
    Ledgers,
    Row,
    Sizes,
    random_domain,
)
from palaestra.generators.tools.stateful_calls.drawing import Shares, random_requests
from palaestra.generators.tools.stateful_calls.players import careless, random_calls
from palaestra.generators.tools.stateful_calls.requests import Request, goal
from palaestra.generators.tools.stateful_calls.wording import Speech
from palaestra.generators.tools.stateful_calls.world import (
    ASK,
    DECLINE,
    NEXT,
    REPORT,
    World,
    toolkit,
)
from palaestra.task import Play, Policy, Task, ladder
from palaestra.toolbox import call


class StatefulCalls(Task):
    """Fulfil requests that come one after another and refer to earlier ones, through new tools."""

    tags = {"tool-use", "multi-turn", "hidden-state", "memory"}
    hidden = {"records", "rates", "requests"}

    class Knobs(Task.Knobs):
        types: int = ladder(1, 1, 2, 2, 3, 4, 5)  # of records, each with its ledger
        rows: int = ladder(6, 8, 10, 14, 18, 24, 30, high=80)  # of each type
        requests: int = ladder(2, 3, 4, 5, 6, 8, 10, high=16)
        references: int = ladder(30, 50, 60, 60, 65, 70, 75, low=0, high=100)  # percentage
        sealed: int = ladder(0, 20, 30, 30, 40, 40, 50, high=100)  # percentage of records
        gaps: int = ladder(0, 10, 15, 15, 20, 20, 25, high=100)  # percentage that lacks something
        impossible: int = ladder(0, 10, 15, 15, 20, 20, 20, high=50)  # percentage
        conversions: int = ladder(0, 0, 30, 40, 50, 60, 70, high=100)  # percentage of amounts
        namesakes: int = ladder(0, 0, 1, 2, 3, 4, 5, high=8)  # of each type
        busy: int = ladder(0, 0, 0, 0, 4, 8, 12, high=30)  # percentage of calls that fail

    entities: tuple[Entity, ...]
    rates: tuple[int, ...]
    records: tuple[tuple[Row, ...], ...]
    requests: tuple[Request, ...]
    calls: int
    seed: int
    busy: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        sizes = Sizes(knobs.types, knobs.rows, knobs.namesakes, knobs.sealed, knobs.conversions)
        domain = random_domain(rng, sizes)
        shares = Shares(knobs.references, knobs.gaps, knobs.impossible, knobs.conversions)
        return cls(
            entities=domain.entities,
            rates=domain.rates,
            records=domain.records,
            requests=random_requests(rng, domain, knobs.requests, shares),
            calls=(20 + 12 * knobs.requests) * (120 if knobs.busy else 100) // 100,
            seed=rng.getrandbits(32),
            busy=knobs.busy,
        )

    def is_valid(self) -> bool:
        """Whether doing nothing is not enough at the end, and some request changes records."""
        last = str(len(self.requests))
        paths = [path for path in self.goal if path[0] == "after" or path[1] == last]
        return any(path[1] == last for path in paths) and any(p[0] == "after" for p in paths)

    @cached_property
    def goal(self) -> Changes:
        """What the world has noted at the end of a conversation that goes as it should."""
        return goal(self.entities, self.rates, self.records, self.requests)

    @cached_property
    def solution(self) -> tuple[str, ...]:
        """The calls of the oracle."""
        world, calls = self.world(), list[str]()

        def use(tool: str, arguments: dict[str, int | str]) -> str:
            calls.append(call(tool, **arguments))
            return world.use(calls[-1])[0]

        Client(self.entities, use).converse(tuple(each.visible() for each in self.requests))
        return tuple(calls)

    def world(self) -> World:
        """The world at its start."""
        domain = Ledgers(self.entities, self.rates, self.records)
        speech = Speech(self.entities, self.wording)
        turns = [speech.turn(n, each) for n, each in enumerate(self.requests, 1)]
        return World(domain, turns, self.seed, self.busy)

    def play(self) -> Play:
        world = self.world()
        yield from world.session(self.brief(), self.calls, self.goal)
        world.note()
        return judged(world.changes(), self.goal)

    def brief(self) -> str:
        """The rules of the conversation and the documentation."""
        work = self.phrase(
            "You keep ledgers for a user, whose requests come one at a time.",
            "A user has requests about records, one after the other. You have tools for them.",
            "Serve a user who wants things done with records; each request follows the one before.",
        )
        return (
            f"{work} All names are made up; the tools explain them.\n\nCall {NEXT} to see the "
            "first request; each further call of it says that you have finished the request in "
            "hand, which cannot be changed later, and shows the next one. Requests may refer to "
            "earlier ones, to your reports and to records by what they were in them. If a request "
            f"asks to know something, use {REPORT}. If it lacks what a tool needs, or several "
            f"records fit it, use {ASK}. If the tools cannot fulfil it, because there is no such "
            "record, value or tool or because a tool refuses it for the state or the amount, "
            f"change nothing and use {DECLINE}. A ledger that is not open or a record that is "
            "sealed is no reason to decline: open it, or take the seal off and put it on again "
            "before you go on. Change nothing else, and no state in order to get around a refusal. "
            "Undoing leaves a record as it was before; what was entered is then removed. To repeat "
            "something with another amount is to change the stock in the same direction. The work "
            f"is done when {NEXT} says that there are no more requests.\n\n"
            f"{manual(toolkit(self.entities), self.calls)}"
        )

    def solve(self) -> Iterable[str]:
        """The calls of a client that sees the documentation, the requests and results alone."""
        return [*self.solution, "done"]

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who finish, decline or ask at once, who call tools at random, and one who
        understands what a request is about, but no references, units, seals or refusals.
        """
        skip, decline = call(NEXT), call(DECLINE)
        number = len(self.requests)
        return {
            "do nothing": scripted([]),
            "go on": scripted([skip] * (number + 1)),
            "decline all": scripted([skip, *[decline, skip] * number]),
            "report 1": scripted([skip, *[call(REPORT, value="1"), skip] * number]),
            "random calls": scripted(random_calls(rng, self.entities, self.records, self.calls)),
            "careless": scripted(careless(self.entities, self.records, self.requests)),
        }

    def tools(self) -> Sequence[Mapping[str, Any]]:
        return [tool.schema() for tool in toolkit(self.entities)]

    def difficulty(self) -> float:
        """The number of calls of the oracle."""
        return float(len(self.solution))
