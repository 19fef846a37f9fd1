"""Colonel Blotto: exact values against an independent program, cases worked by hand, readers."""

from fractions import Fraction
from functools import cache
from itertools import product
from random import Random

import pytest

from palaestra.address import Address
from palaestra.generators.games.chance import Expectimax
from palaestra.generators.games.economics.colonel_blotto import ColonelBlotto, State, allocations
from palaestra.task import InvalidAnswer

TABLE = (((2, 0), 50), ((0, 2), 50))


def independent(rules, start):
    """The expected points by all allocations, from the last battle on."""

    @cache
    def worth(number, troops):
        if number == len(start.battles):
            return Fraction(troops)
        values = start.battles[number]
        options = []
        for sent in product(range(troops + 1), repeat=len(values)):
            if sum(sent) > troops:
                continue
            total = Fraction(0)
            for row, weight in rules.table:
                wins = [n for n in range(len(values)) if sent[n] > row[n]]
                gain = sum(values[n] for n in wins)
                then = worth(number + 1, troops - sum(sent) + len(wins))
                total += Fraction(weight, 100) * (gain + then)
            options.append(total)
        return max(options)

    return worth(0, start.troops)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("level", [0, 1, 2, 4])
def test_values_are_those_of_an_independent_program(seed, level):
    task = Address.of("games/colonel_blotto", seed, level).task()
    (start, _), *_ = task.starts()
    value = Expectimax(task.rules()).value(start)
    assert value == pytest.approx(float(independent(task.rules(), start)))


def test_a_battle_worked_by_hand():
    """One troop on a field of value 4 wins half of the time, and comes back then."""
    expectations = Expectimax(ColonelBlotto(TABLE)).expectations(State(((4, 3),), 3, (), 0))
    assert expectations[0, 0] == pytest.approx(3)
    assert expectations[1, 0] == pytest.approx(2 + 4 / 2 + 1 / 2)
    assert expectations[1, 1] == pytest.approx(1 + 7 / 2 + 1)
    assert expectations[3, 0] == pytest.approx(0 + 4 + 1)


def test_troops_return_from_fields_that_are_won():
    rules = ColonelBlotto(TABLE)
    state = rules.apply(rules.apply(State(((4, 3), (5, 5)), 6, (), 1), (1, 2)), (0, 2))
    assert state == State(((5, 5),), 4, (), 5)  # a tie on the second field
    assert rules.payoff(State((), 4, (), 5)) == 9


def test_every_allocation_is_listed():
    listed = allocations(4, 3)
    assert len(listed) == len(set(listed)) == 35  # combinations of 3 out of 4 + 3
    assert all(sum(each) <= 4 for each in listed)


def test_a_small_army_has_fewer_allocations_than_the_knob_asks_for():
    """The generator waited for rows that do not exist."""
    task_type = type(Address.of("games/colonel_blotto").task())
    knobs = task_type.Knobs.at(0, fields=2, rows=8)
    for seed in range(12):
        rows = task_type.fields_of(Random(seed), knobs)["table"]
        assert 5 <= len({row for row, _ in rows}) == len(rows) <= 8
        assert sum(weight for _, weight in rows) == 100


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("send 1 0 2", (1, 0, 2)),
        ("1, 0, 2", (1, 0, 2)),
        ("(1, 0, 2)", (1, 0, 2)),
        ("I send 1 0 2.", (1, 0, 2)),
        ("A=1 B=0 C=2", (1, 0, 2)),
        ("A: 1, B: 0 and C: 2", (1, 0, 2)),
        ("1-0-2", (1, 0, 2)),
        ("allocate 0 0 0", (0, 0, 0)),
    ],
)
def test_natural_moves_are_read(text, sent):
    assert ColonelBlotto(TABLE).read(State(((4, 3, 5),), 3, (), 0), text) == sent


@pytest.mark.parametrize(
    "text", ["", "send", "1 0", "1 0 2 0", "2 1 1", "-1 0 2", "1.5 0 1", "A=1 C=0 B=2"]
)
def test_other_moves_are_refused(text):
    with pytest.raises(InvalidAnswer):
        ColonelBlotto(TABLE).read(State(((4, 3, 5),), 3, (), 0), text)


def test_the_scene_shows_values_and_troops():
    scene = ColonelBlotto(TABLE).scene(State(((4, 3), (5, 6)), 7, (), 0))
    assert [[cell.text for cell in row] for row in scene.rows] == [
        ["4", "3"],
        ["5", "6"],
        ["7", ""],
    ]
