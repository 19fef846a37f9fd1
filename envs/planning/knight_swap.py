"""Guarini's puzzle (1512): white and black knights exchange their places on a small board."""

from collections.abc import Iterable
from random import Random
from typing import Self

from palaestra.generators.planning.knight_swap import WIDTH, Move, Side, leaps, shortest
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.planning.simulated import Illegal, hops, simulated
from palaestra.verifiers.reading.boards import cell_name


class KnightSwap(Puzzle):
    """Let white and black knights exchange places on a small board of odd shape."""

    tags = {"planning", "search", "chess"}

    class Knobs(Puzzle.Knobs):
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
        while len(cells) < knobs.cells:  # grown along leaps, so that a knight gets everywhere
            cells.add(rng.choice(to[rng.choice(sorted(cells))]))
        stand = rng.sample(sorted(cells), 2 * knobs.knights)
        white, black = stand[: knobs.knights], stand[knobs.knights :]
        return cls(
            cells=tuple(sorted(cells)),
            white=tuple(sorted(white)),
            black=tuple(sorted(black)),
            least=knobs.least if knobs.knights > 1 else min(knobs.least, 8),  # two soon pass
            spare=knobs.spare,
        )

    def is_valid(self) -> bool:
        plan = shortest(self.cells, self.white, self.black)
        return plan is not None and len(plan) >= self.least

    def plan(self) -> tuple[Move, ...]:
        """A shortest plan."""
        solution = shortest(self.cells, self.white, self.black)
        assert solution is not None, "a fair task is solved within the budget"
        return solution

    def limit(self) -> int:
        """How many moves there may be."""
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
            f"top, and its column, counted from 1 at the left.\n\nUse at most {self.limit()} "
            "moves. Write one move per line, from which cell to which, such as 'r1c2 -> r3c1'."
        )

    def names(self) -> list[str]:
        """The names of all cells up to the last one of the board."""
        return [
            cell_name(*divmod(cell, WIDTH))
            for cell in range(self.cells[-1] // WIDTH * WIDTH + WIDTH)
        ]

    def answer(self) -> str:
        names = self.names()
        return "\n".join(f"{names[here]} -> {names[there]}" for here, there in self.plan())

    def verify(self, answer: str) -> Score:
        names, to = self.names(), leaps(self.cells)

        def after(stand: dict[int, str], move: Move) -> dict[int, str]:
            here, there = move
            if here not in stand:
                raise Illegal(f"no knight is on {names[here]}")
            if there not in to[here]:
                raise Illegal(f"no knight gets from {names[here]} to {names[there]}")
            if there in stand:
                raise Illegal(f"{names[there]} is not empty")
            return {there if cell == here else cell: side for cell, side in stand.items()}

        start = dict.fromkeys(self.white, "W") | dict.fromkeys(self.black, "B")
        goal = dict.fromkeys(self.white, "B") | dict.fromkeys(self.black, "W")
        return simulated(
            hops(answer, names),
            start,
            after,
            lambda stand: "" if stand == goal else "the knights have not exchanged their places",
            self.limit(),
        )

    def audit(self, answer: str) -> bool:
        """Rewrites the board as text."""
        rows = [row.split() for row in self.board().splitlines()]
        goal = [[{"W": "B", "B": "W"}.get(sign, sign) for sign in row] for row in rows]
        moves = hops(answer, self.names())
        for here, there in moves:
            (a, b), (c, d) = divmod(here, WIDTH), divmod(there, WIDTH)
            if (a - c) ** 2 + (b - d) ** 2 != 5 or rows[a][b] not in "WB" or rows[c][d] != "-":
                return False
            rows[a][b], rows[c][d] = "-", rows[a][b]
        return rows == goal and len(moves) <= self.limit()

    def difficulty(self) -> float:
        return float(len(self.plan()) * len(self.cells) ** len(self.white))

    def shortcuts(self) -> Iterable[str]:
        names = self.names()
        yield "\n".join(f"{names[w]} -> {names[b]}" for w, b in zip(self.white, self.black))
