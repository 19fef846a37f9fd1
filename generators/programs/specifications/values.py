"""Values that functions are tried on: plain ones, edges, and those that bring rare cases out.

Strings are of printable ASCII characters. There are three generators: one for tests, one for the
search of tests that kill mutants, and one, unlike both, for a second opinion.
"""

import string
from random import Random
from typing import Any, Literal

Kind = Literal["number", "numbers", "lists", "text", "words", "grid"]
"""A whole number, a list of them, a list of such lists, a text, a list of texts, a grid."""

NAMED: dict[Kind, str] = {
    "number": "a whole number",
    "numbers": "a list of whole numbers",
    "lists": "a list of lists of whole numbers",
    "text": "a string of printable ASCII characters",
    "words": "a list of strings of printable ASCII characters",
    "grid": "a grid of whole numbers (a list of rows, all of the same length, at least 1 by 1)",
}

KINDS: tuple[Kind, ...] = ("numbers", "text", "words", "grid", "number")
"""What functions may be given."""

LETTERS, VOWELS = string.ascii_lowercase, "aeiou"
SIGNS = string.ascii_letters + string.digits + string.punctuation
"""All printable ASCII characters but the blank."""

NEAR = " az`{@AZ[aeiouyAEIOU09/:-\"'"
"""Characters at the ends of classes, and right beside them."""

EDGES: dict[Kind, tuple[Any, ...]] = {
    "number": (0, 1, -1, 10, -120),
    "numbers": ([], [0], [5, 5], [-3], [2, 2, 2, 1]),
    "text": ("", "a", "zz", "a Z", "u  i"),
    "words": ([], ["a"], ["zu", "zu"], ["", "o"]),
    "grid": ([[0]], [[1, 2, 3]], [[4], [4]], [[-1, -1], [2, 2]]),
    "lists": ([], [[]], [[1], [1]], [[-2, 3], []]),
}
"""Values that functions go wrong on."""

WHOLE: dict[Kind, tuple[Any, ...]] = {
    "number": (1_234_567_890, -9_087_654_321, 2**31, -(2**31) - 1),
    "numbers": ([*range(-12, 13)], [*range(40, -41, -5)], [7] * 15),
    "text": (LETTERS, f" {SIGNS} ", " ".join(LETTERS), LETTERS.upper(), "0 12  99 - ~"),
    "words": ([*LETTERS], [*SIGNS], [c + VOWELS for c in LETTERS], [*LETTERS.upper(), "", " "]),
    "grid": ([[*range(n, n + 7)] for n in range(-14, 14, 7)], [[1] * 5] * 6),
    "lists": ([[*range(n)] for n in range(7)], [[3, -n] for n in range(9)]),
}
"""Values with all letters and signs, and long or large ones."""


def random_value(rng: Random, type_name: Kind, size: int = 8) -> Any:
    """A random value of a type, with repetitions and negative numbers now and then."""
    if type_name == "number":
        low, high = rng.choice(((-9, 12), (-20, 100), (-999, 9_999)))
        return rng.randint(low, high)
    if type_name == "numbers":
        low, high = rng.choice(((0, 9), (-9, 9), (-5, 20), (1, 4)))
        return [rng.randint(low, high) for _ in range(rng.randint(1, size))]
    if type_name == "text":
        pool = drawn_pool(rng)
        words = ("".join(rng.choices(pool, k=rng.randint(1, 6))) for _ in range(rng.randint(1, 4)))
        return rng.choice((" ", " ", " ", "  ")).join(words)[: size * 2]
    if type_name == "words":
        pool = drawn_pool(rng)
        words = (
            "".join(rng.choices(pool, k=rng.randint(1, 5))) for _ in range(rng.randint(1, size))
        )
        sample = list(words)
        return sample + rng.choices(sample, k=rng.randint(0, 2))
    if type_name == "grid":
        width = rng.randint(1, max(2, size // 2))
        return [
            [rng.randint(-3, 9) for _ in range(width)]
            for _ in range(rng.randint(1, max(2, size // 2)))
        ]
    return [random_value(rng, "numbers", 4) for _ in range(rng.randint(1, size // 2))]


def drawn_pool(rng: Random) -> str:
    """Characters that a string is made of: a few letters, so that they come again, all letters,
    or all signs; there are vowels among them.
    """
    few = "".join(rng.sample(LETTERS, 5)) + "".join(rng.sample(VOWELS, 3))
    return rng.choice((few, few, LETTERS + 3 * VOWELS, SIGNS + 5 * VOWELS))


def searched_value(rng: Random, type_name: Kind) -> Any:
    """A random value of a type that is at the edge of something more often than not."""
    if rng.random() < 0.3:
        return random_value(rng, type_name, rng.choice((2, 4, 8, 14)))
    size = rng.choice((0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 12))
    if type_name == "number":
        near = rng.choice((0, 0, 0, 10, 16, 100, 1_000, 10**6, 2**31)) * rng.choice((1, -1))
        return near + rng.randint(-14, 14)
    if type_name == "numbers":
        return _numbers(rng, size)
    if type_name == "text":
        return _text(rng, rng.choice((size, 2 * size)))
    if type_name == "words":
        words = [_text(rng, rng.choice((0, 1, 1, 2, 2, 3, 4, 5))) for _ in range(size)]
        return words + rng.choices(words, k=rng.choice((0, 0, 1, 3)) if words else 0)
    if type_name == "grid":
        width = rng.randint(1, 6)
        rows = [_numbers(rng, width) for _ in range(rng.randint(1, 6))]
        return rows if rng.random() < 0.7 else [rng.choice(rows[:2])[:] for _ in rows]
    return [_numbers(rng, rng.choice((0, 1, 2, 3, 4))) for _ in range(min(size, 7))]


def _numbers(rng: Random, size: int) -> list[int]:
    """So many numbers: equal, neighbouring, in order, or far apart."""
    middle, reach = rng.randint(-14, 14), rng.choice((0, 1, 1, 2, 4, 12, 90))
    numbers = [middle + rng.randint(-reach, reach) for _ in range(size)]
    return rng.choice((numbers, numbers, sorted(numbers), sorted(numbers, reverse=True)))


def _text(rng: Random, size: int) -> str:
    pool = rng.choice((NEAR, NEAR, LETTERS, SIGNS, "ab ", "".join(rng.sample(NEAR, 2))))
    return "".join(rng.choices(pool, k=size))


def other_value(rng: Random, type_name: Kind) -> Any:
    """A random value of a type, for a second opinion: lengths and sizes fall off slowly, and
    characters are all as likely as each other.
    """
    size = min(20, int(rng.expovariate(0.25)))
    if type_name == "number":
        return int(rng.gauss(0, 1) * 10 ** rng.uniform(0, 5))
    if type_name == "numbers":
        spread = 10 ** rng.uniform(0, 2)
        return [int(rng.gauss(rng.choice((0, 0, 5)), spread)) for _ in range(size)]
    if type_name == "text":
        classes = (LETTERS, LETTERS.upper(), string.digits, " ", string.punctuation, "aeiou  ")
        chosen = rng.sample(classes, rng.randint(1, len(classes)))
        return "".join(rng.choice(rng.choice(chosen)) for _ in range(size))
    if type_name == "words":
        return [other_value(rng, "text")[:7] for _ in range(size)]
    if type_name == "grid":
        width, spread = rng.randint(1, 7), 10 ** rng.uniform(0, 1.5)
        return [[int(rng.gauss(0, spread)) for _ in range(width)] for _ in range(rng.randint(1, 7))]
    return [other_value(rng, "numbers")[:6] for _ in range(size)]
