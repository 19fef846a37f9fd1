"""Puzzles whose answer is a plan, which is judged by carrying it out, and readers of plans."""

import re
from abc import abstractmethod
from collections.abc import Collection, Sequence
from typing import Any, ClassVar

from palaestra.task import InvalidAnswer, Puzzle, Score
from palaestra.verifiers.certificates import node_path, steps
from palaestra.verifiers.reading.values import items

_SEPARATORS = re.compile(r"[,;]")


class Illegal(ValueError):
    """A move that the rules forbid in the current state. Its message states why."""


class PlanPuzzle(Puzzle):
    """A puzzle that asks for moves from a start to a goal. Every plan that reaches it is right.

    A new environment of this family defines

    - its fields, :class:`Knobs`, ``generate`` and ``prompt``, as every puzzle does;
    - the rules: :meth:`initial`, :meth:`after` and :meth:`violation`;
    - :meth:`search`, which finds a plan, and :meth:`move_limit` unless the plan found sets it;
    - :meth:`read` and :meth:`as_text`, with :func:`tokens`, :func:`hops` or :func:`orders`.

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
    def search(self) -> Sequence[Any] | None:
        """The moves of a plan, or ``None`` if the solver finds none within its budget."""

    @abstractmethod
    def read(self, answer: str) -> Sequence[Any]:
        """The moves that an answer lists. Raises :class:`InvalidAnswer` if it lists none."""

    @abstractmethod
    def as_text(self, moves: Sequence[Any]) -> str:
        """Moves as an answer."""

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


def tokens(text: str, known: Collection[str], what: str) -> list[str]:
    """Words of a vocabulary, in any case, separated by commas, semicolons or spaces.

    >>> tokens("l2; U1", ["L2", "U1"], "a list of shifts")
    ['L2', 'U1']
    """
    names = {name.casefold(): name for name in known}
    words = [word.casefold() for word in items(text, what)]
    if not words or not all(word in names for word in words):
        raise InvalidAnswer(f"not {what}")
    return [names[word] for word in words]


def hops(text: str, names: Sequence[str], what: str = "moves") -> list[tuple[int, int]]:
    r"""Moves from one position to another, one per line, as indices of ``names``.

    >>> hops("1. A -> B\nc to a", "ABC")
    [(0, 1), (2, 0)]
    """
    moves = []
    line_format = f"one of the {what} per line, such as 'X -> Y'"
    for line in steps(text):
        ends = node_path(line.casefold().replace(" to ", " -> "), names, line_format)
        if len(ends) != 2:
            raise InvalidAnswer(f"not {line_format}")
        moves.append((ends[0], ends[1]))
    if not moves:
        raise InvalidAnswer(f"no {what}, one per line, such as 'X -> Y'")
    return moves


def hops_as_text(moves: Sequence[tuple[int, int]], names: Sequence[str]) -> str:
    r"""Moves as :func:`hops` reads them.

    >>> hops_as_text([(0, 1), (2, 0)], "ABC")
    'A -> B\nC -> A'
    """
    return "\n".join(f"{names[start]} -> {names[end]}" for start, end in moves)


def orders(text: str, *words: Collection[str], what: str) -> list[tuple[str, ...]]:
    r"""Moves of several words, one per line or separated by commas, each from its vocabulary.

    >>> orders("1. a left\nB up, A left", "AB", ("left", "up"), what="moves")
    [('A', 'left'), ('B', 'up'), ('A', 'left')]
    """
    known = [{word.casefold(): word for word in each} for each in words]
    moves = []
    parts = (part for line in steps(text) for part in _SEPARATORS.split(line) if part.strip())
    for line in parts:
        line_words = line.casefold().split()
        if len(line_words) != len(known) or any(
            word not in vocabulary for word, vocabulary in zip(line_words, known)
        ):
            raise InvalidAnswer(f"not {what}")
        moves.append(tuple(vocabulary[word] for word, vocabulary in zip(line_words, known)))
    if not moves:
        raise InvalidAnswer(f"not {what}")
    return moves
