"""Tests of programs/regex_for_examples."""

from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra import Address
from palaestra.generators.programs.regex_for_examples import (
    acceptor,
    members,
    pumped,
    telling,
    words,
)
from palaestra.generators.regexes import matches
from palaestra.scoring import score

pytestmark = pytest.mark.usefixtures("jail")


def every_automaton(states):
    """All complete automata with so many states over a and b."""
    for flat in product(range(states), repeat=2 * states):
        for accepting in product((False, True), repeat=states):
            yield list(zip(flat[::2], flat[1::2])), accepting


def accepted(moves, accepting, word):
    state = 0
    for letter in word:
        state = moves[state]["ab".index(letter)]
    return accepting[state]


@pytest.mark.parametrize("pattern", ["(aa|b)+", "a*b", "(ab)*", "b(a|b)*"])
def test_only_one_language_of_small_automata_fits_the_examples(pattern):
    language = acceptor(pattern, "ab")
    labels = telling(language)
    size = min(3, len(language.moves))
    fitting = {
        tuple(accepted(moves, accepting, word) for word in words("ab", 6))
        for moves, accepting in every_automaton(size)
        if all(accepted(moves, accepting, word) == label for word, label in labels.items())
    }
    wanted = tuple(matches(pattern, word) for word in words("ab", 6))
    assert fitting == ({wanted} if size == len(language.moves) else set())


@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_members_are_members(seed):
    task = Address.of("programs/regex_for_examples", seed % 500, 2).task()
    for word in members(task.language(), Random(seed), 10):
        assert matches(task.pattern, word)


@pytest.mark.parametrize("level", [0, 3])
def test_other_expressions_for_the_same_language_are_right(level):
    task = Address.of("programs/regex_for_examples", 5, level).task()
    assert score(task, f"(?:{task.pattern}|{task.pattern})", "bare").value == 1
    assert score(task, f"`^{task.pattern}$`", "bare").value == 1
    assert score(task, f"```regex\n{task.pattern}\n```", "bare").value == 1
    other = [word for word, label in telling(task.language()).items() if not label][-1]
    for wrong in (f"{task.pattern}|{other}", "(a", "(?=a)", r"(a)\1", ".*"):
        assert score(task, wrong, "bare").value == 0
    bounded = task.pattern.replace("*", "{0,40}").replace("+", "{1,40}")
    assert score(task, bounded, "bare").value == 0
    listed = "|".join(word for word, label in telling(task.language()).items() if label)
    result = score(task, listed, "bare")
    assert result.reason == "the expression wrongly does not match a string that is not shown"


def test_a_wrong_expression_is_not_tried_on_all_strings():
    task = Address.of("programs/regex_for_examples", 5, 0).task()
    assert score(task, ".*", "bare").parts.keys() == {"brevity", "progress", "shown"}
    assert score(task, task.pattern, "bare").parts == {
        "brevity": 1, "progress": 1, "shown": 1, "others": 1
    }  # fmt: skip


@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_pumped_words_stay_in_the_language(seed):
    task = Address.of("programs/regex_for_examples", seed % 500, 2).task()
    for word in members(task.language(), Random(seed), 5):
        long = pumped(task.language(), word, 200)
        assert matches(task.pattern, long)
        assert len(long) >= 200 or len(word) < len(task.language().moves)


def test_one_state_more_is_told_apart_as_well():
    language = acceptor("(aa)*", "a")

    def three_states(word):
        return len(word) % 3 != 1

    fits = [all(three_states(w) == label for w, label in telling(language, extra=n).items())
            for n in (0, 1)]  # fmt: skip
    assert fits == [True, False]
