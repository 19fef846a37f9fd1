"""Programs of eight signs for a tape of cells, after Urban Mueller (1993), and how they run."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

SIZE = 256
"""Cells hold numbers from 0 to one below this."""


class Run(NamedTuple):
    """What a program has come to."""

    printed: tuple[int, ...]
    steps: int
    halted: bool


def matching(program: str) -> dict[int, int]:
    """For each bracket of a program its partner's place.

    >>> matching("[+[-]]")
    {2: 4, 4: 2, 0: 5, 5: 0}
    """
    partners: dict[int, int] = {}
    opened: list[int] = []
    for place, sign in enumerate(program):
        if sign == "[":
            opened.append(place)
        elif sign == "]":
            partner = opened.pop()
            partners[partner], partners[place] = place, partner
    return partners


def run(program: str, given: Sequence[int], most: int) -> Run:
    """Run a program for at most so many steps.

    >>> run("+++[>++<-]>.", (), 100).printed
    (6,)
    """
    partners = matching(program)
    tape: dict[int, int] = {}
    head = at = steps = 0
    inputs = iter(given)
    printed: list[int] = []
    while at < len(program) and steps < most:
        sign = program[at]
        if sign == ">":
            head += 1
        elif sign == "<":
            head -= 1
        elif sign == "+":
            tape[head] = (tape.get(head, 0) + 1) % SIZE
        elif sign == "-":
            tape[head] = (tape.get(head, 0) - 1) % SIZE
        elif sign == ".":
            printed.append(tape.get(head, 0))
        elif sign == ",":
            tape[head] = next(inputs, 0)
        elif (sign == "[") == (tape.get(head, 0) == 0):
            at = partners[at]
        at += 1
        steps += 1
    return Run(tuple(printed), steps, at == len(program))


def _changed(rng: Random, most: int) -> str:
    return rng.choice("++-") * rng.randint(1, most)


def _spread(rng: Random, depth: int) -> str:
    """A loop that counts a cell down and adds to cells beside it, again and again."""
    reach = rng.randint(1, 3)
    body = ""
    for _ in range(reach):
        body += ">" + _changed(rng, 3) * (rng.random() < 0.8)
    if depth > 1:
        # The cell inside is set anew, so that the loop in it ends each time.
        body += ">" + "[-]" + "+" * rng.randint(1, 3) + _spread(rng, depth - 1)
        reach += 1
    return f"[{body}{'<' * reach}-]"


def program(rng: Random, blocks: int, depth: int, inputs: int) -> str:
    """A program of blocks: numbers set, loops that spread them, steps to other cells, prints."""
    made = ""
    read = 0
    for _ in range(blocks):
        if read < inputs and rng.random() < 0.6:
            made += ","
            read += 1
        else:
            made += "+" * rng.randint(2, 6)
        if rng.random() < 0.75 and depth:
            made += _spread(rng, rng.randint(1, depth))
        made += rng.choice(("", ".")) + ">" * rng.randint(1, 2) + rng.choice(("", _changed(rng, 3)))
        made += rng.choice((".", ".", "", ".<."))
    made += "".join(rng.choice((".", ".>", ".<", "<.")) for _ in range(3))
    return made.replace("><", "").replace("<>", "")
