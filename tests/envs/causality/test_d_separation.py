"""Tests of causality/d_separation: compared with networkx, and paths with their definition."""

from itertools import pairwise
from random import Random

import networkx as nx
import pytest

from palaestra.address import Address
from palaestra.envs.causality.d_separation import DSeparation, Question
from palaestra.task import InvalidAnswer

NAME = "causality/d_separation"


def graph_of(task):
    graph = nx.DiGraph(task.arcs)
    graph.add_nodes_from(range(len(task.names)))
    assert nx.is_directed_acyclic_graph(graph)
    return graph


def is_open(graph, path, known):
    """By the definition in the prompt, with the descendants of networkx."""
    for before, node, after in zip(path, path[1:], path[2:], strict=False):
        collider = graph.has_edge(before, node) and graph.has_edge(after, node)
        if collider and not ({node} | nx.descendants(graph, node)) & {*known}:
            return False
        if not collider and node in known:
            return False
    return True


def open_paths(graph, question):
    paths = nx.all_simple_paths(graph.to_undirected(), question.one, question.other)
    return [path for path in paths if is_open(graph, path, question.known)]


@pytest.mark.parametrize("level", range(7))
def test_separation_is_that_of_networkx(level):
    truths = []
    for seed in range(10):
        task = Address.of(NAME, seed, level).task()
        graph = graph_of(task)
        for question, path in zip(task.questions, task.paths(), strict=True):
            one, other, known = question
            separated = nx.is_d_separator(graph, {one}, {other}, {*known})
            assert separated == (not path)
            truths.append(separated)
            if path:
                assert is_open(graph, path, known)
                assert all(graph.has_edge(u, v) or graph.has_edge(v, u) for u, v in pairwise(path))
    assert 0.3 < sum(truths) / len(truths) < 0.7


def test_all_open_paths_are_right_and_no_others():
    for seed in range(10):
        task = Address.of(NAME, seed, 1).task()
        graph = graph_of(task)
        right = task.paths()
        for n, question in enumerate(task.questions):
            every = [*nx.all_simple_paths(graph.to_undirected(), question.one, question.other)]
            for path in every:
                lines = [*right[:n], path, *right[n + 1 :]]
                reply = "\n".join(f"{k}: {task.as_text(each)}" for k, each in enumerate(lines, 1))
                assert task.verify(reply).correct == (path in open_paths(graph, question))


def diagram():
    """A -> C <- B, C -> D, and E -> A."""
    return DSeparation(
        parents=((), (0,), (), (1, 2), (3,)),
        names=tuple("EABCD"),
        arcs=((0, 1), (1, 3), (2, 3), (3, 4)),
        form="edges",
        questions=(Question(0, 2, ()), Question(0, 2, (4,)), Question(0, 4, (3,))),
    )


def test_colliders_and_their_descendants():
    task = diagram()
    assert task.answer() == "1: separated\n2: E - A - C - B\n3: separated"
    for path in ("E -> A -> C <- B", "B, C, A, E", "E \u2192 A \u2192 C \u2190 B", "[E, A, C, B]"):
        for word in ("separated", "independent", "D-separated"):
            assert task.verify(f"1: {word}\n2: {path}\n3: separated").correct, path
    for wrong in ("E - A - C", "E - C - B", "E - A - E - A - C - B", "E - B", "separated"):
        assert task.verify(f"1: separated\n2: {wrong}\n3: separated").value == 0
    assert task.verify("1: E - A - C - B\n2: E - A - C - B\n3: E - A - C - D").reason == (
        "2 of the 3 values are wrong"
    )
    for text in ("separated", "1: separated", "1: separated\n2: E - X\n3: separated", "1: E\n2: E"):
        with pytest.raises(InvalidAnswer):
            task.verify(text)


def test_neither_constant_nor_rule_without_colliders_is_right():
    for level in range(7):
        for seed in range(15):
            task = Address.of(NAME, seed, level).task()
            lines = range(1, len(task.questions) + 1)
            assert not task.verify("\n".join(f"{n}: separated" for n in lines)).correct
            players = task.baselines(Random(seed))
            assert not task.verify(players["all joined"]).correct
            assert not task.verify(players["no colliders"]).correct


def test_the_shortest_path_is_not_enough():
    longer = number = 0
    for level in range(7):
        for seed in range(15):
            task = Address.of(NAME, seed, level).task()
            graph = graph_of(task)
            lines = []
            for question in task.questions:
                around = graph.to_undirected()
                paths = nx.all_shortest_paths(around, question.one, question.other)
                known = {*question.known}
                is_free = [path for path in paths if is_open(graph, path, known)]
                lines.append(task.as_text(is_free[0] if is_free else []))
                if open_paths(graph, question):
                    number += 1
                    longer += not is_free
            assert not task.verify("\n".join(f"{n}: {x}" for n, x in enumerate(lines, 1))).correct
            for name in ("shortest path if open", "path without known nodes if open"):
                assert not task.verify(task.baselines(Random(seed))[name]).correct
    assert longer / number > 0.4


@pytest.mark.parametrize(
    "reply",
    [
        "Pair 1: separated\nPair 2: E - A - C - B\nPair 3: separated",
        "#1: separated\n#2: E - A - C - B\n#3: separated",
        "1: separated\n2: open path: E - A - C - B\n3: they are separated.",
        "1: d-separated\n2: path E, A, C, B\n3: The nodes are d-separated",
        "Pair 1: separated; Pair 2: E - A - C - B; Pair 3: separated",
        '{"Pair 1": "separated", "Pair 2": "E - A - C - B", "Pair 3": "separated"}',
        "- **Pair 1:** separated\n- **Pair 2:** E - A - C - B\n- **Pair 3:** separated",
        "1: are separated\n2: an open path is E -> A -> C <- B\n3: separated",
        r"1: separated\n2: $E \rightarrow A \rightarrow C \leftarrow B$\n3: separated".replace(
            r"\n", "\n"
        ),
        "1: separated\n2: B -> C <- A <- E\n3: separated",
        "1: separated\n2: E <-> A <-> C \u2194 B\n3: separated",
        "1: separated\n2: B \u2192 C \u2190 A \u2190 E\n3: separated",
    ],
)
def test_labels_and_sentences(reply):
    assert diagram().verify(reply).correct


@pytest.mark.parametrize(
    "path", ["E <- A -> C <- B", "E -> A -> C -> B", "E <- A <- C <- B", "E - A - C -> B"]
)
def test_arrows_that_contradict_the_graph(path):
    with pytest.raises(InvalidAnswer, match="there is no edge from"):
        diagram().verify(f"1: separated\n2: {path}\n3: separated")


@pytest.mark.parametrize("word", ["not separated", "they are not separated", "open", "connected"])
def test_other_verdicts_are_refused(word):
    with pytest.raises(InvalidAnswer):
        diagram().verify(f"1: {word}\n2: E - A - C - B\n3: separated")


def test_prompt_says_none():
    prompt = diagram().prompt()
    assert "known: none" in prompt
    assert "or that they are separated" not in prompt
