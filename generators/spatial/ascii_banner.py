"""Large letters, five dots wide and seven high, and styles of drawing them."""

from random import Random

HIGH, WIDE = 7, 5

FONT: dict[str, str] = {
    "A": "01110 10001 10001 11111 10001 10001 10001",
    "B": "11110 10001 10001 11110 10001 10001 11110",
    "C": "01111 10000 10000 10000 10000 10000 01111",
    "D": "11100 10010 10001 10001 10001 10010 11100",
    "E": "11111 10000 10000 11110 10000 10000 11111",
    "F": "11111 10000 10000 11100 10000 10000 10000",
    "G": "01111 10000 10000 10111 10001 10001 01111",
    "H": "10001 10001 10001 11111 10001 10001 10001",
    "I": "11111 00100 00100 00100 00100 00100 11111",
    "J": "00111 00010 00010 00010 00010 10010 01100",
    "K": "10001 10010 10100 11000 10100 10010 10001",
    "L": "10000 10000 10000 10000 10000 10000 11111",
    "M": "10001 11011 10101 10101 10001 10001 10001",
    "N": "10001 11001 11101 10101 10111 10011 10001",
    "O": "01110 10001 10001 10001 10001 10001 01110",
    "P": "11110 10001 10001 10001 11110 10000 10000",
    "Q": "01110 10001 10001 10001 10101 10010 01101",
    "R": "11110 10001 10001 11110 10100 10010 10001",
    "S": "01111 10000 10000 01110 00001 00001 11110",
    "T": "11111 00100 00100 00100 00100 00100 00100",
    "U": "10001 10001 10001 10001 10001 10001 01110",
    "V": "10001 10001 10001 10001 10001 01010 00100",
    "W": "10001 10001 10001 10101 10101 11011 10001",
    "X": "10001 10001 01010 00100 01010 10001 10001",
    "Y": "10001 10001 01010 00100 00100 00100 00100",
    "Z": "11111 00001 00010 00100 01000 10000 11111",
}
"""The rows of each letter, with 1 for a dot that is set."""

Dots = list[list[bool]]


def written(word: str, gap: int = 1) -> Dots:
    """A word in large letters with empty columns between them.

    >>> len(written("AB")), len(written("AB")[0])
    (7, 11)
    """
    rows = []
    for row in range(HIGH):
        parts = [FONT[letter].split()[row] for letter in word]
        rows.append([sign == "1" for sign in ("0" * gap).join(parts)])
    return rows


def inverted(dots: Dots) -> Dots:
    """The dots inverted, with a frame of set dots around them."""
    wide = len(dots[0]) + 2
    middle = [[True, *(not dot for dot in row), True] for row in dots]
    return [[True] * wide, *middle, [True] * wide]


def sheared(dots: Dots, slope: int) -> Dots:
    """Each row shifted further right than the one below it, or above it for a negative slope.

    >>> sheared([[True], [True]], 1)
    [[False, True], [True, False]]
    """
    high = len(dots)
    shifts = [(high - 1 - n if slope > 0 else n) * abs(slope) for n in range(high)]
    most = max(shifts)
    return [[False] * by + row + [False] * (most - by) for by, row in zip(shifts, dots)]


def stretched(dots: Dots, wide: int, high: int) -> Dots:
    """Each dot enlarged to ``wide`` columns and ``high`` rows."""
    rows = [[dot for dot in row for _ in range(wide)] for row in dots]
    return [[*row] for row in rows for _ in range(high)]


def mirrored(dots: Dots) -> Dots:
    """The dots with left and right exchanged."""
    return [row[::-1] for row in dots]


def upended(dots: Dots) -> Dots:
    """The dots after a quarter turn clockwise."""
    return [[*column] for column in zip(*dots[::-1])]


def noisy(rng: Random, dots: Dots, share: float) -> Dots:
    """The dots with a random share of them inverted, ``share`` on average."""
    return [[dot != (rng.random() < share) for dot in row] for row in dots]


def inked(dots: Dots, signs: str) -> tuple[str, ...]:
    """Dots as lines of text: the first character for set dots, the second for the others."""
    return tuple("".join(signs[0] if dot else signs[1] for dot in row) for row in dots)


def code(dots: Dots) -> int:
    """Dots as the bits of a number, row by row.

    >>> bin(code([[True, False], [True, True]]))
    '0b1011'
    """
    bits = 0
    for row in dots:
        for dot in row:
            bits = bits << 1 | dot
    return bits


CODES = {letter: code(written(letter)) for letter in FONT}
"""Each letter as a number."""
