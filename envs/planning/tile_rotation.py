"""Bring one tile to a cell while others return to theirs: a step in solving twisty puzzles.

Rows and columns shift cyclically, and blocks of four turn. People keep the solved part by
commutators, as in David Singmaster's notes on the cube (1979); here a search finds shortest plans.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from random import Random
from typing import Self

from palaestra.generators.bidirectional_search import Board, Turns, shortest_between
from palaestra.generators.cells import COUNTED, text
from palaestra.generators.planning.pictures import outline
from palaestra.generators.planning.turn_puzzles import TurnPuzzle, rotations, shifts
from palaestra.scenes import Cell, Grid
from palaestra.task import ladder
from palaestra.verifiers.reading.cells import cell_name
from palaestra.verifiers.reading.values import joined


@lru_cache(maxsize=32)
def turns(rows: int, columns: int) -> Turns:
    """The shifts of rows and columns and the turns of blocks of four."""
    lines, blocks = shifts(rows, columns), rotations(rows, columns, 2)
    return Turns({**lines.act, **blocks.act}, {**lines.undo, **blocks.undo})


@lru_cache(maxsize=32)
def leads(rows: int, columns: int) -> dict[str, Board]:
    """For each move, to which cell it carries the tile of each cell."""
    board, puzzle = tuple(range(rows * columns)), turns(rows, columns)
    return {name: puzzle.act[puzzle.undo[name]](board) for name in puzzle.act}


@lru_cache(maxsize=256)
def shortest(rows: int, columns: int, start: Board, goal: Board) -> tuple[str, ...] | None:
    """The fewest moves that carry tiles from some cells to others."""
    to, undo = leads(rows, columns), turns(rows, columns).undo

    def ways(cells: Board) -> Iterator[tuple[str, Board]]:
        return ((name, tuple([end[cell] for cell in cells])) for name, end in to.items())

    def back(cells: Board) -> Iterator[tuple[str, Board]]:
        return ((undo[name], before) for name, before in ways(cells))

    plan = shortest_between(start, goal, ways, back, budget=20_000)
    return None if plan is None else plan.moves


class TileRotation(TurnPuzzle):
    """Bring one tile to a cell by shifts and turns, with some others back in place in the end."""

    tags = {"planning", "search", "spatial"}
    example = "L1, r1c1+"

    class Knobs(TurnPuzzle.Knobs):
        rows: int = ladder(3, 3, 3, 4, 4, 4, low=3, high=5)
        columns: int = ladder(3, 3, 4, 4, 4, 5, low=3, high=5)
        fixed: int = ladder(2, 4, 5, 6, 7, 10, low=2)
        moves: int = ladder(2, 3, 3, 3, 4, 4, high=4)  # least length of a plan

    board: Board
    columns: int
    tile: int
    target: int
    fixed: Board
    moves: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.rows * knobs.columns
        board = tuple(rng.sample(range(1, size + 1), size))
        # With few fixed tiles, all plans are short.
        fixed = min(max(knobs.fixed, 2 * knobs.moves - 2), size - 3)
        start, target, *kept = rng.sample(range(size), 2 + fixed)
        return cls(
            board=board,
            columns=knobs.columns,
            tile=board[start],
            target=target,
            fixed=tuple(sorted(board[cell] for cell in kept)),
            moves=knobs.moves,
        )

    def rows(self) -> int:
        """How many rows the board has."""
        return len(self.board) // self.columns

    def ends(self) -> tuple[Board, Board]:
        """The cells of the tiles that matter, at the start and in the end."""
        kept = sorted(map(self.board.index, self.fixed))
        return (self.board.index(self.tile), *kept), (self.target, *kept)

    def turns_by_name(self) -> Turns:
        return turns(self.rows(), self.columns)

    def search(self) -> tuple[str, ...] | None:
        return shortest(self.rows(), self.columns, *self.ends())

    def is_valid(self) -> bool:
        return len(self.search() or ()) >= self.moves

    def canonical(self) -> str:
        return repr((self.rows(), self.columns, self.ends()))

    def prompt(self) -> str:
        board = text(
            [self.board[n : n + self.columns] for n in range(0, len(self.board), self.columns)]
        )
        task = self.phrase(
            "Numbered tiles fill a board. A move is one of these:",
            "The tiles of this board are moved several at a time. These are the moves:",
        )
        return (
            f"{task}\n- L1 shifts row 1 to the left by one place, R1 to the right, and the same "
            "for the other rows; the tile that leaves the board comes back in at the other end;\n- "
            "U1 shifts column 1 up by one place, D1 down, and the same for the other columns; the "
            "tile that leaves comes back in at the other end;\n- r1c2+ turns the block of two by "
            "two tiles whose top left cell is row 1, column 2, clockwise by a quarter, r1c2- "
            "counterclockwise, and the same for every other block that fits on the board.\n"
            f"{COUNTED}.\n\n{board}\n\nBring tile {self.tile} to row "
            f"{self.target // self.columns + 1}, column {self.target % self.columns + 1}. In the "
            f"end the tiles {joined(self.fixed)} must be where they are now, though they may move "
            "on the way; where the others end does not matter. Use at most "
            f"{self.move_limit()} moves. Answer with the moves in order, such as 'D1, U1, r2c1+'."
        )

    def picture(self, state: Board) -> Grid:
        cells = [Cell(str(tile), "paper") for tile in state]
        for tile in self.fixed:
            cells[state.index(tile)] = Cell(str(tile), "t2", corner="stays")
        cells[state.index(self.tile)] = Cell(str(self.tile), "c1", corner="moves", fixed=True)
        rows = (tuple(cells[n : n + self.columns]) for n in range(0, len(cells), self.columns))
        goal = outline([divmod(self.target, self.columns)])
        return Grid(tuple(rows), borders=goal, coordinates=True)

    def initial(self) -> Board:
        return self.board

    def distance(self, state: Board) -> float:
        """The tiles that matter and are not in their cells."""
        moved = sum(state.index(tile) != self.board.index(tile) for tile in self.fixed)
        return moved + (state[self.target] != self.tile)

    def violation(self, state: Board) -> str:
        if state[self.target] != self.tile:
            row, column = divmod(state.index(self.tile), self.columns)
            return f"in the end tile {self.tile} is at {cell_name(row, column)}"
        moved = [tile for tile in self.fixed if state.index(tile) != self.board.index(tile)]
        return f"in the end tile {moved[0]} is not where it was" if moved else ""

    def audit(self, answer: str) -> bool:
        """Follows the coordinates of the tiles that matter."""
        rows, columns, moves = self.rows(), self.columns, self.read(answer)
        start, goal = self.ends()
        cells = [divmod(cell, columns) for cell in start]
        for move in moves:
            cells = [_carried(cell, move, rows, columns) for cell in cells]
        return tuple(r * columns + c for r, c in cells) == goal and len(moves) <= len(self.plan())

    def difficulty(self) -> float:
        return float(len(turns(self.rows(), self.columns).act) ** self.moves * len(self.fixed))

    def shortcuts(self) -> Iterable[str]:
        return ["L1, U1", "r1c1+, r1c1+"]


def _carried(cell: tuple[int, int], move: str, rows: int, columns: int) -> tuple[int, int]:
    """To which cell a move carries the tile of a cell."""
    r, c = cell
    if move[0] in "LRUD":
        number = int(move[1:]) - 1
        if move[0] in "LR":
            return (r, (c + (1 if move[0] == "R" else -1)) % columns) if r == number else cell
        return ((r + (1 if move[0] == "D" else -1)) % rows, c) if c == number else cell
    top, left = (int(part) - 1 for part in move[1:-1].split("c"))
    y, x = r - top, c - left
    if not (0 <= y < 2 and 0 <= x < 2):
        return cell
    return (top + x, left + 1 - y) if move[-1] == "+" else (top + 1 - x, left + y)
