"""What a recipe is, and how recipes are combined: sums, products, gates, clips.

Each knows its range when it is built, and whether it keeps the order of right and wrong.

>>> from palaestra.verifiers.shaping import Format, SoftOverlong, Truth
>>> reward = Format() * Truth() + 0.5 * SoftOverlong(limit=8_192, buffer=1_024)
>>> reward.low, reward.high, reward.keeps_order
(-0.5, 1.0, False)
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from itertools import combinations
from math import fsum, isnan, prod
from typing import NamedTuple

from palaestra.task import Score
from palaestra.verifiers.shaping.options import typed
from palaestra.verifiers.shaping.transcript import RecipeError, Transcript

DEPTH = 32
"""How deep recipes may nest."""

GATES = 6
"""How many different gates a recipe may have."""

HEAVIEST = 1e9
"""Weights are below this."""

FARTHEST = 1e12
"""No reward is farther from 0 than this, so that rewards can be added up."""

FINEST = 2.0**-20
"""How far right answers have to be above all others, as a share of the largest reward.

Trainers compute in float32, which rounds at ``2**-24``; the four bits between are for the rounding
of means over a group. In bfloat16, which rounds at ``2**-8``, order is kept from ``2**-7`` on.
"""

TINIEST = 2.0**-100
"""And how far at least: on GPUs what is below ``2**-126`` becomes 0."""


class Span(NamedTuple):
    """A range of rewards, ends included."""

    low: float
    high: float

    def joined(self, other: "Span") -> "Span":
        """Return the smallest range that contains both."""
        return Span(min(self.low, other.low), max(self.high, other.high))


@dataclass(frozen=True, slots=True)
class Recipe(ABC):
    """Makes a number of a score and a transcript, within a range that is known when it is built.

    ``if_right`` is the range of what right answers earn, and ``if_wrong`` that of all others.
    A gate is part of what right means (see :class:`Gated`): a right answer that does not pass it
    counts among the others. Subclasses are frozen dataclasses with slots. Options that cannot work
    raise :class:`RecipeError` when the recipe is built.
    """

    if_right: Span = field(init=False, repr=False, compare=False)
    if_wrong: Span = field(init=False, repr=False, compare=False)
    depth: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for option in fields(self):
            if option.init:
                value = typed(type(self), option.name, getattr(self, option.name))
                object.__setattr__(self, option.name, value)
        self.check()
        if any(not isinstance(part, Recipe) for part in self.inner()):
            raise RecipeError("recipes are made of recipes")
        object.__setattr__(self, "depth", 1 + max((part.depth for part in self.inner()), default=0))
        gates = self.gates()
        if self.depth > DEPTH or len(gates) > GATES:
            raise RecipeError(f"recipes nest up to {DEPTH} deep and have up to {GATES} gates")
        self._set_spans(gates)

    def _set_spans(self, gates: "frozenset[Gate]") -> None:
        """Work out the spans from every way in which the gates may stand open or closed."""
        order = sorted(gates, key=repr)
        ways = [frozenset(some) for n in range(len(order)) for some in combinations(order, n)]
        right, wrong = self.span(True, gates), self.span(False, gates)
        for opened in ways:
            wrong = wrong.joined(self.span(True, opened)).joined(self.span(False, opened))
        for name, (low, high) in (("if_right", right), ("if_wrong", wrong)):
            if not -FARTHEST <= low <= high <= FARTHEST:
                raise RecipeError(f"rewards are finite numbers, and do not go from {low} to {high}")
            object.__setattr__(self, name, Span(float(low), float(high)))

    def check(self) -> None:  # noqa: B027  many have nothing to check
        """Raise :class:`RecipeError` if the options are invalid."""

    def inner(self) -> "Sequence[Recipe]":
        """The recipes that it is made of."""
        return ()

    def gates(self) -> "frozenset[Gate]":
        """The gates that a reply has to pass to count as right."""
        return frozenset[Gate]().union(*(part.gates() for part in self.inner()))

    @abstractmethod
    def span(self, correct: bool, opened: "frozenset[Gate]") -> Span:
        """The range of what a right or a wrong answer earns that passes just these gates."""

    @abstractmethod
    def value(self, score: Score, transcript: Transcript) -> float:
        """The number itself."""

    @property
    def low(self) -> float:
        """The least that it gives."""
        return min(self.if_right.low, self.if_wrong.low)

    @property
    def high(self) -> float:
        """The most that it gives."""
        return max(self.if_right.high, self.if_wrong.high)

    @property
    def gap(self) -> float:
        """How much more the least that right answers earn is than the most that all others do."""
        return self.if_right.low - self.if_wrong.high

    @property
    def keeps_order(self) -> bool:
        """Whether every right answer provably earns more than every other one, in float32, too."""
        return self.gap >= max(FINEST * max(abs(self.low), abs(self.high)), TINIEST)

    def __call__(self, score: Score, transcript: Transcript) -> float:
        """The reward, from :attr:`low` to :attr:`high`."""
        value = self.value(score, transcript)
        if isnan(value):
            raise RecipeError(f"{type(self).__name__} gives no number")
        return min(max(value, self.low), self.high) + 0.0  # which makes 0 of -0

    def __add__(self, other: "Recipe") -> "Sum":
        return Sum((*_terms(self), *_terms(other)))

    def __mul__(self, other: "Recipe") -> "Recipe":
        if isinstance(self, Gate) and isinstance(other, Recipe):
            return Gates((self, other)) if isinstance(other, Gate) else Gated(self, other)
        return Gated(other, self) if isinstance(other, Gate) else Product((self, other))

    def __rmul__(self, weight: float) -> "Sum":
        return Sum(((weight, self),))


def _terms(recipe: Recipe) -> "Sequence[tuple[float, Recipe]]":
    return recipe.terms if isinstance(recipe, Sum) else ((1.0, recipe),)


@dataclass(frozen=True, slots=True)
class Gate(Recipe):
    """A condition on the transcript alone: 1 if it is met, otherwise 0.

    ``gate * recipe`` multiplies by it, which makes it part of what right means; as a term of a sum
    it is a mere bonus, which counts like any other.
    """

    @abstractmethod
    def opens(self, transcript: Transcript) -> bool:
        """Return whether the condition is met."""

    def span(self, correct: bool, opened: "frozenset[Gate]") -> Span:
        return Span(0.0, 1.0)

    def value(self, score: Score, transcript: Transcript) -> float:
        return float(self.opens(transcript))


@dataclass(frozen=True, slots=True)
class Gates(Gate):
    """Several gates as one, which is open if all of them are; ``gate * gate`` makes one."""

    members: tuple[Gate, ...]

    def opens(self, transcript: Transcript) -> bool:
        return all(gate.opens(transcript) for gate in self.members)


@dataclass(frozen=True, slots=True)
class Gated(Recipe):
    """The reward of ``recipe`` if the gate is open, otherwise ``closed``.

    With ``closed=0`` the gate multiplies. It may not be above the least that ``recipe`` gives: a
    reply that earns a penalty would be paid for breaking the form.
    """

    gate: Gate
    recipe: Recipe
    closed: float = 0.0

    def check(self) -> None:
        if not isinstance(self.gate, Gate) or not isinstance(self.recipe, Recipe):
            raise RecipeError("a gate stands before a recipe")
        if not self.closed <= self.recipe.low:
            raise RecipeError(
                f"behind the gate rewards go down to {self.recipe.low:g}, so that a closed gate "
                f"earns no more than that, not {self.closed:g}"
            )

    def inner(self) -> Sequence[Recipe]:
        return (self.recipe,)

    def gates(self) -> frozenset[Gate]:
        return self.recipe.gates() | {self.gate}

    def span(self, correct: bool, opened: frozenset[Gate]) -> Span:
        if self.gate in opened:
            return self.recipe.span(correct, opened)
        return Span(self.closed, self.closed)

    def value(self, score: Score, transcript: Transcript) -> float:
        return self.recipe(score, transcript) if self.gate.opens(transcript) else self.closed


@dataclass(frozen=True, slots=True)
class Sum(Recipe):
    """A weighted sum; ``0.5 * a + b`` makes one. Weights are above 0.

    What is to count against a reply is a recipe below 0, not one of negative weight, so that no
    sign is turned round by accident.
    """

    terms: tuple[tuple[float, Recipe], ...]

    def check(self) -> None:
        if not self.terms or not all(0 < weight < HEAVIEST for weight, _ in self.terms):
            raise RecipeError(f"a sum has terms, of weights above 0 and below {HEAVIEST:g}")

    def inner(self) -> Sequence[Recipe]:
        return [recipe for _, recipe in self.terms]

    def span(self, correct: bool, opened: frozenset[Gate]) -> Span:
        spans = [(weight, recipe.span(correct, opened)) for weight, recipe in self.terms]
        return Span(
            fsum(weight * span.low for weight, span in spans),
            fsum(weight * span.high for weight, span in spans),
        )

    def value(self, score: Score, transcript: Transcript) -> float:
        return fsum(weight * recipe(score, transcript) for weight, recipe in self.terms)


@dataclass(frozen=True, slots=True)
class Product(Recipe):
    """A product; ``a * b`` makes one. No factor goes below 0, for two penalties would make a bonus.

    A factor that reaches 0 leaves a right answer with nothing, so that order is not kept.
    """

    factors: tuple[Recipe, ...]

    def check(self) -> None:
        if not self.factors or not all(isinstance(factor, Recipe) for factor in self.factors):
            raise RecipeError("a product has factors, which are recipes")
        if any(factor.low < 0 for factor in self.factors):
            raise RecipeError("a factor that goes below 0 turns the sign of the others round")

    def inner(self) -> Sequence[Recipe]:
        return self.factors

    def span(self, correct: bool, opened: frozenset[Gate]) -> Span:
        spans = [factor.span(correct, opened) for factor in self.factors]
        return Span(prod(span.low for span in spans), prod(span.high for span in spans))

    def value(self, score: Score, transcript: Transcript) -> float:
        return prod(factor(score, transcript) for factor in self.factors)


@dataclass(frozen=True, slots=True)
class Clip(Recipe):
    """What ``recipe`` gives, held between ``least`` and ``most``.

    >>> from palaestra.verifiers.shaping import Clip, Truth
    >>> clipped = Clip(Truth(right=3, wrong=-3), -1, 1)
    >>> clipped.low, clipped(Score(1), Transcript(""))
    (-1.0, 1.0)
    """

    recipe: Recipe
    least: float
    most: float

    def check(self) -> None:
        if not self.least < self.most:
            raise RecipeError("a clip goes from less to more")

    def inner(self) -> Sequence[Recipe]:
        return (self.recipe,)

    def span(self, correct: bool, opened: frozenset[Gate]) -> Span:
        low, high = self.recipe.span(correct, opened)
        return Span(self._held(low), self._held(high))

    def value(self, score: Score, transcript: Transcript) -> float:
        return self._held(self.recipe(score, transcript))

    def _held(self, value: float) -> float:
        return min(max(value, self.least), self.most)
