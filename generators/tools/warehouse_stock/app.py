"""The tools of a warehouse, which do not know the policy."""

from collections.abc import Callable
from typing import Any

from palaestra.generators.tools.apps import Numbered, day, listing
from palaestra.generators.tools.engine import Arguments, Tool
from palaestra.generators.tools.named_records import matching
from palaestra.generators.tools.records import RecordWorld, Row, Tables
from palaestra.task import InvalidAnswer

RESULTS = ("shipped", "substituted", "backordered", "rejected: credit", "rejected: duplicate")
"""How an order may be finished."""
MOST = 100_000
"""More pieces or boxes are not moved or bought at once."""


class WarehouseWorld(RecordWorld):
    """The records; the stock of lots, of which none is ever removed, has an index."""

    def __init__(self, tables: Tables, seed: int = 0, busy: int = 0) -> None:
        super().__init__(TOOLS, tables, seed, busy)
        self._lots = {(row["code"], row["site"]): n for n, row in tables["lot"].items()}

    def add(self, table: str, **values: Any) -> int:
        number = super().add(table, **values)
        if table == "lot":
            self._lots[values["code"], values["site"]] = number
        return number

    def lot(self, code: str, site: str) -> Numbered | None:
        """The stock of a lot at a site, as it is written there; None if there never was any."""
        number = self._lots.get((code.strip().upper(), site))
        return None if number is None else (number, self.row("lot", number))


def _lister(table: str) -> Callable[[RecordWorld, Arguments], str]:
    """A tool that lists the rows of a table whose fields contain texts, a page of them."""

    def run(world: RecordWorld, arguments: Arguments) -> str:
        texts = {name: value for name, value in arguments.items() if name != "page"}
        return listing(world, matching(world, table, **texts), arguments["page"])

    return run


def _list_orders(world: RecordWorld, arguments: Arguments) -> str:
    status, until, page = arguments.values()
    last = day(until) if until.strip() else ""
    rows = [
        each
        for each in world.rows("order")
        if (status == "any" or each[1]["status"].startswith(status))
        and (not last or each[1]["due"] <= last)
    ]
    return listing(world, rows, page)


def _named(world: RecordWorld, table: str, name: str) -> str:
    """The name of a row, as it is written there. Raises :class:`InvalidAnswer` for another one."""
    wanted = name.strip().casefold()
    for _, row in world.rows(table):
        if row["name"].casefold() == wanted:
            return str(row["name"])
    raise InvalidAnswer(f"there is no {table} {name[:40]!r}")


def _known_lot(world: WarehouseWorld, code: str, site: str) -> Numbered:
    lot = world.lot(code, site)
    if lot is None:
        raise InvalidAnswer(f"there is no stock of lot {code[:40]!r} at {site}")
    return lot


def _checked(number: int, lot: Row) -> None:
    """Check a number of pieces that are taken. Raises :class:`InvalidAnswer`."""
    code, stock, site = lot["code"], lot["pieces"], lot["site"]
    if not stock:
        raise InvalidAnswer(f"there are no pieces of lot {code} at {site}")
    if not 1 <= number <= stock:
        raise InvalidAnswer(f"the number of pieces of lot {code} at {site} is from 1 to {stock}")


def _summed(world: RecordWorld, table: str, pieces: int, **key: object) -> None:
    """Add pieces to the row with a key, which is new if there is none."""
    for number, row in world.rows(table):
        if all(row[name] == value for name, value in key.items()):
            world.update(table, number, pieces=row["pieces"] + pieces)
            return
    world.add(table, pieces=pieces, **key)


def _block_lot(world: WarehouseWorld, arguments: Arguments) -> str:
    site = _named(world, "site", arguments["site"])
    number, row = _known_lot(world, arguments["code"], site)
    if row["status"] == "blocked":
        raise InvalidAnswer("the lot is blocked already")
    world.update("lot", number, status="blocked")
    return f"Lot {row['code']} at {site} is blocked."


def _transfer(world: WarehouseWorld, arguments: Arguments) -> str:
    code, origin, destination, pieces = arguments.values()
    origin, destination = (_named(world, "site", each) for each in (origin, destination))
    if origin == destination:
        raise InvalidAnswer("the sites are the same")
    number, row = _known_lot(world, code, origin)
    _checked(pieces, row)
    world.update("lot", number, pieces=row["pieces"] - pieces)
    known = world.lot(code, destination)
    if known is None:
        there = {**row, "site": destination, "pieces": pieces}
        there |= {"reserved_pieces": 0, "damaged_pieces": 0}
        world.add("lot", **there)
    else:
        world.update("lot", known[0], pieces=known[1]["pieces"] + pieces)
    way = {"origin": origin, "destination": destination}
    _summed(world, "transfer", pieces, code=row["code"], **way)
    return f"{pieces} of lot {row['code']} moved to {destination}."


