"""Clearing rows with a known sequence of pieces of Alexey Pajitnov's Tetris (1984)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import prod
from random import Random
from typing import Self

from palaestra.generators.baselines import shuffled
from palaestra.generators.games.arcade.tetris_placement import cleared, planned, rubble, ways
from palaestra.generators.games.arcade.tetrominoes import (
    SHAPES,
    TONES,
    Board,
    Drop,
    Placement,
    canonical,
    dropped,
    dropped_by_squares,
    landing,
    options,
    orientations,
    shown,
    turns,
)
from palaestra.scenes import Cell, Grid, Panels
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.moves import orders
from palaestra.verifiers.reading.values import joined

BEAM = 24


class TetrisPlacement(Puzzle):
    """Drop a known sequence of Tetris pieces on a board so that enough rows are cleared."""

    tags = {"planning", "spatial", "games"}
    baseline_note = "a few pieces have few good places, and the lowest is often among them"

    class Knobs(Puzzle.Knobs):
        pieces: int = ladder(2, 3, 3, 4, 5, 6, low=2, high=7)
        width: int = ladder(5, 5, 6, 6, 7, 8, low=5, high=9)
        rows: int = ladder(2, 2, 3, 3, 4, 4, low=1, high=5)

    board: Board
    pieces: str
    width: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        board = rubble(rng, knobs.rows, knobs.width, knobs.rows + 4)
        pieces = "".join(rng.choices(sorted(SHAPES), k=knobs.pieces))
        return cls(board=board, pieces=pieces, width=knobs.width)

    def plan(self, beam: int = BEAM) -> tuple[int, tuple[Placement, ...]]:
        """The number of rows that a beam search clears, and its plan."""
        return planned(self.board, self.pieces, self.width, len(self.board), beam)

    def goal(self) -> int:
        """The number of rows to clear."""
        return self.plan()[0]

    def is_valid(self) -> bool:
        """Whether neither greedy placement nor a fixed plan is enough."""
        goal, plan = self.plan()
        if goal < 1 or len(plan) < len(self.pieces) or self.plan(1)[0] >= goal:
            return False
        return all(self.cleared(columns)[0] < goal for columns in self._fixed())

    def canonical(self) -> str:
        """A text that is equal for mirror images, in which J and L, and S and Z, are exchanged."""
        return canonical(self.board, self.pieces, self.width)

    def prompt(self) -> str:
        height, width = len(self.board), self.width
        rows = ["".join(".#"[row >> n & 1] for n in range(width)) for row in reversed(self.board)]
        pieces = "\n\n".join(
            f"{piece}{n}:\n{shown(rows)}"
            for piece in sorted(set(self.pieces))
            for n, rows in enumerate(turns(piece), 1)
        )
        goal = self.goal()
        ask = self.phrase(
            f"Drop these pieces on the board in their order: {joined(self.pieces)}.",
            f"The pieces {joined(self.pieces)} fall on the board below, one after another.",
        )
        return (
            f"{ask} Place them so that at least {goal} row{'s are' if goal > 1 else ' is'} cleared "
            f"in all.\n\nThe board has {width} columns, numbered 1 to {width} from the left, and "
            f"{height} rows; # is a full square and . an empty one:\n{shown(rows)}\n\nEach piece "
            "falls in one of these orientations, which you choose:\n\n"
            + pieces
            + "\n\nA piece falls "
            "straight down from above the board, without turning or moving sideways, until one "
            "of its squares is on the bottom or directly above a full square. It must then be "
            "entirely on the board. After that, all rows that are full are cleared at once, and "
            "each row above them moves down by the number of rows cleared below it; no single "
            "squares fall. Then comes the next piece.\n\nAnswer "
            "with one line for each piece, in order: its orientation as named above, and the "
            f"number of the leftmost column that it covers, such as '{self.pieces[0]}1 2'."
        )

    def scene(self) -> Panels:
        named = [each for piece in sorted(set(self.pieces)) for each in orientations(piece)]
        names, shapes = zip(*named)
        listed = f"Pieces: {', '.join(self.pieces)}"
        return Panels(
            (self.pictured(self.board), Panels(shapes, names, columns=6)),
            (listed, "Orientations"),
            columns=1,
        )

    def solved_scene(self, answer: str) -> Panels:
        """The board after the fall of each piece, before full rows are cleared, and at the end."""
        plan, board = self.read(answer), self.board
        boards, captions = list[Grid](), list[str]()
        for piece, where in zip(self.pieces, plan):
            size = self.width, len(board)
            landed, drop = landing(board, piece, where, *size), dropped(board, piece, where, *size)
            if landed is None or drop is None:
                break
            boards.append(self.pictured(board, piece, *landed))
            captions.append(f"{piece}{where.turn} {where.column}")
            board = drop.board
        total = sum(len(self.full(grid)) for grid in boards)
        return Panels((*boards, self.pictured(board)), (*captions, f"{total} cleared"))

    def pictured(
        self, board: Board, piece: str = "", level: int = 0, masks: Sequence[int] = ()
    ) -> Grid:
        """A board with a piece that has fallen; rows that are full are marked."""
        full, free = Cell(fill="shade"), Cell()
        rows = [[full if row >> n & 1 else free for n in range(self.width)] for row in board]
        for r, mask in enumerate(masks, level):
            for n in range(self.width):
                if mask >> n & 1:
                    rows[r][n] = Cell(piece, TONES[piece])
        names = tuple((str(n + 1),) for n in range(self.width))
        return Grid(tuple(map(tuple, reversed(rows))), bottom=names)

    @staticmethod
    def full(grid: Grid) -> list[int]:
        """The rows without an empty square."""
        return [r for r, row in enumerate(grid.cells) if Cell() not in row]

    def answer(self) -> str:
        return self._written(self.plan()[1])

    def _written(self, plan: Iterable[Placement]) -> str:
        rows = zip(self.pieces, plan)
        return "\n".join(f"{piece}{where.turn} {where.column}" for piece, where in rows)

    def cleared(self, plan: Sequence[Placement]) -> tuple[int, str]:
        """The number of rows that a plan clears, and what is wrong with it, or ""."""
        return cleared(self.board, self.pieces, plan, self.width, len(self.board))

    def read(self, answer: str) -> list[Placement]:
        """The plan of an answer."""
        turned = [f"{piece}{n}" for piece in set(self.pieces) for n in range(1, 5)]
        columns = [str(n) for n in range(100)]
        what = f"one line for each piece, such as '{self.pieces[0]}1 2'"
        drops = orders(answer, turned, columns, what=what)
        if len(drops) != len(self.pieces):
            raise InvalidAnswer(
                f"{len(self.pieces)} pieces fall, but the answer has {len(drops)} lines"
            )
        plan = []
        for piece, (name, column) in zip(self.pieces, drops):
            if name[0] != piece:
                raise InvalidAnswer(f"a line without its piece {piece}")
            if int(name[1]) > len(turns(piece)):
                raise InvalidAnswer(f"{name} is not an orientation of {piece}")
            plan.append(Placement(int(name[1]), int(column)))
        return plan

    def verify(self, answer: str) -> Score:
        total, reason = self.cleared(self.read(answer))
        if reason or total < self.goal():
            return Score(0, reason or f"{total} rows are cleared, not {self.goal()}")
        return Score(1)

    def audit(self, answer: str) -> bool:
        """Simulate single squares, with each piece falling one row at a time."""
        height = len(self.board)
        full = {(r, c) for r, row in enumerate(self.board) for c in range(9) if row >> c & 1}
        total = 0
        for piece, where in zip(self.pieces, self.read(answer)):
            drop = dropped_by_squares(full, piece, where, self.width, height)
            if drop is None:
                return False
            full, total = drop[0], total + drop[1]
        return total >= self.goal()

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who place one piece after the other: at random, as low as possible, or for the
        most cleared rows at once.
        """

        def low(drop: Drop) -> float:
            return sum(map(bool, drop.board))

        def holes(drop: Drop) -> float:
            covered = number = 0
            for row in reversed(drop.board):
                number += (covered & ~row).bit_count()
                covered |= row
            return 10 * number + low(drop)

        keys: dict[str, Callable[[Drop], float]] = {
            "random placement": lambda drop: 0,
            "lowest stack": low,
            "fewest holes": holes,
            "most cleared rows": lambda drop: -drop.cleared,
            "most cleared rows, then fewest holes": lambda drop: holes(drop) - 1_000 * drop.cleared,
        }
        return {name: self._written(self._one_by_one(key, rng)) for name, key in keys.items()}

    def _one_by_one(self, key: Callable[[Drop], float], rng: Random) -> list[Placement]:
        """The placements of the least key, one piece after the other."""
        board, plan = self.board, list[Placement]()
        for piece in self.pieces:
            drops = {
                where: drop
                for where in shuffled(options(piece, self.width), rng)
                if (drop := dropped(board, piece, where, self.width, len(board)))
            }
            if not drops:
                break
            plan.append(min(drops, key=lambda where: key(drops[where])))
            board = drops[plan[-1]].board
        return plan

    def _fixed(self) -> list[list[Placement]]:
        """Plans that do not depend on the board."""
        plans = [[Placement(1, column)] * len(self.pieces) for column in (1, 2, 3)]
        return [*plans, [Placement(1, 1 + 2 * n % 4) for n in range(len(self.pieces))]]

    def shortcuts(self) -> Iterable[str]:
        yield from map(self._written, self._fixed())
        yield self._written(self.plan(1)[1])

    def difficulty(self) -> float:
        return float(prod(sum(1 for _ in options(piece, self.width)) for piece in self.pieces))

    def random_baseline(self) -> float:
        if self.difficulty() > 50_000:
            return 0.0  # about 0.001 at most, and slow to count
        height = len(self.board)
        return ways(self.board, self.pieces, self.width, height, self.goal()) / self.difficulty()
