"""The game of life by John Horton Conway (Scientific American, 1970), and rules like it."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from random import Random
from typing import Literal, Self

from palaestra.generators.simulations import Simulation
from palaestra.scenes import Cell, Grid, cells_of
from palaestra.task import ladder
from palaestra.verifiers.reading.grids import grid

Rows = tuple[str, ...]


@lru_cache(maxsize=256)
def stepped(rows: Rows, born: tuple[int, ...], stays: tuple[int, ...], torus: bool) -> Rows:
    """A board one step later.

    >>> stepped(("-#-", "-#-", "-#-"), (3,), (2, 3), False)
    ('---', '###', '---')
    """
    high, wide = len(rows), len(rows[0])

    def alive(r: int, c: int) -> bool:
        if torus:
            return rows[r % high][c % wide] == "#"
        return 0 <= r < high and 0 <= c < wide and rows[r][c] == "#"

    def after(r: int, c: int) -> str:
        near = sum(alive(r + dr, c + dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if dr or dc)
        return "#" if near in (stays if rows[r][c] == "#" else born) else "-"

    return tuple("".join(after(r, c) for c in range(wide)) for r in range(high))


class GameOfLife(Simulation):
    """Work out what a board of living and dead cells looks like after some steps."""

    tags = {"simulation", "automata", "grid", "unique-solution"}
    item = "row"

    class Knobs(Simulation.Knobs):
        size: int = ladder(5, 6, 6, 7, 8, 10, low=5, high=12)
        steps: int = ladder(1, 1, 2, 3, 4, 6, high=8)
        edge: Literal["dead", "torus"] = ladder("dead", "dead", "torus")
        rule: Literal["life", "any"] = ladder("life", "life", "life", "any")

    rows: Rows
    steps: int
    torus: bool
    born: tuple[int, ...]
    stays: tuple[int, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        rows = tuple("".join(rng.choices("-#", k=knobs.size)) for _ in range(knobs.size))
        born: tuple[int, ...] = (3,)
        stays: tuple[int, ...] = (2, 3)
        if knobs.rule == "any":
            born = tuple(sorted({3, *rng.sample((2, 4, 5, 6), rng.randint(0, 2))}))
            stays = tuple(sorted(rng.sample(range(1, 7), rng.randint(2, 3))))
        torus = knobs.edge == "torus"
        return cls(rows=rows, steps=knobs.steps, torus=torus, born=born, stays=stays)

    def is_valid(self) -> bool:
        """Whether the last board is new and neither nearly empty nor nearly full."""
        boards = self.boards()
        living = "".join(boards[-1]).count("#") / len(self.rows) ** 2
        return boards[-1] not in boards[:-1] and 0.12 < living < 0.88

    def boards(self) -> list[Rows]:
        """The board at the start and after each step."""
        history = [self.rows]
        for _ in range(self.steps):
            history.append(stepped(history[-1], self.born, self.stays, self.torus))
        return history

    def prompt(self) -> str:
        number = "one step" if self.steps == 1 else f"{self.steps} steps"
        task = self.phrase(
            f"What does this board look like after {number}?",
            f"Let this board of living (#) and dead (-) cells develop for {number}.",
        )
        edge = (
            "The board has no edges: its top row is next to its bottom row, and its leftmost "
            "column next to its rightmost one."
            if self.torus
            else "All cells outside the board are always dead."
        )
        return (
            f"{task} Cells marked # are alive, those marked - are dead. Each cell has eight "
            "neighbours, beside, above, below and diagonally. In each step, at the same time for "
            f"all cells: a dead cell becomes alive if {_either(self.born)} of its neighbours are "
            f"alive, a living cell stays alive if {_either(self.stays)} of its neighbours are "
            f"alive, and all other cells are dead afterwards. {edge}\n\n"
            + "\n".join(self.rows)
            + f"\n\nAnswer with the {len(self.rows)} rows of the board. A row looks like "
            f"'{('#--' * 4)[: len(self.rows)]}'."
        )

    def scene(self) -> Grid:
        return Grid(cells_of(self.rows, {"#": Cell(fill="dark"), "-": Cell()}))

    def solved_scene(self, answer: str) -> Grid:
        return Grid(cells_of(self.read(answer), {"#": Cell(fill="accent"), "-": Cell()}))

    def result(self) -> Rows:
        return self.boards()[-1]

    def read(self, answer: str) -> list[str]:
        size = len(self.rows)
        return ["".join(row) for row in grid(answer, size, size, "#-")]

    def as_text(self, values: Sequence[str]) -> str:
        return "\n".join(values)

    def difficulty(self) -> float:
        return float(len(self.rows) ** 2 * self.steps)

    def shortcuts(self) -> Iterable[str]:
        yield "\n".join(self.rows)
        yield "\n".join(self.boards()[-2])
        yield "\n".join("-" * len(row) for row in self.rows)


def _either(numbers: tuple[int, ...]) -> str:
    *most, last = map(str, numbers)
    return f"exactly {', '.join(most)} or {last}" if most else f"exactly {last}"
