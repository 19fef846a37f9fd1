"""Random stock and orders, for which stock is often short."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from random import Random
from typing import NamedTuple

from palaestra.generators.tools.apps import Known, Numbered, carry_out
from palaestra.generators.tools.named_records import row_of
from palaestra.generators.tools.records import RecordWorld
from palaestra.generators.tools.warehouse_stock.app import WarehouseWorld
from palaestra.generators.tools.warehouse_stock.decisions import Desk, in_turn
from palaestra.generators.tools.warehouse_stock.policy import (
    SUPPLIERS,
    Policy,
    random_policy,
)
from palaestra.generators.tools.warehouse_stock.records import (
    Customer,
    Item,
    Lot,
    Order,
    Recall,
    Records,
    Site,
    Substitute,
    Supplier,
    tables,
)

PRODUCTS = {
    "food": ("oat bars", "tomato soup", "rice crackers", "apple juice", "dried beans"),
    "chemical": ("glass cleaner", "wood glue", "engine oil", "paint thinner", "floor wax"),
    "hardware": ("lamp sockets", "hinges", "cable ties", "door handles", "wall plugs"),
}
VARIANTS = ("small", "large", "extra large", "long", "light", "extra light")
SITES = ("Ashford", "Birchwood", "Coldbrook", "Dunmore", "Elmstead", "Foxhill", "Grayling")
CUSTOMERS = (
    "Amber Works", "Blue Harbor", "Copper Lane", "Delta Print", "Eastgate", "Fernhill", "Glasswing",
    "Highmoor", "Ironbridge", "Juniper Supply",
)  # fmt: skip
BOXES = (6, 8, 10, 12, 15, 24)
WEIGHTS = (1, 2, 1, 1)
"""How much it counts that rules, other sites, dates of expiry and units matter to an order."""
ATTEMPTS = 5
"""How many quantities are tried for one that much matters to."""


class Size(NamedTuple):
    """How much there is of each."""

    orders: int
    """That are to be handled."""
    others: int
    """Orders that are due later or are finished."""
    items: int
    sites: int
    lots: int
    """Of each item at each site, at most."""
    recalls: int
    rules: int
    strict: int
    """The percentage of quantities that are drawn again if little matters to them."""


def random_warehouse(rng: Random, size: Size) -> tuple[Records, Policy, str, str]:
    """Random records, the policy, today's date, and the date until which orders are due."""
    policy = random_policy(rng, size.rules)
    today = date(2031, 1, 1) + timedelta(rng.randrange(600))
    until = today + timedelta(rng.randint(6, 12))
    items = _items(rng, size)
    regions = ("north", "south") if size.sites > 2 else ("north",)
    numbers = rng.sample(range(10, 100), size.sites + len(CUSTOMERS))
    sites = tuple(
        Site(numbers.pop(), name, rng.choice(regions)) for name in rng.sample(SITES, size.sites)
    )
    customers = tuple(
        Customer(numbers.pop(), name, rng.choice(("good",) * 5 + ("on hold",)))
        for name in CUSTOMERS
    )
    lots = _lots(rng, size, items, sites, today)
    records = Records(
        items, sites, customers, lots, _orders(rng, size, items, sites, (today, until)),
        _recalls(rng, size, lots), _substitutes(rng, items), _suppliers(rng, items),
    )  # fmt: skip
    orders = _with_quantities(rng, size, records, policy, until.isoformat())
    return records._replace(orders=orders), policy, today.isoformat(), until.isoformat()


