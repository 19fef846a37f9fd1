"""Seats in a row or around a table, and what rules about neighbours, distances and sides mean."""

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from palaestra.generators.logic.placements import Makers, Placement, Rule

ROW: dict[str, tuple[str, ...]] = {
    "next": ("{A} sits next to {B}.", "{A} and {B} are neighbours."),
    "end": ("{A} sits at one end.", "{A} has only one neighbour."),
    "left": ("{A} sits somewhere to the left of {B}.", "{B} sits somewhere to the right of {A}."),
    "not next": ("{A} does not sit next to {B}.", "{A} and {B} are not neighbours."),
    "apart": (
        "Exactly {n} sit between {A} and {B}.",
        "Between {A} and {B} there {are} exactly {n} seat{s}.",
    ),
    "far": (
        "At least {n} sit between {A} and {B}.",
        "Between {A} and {B} there {are} {n} seat{s} or more.",
    ),
    "between": (
        "{A} sits somewhere between {B} and {C}.",
        "{B} and {C} sit on different sides of {A}.",
    ),
    "one of two": (
        "{A} sits next to {B} or next to {C}, but not to both.",
        "Exactly one of {B} and {C} is a neighbour of {A}.",
    ),
    "nearer": (
        "{A} sits nearer to {B} than to {C}.",
        "Fewer people sit between {A} and {B} than between {A} and {C}.",
    ),
    "if left": (
        "If {A} sits somewhere to the left of {B}, then {C} sits somewhere to the left of {D}.",
        "{C} sits somewhere to the left of {D} if {A} sits somewhere to the left of {B}.",
    ),
}
"""The forms of rules in a row, in two wordings each, the simplest first."""

TABLE: dict[str, tuple[str, ...]] = {
    "next": ROW["next"],
    "opposite": ("{A} sits opposite {B}.", "{A} and {B} face each other across the table."),
    "not next": ROW["not next"],
    "right": (
        "{B} sits in the next seat clockwise after {A}.",
        "The next seat clockwise after {A} is that of {B}.",
    ),
    "not opposite": ("{A} does not sit opposite {B}.", "{A} and {B} do not face each other."),
    "apart": (
        "On the shorter way around, exactly {n} sit between {A} and {B}.",
        "Between {A} and {B} there {are} exactly {n} seat{s} on the shorter way around.",
    ),
    "far": (
        "On the shorter way around, at least {n} sit between {A} and {B}.",
        "Between {A} and {B} there {are} {n} seat{s} or more on the shorter way around.",
    ),
    "one of two": ROW["one of two"],
    "nearer": (
        "By the shorter ways around, {A} sits nearer to {B} than to {C}.",
        "On the shorter ways around, the way from {A} to {B} passes fewer people than that to {C}.",
    ),
    "if next": (
        "If {A} sits next to {B}, then {C} sits next to {D}.",
        "{C} sits next to {D} if {A} sits next to {B}.",
    ),
}
"""The forms at a round table."""

PEOPLE = {"end": 1, "between": 3, "one of two": 3, "nearer": 3, "if left": 4, "if next": 4}
"""The number of people of a form, where it is not 2."""


class Seats(NamedTuple):
    """Numbered seats, one for each person, in a row or, clockwise, at a round table."""

    number: int
    is_round: bool

    @property
    def people(self) -> int:
        """The number of people."""
        return self.number

    @property
    def least(self) -> int:
        """One person sits in each seat."""
        return 1

    @property
    def most(self) -> int:
        """One person sits in each seat."""
        return 1

    def distance(self, one: int, other: int) -> int:
        """How many seats away one seat is from another; on the shorter way, where there are two."""
        steps = abs(one - other)
        return min(steps, self.number - steps) if self.is_round else steps

    def holds(self, rule: Rule, placement: Placement) -> bool:
        """Whether people in these seats satisfy a rule."""
        a, *others = (placement[person] for person in rule.people)
        if rule.form == "end":
            return a in {0, self.number - 1}
        b = others[0]
        distance = self.distance(a, b)
        if len(others) == 1:
            n = rule.numbers[0] if rule.numbers else 0
            return {
                "next": distance == 1,
                "not next": distance != 1,
                "left": a < b,
                "right": (b - a) % self.number == 1,
                "opposite": 2 * distance == self.number,
                "not opposite": 2 * distance != self.number,
                "apart": distance == n + 1,
                "far": distance > n,
            }[rule.form]
        c = others[1]
        if rule.form == "between":
            return min(b, c) < a < max(b, c)
        if rule.form == "one of two":
            return (distance == 1) != (self.distance(a, c) == 1)
        if rule.form == "nearer":
            return distance < self.distance(a, c)
        d = others[2]
        if rule.form == "if left":
            return not a < b or c < d
        return distance != 1 or self.distance(c, d) == 1


UNORDERED = {"next", "not next", "opposite", "not opposite", "apart", "far"}
"""Forms in which two people can be exchanged; "between" and "one of two" have such a pair, too."""


def makers(seats: Seats, forms: int) -> Makers:
    """Functions that return a random rule of one of the first forms."""
    names = [*(TABLE if seats.is_round else ROW)]
    if seats.is_round and seats.number % 2:  # nobody sits opposite anybody
        names = [name for name in names if "opposite" not in name]
    return [_maker(seats, name) for name in names[:forms]]


def _maker(seats: Seats, form: str) -> Callable[[Random], Rule]:
    def rule(rng: Random) -> Rule:
        people = rng.sample(range(seats.people), PEOPLE.get(form, 2))
        if form in UNORDERED:
            people.sort()  # so that no rule occurs twice, in other words
        elif form in {"between", "one of two"}:
            people[1:] = sorted(people[1:])
        farthest = seats.distance(0, seats.number // 2 if seats.is_round else seats.number - 1)
        numbers = (rng.randint(1, farthest - 1),) if form in {"apart", "far"} else ()
        return Rule(form, tuple(people), numbers)

    return rule


def sentence(rule: Rule, is_round: bool, names: Sequence[str], wording: int) -> str:
    """A rule in words.

    >>> sentence(Rule("apart", (1, 0), (1,)), False, ["Ada", "Bo"], 1)
    'Between Bo and Ada there is exactly 1 seat.'
    """
    texts = (TABLE if is_round else ROW)[rule.form]
    n = rule.numbers[0] if rule.numbers else 0
    people = {letter: names[person] for letter, person in zip("ABCD", rule.people)}
    text = texts[wording % len(texts)]
    if n == 1:
        text = text.replace("{n} sit ", "{n} sits ")
    return text.format(**people, n=n, s="" if n == 1 else "s", are="is" if n == 1 else "are")
