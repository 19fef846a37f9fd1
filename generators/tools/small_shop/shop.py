"""A small shop: its customers, orders and stock, the tools of its counter, and visits."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Literal, NamedTuple

from palaestra.generators.people import NAMES
from palaestra.task import InvalidAnswer
from palaestra.toolbox import World, tool

PRODUCTS = (
    "bench", "clock", "desk", "fan", "globe", "heater", "kettle", "lamp", "mirror", "pillow",
    "radio", "rug", "stool", "tent", "toaster", "vase",
)  # fmt: skip
CITIES = ("Oslo", "Porto", "Quito", "Riga", "Sofia", "Tunis")
STREETS = ("Mill Lane", "Park Road", "High Street", "Dock Street", "Elm Walk")
CODES = ("SPRING", "WELCOME", "FRIENDS")
METHODS = ("card", "voucher", "transfer")
STATUSES = ("processing", "packed", "shipped", "delivered")

Kind = Literal["cancel", "address", "return", "discount", "exchange"]
Reason = Literal[
    "too_advanced", "not_delivered", "final_sale", "too_late", "has_discount", "below_minimum",
    "out_of_stock",
]  # fmt: skip

KINDS: tuple[Kind, ...] = ("cancel", "address", "return", "discount", "exchange")


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

    def visitor(self, visit: "Visit") -> Customer:
        """The customer of a visit."""
        return next(c for c in self.customers if (c.name, c.city) == (visit.name, visit.city))


class Wish(NamedTuple):
    """A wish of a customer; ``detail`` is the new address, code or product, or the refund method.

    It is about the customer's order with that product, placed on that day unless it is 0.
    """

    kind: Kind
    product: str
    day: int
    detail: str

    def words(self) -> str:
        """The wish in words."""
        item = f"the {self.product}" + (f" that I ordered on day {self.day}" if self.day else "")
        return {
            "cancel": f"cancel the order with {item}",
            "address": f"send the order with {item} to {self.detail}",
            "return": f"return {item} and have the money back by {self.detail}",
            "discount": f"use the code {self.detail} for the order with {item}",
            "exchange": f"exchange {item} for the product {self.detail!r}",
        }[self.kind]


class Visit(NamedTuple):
    """A customer, the day, and the wishes, each with its choices in order of preference."""

    today: int
    name: str
    city: str
    wishes: tuple[tuple[Wish, ...], ...]


Fact = tuple[str, ...]
Facts = dict[Fact, str | int]
"""The records as a flat table, which is easy to compare."""


def facts(shop: Shop) -> Facts:
    """The records that can change."""
    values: Facts = {("stock", product): pieces for product, pieces in shop.stock}
    for order in shop.orders:
        number = str(order.number)
        values["status", number] = order.status
        values["discount", number] = order.discount
        values["address", number] = order.address
        values |= {("item", number, item.product): "kept" for item in order.items}
    return values


class Counter(World):
    """The tools of the shop's counter, which do not enforce the policy."""

    def __init__(self, shop: Shop) -> None:
        self.shop = shop
        self.start = facts(shop)
        self.now = dict(self.start)
        self.seen: set[str] = set()

    @tool
    def find_customer(self, name: str) -> str:
        """List the customers with a name, with customer number, city and whether they are VIPs."""
        customers = [c for c in self.shop.customers if c.name == name]
        if not customers:
            raise InvalidAnswer(f"there is no customer {name[:40]!r}")
        self.seen.add(name)
        lines = (f"{c.number}: {c.name}, {c.city}, {'' if c.vip else 'not '}VIP" for c in customers)
        return "; ".join(lines) + "."

    @tool
    def list_orders(self, customer: int) -> str:
        """List the orders of a customer, by customer number, with the day and products of each."""
        orders = [order for order in self.shop.orders if order.customer == customer]
        if not orders:
            raise InvalidAnswer("this customer has no orders")
        self.seen.add(f"orders of {customer}")
        lines = (
            f"{o.number} (day {o.placed}): {', '.join(i.product for i in o.items)}" for o in orders
        )
        return "; ".join(lines) + "."

    @tool
    def order_details(self, order: int) -> str:
        """Give all details of an order, by its number."""
        record, key = self._order(order), str(order)
        self.seen.add(f"order {order}")
        delivered = f" on day {record.delivered}" if record.delivered else ""
        items = "; ".join(
            f"{item.product}: {item.pieces} at {item.price} each"
            f"{', final sale' if item.final else ''} ({self.now['item', key, item.product]})"
            for item in record.items
        )
        return (
            f"Order {order}, placed on day {record.placed}: {self.now['status', key]}{delivered}; "
            f"paid by {record.paid}; discount: {self.now['discount', key]}; "
            f"address: {self.now['address', key]}. Items: {items}."
        )

    @tool
    def check_stock(self, product: str) -> str:
        """Give the number of pieces of a product in stock."""
        pieces = self._stock(product)
        self.seen.add(f"stock of {product}")
        return f"{product}: {pieces} in stock."

    @tool
    def cancel_order(self, order: int) -> str:
        """Cancel an order. Its pieces go back into stock."""
        record = self._order(order)
        if self.now["status", str(order)] == "cancelled":
            raise InvalidAnswer("it is already cancelled")
        self.now["status", str(order)] = "cancelled"
        for item in record.items:
            self.now["stock", item.product] = self._stock(item.product) + item.pieces
        return f"Order {order} is cancelled."

    @tool
    def change_address(self, order: int, address: str) -> str:
        """Change the address of an order, written as the customer writes it."""
        self._order(order)
        self.now["address", str(order)] = address[:200]
        return f"Order {order} goes to {address[:200]}."

    @tool
    def apply_discount(self, order: int, code: str) -> str:
        """Set the discount code of an order."""
        self._order(order)
        self.now["discount", str(order)] = code[:200]
        return f"Order {order} has the discount {code[:200]}."

    @tool
    def return_item(
        self, order: int, product: str, refund_by: Literal["card", "voucher", "transfer"]
    ) -> str:
        """Take back all pieces of a product in an order, and refund them."""
        self._item(order, product)
        self.now["item", str(order), product] = f"returned, refund by {refund_by}"
        return f"The {product} of order {order} is returned, the refund is by {refund_by}."

    @tool
    def exchange_item(self, order: int, product: str, new_product: str) -> str:
        """Exchange all pieces of a product in an order for as many of another from stock."""
        pieces = self._item(order, product)
        left = self._stock(new_product) - pieces
        if left < 0:
            raise InvalidAnswer(f"there are not {pieces} of {new_product} in stock")
        self.now["stock", new_product] = left
        self.now["item", str(order), product] = f"exchanged for {new_product}"
        return f"The {product} of order {order} is exchanged for {new_product}."

    @tool
    def refuse(self, order: int, request: Kind, reason: Reason) -> str:
        """Refuse a request about an order, with a reason."""
        self._order(order)
        self.now["refused", request, str(order)] = reason
        return f"The request ({request}) about order {order} is refused: {reason}."

    def _order(self, number: int) -> Order:
        for order in self.shop.orders:
            if order.number == number:
                return order
        raise InvalidAnswer("there is no such order")

    def _item(self, number: int, product: str) -> int:
        """The number of pieces of a product of an order that the customer still has."""
        item = self._order(number).item(product)
        if item is None or self.now["item", str(number), product] != "kept":
            raise InvalidAnswer(f"the customer has no {product[:40]!r} of this order")
        return item.pieces

    def _stock(self, product: str) -> int:
        if ("stock", product) not in self.now:
            raise InvalidAnswer(f"there is no product {product[:40]!r}")
        return int(self.now["stock", product])

    def changes(self) -> Facts:
        """The facts that differ from the start."""
        return {fact: value for fact, value in self.now.items() if self.start.get(fact) != value}

    def state(self) -> str:
        return f"changed {sorted(self.changes().items())}, seen {sorted(self.seen)}"


