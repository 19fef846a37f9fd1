"""Markov chains with rational transition probabilities, and exact values of them.

A chain is a square matrix of whole weights: row ``i`` stands for the probabilities ``weight / sum``
of the next state after state ``i``, with the sum of the row. Systems of equations are solved in
whole numbers.
"""

from collections.abc import Collection, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from random import Random
from typing import Literal, NamedTuple

from palaestra.generators.bayesian_networks import random_row
from palaestra.verifiers.linear import solved

Chain = tuple[tuple[int, ...], ...]

Topic = Literal["after", "between", "before", "time", "visits", "long run"]

LIMITS: tuple[Topic, ...] = ("before", "time", "visits", "long run")
"""Topics whose values solve systems of linear equations."""


class Question(NamedTuple):
    """A value that is asked for. Which fields matter depends on the topic.

    - ``after``: the probability of state ``target`` after ``steps`` steps from ``start``;
    - ``between``: that of ``target`` after ``steps`` steps if the state after ``last`` steps is
      ``other``;
    - ``before``: that of a visit to ``target`` before one to ``other``;
    - ``time``: the expected number of steps until the first visit to ``target``;
    - ``visits``: the expected number of visits to ``target`` before the first one to ``other``;
    - ``long run``: the stationary probability of ``target``.
    """

    topic: Topic
    start: int
    target: int
    other: int
    steps: int
    last: int


def random_chain(rng: Random, states: int, degree: int, denominator: int) -> Chain:
    """A chain in which each state can reach all others, with ``degree`` next states for each.

    >>> [sum(row) for row in random_chain(Random(1), 3, 2, 5)]
    [5, 5, 5]
    """
    cycle = rng.sample(range(states), states)
    after = dict(zip(cycle, (*cycle[1:], cycle[0])))
    rows = []
    for state in range(states):
        others = [each for each in range(states) if each != after[state]]
        targets = [after[state], *rng.sample(others, min(degree, states) - 1)]
        row = [0] * states
        for target, weight in zip(targets, random_row(rng, len(targets), denominator)):
            row[target] = weight
        rows.append(tuple(row))
    return tuple(rows)


def entries(chain: Chain) -> set[Fraction]:
    """The transition probabilities."""
    return {Fraction(weight, sum(row)) for row in chain for weight in row}


@lru_cache(maxsize=512)
def value(chain: Chain, question: Question) -> Fraction:
    """The value that a question asks for."""
    start, target, other = question.start, question.target, question.other
    match question.topic:
        case "after":
            return distribution(chain, start, question.steps)[target]
        case "between":
            one = distribution(chain, start, question.steps)[target]
            rest = distribution(chain, target, question.last - question.steps)[other]
            return one * rest / distribution(chain, start, question.last)[other]
        case "before":
            return _solution(chain, {target: 1, other: 0}, {})[start]
        case "time":
            return _solution(chain, {target: 0}, dict.fromkeys(range(len(chain)), 1))[start]
        case "visits":
            return _solution(chain, {other: 0}, {target: 1})[start]
        case "long run":
            return stationary(chain)[target]


def distribution(chain: Chain, start: int, steps: int) -> list[Fraction]:
    """The probabilities of all states after some steps.

    >>> [str(chance) for chance in distribution(((1, 1), (1, 3)), 0, 2)]
    ['3/8', '5/8']
    """
    now = [Fraction(int(state == start)) for state in range(len(chain))]
    totals = [sum(row) for row in chain]
    for _ in range(steps):
        after = [Fraction(0)] * len(chain)
        for state, chance in enumerate(now):
            if chance:
                for target, weight in enumerate(chain[state]):
                    if weight:
                        after[target] += chance * Fraction(weight, totals[state])
        now = after
    return now


def _solution(chain: Chain, fixed: dict[int, int], gains: dict[int, int]) -> tuple[Fraction, ...]:
    """The function of states with fixed values at some, and elsewhere its mean after a step plus
    the gain of the state.
    """
    rows = []
    for state, row in enumerate(chain):
        total = sum(row)
        if state in fixed:
            cells = [int(each == state) for each in range(len(chain))]
            rows.append((*cells, fixed[state]))
        else:
            cells = [total * (each == state) - weight for each, weight in enumerate(row)]
            rows.append((*cells, total * gains.get(state, 0)))
    return solved(rows)


def stationary(chain: Chain) -> tuple[Fraction, ...]:
    """The stationary distribution of a chain in which each state can reach all others.

    >>> [str(chance) for chance in stationary(((1, 1), (1, 3)))]
    ['1/3', '2/3']
    """
    common = lcm(*map(sum, chain))
    scaled = [[weight * (common // sum(row)) for weight in row] for row in chain]
    rows = [
        (*(scaled[state][each] - common * (state == each) for state in range(len(chain))), 0)
        for each in range(len(chain) - 1)
    ]
    return solved([*rows, (1,) * (len(chain) + 1)])


def paths(chain: Chain, start: int, steps: int) -> list[tuple[tuple[int, ...], Fraction]]:
    """All paths of so many steps with their probabilities, one by one."""
    result: list[tuple[tuple[int, ...], Fraction]] = [((start,), Fraction(1))]
    for _ in range(steps):
        result = [
            ((*path, target), chance * Fraction(weight, sum(chain[path[-1]])))
            for path, chance in result
            for target, weight in enumerate(chain[path[-1]])
            if weight
        ]
    return result


def as_text(question: Question, names: Sequence[str]) -> str:
    """A question in words."""
    start, target, other = (
        names[each] for each in (question.start, question.target, question.other)
    )
    begin = f"It starts in state {start}."
    match question.topic:
        case "after":
            return (
                f"{begin} What is the probability that it is in state {target} after exactly "
                f"{question.steps} steps?"
            )
        case "between":
            steps = f"{question.steps} step{'s' * (question.steps > 1)}"
            return (
                f"{begin} It is known that it is in state {other} after exactly {question.last} "
                f"steps. Under this condition, what is the probability that it was in state "
                f"{target} after exactly {steps}?"
            )
        case "before":
            return (
                f"{begin} What is the probability that it reaches state {target} before it reaches "
                f"state {other}?"
            )
        case "time":
            return (
                f"{begin} What is the expected number of steps until it is in state {target} for "
                "the first time?"
            )
        case "visits":
            return (
                f"{begin} What is the expected number of steps that lead into state {target}, up "
                f"to the step that leads into state {other} for the first time?"
            )
        case "long run":
            return (
                f"What is the probability of state {target} in the stationary distribution? This "
                "is the share of steps after which it is in that state in the long run."
            )


def reachable(chain: Chain, start: int, blocked: Collection[int]) -> set[int]:
    """The states that can be reached from a state, the blocked ones without going further."""
    seen, stack = {start}, [start]
    while stack:
        state = stack.pop()
        if state in blocked:
            continue
        for target, weight in enumerate(chain[state]):
            if weight and target not in seen:
                seen.add(target)
                stack.append(target)
    return seen
