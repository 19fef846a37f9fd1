"""Tests of ciphers/classical_ciphers."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.ciphers.classical_ciphers import ClassicalCiphers
from palaestra.envs.ciphers.known_plaintext import KnownPlaintext
from palaestra.generators.ciphers import classical

TEXTS = st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=30)
SEEDS = st.integers(0, 10_000)


@pytest.mark.parametrize(
    ("cipher", "plain", "secret"),
    [
        (classical.Cipher("atbash"), "wizard", "draziw"),
        (classical.Cipher("affine", numbers=(5, 8)), "affinecipher", "ihhwvcswfrcp"),
        (
            classical.Cipher("rail", numbers=(3,)),
            "wearediscoveredfleeatonce",
            "wecrlteerdsoeefeaocaivden",
        ),
        (
            classical.Cipher("columns", "zebras"),
            "wearediscoveredfleeatonce",
            "evlnacdtesearofodeecwiree",
        ),
        (classical.Cipher("autokey", "queenly"), "attackatdawn", "qnxepvytwtwp"),
        (classical.Cipher("hill", numbers=(3, 3, 2, 5)), "help", "hiat"),
    ],
)
def test_examples_from_textbooks(cipher, plain, secret) -> None:
    assert classical.enciphered(plain, cipher) == secret
    assert classical.enciphered(secret, cipher, back=True) == plain


@given(TEXTS, SEEDS)
@settings(max_examples=60, deadline=None)
def test_deciphering_inverts_every_cipher(text: str, seed: int) -> None:
    rng = Random(seed)
    for name in ("atbash", "affine", "autokey", "hill", "rail", "columns", *sorted(classical.LAST)):
        cipher = classical.keyed(rng, name, ("goat", "letter", "zebras"))
        assert classical.enciphered(classical.enciphered(text, cipher), cipher, back=True) == text


def test_a_playfair_pair_in_a_row_a_column_and_a_rectangle() -> None:
    cipher = classical.Cipher("playfair", "abcdef")  # the square is in the order of the alphabet
    assert classical.enciphered("af", cipher) == "ba"
    assert classical.enciphered("a4", cipher) == "ga"
    assert classical.enciphered("ah", cipher) == "bg"
    assert classical.enciphered("aab", cipher) == "aab"


@pytest.mark.parametrize("text", ["number", "wrong"])
def test_the_answer_is_no_word_of_a_reason(text: str) -> None:
    shift = classical.Cipher("affine", numbers=(1, 3))
    secret = classical.enciphered(text, shift)
    known = (("several", classical.enciphered("several", shift)),)
    assert not KnownPlaintext(cipher="shift", size=2, known=known, ciphertext=secret).is_valid()
    assert not ClassicalCiphers(ciphers=(shift,), text=secret, encipher=False).is_valid()
