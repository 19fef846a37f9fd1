"""Crosswords of made-up words: drawing them, and filling their skeletons."""

from collections.abc import Mapping
from functools import lru_cache
from random import Random

from palaestra.generators.vocabulary import CONSONANTS, VOWELS, word

Slot = tuple[int, int, str, int]
"""The row and the column of the first cell, 'across' or 'down', and the length."""

Cell = tuple[int, int]
BLACK, OPEN = "#", "."
NODES = 2_000
"""Limit of the words that a search tries."""


def cells_of(slot: Slot) -> list[Cell]:
    """The cells of a slot.

    >>> cells_of((0, 1, "down", 2))
    [(0, 1), (1, 1)]
    """
    row, column, way, length = slot
    return [(row + n, column) if way == "down" else (row, column + n) for n in range(length)]


def skeleton(slots: tuple[Slot, ...]) -> str:
    """The board, with the cells of the slots open."""
    cells = {cell for slot in slots for cell in cells_of(slot)}
    rows, columns = (range(max(axis) + 1) for axis in zip(*cells))
    return "\n".join(" ".join(OPEN if (r, c) in cells else BLACK for c in columns) for r in rows)


@lru_cache(maxsize=256)
def crossings(slots: tuple[Slot, ...]) -> list[list[tuple[int, int, int]]]:
    """For each slot: its position, the other slot and the position there, for each crossing."""
    places = [{cell: n for n, cell in enumerate(cells_of(slot))} for slot in slots]
    return [
        [
            (here, other, there[cell])
            for other, there in enumerate(places)
            for cell, here in mine.items()
            if other != one and cell in there
        ]
        for one, mine in enumerate(places)
    ]


@lru_cache(maxsize=256)
def solve(slots: tuple[Slot, ...], words: tuple[str, ...]) -> tuple[tuple[str, ...], int]:
    """A filling, or none, and how many words were tried.

    The slot with the fewest words that fit is always filled next.
    """
    stack: list[dict[int, str]] = [{}]
    nodes = -1
    while stack and nodes < NODES:
        filling = stack.pop()
        nodes += 1
        if len(filling) == len(slots):
            return tuple(filling[n] for n in range(len(slots))), nodes
        options = {n: fitting(slots, words, filling, n) for n in range(len(slots))}
        slot = min((n for n in options if n not in filling), key=lambda n: len(options[n]))
        stack += [filling | {slot: word} for word in options[slot]]
    return (), nodes


def fitting(
    slots: tuple[Slot, ...], words: tuple[str, ...], filling: Mapping[int, str], slot: int
) -> list[str]:
    """The words that fit a slot, with the words of the other slots."""
    known = [(here, filling[o][at]) for here, o, at in crossings(slots)[slot] if o in filling]
    used = {*filling.values()}
    return [
        word
        for word in words
        if len(word) == slots[slot][3]
        and word not in used
        and all(word[here] == letter for here, letter in known)
    ]


def spoilt(rng: Random, original: str) -> str:
    """A word of the same shape that keeps some letters, so that it looks like any other.

    >>> spoilt(Random(0), "binop")
    'binup'
    """
    classes = (VOWELS if letter in VOWELS else CONSONANTS for letter in original)
    return "".join(
        rng.choice(some) if rng.random() < 0.4 else letter
        for letter, some in zip(original, classes)
    )


def woven(rng: Random, many: int, longest: int) -> tuple[list[Slot], list[str]]:
    """Slots that cross and words that fill them, from the first cell of the board on."""
    first = word(rng, longest)
    placed: list[tuple[Slot, str]] = [((0, 0, "across", longest), first)]
    filled = dict(zip(cells_of(placed[0][0]), first))
    for _ in range(60 * many):
        if len(placed) == many:
            break
        slot, text = crossing(rng, placed, longest)
        if text not in {used for _, used in placed} and fits(filled, slot, text):
            placed.append((slot, text))
            filled |= dict(zip(cells_of(slot), text))
    top, left = (min(axis) for axis in zip(*filled))
    slots = [(row - top, column - left, way, length) for (row, column, way, length), _ in placed]
    return slots, [text for _, text in placed]


def crossing(rng: Random, placed: list[tuple[Slot, str]], longest: int) -> tuple[Slot, str]:
    """A word across one that is placed, with the letter that they share."""
    slot, text = rng.choice(placed)
    at = rng.randrange(len(text))
    row, column = cells_of(slot)[at]
    while text[at] not in (other := word(rng, rng.randint(3, longest))):
        pass
    here = other.index(text[at])
    if slot[2] == "across":
        return (row - here, column, "down", len(other)), other
    return (row, column - here, "across", len(other)), other


def fits(filled: Mapping[Cell, str], slot: Slot, text: str) -> bool:
    """Whether a word can be placed so that it touches others only where it crosses them."""
    cells = cells_of(slot)
    down = slot[2] == "down"
    ends = ((cells[0], -1), (cells[-1], 1))
    if any(((r + n, c) if down else (r, c + n)) in filled for (r, c), n in ends):
        return False
    for (r, c), letter in zip(cells, text):
        beside = [(r, c - 1), (r, c + 1)] if down else [(r - 1, c), (r + 1, c)]
        if (r, c) in filled:
            if filled[r, c] != letter:
                return False
        elif any(cell in filled for cell in beside):
            return False
    return True
