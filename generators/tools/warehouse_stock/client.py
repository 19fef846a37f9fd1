"""A player who knows the policy, and reads everything else through the tools."""

from typing import Any, NamedTuple

from palaestra.generators.tools.apps import Known, Reading, calling, listed
from palaestra.generators.tools.engine import Client
from palaestra.generators.tools.warehouse_stock.decisions import Desk, in_turn
from palaestra.generators.tools.warehouse_stock.policy import Policy


class Habits(NamedTuple):
    """What a client does, by which lazy ones differ from the oracle."""

    rows: int = 0
    """How many rows of a list it reads: 0 for all of them."""
    sites: bool = True
    """Whether it looks at the stock of other sites."""
    units: bool = True
    """Whether it regards the units of orders."""
    expiry: bool = True
    """Whether it regards when lots expire."""
    recalls: bool = True
    """Whether it blocks lots that are recalled."""


CAREFUL = Habits()


def fulfil(policy: Policy, until: str, habits: Habits = CAREFUL) -> Client:
    """Block recalled lots, and handle all orders that are due until a date."""
    reader = _Reader(policy, habits)
    yield from reader.read("site", "list_sites")
    if habits.recalls:
        yield from reader.recalls()
        yield from calling([*reader.desk().recalls()])
    yield from reader.read("order", "list_orders")
    for number in in_turn(reader.book.rows("order"), until):
        reader = _Reader(policy, habits)
        yield from reader.order(number)
        yield from calling(reader.decided(number))


class _Reader:
    """What is known."""

    def __init__(self, policy: Policy, habits: Habits) -> None:
        self.policy, self.habits, self.book = policy, habits, Known()

    def desk(self) -> Desk:
        """Who decides by what is known now."""
        return Desk(self.book.rows, self.policy)

    def read(self, table: str, tool: str, **arguments: Any) -> Reading:
        """Read the pages of a list, as far as the habits go."""
        rows = yield from listed(tool, most=self.habits.rows, **arguments)
        if table == "order" and not self.habits.units:
            rows = [{**row, "unit": "piece"} for row in rows]
        if table == "lot" and not self.habits.expiry:
            rows = [{**row, "expires": "2999-01-01"} for row in rows]
        self.book.note(table, rows)

    def recalls(self) -> Reading:
        """Read the recalls, and the lots that they are about."""
        yield from self.read("recall", "list_recalls")
        rows = [row for _, row in self.book.rows("recall") if row["status"] == "active"]
        for item in dict.fromkeys(row["item"] for row in rows):
            yield from self.read("lot", "list_lots", item=item)

    def order(self, number: int) -> Reading:
        """Read all that an order depends on, as it is now."""
        yield from self.read("order", "list_orders")
        yield from self.read("site", "list_sites")
        order = dict(self.book.rows("order"))[number]
        yield from self.read("customer", "find_customers", name=order["customer"])
        yield from self._item(order["item"], order["site"])
        if order["substitutes"]:
            yield from self.read("substitute", "list_substitutes", item=order["item"])
            for _, row in self.book.rows("substitute"):
                if row["item"] == order["item"]:
                    yield from self._item(row["substitute"], order["site"])
        yield from self.read("supplier", "list_suppliers", item=order["item"])

    def _item(self, name: str, site: str) -> Reading:
        yield from self.read("item", "find_items", name=name)
        where = {} if self.habits.sites else {"site": site}
        yield from self.read("lot", "list_lots", item=name, **where)

    def decided(self, number: int) -> list[Any]:
        """The calls that an order needs; none where a lazy client has not read enough."""
        try:
            return self.desk().deeds(number)
        except (KeyError, StopIteration):
            return []
