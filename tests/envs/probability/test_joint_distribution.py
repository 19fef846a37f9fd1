"""Tests of probability/joint_distribution: bounds by all vertices of the set of distributions."""

import re
from fractions import Fraction
from itertools import combinations, product

import pytest

from palaestra.address import Address
from palaestra.envs.probability.joint_distribution import JointDistribution
from palaestra.generators.probability.joint_distribution import Event, Fact, Quantity, Term
from palaestra.task import InvalidAnswer
from palaestra.verifiers.probability.joint_distribution import bounds

NAME = "probability/joint_distribution"


def holds(text, world):
    """Whether a term such as ``not A`` or ``X < Y`` is true in a world."""
    parts = text.split()
    if len(parts) < 3:
        return world[parts[-1]] == (0 if parts[0] == "not" else 1)
    left, right = (world[part] if part in world else int(part) for part in (parts[0], parts[2]))
    return {"=": left == right, "<": left < right, ">": left > right}[parts[1]]


def event(text, world):
    join = any if " or " in text else all
    return join(holds(part, world) for part in re.split(r" (?:and|or) ", text))


def row(quantity, worlds):
    """The numerator and the denominator of a quantity as functions of worlds."""
    if quantity[0] == "E":
        return [world[quantity[2]] for world in worlds], [1] * len(worlds)
    what, _, under = quantity[2:-1].partition(" | ")
    below = [int(not under or event(under, world)) for world in worlds]
    return [int(event(what, world)) * n for world, n in zip(worlds, below)], below


