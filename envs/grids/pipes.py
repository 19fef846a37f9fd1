"""Pipes, known as Net or FreeNet: tiles to be turned until they are one network without a loop.

The puzzle is that of Pavils Jurjans's FreeNet, of NetWalk and of Simon Tatham's Net.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations, product
from random import Random
from typing import Self

from palaestra.generators.baselines import fillings
from palaestra.generators.cells import images, in_rows, text
from palaestra.generators.exchanges import exchanges
from palaestra.generators.grids.lines import SIDES, links, pipe, roots
from palaestra.generators.grids.pencil import Pencil, SearchResult
from palaestra.generators.grids.pipes import branching, laid, opened, solve
from palaestra.generators.grids.shapes import ways
from palaestra.generators.pipe_tiles import FACING, turned, turnings
from palaestra.scenes import Cell, Grid
from palaestra.task import InvalidAnswer, Score, ladder
from palaestra.verifiers.reading.cells import cell_name
from palaestra.verifiers.reading.grids import grid

TILES = tuple("".join(tile) for size in range(1, 5) for tile in permutations(SIDES, size))
"""Every way to write a tile."""


class Pipes(Pencil):
    """Turn the tiles of a grid until all pipes are one connected network without loose ends."""

    version = 2
    tags = {"grid", "connectivity", "constraint-satisfaction", "unique-solution"}

    class Knobs(Pencil.Knobs):
        rows: int = ladder(3, 4, 6, 16, 17, 18, 20)
        columns: int = ladder(4, 4, 6, 17, 18, 19, 20, low=3)

    tiles: tuple[tuple[str, ...], ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        tree = branching(rng, knobs.rows, knobs.columns)
        flat = [turned(tile, rng.randrange(4)) for tile in opened(tree, knobs.rows, knobs.columns)]
        wide = knobs.columns
        return cls(tiles=tuple(map(tuple, in_rows(flat, wide))))

    def solved(self) -> SearchResult[int]:
        return solve(self.tiles)

    def canonical(self) -> str:
        """Tiles without their rotation, which does not matter; the same for all mirror images."""
        shapes = [[turnings(tile)[0] for tile in row] for row in self.tiles]
        return min("\n".join(map(" ".join, image)) for image in images(shapes))

    def alterations(self, rng: Random) -> Iterator[Self]:
        """Two tiles of different shapes change places, neither of them at the edge."""
        rows, columns = len(self.tiles), len(self.tiles[0])
        flat = [tile for row in self.tiles for tile in row]
        shapes = [turnings(tile)[0] for tile in flat]
        edges = [
            (row in (0, rows - 1)) + (column in (0, columns - 1))
            for row, column in product(range(rows), range(columns))
        ]
        for order in exchanges(range(rows * columns), rng, lambda cell: edges[cell]):
            if [shapes[cell] for cell in order] != shapes:
                tiles = tuple(map(tuple, in_rows([flat[cell] for cell in order], columns)))
                yield self.model_copy(update={"tiles": tiles})

    def prompt(self) -> str:
        rows, columns = len(self.tiles), len(self.tiles[0])
        rules = self.phrase(
            f"This grid of {rows} rows and {columns} columns is full of tiles with pipes. Each "
            "tile is written as the sides on which its pipe is open: U for up, R for right, D for "
            "down, L for left. Turn every tile in place, by any number of quarter turns, so that "
            "in the end no pipe is open towards the edge of the grid, a pipe is open towards a "
            "neighbouring tile if and only if that tile's pipe is open towards it, and all tiles "
            "are connected to one another by the pipes, without any closed loop.",
            f"A plumber's puzzle of {rows} by {columns} tiles: the letters of a tile state towards "
            "which of its neighbours its pipe leads (U up, R right, D down, L left). The tiles "
            "stay in their places but may be rotated by 90, 180 or 270 degrees, so that LU may "
            "become RU or DR, say, but never LR. Rotate them so that every end of a pipe meets an "
            "end of a pipe of the tile beside it, none points out of the grid, and all tiles form "
            "a single network with exactly one path from any tile to any other.",
        )
        example = " ".join((["DR", "LU", "D"] * columns)[:columns])
        return (
            f"{rules} There is exactly one way to do it.\n\n{text(self.tiles)}\n\nAnswer with the "
            f"whole grid after the turns: {rows} lines of {columns} tiles separated by spaces, the "
            f"letters of a tile in any order. A line looks like '{example}'."
        )

    def scene(self) -> Grid:
        return pipework(self.tiles, "ink")

    def solved_scene(self, answer: str) -> Grid:
        return pipework(in_rows(self.read(answer), len(self.tiles[0])), "accent")

    def answer(self) -> str:
        (tree,) = self.solved().solutions
        return laid(opened(tree, len(self.tiles), len(self.tiles[0])), len(self.tiles[0]))

    def verify(self, answer: str) -> Score:
        rows, columns = len(self.tiles), len(self.tiles[0])
        flat, pairs, on = self.read(answer), ways(rows, columns), 0
        lying = (tile for row in self.tiles for tile in row)
        for cell, (tile, was, wires) in enumerate(zip(flat, lying, links(rows, columns))):
            if tile not in turnings(was):
                return Score(0, f"{self.name(cell)} is not a rotation of the tile there")
            for side in tile:
                if side not in wires:
                    return Score(0, f"the pipe of {self.name(cell)} is open towards the edge")
                beside = sum(pairs[wires[side]]) - cell
                if FACING[side] not in flat[beside]:
                    violation = f"a pipe of {self.name(cell)} meets no pipe of the tile beside it"
                    return Score(0, violation)
                on |= 1 << wires[side]
        root = roots(on, rows, columns)
        if root is None:
            return Score(0, "the pipes form a closed loop")
        return Score(1) if not any(root) else Score(0, "the pipes are not one network")

    def name(self, cell: int) -> str:
        """The name of a cell."""
        return cell_name(*divmod(cell, len(self.tiles[0])))

    def read(self, answer: str) -> list[str]:
        """The tiles of an answer in reading order, the letters of each sorted."""
        rows, columns = len(self.tiles), len(self.tiles[0])
        try:
            table = grid(answer, rows, columns, TILES)
        except InvalidAnswer:
            raise InvalidAnswer(
                f"expected {rows} lines of {columns} tiles, each of letters among U, R, D and L"
            ) from None
        return ["".join(sorted(tile)) for row in table for tile in row]

    def audit(self, answer: str) -> bool:
        return self.read(answer) == self.read(self.answer())

    @classmethod
    def small(cls) -> Knobs:
        # Too few tasks for both splits, but every way to turn the tiles can be tried.
        return cls.Knobs.model_construct(rows=2, columns=3)

    def candidates(self) -> Iterable[str]:
        flat = [tile for row in self.tiles for tile in row]
        for tiles in product(*map(turnings, flat)):
            yield laid(tiles, len(self.tiles[0]))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Turn tile by tile to agree with the edge and the tiles that are turned already."""
        rows, columns = len(self.tiles), len(self.tiles[0])
        lying = [tile for row in self.tiles for tile in row]
        pairs, wires = ways(rows, columns), links(rows, columns)

        def fits(cell: int, tile: str, tiles: Mapping[int, str]) -> bool:
            for side in FACING:
                if side not in wires[cell]:
                    if side in tile:
                        return False
                else:
                    beside = sum(pairs[wires[cell][side]]) - cell
                    if beside in tiles and (side in tile) != (FACING[side] in tiles[beside]):
                        return False
            return True

        def options(cell: int, tiles: Mapping[int, str]) -> list[str]:
            return [tile for tile in turnings(lying[cell]) if fits(cell, tile, tiles)]

        cells = range(rows * columns)
        return {
            player: laid([tiles.get(n, lying[n]) for n in cells], columns)
            for player, tiles in fillings(cells, options, rng).items()
        }


def pipework(tiles: Sequence[Sequence[str]], tone: str) -> Grid:
    """The scene of tiles; a pipe that is open on one side alone ends in a disc."""
    lines = [
        pipe((r, c), tile, tone, width=0.2)
        for r, row in enumerate(tiles)
        for c, tile in enumerate(row)
    ]
    ends = {1: Cell(mark="disc", tone=tone)}
    cells = tuple(tuple(ends.get(len(tile), Cell()) for tile in row) for row in tiles)
    return Grid(cells, lines=tuple(lines))
