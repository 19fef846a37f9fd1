"""Steps on strips of colours, which small programs consist of.

A strip is a row of colours from 0 to 9, where 0 is the background, and a block in it is a longest
run of one other colour.
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import groupby
from random import Random

from palaestra.generators.induction.list_programs import Numbers, Step

DESCRIPTIONS = {
    "right": "move everything one cell to the right; the last cell becomes the first",
    "left": "move everything two cells to the left; the first two cells become the last two",
    "fall off": "move everything one cell to the right; the last cell is lost, the first becomes 0",
    "reverse": "reverse the strip",
    "recolour": "every {0} becomes a {1}",
    "exchange": "every {0} becomes a {1} and every {1} a {0}",
    "pack": "all cells that are not 0 move as far left as they can, in their order",
    "pack right": "all cells that are not 0 move as far right as they can, in their order",
    "fill": "every run of 0s that lies between two cells of the same colour takes that colour",
    "hollow": "of each block of three or more cells, all but the first and the last become 0",
    "grow": "each block grows by one cell to the right, if that cell is 0",
    "grow left": "each block grows by one cell to the left, if that cell is 0 and the one before "
    "that is 0 as well or does not exist",
    "shrink": "of each block, the first cell becomes 0",
    "single": "each block of one cell becomes 0",
    "longest": "all blocks except the longest ones become 0",
    "starts": "of each block, all but the first cell become 0",
    "lengths": "each cell of a block of exactly two cells becomes a {0}",
    "paint": "every 0 becomes a {0}",
    "fold": "the left half is mirrored onto the right half (a middle cell stays as it is)",
    "edges": "the first and the last cell become {0}",
    "every third": "the 3rd, 6th, 9th cell and so on become {0}",
}
"""Every step in words; {0} and {1} are colours."""

Block = tuple[int, int]
"""A colour, 0 among them, and how many cells in a row have it."""


@lru_cache(maxsize=4096)  # a search tries many steps on the same strip, one after another
def blocks(strip: Numbers) -> tuple[Block, ...]:
    """The runs of a strip.

    >>> blocks((3, 3, 0, 1))
    ((3, 2), (0, 1), (1, 1))
    """
    return tuple([(colour, len(list(run))) for colour, run in groupby(strip)])


def _each(strip: Numbers, change: Callable[[int, int], list[int]]) -> Numbers:
    """The strip with each block changed."""
    cells: list[int] = []
    for colour, length in blocks(strip):
        cells += change(colour, length) if colour else [0] * length
    return tuple(cells)


def _filled(strip: Numbers) -> Numbers:
    runs = blocks(strip)
    cells: list[int] = []
    for n, (colour, length) in enumerate(runs):
        inside = not colour and 0 < n < len(runs) - 1
        same = inside and runs[n - 1][0] == runs[n + 1][0]
        cells += [runs[n - 1][0] if same else colour] * length
    return tuple(cells)


def _longest(strip: Numbers) -> Numbers:
    most = max((length for colour, length in blocks(strip) if colour), default=0)
    return _each(strip, lambda colour, length: [colour if length == most else 0] * length)


def _grown(strip: Numbers) -> Numbers:
    return tuple([x or before for before, x in zip((0, *strip), strip)])


def _grown_left(strip: Numbers) -> Numbers:
    before, after = (0, *strip), (*strip[1:], 0)
    return tuple([x or (0 if b else a) for b, x, a in zip(before, strip, after)])


def _packed(strip: Numbers) -> Numbers:
    full = tuple([x for x in strip if x])
    return full + (0,) * (len(strip) - len(full))


def _folded(strip: Numbers) -> Numbers:
    half = len(strip) // 2
    return strip[: len(strip) - half] + strip[:half][::-1]


ACTIONS: dict[str, Callable[[Numbers, int, int], Numbers]] = {
    "right": lambda s, a, b: s[-1:] + s[:-1],
    "left": lambda s, a, b: s[2:] + s[:2],
    "fall off": lambda s, a, b: (0, *s[:-1]),
    "reverse": lambda s, a, b: s[::-1],
    "recolour": lambda s, a, b: tuple([b if x == a else x for x in s]),
    "exchange": lambda s, a, b: tuple([b if x == a else a if x == b else x for x in s]),
    "pack": lambda s, a, b: _packed(s),
    "pack right": lambda s, a, b: _packed(s[::-1])[::-1],
    "fill": lambda s, a, b: _filled(s),
    "hollow": lambda s, a, b: _each(
        s, lambda c, n: [c] + [0] * (n - 2) + [c] if n > 2 else [c] * n
    ),
    "grow": lambda s, a, b: _grown(s),
    "grow left": lambda s, a, b: _grown_left(s),
    "shrink": lambda s, a, b: _each(s, lambda c, n: [0] + [c] * (n - 1)),
    "single": lambda s, a, b: _each(s, lambda c, n: [c * (n > 1)] * n),
    "longest": lambda s, a, b: _longest(s),
    "starts": lambda s, a, b: _each(s, lambda c, n: [c] + [0] * (n - 1)),
    "lengths": lambda s, a, b: _each(s, lambda c, n: [a if n == 2 else c] * n),
    "paint": lambda s, a, b: tuple([x or a for x in s]),
    "fold": lambda s, a, b: _folded(s),
    "edges": lambda s, a, b: (a, *s[1:-1], a),
    "every third": lambda s, a, b: tuple([a if n % 3 == 0 else x for n, x in enumerate(s, 1)]),
}
"""The steps as functions of a strip and two colours."""


class StripStep(Step):
    """A step on strips; its number holds its two colours, as 10 times the first and the second."""

    def as_text(self) -> str:
        """The step in words.

        >>> StripStep("paint", 40).as_text()
        'every 0 becomes a 4'
        """
        return DESCRIPTIONS[self.operation].format(*divmod(self.number, 10))

    def applied(self, numbers: Numbers) -> Numbers:
        """The strip after the step.

        >>> StripStep("hollow", 0).applied((2, 2, 2, 0, 1))
        (2, 0, 2, 0, 1)
        """
        return ACTIONS[self.operation](numbers, *divmod(self.number, 10))


def menu(rng: Random, size: int, colours: int) -> tuple[StripStep, ...]:
    """Different steps, in alphabetical order, with colours from 1 on."""
    steps = []
    for name in sorted(rng.sample(list(DESCRIPTIONS), size)):
        one, other = rng.sample(range(1, colours + 1), 2)
        two = "{1}" in DESCRIPTIONS[name]
        steps.append(StripStep(name, 10 * one + other * two if "{0}" in DESCRIPTIONS[name] else 0))
    return tuple(steps)


def strip(rng: Random, length: int, colours: int) -> Numbers:
    """A random strip of blocks, most of them with background between."""
    cells: list[int] = [0] * rng.randint(0, 2)
    while len(cells) < length:
        cells += [rng.randint(1, colours)] * rng.randint(1, 4)
        cells += [0] * rng.choice((0, 1, 1, 2, 3))
    return tuple(cells[:length])
