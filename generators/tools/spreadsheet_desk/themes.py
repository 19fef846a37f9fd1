"""What workbooks are about: the names of sheets and columns, and the values of columns."""

from collections.abc import Mapping
from typing import NamedTuple


class Theme(NamedTuple):
    """The words of a workbook."""

    title: str
    sheets: tuple[str, ...]
    archive: str
    rates: str
    prefix: str
    headers: Mapping[str, tuple[str, ...]]
    """The possible headers of each role; all of a theme are different."""
    categories: tuple[str, ...]
    states: tuple[str, ...]
    tiers: tuple[str, ...]
    items: tuple[str, ...]
    more: tuple[str, ...]
    """The headers of new columns."""


ROLES = (
    "key",
    "person",
    "category",
    "status",
    "item",
    "quantity",
    "rate",
    "amount",
    "charge",
    "gross",
    "tier",
)
"""What a column of a table is for."""

_WORDS = {
    "title": ("Orders of", "Hours of", "Stock of", "Tickets of"),
    "sheets": (
        "North/South/East/West/Centre",
        "January/February/March/April/May",
        "Harbour/Airport/Downtown/Hillside/Depot",
        "Monday/Tuesday/Wednesday/Thursday/Friday",
    ),
    "archive": ("Archive", "Closed", "Removed", "History"),
    "rates": ("Prices", "Rates", "Costs", "Fees"),
    "prefix": ("ORD", "JOB", "LOT", "TCK"),
    "key": ("Order/Order id", "Job/Job id", "Lot/Lot id", "Ticket/Ticket id"),
    "person": ("Client/Buyer", "Employee/Worker", "Supplier/Vendor", "Guest/Passenger"),
    "category": ("Channel/Sold through", "Team/Department", "Zone/Hall", "Route/Line"),
    "status": ("Status/Stage", "State/Approval", "Condition/Inspection", "Booking/Confirmation"),
    "item": ("Product/Article", "Activity/Task", "Material/Part", "Tariff/Fare type"),
    "quantity": ("Units/Quantity", "Hours/Time", "Boxes/Pieces", "Seats/Persons"),
    "rate": (
        "Unit price/Price",
        "Hourly rate/Rate",
        "Cost per unit/Unit cost",
        "Fare/Price per seat",
    ),
    "amount": ("Amount/Net", "Cost/Labour", "Value/Stock value", "Revenue/Fares"),
    "charge": ("Shipping/Freight", "Travel/Expenses", "Storage/Handling", "Luggage/Extras"),
    "gross": (
        "Total/Invoice sum",
        "Billed/Total cost",
        "Book value/Total value",
        "Receipts/Sum due",
    ),
    "tier": (
        "Priority/Class",
        "Grade/Billing class",
        "Hazard class/Category",
        "Comfort/Compartment",
    ),
    "categories": (
        "web/shop/phone/partner/fair",
        "design/support/field/research/sales",
        "red/blue/green/yellow/white",
        "coast/lake/valley/ridge/island",
    ),
    "states": (
        "open/packed/sent/returned/paid",
        "draft/submitted/approved/rejected/billed",
        "new/checked/damaged/blocked/released",
        "waiting/confirmed/cancelled/used/expired",
    ),
    "tiers": (
        "normal/urgent/low/key account",
        "internal/standard/premium/grant",
        "A/B/C/D",
        "first/second/sleeper/panorama",
    ),
    "items": (
        "lamp/chair/desk/shelf/stool/bench/frame/mirror/rug/sofa",
        "audit/training/repair/survey/planning/testing/review/installation/drawing/cleaning",
        "bolts/cable/paint/tiles/valves/pipes/glue/timber/wire/hinges",
        "adult/child/senior/student/group/night/pass/crew/dog/bicycle",
    ),
    "more": (
        "Review/Check/Control/Comparison/Forecast",
        "Balance/Note/Target/Deviation/Control",
        "Reserve/Insurance/Check/Difference/Flag",
        "Margin/Audit/Flag/Comparison/Target",
    ),
}  # fmt: skip
"""The words of the themes, one in each column; several words of one are separated by /.

Headers are capitalised, values are not.
"""


def _theme(number: int) -> Theme:
    """The theme in a column of the table."""
    words = {name: tuple(texts[number].split("/")) for name, texts in _WORDS.items()}
    (title,), (archive,), (rates,), (prefix,) = (
        words[each] for each in ("title", "archive", "rates", "prefix")
    )
    return Theme(
        title=title,
        sheets=words["sheets"],
        archive=archive,
        rates=rates,
        prefix=prefix,
        headers={role: words[role] for role in ROLES},
        categories=words["categories"],
        states=words["states"],
        tiers=words["tiers"],
        items=words["items"],
        more=words["more"],
    )


THEMES = tuple(map(_theme, range(len(_WORDS["title"]))))
