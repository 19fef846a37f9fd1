"""Tests of ciphers/emoji_code."""

from itertools import product

from palaestra.address import Address


def test_an_emoji_code_has_one_decoding() -> None:
    task = Address.of("ciphers/emoji_code", 1, 1).task()
    right = 0
    fits = [[w for w in task.listed if len(w) == len(code)] for code in task.codes]
    for words in product(*fits):
        letters, symbols = "".join(words), [symbol for code in task.codes for symbol in code]
        pairs = set(zip(letters, symbols))
        right += len(pairs) == len(set(letters)) == len(set(symbols))
    assert right == 1
