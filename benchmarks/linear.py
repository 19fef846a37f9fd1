"""How much faster systems are solved in whole numbers than with fractions, by their size.

python benchmarks/linear.py

Both solve the same systems in turn, in one process; the ratio is that of their CPU times.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random
from statistics import median
from time import process_time

from palaestra.verifiers.linear import Row, determinant, solved

Solver = Callable[[Sequence[Row]], tuple[Fraction, ...]]


def by_fractions(system: Sequence[Row]) -> tuple[Fraction, ...]:
    """Gauss and Jordan's elimination, a fraction at a time."""
    rows = [[Fraction(number) for number in row] for row in system]
    for k in range(len(rows)):
        pivot = next(i for i in range(k, len(rows)) if rows[i][k])
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [number / rows[k][k] for number in rows[k]]
        for i, row in enumerate(rows):
            if i != k and row[k]:
                rows[i] = [a - row[k] * b for a, b in zip(row, rows[k])]
    return tuple(row[-1] for row in rows)


def system(rng: Random, size: int) -> list[Row]:
    """A system with one solution."""
    while True:
        rows = [tuple(rng.randint(-9, 9) for _ in range(size + 1)) for _ in range(size)]
        if determinant([row[:-1] for row in rows]):
            return rows


def seconds(solver: Solver, systems: list[list[Row]]) -> float:
    """The CPU seconds that a solver takes for all systems."""
    start = process_time()
    for each in systems:
        solver(each)
    return process_time() - start


if __name__ == "__main__":
    for size in (2, 3, 5, 8, 12, 20):
        rng = Random(size)
        systems = [system(rng, size) for _ in range(max(2, 2_000 // size**3))]
        ratios = [seconds(by_fractions, systems) / seconds(solved, systems) for _ in range(15)]
        print(f"{size:3} unknowns: {median(ratios):5.1f} times as fast")
