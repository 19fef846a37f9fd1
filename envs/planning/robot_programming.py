"""Programs with loops for a robot on a grid, like those for the turtle of Logo (1969).

Dynamic programming over the intervals of a path finds the nested repeats with the fewest symbols.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile
from random import Random
from typing import Self

from palaestra.generators.cells import text
from palaestra.generators.planning.robot_programming import (
    HEADINGS,
    MOST,
    Cell,
    command_lists,
    parsed,
    path_of,
    shortest,
)
from palaestra.scenes import Cell as Square
from palaestra.scenes import Grid, Line
from palaestra.scenes.elements import Mark, changed
from palaestra.task import Puzzle, Score, ladder

ARROWS: tuple[Mark, ...] = ("up", "right", "down", "left")


@lru_cache(maxsize=256)
def best(commands: tuple[str, ...]) -> tuple[int, str]:
    """The shortest program for any of some lists of commands, with or without a last turn."""
    return min((shortest(each, ("", "L", "R")) for each in commands), default=(0, ""))


Repeat = tuple[int, int, str]
"""The index of its first part, the number of its parts, and the repeat as text."""


def symbols(text: str) -> int:
    """The symbols of a part of a program.

    >>> symbols("repeat 2 [F L]")
    3
    """
    return sum(map(text.count, ("F", "L", "R", "repeat")))


def saving(repeat: Repeat) -> int:
    """The symbols that a repeat saves."""
    _, _, text = repeat
    times, body = text.removeprefix("repeat ").split(" ", 1)
    return (int(times) - 1) * symbols(body) - 1


def repeats(parts: Sequence[str]) -> list[Repeat]:
    """The repeats among the parts of a program that save symbols.

    >>> repeats(["F", "L", "F", "L"])
    [(0, 4, 'repeat 2 [F L]')]
    """
    options = list[Repeat]()
    for start in range(len(parts)):
        for period in range(1, (len(parts) - start) // 2 + 1):
            body, times = parts[start : start + period], 1
            while parts[start + times * period : start + (times + 1) * period] == body:
                times += 1
                options.append((start, times * period, f"repeat {times} [{' '.join(body)}]"))
    return [option for option in options if saving(option) > 0]


def folded(commands: str, choice: Callable[[list[Repeat]], Repeat]) -> str:
    """The program that puts in one repeat after the other, as a choice among them says.

    >>> folded("FLFLFLR", lambda options: max(options, key=saving))
    'repeat 3 [F L] R'
    """
    parts = [*commands]
    while options := repeats(parts):
        start, length, text = choice(options)
        parts[start : start + length] = [text]
    return " ".join(parts)


class RobotProgramming(Puzzle):
    """Write a short program with repeats that leads a robot over all marked cells and no other."""

    tags = {"planning", "programs", "spatial"}
    baseline_note = (
        "repeats hardly ever overlap, so that the one which saves most is usually in the "
        "shortest program; longer loops with more commands around them hide it better"
    )

    class Knobs(Puzzle.Knobs):
        body: int = ladder(5, 5, 6, 8, 9, 9, low=4, high=10)  # commands that are repeated
        times: int = ladder(3, 3, 3, 4, 4, 5, low=3, high=5)
        around: int = ladder(2, 3, 4, 6, 7, 8, low=1, high=8)  # commands before and after

    start: Cell
    heading: int
    cells: tuple[Cell, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """Sample programs until one leads along a path that does not cross itself."""
        while True:
            heading = rng.randrange(4)
            before = rng.randint(0, knobs.around)
            loop = _random_commands(rng, knobs.body) * rng.randint(knobs.times, knobs.times + 1)
            commands = _random_commands(rng, before) + loop
            commands += _random_commands(rng, knobs.around - before)
            path = path_of(commands, (0, 0), heading)
            if len(set(path)) == len(path) > knobs.times * 2 and len(path) < 40:
                break
        top, left = min(r for r, _ in path), min(c for _, c in path)
        moved = [(r - top, c - left) for r, c in path]
        return cls(start=moved[0], heading=heading, cells=tuple(sorted(moved)))

    def is_valid(self) -> bool:
        """Whether the path has turns, and repeats save at least a third of the symbols."""
        program = self.command_lists()
        bent = all(set(each.lstrip("LR")) > {"F"} for each in program)
        return bent and bool(program) and 4 < self.limit() <= min(map(len, program)) * 2 / 3

    def command_lists(self) -> tuple[str, ...]:
        """The commands that lead over all cells once, in every way that there is, up to a few."""
        return command_lists(self.cells, self.start, self.heading)

    def best(self) -> tuple[int, str]:
        """The shortest program found."""
        return best(self.command_lists())

    def limit(self) -> int:
        """The largest number of symbols."""
        return self.best()[0]

    def canonical(self) -> str:
        return repr((self.start, self.heading, self.cells))

    def prompt(self) -> str:
        rows, columns = (max(cell[n] for cell in self.cells) + 1 for n in (0, 1))
        signs = dict.fromkeys(self.cells, "#") | {self.start: "S"}
        grid = [[signs.get((r, c), ".") for c in range(columns)] for r in range(rows)]
        task = self.phrase(
            "A robot stands on the cell S of this grid", "S is where a robot stands on this grid"
        )
        return (
            f"{task} and faces {HEADINGS[self.heading]}.\n\n{text(grid)}\n\nThe command F moves it "
            "one cell forward, L turns it to the left and R to the right by a quarter where it "
            "stands. 'repeat n [...]', with a number n from 2 to 99, executes the commands in the "
            "brackets n times; repeats may be nested. The robot must come to every cell marked #, "
            "in any order and as often as you like, and must never step on a dot or leave the "
            "grid; it may end anywhere, and turn where it likes.\n\nWrite a program of at most "
            f"{self.limit()} symbols. Each written F, L and R is one symbol, and each repeat is "
            "one symbol, including its number and brackets. When it runs, the program must "
            f"execute at most {MOST} commands F, L and R in all. The answer looks like 'L repeat "
            "2 [F F R] F', which has 6 symbols."
        )

    def scene(self) -> Grid:
        rows, columns = (max(cell[n] for cell in self.cells) + 1 for n in (0, 1))
        squares = [[Square(fill="muted")] * columns for _ in range(rows)]
        for r, c in self.cells:
            squares[r][c] = Square(fill="t5")
        r, c = self.start
        squares[r][c] = Square(fill="t6", mark=ARROWS[self.heading], tone="c3", corner="S")
        return Grid(tuple(map(tuple, squares)))

    def solved_scene(self, answer: str) -> Grid:
        """The path of a program, as far as it stays on the grid."""
        commands, _ = parsed(answer)
        grid = self.scene()
        rows, columns = len(grid.cells), len(grid.cells[0])
        path = path_of(commands, self.start, self.heading)
        inside = takewhile(lambda cell: 0 <= cell[0] < rows and 0 <= cell[1] < columns, path)
        return changed(grid, lines=(Line(tuple(inside), arrow=True),))

    def answer(self) -> str:
        return self.best()[1]

    def verify(self, answer: str) -> Score:
        commands, symbols = parsed(answer)
        if symbols > self.limit():
            return Score(0, f"{symbols} symbols exceed the limit of {self.limit()}")
        path = path_of(commands, self.start, self.heading)
        cells = set(self.cells)
        off = next((n for n, cell in enumerate(path) if cell not in cells), None)
        if off is not None:
            return Score(0, f"step {off} forward leaves the marked cells")
        missing = len(cells - set(path))
        return Score(0, f"{missing} marked cells are not visited") if missing else Score(1)

    def audit(self, answer: str) -> bool:
        """Follows the path with complex numbers."""
        commands, symbols = parsed(answer)
        floor = {complex(c, r) for r, c in self.cells}
        position, way = complex(self.start[1], self.start[0]), -1j * 1j**self.heading
        seen = {position}
        for command in commands:
            way *= {"F": 1, "L": -1j, "R": 1j}[command]
            position += way if command == "F" else 0
            seen.add(position)
        return seen == floor and symbols <= self.limit()

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """The commands along a path, and programs that put in one repeat after the other: the one
        that saves the most symbols, the first, or a random one.
        """
        commands = self.command_lists()[0]

        def random_repeat(repeats: list[Repeat]) -> Repeat:
            return rng.choice(repeats)

        return {
            "no repeats": " ".join(commands),
            "greatest saving first": folded(commands, lambda repeats: max(repeats, key=saving)),
            "first repeat first": folded(commands, min),
            "random repeats": folded(commands, random_repeat),
        }

    def difficulty(self) -> float:
        return float(len(self.cells) * self.limit())

    def shortcuts(self) -> Iterable[str]:
        yield " ".join(self.command_lists()[0])
        yield f"repeat {len(self.cells) - 1} [F]"


def _random_commands(rng: Random, number: int) -> str:
    """Random commands without two turns in succession."""
    program = ""
    for _ in range(number):
        program += rng.choice("FFLR" if program[-1:] not in {"L", "R"} else "F")
    return program
