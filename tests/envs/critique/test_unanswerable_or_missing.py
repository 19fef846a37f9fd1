"""Tests of critique/unanswerable_or_missing: facts are read from prompts, and all worlds tried."""

import re
from itertools import product
from random import Random

import pytest

from palaestra.address import Address
from palaestra.envs.critique.unanswerable_or_missing import UnanswerableOrMissing
from palaestra.generators.critique.unanswerable_or_missing import (
    Fact,
    Problem,
    Search,
    holds,
    random_problem,
    settled,
    values_by_propagation,
)
from palaestra.task import InvalidAnswer

NAME = "critique/unanswerable_or_missing"

READERS = [
    (r"(\w+) has (\d+) more than (\w+)\.", lambda w, a, n, b: w[a] == w[b] + int(n)),
    (r"(\w+) and (\w+) have (\d+) together\.", lambda w, a, b, n: w[a] + w[b] == int(n)),
    (r"(\w+) has (\d+) times as many as (\w+)\.", lambda w, a, n, b: w[a] == int(n) * w[b]),
    (
        r"The numbers of (\w+) and (\w+) differ by (\d+)\.",
        lambda w, a, b, n: w[a] - w[b] in (int(n), -int(n)),
    ),
    (
        r"(\w+), (\w+) and (\w+) have (\d+) together\.",
        lambda w, a, b, c, n: w[a] + w[b] + w[c] == int(n),
    ),
    (r"(\w+) has more than (\w+)\.", lambda w, a, b: w[a] > w[b]),
    (r"(\w+) has an even number\.", lambda w, a: w[a] in range(0, 99, 2)),
    (r"(\w+) has an odd number\.", lambda w, a: w[a] in range(1, 99, 2)),
    (r"The number of (\w+) is divisible by (\d+)\.", lambda w, a, n: w[a] in range(0, 99, int(n))),
    (r"(\w+) has at least (\d+)\.", lambda w, a, n: w[a] >= int(n)),
    (r"(\w+) has at most (\d+)\.", lambda w, a, n: w[a] <= int(n)),
]


def facts_of(lines):
    """The facts of a problem as functions of a world."""
    for line in lines:
        matches = [(re.fullmatch(pattern, line[2:]), rule) for pattern, rule in READERS]
        ((match, rule),) = [(match, rule) for match, rule in matches if match]
        yield lambda world, match=match, rule=rule: rule(world, *match.groups())


def blocks_of(prompt):
    for block in prompt.split("\n\n"):
        if block.startswith("Problem"):
            head, *lines = block.splitlines()
            yield re.search(r"has (\w+)\?", head)[1], [*facts_of(lines)]


@pytest.mark.parametrize("level", range(3))
def test_answers_follow_from_the_prompt(level):
    for seed in range(4):
        task = Address.of(NAME, seed, level).task()
        most = int(re.search(r"from 1 to (\d+)\.", task.prompt())[1])
        lines = [line.split(": ")[1] for line in task.answer().splitlines()]
        sorts = set()
        for (asked, facts), line in zip(blocks_of(task.prompt()), lines, strict=True):
            rows = product(range(1, most + 1), repeat=len(task.names))
            worlds = [dict(zip(task.names, row, strict=True)) for row in rows]
            worlds = [world for world in worlds if all(fact(world) for fact in facts)]
            values = {world[asked] for world in worlds}
            if " or " in line:
                stated = [[*map(int, part.split(", "))] for part in line.split(" or ")]
                one, other = (dict(zip(task.names, part, strict=True)) for part in stated)
                assert one in worlds
                assert other in worlds
                assert one[asked] != other[asked]
            else:
                assert values == {int(line)}
            sorts.add(" or " in line)
        assert sorts == {True, False}


@pytest.mark.parametrize("level", range(7))
def test_proofs_hold_at_all_levels(level):
    for seed in range(4):
        task = Address.of(NAME, seed, level).task()
        lines = [line.split(": ")[1] for line in task.answer().splitlines()]
        for (_, facts), line in zip(blocks_of(task.prompt()), lines, strict=True):
            if " or " in line:
                for part in line.split(" or "):
                    world = dict(zip(task.names, map(int, part.split(", ")), strict=True))
                    assert all(fact(world) for fact in facts)
        assert task.audit(task.answer())


@pytest.mark.parametrize("determined", [True, False])
def test_searches_agree(determined):
    rng = Random(9)
    for people, most in ((2, 6), (3, 9), (4, 12), (6, 20)):
        for _ in range(8):
            problem = random_problem(rng, people, most, (4, 7), determined)
            values = values_by_propagation(problem)
            assert {world[problem.target] for world in Search(problem).worlds()} == values
            assert len(values) == 2 - determined
            one, other, _ = settled(problem)
            assert (other is None) == determined
            for world in (one, other):
                assert world is None or all(holds(fact, world) for fact in problem.facts)


def test_facts_of_both_sorts_of_problems_are_as_many():
    rng, numbers = Random(2), []
    for determined in (True, False):
        problems = [random_problem(rng, 5, 15, (4, 7), determined) for _ in range(100)]
        numbers.append(sum(len(problem.facts) for problem in problems) / 100)
    assert abs(numbers[0] - numbers[1]) < 0.5


OPEN = Problem(2, 6, (Fact("sum", (0, 1), 5), Fact("above", (0, 1), 0)), 0)
CLOSED = Problem(2, 6, (Fact("more", (0, 1), 2), Fact("least", (0,), 6)), 1)
TASK = UnanswerableOrMissing(problems=(OPEN, CLOSED), people=(0, 1), thing="pens")


@pytest.mark.parametrize(
    "line", ["4, 1 or 3, 2", "3 2 | 4 1", "(4, 1) / (3, 2)", "Ada = 4, Bo = 1 or Bo = 2, Ada = 3"]
)
def test_right_answers(line):
    assert TASK.verify(f"1: {line}\n2: 4").correct


@pytest.mark.parametrize(
    "number", ["4 pens", "Bo has 4", "The number is 4.", "$4$", "Bo has 4 pens."]
)
def test_right_answers_in_words(number):
    with pytest.raises(InvalidAnswer):
        TASK.verify("1: 4, 1 or 3, 2\n2: Ada has 4")
    assert TASK.verify(f"Problem 1: Ada 4, Bo 1 or Ada 3, Bo 2\nProblem 2: {number}").correct


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("1: 4\n2: 4", "problem 1: the number does not follow from the facts"),
        ("1: 4, 1 or 4, 1\n2: 4", "problem 1: the two cases prove nothing"),
        ("1: 4, 1 or 2, 3\n2: 4", "problem 1: the two cases prove nothing"),
        ("1: 5, 0 or 3, 2\n2: 4", "problem 1: the two cases prove nothing"),
        ("1: 4, 1 or 3, 2\n2: 3", "problem 2: the number does not follow from the facts"),
        ("1: 4, 1 or 3, 2\n2: 6, 4 or 6, 3", "problem 2: the two cases prove nothing"),
    ],
)
def test_wrong_answers(answer, reason):
    assert TASK.verify(answer).reason == reason


@pytest.mark.parametrize("line", ["open", "4, 1", "4, 1 or 3, 2 or 4, 1", "4, 1, 2 or 3, 2", "or"])
def test_answers_that_cannot_be_read(line):
    with pytest.raises(InvalidAnswer):
        TASK.verify(f"1: {line}\n2: 4")
