"""Target lengths that follow what a policy needs, by how hard a task is for it.

>>> targets = AdaptiveTargets(lengths=(100, 200, 400), every=1)
>>> targets.target([1, 1, 1, 0])
400
>>> targets.update([1, 1, 1, 0], [90, 150, 180, 390])
>>> targets.target([1, 1, 1, 0]), targets.target([0, 0, 0, 1])
(100, 400)
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from palaestra.verifiers.shaping.transcript import RecipeError

BANDS = (1 / 3, 2 / 3)
"""Pass rates up to which a task is hard, and of medium difficulty; above them it is easy."""

MOST = 1_000
"""How many lengths there may be to choose from."""


class AdaptiveTargets:
    """Chooses a target among ``lengths`` for easy, medium and hard tasks, anew after every so many.

    After LASER-D (Liu et al. 2025): the target is the shortest of the lengths within which a group
    is expected to have a right reply, that is, one or more on average; the longest where none is.
    A group tells by its pass rate (:data:`BANDS`) how hard its task is. The paper counts on a
    data set for monitoring now and then; here the groups of training themselves are counted,
    ``every`` so many. Until there are as many the target is the longest length.

    ``lengths`` are numbers of tokens that rise, at most 1000 of them. Raises :class:`RecipeError`
    for others.
    """

    def __init__(self, lengths: Sequence[int], every: int = 256) -> None:
        rise = isinstance(lengths, Sequence) and all(type(each) is int for each in lengths)
        if not rise or not 1 <= len(lengths) <= MOST or sorted({*lengths}) != [*lengths]:
            raise RecipeError(f"lengths are 1 to {MOST} numbers of tokens that rise")
        if lengths[0] < 1 or type(every) is not int or every < 1:
            raise RecipeError("lengths and `every` are whole numbers above 0")
        self.lengths = tuple(lengths)
        self.every = every
        self.targets = [self.lengths[-1]] * (len(BANDS) + 1)
        """For hard, medium and easy tasks."""
        self._clear()

    def _clear(self) -> None:
        self._groups = [0] * len(self.targets)
        # How many right replies fall between a length and the one before it, by difficulty.
        self._right = [[0] * len(self.lengths) for _ in self.targets]

    def target(self, values: Sequence[float | None]) -> int:
        """The target, in tokens, for a group of replies with these scores."""
        return self.targets[_band(values)]

    def update(self, values: Sequence[float | None], lengths: Sequence[int]) -> None:
        """Counts a group of replies, by their scores and lengths in tokens.

        Scores of None count for nothing, and a group of nothing else does not count.
        """
        if all(value is None for value in values):
            return
        band = _band(values)
        self._groups[band] += 1
        for value, length in zip(values, lengths, strict=True):
            rank = bisect_left(self.lengths, length)
            if value == 1 and rank < len(self.lengths):
                self._right[band][rank] += 1
        if sum(self._groups) == self.every:
            self._choose()
            self._clear()

    def _choose(self) -> None:
        for band, groups in enumerate(self._groups):
            if groups:
                within = accumulate(self._right[band])
                enough = (length for length, n in zip(self.lengths, within) if n >= groups)
                self.targets[band] = next(enough, self.lengths[-1])

    def state(self) -> dict[str, Any]:
        """All that the next target depends on, as plain values."""
        right = [[*each] for each in self._right]
        return {"targets": [*self.targets], "groups": [*self._groups], "right": right}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Goes on from a :meth:`state` of one with the same lengths."""
        right = [[*each] for each in state["right"]]
        if any(len(each) != len(self.lengths) for each in right):
            raise RecipeError("the state that is kept has other lengths")
        self.targets, self._groups = [*state["targets"]], [*state["groups"]]
        self._right = right


def _band(values: Sequence[float | None]) -> int:
    known = [value == 1 for value in values if value is not None]
    return bisect_left(BANDS, sum(known) / len(known)) if known else 0
