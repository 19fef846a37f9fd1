"""Tests of causality/intervention: networks are read from prompts, and worlds enumerated."""

import re
from fractions import Fraction

import pytest
from tests.envs.networks import clauses, of_prompt
from tests.envs.stated_values import StatedProbability

from palaestra.address import Address
from palaestra.envs.causality.intervention import Intervention
from palaestra.generators.bayesian_networks import Variable

NAME = "causality/intervention"


def parts_of(prompt):
    forced = re.findall(r"(\w+) is set to (\w+)", prompt)
    question = re.search(
        r"(?:It is known that (.*)\. Under .*|What) .*probability that (.*)\?", prompt
    )
    return clauses(question[2]), clauses(question[1] or ""), forced


@pytest.mark.parametrize("level", range(6))
def test_every_world_of_the_prompt_counted(level):
    for seed in range(5 if level < 4 else 2):
        task = Address.of(NAME, seed, level).task()
        prompt = task.prompt()
        event, known, forced = parts_of(prompt)
        assert (len(event), len(known), len(forced)) == (1, len(task.known), len(task.actions))
        network = of_prompt(prompt)
        assert Fraction(task.answer()) == network.conditional(event, known, forced)
        assert Fraction(task.answer()) != network.conditional(event, [*known, *forced])
        assert Fraction(task.answer()) != network.conditional(event, ())


def simpson(actions, known=()):
    """A treatment that is chosen in mild cases, and heals in few of them and in all others."""
    severe = Variable("Meter", ("on", "off"), (), ((1, 1),))
    treated = Variable("Pump", ("on", "off"), (0,), ((9, 1), (1, 9)))
    healed = Variable("Lamp", ("on", "off"), (0, 1), ((3, 7), (1, 9), (9, 1), (8, 2)))
    return Intervention(
        network=(severe, treated, healed), order=(2, 0, 1), rendering="prose", actions=actions,
        event=((2, 0),), known=known,
    )  # fmt: skip


def test_acting_is_not_seeing():
    acted = simpson(((1, 0),))
    assert acted.probability() == Fraction(3 + 9, 20)
    assert simpson((), ((1, 0),)).probability() == Fraction(9 * 3 + 1 * 9, 100)
    assert acted.verify("0.6").correct
    assert acted.verify("0.36").value == 0
    assert simpson(((1, 0),), ((0, 0),)).probability() == Fraction(3, 10)
    assert "Now Pump is set to on by intervention from outside." in acted.prompt()


@pytest.mark.parametrize("level", range(7))
def test_neither_prior_nor_seeing_is_right(level):
    for seed in range(10):
        task = Address.of(NAME, seed, level).task()
        seen = task.model_copy(
            update={"actions": (), "known": tuple(sorted((*task.known, *task.actions)))}
        )
        idle = task.model_copy(update={"actions": ()})
        assert task.verify(seen.answer()).value == task.verify(idle.answer()).value == 0


class TestStatedValues(StatedProbability):
    name = NAME
