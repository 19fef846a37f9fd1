"""Where a reward begins, with the truth of a reply, and where it ends, as what a trainer is given.

>>> reward = Reward(Truth(right=1, wrong=-1, partial=0.25))
>>> reward.low, reward.high, reward(Score(0.5), Transcript("41"))
(-1.0, 1.0, -0.75)
"""

from dataclasses import dataclass

from palaestra.task import JudgeError, Score
from palaestra.verifiers.composites import BELOW_ONE
from palaestra.verifiers.shaping.options import typed
from palaestra.verifiers.shaping.recipe import Gate, Recipe, Span
from palaestra.verifiers.shaping.transcript import RecipeError, Transcript

SHORT = 2.0**-12
"""How far below ``right`` partial credit ends, as a share of the way there from ``wrong``."""

COARSE = 2.0**-18
"""And how far at least, as a share of the farther of the two from 0."""


@dataclass(frozen=True, slots=True)
class Truth(Recipe):
    """The score itself, from 0 to 1; or on another scale, with less for partial credit or none.

    A right answer earns ``right``. Any other earns ``wrong``, and of the way from there to
    ``right`` the part ``partial * score.value``. With ``partial=1`` a nearly right answer earns
    nearly as much as a right one, so that hardly anything can be added without a change of order.
    Partial credit ends a little short of ``right`` (see :data:`SHORT`): a score just below 1 would
    be 1 in float32, which trainers compute in.

    >>> [Truth(wrong=-1, partial=0.5)(Score(value), Transcript("")) for value in (0, 0.5, 1)]
    [-1.0, -0.5, 1.0]
    """

    right: float = 1.0
    wrong: float = 0.0
    partial: float = 1.0

    def check(self) -> None:
        if not self.wrong < self.right or not 0 <= self.partial <= 1:
            raise RecipeError("right earns more than wrong, and partial lies between 0 and 1")
        if self.right - self.wrong < self._short:
            raise RecipeError(f"{self.wrong:g} and {self.right:g} are too near for float32")

    def span(self, correct: bool, opened: frozenset[Gate]) -> Span:
        if correct:
            return Span(self.right, self.right)
        return Span(self.wrong, self._short_of_right(BELOW_ONE))

    def value(self, score: Score, transcript: Transcript) -> float:
        return self.right if score.correct else self._short_of_right(score.value)

    def _short_of_right(self, value: float) -> float:
        earned = self.wrong + self.partial * value * (self.right - self.wrong)
        return min(earned, self.right - self._short)

    @property
    def _short(self) -> float:
        farthest = max(abs(self.right), abs(self.wrong))
        return max(SHORT * (self.right - self.wrong), COARSE * farthest)


@dataclass(frozen=True, slots=True)
class Reward:
    """A recipe that is ready to train with: its order is proved, or its change openly allowed.

    Called with a score, or with what stands in its place where the judge failed: then there is no
    reward, which is None and not 0.
    """

    recipe: Recipe
    allow_order_change: bool = False

    def __post_init__(self) -> None:
        for name in ("recipe", "allow_order_change"):
            typed(Reward, name, getattr(self, name))
        right, wrong = self.recipe.if_right, self.recipe.if_wrong
        if not self.recipe.keeps_order and not self.allow_order_change:
            raise RecipeError(
                f"a wrong answer may earn {wrong.high:.9g} and a right one only {right.low:.9g}"
                f"{', which float32 hardly tells apart' if self.recipe.gap > 0 else ''}; "
                "where that is meant, say allow_order_change=True"
            )

    @property
    def low(self) -> float:
        """The least that it gives."""
        return self.recipe.low

    @property
    def high(self) -> float:
        """The most that it gives."""
        return self.recipe.high

    def __call__(self, score: Score | JudgeError, transcript: Transcript) -> float | None:
        """The reward of a reply, None where it was not scored."""
        return None if isinstance(score, JudgeError) else self.recipe(score, transcript)
