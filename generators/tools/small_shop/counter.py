"""The counter of a small shop: its records, the customer, and tools that do not know the policy."""

from functools import partial

from palaestra.generators.tools.conversation import ConversationWorld, User, say
from palaestra.generators.tools.engine import Arguments, Tool
from palaestra.generators.tools.records import Row, Tables
from palaestra.generators.tools.small_shop.policy import METHODS, REASONS, REQUESTS
from palaestra.generators.tools.small_shop.shop import Shop
from palaestra.task import InvalidAnswer


def tables(shop: Shop) -> Tables:
    """The records of a shop as tables."""
    items = [(order.number, item) for order in shop.orders for item in order.items]
    return {
        "customer": {each.number: each._asdict() for each in shop.customers},
        "order": {each.number: each._asdict() for each in shop.orders},
        "item": {
            n: {"order": order, "state": "kept", **item._asdict()}
            for n, (order, item) in enumerate(items)
        },
        "product": {
            n: {"product": product, "stock": pieces}
            for n, (product, pieces) in enumerate(shop.stock)
        },
        "refusal": {},
    }


def _plain(name: str) -> str:
    """The name of a product in lower case."""
    return name.strip().casefold()


class Counter(ConversationWorld):
    """The world of a shop, with a customer at its counter."""

    def __init__(self, shop: Shop, user: User, seed: int = 0, busy: int = 0) -> None:
        super().__init__(TOOLS, tables(shop), seed, busy)
        self.user = user

    def item(self, order: int, product: str) -> tuple[int, Row]:
        """The item of an order that the customer still has, with its number."""
        self.row("order", order)
        for number, row in self.rows("item"):
            if (row["order"], row["product"], row["state"]) == (order, _plain(product), "kept"):
                return number, row
        raise InvalidAnswer(f"the customer has no {product[:40]!r} of this order")

    def product(self, name: str) -> tuple[int, int]:
        """The number of a product and its pieces in stock."""
        for number, row in self.rows("product"):
            if row["product"] == _plain(name):
                return number, row["stock"]
        raise InvalidAnswer(f"there is no product {name[:40]!r}")

    def restock(self, name: str, pieces: int) -> None:
        """Add to the pieces of a product in stock."""
        number, stock = self.product(name)
        self.update("product", number, stock=stock + pieces)


def _find_customer(world: Counter, arguments: Arguments) -> str:
    name = arguments["name"].strip()
    rows = [row for _, row in world.rows("customer") if row["name"].casefold() == name.casefold()]
    if not rows:
        raise InvalidAnswer(f"there is no customer {name[:40]!r}")
    lines = (
        f"{row['number']}: {row['name']}, {row['city']}, {'' if row['vip'] else 'not '}VIP"
        for row in rows
    )
    return "; ".join(lines) + "."


def _list_orders(world: Counter, arguments: Arguments) -> str:
    rows = [row for _, row in world.rows("order") if row["customer"] == arguments["customer"]]
    if not rows:
        raise InvalidAnswer("this customer has no orders")
    lines = (
        f"{row['number']} (day {row['placed']}): {', '.join(i.product for i in row['items'])}"
        for row in rows
    )
    return "; ".join(lines) + "."


def _order_details(world: Counter, arguments: Arguments) -> str:
    number = arguments["order"]
    row = world.row("order", number)
    delivered = f" on day {row['delivered']}" if row["delivered"] else ""
    items = "; ".join(
        f"{item['product']}: {item['pieces']} at {item['price']} each"
        f"{', final sale' if item['final'] else ''} ({item['state']})"
        for _, item in world.rows("item")
        if item["order"] == number
    )
    return (
        f"Order {number}, placed on day {row['placed']}: {row['status']}{delivered}; paid by "
        f"{row['paid']}; discount: {row['discount']}; address: {row['address']}. Items: {items}."
    )


def _check_stock(world: Counter, arguments: Arguments) -> str:
    _, pieces = world.product(arguments["product"])
    return f"{arguments['product']}: {pieces} in stock."


def _cancel_order(world: Counter, arguments: Arguments) -> str:
    number = arguments["order"]
    row = world.row("order", number)
    if row["status"] == "cancelled":
        raise InvalidAnswer("it is already cancelled")
    world.update("order", number, status="cancelled")
    for item in row["items"]:
        world.restock(item.product, item.pieces)
    return f"Order {number} is cancelled."


def _set(field: str, argument: str, result: str, world: Counter, arguments: Arguments) -> str:
    value = " ".join(arguments[argument].split())[:100]
    value = value.upper() if field == "discount" else value
    world.update("order", arguments["order"], **{field: value})
    return result.format(arguments["order"], value)


def _return_item(world: Counter, arguments: Arguments) -> str:
    order, product, method = arguments.values()
    number, _ = world.item(order, product)
    world.update("item", number, state=f"returned, refund by {method}")
    return f"The {product} of order {order} is returned, the refund is by {method}."


def _exchange_item(world: Counter, arguments: Arguments) -> str:
    order, product, new = arguments["order"], arguments["product"], _plain(arguments["new_product"])
    number, row = world.item(order, product)
    if world.product(new)[1] < row["pieces"]:
        raise InvalidAnswer(f"there are not {row['pieces']} of {new} in stock")
    world.restock(new, -row["pieces"])
    world.update("item", number, state=f"exchanged for {new}")
    return f"The {product} of order {order} is exchanged for {new}."


def _refuse(world: Counter, arguments: Arguments) -> str:
    order, request, reason = arguments.values()
    world.row("order", order)
    for number, row in world.rows("refusal"):
        if (row["order"], row["request"]) == (order, request):
            world.update("refusal", number, reason=reason)
            break
    else:
        world.add("refusal", order=order, request=request, reason=reason)
    return f"The request ({request}) about order {order} is refused: {reason}."


TOOLS = (
    say(),
    Tool(
        "find_customer",
        "List the customers with a name, with customer number, city and whether they are VIPs.",
        {"name": str},
        _find_customer,
    ),
    Tool(
        "list_orders",
        "List the orders of a customer, by customer number, with the day and products of each.",
        {"customer": int},
        _list_orders,
    ),
    Tool("order_details", "Give all details of an order.", {"order": int}, _order_details),
    Tool(
        "check_stock",
        "Give the number of pieces of a product in stock.",
        {"product": str},
        _check_stock,
    ),
    Tool(
        "cancel_order",
        "Cancel an order. Its pieces go back into stock.",
        {"order": int},
        _cancel_order,
    ),
    Tool(
        "change_address",
        "Change the address of an order, written as the customer writes it.",
        {"order": int, "address": str},
        partial(_set, "address", "address", "Order {} goes to {}."),
    ),
    Tool(
        "apply_discount",
        "Set the discount code of an order.",
        {"order": int, "code": str},
        partial(_set, "discount", "code", "Order {} has the discount {}."),
    ),
    Tool(
        "return_item",
        "Take back all pieces of a product in an order, and refund them.",
        {"order": int, "product": str, "refund_by": METHODS},
        _return_item,
    ),
    Tool(
        "exchange_item",
        "Exchange all pieces of a product in an order for as many of another from stock.",
        {"order": int, "product": str, "new_product": str},
        _exchange_item,
    ),
    Tool(
        "refuse",
        "Refuse a request about an order. A second refusal of the same replaces the first.",
        {"order": int, "request": REQUESTS, "reason": REASONS},
        _refuse,
    ),
)
