"""Base classes of puzzles that ask for a solution: any that satisfies the rules, or the best one.

A solution is an object of the subject, such as a set of nodes or a schedule. Its type is up to the
puzzle, hence the ``Any`` in the signatures.
"""

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from functools import lru_cache
from random import Random
from typing import Any, ClassVar, NamedTuple

from palaestra.task import Puzzle, Score
from palaestra.verifiers.certificates import gap


class SearchResult(NamedTuple):
    """A solution, and how many states (nodes, edges, branches) the search examined."""

    solution: Any
    examined: int


class Feasibility(Puzzle):
    """A puzzle in which every solution that satisfies the rules is right, and scores 1.

    To write one, define beside ``generate`` and ``prompt``:

    - ``read``, which parses an answer into a solution, and ``as_text``, which does the reverse;
    - ``violation``, the rule that a solution breaks;
    - ``search``, which computes a solution;
    - ``naive_solutions``, those of simple strategies: tasks that one of them solves are discarded.
    """

    @abstractmethod
    def read(self, answer: str) -> Any:
        """Parse an answer into a solution.

        Raises :class:`InvalidAnswer` if it does not have the form that the prompt asks for.
        """

    @abstractmethod
    def as_text(self, solution: Any) -> str:
        """A solution as an answer."""

    @abstractmethod
    def violation(self, solution: Any) -> str:
        """Which rule a solution breaks; empty if it satisfies all of them."""

    @abstractmethod
    def search(self) -> SearchResult:
        """A right solution."""

    @abstractmethod
    def naive_solutions(self) -> Iterable[Any]:
        """Solutions of simple strategies, which need not satisfy the rules."""

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Solutions of players without search, by name. :meth:`is_valid` does not consider them."""
        return {}

    def baselines(self, rng: Random) -> Mapping[str, str]:
        solutions = self.baseline_solutions(rng)
        return {player: self.as_text(solution) for player, solution in solutions.items()}

    def is_valid(self) -> bool:
        return all(map(self.violation, self.naive_solutions()))

    def answer(self) -> str:
        return self.as_text(search_result(self).solution)

    def verify(self, answer: str) -> Score:
        violation = self.violation(self.read(answer))
        return Score(0, violation) if violation else Score(1)

    def difficulty(self) -> float:
        return search_result(self).examined

    def shortcuts(self) -> Iterable[str]:
        return map(self.as_text, self.naive_solutions())


class Optimum(Feasibility):
    """A puzzle that asks for a best solution, and states how close to it others come.

    An optimal solution scores 1 and any other 0: a one-pass rule often comes close to the optimum,
    and it is the rest of the way that takes a search. How close a solution comes is a part of the
    score, ``progress``: 0 for the best of the naive solutions, 1 for an optimal one, and linear in
    the worth between them. To write one, define what a :class:`Feasibility` needs and

    - ``worth``, the number to maximise or to minimise: which of the two follows from the optimum;
    - ``search``, which has to prove that its solution is optimal;
    - ``naive_solutions``: tasks in which one of them is optimal are discarded;
    - ``quantity``, if the number has a better name than "worth".
    """

    quantity: ClassVar[str] = "worth"
    """Name of the number in reasons and in the parts of a score."""

    @abstractmethod
    def worth(self, solution: Any) -> int:
        """The number to maximise or minimise, for a solution that satisfies the rules."""

    def is_valid(self) -> bool:
        baseline, best = reference_worths(self)
        return baseline != best

    def verify(self, answer: str) -> Score:
        solution = self.read(answer)
        if violation := self.violation(solution):
            return Score(0, violation)
        worth, quantity = self.worth(solution), self.quantity
        credit = self.credit(worth)
        reason = "" if credit == 1 else f"the {quantity} is {worth}, and a better solution exists"
        progress = gap(worth, *reference_worths(self))
        return Score(credit, reason, {quantity: worth, "progress": progress})

    def baseline(self, best: int) -> int:
        """The worth of progress 0: that of the naive solution closest to the best worth."""
        solutions = self.naive_solutions()
        worths = [self.worth(solution) for solution in solutions if not self.violation(solution)]
        return min(worths, key=lambda worth: abs(worth - best))

    def credit(self, worth: int) -> float:
        """Score in [0, 1] of a solution of this worth that satisfies the rules."""
        return float(worth == reference_worths(self)[1])


@lru_cache(maxsize=64)
def search_result(task: Feasibility) -> SearchResult:
    """The result of a task's search, which several methods need."""
    return task.search()


@lru_cache(maxsize=256)
def reference_worths(task: Optimum) -> tuple[int, int]:
    """The worths of progress 0 and 1."""
    best = task.worth(search_result(task).solution)
    return task.baseline(best), best
