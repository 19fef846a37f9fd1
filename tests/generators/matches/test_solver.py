"""The solver of games, held to the definition of a value, on games that are made up."""

from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.generators.matches.board_match import won_position
from palaestra.generators.matches.rules import DRAW, LOSS, WIN, Rules, perft, positions_by_ply
from palaestra.generators.matches.solver import Solver, TooHard, move_values


class State(NamedTuple):
    node: int
    turn: int


class Graph(Rules[State, int]):
    """A game on an acyclic graph: a move goes to a node with a higher number."""

    state_type = State

    def __init__(self, seed: int, nodes: int) -> None:
        rng = Random(seed)
        self.nodes = nodes
        self.ways = {
            n: sorted(rng.sample(range(n + 1, nodes), min(nodes - n - 1, rng.randint(0, 3))))
            for n in range(nodes)
        }
        self.ends = [rng.choice([LOSS, DRAW, WIN]) for _ in range(nodes)]
        self.again = [rng.random() < 0.2 for _ in range(nodes)]

    def start(self):
        return State(0, 0)

    def player(self, state):
        return state.turn

    def legal(self, state):
        return self.ways[state.node]

    def apply(self, state, move):
        return State(move, state.turn if self.again[move] else 1 - state.turn)

    def outcome(self, state):
        return None if self.ways[state.node] else self.ends[state.node]

    def name(self, state, move):
        return str(move)

    def show(self, state):
        return str(state.node)


def minimax(game, state):
    """The value by its definition."""
    over = game.outcome(state)
    if over is not None:
        return over
    values = [minimax(game, game.apply(state, move)) for move in game.legal(state)]
    return max(values) if game.player(state) == 0 else min(values)


def everywhere(game):
    """All states that can be reached."""
    waiting, known = [game.start()], set()
    while waiting:
        state = waiting.pop()
        if state in known:
            continue
        known.add(state)
        if game.outcome(state) is None:
            waiting += [game.apply(state, move) for move in game.legal(state)]
    return sorted(known)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10_000), nodes=st.integers(1, 16))
def test_values_are_those_of_minimax_in_any_order(seed, nodes):
    game = Graph(seed, nodes)
    states = everywhere(game)
    Random(seed).shuffle(states)
    solver = Solver(game)
    for state in states:
        low, high = sorted(Random(state.node).sample([LOSS, DRAW, WIN], 2))
        exact = minimax(game, state)
        bounded = solver.value(state, low, high)
        assert (bounded <= low) if exact <= low else (bounded >= min(exact, high))
        assert solver.value(state) == exact


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_best_moves_keep_the_value_and_a_deep_search_knows_it(seed):
    game = Graph(seed, 12)
    solver = Solver(game)
    for state in everywhere(game):
        if game.outcome(state) is not None:
            continue
        player = game.player(state)
        by_move = {
            move: minimax(game, game.apply(state, move)) * (1 if player == 0 else -1)
            for move in game.legal(state)
        }
        best = [move for move in by_move if by_move[move] == max(by_move.values())]
        assert solver.best_moves(state) == best
        assert set(solver.hardest_replies(state)) <= set(best)
        ahead = move_values(game, state, 20)
        assert [m for m in ahead if ahead[m] == max(ahead.values())] == best


def test_a_line_is_a_win_against_every_reply():
    for seed in range(200):
        game = Graph(seed, 14)
        solver = Solver(game)
        if game.outcome(game.start()) is None and solver.worth(game.start(), 0) == WIN:
            line = solver.line(game.start())
            assert line.moves >= 1
            assert 0 < line.random_score <= 1


def test_a_solver_stops_at_its_bound():
    game = next(g for g in (Graph(seed, 16) for seed in range(100)) if len(everywhere(g)) > 8)
    needed = Solver(game)
    needed.value(game.start())
    assert needed.nodes > 1
    Solver(game, needed.nodes).value(game.start())
    with pytest.raises(TooHard):
        Solver(game, needed.nodes - 1).value(game.start())


def test_positions_are_won_and_the_hardest_is_taken():
    game = Graph(7, 16)
    states = [s for s in everywhere(game) if game.outcome(s) is None]
    won = [s for s in states if Solver(game).worth(s, game.player(s)) == WIN]
    assert 0 < len(won) < len(states)
    chances = [Solver(game).line(s).random_score for s in won]
    best = won_position(game, states, 1_000, 1, 1e-6)
    assert best is not None
    assert best.line.random_score <= max(chances)
    assert best.state in won
    easy = won_position(game, states, 1_000, 1, 1.0)
    assert easy is not None
    assert easy.state == won[0]
    assert won_position(game, [s for s in states if s not in won], 1_000, 1, 1.0) is None


def test_games_and_positions_are_counted():
    game = Graph(7, 16)
    two = sum(len(game.legal(game.apply(game.start(), m))) for m in game.legal(game.start()))
    assert perft(game, game.start(), 2) == two
    assert [*positions_by_ply(game, 1)] == [1, len(game.legal(game.start()))]


def test_states_survive_their_text():
    game = Graph(7, 16)
    assert all(game.decode(game.encode(state)) == state for state in everywhere(game))
