"""Tests of planning/robot_programming."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sample

from palaestra.envs.planning.robot_programming import RobotProgramming
from palaestra.generators.planning.robot_programming import MOST, parsed, path_of, shortest
from palaestra.task import InvalidAnswer


@pytest.mark.parametrize(
    ("program", "commands", "symbols"),
    [("F", "F", 1), ("repeat 3 [F L]", "FLFLFL", 3), ("FFRF", "FFRF", 4), ("", "", 0),
     ("Repeat 2[F repeat 2[L]] R", "FLLFLLR", 5)],
)  # fmt: skip
def test_programs(program, commands, symbols):
    assert parsed(program) == (commands, symbols)


@pytest.mark.parametrize(
    "program",
    ["go", "repeat 3 F", "repeat 3 [F", "F ]", "repeat 1 [F]", "repeat 100 [F]", "repeat -2 [F]",
     "repeat", "repeat 2", "repeat [F]", "repeat 99 [" * 30 + "F" + "]" * 30,
     "repeat 99 [repeat 99 [F]]", "repeat x [F]", "F" * 500, "repeat 2 [" * 2000],
)  # fmt: skip
def test_no_programs(program):
    with pytest.raises(InvalidAnswer):
        parsed(program)


@settings(max_examples=40, deadline=None)
@given(st.text("FL", min_size=1, max_size=9))
def test_shortest_programs(commands):
    """Programs come to what they should, in no more symbols than commands."""
    cost, program = shortest(commands)
    assert parsed(program) == (commands, cost)
    assert cost <= len(commands)
    assert shortest(commands * 3)[0] <= cost + 1
    assert len(path_of(commands, (0, 0), 0)) == commands.count("F") + 1
    turned = [shortest(commands + turn) for turn in ("", "L", "R")]
    assert shortest(commands, ("", "L", "R")) == min(turned)


@settings(max_examples=30, deadline=None)
@given(st.text("FL", min_size=1, max_size=8))
def test_no_program_is_shorter(commands):
    """Against all ways to part a row of commands, or to repeat any period."""

    def fewest(row):
        parts = [fewest(row[:cut]) + fewest(row[cut:]) for cut in range(1, len(row))]
        loops = [
            fewest(row[:period]) + 1
            for period in range(1, len(row))
            if row[:period] * (len(row) // period) == row
        ]
        return min([*parts, *loops], default=1)

    assert shortest(commands)[0] == fewest(commands)


def test_every_reason_to_refuse_a_program_is_stated():
    """Also that it may not turn on the spot all day."""
    task = sample(RobotProgramming, 3, 2)
    assert f"at most {MOST} commands" in task.prompt()
    with pytest.raises(InvalidAnswer, match=f"more than {MOST} commands"):
        task.verify("repeat 99 [repeat 99 [L]]")
