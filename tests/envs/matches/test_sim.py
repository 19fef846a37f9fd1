"""Sim: its value, rules written another way, the reader, and the match."""

from itertools import combinations
from math import comb
from random import Random

import pytest

from palaestra.generators.matches.rules import perft, positions_by_ply
from palaestra.generators.matches.sim import Sim, State
from palaestra.generators.matches.solver import Solver
from palaestra.task import InvalidAnswer


def triangle(lines):
    """Whether some three points are joined by these lines, which are sets of two points."""
    points = set().union(*lines)
    return any(
        all(frozenset(pair) in lines for pair in combinations(three, 2))
        for three in combinations(points, 3)
    )


@pytest.mark.parametrize("points", [5, 6, 7])
def test_games_go_by_the_rules(points):
    rules, rng = Sim(points), Random(points)
    every = {frozenset(pair) for pair in combinations("ABCDEFG"[:points], 2)}
    for _ in range(30):
        state, sides = rules.start(), (set(), set())
        while rules.outcome(state) is None:
            legal = {m: frozenset(rules.name(state, m).split("-")) for m in rules.legal(state)}
            assert {*legal.values()} == every - sides[0] - sides[1]
            move, player = rng.choice([*legal]), state.turn
            sides[player].add(legal[move])
            state = rules.apply(state, move)
            assert rules.free(state) == len(every) - len(sides[0]) - len(sides[1])
            if triangle(sides[player]):
                assert rules.outcome(state) == (0 if player == 0 else 2)
            else:
                assert not triangle(sides[1 - player])
                full = len(every) == len(sides[0] | sides[1])
                assert rules.outcome(state) == (1 if full else None)


def test_counts():
    """Until the fifth ply nobody can have a triangle."""
    rules = Sim(6)
    assert [perft(rules, rules.start(), n) for n in (1, 2, 3, 4)] == [15, 210, 2_730, 32_760]
    counts = [comb(15, n // 2) * comb(15 - n // 2, n - n // 2) for n in range(6)]
    assert [*positions_by_ply(rules, 5)] == counts


def test_nobody_draws_on_six_points():
    """Ramsey: every colouring of the lines between six points has a triangle of one colour."""
    rules, rng = Sim(6), Random(1)
    for _ in range(200):
        state = rules.start()
        while rules.outcome(state) is None:
            state = rules.apply(state, rng.choice(rules.legal(state)))
        assert rules.outcome(state) != 1
    pentagon = sum(1 << Sim(5).read(Sim(5).start(), f"{a}-{b}")
                   for a, b in zip("ABCDE", "BCDEA"))  # fmt: skip
    assert Sim(5).outcome(State(pentagon, 1023 ^ pentagon, 0)) == 1


def test_the_second_player_wins():
    """Mead, Rosa and Huang, "The game of Sim: a winning strategy for the second player" (1974).

    By symmetry, one first move is enough, and so are two replies: lines that share a point with it
    or not.
    """
    rules = Sim(6)
    state = rules.apply(rules.start(), rules.read(rules.start(), "A-B"))
    solver = Solver(rules)
    replies = [rules.apply(state, rules.read(state, text)) for text in ("A-C", "C-D")]
    assert any(solver.value(reply) == 0 for reply in replies)


LINES = [
    "B-D",
    "b-d",
    "D-B",
    "B D",
    "B to D",
    "(B, D)",
    "line B-D",
    "BD",
    "B, D",
    "I take B-D",
    "B and D",
]


@pytest.mark.parametrize("text", LINES)
def test_moves_are_read(text):
    rules = Sim(6)
    line = rules.read(rules.start(), text)
    assert rules.name(rules.start(), line) == "B-D"
    with pytest.raises(InvalidAnswer, match="not a legal move"):
        rules.read(State(1 << line, 0, 1), text)


@pytest.mark.parametrize("text", ["A-A", "A-G", "A", "A-B, C-D", "", "A-B-C"])
def test_other_texts_are_refused(text):
    rules = Sim(6)
    with pytest.raises(InvalidAnswer):
        rules.read(rules.start(), text)
