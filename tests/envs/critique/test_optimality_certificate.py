"""Tests of critique/optimality_certificate: problems are read from prompts, solved by networkx."""

import re
from collections import Counter
from fractions import Fraction
from itertools import combinations
from random import Random

import networkx as nx
import pytest

from palaestra.address import Address
from palaestra.envs.critique.optimality_certificate import OptimalityCertificate
from palaestra.generators.critique.optimality_certificate.matchings import Matching, components
from palaestra.generators.critique.optimality_certificate.partitions import independent_set
from palaestra.generators.critique.optimality_certificate.problems import (
    SORTS,
    Problem,
    careless_proofs,
    example,
    is_tight,
    proof,
    random_problem,
    violation,
)
from palaestra.generators.critique.optimality_certificate.programs import simplex
from palaestra.task import InvalidAnswer

NAME = "critique/optimality_certificate"


def graph_of(text):
    graph = nx.Graph()
    graph.add_nodes_from(re.search(r"Vertices: (.+?)\.", text)[1].split(", "))
    graph.add_edges_from(re.findall(r"(\w)-(\w)", text.split("Edges: ")[1]))
    return graph


def check_cut(text, chosen):
    source, sink, best = re.search(
        r"source (\w) to the sink (\w) has the value (\d+)", text
    ).groups()
    arcs = [(u, v, int(size)) for u, v, size in re.findall(r"(\w)->(\w) (\d+)", text)]
    network = nx.DiGraph()
    for u, v, size in arcs:
        network.add_edge(u, v, capacity=size)
    assert nx.maximum_flow_value(network, source, sink) == int(best)
    chosen = set(chosen.split(", "))
    assert source in chosen
    assert sink not in chosen
    assert sum(size for u, v, size in arcs if u in chosen and v not in chosen) == int(best)


def check_cover(text, chosen):
    graph, best = graph_of(text), int(re.search(r"has (\d+) edges", text)[1])
    assert len(nx.max_weight_matching(graph, maxcardinality=True)) == best
    chosen = set(chosen.split(", "))
    assert len(chosen) == best
    assert all(chosen & {*edge} for edge in graph.edges)


def check_barrier(text, chosen):
    graph, best = graph_of(text), int(re.search(r"has (\d+) edges", text)[1])
    assert len(nx.max_weight_matching(graph, maxcardinality=True)) == best
    chosen = set() if chosen == "none" else set(chosen.split(", "))
    rest = graph.copy()
    rest.remove_nodes_from(chosen)
    odd = sum(len(part) % 2 for part in nx.connected_components(rest))
    assert len(graph) + len(chosen) - odd == 2 * best


def check_partition(text, parts):
    graph, best = graph_of(text), int(re.search(r"has (\d+) vertices", text)[1])
    largest, _ = nx.max_weight_clique(nx.complement(graph), weight=None)
    assert len(largest) == best
    parts = [part.split(", ") for part in parts.split("; ")]
    assert sorted(n for part in parts for n in part) == sorted(graph)
    total = 0
    for part in parts:
        if all(graph.has_edge(u, v) for u, v in combinations(part, 2)):
            total += 1
        else:
            assert nx.is_path(graph, [*part, part[0]])
            total += len(part) // 2
    assert total == best


def combination_of(text):
    """Coefficients of variables in a sum such as 2x1 + x3."""
    return {x: int(n or 1) for n, x in re.findall(r"(\d*)(x\d)", text)}


def check_dual(text, multipliers):
    goal, best = re.search(r"maximum of (.+) is (\d+), where", text).groups()
    constraints = text.split("Constraints: ")[1].split("; ")
    multipliers = [Fraction(y) for y in multipliers.split(", ")]
    assert len(multipliers) == len(constraints)
    assert min(multipliers) >= 0
    total, right = {}, 0
    for y, constraint in zip(multipliers, constraints, strict=True):
        left, bound = constraint.split(" <= ")
        right += y * int(bound)
        for x, a in combination_of(left).items():
            total[x] = total.get(x, 0) + y * a
    assert right == int(best)
    assert all(total.get(x, 0) >= c for x, c in combination_of(goal).items())


CHECKS = {
    "Flow": check_cut,
    "Matching, to be proved by a cover": check_cover,
    "Matching, to be proved by a barrier": check_barrier,
    "Independent set": check_partition,
    "Linear program": check_dual,
}


@pytest.mark.parametrize("level", range(7))
def test_optima_and_proofs_of_prompts(level):
    for seed in range(3):
        task = Address.of(NAME, seed, level).task()
        problems = re.findall(r"^\d+: ([A-Z]\w+[^.]*)\. (.*)$", task.prompt(), re.MULTILINE)
        lines = [line.split(": ")[1] for line in task.answer().splitlines()]
        assert len(problems) == len(lines) == len(task.problems)
        for (title, text), line in zip(problems, lines, strict=True):
            CHECKS[title](text, line)
        assert task.audit(task.answer())


