"""The policy of a warehouse, in words; :mod:`.decisions` applies it."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Literal, NamedTuple

from palaestra.generators.tools.numbered_rules import policy_text, random_rules

Rule = Literal[
    "shelf", "safety", "region", "single", "reserved", "credit", "supplier", "duplicate",
    "unsubstituted", "urgent", "quick", "dense",
]  # fmt: skip
RULES: tuple[Rule, ...] = (
    "shelf", "safety", "region", "single", "reserved", "credit", "supplier", "duplicate",
    "unsubstituted", "urgent", "quick", "dense",
)  # fmt: skip
EXCEPTED: Mapping[Rule, tuple[Rule, ...]] = {"urgent": ("region",), "dense": ("safety",)}
"""The rules that a rule is an exception from."""

CLASSES = ("food", "chemical", "hardware")
SUPPLIERS = ("Alder & Co", "Brook Trading", "Cairn Supply", "Dell Wholesale", "Elm Brothers")


class Policy(NamedTuple):
    """The rules that hold, in the order of their numbers, and the values that occur in them."""

    rules: tuple[Rule, ...]
    shelf: tuple[int, int, int]
    """Days left after the due date, by class of the item."""
    safety: int
    """Pieces of an item that a site keeps when it gives some to another."""
    single: str
    """The class of items that are shipped from one lot."""
    supplier: str
    """The supplier that is suspended."""
    unsubstituted: str
    """The class of items that are not substituted."""

    def has(self, rule: Rule) -> bool:
        """Whether a rule holds."""
        return rule in self.rules

    def number(self, rule: Rule) -> int:
        """The number of a rule in the text."""
        return self.rules.index(rule) + 1

    def text(self) -> str:
        """All rules with their numbers."""
        return policy_text(_GENERAL, (_TEXTS[rule](self) for rule in self.rules))


_GENERAL = (
    "First of all, block each lot of a recalled item whose code is in the range of a recall "
    "that is active, at all sites, with stock or without. Recalls that have been withdrawn do "
    "not count. Lots that are blocked are not shipped and not transferred.\n"
    "Handle the orders one after the other, each by the stock that the earlier ones leave: "
    "urgent ones first, then by due date, then by number.\n"
    "Quantities of orders are in boxes or in pieces; stock is in pieces. The page of an item "
    "states how many pieces a box has.\n"
    "Of a lot, the pieces that are neither reserved nor damaged are available, if it is not "
    "blocked and expires after the due date of the order.\n"
    "An order is shipped from its own site if enough is available there, and from the lots that"
    " expire first; if two expire on the same day, from the one with the lower code first. The "
    "last lot gives only what is still needed.\n"
    "If not enough is available there, take all that is, and transfer what is missing from "
    "other sites: from the site where the most pieces of the item are available first (with "
    "equal numbers, in the order of the alphabet), then from the next one; within a site, from "
    "the lots that expire first. Transfer nothing if all sites together cannot give enough. "
    "Finish the order as shipped.\n"
    "If the order cannot be shipped in one of these ways and allows substitutes, ship all of it, "
    "with as many pieces, from the own site as the substitute with the lowest rank that has "
    "enough available there, by the same rules on lots; finish the order as substituted.\n"
    "Otherwise ship nothing, and buy the ordered quantity in boxes, rounded up to whole boxes "
    "and to the minimum of the supplier: for the site of the order, from the supplier of the "
    "item with the lowest price. Finish the order as backordered."
).splitlines()
"""What holds besides the numbered rules."""

_TEXTS: Mapping[Rule, Callable[[Policy], str]] = {
    "shelf": lambda p: (
        "A lot is available only if it expires more than so many days after the due date: "
        + ", ".join(f"{days} for {name}" for name, days in zip(CLASSES, p.shelf))
        + "."
    ),
    "safety": lambda p: (
        f"When a site gives pieces to another, {p.safety} pieces of the item that are available "
        "for the order remain there."
    ),
    "region": lambda p: "Pieces are transferred between sites of the same region only.",
    "single": lambda p: (
        f"Items of the class {p.single} are shipped from one lot that has enough by itself: from "
        "such a lot at the own site, or else from such a lot that is transferred from one other "
        "site, which is the first in the order above that can give it. Without such a lot, the "
        "order cannot be shipped. This holds for substitutes by their own class, too."
    ),
    "reserved": lambda p: (
        "For urgent orders, reserved pieces at the site of the order are available, too."
    ),
    "credit": lambda p: "Orders of customers on hold are rejected for credit.",
    "supplier": lambda p: f"Nothing is bought from {p.supplier}.",
    "duplicate": lambda p: (
        "An order is rejected as a duplicate if it agrees in customer, item, quantity, unit, site "
        "and due date with an order of a lower number that is open or shipped."
        + (f" Rule {p.number('credit')} takes precedence." if p.has("credit") else "")
    ),
    "unsubstituted": lambda p: f"Items of the class {p.unsubstituted} are not substituted.",
    "urgent": lambda p: f"Rule {p.number('region')} does not apply to urgent orders.",
    "quick": lambda p: (
        "For urgent orders, buy from the supplier with the shortest delivery time instead of the "
        "one with the lowest price."
    ),
    "dense": lambda p: (
        f"Rule {p.number('safety')} does not apply to items with 12 pieces or more in a box."
    ),
}


def random_policy(rng: Random, number: int) -> Policy:
    """A policy of so many rules with random values."""
    first, second, third = (rng.randint(3, 30) for _ in CLASSES)
    return Policy(
        rules=random_rules(rng, RULES, EXCEPTED, number),
        shelf=(first, second, third),
        safety=rng.randint(8, 40),
        single=rng.choice(CLASSES),
        supplier=rng.choice(SUPPLIERS),
        unsubstituted=rng.choice(CLASSES),
    )
