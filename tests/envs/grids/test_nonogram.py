"""Tests of grids/nonogram."""

from itertools import product

from palaestra.generators.grids import line_solver


def test_nonograms_have_the_solutions_that_brute_force_finds():
    def clues_of(lines):
        across = [tuple(bool(row >> c & 1) for c in range(3)) for row in lines]
        return tuple(line_solver.runs(line) for some in (across, zip(*across)) for line in some)

    pictures = {}
    for lines in product(range(8), repeat=3):
        pictures.setdefault(clues_of(lines), set()).add(lines)
    for clues, matching in pictures.items():
        start = [line_solver.fillings(runs, 3) for runs in clues]
        assert set(line_solver.solve(start, 3, limit=100)[0]) == matching
