"""Products of matrices: Arthur Cayley, "A Memoir on the Theory of Matrices" (1858)."""

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import product as pairs
from random import Random
from typing import Self

from palaestra.generators.algebra.pictures import bracketed
from palaestra.generators.tiles import entered, tiles
from palaestra.scenes import Panels
from palaestra.task import Derivation, InvalidAnswer, Puzzle, Score, Step, ladder
from palaestra.verifiers.reading.matrices import rows_of_integers

Matrix = tuple[tuple[int, ...], ...]


class MatrixProduct(Puzzle):
    """Multiply two or more matrices of whole numbers in order."""

    tags = {"linear-algebra", "calculation", "unique-solution"}
    calculation = True
    answer_type = "matrix"

    class Knobs(Puzzle.Knobs):
        matrices: int = ladder(2, 2, 2, 2, 3, 3, 4, low=2, high=6)
        size: int = ladder(2, 2, 3, 4, 4, 5, 6, low=2, high=8)
        largest: int = ladder(4, 9, 9, 9, 9, 12, 15, low=3, high=99)

    matrices: tuple[Matrix, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        shapes = [rng.randint(2, knobs.size) for _ in range(knobs.matrices + 1)]
        size = knobs.largest

        def matrix(rows: int, columns: int) -> Matrix:
            return tuple(
                tuple(rng.randint(-size, size) for _ in range(columns)) for _ in range(rows)
            )

        return cls(matrices=tuple(map(matrix, shapes, shapes[1:])))

    def is_valid(self) -> bool:
        return sum(n != 0 for row in self.value() for n in row) > 2

    def value(self) -> Matrix:
        """The product."""
        return reduce(times, self.matrices)

    def prompt(self) -> str:
        ask = self.phrase(
            "Multiply these matrices in the order in which they are listed:",
            "What is the product of these matrices, from the first to the last?",
        )
        shown = "\n\n".join(
            "\n".join(" ".join(map(str, row)) for row in matrix) for matrix in self.matrices
        )
        row = " ".join(str(-71 + 46 * n) for n in range(len(self.matrices[-1][0])))
        return (
            f"{ask}\n\n{shown}\n\nEach line is a row, and a blank line ends a matrix. Write the "
            "product in the same way: a line for each row, its whole numbers separated by spaces. "
            f"A row looks like '{row}'."
        )

    def answer(self) -> str:
        return "\n".join(" ".join(map(str, row)) for row in self.value())

    def scene(self) -> Panels:
        return self.pictured([])

    def solved_scene(self, answer: str) -> Panels:
        return self.pictured(self.read(answer))

    def pictured(self, result: Sequence[Sequence[int]]) -> Panels:
        """The matrices in their order, and the product if there is one."""
        grids = [bracketed(map(tiles, rows)) for rows in self.matrices]
        captions = [f"{n}." for n in range(1, len(grids) + 1)]
        if result:
            grids, captions = [*grids, bracketed(map(entered, result))], [*captions, "product"]
        return Panels(tuple(grids), tuple(captions), columns=3 if len(grids) < 4 else 2)

    def read(self, answer: str) -> list[list[int]]:
        """The rows of an answer."""
        rows, first, last = rows_of_integers(answer), self.matrices[0], self.matrices[-1]
        if [len(row) for row in rows] != [len(last[0])] * len(first):
            raise InvalidAnswer(f"not a matrix of {len(first)} rows and {len(last[0])} columns")
        return rows

    def verify(self, answer: str) -> Score:
        rows, right = self.read(answer), self.value()
        for n, (row, right_row) in enumerate(zip(rows, right), 1):
            for column, (one, other) in enumerate(zip(row, right_row), 1):
                if one != other:
                    return Score(0, f"row {n}, column {column} is wrong")
        return Score(1)

    def derivation(self) -> Derivation:
        """The entries of the products of the first two matrices, of these and the third, …."""
        result = [list(row) for row in self.matrices[0]]
        for matrix in self.matrices[1:]:
            entries = []
            for row, column in pairs(result, zip(*matrix)):
                terms = " + ".join(f"{a} * {b}" for a, b in zip(row, column))
                entries.append((yield Step(terms, sum(a * b for a, b in zip(row, column)))))
            width = len(matrix[0])
            result = [entries[n : n + width] for n in range(0, len(entries), width)]

    def difficulty(self) -> float:
        """The number of products of two numbers, weighted by the digits of the result."""
        rows = len(self.matrices[0])
        steps = sum(rows * len(matrix) * len(matrix[0]) for matrix in self.matrices[1:])
        return float(steps * len(self.answer()))

    def shortcuts(self) -> Iterable[str]:
        rows, columns = len(self.matrices[0]), len(self.matrices[-1][0])
        yield "\n".join(" ".join("0" * columns) for _ in range(rows))


def times(one: Matrix, other: Matrix) -> Matrix:
    """The product of two matrices.

    >>> times(((1, 2),), ((3,), (4,)))
    ((11,),)
    """
    columns = tuple(zip(*other))
    return tuple(tuple(sum(a * b for a, b in zip(row, c)) for c in columns) for row in one)
