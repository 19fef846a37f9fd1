"""Combinatorial designs with entries that are missing, completed by a search for an exact cover.

A design is a table in which certain things each occur exactly once: pairs of points, pairs of
symbols in two columns, games, differences. A completion chooses options that cover each of these
things, where an option is a few entries of the table (Donald Knuth's Algorithm X, 2000).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, permutations, product
from random import Random
from types import MappingProxyType
from typing import Literal, NamedTuple, get_args

Family = Literal["blocks", "array", "mate", "groups", "differences"]
FAMILIES: tuple[Family, ...] = get_args(Family)

Row = tuple[int, ...]
Table = tuple[Row, ...]
"""Numbers by row; 0 is an entry that is missing. Points, symbols and teams count from 1."""

Option = tuple[frozenset[int], tuple[tuple[int, int, int], ...]]
"""The things that an option covers, by number, and its entries as (row, column, number)."""


class Design(NamedTuple):
    """A family with its sizes.

    - ``blocks``: rows of ``width`` of the numbers to ``size``, any two of them in one row;
    - ``array``: ``size`` squared rows of ``width`` of the numbers to ``size``, any two of them,
      in this order, in one row of any two columns;
    - ``mate``: a Latin square of ``size`` orthogonal to another one;
    - ``groups``: in each row the numbers to ``size``, in groups of ``width`` consecutive columns,
      any two of them in one group of the table;
    - ``differences``: rows of ``width`` numbers below ``size``, each remainder the difference of
      two numbers of one row in one way.
    """

    family: Family
    size: int
    width: int

    def rows(self) -> int:
        """The number of rows."""
        pairs = self.size * (self.size - 1)
        return {
            "blocks": pairs // max(1, self.width * (self.width - 1)),
            "array": self.size**2,
            "mate": self.size,
            "groups": (self.size - 1) // max(1, self.width - 1),
            "differences": (self.size - 1) // max(1, self.width * (self.width - 1)),
        }[self.family]

    def columns(self) -> int:
        """The number of columns."""
        return self.width if self.family in {"blocks", "array", "differences"} else self.size

    def lowest(self) -> int:
        """The least number of the table."""
        return 0 if self.family == "differences" else 1

    def highest(self) -> int:
        """The greatest number of the table."""
        return self.size - 1 if self.family == "differences" else self.size


MISSING = -1
"""The number of an entry that is missing."""


# ---------------------------------------------------------------------------------- rules


def broken(design: Design, table: Sequence[Sequence[int]], square: Table = ()) -> str:
    """Which rule a full table breaks; empty if it is a design."""
    family, size, width = design
    low, high = design.lowest(), design.highest()
    if not all(low <= number <= high for row in table for number in row):
        return f"not every number is from {low} to {high}"
    match family:
        case "blocks":
            if any(len({*row}) < width for row in table):
                return "a row has a number twice"
            pairs = [pair for row in table for pair in combinations(sorted(row), 2)]
            return "two numbers are together in two rows" if len({*pairs}) < len(pairs) else ""
        case "array":
            for one, other in combinations(range(width), 2):
                if len({(row[one], row[other]) for row in table}) < size**2:
                    return f"columns {one + 1} and {other + 1} have a pair of numbers twice"
            return ""
        case "mate":
            if any(len({*line}) < size for line in (*table, *zip(*table))):
                return "a row or a column has a number twice"
            laid = {pair for rows in zip(square, table) for pair in zip(*rows)}
            return "two cells have the same pair of numbers" if len(laid) < size**2 else ""
        case "groups":
            if any(len({*row}) < size for row in table):
                return "a row has a number twice"
            groups = [row[n : n + width] for row in table for n in range(0, size, width)]
            pairs = [pair for group in groups for pair in combinations(sorted(group), 2)]
            return "two numbers are together in two groups" if len({*pairs}) < len(pairs) else ""
        case "differences":
            differences = [(a - b) % size for row in table for a, b in permutations(row, 2)]
            return (
                "a remainder is no difference, or is one in two ways"
                if (sorted(differences) != [*range(1, size)])
                else ""
            )
    return ""


# ---------------------------------------------------------------------------------- options


def options(design: Design, table: Table, square: Table = ()) -> tuple[list[Option], int]:
    """The options that fit the entries of a table, and the number of things to cover."""
    if design.family == "mate":
        return _cells(design, table, square)
    return _lines(design, table)


def lines_of(design: Design, table: Table) -> Iterator[tuple[int, int, Row]]:
    """What an option fills in: a row, or a group of one, with its row and first column."""
    width = design.width if design.family == "groups" else design.columns()
    for r, row in enumerate(table):
        for first in range(0, len(row), width):
            yield r, first, row[first : first + width]


def _lines(design: Design, table: Table) -> tuple[list[Option], int]:
    """An option is a full row or group; it covers that, and pairs or differences."""
    numbers: dict[object, int] = {}

    def thing(name: object) -> int:
        return numbers.setdefault(name, len(numbers))

    def shown(line: Row) -> list[tuple[int, int]]:
        return [(c, number) for c, number in enumerate(line) if number != MISSING]

    lines = [*lines_of(design, table)]
    known = [covered(design, r, shown(line)) or [] for r, _, line in lines]
    times = Counter(name for names in known for name in names)
    result = list[Option]()
    for (r, first, line), own in zip(lines, known):
        for entries in _completions(design, line):
            names = covered(design, r, [*shown(line), *entries])
            if names is None or any(times[name] > (name in own) for name in names):
                continue
            things = frozenset([thing(("line", r, first)), *map(thing, names)])
            result.append((things, tuple((r, first + c, n) for c, n in entries)))
    return result, things_to_cover(design)


def things_to_cover(design: Design) -> int:
    """How many things the rows of a table cover, the rows themselves included."""
    _, size, width = design
    pairs, rows = size * (size - 1) // 2, design.rows()
    return {
        "blocks": pairs + rows,
        "groups": pairs + rows * (size + size // max(1, width)),
        "array": width * (width - 1) // 2 * size**2 + rows,
        "differences": size - 1 + rows,
    }[design.family]


def covered(design: Design, row: int, entries: Sequence[tuple[int, int]]) -> list[object] | None:
    """What entries (column, number) of a line cover: pairs or differences, and for groups numbers
    of the row; None if something is covered twice.
    """
    names = list[object]()
    match design.family:
        case "array":
            names += [(c, d, a, b) for (c, a), (d, b) in combinations(sorted(entries), 2)]
        case "differences":
            names += [(a - b) % design.size for (_, a), (_, b) in permutations(entries, 2)]
        case _:
            names += [tuple(sorted((a, b))) for (_, a), (_, b) in combinations(entries, 2)]
    if design.family == "groups":
        names += [("in", row, number) for _, number in entries]
    return names if len({*names}) == len(names) else None


def _completions(design: Design, row: Row) -> Iterator[tuple[tuple[int, int], ...]]:
    """The ways to fill in the missing entries of a line; in a set, in rising order."""
    columns = [c for c, number in enumerate(row) if number == MISSING]
    every = range(design.lowest(), design.highest() + 1)
    if design.family == "array":
        choices: Iterable[tuple[int, ...]] = product(every, repeat=len(columns))
    else:
        choices = combinations([n for n in every if n not in row], len(columns))
    return (tuple(zip(columns, choice)) for choice in choices)


def _cells(design: Design, table: Table, square: Table) -> tuple[list[Option], int]:
    """An option is a number in a cell of a square."""
    size = design.size
    result = list[Option]()
    for r, c, number in product(range(size), range(size), range(1, size + 1)):
        if table[r][c] not in {MISSING, number}:
            continue
        n, other = number - 1, square[r][c] - 1
        things = (r * size + c, r * size + n, c * size + n, other * size + n)
        result.append(
            (
                frozenset(part * size**2 + thing for part, thing in enumerate(things)),
                ((r, c, number),),
            )
        )
    return result, 4 * size**2


# ---------------------------------------------------------------------------------- search

ByThing = Mapping[int, Sequence[int]]
"""The options, by number, that cover each thing that is not covered yet."""


class Search:
    """A search for options that cover each thing exactly once, with a limit on its steps."""

    def __init__(self, choices: Sequence[Option], things: int, most: int = 10**9) -> None:
        self.choices = choices
        self.most = most
        self.steps = 0
        by_thing: dict[int, list[int]] = {}
        for n, (covered_, _) in enumerate(choices):
            for each in covered_:
                by_thing.setdefault(each, []).append(n)
        self.by_thing: ByThing = by_thing
        self.is_possible = len(by_thing) == things

    def solution(self) -> list[int] | None:
        """Options that cover everything, or None if there are none within the limit."""
        return self._extended(self.by_thing) if self.is_possible else None

    def _extended(self, left: ByThing) -> list[int] | None:
        if not left:
            return []
        self.steps += 1
        tightest = min(left, key=lambda thing: len(left[thing]))
        for option in left[tightest]:
            if self.steps > self.most:
                return None
            rest = self.without(left, option)
            if rest is not None and (more := self._extended(rest)) is not None:
                return [option, *more]
        return None

    def without(self, left: ByThing, option: int) -> ByThing | None:
        """What is left to cover after an option; None if something has no option any more."""
        mine = self.choices[option][0]
        shut = {other for thing in mine for other in left[thing]}
        result: dict[int, Sequence[int]] = {}
        for thing, some in left.items():
            if thing in mine:
                continue
            kept = some if shut.isdisjoint(some) else [n for n in some if n not in shut]
            if not kept:
                return None
            result[thing] = kept
        return result

    def greedy(self, rng: Random, tightest: bool) -> list[int]:
        """Options one after the other, at random, of which none is taken back: for the thing with
        the fewest options, or for any.
        """
        left, chosen = dict(self.by_thing), list[int]()
        while left:
            thing = (
                min(left, key=lambda each: (len(left[each]), rng.random()))
                if tightest
                else rng.choice([*left])
            )
            if not left[thing]:
                del left[thing]
                continue
            option = rng.choice(left[thing])
            chosen.append(option)
            mine = self.choices[option][0]
            shut = {other for each in mine for other in left.get(each, ())}
            left = {
                each: [n for n in some if n not in shut]
                for each, some in left.items()
                if each not in mine
            }
        return chosen

    def filled(self, table: Table, chosen: Iterable[int]) -> list[list[int]]:
        """The table with the entries of some options."""
        result = [[*row] for row in table]
        for option in chosen:
            for row, column, number in self.choices[option][1]:
                result[row][column] = number
        return result


# ---------------------------------------------------------------------------------- known designs

PLANES: Mapping[int, Row] = {7: (0, 1, 3), 13: (0, 1, 3, 9), 21: (0, 1, 4, 14, 16)}
"""Sets of residues whose differences are all remainders, by the modulus (James Singer 1938)."""

POLYNOMIALS = {4: 0b111, 8: 0b1011}
"""Irreducible polynomials of the fields of these sizes, as the bits of a number."""


def sum_(size: int, a: int, b: int) -> int:
    """A sum in the field of 4 or 8 elements, or of remainders."""
    return a ^ b if size in POLYNOMIALS else (a + b) % size


def product_(size: int, a: int, b: int) -> int:
    """A product in the field of 4 or 8 elements, or of remainders.

    >>> product_(4, 2, 3), product_(5, 2, 3)
    (1, 1)
    """
    if size not in POLYNOMIALS:
        return a * b % size
    result = 0
    while b:
        result ^= a * (b & 1)
        a, b = a << 1, b >> 1
        a ^= POLYNOMIALS[size] * (a >= size)
    return result


def triples(size: int) -> list[Row]:
    """Triples of remainders whose differences are all others, of a prime (Eugen Netto 1893).

    >>> triples(7)
    [(1, 2, 4)]
    """
    step = (size - 1) // 6
    root = next(
        g for g in range(2, size) if len({pow(g, n, size) for n in range(size)}) == size - 1
    )
    return [
        tuple(sorted(pow(root, n + 2 * step * part, size) for part in range(3)))
        for n in range(step)
    ]


def known_blocks(size: int, width: int) -> list[Row]:
    """Blocks on the numbers from 0: translates of sets, lines of a plane of order 3, or triples of
    binary numbers without a sum.
    """
    if size == 9:
        lines = [(a, b) for a in range(3) for b in range(3)]
        sloped = [tuple(3 * x + (a * x + b) % 3 for x in range(3)) for a, b in lines]
        return [*sloped, *((3 * x, 3 * x + 1, 3 * x + 2) for x in range(3))]
    if size == 15:
        return [
            (a - 1, b - 1, (a ^ b) - 1)
            for a, b in combinations(range(1, 16), 2)
            if b < a ^ b
        ]  # fmt: skip
    bases = [PLANES[size]] if width == len(PLANES.get(size, ())) else triples(size)
    return [tuple((n + by) % size for n in base) for base in bases for by in range(size)]


KIRKMAN: Table = (
    (0, 1, 2, 3, 7, 11, 4, 9, 14, 5, 10, 12, 6, 8, 13),
    (0, 3, 4, 1, 8, 10, 2, 11, 14, 5, 7, 13, 6, 9, 12),
    (0, 7, 8, 1, 12, 14, 2, 3, 6, 4, 10, 13, 5, 9, 11),
    (0, 11, 12, 1, 4, 6, 2, 7, 10, 3, 9, 13, 5, 8, 14),
    (0, 13, 14, 1, 3, 5, 2, 8, 9, 4, 7, 12, 6, 10, 11),
    (0, 9, 10, 1, 11, 13, 2, 4, 5, 3, 8, 12, 6, 7, 14),
    (0, 5, 6, 1, 7, 9, 2, 12, 13, 3, 10, 14, 4, 8, 11),
)
"""Fifteen numbers in groups of three on seven days (Thomas Kirkman 1850)."""


def known_groups(size: int) -> Table:
    """Lines of an affine plane of order 3, 4 or 5 by their slopes, or Kirkman's fifteen."""
    if size == 15:
        return KIRKMAN
    order = {9: 3, 16: 4, 25: 5}[size]
    every = range(order)
    rows = [
        [order * x + sum_(order, product_(order, a, x), b) for b in every for x in every]
        for a in every
    ]
    rows.append([order * x + y for x in every for y in every])
    return tuple(map(tuple, rows))


