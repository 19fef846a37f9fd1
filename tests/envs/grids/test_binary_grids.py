"""The bases of grids of cells that are on or off, by toy environments that are defined here."""

from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Self

import pytest

from palaestra.generators.bitsets import bits
from palaestra.generators.cells import in_rows, lines
from palaestra.generators.grids.line_solver import Lines, having, search
from palaestra.generators.grids.marks import Sheet, exactly
from palaestra.generators.grids.pencil import (
    UNKNOWN,
    BinaryGrid,
    LineClues,
    LineCounts,
    SearchResult,
    margins,
)
from palaestra.task import InvalidAnswer, ladder


class Counts(LineCounts):
    """Fill cells so that each row and column has a given number of them."""

    counted = "filled cells"

    class Knobs(LineCounts.Knobs):
        size: int = ladder(2, 3, 4)
        silent: int = ladder(0, 2, 4)

    counts: tuple[int, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        on = [rng.random() < 0.7 for _ in range(knobs.size**2)]
        task = cls(counts=tuple(sum(on[c] for c in n) for n in lines(knobs.size, knobs.size)))
        return task.without_counts(rng.sample(range(2 * knobs.size), knobs.silent))

    def shape(self) -> tuple[int, int]:
        return len(self.counts) // 2, len(self.counts) // 2

    def solved(self) -> SearchResult[int]:
        clues = zip(lines(*self.shape()), self.counts)
        counts = tuple(exactly(line, count) for line, count in clues if count >= 0)
        return Sheet(len(self.counts) ** 2 // 4, counts).solve()

    def prompt(self) -> str:
        size, _ = self.shape()
        return f"{margins('Cells in', self.counts, size)}\n{self.answer_format('filled', 'empty')}"


class Longest(LineClues):
    """Fill cells so that the longest run of each row and column has a given length."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    givens: tuple[str, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: LineClues.Knobs) -> Self:
        cells = "".join(rng.choice("#-") for _ in range(9))
        clues = tuple(longest([cells[n] == "#" for n in line]) for line in lines(3, 3))
        shown = "".join(sign if rng.random() < 0.5 else UNKNOWN for sign in cells)
        return cls(rows=clues[:3], columns=clues[3:], givens=tuple(in_rows(shown, 3)))

    def shape(self) -> tuple[int, int]:
        return 3, 3

    def known(self) -> Sequence[str]:
        return self.givens

    def line_clues(self) -> Sequence[int]:
        return (*self.rows, *self.columns)

    def measure(self, line: Sequence[bool]) -> int:
        return longest(line)

    def described(self, clue: int) -> str:
        return f"a run of {clue}"

    def solved(self) -> SearchResult[int]:
        every = {number: [bool(number >> n & 1) for n in range(3)] for number in range(8)}
        fillings: Lines = [
            [number for number, line in every.items() if longest(line) == clue]
            for clue in self.line_clues()
        ]
        for row, column in product(range(3), repeat=2):
            if self.givens[row][column] != UNKNOWN:
                on = self.givens[row][column] == "#"
                fillings = having(fillings, 3, (row, column), int(on))
        return search(fillings, 3)

    def prompt(self) -> str:
        return "\n".join([*self.givens, self.answer_format("a filled cell", "an empty one")])


class Fences(BinaryGrid):
    """Fill all cells that share a side with none of the walls, which stay."""

    signs = "xo"
    fixed = "W"

    board: tuple[str, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: BinaryGrid.Knobs) -> Self:
        cells = "".join(rng.choice("W...") for _ in range(8))
        return cls(board=tuple(in_rows(cells, 4)))

    def shape(self) -> tuple[int, int]:
        return 2, 4

    def fixed_cells(self) -> list[int]:
        return [cell for cell, sign in enumerate("".join(self.board)) if sign == "W"]

    def solved(self) -> SearchResult[int]:
        return SearchResult([bits(self.far())], nodes=1, steps=1, complete=True)

    def far(self) -> set[int]:
        """The cells away from walls."""
        walls = {divmod(cell, 4) for cell in self.fixed_cells()}
        cells = {divmod(cell, 4) for cell in range(8)} - walls
        near = {(r + a, c + b) for r, c in walls for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))}
        return {4 * row + column for row, column in cells - near}

    def violation(self, on: Sequence[bool]) -> str:
        chosen = {cell for cell, one in enumerate(on) if one}
        return "" if chosen == self.far() else f"{len(chosen ^ self.far())} cells are wrong"

    def prompt(self) -> str:
        return "\n".join([*self.board, self.answer_format("far", "near", "xW")])


def longest(line: Sequence[bool]) -> int:
    """The length of the longest run."""
    return max(map(len, "".join(" #"[on] for on in line).split()), default=0)


TOYS: list[type[BinaryGrid]] = [Counts, Longest, Fences]


@pytest.mark.parametrize("toy", TOYS)
def test_an_environment_of_a_few_lines_plays(toy: type[BinaryGrid]) -> None:
    for seed in range(25):
        knobs = Counts.Knobs.at(seed % 3) if toy is Counts else toy.Knobs()
        task = toy.sample(Random(f"{toy} {seed}"), knobs)
        right = task.answer()
        assert task.verify(right).correct
        assert task.verify(right.replace(" ", "")).correct
        rows, columns = task.shape()
        assert f"{rows} lines of {columns} cells" in task.prompt()
        if rows * columns <= 9:
            accepted = [text for text in task.candidates() if task.verify(text).correct]
            assert accepted == [right]
        for cell in (n for n, sign in enumerate(right) if sign in task.signs):
            other = task.signs[right[cell] == task.signs[0]]
            score = task.verify(right[:cell] + other + right[cell + 1 :])
            assert score.value == 0
            assert score.reason
        for shortcut in (task.written(0), task.written((1 << rows * columns) - 1)):
            assert task.verify(shortcut).correct == (shortcut == right)


@pytest.mark.parametrize("toy", TOYS)
def test_other_shapes_are_refused(toy: type[BinaryGrid]) -> None:
    task = toy.sample(Random(1), toy.Knobs())
    rows = task.answer().splitlines()
    for text in ("", "?", "\n".join(rows[1:]), "\n".join(row[2:] for row in rows), "# #\n# ?"):
        with pytest.raises(InvalidAnswer):
            task.verify(text)


def test_counts_are_hidden_only_where_the_solution_stays_unique() -> None:
    assert Counts(counts=(2, 2, 2, 2)).without_counts(range(4)).counts == (-1, -1, 2, 2)
    assert Counts(counts=(2, 2, 2, 2)).without_counts([3, 1]).counts == (2, 2, 2, -1)
    hidden = 0
    for seed in range(40):
        task = Counts.sample(Random(seed), Counts.Knobs(size=3, silent=4))
        assert task.solved().unique
        hidden += task.counts.count(-1)
    assert hidden > 40


def test_reasons_name_the_line_and_what_it_has() -> None:
    task = Counts(counts=(1, 2, 2, -1))
    assert task.verify("# -\n# #").correct
    assert task.verify("# #\n# #").reason == "row 1 has 2 filled cells"
    assert task.verify("- #\n# #").reason == "column 1 has 1 filled cells"
    runs = Longest(rows=(3, 1, 1), columns=(1, 1, 3), givens=("...", ".-.", "..."))
    assert "row 1 has a run of 2" in runs.verify("# # -\n# - #\n- - #").reason


def test_known_cells_and_walls_have_to_stay() -> None:
    known = Longest(rows=(1, 0, 0), columns=(1, 0, 0), givens=("#..", "...", "..."))
    assert known.verify("# - -\n- - -\n- - -").correct
    assert "r1c1" in known.verify("- # -\n- - -\n- - -").reason
    walls = Fences(board=("W...", "...."))
    assert walls.answer() == "W o x x\no x x x"
    assert "the walls" in walls.verify("x o x x\no x x x").reason
    assert "the walls" in walls.verify("W W x x\no x x x").reason
