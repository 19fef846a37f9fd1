"""Puzzles whose answer is a plan, which is judged by carrying it out."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from palaestra.task import Puzzle, Score
from palaestra.verifiers.planning.walks import greedy_walk

WALK = 60
"""The most moves of a baseline player."""


class Illegal(ValueError):
    """A move that the rules forbid in the current state. Its message states why."""


class PlanPuzzle(Puzzle):
    """A puzzle that asks for moves from a start to a goal. Every plan that reaches it is right.

    A new environment of this family defines

    - its fields, :class:`Knobs`, ``generate`` and ``prompt``, as every puzzle does;
    - the rules: :meth:`initial`, :meth:`after` and :meth:`violation`;
    - :meth:`search`, which finds a plan, and :meth:`move_limit` unless the plan found sets it;
    - :meth:`read` and :meth:`as_text`, with the readers of
      :mod:`palaestra.verifiers.reading.moves`;
    - :meth:`moves_from`, for baseline players, and :meth:`distance` if there is a natural one.

    Override :meth:`is_valid` if a plan has to have a certain length as well, and add ``audit``: an
    independent simulation of the same rules.
    """

    units: ClassVar[str] = "moves"
    """What a reason calls the moves, in the plural."""

    @abstractmethod
    def initial(self) -> Any:
        """The state before the first move."""

    @abstractmethod
    def after(self, state: Any, move: Any) -> Any:
        """The state after a move. Raises :class:`Illegal` if the rules forbid the move."""

    @abstractmethod
    def violation(self, state: Any) -> str:
        """Which condition of the goal a final state violates, or "" at the goal."""

    @abstractmethod
    def moves_from(self, state: Any) -> Iterable[Any]:
        """The moves that baseline players consider in a state; the rules may forbid some."""

    @abstractmethod
    def search(self) -> Sequence[Any] | None:
        """The moves of a plan, or ``None`` if the solver finds none within its budget."""

    @abstractmethod
    def read(self, answer: str) -> Sequence[Any]:
        """The moves that an answer lists. Raises :class:`InvalidAnswer` if it lists none."""

    @abstractmethod
    def as_text(self, moves: Sequence[Any]) -> str:
        """Moves as an answer."""

    def distance(self, state: Any) -> float:
        """How far from the goal a state seems to be, at first sight; it is 0 at the goal only."""
        return float(bool(self.violation(state)))

    def ways(self, state: Any) -> Iterator[tuple[Any, Any]]:
        """Each legal move of :meth:`moves_from`, and the state after it."""
        for move in self.moves_from(state):
            try:
                yield move, self.after(state, move)
            except Illegal:
                continue

    def baseline_plans(self, rng: Random) -> Mapping[str, Sequence[Any]]:
        """The moves of players who do not search, by name."""

        def walk(distance: Any, plies: int) -> list[Any]:
            return greedy_walk(self.initial(), self.ways, distance, steps, rng, plies)

        steps = min(self.move_limit() or WALK, WALK)
        return {
            "random moves": walk(lambda state: float(bool(self.violation(state))), 1),
            "one-ply": walk(self.distance, 1),
            "two-ply": walk(self.distance, 2),
        }

    def baselines(self, rng: Random) -> Mapping[str, str]:
        return {player: self.as_text(plan) for player, plan in self.baseline_plans(rng).items()}

    def plan(self) -> Sequence[Any]:
        """The moves that :meth:`search` finds, which a valid task has."""
        moves = self.search()
        assert moves is not None, "a valid task has a plan"
        return moves

    def move_limit(self) -> int | None:
        """How many moves a plan may have, or ``None`` for any number."""
        return len(self.plan())

    def is_valid(self) -> bool:
        return self.search() is not None

    def answer(self) -> str:
        return self.as_text(self.plan())

    def verify(self, answer: str) -> Score:
        moves, limit = self.read(answer), self.move_limit()
        if limit is not None and len(moves) > limit:
            return Score(0, f"{len(moves)} {self.units} exceed the limit of {limit}")
        state = self.initial()
        for number, move in enumerate(moves, 1):
            try:
                state = self.after(state, move)
            except Illegal as error:
                return Score(0, f"in {self.units.removesuffix('s')} {number}, {error}")
        violation = self.violation(state)
        return Score(0, violation) if violation else Score(1)
