"""Tests of logic/natural_deduction."""

from itertools import combinations
from random import Random

import pytest

from palaestra.address import Address
from palaestra.envs.logic.natural_deduction import EXAMPLE, NaturalDeduction
from palaestra.generators.logic.natural_deduction.proofs import Search, short_proof
from palaestra.generators.logic.natural_deduction.rules import (
    SCHEMAS,
    is_proof,
    proof_text,
    rules_text,
)
from palaestra.generators.logic.natural_deduction.sequents import random_formula, random_sequent
from palaestra.task import InvalidAnswer
from palaestra.verifiers.proofs.fitch import proof_error
from palaestra.verifiers.proofs.formulas import FALSE, entails, formula, written
from palaestra.verifiers.proofs.natural import NaturalDeduction as Judge
from palaestra.verifiers.proofs.natural import read_proof

NAME = "logic/natural_deduction"
TASK = NaturalDeduction(premises=("p -> q", "~q"), goal="~p", classical=False)
LINKS = ["and", "or", "if", "iff", "not"]


def accepted(lines, premises, goal, classical):
    """Whether the kernel accepts a proof of a goal."""
    last = lines[-1]
    return not proof_error(lines, premises, classical) and (last.depth, last.claim) == (0, goal)


@pytest.mark.parametrize("level", range(NaturalDeduction.Knobs.levels()))
def test_a_truth_table_agrees_that_the_goal_needs_every_premise(level):
    for seed in range(8):
        task = Address.of(NAME, seed, level).task()
        premises, goal = task.sequent
        assert entails(premises, goal)
        assert not entails(premises, FALSE)
        for fewer in combinations(premises, len(premises) - 1):
            assert not entails(fewer, goal)


@pytest.mark.parametrize("level", range(NaturalDeduction.Knobs.levels()))
def test_proofs_have_the_length_and_depth_of_their_level(level):
    knobs = NaturalDeduction.Knobs.at(level)
    for seed in range(8):
        task = Address.of(NAME, seed, level).task()
        assert task.classical == (knobs.logic == "classical")
        lines = read_proof(task.answer())
        assert knobs.lines <= len(lines) <= knobs.lines * 1.5 + 1
        assert max(line.depth for line in lines) >= knobs.depth
        assert task.verify(task.answer()).value == 1
        assert task.audit(task.answer())


def test_the_search_finds_proofs_of_exactly_the_tautologies():
    rng = Random(0)
    counts = {True: 0, False: 0}
    for _ in range(400):
        claim = random_formula(rng, "pq", rng.randint(1, 4), LINKS)
        proof = short_proof(Search([], claim))
        assert bool(proof) == entails([], claim)
        counts[bool(proof)] += 1
        if proof:
            assert accepted(proof, [], claim, classical=True)
        # Valery Glivenko (1929): not-not A is a theorem of intuitionistic logic if A is classical.
        double = ("not", ("not", claim))
        proof = short_proof(Search([], double, classical=False))
        assert bool(proof) == entails([], claim)
        assert proof is None or accepted(proof, [], double, classical=False)
    assert min(counts.values()) > 20


@pytest.mark.parametrize(
    ("claim", "intuitionistic"),
    [
        ("p | ~p", False), ("~~p -> p", False), ("((p -> q) -> p) -> p", False),
        ("~(p & q) -> (~p | ~q)", False), ("(p -> q) | (q -> p)", False),
        ("~~(p | ~p)", True), ("~~~p -> ~p", True), ("(~p | ~q) -> ~(p & q)", True),
        ("((p | (p -> q)) -> q) -> q", True), ("~(p <-> ~p)", True),
    ],
)  # fmt: skip
def test_intuitionistic_logic_proves_less(claim, intuitionistic):
    claim = formula(claim)
    assert accepted(short_proof(Search([], claim)), [], claim, classical=True)
    proof = short_proof(Search([], claim, classical=False))
    assert bool(proof) == intuitionistic
    assert not proof or accepted(proof, [], claim, classical=False)


def test_schemas_agree_with_the_kernel_on_altered_proofs():
    rng = Random(0)
    counts = {True: 0, False: 0}
    for _ in range(150):
        sequent = random_sequent(rng, "pqr", [2, 2, 2], LINKS)
        proof = sequent and short_proof(Search(*sequent))
        if not proof:
            continue
        for _ in range(12):
            lines, at = list(proof), rng.randrange(len(proof))
            line, other = lines[at], rng.choice(lines)
            changes = [
                {"claim": other.claim}, {"rule": other.rule}, {"depth": other.depth},
                {"lines": other.lines}, {"subproofs": other.subproofs},
                {"lines": line.lines[::-1]}, {"subproofs": line.subproofs[::-1]},
                {"number": other.number}, {"rule": rng.choice([*SCHEMAS])},
                {"lines": tuple(rng.randint(1, len(lines)) for _ in line.lines)},
            ]  # fmt: skip
            lines[at] = line._replace(**rng.choice(changes))
            if rng.random() < 0.2:
                del lines[rng.randrange(len(lines))]
            classical = rng.random() < 0.7
            right = accepted(lines, *sequent, classical)
            assert is_proof(lines, *sequent, classical=classical) == right
            counts[right] += 1
    assert min(counts.values()) > 100


