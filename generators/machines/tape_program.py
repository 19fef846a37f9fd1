"""Programs of eight characters for a tape of cells, after Urban Mueller (1993), and their runs."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

SIZE = 256
"""Cells hold numbers from 0 to one below this."""


class Run(NamedTuple):
    """What a program has printed, after how many steps, and whether it has halted."""

    printed: tuple[int, ...]
    steps: int
    halted: bool


def matching(program: str) -> dict[int, int]:
    """For each bracket of a program the index of its partner.

    >>> matching("[+[-]]")
    {2: 4, 4: 2, 0: 5, 5: 0}
    """
    partners: dict[int, int] = {}
    opened: list[int] = []
    for n, character in enumerate(program):
        if character == "[":
            opened.append(n)
        elif character == "]":
            partner = opened.pop()
            partners[partner], partners[n] = n, partner
    return partners


def run(program: str, values: Sequence[int], most: int) -> Run:
    """Run a program on input values, for at most ``most`` steps.

    >>> run("+++[>++<-]>.", (), 100).printed
    (6,)
    """
    partners = matching(program)
    tape: dict[int, int] = {}
    head = at = steps = 0
    inputs = iter(values)
    printed: list[int] = []
    while at < len(program) and steps < most:
        character = program[at]
        if character == ">":
            head += 1
        elif character == "<":
            head -= 1
        elif character == "+":
            tape[head] = (tape.get(head, 0) + 1) % SIZE
        elif character == "-":
            tape[head] = (tape.get(head, 0) - 1) % SIZE
        elif character == ".":
            printed.append(tape.get(head, 0))
        elif character == ",":
            tape[head] = next(inputs, 0)
        elif (character == "[") == (tape.get(head, 0) == 0):
            at = partners[at]
        at += 1
        steps += 1
    return Run(tuple(printed), steps, at == len(program))


def _changed(rng: Random, most: int) -> str:
    return rng.choice("++-") * rng.randint(1, most)


def _spread(rng: Random, depth: int) -> str:
    """A loop that counts a cell down and each time adds to the cells beside it."""
    reach = rng.randint(1, 3)
    body = ""
    for _ in range(reach):
        body += ">" + _changed(rng, 3) * (rng.random() < 0.8)
    if depth > 1:
        # The inner cell is set again each time, so that the loop that counts it down ends.
        body += ">" + "[-]" + "+" * rng.randint(1, 3) + _spread(rng, depth - 1)
        reach += 1
    return f"[{body}{'<' * reach}-]"


def random_program(rng: Random, blocks: int, depth: int, inputs: int) -> str:
    """A program of blocks that set numbers, spread them in loops, move the head and print."""
    text = ""
    read = 0
    for _ in range(blocks):
        if read < inputs and rng.random() < 0.6:
            text += ","
            read += 1
        else:
            text += "+" * rng.randint(2, 6)
        if rng.random() < 0.75 and depth:
            text += _spread(rng, rng.randint(1, depth))
        text += rng.choice(("", ".")) + ">" * rng.randint(1, 2) + rng.choice(("", _changed(rng, 3)))
        text += rng.choice((".", ".", "", ".<."))
    text += "".join(rng.choice((".", ".>", ".<", "<.")) for _ in range(3))
    return text.replace("><", "").replace("<>", "")
