"""Walking on a map with ice, one-way arrows, portals and walls, in the manner of tile games."""

from collections.abc import Iterable
from random import Random
from typing import Self

from palaestra.generators.cells import COUNTED
from palaestra.generators.simulations import SimulationReport
from palaestra.generators.spatial.map_walk import (
    ARROWS,
    COIN,
    FREE,
    ICE,
    PORTALS,
    STEP,
    WALL,
    Cell,
    moved,
)
from palaestra.generators.tiles import stacked, wrapped
from palaestra.scenes import Cell as Square
from palaestra.scenes import Grid, Panels, cells_of
from palaestra.scenes.elements import Mark, changed
from palaestra.task import ladder
from palaestra.verifiers.reading.cells import cell as cell_at
from palaestra.verifiers.reading.cells import cell_name
from palaestra.verifiers.reading.labels import pairs

MARKS: dict[str, Mark] = {"up": "up", "down": "down", "left": "left", "right": "right"}
SQUARES = {
    FREE: Square(),
    WALL: Square(fill="dark"),
    ICE: Square(fill="water", text=ICE),
    COIN: Square(mark="disc", tone="c6"),
    **{sign: Square(fill="t1", mark=MARKS[move]) for sign, move in ARROWS.items()},
    **{portal: Square(portal, mark="disc", tone="c8") for portal in PORTALS},
}
"""How the signs of a map are drawn."""


class MapWalk(SimulationReport):
    """Follow moves over ice, arrows, portals and walls; state where they end and what they take."""

    tags = {"spatial", "simulation", "state-tracking", "unique-solution"}
    labels = ("end", "coins", "blocked")

    class Knobs(SimulationReport.Knobs):
        size: int = ladder(4, 5, 6, 7, 8, 10, 12, high=20)
        moves: int = ladder(4, 6, 9, 14, 20, 32, 50, high=100)
        kinds: int = ladder(1, 2, 3, 4)  # walls, then ice, then arrows, then portals
        share: float = ladder(0.2, 0.25, 0.3, 0.35, 0.4, high=0.5)  # of cells with such a tile

    board: tuple[str, ...]
    start: Cell
    moves: tuple[str, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = knobs.size
        tiles = [WALL, ICE, rng.choice([*ARROWS])][: min(knobs.kinds, 3)]
        number = round(knobs.share * size * size)
        signs = [rng.choice([*ARROWS]) if t in ARROWS else t for t in rng.choices(tiles, k=number)]
        if knobs.kinds > 3:
            signs += [*PORTALS[: 1 + size // 6]] * 2
        signs += [COIN] * (size * size // 5)
        signs += [FREE] * (size * size - len(signs))
        rng.shuffle(signs)
        free = rng.choice([n for n, sign in enumerate(signs) if sign == FREE])
        board = tuple("".join(signs[n : n + size]) for n in range(0, size * size, size))
        moves = tuple(rng.choices([*STEP], k=knobs.moves))
        return cls(board=board, start=divmod(free, size), moves=moves)

    def is_valid(self) -> bool:
        """Whether the walk ends away from its start and takes a coin."""
        end, coins, _ = self.result()
        return end != self.start and coins > 0

    def result(self) -> tuple[Cell, int, int]:
        end, coins, blocked = self.start, set[Cell](), 0
        for move in self.moves:
            path = moved(self.board, end, move)
            blocked += not path
            coins |= {c for c in path if self.board[c[0]][c[1]] == COIN}
            end = path[-1] if path else end
        return end, len(coins), blocked

    def prompt(self) -> str:
        drawing = "\n".join(" ".join(row) for row in self.board)
        opening = self.phrase(
            "You walk on this map and follow a list of moves.",
            "A figure is moved about on this map.",
        )
        return (
            f"{opening} {COUNTED}; r1c2 is the cell in row 1, column 2.\n\n{drawing}\n\n"
            f"{self.legend()}\n\nThe walk starts at {cell_name(*self.start)}. The moves are: "
            f"{', '.join(self.moves)}.\n\nWrite three lines: the cell where the walk ends, the "
            "number of coins taken, and the number of moves in the list that were blocked, such as "
            "'end: r1c2', 'coins: 12' and 'blocked: 15'."
        )

    def legend(self) -> str:
        """The meaning of the characters on the map."""
        signs = {*"".join(self.board)}
        step = (
            "Each move in the list is one step up, down, left or right. A step into a wall or off "
            "the map is not made; if this happens at the first step of a move, so that nothing at "
            "all changes, the move counts as blocked."
        )
        ground = (
            f"'{FREE}' is free ground. '{COIN}' is free ground with a coin, which is taken when "
            "the cell is entered or slid across, once only."
        )
        lines = [step, ground]
        if WALL in signs:
            lines.append(f"'{WALL}' is a wall.")
        if ICE in signs:
            lines.append(
                f"'{ICE}' is ice: whoever enters it slides one more step in the direction of the "
                "last step, and so on while on ice; if that step cannot be made, the slide, and "
                "with it the move, ends there on the ice."
            )
        if signs & {*ARROWS}:
            lines.append(
                "'^', 'v', '<' and '>' are arrows: whoever enters one takes one more step, in the "
                "direction of the arrow (up, down, left, right); if that step cannot be made, the "
                "move ends there on the arrow."
            )
        if signs & {*PORTALS}:
            lines.append(
                "The letters are portals, two of each: whoever enters one is moved at once to the "
                "other cell with the same letter, where the move ends."
            )
        if len(signs & {ICE, *ARROWS}) > 0:
            lines.append(f"A move that has made {4 * len(self.board)} steps ends where it then is.")
        return "\n".join(lines)

    def scene(self) -> Panels:
        moves = wrapped([Square(mark=MARKS[move]) for move in self.moves], len(self.board))
        return stacked({"Map": self.map_at(self.start), "Moves": moves})

    def solved_scene(self, answer: str) -> Panels:
        (row, column), coins, blocked = self.read(answer)
        end = changed(self.map_at(None), last=((row, column),))
        flag = changed(end.cells[row][column], mark="flag", tone="accent")
        rows = [[*line] for line in end.cells]
        rows[row][column] = flag
        caption = f"End (coins: {coins}, blocked: {blocked})"
        return stacked({caption: changed(end, cells=tuple(map(tuple, rows)))})

    def map_at(self, walker: Cell | None) -> Grid:
        """The map, with the walker on free ground."""
        rows = [[*line] for line in cells_of(self.board, SQUARES)]
        if walker:
            rows[walker[0]][walker[1]] = Square(mark="person", tone="accent")
        return Grid(tuple(map(tuple, rows)), coordinates=True)

    def value_text(self, value: int | Cell) -> str:
        return str(value) if isinstance(value, int) else cell_name(*value)

    def read_value(self, label: str, text: str) -> int | Cell:
        size = len(self.board)
        if label == "end":
            return cell_at(text, size, size)
        return int(super().read_value(label, text))

    def difficulty(self) -> float | None:
        cell, steps = self.start, 0
        for move in self.moves:
            path = moved(self.board, cell, move)
            steps += 1 + len(path)
            cell = path[-1] if path else cell
        return steps

    def audit(self, answer: str) -> bool:
        return pairs(answer, names=self.labels) == pairs(self.answer(), names=self.labels)

    def shortcuts(self) -> Iterable[str]:
        return [self.as_text((self.start, n, m)) for n in (0, 1) for m in (0, 1)]
