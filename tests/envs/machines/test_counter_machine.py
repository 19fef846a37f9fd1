"""Tests of machines/counter_machine."""

import re

import pytest

from palaestra.address import Address


def task(name: str, seed: int, level: int):
    return Address.of(name, seed, level).task()


@pytest.mark.parametrize("level", range(7))
def test_a_counter_machine_runs_as_its_lines_say(level: int) -> None:
    puzzle = task("machines/counter_machine", 7, level)
    prompt = puzzle.prompt()
    start, rest = prompt.split("It begins with line 1")
    registers = {name: int(number) for name, number in re.findall(r"([a-d]) = (\d+)", start)}
    lines = dict(re.findall(r"^(\d+): (.*)$", rest, re.MULTILINE))
    at, steps = "1", 0
    while at:
        steps += 1
        done = lines[at]
        name = re.findall(r"\b([a-d]),? ?(?:is|then)", done)[0]
        if done.startswith("if"):
            done = done.split(";")[registers[name] > 0]
            registers[name] -= registers[name] > 0
        else:
            registers[name] += 1
        at = (re.findall(r"go to line (\d+)", done) or [""])[0]
    answer = ", ".join(map(str, [*registers.values(), steps]))
    assert puzzle.verify(answer).value == 1
