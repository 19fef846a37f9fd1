"""Tiles with pipes to be turned until they are one network without a loop, and their solver.

The solver keeps the tiles that are still possible for each cell, and removes those that do not meet
the tiles beside them, that close a loop, or that leave a part of the board cut off. Where nothing
more follows, it tries the tiles of a cell one after the other.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import chain, count
from operator import ne
from random import Random
from typing import NamedTuple

from palaestra.generators.bitsets import ones
from palaestra.generators.games.solo import SoloRules
from palaestra.generators.pipe_tiles import FACING, turnings
from palaestra.scenes import Border, Cell, Grid, Line
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import LONGEST
from palaestra.verifiers.reading.cells import cell, cell_name
from palaestra.verifiers.reading.values import plain

STEPS = {"U": (-1, 0), "L": (0, -1), "R": (0, 1), "D": (1, 0)}
WORDS = {"up": "U", "top": "U", "right": "R", "down": "D", "bottom": "D", "left": "L"}
FILLER = frozenset(
    ("and", "to", "into", "as", "so", "that", "it", "is", "be", "should", "now", "open", "opens",
     "becomes", "facing", "with", "on", "the")
)  # fmt: skip
"""Words around a tile that say nothing."""
LEADS = frozenset(
    ("turn", "turning", "rotate", "rotating", "change", "set", "put", "make", "the", "tile", "at",
     "cell", "in")
)  # fmt: skip
"""Words before a cell that say nothing."""
MARKS = dict.fromkeys(map(ord, "*`\"'\u201c\u201d:;=+.!>|-\u2192"), " ")
_JOINED = re.compile(r"(r\d+c\d+)([urdl]+)\b", re.ASCII | re.IGNORECASE)
"""A cell and its tile without a space between them."""
_NEGATIVE = re.compile(r"(?<![a-z0-9])-\d|(?<![a-z])[rc]-\d", re.ASCII | re.IGNORECASE)
"""A negative row or column."""

Tiles = tuple[str, ...]
"""The tile of each cell in reading order, as the sides on which its pipe is open."""

Move = tuple[int, str]
"""A cell, and its tile after it was turned."""

TILES = tuple("".join(s for n, s in enumerate("DLRU") if tile >> n & 1) for tile in range(16))
"""All tiles."""

OPEN = {side: sum(1 << n for n, tile in enumerate(TILES) if side in tile) for side in STEPS}
"""The tiles that are open on a side, as bits in the order of :data:`TILES`."""

Wall = tuple[int, int]
"""Two cells side by side, the smaller number first."""

MAX_TRIES = 400
"""The most tiles that a search for solutions tries."""


class Solutions(NamedTuple):
    """Up to two solutions, and the tiles that were tried; None in place of them if too many."""

    tiles: tuple[Tiles, ...] | None
    tries: int


@dataclass(frozen=True)
class PipeTurning(SoloRules[Tiles, Move]):
    """Turn the tiles until all pipes are one network. On a torus, which has at least three rows and
    columns, opposite edges touch.
    """

    rows: int
    columns: int
    wraps: bool
    walls: tuple[Wall, ...] = ()

    @cached_property
    def beside(self) -> tuple[Mapping[str, int], ...]:
        """The neighbours of each cell by the side on which they are; none behind walls."""
        near = _sides(self.rows, self.columns, self.wraps)
        return tuple(
            {
                side: other
                for side, other in around.items()
                if (min(one, other), max(one, other)) not in self.walls
            }
            for one, around in enumerate(near)
        )

    def legal(self, state: Tiles) -> Sequence[Move]:
        return _legal(state)

    def apply(self, state: Tiles, move: Move) -> Tiles:
        at, tile = move
        return (*state[:at], tile, *state[at + 1 :])

    def distance(self, state: Tiles) -> float:
        """The number of tiles that lie otherwise than in the only solution."""
        solutions = solved(self, tuple(map(_shape, state))).tiles
        if not solutions:
            return float("inf")
        return float(sum(map(ne, state, solutions[0])))

    def judgement(self, state: Tiles) -> float:
        """The ends of pipes that meet another end, less those that do not."""
        near, total = self.beside, 0
        for at, tile in enumerate(state):
            for side in tile:
                other = near[at].get(side)
                total += 1 if other is not None and FACING[side] in state[other] else -1
        return float(total)

    def fits(self, at: int, tile: str, settled: Mapping[int, str]) -> bool:
        """Whether a tile agrees with the walls around it and with the tiles that are settled."""
        near = self.beside[at]
        return all(side in near for side in tile) and all(
            (side in tile) == (FACING[side] in settled[other])
            for side, other in near.items()
            if other in settled
        )

    def name(self, state: Tiles, move: Move) -> str:
        return _name(move, self.columns)

    def read(self, state: Tiles, text: str) -> Move:
        words, sides = _split(text)
        row, column = cell(" ".join(words), self.rows, self.columns, "r2c3")
        at, tile = row * self.columns + column, "".join(sorted(sides))
        turns = _others(state[at])
        if not turns:
            raise InvalidAnswer(f"the tile of {cell_name(row, column)} cannot be turned")
        if tile not in turns:
            allowed = ", ".join(turns)
            raise InvalidAnswer(f"the tile of {cell_name(row, column)} can be turned to {allowed}")
        return at, tile

    def show(self, state: Tiles) -> str:
        """The tiles, with walls between them."""
        return self._frame % tuple(map(_centred, state))

    @cached_property
    def _frame(self) -> str:
        """The drawing of a board, with a place for each tile."""
        numbers = "".join(f"{n + 1:^5}" for n in range(self.columns))
        lines = [f"    {numbers}".rstrip(), f"   {self._border(0)}"]
        for row in range(self.rows):
            signs = [self._sign(row, n, "L") + "%s" for n in range(self.columns)]
            lines.append(f"{row + 1:>2} {''.join(signs)}{self._sign(row, self.columns - 1, 'R')}")
            lines.append(f"   {self._border(row + 1)}")
        return "\n".join(lines)

    def _sign(self, row: int, column: int, side: str) -> str:
        return " " if side in self.beside[row * self.columns + column] else "|"

    def _border(self, row: int) -> str:
        """The line above a row, or below the last one."""
        side, row = ("U", row) if row < self.rows else ("D", row - 1)
        near = self.beside[row * self.columns :][: self.columns]
        return "".join("+    " if side in around else "+----" for around in near) + "+"

    def scene(self, state: Tiles) -> Grid:
        """The pipes; one with a single open side ends in a disc. Walls are thick."""
        ends = {1: Cell(mark="disc", tone="c0")}
        cells = [ends.get(len(tile), Cell()) for tile in state]
        rows = range(0, len(state), self.columns)
        return Grid(
            tuple(tuple(cells[n : n + self.columns]) for n in rows),
            lines=tuple(
                _pipe(*divmod(at, self.columns), tile) for at, tile in enumerate(state) if tile
            ),
            borders=tuple(self._walls()),
            coordinates=True,
        )

    def _walls(self) -> Iterator[Border]:
        corners = {"U": ((0, 0), (0, 1)), "L": ((0, 0), (1, 0))}
        corners |= {"D": ((1, 0), (1, 1)), "R": ((0, 1), (1, 1))}
        for at, around in enumerate(self.beside):
            row, column = divmod(at, self.columns)
            for side, ends in corners.items():
                if side not in around:
                    yield Border(tuple((row + r, column + c) for r, c in ends), width=0.14)


@lru_cache(maxsize=64)
def _sides(rows: int, columns: int, wraps: bool) -> tuple[Mapping[str, int], ...]:
    """The neighbours of each cell of a board without walls, by their sides."""
    board = []
    for at in range(rows * columns):
        around = {}
        for side, (down, right) in STEPS.items():
            row, column = at // columns + down, at % columns + right
            other = row % rows * columns + column % columns
            if wraps or (0 <= row < rows and 0 <= column < columns):
                around[side] = other
        board.append(around)
    return tuple(board)


@cache
def _others(tile: str) -> tuple[str, ...]:
    """What a tile can be turned to, other than itself."""
    return tuple(other for other in turnings(tile) if other != tile)


@cache
def _shape(tile: str) -> str:
    """The first of the tiles that a tile can be turned to."""
    return turnings(tile)[0]


@cache
def _centred(tile: str) -> str:
    """A tile as it is drawn."""
    return f"{tile:^4}"


@lru_cache(maxsize=256)
def _legal(state: Tiles) -> tuple[Move, ...]:
    """The ways to turn a tile."""
    return tuple(chain.from_iterable(map(_turns, count(), state)))


@lru_cache(maxsize=4096)
def _turns(at: int, tile: str) -> tuple[Move, ...]:
    """The ways to turn the tile of a cell."""
    return tuple((at, other) for other in _others(tile))


@lru_cache(maxsize=4096)
def _name(move: Move, columns: int) -> str:
    return f"{cell_name(*divmod(move[0], columns))} {move[1]}"


@lru_cache(maxsize=4096)
def _pipe(row: int, column: int, tile: str) -> Line:
    """The line of a pipe from the middle of a cell to its open sides."""
    ends = [(row + STEPS[side][0] / 2, column + STEPS[side][1] / 2) for side in tile]
    rest = ends[1:] or ends
    return Line((ends[0], *(point for end in rest for point in ((row, column), end))), "c0", 0.2)


def _split(text: str) -> tuple[list[str], str]:
    """The words of a move before its tile, and the sides of the tile."""
    body = plain(text)
    if len(body) > LONGEST:
        raise InvalidAnswer(f"a move has at most {LONGEST} characters")
    if _NEGATIVE.search(body):
        raise InvalidAnswer("rows and columns are counted from 1")
    body = _JOINED.sub(r"\1 \2", body)
    words, sides = body.translate(MARKS).replace("/", " ").split(), ""
    while words:
        word = words[-1].strip(",()[]{}").casefold()
        if word in WORDS:
            sides += WORDS[word]
        elif word and not word.upper().strip("URDL"):
            sides += word.upper()
        elif word not in FILLER and word:
            break
        words.pop()
    if not sides or len(set(sides)) < len(sides):
        raise InvalidAnswer("expected a cell and the sides on which its pipe is then open")
    while words and words[0].casefold() in LEADS:
        del words[0]
    return words, sides


@lru_cache(maxsize=256)
def solved(rules: PipeTurning, shapes: Tiles) -> Solutions:
    """Up to two ways to turn tiles that are one network without a loop."""
    solver = _Solver(rules)
    domains = [
        sum(1 << TILES.index(tile) for tile in turnings(shape) if all(s in near for s in tile))
        for shape, near in zip(shapes, rules.beside)
    ]
    solver.search(domains, [*range(len(domains))])
    return Solutions(None if solver.tries > MAX_TRIES else tuple(solver.solutions), solver.tries)


class _Solver:
    """A search for two solutions. The tiles that are possible for a cell are bits in the order of
    :data:`TILES`.
    """

    def __init__(self, rules: PipeTurning) -> None:
        self.near = [
            [(OPEN[side], OPEN[FACING[side]], other) for side, other in around.items()]
            for around in rules.beside
        ]
        self.links = [
            (at, OPEN[side], around[side])
            for at, around in enumerate(rules.beside)
            for side in ("R", "D")
            if side in around
        ]
        self.solutions = list[Tiles]()
        self.tries = 0

    def search(self, domains: list[int], changed: list[int]) -> None:
        """Add what solutions there are within these domains."""
        if not self.narrowed(domains, changed):
            return
        open_cells = [at for at, tiles in enumerate(domains) if tiles & (tiles - 1)]
        if not open_cells:
            self.solutions.append(tuple(TILES[tiles.bit_length() - 1] for tiles in domains))
            return
        at = min(open_cells, key=lambda at: domains[at].bit_count())
        for tile in ones(domains[at]):
            self.tries += 1
            if len(self.solutions) > 1 or self.tries > MAX_TRIES:
                return
            attempt = domains.copy()
            attempt[at] = 1 << tile
            self.search(attempt, [at])

    def narrowed(self, domains: list[int], queue: list[int]) -> bool:
        """Remove what does not fit until nothing more follows; whether all cells keep a tile."""
        while True:
            if not self.met(domains, queue):
                return False
            loops = self.loops(domains)
            if loops is None or not self.reached(domains):
                return False
            if not loops:
                return True
            for at, tiles in loops:
                domains[at] &= ~tiles
            queue = [at for at, _ in loops]

    def met(self, domains: list[int], queue: list[int]) -> bool:
        """Remove tiles that do not meet those beside them."""
        while queue:
            at = queue.pop()
            tiles = domains[at]
            if not tiles:
                return False
            for side, facing, other in self.near[at]:
                may = tiles & side
                if may and may != tiles:
                    continue
                left = domains[other] & (facing if may else ~facing)
                if left != domains[other]:
                    domains[other] = left
                    queue.append(other)
        return True

    def loops(self, domains: list[int]) -> list[tuple[int, int]] | None:
        """The cells with a link that would close a loop with certain ones, and the tiles that have
        that link; None if certain ones are a loop.
        """
        root = [*range(len(domains))]

        def first(at: int) -> int:
            while root[at] != at:
                root[at] = at = root[root[at]]
            return at

        open_links = []
        for at, side, other in self.links:
            tiles = domains[at]
            if not tiles & ~side:
                one, two = first(at), first(other)
                if one == two:
                    return None
                root[one] = two
            elif tiles & side:
                open_links.append((at, side, other))
        return [(at, side) for at, side, other in open_links if first(at) == first(other)]

    def reached(self, domains: list[int]) -> bool:
        """Whether all cells can still be connected with the first one."""
        seen, queue = {0}, [0]
        for at in queue:
            tiles = domains[at]
            for side, _, other in self.near[at]:
                if tiles & side and other not in seen:
                    seen.add(other)
                    queue.append(other)
        return len(seen) == len(domains)


def spanning_tree(rng: Random, rules: PipeTurning) -> Tiles:
    """The tiles of a random tree through all cells, none of which is open on all four sides."""
    links = [
        (at, side, around[side])
        for at, around in enumerate(rules.beside)
        for side in ("R", "D")
        if side in around
    ]
    piece, tiles = [*range(len(rules.beside))], [""] * len(rules.beside)
    for at, side, other in rng.sample(links, len(links)):
        one, two = piece[at], piece[other]
        if one != two and max(len(tiles[at]), len(tiles[other])) < 3:
            piece = [one if each == two else each for each in piece]
            tiles[at] += side
            tiles[other] += FACING[side]
    return tuple("".join(sorted(tile)) for tile in tiles)


def walled(rules: PipeTurning, tree: Tiles, most: int) -> tuple[PipeTurning, Solutions]:
    """The board with up to so many walls, each of which excludes another solution than the tree,
    and what solutions are left.
    """
    shapes = tuple(map(_shape, tree))
    while True:
        solutions = solved(rules, shapes)
        others = [tiles for tiles in solutions.tiles or () if tiles != tree]
        if not others or len(rules.walls) == most:
            return rules, solutions
        at, side = next(
            (at, side)
            for at, (tile, old) in enumerate(zip(others[0], tree))
            for side in tile
            if side not in old
        )
        other = rules.beside[at][side]
        wall = min(at, other), max(at, other)
        walls = tuple(sorted((*rules.walls, wall)))
        rules = PipeTurning(rules.rows, rules.columns, rules.wraps, walls)
