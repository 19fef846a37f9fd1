"""Nonogram, or picross: puzzles of Non Ishida and Tetsuya Nishio (1987): a picture from its runs.

A random picture is seldom the only one with its runs; wherever a second picture differs, cells are
filled in, until the solution is unique.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Self

from palaestra.generators.bitsets import bits, ones
from palaestra.generators.exchanges import exchanges
from palaestra.generators.grids.nonogram import Picture, runs, solve
from palaestra.generators.grids.pencil import LineClues, SearchResult, labels
from palaestra.scenes import Grid
from palaestra.scenes.elements import changed
from palaestra.task import ladder

Runs = tuple[tuple[int, ...], ...]

REPAIRS = 24
"""A picture with more doubts than this is repaired in several cells at once."""


class Nonogram(LineClues):
    """Find the one black and white picture whose rows and columns have the given runs."""

    tags = {"grid", "constraint-satisfaction", "unique-solution"}
    version = 2

    class Knobs(LineClues.Knobs):
        size: int = ladder(5, 6, 7, 8, 10, 12, 15, 20, 25, low=3, high=30)
        filled: float = ladder(0.6, 0.6, 0.55, 0.55, 0.5, 0.5, 0.5, high=0.8)
        search: bool = ladder(*[False] * 6, True)  # reasoning line by line is not enough

    search: bool
    rows: Runs
    columns: Runs

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        side = range(knobs.size)
        picture = [[rng.random() < knobs.filled for _ in side] for _ in side]
        # Small or well filled pictures hardly ever need it.
        search = knobs.search and knobs.size > 9 and knobs.filled < 0.55
        while True:
            task = cls(search=search, rows=as_text(picture), columns=as_text(zip(*picture)))
            doubts = task.doubts()
            if not doubts:
                return task
            empty = [cell for cell in doubts if not picture[cell // knobs.size][cell % knobs.size]]
            # A large picture with many doubts would take many repairs one by one.
            for cell in rng.sample(empty, min(len(empty), max(1, len(doubts) // REPAIRS))):
                picture[cell // knobs.size][cell % knobs.size] = True

    def doubts(self) -> list[int]:
        """The cells that may be filled or empty, as far as is known; none if it has one solution.

        Where reasoning line by line leaves many cells open, there is no search.
        """
        picture = self.blank()
        picture.settle(range(len(picture.lines)))
        doubts = picture.open_cells()
        if doubts.bit_count() > len(self.rows) * len(self.columns) // 4:
            return ones(doubts)
        result = solve(picture)
        if result.unique:
            return []
        different = result.solutions[0] ^ result.solutions[-1] if result.solutions else 0
        return ones(different or doubts)

    def is_valid(self) -> bool:
        result = self.solved()
        return result.unique and (result.nodes > 1 or not self.search)

    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.columns)

    def line_clues(self) -> Sequence[tuple[int, ...]]:
        return (*self.rows, *self.columns)

    def measure(self, line: Sequence[bool]) -> tuple[int, ...]:
        return runs(line)

    def described(self, clue: tuple[int, ...]) -> str:
        return f"the runs {listed(clue)}"

    def solved(self) -> SearchResult[int]:
        return solve(self.blank())

    def blank(self) -> Picture:
        """The picture before any reasoning."""
        return Picture((*self.rows, *self.columns), len(self.rows))

    def canonical(self) -> str:
        sides = [self.rows, self.columns]
        turned = [pair for a, b in (sides, sides[::-1]) for pair in ((a, b), (a[::-1], mirror(b)))]
        return min(repr(pair) for a, b in turned for pair in ((a, b), (mirror(a), b[::-1])))

    def alterations(self, rng: Random) -> Iterator[Self]:
        """Two runs of different rows, or of different columns, change places."""
        every = (*self.rows, *self.columns)
        line = [number for number, lengths in enumerate(every) for _ in lengths]
        flat = [length for lengths in every for length in lengths]
        height, width = self.shape()
        for lengths in exchanges(flat, rng, lambda run: line[run] < height):
            rest = iter(lengths)
            changed = [tuple(next(rest) for _ in some) for some in every]
            room = ((sum(some) + len(some) - 1) for some in changed)
            if all(cells <= (width if n < height else height) for n, cells in enumerate(room)):
                rows, columns = tuple(changed[:height]), tuple(changed[height:])
                yield self.model_copy(update={"rows": rows, "columns": columns})

    def prompt(self) -> str:
        height, width = len(self.rows), len(self.columns)
        rules = self.phrase(
            f"This nonogram is a grid of {height} rows and {width} columns whose cells are either "
            "filled or empty. The numbers of a row are the lengths of its runs of filled cells "
            "from left to right, and those of a column the lengths of its runs from top to bottom. "
            "Between two runs there is at least one empty cell; a 0 means that there is no filled "
            "cell.",
            f"Reconstruct a picture of {height} rows by {width} columns from clues. Each clue "
            "lists, in order, how long the unbroken blocks of filled cells in a row (left to "
            "right) or column (top to bottom) are; blocks are kept apart by one empty cell or "
            "more, and a clue of 0 stands for a line without filled cells.",
        )
        rows = "\n".join(f"Row {n}: {listed(line)}" for n, line in enumerate(self.rows, 1))
        columns = "\n".join(f"Column {n}: {listed(line)}" for n, line in enumerate(self.columns, 1))
        return (
            f"{rules} Rows are counted from the top, columns from the left. Exactly one picture "
            f"fits.\n\n{rows}\n\n{columns}\n\n"
            f"{self.answer_format('a filled cell', 'an empty one')}"
        )

    def picture(self, signs: Sequence[str]) -> Grid:
        """The scene of the picture, where a line without runs has the clue 0."""
        left, top = (
            tuple(labels(clue or (0,)) for clue in some) for some in (self.rows, self.columns)
        )
        return changed(super().picture(signs), left=left, top=top)

    def difficulty(self) -> float:
        return float(self.solved().steps)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(size=3, filled=0.6)

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Put the runs of each row as far to one side as they go, or anywhere, whatever crosses."""
        wide = len(self.columns)

        def row(lengths: tuple[int, ...], slack: Callable[[int], int]) -> list[int]:
            cells, start, spare = list[int](), 0, wide - sum(lengths) - max(0, len(lengths) - 1)
            for length in lengths:
                shift = slack(spare)
                spare, start = spare - shift, start + shift
                cells += range(start, start + length)
                start += length + 1
            return cells

        sides: dict[str, Callable[[int], int]] = {
            "runs to the left": lambda spare: 0,
            "runs anywhere": lambda spare: rng.randint(0, spare),
        }
        return {
            player: self.written(
                bits(
                    n * wide + cell for n, line in enumerate(self.rows) for cell in row(line, slack)
                )
            )
            for player, slack in sides.items()
        }


def as_text(picture: Iterable[Sequence[bool]]) -> Runs:
    """The runs of all rows of a picture."""
    return tuple(map(runs, picture))


def mirror(lines: Runs) -> Runs:
    """The runs as they are read from the other end."""
    return tuple(line[::-1] for line in lines)


def listed(line: tuple[int, ...]) -> str:
    """The runs of a line as they are written.

    >>> listed((2, 1)), listed(())
    ('2 1', '0')
    """
    return " ".join(map(str, line)) or "0"
