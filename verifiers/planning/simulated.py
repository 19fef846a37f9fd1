r"""Judging a plan by carrying it out, and reading plans that are rows of short words.

The rules of a world stand in one function from a state and a move to the state that follows.

>>> def climbed(height, step):
...     if height + step < 0:
...         raise Illegal("that is below the ground")
...     return height + step
>>> simulated([2, -3], 0, climbed).reason
'in move 2, that is below the ground'
>>> simulated([2, -1], 0, climbed, lambda height: "" if height == 1 else "not at 1").value
1.0
"""

from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

from palaestra.task import InvalidAnswer, Score
from palaestra.verifiers.certificates import node_path, steps
from palaestra.verifiers.reading.values import items

State = TypeVar("State")
Move = TypeVar("Move")


class Illegal(ValueError):
    """A move that the rules forbid in the state it is made in. Its message says why."""


def simulated(  # noqa: PLR0913, PLR0917 - what the rules are, and how much of it
    moves: Sequence[Move],
    start: State,
    after: Callable[[State, Move], State],
    flaw: Callable[[State], str] = lambda state: "",
    limit: int | None = None,
    what: str = "moves",
) -> Score:
    """1 for moves that are all legal, no more than the limit, and lead to a state without flaw."""
    if limit is not None and len(moves) > limit:
        return Score(0, f"{len(moves)} {what} are more than {limit}")
    state = start
    for number, move in enumerate(moves, 1):
        try:
            state = after(state, move)
        except Illegal as slip:
            return Score(0, f"in {what.removesuffix('s')} {number}, {slip}")
    problem = flaw(state)
    return Score(0, problem) if problem else Score(1)


def tokens(text: str, known: Collection[str], what: str) -> list[str]:
    """Words of a vocabulary in a row, in any case, separated by commas or blanks.

    >>> tokens("l2; U1", ["L2", "U1"], "a row of shifts")
    ['L2', 'U1']
    """
    names = {name.casefold(): name for name in known}
    words = [word.casefold() for word in items(text, what)]
    if not words or not all(word in names for word in words):
        raise InvalidAnswer(f"not {what}")
    return [names[word] for word in words]


def hops(text: str, names: Sequence[str], what: str = "moves") -> list[tuple[int, int]]:
    r"""Moves from one place to another, one a line, by the numbers of the places.

    >>> hops("1. A -> B\nc to a", "ABC")
    [(0, 1), (2, 0)]
    """
    moves = []
    one = f"one of the {what} per line, such as 'X -> Y'"
    for line in steps(text):
        ends = node_path(line.casefold().replace(" to ", " -> "), names, one)
        if len(ends) != 2:
            raise InvalidAnswer(f"not {one}")
        moves.append((ends[0], ends[1]))
    if not moves:
        raise InvalidAnswer(f"no {what}, one per line, such as 'X -> Y'")
    return moves


def orders(text: str, *words: Collection[str], what: str) -> list[tuple[str, ...]]:
    r"""Moves of several words each, one a line or separated by commas, each word of a vocabulary.

    >>> orders("1. a left\nB up, A left", "AB", ("left", "up"), what="moves")
    [('A', 'left'), ('B', 'up'), ('A', 'left')]
    """
    known = [{word.casefold(): word for word in each} for each in words]
    moves = []
    for line in steps(text.replace(",", "\n").replace(";", "\n")):
        line_words = line.casefold().split()
        if len(line_words) != len(known) or any(
            word not in k for word, k in zip(line_words, known)
        ):
            raise InvalidAnswer(f"not {what}")
        moves.append(tuple(k[word] for word, k in zip(line_words, known)))
    if not moves:
        raise InvalidAnswer(f"not {what}")
    return moves
