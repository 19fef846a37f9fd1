"""Tests of causality/adjustment_set: all sets, judged with networkx, and paths one by one."""

from contextlib import suppress
from itertools import chain, combinations
from statistics import median

import networkx as nx
import pytest

from palaestra.address import Address
from palaestra.envs.causality.adjustment_set import AdjustmentSet
from palaestra.task import InvalidAnswer

NAME = "causality/adjustment_set"


def graph_of(task):
    graph = nx.DiGraph(task.arcs)
    graph.add_nodes_from(range(len(task.names)))
    assert nx.is_directed_acyclic_graph(graph)
    return graph


def meets_criterion(task, members):
    graph = graph_of(task)
    if {*members} & (nx.descendants(graph, task.treatment) | {task.treatment, task.outcome}):
        return False
    graph.remove_edges_from(list(graph.out_edges(task.treatment)))
    return nx.is_d_separator(graph, {task.treatment}, {task.outcome}, {*members})


def blocks(task, members):
    """By the definition in the prompt: every path that begins with an edge into the treatment."""
    graph = graph_of(task)
    for path in nx.all_simple_paths(graph.to_undirected(), task.treatment, task.outcome):
        if not graph.has_edge(path[1], task.treatment):
            continue
        inner = [
            (node, graph.has_edge(before, node) and graph.has_edge(after, node))
            for before, node, after in zip(path, path[1:], path[2:], strict=False)
        ]
        if not any(
            not ({node} | nx.descendants(graph, node)) & {*members} if collider else node in members
            for node, collider in inner
        ):
            return False
    return True


def measurable_sets(task):
    nodes = [node for node, cost in enumerate(task.costs) if cost]
    return chain.from_iterable(combinations(nodes, size) for size in range(len(nodes) + 1))


@pytest.mark.parametrize("level", range(4))
def test_cheapest_of_all_sets(level):
    for seed in range(4):
        task = Address.of(NAME, seed, level).task()
        ordered = sorted(measurable_sets(task), key=task.cost)
        best = next(each for each in ordered if meets_criterion(task, each))
        assert task.cost(best) == task.best().cost
        assert task.verify(task.as_text(best)).correct
        answer = task.best().members
        assert meets_criterion(task, answer)
        assert blocks(task, answer)


def test_criterion_by_paths():
    right = 0
    for seed in range(4):
        task = Address.of(NAME, seed, 0).task()
        below = nx.descendants(graph_of(task), task.treatment)
        for members in measurable_sets(task):
            valid = not {*members} & (below | {task.outcome}) and blocks(task, members)
            assert task.is_set(members) == valid
            right += valid
    assert right > 4


@pytest.mark.parametrize("level", range(6))
def test_sets_without_thought_are_wrong(level):
    for seed in range(10):
        task = Address.of(NAME, seed, level).task()
        graph = graph_of(task)
        below = nx.descendants(graph, task.treatment)
        every = [n for n, cost in enumerate(task.costs) if cost and n not in below]
        assert not meets_criterion(task, every)
        assert not meets_criterion(task, ())
        parents = [node for node in graph.predecessors(task.treatment) if task.costs[node]]
        assert not task.verify(task.as_text(parents)).correct
        assert not any(task.verify(text).correct for text in task.shortcuts())


def diagram():
    """A confounder W, or the two nodes V and Z behind it, and a collider M of hidden causes."""
    names = ("H", "K", "W", "V", "Z", "M", "X", "T", "Y")
    parents = ((), (), (), (2,), (2,), (0, 1), (0, 3), (6,), (1, 4, 7))
    arcs = tuple((parent, node) for node, above in enumerate(parents) for parent in above)
    return AdjustmentSet(
        parents=parents, names=names, arcs=arcs, form="prose", treatment=6, outcome=8,
        costs=(0, 0, 5, 3, 4, 1, 0, 2, 0),
    )  # fmt: skip


def test_reasons():
    task = diagram()
    assert task.answer() == "V"
    assert task.verify("{v}").correct
    assert task.verify("W").reason == "the set meets the criterion, but a cheaper one does as well"
    assert task.verify("V, M").reason.startswith("the set leaves a path open")
    assert task.verify("none").reason.startswith("the set leaves a path open")
    assert task.verify("V, T").reason == "the set contains a descendant of the cause"
    assert task.verify("H, V").reason == "H cannot be measured"
    assert task.verify("X").reason == "the set contains the cause or the effect itself"
    assert "H, K cannot be measured." in task.prompt()
    assert "V: 3" in task.prompt()
    for text in ("Q", "V, V", "no set"):
        with pytest.raises(InvalidAnswer):
            task.verify(text)


def test_dropping_ancestors_by_a_rule_does_not_end_at_the_cheapest_set():
    for level in range(6):
        for seed in range(10):
            task = Address.of(NAME, seed, level).task()
            graph = graph_of(task)
            above = nx.ancestors(graph, task.treatment) | nx.ancestors(graph, task.outcome)
            above -= nx.descendants(graph, task.treatment) | {task.treatment}
            start = [node for node in above if task.costs[node]]
            for sign in (-1, 1):
                kept = sorted(start, key=lambda node, sign=sign: sign * task.costs[node])
                for node in tuple(kept):
                    rest = [other for other in kept if other != node]
                    kept = rest if meets_criterion(task, rest) else kept
                assert task.verify(task.as_text(kept)).value == 0


def test_levels_take_more_and_more_search():
    tasks = [[Address.of(NAME, seed, level).task() for seed in range(15)] for level in range(6)]
    efforts = [median(task.difficulty() for task in level) for level in tasks]
    assert efforts == sorted(efforts)
    assert efforts[0] < efforts[1]


@pytest.mark.parametrize(
    "reply",
    [
        "Z = {V}", "Set: V", r"\text{V}", r"Z = \{\text{V}\}", "S = {V}", "The set is {V}",
        "Variables: V", r"\boxed{\{V\}}", "Adjustment set: {V}", "**Set:** V", "Z={V}.",
    ],
)  # fmt: skip
def test_names_of_the_set(reply):
    assert diagram().verify(reply).correct


@pytest.mark.parametrize("reply", ["Z: V", "not: V", "without W: V", "V = {Z}", "Z, V: V"])
def test_labels_that_are_variables_or_say_something_else(reply):
    with suppress(InvalidAnswer):
        assert not diagram().verify(reply).correct


def test_prompt_defines_paths_of_variables():
    prompt = diagram().prompt()
    assert "visits no variable twice" in prompt
    assert "arrow" not in prompt.casefold()
    assert "node" not in prompt
