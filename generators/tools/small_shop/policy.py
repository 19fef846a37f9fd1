"""The policy of a small shop, and its decisions on the wishes of customers."""

from collections.abc import Mapping
from typing import NamedTuple

from palaestra.generators.tools.small_shop.shop import (
    Customer,
    Facts,
    Kind,
    Order,
    Reason,
    Shop,
    Visit,
    Wish,
    facts,
)

DAYS, DAYS_VIP, MINIMUM = 30, 45, 100

POLICY: Mapping[Kind, str] = {
    "cancel": "cancel: only while the order is processing, or, for a VIP, packed. "
    "Otherwise: too_advanced.",
    "address": "address: a new address only while the order is processing, or, for a VIP, packed. "
    "Otherwise: too_advanced.",
    "return": "return: not if the order is not delivered (not_delivered), nor if the item is "
    f"marked final sale (final_sale), nor if it was delivered more than {DAYS} days ago, for a "
    f"VIP more than {DAYS_VIP} (too_late). The refund goes to the method that the order was paid "
    "by, whatever the customer asks for.",
    "discount": "discount: not if the order is already shipped or delivered (too_advanced), nor if "
    "it has a discount (has_discount), nor if the prices of all its pieces add up to less than "
    f"{MINIMUM} (below_minimum), which does not matter for a VIP.",
    "exchange": "exchange: not if the order is not delivered (not_delivered), nor if the item is "
    f"marked final sale (final_sale), nor if it was delivered more than {DAYS} days ago, for a VIP "
    f"more than {DAYS_VIP} (too_late), nor if there are fewer pieces of the new product in stock "
    "than the order has of the old one (out_of_stock).",
}
"""The rule for each kind of wish, with the reasons against it in order of priority."""


class Decision(NamedTuple):
    """The decision on a wish, which is fulfilled if there is no reason against it."""

    wish: Wish
    order: Order
    reason: Reason | None


def resolve(shop: Shop, visit: Visit) -> tuple[list[Decision], Facts]:
    """The decisions on all wishes in turn, and the changes of the records."""
    start = facts(shop)
    now = dict(start)
    customer = shop.visitor(visit)
    decisions = []
    for choices in visit.wishes:
        for wish in choices:
            order = _order_of(shop, customer, wish)
            decision = Decision(wish, order, _against(wish, order, customer, visit.today, now))
            if decision.reason is None:
                break
        decisions.append(decision)
        now |= _effects(decision, now)
    return decisions, {fact: value for fact, value in now.items() if start.get(fact) != value}


def _order_of(shop: Shop, customer: Customer, wish: Wish) -> Order:
    (order,) = (
        order
        for order in shop.orders
        if order.customer == customer.number
        and order.item(wish.product)
        and wish.day in (0, order.placed)
    )
    return order


def _against(wish: Wish, order: Order, customer: Customer, today: int, now: Facts) -> Reason | None:
    """The first reason against a wish."""
    status = now["status", str(order.number)]
    if wish.kind in ("cancel", "address"):
        allowed = ("processing", "packed") if customer.vip else ("processing",)
        return None if status in allowed else "too_advanced"
    if wish.kind == "discount":
        return _against_discount(order, customer, str(status))
    item = order.item(wish.product)
    assert item is not None
    if status != "delivered":
        return "not_delivered"
    if item.final:
        return "final_sale"
    if today - order.delivered > (DAYS_VIP if customer.vip else DAYS):
        return "too_late"
    if wish.kind == "exchange" and int(now["stock", wish.detail]) < item.pieces:
        return "out_of_stock"
    return None


def _against_discount(order: Order, customer: Customer, status: str) -> Reason | None:
    if status not in ("processing", "packed"):
        return "too_advanced"
    if order.discount != "none":
        return "has_discount"
    total = sum(item.pieces * item.price for item in order.items)
    return "below_minimum" if total < MINIMUM and not customer.vip else None


def _effects(decision: Decision, now: Facts) -> Facts:
    """The changes that a decision makes."""
    wish, order, reason = decision
    number = str(order.number)
    if reason:
        return {("refused", wish.kind, number): reason}
    if wish.kind == "cancel":
        back: Facts = {
            ("stock", item.product): int(now["stock", item.product]) + item.pieces
            for item in order.items
        }
        return back | {("status", number): "cancelled"}
    if wish.kind in ("address", "discount"):
        return {(wish.kind, number): wish.detail}
    if wish.kind == "return":
        return {("item", number, wish.product): f"returned, refund by {order.paid}"}
    pieces = sum(item.pieces for item in order.items if item.product == wish.product)
    return {
        ("item", number, wish.product): f"exchanged for {wish.detail}",
        ("stock", wish.detail): int(now["stock", wish.detail]) - pieces,
    }
