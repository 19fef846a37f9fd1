"""Hex: its rules and its search against rules and a search that are written cell by cell."""

from functools import cache
from random import Random

import pytest

from palaestra.generators.matches.hex import Hex, State
from palaestra.scenes import Hexagons
from palaestra.task import InvalidAnswer

AROUND = [(0, -1), (0, 1), (-1, 0), (-1, 1), (1, -1), (1, 0)]


def connected(stones, size, player):
    """Whether cells, each (row, column), connect rows or columns 0 and ``size - 1``."""
    waiting = [cell for cell in stones if cell[player] == 0]
    seen = set(waiting)
    while waiting:
        row, column = waiting.pop()
        near = {(row + down, column + right) for down, right in AROUND} & stones - seen
        seen |= near
        waiting += near
    return any(cell[player] == size - 1 for cell in seen)


@cache
def winner(size, first, second):
    """Who wins with perfect play; X moves where both have as many stones."""
    stones = (first, second)
    for player in (0, 1):
        if connected(stones[player], size, player):
            return player
    turn = len(first) - len(second)
    cells = {(row, column) for row in range(size) for column in range(size)} - first - second
    after = (frozenset({*stones[turn], cell}) for cell in sorted(cells))
    sides = ((mine, second) if turn == 0 else (first, mine) for mine in after)
    return turn if any(winner(size, *side) == turn for side in sides) else 1 - turn


def filled(rng, size, free):
    """A random position, as a state and as two sets of cells."""
    numbers = rng.sample(range(size * size), size * size - free)
    state = State(sum(1 << n for n in numbers[::2]), sum(1 << n for n in numbers[1::2]), 0)
    sides = [frozenset(divmod(n, size) for n in numbers[p::2]) for p in (0, 1)]
    return state._replace(turn=len(numbers) % 2), sides


def outcome(rules, state, turn):
    return rules.outcome(state._replace(turn=turn))


def open_positions(size, most_free, number):
    rng, rules = Random(size), Hex(size)
    for _ in range(number):
        state, sides = filled(rng, size, rng.randint(2, most_free))
        if outcome(rules, state, 0) is None and outcome(rules, state, 1) is None:
            yield rules, state, sides


@pytest.mark.parametrize("size", [3, 4, 5, 7])
def test_games_end_when_sides_are_connected(size):
    rules, rng = Hex(size), Random(size)
    for _ in range(20):
        state, sides = rules.start(), [set(), set()]
        while rules.outcome(state) is None:
            turn = state.turn
            move = rng.choice(sorted(rules.legal(state)))
            sides[turn].add(divmod(move, size))
            state = rules.apply(state, move)
            assert state.turn == 1 - turn
            over = {0: 2, 1: 0}[turn] if connected(sides[turn], size, turn) else None
            assert rules.outcome(state) == over
            assert len(rules.legal(state)) == rules.free(state)


def test_a_full_board_has_one_winner():
    rng, rules = Random(1), Hex(5)
    for _ in range(50):
        state, _ = filled(rng, 5, 0)
        assert (outcome(rules, state, 1) == 2) != (outcome(rules, state, 0) == 0)


@pytest.mark.parametrize(("size", "free"), [(3, 9), (4, 8)])
def test_the_search_agrees_with_brute_force(size, free):
    for rules, state, sides in open_positions(size, free, 60):
        assert rules.solved(state) == {0: 2, 1: 0}[winner(size, *sides)]
        wins = set()
        for move in rules.legal(state):
            after = list(sides)
            after[state.turn] = sides[state.turn] | {divmod(move, size)}
            if winner(size, *after) == state.turn:
                wins.add(move)
        assert set(rules.winning(state, 99)) == wins
        assert len(rules.winning(state, 1)) == min(1, len(wins))


def test_one_stone_to_a_chain_is_a_winning_move():
    for rules, state, sides in open_positions(4, 12, 100):
        for turn in (0, 1):
            moves = [
                move
                for move in rules.legal(state)
                if connected(sides[turn] | {divmod(move, 4)}, 4, turn)
            ]
            needs = rules.paths(state, turn)
            assert (needs.stones == 1) == bool(moves)
            if moves:
                assert sum(1 << move for move in moves) == needs.cells


def test_winning_openings():
    """The first player wins each board (John Nash, 1949), on 4 by 4 with the cells of the short
    diagonal alone (Van Rijswijck, https://webdocs.cs.ualberta.ca/~queenbee/openings.html).
    """
    openings = {}
    for size in (2, 3, 4):
        rules = Hex(size)
        moves = rules.winning(rules.start(), 99)
        openings[size] = sorted(rules.name(rules.start(), move) for move in moves)
    assert openings == {
        2: ["a2", "b1"],
        3: ["a2", "a3", "b2", "c1", "c2"],
        4: ["a4", "b3", "c2", "d1"],
    }


@pytest.mark.parametrize("text", ["c1", "C1", "I play c-1.", "row 1, column c", "r1c3"])
def test_moves_are_read(text):
    rules = Hex(5)
    assert rules.read(rules.start(), text) == 2
    with pytest.raises(InvalidAnswer, match="not a free cell"):
        rules.read(State(1 << 2, 0, 1), text)


def test_the_board_leans_to_the_right():
    rules = Hex(3)
    state = State(1 << 1, 1 << 3, 0)
    assert rules.show(state) == "   a b c\n1  . X .\n2   O . .\n3    . . ."
    scene = rules.scene(state, 8)
    assert isinstance(scene, Hexagons)
    cells = [(hexagon.row, hexagon.column) for hexagon in scene.cells]
    assert cells[::3] == [(0, 0), (1, 0), (2, 1)]
    assert scene.last == ((2, 3),)
