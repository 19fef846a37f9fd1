"""Tests of machines/regex_matching_strings."""

import pytest

from palaestra.envs.machines.regex_matching_strings import RegexMatchingStrings
from palaestra.task import InvalidAnswer


def strings_task():
    return RegexMatchingStrings(
        letters="ab", length=4, strings=2, match=("a[ab]*",), avoid=("[ab]*bb",)
    )


def test_any_valid_strings_are_right():
    task = strings_task()
    assert task.verify("aaaa\nabab").value == 1
    assert task.verify("aaba, abaa").value == 1
    for text, reason in {
        "aaaa aaaa": "listed twice",
        "aaaa bbaa": "string 2 does not match",
        "aabb aaaa": "string 1 matches",
        "aaaa aaa": "3 letters",
        "aaaa aaca": "other letters",
        "aaaa AABA": "other letters",
    }.items():
        assert task.verify(text).value == 0
        assert reason in task.verify(text).reason
    with pytest.raises(InvalidAnswer):
        task.verify("aaaa")
