"""Serving a shop's customer by its policy, an original world similar to tau-bench.

S. Yao and others, "tau-bench: A Benchmark for Tool-Agent-User Interaction in Real-World Domains"
(2024), also compare the final state of a database.
"""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, Self

from palaestra.generators.tools.small_shop.policy import POLICY, Decision, resolve
from palaestra.generators.tools.small_shop.shop import (
    KINDS,
    Counter,
    Facts,
    Kind,
    Reason,
    Shop,
    Size,
    Visit,
    random_visit,
)
from palaestra.task import Play, Policy, Task, ladder
from palaestra.toolbox import call, schemas
from palaestra.verifiers.states import compare, pointer

REASONS: Mapping[Kind, Reason] = {
    "cancel": "too_advanced",
    "address": "too_advanced",
    "return": "not_delivered",
    "discount": "too_advanced",
    "exchange": "not_delivered",
}
"""The first reason against each kind of wish that the policy names."""


class SmallShop(Task):
    """Fulfil a customer's requests as far as a shop's policy allows it, and refuse the others."""

    tags = {"tool-use", "policy", "hidden-state"}
    hidden = {"shop"}

    class Knobs(Task.Knobs):
        kinds: int = ladder(2, 3, 4, 5, 5, 5, 5, low=1)  # of wishes, in the order of KINDS
        wishes: int = ladder(1, 1, 2, 2, 3, 4, 6, high=8)
        seconds: int = ladder(0, 0, 0, 1, 1, 2, 3)  # wishes with a second choice
        orders: int = ladder(1, 2, 2, 3, 4, 5, 6, high=12)  # without a wish
        items: int = ladder(1, 1, 2, 2, 3, 3, 4, high=6)
        namesakes: int = ladder(0, 0, 0, 1, 1, 2, 3)

    visit: Visit
    kinds: int
    calls: int
    shop: Shop

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        seconds = min(knobs.seconds, knobs.wishes)
        size = Size(**knobs.model_dump() | {"seconds": seconds})
        shop, visit = random_visit(rng, size)
        calls = 8 + size.orders + 4 * (size.wishes + size.seconds)
        return cls(visit=visit, kinds=knobs.kinds, calls=calls, shop=shop)

    def canonical(self) -> str:
        me = self.shop.visitor(self.visit)
        own = sorted(order[2:] for order in self.shop.orders if order.customer == me.number)
        return repr((self.visit.today, self.visit.wishes, me.vip, own, self.shop.stock))

    def play(self) -> Play:
        counter = Counter(self.shop)
        yield from counter.session(self.brief(), calls=self.calls)
        _, changes = resolve(self.shop, self.visit)
        before, after, goal = map(_named, (counter.start, counter.now, changes))
        return compare(before, after, {pointer(name): value for name, value in goal.items()})

    def brief(self) -> str:
        """The policy and the customer's message."""
        today, name, city, wishes = self.visit
        serve = self.phrase(
            "You serve the customers of a shop by its policy.",
            "Answer a customer's message to a shop. You must follow the policy of the shop.",
        )
        rules = "\n".join(f"- {POLICY[request]}" for request in KINDS[: self.kinds])
        requests = "\n".join(
            f"{number}. I want to {'; if that is not allowed, '.join(w.words() for w in choices)}."
            for number, choices in enumerate(wishes, 1)
        )
        return (
            f"{serve} Today is day {today}; days are numbered.\n\nPolicy:\n"
            "- Handle the requests one after the other, each by the current records. Fulfil "
            "a request that is allowed. Refuse one that is not, with the reason in brackets or "
            "after 'Otherwise'; if several reasons apply, with the one named first in the "
            "rule.\n- If the customer names a second choice and the first is not allowed, do not "
            "refuse the first: fulfil the second or, if that is not allowed either, refuse the "
            f"second.\n- Make no other changes.\n{rules}\n\nMessage from {name} in "
            f"{city}:\n{requests}"
        )

    def solve(self) -> Iterable[str]:
        """Look up the relevant records, then carry out the decisions of the policy."""
        me = self.shop.visitor(self.visit)
        yield call("find_customer", name=me.name)
        yield call("list_orders", customer=me.number)
        for order in self.shop.orders:
            if order.customer == me.number:
                yield call("order_details", order=order.number)
        wishes = [wish for choices in self.visit.wishes for wish in choices]
        exchanged = {wish.detail: None for wish in wishes if wish.kind == "exchange"}
        yield from (call("check_stock", product=product) for product in exchanged)
        decisions, _ = resolve(self.shop, self.visit)
        yield from map(_tool_call, decisions)
        yield "done"

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who find the orders, and then fulfil all first wishes, or refuse all with the
        reason that is named first, or do nothing.
        """
        decisions, _ = resolve(self.shop, self.visit)
        fulfilled = [
            Decision(choices[0], decision.order, None)
            for choices, decision in zip(self.visit.wishes, decisions)
        ]
        refusals = [decision._replace(reason=REASONS[decision.wish.kind]) for decision in fulfilled]
        return {
            "fulfil all": _script(map(_tool_call, fulfilled)),
            "refuse all": _script(map(_tool_call, refusals)),
            "do nothing": _script(()),
        }

    def tools(self) -> Sequence[Mapping[str, Any]]:
        return schemas(Counter)

    def difficulty(self) -> float:
        """A weighted sum of the number of choices and the number of items of all orders."""
        choices = sum(map(len, self.visit.wishes))
        return float(4 * choices + sum(len(order.items) for order in self.shop.orders))


def _script(moves: Iterable[str]) -> Policy:
    """The policy that makes these moves, and then stops."""
    left = iter(moves)
    return lambda turn: next(left, "done")


def _named(facts: Facts) -> dict[str, object]:
    """Facts by single names, for comparing states."""
    return {" ".join(fact): value for fact, value in facts.items()}


def _tool_call(decision: Decision) -> str:
    """The call that carries out a decision."""
    (request, product, _, detail), order, reason = decision
    if reason:
        return call("refuse", order=order.number, request=request, reason=reason)
    if request == "cancel":
        return call("cancel_order", order=order.number)
    if request == "address":
        return call("change_address", order=order.number, address=detail)
    if request == "discount":
        return call("apply_discount", order=order.number, code=detail)
    if request == "return":
        return call("return_item", order=order.number, product=product, refund_by=order.paid)
    return call("exchange_item", order=order.number, product=product, new_product=detail)
