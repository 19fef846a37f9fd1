"""Immediate dominators, against networkx and by paths."""

from itertools import product
from random import Random

import networkx as nx
import pytest
from tests.envs.graphs.players import solved_by
from tests.envs.graphs.referees import referee

from palaestra.address import Address
from palaestra.envs.graphs.dominators import Dominators, flow_edges, random_tree
from palaestra.generators.graphs.puzzles import Graph
from palaestra.task import InvalidAnswer

NAME = "graphs/dominators"


def tasks(levels=range(7), seeds=range(5)):
    for level, seed in product(levels, seeds):
        yield Address.of(NAME, seed, level).task()


def test_against_networkx():
    for task in tasks():
        theirs = nx.immediate_dominators(referee(task.graph), 0)
        assert all(theirs[node] == task.right()[node] for node in task.others())


def test_against_all_paths():
    for task in tasks([0, 1], range(4)):
        graph = referee(task.graph)
        for node in task.others():
            paths = [{*path} for path in nx.all_simple_paths(graph, 0, node)]
            strict = set.intersection(*paths) - {node}
            assert task.right()[node] in strict
            nearer = [{*p} for p in nx.all_simple_paths(graph, 0, task.right()[node])]
            assert set.intersection(*nearer or [{0}]) == strict


def test_edges_have_the_dominators_of_the_tree():
    for seed in range(40):
        above = random_tree(Random(seed), 5 + seed)
        graph = nx.DiGraph([*flow_edges(Random(seed), above)])
        theirs = nx.immediate_dominators(graph, 0)
        assert [theirs[node] for node in range(1, len(above))] == above[1:]


def test_all_answers_of_a_small_graph():
    """From A to B and C, from both to D, from D to E and back to B."""
    edges = ((0, 1), (0, 2), (1, 3), (2, 3), (3, 4), (4, 1))
    task = Dominators(graph=Graph(tuple("ABCDE"), edges, "edges", directed=True))
    assert task.answer() == "B: A\nC: A\nD: A\nE: D"
    for above in product(range(5), repeat=4):
        answer = task.as_text((0, *above))
        right = above == (0, 0, 0, 3)
        assert (task.verify(answer).value == 1) == right
        assert task.audit(answer) == right


def test_parents_of_searches_are_wrong():
    for task in tasks([3, 4, 5, 6]):
        players = task.baselines(Random(1))
        for name in ("breadth-first parents", "depth-first parents"):
            assert task.verify(players[name]).value == 0


def test_one_pass_and_a_few_searches_are_not_enough():
    """Loops with two entries, which a pass over the nodes in the order of a search gets wrong."""
    names = (
        "one pass in the order of a depth-first search",
        "the last that paths of four searches share",
        "breadth-first ancestors of all before it",
    )
    solved = solved_by(names, tasks([3, 4, 5, 6], range(20)))
    assert max(solved.values()) <= 8, solved


def test_numbers_do_not_tell_the_tree():
    """The entry leads to two nodes, whose numbers are no longer among the first ones."""
    high = sum(max(task.graph.ways()[0]) > len(task.graph.names) / 2 for task in tasks([6]))
    assert high


def test_forms_of_answers():
    task = Address.of(NAME, 1, 1).task()
    lines = task.answer().splitlines()
    for text in (
        "\n".join(line.replace(": ", ": $") + "$" for line in lines),
        "\n".join(line.replace(": ", ": \\boxed{") + "}" for line in lines),
        "\n".join(line.replace(": ", " -> ") for line in lines),
        "\n".join(f"node {line}" for line in lines),
        ", ".join(lines),
    ):
        assert task.verify(text).value == 1, text
    with pytest.raises(InvalidAnswer, match="one node"):
        task.verify("\n".join([f"{lines[0]}, {task.graph.names[0]}", *lines[1:]]))
    with pytest.raises(InvalidAnswer):
        task.verify("\n".join(lines[1:]))
