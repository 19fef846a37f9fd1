"""Shift ciphers, which move each letter through the alphabet by the value of a key letter."""

from collections.abc import Callable, Iterator, Sequence

LETTERS = "abcdefghijklmnopqrstuvwxyz"
GAP = "?"
"""An unknown letter of a key."""


def shifted(text: str, key: str, direction: int = 1) -> str:
    """A lowercase text with a key applied over and over; other characters use no key letter.

    >>> shifted("see zoo", "bc"), shifted("tgf bpq", "bc", -1)
    ('tgf bpq', 'see zoo')
    """
    result = []
    n = 0
    for character in text:
        if character in LETTERS:
            shift = LETTERS.index(key[n % len(key)])
            result.append(LETTERS[(LETTERS.index(character) + direction * shift) % 26])
            n += 1
        else:
            result.append(character)
    return "".join(result)


def key_between(plaintext: str, ciphertext: str) -> str:
    """The key letters that turn one word into another.

    >>> key_between("see", "tgf")
    'bcb'
    """
    return shifted(ciphertext, plaintext, -1)


def readings(
    ciphertext: Sequence[str],
    key: str,
    words: Sequence[str],
    visit: Callable[[], None] = lambda: None,
) -> Iterator[tuple[str, ...]]:
    """All sequences of listed words that a key with gaps may have turned into a ciphertext.

    The search goes word by word; each fills gaps of the key or agrees with it. ``visit`` is called
    for each word tried.

    >>> list(readings(["tgf", "bpq"], "b?", ["see", "zoo", "tee", "too"]))
    [('see', 'zoo')]
    """
    return _readings(tuple(ciphertext), 0, key, tuple(words), visit)


def _readings(
    ciphertext: tuple[str, ...],
    start: int,
    key: str,
    words: tuple[str, ...],
    visit: Callable[[], None],
) -> Iterator[tuple[str, ...]]:
    if not ciphertext:
        yield ()
        return
    word, *rest = ciphertext
    for candidate in words:
        if len(candidate) == len(word):
            visit()
            if completed := _completed(key, start, key_between(candidate, word)):
                for more in _readings(tuple(rest), start + len(word), completed, words, visit):
                    yield candidate, *more


def _completed(key: str, start: int, letters: str) -> str:
    """The key with letters filled in from a position of the text; empty if they contradict it."""
    filled = list(key)
    for n, letter in enumerate(letters, start):
        if filled[n % len(key)] not in (GAP, letter):
            return ""
        filled[n % len(key)] = letter
    return "".join(filled)
