"""Orders of searches and kinds of edges, against networkx and in a case worked by hand."""

from itertools import product
from random import Random

import networkx as nx
import pytest

from palaestra.address import Address
from palaestra.envs.graphs.traversal_order import ALL, TraversalOrder
from palaestra.generators.graphs.puzzles import Graph
from palaestra.task import InvalidAnswer

NAME = "graphs/traversal_order"


def tasks(levels=range(7), seeds=range(5)):
    for level, seed in product(levels, seeds):
        yield Address.of(NAME, seed, level).task()


def by_hand(encoding="edges", asks=tuple(ALL)):
    """S leads to B before A, both lead to C, C back to S and A to B."""
    edges = ((0, 2), (0, 1), (1, 3), (2, 3), (3, 0), (1, 2))
    graph = Graph(("S", "A", "B", "C"), edges, encoding, directed=True)
    return TraversalOrder(graph=graph, start=0, asks=asks)


def test_a_case_by_hand():
    right = (
        "breadth-first: S, B, A, C\ndepth-first: S, B, C, A\nfinishing: C, B, A, S\n"
        "back: C->S\nforward: none\ncross: A->C, A->B"
    )
    task = by_hand()
    assert task.verify(right).value == 1
    assert task.audit(right)
    for wrong in (
        right.replace("S, B, A, C", "S, A, B, C"),
        right.replace("none", "A->B"),
        right.replace("C->S", "S->C"),
        right.replace("A->C, A->B", "A->C"),
        right.replace("A->C, A->B", "A->C, A->B, A->B"),
    ):
        assert task.verify(wrong).value == 0
        assert not task.audit(wrong)


@pytest.mark.parametrize(
    ("encoding", "first", "second"),
    [
        ("edges", "S -> B", "S -> A"),
        ("neighbours", "S: B", ", A"),
        ("prose", "from S to B", "from S to A"),
        ("roads", "from S to B", "from S to A"),
    ],
)
def test_the_prompt_lists_edges_in_the_order_of_the_search(encoding, first, second):
    prompt = by_hand(encoding).prompt()
    assert prompt.index(first) < prompt.index(second)


def test_against_networkx():
    for task in tasks():
        graph = nx.DiGraph()
        graph.add_edges_from(task.graph.edges)  # keeps the order for each node
        start, right = task.start, task.right()
        order = [start, *(v for _, v in nx.bfs_edges(graph, start))]
        assert right["breadth-first"] == tuple(order)
        assert right["depth-first"] == tuple(nx.dfs_preorder_nodes(graph, start))
        if "finishing" in right:
            assert right["finishing"] == tuple(nx.dfs_postorder_nodes(graph, start))
        tree = nx.dfs_tree(graph, start)
        kinds = {"back": set(), "forward": set(), "cross": set()}
        for u, v in graph.edges:
            if tree.has_edge(u, v):
                continue
            down, up = nx.has_path(tree, u, v), nx.has_path(tree, v, u)
            kinds["forward" if down else "back" if up else "cross"].add((u, v))
        for name in kinds.keys() & right.keys():
            assert {*right[name]} == kinds[name]


def test_every_line_that_is_asked_for_has_an_entry():
    for task in tasks():
        assert all(task.right().values())
        assert task.by_name()["depth-first"] != task.right()["depth-first"]


def test_other_labels_and_other_layouts():
    task = by_hand(asks=("breadth-first", "depth-first", "back"))
    for text in (
        "BFS: S, B, A, C\nDFS: S, B, C, A\nback edges: C -> S",
        "Breadth-first: S -> B -> A -> C\nDepth-first: S -> B -> C -> A\nBack: (C, S)",
        '{"BFS": ["S", "B", "A", "C"], "DFS": ["S", "B", "C", "A"], "back": "C->S"}',
        "Breadth-first search: S, B, A, C\nDFS order: S, B, C, A\nback: C->S",
        "breadth-first (BFS): S, B, A, C\ndepth-first search order: S, B, C, A\nback: C->S",
        "breadth-first: $S, B, A, C$\ndepth-first: \\boxed{S, B, C, A}\nback: $C \\to S$",
    ):
        assert task.verify(text).value == 1, text
    with pytest.raises(InvalidAnswer):
        task.verify("breadth-first: S, B, A, C\ndepth-first: S, B, C, A")
    with pytest.raises(InvalidAnswer):
        task.verify("breadth-first: S, B, A, X\ndepth-first: S, B, C, A\nback: C->S")


def test_a_stack_that_remembers_what_was_put_on_it_is_another_search():
    solved = 0
    for task in tasks([3, 4, 5, 6], range(25)):
        players = task.baselines(Random(1))
        name = "depth-first by a stack of all neighbours"
        solved += task.verify(players[name]).value == 1
    assert solved <= 5


def test_the_picture_numbers_the_edges_of_each_node():
    scene = by_hand().scene()
    names = [node.name for node in scene.nodes]
    texts = {(names[edge.start], names[edge.end]): edge.text for edge in scene.edges}
    assert (texts["S", "B"], texts["S", "A"]) == ("1", "2")
