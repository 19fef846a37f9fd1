"""Serving an airline's customer by its policy, an original world similar to tau-bench's airline.

S. Yao and others, "tau-bench: A Benchmark for Tool-Agent-User Interaction in Real-World Domains"
(2024). Records, policies and customers are drawn for each task here, and a grammar speaks in the
user's place.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any, Self

from palaestra.generators.tools.airline_desk.airline import (
    Airline,
    Size,
    Visit,
    random_terms,
    random_visit,
)
from palaestra.generators.tools.airline_desk.client import Habits, serve
from palaestra.generators.tools.airline_desk.customer import agenda
from palaestra.generators.tools.airline_desk.desk import TOOLS, Desk
from palaestra.generators.tools.airline_desk.goals import Handled, handled
from palaestra.generators.tools.airline_desk.policy import REQUESTS, Terms, moment
from palaestra.generators.tools.conversation import User
from palaestra.generators.tools.engine import acting, judged, manual, scripted, solved
from palaestra.generators.tools.service_desk import is_mixed
from palaestra.task import Play, Policy, Task, ladder
from palaestra.toolbox import call

DRAWS = 60
"""So many times a task is drawn again at most for what it needs."""

HOW = {"busy", "refusals"}
"""The knobs that are not of the size of a visit."""


class AirlineDesk(Task):
    """Serve a customer of an airline by its policy, with amounts that you work out."""

    tags = {"tool-use", "policy", "hidden-state", "conversation", "arithmetic"}
    version = 2
    hidden = {"airline", "visit", "seed"}

    class Knobs(Task.Knobs):
        requests: int = ladder(2, 3, 4, 5, 5, 5, 5)  # types, in their order
        wishes: int = ladder(1, 1, 2, 3, 4, 5, 6, high=8)
        seconds: int = ladder(0, 0, 0, 1, 2, 2, 3)  # wishes with a second choice
        thoughts: int = ladder(0, 1, 2, 3, 3, 4, 5)  # wishes that the customer changes in the end
        mistakes: int = ladder(0, 0, 1, 1, 2, 2, 3)  # wishes with a mistaken day
        reservations: int = ladder(2, 2, 3, 4, 5, 6, 8, high=12)  # without a wish
        flights: int = ladder(2, 3, 4, 6, 8, 10, 12, high=20)  # of a day, for a change
        namesakes: int = ladder(0, 0, 1, 1, 2, 2, 3, high=5)
        busy: int = ladder(0, 0, 0, 3, 5, 8, 12, high=30)  # percentage of calls that fail
        refusals: int = ladder(45, 45, 95, 95, 95, 95, 95, high=100)  # see generate

    airline: Airline
    visit: Visit
    terms: Terms
    opening: str
    now: int
    requests: int
    calls: int
    seed: int
    busy: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """In ``refusals`` of 100 tasks a wish is refused for certain and, of several, another is
        fulfilled; this may be so in the rest.
        """
        is_refused = rng.random() * 100 < knobs.refusals
        task = cls._drawn(rng, knobs)
        for _ in range(DRAWS):
            reasons = [verdict.reason for _, verdict in task.handled.decisions]
            if not is_refused or is_mixed(reasons):
                break
            task = cls._drawn(rng, knobs)
        return task

    @classmethod
    def _drawn(cls, rng: Random, knobs: Knobs) -> Self:
        number = knobs.wishes
        limits = {
            "seconds": min(knobs.seconds, number),
            "thoughts": min(knobs.thoughts, number),
            "mistakes": min(knobs.mistakes, number),
        }
        airline, visit, now = random_visit(rng, Size(**knobs.model_dump(exclude=HOW) | limits))
        seed = rng.getrandbits(32)
        return cls(
            airline=airline, visit=visit, terms=random_terms(rng), now=now, seed=seed,
            opening=User(agenda(airline, visit, seed), seed).opening(), requests=knobs.requests,
            calls=60 + 40 * number, busy=knobs.busy,
        )  # fmt: skip

    def canonical(self) -> str:
        return repr((self.visit, self.airline.reservations, self.terms))

    def user(self) -> User:
        """The customer, before anything has been said."""
        return User(agenda(self.airline, self.visit, self.seed), self.seed, self.held_out())

    def world(self, busy: int | None = None) -> Desk:
        """The world at its start."""
        busy = self.busy if busy is None else busy
        return Desk(self.airline, self.user(), self.seed, busy)

    @cached_property
    def handled(self) -> Handled:
        """The decisions by the policy, and what differs when they have been carried out."""
        return handled(self.world(), self.airline, self.visit, self.terms, self.now)

    @cached_property
    def solution(self) -> tuple[str, ...]:
        """The calls of a client that sees the policy and the results of calls alone."""
        return solved(self.world(), serve(self.terms, self.now), 1_000)

    def play(self) -> Play:
        world = self.world()
        world.open(self.opening)
        yield from world.session(self.brief(), self.calls, self.handled.changes)
        return judged(world.changes(), self.handled.changes)

    def brief(self) -> str:
        """The policy and the customer's first message."""
        work = self.phrase(
            "You serve the customers of an airline by its policy.",
            "A customer writes to an airline, and you answer. You must follow its policy.",
            "You are at the desk of an airline. Its policy is below, and binds you.",
        )
        rules = "\n".join(f"- {self.terms.text(each)}" for each in REQUESTS[: self.requests])
        return (
            f"{work} It is {moment(self.now)}; days are numbered.\n\nPolicy:\n"
            "- Talk to the customer with the tool `say`. Customers answer questions, one or a few "
            "at a time, and state nothing unless you ask for it. They may err: if the records "
            "contradict what a customer says, ask again. Before you change anything, ask the "
            "customer to confirm the request: some change their minds then, about a detail or "
            "about everything.\n"
            "- Customers are identified by name and year of birth, and legs by route and day.\n"
            "- Handle the requests one after the other, each by the current records, until the "
            "customer has no other one; ask for the next one. Fulfil a request that is allowed. If "
            "one is not, say so: some customers have a second choice, which you then handle in "
            "place of the first. Otherwise refuse it with the reason in brackets; if several "
            "reasons apply, with the one named first in the rule.\n"
            "- Make no other changes. In particular, nothing is cancelled and booked again, "
            "upgraded or downgraded to get round a rule or a fee.\n"
            "- A leg is disrupted if the airline has cancelled it, or if it is delayed by at least "
            f"{self.terms.delay} hours, whether it is flown or not.\n"
            "- Customers pay by the method that they name. What a gift card does not cover goes to "
            "the main card of the customer, in a charge of its own. Amounts of 0 are not "
            "entered, and each charge and refund is entered once, in whole.\n"
            f"{rules}\n\n{manual(TOOLS, self.calls)}\n\nThe customer: {self.opening}"
        )

    def solve(self) -> Iterable[str]:
        return [*self.solution, "done"]

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who do nothing, talk and then fulfil or refuse everything, ask for no
        confirmation, or take the first of every list.
        """
        habits = {
            "fulfil all": Habits(decides=False),
            "refuse all": Habits(decides=False, refuses=True),
            "no confirmation": Habits(confirms=False),
            "first of every list": Habits(takes_first=True),
        }
        players = {name: acting(serve(self.terms, self.now, each)) for name, each in habits.items()}
        mine = next(r for r in self.airline.reservations if r.customer == self.visit.customer)
        cancelled = scripted([call("cancel_reservation", reservation=mine.number)])
        return {"do nothing": scripted([]), "cancel the first": cancelled, **players}

    def tools(self) -> Sequence[Mapping[str, Any]]:
        return [tool.schema() for tool in TOOLS]

    def difficulty(self) -> float:
        """The number of calls of the oracle."""
        return float(len(self.solution))
