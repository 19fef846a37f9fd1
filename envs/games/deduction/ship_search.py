"""Battleship, a pencil game of the early 20th century, with the counts of the solitaire version.

The counts of rows and columns are those of Jaime Poniachik's Batalla naval (1982).
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from random import Random
from typing import Self

from palaestra.generators.games.deduction.ship_search import (
    FLEETS,
    HIT,
    MISS,
    SUNK,
    UNKNOWN,
    Counts,
    Layout,
    counted,
    counts_of,
    laid,
    layouts,
    lines_of,
    pictured,
    shot,
    shown,
)
from palaestra.generators.games.solo import ILLEGAL_MOVES
from palaestra.task import InvalidAnswer, Play, Policy, Score, Task, Turn, ladder
from palaestra.verifiers.reading.cells import cell as read_cell
from palaestra.verifiers.reading.cells import cell_name
from palaestra.verifiers.reading.lead_ins import read_move

CREDIT = 0.5
"""The credit for hitting all cells of ships but the last, which a lost game pays back."""

SEARCH = 40_000
"""How many positions the search for all possible layouts visits at most."""

_VERB = re.compile(
    r"\s*+(?:i\s+)?(?:shoot|fire|shot|attack|target|hit|bomb)(?![a-z])(?:\s++(?:at|on)(?![a-z]))?",
    re.IGNORECASE,
)


class ShipSearch(Task):
    """Sink hidden ships with few misses, from answers and the counts of rows and columns."""

    tags = {"deduction", "grid", "hidden-state", "chance"}
    answer_type = "cells"
    hidden = {"ships"}
    baseline_note = (
        "The counts show where ships are likely, so that a player who shoots where they are "
        "highest, and then beside its hits, needs as few misses in one game of five at the middle "
        "level and in one of eight at the top. Fewer misses would leave the win to luck for a "
        "player who counts all layouts, too."
    )

    class Knobs(Task.Knobs):
        size: int = ladder(5, 6, 7, 8, 8, 8, low=5, high=9)
        ships: int = ladder(3, 4, 5, 6, 7, 7, low=2, high=7)
        columns: int = ladder(4, 4, 4, 5, 6, 5, low=3, high=9)  # whose count is known
        misses: int = ladder(2, 2, 2, 2, 2, 2, low=1, high=20)

    size: int
    fleet: tuple[int, ...]
    """The lengths of the ships."""
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    """The number of cells of ships in each row and column; -1 where the player does not know it."""
    misses: int
    """How many shots may miss."""
    ships: Layout
    """The cells of each ship."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        fleet = FLEETS[min(knobs.ships, knobs.size - 1)]
        ships = laid(rng, knobs.size, fleet)
        rows, columns = counts_of(knobs.size, ships)
        hidden = rng.sample(range(knobs.size), max(0, knobs.size - knobs.columns))
        return cls(
            size=knobs.size,
            fleet=fleet,
            rows=rows,
            columns=tuple(-1 if n in hidden else number for n, number in enumerate(columns)),
            misses=knobs.misses,
            ships=ships,
        )

    def is_valid(self) -> bool:
        """Whether a player who counts possible layouts, and knows no more, wins."""
        return bool(self.solve())

    def counts(self) -> Counts:
        """The counts of rows and columns."""
        return self.rows, self.columns

    def possible(self) -> Sequence[Layout]:
        """All layouts with the counts; none if there are too many."""
        return layouts(self.size, self.fleet, self.counts(), SEARCH)

    def play(self) -> Play:
        board, misses, illegal, reward = UNKNOWN * self.size**2, 0, 0, 0.0
        event, last = self.description(), tuple[int, ...]()
        while True:
            try:
                text = yield self._turn(event, board, misses, last, reward)
                reward = 0.0
                cell = read_move(partial(self.read, board), text)
            except InvalidAnswer as error:
                reward = 0.0
                illegal += 1
                if illegal > ILLEGAL_MOVES:
                    return Score(0, "too many illegal moves", status="malformed")
                event = (
                    f"That is not a legal shot: {error}. "
                    f"Illegal moves still allowed: {ILLEGAL_MOVES - illegal}."
                )
                continue
            board, name, last = (
                shot(self.ships, board, cell),
                cell_name(*divmod(cell, self.size)),
                (cell,),
            )
            if board[cell] == MISS:
                misses += 1
                event = f"{name} is a miss."
                if misses > self.misses:
                    return Score(0, f"more than {self.misses} shots missed")
                continue
            if board.count(SUNK) == sum(self.fleet):
                return Score(1)
            reward = CREDIT / sum(self.fleet)
            event = f"{name} is a hit."
            if board[cell] == SUNK:
                length = next(len(ship) for ship in self.ships if cell in ship)
                event = f"{name} is a hit, and a ship of length {length} is sunk."

    def _turn(
        self, event: str, board: str, misses: int, last: tuple[int, ...], reward: float
    ) -> Turn:
        left = self.misses - misses
        table = shown(self.size, self.counts(), board)
        count = f"Hits: {self._hits(board)} of {sum(self.fleet)}. Misses still allowed: {left}."
        return Turn(
            f"{event}\n\n{table}\n\n{count}",
            reward,
            legal_moves=[
                cell_name(*divmod(cell, self.size))
                for cell, sign in enumerate(board)
                if sign == UNKNOWN
            ],
            state=f"{board} {left}",
            scene=partial(pictured, self.size, self.counts(), board, last),
        )

    def _hits(self, board: str) -> int:
        return board.count(HIT) + board.count(SUNK)

    def read(self, board: str, text: str) -> int:
        """The cell that a shot goes to."""
        row, column = read_cell(_VERB.sub("", text, count=1), self.size, self.size, "r2c5")
        if board[row * self.size + column] != UNKNOWN:
            raise InvalidAnswer(f"{cell_name(row, column)} has been shot at before")
        return row * self.size + column

    def description(self) -> str:
        """The rules in words."""
        size = f"{self.size} by {self.size}"
        fleet = ", ".join(map(str, self.fleet))
        misses = f"{self.misses} miss{'es' * (self.misses > 1)}"
        most = self.misses + 1
        return self.phrase(
            f"{len(self.fleet)} ships are hidden on a board of {size} cells. Their lengths are "
            f"{fleet}. Each ship lies in a row or in a column, and no two ships touch each other, "
            "not even diagonally. Sink all of them: in each turn you shoot at a cell, and the "
            "answer is whether it is a miss or a hit, and whether the ship is sunk, which is the "
            f"case when all of its cells are hit. You may miss {self.misses} times; miss number "
            f"{most} loses the game. On the board, '.' is a cell that you have not shot at, 'o' a "
            "miss, 'X' a hit and 'S' a cell of a sunk ship. The number on the right of a row, or "
            "below a column, is the number of cells of ships in it, hit or not; '?' is a number "
            "that you do not know. Rows and columns are counted from 1 at the top left. A move is "
            "a cell by its row and column, such as 'r2c5'.",
            f"Find and sink a fleet on a board with {size} cells. It consists of {len(self.fleet)} "
            f"straight ships, horizontal or vertical, of lengths {fleet}, between which there is "
            "water everywhere: ships are not adjacent, horizontally, vertically or diagonally. A "
            "shot at a cell hits or misses, and you learn when the last cell of a ship is hit, "
            "which sinks it. The signs are '.' for a cell without a shot, 'o' for a miss, 'X' for "
            "a hit and 'S' for a part of a sunk ship. Beside each row and under each column "
            "stands how many of its cells belong to ships, with those that are hit, or '?' if that "
            f"is secret. The game allows {misses} in all, and ends with the next one. Reply with "
            "the cell that you shoot at: its row and its column, which start with 1 at the top "
            "left, for example 'r2c5'.",
        )

    def solve(self) -> Iterable[str]:
        """The shots of a player who counts the possible layouts; none if too many of them miss."""
        return won(self.size, self.possible(), self.ships, self.misses)

    def difficulty(self) -> float:
        """The number of possible layouts at the start."""
        return float(len(self.possible()))

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        """Players who shoot beside hits, and else at random or where the counts are highest.

        They leave out cells beside sunk ships, diagonal to hits and in rows and columns that are
        done.
        """
        counts, size = self.counts(), self.size

        def player(value: Callable[[str, int], float]) -> Policy:
            def move(turn: Turn) -> str:
                board = turn.state.split()[0]
                options = _options(size, counts, board)
                rng.shuffle(options)
                return cell_name(*divmod(max(options, key=lambda cell: value(board, cell)), size))

            return move

        return {
            "hunt and target": player(lambda board, cell: 0),
            "highest counts": player(lambda board, cell: _product(size, counts, board, cell)),
        }


