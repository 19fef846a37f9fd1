"""Rush Hour, the sliding puzzle of Nobuyuki Yoshigahara (1970s), in which cars keep to their lines.

Gary Flake and Eric Baum (2002) show that it is PSPACE-complete. As it is usual in making such
puzzles, all positions that the cars can get into are searched for one that is far from the exit.
"""

from collections.abc import Iterable
from random import Random
from typing import Self

from palaestra.generators.planning.pictures import PicturedPlan, outline
from palaestra.generators.planning.rush_hour.parking import SIZE, cells, room, text
from palaestra.generators.planning.rush_hour.positions import (
    EXIT,
    Cars,
    Drive,
    laid_out,
    sense,
    start_and_plan,
)
from palaestra.scenes import Cell, Grid
from palaestra.task import ladder
from palaestra.verifiers.planning.plans import Illegal
from palaestra.verifiers.reading.moves import orders

NAMES = "XABCDEFGHIJKLMNO"
WAYS = {"left": -1, "right": 1, "up": -1, "down": 1}
LENGTHS = [str(n) for n in range(1, SIZE)]
ROOM = 7
"""The largest number of drives on a laid out board; a board with more has few obstacles."""


class RushHour(PicturedPlan):
    """Get a car out of a car park where every car only goes forwards and backwards."""

    version = 2
    tags = {"planning", "search", "spatial"}
    answer_type = "moves"
    baseline_note = (
        "at the middle level, a fifth of the car parks are left by driving away what stands in "
        "front of car X; at the top, other cars have to make room first"
    )

    class Knobs(PicturedPlan.Knobs):
        cars: int = ladder(6, 7, 8, 11, 11, 12, high=13)
        drives: int = ladder(3, 4, 5, 6, 7, 9, low=2, high=10)  # in a shortest plan
        spare: int = ladder(2, 2, 1, 0, 0, 0)  # drives beyond those that are needed

    cars: Cars
    """A position of the cars near the start; the first car is the one to get out."""
    drives: int
    spare: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        cars = laid_out(rng, max(knobs.cars, knobs.drives + 2))
        return cls(cars=cars, drives=knobs.drives, spare=knobs.spare)

    def is_valid(self) -> bool:
        return room(self.cars) <= ROOM and start_and_plan(self.cars, self.drives) is not None

    def start_and_plan(self) -> tuple[Cars, tuple[Drive, ...]]:
        """The cars at the start, and a shortest plan."""
        alternatives = start_and_plan(self.cars, self.drives)
        assert alternatives is not None, "a valid board has such a position"
        return alternatives

    def search(self) -> tuple[Drive, ...]:
        return self.start_and_plan()[1]

    def move_limit(self) -> int:
        return self.drives + self.spare

    def canonical(self) -> str:
        """The cars of each lane in order, without their positions, which moves change."""
        return repr([(lane, length) for lane, _, length in sorted(self.cars)])

    def board(self) -> str:
        """The board at the start as text."""
        return text(self.start_and_plan()[0], NAMES)

    def prompt(self) -> str:
        task = self.phrase(
            "This is a car park. Each letter is a car (two cells) or a lorry (three cells), and a "
            "dot is an empty cell.",
            "Cars of two cells and lorries of three cells, each with a letter, stand in a car park "
            "whose empty cells are dots.",
        )
        return (
            f"{task}\n\n{self.board()}\n\nEach vehicle drives only along the line it lies in, "
            "forwards and backwards: left and right, or up and down. A move drives one vehicle by "
            "one or more cells, all of which must be empty; no vehicle may leave the board or "
            "pass over another. Bring car X to the two rightmost cells of its row, in at most "
            f"{self.move_limit()} moves. Write one move per line: the letter, the direction and "
            "the number of cells, such as 'A up 2'."
        )

    def picture(self, state: Cars) -> Grid:
        squares = [[Cell()] * SIZE for _ in range(SIZE)]
        regions = [[-1] * SIZE for _ in range(SIZE)]
        for n, car in enumerate(state):
            for k, (r, c) in enumerate(cells(car)):
                squares[r][c] = Cell("" if k else NAMES[n], f"t{2 + n % 10}" if n else "c3")
                regions[r][c] = n
        return Grid(
            tuple(map(tuple, squares)),
            regions=tuple(map(tuple, regions)),
            borders=outline({(EXIT, SIZE - 2), (EXIT, SIZE - 1)}),
        )

    def as_text(self, moves: Iterable[Drive]) -> str:
        return "\n".join(f"{NAMES[car]} {way} {cells}" for car, way, cells in moves)

    def read(self, answer: str) -> list[Drive]:
        names = NAMES[: len(self.cars)]
        moves = orders(answer, names, WAYS, LENGTHS, what="one move per line, such as 'A up 2'")
        return [(names.index(name), way, int(cells)) for name, way, cells in moves]

    def initial(self) -> Cars:
        return self.start_and_plan()[0]

    def after(self, state: Cars, move: Drive) -> Cars:
        number, way, count = move
        lane, first, length = state[number]
        if way not in sense(state[number]):
            raise Illegal(f"{NAMES[number]} cannot move in that direction")
        target = first + WAYS[way] * count
        path = lane, min(first, target), length + count
        others = {cell for n, car in enumerate(state) if n != number for cell in cells(car)}
        if not 0 <= target <= SIZE - length or not others.isdisjoint(cells(path)):
            raise Illegal(f"{NAMES[number]} does not have enough room")
        return (*state[:number], (lane, target, length), *state[number + 1 :])

    def moves_from(self, state: Cars) -> Iterable[Drive]:
        return (
            (number, way, count)
            for number, car in enumerate(state)
            for way in sense(car)
            for count in range(1, SIZE - car[2] + 1)
        )

    def distance(self, state: Cars) -> float:
        """The cells that car X has to go, and the vehicles in its way."""
        lane, first, length = state[0]
        ahead = {(lane, column) for column in range(first + length, SIZE)}
        blocking = sum(not ahead.isdisjoint(cells(car)) for car in state[1:])
        return SIZE - length - first + blocking

    def violation(self, state: Cars) -> str:
        return "" if state[0][1] == SIZE - 2 else "car X is not at the right edge in the end"

    def audit(self, answer: str) -> bool:
        """Rewrites the lines of the board as text."""
        rows = ["".join(row.split()) for row in self.board().splitlines()]
        moves = self.read(answer)
        for number, way, count in moves:
            name, across = NAMES[number], way in {"left", "right"}
            if across == any(row.count(name) == 1 for row in rows):
                return False
            lines = rows if across else ["".join(column) for column in zip(*rows)]
            line_number = next(n for n, line in enumerate(lines) if name in line)
            line = lines[line_number][::-1] if way in {"left", "up"} else lines[line_number]
            car = name * line.count(name)
            if car + "." * count not in line:
                return False
            line = line.replace(car + "." * count, "." * count + car)
            lines[line_number] = line[::-1] if way in {"left", "up"} else line
            rows = lines if across else ["".join(column) for column in zip(*lines)]
        return rows[EXIT][-1] == "X" and len(moves) <= self.move_limit()

    def difficulty(self) -> float:
        return float(self.drives**2 * len(self.cars))

    def shortcuts(self) -> Iterable[str]:
        return [f"X right {n}" for n in (1, 2, 3, 4)]
