"""Subsequences of a row of numbers under rules, and a heaviest one by dynamic programming."""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from random import Random
from typing import Literal, NamedTuple

Name = Literal["rising", "zigzag", "peak", "apart", "close", "step", "bits", "few", "divisible"]

SHAPES: tuple[Name, ...] = ("rising", "zigzag", "peak")
"""Rules about the order of the chosen numbers, of which a task has one."""

OTHERS: tuple[Name, ...] = ("apart", "close", "step", "bits", "few", "divisible")


class Rule(NamedTuple):
    """A rule on the chosen numbers, in the order of the row."""

    name: Name
    number: int = 0

    def text(self) -> str:
        """The rule as a sentence."""
        number = self.number
        return {
            "rising": "Each chosen number is greater than the chosen number before it.",
            "zigzag": "The steps from one chosen number to the next go up and down in turn; the "
            "first step may go either way, and no step stays level.",
            "peak": "The steps from one chosen number to the next go up at first, and down from "
            "some point on; all of them may go up, or all down, and no step stays level.",
            "apart": f"The positions of two chosen numbers differ by at least {number}.",
            "close": "The positions of a chosen number and of the next one differ by at most "
            f"{number}.",
            "step": f"A chosen number and the next one differ by at most {number}.",
            "bits": "A chosen number and the next one have a 1 at a common position in binary, "
            "which means that their bitwise and is not 0.",
            "few": f"At most {number} numbers are chosen.",
            "divisible": f"The sum of the chosen numbers is divisible by {number}.",
        }[self.name]


def step(rule: Rule, phase: int, one: tuple[int, int], other: tuple[int, int]) -> int | None:
    """The phase after a step between (position, number) pairs; None if the rule forbids the step.

    Phase 0 is the start, 1 comes after a step up and 2 after a step down.
    """
    (i, a), (j, b) = one, other
    if rule.name in SHAPES:
        if a == b:
            return None
        after = 1 if b > a else 2
        forbidden = {
            "rising": after == 2,
            "zigzag": after == phase,
            "peak": (phase, after) == (2, 1),
        }[rule.name]
        return None if forbidden else after
    allowed = {
        "apart": j - i >= rule.number,
        "close": j - i <= rule.number,
        "step": abs(a - b) <= rule.number,
        "bits": a & b != 0,
    }.get(rule.name, True)
    return phase if allowed else None


def broken(numbers: Sequence[int], chosen: Sequence[int], rules: Sequence[Rule]) -> int:
    """Which rule the chosen positions break, counted from 1; 0 if they satisfy all."""
    for number, rule in enumerate(rules, 1):
        phase = 0
        for i, j in pairwise(chosen):
            phase = moved([rule], phase, (i, numbers[i]), (j, numbers[j]))
            if phase < 0:
                return number
        if rule.name == "few" and len(chosen) > rule.number:
            return number
        if rule.name == "divisible" and sum(numbers[n] for n in chosen) % rule.number:
            return number
    return 0


class Way(NamedTuple):
    """The weight of chosen positions, and the positions."""

    weight: int
    chosen: tuple[int, ...]


def limits(rules: Sequence[Rule], size: int) -> tuple[int, int]:
    """How many numbers may be chosen, and what their sum has to be divisible by."""
    by_name = {rule.name: rule.number for rule in rules}
    return by_name.get("few", size), by_name.get("divisible", 1)


def moved(rules: Sequence[Rule], phase: int, one: tuple[int, int], other: tuple[int, int]) -> int:
    """The phase after a step, of which only one rule makes use; -1 if a rule forbids the step."""
    after = phase
    for rule in rules:
        result = step(rule, phase, one, other)
        if result is None:
            return -1
        after = result if rule.name in SHAPES else after
    return after


def heaviest(
    numbers: Sequence[int], weights: Sequence[int], rules: Sequence[Rule]
) -> tuple[list[int], int]:
    """One or more positions of the greatest total weight that satisfy all rules, and how many
    states were extended; no positions if there are none.

    A state is the last position, the phase, the number chosen if that is limited, and the
    remainder of the sum.
    """
    most, modulus = limits(rules, len(numbers))
    limited = most < len(numbers)
    tables: list[dict[tuple[int, int, int], Way]] = []
    best, examined = Way(0, ()), 0
    for j, number in enumerate(numbers):
        table = {(0, 1 if limited else 0, number % modulus): Way(weights[j], (j,))}
        for i in range(j):
            for (phase, count, rest), way in tables[i].items():
                examined += 1
                after = moved(rules, phase, (i, numbers[i]), (j, number))
                if after < 0 or (limited and count == most):
                    continue
                state = after, count + 1 if limited else 0, (rest + number) % modulus
                longer = Way(way.weight + weights[j], (*way.chosen, j))
                if state not in table or longer.weight > table[state].weight:
                    table[state] = longer
        tables.append(table)
        best = max([best, *(way for (_, _, rest), way in table.items() if rest == 0)])
    return [*best.chosen], examined


def greatest_weight(numbers: Sequence[int], weights: Sequence[int], rules: Sequence[Rule]) -> int:
    """The same weight by recursion from the first position: take a number, or pass it over."""
    most, modulus = limits(rules, len(numbers))
    endless = most >= len(numbers)

    @cache
    def best(here: int, last: int, phase: int, left: int, rest: int) -> int:
        if here == len(numbers):
            return 0 if rest == 0 else -(10**9)
        result = best(here + 1, last, phase, left, rest)
        after = 0
        if last >= 0:
            after = moved(rules, phase, (last, numbers[last]), (here, numbers[here]))
        if left and after >= 0:
            more = (rest + numbers[here]) % modulus
            result = max(
                result, weights[here] + best(here + 1, here, after, left - 1 + endless, more)
            )
        return result

    return best(0, -1, 0, most, 0)


def fitting_rule(rng: Random, name: Name, size: int, greatest: int) -> Rule:
    """A rule that leaves about a third of the steps."""
    numbers = {
        "apart": lambda: rng.randint(2, 3),
        "close": lambda: rng.randint(3, 3 + size // 8),
        "step": lambda: rng.randint(greatest // 5, greatest // 3),
        "few": lambda: rng.randint(3, max(3, size // 6)),
        "divisible": lambda: rng.randint(3, 5),
    }
    return Rule(name, numbers[name]() if name in numbers else 0)