@pytest.mark.parametrize("sort", SORTS)
def test_two_ways_to_judge_agree(sort):
    rng, right = Random(3), 0
    for size in (6, 8, 11):
        for _ in range(8):
            problem = random_problem(rng, sort, size, size > 9)
            stated, _ = proof(problem)
            assert violation(problem, stated) == ""
            assert is_tight(problem, stated)
            assert violation(problem, example(problem))
            for each in careless_proofs(rng, problem).values():
                assert (violation(problem, each) == "") == is_tight(problem, each)
                right += violation(problem, each) == ""
    assert right > 0 or sort == "dual"


@pytest.mark.parametrize("seed", range(40))
def test_matchings_and_barriers_of_random_graphs(seed):
    graph = nx.gnm_random_graph(11, 8 + seed % 13, seed=seed)
    matching = Matching(11, graph.edges)
    assert matching.size == len(nx.max_weight_matching(graph, maxcardinality=True))
    barrier = matching.barrier()
    odd = sum(len(part) % 2 for part in components(11, graph.edges, barrier))
    assert 11 + len(barrier) - odd == 2 * matching.size


@pytest.mark.parametrize("seed", range(10))
def test_independent_sets_of_random_graphs(seed):
    graph = nx.gnm_random_graph(10, 10 + seed, seed=seed)
    chosen, _ = independent_set(10, [*graph.edges])
    largest, _ = nx.max_weight_clique(nx.complement(graph), weight=None)
    assert chosen.bit_count() == len(largest)
    assert not any(chosen >> u & 1 and chosen >> v & 1 for u, v in graph.edges)


def test_linear_programs_have_whole_optima():
    rng = Random(5)
    for size in (6, 9, 12, 18):
        for _ in range(10):
            problem = random_problem(rng, "dual", size, 0)
            rows = [row[:-1] for row in problem.rows]
            primal, dual, _ = simplex(rows, problem.bounds, problem.ends)
            assert sum(c * x for c, x in zip(problem.ends, primal, strict=True)) == problem.optimum
            assert sum(b * y for b, y in zip(problem.bounds, dual, strict=True)) == problem.optimum
            assert min(primal) >= 0
            for row, bound in zip(rows, problem.bounds, strict=True):
                assert sum(a * x for a, x in zip(row, primal, strict=True)) <= bound


def task_of(sort, nodes, rows, ends, optimum):
    return OptimalityCertificate(problems=(Problem(sort, nodes, rows, ends, optimum),))


def test_scores_of_cuts():
    task = task_of("cut", 4, ((0, 1, 5), (1, 2, 2), (2, 3, 4), (2, 1, 9)), (0, 3), 2)
    assert task.verify("1: A, B").correct
    assert task.verify("1: {B, A}").correct
    assert "carry 5, not 2" in task.verify("1: A").reason
    assert "source and not the sink" in task.verify("1: A, B, C, D").reason
    assert task.verify("1: C, D").value == 0


PENTAGON = ((0, 1), (1, 2), (2, 3), (3, 4), (0, 4))


def test_scores_of_partitions():
    task = task_of("partition", 6, (*PENTAGON, (4, 5)), (), 3)
    assert task.verify("1: A, B, C, D, E; F").correct
    assert task.verify("1: C B A E D; F").correct
    assert task.verify("1: [A, B], [C, D], [E, F]").correct
    assert "neither a clique nor a cycle" in task.verify("1: A, C, B, D, E; F").reason
    assert "exactly once" in task.verify("1: A, B, C, D, E").reason
    assert "count 4" in task.verify("1: A, B; C, D; E; F").reason
    with pytest.raises(InvalidAnswer):
        task.verify("1: A, B, C, D, E; E, F")


def test_even_cycles_count_half():
    task = task_of("partition", 4, ((0, 1), (1, 2), (2, 3), (0, 3)), (), 2)
    assert task.verify("1: A, B, C, D").correct
    assert task.verify("1: A, C; B, D").value == 0


def test_scores_of_barriers_and_covers():
    star = ((0, 1), (0, 2), (0, 3))
    assert task_of("barrier", 4, star, (), 1).verify("1: A").correct
    assert task_of("barrier", 4, star, (), 1).verify("1: none").value == 0
    assert task_of("barrier", 5, PENTAGON, (), 2).verify("1: none").correct
    assert task_of("cover", 4, star, (), 1).verify("1: A").correct
    assert "2 edges have no end" in task_of("cover", 4, star, (), 1).verify("1: D").reason


def test_scores_of_multipliers():
    task = task_of("dual", 2, ((1, 2, 4), (2, 1, 5)), (1, 1), 3)
    assert task.verify("1: 1/3, 1/3").correct
    assert task.verify("1: 1, 0").reason.endswith("the right side of the sum is not 3")
    assert task.verify("1: 1, -1/5").reason.endswith("a multiplier is negative")
    assert task.verify("1: 0, 0.6").reason.endswith("a coefficient that is too small")
    with pytest.raises(InvalidAnswer):
        task.verify("1: 1/3")


@pytest.mark.parametrize("sort", ["cut", "cover"])
def test_no_rule_of_one_line_proves_large_problems(sort):
    """Such as: all vertices without an arc to the sink, or the neighbours of those with few."""
    right = Counter()
    for seed in range(40):
        problem = random_problem(Random(seed), sort, 18, 0)
        for name, each in careless_proofs(Random(seed), problem).items():
            right[name] += not violation(problem, each)
    assert max(right.values()) <= 8, right
