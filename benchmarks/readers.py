"""CPU time that the readers of answers take for one short answer.

    python benchmarks/readers.py

Prints a line for each reader: the answer that it reads, and the least of five means in µs.
"""

import time
from collections.abc import Callable
from typing import Any

from palaestra.verifiers.algebra import functions, monomials
from palaestra.verifiers.reading import (
    cells,
    factorisations,
    grids,
    labels,
    matrices,
    moves,
    nodes,
    numbers,
    probabilities,
    times,
    words,
)
from palaestra.verifiers.replies import unwrapped

Reader = Callable[[str], Any]

READERS: list[tuple[str, Reader, str]] = [
    ("wrapping", unwrapped, "$\\boxed{42}$"),
    ("whole number", numbers.integer, "-1,024"),
    ("fraction", numbers.rational, "3/8 = 0.375"),
    ("list of numbers", numbers.integers, "3, -1, 4"),
    ("list of words", words.word_list, "sun, rain and snow"),
    ("letters", lambda text: words.letters(text, "ab"), "a, b, b, a"),
    ("number and word", lambda text: words.number_and_word(text, "xy", "x"), "12 aba"),
    ("labelled values", lambda text: labels.pairs(text, ["Ada", "Bo"]), "Ada: 1\nBo: 2"),
    ("labels on one line", lambda text: labels.pairs(text, "xy"), "x = 1, y = 2"),
    ("cell", lambda text: cells.cell(text, 5, 5), "(2, 5)"),
    ("list of cells", lambda text: cells.cells(text, 5, 5), "r1c1, r2c5"),
    ("grid", lambda text: grids.grid(text, 3, 3, "123"), "1 2 3\n2 3 1\n3 1 2"),
    ("matrix", matrices.rows_of_integers, "1 2\n3 4"),
    ("direction", moves.direction, "move right"),
    ("column", lambda text: moves.column(text, 7), "column 3"),
    ("moves", lambda text: moves.hops(text, "ABC"), "A -> B\nA to C"),
    ("turns of a cube", lambda text: moves.turns(text, {"R", "U'", "F2"}, "x"), "R U' F2"),
    ("set of nodes", lambda text: nodes.node_set(text, "ABC"), "{C, A}"),
    ("edges", lambda text: nodes.edge_list(text, "ABC"), "A-C, B-A"),
    ("walk", lambda text: nodes.walk(text, "ABC"), "A -> C -> B"),
    ("duration", times.duration, "40 hours 39 minutes"),
    ("date", times.dated_weekday, "2013-10-28 (Monday)"),
    ("time of the week", times.weekday_time, "Monday 06:15"),
    ("probability", probabilities.probability, "37.5%"),
    ("factorisation", lambda text: factorisations.factorisation(text, 1960), "2^3 * 5 * 7^2"),
    ("polynomial", monomials.expanded, "3x^2 - 2x + 1"),
    ("function of x", functions.read, "(3*x^2 + 2*x)*exp(3*x)"),
]


def microseconds(read: Reader, text: str, repeats: int = 1_000) -> float:
    """The least CPU time of five means."""
    means = []
    for _ in range(5):
        start = time.process_time()
        for _ in range(repeats):
            read(text)
        means.append((time.process_time() - start) / repeats)
    return 1e6 * min(means)


if __name__ == "__main__":
    for name, read, text in READERS:
        print(f"{name:20} {text!r:30} {microseconds(read, text):6.1f}")
