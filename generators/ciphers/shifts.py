"""Shift ciphers: letters of a text are moved on through the alphabet as those of a key say."""

from collections.abc import Callable, Iterator, Sequence

LETTERS = "abcdefghijklmnopqrstuvwxyz"
BLANK = "?"
"""A letter of a key that is not known."""


def shifted(text: str, key: str, direction: int = 1) -> str:
    """A text in small letters with the key applied over and over; other signs use up no key.

    >>> shifted("see zoo", "bc"), shifted("tgf bpq", "bc", -1)
    ('tgf bpq', 'see zoo')
    """
    made = []
    place = 0
    for sign in text:
        if sign in LETTERS:
            shift = LETTERS.index(key[place % len(key)])
            made.append(LETTERS[(LETTERS.index(sign) + direction * shift) % 26])
            place += 1
        else:
            made.append(sign)
    return "".join(made)


def between(plaintext: str, ciphertext: str) -> str:
    """The key letters that turn one word into another.

    >>> between("see", "tgf")
    'bcb'
    """
    return shifted(ciphertext, plaintext, -1)


def readings(
    ciphertext: Sequence[str],
    key: str,
    words: Sequence[str],
    visit: Callable[[], None] = lambda: None,
) -> Iterator[tuple[str, ...]]:
    """Every row of listed words that a ciphertext may stand for, if the key has blanks in it.

    Words are tried in their turn, and each of them fills blanks of the key or fits what is there.
    ``visit`` is called for each word tried.

    >>> list(readings(["tgf", "bpq"], "b?", ["see", "zoo", "tee", "too"]))
    [('see', 'zoo')]
    """
    return _readings(tuple(ciphertext), 0, key, tuple(words), visit)


def _readings(
    left: tuple[str, ...], place: int, key: str, words: tuple[str, ...], visit: Callable[[], None]
) -> Iterator[tuple[str, ...]]:
    if not left:
        yield ()
        return
    word, *rest = left
    for tried in words:
        if len(tried) == len(word):
            visit()
            if fitted := _fitted(key, place, between(tried, word)):
                for more in _readings(tuple(rest), place + len(word), fitted, words, visit):
                    yield tried, *more


def _fitted(key: str, place: int, letters: str) -> str:
    """The key with letters filled in from a place on, over and over; empty where they clash."""
    filled = list(key)
    for n, letter in enumerate(letters, place):
        if filled[n % len(key)] not in (BLANK, letter):
            return ""
        filled[n % len(key)] = letter
    return "".join(filled)
