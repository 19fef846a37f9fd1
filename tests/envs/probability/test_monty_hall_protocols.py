"""Tests of probability/monty_hall_protocols: rules are read from prompts and played out."""

import re
from fractions import Fraction

import pytest
from tests.envs.stated_values import StatedProbability

from palaestra.address import Address
from palaestra.envs.probability.monty_hall_protocols import MontyHallProtocols
from palaestra.generators.probability.monty_hall_protocols import Step
from palaestra.task import InvalidAnswer

NAME = "probability/monty_hall_protocols"


def chances(text):
    return [Fraction(each) for each in re.findall(r"probability (\d+(?:/\d+)?)", text)]


def even(boxes, chance=Fraction(1)):
    return {box: chance / len(boxes) for box in boxes}


def step_chance(rule, outcome, prize, chosen, closed):
    """The probability of the outcome of a step, both as the prompt states them."""
    others = [box for box in closed if box != chosen]
    empty = [box for box in others if box != prize]
    opened = re.search(r"Box (\d+) is opened", outcome)
    if opened:
        opened = int(opened[1])
        if opened == prize:
            return Fraction(0)
        if rule.startswith("The host tosses"):
            (heads,) = chances(rule)
            return heads * even(empty).get(opened, 0) + (1 - heads) * even(others).get(opened, 0)
        if rule.startswith("An assistant"):
            return even(others).get(opened, Fraction(0))
        if "lowest number" in rule and len(empty) > 1:
            (first,) = chances(rule)
            least = min(empty)
            return first if opened == least else even(empty[1:], 1 - first).get(opened, Fraction(0))
        return even(empty).get(opened, Fraction(0))
    if "lamp" in rule:
        yes, no = chances(rule)
        return yes if prize == chosen else no
    (true,) = chances(rule)
    if "answers" in outcome:
        about = int(re.search(r"is in box (\d+)\.", rule)[1])
        return true if ("yes" in outcome) == (prize == about) else 1 - true
    named = int(re.search(r"names box (\d+)", outcome)[1])
    return true if named == prize else (1 - true) / (len(closed) - 1)


def brute(prompt):
    prior = re.findall(r"box (\d+) with probability ([\d/]+)", prompt.split("\n\n")[0])
    chosen = int(re.search(r"chooses box (\d+)", prompt)[1])
    about = int(re.search(r"that the prize is in box (\d+)\?", prompt)[1])
    steps = re.findall(
        r"^Step \d+\. (.*) (Box \d+ is opened, .*|The witness \w+ (?:yes|no|box \d+)\."
        r"|The lamp lights up\.)$",
        prompt,
        re.MULTILINE,
    )
    assert len(steps) == prompt.count("\nStep ")
    weights = {}
    for box, first in prior:
        prize, chance, closed = int(box), Fraction(first), [int(each) for each, _ in prior]
        for rule, outcome in steps:
            chance *= step_chance(rule, outcome, prize, chosen, closed)
            if opened := re.search(r"Box (\d+) is opened", outcome):
                closed.remove(int(opened[1]))
        weights[prize] = chance
    return weights[about] / sum(weights.values())


@pytest.mark.parametrize("level", range(7))
def test_protocols_played_out(level):
    for seed in range(12):
        task = Address.of(NAME, seed, level).task()
        assert Fraction(task.answer()) == brute(task.prompt())


def three(rule, box, first=0, prior=(1, 1, 1)):
    step = Step(rule, first, 0, 0, ("open", 2))
    return MontyHallProtocols(prior=prior, chosen=0, steps=(step,), box=box)


@pytest.mark.parametrize(
    ("task", "value"),
    [
        (three("knowing", 1), "2/3"),
        (three("knowing", 0), "1/3"),
        (three("blind", 1), "1/2"),
        (three("favourite", 1, 100), "1"),  # box 2 was not opened though it is the favourite
        (three("favourite", 1, 0), "1/2"),
        (three("coin", 1, 50), "3/5"),
        (three("knowing", 1, prior=(2, 1, 1)), "1/2"),
    ],
)
def test_known_protocols(task, value):
    assert task.answer() == value


def test_famous_answers_are_wrong():
    for level in range(7):
        for seed in range(20):
            task = Address.of(NAME, seed, level).task()
            opened = sum(step.outcome[0] == "open" for step in task.steps)
            left = len(task.prior) - opened
            for text in ("1/2", "1/3", "2/3", f"1/{left}", f"{left - 1}/{left}"):
                assert task.verify(text).value == 0
            assert task.verify(str(Fraction(task.prior[task.box], sum(task.prior)))).value == 0
            assert len(task.prior) - opened >= 2


def test_forms_of_an_answer():
    task = three("coin", 1, 50)
    for right in ("3/5", "0.6", "60%", "6 in 10", "$\\frac{3}{5}$"):
        assert task.verify(right).correct
    assert task.verify("8/5").reason == "a probability is from 0 to 1"
    with pytest.raises(InvalidAnswer):
        task.verify("switch")


class TestStatedValues(StatedProbability):
    name = NAME
