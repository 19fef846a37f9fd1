"""Tests of strings/word_ladder."""

import networkx as nx
import pytest

from palaestra.address import Address
from palaestra.envs.strings.word_ladder import WordLadder
from palaestra.task import InvalidAnswer


def word_graph(task):
    graph = nx.Graph()
    graph.add_nodes_from(task.words)
    graph.add_edges_from(
        (a, b) for a in task.words for b in task.words if sum(map(str.__ne__, a, b)) == 1
    )
    return graph


@pytest.mark.parametrize("level", range(7))
def test_ladders_are_shortest(level):
    for seed in range(3):
        task = Address.of("strings/word_ladder", seed, level).task()
        graph = word_graph(task)
        shortest = nx.shortest_path_length(graph, task.start, task.goal)
        assert len(task.answer().split(", ")) == shortest + 1
        assert shortest == WordLadder.Knobs.at(level).steps, "distractors make no short cut"
        for path in list(nx.all_shortest_paths(graph, task.start, task.goal))[:5]:
            assert task.verify(" -> ".join(path)).value == 1
            assert task.audit(", ".join(path))


def test_a_detour_is_close_and_earns_nothing():
    task = WordLadder(
        start="bat", goal="dot", words=("bad", "bat", "bot", "dat", "dot", "dut", "but")
    )
    right, longer = task.verify("bat, bot, dot"), task.verify("bat, but, dut, dot")
    assert right.value == 1
    assert longer.value == 0
    assert longer.parts == {"steps": 3, "progress": pytest.approx(2 / 3)}
    assert task.verify("bat, but, bat, bot, dot").parts["progress"] == 0.5
    for wrong in ("bat, dot", "bot, dot", "bat, bit, bot, dot", "bat, bot", "bat, bad, dot", "bat"):
        assert task.verify(wrong).value == 0, wrong
        assert not task.audit(wrong)
    for broken in ("", "1, 2", "bat, b0t, dot", ","):
        with pytest.raises(InvalidAnswer):
            task.verify(broken)


def test_greedy_ladders_score_0():
    for seed in range(30):
        task = Address.of("strings/word_ladder", seed, 2).task()
        assert all(task.verify(reply).value == 0 for reply in task.shortcuts())