class Size(NamedTuple):
    """The numbers of wishes, orders, products and customers."""

    wishes: int
    seconds: int
    """The number of wishes with a second choice."""
    orders: int
    """The number of the customer's orders without a wish."""
    items: int
    """The largest number of products of an order."""
    kinds: int
    """The number of kinds of wishes."""
    namesakes: int


def random_visit(rng: Random, size: Size) -> tuple[Shop, Visit]:
    """A random shop and a visit, in which every wish is about a different order."""
    today = rng.randint(150, 400)
    customers = _customers(rng, size.namesakes)
    me, number = customers[0], size.wishes + size.seconds
    own = number + size.orders
    owners = [me] * own + [*rng.choices(customers[1:], k=size.orders + 1)]
    kinds = [rng.choice(KINDS[: size.kinds if n < number else None]) for n in range(len(owners))]
    labels = rng.sample(range(1000, 10_000), len(owners))
    days = rng.sample(range(today - 65, today - 9), len(owners))
    prices = {product: rng.randint(8, 60) for product in PRODUCTS}
    orders = [
        _order(rng, Order(label, owner.number, day, items=_items(rng, size.items, prices)), action)
        for action, label, owner, day in zip(kinds, labels, owners, days)
    ]
    wishes = [
        _wish(rng, action, order, orders[:own]) for action, order in zip(kinds, orders[:number])
    ]
    # The last wishes are second choices of the first ones.
    chains = [
        (wish, *wishes[size.wishes + n :][:1]) for n, wish in enumerate(wishes[: size.wishes])
    ]
    for shuffled in (chains, orders, customers):
        rng.shuffle(shuffled)
    stock = tuple((product, rng.randint(0, 4)) for product in PRODUCTS)
    shop = Shop(tuple(customers), tuple(orders), stock)
    return shop, Visit(today, me.name, me.city, tuple(chains))


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


def _order(rng: Random, order: Order, action: Kind) -> Order:
    """The order with random details, for which a wish of that kind may be possible or not."""
    early = action in ("cancel", "address", "discount")
    (status,) = rng.choices(STATUSES, (4, 3, 2, 1) if early else (1, 1, 2, 20))
    return order._replace(
        status=status,
        delivered=order.placed + rng.randint(2, 9) if status == "delivered" else 0,
        paid=rng.choice(METHODS),
        discount=rng.choice(CODES) if rng.random() < 0.3 else "none",
        address=f"{rng.choice(STREETS)} {rng.randint(1, 99)}",
    )


def _wish(rng: Random, action: Kind, order: Order, own: Sequence[Order]) -> Wish:
    product = rng.choice(order.items).product
    several = sum(other.item(product) is not None for other in own) > 1
    others = [p for p in PRODUCTS if p != product]
    detail = {
        "cancel": "",
        "address": f"{rng.choice(STREETS)} {rng.randint(100, 199)}",
        "return": rng.choice(METHODS),
        "discount": rng.choice(CODES),
        "exchange": rng.choice(others),
    }[action]
    return Wish(action, product, order.placed if several else 0, detail)
