"""Serving a shop's customer by its policy, an original world similar to tau-bench.

S. Yao and others, "tau-bench: A Benchmark for Tool-Agent-User Interaction in Real-World Domains"
(2024), also compare the final state of a database, with a language model in the user's place.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any, Self

from palaestra.generators.tools.conversation import User
from palaestra.generators.tools.engine import Changes, acting, judged, manual, scripted, solved
from palaestra.generators.tools.service_desk import is_mixed
from palaestra.generators.tools.small_shop.client import Habits, serve
from palaestra.generators.tools.small_shop.counter import TOOLS, Counter
from palaestra.generators.tools.small_shop.customer import agenda
from palaestra.generators.tools.small_shop.goals import Decision, handled
from palaestra.generators.tools.small_shop.policy import REQUESTS, Terms
from palaestra.generators.tools.small_shop.shop import Shop, Size, Visit, random_visit
from palaestra.task import Play, Policy, Task, ladder
from palaestra.toolbox import call

DRAWS = 60
"""So many times a task is drawn again at most for what it needs."""


class SmallShop(Task):
    """Talk to a customer, fulfil what a shop's policy allows, and refuse what it does not."""

    version = 4
    tags = {"tool-use", "policy", "hidden-state", "conversation"}
    hidden = {"shop", "visit"}

    class Knobs(Task.Knobs):
        requests: int = ladder(3, 3, 4, 5, 5, 5, 5, low=1, high=5)  # types, in their order
        wishes: int = ladder(1, 1, 2, 2, 3, 4, 6, high=8)
        seconds: int = ladder(0, 0, 0, 1, 1, 2, 3)  # wishes with a second choice
        orders: int = ladder(1, 2, 2, 3, 4, 5, 6, high=12)  # without a wish
        items: int = ladder(1, 2, 2, 2, 3, 3, 4, high=6)
        namesakes: int = ladder(0, 0, 0, 1, 1, 2, 3, high=5)
        errors: int = ladder(0, 0, 20, 30, 40, 50, 60, high=100)  # percentage: see Size.errors
        busy: int = ladder(0, 0, 0, 0, 4, 8, 12, high=30)  # percentage of calls that fail
        refusals: int = ladder(0, 10, 95, 95, 95, 95, 95, high=100)  # see generate

    shop: Shop
    visit: Visit
    terms: Terms
    today: int
    requests: int
    seed: int
    busy: int
    greeting: str = ""
    calls: int = 0

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """In ``refusals`` of 100 tasks a wish is refused for certain and, of several, another is
        fulfilled; this may be so in the rest.
        """
        is_refused = rng.random() * 100 < knobs.refusals
        task = cls._drawn(rng, knobs)
        for _ in range(DRAWS):
            reasons = [decision.reason for decision in task.handled[0]]
            if not is_refused or is_mixed(reasons):
                break
            task = cls._drawn(rng, knobs)
        return task.model_copy(update={"greeting": task.user().opening()})

    @classmethod
    def _drawn(cls, rng: Random, knobs: Knobs) -> Self:
        sizes = knobs.model_dump(exclude={"busy", "refusals"})
        size = Size(**sizes | {"seconds": min(knobs.seconds, knobs.wishes)})
        today = rng.randint(150, 400)
        shop, visit = random_visit(rng, size, today)
        days = rng.choice((14, 20, 21, 28, 30))
        terms = Terms(days, days + rng.choice((7, 10, 15)), rng.choice((60, 80, 100, 120)))
        return cls(
            shop=shop, visit=visit, terms=terms, today=today, requests=knobs.requests,
            seed=rng.getrandbits(32), busy=knobs.busy, calls=40 + 40 * knobs.wishes,
        )  # fmt: skip

    def canonical(self) -> str:
        own = sorted(o[2:] for o in self.shop.orders if o.customer == self.visit.customer)
        return repr((self.today, self.visit.wishes, own, self.shop.stock, self.terms))

    def user(self) -> User:
        """The customer, before anything has been said."""
        return User(agenda(self.shop, self.visit, self.seed), self.seed, self.held_out())

    def world(self) -> Counter:
        """The world at its start."""
        return Counter(self.shop, self.user(), self.seed, self.busy)

    @cached_property
    def handled(self) -> tuple[list[Decision], Changes]:
        """The decisions by the policy, and what differs when they have been carried out."""
        return handled(self.world(), self.shop, self.visit, (self.today, self.terms))

    @cached_property
    def solution(self) -> tuple[str, ...]:
        """The calls of a client that sees the policy and the results of calls alone."""
        return solved(self.world(), serve(self.terms, self.today), 1_000)

    def play(self) -> Play:
        world = self.world()
        _, goal = self.handled
        world.open(self.greeting)
        yield from world.session(self.brief(), self.calls, goal)
        return judged(world.changes(), goal)

    def brief(self) -> str:
        """The policy and the customer's first message."""
        work = self.phrase(
            "You serve the customers of a shop by its policy.",
            "A customer writes to a shop, and you answer. You must follow the policy of the shop.",
        )
        rules = "\n".join(f"- {self.terms.text(each)}" for each in REQUESTS[: self.requests])
        return (
            f"{work} Today is day {self.today}; days are numbered.\n\nPolicy:\n"
            "- Talk to the customer with the tool `say`. Customers answer questions, one or "
            "a few at a time, and state nothing unless you ask for it. They may err: if the "
            "records contradict what a customer says, ask again. Before you change anything, ask "
            "the customer to confirm the request: some change their minds then.\n"
            "- Handle the requests one after the other, each by the current records, until the "
            "customer has no other one; ask for the next one. Fulfil a request that is allowed. If "
            "one is not, say so: some customers have a second choice, which you then handle in "
            "place of the first. Otherwise refuse it with the reason in brackets or after "
            "'Otherwise'; if several reasons apply, with the one named first in the rule.\n"
            f"- Make no other changes.\n{rules}\n\n{manual(TOOLS, self.calls)}\n\n"
            f"The customer: {self.greeting}"
        )

    def solve(self) -> Iterable[str]:
        return [*self.solution, "done"]

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who do nothing, cancel an order, or talk and fulfil or refuse everything."""
        habits = {
            "fulfil all": Habits(decides=False),
            "refuse all": Habits(decides=False, refuses=True),
        }
        players = {
            name: acting(serve(self.terms, self.today, each)) for name, each in habits.items()
        }
        order = next(o for o in self.shop.orders if o.customer == self.visit.customer)
        cancelled = scripted([call("cancel_order", order=order.number)])
        return {"do nothing": scripted([]), "cancel an order": cancelled, **players}

    def tools(self) -> Sequence[Mapping[str, Any]]:
        return [tool.schema() for tool in TOOLS]

    def difficulty(self) -> float:
        """The number of calls of the oracle."""
        return float(len(self.solution))
