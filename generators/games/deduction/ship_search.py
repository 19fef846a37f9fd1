"""Hidden ships on a grid: layouts that agree with what is known, and a player who counts them."""

from collections.abc import Callable, Iterable, Sequence, Set
from functools import lru_cache
from random import Random

from palaestra.scenes import Cell, Grid, cells_of

FLEETS = {
    2: (3, 2),
    3: (3, 2, 2),
    4: (3, 3, 2, 2),
    5: (4, 3, 3, 2, 2),
    6: (4, 3, 3, 2, 2, 2),
    7: (4, 3, 3, 2, 2, 2, 1),
}
"""The lengths of the ships, by their number."""

UNKNOWN, MISS, HIT, SUNK = ".oXS"
"""The signs of a board, a text of one for each cell."""

Ship = tuple[int, ...]
"""The cells of a ship in order, numbered row by row."""

Layout = tuple[Ship, ...]
"""The ships in the order of their fleet; those of the same length in the order of their cells."""

Counts = tuple[tuple[int, ...], tuple[int, ...]]
"""How many cells of each row and of each column are parts of ships; -1 where it is not known."""


@lru_cache(maxsize=64)
def berths(size: int, length: int) -> tuple[Ship, ...]:
    """All ways to lay a ship of a length on a square board, alone."""
    lines = [range(row * size, (row + 1) * size) for row in range(size)]
    if length > 1:
        lines += [range(column, size * size, size) for column in range(size)]
    ships = (tuple(line[n : n + length]) for line in lines for n in range(size - length + 1))
    return tuple(sorted(ships))


@lru_cache(maxsize=1_024)
def surroundings(size: int, ship: Ship) -> frozenset[int]:
    """The cells of a ship and those beside them, also diagonally."""
    rows = range(max(0, ship[0] // size - 1), min(size, ship[-1] // size + 2))
    columns = range(max(0, ship[0] % size - 1), min(size, ship[-1] % size + 2))
    return frozenset(row * size + column for row in rows for column in columns)


def laid(rng: Random, size: int, fleet: Sequence[int]) -> Layout:
    """A random layout, each with the same chance; ships do not touch, not even diagonally."""
    while True:
        ships, barred = list[Ship](), set[int]()
        for length in fleet:
            ship = rng.choice(berths(size, length))
            if not barred.isdisjoint(ship):
                break
            ships.append(ship)
            barred |= surroundings(size, ship)
        else:
            return tuple(sorted(ships, key=lambda ship: (-len(ship), ship)))


def counts_of(size: int, layout: Iterable[Ship]) -> Counts:
    """The number of cells of ships in each row and in each column."""
    rows, columns = [0] * size, [0] * size
    for ship in layout:
        for cell in ship:
            rows[cell // size] += 1
            columns[cell % size] += 1
    return tuple(rows), tuple(columns)


@lru_cache(maxsize=256)
def layouts(size: int, fleet: tuple[int, ...], counts: Counts, most: int) -> tuple[Layout, ...]:
    """All layouts with these numbers of cells in rows and columns; none if a search of ``most``
    positions does not come to its end.
    """
    left = [size if number < 0 else number for number in (*counts[0], *counts[1])]
    fixed = [n for n, number in enumerate((*counts[0], *counts[1])) if number >= 0]
    every, visited = list[Layout](), 0

    def extend(ships: Layout, barred: Set[int]) -> None:
        nonlocal visited
        visited += 1
        if len(ships) == len(fleet):
            if not any(left[n] for n in fixed):
                every.append(ships)
            return
        length = fleet[len(ships)]
        least = ships[-1] if ships and len(ships[-1]) == length else ()
        for ship in berths(size, length):
            if ship <= least or not barred.isdisjoint(ship) or visited >= most:
                continue
            for cell in ship:
                left[cell // size] -= 1
                left[size + cell % size] -= 1
            if min(left) >= 0:
                extend((*ships, ship), barred | surroundings(size, ship))
            for cell in ship:
                left[cell // size] += 1
                left[size + cell % size] += 1

    extend((), frozenset())
    return tuple(every) if visited < most else ()


def shot(layout: Layout, board: str, cell: int) -> str:
    """The board after a shot at a cell: a miss, a hit, or a ship of which all cells are hit."""
    ship = next((ship for ship in layout if cell in ship), ())
    signs = [*board]
    signs[cell] = HIT if ship else MISS
    if ship and all(signs[part] == HIT for part in ship):
        for part in ship:
            signs[part] = SUNK
    return "".join(signs)


def likeliest(every: Sequence[Layout], board: str) -> list[int]:
    """The cells that are parts of ships in the most of some layouts, of those not yet shot at."""
    numbers = [0] * len(board)
    for layout in every:
        for ship in layout:
            for cell in ship:
                numbers[cell] += 1
    open_cells = [cell for cell, sign in enumerate(board) if sign == UNKNOWN]
    most = max(numbers[cell] for cell in open_cells)
    return [cell for cell in open_cells if numbers[cell] == most]


def counted(
    size: int, every: Sequence[Layout], layout: Layout, choose: Callable[[list[int]], int] = min
) -> list[int]:
    """The shots of a player who shoots at a likeliest cell until all ships are sunk.

    The player knows all possible layouts and the answers to its shots, and ``choose`` decides
    between equally likely cells.
    """
    board, cells, left = UNKNOWN * size**2, list[int](), [*every]
    while any(board[cell] != SUNK for ship in layout for cell in ship):
        cell = choose(likeliest(left, board))
        after = shot(layout, board, cell)
        left = [each for each in left if shot(each, board, cell) == after]
        board = after
        cells.append(cell)
    return cells


def shown(size: int, counts: Counts, board: str) -> str:
    """The board as text, with the numbers of rows and columns, and the counts on the rim."""
    numbers = " ".join(f"{n + 1:>2}" for n in range(size))
    below = " ".join(f"{_count(n):>2}" for n in counts[1])
    lines = [
        f"{row + 1:>2} {' '.join(f'{sign:>2}' for sign in line)} | {_count(counts[0][row])}"
        for row, line in enumerate(lines_of(size, board))
    ]
    return "\n".join([f"   {numbers}", *lines, f"   {'-- ' * size}".rstrip(), f"   {below}"])


def lines_of(size: int, board: str) -> list[str]:
    """The rows of a board."""
    return [board[row : row + size] for row in range(0, size * size, size)]


def _count(number: int) -> str:
    return "?" if number < 0 else str(number)


_SIGNS = {
    UNKNOWN: Cell(fill="muted"),
    MISS: Cell(mark="dot", tone="water"),
    HIT: Cell(mark="cross", tone="bad"),
    SUNK: Cell(mark="cross", tone="bad", fill="shade"),
}


def pictured(size: int, counts: Counts, board: str, last: tuple[int, ...]) -> Grid:
    """What there is to see: the board with the counts on its rim and the last shot."""
    return Grid(
        cells_of(lines_of(size, board), _SIGNS),
        top=tuple((str(n + 1),) for n in range(size)),
        left=tuple((str(n + 1),) for n in range(size)),
        right=tuple((_count(number),) for number in counts[0]),
        bottom=tuple((_count(number),) for number in counts[1]),
        last=tuple(divmod(cell, size) for cell in last),
    )
