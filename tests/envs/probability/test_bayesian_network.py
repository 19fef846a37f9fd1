"""Tests of probability/bayesian_network: networks are read from prompts, and worlds enumerated."""

import re
from fractions import Fraction

import pytest
from tests.envs.networks import clauses, of_prompt
from tests.envs.stated_values import StatedProbability

from palaestra.address import Address
from palaestra.envs.probability.bayesian_network import BayesianNetwork
from palaestra.generators.bayesian_networks import Variable
from palaestra.task import InvalidAnswer

NAME = "probability/bayesian_network"


def brute(prompt):
    question = re.search(r"It is known that (.*)\. Under .* probability that (.*)\?", prompt)
    return of_prompt(prompt).conditional(clauses(question[2]), clauses(question[1]))


@pytest.mark.parametrize("level", range(6))
def test_every_world_of_the_prompt_counted(level):
    for seed in range(5 if level < 4 else 2):
        task = Address.of(NAME, seed, level).task()
        assert Fraction(task.answer()) == brute(task.prompt())


def test_both_renderings_state_the_same():
    for seed in range(4):
        task = Address.of(NAME, seed, 3).task()
        other = {"tables": "prose", "prose": "tables"}[task.rendering]
        assert brute(task.model_copy(update={"rendering": other}).prompt()) == brute(task.prompt())


@pytest.mark.parametrize("level", range(8))
def test_evidence_matters(level):
    for seed in range(10):
        task = Address.of(NAME, seed, level).task()
        prior = task.model_copy(update={"known": ()}).probability()
        assert task.verify(str(prior)).value == 0
        for claim in task.known:
            less = tuple(each for each in task.known if each != claim)
            assert task.model_copy(update={"known": less}).probability() != task.probability()


def network():
    """A burglary and an earthquake, each of which may set off an alarm."""
    thief = Variable("Thief", ("on", "off"), (), ((1, 9),))
    quake = Variable("Quake", ("on", "off"), (), ((1, 4),))
    alarm = Variable("Alarm", ("on", "off"), (0, 1), ((9, 1), (8, 2), (3, 7), (1, 9)))
    return thief, quake, alarm


def task_of(event, known):
    return BayesianNetwork(
        network=network(), order=(0, 1, 2), rendering="prose", event=event, known=known
    )


def test_explaining_away():
    # Worlds with an alarm, in thousandths of 10 * 5 * 10: 9, 32, 27, 36 of 500.
    alone = task_of(((0, 0),), ((2, 0),))
    assert alone.probability() == Fraction(9 + 32, 9 + 32 + 27 + 36)
    explained = task_of(((0, 0),), ((1, 0), (2, 0)))
    assert explained.probability() == Fraction(9, 9 + 27) < alone.probability()


def test_forms_of_an_answer():
    task = task_of(((2, 0),), ())
    assert task.probability() == Fraction(104, 500) == Fraction("0.208")
    for right in ("26/125", "104/500", "0.208", "20.8%", "\\frac{26}{125}", "26 in 125"):
        assert task.verify(right).correct
    for wrong in ("0.21", "21%", "99/125", "1/5"):
        assert task.verify(wrong).value == 0
    assert task.verify("3/2").reason == "a probability is from 0 to 1"
    with pytest.raises(InvalidAnswer):
        task.verify("26:99")


class TestStatedValues(StatedProbability):
    name = NAME
