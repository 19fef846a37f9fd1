"""The bases of number puzzles, by toy environments that are defined here."""

from collections.abc import Iterable
from random import Random
from typing import Self

import pytest

from palaestra.generators.grids.constraints import Board, Different, Rule, Total, between
from palaestra.generators.grids.latin_squares import LatinSquare, empty_grid, latin_square
from palaestra.generators.grids.pencil import (
    Grid,
    NumberGrid,
    PermutationGrid,
    SearchResult,
    as_grid,
    by_cell,
)
from palaestra.task import InvalidAnswer, ladder


class Corners(LatinSquare):
    """Fill a Latin square whose corners have a given sum."""

    class Knobs(LatinSquare.Knobs):
        size: int = ladder(3, 4, 5)
        givens: int = ladder(1)

    total: int
    givens: Grid

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        numbers = latin_square(rng, knobs.size)
        corners = corners_of(knobs.size)
        task = cls(total=sum(numbers[c] for c in corners), givens=empty_grid(knobs.size))
        return task.with_givens(rng, numbers, knobs.givens)

    def rules(self) -> Iterable[Rule]:
        yield Total(corners_of(len(self.givens)), self.total)

    def violation(self, rows: list[list[int]]) -> str:
        total = rows[0][0] + rows[0][-1] + rows[-1][0] + rows[-1][-1]
        return super().violation(rows) or ("" if total == self.total else f"the sum is {total}")

    def prompt(self) -> str:
        rules = f"Fill this Latin square so that its corners add up to {self.total}."
        return f"{rules}\n\n{self.board()}\n\n{self.answer_format()}"


class Ends(PermutationGrid):
    """Fill a row with 1 to 4 so that its ends have a given sum."""

    givens: Grid
    total: int

    @classmethod
    def generate(cls, rng: Random, knobs: PermutationGrid.Knobs) -> Self:
        numbers = rng.sample(range(1, 5), 4)
        shown = {cell: numbers[cell] for cell in (0, 1)}
        return cls(givens=as_grid(shown, rows=1, columns=4), total=numbers[0] + numbers[3])

    def solved(self) -> SearchResult[tuple[int, ...]]:
        numbers, values = by_cell(self.givens), between(1, 4)
        board = Board(4, [Different((0, 1, 2, 3), values), Total((0, 3), self.total)])
        return board.solve([1 << numbers[n] if n in numbers else values for n in range(4)])

    def violation(self, rows: list[list[int]]) -> str:
        total = rows[0][0] + rows[0][3]
        return super().violation(rows) or ("" if total == self.total else f"the sum is {total}")

    def prompt(self) -> str:
        return f"The ends add up to {self.total}.\n\n{self.board()}\n\n{self.answer_format()}"


def corners_of(size: int) -> tuple[int, ...]:
    """The four corners of a square."""
    return 0, size - 1, size * (size - 1), size * size - 1


@pytest.mark.parametrize("level", range(3))
def test_a_latin_square_of_a_few_lines_plays(level: int) -> None:
    for seed in range(20):
        task = Corners.sample(Random(f"corners {level} {seed}"), Corners.Knobs.at(level))
        size = len(task.givens)
        assert task.solved().unique
        assert task.verify(task.answer()).correct
        assert f"{size} lines of {size} numbers" in task.prompt()
        rows = [line.split() for line in task.answer().splitlines()]
        refused = [
            [row[::-1] for row in rows],
            rows[::-1],
            rows[1:] + rows[:1],
            [["1"] * size] * size,
            [[str((r + c) % size + 1) for c in range(size)] for r in range(size)],
        ]
        for other in refused:
            score = task.verify("\n".join(map(" ".join, other)))
            assert score.value == (other == rows), other
            assert score.correct or score.reason


def test_a_latin_square_accepts_what_brute_force_accepts() -> None:
    for seed in range(10):
        task = Corners.sample(Random(seed), Corners.Knobs(size=3))
        accepted = {text for text in task.candidates() if task.verify(text).correct}
        assert accepted == {task.answer()}


@pytest.mark.parametrize("answer", ["", "1 2 3", "1 2 3\n2 3 1\n3 1 4", "1 2 3\n2 3 1\n3 1", "x"])
def test_a_latin_square_refuses_other_shapes(answer: str) -> None:
    with pytest.raises(InvalidAnswer):
        Corners.sample(Random(1), Corners.Knobs(size=3)).verify(answer)


def test_a_latin_square_keeps_given_numbers() -> None:
    task = Corners(total=8, givens=((0, 0, 3), (0, 0, 0), (0, 0, 0)))
    assert task.verify("1 2 3\n2 3 1\n3 1 2").reason == "the sum is 9"
    assert "r1c3" in task.verify("3 1 2\n1 2 3\n2 3 1").reason
    assert "column 1" in task.verify("1 2 3\n1 3 2\n2 1 3").reason


def test_a_permutation_grid_of_a_few_lines_plays() -> None:
    for seed in range(20):
        task = Ends.sample(Random(seed), Ends.Knobs())
        assert task.verify(task.answer()).correct
        accepted = {text for text in task.candidates() if task.verify(text).correct}
        assert accepted == {task.answer()}
        assert "1 lines of 4 numbers" in task.prompt()
        assert task.verify(task.answer()[::-1]).value == 0
    task = Ends(givens=((2, 1, 0, 0),), total=5)
    assert task.verify("2 1 4 3").correct
    assert task.verify("2 1 3 4").reason == "the sum is 6"
    assert task.verify("2 1 1 3").reason == (
        "the grid does not hold each number from 1 to 4 exactly once"
    )
    assert task.audit("2, 1, 4, 3")
    with pytest.raises(InvalidAnswer):
        task.verify("2 1 4")


def test_the_fields_of_a_base_are_those_of_its_classes_alone() -> None:
    """A base must not add fields, since they would come first in the text form of a task."""
    assert [*Corners.model_fields] == ["wording", "total", "givens"]
    assert [*Ends.model_fields] == ["wording", "givens", "total"]
    assert [*NumberGrid.model_fields] == ["wording"]
