"""Chopsticks: its wins against a retrograde analysis on labelled hands, its rules, the reader."""

from functools import cache
from itertools import product
from random import Random

import pytest

import palaestra
from palaestra.generators.matches.chopsticks import Chopsticks, State
from palaestra.generators.matches.rules import LOSS, WIN
from palaestra.generators.matches.solver import Solver
from palaestra.task import InvalidAnswer


def taps(mine, theirs, modulus):
    """The other player's hands after each tap; hands keep their positions, and 0 is out."""
    for a, b in product(range(len(mine)), range(len(theirs))):
        if mine[a] and theirs[b]:
            after = [*theirs]
            after[b] += mine[a]
            while after[b] >= modulus:
                after[b] -= modulus
            yield (mine[a], theirs[b]), tuple(after)


@cache
def distances(hands, modulus):
    """In how many own moves the player to move wins from each position where it can, backwards
    from the end: what is won in one move, then in two, and so on.
    """
    pairs = [each for each in product(range(modulus), repeat=hands) if any(each)]
    won, lost = {}, {}
    for moves in range(1, 40):
        new = {
            (mine, theirs): moves
            for mine, theirs in product(pairs, repeat=2)
            if (mine, theirs) not in won
            and any(not any(t) or (t, mine) in lost for _, t in taps(mine, theirs, modulus))
        }
        if not new:
            return won
        won |= new
        lost |= {
            (mine, theirs): moves
            for mine, theirs in product(pairs, repeat=2)
            if all(any(t) and (t, mine) in won for _, t in taps(mine, theirs, modulus))
        }
    raise AssertionError


def alive(hands):
    return tuple(sorted(filter(None, hands)))


@pytest.mark.parametrize(("hands", "modulus"), [(2, 5), (2, 7), (3, 4)])
def test_the_shortest_wins(hands, modulus):
    rules, known = Chopsticks(hands, modulus), distances(hands, modulus)
    pairs = [each for each in product(range(modulus), repeat=hands) if any(each)]
    longest = max(known.values())
    assert longest > 4
    for mine, theirs in product(pairs, repeat=2):
        shortest = rules.shortest(alive(mine), alive(theirs), longest + 2)
        assert shortest == known.get((mine, theirs))


def test_wins_with_a_limit():
    """Whoever has the limit wins if and only if it is not below the shortest win."""
    rules, known = Chopsticks(2, 5), distances(2, 5)
    for (mine, theirs), moves in known.items():
        for turn, limit in product((0, 1), range(1, moves + 2)):
            sides = (alive(mine), alive(theirs))[:: -1 if turn else 1]
            state = State(*sides, turn, 2 * limit - 1, turn)
            assert (Solver(rules).worth(state, turn) == WIN) == (limit >= moves)


@pytest.mark.parametrize("hunter", [0, 1])
def test_the_search_agrees_with_plain_search(hunter):
    """Also in positions where the other player, who only has to stay in play, is to move."""
    rules, rng = Chopsticks(3, 5), Random(hunter)

    def value(state):
        over = rules.outcome(state)
        if over is None:
            best = max if state.turn == 0 else min
            over = best(value(rules.apply(state, move)) for move in rules.legal(state))
        return over

    for _ in range(60):
        first, second = (alive(rng.choices(range(5), k=3)) or (1,) for _ in range(2))
        state = State(first, second, rng.randrange(2), rng.randint(1, 5), hunter)
        assert rules.solved(state) == value(state)


def test_games_go_by_the_rules():
    rules, rng = Chopsticks(4, 6), Random(2)
    for n in range(20):
        state, sides = rules.start(), [(1,) * 4, (1,) * 4]
        while rules.outcome(state) is None:
            after = dict(taps(sides[state.turn], sides[1 - state.turn], 6))
            assert len(set(rules.legal(state))) == len(rules.legal(state))
            assert {*rules.legal(state)} == after.keys()
            turn, left, move = state.turn, state.left, rng.choice(rules.legal(state))
            state, sides[1 - turn] = rules.apply(state, move), after[move]
            assert state[:2] == (alive(sides[0]), alive(sides[1]))
            assert (state.turn, state.left) == (1 - turn, left - 1)
        if all(map(any, sides)):
            assert state.left == 0
            assert rules.outcome(state._replace(hunter=n % 2)) == (WIN if n % 2 else LOSS)
        else:
            assert rules.outcome(state) == (WIN if any(sides[0]) else LOSS)


def test_a_sum_of_the_modulus_puts_a_hand_out():
    rules = Chopsticks(2, 5)
    assert rules.apply(State((2, 4), (1, 3), 0, 9), (2, 3)) == State((2, 4), (1,), 1, 8)
    assert rules.apply(State((2, 4), (1, 3), 0, 9), (4, 3)) == State((2, 4), (1, 2), 1, 8)
    assert rules.outcome(State((2,), (), 1, 0)) == WIN
    assert rules.outcome(State((), (2,), 0, 0, 1)) == LOSS


def test_matches_have_no_shorter_win():
    for seed in range(6):
        task = palaestra.Address.of("matches/chopsticks", seed, 2).task()
        start, rules = task.start(), task.rules()
        moves = (start.left + 1) // 2
        sides = start[:2][:: -1 if start.turn else 1]
        assert start.hunter == start.turn == task.seat
        assert rules.shortest(*sides, 20) == moves
        shorter = start._replace(left=start.left - 2)
        assert Solver(rules).worth(shorter, start.turn) != WIN
        # The opponent resists to the end.
        assert task.line().moves == moves


@pytest.mark.parametrize(
    "text",
    ["2 taps 3", "2 tap 3.", "2 -> 3", "2 \u2192 3", "2-3", "(2, 3)", "2 to 3", "2 on 3", "2 3",
     "My move: 2 taps 3", "**2 taps 3**", "tap 3 with 2", "I tap your 3 with my 2",
     "Tap the hand with 3 fingers with my 2", "use 2 to tap 3", "hand 2 taps hand 3",
     "my hand with 2 fingers taps the opponent's hand with 3 fingers", "2 hits 3!",
     "With my 2, I tap the 3", "Using 2, tap 3"],
)  # fmt: skip
def test_moves_are_read(text):
    rules = Chopsticks(2, 5)
    assert rules.read(State((2, 4), (1, 3), 0), text) == (2, 3)


@pytest.mark.parametrize(
    ("text", "reason"),
    [("3 taps 2", "no hand with 3"), ("2 taps 4", "no hand with 4"), ("2", "expected a move"),
     ("2 taps 3 taps 1", "expected a move"), ("", "expected a move"), ("2 taps 1 or 3", "expected"),
     ("not 2 taps 3", "expected a move"), ("2 taps -3", "expected a move")],
)  # fmt: skip
def test_texts_that_are_refused(text, reason):
    with pytest.raises(InvalidAnswer, match=reason):
        Chopsticks(2, 5).read(State((2, 4), (1, 3), 0), text)
