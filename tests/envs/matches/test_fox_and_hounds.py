"""Fox and Hounds: its rules against rules that are written another way, and its matches."""

from functools import cache
from random import Random

import pytest

import palaestra
from palaestra.generators.matches.fox_and_hounds import NO_WAY, State, is_dark
from palaestra.generators.matches.fox_and_hounds import FoxAndHounds as Rules
from palaestra.generators.matches.rules import LOSS, WIN, perft
from palaestra.generators.matches.solver import Solver
from palaestra.task import InvalidAnswer


def parts(state, columns):
    """The cells of the fox and of the hounds, by row and column, and whose turn it is."""
    hounds = frozenset(divmod(n, columns) for n in range(64) if state.hounds >> n & 1)
    return divmod(state.fox, columns), hounds, "FH"[state.turn]


def after(size, fox, hounds, turn):
    """The positions after each move, by the cells of the move."""
    positions = {}
    for row, column in [fox] if turn == "F" else hounds:
        for down in (1, -1) if turn == "F" else (1,):
            for end in (row + down, column - 1), (row + down, column + 1):
                if end[0] in range(size[0]) and end[1] in range(size[1]) and end not in hounds:
                    if turn == "F":
                        positions[fox, end] = end, hounds, "H"
                    elif end != fox:
                        moved = hounds - {(row, column)} | {end}
                        positions[(row, column), end] = fox, moved, "F"
    return positions


def games(size, position, plies):
    if plies == 0:
        return 1
    if position[0][0] == 0:
        return 0
    return sum(games(size, each, plies - 1) for each in after(size, *position).values())


@cache
def fox_wins(size, fox, hounds, turn):
    """The winner by plain search, to the very end."""
    if fox[0] == 0:
        return True
    results = (fox_wins(size, *each) for each in after(size, fox, hounds, turn).values())
    return any(results) if turn == "F" else all(results)


@pytest.mark.parametrize("size", [(5, 4), (6, 6), (7, 6), (8, 8)])
def test_counts_of_games(size):
    rules = Rules(*size)
    position = parts(rules.start(), size[1])
    for plies in range(1, 6):
        assert perft(rules, rules.start(), plies) == games(size, position, plies)


@pytest.mark.parametrize("size", [(5, 4), (6, 6), (7, 8), (8, 8)])
def test_games_go_by_the_rules(size):
    rules, rng = Rules(*size), Random(str(size))
    for _ in range(10):
        state = rules.start()
        while rules.outcome(state) is None:
            expected = after(size, *parts(state, size[1]))
            legal = {tuple(divmod(n, size[1]) for n in hop): hop for hop in rules.legal(state)}
            assert legal.keys() == expected.keys()
            assert len(legal) == len(rules.legal(state))
            move = rng.choice([*expected])
            state = rules.apply(state, legal[move])
            assert parts(state, size[1]) == expected[move]
        fox, hounds, turn = parts(state, size[1])
        assert fox[0] == 0 or not after(size, fox, hounds, turn)
        assert rules.outcome(state) == (LOSS if fox[0] and turn == "F" else WIN)


@pytest.mark.parametrize("size", [(5, 4), (6, 4), (5, 6), (6, 6), (7, 6)])
def test_winners(size):
    rules, rng = Rules(*size), Random(str(size))
    dark = [n for n in range(size[0] * size[1]) if is_dark(n, size[1])]
    states = [rules.start()]
    for _ in range(200):
        fox, *hounds = rng.sample(dark, 1 + size[1] // 2)
        states.append(State(fox, sum(1 << n for n in hounds), rng.randrange(2)))
    for state in states:
        expected = WIN if fox_wins(size, *parts(state, size[1])) else LOSS
        assert Solver(rules).value(state) == expected
        assert rules.solved(state) == expected or rules.outcome(state) is not None


def test_the_hounds_win_on_a_chessboard():
    """Wherever the fox starts, even if it passes once: Berlekamp, Conway and Guy, "Winning
    Ways" (1982); here it passes at the start.
    """
    rules = Rules(8, 8)
    hounds = rules.start().hounds
    foxes = [n for n in range(56, 64) if is_dark(n, 8)]
    assert len(foxes) == hounds.bit_count() == 4
    for fox in foxes:
        assert rules.solved(State(fox, hounds, 0)) == LOSS
        assert rules.solved(State(fox, hounds, 1)) == LOSS


def test_the_start():
    rules = Rules(8, 8)
    assert rules.show(rules.start()).splitlines()[1] == "1  . H . H . H . H"
    assert rules.show(rules.start()).splitlines()[8] == "8  . . . . F . . ."
    for size in (5, 4), (6, 6), (7, 8):
        fox = Rules(*size).start().fox
        assert is_dark(fox, size[1])
        assert fox // size[1] == size[0] - 1


def test_ends_of_the_game():
    rules = Rules(5, 4)
    cell = {(r, c): 4 * r + c for r in range(5) for c in range(4)}
    trapped = State(cell[4, 3], 1 << cell[3, 2] | 1 << cell[0, 1], 0)
    assert rules.outcome(trapped) == LOSS
    assert rules.outcome(trapped._replace(turn=1)) is None
    stuck = State(cell[3, 0], 1 << cell[4, 1] | 1 << cell[4, 3], 1)
    assert rules.outcome(stuck) == WIN
    assert rules.outcome(stuck._replace(turn=0)) is None
    assert rules.outcome(State(cell[0, 1], 1 << cell[1, 0] | 1 << cell[0, 3], 1)) == WIN


def test_the_way_of_the_fox():
    rules = Rules(5, 4)
    start = rules.start()
    assert rules.way(start) == NO_WAY  # both cells of the first row have a hound
    open_left = rules.apply(start._replace(turn=1), (1, 4))
    assert rules.way(open_left) == 4  # over r4c3, a cell of the third row, r2c3 and r1c2
    assert rules.judgement(open_left, 0) == -rules.judgement(open_left, 1) == -3


@pytest.mark.parametrize(
    "text", ["r5c4-r4c3", "R5C4 -> R4C3", "(5, 4) to (4, 3)", "r5c4, r4c3", "from r5c4 to r4c3"]
)
def test_moves_are_read(text):
    rules = Rules(5, 4)
    assert rules.read(State(19, 0b1010, 0), text) == (19, 14)


def test_moves_that_are_refused():
    rules = Rules(5, 4)
    state = State(19, 0b1010, 1)
    for text in "r5c4-r4c3", "r1c2-r2c2", "r1c2-r3c4":
        with pytest.raises(InvalidAnswer, match="not a legal move"):
            rules.read(state, text)
    with pytest.raises(InvalidAnswer, match="expected"):
        rules.read(state, "r1c2")


def test_both_seats_occur_and_the_example_is_not_legal():
    seats = set()
    for seed in range(12):
        task = palaestra.Address.of("matches/fox_and_hounds", seed, 0).task()
        seats.add(task.seat)
        legal = {task.rules().name(task.start(), hop) for hop in task.rules().legal(task.start())}
        assert not any(f"'{name}'" in task.description() for name in legal)
    assert seats == {0, 1}
