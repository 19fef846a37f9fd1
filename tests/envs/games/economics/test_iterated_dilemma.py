"""The iterated dilemma: exact values against an independent program, automata in words, readers."""

from fractions import Fraction
from functools import cache

import pytest

from palaestra.address import Address
from palaestra.generators.games.chance import Expectimax
from palaestra.generators.games.economics.iterated_dilemma import (
    COOPERATE,
    DEFECT,
    IteratedDilemma,
    State,
)
from palaestra.task import InvalidAnswer

DILEMMA = (3, 0, 5, 1)
HALF = Fraction(1, 2)


def cooperates(name, own, other):
    """The probability to cooperate after the moves of both, as the words state it."""
    if name in {"cooperator", "defector", "coin"}:
        return {"cooperator": Fraction(1), "defector": Fraction(0), "coin": HALF}[name]
    if name == "alternator":
        return Fraction(len(own) % 2 == 0)
    if name == "grim":
        return Fraction("D" not in other)
    if name == "patient copier":
        return Fraction(other[-2:] != "DD")
    if name == "punisher":
        return Fraction("D" not in other[-2:])
    if not own:
        return Fraction(name not in {"suspicious copier", "contrarian"})
    if name == "pavlov":
        return Fraction(own[-1] == other[-1])
    if name == "contrarian":
        return Fraction(other[-1] == "D")
    if name == "generous copier":
        return Fraction(1) if other[-1] == "C" else Fraction(3, 10)
    return Fraction(other[-1] == "C")


def independent(rules, start):
    """The greatest expected points, by a search of all histories."""
    noise = Fraction(rules.noise, 100)

    @cache
    def worth(mine, theirs, weights):
        if len(mine) == start.left:
            return Fraction(0)
        odds = []
        for name in rules.names:
            share = cooperates(name, theirs, mine)
            odds.append(share * (1 - noise) + (1 - share) * noise)
        options = []
        for move in "CD":
            total = Fraction(0)
            for reply in "CD":
                after = tuple(
                    w * (p if reply == "C" else 1 - p) for w, p in zip(weights, odds, strict=True)
                )
                points = rules.payoffs[2 * "CD".index(move) + "CD".index(reply)]
                if sum(after):
                    total += sum(after) * points + worth(mine + move, theirs + reply, after)
            options.append(total)
        return max(options)

    return worth("", "", tuple(Fraction(weight, 100) for weight in start.prior))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("level", [1, 3, 5])
def test_values_are_those_of_an_independent_program(seed, level):
    task = Address.of("games/iterated_dilemma", seed, level).task()
    rules = task.rules()
    (start, _), *_ = task.starts()
    expected = independent(rules, start)
    assert Expectimax(rules).value(start) == pytest.approx(float(expected), abs=1e-12)


@pytest.mark.parametrize(
    "name",
    ["cooperator", "defector", "copier", "suspicious copier", "patient copier", "punisher",
     "grim", "pavlov", "alternator", "contrarian", "coin", "generous copier"],
)  # fmt: skip
def test_each_automaton_does_what_its_words_state(name):
    rules = IteratedDilemma(DILEMMA, (name,), 0)
    open_ends = [State(5, (100,), "", -1)]
    while open_ends:
        state = open_ends.pop()
        mine, theirs = state.history[::2], state.history[1::2]
        moves = dict(rules.chances(rules.apply(state, COOPERATE)))
        assert moves.get(COOPERATE, 0) == pytest.approx(float(cooperates(name, theirs, mine)))
        if state.left > 1:
            open_ends += [
                rules.apply(rules.apply(state, move), reply) for move in (0, 1) for reply in moves
            ]


@pytest.mark.parametrize(
    ("name", "points"),
    [
        ("cooperator", 20),  # D D D D
        ("copier", 14),  # C C C D
        ("grim", 14),
        ("patient copier", 18),  # D C D D: 5, 3, 5 and 5
        ("defector", 4),
        ("alternator", 12),
    ],
)
def test_best_responses_worked_by_hand(name, points):
    rules = IteratedDilemma(DILEMMA, (name,), 0)
    assert Expectimax(rules).value(State(4, (100,), "", -1)) == points


def test_a_move_reveals_the_type():
    rules = IteratedDilemma(DILEMMA, ("defector", "copier"), 0)
    state = rules.apply(rules.apply(State(3, (40, 60), "", -1), COOPERATE), COOPERATE)
    assert rules.belief(state) == (("copier", 0, 1),)


def test_noise_leaves_all_types_possible():
    rules = IteratedDilemma(DILEMMA, ("defector", "cooperator"), 10)
    state = rules.apply(rules.apply(State(3, (50, 50), "", -1), DEFECT), DEFECT)
    assert rules.belief(state) == (("defector", 0, 9), ("cooperator", 0, 1))
    assert dict(rules.chances(rules.apply(state, DEFECT))) == pytest.approx({0: 0.18, 1: 0.82})


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("cooperate", COOPERATE),
        ("C", COOPERATE),
        ("I'll cooperate.", COOPERATE),
        ("I cooperate", COOPERATE),
        ("**Defect**", DEFECT),
        ("My move is to defect", DEFECT),
        ("d", DEFECT),
    ],
)
def test_natural_moves_are_read(text, move):
    assert IteratedDilemma(DILEMMA, ("grim",), 0).read(State(3, (100,), "", -1), text) == move


@pytest.mark.parametrize("text", ["", "cooperate or defect", "do not defect", "1", "CD"])
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer, match="expected one of"):
        IteratedDilemma(DILEMMA, ("grim",), 0).read(State(3, (100,), "", -1), text)


def test_the_scene_lists_the_moves_so_far():
    scene = IteratedDilemma(DILEMMA, ("grim",), 0).scene(State(1, (100,), "CCDC", -1))
    assert [[cell.text for cell in row] for row in scene.rows] == [["C", "C"], ["D", "C"], ["", ""]]
