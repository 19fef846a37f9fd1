"""A small shop: its customers, orders and stock, and customers who want something."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from palaestra.generators.people import NAMES
from palaestra.generators.tools.small_shop.policy import METHODS, REQUESTS, Request

PRODUCTS = (
    "bench", "clock", "desk", "fan", "globe", "heater", "kettle", "lamp", "mirror", "pillow",
    "radio", "rug", "stool", "tent", "toaster", "vase",
)  # fmt: skip
CITIES = ("Oslo", "Porto", "Quito", "Riga", "Sofia", "Tunis")
STREETS = ("Mill Lane", "Park Road", "High Street", "Dock Street", "Elm Walk")
CODES = ("SPRING", "WELCOME", "FRIENDS", "HARVEST")
STATUSES = ("processing", "packed", "shipped", "delivered")


class Customer(NamedTuple):
    """A customer of the shop."""

    number: int
    name: str
    city: str
    vip: bool


class Item(NamedTuple):
    """A number of pieces of a product, with the price of each."""

    product: str
    pieces: int
    price: int
    final: bool


class Order(NamedTuple):
    """An order of a customer. ``delivered`` is a day, or 0 before the delivery."""

    number: int
    customer: int
    placed: int
    items: tuple[Item, ...]
    status: str = "processing"
    delivered: int = 0
    paid: str = "card"
    discount: str = "none"
    address: str = ""

    def item(self, product: str) -> Item | None:
        """The item of a product."""
        return next((item for item in self.items if item.product == product), None)


class Shop(NamedTuple):
    """The records of the shop."""

    customers: tuple[Customer, ...]
    orders: tuple[Order, ...]
    stock: tuple[tuple[str, int], ...]


class Wish(NamedTuple):
    """What a customer wants for a product of an order.

    ``detail`` is the new address, code or product, or the method of the refund, and ``changed``
    what the customer wants in its place once asked to confirm. ``mistaken`` is a wrong day that the
    customer states first.
    """

    request: Request
    product: str
    day: int
    detail: str
    changed: str = ""
    mistaken: int = 0

    @property
    def final(self) -> str:
        """The detail that is wanted in the end."""
        return self.changed or self.detail


class Visit(NamedTuple):
    """A customer, and the wishes, each with its choices in order of preference."""

    customer: int
    wishes: tuple[tuple[Wish, ...], ...]


class Size(NamedTuple):
    """The numbers of wishes, orders, products and customers."""

    wishes: int
    seconds: int
    """The number of wishes with a second choice."""
    orders: int
    """The number of the customer's orders without a wish."""
    items: int
    """The largest number of products of an order."""
    requests: int
    """The number of types of requests."""
    namesakes: int
    errors: int
    """The percentage of wishes with a mistaken day, and of those with second thoughts."""


def random_visit(rng: Random, size: Size, today: int) -> tuple[Shop, Visit]:
    """A random shop and a visit, in which every wish is about a different order."""
    customers = _customers(rng, size.namesakes)
    me, number = customers[0], size.wishes + size.seconds
    own = number + size.orders
    owners = [me] * own + [*rng.choices(customers[1:], k=size.orders + 1)]
    requests = [
        rng.choice(REQUESTS[: size.requests if n < number else None]) for n in range(len(owners))
    ]
    labels = rng.sample(range(1000, 10_000), len(owners))
    days = rng.sample(range(today - 65, today - 9), len(owners))
    prices = {product: rng.randint(8, 60) for product in PRODUCTS}
    orders = [
        _order(rng, Order(label, owner.number, day, _items(rng, size.items, prices)), request)
        for request, label, owner, day in zip(requests, labels, owners, days)
    ]
    wishes = [
        _wish(rng, request, order, orders[:own], size.errors)
        for request, order in zip(requests, orders[:number])
    ]
    # The last wishes are second choices of the first ones.
    chains = [
        (wish, *wishes[size.wishes + n :][:1]) for n, wish in enumerate(wishes[: size.wishes])
    ]
    for shuffled in (chains, orders, customers):
        rng.shuffle(shuffled)
    stock = tuple((product, rng.randint(0, 4)) for product in PRODUCTS)
    shop = Shop(tuple(customers), tuple(orders), stock)
    return shop, Visit(me.number, tuple(chains))


def _customers(rng: Random, namesakes: int) -> list[Customer]:
    """The visitor, namesakes in other cities, and two other customers."""
    name, *others = rng.sample(NAMES, 3)
    people = [(name, city) for city in rng.sample(CITIES, namesakes + 1)]
    people += [(other, rng.choice(CITIES)) for other in others]
    numbers = rng.sample(range(100, 1000), len(people))
    return [Customer(n, *person, rng.random() < 0.4) for n, person in zip(numbers, people)]


def _items(rng: Random, most: int, prices: Mapping[str, int]) -> tuple[Item, ...]:
    products = rng.sample(PRODUCTS, rng.randint(1, most))
    return tuple(Item(p, rng.randint(1, 3), prices[p], rng.random() < 0.15) for p in products)


def _order(rng: Random, order: Order, request: Request) -> Order:
    """The order with random details, for which a request of that type may be possible or not."""
    early = request in ("cancel", "address", "discount")
    (status,) = rng.choices(STATUSES, (4, 3, 2, 1) if early else (1, 1, 2, 20))
    return order._replace(
        status=status,
        delivered=order.placed + rng.randint(2, 9) if status == "delivered" else 0,
        paid=rng.choice(METHODS),
        discount=rng.choice(CODES) if rng.random() < 0.3 else "none",
        address=f"{rng.choice(STREETS)} {rng.randint(1, 99)}",
    )


def _wish(rng: Random, request: Request, order: Order, own: Sequence[Order], errors: int) -> Wish:
    product = rng.choice(order.items).product
    details = {
        "cancel": [""] * 2,
        "address": [f"{rng.choice(STREETS)} {rng.randint(100, 199)}" for _ in range(2)],
        "return": rng.sample(METHODS, 2),
        "discount": rng.sample(CODES, 2),
        "exchange": rng.sample([p for p in PRODUCTS if p != product], 2),
    }[request]
    wish = Wish(request, product, order.placed, details[0])
    if rng.random() * 100 < errors and request != "return":
        wish = wish._replace(changed=details[1] if details[1] != details[0] else "")
    taken = {other.placed for other in own if other.item(product)}
    others = [day for day in range(order.placed - 9, order.placed + 9) if day not in taken]
    if rng.random() * 100 < errors and len(taken) > 1:
        wish = wish._replace(mistaken=rng.choice(others))
    return wish
