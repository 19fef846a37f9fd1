"""Refutations by resolution are checked step by step."""

from itertools import product
from random import Random

import pytest

from palaestra.task import InvalidAnswer
from palaestra.testing.verifiers import check_verifier
from palaestra.verifiers.proofs import ResolutionProof
from palaestra.verifiers.proofs.resolution import read_clause, read_steps, resolvents
from palaestra.verifiers.verifier import GoldError

CLAUSES = ("a b", "a ~b", "~a c", "~a ~c")
PROOF = "5: 1 2 a\n6: 3 4 ~a\n7: 5 6 empty"


def test_what_is_right_and_what_is_not():
    check_verifier(
        ResolutionProof(CLAUSES),
        right=[PROOF, PROOF.replace("5:", "5.").replace("6:", "6.").replace("7:", "7.")],
        wrong=[
            PROOF.replace("5 6 empty", "4 6 empty"),
            PROOF.replace("1 2 a", "1 2 b"),
            "5: 1 2 a\n6: 3 4 ~a",
            "5: 5 5 empty",
            "5: 6 1 a\n6: 5 1 empty",
            "5: 1 4 empty",
        ],
    )


def test_too_many_steps():
    assert ResolutionProof(CLAUSES, steps=2)(PROOF).reason == (
        "there are 3 steps, and 2 are allowed"
    )


def test_resolvents_follow_from_their_parents():
    rng, names = Random(0), "abcd"
    literals = [sign + name for name in names for sign in ("", "~")]

    def holds(clause, world):
        return any((literal[0] != "~") == world[literal.lstrip("~")] for literal in clause)

    worlds = [dict(zip(names, bits)) for bits in product([False, True], repeat=len(names))]
    seen = 0
    for _ in range(300):
        one, other = (frozenset(rng.sample(literals, rng.randint(1, 4))) for _ in range(2))
        for clause in resolvents(one, other):
            seen += 1
            for world in worlds:
                assert holds(clause, world) or not (holds(one, world) and holds(other, world))
    assert seen > 100


@pytest.mark.parametrize("text", ["a ~b", "a or not b", "(a | !b)", "A \u2228 \u00acB", "{a, -b}"])
def test_clauses_in_several_notations(text):
    assert read_clause(text) == {"a", "~b"}


@pytest.mark.parametrize("text", ["", "a empty", "~", "1", "~~a", "a+b"])
def test_unreadable_clauses(text):
    with pytest.raises(InvalidAnswer, match="expected a clause"):
        read_clause(text)


@pytest.mark.parametrize("text", ["4: 1 2 a", "1 2 a", "6: 1 2 a", "5: 1 2 a\n5: 1 2 a"])
def test_numbers_go_on_from_those_of_the_clauses(text):
    with pytest.raises(InvalidAnswer, match="numbers from 5 in order"):
        read_steps(text, 4)


def test_a_long_answer_is_refused():
    with pytest.raises(InvalidAnswer, match="lines long"):
        read_steps("5: 1 2 a\n" * 3_000, 4)


@pytest.mark.parametrize(
    ("clauses", "steps", "message"),
    [
        ([], 5, "none may be empty"),
        (["a", "empty"], 5, "none may be empty"),
        (["a + b"], 5, "unreadable"),
        (["a"], 0, "1 or more"),
    ],
)
def test_bad_tasks(clauses, steps, message):
    with pytest.raises(GoldError, match=message):
        ResolutionProof(clauses, steps)
