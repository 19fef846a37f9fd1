"""The statements of a task as they stand in its prompt."""

from collections.abc import Sequence
from itertools import pairwise

from palaestra.combination import Unsuitable
from palaestra.task import Puzzle, Sentence

Span = tuple[int, int]


def spans(task: Puzzle, prompt: str) -> list[Span]:
    """Where each statement of a task begins and ends in its prompt, in the order of the statements.

    Raises :class:`Unsuitable` for fewer than two statements.
    """
    bounds: list[Span] = []
    end = 0
    for statement in task.sentences():
        start = prompt.index(statement.text, end)
        end = start + len(statement.text)
        bounds.append((start, end))
    if len(bounds) < 2:
        raise Unsuitable("it has fewer than two statements")
    return bounds


def separator(prompt: str, where: Sequence[Span]) -> str:
    """What stands between two statements. Raises :class:`Unsuitable` where it is not the same."""
    between = {prompt[end:start] for (_, end), (start, _) in pairwise(where)}
    if len(between) > 1:
        raise Unsuitable("its statements are numbered")
    return between.pop()


def names_of(statements: Sequence[Sentence]) -> set[str]:
    """All names that statements are about."""
    return {name for statement in statements for name in statement.names}
