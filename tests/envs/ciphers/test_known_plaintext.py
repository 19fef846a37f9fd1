"""Tests of ciphers/known_plaintext."""

import pytest

from palaestra.address import Address


@pytest.mark.parametrize("level", range(8))
def test_one_wrong_letter_scores_0(level: int) -> None:
    task = Address.of("ciphers/known_plaintext", 5, level).task()
    right = task.answer()
    assert task.verify(right).value == 1
    wrong = ("a" if right[0] != "a" else "b") + right[1:]
    assert task.verify(wrong).value == 0


@pytest.mark.parametrize("seed", range(20))
def test_shifts_of_the_lowest_level_are_small(seed: int) -> None:
    task = Address.of("ciphers/known_plaintext", seed).task()
    ((text, cipher),) = task.known
    (shift,) = {(ord(b) - ord(a)) % 26 for a, b in zip(text, cipher, strict=True)}
    assert 1 <= shift <= 5
