"""A telephone company: plans, lines and bills, phones, and what is wrong with them."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from palaestra.generators.people import NAMES
from palaestra.generators.tools.telecom_support.policy import SYMPTOMS, Plan, Symptom, Terms

HOME = ("Ashby", "Brill", "Corley", "Dunmore", "Elston", "Farley")
ABROAD = ("Norway", "Peru", "Kenya", "Japan", "Italy")
PLANS = ("Amber", "Coral", "Indigo", "Olive", "Violet")
APNS = ("orbit-web", "orbit-net", "web-orbit", "orbit-data", "net-orbit")

FAULTS = {
    "service": ("overdue", "airplane", "loose"),
    "data": ("data", "apn", "used up", "line roaming", "phone roaming"),
    "speed": ("mode", "saver", "vpn"),
    "pictures": ("2G", "sms", "storage"),
}
"""Faults with a remedy, by the stage of the diagnosis."""

HOPELESS = {
    "service": ("outage", "stolen", "contract_ended", "debt", "unwilling", "damaged", "locked"),
    "data": ("no plan", "unaffordable"),
}
"""What is escalated, by the stage of the diagnosis."""


class Phone(NamedTuple):
    """The settings of a phone."""

    airplane: bool = False
    sim: str = "in order"
    data: bool = True
    roaming: bool = False
    mode: str = "4G"
    apn: str = ""
    vpn: bool = False
    saver: bool = False
    sms: bool = True
    storage: bool = True


class Line(NamedTuple):
    """A line. ``suspended`` is the cause of a suspension, and empty if there is none."""

    number: int
    customer: str
    telephone: int
    plan: str
    suspended: str
    is_roaming: bool
    used: int
    added: int


class Bill(NamedTuple):
    """A bill of a line: paid, open or overdue."""

    number: int
    line: int
    amount: int
    status: str


class Area(NamedTuple):
    """Where customers are."""

    name: str
    abroad: bool
    outage: bool


class Company(NamedTuple):
    """The records of the company, and the phones of its lines in the same order."""

    plans: tuple[Plan, ...]
    lines: tuple[Line, ...]
    phones: tuple[Phone, ...]
    bills: tuple[Bill, ...]
    areas: tuple[Area, ...]


class Trouble(NamedTuple):
    """What a customer complains about, and knows.

    ``before`` are gigabytes that the customer states until asked to confirm, and ``mistaken`` is a
    wrong telephone number that the customer states first; 0 where there is none.
    """

    line: int
    symptom: Symptom
    area: str
    willing: bool
    gigabytes: int
    before: int = 0
    mistaken: int = 0


class Size(NamedTuple):
    """The numbers of what a conversation is about."""

    symptoms: int
    troubles: int
    faults: int
    """Faults of each line, at most."""
    decoys: int
    """Unusual settings of each phone that are none of the faults, at most."""
    hopeless: int
    """Troubles that are escalated for certain."""
    more_hopeless: int
    """The percentage of the others that are."""
    lines: int
    """Lines without trouble."""
    mistakes: int
    """Troubles with a mistaken number."""


def random_terms(rng: Random) -> Terms:
    """A policy with random numbers."""
    return Terms(
        apn=rng.choice(APNS),
        debt=rng.choice((90, 100, 120, 150)),
        bulk=rng.randint(3, 5),
        discount=rng.choice((10, 15, 20, 25)),
        slow=rng.choice(("2G", "3G")),
    )


class Draft:
    """A company in the making: a line, its phone and its bills at a time."""

    def __init__(self, rng: Random, terms: Terms) -> None:
        self.rng, self.terms = rng, terms
        self.plans = [self._plan(name, n) for n, name in enumerate(PLANS)]
        away = (*(Area(each, abroad=True, outage=False) for each in ABROAD),)
        self.areas = [Area(name, abroad=False, outage=n < 2) for n, name in enumerate(HOME)]
        self.areas += away
        self.lines: list[Line] = []
        self.phones: list[Phone] = []
        self.bills: list[Bill] = []
        self.numbers = iter(rng.sample(range(1_000, 10_000), 300))

    def _plan(self, name: str, number: int) -> Plan:
        rng = self.rng
        most = rng.randint(3, 7)
        price = rng.randint(3, 11)
        return Plan(
            name, rng.randint(5, 30), price, most, number % 2 == 0, rng.choice(("4G", "5G"))
        )

    def add(self, customer: str, telephone: int, faults: Sequence[str], abroad: bool) -> Line:
        """Add a line with faults."""
        rng = self.rng
        plans = [p for p in self.plans if p.roaming != ("no plan" in faults) or not abroad]
        plan = rng.choice(plans)
        is_empty = "used up" in faults or "unaffordable" in faults
        added = rng.choice((0, 0, 1, 2))
        suspended = {"stolen": "stolen", "contract_ended": "contract_ended"}
        owes = {"overdue", "debt", "unwilling"} & {*faults}
        causes = [suspended[fault] for fault in faults if fault in suspended]
        line = Line(
            number=next(self.numbers),
            customer=customer,
            telephone=telephone,
            plan=plan.name,
            suspended=causes[0] if causes else "overdue" if owes else "",
            is_roaming="line roaming" not in faults if abroad else rng.random() < 0.3,
            used=plan.data + added - (0 if is_empty else rng.randint(1, plan.data)),
            added=added,
        )
        self._bill(line, is_large="debt" in faults)
        self.lines.append(line)
        self.phones.append(self._phone(plan, faults, abroad))
        return line

    def _bill(self, line: Line, is_large: bool) -> None:
        rng, limit = self.rng, self.terms.debt
        number = rng.randint(1, 3)
        most = limit // number
        low, high = (limit // 2 + 1, limit) if is_large else (most // 2, most)
        amounts = [rng.randint(low, high) for _ in range(2 if is_large else number)]
        is_overdue = line.suspended == "overdue" or rng.random() < 0.1
        for amount in amounts:
            status = "overdue" if is_overdue else "paid"
            self.bills.append(Bill(next(self.numbers), line.number, amount, status))
        if rng.random() < 0.6:
            self.bills.append(Bill(next(self.numbers), line.number, rng.randint(9, 80), "open"))

    def _phone(self, plan: Plan, faults: Sequence[str], abroad: bool) -> Phone:
        rng = self.rng
        fast = ["3G", "4G", "5G"] if self.terms.slow == "2G" else ["4G", "5G"]
        mode = rng.choice([each for each in fast if each <= plan.fastest])
        if "2G" in faults or "mode" in faults:
            slow = ("2G", "3G") if self.terms.slow == "3G" and "2G" not in faults else ("2G",)
            mode = rng.choice(slow)
        elif "slow" in faults:
            mode = "3G"
        sims = [each for each in ("loose", "damaged", "locked") if each in faults]
        others = [apn for apn in APNS if apn != self.terms.apn]
        return Phone(
            airplane="airplane" in faults,
            sim=sims[-1] if sims else "in order",
            data="data" not in faults,
            roaming="phone roaming" not in faults if abroad else rng.random() < 0.3,
            mode=mode,
            apn=rng.choice(others) if "apn" in faults else self.terms.apn,
            vpn="vpn" in faults,
            saver="saver" in faults,
            sms="sms" not in faults,
            storage="storage" not in faults,
        )


def random_troubles(
    rng: Random, size: Size, terms: Terms
) -> tuple[Company, str, tuple[Trouble, ...]]:
    """A random company, a customer by name, and troubles, each with a line of its own."""
    name, *others = rng.sample(NAMES, 6)
    draft = Draft(rng, terms)
    telephones = iter(rng.sample(range(5_550_000, 5_560_000), size.troubles * 2 + size.lines))
    troubles = [
        _trouble(draft, name, next(telephones), size, is_hopeless)
        for is_hopeless in _hopeless(rng, size)
    ]
    for n in range(size.mistakes):
        mistaken = next(telephones)
        if n % 2 == 0:
            draft.add(rng.choice(others), mistaken, _some_faults(rng), abroad=False)
        troubles[n] = troubles[n]._replace(mistaken=mistaken)
    for n in range(size.lines):
        owner = name if n % 2 == 0 else rng.choice(others)
        draft.add(owner, next(telephones), _some_faults(rng), abroad=False)
    order = rng.sample(range(len(draft.lines)), len(draft.lines))
    rng.shuffle(troubles)
    company = Company(
        plans=tuple(draft.plans),
        lines=tuple(draft.lines[n] for n in order),
        phones=tuple(draft.phones[n] for n in order),
        bills=tuple(rng.sample(draft.bills, len(draft.bills))),
        areas=tuple(draft.areas),
    )
    return company, name, tuple(troubles)


def _some_faults(rng: Random) -> list[str]:
    return rng.sample(("overdue", "stolen", "used up", "vpn", "data"), rng.randint(0, 2))


def _hopeless(rng: Random, size: Size) -> list[bool]:
    """For each trouble, whether it is escalated; of several, at least one is not."""
    left = size.troubles - size.hopeless
    more = [rng.random() * 100 < size.more_hopeless for _ in range(left)]
    if size.troubles > 1:
        more[-1] = False
    return [True] * size.hopeless + more


def _trouble(draft: Draft, customer: str, telephone: int, size: Size, is_hopeless: bool) -> Trouble:
    rng = draft.rng
    symptom = rng.choice(SYMPTOMS[: size.symptoms])
    faults, abroad = _faults(rng, symptom, size, is_hopeless)
    line = draft.add(customer, telephone, faults, abroad)
    wants = 0 if "unaffordable" in faults else rng.randint(1, 8)
    areas = [a.name for a in draft.areas if a.abroad == abroad and a.outage == ("outage" in faults)]
    return Trouble(
        line=line.number,
        symptom=symptom,
        area=rng.choice(areas),
        willing="unwilling" not in faults,
        gigabytes=wants,
        before=wants % 8 + 1 if wants and rng.random() < 0.6 else 0,
    )


def _faults(rng: Random, symptom: Symptom, size: Size, is_hopeless: bool) -> tuple[list[str], bool]:
    """The faults and decoys of a phone, and whether it is abroad."""
    stages = {"service": ("service",), "data": ("service", "data", "speed")}
    concerned = stages.get(symptom, ("service", "data", "pictures"))
    pool = [fault for stage in concerned for fault in FAULTS[stage]]
    faults = rng.sample(pool, min(len(pool), rng.randint(max(1, size.faults - 1), size.faults)))
    others = ["data", "apn", "used up", "vpn", "saver", "sms", "storage", "slow"]
    if symptom == "data":
        others = ["sms", "storage"]
    elif symptom == "pictures":
        others = ["vpn", "saver", "slow"]
    if is_hopeless:
        ends = [end for stage in concerned for end in HOPELESS.get(stage, ())]
        faults.append(rng.choice(ends))
    abroad = bool({"line roaming", "phone roaming", "no plan"} & {*faults}) or rng.random() < 0.2
    if "outage" in faults:
        abroad = False
    return faults + rng.sample(others, min(len(others), size.decoys)), abroad