def _items(rng: Random, size: Size) -> tuple[Item, ...]:
    """Items of which several have almost the same name."""
    bases = [(name, each) for name, names in PRODUCTS.items() for each in names]
    chosen = rng.sample(bases, -(-size.items // 2))
    numbers = rng.sample(range(100, 1_000), 2 * len(chosen))
    items = []
    for name, base in chosen:
        first, second = rng.sample(VARIANTS, 2)
        pair = (base, f"{base} {first}") if rng.randrange(2) else (f"{base} {first}",) * 2
        pair = pair if pair[0] != pair[1] else (f"{base} {first}", f"{base} {second}")
        items += [Item(numbers.pop(), each, name, rng.choice(BOXES)) for each in pair]
    return tuple(items[: size.items])


def _lots(
    rng: Random, size: Size, items: Sequence[Item], sites: Sequence[Site], today: date
) -> tuple[Lot, ...]:
    """Lots, of which some items have few; the codes are not in the order in which they expire."""
    codes = rng.sample(range(1_000, 10_000), size.lots * len(items) * (len(sites) + 1))
    numbers = iter(rng.sample(range(1_000, 10_000), len(codes)))
    lots = []
    for item in items:
        is_scarce = rng.randrange(5) == 0
        shared = [(f"L{codes.pop()}", rng.randint(-5, 90)) for _ in range(size.lots)]
        for site in sites:
            own = [shared.pop()] if shared and rng.randrange(3) == 0 else []
            batches = [(f"L{codes.pop()}", rng.randint(-5, 90)) for _ in range(size.lots)]
            number = rng.randrange(2) if is_scarce else rng.randint(1, size.lots)
            for code, days in [*own, *batches][:number]:
                pieces = rng.randint(10, 140)
                reserved = rng.choice((0, 0, rng.randint(1, pieces // 2)))
                damaged = rng.choice((0, 0, rng.randint(1, pieces // 4)))
                expires = (today + timedelta(days)).isoformat()
                lots.append(
                    Lot(next(numbers), item.name, site.name, code, pieces, reserved, damaged,
                        expires)
                )  # fmt: skip
    rng.shuffle(lots)
    return tuple(lots)


def _recalls(rng: Random, size: Size, lots: Sequence[Lot]) -> tuple[Recall, ...]:
    """Recalls, of which the first one is active if there are several."""
    recalls = []
    for number, lot in enumerate(rng.sample(lots, min(size.recalls, len(lots))), 1):
        code = int(lot.code[1:])
        first, last = max(1_000, code - rng.randint(0, 900)), min(9_999, code + rng.randint(0, 900))
        is_active = number == 1 < size.recalls or rng.randrange(3) > 0
        status = "active" if is_active else "withdrawn"
        recalls.append(Recall(number, lot.item, f"L{first}", f"L{last}", status))
    return tuple(recalls)


def _substitutes(rng: Random, items: Sequence[Item]) -> tuple[Substitute, ...]:
    rows, number = list[Substitute](), 0
    for item in items:
        others = [each.name for each in items if each.name != item.name]
        for rank, other in enumerate(rng.sample(others, min(2, len(others))), 1):
            number += 1
            rows.append(Substitute(number, item.name, other, rank))
    rng.shuffle(rows)
    return tuple(rows)


def _suppliers(rng: Random, items: Sequence[Item]) -> tuple[Supplier, ...]:
    rows = list[Supplier]()
    for item in items:
        names = rng.sample(SUPPLIERS, 3)
        prices, days = rng.sample(range(20, 60), 3), rng.sample(range(2, 20), 3)
        for name, price, lead in zip(names, prices, days):
            minimum = rng.choice((1, 3, 8, 15))
            rows.append(Supplier(len(rows) + 1, name, item.name, price, lead, minimum))
    return tuple(rows)


def _orders(
    rng: Random, size: Size, items: Sequence[Item], sites: Sequence[Site], days: tuple[date, date]
) -> tuple[Order, ...]:
    """Orders, of which the quantities of the open ones are not final yet."""
    today, until = days
    numbers = rng.sample(range(1_000, 10_000), size.orders + size.others)
    orders = []
    for n, number in enumerate(numbers):
        is_other = n >= size.orders
        item, site = rng.choice(items), rng.choice(sites)
        due = today + timedelta(rng.randint(2, (until - today).days))
        status = "open"
        if is_other and rng.randrange(2):
            due = until + timedelta(rng.randint(1, 9))
        elif is_other:
            status = rng.choice(("shipped", "backordered"))
        orders.append(
            Order(
                number, rng.choice(CUSTOMERS), item.name, rng.randint(2, 40),
                rng.choice(("box", "box", "piece")), site.name, due.isoformat(),
                rng.randrange(4) == 0, rng.randrange(2) > 0, status,
            )
        )  # fmt: skip
    return tuple(sorted(orders))


def _with_quantities(
    rng: Random, size: Size, records: Records, policy: Policy, until: str
) -> tuple[Order, ...]:
    """The orders with quantities for which stock is often short."""
    world = WarehouseWorld(tables(records))
    carry_out(world, [*Desk(Known.of(world).rows, policy).recalls()])
    orders = {each.number: each for each in records.orders}
    for number in in_turn([*world.rows("order")], until):
        known, best = Known.of(world), -1
        desks = _desks(known, policy, orders[number])
        most = sum(WEIGHTS) - (orders[number].unit == "piece")
        is_rejected = desks[0].rejection(number, row_of(orders[number]))
        for _ in range(1 if is_rejected else ATTEMPTS):
            order = _with_quantity(rng, known, orders[number])
            matters = _matters(desks, order)
            if matters > best:
                best, orders[number] = matters, order
            if best == most or rng.randrange(100) >= size.strict:
                break
        world.update("order", number, **row_of(orders[number]))
        if policy.has("duplicate") and rng.randrange(6) == 0:
            orders |= _copied(rng, world, orders[number])
        carry_out(world, Desk(Known.of(world).rows, policy).deeds(number))
    return tuple(orders[each.number] for each in records.orders)


def _desks(known: Known, policy: Policy, order: Order) -> list[Desk]:
    """Who decides on an order by the policy, and others who do so without regard to rules, other
    sites, and dates of expiry, whatever the quantity.
    """
    names = [order.item]
    if order.substitutes:
        names += [
            row["substitute"] for _, row in known.by("substitute", "item").get(order.item, ())
        ]
    by_item = known.by("lot", "item")
    lots = [lot for name in names for lot in by_item.get(name, ())]
    own = [(n, row) for n, row in lots if row["site"] == order.site]
    fresh = [(n, {**row, "expires": "2999-01-01"}) for n, row in lots]

    def desk(by: Policy, stock: Sequence[Numbered]) -> Desk:
        tables: Mapping[str, Sequence[Numbered]] = {"order": (), "lot": stock}
        return Desk(lambda table: tables[table] if table in tables else known.rows(table), by)

    lawless = policy._replace(rules=())
    return [desk(policy, lots), desk(lawless, lots), desk(policy, own), desk(policy, fresh)]


def _matters(desks: Sequence[Desk], order: Order) -> int:
    """The sum of the weights of what an order cannot be handled without: what the desks besides
    the first one disregard, and the unit of the quantity.
    """
    row = row_of(order)
    right, *others = (desk.decided(order.number, row) for desk in desks)
    others.append(desks[0].decided(order.number, {**row, "unit": "piece"}))
    return sum(weight for weight, each in zip(WEIGHTS, others) if each != right)


def _copied(rng: Random, world: RecordWorld, order: Order) -> dict[int, Order]:
    """Finished orders, of which one becomes like an order, or almost."""
    numbers = [n for n, row in world.rows("order") if row["status"] in ("shipped", "backordered")]
    if not numbers:
        return {}
    number = rng.choice(numbers)
    status = world.row("order", number)["status"]
    copy = order._replace(number=number, status=status)
    if rng.randrange(3) == 0:
        copy = copy._replace(quantity=order.quantity + 1)
    world.update("order", number, **row_of(copy))
    return {number: copy}


def _with_quantity(rng: Random, known: Known, order: Order) -> Order:
    """An order for another quantity: for what the site has, or what others have, or more."""
    lots = [row for _, row in known.by("lot", "item").get(order.item, ())]
    free = [row["pieces"] - row["damaged_pieces"] - row["reserved_pieces"] for row in lots]
    local = sum(n for n, row in zip(free, lots) if row["site"] == order.site)
    share = rng.choice((0.4, 0.8, 1.1, 1.2))
    pieces = max(2, int((local if share < 1 else local + 0.3 * sum(free)) * rng.uniform(0.4, 1)))
    if rng.randrange(8) == 0:
        pieces = sum(free) + rng.randint(5, 90)
    if order.substitutes and rng.randrange(3) == 0:
        pieces = max(2, int(_local_stock(rng, known, order) * rng.uniform(0.4, 1)))
    ((_, item),) = known.by("item", "name")[order.item]
    quantity = max(1, pieces // item["box"]) if order.unit == "box" else pieces
    return order._replace(quantity=quantity)


def _local_stock(rng: Random, known: Known, order: Order) -> int:
    """How many pieces the site of an order has of one of the substitutes."""
    rows = known.by("substitute", "item").get(order.item, ())
    name = rng.choice(rows)[1]["substitute"] if rows else order.item
    lots = known.by("lot", "item").get(name, ())
    return sum(row["pieces"] for _, row in lots if row["site"] == order.site)
