"""Tests of ciphers/known_plaintext."""

import pytest

from palaestra.address import Address


def task(name: str, seed: int, level: int):
    return Address.of(name, seed, level).task()


@pytest.mark.parametrize("level", range(7))
def test_known_plaintext_refuses_what_one_letter_spoils(level: int) -> None:
    drawn = task("ciphers/known_plaintext", 5, level)
    right = drawn.answer()
    assert drawn.verify(right).value == 1
    spoilt = ("a" if right[0] != "a" else "b") + right[1:]
    assert drawn.verify(spoilt).value == 0
