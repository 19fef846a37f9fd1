"""The state that the policy asks for, worked out from the records without the conversation."""

from typing import NamedTuple

from palaestra.generators.tools.engine import Changes
from palaestra.generators.tools.small_shop.counter import Counter
from palaestra.generators.tools.small_shop.policy import Reason, Situation, Terms, reason
from palaestra.generators.tools.small_shop.shop import Order, Shop, Visit, Wish

TOOL = {
    "cancel": "cancel_order",
    "address": "change_address",
    "return": "return_item",
    "discount": "apply_discount",
    "exchange": "exchange_item",
}
"""The tool that fulfils each type of request."""


class Decision(NamedTuple):
    """The decision on a wish, which is fulfilled if there is no reason against it."""

    wish: Wish
    order: Order
    reason: Reason | None


def handled(
    counter: Counter, shop: Shop, visit: Visit, day: tuple[int, Terms]
) -> tuple[list[Decision], Changes]:
    """The decisions on all wishes in turn on a day by its terms, and the changes, which are made in
    ``counter``.
    """
    decisions = []
    for choices in visit.wishes:
        for wish in choices:
            order = next(
                order
                for order in shop.orders
                if order.customer == visit.customer and order.placed == wish.day
            )
            decision = Decision(wish, order, _against((counter, shop, visit, day), wish, order))
            if decision.reason is None:
                break
        decisions.append(decision)
        _carry_out(counter, decision)
    return decisions, counter.changes()


def _against(
    case: tuple[Counter, Shop, Visit, tuple[int, Terms]], wish: Wish, order: Order
) -> Reason | None:
    """The reason against a wish by the current records."""
    counter, shop, visit, (today, terms) = case
    customer = next(each for each in shop.customers if each.number == visit.customer)
    item = order.item(wish.product)
    assert item is not None
    stock = counter.product(wish.final)[1] if wish.request == "exchange" else 0
    situation = Situation(
        status=counter.row("order", order.number)["status"],
        vip=customer.vip,
        final=item.final,
        since=today - order.delivered,
        discount=order.discount,
        total=sum(each.pieces * each.price for each in order.items),
        pieces=item.pieces,
        stock=stock,
    )
    return reason(terms, wish.request, situation)


def _carry_out(counter: Counter, decision: Decision) -> None:
    """Make the change that a decision comes to."""
    wish, order, against = decision
    if against:
        arguments = {"order": order.number, "request": wish.request, "reason": against}
        counter.tools["refuse"].run(counter, arguments)
        return
    tool = counter.tools[TOOL[wish.request]]
    detail = order.paid if wish.request == "return" else wish.final
    values = {"order": order.number, "product": wish.product}
    values |= dict.fromkeys(("address", "code", "refund_by", "new_product"), detail)
    tool.run(counter, {name: values[name] for name in tool.parameters})
