"""Tests of graphs/game_on_graph."""

from itertools import pairwise, product
from random import Random

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sampled

from palaestra.address import Address
from palaestra.envs.graphs.game_on_graph import GameOnGraph
from palaestra.generators.graphs.game_on_graph import losing_cycle, solved, trapped
from palaestra.generators.graphs.puzzles import Graph
from palaestra.task import InvalidAnswer

NAME = "graphs/game_on_graph"
SEEDS = st.integers(0, 10**6)
LEVELS = st.integers(0, 6)


def starts_that_lose(ways, priorities):
    """The nodes from which some infinite walk has an odd greatest priority, by networkx."""
    graph = nx.DiGraph((u, v) for u, near in enumerate(ways) for v in near)
    bad = set()
    for priority in {p for p in priorities if p % 2}:
        low = graph.subgraph(n for n in graph if priorities[n] <= priority)
        for part in nx.strongly_connected_components(low):
            cyclic = len(part) > 1 or any(low.has_edge(n, n) for n in part)
            if cyclic and any(priorities[n] == priority for n in part):
                bad |= part
    return {n for n in graph if n in bad or nx.descendants(graph, n) & bad}


def strategies(ways, owners, player):
    """What is left of the edges when a player follows each strategy without memory."""
    own = [n for n, owner in enumerate(owners) if owner == player]
    for moves in product(*(ways[n] for n in own)):
        chosen = dict(zip(own, moves))
        yield [(chosen[n],) if n in chosen else near for n, near in enumerate(ways)]


def won_by_trying_all(ways, owners, priorities):
    """The nodes from which player 0 wins: strategies without memory are enough."""
    return {
        n
        for left in strategies(ways, owners, 0)
        for n in {*range(len(ways))} - starts_that_lose(left, priorities)
    }


def test_random_games_by_trying_all_strategies():
    rng = Random(1)
    for _ in range(150):
        nodes = rng.randint(2, 6)
        ways = [
            tuple(rng.sample(range(nodes), rng.randint(1, min(3, nodes)))) for _ in range(nodes)
        ]
        owners = [rng.randrange(2) for _ in range(nodes)]
        priorities = [rng.randint(0, 4) for _ in range(nodes)]
        result = solved(ways, owners, priorities)
        right = won_by_trying_all(ways, owners, priorities)
        assert result.regions == (right, {*range(nodes)} - right)
        for player in (0, 1):
            left = [
                (result.strategies[player][n],)
                if owners[n] == player and n in result.regions[player]
                else near
                for n, near in enumerate(ways)
            ]
            assert not losing_cycle(left, priorities, player, result.regions[player])
            for node in result.regions[player]:
                assert {*left[node]} <= result.regions[player]


def test_losing_cycles_by_networkx():
    rng = Random(2)
    for _ in range(200):
        nodes = rng.randint(2, 7)
        ways = [tuple(rng.sample(range(nodes), rng.randint(1, 2))) for _ in range(nodes)]
        priorities = [rng.randint(0, 4) for _ in range(nodes)]
        walk = losing_cycle(ways, priorities, 0, range(nodes))
        assert bool(walk) == bool(starts_that_lose(ways, priorities))
        if walk:
            assert walk[0] == walk[-1]
            assert all(v in ways[u] for u, v in pairwise(walk))
            assert max(priorities[n] for n in walk) % 2 == 1


def test_the_parts_are_won_by_construction():
    rng = Random(3)
    for _ in range(100):
        nodes = rng.randint(6, 20)
        game = trapped(rng, nodes, 3, 5)
        ways = [[v for u, v in game.edges if u == n] for n in range(nodes)]
        first, second = solved(ways, game.owners, game.priorities).regions
        assert min(len(first), len(second)) >= nodes * 2 // 5
        assert {*game.targets} <= first
        assert all(u != v for u, v in game.edges)


@settings(max_examples=30, deadline=None)
@given(SEEDS, LEVELS, st.sampled_from(["reachability", "buchi", "parity"]))
def test_answers_win_against_every_reply(seed, level, objective):
    task = sampled(NAME, seed, level, objective=objective)
    play = task.read(task.answer())
    ways = task.ways()
    left = [(play.moves[n],) if n in play.moves else near for n, near in enumerate(ways)]
    assert not starts_that_lose(left, task.priorities) & play.wins
    others = {*range(len(ways))} - play.wins
    counter = task.solution().strategies[1]
    left = [(counter[n],) if n in counter else near for n, near in enumerate(ways)]
    opposite = [priority + 1 for priority in task.priorities]
    assert not starts_that_lose(left, opposite) & others
    assert task.verify(task.answer()).value == 1
    assert task.audit(task.answer())


