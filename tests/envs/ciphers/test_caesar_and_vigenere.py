"""Shift ciphers, compared with classical examples and with trying every key."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.address import Address
from palaestra.envs.ciphers.caesar_and_vigenere import CaesarAndVigenere
from palaestra.generators.ciphers.shifts import LETTERS, readings, shifted
from palaestra.generators.phrases import WORDS
from palaestra.task import InvalidAnswer

text = st.text(st.sampled_from(LETTERS + " "), max_size=40)
key = st.text(st.sampled_from(LETTERS), min_size=1, max_size=8)


@given(text, key)
def test_decrypting_undoes_encrypting(plaintext, key):
    assert shifted(shifted(plaintext, key), key, -1) == plaintext


def test_classical_examples():
    assert shifted("attack at dawn", "lemon") == "lxfopv ef rnhr"
    assert shifted("veni vidi vici", "d") == "yhql ylgl ylfl"


def test_words():
    assert len(set(WORDS)) == len(WORDS) > 500
    assert all(set(word) <= set(LETTERS) for word in WORDS)
    assert list(WORDS) == sorted(WORDS)


def level(number, seed):
    return Address.of("ciphers/caesar_and_vigenere", seed, number).task()


@pytest.mark.parametrize("seed", range(6))
def test_exactly_one_shift_gives_listed_words(seed):
    task = level(3, seed)
    texts = [shifted(task.text, letter, -1) for letter in LETTERS]
    assert [t for t in texts if set(t.split()) <= set(task.listed)] == [task.answer()]


@pytest.mark.parametrize("seed", range(2))
def test_exactly_one_key_fills_the_gaps(seed):
    task = level(5, seed)
    plaintexts = set()
    for letters in product(LETTERS, repeat=task.key.count("?")):
        fill = iter(letters)
        key = "".join(next(fill) if letter == "?" else letter for letter in task.key)
        plaintext = shifted(task.text, key, -1)
        if set(plaintext.split()) <= set(task.listed):
            plaintexts.add(plaintext)
    assert plaintexts == {task.answer()}


def test_there_may_be_several_readings():
    assert list(readings(["ab"], "?", ["ab", "bc", "cd", "ba"])) == [("ab",), ("bc",), ("cd",)]


ENCRYPT = CaesarAndVigenere(text="see zoo", encrypt=True, key="bc", listed=())
BREAK = CaesarAndVigenere(text="tgf bpq", encrypt=False, key="b?", listed=("see", "too", "zoo"))


def test_verdicts():
    assert ENCRYPT.verify("TGF  bpq\n").correct
    assert ENCRYPT.verify("tgf bpp").value == 0
    assert "lengths" in ENCRYPT.verify("tgfbpq").reason
    assert "characters" in ENCRYPT.verify("tgf bp\u00e9").reason
    with pytest.raises(InvalidAnswer, match="letters"):
        ENCRYPT.verify("tgf bp!")
    assert BREAK.verify("see zoo").correct
    assert "list" in BREAK.verify("sed zoo").reason
    assert "key" in BREAK.verify("see too").reason
    assert "key" in BREAK.verify("zoo see").reason
