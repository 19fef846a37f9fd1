"""Classical ciphers as keyed bijections on texts of letters and digits, and their rules in words.

Playfair and Hill ciphers do not pad a text; left-over characters stay as they are. Deciphering
therefore restores the text exactly, and ciphers can be chained.
"""

from collections.abc import Sequence
from math import gcd
from random import Random
from typing import Literal, NamedTuple

from palaestra.generators.ciphers.shifts import LETTERS

Kind = Literal[
    "atbash", "affine", "autokey", "hill", "rail", "columns", "playfair", "polybius", "adfgvx"
]

SIGNS = LETTERS + "0123456789"
"""The characters of a square of six by six cells."""

SIDE = 6
LAST = frozenset({"playfair", "polybius", "adfgvx"})
"""Ciphers whose result may have digits; only those in `ANY` can follow them."""

ANY = frozenset({"rail", "columns"})


class Cipher(NamedTuple):
    """A cipher with its key: a word, or numbers."""

    name: Kind
    word: str = ""
    numbers: tuple[int, ...] = ()


def keyed(rng: Random, cipher_name: Kind, words: Sequence[str]) -> Cipher:
    """A cipher with a random key, which is one of the words or consists of numbers."""
    word = rng.choice(words)
    if cipher_name == "affine":
        factor = rng.choice([n for n in range(3, 26) if gcd(n, 26) == 1])
        return Cipher(cipher_name, numbers=(factor, rng.randrange(1, 26)))
    if cipher_name == "hill":
        while True:
            a, b, c, d = (rng.randrange(1, 26) for _ in range(4))
            if gcd(a * d - b * c, 26) == 1:
                return Cipher(cipher_name, numbers=(a, b, c, d))
    if cipher_name == "rail":
        return Cipher(cipher_name, numbers=(rng.randint(2, 5),))
    return Cipher(cipher_name) if cipher_name == "atbash" else Cipher(cipher_name, word)


def square(word: str) -> str:
    """The characters of a keyed square in reading order.

    >>> square("zoo")[:7], len(square("zoo"))
    ('zoabcde', 36)
    """
    return "".join(dict.fromkeys(word + SIGNS))


def rails(length: int, number: int) -> list[int]:
    """The positions of a text in the order in which a rail fence reads them.

    >>> rails(7, 3)
    [0, 4, 1, 3, 5, 2, 6]
    """
    turn = 2 * number - 2
    return sorted(range(length), key=lambda n: (min(n % turn, turn - n % turn), n))


def columns(length: int, word: str) -> list[int]:
    """The positions of a text in the order in which a columnar transposition reads them.

    >>> columns(5, "bca")
    [2, 0, 3, 1, 4]
    """
    wide = len(word)
    order = sorted(range(wide), key=lambda column: (word[column], column))
    return [n for column in order for n in range(column, length, wide)]


def _transposed(text: str, order: Sequence[int], back: bool) -> str:
    if not back:
        return "".join(text[n] for n in order)
    by_position = dict(zip(order, text))
    return "".join(by_position[n] for n in range(len(text)))


def _hill(text: str, matrix: Sequence[int]) -> str:
    a, b, c, d = matrix
    result = []
    for n in range(0, len(text) - 1, 2):
        x, y = LETTERS.index(text[n]), LETTERS.index(text[n + 1])
        result += [LETTERS[(a * x + b * y) % 26], LETTERS[(c * x + d * y) % 26]]
    return "".join(result) + text[len(result) :]


def _inverse(matrix: Sequence[int]) -> tuple[int, ...]:
    a, b, c, d = matrix
    scale = pow(a * d - b * c, -1, 26)
    return tuple(scale * n % 26 for n in (d, -b, -c, a))


def _autokey(text: str, word: str, back: bool) -> str:
    key, result = list(word), []
    for n, letter in enumerate(text):
        shift = LETTERS.index(key[n])
        result.append(LETTERS[(LETTERS.index(letter) + (-shift if back else shift)) % 26])
        key.append(result[-1] if back else letter)
    return "".join(result)


def _playfair(text: str, word: str, step: int) -> str:
    cells, result = square(word), ""
    for n in range(0, len(text) - 1, 2):
        (r, c), (s, d) = (divmod(cells.index(letter), SIDE) for letter in text[n : n + 2])
        if (r, c) == (s, d):
            result += text[n : n + 2]
        elif r == s:
            result += cells[r * SIDE + (c + step) % SIDE] + cells[s * SIDE + (d + step) % SIDE]
        elif c == d:
            result += cells[(r + step) % SIDE * SIDE + c] + cells[(s + step) % SIDE * SIDE + d]
        else:
            result += cells[r * SIDE + d] + cells[s * SIDE + c]
    return result + text[len(result) :]