def test_formulas_have_no_double_negations_and_no_equal_parts():
    rng = Random(0)

    def parts(claim):
        return [claim, *(part for each in claim[1:] for part in parts(each))]

    for _ in range(300):
        for link, *inner in parts(random_formula(rng, "pqr", 4, LINKS)):
            assert link != "not" or inner[0][0] != "not"
            assert len(inner) < 2 or inner[0] != inner[1]


def test_the_rules_of_the_prompt():
    assert "IP" not in rules_text(classical=False)
    assert "IP: from a sub-proof from ~A to false, derive A" in rules_text(classical=True)
    assert "|I: from A, derive A | B or derive B | A" in rules_text(classical=True)
    assert Judge(["x -> y", "~y"], "~x", classical=False)(EXAMPLE).correct


def test_proofs_are_read_as_they_are_written():
    for seed in range(10):
        task = Address.of(NAME, seed, 5).task()
        assert proof_text(read_proof(task.answer())) == task.answer()


def test_the_same_problem_in_other_names_has_the_same_canonical_form():
    other = NaturalDeduction(premises=("~r", "s -> r"), goal="~s", classical=False)
    assert other.canonical() == TASK.canonical()
    assert other.model_copy(update={"classical": True}).canonical() != TASK.canonical()
    assert other.model_copy(update={"goal": "~r"}).canonical() != TASK.canonical()


RIGHT = "1. p -> q premise\n2. ~q premise\n3. | p assumption\n4. | q ->E 1, 3\n"
RIGHT += "5. | false ~E 2, 4\n6. ~p ~I 3-5"
INSIDE = """\
1. | p assumption
2. | p -> q premise
3. | q ->E 2, 1
4. | ~q premise
5. | false ~E 4, 3
6. ~p ~I 1-5"""


@pytest.mark.parametrize(
    "answer",
    [
        RIGHT,
        RIGHT.replace("~", "\u00ac").replace("->", "\u2192").replace("false", "\u22a5"),
        RIGHT.replace(". ", " "),
        "\n".join(line.partition(". ")[2] for line in RIGHT.split("\n")),
        "\n".join(f"- {line}" for line in RIGHT.split("\n")),
        INSIDE,
        "Proof:\n" + RIGHT,
        RIGHT.replace(" q ", " **q** ").replace(" p ", " $p$ ").replace(" ~p ", " `~p` "),
        RIGHT.replace("E 1", "E from 1").replace("E 2", "E from lines 2"),
    ],
)
def test_right_answers(answer):
    assert TASK.verify(answer).value == 1
    assert TASK.audit(answer)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("1. ~p premise", "line 1 is not one of the premises"),
        ("1. ~p assumption", "line 1 is inside a sub-proof that no assumption opened"),
        ("1. | ~p assumption", "the last line is inside a sub-proof"),
        ("1. ~q premise", "the last line is not what was to be proved"),
        (
            RIGHT.replace("3-5", "3-4"),
            "line 6 leans on a line or sub-proof that cannot be cited there",
        ),
        (RIGHT.replace("~I 3-5", "IP 3-5"), "line 6 uses a rule that is not allowed here"),
        (
            RIGHT.replace("2, 4", "1, 4"),
            "line 5 does not follow by its rule from what it cites",
        ),
        (f"{RIGHT}\n7. ~p R 3", "line 7 leans on a line or sub-proof that cannot be cited there"),
    ],
)  # fmt: skip
def test_wrong_answers(answer, reason):
    assert TASK.verify(answer).reason == reason
    assert not TASK.audit(answer)


@pytest.mark.parametrize("answer", ["~p", "it follows", "1. p -> q\n2. ~p by logic", "9" * 9_000])
def test_unreadable_answers(answer):
    with pytest.raises(InvalidAnswer):
        TASK.verify(answer)
    assert not TASK.audit(answer)


def test_players_without_search_write_proofs_that_can_be_read():
    solved = set()
    for seed in range(12):
        task = Address.of(NAME, seed, 2).task()
        for player, proof in task.baselines(Random(seed)).items():
            assert read_proof(proof)
            if task.verify(proof).value == 1:
                solved.add(player)
        assert written(task.sequent[1]) == task.goal
    assert "case splits" in solved
    assert "one rule" not in solved
