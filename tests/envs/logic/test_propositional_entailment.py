"""Tests of logic/propositional_entailment."""

import re
from itertools import product

import pytest

from palaestra.address import Address
from palaestra.envs.logic.propositional_entailment import PropositionalEntailment
from palaestra.task import InvalidAnswer

SEEDS = range(4)


def parsed(text):
    """A formula of the prompt as a function of an assignment, by its stated precedence."""
    signs = re.findall(r"<->|->|[~&|()A-Z]", text)
    levels = (
        ("<->", lambda a, b: a == b),
        ("->", lambda a, b: b if a else True),
        ("|", lambda a, b: a or b),
        ("&", lambda a, b: a and b),
    )

    def joined(rule, a, b):
        return lambda world: rule(a(world), b(world))

    def binary(level):
        if level == len(levels):
            return unary()
        sign, rule = levels[level]
        left = binary(level + 1)
        while signs and signs[0] == sign:
            signs.pop(0)
            left = joined(rule, left, binary(level + 1))
        return left

    def unary():
        sign = signs.pop(0)
        if sign == "~":
            inner = unary()
            return lambda world: not inner(world)
        if sign == "(":
            inner = binary(0)
            assert signs.pop(0) == ")"
            return inner
        return lambda world: world[sign]

    formula = binary(0)
    assert not signs
    return formula


@pytest.mark.parametrize("level", range(6))
def test_entailment_by_the_formulas_of_the_prompt(level):
    for seed in SEEDS:
        task = Address.of("logic/propositional_entailment", seed, level).task()
        prompt = task.prompt()
        letters = re.findall(r"[A-Z]", prompt.partition("the letters ")[2].partition("stands")[0])
        premises = [parsed(x) for x in re.findall(r"^  (.+)$", prompt, re.MULTILINE)]
        claims = [parsed(x) for x in re.findall(r"^\d+\. (.+)$", prompt, re.MULTILINE)]
        worlds = [dict(zip(letters, row)) for row in product((True, False), repeat=len(letters))]
        models = [world for world in worlds if all(premise(world) for premise in premises)]
        assert len(claims) == len(task.claims)
        assert len(premises) == len(task.premises)
        rows, last = [], []
        for number, claim in enumerate(claims, 1):
            against = [world for world in models if not claim(world)]
            lines = ["".join("FT"[w[x]] for x in letters) for w in against] or ["entailed"]
            rows.append(f"{number}: {lines[0]}")
            last.append(f"{number} = {', '.join(lines[-1]) if against else lines[-1].upper()}")
        assert task.verify("\n".join(rows)).value == 1
        assert task.verify("\n".join(last)).value == 1, "any counterexample is accepted"
        assert task.audit("\n".join(rows))


def test_entailment_by_hand():
    p, q = ("is", 0), ("is", 1)
    task = PropositionalEntailment(
        variables=2, premises=(("if", p, q), p), claims=(q, ("not", p), ("iff", p, q))
    )
    assert task.verify("1: entailed\n2: TT\n3: entailed").value == 1
    assert "not entailed" in task.verify("1: entailed\n2: entailed\n3: entailed").reason
    assert "satisfy the premises" in task.verify("1: entailed\n2: TF\n3: entailed").reason
    assert "makes it true" in task.verify("1: TT\n2: TT\n3: entailed").reason
    for broken in ("1: entailed", "1: yes\n2: TT\n3: entailed", "1: entailed\n2: T\n3: entailed"):
        with pytest.raises(InvalidAnswer):
            task.verify(broken)
