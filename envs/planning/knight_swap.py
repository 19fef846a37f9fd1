"""Guarini's puzzle (1512): white and black knights exchange their places on a small board."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Self

from palaestra.generators.planning.knight_swap import WIDTH, Move, Side, leaps, shortest
from palaestra.generators.planning.pictures import PicturedPlan
from palaestra.scenes import Cell, Grid
from palaestra.task import ladder
from palaestra.verifiers.planning.plans import Illegal
from palaestra.verifiers.reading.cells import cell_name, cell_pairs
from palaestra.verifiers.reading.moves import hops_as_text


class KnightSwap(PicturedPlan):
    """Let white and black knights exchange places on a small board of odd shape."""

    tags = {"planning", "search", "chess"}
    answer_type = "cells"

    class Knobs(PicturedPlan.Knobs):
        cells: int = ladder(8, 9, 10, 10, 11, 10, high=12)
        knights: int = ladder(1, 2, 2, 2, 2, 3)  # of each colour
        least: int = ladder(4, 6, 10, 12, 14, 12, low=2)  # moves that a shortest plan has
        spare: int = ladder(4, 4, 2, 2, 0, 0)  # moves that there may be beyond a shortest plan

    cells: Side
    white: Side
    black: Side
    least: int
    spare: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        everywhere = tuple(range(WIDTH * 4))
        to = leaps(everywhere)
        cells = {rng.choice(everywhere)}
        while len(cells) < knobs.cells:  # grown along leaps, so that all cells are connected
            cells.add(rng.choice(to[rng.choice(sorted(cells))]))
        knights = rng.sample(sorted(cells), 2 * knobs.knights)
        white, black = knights[: knobs.knights], knights[knobs.knights :]
        return cls(
            cells=tuple(sorted(cells)),
            white=tuple(sorted(white)),
            black=tuple(sorted(black)),
            # Two knights soon pass each other.
            least=knobs.least if knobs.knights > 1 else min(knobs.least, 8),
            spare=knobs.spare,
        )

    def is_valid(self) -> bool:
        plan = self.search()
        return plan is not None and len(plan) >= self.least

    def search(self) -> tuple[Move, ...] | None:
        return shortest(self.cells, self.white, self.black)

    def move_limit(self) -> int:
        return len(self.plan()) + self.spare

    def canonical(self) -> str:
        return repr((self.cells, *sorted((self.white, self.black)), self.spare))

    def board(self) -> str:
        """The board as text, of which only the used rows are shown."""
        signs = dict.fromkeys(self.cells, "-")
        signs |= dict.fromkeys(self.white, "W") | dict.fromkeys(self.black, "B")
        rows = range(self.cells[-1] // WIDTH + 1)
        return "\n".join(
            " ".join(signs.get(r * WIDTH + c, "#") for c in range(WIDTH)) for r in rows
        )

    def prompt(self) -> str:
        task = self.phrase(
            "White knights (W) and black knights (B) stand on a board of odd shape and are to "
            "exchange their places.",
            "Make the white knights (W) and the black knights (B) on this small board swap places.",
        )
        return (
            f"{task} In the end a white knight stands wherever a black one is now, and the other "
            f"way round.\n\n{self.board()}\n\n- is an empty cell, # is not part of the board. A "
            "knight moves as in chess: two cells along a row or column and then one to the side, "
            "over whatever lies between, to an empty cell of the board. White and black need not "
            "take turns; nothing is captured. A cell is named by its row, counted from 1 at the "
            f"top, and its column, counted from 1 at the left.\n\nUse at most {self.move_limit()} "
            "moves. Write one move per line, from which cell to which, such as 'r1c2 -> r3c1'."
        )

    def picture(self, state: dict[int, str]) -> Grid:
        outside, pieces = Cell(fill="none"), {"W": ("W", "white"), "B": ("B", "black")}

        def square(cell: int) -> Cell:
            if cell not in self.cells:
                return outside
            fill = "t7" if sum(divmod(cell, WIDTH)) % 2 else "paper"
            if cell not in state:
                return Cell(fill=fill)
            letter, tone = pieces[state[cell]]
            return Cell(fill=fill, mark="knight", tone=tone, corner=letter)

        rows = range(self.cells[-1] // WIDTH + 1)
        return Grid(
            tuple(tuple(square(r * WIDTH + c) for c in range(WIDTH)) for r in rows),
            coordinates=True,
        )

    def names(self) -> list[str]:
        """The names of all cells up to the end of the board's last row."""
        return [name(cell) for cell in range(self.cells[-1] // WIDTH * WIDTH + WIDTH)]

    def read(self, answer: str) -> list[Move]:
        rows = self.cells[-1] // WIDTH + 1
        pairs = cell_pairs(answer, rows, WIDTH, "r1c2 -> r3c1")
        return [(a * WIDTH + b, c * WIDTH + d) for (a, b), (c, d) in pairs]

    def as_text(self, moves: Sequence[Move]) -> str:
        return hops_as_text(moves, self.names())

    def initial(self) -> dict[int, str]:
        return dict.fromkeys(self.white, "W") | dict.fromkeys(self.black, "B")

    def after(self, state: dict[int, str], move: Move) -> dict[int, str]:
        start, end = move
        if start not in state:
            raise Illegal(f"no knight is on {name(start)}")
        if end not in leaps(self.cells)[start]:
            raise Illegal(f"no knight moves from {name(start)} to {name(end)}")
        if end in state:
            raise Illegal(f"{name(end)} is not empty")
        return {end if cell == start else cell: side for cell, side in state.items()}

    def moves_from(self, state: dict[int, str]) -> Iterable[Move]:
        to = leaps(self.cells)
        return ((start, end) for start in state for end in to[start])

    def distance(self, state: dict[int, str]) -> float:
        """The knights that do not stand on a cell of the other colour's start."""
        goals = {"W": self.black, "B": self.white}
        return sum(cell not in goals[side] for cell, side in state.items())

    def violation(self, state: dict[int, str]) -> str:
        goal = dict.fromkeys(self.white, "B") | dict.fromkeys(self.black, "W")
        return "" if state == goal else "the knights have not exchanged their places"

    def audit(self, answer: str) -> bool:
        """Rewrites the board as text."""
        rows = [row.split() for row in self.board().splitlines()]
        goal = [[{"W": "B", "B": "W"}.get(sign, sign) for sign in row] for row in rows]
        moves = self.read(answer)
        for start, end in moves:
            (a, b), (c, d) = divmod(start, WIDTH), divmod(end, WIDTH)
            if (a - c) ** 2 + (b - d) ** 2 != 5 or rows[a][b] not in "WB" or rows[c][d] != "-":
                return False
            rows[a][b], rows[c][d] = "-", rows[a][b]
        return rows == goal and len(moves) <= self.move_limit()

    def difficulty(self) -> float:
        return float(len(self.plan()) * len(self.cells) ** len(self.white))

    def shortcuts(self) -> Iterable[str]:
        yield self.as_text(list(zip(self.white, self.black)))


def name(cell: int) -> str:
    """The name of a cell."""
    return cell_name(*divmod(cell, WIDTH))
