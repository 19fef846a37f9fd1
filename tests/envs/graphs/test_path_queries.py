"""Results of path queries, against walks of networkx and in a case worked by hand."""

from itertools import product

import networkx as nx
import pytest

from palaestra.address import Address
from palaestra.envs.graphs.path_queries import PathQueries
from palaestra.generators.graphs.path_queries import (
    MISREADINGS,
    NEEDED,
    Part,
    Path,
    misread,
    result,
    shortened,
)
from palaestra.task import InvalidAnswer

NAME = "graphs/path_queries"


def tasks(levels=range(7), seeds=range(4)):
    for level, seed in product(levels, seeds):
        yield Address.of(NAME, seed, level).task()


def ends(task, path):
    """The ends of a path, by the descendants of nodes in the graph of the labels of each part."""
    nodes = {path.start}
    for part in path.parts:
        graph = nx.DiGraph()
        graph.add_nodes_from(range(len(task.names)))
        graph.add_edges_from((u, v) for u, label, v in task.facts if label in part.labels)
        if part.backwards:
            graph = graph.reverse()
        if part.action == "with":
            nodes = {node for node in nodes if graph.out_degree(node)}
        elif part.action == "without":
            nodes = {node for node in nodes if not graph.out_degree(node)}
        else:
            nodes = {near for node in nodes for near in graph.successors(node)}
            if part.action == "more":
                nodes |= {each for node in nodes for each in nx.descendants(graph, node)}
    return nodes


def test_against_networkx():
    for task in tasks():
        for query, nodes in zip(task.queries, task.results(), strict=True):
            assert nodes == set.intersection(*(ends(task, path) for path in query))


def test_results_are_neither_empty_nor_all_nodes():
    for task in tasks():
        for nodes in task.results():
            assert 1 < len(nodes) <= max(2, len(task.names) // 2)


def test_no_part_of_a_query_is_idle():
    for task in tasks():
        for query in task.queries:
            for name in NEEDED:
                other = misread(query, MISREADINGS[name])
                assert other == query or result(task.facts, other) != result(task.facts, query)
            for other in shortened(query):
                assert result(task.facts, other) != result(task.facts, query)
            for path in query if len(query) == 2 else ():
                assert result(task.facts, (path,)) != result(task.facts, query)


def by_hand():
    """Ada supplies Bo, who supplies Cleo, who supplies Ada; Dev owns Bo and Cleo, and Esme Dev."""
    facts = (
        (0, "supplies", 1), (1, "supplies", 2), (2, "supplies", 0),
        (3, "owns", 1), (3, "owns", 2), (4, "owns", 3),
    )  # fmt: skip
    more, back = Part("more", ("supplies",)), Part("one", ("owns",), backwards=True)
    owned = Part("with", ("owns",), backwards=True)
    queries = (
        (Path(0, (more,)),),
        (Path(0, (more, back)),),
        (Path(0, (more, owned)), Path(3, (Part("one", ("owns", "supplies")),))),
    )
    return PathQueries(
        names=("Ada", "Bo", "Cleo", "Dev", "Esme"), labels=("supplies", "owns"), facts=facts,
        queries=queries, layout="sentences",
    )  # fmt: skip


def test_a_case_by_hand():
    task = by_hand()
    right = "1: Ada, Bo, Cleo\n2: Dev\n3: Bo, Cleo"
    assert task.answer() == right
    for text in (
        "1. Bo, Cleo and Ada\n2. Dev\n3. Cleo and Bo",
        "Query 1: {Ada, Bo, Cleo}\nQuery 2: {Dev}\nQuery 3: {Bo, Cleo}",
        '{"1": ["Ada", "Bo", "Cleo"], "2": ["Dev"], "3": ["Bo", "Cleo"]}',
        "Q1: Ada, Bo, Cleo\nQ2: Dev\nQ3: Bo, Cleo",
        "1: Nodes: Ada, Bo, Cleo\n2: The result is Dev\n3: Nodes: Bo and Cleo",
    ):
        assert task.verify(text).value == 1, text
    for wrong in (
        right.replace("Dev", "Esme"),
        right.replace("Ada, ", ""),
        right.replace("Dev", "none"),
    ):
        assert task.verify(wrong).value == 0
        assert not task.audit(wrong)
    with pytest.raises(InvalidAnswer):
        task.verify("1: Ada, Bo, Cleo\n2: Dev")


def test_queries_in_words():
    task = by_hand()
    assert (
        "2. Start at Ada, follow one or more 'supplies' edges, then go backwards along one 'owns' "
        "edge."
    ) in task.prompt()
    assert (
        "(start at Ada, follow one or more 'supplies' edges, then stay only if at least one 'owns' "
        "edge enters the node) and (start at Dev, follow one edge that is labelled 'owns' or "
        "'supplies')"
    ) in task.prompt()


@pytest.mark.parametrize(
    ("layout", "line"),
    [
        ("sentences", "Dev owns Cleo."),
        ("labels", "owns: Dev -> Bo, Dev -> Cleo, Esme -> Dev"),
        ("nodes", "Dev: owns Bo, owns Cleo"),
    ],
)
def test_layouts_of_the_edges(layout, line):
    task = by_hand().model_copy(update={"layout": layout})
    assert line in task.prompt().splitlines()


def test_the_picture_has_a_graph_for_each_label():
    scene = by_hand().scene()
    assert scene.captions == ("supplies", "owns")
    assert [len(graph.edges) for graph in scene.scenes] == [3, 3]
