"""Boards on which blocks slide, such as cars that keep to their lines.

A block is a set of cells as bits of a number. Each row has one cell more than is used, which is
always taken, as are rows above and below, so that nothing slides off the board.
"""

from collections.abc import Iterator, Sequence

Blocks = tuple[int, ...]


class Yard:
    """The size of a board, its walls, and the ways in which each block may slide."""

    def __init__(self, rows: int, columns: int, ways: Sequence[str]) -> None:
        self.rows, self.columns, self.ways = rows, columns, ways
        self.width = columns + 1
        self.steps = {"left": -1, "right": 1, "up": -self.width, "down": self.width}
        self.senses = [[(way, self.steps[way]) for way in each.split()] for each in ways]
        self.walls = (1 << self.width * (rows + 2) + 1) - 1
        for row in range(rows):
            for column in range(columns):
                self.walls ^= self.bit(row, column)

    def bit(self, row: int, column: int) -> int:
        """A cell, counted from 0, as a bit."""
        return 1 << (row + 1) * self.width + column + 1

    def block(self, row: int, column: int, high: int, wide: int) -> int:
        """A block of a size, by its top left cell."""
        cells = ((r, c) for r in range(row, row + high) for c in range(column, column + wide))
        return sum(self.bit(r, c) for r, c in cells)

    def slid(self, blocks: Blocks, number: int, way: str) -> Blocks | None:
        """The blocks after one of them slides by a cell, or none where something is in its way."""
        step, block = self.steps[way], blocks[number]
        moved = block << step if step > 0 else block >> -step
        taken = self.walls
        for other in blocks:
            taken |= other
        if moved & (taken ^ block):
            return None
        return (*blocks[:number], moved, *blocks[number + 1 :])

    def drives(self, blocks: Blocks) -> Iterator[tuple[int, str, int, Blocks]]:
        """Every slide of one block straight on, by one cell or more."""
        taken = self.walls
        for other in blocks:
            taken |= other
        for number, block in enumerate(blocks):
            rest, before, behind = taken ^ block, blocks[:number], blocks[number + 1 :]
            for way, step in self.senses[number]:
                cells, moved = 1, block << step if step > 0 else block >> -step
                while not moved & rest:
                    yield number, way, cells, (*before, moved, *behind)
                    cells, moved = cells + 1, moved << step if step > 0 else moved >> -step

    def text(self, blocks: Blocks, names: str) -> str:
        """The board with a letter for each cell of a block, and dots."""
        return "\n".join(
            " ".join(
                next((name for name, b in zip(names, blocks) if b & self.bit(r, c)), ".")
                for c in range(self.columns)
            )
            for r in range(self.rows)
        )
