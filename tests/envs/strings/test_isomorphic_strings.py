"""Tests of strings/isomorphic_strings."""

import pytest

from palaestra.envs.strings.isomorphic_strings import IsomorphicStrings, clashes
from palaestra.task import InvalidAnswer


def test_both_ways_to_answer_on_renamings():
    task = IsomorphicStrings(pairs=(("egg", "add"), ("foo", "bar")))
    assert clashes(("foo", "bar")) == [(2, 3)]
    for right in ("e-a g-d\n2 3", "g-d e-a\n3 2", "1: e-a g-d\n2: 2 3"):
        assert task.verify(right).value == 1, right
    for wrong in ("e-a g-d\n1 2", "e-d g-a\n2 3", "e-a\n2 3", "1 2\n2 3", "e-a g-d\n2 2"):
        assert task.verify(wrong).value == 0, wrong
    for unreadable in ("e-a g-d", "e-ab g-d\n2 3", "e-a g-d\n1"):
        with pytest.raises(InvalidAnswer):
            task.verify(unreadable)
