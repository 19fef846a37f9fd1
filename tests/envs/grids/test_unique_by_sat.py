"""Uniqueness at the top levels, by a SAT solver that shares no code with the generators.

Connectedness is stated lazily: where a model breaks it, a clause that rules this out is added, and
the solver goes on.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations

import networkx as nx
import pytest
from pysat.solvers import Cadical153
from tests.envs.sampling import sample

from palaestra.envs.grids.slitherlink import Slitherlink

Clause = list[int]
Cuts = Callable[[set[int]], list[Clause]]
"""The clauses that a model breaks, given the variables that are true in it."""


def solutions(clauses: Iterable[Clause], shown: Sequence[int], cuts: Cuts) -> Iterator[set[int]]:
    """The models that differ in the variables shown, as those of them that are true."""
    with Cadical153(bootstrap_with=clauses) as solver:
        while solver.solve():
            model = {literal for literal in solver.get_model() if literal > 0}
            broken = cuts(model)
            if not broken:
                yield model & {*shown}
                broken = [[-n if n in model else n for n in shown]]
            for clause in broken:
                solver.add_clause(clause)


def some_of(variables: Sequence[int], allowed: set[int]) -> list[Clause]:
    """Clauses by which the number of true variables is an allowed one."""
    barred = [many for many in range(len(variables) + 1) if many not in allowed]
    return [
        [-n if n in true else n for n in variables]
        for many in barred
        for true in combinations(variables, many)
    ]


def loops_cut(edges: dict[int, tuple], required: Sequence[set[int]]) -> Cuts:
    """Cuts for one loop that has a link of each required set."""

    def cuts(model: set[int]) -> list[Clause]:
        on = {n: pair for n, pair in edges.items() if n in model}
        parts = [*nx.connected_components(nx.Graph(on.values()))]
        if len(parts) == 1:
            return []
        if not parts:
            return [[*edges]]
        loops = [{n for n, pair in on.items() if pair[0] in part} for part in parts]
        small = [loop for loop in loops if any(not loop & some for some in required)]
        return [[-n for n in loop] for loop in small or [loops[0] | loops[1]]]

    return cuts


def slitherlink(task: Slitherlink) -> Iterator[set[int]]:
    size = len(task.clues)
    corners = nx.grid_2d_graph(size + 1, size + 1)
    number = {frozenset(pair): n for n, pair in enumerate(corners.edges, 1)}
    clauses, required = [], []
    for corner in corners:
        clauses += some_of([number[frozenset((corner, o))] for o in corners[corner]], {0, 2})
    for r, row in enumerate(task.clues):
        for c, sign in enumerate(row):
            ring = [(r, c), (r, c + 1), (r + 1, c + 1), (r + 1, c)]
            around = [number[frozenset((ring[n - 1], ring[n]))] for n in range(4)]
            if sign != ".":
                clauses += some_of(around, {int(sign)})
            if sign not in ".0":
                required.append({*around})
    edges = {n: tuple(pair) for pair, n in number.items()}
    return solutions(clauses, [*edges], loops_cut(edges, required))


REFEREES = [(Slitherlink, slitherlink)]


@pytest.mark.parametrize(("puzzle", "referee"), REFEREES)
def test_a_task_of_the_top_level_has_one_solution(puzzle, referee) -> None:
    top = puzzle.Knobs.levels() - 1
    for seed in range(3):
        assert len([*zip(range(2), referee(sample(puzzle, seed, top)))]) == 1


VAGUE = [(Slitherlink(clues=("...",) * 3), slitherlink, 213)]  # OEIS A140517
"""Tasks without clues, and how many solutions they have."""


@pytest.mark.parametrize(("task", "referee", "many"), VAGUE)
def test_the_sat_solver_lists_all_solutions(task, referee, many) -> None:
    assert len([*referee(task)]) == many
