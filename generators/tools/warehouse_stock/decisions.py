"""What orders need by the policy, from the rows that somebody knows."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import cached_property
from typing import NamedTuple

from palaestra.generators.tools.apps import Deed, Numbered
from palaestra.generators.tools.named_records import Rows
from palaestra.generators.tools.records import Row
from palaestra.generators.tools.warehouse_stock.policy import CLASSES, Policy

DENSE = 12
"""Boxes with so many pieces are dense."""


class Part(NamedTuple):
    """Pieces that are taken from a lot at a site."""

    site: str
    code: str
    pieces: int


class Need(NamedTuple):
    """Pieces of an item for an order."""

    order: Row
    item: Row
    pieces: int


def in_turn(orders: Sequence[Numbered], until: str) -> list[int]:
    """The open orders that are due until a date, in the order in which they are handled."""
    due = [
        (not row["urgent"], row["due"], number)
        for number, row in orders
        if row["status"] == "open" and row["due"] <= until
    ]
    return [number for *_, number in sorted(due)]


class Desk:
    """Decides on orders by the policy, from rows that do not change meanwhile."""

    def __init__(self, rows: Rows, policy: Policy) -> None:
        self.rows, self.policy = rows, policy
        self._available: dict[tuple[str, str, str, bool], list[Part]] = {}

    @cached_property
    def _stock(self) -> Mapping[tuple[str, str], Sequence[Row]]:
        """The lots that are not blocked, by item and site."""
        stock: dict[tuple[str, str], list[Row]] = {}
        for _, row in self.rows("lot"):
            if row["status"] == "free":
                stock.setdefault((row["item"], row["site"]), []).append(row)
        return stock

    def recalls(self) -> Iterator[Deed]:
        """The calls that block the lots that are recalled."""
        recalls = [row for _, row in self.rows("recall") if row["status"] == "active"]
        for _, lot in self.rows("lot"):
            is_recalled = any(
                recall["first_code"] <= lot["code"] <= recall["last_code"]
                for recall in recalls
                if recall["item"] == lot["item"]
            )
            if is_recalled and lot["status"] == "free":
                yield Deed("block_lot", {"code": lot["code"], "site": lot["site"]})

    def deeds(self, number: int) -> list[Deed]:
        """The calls that an order needs."""
        return self.decided(number, dict(self.rows("order"))[number])

    def decided(self, number: int, order: Row) -> list[Deed]:
        """The calls that an order with these fields needs."""
        if reason := self.rejection(number, order):
            return [_finished(number, f"rejected: {reason}")]
        need = self.need(order)
        parts = self.parts(need)
        if parts:
            return [*_shipping(number, order, parts), _finished(number, "shipped")]
        for substitute in self._substitutes(need):
            if parts := self._local(substitute):
                return [*_shipping(number, order, parts), _finished(number, "substituted")]
        return [*self._purchase(need), _finished(number, "backordered")]

    def need(self, order: Row) -> Need:
        """What an order is for."""
        item = self._item(order["item"])
        return Need(order, item, order["quantity"] * (item["box"] if order["unit"] == "box" else 1))

    def parts(self, need: Need) -> list[Part]:
        """Where the pieces of an order are taken from, which is nowhere if there are not enough."""
        if local := self._local(need):
            return local
        if self._is_single(need.item):
            return self._single_elsewhere(need)
        parts = _taken(self._lots(need, need.order["site"]), need.pieces)
        missing = need.pieces - sum(part.pieces for part in parts)
        for lots, most in self._givers(need):
            new = _taken(lots, min(missing, most))
            missing -= sum(part.pieces for part in new)
            parts += new
        return parts if missing == 0 else []

    def _local(self, need: Need) -> list[Part]:
        """The parts at the own site, if they are enough."""
        lots = self._lots(need, need.order["site"])
        if self._is_single(need.item):
            lots = [lot for lot in lots if lot.pieces >= need.pieces]
        parts = _taken(lots, need.pieces)
        return parts if sum(part.pieces for part in parts) == need.pieces else []

    def _single_elsewhere(self, need: Need) -> list[Part]:
        """The part of one lot of another site."""
        for lots, most in self._givers(need):
            enough = [lot for lot in lots if lot.pieces >= need.pieces]
            if enough and most >= need.pieces:
                return _taken(enough, need.pieces)
        return []

    def _is_single(self, item: Row) -> bool:
        return self.policy.has("single") and item["type"] == self.policy.single

    def _givers(self, need: Need) -> list[tuple[list[Part], int]]:
        """The lots of each other site with the pieces that it can give, in the order of turns."""
        policy, order = self.policy, need.order
        regions = {row["name"]: row["region"] for _, row in self.rows("site")}
        is_bound = policy.has("region") and not (policy.has("urgent") and order["urgent"])
        keeps = policy.has("safety") and not (policy.has("dense") and need.item["box"] >= DENSE)
        kept = policy.safety if keeps else 0
        sites = []
        for site, region in regions.items():
            if site != order["site"] and not (is_bound and region != regions[order["site"]]):
                lots = self._lots(need, site)
                sites.append((-sum(lot.pieces for lot in lots), site, lots))
        return [(lots, max(0, -available - kept)) for available, _, lots in sorted(sites)]

    def _lots(self, need: Need, site: str) -> list[Part]:
        """The lots of a site with their available pieces, those that expire first at the front."""
        key = need.item["name"], site, need.order["due"], need.order["urgent"]
        if key not in self._available:
            self._available[key] = self._sorted_lots(need, site)
        return self._available[key]

    def _sorted_lots(self, need: Need, site: str) -> list[Part]:
        order, item = need.order, need.item
        counts_reserved = self.policy.has("reserved") and order["urgent"] and site == order["site"]
        days = self.policy.shelf[CLASSES.index(item["type"])] if self.policy.has("shelf") else 0
        last = (date.fromisoformat(order["due"]) + timedelta(days)).isoformat()
        lots = []
        for row in self._stock.get((item["name"], site), ()):
            pieces = row["pieces"] - row["damaged_pieces"]
            pieces -= 0 if counts_reserved else row["reserved_pieces"]
            if pieces > 0 and row["expires"] > last:
                lots.append((row["expires"], row["code"], pieces))
        return [Part(site, code, pieces) for _, code, pieces in sorted(lots)]

    def _item(self, name: str) -> Row:
        return next(row for _, row in self.rows("item") if row["name"] == name)

    def _substitutes(self, need: Need) -> list[Need]:
        """The needs of substitutes by their ranks."""
        barred = self.policy.has("unsubstituted") and need.item["type"] == self.policy.unsubstituted
        if barred or not need.order["substitutes"]:
            return []
        ranked = sorted(
            (row["rank"], row["substitute"])
            for _, row in self.rows("substitute")
            if row["item"] == need.item["name"]
        )
        return [need._replace(item=self._item(name)) for _, name in ranked]

    def rejection(self, number: int, order: Row) -> str:
        """The reason to reject an order, or nothing."""
        standings = {row["name"]: row["standing"] for _, row in self.rows("customer")}
        if self.policy.has("credit") and standings[order["customer"]] == "on hold":
            return "credit"
        fields = ("customer", "item", "quantity", "unit", "site", "due")
        is_double = any(
            other < number
            and row["status"] in ("open", "shipped")
            and all(row[field] == order[field] for field in fields)
            for other, row in self.rows("order")
        )
        return "duplicate" if self.policy.has("duplicate") and is_double else ""

    def _purchase(self, need: Need) -> Iterator[Deed]:
        """The purchase of the quantity of an order."""
        policy = self.policy
        offers = [
            row
            for _, row in self.rows("supplier")
            if row["item"] == need.item["name"]
            and not (policy.has("supplier") and row["name"] == policy.supplier)
        ]
        field = "days" if policy.has("quick") and need.order["urgent"] else "price"
        if not offers:
            return
        offer = min(offers, key=lambda row: row[field])
        boxes = max(offer["minimum"], -(-need.pieces // need.item["box"]))
        values = {"supplier": offer["name"], "item": need.item["name"], "boxes": boxes}
        yield Deed("buy", {**values, "site": need.order["site"]})


def _taken(lots: Sequence[Part], pieces: int) -> list[Part]:
    """So many pieces of lots in their order, or all if there are not enough."""
    parts = []
    for lot in lots:
        taken = min(pieces, lot.pieces)
        if taken > 0:
            parts.append(lot._replace(pieces=taken))
        pieces -= taken
    return parts


def _shipping(number: int, order: Row, parts: Sequence[Part]) -> Iterator[Deed]:
    """The transfers to the site of an order, and the shipments."""
    for site, code, pieces in parts:
        if site != order["site"]:
            way = {"origin": site, "destination": order["site"]}
            yield Deed("transfer", {"code": code, **way, "pieces": pieces})
        yield Deed("ship", {"order": number, "code": code, "pieces": pieces})


def _finished(number: int, result: str) -> Deed:
    return Deed("finish_order", {"order": number, "result": result})
