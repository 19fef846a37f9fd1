"""The cells of a board that differ between two positions of a game."""

from contextlib import suppress
from functools import cache
from random import Random
from typing import Any, ClassVar, Self

from pydantic import Field

from palaestra.combination import Combination
from palaestra.combinators.games import AboutGames, GamePuzzle, Simulator
from palaestra.scenes import Grid
from palaestra.task import InvalidAnswer, NoValidTask, Score, Task
from palaestra.verifiers.reading.boards import shown_cells
from palaestra.verifiers.reading.cells import cell, cell_name
from palaestra.verifiers.reading.layout import lines

MOST_CHANGES = 40
"""How many cells may differ."""

ARROWS = ("->", "→", "=>")

EXAMPLE = "r2c3: a -> b"

Changes = dict[tuple[int, int], tuple[str, str]]
"""The old and the new content of each cell that differs, by its row and column from 0."""


class WhatChangedPuzzle(GamePuzzle):
    """Two positions, whose differences are asked."""

    later: str
    """The later position, as its rules encode it."""

    unsuitable: ClassVar[str] = (
        f"random games end before so many moves, or change no cell or more than {MOST_CHANGES}"
    )

    @classmethod
    def posed(cls, simulator: Simulator, rng: Random, state: Any) -> Self | None:
        line = simulator.played(rng, state, cls.combinator.moves)
        if line is None:
            return None
        encode = simulator.rules.encode
        puzzle = cls(task=simulator.task, position=encode(state), later=encode(line[-1][1]))
        return puzzle if 0 < len(puzzle.changes()) <= MOST_CHANGES else None

    def boards(self) -> tuple[list[list[str]], list[list[str]]]:
        """The contents of the cells before and after, by row; no rows if they are no grid."""
        states = self.state(), self.simulator.rules.decode(self.later)
        before, after = (board(self.simulator, state) for state in states)
        return before, after

    def changes(self) -> Changes:
        """What differs."""
        before, after = self.boards()
        if [*map(len, before)] != [*map(len, after)]:
            return {}
        return {
            (r, c): (old, new)
            for r, (row, later) in enumerate(zip(before, after))
            for c, (old, new) in enumerate(zip(row, later))
            if old != new
        }

    def prompt(self) -> str:
        number = self.combinator.moves
        moves = "One move" if number == 1 else f"{number} moves"
        shown = self.simulator.shown(self.simulator.rules.decode(self.later))
        question = self.phrase(f"{moves} later, the position is this:", f"{moves} led from it to:")
        listed = self.phrase(
            "Which cells of the board have another content than before? List all of them",
            "List all cells of the board whose content differs between the two positions",
        )
        return self.about(
            f"{question}\n\n{shown}\n\n{listed}, in any order, one on each line: the cell by row "
            "and column, counted from 1 at the top left of the board, then the old content and the "
            "new one, as they are shown. If row 2, column 3 had 'a' and now has 'b', write "
            f"'{EXAMPLE}'."
        )

    def answer(self) -> str:
        return "\n".join(
            f"{cell_name(*at)}: {old} -> {new}" for at, (old, new) in self.changes().items()
        )

    def verify(self, answer: str) -> Score:
        """The part ``progress`` is the number of right lines in that of right or listed ones."""
        right = self.changes()
        rows = [row for row in lines(answer) if row]
        if not rows or len(rows) > 2 * MOST_CHANGES:
            raise InvalidAnswer(f"expected lines such as '{EXAMPLE}', {2 * MOST_CHANGES} at most")
        before, _ = self.boards()
        listed: Changes = {}
        for row in rows:
            at, contents = read_change(row, len(before), len(before[0]))
            if at in listed:
                raise InvalidAnswer(f"{cell_name(*at)} is listed more than once")
            listed[at] = contents
        same = sum(at in right and ended(right[at]) == ended(listed[at]) for at in listed)
        parts = {"progress": same / len({*right, *listed})}
        if wrong := len(listed) - same:
            return Score(0, f"{wrong} of the lines are wrong", parts)
        if missing := len(right) - same:
            return Score(0, f"{missing} cells are missing", parts)
        return Score(1, parts=parts)

    def difficulty(self) -> float:
        return float(len(self.changes()))


class WhatChanged(AboutGames):
    """The cells that differ between two positions of a game are to be listed with their contents.

    The position is a few random moves away from the first one of the game, and the later one some
    moves further.
    """

    name: ClassVar[str] = "what_changed"
    template: ClassVar[type[Combination]] = WhatChangedPuzzle

    moves: int = Field(3, ge=1, le=12)

    def refusal(self, base: type[Task]) -> str:
        if refusal := super().refusal(base):
            return refusal
        return "" if is_grid(base) else "its positions are not shown as one grid of cells"


@cache
def is_grid(base: type[Any]) -> bool:
    """Whether an environment shows its positions as grids, by a task of its lowest level."""
    with suppress(NoValidTask):
        task = base.sample(Random(base.__name__), base.Knobs.at(0))
        return bool(board(Simulator(task), task.start()))
    return False


def board(simulator: Simulator, state: Any) -> list[list[str]]:
    """The contents of the cells of a position, by row; empty if it is not shown as a grid."""
    picture = simulator.rules.picture(state)
    size = (len(picture.cells), len(picture.cells[0])) if isinstance(picture, Grid) else None
    return shown_cells(simulator.rules.show(state), size)


def read_change(row: str, rows: int, columns: int) -> tuple[tuple[int, int], tuple[str, str]]:
    """The cell, the old and the new content of a line.

    >>> read_change("- r2c3: `X` → .", 3, 3)
    ((1, 2), ('X', '.'))

    Raises :class:`~palaestra.task.InvalidAnswer`.
    """
    arrow = next((sign for sign in ARROWS if row.count(sign) == 1), None)
    if arrow is None:
        raise InvalidAnswer(f"expected lines such as '{EXAMPLE}', not {row[:40]!r}")
    left, _, right = row.partition(arrow)
    name, colon, old = left.strip().removeprefix("- ").partition(":")
    if not colon:
        name, _, old = left.strip().rpartition(" ")
    # A full stop is lost at the end of an answer; it may be the content of a cell.
    old, new = (bare(text) for text in (old, right))
    if not old or " " in old or " " in (new or "."):
        raise InvalidAnswer(f"expected one content on each side of the arrow, not {row[:40]!r}")
    return cell(name.strip(), rows, columns, "r2c3"), (old, new or ".")


def bare(text: str) -> str:
    """A content without quotes."""
    return text.strip().strip("`'\"").strip()


def ended(contents: tuple[str, str]) -> tuple[str, ...]:
    """Contents without full stops behind other signs, as these may be lost at an end."""
    return tuple(text.rstrip(".") or text for text in contents)
