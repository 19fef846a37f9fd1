"""Tests of probability/markov_chain: chains are read from prompts and iterated."""

import re
from fractions import Fraction
from itertools import product

import pytest
from tests.envs.stated_values import StatedProbability

from palaestra.address import Address
from palaestra.envs.probability.markov_chain import MarkovChain
from palaestra.generators.probability.markov_chain import LIMITS, Question
from palaestra.task import InvalidAnswer

NAME = "probability/markov_chain"


def chain_of(prompt):
    rows = re.findall(r"^From (\w): (.*)$", prompt, re.MULTILINE)
    return {
        state: {
            target: Fraction(chance)
            for target, chance in re.findall(r"to (\w) with probability ([\d/]+)", row)
        }
        for state, row in rows
    }


def along_paths(chain, start, steps):
    """The probability of each path, by states."""
    for path in product(chain, repeat=steps):
        chance, state = Fraction(1), start
        for target in path:
            chance *= chain[state].get(target, 0)
            state = target
        if chance:
            yield (start, *path), chance


def iterated(chain, start, gain, absorbed, rounds=4_000):
    """The expected sum of gains of steps until the first state that is absorbing."""
    now, total = {start: 1.0}, 0.0
    for _ in range(rounds):
        after = {}
        for state, chance in now.items():
            for target, part in chain[state].items():
                total += chance * float(part) * gain(target)
                if target not in absorbed:
                    after[target] = after.get(target, 0) + chance * float(part)
        now = after
    return total


def brute(prompt):
    chain = chain_of(prompt)
    assert all(sum(row.values()) == 1 for row in chain.values())
    start = re.search(r"It starts in state (\w)", prompt)
    start = start and start[1]
    if match := re.search(r"is in state (\w) after exactly (\d+) steps\?", prompt):
        target, steps = match[1], int(match[2])
        return sum(c for p, c in along_paths(chain, start, steps) if p[-1] == target)
    if match := re.search(
        r"in state (\w) after exactly (\d+) steps\. .* in state (\w) after exactly (\d+) step",
        prompt,
    ):
        ways = [w for w in along_paths(chain, start, int(match[2])) if w[0][-1] == match[1]]
        right = sum(c for p, c in ways if p[int(match[4])] == match[3])
        return right / sum(c for _, c in ways)
    if match := re.search(r"reaches state (\w) before it reaches state (\w)\?", prompt):
        return iterated(chain, start, lambda s: s == match[1], {match[1], match[2]})
    if match := re.search(r"until it is in state (\w) for the first time", prompt):
        return iterated(chain, start, lambda _: 1, {match[1]})
    if match := re.search(r"lead into state (\w), up to .* into state (\w) for", prompt):
        return iterated(chain, start, lambda s: s == match[1], {match[2]})
    target = re.search(r"probability of state (\w) in the stationary", prompt)[1]
    # Half of the steps of a lazy chain change nothing, so that it has no period.
    now = dict.fromkeys(chain, 1 / len(chain))
    for _ in range(4_000):
        after = {state: chance / 2 for state, chance in now.items()}
        for state, chance in now.items():
            for other, part in chain[state].items():
                after[other] += chance * float(part) / 2
        now = after
    return now[target]


@pytest.mark.parametrize("level", range(6))
def test_values_by_iteration(level):
    topics = set()
    for seed in range(12 if level < 4 else 6):
        task = Address.of(NAME, seed, level).task()
        if task.question.topic == "between" and level > 3:
            continue  # too many paths
        topics.add(task.question.topic)
        value = brute(task.prompt())
        if isinstance(value, Fraction):
            assert Fraction(task.answer()) == value
        else:
            assert float(Fraction(task.answer())) == pytest.approx(value, abs=1e-9)
    assert level != 3 or len(topics & {*LIMITS}) > 2


RUIN = ((1, 0, 0, 0), (2, 0, 1, 0), (0, 2, 0, 1), (0, 0, 0, 1))
"""A walk on four states that goes up with probability 1/3; its ends are never left."""

COINS = ((1, 1, 0), (1, 0, 1), (1, 0, 1))
"""The number of heads in a row, up to two, where state 2 goes on as if it were state 1."""


@pytest.mark.parametrize(
    ("chain", "question", "value"),
    [
        (RUIN, Question("before", 1, 3, 0, 0, 0), Fraction(1, 7)),
        (RUIN, Question("before", 2, 3, 0, 0, 0), Fraction(3, 7)),
        (COINS, Question("time", 0, 2, 0, 0, 0), 6),
        (COINS, Question("visits", 0, 1, 2, 0, 0), 2),
        (COINS, Question("long run", 0, 2, 0, 0, 0), Fraction(1, 4)),
        (COINS, Question("after", 0, 2, 0, 3, 0), Fraction(1, 4)),
        (COINS, Question("between", 0, 0, 2, 1, 3), Fraction(1, 2)),
    ],
)
def test_known_values(chain, question, value):
    assert MarkovChain(chain=chain, question=question).value() == value


def test_simple_answers_are_wrong():
    for level in range(7):
        for seed in range(20):
            task = Address.of(NAME, seed, level).task()
            uniform = Fraction(1, len(task.chain))
            row = task.chain[task.question.start]
            simple = {uniform, Fraction(1, 2), Fraction(0), Fraction(1)}
            simple |= {Fraction(weight, sum(row)) for weight in row}
            assert task.value() not in simple


def test_forms_of_an_answer():
    task = MarkovChain(chain=COINS, question=Question("after", 0, 2, 0, 3, 0))
    for right in ("1/4", "0.25", "25%", "2/8", "1/4 = 0.25"):
        assert task.verify(right).correct
    assert task.verify("5/4").reason == "a probability is from 0 to 1"
    time = MarkovChain(chain=COINS, question=Question("time", 0, 2, 0, 0, 0))
    assert time.verify("6").correct
    assert time.verify("5").reason == "the value is wrong"
    with pytest.raises(InvalidAnswer):
        task.verify("a quarter of the time")


class TestStatedValues(StatedProbability):
    name = NAME


def test_expected_numbers():
    task = MarkovChain(chain=COINS, question=Question("time", 0, 2, 0, 0, 0))
    for right in (
        "6 steps",
        "E[N] = 6",
        "E[T] = 12/2",
        "The expected number of steps is 6.",
        "6/1 steps",
    ):
        assert task.verify(right).correct, right
    assert not task.verify("5 steps").correct
    assert task.verify("-6").reason == "a number of steps is not negative"
    with pytest.raises(InvalidAnswer, match="number of steps"):
        task.verify("six and a bit")
