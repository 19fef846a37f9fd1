"""Serving a bank's callers, who have to be identified, by its policy.

After S. Yao and others, "tau-bench: A Benchmark for Tool-Agent-User Interaction in Real-World
Domains" (2024), in a domain of its own: identities, representatives, signs of fraud, disputes.
Records, policies and callers are drawn for each task here, and a grammar speaks in their place.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any, Self

from palaestra.generators.tools.bank_desk.bank import Bank, Size, Visit, random_terms, random_visit
from palaestra.generators.tools.bank_desk.caller import agenda
from palaestra.generators.tools.bank_desk.client import Habits, serve
from palaestra.generators.tools.bank_desk.desk import TOOLS, Desk
from palaestra.generators.tools.bank_desk.goals import Handled, handled
from palaestra.generators.tools.bank_desk.policy import REQUESTS, Terms
from palaestra.generators.tools.conversation import User
from palaestra.generators.tools.engine import acting, judged, manual, scripted, solved
from palaestra.task import Play, Policy, Task, ladder

FACTS_IN_WORDS = {
    "born": "year of birth",
    "postcode": "postcode",
    "word": "memorable word",
    "phone": "last four digits of the phone",
}


class BankDesk(Task):
    """Serve a caller of a bank by its policy: check identities, decide, and watch for fraud."""

    tags = {"tool-use", "policy", "hidden-state", "conversation", "identification"}
    version = 2
    hidden = {"bank", "visit", "seed"}

    class Knobs(Task.Knobs):
        requests: int = ladder(2, 3, 4, 5, 6, 6, 6, low=2)  # types, in their order
        wishes: int = ladder(1, 2, 3, 4, 5, 6, 7, high=8)
        thoughts: int = ladder(0, 1, 2, 3, 4, 5, 6)  # wishes that the caller changes in the end
        mistakes: int = ladder(0, 0, 1, 1, 2, 2, 3)  # wishes with a fact that is wrong at first
        others: int = ladder(0, 0, 1, 1, 2, 2, 3)  # clients whom the caller represents
        strangers: int = ladder(10, 20, 40, 50, 50, 50, 50, high=100)  # percentage: see Size
        namesakes: int = ladder(0, 0, 1, 1, 2, 3, 4, high=5)
        transactions: int = ladder(4, 6, 8, 10, 12, 16, 22, high=40)  # of each account, at most
        busy: int = ladder(0, 0, 0, 3, 5, 8, 12, high=30)  # percentage of calls that fail

    bank: Bank
    visit: Visit
    terms: Terms
    opening: str
    today: int
    requests: int
    calls: int
    seed: int
    busy: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        number = knobs.wishes
        limits = {"thoughts": min(knobs.thoughts, number), "mistakes": min(knobs.mistakes, number)}
        terms = random_terms(rng)
        size = Size(**knobs.model_dump(exclude={"busy"}) | limits)
        bank, visit = random_visit(rng, size, terms)
        seed = rng.getrandbits(32)
        return cls(
            bank=bank, visit=visit, terms=terms, seed=seed, today=visit.today,
            opening=User(agenda(bank, visit, seed), seed).opening(), requests=knobs.requests,
            calls=60 + 40 * number, busy=knobs.busy,
        )  # fmt: skip

    def canonical(self) -> str:
        return repr((self.visit, self.bank.holdings, self.terms))

    def user(self) -> User:
        """The caller, before anything has been said."""
        return User(agenda(self.bank, self.visit, self.seed), self.seed, self.held_out())

    def world(self, busy: int | None = None) -> Desk:
        """The world at its start."""
        return Desk(self.bank, self.user(), self.seed, self.busy if busy is None else busy)

    @cached_property
    def handled(self) -> Handled:
        """The decisions by the policy, and what differs when they have been carried out."""
        return handled(self.world(), self.visit, self.terms)

    @cached_property
    def solution(self) -> tuple[str, ...]:
        """The calls of a client that sees the policy and the results of calls alone."""
        return solved(self.world(), serve(self.terms, self.today), 1_000)

    def play(self) -> Play:
        world = self.world()
        world.open(self.opening)
        yield from world.session(self.brief(), self.calls, self.handled.changes)
        return judged(world.changes(), self.handled.changes)

    def brief(self) -> str:
        """The policy and the caller's first message."""
        work = self.phrase(
            "You serve the callers of a bank by its policy.",
            "Somebody calls a bank, and you answer. You must follow the policy of the bank.",
            "You are at the desk of a bank. Its policy is below, and binds you.",
        )
        rules = "\n".join(f"- {self.terms.text(each)}" for each in REQUESTS[: self.requests])
        facts = ", ".join(FACTS_IN_WORDS[fact] for fact in self.terms.facts)
        return (
            f"{work} Today is day {self.today}; days are numbered.\n\nPolicy:\n"
            "- Talk to the caller with the tool `say`. Callers answer questions, one or a few at a "
            "time, and state nothing unless you ask for it. Before you handle a request, ask the "
            "caller to confirm it: some change their minds then, about a detail or about "
            "everything.\n"
            "- Handle the requests one after the other, each by the current records, until there "
            "is no other one; ask for the next one. Each may be for the caller or for another "
            "client, so ask for whom it is. Clients are known by name and branch. Requests are "
            "about accounts whose first owner is the client; where no account is named, about the "
            "current account.\n"
            "- Who calls for another client must be one of its representatives. If not, refuse "
            "(no_authority). Representatives may request neither transfers nor limits "
            "(beyond_authority). In both cases check no facts.\n"
            f"- Then check facts about the client with `check_fact`, in this order: {facts}. How "
            "many is stated in each rule; check no more, and none that matched before. Callers do "
            "not learn the facts from you. If a fact does not match, ask for it again, once. If it "
            "fails again, refuse this request and all later ones for the same client "
            "(not_verified), without any other check, unless a reason of the rule above applies "
            "to them. Never guess a fact.\n"
            "- Then fulfil the request if it is allowed. Otherwise refuse it with the reason in "
            "brackets; if several reasons apply, with the one named first in the rule.\n"
            "- Make no other changes: nothing that is held is released, and no transfer limit "
            f"raised, to make a request possible.\n{rules}\n\n{manual(TOOLS, self.calls)}\n\n"
            f"The caller: {self.opening}"
        )

    def solve(self) -> Iterable[str]:
        return [*self.solution, "done"]

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who do nothing, fulfil or refuse everything, ask for no confirmation, or trust
        every caller.
        """
        habits = {
            "fulfil all": Habits(decides=False),
            "refuse all": Habits(decides=False, refuses=True),
            "refuse all callers": Habits(refuses_with="not_verified"),
            "no confirmation": Habits(confirms=False),
            "no checks": Habits(trusts=True),
        }
        players = {
            name: acting(serve(self.terms, self.today, each)) for name, each in habits.items()
        }
        return {"do nothing": scripted([]), **players}

    def tools(self) -> Sequence[Mapping[str, Any]]:
        return [tool.schema() for tool in TOOLS]

    def difficulty(self) -> float:
        """The number of calls of the oracle."""
        return float(len(self.solution))
