"""Tests of causality/counterfactual: equations are read from prompts, and all noises tried."""

import re
from fractions import Fraction
from itertools import product
from math import prod

import pytest
from tests.envs.stated_values import StatedProbability

from palaestra.address import Address
from palaestra.envs.causality.counterfactual import Counterfactual
from palaestra.generators.causality.counterfactual import Equation, counterfactual

NAME = "causality/counterfactual"
EQUATION = re.compile(r"^(\w) = (?:\((.*)\) mod (\d)|U\w), where U\w is (.*)$", re.MULTILINE)


def model_of(prompt):
    """Terms, modulus and the law of the noise of each variable."""
    model = {}
    for name, right, modulus, law in EQUATION.findall(prompt):
        chances = [Fraction(c) for c in re.findall(r"\d with probability ([\d/]+)", law)]
        assert sum(chances) == 1
        terms = [term.split(" * ") for term in right.split(" + ") if term and term[0] != "U"]
        assert right == "" or right.endswith(f"U{name}")
        model[name] = terms, int(modulus or len(chances)), chances
    return model


def world(model, noise, forced):
    values = {}
    for name, (terms, modulus, _) in model.items():
        total = sum(
            prod(int(part) if part.isdigit() else values[part] for part in term) for term in terms
        )
        values[name] = forced.get(name, (total + noise[name]) % modulus)
    return values


def brute(prompt):
    model = model_of(prompt)
    seen = re.search(r"In one case, (.*) were observed\.", prompt)[1]
    known = {name: int(value) for name, value in re.findall(r"(\w) = (\d)", seen)}
    act = re.search(r"(\w) = (\d) had been set by intervention", prompt)
    event = re.search(r"(?:probability that|probability would) (\w) = (\d)", prompt)
    above = below = Fraction(0)
    for noises in product(*(range(len(chances)) for _, _, chances in model.values())):
        noise = dict(zip(model, noises, strict=True))
        chance = prod(model[name][2][n] for name, n in noise.items())
        actual = world(model, noise, {})
        if all(actual[name] == value for name, value in known.items()):
            below += chance
            other = world(model, noise, {act[1]: int(act[2])})
            above += chance * (other[event[1]] == int(event[2]))
    assert known[act[1]] != int(act[2])
    return above / below


@pytest.mark.parametrize("level", range(7))
def test_all_noises_of_the_prompt_tried(level):
    for seed in range(6 if level < 5 else 2):
        task = Address.of(NAME, seed, level).task()
        assert Fraction(task.answer()) == brute(task.prompt())


def firing_squad(**changes):
    """An order A makes both B and C shoot unless they fail; D dies of B or C, as B + C + B * C."""
    rifle = Equation(((1, (0,)),), (9, 1))
    order, death = Equation((), (1, 1)), Equation(((1, (1,)), (1, (2,)), (1, (1, 2))), (1, 0))
    fields = {"known": ((1, 1), (3, 1)), "action": (1, 0), "event": (3, 1)} | changes
    return Counterfactual(model=(order, rifle, rifle, death), **fields)


def test_what_is_known_is_kept():
    # B shot: by order in 9 of 10 cases; then C shot in 9 of 10, and without order in 1 of 10.
    task = firing_squad()
    assert task.value() == Fraction(9, 10) * Fraction(9, 10) + Fraction(1, 10) * Fraction(1, 10)
    assert task.verify("0.82").correct
    acted = counterfactual(task.model, (), (task.action,), (task.event,))
    assert acted.value == Fraction(1, 2)
    assert firing_squad(known=((1, 1), (3, 1), (0, 1))).value() == Fraction(9, 10)


def test_what_cannot_be_known_has_no_value():
    task = firing_squad()
    assert counterfactual(task.model, ((1, 0), (2, 0), (3, 1)), (), (task.event,)) is None


def test_acting_and_seeing_are_wrong():
    for level in range(7):
        for seed in range(12):
            task = Address.of(NAME, seed, level).task()
            for known, actions in (
                ((), (task.action,)),
                (task.known[2:], (task.action,)),
                ((task.action, *task.known[2:]), ()),
                (task.known, ()),
            ):
                other = counterfactual(task.model, known, actions, (task.event,))
                assert other is None or other.value != task.value()


class TestStatedValues(StatedProbability):
    name = NAME


def test_grammar_of_the_prompt():
    for seed in range(6):
        prompt = Address.of(NAME, seed, 1).task().prompt()
        assert " was observed." not in prompt
        assert "With which" not in prompt
