"""Covering a board by sliding until something is in the way, as a cat that gets longer and longer.

Games of the kind are Tomb of the Mask, Roller Splat and longcat; here no cell is crossed twice.
"""

from collections.abc import Callable, Iterable, Mapping
from math import log2
from random import Random
from typing import Self

from palaestra.generators.cells import images, in_rows, text
from palaestra.generators.grids.slide_covering import (
    FREE,
    ORDERS,
    START,
    STEP,
    WALL,
    greedy,
    opened,
    slid,
    solve,
    strolled,
)
from palaestra.scenes import Cell, Grid, Line, cells_of
from palaestra.scenes.elements import changed
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.cells import cell_name
from palaestra.verifiers.reading.moves import directions

STROLLS = 30
"""How many more strolls there are at most; the one that covers the most cells is taken."""


LOOKS = {WALL: Cell(fill="dark"), FREE: Cell(), START: Cell("S", mark="disc", tone="c1")}
"""How cells are drawn."""


def _many(stroll: tuple[int, set[int]]) -> int:
    return len(stroll[1])


class SlideCovering(Puzzle):
    """Slide until something is in the way, leave a trail that blocks, and cover every free cell."""

    tags = {"grid", "path", "planning", "search"}
    baseline_note = (
        "a slide goes on until it is blocked, so that most cells leave one direction or "
        "two, and a random player covers one board in six"
    )
    version = 2
    answer_type = "moves"

    class Knobs(Puzzle.Knobs):
        size: int = ladder(5, 6, 8, 10, 13, 16, high=18)
        # of the cells that are to be covered, if strolls get so far
        share: float = ladder(0.4, 0.45, 0.48, 0.5, 0.52, 0.54, low=0.3, high=0.6)

    board: tuple[str, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.size
        wanted = round(knobs.share * size * size)
        start, covered = strolled(rng, size)
        for _ in range(STROLLS):
            if len(covered) >= wanted:
                break
            start, covered = max((start, covered), strolled(rng, size), key=_many)
        signs = [FREE if n in covered else WALL for n in range(size * size)]
        signs[start] = START
        return cls(board=tuple(in_rows("".join(signs), size)))

    def is_valid(self) -> bool:
        """Whether a search finds a solution that is not always the first possible direction."""
        if any(self.covers(greedy(self.board, order)) for order in ORDERS):
            return False
        return bool(solve(self.board)[0])

    def covers(self, moves: str) -> bool:
        """Whether moves that can be made cover the board."""
        here, left = opened(self.board)
        for move in moves:
            here, left = slid(here, left, move, len(self.board))
        return not left

    def canonical(self) -> str:
        return str(min(images(self.board)))

    def prompt(self) -> str:
        size = len(self.board)
        rules = self.phrase(
            f"A cat stands on the cell '{START}' of this board. With each move it stretches up, "
            f"down, left or right, in a straight line over free cells ('{FREE}'), and only stops "
            f"when the next cell is a wall ('{WALL}'), is already covered by the cat, or is "
            "outside the board. All cells that it went over, and the start, stay covered.",
            f"A brush starts at '{START}' and is pushed up, down, left or right. Each time it "
            "slides over free cells and paints them, until the next cell is off the board, a wall "
            f"('{WALL}'), or painted already, which includes the start; '{FREE}' is a free cell.",
        )
        return (
            f"{rules} Each move must go over at least one free cell. Cover all free cells of the "
            f"{size} by {size} board.\n\n{text(self.board)}\n\nAnswer with the moves in order, as "
            "letters: U for up, D for down, L for left, R for right, such as 'RDLU'."
        )

    def scene(self) -> Grid:
        return Grid(cells_of(self.board, LOOKS))

    def solved_scene(self, answer: str) -> Grid:
        """The board with the path of the moves, up to the first one that is blocked."""
        size = len(self.board)
        here, left = opened(self.board)
        stops = [divmod(here, size)]
        for move in directions(answer):
            after, left = slid(here, left, move, size)
            if after == here:
                break
            here = after
            stops.append(divmod(here, size))
        covered = opened(self.board)[1] & ~left
        cells = tuple(
            tuple(
                changed(cell, fill="t0") if covered >> r * size + c & 1 else cell
                for c, cell in enumerate(row)
            )
            for r, row in enumerate(self.scene().cells)
        )
        path = (Line(tuple(stops), arrow=True),) if len(stops) > 1 else ()
        return changed(self.scene(), cells=cells, lines=path)

    def answer(self) -> str:
        return solve(self.board)[0]

    def verify(self, answer: str) -> Score:
        moves = directions(answer)
        start, free = opened(self.board)
        here, left = start, free
        for number, move in enumerate(moves, 1):
            after, rest = slid(here, left, move, len(self.board))
            if after == here:
                name = cell_name(*divmod(here, len(self.board)))
                return Score(0, f"move {number}, from {name}, is blocked")
            here, left = after, rest
        many = left.bit_count()
        return Score(0, f"{many} free cells are not covered") if many else Score(1)

    def audit(self, answer: str) -> bool:
        """Play the moves step by step on a board of characters."""
        board = [[*row] for row in self.board]
        ((row, column),) = [
            (r, c) for r, line in enumerate(self.board) for c, s in enumerate(line) if s == START
        ]
        for move in "".join(answer.upper().replace(",", " ").split()):
            down, across, steps = *STEP[move], 0
            while (
                0 <= row + down < len(board)
                and 0 <= column + across < len(board)
                and board[row + down][column + across] == FREE
            ):
                row, column, steps = row + down, column + across, steps + 1
                board[row][column] = WALL
            if not steps:
                return False
        return not any(FREE in line for line in board)

    def difficulty(self) -> float | None:
        moves, nodes = solve(self.board)
        return len(moves) * log2(nodes + 1)

    def shortcuts(self) -> Iterable[str]:
        return [greedy(self.board, order) for order in ORDERS]

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Slide in any direction, or in that which covers the most cells or the fewest."""
        rules: dict[str, Callable[[int], float]] = {
            "random direction": lambda covered: rng.random(),
            "longest slide first": lambda covered: -covered,
            "shortest slide first": lambda covered: covered,
        }
        return {player: self.slides(rule) for player, rule in rules.items()}

    def slides(self, rule: Callable[[int], float]) -> str:
        """Moves, each of them that of the least value by the number of cells it covers."""
        here, left = opened(self.board)
        moves = ""
        while True:
            ways = {move: slid(here, left, move, len(self.board)) for move in ORDERS[0]}
            open_ways = {move: way for move, way in ways.items() if way[0] != here}
            if not open_ways:
                return moves or ORDERS[0][0]
            move = min(open_ways, key=lambda m: rule((left ^ open_ways[m][1]).bit_count()))
            here, left = open_ways[move]
            moves += move
