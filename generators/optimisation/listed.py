"""Optimisation puzzles whose answers are lists of the numbers of listed things."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from palaestra.generators.solutions import Optimum
from palaestra.verifiers.reading.numbers import integers
from palaestra.verifiers.reading.values import joined


class ListedOptimum(Optimum):
    """A puzzle about things that are numbered from 1, of which an answer lists some.

    Solutions are lists of numbers from 0. Beside what an :class:`Optimum` needs, a subclass defines
    :meth:`size`, ``noun`` and :meth:`rules`.
    """

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
        text = answer.replace(" and ", ", ").replace("->", ",").replace("→", ",")
        return [number - 1 for number in integers(text, what=f"a list of numbers of {self.noun()}")]

    def as_text(self, solution: Iterable[int]) -> str:
        return joined([number + 1 for number in solution])

    def violation(self, solution: Any) -> str:
        if not all(0 <= number < self.size() for number in solution):
            return f"the {self.noun()} are numbered from 1 to {self.size()}"
        return self.rules(solution)

    def nonempty(self, solutions: Mapping[str, Sequence[int]]) -> dict[str, Sequence[int]]:
        """The solutions of players who chose something."""
        return {player: chosen for player, chosen in solutions.items() if chosen}
