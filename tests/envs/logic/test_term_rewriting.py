"""Tests of logic/term_rewriting."""

from random import Random

import pytest

from palaestra.address import Address
from palaestra.envs.logic.term_rewriting import TermRewriting
from palaestra.generators.logic.term_rewriting import random_system, reducts
from palaestra.generators.logic.terms import (
    Rewriting,
    is_greater,
    random_term,
    signature,
    size,
    variables,
    written,
)
from palaestra.task import InvalidAnswer
from palaestra.verifiers.proofs.rewriting import follows, term

NAME = "logic/term_rewriting"
TASK = TermRewriting(rules=(("f(x)", "x"), ("f(a)", "b"), ("b+x", "x")), start="f(a)+f(b)")


def test_terms_are_written_as_they_are_read():
    rng = Random(0)
    for _ in range(200):
        each = random_term(rng, signature(3, 3), ["a", "b", "c", "x"], rng.randint(1, 12))
        assert term(written(each)) == each
        assert size(each) == sum(sign.isalpha() or sign == "+" for sign in written(each))


def test_systems_terminate():
    for seed in range(20):
        rng, symbols = Random(seed), signature(2, 2)
        rules = random_system(rng, symbols, 5)
        for left, right in rules:
            assert set(variables(right)) <= set(variables(left))
        start = random_term(rng, symbols, symbols.constants, 8)
        system = Rewriting(rules)
        reached = reducts(start, system, 300)
        if reached is None:
            continue
        # A cycle would leave a term whose reducts contain itself.
        for each in reached.terms:
            after = reducts(each, system, 300)
            assert all(result.term != each for result in system.results(each))
            assert after.terms <= reached.terms
            assert len(after.terms) < len(reached.terms) or each == start


def test_every_rewriting_is_a_step_of_the_kernel():
    for seed in range(5):
        task = Address.of(NAME, seed, 2).task()
        rules = task.system()
        system = Rewriting(rules)
        for one in task.reached.terms:
            after = {result.term for result in system.results(one)}
            by_kernel = {
                other
                for other in task.reached.terms
                if other != one and any(follows(one, other, rule, "xyz") for rule in rules)
            }
            assert after == by_kernel
            assert (one in task.reached.normal_forms) == (not by_kernel)


@pytest.mark.parametrize(
    ("one", "other", "is_so"),
    [
        ("f(x)", "x", True),
        ("x", "f(x)", False),
        ("f(x+y)", "f(x)+f(y)", True),
        ("f(x)+f(y)", "f(x+y)", False),
        ("(x+y)+z", "x+(y+z)", True),
        ("x+(y+z)", "(x+y)+z", False),
        ("f(x)", "y", False),
        ("f(b)", "f(a)", True),
    ],
)
def test_path_order(one, other, is_so):
    precedence = {"f": 3, "+": 2, "b": 1, "a": 0}
    assert is_greater(term(one), term(other), precedence) == is_so


def test_the_same_problem_in_other_names_has_the_same_canonical_form():
    other = TermRewriting(rules=(("g(b)", "a"), ("a+y", "y"), ("g(y)", "y")), start="g(b)+g(a)")
    assert other.canonical() == TASK.canonical()
    assert other.model_copy(update={"start": "g(b)+g(b)"}).canonical() != TASK.canonical()


def test_scores():
    assert TASK.answer() == "b\na+b"
    assert TASK.verify("a+b\nb").value == 1
    assert TASK.verify("1. `b`\n2. `a + b`").value == 1
    for right in (
        "b, a+b", "{b, a+b}", "$b$\n$a+b$", "Normal forms:\nb\na+b",
        "**Normal forms:**\n- b\n- a+b",
    ):  # fmt: skip
        assert TASK.verify(right).value == 1
    assert TASK.verify("b").reason == "a normal form is missing"
    assert TASK.verify("b\nb\na+b").reason == "a term is listed twice"
    assert TASK.verify("b\na").reason == "term 2 cannot be reached"
    assert TASK.verify("b\na+f(b)").reason == "a rule applies to term 2"
    assert TASK.audit("a+b\nb")
    assert not TASK.audit("b")
    with pytest.raises(InvalidAnswer, match="at most 60 lines"):
        TASK.verify("a\n" * 61)
