"""Problems with the values of their optima: random ones, their proofs, and careless proofs."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any, Literal, NamedTuple

from palaestra.generators.critique.optimality_certificate.flows import (
    careless_cuts,
    flow_on,
    maximum_flow,
    random_network,
)
from palaestra.generators.critique.optimality_certificate.matchings import (
    Edge,
    Matching,
    bipartite_cover,
    careless_barriers,
    careless_covers,
    components,
    random_barred,
    random_bipartite,
)
from palaestra.generators.critique.optimality_certificate.partitions import (
    careless_partitions,
    exact_partition,
    independent_set,
    random_parts,
)
from palaestra.generators.critique.optimality_certificate.programs import (
    careless_multipliers,
    random_program,
    simplex,
)
from palaestra.verifiers.critique.optimality_certificate import (
    barrier_violation,
    cover_violation,
    cut_violation,
    dual_violation,
    part_bound,
    partition_violation,
)

Sort = Literal["cut", "cover", "partition", "barrier", "dual"]
SORTS: tuple[Sort, ...] = ("cut", "cover", "partition", "barrier", "dual")


class Problem(NamedTuple):
    """A problem and the value of its optimum."""

    sort: Sort
    nodes: int
    """The number of vertices, or of constraints."""
    rows: tuple[tuple[int, ...], ...]
    """Arcs with capacities, edges, or the coefficients and the right sides of constraints."""
    ends: tuple[int, ...]
    """The source and the sink, or the coefficients of the objective."""
    optimum: int

    @property
    def edges(self) -> list[Edge]:
        """The edges without their capacities."""
        return [(row[0], row[1]) for row in self.rows]

    @property
    def arcs(self) -> list[tuple[int, int, int]]:
        """The arcs with their capacities."""
        return [(u, v, size) for u, v, size in self.rows]

    @property
    def bounds(self) -> list[int]:
        """The right sides of the constraints."""
        return [row[-1] for row in self.rows]


Proof = Any
"""A set of vertices, a partition of them, or multipliers."""


def random_problem(rng: Random, sort: Sort, size: int, cycles: int) -> Problem:
    """A problem of a sort with ``size`` vertices, one of a barrier with half as many more. Linear
    programs have a third as many constraints.
    """
    ends: Sequence[int] = ()
    rows: Sequence[tuple[int, ...]]
    if sort == "cut":
        rows, *ends = random_network(rng, size)
        optimum = maximum_flow(rows, *ends)[0]
    elif sort == "cover":
        rows, optimum = random_bipartite(rng, size)
    elif sort == "partition":
        rows, optimum = random_parts(rng, size, cycles)
    elif sort == "barrier":
        size = min(size + size // 2, 26)
        rows, optimum = random_barred(rng, size)
    else:
        matrix, bounds, ends, optimum = random_program(rng, max(2, size // 3))
        rows = [(*row, bound) for row, bound in zip(matrix, bounds)]
        size = len(rows)
    return Problem(sort, size, tuple(map(tuple, rows)), tuple(ends), optimum)


def proof(problem: Problem) -> tuple[Proof, int]:
    """A proof that the optimum is one, and how much its computation examined."""
    if problem.sort == "cut":
        _, chosen, examined = maximum_flow(problem.arcs, *problem.ends)
        return chosen, examined
    if problem.sort == "cover":
        return bipartite_cover(problem.nodes, problem.edges)
    if problem.sort == "partition":
        return exact_partition(problem.nodes, problem.edges)
    if problem.sort == "barrier":
        matching = Matching(problem.nodes, problem.edges)
        return matching.barrier(), matching.examined
    solved = simplex([row[:-1] for row in problem.rows], problem.bounds, problem.ends)
    return solved.dual, solved.examined


def violation(problem: Problem, stated: Proof) -> str:
    """Why an object proves nothing; empty for a proof."""
    optimum = problem.optimum
    if problem.sort == "cut":
        source, sink = problem.ends
        return cut_violation(problem.arcs, (source, sink), stated, optimum)
    if problem.sort == "cover":
        return cover_violation(problem.edges, stated, optimum)
    if problem.sort == "partition":
        return partition_violation(problem.nodes, problem.edges, stated, optimum)
    if problem.sort == "barrier":
        return barrier_violation(problem.nodes, problem.edges, stated, optimum)
    matrix = [row[:-1] for row in problem.rows]
    return dual_violation(matrix, problem.bounds, problem.ends, stated, optimum)


def is_tight(problem: Problem, stated: Proof) -> bool:
    """Whether an object proves the optimum, by comparing it with an optimal solution: both are
    optimal if and only if they satisfy complementary slackness.
    """
    edges = problem.edges
    if problem.sort == "cut":
        source, sink = problem.ends
        flows = flow_on(problem.arcs, source, sink)
        return (
            source in stated
            and sink not in stated
            and all(
                flow == (size if u in stated else 0)
                for (u, v, size), flow in zip(problem.arcs, flows)
                if (u in stated) != (v in stated)
            )
        )
    if problem.sort in ("cover", "barrier"):
        matching = Matching(problem.nodes, edges)
        pairs = [(u, v) for u, v in enumerate(matching.mates) if u < v]
        if problem.sort == "cover":  # each edge of the matching has one end in it, and no others
            ends = sorted(n for pair in pairs for n in pair if n in stated)
            once = all((u in stated) != (v in stated) for u, v in pairs)
            free = [n for n in range(problem.nodes) if n not in stated]
            alone = components(problem.nodes, edges, stated)
            return once and ends == sorted(stated) and len(alone) == len(free)
        odd = [each for each in components(problem.nodes, edges, stated) if len(each) % 2]
        return problem.nodes + len(stated) - len(odd) == 2 * matching.size
    if problem.sort == "partition":
        every = sorted(n for part in stated for n in part)
        joined = {*edges}
        counts = [part_bound(joined, part) for part in stated]
        best = independent_set(problem.nodes, edges)[0]
        shares = [sum(best >> n & 1 for n in part) for part in stated]
        return every == [*range(problem.nodes)] and all(counts) and counts == shares
    solved = simplex([row[:-1] for row in problem.rows], problem.bounds, problem.ends)
    slack = [row[-1] - sum(a * x for a, x in zip(row, solved.primal)) for row in problem.rows]
    columns = [*zip(*problem.rows)][:-1]
    excess = [
        sum(y * a for y, a in zip(stated, column)) - c for column, c in zip(columns, problem.ends)
    ]
    return (
        min(stated) >= 0
        and min(excess) >= 0
        and not any(y * s for y, s in zip(stated, slack))
        and not any(x * e for x, e in zip(solved.primal, excess))
    )


def careless_proofs(rng: Random, problem: Problem) -> Mapping[str, Proof]:
    """What players without search state, by name."""
    nodes, edges, optimum = problem.nodes, problem.edges, problem.optimum
    if problem.sort == "cut":
        source, sink = problem.ends
        return careless_cuts(rng, problem.arcs, (source, sink))
    if problem.sort == "cover":
        return careless_covers(rng, nodes, edges, optimum)
    if problem.sort == "barrier":
        return careless_barriers(rng, nodes, edges, optimum)
    if problem.sort == "partition":
        return careless_partitions(rng, nodes, edges)
    matrix = [row[:-1] for row in problem.rows]
    return careless_multipliers(rng, matrix, problem.bounds, problem.ends, optimum)


def example(problem: Problem) -> Proof:
    """An object in the form of a proof that proves nothing."""
    objects: list[Proof] = [
        {*range(start, start + number)}
        for number in (2, 3, 1, 4)
        for start in range(problem.nodes - number + 1)
    ]
    if problem.sort == "partition":
        objects = [[[n, n + 1][: problem.nodes - n] for n in range(0, problem.nodes, 2)]]
        objects.append([[n] for n in range(problem.nodes)])
    if problem.sort == "dual":
        rest = [Fraction(0)] * problem.nodes
        objects = [([Fraction(n), Fraction(1, 2), *rest])[: problem.nodes] for n in (2, 3, 4)]
    return next(each for each in objects if violation(problem, each))
