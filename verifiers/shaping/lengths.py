"""Rewards that depend on the length of a reply, in tokens. All are clamped closed forms.

``limit`` and ``target`` are taken from the transcript where a recipe is built without them.
"""

from dataclasses import dataclass
from math import cos, isfinite, pi

from palaestra.task import Score
from palaestra.verifiers.shaping.recipe import Gate, Recipe, Span
from palaestra.verifiers.shaping.transcript import RecipeError, Transcript


def _known(own: int | None, measured: int | None, what: str) -> int:
    """A number of tokens, from the recipe or from the transcript."""
    number = measured if own is None else own
    if number is None or number <= 0:
        raise RecipeError(f"a {what} is a number of tokens above 0, not {number}")
    return number


def _check_tokens(number: int | None, what: str) -> None:
    if number is not None:
        _known(number, None, what)


@dataclass(frozen=True, slots=True)
class SoftOverlong(Recipe):
    """A penalty for what is nearly too long: 0 down to -1 (DAPO, Yu et al. 2025, eq. 13).

    0 up to ``limit - buffer`` tokens, from there down in a straight line to -1 at ``limit``, and
    -1 beyond. Added to a truth from -1 to 1 it keeps order.

    >>> penalty = SoftOverlong(limit=100, buffer=20)
    >>> [penalty(Score(1), Transcript("", tokens)) for tokens in (80, 90, 100, 500)]
    [0.0, -0.5, -1.0, -1.0]
    """

    limit: int | None = None
    buffer: int = 4_096

    def check(self) -> None:
        _check_tokens(self.limit, "limit")
        if self.buffer < 1 or (self.limit is not None and self.buffer > self.limit):
            raise RecipeError("a buffer has at least 1 token and at most as many as the limit")

    def span(self, correct: bool, opened: frozenset[Gate]) -> Span:
        return Span(-1.0, 0.0)

    def value(self, score: Score, transcript: Transcript) -> float:
        limit = _known(self.limit, transcript.limit, "limit")
        if self.buffer > limit:
            raise RecipeError(f"the limit of {limit} tokens is less than the buffer")
        over = transcript.length - (limit - self.buffer)
        return -min(max(over, 0), self.buffer) / self.buffer


@dataclass(frozen=True, slots=True)
class CosineLength(Recipe):
    """A reward that moves with length along half a cosine wave (Yeo et al. 2025).

    ``right`` is what a right answer earns at 0 tokens and at ``limit``, ``wrong`` the same of any
    other; between the two it goes along the wave, and beyond the limit it stays where it is. A
    reply that has used up its limit earns ``exceed`` instead, where that is given. The paper has
    ``exceed=-10``, which does not keep order: a right answer of full length falls below all.

    It holds the truth already, so it stands alone or behind a gate, not beside a ``Truth``.

    >>> cosine = CosineLength(limit=100)
    >>> [cosine(Score(1), Transcript("", tokens)) for tokens in (0, 50, 100, 200)]
    [2.0, 1.5, 1.0, 1.0]
    """

    limit: int | None = None
    right: tuple[float, float] = (2.0, 1.0)
    wrong: tuple[float, float] = (-10.0, 0.0)
    exceed: float | None = None

    def check(self) -> None:
        _check_tokens(self.limit, "limit")
        if not all(isfinite(end) for end in (*self.right, *self.wrong, self.exceed or 0)):
            raise RecipeError("the ends of the wave are finite")

    def span(self, correct: bool, opened: frozenset[Gate]) -> Span:
        ends = self.right if correct else self.wrong
        span = Span(min(ends), max(ends))
        return span if self.exceed is None else span.joined(Span(self.exceed, self.exceed))

    def value(self, score: Score, transcript: Transcript) -> float:
        limit = _known(self.limit, transcript.limit, "limit")
        if self.exceed is not None and transcript.length >= limit:
            return self.exceed
        start, end = self.right if score.correct else self.wrong
        way = min(transcript.length / limit, 1.0)
        earned = end + (start - end) * (1 + cos(pi * way)) / 2
        return min(max(earned, min(start, end)), max(start, end))


@dataclass(frozen=True, slots=True)
class L1Exact(Recipe):
    """A penalty for missing a target length, of ``-most`` to 0.

    ``-alpha`` for each token too many or too few (LCPO-Exact, Aggarwal & Welleck 2025). The paper
    does not clamp it; here it ends at ``-most``, so that ``Truth(partial=0) + L1Exact(...)`` keeps
    order with ``most`` below 1.

    >>> L1Exact(target=1_000, alpha=0.001)(Score(1), Transcript("", tokens=1_100))
    -0.1
    """

    target: int | None = None
    alpha: float = 0.0003
    most: float = 0.5

    def check(self) -> None:
        _check_tokens(self.target, "target")
        if not (0 < self.alpha <= 1 and self.most > 0):
            raise RecipeError("alpha lies above 0 and up to 1, and most above 0")

    def span(self, correct: bool, opened: frozenset[Gate]) -> Span:
        return Span(-self.most, 0.0)

    def value(self, score: Score, transcript: Transcript) -> float:
        target = _known(self.target, transcript.target, "target")
        return -min(self.alpha * abs(transcript.length - target), self.most)


@dataclass(frozen=True, slots=True)
class L1Max(Recipe):
    """A factor that falls with length around a target, from 1 to ``least``.

    It is ``delta`` at the target and ``alpha`` more for each token less (LCPO-Max, Aggarwal &
    Welleck 2025). The paper has ``least=0``, where a right answer that is far too long earns
    nothing; ``Truth(partial=0) * L1Max(...)`` keeps order only with ``least`` above 0.

    >>> factor = L1Max(target=1_000, alpha=0.001)
    >>> [factor(Score(1), Transcript("", tokens)) for tokens in (0, 750, 1_000, 1_500, 9_000)]
    [1.0, 0.75, 0.5, 0.0, 0.0]
    """

    target: int | None = None
    alpha: float = 0.0003
    delta: float = 0.5
    least: float = 0.0

    def check(self) -> None:
        _check_tokens(self.target, "target")
        if not (0 < self.alpha <= 1 and 0 <= self.least <= self.delta <= 1):
            raise RecipeError("alpha lies above 0 and up to 1, and 0 <= least <= delta <= 1")

    def span(self, correct: bool, opened: frozenset[Gate]) -> Span:
        return Span(self.least, 1.0)

    def value(self, score: Score, transcript: Transcript) -> float:
        target = _known(self.target, transcript.target, "target")
        spared = self.alpha * (target - transcript.length) + self.delta
        return min(max(spared, self.least), 1.0)


@dataclass(frozen=True, slots=True)
class LaserStep(Recipe):
    """A bonus of ``alpha`` for right answers of at most ``target`` tokens (LASER, Liu et al. 2025).

    0 for all others, so that it always keeps the order of what it is added to.

    >>> [LaserStep(target=100)(Score(1), Transcript("", tokens)) for tokens in (100, 101)]
    [0.5, 0.0]
    """

    target: int | None = None
    alpha: float = 0.5

    def check(self) -> None:
        _check_tokens(self.target, "target")
        if not self.alpha > 0:
            raise RecipeError("alpha lies above 0")

    def span(self, correct: bool, opened: frozenset[Gate]) -> Span:
        return Span(0.0, self.alpha if correct else 0.0)

    def value(self, score: Score, transcript: Transcript) -> float:
        target = _known(self.target, transcript.target, "target")
        return self.alpha if score.correct and transcript.length <= target else 0.0
