"""Ciphers with unknown keys, and the search for all plaintexts that known pairs allow."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import permutations
from math import gcd
from random import Random
from typing import Literal

from palaestra.generators.ciphers.classical import Cipher, chained, enciphered, keyed
from palaestra.generators.ciphers.shifts import LETTERS, key_between, shifted

Unknown = Literal["shift", "affine", "substitution", "columns", "running", "hill", "both"]
Pair = tuple[str, str]

UNITS = tuple(n for n in range(26) if gcd(n, 26) == 1)


def shifts(number: int) -> Cipher:
    """Caesar's cipher as an affine cipher."""
    return Cipher("affine", numbers=(1, number))


def random_cipher(
    rng: Random, cipher: Unknown, size: int, largest: int = 25
) -> Callable[[str], str]:
    """The encipherment with a random key of ``size`` columns or letters, or with a random shift.

    A shift is from 1 to ``largest``, which is at most 25.

    >>> len(random_cipher(Random(0), "both", 4)("several"))
    7
    """
    if cipher == "substitution":
        table = str.maketrans(LETTERS, "".join(rng.sample(LETTERS, 26)))
        return lambda text: text.translate(table)
    if cipher == "running":
        key = "".join(rng.choice(LETTERS[1:]) for _ in range(rng.randint(2, size)))
        return lambda text: shifted(text, key)
    chain = _random_chain(rng, cipher, size, largest)
    return lambda text: chained(text, chain)


def _random_chain(rng: Random, cipher: Unknown, size: int, largest: int) -> tuple[Cipher, ...]:
    if cipher == "affine":
        return (Cipher("affine", numbers=(rng.choice(UNITS[1:]), rng.randrange(1, 26))),)
    if cipher == "hill":
        return (keyed(rng, "hill", LETTERS),)
    shift = shifts(rng.randint(1, largest))
    order = Cipher("columns", "".join(rng.sample(LETTERS[:size], size)))
    return {"shift": (shift,), "columns": (order,)}.get(cipher, (shift, order))


@lru_cache(maxsize=256)
def readings(cipher: Unknown, size: int, known: tuple[Pair, ...], ciphertext: str) -> list[str]:
    """All plaintexts of a ciphertext by keys that agree with the known pairs."""
    return sorted(set(_readings(cipher, size, known, ciphertext)))


def _readings(
    cipher: Unknown, size: int, known: tuple[Pair, ...], ciphertext: str
) -> Iterator[str]:
    if cipher == "running":
        for length in range(1, size + 1):
            yield from _running(length, known, ciphertext)
        return
    if cipher == "substitution":
        yield from _substitutions(known, ciphertext)
        return
    for chain in _keys(cipher, size, known):
        if all(chained(text, chain) == other for text, other in known):
            yield chained(ciphertext, chain, back=True)


def _keys(cipher: Unknown, size: int, known: tuple[Pair, ...]) -> Iterator[tuple[Cipher, ...]]:
    """The keys to try."""
    if cipher in ("affine", "shift"):
        factors = UNITS if cipher == "affine" else (1,)
        yield from ((Cipher("affine", numbers=(m, k)),) for m in factors for k in range(26))
    elif cipher == "hill":
        yield from _matrices(known)
    else:
        for k in range(26 if cipher == "both" else 1):
            shift = shifts(k)
            text, other = known[0]
            if sorted(enciphered(text, shift)) == sorted(other):
                for order in permutations(LETTERS[:size]):
                    yield shift, Cipher("columns", "".join(order))


def _matrices(known: tuple[Pair, ...]) -> Iterator[tuple[Cipher, ...]]:
    """The keys of Hill's cipher that agree with the known pairs, searched row by row."""
    rows: list[list[tuple[int, int]]] = []
    pairs = [
        [LETTERS.index(sign) for sign in (*text[n : n + 2], *other[n : n + 2])]
        for text, other in known
        for n in range(0, len(text) - 1, 2)
    ]
    for row in (2, 3):
        possible = [(a, b) for a in range(26) for b in range(26)]
        for x, y, *z in pairs:
            possible = [(a, b) for a, b in possible if (a * x + b * y - z[row - 2]) % 26 == 0]
        rows.append(possible)
    for a, b in rows[0]:
        for c, d in rows[1]:
            if gcd(a * d - b * c, 26) == 1:
                yield (Cipher("hill", numbers=(a, b, c, d)),)


def _running(length: int, known: tuple[Pair, ...], ciphertext: str) -> Iterator[str]:
    key: dict[int, str] = {}
    for text, other in known:
        for n, letter in enumerate(key_between(text, other)):
            if key.setdefault(n % length, letter) != letter:
                return
    if all(n in key for n in range(length)):
        yield shifted(ciphertext, "".join(key[n] for n in range(length)), -1)
    else:  # letters of this key are unknown, so the plaintext is not unique
        yield from (ciphertext, "")


def _substitutions(known: tuple[Pair, ...], ciphertext: str) -> Iterator[str]:
    back = {b: a for text, other in known for a, b in zip(text, other)}
    open_letters = sorted(set(LETTERS) - set(back.values()))
    unseen = sorted(set(ciphertext) - set(back))
    if len(unseen) > 1 or (unseen and len(open_letters) > 1):
        yield from (ciphertext, "")
        return
    back.update(zip(unseen, open_letters))
    yield "".join(back[sign] for sign in ciphertext)
