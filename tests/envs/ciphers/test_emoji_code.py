"""Tests of ciphers/emoji_code."""

from itertools import product

from palaestra.address import Address


def task(name: str, seed: int, level: int):
    return Address.of(name, seed, level).task()


def test_an_emoji_code_is_read_in_one_way_only() -> None:
    drawn = task("ciphers/emoji_code", 1, 1)
    right = 0
    fits = [[w for w in drawn.listed if len(w) == len(code)] for code in drawn.codes]
    for words in product(*fits):
        letters, signs = "".join(words), [sign for code in drawn.codes for sign in code]
        pairs = set(zip(letters, signs))
        right += len(pairs) == len(set(letters)) == len(set(signs))
    assert right == 1
