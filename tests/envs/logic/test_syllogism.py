"""Tests of logic/syllogism."""

import re
from itertools import product
from random import Random

import pytest

from palaestra.address import Address
from palaestra.envs.logic.syllogism import Syllogism
from palaestra.generators.logic.syllogism import FORMS, Categorical, Diagram


def truth(sentence, kinds):
    """Whether a sentence is true if each kind is a set of things."""
    form = re.fullmatch(r"(All|No|Some) (\w+) are (not )?(\w+)\.", sentence)
    one, other = kinds[form[2]], kinds[form[4]]
    return {
        "All": one <= other,
        "No": not one & other,
        "Some": bool(one - other if form[3] else one & other),
    }[form[1]]


def by_enumeration(task):
    """The verdicts, from all sets of things of the possible descriptions."""
    prompt, names = task.prompt(), task.terms
    premises = re.findall(r"^  (.+)$", prompt, re.MULTILINE)
    claims = re.findall(r"^\d+\. (.+)$", prompt, re.MULTILINE)
    truths = [set() for _ in claims]
    things = range(2 ** len(names))
    for present in product((False, True), repeat=len(things)):
        world = [thing for thing in things if present[thing]]
        kinds = {name: {x for x in world if x >> n & 1} for n, name in enumerate(names)}
        if "may be empty" not in prompt and not all(kinds.values()):
            continue
        if all(truth(premise, kinds) for premise in premises):
            for values, claim in zip(truths, claims):
                values.add(truth(claim, kinds))
    words = {(True,): "follows", (False,): "contradicts", (False, True): "open"}
    return [words[tuple(sorted(values))] for values in truths]


@pytest.mark.parametrize("kinds", ["inhabited", "maybe empty"])
@pytest.mark.parametrize("obvious", [True, False])
def test_syllogisms_by_enumeration(kinds, obvious):
    for seed in range(12):
        knobs = Syllogism.Knobs(terms=3, premises=3, conclusions=4, kinds=kinds, obvious=obvious)
        task = Syllogism.sample(Random(seed), knobs)
        assert task.verdicts() == by_enumeration(task)


def test_a_syllogism_of_four_terms_by_enumeration():
    task = Address.of("logic/syllogism", 1, 0).task()
    assert len(task.terms) == 4
    assert task.verdicts() == by_enumeration(task)


def test_classical_syllogisms():
    a, b, c = 0, 1, 2
    barbara = [Categorical("all", a, b), Categorical("all", b, c)]
    for inhabited, some in ((True, "follows"), (False, "open")):
        diagram = Diagram(barbara, 3, inhabited)
        assert diagram.verdict(Categorical("all", a, c)) == "follows"
        assert diagram.verdict(Categorical("some not", a, c)) == "contradicts"
        assert diagram.verdict(Categorical("all", c, a)) == "open"
        assert diagram.verdict(Categorical("some", a, c)) == some, "Barbari needs a member"
    darapti = [Categorical("all", b, a), Categorical("all", b, c)]
    assert Diagram(darapti, 3, inhabited=True).verdict(Categorical("some", a, c)) == "follows"
    assert Diagram(darapti, 3, inhabited=False).verdict(Categorical("some", a, c)) == "open"
    undistributed = [Categorical("all", a, b), Categorical("all", c, b)]
    assert {Diagram(undistributed, 3, True).verdict(Categorical(f, a, c)) for f in FORMS} == {
        "open"
    }
    assert not Diagram([Categorical("all", a, b), Categorical("no", a, b)], 2, True).possible()


def test_no_constant_answer_is_often_right():
    tasks = [Address.of("logic/syllogism", seed, 0).task() for seed in range(200)]
    answers = [task.answer() for task in tasks]
    assert max(map(answers.count, answers)) <= 0.05 * len(answers)
    assert all(len(set(task.verdicts())) == 3 for task in tasks)
