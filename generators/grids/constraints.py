"""Constraint propagation and search over cells with few values, and the rules of number puzzles.

The values that a cell may still have are the bits of an integer: bit 3 stands for the value 3. A
rule looks at a few cells and removes values that no solution has; where no rule removes any more,
the search tries the values of one cell. Puzzles whose cells are only on or off have their own,
faster engine in :mod:`palaestra.generators.grids.marks`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Protocol, TypeVar

from palaestra.generators.bitsets import ones
from palaestra.generators.grids.pencil import MAX_NODES, SearchResult

Clue = TypeVar("Clue")


class Rule(Protocol):
    """A constraint between the cells of its scope."""

    @property
    def scope(self) -> Sequence[int]:
        """The cells that it depends on."""

    def narrow(self, domains: list[int]) -> bool:
        """Remove impossible values in place; return whether each cell has a value left."""


class Board:
    """Cells and the rules that hold between them."""

    def __init__(self, size: int, rules: Iterable[Rule]) -> None:
        self.rules = [*rules]
        self.watch: list[dict[int, None]] = [{} for _ in range(size)]
        for number, rule in enumerate(self.rules):
            for cell in rule.scope:
                self.watch[cell][number] = None

    def add(self, rule: Rule) -> None:
        """Add a rule."""
        for cell in rule.scope:
            self.watch[cell][len(self.rules)] = None
        self.rules.append(rule)

    def settle(self, domains: list[int], rules: Iterable[int] | None = None) -> int:
        """Apply rules in place, beginning with these; return how many, with a minus if the last one
        is contradicted.
        """
        waiting = dict.fromkeys(range(len(self.rules)) if rules is None else rules)
        steps = 0
        while waiting:
            number = next(iter(waiting))
            del waiting[number]
            rule = self.rules[number]
            before = domains.copy()
            steps += 1
            if not rule.narrow(domains):
                return -steps
            if domains != before:
                for cell in rule.scope:
                    if domains[cell] != before[cell]:
                        waiting.update(self.watch[cell])
        return steps

    def solve(
        self,
        domains: Iterable[int],
        limit: int = 2,
        most: int = MAX_NODES,
        rules: Iterable[int] | None = None,
    ) -> SearchResult[tuple[int, ...]]:
        """Up to ``limit`` solutions, as the value of each cell.

        Only these ``rules`` are applied at first, by default all.
        """
        solutions: list[tuple[int, ...]] = []
        nodes = steps = applied = 0
        stack: list[tuple[list[int], Iterable[int] | None]] = [([*domains], rules)]
        while stack and len(solutions) < limit and nodes < most:
            nodes += 1
            board, fresh = stack.pop()
            taken = self.settle(board, fresh)
            steps += taken if taken >= 0 else 1
            applied += abs(taken)
            if taken < 0:
                continue
            cell = narrowest(board)
            if cell < 0:
                solutions.append(tuple(domain.bit_length() - 1 for domain in board))
                continue
            for value in ones(board[cell]):
                child = board.copy()
                child[cell] = 1 << value
                stack.append((child, self.watch[cell]))
        return SearchResult(solutions, nodes, steps, not stack or len(solutions) == limit, applied)


def narrowest(domains: Sequence[int]) -> int:
    """The cell with the fewest values, of those with two or more; -1 where there is none.

    >>> narrowest([0b1, 0b111, 0b101])
    2
    """
    best, least = -1, 0
    for cell, domain in enumerate(domains):
        if domain & (domain - 1):
            many = domain.bit_count()
            if best < 0 or many < least:
                best, least = cell, many
                if many == 2:
                    break
    return best


def between(low: int, high: int) -> int:
    """The values from ``low`` to ``high``, as bits.

    >>> bin(between(1, 3))
    '0b1110'
    """
    return (1 << high + 1) - (1 << low) if high >= low else 0


@dataclass(frozen=True)
class Among:
    """A cell has one of these values."""

    cell: int
    values: int

    @property
    def scope(self) -> Sequence[int]:
        return (self.cell,)

    def narrow(self, domains: list[int]) -> bool:
        domains[self.cell] &= self.values
        return domains[self.cell] > 0


@dataclass(frozen=True)
class Different:
    """No two cells are equal; with ``values``, each of those is the value of one of them."""

    scope: tuple[int, ...]
    values: int = 0

    def narrow(self, domains: list[int]) -> bool:
        known, several = 0, []
        for cell in self.scope:
            domain = domains[cell]
            if domain & (domain - 1):
                several.append(cell)
            elif not domain or known & domain:
                return False
            else:
                known |= domain
        while True:
            left = []
            for cell in several:
                domains[cell] = domain = domains[cell] & ~known
                if domain & (domain - 1):
                    left.append(cell)
                elif domain:
                    known |= domain
                else:
                    return False
            if len(left) == len(several):
                break
            several = left
        return self._hidden(domains, several, known) if self.values else True

    def _hidden(self, domains: list[int], several: list[int], known: int) -> bool:
        """Find the values with one cell left, in cells of several values without the known ones."""
        once = twice = 0
        for cell in several:
            twice |= once & domains[cell]
            once |= domains[cell]
        if self.values & ~(once | known):
            return False
        lone = once & ~twice & self.values
        if lone:
            for cell in several:
                only = domains[cell] & lone
                if only:
                    if only & (only - 1):
                        return False
                    domains[cell] = only
        return True


@dataclass(frozen=True)
class Total:
    """The values of the cells add up to a total."""

    scope: tuple[int, ...]
    total: int

    def narrow(self, domains: list[int]) -> bool:
        while True:
            up = down = 0
            several = []
            for cell in self.scope:
                domain = domains[cell]
                least = (domain & -domain).bit_length() - 1
                up += least
                if domain & (domain - 1):
                    greatest = domain.bit_length() - 1
                    down += greatest
                    several.append((cell, domain, least, greatest))
                else:
                    down += least
            up, down = self.total - up, down - self.total
            if up < 0 or down < 0:
                return False
            changed = False
            for cell, domain, least, greatest in several:
                spread = greatest - least
                if spread > up or spread > down:
                    kept = domain
                    if spread > up:
                        kept &= (2 << least + up) - 1
                    if spread > down:
                        kept &= -1 << greatest - down
                    if kept != domain:
                        if not kept:
                            return False
                        changed = True
                        domains[cell] = kept
            if not changed:
                return True


@lru_cache(maxsize=4096)
def digit_sets(many: int, total: int, highest: int = 9) -> tuple[int, ...]:
    """The sets of so many digits from 1 up that have this total, as bits.

    >>> [ones(some) for some in digit_sets(2, 5)]
    [[1, 4], [2, 3]]
    """
    every = combinations(range(1, highest + 1), many)
    return tuple(sum(1 << digit for digit in some) for some in every if sum(some) == total)


@dataclass(frozen=True)
class Cage:
    """Different digits from 1 to ``highest`` add up to a total."""

    scope: tuple[int, ...]
    total: int
    highest: int = 9

    def narrow(self, domains: list[int]) -> bool:
        some = [domains[cell] for cell in self.scope]
        union = known = 0
        for domain in some:
            union |= domain
            if not domain & (domain - 1):
                known |= domain
        kept = 0
        for digits in digit_sets(len(some), self.total, self.highest):
            if not (known & ~digits or digits & ~union) and all(d & digits for d in some):
                kept |= digits
        for cell in self.scope:
            domains[cell] &= kept
            if not domains[cell]:
                return False
        return Total(self.scope, self.total).narrow(domains)


class Rows:
    """The rows of values that some cells in a row may have, packed into integers."""

    def __init__(self, rows: Iterable[Sequence[int]], width: int) -> None:
        self.width = width
        self.packed = [sum(1 << width * n + v for n, v in enumerate(row)) for row in rows]

    @lru_cache(maxsize=8192)  # noqa: B019  # tables are few and are kept anyway
    def union(self, allowed: int) -> int:
        """What the rows within the allowed values have, taken together."""
        banned, either = ~allowed, 0
        for row in self.packed:
            if not row & banned:
                either |= row
        return either


@dataclass(frozen=True)
class Table:
    """The cells, in order, have one of the rows of a table."""

    scope: tuple[int, ...]
    rows: Rows

    def narrow(self, domains: list[int]) -> bool:
        width, allowed = self.rows.width, 0
        for n, cell in enumerate(self.scope):
            allowed |= domains[cell] << width * n
        union = self.rows.union(allowed)
        if not union:
            return False
        only = (1 << width) - 1
        for n, cell in enumerate(self.scope):
            domains[cell] = union >> width * n & only
        return True


def enough(board: Board, domains: list[int], hints: Iterable[tuple[Clue, Rule]]) -> list[Clue]:
    """The clues, in this order, that do not follow from those before, until all is settled.

    The rules of the clues are added to the board, and the domains narrowed. If the hints are
    all true and determine every cell, the puzzle has one solution, which needs no search.
    """
    kept: list[Clue] = []
    board.settle(domains)
    for clue, rule in hints:
        if narrowest(domains) < 0:
            break
        before = [domains[cell] for cell in rule.scope]
        if rule.narrow(domains) and [domains[cell] for cell in rule.scope] != before:
            kept.append(clue)
            board.add(rule)
            changed = [c for c, old in zip(rule.scope, before) if domains[c] != old]
            board.settle(domains, [number for cell in changed for number in board.watch[cell]])
    return kept