def test_all_objectives_are_asked():
    asked = {Address.of(NAME, seed, 3).task().objective for seed in range(20)}
    assert asked == {"reachability", "buchi", "parity"}


@pytest.mark.parametrize(("level", "most"), [(3, 18), (5, 6), (6, 6)])
def test_players_who_look_at_distances_fail(level, most):
    solved_tasks = 0
    for seed in range(120):
        task = Address.of(NAME, seed, level).task()
        answer = task.baselines(Random(seed))["looking for the nearest target"]
        solved_tasks += task.verify(answer).value == 1
    assert solved_tasks <= most


def game(objective, priorities):
    """A and C belong to player 1. From A, the way by B is a trap: player 2 goes on to D."""
    edges = ((0, 1), (0, 2), (1, 3), (1, 4), (2, 4), (2, 2), (3, 3), (4, 0), (4, 4))
    graph = Graph(names=tuple("ABCDT"), edges=edges, encoding="edges", directed=True)
    return GameOnGraph(
        graph=graph, objective=objective, owners=(0, 1, 0, 1, 0), priorities=priorities
    )


REACH = game("reachability", (1, 1, 1, 1, 2))
BUCHI = game("buchi", (1, 1, 2, 1, 1))
PARITY = game("parity", (3, 0, 1, 5, 2))


@pytest.mark.parametrize(
    ("task", "answer"),
    [
        (REACH, "wins: A, C, T\nmoves: A->C, C->T"),
        (REACH, "wins: T, C, A\nmoves: C -> T, A -> C, T -> A"),
        (REACH, "**Wins:** {A, C, T}\n**Moves:** A→C, C→T"),
        (REACH, "Wins:\n- A\n- C\n- T\n\nMoves:\n- A->C\n- C->T"),
        (REACH, "**wins:**\n1. A\n2. C\n3. T\n**moves:**\n1. A->C\n2. C->T"),
        (REACH, "moves:\nA -> C,\nC -> T\nwins: A, C, T"),
        (REACH, '{"wins": ["A", "C", "T"], "moves": {"A": "C", "C": "T"}}'),
        (BUCHI, "wins: A, C, T\nmoves: A->C, C->C, T->A"),
        (BUCHI, "wins: A, C, T\nmoves: A->C, C->T, T->A"),
        (PARITY, "wins: A, C, T\nmoves: A->C, C->T, T->T"),
    ],
)
def test_right_by_hand(task, answer):
    assert task.verify(answer).value == 1
    assert task.audit(answer)


@pytest.mark.parametrize(
    ("task", "answer", "reason"),
    [
        (REACH, "wins: A, C, T\nmoves: A->C, C->C", "player 2 can keep to C -> C"),
        (REACH, "wins: A, C, T\nmoves: A->B, C->T", "the token can go from A to B"),
        (REACH, "wins: A, B, C, T\nmoves: A->B, C->T", "the token can go from B to D"),
        (REACH, "wins: C, T\nmoves: C->T", "player 1 wins from A as well"),
        (REACH, "wins: A, C, T\nmoves: A->C", "there is no move from C"),
        (REACH, "wins: A, C, T\nmoves: A->T, C->T", "no edge leads from A to T"),
        (REACH, "wins: A, C, T\nmoves: A->C, C->T, B->T", "B is a node of player 2"),
        (REACH, "wins: none\nmoves: none", "player 1 wins from A as well"),
        (BUCHI, "wins: A, C, T\nmoves: A->C, C->T, T->T", "player 2 can keep to T -> T"),
        (PARITY, "wins: A, C, T\nmoves: A->C, C->T, T->A", "player 2 can keep to A -> C -> T -> A"),
        (PARITY, "wins: A, C, T\nmoves: A->C, C->C, T->T", "player 2 can keep to C -> C"),
    ],
)
def test_reasons(task, answer, reason):
    score = task.verify(answer)
    assert (score.value, score.reason) == (0, reason)
    assert not task.audit(answer)


@pytest.mark.parametrize(
    "answer",
    ["", "wins: A", "wins: A, Q\nmoves: A->B", "wins: A\nmoves: A->B, A->C", "A, C\nA->C",
     "wins: A, A\nmoves: A->C", "wins:\nA\nmoves:\nA->C\nwins:\nC", "wins: A\nB -> C\nmoves: A->C",
     '{"wins": ["A"], "moves": {"A": ["B"]}}', '{"wins": ["A"], "moves": {"A": "B"}, "more": 1}'],
)  # fmt: skip
def test_unreadable(answer):
    with pytest.raises(InvalidAnswer):
        REACH.verify(answer)
