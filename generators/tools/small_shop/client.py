"""A player who knows the policy and the tools, and learns everything else by calls."""

import re
from collections.abc import Generator
from typing import Any, NamedTuple

from palaestra.generators.tools.conversation import slot
from palaestra.generators.tools.engine import Client, using
from palaestra.generators.tools.small_shop.customer import DETAILS, PHRASES, TOPICS
from palaestra.generators.tools.small_shop.policy import Reason, Request, Situation, Terms, reason

QUESTIONS = {
    "name": "What is your name?",
    "city": "Which city do you live in?",
    "request": "How can I help you?",
    "product": "Which product is it about?",
    "day": "On which day did you order it?",
    "address": "What is the new address?",
    "refund": "How do you want your refund?",
    "code": "What is the code?",
    "new product": "Which other product would you like for it?",
}
"""How each topic is asked for."""

FIRST: dict[Request, Reason] = {
    "cancel": "too_advanced",
    "address": "too_advanced",
    "return": "not_delivered",
    "discount": "too_advanced",
    "exchange": "not_delivered",
}
"""The reason that the policy names first."""


Orders = dict[tuple[int, str], int]


class Wanted(NamedTuple):
    """What the customer says to want."""

    request: Request
    product: str
    detail: str
    order: int


class Habits(NamedTuple):
    """What a client does, by which lazy ones differ from the oracle."""

    confirms: bool = True
    decides: bool = True
    """By the policy; otherwise everything is fulfilled, or ``refuses``."""
    refuses: bool = False


CAREFUL = Habits()

Calls = Generator[str, str, Any]
"""Calls that come to a value."""


def serve(terms: Terms, today: int, habits: Habits = CAREFUL) -> Client:
    """Find the customer, and handle one request after the other."""
    name, city = (yield from _answer("name")), (yield from _answer("city"))
    people = yield from using("find_customer", name=name)
    number, not_vip = _group(rf"(\d+): [^;]*?, {re.escape(city)}, (not )?VIP", people)
    orders = _orders((yield from using("list_orders", customer=int(number))))
    handled = None
    while True:
        wanted = yield from _wanted(orders)
        if wanted.order == handled:
            return
        handled = yield from _handle(orders, wanted, habits, (terms, today, not not_vip))
        yield from _say("Is there anything else?")


def _handle(orders: Orders, wanted: Wanted, habits: Habits, case: tuple[Terms, int, bool]) -> Calls:
    """Handle a request, or what is wanted in its place, and give the order that it is about."""
    while True:
        if habits.confirms:
            yield from _say(f"I will handle your request: {wanted.request}. Do you confirm?")
            wanted = wanted._replace(detail=(yield from _detail(wanted.request)))
        order = yield from using("order_details", order=wanted.order)
        against = yield from _against(wanted, order, habits, case)
        if against is None:
            yield from _fulfilment(wanted, order)
            return wanted.order
        yield from _say("I am sorry, but this is not possible.")
        other = yield from _wanted(orders)
        if other.order == wanted.order:
            refusal = {"order": wanted.order, "request": wanted.request, "reason": against}
            yield from using("refuse", **refusal)
            return wanted.order
        wanted = other


def _orders(listed: str) -> Orders:
    """The numbers of the customer's orders by day and product."""
    return {
        (int(day), product): int(order)
        for order, day, products in re.findall(r"(\d+) \(day (\d+)\): ([^;.]*)", listed)
        for product in products.split(", ")
    }


def _wanted(orders: Orders) -> Calls:
    """What the customer wants, and for which order: asked again where there is no such order."""
    words = yield from _answer("request")
    request = next(each for each, phrases in PHRASES.items() if words in phrases)
    product = yield from _answer("product")
    day = int((yield from _answer("day")))
    if (day, product) not in orders:
        day = int((yield from _answer("day")))
    detail = yield from _detail(request)
    return Wanted(request, product, detail, orders[day, product])


def _detail(request: Request) -> Calls:
    return (yield from _answer(DETAILS[request])) if request in DETAILS else ""


def _against(wanted: Wanted, order: str, habits: Habits, case: tuple[Terms, int, bool]) -> Calls:
    """The reason against a request."""
    if not habits.decides:
        return FIRST[wanted.request] if habits.refuses else None
    stock = 0
    if wanted.request == "exchange":
        line = yield from using("check_stock", product=wanted.detail)
        stock = int(line.split()[1])
    terms, today, vip = case
    status, delivered = _group(r": (\w+)(?: on day (\d+))?;", order)
    items = re.findall(r"(\w+): (\d+) at (\d+) each(, final sale)?", order)
    pieces, final = next(
        (int(n), bool(f)) for product, n, _, f in items if product == wanted.product
    )
    situation = Situation(
        status=status,
        vip=vip,
        final=final,
        since=today - int(delivered or 0),
        discount=_group(r"discount: (\w+)", order)[0],
        total=sum(int(n) * int(price) for _, n, price, _ in items),
        pieces=pieces,
        stock=stock,
    )
    return reason(terms, wanted.request, situation)


def _group(pattern: str, text: str) -> tuple[Any, ...]:
    """The groups of a pattern that is in a result."""
    match = re.search(pattern, text)
    assert match is not None, text
    return match.groups()


def _fulfilment(wanted: Wanted, order: str) -> Calls:
    """Fulfil a request."""
    request, product, detail, number = wanted
    if request == "cancel":
        return using("cancel_order", order=number)
    if request == "address":
        return using("change_address", order=number, address=detail)
    if request == "discount":
        return using("apply_discount", order=number, code=detail)
    if request == "return":
        method = order.partition("paid by ")[2].partition(";")[0]
        return using("return_item", order=number, product=product, refund_by=method)
    return using("exchange_item", order=number, product=product, new_product=detail)


def _answer(topic: str) -> Calls:
    """What the customer says about a topic."""
    return slot(TOPICS[topic].frames, (yield from _say(QUESTIONS[topic])))


def _say(message: str) -> Calls:
    return (yield from using("say", message=message))
