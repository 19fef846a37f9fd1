"""Sorting methods pass by pass, each with the words that say exactly what it does."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

Row = list[int]
Passes = Callable[[Row], Iterator[Row]]
"""Sorts a list in place and yields it after each pass."""


class Method(NamedTuple):
    """A sorting method: what it does in words, and in deed."""

    rule: str
    passes: Passes


def insertion(row: Row) -> Iterator[Row]:
    """Straight insertion.

    >>> [list(after) for after in insertion([3, 1, 2])]
    [[1, 3, 2], [1, 2, 3]]
    """
    for k in range(1, len(row)):
        _sink_left(row, k, 1)
        yield row


def selection(row: Row) -> Iterator[Row]:
    """Straight selection."""
    for k in range(len(row) - 1):
        least = min(range(k, len(row)), key=row.__getitem__)
        row[k], row[least] = row[least], row[k]
        yield row


def bubble(row: Row) -> Iterator[Row]:
    """Bubble sort, to the first pass without a swap."""
    swapped = True
    while swapped:
        swapped = False
        for j in range(len(row) - 1):
            if row[j] > row[j + 1]:
                row[j], row[j + 1] = row[j + 1], row[j]
                swapped = True
        yield row


def shell(row: Row) -> Iterator[Row]:
    """Shell's method, with gaps that are halved."""
    gap = len(row) // 2
    while gap:
        for k in range(gap, len(row)):
            _sink_left(row, k, gap)
        yield row
        gap //= 2


def merge(row: Row) -> Iterator[Row]:
    """Straight merging, from the bottom up."""
    width = 1
    while width < len(row):
        for start in range(0, len(row), 2 * width):
            row[start : start + 2 * width] = sorted(row[start : start + 2 * width])
        yield row
        width *= 2


def quick(row: Row) -> Iterator[Row]:
    """Quicksort with the last number as pivot, in Nico Lomuto's partition."""
    stretches = [(0, len(row) - 1)]
    while stretches:
        first, last = stretches.pop()
        if first >= last:
            continue
        border = first
        for j in range(first, last):
            if row[j] < row[last]:
                row[border], row[j] = row[j], row[border]
                border += 1
        row[border], row[last] = row[last], row[border]
        yield row
        stretches += [(border + 1, last), (first, border - 1)]


def heap(row: Row) -> Iterator[Row]:
    """Heapsort."""
    for index in reversed(range(len(row) // 2)):
        _sift_down(row, index, len(row))
    yield row
    for end in range(len(row) - 1, 0, -1):
        row[0], row[end] = row[end], row[0]
        _sift_down(row, 0, end)
        yield row


def _sink_left(row: Row, k: int, gap: int) -> None:
    while k >= gap and row[k - gap] > row[k]:
        row[k - gap], row[k] = row[k], row[k - gap]
        k -= gap


def _sift_down(row: Row, index: int, end: int) -> None:
    while children := range(2 * index + 1, min(2 * index + 3, end)):
        child = max(children, key=row.__getitem__)  # the left one of equals
        if row[child] <= row[index]:
            return
        row[child], row[index] = row[index], row[child]
        index = child


METHODS = {
    "insertion": Method(
        "Insertion sort. For k = 2, 3, ... up to the length of the list, one pass each: take the "
        "number at place k and keep swapping it with its left neighbour as long as there is one "
        "and it is larger.",
        insertion,
    ),
    "selection": Method(
        "Selection sort. For k = 1, 2, ... up to the length of the list less 1, one pass each: "
        "find the smallest number from place k to the end (the leftmost, if there are several) "
        "and swap it with the number at place k, which changes nothing if it is already there.",
        selection,
    ),
    "bubble": Method(
        "Bubble sort. A pass goes through j = 1, 2, ... up to the length of the list less 1: "
        "whenever the number at place j is larger than the one at place j + 1, the two are "
        "swapped. Pass follows pass until one swaps nothing; that last one counts as a pass too.",
        bubble,
    ),
    "shell": Method(
        "Shell sort. The gap g is at first half the length of the list, rounded down. A pass goes "
        "through k = g + 1, g + 2, ... up to the length of the list: take the number at place k "
        "and keep swapping it with the number g places to its left as long as there is one and it "
        "is larger. After each pass g is halved, rounded down; the pass with g = 1 is the last.",
        shell,
    ),
    "merge": Method(
        "Bottom-up merge sort. The width w is at first 1. In a pass the list is cut from the left "
        "into blocks of 2w numbers (the last one may be shorter), and each block is sorted in "
        "itself by merging its first w numbers with the others. After each pass w is doubled; "
        "there is no further pass once w is at least the length of the list.",
        merge,
    ),
    "quick": Method(
        "Quicksort. To treat a stretch from place a to place b with at least two numbers: call "
        "the number at place b the pivot and let i = a; for j = a, a + 1, ..., b - 1, if the "
        "number at place j is smaller than the pivot, swap the numbers at places i and j and add "
        "1 to i; at last swap the numbers at places i and b. This is one pass. Then treat the "
        "stretch from a to i - 1 with all that follows from it, and only then the stretch from "
        "i + 1 to b. A stretch of fewer than two numbers is left alone, without a pass. Begin "
        "with the whole list.",
        quick,
    ),
    "heap": Method(
        "Heapsort. To sift down place p among the first m places: look at places 2p and 2p + 1, "
        "as far as they are at most m, and take the one with the larger number (place 2p if "
        "equal); if that number is larger than the one at p, swap the two and go on in the same "
        "way from the place it came from; otherwise, or if there is no such place, stop. With n "
        "the length of the list, the first pass sifts down places n/2 (rounded down), and so on "
        "one by one to 1, among the first n places. Then for m = n - 1, n - 2, ..., 1, one pass "
        "each: swap the numbers at places 1 and m + 1, then sift down place 1 among the first m.",
        heap,
    ),
}
"""The methods by name; places count from 1 in the words."""


def trace(method: str, numbers: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The list after each pass.

    >>> trace("bubble", (2, 3, 1))
    [(2, 1, 3), (1, 2, 3), (1, 2, 3)]
    """
    return [tuple(row) for row in METHODS[method].passes(list(numbers))]
