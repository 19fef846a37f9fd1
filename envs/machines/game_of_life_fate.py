"""The fate of a board in the game of life by John Horton Conway (Scientific American, 1970)."""

from functools import lru_cache
from random import Random
from typing import Self

from palaestra.generators.machines.game_of_life_fate import Fate, Rows, fate
from palaestra.generators.simulations import Simulation
from palaestra.scenes import Cell, Grid
from palaestra.task import ladder


class GameOfLifeFate(Simulation):
    """Find when a board of the game of life dies, becomes static or begins to repeat itself."""

    version = 2
    tags = {"simulation", "automata", "grid", "unique-solution"}
    labels = ("g", "p", "t")

    class Knobs(Simulation.Knobs):
        size: int = ladder(5, 6, 6, 7, 8, 9, 10, low=5, high=12)
        settles: int = ladder(3, 3, 5, 8, 12, 18, 26, low=2, high=30)  # in twice as many at most

    rows: Rows
    settles: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """The first of some random boards that takes about as many generations as wanted."""
        for _ in range(50):
            share = rng.choice((2, 3, 4, knobs.size))  # of few cells, many die soon
            rows = tuple(
                sum((rng.randrange(share) == 0) << column for column in range(knobs.size))
                for _ in range(knobs.size)
            )
            outcome = fate(rows, 2 * knobs.settles + 12)
            if outcome and knobs.settles <= outcome.generation <= 2 * knobs.settles:
                break
        return cls(rows=rows, settles=knobs.settles)

    def is_valid(self) -> bool:
        outcome = future(self.rows, self.settles)
        return outcome is not None and self.settles <= outcome.generation <= 2 * self.settles

    def result(self) -> Fate:
        outcome = future(self.rows, self.settles)
        assert outcome is not None, "a valid board settles in time"
        return outcome

    def canonical(self) -> str:
        """The least of the board's shifted images, which are equivalent on a torus."""
        size = len(self.rows)
        full = (1 << size) - 1
        wide = [[(row << n | row >> (size - n)) & full for row in self.rows] for n in range(size)]
        return repr(min([*rows[n:], *rows[:n]] for rows in wide for n in range(size)))

    def prompt(self) -> str:
        ask = self.phrase(
            "Let this board of the game of life develop until it repeats itself.",
            "When does this board of Conway's game of life repeat itself?",
        )
        size = len(self.rows)
        board = "\n".join(
            "".join("#" if row >> column & 1 else "-" for column in range(size))
            for row in self.rows
        )
        return (
            f"{ask} Cells marked # are alive, those marked - are dead. Each cell has eight "
            "neighbours, beside, above, below and diagonally; the board has no edges: its top row "
            "is next to its bottom row, and its leftmost column next to its rightmost one. From "
            "one generation to the next, at the same time for all cells, a dead cell with exactly "
            "3 living neighbours becomes alive, a living cell with 2 or 3 living neighbours stays "
            f"alive, and all others are dead. This is generation 0:\n\n{board}\n\nSooner or later "
            "a board occurs again. Let g be the number of the first generation whose board occurs "
            "again later, and p the number of generations from g until this board occurs for the "
            "next time (1 if the board no longer changes, as when all cells are dead). Let t be "
            "the sum of the numbers of living cells in the generations from 0 to g - 1. Answer "
            "with g, p and t, such as '9, 2, 104'."
        )

    def scene(self) -> Grid:
        columns = range(len(self.rows))
        rows = [[row >> column & 1 for column in columns] for row in self.rows]
        return Grid(
            tuple(tuple(Cell(fill="dark" if on else "paper") for on in row) for row in rows)
        )

    def difficulty(self) -> float:
        end = self.result()
        return float(len(self.rows) ** 2 * (end.generation + end.period))


@lru_cache(maxsize=256)
def future(rows: Rows, settles: int) -> Fate | None:
    """The fate of a board that settles about when it should."""
    return fate(rows, 2 * settles + 12)
