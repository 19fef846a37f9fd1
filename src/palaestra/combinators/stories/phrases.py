"""What the stories of several environments share: counted nouns, and lists in sentences."""

from collections.abc import Sequence


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun, whose plural ends in -s unless it is given.

    >>> counted(1, "day"), counted(0, "day"), counted(-1, "point"), counted(3, "box", "boxes")
    ('1 day', '0 days', '-1 points', '3 boxes')
    """
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def listed(items: Sequence[str]) -> str:
    """A list in a sentence; there is at least one item.

    >>> listed(["A"]), listed(["A", "B"]), listed(["A", "B", "C"])
    ('A', 'A and B', 'A, B and C')
    """
    *first, last = items
    return f"{', '.join(first)} and {last}" if first else last
