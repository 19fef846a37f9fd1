"""Optimisation puzzles whose answers are lists of the numbers of listed things."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from palaestra.generators.solutions import Optimum
from palaestra.verifiers.reading.numbered_items import numbers_of
from palaestra.verifiers.reading.values import joined


class ListedOptimum(Optimum):
    """A puzzle about things that are numbered from 1, of which an answer lists some.

    Solutions are lists of numbers from 0. Beside what an :class:`Optimum` needs, a subclass defines
    :meth:`size`, ``noun`` and :meth:`rules`.
    """

    dashes: ClassVar[bool] = False
    """Whether dashes may stand between the numbers of an answer, as they do not mean a range."""

    @abstractmethod
    def size(self) -> int:
        """How many things there are."""

    def noun(self) -> str:
        """What the things are called, in the plural."""
        return "items"

    @abstractmethod
    def rules(self, solution: Sequence[int]) -> str:
        """Which rule a list of existing things breaks; empty if it satisfies all of them."""

    def read(self, answer: str) -> list[int]:
        """The numbers of things, also behind their nouns, and with arrows between them."""
        text = answer.replace("->", ",").replace("\u2192", ",")
        numbers = numbers_of(text, self.nouns(), f"a list of {self.listed()}", self.dashes)
        return [number - 1 for number in numbers]

    def nouns(self) -> Sequence[str]:
        """The words that may stand before the numbers of an answer."""
        return [self.noun().removesuffix("s"), self.noun()]

    def listed(self) -> str:
        """What an answer lists, for errors."""
        return f"numbers of {self.noun()}"

    def as_text(self, solution: Iterable[int]) -> str:
        return joined([number + 1 for number in solution])

    def violation(self, solution: Any) -> str:
        if not all(0 <= number < self.size() for number in solution):
            return f"the {self.noun()} are numbered from 1 to {self.size()}"
        return self.rules(solution)

    def nonempty(self, solutions: Mapping[str, Sequence[int]]) -> dict[str, Sequence[int]]:
        """The solutions of players who chose something."""
        return {player: chosen for player, chosen in solutions.items() if chosen}