def known_table(design: Design) -> tuple[Table, Table]:
    """A design of a family and size, and for a mate the square that it belongs to."""
    family, size, width = design
    numbers = range(size)
    match family:
        case "blocks":
            blocks = known_blocks(size, width)
            return tuple(tuple(n + 1 for n in block) for block in blocks), ()
        case "array":
            return tuple(
                (
                    x + 1,
                    y + 1,
                    *(sum_(size, x, product_(size, a, y)) + 1 for a in range(1, width - 1)),
                )
                for x, y in product(numbers, repeat=2)
            ), ()
        case "mate":
            squares = [
                tuple(
                    tuple(sum_(size, x, product_(size, a, y)) + 1 for y in numbers) for x in numbers
                )
                for a in (1, 2)
            ]
            return squares[1], squares[0]
        case "groups":
            return tuple(tuple(n + 1 for n in row) for row in known_groups(size)), ()
        case "differences":
            return tuple(triples(size)), ()
    raise ValueError(f"there is no family {family!r}")


def shuffled_table(rng: Random, design: Design) -> tuple[Table, Table]:
    """A known design whose rows, columns and numbers are exchanged at random, and its square."""
    table, square = known_table(design)
    size = design.size

    def renamed() -> list[int]:
        return [0, *rng.sample(range(1, size + 1), size)]

    match design.family:
        case "blocks":
            names = renamed()
            table = tuple(tuple(rng.sample([names[n] for n in row], len(row))) for row in table)
        case "array":
            columns = rng.sample(range(design.width), design.width)
            each = [renamed() for _ in columns]
            table = tuple(tuple(each[c][row[c]] for c in columns) for row in table)
        case "mate":
            rows, columns = (rng.sample(range(size), size) for _ in range(2))
            one, other = renamed(), renamed()
            square = tuple(tuple(other[square[r][c]] for c in columns) for r in rows)
            return tuple(tuple(one[table[r][c]] for c in columns) for r in rows), square
        case "groups":
            names = renamed()
            table = tuple(_regrouped(rng, [names[n] for n in row], design.width) for row in table)
        case "differences":
            factor = rng.randrange(1, size)
            table = tuple(_translate(rng, row, factor, size) for row in table)
    return tuple(rng.sample(table, len(table))), square


