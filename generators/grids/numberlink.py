"""Lines that join pairs of letters and fill a grid: numberlink."""

from functools import lru_cache
from random import Random

from palaestra.generators.bitsets import bits, ones
from palaestra.generators.cells import in_rows, text
from palaestra.generators.grids.lines import roots
from palaestra.generators.grids.marks import Sheet, exactly
from palaestra.generators.grids.pencil import SearchResult
from palaestra.generators.grids.shapes import LETTERS, sides, ways

BLANK = "."
MAX_NODES = 400
"""Limit of the search nodes when looking for a solution."""


def snipped(rng: Random, path: list[int], size: int, longest: int) -> list[list[int]] | None:
    """A path cut into lines that do not run beside themselves; None where one is too short."""
    near = sides(size, size)
    pieces: list[list[int]] = [[]]
    wanted = rng.randint(3, longest)
    for cell in path:
        piece = pieces[-1]
        if len(piece) >= wanted or any(other in piece[:-1] for other in near[cell]):
            pieces.append([])
            wanted = rng.randint(3, longest)
        pieces[-1].append(cell)
    return pieces if min(map(len, pieces)) > 2 and len(pieces) <= 26 else None


@lru_cache(maxsize=256)
def solve(board: tuple[str, ...], limit: int = 1) -> SearchResult[int]:
    """Up to so many solutions, as the links that the lines use."""
    size, flat = len(board), "".join(board)
    pairs = ways(size, size)
    counts = []
    for n, sign in enumerate(flat):
        own = [number for number, pair in enumerate(pairs) if n in pair]
        counts.append(exactly(own, 1 if sign != BLANK else 2))
    apart = bits(n for n, (a, b) in enumerate(pairs) if BLANK not in (flat[a], flat[b]))

    def sound(on: int, off: int) -> bool:
        root = roots(on, size, size)
        if root is None:
            return False
        letter: dict[int, str] = {}
        for n, sign in enumerate(flat):
            if sign != BLANK and letter.setdefault(root[n], sign) != sign:
                return False
        beside = (pairs[link] for link in ones(off))
        return all(
            root[a] != root[b] and letter.get(root[a], a) != letter.get(root[b], b)
            for a, b in beside
        )

    return Sheet(len(pairs), tuple(counts), sound=sound).solve(
        off=apart, limit=limit, most=MAX_NODES
    )


def lettered(board: tuple[str, ...], links: int) -> str:
    """Lines as an answer."""
    size, flat = len(board), "".join(board)
    root = roots(links, size, size) or []
    letter = {root[n]: sign for n, sign in enumerate(flat) if sign != BLANK}
    signs = [letter[top] for top in root]
    return text(in_rows(signs, size))


def relettered(flat: str) -> str:
    """A board with its letters in the order in which they appear.

    >>> relettered("C.AC")
    'A.BA'
    """
    names = {BLANK: BLANK}
    return "".join(names.setdefault(sign, LETTERS[len(names) - 1]) for sign in flat)
