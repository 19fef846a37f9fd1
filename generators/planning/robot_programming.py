"""A robot on a grid: its path for a list of commands, and the fewest symbols for the commands.

F moves forward by a cell, L and R turn by a quarter, and ``repeat n [...]`` repeats its content.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from operator import add

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.layout import ARROW
from palaestra.verifiers.reading.values import plain

Cell = tuple[int, int]

HEADINGS = ("up", "right", "down", "left")
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
MOST = 400
"""The largest number of commands that a program may execute."""

_SIGNS = str.maketrans("{}(),;", "[][]  ")
_WORD = re.compile(r"REPEAT|\d+|[FLR]+(?!EPEAT)|[\[\]]", re.ASCII)
_PROGRAM = re.compile(r"(?:\s|REPEAT|TIMES|\d|[FLR]|[\[\]])*+", re.ASCII)


def path_of(commands: Iterable[str], start: Cell, heading: int) -> list[Cell]:
    """The cells of the robot's path, with the start.

    >>> path_of("FRF", (0, 0), 1)
    [(0, 0), (0, 1), (1, 1)]
    """
    cells = [start]
    for command in commands:
        if command == "F":
            (r, c), (y, x) = cells[-1], STEPS[heading]
            cells.append((r + y, c + x))
        else:
            heading = (heading + (1 if command == "R" else -1)) % 4
    return cells


def commands_of(cells: Iterable[Cell], heading: int) -> str:
    """The commands that lead along a path.

    >>> commands_of([(0, 0), (0, 1), (1, 1)], 1)
    'FRF'
    """
    text = ""
    for (r, c), (y, x) in pairwise(cells):
        way = STEPS.index((y - r, x - c))
        text += ("", "R", "RR", "L")[(way - heading) % 4] + "F"
        heading = way
    return text


@lru_cache(maxsize=256)
def command_lists(cells: tuple[Cell, ...], start: Cell, heading: int) -> tuple[str, ...]:
    """The commands that lead over all cells once, in every way that there is, up to a few.

    >>> command_lists(((0, 0), (0, 1), (1, 1)), (0, 0), 1)
    ('FRF',)
    """
    texts, stack = list[str](), [[start]]
    for _ in range(600):
        if not stack or len(texts) == 3:
            break
        path = stack.pop()
        if len(path) == len(cells):
            texts.append(commands_of(path, heading))
            continue
        (r, c) = path[-1]
        near = [(r + y, c + x) for y, x in STEPS]
        stack += [[*path, cell] for cell in near if cell in cells and cell not in path]
    return tuple(texts)


@lru_cache(maxsize=256)
def shortest(commands: str, last: tuple[str, ...] = ("",)) -> tuple[int, str]:
    """The fewest symbols of a program for these commands, and the program.

    The program may end with one of the ``last`` commands.

    >>> shortest("FFLFFLFFL"), shortest("FFLFFLFF", ("", "L"))
    ((4, 'repeat 3 [F F L]'), (4, 'repeat 3 [F F L]'))
    """
    table, positions = _Table(), list[tuple[int, str]]()
    for command in commands:
        table.add(command)
    for each in last:
        if each:
            table.add(each)
        positions.append(table.whole())
        if each:
            table.drop()
    return min(positions)


class _Table:
    """The shortest programs for all intervals of a growing list of commands.

    An interval is split into two, or repeats its shortest period.
    """

    def __init__(self) -> None:
        self.commands = ""
        self.cuts: dict[tuple[int, int], int] = {}  # where to split it, or minus its period
        self.ahead: list[list[int]] = []  # symbols of the intervals from each index, shortest first

    def add(self, command: str) -> None:
        self.commands += command
        self.ahead.append([1])
        high, behind = len(self.commands), [1]  # symbols of the intervals up to here
        periods = _periods(self.commands[::-1])
        for low in range(high - 2, -1, -1):
            sums = list(map(add, self.ahead[low], reversed(behind)))
            cost, period = min(sums), periods[high - low]
            cut = low + 1 + sums.index(cost)
            if period < high - low and self.ahead[low][period - 1] + 1 < cost:
                cost, cut = self.ahead[low][period - 1] + 1, -period
            self.cuts[low, high] = cut
            self.ahead[low].append(cost)
            behind.append(cost)

    def drop(self) -> None:
        """Remove the last command."""
        self.commands = self.commands[:-1]
        self.ahead.pop()
        for symbols in self.ahead:
            symbols.pop()

    def whole(self) -> tuple[int, str]:
        """The symbols of all commands, and their program."""
        if not self.commands:
            return 0, ""
        return self.ahead[0][-1], self.as_text(0, len(self.commands))

    def as_text(self, low: int, high: int) -> str:
        if high == low + 1:
            return self.commands[low]
        cut = self.cuts[low, high]
        if cut < 0:
            return f"repeat {(high - low) // -cut} [{self.as_text(low, low - cut)}]"
        return f"{self.as_text(low, cut)} {self.as_text(cut, high)}"


def _periods(text: str) -> list[int]:
    """The shortest period of each prefix, by the borders of Knuth, Morris and Pratt.

    >>> _periods("ababa")
    [0, 1, 2, 3, 2, 5]
    """
    border, periods = [-1], [0]
    for n, letter in enumerate(text):
        length = border[n]
        while length >= 0 and text[length] != letter:
            length = border[length]
        border.append(length + 1)
        period = n + 1 - border[n + 1]
        periods.append(period if (n + 1) % period == 0 else n + 1)
    return periods


def parsed(text: str) -> tuple[str, int]:
    """The commands that a program executes, and its number of symbols.

    Brackets may be of any type, commands may have commas, semicolons, arrows or nothing between
    them, and "times" may stand behind a number.

    >>> parsed("repeat 2 [F repeat 2 [L F]]"), parsed("Repeat 2 times { F; Repeat 2 { LF } }")
    (('FLFLFFLFLF', 5), ('FLFLFFLFLF', 5))
    """
    body = ARROW.sub(" ", plain(text)).upper().translate(_SIGNS)
    if not _PROGRAM.fullmatch(body):
        raise InvalidAnswer("not a program, such as 'F repeat 2 [L F]'")
    stack: list[tuple[int, str]] = [(1, "")]
    symbols, words = 0, iter(_WORD.findall(body))
    for word in words:
        times, body = stack[-1]
        if word == "REPEAT":
            stack.append((_times(next(words, ""), next(words, "")), ""))
            symbols += 1
        elif word == "]" and len(stack) > 1:
            stack.pop()
            stack[-1] = stack[-1][0], stack[-1][1] + times * body
        elif word.strip("FLR") == "":
            stack[-1] = times, body + word
            symbols += len(word)
        else:
            raise InvalidAnswer("not a program, such as 'F repeat 2 [L F]'")
        if len(stack[-1][1]) > MOST:
            raise InvalidAnswer(f"the program executes more than {MOST} commands")
        if len(stack) > 20:
            raise InvalidAnswer("repeats are nested more than 20 deep")
    if len(stack) > 1:
        raise InvalidAnswer("a bracket is not closed")
    return stack[0][1], symbols


def _times(count: str, bracket: str) -> int:
    if bracket != "[":
        raise InvalidAnswer("a repeat is not of the form 'repeat 2 [L F]'")
    if not (count.isdecimal() and len(count) < 4 and 2 <= int(count) <= 99):
        raise InvalidAnswer("the number of a repeat must be from 2 to 99")
    return int(count)
