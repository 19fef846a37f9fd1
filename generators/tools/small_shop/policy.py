"""The policy of a small shop, in words and as decisions on what customers want."""

from typing import Literal, NamedTuple

Request = Literal["cancel", "address", "return", "discount", "exchange"]
Reason = Literal[
    "too_advanced", "not_delivered", "final_sale", "too_late", "has_discount", "below_minimum",
    "out_of_stock",
]  # fmt: skip

REQUESTS: tuple[Request, ...] = ("cancel", "address", "return", "discount", "exchange")
REASONS: tuple[Reason, ...] = (
    "too_advanced", "not_delivered", "final_sale", "too_late", "has_discount", "below_minimum",
    "out_of_stock",
)  # fmt: skip
METHODS = ("card", "voucher", "transfer")


class Terms(NamedTuple):
    """The numbers of a policy: days after the delivery, and the least total of a discount."""

    days: int
    days_vip: int
    minimum: int

    def text(self, request: Request) -> str:
        """The rule for a type of request, with the reasons against it in order of priority."""
        late = (
            f"nor if it was delivered more than {self.days} days ago, for a VIP more than "
            f"{self.days_vip} (too_late)"
        )
        return {
            "cancel": "cancel: only while the order is processing, or, for a VIP, packed. "
            "Otherwise: too_advanced.",
            "address": "address: a new address only while the order is processing, or, for a VIP, "
            "packed. Otherwise: too_advanced.",
            "return": "return: not if the order is not delivered (not_delivered), nor if the item "
            f"is marked final sale (final_sale), {late}. The refund goes to the method that the "
            "order was paid by, whatever the customer wants.",
            "discount": "discount: not if the order is already shipped or delivered "
            "(too_advanced), nor if it has a discount (has_discount), nor if the prices of all its "
            f"pieces add up to less than {self.minimum} (below_minimum), which does not matter "
            "for a VIP.",
            "exchange": "exchange: not if the order is not delivered (not_delivered), nor if the "
            f"item is marked final sale (final_sale), {late}, nor if there are fewer pieces of the "
            "new product in stock than the order has of the old one (out_of_stock).",
        }[request]


class Situation(NamedTuple):
    """What a decision depends on."""

    status: str
    vip: bool
    final: bool
    since: int
    """Days since the delivery."""
    discount: str
    total: int
    pieces: int
    stock: int
    """Pieces of the new product; those of the old one have to be there for an exchange."""


def reason(terms: Terms, request: Request, now: Situation) -> Reason | None:
    """The first reason against a request; None where it is allowed."""
    if request in ("cancel", "address"):
        allowed = ("processing", "packed") if now.vip else ("processing",)
        return None if now.status in allowed else "too_advanced"
    if request == "discount":
        return _against_discount(terms, now)
    if now.status != "delivered":
        return "not_delivered"
    if now.final:
        return "final_sale"
    if now.since > (terms.days_vip if now.vip else terms.days):
        return "too_late"
    return "out_of_stock" if request == "exchange" and now.stock < now.pieces else None


def _against_discount(terms: Terms, now: Situation) -> Reason | None:
    if now.status not in ("processing", "packed"):
        return "too_advanced"
    if now.discount != "none":
        return "has_discount"
    return "below_minimum" if now.total < terms.minimum and not now.vip else None
