"""A story as its base and further conditions, each with its lines of the model."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from palaestra.verifiers.modelling.branching import optimum
from palaestra.verifiers.modelling.language import Program, Row

DOMAINS = ("continuous", "integer", "binary")

Values = Mapping[str, int]
"""Numbers for the quantities of a story, by name."""


class Part(NamedTuple):
    """The base of a story, or one of its conditions."""

    text: str
    quantities: Mapping[str, tuple[int, int]] = {}
    """The names of its quantities, with the least and the greatest number."""

    lines: tuple[str, ...] = ()
    """Declarations and constraints."""

    terms: str = ""
    """What it adds to the objective, such as ``+ fee*used``."""

    instead: Mapping[str, str] = {}
    """Lines of the base that change."""

    needless: Collection[str] = ()
    """Lines of the base that follow from its own, and are left out."""

    slip: tuple[str, ...] | None = None
    """Its constraints with a typical mistake; None if there is none to speak of."""


class Feature(NamedTuple):
    """A condition that a story may have."""

    items: int
    """How many items of the story it is about."""

    is_mixed: bool
    """Whether the model of it needs integer variables."""

    build: Callable[..., Part]


class Chosen(NamedTuple):
    """A feature by name, with the numbers of its items."""

    name: str
    items: tuple[int, ...]


class Family(NamedTuple):
    """Stories of a sort."""

    sense: str
    """Empty for a family in which any solution is right."""

    words: tuple[str, ...]
    """Names of items."""

    base: Callable[[Sequence[str]], Part]
    features: Mapping[str, Feature]
    optimum: Callable[[Sequence[str], Sequence[Chosen], Values, Sequence[int]], Fraction | None]
    """The optimum by cases, without the model; None if there is no solution. The last argument has
    weights of the items where the story has no objective.
    """


class Story(NamedTuple):
    """The base of a story with its conditions."""

    sense: str
    base: Part
    conditions: tuple[Part, ...]

    @property
    def parts(self) -> tuple[Part, ...]:
        """All parts."""
        return (self.base, *self.conditions)

    @property
    def quantities(self) -> dict[str, tuple[int, int]]:
        """The ranges of all quantities."""
        return {name: ends for part in self.parts for name, ends in part.quantities.items()}

    def text(self, slipped: Collection[int] = ()) -> str:
        """The model, with mistakes in the conditions of these numbers."""
        right = [part for n, part in enumerate(self.conditions) if n not in slipped]
        needless = {line for part in right for line in part.needless}
        lines = [line for line in self.base.lines if line not in needless]
        for n, part in enumerate(self.conditions):
            lines += part.slip if part.slip is not None and n in slipped else part.lines
        changed = {old: new for part in self.conditions for old, new in part.instead.items()}
        lines = [*dict.fromkeys(changed.get(line, line) for line in lines)]
        terms = " ".join(filter(None, (part.terms for part in self.parts)))
        goal = [f"{self.sense} {terms.removeprefix('+ ')}"] if self.sense else []
        declared = [line for line in lines if is_declaration(line)]
        return "\n".join([*declared, *goal, *(line for line in lines if line not in declared)])

    def without(self, number: int) -> "Story":
        """The story without one of its conditions."""
        left = tuple(part for n, part in enumerate(self.conditions) if n != number)
        return self._replace(conditions=left)


def is_declaration(line: str) -> bool:
    """Whether a line declares variables."""
    return line.split(maxsplit=1)[0] in DOMAINS


def is_constraint(line: str) -> bool:
    """Whether a line of a model is a constraint."""
    return line.split(maxsplit=1)[0] not in (*DOMAINS, "maximize", "minimize")


def widened(line: str) -> list[str]:
    """A declaration without one of its bounds, once for each of them.

    >>> widened("integer slot >= 1 <= slots"), widened("continuous x")
    (['integer slot <= slots', 'integer slot >= 1'], [])
    """
    if not is_declaration(line):
        return []
    head, *bounds = re.split(r" (?=[<>]=)", line)
    return [" ".join([head, *bounds[:n], *bounds[n + 1 :]]) for n in range(len(bounds))]


def relaxed(text: str) -> str:
    """A model whose integer variables are continuous."""
    return "\n".join(map(_relaxed, text.splitlines()))


def _relaxed(line: str) -> str:
    domain, _, rest = line.partition(" ")
    ends = {"integer": "", "binary": " <= 1"}
    return f"continuous {rest}{ends[domain]}" if domain in ends else line


def each(name: str, items: Iterable[str]) -> list[str]:
    """The names of a quantity for all items, such as ``price_oats``."""
    return [f"{name}_{item}" for item in items]


def spans(names: Iterable[str], low: int, high: int) -> dict[str, tuple[int, int]]:
    """The same range for several quantities."""
    return dict.fromkeys(names, (low, high))


def total(terms: Iterable[str]) -> str:
    """A sum."""
    return " + ".join(terms)


def products(quantity: str, variable: str, items: Iterable[str]) -> str:
    """A sum such as ``price_oats*x_oats + price_maize*x_maize``."""
    return total(f"{quantity}_{item}*{variable}_{item}" for item in items)


def listed(words: Sequence[str]) -> str:
    """Words with commas and an 'and'.

    >>> listed(["oats"]), listed(["oats", "maize", "barley"])
    ('oats', 'oats, maize and barley')
    """
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


# ------------------------------------------------------------------------- optima by other means


class Linear:
    """A linear program that is put together from rows, for the optima of single cases."""

    def __init__(self, variables: int) -> None:
        self.names = tuple(str(n) for n in range(variables))
        self.rows = list[Row]()

    def most(self, coefficients: Mapping[int, int], bound: int) -> None:
        """Add ``sum <= bound``."""
        self.rows.append(Row(self._named(coefficients), "<=", bound))

    def least(self, coefficients: Mapping[int, int], bound: int) -> None:
        """Add ``sum >= bound``."""
        self.most({n: -c for n, c in coefficients.items()}, -bound)

    def equal(self, coefficients: Mapping[int, int], bound: int) -> None:
        """Add ``sum = bound``."""
        self.rows.append(Row(self._named(coefficients), "=", bound))

    def _named(self, coefficients: Mapping[int, int]) -> dict[str, int]:
        return {self.names[n]: c for n, c in coefficients.items() if c}

    def cheapest(self, costs: Mapping[int, int]) -> Fraction | None:
        """The least cost; None if there is no solution."""
        size = len(self.names)
        program = Program(
            self.names, (False,) * size, (0,) * size, (None,) * size, "minimize",
            self._named(costs), 0, tuple(self.rows),
        )  # fmt: skip
        return optimum(program).value


def least(values: Iterable[Fraction | None]) -> Fraction | None:
    """The least of values that exist."""
    return min((value for value in values if value is not None), default=None)


def patterns(size: int, are_free: bool) -> Iterator[tuple[bool, ...]]:
    """Which of several items are used: all ways, or all of them."""
    if not are_free:
        yield (True,) * size
        return
    for mask in range(1 << size):
        yield tuple(bool(mask >> n & 1) for n in range(size))
