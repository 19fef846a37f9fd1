"""Three Men's Morris: its rules against rules that are written another way, and its matches."""

from itertools import combinations
from random import Random

import pytest

from palaestra.address import Address
from palaestra.envs.matches.three_mens_morris import ThreeMensMorris
from palaestra.episode import BARE, Episode
from palaestra.generators.matches.rules import DRAW, LOSS, WIN, perft
from palaestra.generators.matches.solver import Solver
from palaestra.generators.matches.three_mens_morris import State
from palaestra.generators.matches.three_mens_morris import ThreeMensMorris as Rules
from palaestra.task import InvalidAnswer


def joined(a, b):
    """Whether a man can move between two cells; diagonals are those of even cells."""
    down, right = abs(a[0] - b[0]), abs(a[1] - b[1])
    return (down, right) in {(0, 1), (1, 0)} or ((down, right) == (1, 1) and sum(a) % 2 == 0)


def lined(men):
    """Whether three men are in a line, the middle one joined to both others."""
    for a, b, c in combinations(sorted(men), 3):
        if (a[0] + c[0], a[1] + c[1]) == (2 * b[0], 2 * b[1]) and joined(a, b) and joined(b, c):
            return True
    return False


def moves(size, mine, theirs):
    """The moves of a player, each with the men of the player after it."""
    cells = [(row, column) for row in range(size) for column in range(size)]
    free = [cell for cell in cells if cell not in mine | theirs]
    if len(mine) < 3:
        return {(cell,): mine | {cell} for cell in free}
    pairs = [(man, cell) for man in mine for cell in free if joined(man, cell)]
    return {(man, cell): mine - {man} | {cell} for man, cell in pairs}


def men(mask, size):
    return frozenset(divmod(n, size) for n in range(size * size) if mask >> n & 1)


@pytest.mark.parametrize("size", [3, 4, 5])
def test_games_go_by_the_rules(size):
    rules, rng = Rules(size), Random(size)
    for _ in range(15):
        state = rules.start()
        while rules.outcome(state) is None:
            sides = men(state.first, size), men(state.second, size)
            mine, theirs = sides if state.turn == 0 else sides[::-1]
            expected = moves(size, mine, theirs)
            legal = rules.legal(state)
            assert len(legal) == len(expected)
            assert {tuple(divmod(n, size) for n in move) for move in legal} == expected.keys()
            move = rng.choice(legal)
            after = expected[tuple(divmod(n, size) for n in move)]
            assert rules.closes(state, move) == lined(after)
            before, state = state, rules.apply(state, move)
            assert men(state[before.turn], size) == after
            assert state[1 - before.turn] == before[1 - before.turn]
            assert (rules.outcome(state) == (WIN, LOSS)[before.turn]) >= lined(after)
        sides = men(state.first, size), men(state.second, size)
        stuck = not moves(size, sides[state.turn], sides[1 - state.turn])
        assert lined(sides[1 - state.turn]) or stuck or not state.left


def test_counts_of_games():
    """Men are placed as in tic-tac-toe, so the first five plies have 9 · 8 · 7 · 6 · 5 games."""
    rules = Rules(3)
    counts = [perft(rules, rules.start(), plies) for plies in range(1, 7)]
    assert counts[:5] == [9, 72, 504, 3_024, 15_120]
    # Eight lines, six orders of X's men, and 6 · 5 places of O's first two end after five plies.
    assert counts[5] == (15_120 - 8 * 6 * 6 * 5) * 4


def test_the_first_player_wins_from_the_middle():
    """On the board of three rows with diagonals, the first player wins with the middle cell."""
    rules = Rules(3)
    start = rules.start()._replace(left=13, hunter=0)
    assert Solver(rules).worth(start, 0) == WIN
    assert Solver(rules).worth(rules.apply(start, (4,)), 0) == WIN


def test_ends():
    rules = Rules(3)
    state = State(0b000_011_001, 0b110_000_100, 1, 1)
    assert rules.outcome(state) is None
    assert rules.outcome(state._replace(left=0)) == DRAW
    assert rules.outcome(state._replace(left=0, hunter=0)) == LOSS
    assert rules.outcome(state._replace(left=0, hunter=1)) == WIN
    assert rules.outcome(State(0b000_000_111, 0b110_001_000, 1, 0, 0)) == WIN
    assert rules.outcome(State(0b110_001_000, 0b000_000_111, 0, 5)) == LOSS
    assert rules.outcome(State(0b000_001_011, 0b000_110_100, 0, 5)) is None


def test_a_player_who_cannot_move_loses():
    corner, around = 0b000_001_011, 0b001_110_100  # with three men, O would have a line
    assert not moves(3, men(corner, 3), men(around, 3))
    assert Rules(3).outcome(State(corner, around, 0, 5)) == LOSS
    assert Rules(3).outcome(State(around, corner, 1, 5)) == WIN


@pytest.mark.parametrize("text", ["r1c2-r2c2", "R1C2 -> R2C2", "(1, 2) to (2, 2)", "r1c2, r2c2"])
def test_moves_are_read(text):
    assert Rules(3).read(State(0b001_000_011, 0b110_001_000, 0), text) == (1, 4)


def test_moves_that_are_refused():
    rules, state = Rules(3), State(0b001_000_011, 0b110_001_000, 0)
    for text in ("r1c1-r1c3", "r1c1-r2c1", "r2c1-r2c2"):
        with pytest.raises(InvalidAnswer, match="not a legal move"):
            rules.read(state, text)


def test_men_are_placed_by_their_cell():
    rules = Rules(3)
    assert rules.read(rules.start(), "(2, 2)") == (4,)
    assert rules.name(rules.start(), (4,)) == "r2c2"
    with pytest.raises(InvalidAnswer, match="not a legal move"):
        rules.read(State(0b10000, 0, 1), "r2c2")


def test_tasks_are_won_within_the_moves():
    for level in (1, 3):
        task = Address.of("matches/three_mens_morris", 1, level).task()
        assert isinstance(task, ThreeMensMorris)
        assert task.start().hunter == task.seat
        episode = Episode(task, BARE)
        own = [*task.solve()]
        for move in own:
            episode.step(move)
        assert episode.score.value == 1
        assert 2 * len(own) - 1 <= task.start().left
