"""Days of people, and what rules about days, company and order mean."""

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from palaestra.generators.logic.placements import Makers, Placement, Rule

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")

TEXTS: dict[str, tuple[str, str]] = {
    "before": ("{A} comes on an earlier day than {B}.", "{B} comes on a later day than {A}."),
    "not on": ("{A} does not come on {X}.", "{X} is not {A}'s day."),
    "same": ("{A} and {B} come on the same day.", "{A}'s day is also that of {B}."),
    "one of days": ("{A} comes on {X} or {Y}.", "{A}'s day is either {X} or {Y}."),
    "different": ("{A} and {B} come on different days.", "{A}'s day is not that of {B}."),
    "day after": ("{B} comes on the day after {A}.", "{A} comes on the day before {B}."),
    "if on": (
        "If {A} comes on {X}, then {B} comes on {Y}.",
        "{B} comes on {Y} if {A} comes on {X}.",
    ),
    "one with": (
        "Of {B} and {C}, exactly one comes on the same day as {A}.",
        "{A} comes with either {B} or {C}, but not with both.",
    ),
    "exactly": (
        "Exactly {n} of {A}, {B} and {C} come{s} on {X}.",
        "Of {A}, {B} and {C}, {n} come{s} on {X}, no more and no fewer.",
    ),
    "if and only if": (
        "{A} comes on {X} if and only if {B} does not come on {Y}.",
        "Exactly one of these is true: {A} comes on {X}; {B} comes on {Y}.",
    ),
}
"""The forms of rules, in two wordings each, the simplest first."""

PEOPLE = {"not on": 1, "one of days": 1, "one with": 3, "exactly": 3}
"""The number of people of a form, where it is not 2."""

LISTED = {"not on": 1, "one of days": 2, "if on": 2, "if and only if": 2, "exactly": 1}
"""The number of days of a form, where there are any."""


class Days(NamedTuple):
    """Days, the first ones of :data:`DAYS`, on each of which a number of people come."""

    people: int
    number: int
    least: int
    most: int

    def holds(self, rule: Rule, placement: Placement) -> bool:
        """Whether people on these days satisfy a rule."""
        days, numbers = [placement[person] for person in rule.people], rule.numbers
        a, b = days[0], days[1] if len(days) > 1 else -1
        if rule.form in {"not on", "one of days"}:
            return (a in numbers) == (rule.form == "one of days")
        if rule.form == "exactly":
            return days.count(numbers[0]) == numbers[1]
        if rule.form == "one with":
            return (a == b) != (a == days[2])
        if rule.form == "if on":
            return a != numbers[0] or b == numbers[1]
        if rule.form == "if and only if":
            return (a == numbers[0]) != (b == numbers[1])
        return {"before": a < b, "same": a == b, "different": a != b, "day after": b - a == 1}[
            rule.form
        ]


def makers(days: Days, forms: int) -> Makers:
    """Functions that return a random rule of one of the first forms."""
    return [_maker(days, form) for form in [*TEXTS][:forms]]


def _maker(days: Days, form: str) -> Callable[[Random], Rule]:
    def rule(rng: Random) -> Rule:
        people = rng.sample(range(days.people), PEOPLE.get(form, 2))
        if form in {"same", "different", "exactly"}:
            people.sort()  # so that no rule occurs twice, in other words
        elif form == "one with":
            people[1:] = sorted(people[1:])
        if form == "exactly":
            return Rule(form, tuple(people), (rng.randrange(days.number), rng.choice((0, 1, 1, 2))))
        number = LISTED.get(form, 0)
        if form in {"if on", "if and only if"}:
            return Rule(form, tuple(people), tuple(rng.choices(range(days.number), k=number)))
        return Rule(form, tuple(people), tuple(sorted(rng.sample(range(days.number), number))))

    return rule


def sentence(rule: Rule, names: Sequence[str], wording: int) -> str:
    """A rule in words.

    >>> sentence(Rule("exactly", (0, 1, 2), (3, 1)), ("Ada", "Bo", "Cleo"), 0)
    'Exactly 1 of Ada, Bo and Cleo comes on Thursday.'
    """
    texts = TEXTS[rule.form]
    values = {letter: names[person] for letter, person in zip("ABC", rule.people)}
    listed = rule.numbers[:1] if rule.form == "exactly" else rule.numbers
    values |= {letter: DAYS[day] for letter, day in zip("XY", listed)}
    n = rule.numbers[1] if rule.form == "exactly" else 0
    return texts[wording % len(texts)].format(**values, n=n, s="s" if n == 1 else "")
