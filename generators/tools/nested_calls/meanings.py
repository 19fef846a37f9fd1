"""What records, relations, quantities and charges are, in words of documentation and of requests.

Each entry has one wording for the documentation and others for requests, so that they share few
words. No wording of a request fits two entries that one interface may have.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Literal, NamedTuple

Sort = Literal["thing", "person", "site"]
"""The sorts of records, which decide what relations and quantities they have."""

Family = Literal["mass", "money", "length", "duration", "volume", "number"]
"""The families of quantities. A ``number`` counts, and has no unit."""


class Noun(NamedTuple):
    """A type of records: in documentation, and in requests; with the plurals."""

    sort: Sort
    gloss: str
    glosses: str
    request: str
    requests: str


NOUNS = (
    Noun("thing", "lorry", "lorries", "truck", "trucks"),
    Noun("thing", "bicycle", "bicycles", "bike", "bikes"),
    Noun("thing", "refrigerator", "refrigerators", "fridge", "fridges"),
    Noun("thing", "aeroplane", "aeroplanes", "airliner", "airliners"),
    Noun("thing", "sofa", "sofas", "couch", "couches"),
    Noun("thing", "pram", "prams", "stroller", "strollers"),
    Noun("person", "employee", "employees", "staff member", "staff members"),
    Noun("person", "customer", "customers", "client", "clients"),
    Noun("person", "physician", "physicians", "doctor", "doctors"),
    Noun("person", "attorney", "attorneys", "lawyer", "lawyers"),
    Noun("person", "pupil", "pupils", "student", "students"),
    Noun("site", "warehouse", "warehouses", "depot", "depots"),
    Noun("site", "shop", "shops", "store", "stores"),
    Noun("site", "inn", "inns", "guesthouse", "guesthouses"),
    Noun("site", "factory", "factories", "plant", "plants"),
    Noun("site", "farm", "farms", "ranch", "ranches"),
)  # fmt: skip


class Relation(NamedTuple):
    """What leads from a record of one sort to one of another.

    ``forward`` names the one that belongs to a record ``{e}``, ``backward`` those ``{es}`` to which
    a record ``{f}`` belongs; ``{F}`` is the noun of the one reached. The documentation comes first.
    """

    source: Sort
    target: Sort
    gloss: str
    gloss_back: str
    forward: tuple[str, ...]
    backward: tuple[str, ...]


RELATIONS: Mapping[str, Relation] = {
    "keeper": Relation(
        "thing", "person", "the {F} in charge of {e}", "the {es} that {f} is in charge of",
        ("the {F} who looks after {e}", "the {F} who takes care of {e}"),
        ("the {es} that {f} looks after", "the {es} that {f} takes care of"),
    ),
    "owner": Relation(
        "thing", "person", "the {F} to whom {e} belongs", "the {es} that belong to {f}",
        ("the {F} who owns {e}", "the {F} who has {e} as property"),
        ("the {es} that {f} owns", "the {es} that {f} has as property"),
    ),
    "examiner": Relation(
        "thing", "person", "the {F} who examined {e} last",
        "the {es} of which {f} was the last examiner",
        ("the {F} who made the latest check of {e}", "the {F} who most recently inspected {e}"),
        ("the {es} whose latest check was by {f}", "the {es} most recently inspected by {f}"),
    ),
    "builder": Relation(
        "thing", "person", "the {F} who constructed {e}", "the {es} constructed by {f}",
        ("the {F} who built {e}", "the {F} who put {e} together"),
        ("the {es} that {f} built", "the {es} put together by {f}"),
    ),
    "home": Relation(
        "thing", "site", "the {F} in which {e} is kept", "the {es} kept in {f}",
        ("the {F} that houses {e}", "the {F} where {e} has its bay"),
        ("the {es} that {f} houses", "the {es} with a bay in {f}"),
    ),
    "origin": Relation(
        "thing", "site", "the {F} from which {e} came", "the {es} that came from {f}",
        ("the {F} that sent {e} to us", "the {F} that let us have {e}"),
        ("the {es} that {f} sent to us", "the {es} that {f} let us have"),
    ),
    "target": Relation(
        "thing", "site", "the {F} to which {e} goes next", "the {es} that go to {f} next",
        ("the {F} that {e} is bound for", "the {F} that is going to receive {e}"),
        ("the {es} bound for {f}", "the {es} that {f} is going to receive"),
    ),
    "spare": Relation(
        "thing", "thing", "the {F} that replaces {e} when it fails",
        "the {es} that {f} replaces when they fail",
        ("the {F} that is the spare of {e}", "the {F} that steps in for {e}"),
        ("the {es} whose spare is {f}", "the {es} for which {f} steps in"),
    ),
    "carrier": Relation(
        "thing", "thing", "the {F} on which {e} is transported", "the {es} transported on {f}",
        ("the {F} that carries {e}", "the {F} with {e} on board"),
        ("the {es} that {f} carries", "the {es} on board of {f}"),
    ),
    "employer": Relation(
        "person", "site", "the {F} in which {e} is employed", "the {es} employed in {f}",
        ("the {F} where {e} works", "the {F} that has {e} on its payroll"),
        ("the {es} who work in {f}", "the {es} on the payroll of {f}"),
    ),
    "school": Relation(
        "person", "site", "the {F} in which {e} learned the trade",
        "the {es} who learned the trade in {f}",
        ("the {F} that trained {e}", "the {F} where {e} was an apprentice"),
        ("the {es} trained by {f}", "the {es} who were apprentices in {f}"),
    ),
    "superior": Relation(
        "person", "person", "the {F} to whom {e} reports", "the {es} who report to {f}",
        ("the {F} who is the boss of {e}", "the {F} who gives {e} orders"),
        ("the {es} whose boss is {f}", "the {es} who get orders from {f}"),
    ),
    "deputy": Relation(
        "person", "person", "the {F} who is the deputy of {e}", "the {es} whose deputy is {f}",
        ("the {F} who stands in for {e}", "the {F} who does the work of {e} on days off"),
        ("the {es} for whom {f} stands in", "the {es} whose work {f} does on days off"),
    ),
    "driven": Relation(
        "person", "thing", "the {F} that is assigned to {e}", "the {es} to whom {f} is assigned",
        ("the {F} that {e} uses at work", "the {F} that {e} has on duty"),
        ("the {es} who use {f} at work", "the {es} who have {f} on duty"),
    ),
    "head": Relation(
        "site", "person", "the {F} at the head of {e}", "the {es} headed by {f}",
        ("the {F} who runs {e}", "the {F} who makes the decisions in {e}"),
        ("the {es} that {f} runs", "the {es} where {f} makes the decisions"),
    ),
    "guard": Relation(
        "site", "person", "the {F} who guards {e}", "the {es} guarded by {f}",
        ("the {F} who keeps watch over {e}", "the {F} who sees that nobody breaks into {e}"),
        ("the {es} that {f} keeps watch over", "the {es} that {f} saves from burglars"),
    ),
    "supplier": Relation(
        "site", "site", "the {F} that supplies {e}", "the {es} that {f} supplies",
        ("the {F} where {e} gets its goods", "the {F} that brings {e} its goods"),
        ("the {es} that get their goods from {f}", "the {es} whose goods {f} brings"),
    ),
    "branch": Relation(
        "site", "site", "the {F} that keeps the accounts of {e}",
        "the {es} whose accounts {f} keeps",
        ("the {F} that does the books of {e}", "the {F} that does the bookkeeping for {e}"),
        ("the {es} whose books are done by {f}", "the {es} for which {f} does the bookkeeping"),
    ),
    "tractor": Relation(
        "site", "thing", "the {F} reserved for {e}", "the {es} for which {f} is reserved",
        ("the {F} that only {e} may use", "the {F} set aside for {e}"),
        ("the {es} that alone may use {f}", "the {es} for which {f} is set aside"),
    ),
}  # fmt: skip


class Measure(NamedTuple):
    """A quantity that records of a sort have."""

    sort: Sort
    family: Family
    gloss: str
    requests: tuple[str, ...]


MEASURES: Mapping[str, Measure] = {
    "mass": Measure("thing", "mass", "mass without load", ("empty weight", "weight when empty")),
    "load": Measure("thing", "mass", "greatest load", ("carrying capacity", "payload")),
    "price": Measure("thing", "money", "purchase price", ("original cost", "cost when new")),
    "cover": Measure("thing", "money", "insured value", ("cover by the policy", "insurance sum")),
    "height": Measure("thing", "length", "height", ("vertical extent", "tallness")),
    "width": Measure("thing", "length", "width", ("horizontal extent", "breadth")),
    "repair": Measure("thing", "duration", "mending time", ("time in repair", "repair time")),
    "wage": Measure("person", "money", "monthly wage", ("pay for a month", "salary")),
    "bonus": Measure("person", "money", "yearly premium", ("bonus at year's end", "bonus")),
    "way": Measure("person", "length", "distance from home to work", ("commute", "way to work")),
    "run": Measure("person", "length", "longest run", ("running record", "best marathon attempt")),
    "service": Measure("person", "duration", "length of service", ("seniority", "time with us")),
    "leave": Measure("person", "duration", "unused leave", ("holiday left", "time off left")),
    "baggage": Measure("person", "mass", "baggage allowance", ("luggage limit", "suitcase limit")),
    "rent": Measure("site", "money", "yearly rent", ("lease cost", "cost of the lease")),
    "stock": Measure("site", "money", "value of the stock", ("worth of the goods", "goods' worth")),
    "border": Measure("site", "length", "distance to the border", ("way to the frontier",
        "remoteness from the frontier")),
    "fence": Measure("site", "length", "length of the fence", ("perimeter", "enclosure length")),
    "tank": Measure("site", "volume", "fuel reserve", ("petrol supply", "petrol in the tanks")),
    "water": Measure("site", "volume", "daily water use", ("tap consumption", "water bill volume")),
    "waste": Measure("site", "mass", "weekly waste", ("rubbish in a week", "rubbish per week")),
}  # fmt: skip


class Charge(NamedTuple):
    """An amount of money that depends on a record ``{e}`` and on a quantity ``{q}``."""

    sort: Sort
    family: Family
    gloss: str
    requests: tuple[str, ...]


CHARGES: Mapping[str, Charge] = {
    "storage": Charge(
        "site", "mass", "what {e} charges for storing a mass",
        ("the bill of {e} for keeping goods as heavy as {q}",
         "what {e} takes for looking after a load equal to {q}"),
    ),
    "filling": Charge(
        "site", "volume", "what {e} charges for filling tanks with a volume",
        ("the bill of {e} for pumping as much as {q}",
         "what {e} takes for pumping an amount equal to {q}"),
    ),
    "hire": Charge(
        "thing", "duration", "what the use of {e} costs for a duration",
        ("the price of hiring {e} for as long as {q}",
         "what one pays to have {e} for a time equal to {q}"),
    ),
    "trip": Charge(
        "thing", "length", "what it costs to move {e} over a distance",
        ("the price of taking {e} as far as {q}",
         "what one pays to bring {e} a distance equal to {q}"),
    ),
    "labour": Charge(
        "person", "duration", "what {e} earns with work of a duration",
        ("the pay of {e} for being busy as long as {q}",
         "what {e} gets for a shift equal to {q}"),
    ),
    "walk": Charge(
        "person", "length", "what {e} is reimbursed for a journey of a distance",
        ("the refund to {e} for driving as far as {q}",
         "what {e} gets back for a trip equal to {q}"),
    ),
}  # fmt: skip

UNITS: Mapping[Family, Mapping[str, int]] = {
    "mass": {"grams": 1, "kilograms": 1_000, "tonnes": 1_000_000},
    "money": {"cents": 1, "euros": 100},
    "length": {"millimetres": 1, "centimetres": 10, "metres": 1_000, "kilometres": 1_000_000},
    "duration": {"minutes": 1, "hours": 60, "days": 1_440, "weeks": 10_080},
    "volume": {"millilitres": 1, "litres": 1_000, "cubic metres": 1_000_000},
    "number": {"": 1},
}
"""The units of each family with their sizes in the smallest one, the smallest first."""


def converted(amount: Fraction, family: Family, before: str, after: str) -> Fraction:
    """An amount in another unit.

    >>> converted(Fraction(90), "duration", "minutes", "hours")
    Fraction(3, 2)
    """
    return amount * UNITS[family][before] / UNITS[family][after]
