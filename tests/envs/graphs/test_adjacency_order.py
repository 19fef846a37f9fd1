"""Lists of neighbours that lead searches through wanted orders."""

from itertools import permutations, product
from random import Random

import networkx as nx
import pytest
from tests.envs.graphs.players import solved_by

from palaestra.address import Address
from palaestra.envs.graphs.adjacency_order import wanted_orders
from palaestra.task import InvalidAnswer

NAME = "graphs/adjacency_order"


def tasks(levels=range(7), seeds=range(5)):
    for level, seed in product(levels, seeds):
        yield Address.of(NAME, seed, level).task()


def followed(task, lists):
    """The orders that searches of networkx give."""
    graph = nx.DiGraph()
    for node, near in enumerate(lists):
        graph.add_edges_from((node, each) for each in near)
    for sort, order in task.wanted:
        search = nx.bfs_edges if sort == "breadth-first" else nx.dfs_edges
        yield (order[0], *(v for _, v in search(graph, order[0])))


def test_searches_of_networkx_take_the_wanted_orders():
    for task in tasks():
        lists = task.search().solution
        assert [*followed(task, lists)] == [order for _, order in task.wanted]


def test_all_right_answers_of_small_tasks():
    """The lists that lead to the orders are those that the audit accepts, and no others."""
    for seed in range(4):
        task = Address.of(NAME, seed, 0).task()
        options = [[*permutations(near)] for near in task.graph.ways()]
        rng, wanted = Random(seed), [order for _, order in task.wanted]
        right = 0
        for _ in range(600):
            # Half of the node's lists from the oracle, so that some of the answers are right.
            lists = [
                rng.choice(each) if rng.random() < 0.4 else own
                for each, own in zip(options, task.search().solution)
            ]
            value = [*followed(task, lists)] == wanted
            right += value
            assert (task.verify(task.as_text(lists)).value == 1) == value
            assert task.audit(task.as_text(lists)) == value
        assert 0 < right < 600


def test_lists_in_the_order_of_one_search_fail_another():
    for task in tasks():
        for solution in task.naive_solutions():
            assert "that search" in task.violation(solution)


def test_searches_have_to_be_joined_with_care():
    """Lists of what each search reaches from a node, one after the other, rarely serve all."""
    names = (
        "those of the search that comes to the node first, then of the next",
        "all that any search visits from the node, else in the order of one",
    )
    solved = solved_by(names, tasks([3, 4, 5, 6], range(20)))
    assert max(solved.values()) <= 8, solved


def test_searches_start_where_they_add_the_most():
    """From the centre of a star all its other nodes are in order; from another one, all but it."""
    star = ((1, 2, 3, 4), (0,), (0,), (0,), (0,))
    for seed in range(5):
        (_, first), (_, second) = wanted_orders(Random(seed), star, 2)
        assert first == (0, 1, 2, 3, 4)
        assert second[0] > 0


def test_lists_have_each_neighbour_once():
    task = Address.of(NAME, 1, 1).task()
    lists = [[*near] for near in task.search().solution]
    long = max(range(len(lists)), key=lambda node: len(lists[node]))
    for wrong in (lists[long][1:], [*lists[long], lists[long][0]], [*lists[long][1:], long]):
        changed = [*lists[:long], wrong, *lists[long + 1 :]]
        assert "each of its neighbours once" in task.verify(task.as_text(changed)).reason
    with pytest.raises(InvalidAnswer):
        task.verify(task.as_text(lists).partition("\n")[2])


def test_headings_arrows_and_brackets():
    task = Address.of(NAME, 2, 2).task()
    lines = task.answer().splitlines()
    for text in (
        "Lists:\n" + "\n".join(f"- {line}" for line in lines),
        "\n".join(line.replace(": ", ": [") + "]" for line in lines),
        "\n".join(line.replace(", ", " -> ") for line in lines),
        "\n".join(line.replace(": ", ": $") + "$" for line in lines),
    ):
        assert task.verify(text).value == 1, text
