"""Pursuit on graphs, against a search by depth on sets and known results."""

from functools import cache
from itertools import combinations
from random import Random

import pytest

from palaestra.address import Address
from palaestra.generators.matches.graph_pursuit import (
    EVADER,
    NEVER,
    PURSUERS,
    GraphPursuit,
    State,
    captures,
)
from palaestra.generators.matches.limited_wins import LimitedSolver
from palaestra.generators.matches.rules import WIN
from palaestra.generators.random_graphs import connected
from palaestra.task import InvalidAnswer

RULES = GraphPursuit()


def near_of(nodes, edges):
    near = [0] * nodes
    for a, b in edges:
        near[a] |= 1 << b
        near[b] |= 1 << a
    return tuple(near)


def searched(nodes, edges):
    """Whether pursuers, who are a set of two nodes, catch the evader within so many moves."""
    beside = {n: {b if a == n else a for a, b in edges if n in {a, b}} for n in range(nodes)}

    @cache
    def caught(pursuers, evader, moves):
        if moves == 0:
            return False
        after = {pursuers} | {
            pursuers - {one} | {to} for one in pursuers for to in beside[one] - pursuers
        }
        return any(
            evader in each
            or all(caught(each, to, moves - 1) for to in {evader} | beside[evader] - each)
            for each in after
        )

    return caught


@pytest.mark.parametrize("seed", range(12))
def test_captures_are_those_of_a_search_by_depth(seed):
    rng = Random(seed)
    nodes = rng.randint(5, 7)
    edges = connected(rng, nodes, nodes + rng.randint(0, 3), window=4)
    caught, table = searched(nodes, edges), captures(near_of(nodes, edges))
    for pair in combinations(range(nodes), 2):
        for evader in {*range(nodes)} - {*pair}:
            needed = table[pair, evader, PURSUERS]
            depths = [n for n in range(1, 9) if caught(frozenset(pair), evader, n)]
            assert needed == (depths[0] if depths else NEVER)


def test_two_pursuers_do_not_catch_everybody_on_the_petersen_graph():
    """Its cop number is 3: Martin Aigner and Michael Fromme, A game of cops and robbers (1984)."""
    outer = [(n, (n + 1) % 5) for n in range(5)]
    inner = [(5 + n, 5 + (n + 2) % 5) for n in range(5)]
    edges = outer + inner + [(n, n + 5) for n in range(5)]
    table = captures(near_of(10, edges))
    assert NEVER in {table[pair, evader, PURSUERS] for pair, evader, _ in table}


@pytest.mark.parametrize("seed", range(5))
def test_everybody_is_caught_on_a_tree(seed):
    """Trees are won by a single pursuer: Richard Nowakowski and Peter Winkler (1983)."""
    table = captures(near_of(9, connected(Random(seed), 9, 8)))
    assert max(table.values()) < 9


@pytest.mark.parametrize("seed", range(12))
def test_the_table_agrees_with_alpha_beta(seed):
    class Searched(GraphPursuit):
        def solved(self, state):
            return None

    task = Address.of("matches/graph_pursuit", seed, seed % 3).task()
    state = task.start()
    known, plain = LimitedSolver(RULES), LimitedSolver(Searched())
    assert plain.worth(state, state.turn) == WIN
    assert plain.best_moves(state) == known.best_moves(state)


STATE = State(near_of(4, [(0, 1), (1, 2), (2, 3), (3, 0)]), (0, 1), 2, EVADER, 3)


def test_nobody_enters_a_node_of_a_pursuer():
    assert [RULES.name(STATE, move) for move in RULES.legal(STATE)] == ["C-D", "stay"]
    pursuers = STATE._replace(turn=PURSUERS)
    assert [RULES.name(pursuers, move) for move in RULES.legal(pursuers)] == ["A-D", "B-C", "stay"]


def test_a_pursuer_on_the_node_of_the_evader_ends_the_game_and_so_does_the_last_move():
    pursuers = STATE._replace(turn=PURSUERS)
    assert RULES.outcome(RULES.apply(pursuers, RULES.read(pursuers, "B-C"))) == WIN
    assert RULES.outcome(STATE._replace(left=0)) == 0
    assert RULES.outcome(STATE) is None


@pytest.mark.parametrize(
    "text",
    [
        "C-D",
        "c-d",
        "C to D",
        "C -> D",
        "I go from C to D.",
        "**C-D**",
        "move to D",
        "D",
        "C\u2014D",
        "E: C-D",
    ],
)
def test_natural_moves_are_read(text):
    assert RULES.name(STATE, RULES.read(STATE, text)) == "C-D"


@pytest.mark.parametrize("text", ["stay", "I stay.", "pass", "Wait", "stays", "Stay in place"])
def test_staying_is_read(text):
    assert RULES.name(STATE, RULES.read(STATE, text)) == "stay"


@pytest.mark.parametrize(
    "text", ["", "C-B", "A-D", "C-D, D-C", "not C-D", "E", "P: C-D", "-" * 4000]
)
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        RULES.read(STATE, text)


def test_the_scene_shows_who_is_where():
    labels = [node.name for node in RULES.scene(STATE, None).nodes]
    assert labels == ["A P", "B P", "C E", "D"]