def _options(size: int, counts: Counts, board: str) -> list[int]:
    """The cells that a player without a plan chooses from: those beside hits, if there are any."""
    lines = lines_of(size, board)
    columns = ["".join(line[n] for line in lines) for n in range(size)]

    def near(cell: int, signs: str, diagonal: bool) -> bool:
        row, column = divmod(cell, size)
        return any(
            lines[r][c] in signs
            for r in range(max(0, row - 1), min(size, row + 2))
            for c in range(max(0, column - 1), min(size, column + 2))
            if (r, c) != (row, column) and (r != row and c != column) == diagonal
        )

    def done(line: str, count: int) -> bool:
        return count >= 0 and line.count(HIT) + line.count(SUNK) == count

    unknown = [cell for cell, sign in enumerate(board) if sign == UNKNOWN]
    options = [
        cell
        for cell in unknown
        if not near(cell, HIT + SUNK, True)
        and not near(cell, SUNK, False)
        and not done(lines[cell // size], counts[0][cell // size])
        and not done(columns[cell % size], counts[1][cell % size])
    ]
    return [cell for cell in options if near(cell, HIT, False)] or options or unknown


def _product(size: int, counts: Counts, board: str, cell: int) -> float:
    """The cells of ships that are left in the row of a cell, times those in its column."""
    row, column = divmod(cell, size)
    mean = sum(counts[0]) / size
    values = []
    for count, line in (
        (counts[0][row], board[row * size : (row + 1) * size]),
        (counts[1][column], board[column::size]),
    ):
        hits = line.count(HIT) + line.count(SUNK)
        values.append(max(mean - hits, 0.5) if count < 0 else count - hits)
    return values[0] * values[1]


@lru_cache(maxsize=256)
def won(size: int, every: Sequence[Layout], ships: Layout, misses: int) -> tuple[str, ...]:
    """The shots of a player who counts layouts; none if it cannot, or misses too often."""
    if not every:
        return ()
    cells = counted(size, every, ships)
    if len(cells) - sum(map(len, ships)) > misses:
        return ()
    return tuple(cell_name(*divmod(cell, size)) for cell in cells)