def _coordinates(text: str, word: str, names: str) -> str:
    cells = (divmod(square(word).index(letter), SIDE) for letter in text)
    return "".join(names[row] + names[column] for row, column in cells)


def _at_coordinates(text: str, word: str, names: str) -> str:
    numbers = [names.index(letter) for letter in text]
    cells = square(word)
    return "".join(cells[r * SIDE + c] for r, c in zip(numbers[::2], numbers[1::2]))


def enciphered(text: str, cipher: Cipher, back: bool = False) -> str:
    """The enciphered text; with ``back``, the deciphered one.

    >>> enciphered("abc", Cipher("affine", numbers=(3, 1))), enciphered("abz", Cipher("atbash"))
    ('beh', 'zya')
    """
    cipher_name, word, numbers = cipher
    match cipher_name:
        case "atbash":
            return "".join(LETTERS[25 - LETTERS.index(letter)] for letter in text)
        case "affine":
            factor, shift = numbers
            table = "".join(LETTERS[(factor * n + shift) % 26] for n in range(26))
            source, target = (table, LETTERS) if back else (LETTERS, table)
            return text.translate(str.maketrans(source, target))
        case "autokey":
            return _autokey(text, word, back)
        case "hill":
            return _hill(text, _inverse(numbers) if back else numbers)
        case "rail":
            return _transposed(text, rails(len(text), numbers[0]), back)
        case "columns":
            return _transposed(text, columns(len(text), word), back)
        case "playfair":
            return _playfair(text, word, -1 if back else 1)
        case "polybius":
            return (_at_coordinates if back else _coordinates)(text, word, "123456")
        case _:
            if back:
                return _at_coordinates(
                    _transposed(text, columns(len(text), word), True), word, "adfgvx"
                )
            pairs = _coordinates(text, word, "adfgvx")
            return _transposed(pairs, columns(len(pairs), word), False)


def chained(text: str, ciphers: Sequence[Cipher], back: bool = False) -> str:
    """A text enciphered by one cipher after the other; with ``back``, deciphered in turn."""
    for cipher in reversed(ciphers) if back else ciphers:
        text = enciphered(text, cipher, back)
    return text


_SQUARE = (
    "A square of 6 rows and 6 columns, numbered 1 to 6 from the top and from the left, is filled "
    "row by row with the letters of the key word '{word}', each only once, where it occurs first, "
    "then with the other letters from a to z in order, then with the digits 0 to 9."
)
_COLUMNS = (
    "it is written in rows below the letters of the key word '{word}' (the last row may be "
    "shorter); then the columns are read from top to bottom one after another, in the alphabetical "
    "order of their key letters, and of two equal key letters the left one first"
)

RULES: dict[Kind, str] = {
    "atbash": "Atbash: a becomes z, b becomes y, c becomes x, and so on to z, which becomes a.",
    "affine": "Affine cipher: with a = 0, b = 1, ..., z = 25, the letter x becomes the letter "
    "({0} * x + {1}) modulo 26.",
    "autokey": "Autokey cipher: with a = 0, b = 1, ..., z = 25, a key letter is added to each "
    "letter of the text modulo 26. The key letters are those of the word '{word}', followed by the "
    "letters of the plaintext itself, from its first letter on.",
    "hill": "Hill cipher: with a = 0, b = 1, ..., z = 25, the letters are taken in pairs (x, y) "
    "from the left, and each pair becomes ({0} * x + {1} * y, {2} * x + {3} * y) modulo 26. A "
    "single letter left over at the end does not change.",
    "rail": "Rail fence: the characters are written in a zigzag on {0} lines, one line down with "
    "each character from the top line to the bottom line, then one line up with each back to the "
    "top line, and so on; then the lines are read from the top one to the bottom one, each from "
    "left to right.",
    "columns": "Columnar transposition of the text: " + _COLUMNS + ".",
    "playfair": "Playfair cipher: " + _SQUARE + " The characters of the text are taken in pairs "
    "from the left. Two characters in one row of the square become those directly right of them "
    "(right of the last column is the first); two in one column those directly below them (below "
    "the last row is the first); any others become the characters in their own row and in the "
    "other one's column. A pair of equal characters does not change, nor does a single character "
    "left over at the end.",
    "polybius": "Polybius square: " + _SQUARE + " Each character becomes two digits, its row and "
    "its column.",
    "adfgvx": "ADFGVX: " + _SQUARE + " Each character becomes two letters, for its row and its "
    "column, where a, d, f, g, v, x stand for 1 to 6. Columnar transposition of the result: "
    + _COLUMNS + ".",
}  # fmt: skip


def rules(cipher: Cipher) -> str:
    """The rules of a cipher with its key, in words."""
    return RULES[cipher.name].format(*cipher.numbers, word=cipher.word)
