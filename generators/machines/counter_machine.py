"""Machines that count registers up and down: programs of loops, and their runs."""

from random import Random
from typing import NamedTuple


class Line(NamedTuple):
    """Adds 1 to a register, or subtracts 1 from it unless it is 0, and continues with a line.

    ``after`` is the next line, and ``zero`` the next line if there is nothing to subtract, or -1
    for additions. The number of lines stands for the end of the program.
    """

    register: int
    after: int
    zero: int = -1


class End(NamedTuple):
    """The final registers, and the number of lines executed, or 0 if that exceeds the limit."""

    registers: tuple[int, ...]
    steps: int


def ran(lines: tuple[Line, ...], start: tuple[int, ...], most: int) -> End:
    """The end of a program after at most ``most`` lines.

    >>> ran((Line(0, 1, 2), Line(1, 0)), (3, 0), 100)
    End(registers=(0, 3), steps=7)
    """
    registers = list(start)
    at = steps = 0
    while at < len(lines):
        line = lines[at]
        if steps == most:
            return End(tuple(registers), 0)
        steps += 1
        at = line.after
        if line.zero < 0:
            registers[line.register] += 1
        elif registers[line.register]:
            registers[line.register] -= 1
        else:
            at = line.zero
    return End(tuple(registers), steps)


def program(rng: Random, registers: int, loops: int) -> list[Line]:
    """Loops that count a register down while others change; some hold a loop of their own."""
    lines: list[Line] = []

    def loop(counted: int, depth: int) -> None:
        head = len(lines)
        lines.append(Line(counted, head + 1, -2))
        others = [r for r in range(registers) if r != counted]
        for _ in range(rng.randint(1, 3)):
            register = rng.choice(others)
            if depth and len(others) > 1 and rng.random() < 0.4:
                loop(register, 0)
            else:
                _step(rng, lines, register)
        lines[-1] = lines[-1]._replace(after=head)
        for n in range(head + 1, len(lines)):
            if lines[n].zero == len(lines):
                lines[n] = lines[n]._replace(zero=head)
        lines[head] = lines[head]._replace(zero=len(lines))

    for _ in range(loops):
        loop(rng.randrange(registers), 1)
        if rng.random() < 0.6:
            _step(rng, lines, rng.randrange(registers))
    return lines


def _step(rng: Random, lines: list[Line], register: int) -> None:
    after = len(lines) + 1
    down = rng.random() < 0.3
    lines.append(Line(register, after, after if down else -1))


def shuffled(rng: Random, lines: list[Line]) -> tuple[Line, ...]:
    """The same program with all lines but the first in another order."""
    order = [0, *rng.sample(range(1, len(lines)), len(lines) - 1)]
    new_number = {old: new for new, old in enumerate(order)} | {len(lines): len(lines), -1: -1}
    return tuple(
        Line(line.register, new_number[line.after], new_number[line.zero])
        for line in (lines[old] for old in order)
    )
