"""Tests of ciphers/known_plaintext."""

import pytest

from palaestra.address import Address


@pytest.mark.parametrize("level", range(7))
def test_one_wrong_letter_scores_0(level: int) -> None:
    task = Address.of("ciphers/known_plaintext", 5, level).task()
    right = task.answer()
    assert task.verify(right).value == 1
    wrong = ("a" if right[0] != "a" else "b") + right[1:]
    assert task.verify(wrong).value == 0
