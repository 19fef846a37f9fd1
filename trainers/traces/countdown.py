"""Traces of countdown: a depth-first search that joins two numbers at a time.

A line states an operation and the numbers that are left; those that come nearest to the target are
tried first. Where nothing is left to try, the search goes back to earlier numbers. Numbers that it
has met before, in whatever order, are not tried again.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from palaestra.envs.arithmetic.countdown import Countdown
from palaestra.trainers.traces.steps import Answer, BadTrace, Unfinished

_NUMBER = r"(-?\d{1,40}(?:/\d{1,40})?)"  # nothing like 1e999999999, which would never be worked out
_STEP = re.compile(rf"{_NUMBER} ([-+*/]) {_NUMBER} = {_NUMBER}, left: ([-\d/ ]+|nothing)", re.ASCII)
_BACK = re.compile(r"nothing left to try, back to: ([-\d/ ]+)", re.ASCII)
_REACHED = "the target is reached"
NOTHING = "nothing"


class _Number(NamedTuple):
    """A value, and the expression that makes it."""

    value: Fraction
    text: str


def search(task: Countdown) -> Iterator[str]:
    """Yield the operations tried, the dead ends, and in the end the expression."""
    numbers = tuple(_Number(Fraction(number), str(number)) for number in task.numbers)
    yield f"make {task.target} from: {_listed(numbers)}"
    yield from _tried(task, numbers, {_key(numbers)})


def _tried(
    task: Countdown, numbers: Sequence[_Number], met: set[tuple[Fraction, ...]]
) -> Iterator[str]:
    """The search from some numbers; its last line is the expression where there is one."""
    for step, result, left in _operations(task, numbers):
        after = (*left, result)
        if result.value == task.target:
            yield f"{step}, left: {_listed(left)}"
            yield _REACHED
            yield Answer(result.text)
            return
        if len(after) < 2 or _key(after) in met:
            continue
        met.add(_key(after))
        yield f"{step}, left: {_listed(after)}"
        line = ""
        for line in _tried(task, after, met):
            yield line
        if isinstance(line, Answer):
            return
        yield f"nothing left to try, back to: {_listed(numbers)}"


def _operations(
    task: Countdown, numbers: Sequence[_Number]
) -> list[tuple[str, _Number, list[_Number]]]:
    """Each operation on two of the numbers: in words, its result and the others; those whose result
    is nearest to the target first.
    """
    options = []
    for one, other in combinations(range(len(numbers)), 2):
        low, high = sorted((numbers[one], numbers[other]))
        left = [each for n, each in enumerate(numbers) if n not in {one, other}]
        for sign, value in _results(high.value, low.value).items():
            if not task.whole or (value > 0 and value.denominator == 1):
                step = f"{high.value} {sign} {low.value} = {value}"
                result = _Number(value, f"({high.text} {sign} {low.text})")
                options.append((step, result, left))
    return sorted(options, key=lambda each: abs(each[1].value - task.target))


def _results(high: Fraction, low: Fraction) -> Mapping[str, Fraction]:
    quotient = {"/": high / low} if low else {}
    return {"+": high + low, "-": high - low, "*": high * low, **quotient}


def _key(numbers: Sequence[_Number]) -> tuple[Fraction, ...]:
    return tuple(sorted(each.value for each in numbers))


def _listed(numbers: Sequence[_Number]) -> str:
    return " ".join(str(each.value) for each in sorted(numbers, reverse=True)) or NOTHING


# ------------------------------------------------------------------ checking


def check(task: Countdown, lines: Sequence[str]) -> str:
    """Return the expression that a trace leads to, by doing its operations on a stack."""
    start = tuple(_Number(Fraction(number), str(number)) for number in task.numbers)
    stack: list[tuple[_Number, ...]] = [start]
    for n, line in enumerate(lines):
        if n == 0:
            if line != f"make {task.target} from: {_listed(start)}":
                raise BadTrace(n, line, "the task is another one")
        elif step := _STEP.fullmatch(line):
            stack.append(_joined(task, stack[-1], step, n))
        elif back := _BACK.fullmatch(line):
            stack.pop()
            if not stack or _listed(stack[-1]) != back[1]:
                raise BadTrace(n, line, "these are not the numbers before the last operation")
        elif line == _REACHED and n == len(lines) - 1:
            final = stack[-1][-1]
            if final.value != task.target:
                raise BadTrace(n, line, f"the last result is {final.value}")
            return final.text
        else:
            raise BadTrace(n, line, "this is no step of the search")
    raise Unfinished


def _joined(
    task: Countdown, numbers: tuple[_Number, ...], step: re.Match[str], n: int
) -> tuple[_Number, ...]:
    """The numbers after an operation, its result last."""
    try:
        high, low, result = (Fraction(step[group]) for group in (1, 3, 4))
    except ZeroDivisionError:
        raise BadTrace(n, step[0], "a denominator is 0") from None
    left = list(numbers)
    operands = []
    for value in (high, low):
        operand = next((each for each in left if each.value == value), None)
        if operand is None:
            raise BadTrace(n, step[0], f"{value} is not among the numbers")
        left.remove(operand)
        operands.append(operand)
    if _results(high, low).get(step[2]) != result:
        raise BadTrace(n, step[0], "the result is wrong")
    if task.whole and (result <= 0 or result.denominator > 1):
        raise BadTrace(n, step[0], "the result is not a positive whole number")
    text = f"({operands[0].text} {step[2]} {operands[1].text})"
    after = (*left, _Number(result, text))
    shown = after[:-1] if result == task.target else after
    if step[5] != _listed(shown):
        raise BadTrace(n, step[0], "other numbers are left")
    return after
