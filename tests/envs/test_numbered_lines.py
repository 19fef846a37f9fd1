"""Answers of several lines may number them."""

import pytest

from palaestra.address import Address


@pytest.mark.parametrize("bullet", ["{}. ", "{}) ", "- "])
@pytest.mark.parametrize("name", ["induction/list_functions", "strings/group_anagrams"])
def test_numbered_lines_are_read(name, bullet):
    task = Address.of(name, seed=3, level=2).task()
    lines = task.answer().splitlines()
    numbered = [bullet.format(number) + line for number, line in enumerate(lines, 1)]
    assert task.verify("\n".join(numbered)).value == 1