def _ship(world: WarehouseWorld, arguments: Arguments) -> str:
    order, code, pieces = arguments.values()
    request = world.row("order", order)
    if request["status"] != "open":
        raise InvalidAnswer(f"order {order} is {request['status']}")
    number, row = _known_lot(world, code, request["site"])
    _checked(pieces, row)
    world.update("lot", number, pieces=row["pieces"] - pieces)
    _summed(world, "shipment", pieces, order=order, code=row["code"])
    return f"{pieces} of lot {row['code']} shipped for order {order}."


def _buy(world: RecordWorld, arguments: Arguments) -> str:
    supplier, item, boxes, site = arguments.values()
    site, item = _named(world, "site", site), _named(world, "item", item)
    if not 1 <= boxes <= MOST:
        raise InvalidAnswer(f"a number of boxes is from 1 to {MOST}")
    for _, row in world.rows("supplier"):
        is_named = row["name"].casefold() == supplier.strip().casefold()
        if is_named and row["item"] == item:
            if boxes < row["minimum"]:
                least = row["minimum"]
                raise InvalidAnswer(f"{row['name']} sells at least {least} boxes of {item}")
            values = {"supplier": row["name"], "item": item, "boxes": boxes, "site": site}
            number = world.add("purchase", **values)
            return f"Purchase {number}: {item} for {site}, boxes: {boxes}."
    raise InvalidAnswer(f"{supplier[:40]!r} does not sell {item}")


def _cancel_purchase(world: RecordWorld, arguments: Arguments) -> str:
    world.remove("purchase", arguments["purchase"])
    return "The purchase is cancelled."


def _finish_order(world: RecordWorld, arguments: Arguments) -> str:
    order, result = arguments.values()
    world.row("order", order)
    world.update("order", order, status=result)
    return f"Order {order} is {result}."


_PAGE = {"page": 1}

TOOLS = (
    Tool(
        "list_orders", "List orders with a status that are due until a date (YYYY-MM-DD), ten a "
        "page.", {"status": ("any", "open", "shipped", "substituted", "backordered", "rejected"),
                  "due_until": str, "page": int},
        _list_orders, {"status": "any", "due_until": "", **_PAGE},
    ),
    Tool(
        "find_items", "List items with a text in the name, ten a page: the class as type, and the "
        "pieces in a box.", {"name": str, "page": int}, _lister("item"), {"name": "", **_PAGE},
    ),
    Tool("list_sites", "List the sites, ten a page.", {"page": int}, _lister("site"), _PAGE),
    Tool(
        "find_customers", "List customers with a text in the name, ten a page.",
        {"name": str, "page": int}, _lister("customer"), {"name": "", **_PAGE},
    ),
    Tool(
        "list_lots", "List the stock of lots with a text in the item and in the site, ten a page.",
        {"item": str, "site": str, "page": int}, _lister("lot"), {"item": "", "site": "", **_PAGE},
    ),
    Tool("list_recalls", "List recalls of lots, ten a page.", {"page": int}, _lister("recall"),
         _PAGE),
    Tool(
        "list_substitutes", "List the substitutes of items with a text in the name, ten a page.",
        {"item": str, "page": int}, _lister("substitute"), {"item": "", **_PAGE},
    ),
    Tool(
        "list_suppliers",
        "List the offers for items with a text in the name, ten a page: the price of a box, the "
        "days of delivery, and the minimum in boxes.",
        {"item": str, "page": int}, _lister("supplier"), {"item": "", **_PAGE},
    ),
    Tool("block_lot", "Block a lot at a site.", {"code": str, "site": str}, _block_lot),
    Tool(
        "transfer", "Move pieces of a lot from a site to another.",
        {"code": str, "origin": str, "destination": str, "pieces": int}, _transfer,
    ),
    Tool(
        "ship", "Ship pieces of a lot at the site of an order for this order.",
        {"order": int, "code": str, "pieces": int}, _ship,
    ),
    Tool(
        "buy", "Buy boxes of an item from a supplier for a site.",
        {"supplier": str, "item": str, "boxes": int, "site": str}, _buy,
    ),
    Tool("cancel_purchase", "Cancel a purchase.", {"purchase": int}, _cancel_purchase),
    Tool(
        "finish_order", "Finish an order with a result.", {"order": int, "result": RESULTS},
        _finish_order,
    ),
)  # fmt: skip
