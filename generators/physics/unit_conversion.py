"""Invented units that definitions link to one another, and questions that convert between them."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import Literal, NamedTuple

from palaestra.verifiers.quantities.units import Unit, product, unit

Topic = Literal["amount", "reading", "difference", "uncertainty"]
"""What is converted; only a reading on a scale depends on where the scale has its zero."""

SCALE_TOPICS: tuple[Topic, ...] = ("reading", "difference", "uncertainty")

REAL = (("cm", "inch", "foot"), ("second", "minute", "hour"), ("gram", "kilogram", "tonne"))
"""Real units that definitions may lead through, of which each is an exact multiple of the first."""

Powers = tuple[tuple[str, int], ...]
"""Units with their powers, other than 0."""


class Definition(NamedTuple):
    """So many of one unit are so many of another; the amounts are decimals."""

    amount: str
    one: str
    other_amount: str
    other: str


class FixedPoints(NamedTuple):
    """Two temperatures on two scales: ``one`` shows the first values, ``other`` the second ones."""

    one: str
    other: str
    low: tuple[int, int]
    high: tuple[int, int]


class Question(NamedTuple):
    """A value in a unit, which is asked for in another; a single unit where it is on a scale."""

    topic: Topic
    value: int
    source: Powers
    target: Powers
    digits: int
    """Significant digits to round to; 0 for the exact value."""


Link = Definition | FixedPoints


class System(NamedTuple):
    """Definitions of units, and of scales of temperature."""

    definitions: tuple[Definition, ...]
    scales: tuple[FixedPoints, ...]

    def links(self) -> "tuple[Link, ...]":
        """All definitions."""
        return (*self.definitions, *self.scales)

    def units(self) -> dict[str, Unit]:
        """The unit of each name, in terms of one unit of its sort."""
        known = dict[str, Unit]()
        pending = [*self.links()]
        while pending:
            link = next((each for each in pending if {each.one, each.other} & known.keys()), None)
            if link is None:
                first = pending[0].one
                known[first] = Unit(((first, 1),))
                continue
            pending.remove(link)
            slope, shift = line(link)  # other = slope * one + shift
            if link.one in known:
                base = known[link.one]
                factor = base.factor / slope
                known[link.other] = Unit(base.dimension, factor, base.offset - factor * shift)
            else:
                base = known[link.other]
                known[link.one] = Unit(
                    base.dimension, base.factor * slope, base.offset + base.factor * shift
                )
        return known

    def value(self, question: Question) -> Fraction:
        """The exact value that a question asks for."""
        known = self.units()
        if question.topic == "reading":
            source, target = (known[powers[0][0]] for powers in (question.source, question.target))
        else:
            source, target = (
                product([(without_zero(known[name]), power) for name, power in powers])
                for powers in (question.source, question.target)
            )
        return source.convert(Fraction(question.value), target)

    def path(self, start: str, end: str) -> list["Step"]:
        """The links from one unit to another, each with whether it is followed forwards.

        The links form a forest, so that there is one path; it is empty for ``start == end``.
        """
        return paths(self, start)[end]


Step = tuple[Link, bool]


@lru_cache(maxsize=64)
def neighbours(system: System) -> Mapping[str, list[tuple[str, Step]]]:
    """The units that definitions link to each unit, with the links."""
    linked: dict[str, list[tuple[str, Step]]] = {}
    for link in system.links():
        linked.setdefault(link.one, []).append((link.other, (link, True)))
        linked.setdefault(link.other, []).append((link.one, (link, False)))
    return linked


def paths(system: System, start: str) -> dict[str, list[Step]]:
    """The path from one unit to every unit that it can be converted into."""
    linked = neighbours(system)
    ways: dict[str, list[Step]] = {start: []}
    queue = [start]
    for name in queue:
        for other, step in linked[name]:
            if other not in ways:
                ways[other] = [*ways[name], step]
                queue.append(other)
    return ways


def without_zero(one: Unit) -> Unit:
    """The unit of differences on a scale."""
    return Unit(one.dimension, one.factor)


def line(link: Link) -> tuple[Fraction, Fraction]:
    """Slope and shift of the values in the other unit as a function of those in the one.

    >>> [str(n) for n in line(FixedPoints("a", "b", (0, 32), (100, 212)))]
    ['9/5', '32']
    """
    if isinstance(link, Definition):
        return Fraction(link.other_amount) / Fraction(link.amount), Fraction(0)
    slope = Fraction(link.high[1] - link.low[1], link.high[0] - link.low[0])
    return slope, Fraction(link.low[1]) - slope * link.low[0]


def step_by_step(system: System, question: Question) -> Fraction:
    """The value that a question asks for, one definition after another along the path."""
    value = Fraction(question.value)
    for (start, power), (end, _) in zip(question.source, question.target):
        for link, forwards in system.path(start, end):
            slope, shift = line(link)
            if question.topic == "reading":
                value = value * slope + shift if forwards else (value - shift) / slope
            else:
                value *= slope ** (power if forwards else -power)
    return value


def last_place(value: Fraction, digits: int) -> Fraction:
    """The worth of the last of so many significant digits of a number other than 0.

    >>> str(last_place(Fraction(12345), 3)), str(last_place(Fraction(-1, 3), 2))
    ('100', '1/100')
    """
    order = len(str(abs(value.numerator))) - len(str(value.denominator))
    order += (abs(value) >= Fraction(10) ** order) - digits
    return Fraction(10) ** order


def rounded(value: Fraction, digits: int) -> Fraction:
    """A number other than 0, rounded to significant digits; halves are rounded away from 0.

    >>> str(rounded(Fraction(12345), 3)), str(rounded(Fraction(-1, 3), 2))
    ('12300', '-33/100')
    """
    last = last_place(value, digits)
    whole = Fraction((abs(value) * 2 / last + 1) // 2)
    return last * (whole if value > 0 else -whole)


def random_definitions(
    rng: Random, names: Sequence[str], most: int, fractions: bool
) -> list[Definition]:
    """Definitions that link units to a tree, most of them to the unit before.

    Without ``fractions``, one of a unit is a number of the next.
    """
    definitions = list[Definition]()
    for n in range(1, len(names)):
        one, other = names[n - 1 if rng.random() < 0.7 else rng.randrange(n)], names[n]
        amount, other_amount = (1, rng.randint(3, most))
        if fractions and rng.random() < 0.6:
            amount, other_amount = _coprime(rng, most)
        if fractions and rng.random() < 0.5:
            one, other = other, one
        definitions.append(Definition(str(amount), one, str(other_amount), other))
    return definitions


def _coprime(rng: Random, most: int) -> tuple[int, int]:
    while True:
        pair = rng.sample(range(2, most + 1), 2)
        if Fraction(*pair).denominator == pair[1]:
            return pair[0], pair[1]


def real_definitions(names: Sequence[str]) -> list[Definition]:
    """Exact definitions of real units, each but the first by the one before."""
    definitions = list[Definition]()
    for small, large in pairwise(names):
        one, other = unit(large), unit(small)
        assert one is not None
        assert other is not None
        amount = one.convert(Fraction(1), other)
        definitions.append(Definition("1", large, as_decimal(amount), small))
    return definitions


def as_decimal(value: Fraction) -> str:
    """A number of at most ten significant digits, with a power of ten if it is large or small.

    >>> as_decimal(Fraction(127, 50)), as_decimal(Fraction(2693, 10**11))
    ('2.54', '2.693e-08')
    """
    return f"{float(value):.10g}"


def random_scales(rng: Random, names: Sequence[str]) -> list[FixedPoints]:
    """A chain of scales of temperature, with different degrees and zeros."""
    scales = list[FixedPoints]()
    for pair in pairwise(names):
        one, other = rng.sample(pair, 2)
        while True:
            low = (rng.randint(-9, 9) * 5, rng.randint(-9, 9) * 5)
            span, other_span = rng.randint(2, 12) * 5, rng.randint(2, 12) * 5
            link = FixedPoints(one, other, low, (low[0] + span, low[1] + other_span))
            if span != other_span and line(link)[1]:
                break
        scales.append(link)
    return scales


def as_text(powers: Powers) -> str:
    """Units with their powers, separated by spaces.

    >>> as_text((("zak", 2), ("ulo", -1), ("bo", 1)))
    'zak^2 ulo^-1 bo'
    """
    return " ".join(name if power == 1 else f"{name}^{power}" for name, power in powers)


def farthest_pairs(system: System, names: Sequence[str], steps: int) -> list[tuple[str, str]]:
    """Ordered pairs of units that are at least so many definitions apart, or as many as any."""
    lengths = {
        (one, other): len(way)
        for one in names
        for other, way in paths(system, one).items()
        if other != one
    }
    least = min(steps, max(lengths.values()))
    return [pair for pair, length in lengths.items() if length >= least]


class Form(NamedTuple):
    """How hard questions are."""

    steps: int
    """How many definitions lie between two units, at least, if that is possible."""
    power: int
    """The greatest power of a unit."""
    rising: bool
    """Whether a target is never before its source in the order of the units."""
    rounding: bool
    """Whether some values are rounded."""

    def digits(self, rng: Random) -> int:
        """Significant digits to round to; 0 for an exact value."""
        return rng.randint(3, 5) if self.rounding and rng.random() < 0.5 else 0


def random_temperature(rng: Random, system: System, scales: Sequence[str], form: Form) -> Question:
    """A question about a reading on a scale of temperature, or about a difference on it."""
    topic: Topic = rng.choice((*SCALE_TOPICS, "reading"))
    one, other = rng.choice(farthest_pairs(system, scales, form.steps))
    return Question(topic, rng.randint(11, 99), ((one, 1),), ((other, 1),), form.digits(rng))


def random_amount(
    rng: Random, system: System, sorts: Sequence[Sequence[str]], scales: Sequence[str], form: Form
) -> Question:
    """A question about a quantity of one or several dimensions; ``sorts`` are the units of each."""
    converted = list[tuple[tuple[str, str], int]]()
    for sort in rng.sample(sorts, rng.randint(min(2, len(sorts)), len(sorts))):
        pairs = farthest_pairs(system, sort, form.steps)
        if form.rising:
            pairs = [pair for pair in pairs if sort.index(pair[0]) < sort.index(pair[1])]
        power = rng.randint(1, form.power) * (rng.choice((1, -1)) if converted else 1)
        converted.append((rng.choice(pairs), power))
    if form.power > 1 and len(scales) > 1 and rng.random() < 0.5:
        converted.append((rng.choice(farthest_pairs(system, scales, form.steps)), -1))
    source, target = (tuple((pair[end], power) for pair, power in converted) for end in (0, 1))
    return Question("amount", rng.randint(2, 99), source, target, form.digits(rng))
