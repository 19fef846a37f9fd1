"""Tests of the baseline players of programs, who hand in what they are named after."""

from random import Random

import pytest

from palaestra.address import Address
from palaestra.episode import BARE, Episode
from palaestra.generators.programs.mini_python.parameters import Parameter
from palaestra.generators.programs.mini_python.players import filled_with, random_slips
from palaestra.generators.programs.minimise_program.players import shortenings
from palaestra.generators.programs.players import by_rote, idioms, transformed

PADDED = """def f(xs):
    total = 0
    unused = 3
    pass
    rows = []
    rows = []
    for x in xs:
        if x > 3:
            return total, rows
            total += 1
        total += x
    return total
    total = 2"""

LINTED = """def f(xs):
    total = 0
    rows = []
    for x in xs:
        if x > 3:
            return total, rows
        total += x
    return total"""


def test_a_linter_leaves_out_what_its_rules_say():
    players = shortenings(PADDED, Random(0))
    assert players["linter"] == LINTED
    assert "pass" not in players["no lines with pass"]
    assert "unused" not in players["no unused variables"]
    assert players["random line left out"].count("\n") == PADDED.count("\n") - 1


def test_functions_by_rote_know_the_examples():
    functions = by_rote("solve", "v", [([1], 4), ([2], 5), ([3], 5)])
    names = {}
    exec(functions["table of the examples"], names)  # noqa: S102
    assert [names["solve"]([n]) for n in (1, 2, 3, 9)] == [4, 5, 5, 5]


def test_idioms_of_functions_and_of_values_agree():
    for name, source in idioms("solve", "v").items():
        names = {}
        exec(source, names)  # noqa: S102
        assert transformed([[3, 1, 2]])[name] == [names["solve"]([3, 1, 2])]


def test_no_idiom_is_applied_where_it_fails():
    assert [*transformed([4, 5])] == ["unchanged"]
    assert "sum" not in transformed(["ab"])
    assert "max" not in transformed([[]])


def test_a_slip_in_the_last_line_is_in_the_last_line_that_has_any():
    slips = random_slips("def f(n):\n    n = n + 1\n    return n * 2", Random(0))
    assert slips["slip in the last line"].line == 3
    assert slips["first slip"].line == 2


def test_values_out_of_bounds_are_not_put_into_calls():
    parameter = Parameter("n", "number", 1, 9)
    (value,) = filled_with((parameter,), 40, Random(0))
    assert 1 <= value <= 9


@pytest.mark.parametrize("player", ["random exchange in a failing module", "nothing is changed"])
def test_careless_editors_change_one_line_for_each_bug(player):
    instance = Address.of("programs/mini_repository", 3, 3).task()
    policy, episode, edits = instance.baselines(Random(0))[player], Episode(instance, BARE), 0
    while episode.scores is None:
        move = policy(episode.turn)
        episode.step(episode.answer_format.write(move))
        edits += '"edit"' in move and "done" in episode.turn.observation
    assert edits == (0 if player == "nothing is changed" else len(instance.slips))
