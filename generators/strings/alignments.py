"""Alignments of two texts: longest common subsequence and edit distance.

The distance is Vladimir Levenshtein's (1965); both tables are those of Robert Wagner and Michael
Fischer (1974).
"""

from functools import lru_cache
from typing import Literal, NamedTuple


class Edit(NamedTuple):
    """A change of one letter, at a position, from 1, of the text before the change."""

    operation: Literal["insert", "delete", "replace"]
    position: int
    letter: str = ""


@lru_cache(maxsize=256)
def common(one: str, other: str) -> str:
    """A longest common subsequence of two texts.

    >>> common("abcd", "xbyd")
    'bd'
    """
    row = [""] * (len(other) + 1)
    for a in one:
        new = [""]
        for column, b in enumerate(other):
            longer = max(row[column + 1], new[-1], key=len)
            new.append(row[column] + a if a == b else longer)
        row = new
    return row[-1]


def greedy_common(one: str, other: str) -> str:
    """A common subsequence: each letter of the first text that the rest of the second contains.

    >>> greedy_common("xab", "abx")
    'x'
    """
    common = ""
    for letter in one:
        if letter in other:
            common += letter
            other = other[other.index(letter) + 1 :]
    return common


def nearest_common(one: str, other: str) -> str:
    """A common subsequence: again and again the letter for which the fewest others are skipped.

    >>> nearest_common("xab", "abx")
    'ab'
    """
    common = ""
    while nearest := min(
        ((one.index(letter) + other.index(letter), letter) for letter in sorted({*one} & {*other})),
        default=None,
    ):
        letter = nearest[1]
        common += letter
        one, other = (text[text.index(letter) + 1 :] for text in (one, other))
    return common


def longest_block(one: str, other: str) -> tuple[int, int, int]:
    """Where the longest text that is in both begins in each of them, and its length.

    >>> longest_block("xaby", "zzab")
    (1, 2, 2)
    """
    best, row = (0, 0, 0), [0] * (len(other) + 1)
    for i, a in enumerate(one, 1):
        row = [0, *(row[j] + 1 if a == b else 0 for j, b in enumerate(other))]
        length = max(row)
        if length > best[2]:
            best = i - length, row.index(length) - length, length
    return best


def blocks_common(one: str, other: str) -> str:
    """A common subsequence: the longest text that is in both, and the same on either side of it.

    >>> blocks_common("xaby", "zaby")
    'aby'
    """
    i, j, length = longest_block(one, other)
    if not length:
        return ""
    before = blocks_common(one[:i], other[:j])
    after = blocks_common(one[i + length :], other[j + length :])
    return before + one[i : i + length] + after


def is_subsequence(short: str, text: str) -> bool:
    """Whether deleting letters turns a text into a short one.

    >>> is_subsequence("ace", "abcde"), is_subsequence("ca", "abc")
    (True, False)
    """
    rest = iter(text)
    return all(letter in rest for letter in short)


@lru_cache(maxsize=256)
def distances(one: str, other: str) -> tuple[tuple[int, ...], ...]:
    """The edit distances of all prefixes of two texts.

    >>> distances("ab", "b")[-1][-1]
    1
    """
    rows = [tuple(range(len(other) + 1))]
    for number, a in enumerate(one, 1):
        row = [number]
        for column, b in enumerate(other):
            row.append(min(row[-1] + 1, rows[-1][column + 1] + 1, rows[-1][column] + (a != b)))
        rows.append(tuple(row))
    return tuple(rows)


def script(one: str, other: str) -> list[Edit]:
    """A shortest list of edits from one text to another, from right to left.

    >>> [tuple(edit) for edit in script("abc", "xb")]
    [('delete', 3, ''), ('replace', 1, 'x')]
    """
    table, i, j, edits = distances(one, other), len(one), len(other), list[Edit]()
    while i or j:
        here = table[i][j]
        if i and j and here == table[i - 1][j - 1] + (one[i - 1] != other[j - 1]):
            if one[i - 1] != other[j - 1]:
                edits.append(Edit("replace", i, other[j - 1]))
            i, j = i - 1, j - 1
        elif i and here == table[i - 1][j] + 1:
            edits.append(Edit("delete", i))
            i -= 1
        else:
            edits.append(Edit("insert", i + 1, other[j - 1]))
            j -= 1
    return edits
