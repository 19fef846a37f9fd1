"""The rules of flood filling: the region of the first cell takes colours until it is the board."""

from collections.abc import Sequence
from dataclasses import dataclass

from palaestra.generators.games.grid_neighbours import neighbours
from palaestra.generators.games.solo import SoloRules
from palaestra.scenes import Cell, Grid
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.values import plain

NAMES = ("red", "green", "blue", "yellow", "purple", "white", "orange", "black")
"""The names of the colours."""

LETTERS = {name[0].upper(): name for name in NAMES if name != "black"}
"""The first letters of colours, which differ for those that are on boards."""

FILLER = frozenset(
    [
        "i",
        "my",
        "the",
        "move",
        "is",
        "it",
        "fill",
        "paint",
        "choose",
        "pick",
        "play",
        "use",
        "with",
        "to",
        "colour",
        "color",
    ]
)
"""Words around a colour that say nothing."""

TONES = ("c3", "c2", "c0", "c4", "c5", "white", "c1")

Board = tuple[int, ...]
"""The colour of each cell, row by row."""


@dataclass(frozen=True)
class FloodFill(SoloRules[Board, int]):
    """A square board; a move is a colour, which the region of the upper left cell takes."""

    size: int

    def legal(self, state: Board) -> Sequence[int]:
        return sorted(set(state) - {state[0]})

    def apply(self, state: Board, move: int) -> Board:
        cells = list(state)
        for cell in self.region(state):
            cells[cell] = move
        return tuple(cells)

    def region(self, state: Board) -> list[int]:
        """The cells that are connected with the first one by cells of its colour."""
        around, colour = neighbours(self.size, self.size), state[0]
        cells, seen = [0], {0}
        for cell in cells:
            for other in around[cell]:
                if state[other] == colour and other not in seen:
                    seen.add(other)
                    cells.append(other)
        return cells

    def distance(self, state: Board) -> float:
        """How many regions lie at least between the first one and the farthest; a move brings each
        of them nearer by one at most. Each colour other than the first one takes a move, too.
        """
        around = neighbours(self.size, self.size)
        steps = 0
        wave, seen = self.region(state), set[int]()
        seen.update(wave)
        while True:
            beyond = {o for cell in wave for o in around[cell] if o not in seen}
            if not beyond:
                return float(max(steps, len(set(state)) - 1))
            steps += 1
            wave = list(beyond)
            seen.update(wave)
            for cell in wave:  # with all that is connected with it in its own colour
                for other in around[cell]:
                    if other not in seen and state[other] == state[cell]:
                        seen.add(other)
                        wave.append(other)

    def judgement(self, state: Board) -> float:
        """The number of cells of the region."""
        return float(len(self.region(state)))

    def name(self, state: Board, move: int) -> str:
        return NAMES[move]

    def read(self, state: Board, text: str) -> int:
        words = plain(text).strip(" .").casefold().split()
        named = [word for word in words if word not in FILLER]
        wanted = LETTERS.get(named[0].upper(), named[0]) if len(named) == 1 else ""
        legal = {NAMES[move]: move for move in self.legal(state)}
        if wanted not in legal:
            raise InvalidAnswer(f"expected one of {', '.join(legal)}")
        return legal[wanted]

    def show(self, state: Board) -> str:
        letters = [NAMES[colour][0].upper() for colour in state]
        rows = range(0, len(state), self.size)
        return "\n".join(" ".join(letters[row : row + self.size]) for row in rows)

    def scene(self, state: Board) -> Grid:
        """The board, with the region of the first cell marked."""
        cells = [Cell(NAMES[colour][0].upper(), fill=TONES[colour]) for colour in state]
        rows = range(0, len(state), self.size)
        region = sorted(self.region(state))
        return Grid(
            tuple(tuple(cells[row : row + self.size]) for row in rows),
            last=tuple(divmod(cell, self.size) for cell in region),
        )