def _translate(rng: Random, row: Row, factor: int, size: int) -> Row:
    by, sign = rng.randrange(size), rng.choice((1, -1))
    return tuple(rng.sample([(sign * factor * n + by) % size for n in row], len(row)))


def _regrouped(rng: Random, row: Sequence[int], width: int) -> Row:
    """A row whose groups, and the numbers of each, are in random order."""
    groups = [rng.sample(row[n : n + width], width) for n in range(0, len(row), width)]
    return tuple(number for group in rng.sample(groups, len(groups)) for number in group)


def masked(rng: Random, design: Design, table: Table, shown: float) -> Table:
    """A table of which a share of the entries is shown, one of each line at least."""
    cells = [(r, c) for r, row in enumerate(table) for c in range(len(row))]
    lines = [] if design.family == "mate" else [*lines_of(design, table)]
    chosen = {(r, first + rng.randrange(len(line))) for r, first, line in lines}
    rest = [cell for cell in cells if cell not in chosen]
    more = max(0, round(shown * len(cells)) - len(chosen))
    chosen.update(rng.sample(rest, min(more, len(rest))))
    return tuple(
        tuple(number if (r, c) in chosen else MISSING for c, number in enumerate(row))
        for r, row in enumerate(table)
    )


STAGES: Mapping[Family, tuple[tuple[int, int, float], ...]] = MappingProxyType(
    {
        "blocks": (
            (7, 3, 0.6), (9, 3, 0.6), (13, 4, 0.47), (13, 3, 0.55), (15, 3, 0.65), (15, 3, 0.58),
            (19, 3, 0.68),
        ),
        "array": (
            (3, 3, 0.5), (3, 4, 0.5), (4, 4, 0.5), (4, 4, 0.45), (5, 4, 0.52), (5, 4, 0.46),
            (5, 5, 0.43),
        ),
        "mate": (
            (4, 4, 0.3), (5, 5, 0.2), (7, 7, 0.24), (7, 7, 0.18), (8, 8, 0.16), (9, 9, 0.2),
            (9, 9, 0.16),
        ),
        "groups": (
            (9, 3, 0.55), (9, 3, 0.45), (16, 4, 0.5), (16, 4, 0.43), (15, 3, 0.53), (16, 4, 0.38),
            (15, 3, 0.5),
        ),
        "differences": (
            (13, 3, 0.6), (13, 3, 0.4), (19, 3, 0.45), (31, 3, 0.5), (43, 3, 0.55), (61, 3, 0.69),
            (61, 3, 0.65),
        ),
    }
)  # fmt: skip
"""The size, the width and the share of entries that are shown at each stage of a family."""


def counted(design: Design, table: Table, square: Table = ()) -> bool:
    """Whether each thing occurs exactly once, by counting how often each one does."""
    family, size, width = design
    points = range(1, size + 1)
    if family in {"blocks", "groups"}:
        lines = [{*line} for _, _, line in lines_of(design, table)]
        together = all(
            sum(a in line and b in line for line in lines) == 1 for a, b in combinations(points, 2)
        )
        return together and (
            family == "blocks" or all(row.count(point) == 1 for row in table for point in points)
        )
    if family == "array":
        return all(
            sum(row[c] == a and row[d] == b for row in table) == 1
            for c, d in combinations(range(width), 2)
            for a, b in product(points, repeat=2)
        )
    if family == "mate":
        columns = tuple(zip(*table))
        latin = all(line.count(point) == 1 for line in (*table, *columns) for point in points)
        cells = [(a, b) for rows in zip(square, table) for a, b in zip(*rows)]
        return latin and all(cells.count((a, b)) == 1 for a in points for b in points)
    ways = Counter((a - b) % size for row in table for a, b in permutations(row, 2))
    return ways == Counter(range(1, size))
