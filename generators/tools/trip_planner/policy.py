"""The travel policy of an employer, in words; :mod:`.itineraries` applies it."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Literal, NamedTuple

from palaestra.generators.tools.numbered_rules import policy_text, random_rules

Rule = Literal[
    "refundable", "hotel", "night", "train", "carrier", "budget", "card", "appointments",
    "old", "short", "director", "fair", "cheap",
]  # fmt: skip
RULES: tuple[Rule, ...] = (
    "refundable", "hotel", "night", "train", "carrier", "budget", "card", "appointments",
    "old", "short", "director", "fair", "cheap",
)  # fmt: skip
EXCEPTED: Mapping[Rule, tuple[Rule, ...]] = {
    "director": ("night", "train"),
    "fair": ("hotel",),
    "cheap": ("refundable",),
}
"""The rules that a rule is an exception from."""

GRADES = ("junior", "senior", "director")
CATEGORIES = ("A", "B", "C")
CARRIERS = ("Albatros", "Boreal", "Corvus", "Dunlin", "Ember Lines")


class Policy(NamedTuple):
    """The rules that hold, in the order of their numbers, and the values that occur in them.

    Durations are in minutes, amounts in euros.
    """

    rules: tuple[Rule, ...]
    head_office: str
    """The city whose clocks calendars show."""
    margin: int
    abroad: int
    """From the arrival to the meeting, in the own country and abroad."""
    leaving: int
    """From the end of the meeting to the departure."""
    changes: tuple[int, int, int]
    """The least time to change from train to train, from flight to flight, and otherwise."""
    wait: int
    """The longest time to change."""
    walk: int
    """From a hotel to the city centre, at most."""
    limits: tuple[int, int, int]
    """Of the price of a night, by the category of the city."""
    early: str
    late: str
    """The first departure and the last arrival of a day, as HH:MM."""
    train: int
    """A direct train that takes at most so long is preferred to flights."""
    carrier: str
    """The carrier that is suspended."""
    budgets: tuple[int, int, int]
    """Of a trip, by grade."""
    card: int
    """The percentage that holders of a rail card save on trains."""
    short: int
    """Meetings that are shorter are held by video."""
    raised: int
    """The percentage by which limits of hotels rise during a fair."""
    cheap: int
    """Trains up to this price need not be refundable."""

    def has(self, rule: Rule) -> bool:
        """Whether a rule holds."""
        return rule in self.rules

    def number(self, rule: Rule) -> int:
        """The number of a rule in the text."""
        return self.rules.index(rule) + 1

    def text(self) -> str:
        """All rules with their numbers."""
        return policy_text(_general(self), (_TEXTS[rule](self) for rule in self.rules))


def _general(policy: Policy) -> Sequence[str]:
    """What holds besides the numbered rules."""
    trains, flights, mixed = policy.changes
    lines = (
        f"The head office is in {policy.head_office}. Calendars show its time in all cities; "
        "timetables show the local time of each city. The page of a city states its clocks.\n"
        "Of the appointments of the traveller with the title and the city of a request, the meeting"
        " is the earliest one that is not cancelled. If all are cancelled, decline the trip with "
        "the earliest one of them (cancelled).\n"
        "A trip starts and ends in the home city of the traveller. The way there and the way back "
        "have one leg, or two legs with a change in one other city. A leg with no seats left "
        "cannot be booked.\n"
        "Every leg of the way there departs on the local day of the meeting or on the day before, "
        "every leg of the way back on the day of the meeting or on the day after, by the date in "
        "the city that it departs from.\n"
        f"The traveller arrives {policy.margin} minutes before the meeting or earlier; "
        f"{policy.abroad} minutes, if home and the meeting are in different countries. The way "
        f"back departs {policy.leaving} minutes after the meeting or later.\n"
        f"A change takes at least {trains} minutes from train to train, {flights} minutes from "
        f"flight to flight and {mixed} minutes between a train and a flight; it takes at most "
        f"{policy.wait} minutes.\n"
        "If the traveller arrives in the city of the meeting on an earlier date than the way back "
        "departs there, one hotel is booked for all nights between. It has rooms for each night, "
        f"and the walk to the centre takes at most {policy.walk} minutes.\n"
        "Each leg is booked with the basic fare unless a rule asks for the flexible one.\n"
        "Of all itineraries that this policy allows, book the one with the lowest total of fares "
        "and nights; it is the only one with this total. If there is none, decline the trip "
        "(impossible)."
    )
    return lines.splitlines()


def _director(policy: Policy) -> str:
    night, train = policy.number("night"), policy.number("train")
    return f"Rules {night} and {train} do not apply to travellers with the grade director."


_TEXTS: Mapping[Rule, Callable[[Policy], str]] = {
    "refundable": lambda p: (
        "If the meeting is tentative, all legs have the flexible fare, and the hotel has free "
        "cancellation."
    ),
    "hotel": lambda p: (
        "A night in a hotel costs at most "
        + ", ".join(f"{limit} EUR in cities of category {c}" for c, limit in zip("ABC", p.limits))
        + "."
    ),
    "night": lambda p: (
        f"No leg departs before {p.early}, and none arrives after {p.late} or on a later date than "
        "it departs, by the local times of each city."
    ),
    "train": lambda p: (
        "No flight is booked if a train goes from the same city to the same city on the date of "
        f"its departure in {p.train} minutes or less, even a train with no seats left or one "
        "that another rule forbids."
    ),
    "carrier": lambda p: f"The carrier {p.carrier} is suspended: none of its legs is booked.",
    "budget": lambda p: (
        "If the lowest total is above the budget of a trip, which is "
        + ", ".join(f"{limit} EUR for {grade}s" for grade, limit in zip(GRADES, p.budgets))
        + ", book nothing, and request approval for that total."
    ),
    "card": lambda p: (
        f"For holders of a rail card, the price of each train counts {p.card} percent less, "
        "rounded down to whole euros."
    ),
    "appointments": lambda p: (
        "No other confirmed appointment of the traveller overlaps with the time from the first "
        "departure of the trip to its last arrival; tentative and cancelled ones do not count."
    ),
    "old": lambda p: (
        "Before a trip is booked, cancel each booking that the traveller already has for a leg "
        "departing on the day of the meeting, the day before or the day after, by the local "
        "date, even if the same leg is booked again."
    ),
    "short": lambda p: (
        f"If a meeting takes less than {p.short} minutes and is not external, the trip to it is "
        "declined (short)."
    ),
    "director": _director,
    "fair": lambda p: (
        f"The limits of rule {p.number('hotel')} are {p.raised} percent higher if there is a fair "
        "in the city on the date of the arrival at the hotel."
    ),
    "cheap": lambda p: (
        f"By rule {p.number('refundable')}, a train whose basic fare is listed with {p.cheap} EUR "
        "or less still has the basic fare."
    ),
}


def random_policy(rng: Random, head_office: str, number: int) -> Policy:
    """A policy of so many rules with random values."""
    junior = 10 * rng.randint(42, 60)
    low = rng.randint(85, 105)
    change = 5 * rng.randint(3, 5)
    margin = 15 * rng.randint(3, 5)
    return Policy(
        rules=random_rules(rng, RULES, EXCEPTED, number),
        head_office=head_office,
        margin=margin,
        abroad=margin + 15 * rng.randint(2, 4),
        leaving=15 * rng.randint(2, 4),
        changes=(change, change + 5 * rng.randint(3, 6), change + 5 * rng.randint(8, 11)),
        wait=30 * rng.randint(7, 11),
        walk=rng.randint(16, 24),
        limits=(low + 50, low + 25, low),
        early=rng.choice(("06:00", "06:30", "07:00")),
        late=rng.choice(("21:30", "22:00", "22:30")),
        train=10 * rng.randint(17, 26),
        carrier=rng.choice(CARRIERS),
        budgets=(junior, junior + 10 * rng.randint(8, 15), 2 * junior),
        card=5 * rng.randint(3, 8),
        short=rng.choice((75, 90, 100)),
        raised=5 * rng.randint(4, 8),
        cheap=10 * rng.randint(7, 11),
    )
