"""Rows of brackets with gaps: in how many ways they can be balanced, and one of those."""

from functools import lru_cache

from palaestra.generators.machines.brackets import CLOSING, OPENING, PARTNER

GAP = "_"


def _pairs(one: str, other: str, kinds: int) -> int:
    """The number of ways in which two characters, gaps or not, can form a pair."""
    if one == GAP:
        return kinds if other == GAP else int(other in CLOSING)
    return int(one in OPENING and other in (GAP, PARTNER[one]))


@lru_cache(maxsize=256)
def ways(row: str, kinds: int) -> int:
    """The number of ways to fill the gaps, by dynamic programming over intervals."""
    return _counted(row, kinds)[0][len(row)]


def _counted(row: str, kinds: int) -> list[list[int]]:
    """For each start and end, the number of ways to balance the row between them."""
    size = len(row)
    table = [[0] * (size + 1) for _ in range(size + 1)]
    for start in range(size, -1, -1):
        table[start][start] = 1
        for end in range(start + 2, size + 1, 2):
            table[start][end] = sum(
                table[start + 1][mid] * _pairs(row[start], row[mid], kinds) * table[mid + 1][end]
                for mid in range(start + 1, end, 2)
                if table[start + 1][mid]
            )
    return table


@lru_cache(maxsize=256)
def completed(row: str) -> str:
    """The row with its gaps filled in one of the possible ways."""
    table = _counted(row, 1)
    filled = list(row)

    def fill(start: int, end: int) -> None:
        while start < end:
            mid = next(
                mid
                for mid in range(start + 1, end, 2)
                if table[start + 1][mid] and _pairs(row[start], row[mid], 1) and table[mid + 1][end]
            )
            if row[start] == GAP:
                filled[start] = "(" if row[mid] == GAP else PARTNER[row[mid]]
            filled[mid] = PARTNER[filled[start]]
            fill(start + 1, mid)
            start = mid + 1

    fill(0, len(row))
    return "".join(filled)
