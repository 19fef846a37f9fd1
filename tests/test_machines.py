"""Turing machines against known champions, expressions against Python's own matcher."""

import re
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.machines.regex_matching_strings import RegexMatchingStrings
from palaestra.envs.machines.turing_machine import TuringMachine
from palaestra.generators.machines.turing_machine import End, halted, rerun
from palaestra.generators.regexes import Common, derives, generalised, matches, parsed, written
from palaestra.task import Unreadable

L, R = -1, 1
BEAVERS = {
    # Tibor Rado's busy beavers of 2 and 3 states; their last step, into the halting state, is
    # left out here since it is the halting itself, so the steps and ones are one fewer at most.
    2: (((1, R, 1), (1, L, 1)), ((1, L, 0), None)),
    3: (((1, R, 1), None), ((0, R, 2), (1, R, 1)), ((1, L, 2), (1, L, 0))),
}


def test_busy_beavers():
    assert halted(BEAVERS[2], (0,))[0] == End((1, 1, 1, 1), -2, -1, 5)
    end = halted(BEAVERS[3], (0,))[0]
    assert (sum(end.tape), end.steps) == (6, 13)


@pytest.mark.parametrize("level", range(7))
def test_two_ways_to_run_agree(level):
    for seed in range(15):
        task = Address.of("machines/turing_machine", seed, level).task()
        assert rerun(task.table, task.tape) == task.end()
        assert task.audit(task.answer())
        assert sum(rule is None for rules in task.table for rule in rules) == 1


def beaver():
    return TuringMachine(table=BEAVERS[2], tape=(0,))


def test_each_line_is_judged():
    score = beaver().verify("tape: 1 1 1 1\nfirst: -1\nhead: -1\nsteps: 6")
    assert score.value == 0
    assert score.reason == "wrong: first, steps"
    assert score.parts == {"tape": 1, "first": 0, "head": 1, "steps": 0}
    assert beaver().verify("Steps: 5\nhead: -1\nfirst: -2\ntape: 1111").value == 1


def test_lines_must_be_there_and_numbers():
    for text in ("1 1 1 1", "tape: 1\nfirst: 0\nhead: 0", "tape: x\nfirst: 0\nhead: 0\nsteps: 5",
                 "tape: 1\nfirst: 0\nhead: 0\nsteps: five"):  # fmt: skip
        with pytest.raises(Unreadable):
            beaver().verify(text)


def test_names_of_states_do_not_matter():
    task = Address.of("machines/turing_machine", 3, 3).task()
    swap = {0: 0, 1: 2, 2: 1}
    table = tuple(
        tuple(rule and (*rule[:2], swap[rule[2]]) for rule in task.table[swap[state]])
        for state in range(3)
    )
    other = task.model_copy(update={"table": table})
    assert other.end() == task.end()
    assert other.canonical() == task.canonical()


@given(seed=st.integers(0, 10**6), depth=st.integers(0, 5), text=st.text("abc", max_size=9))
def test_three_matchers_agree(seed, depth, text):
    rng = Random(seed)
    origin = "".join(rng.choices("abc", k=7))
    pattern = written(generalised(rng, origin, "abc", depth, loose=0.5))
    assert matches(pattern, origin)
    assert matches(pattern, text) == derives(pattern, text)
    assert matches(pattern, text) == bool(re.fullmatch(pattern, text))
    assert written(parsed(pattern)) == pattern


@pytest.mark.parametrize(
    "pattern", ["", "a", "a*", "(a|b)?c+", "((ab)*c)*", "(a?)*", "a||b", "[abc]b*", "(a*)+b"]
)
def test_matchers_on_all_short_texts(pattern):
    for length in range(5):
        for letters in product("abc", repeat=length):
            text = "".join(letters)
            assert (
                matches(pattern, text)
                == bool(re.fullmatch(pattern, text))
                == derives(pattern, text)
            )


@pytest.mark.parametrize("pattern", ["(", ")", "a)", "*", "a|*", "[", "[]", "(a", "a\\b", "."])
def test_malformed_patterns(pattern):
    with pytest.raises(ValueError, match=r"\w"):
        parsed(pattern)


def test_matching_never_blows_up():
    assert not matches("(a*)*" * 6 + "b", "a" * 5_000)


def test_common_texts_are_all_there_are():
    yes, no = ["(ab|c)*a?", "[abc]*c[abc]*"], ["c+[ab]*"]
    found = list(Common(yes, no, "abc", 6))
    every = map("".join, product("abc", repeat=6))
    assert found == [
        text
        for text in every
        if all(re.fullmatch(p, text) for p in yes) and not any(re.fullmatch(p, text) for p in no)
    ]


def strings_task():
    return RegexMatchingStrings(
        letters="ab", length=4, strings=2, match=("a[ab]*",), avoid=("[ab]*bb",)
    )


def test_any_valid_strings_are_right():
    task = strings_task()
    assert task.verify("aaaa\nabab").value == 1
    assert task.verify("aaba, abaa").value == 1
    for text, flaw in {
        "aaaa aaaa": "given twice",
        "aaaa bbaa": "string 2 does not match",
        "aabb aaaa": "string 1 matches",
        "aaaa aaa": "3 letters",
        "aaaa aaca": "other letters",
        "aaaa AABA": "other letters",
    }.items():
        assert task.verify(text).value == 0
        assert flaw in task.verify(text).reason
    with pytest.raises(Unreadable):
        task.verify("aaaa")
