"""Centralities, against networkx and in cases worked by hand."""

from fractions import Fraction
from itertools import product

import networkx as nx
import pytest
from tests.envs.graphs.referees import referee
from tests.envs.sampling import sampled

from palaestra.envs.graphs.centrality import MEASURES, Centrality
from palaestra.generators.graphs.centrality import rank_equations, rank_step
from palaestra.generators.graphs.puzzles import Graph
from palaestra.task import InvalidAnswer
from palaestra.verifiers.linear import solved

NAME = "graphs/centrality"


def tasks(measure, levels=range(7), seeds=range(4)):
    for level, seed in product(levels, seeds):
        yield sampled(NAME, seed, level, measure=measure)


def test_betweenness_and_closeness_against_networkx():
    for task in tasks("betweenness"):
        theirs = nx.betweenness_centrality(referee(task.graph), normalized=False)
        values = task.centralities()
        assert all(float(values[node]) == pytest.approx(theirs[node]) for node in theirs)
    for task in tasks("closeness"):
        theirs = nx.closeness_centrality(referee(task.graph))
        values = task.centralities()
        assert all(float(values[node]) == pytest.approx(theirs[node]) for node in theirs)


def test_page_ranks_against_networkx_and_their_equations():
    for task in tasks("PageRank"):
        graph, damping = referee(task.graph), Fraction(task.damping)
        theirs = nx.pagerank(graph, alpha=float(damping), tol=1e-12, max_iter=1000)
        values, number = task.centralities(), len(task.graph.names)
        assert all(float(values[n]) / number == pytest.approx(theirs[n], abs=1e-8) for n in theirs)
        assert sum(values) == number
        assert rank_step(task.graph.ways(), damping, values) == values


def test_a_few_values_by_hand():
    """A cycle of four nodes with a fifth one, E, at D; and two nodes that lead to each other, of
    which the first also leads to a third one.
    """
    graph = Graph(tuple("ABCDE"), ((0, 1), (1, 2), (2, 3), (3, 0), (3, 4)), "edges")
    task = Centrality(graph=graph, measure="betweenness", nodes=(0, 1, 3))
    # A: half of B-D, half of B-E; B: half of A-C; D: half of A-C, and all of A-E, B-E and C-E.
    assert task.answer() == "A: 1\nB: 1/2\nD: 7/2"
    task = Centrality(graph=graph, measure="closeness", nodes=(0, 4))
    assert task.answer() == "A: 2/3\nE: 1/2"
    ranks = solved(rank_equations([[1, 2], [0], [0]], Fraction(1, 2)))
    assert ranks == (Fraction(4, 3), Fraction(5, 6), Fraction(5, 6))


@pytest.mark.parametrize("measure", MEASURES)
def test_degrees_do_not_decide(measure):
    for task in tasks(measure, [3, 4, 5, 6] if measure != "PageRank" else [6], range(2)):
        values, degrees = task.centralities(), task.degrees()
        both = sorted(zip(degrees, values))
        assert [value for _, value in both] != sorted(values)
        assert any(d > e and v < w for d, v in both for e, w in both)
        assert task.verify(task.as_text(degrees)).value == 0
        assert not task.audit(task.as_text(degrees))


@pytest.mark.parametrize("measure", MEASURES)
def test_a_value_that_is_a_little_off(measure):
    for task in tasks(measure, [1, 4], range(2)):
        values = [*task.centralities()]
        values[task.nodes[-1]] += Fraction(1, 1000)
        answer = task.as_text(values)
        assert task.verify(answer).value == 0
        assert not task.audit(answer)


def test_forms_of_values():
    graph = Graph(tuple("ABCDE"), ((0, 1), (1, 2), (2, 3), (3, 0), (3, 4)), "edges")
    task = Centrality(graph=graph, measure="betweenness", nodes=(0, 1, 3))
    for text in (
        "A: 1, B: 0.5, D: 3.5",
        "A = 2/2\nB = \\frac{1}{2}\nD = 3 1/2",
        "A: 1\nB: 2/4\nD: 14/4",
    ):
        assert task.verify(text).value == 1, text
    with pytest.raises(InvalidAnswer):
        task.verify("A: 1\nB: 1/0\nD: 7/2")
    with pytest.raises(InvalidAnswer):
        task.verify("A: 1\nB: nan\nD: 7/2")