def solved(system):
    """The solution of equations with as many variables, or None if there is not exactly one."""
    rows = [list(each) for each in system]
    width = len(rows[0]) - 1
    for column in range(width):
        pivot = next((n for n in range(column, len(rows)) if rows[n][column]), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [each / rows[column][column] for each in rows[column]]
        for n, other in enumerate(rows):
            if n != column and other[column]:
                rows[n] = [a - other[column] * b for a, b in zip(other, rows[column])]
    return None if any(each[-1] for each in rows[width:]) else [each[-1] for each in rows[:width]]


def vertices(equations, number):
    """All points with a unique support that satisfy the equations and have no negative part."""
    for size in range(1, min(number, len(equations)) + 1):
        for support in combinations(range(number), size):
            point = solved([[*(each[n] for n in support), each[-1]] for each in equations])
            if point and min(point) >= 0:
                yield dict(zip(support, point))


def brute(prompt):
    lines = re.findall(r"^(?:[PE]\(.*\) = .*|. and . are independent)$", prompt, re.MULTILINE)
    letters = re.search(r"about|of", prompt) and sorted(set(re.findall(r"\b[A-DXYZW]\b", prompt)))
    values = re.search(r"with values among ([\d, ]+)", prompt)
    numbers = [int(n) for n in values[1].strip(", ").split(", ")] if values else [0, 1]
    letters = [letter for letter in letters if (letter in "XYZW") == bool(values)]
    worlds = [dict(zip(letters, each)) for each in product(numbers, repeat=len(letters))]
    known = dict(line.split(") = ") for line in lines if ") = " in line)
    equations = [[Fraction(1)] * (len(worlds) + 1)]
    for quantity, value in known.items():
        above, below = row(f"{quantity})", worlds)
        right = Fraction(value)
        if " | " in quantity:
            equations.append(
                [Fraction(a) - right * b for a, b in zip(above, below)] + [Fraction(0)]
            )
        else:
            equations.append([*map(Fraction, above), right])
    for line in lines:
        if "independent" in line:
            one, other = line[0], line[6]
            right = Fraction(known[f"P({one}"]) * Fraction(known[f"P({other}"])
            equations.append([Fraction(w[one] * w[other]) for w in worlds] + [right])
    asked = re.search(r"(?:value that|value of) ([PE]\(.*?\)) (?:can have|among)", prompt)[1]
    above, below = row(asked, worlds)
    ratios = [
        sum(p * above[n] for n, p in point.items()) / sum(p * below[n] for n, p in point.items())
        for point in vertices(equations, len(worlds))
    ]
    return min(ratios), max(ratios)


@pytest.mark.parametrize("level", range(5))
def test_bounds_by_all_vertices(level):
    determined = 0
    for seed in range(8):
        task = Address.of(NAME, seed, level).task()
        ends = brute(task.prompt())
        assert tuple(task.ends().values()) == ends
        determined += ends[0] == ends[1]
    assert determined < 8


def probability(*letters):
    return Quantity("probability", Event("and", tuple(Term(n, "=", 1) for n in letters)))


def test_frechet_bounds():
    facts = (Fact(probability(0), 7, 10), Fact(probability(1), 3, 5))
    task = JointDistribution(sizes=(2, 2), facts=facts, quantity=probability(0, 1))
    assert task.answer() == "least: 3/10\ngreatest: 3/5"
    independent = (*facts, Fact(probability(0, 1), 21, 50, independence=True))
    task = JointDistribution(
        sizes=(2, 2), facts=independent, quantity=Quantity(
            "probability", Event("or", (Term(0, "=", 1), Term(1, "=", 1)))
        ),
    )  # fmt: skip
    assert task.answer() == "least: 22/25\ngreatest: 22/25"
    assert "A and B are independent" in task.prompt()


def test_impossible_facts_have_no_bounds():
    one, two = Fraction(1), Fraction(2)
    assert bounds([[one, one, one], [one, one, two]], [one, one]) is None
    assert bounds([[one, one, one], [two, two, two]], [one, two])[:2] == (1, 2)  # one is redundant


def test_forms_of_an_answer():
    facts = (Fact(probability(0), 7, 10), Fact(probability(1), 3, 5))
    task = JointDistribution(sizes=(2, 2), facts=facts, quantity=probability(0, 1))
    for right in (
        "greatest: 60%\nleast: 0.3",
        "minimum = 3/10, maximum = 6/10",
        '{"least": "3/10", "greatest": "3/5"}',
        "- lower bound: 3/10\n- upper bound: 3/5",
    ):
        assert task.verify(right).correct, right
    assert task.verify("least: 3/10\ngreatest: 7/10").reason == "1 of the 2 values is wrong"
    assert task.verify("least: 0\ngreatest: 1").value == 0
    for text in ("3/10", "least: 3/10", "least: 3/10\ngreatest: many"):
        with pytest.raises(InvalidAnswer):
            task.verify(text)


@pytest.mark.parametrize(
    "reply",
    [
        "least: 3/10 and greatest: 3/5", "least - 3/10\ngreatest - 3/5",
        "least is 3/10 and greatest is 3/5",
        "The least value is 3/10 and the greatest value is 3/5.", "least - 3/10, greatest - 3/5",
        "The least value: 3/10\nThe greatest value: 3/5", "- least: 3/10\n- greatest: 3/5",
        "min = 3/10 and max = 3/5", "greatest: 3/5 (60%)\nleast: 3/10 (30%)",
    ],
)  # fmt: skip
def test_sentences(reply):
    facts = (Fact(probability(0), 7, 10), Fact(probability(1), 3, 5))
    task = JointDistribution(sizes=(2, 2), facts=facts, quantity=probability(0, 1))
    assert task.verify(reply).correct
    assert not task.verify(reply.replace("3/10", "1/10").replace("30%", "10%")).correct


def test_notation_is_explained_where_it_occurs():
    seen = set()
    for level in range(7):
        for seed in range(12):
            task = Address.of(NAME, seed, level).task()
            body = task.prompt().partition("determined.")
            has_bar, has_mean = "|" in body[0], "E(" in body[0]
            seen |= {(has_bar, has_mean)}
            assert ("condition" in body[2]) == has_bar
            assert ("expected value" in body[2]) == has_mean
            assert "P(E" not in task.prompt()
    assert len(seen) > 2


@pytest.mark.parametrize("level", [0, 1, 2])
def test_bounds_that_differ(level):
    tasks = [Address.of(NAME, seed, level).task() for seed in range(20)]
    assert sum(len({*task.ends().values()}) == 2 for task in tasks) > 10
