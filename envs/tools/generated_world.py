"""Working in a generated domain through its tools, an original family of worlds.

Z. Wang and others, "Agent World Model: Infinity Synthetic Environments for Agentic Reinforcement
Learning" (2026), synthesise 1,000 environments with databases and tools; here each task has a
domain of its own. Tools that are new with each task are an idea of M. Chen and others, "ReCall"
(2025), a framework that trains models to use arbitrary tools.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any, Self

from palaestra.generators.tools.engine import judged, manual, scripted
from palaestra.generators.tools.generated_world.decisions import Request
from palaestra.generators.tools.generated_world.domain import (
    Domain,
    random_domain,
    random_rules,
)
from palaestra.generators.tools.generated_world.drawing import (
    Solution,
    deeds,
    random_requests,
    random_tables,
    solved,
)
from palaestra.generators.tools.generated_world.tables import Row, indexed
from palaestra.generators.tools.generated_world.wording import requests_in_words
from palaestra.generators.tools.generated_world.world import World, toolkit
from palaestra.task import Play, Policy, Task, ladder
from palaestra.toolbox import call


class GeneratedWorld(Task):
    """Fulfil requests in a domain whose records, tools and policy are new with every task."""

    tags = {"tool-use", "policy", "hidden-state"}
    hidden = {"records"}

    class Knobs(Task.Knobs):
        types: int = ladder(2, 2, 3, 3, 4, 5, 6)  # of records
        states: int = ladder(3, 3, 4, 4, 5, 5, 6)  # of each type
        rows: int = ladder(6, 8, 12, 16, 24, 32, 40, high=80)  # of each type
        requests: int = ladder(1, 2, 3, 4, 5, 6, 7, high=8)
        rules: int = ladder(0, 2, 3, 5, 7, 9, 12, high=16)
        namesakes: int = ladder(0, 0, 1, 1, 2, 3, 4, high=6)
        chains: int = ladder(0, 10, 30, 40, 50, 60, 70, high=80)  # percentage with owners' steps
        busy: int = ladder(0, 0, 0, 0, 4, 8, 12, high=30)  # percentage of calls that fail

    domain: Domain
    records: tuple[tuple[Row, ...], ...]
    requests: tuple[Request, ...]
    seed: int
    busy: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        domain = random_domain(rng, knobs.types, knobs.states, knobs.rows)
        tables = random_tables(rng, domain, knobs.rows, min(knobs.namesakes, knobs.rows // 4))
        requests = random_requests(rng, domain, tables, knobs.requests, knobs.chains)
        wanted = deeds(domain, tables, requests)
        return cls(
            domain=domain._replace(rules=random_rules(rng, domain, knobs.rules, wanted)),
            records=tuple(tuple(table.values()) for table in tables),
            requests=requests,
            seed=rng.getrandbits(32),
            busy=knobs.busy,
        )

    def is_valid(self) -> bool:
        """Whether some request changes records."""
        paths = self.solution.changes
        return bool(self.requests) and any(path[0] == "row" for path in paths)

    @cached_property
    def solution(self) -> Solution:
        """What the oracle does, and what it changes."""
        tables = [indexed(rows) for rows in self.records]
        return solved(self.domain, tables, self.requests, self.seed, self.busy)

    def world(self) -> World:
        """The world at its start."""
        tables = [indexed(rows) for rows in self.records]
        return World(self.domain, tables, len(self.requests), self.seed, self.busy)

    @property
    def calls(self) -> int:
        """How many calls there are, a multiple of ten, which tells little of what is needed."""
        return 20 + len(self.solution.calls) * 8 // 5 // 10 * 10

    def play(self) -> Play:
        world, goal = self.world(), self.solution.changes
        yield from world.session(self.brief(), self.calls, goal)
        return judged(world.changes(), goal)

    def brief(self) -> str:
        """The documentation, the policy and the requests."""
        work = self.phrase(
            "You work on the records of an organisation by its policy.",
            "Fulfil requests about the records of an organisation. You must follow its policy.",
            "These are requests to an organisation, which has a policy on its records.",
        )
        rules = "\n".join(self.domain.policy())
        return (
            f"{work} All names are made up; the tools explain them.\n\nPolicy:\n"
            "Handle the requests in their order, each by the current records. If calls of the "
            "tools can fulfil a request, make them, including those that have to come before, "
            "such as bringing an owner into another state. Change nothing else: no owner and no "
            "amount unless the request is about it or such a call takes it, and no state that "
            "need not change. If no such calls can fulfil a request, change nothing for it and "
            "decline it by rule 0. Otherwise, if a rule forbids one of the calls for a record as "
            "it is before that call, change nothing for the request and decline it by that "
            f"rule, by the one with the lowest number if there are several.\n{rules}\n\n"
            f"{requests_in_words(self.domain, self.requests, self.wording)}\n\n"
            f"{manual(toolkit(self.domain), self.calls)}"
        )

    def solve(self) -> Iterable[str]:
        """The calls of a client that sees the documentation, the requests and results alone."""
        return [*self.solution.calls, "done"]

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who do nothing, decline or answer all requests, or make for each one the call
        that it names, on the first record with the label.
        """
        numbers = range(1, len(self.requests) + 1)
        declined = [call(self.domain.decline, request=n, rule=0) for n in numbers]
        guessed = [call(self.domain.answer, request=n, value=n) for n in numbers]
        return {
            "do nothing": scripted([]),
            "decline all": scripted(declined),
            "answer all": scripted(guessed),
            "named tool": scripted(self._named_calls()),
        }

    def _named_calls(self) -> Iterable[str]:
        """For each request one call, on the first record that has the label."""
        for request in self.requests:
            n, entity = request.record.entity, self.domain.entities[request.record.entity]
            row = next(row for row in self.records[n] if row.label == request.record.label)
            if request.action == "advance":
                step = entity.into(request.state)
                yield call(step.tool if step else entity.details, id=row.number)
            elif request.action == "adjust":
                yield call(entity.adjust, id=row.number, amount=request.amount)
            elif request.receiver:
                label = request.receiver.label
                owner = next(row for row in self.records[n - 1] if row.label == label)
                yield call(entity.assign, **{"id": row.number, entity.owner: owner.number})

    def tools(self) -> Sequence[Mapping[str, Any]]:
        return [tool.schema() for tool in toolkit(self.domain)]

    def difficulty(self) -> float:
        """The number of calls of the oracle."""
        return float(len(self.solution.calls))
