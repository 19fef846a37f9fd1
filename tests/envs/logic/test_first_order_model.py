"""Tests of logic/first_order_model."""

from itertools import product
from random import Random

import pytest
from pysat.solvers import Solver

from palaestra.address import Address
from palaestra.envs.logic.first_order_model import FirstOrderModel
from palaestra.generators.logic.first_order_model.search import _Solver, find_model
from palaestra.generators.logic.first_order_model.sentences import (
    Signature,
    masks,
    random_sentence,
    satisfying,
    wording,
)
from palaestra.generators.logic.first_order_model.worlds import (
    plain_structures,
    random_structure,
    tight_sentences,
)
from palaestra.task import InvalidAnswer

NAME = "logic/first_order_model"
LOOP = ("some", "x", ("R", "x", "x"))
SERIAL = ("all", "x", ("some", "y", ("and", ("R", "x", "y"), ("not", ("P", "y")))))
TASK = FirstOrderModel(elements=3, statements=((SERIAL, True), (LOOP, False)))
RIGHT = "P: 1\nR: 1-2, 2-3, 3-2"


def holds(formula, true, size, bound):
    """The truth of a formula by Python's own all and any."""
    link, *parts = formula
    if link in {"all", "some"}:
        name, part = parts
        values = (holds(part, true, size, {**bound, name: n}) for n in range(1, size + 1))
        return all(values) if link == "all" else any(values)
    if link == "not":
        return not holds(parts[0], true, size, bound)
    if link in {"and", "or", "if", "iff"}:
        one, other = (holds(part, true, size, bound) for part in parts)
        return {
            "and": one and other,
            "or": one or other,
            "if": not one or other,
            "iff": one == other,
        }[link]
    values = tuple(bound[name] for name in parts)
    return values[0] == values[1] if link == "=" else true[link, values]


@pytest.mark.parametrize("level", range(FirstOrderModel.Knobs.levels()))
def test_the_sentences_have_their_truth_values_in_the_answer(level):
    for seed in range(5):
        task = Address.of(NAME, seed, level).task()
        true = task.read(task.answer())
        for sentence, truth in task.statements:
            assert holds(sentence, true, task.elements, {}) == truth
        assert task.verify(task.answer()).value == 1
        assert task.audit(task.answer())


def test_truth_is_the_same_in_three_ways():
    rng, counts = Random(0), {True: 0, False: 0}
    for _ in range(300):
        signature = Signature("PQ", "RS", rng.randint(2, 4))
        sentence = random_sentence(rng, signature, rng.randint(1, 3))
        structures = [random_structure(rng, signature) for _ in range(4)]
        worlds = {
            atom: sum(each[atom] << n for n, each in enumerate(structures))
            for atom in signature.atoms()
        }
        mask = masks(sentence, worlds, 0b1111, signature.elements)
        for n, true in enumerate(structures):
            value = holds(sentence, true, signature.elements, {})
            counts[value] += 1
            assert mask >> n & 1 == value
            assert bool(satisfying(sentence, [], true, signature.elements)) == value
    assert min(counts.values()) > 200


def test_the_solver_agrees_with_another_one():
    rng, counts = Random(0), {True: 0, False: 0}
    for _ in range(200):
        variables = rng.randint(3, 25)
        clauses = [
            [rng.choice((n, -n)) for n in rng.sample(range(1, variables + 1), rng.randint(1, 3))]
            for _ in range(int(variables * rng.uniform(1, 4)))
        ]
        solver = _Solver(clauses, variables)
        with Solver(bootstrap_with=clauses) as other:
            assert solver.solve() == other.solve()
            counts[other.solve()] += 1
        if not solver.contradictory and solver.solve():
            assert all(any(solver.value[x] > 0 for x in clause) for clause in clauses)
    assert min(counts.values()) > 30


def test_a_model_is_found_wherever_brute_force_finds_one():
    rng, counts = Random(0), {True: 0, False: 0}
    signature = Signature("P", "R", 2)
    atoms = signature.atoms()
    for _ in range(120):
        sentences = [
            (random_sentence(rng, signature, 2), rng.random() < 0.5)
            for _ in range(rng.randint(2, 7))
        ]
        models = [
            values
            for values in product((False, True), repeat=len(atoms))
            if all(holds(s, dict(zip(atoms, values)), 2, {}) == truth for s, truth in sentences)
        ]
        model = find_model(sentences, signature)
        assert bool(model) == bool(models)
        counts[bool(models)] += 1
        if model:
            assert tuple(model.true[atom] for atom in atoms) in models
    assert min(counts.values()) > 20


def test_few_structures_satisfy_the_sentences():
    for seed in range(10):
        rng, signature = Random(seed), Signature("PQ", "R", 3)
        sentences = tight_sentences(rng, signature, 7, 2)
        others = [random_structure(rng, signature) for _ in range(100)]
        others += plain_structures(signature).values()
        right = [
            all(holds(sentence, each, 3, {}) == truth for sentence, truth in sentences)
            for each in others
        ]
        assert sum(right) < 5
        assert find_model(sentences, signature)


def test_plain_structures():
    structures = plain_structures(Signature("P", "R", 3))
    order = structures["first half, order"]
    assert [atom for atom, value in order.items() if value] == [
        ("P", (1,)), ("R", (1, 1)), ("R", (1, 2)), ("R", (1, 3)), ("R", (2, 2)), ("R", (2, 3)),
        ("R", (3, 3)),
    ]  # fmt: skip
    cycle = structures["none, cycle"]
    assert [pair for (_, pair), value in cycle.items() if value] == [(1, 2), (2, 3), (3, 1)]


def test_wording():
    assert wording(SERIAL) == "for every x, for some y: R(x,y) and not P(y)"
    inner = ("some", "y", ("not", ("=", "x", "y")))
    formula = ("all", "x", ("if", ("P", "x"), inner))
    assert wording(formula) == "for every x: P(x) implies (for some y: x \u2260 y)"
    formula = ("not", ("iff", ("P", "x"), ("or", ("P", "y"), ("=", "x", "y"))))
    assert wording(formula) == "not (P(x) if and only if (P(y) or x = y))"


def test_other_names_of_predicates_make_no_other_task():
    def renamed(formula):
        names = {"P": "Q", "R": "S"}
        return tuple(
            renamed(part) if isinstance(part, tuple) else names.get(part, part) for part in formula
        )

    statements = tuple((renamed(each), truth) for each, truth in reversed(TASK.statements))
    assert FirstOrderModel(elements=3, statements=statements).canonical() == TASK.canonical()
    assert TASK.model_copy(update={"elements": 2}).canonical() != TASK.canonical()


@pytest.mark.parametrize(
    "answer",
    [
        RIGHT, "R: (1,2), (2,3), (3,2)\nP: 1",
        "$P = \\{1\\}$\n$R$: $\\{(1,2), (2,3), (3,2)\\}$",
        "P = {1}\nR = {(1, 2), (2, 3), (3, 2)}",
        "P: none\nR: 12 23 32", "P(x): empty\nR(x,y): <1,2>; <2,3>; <3,2>",
        "- **P**: 1\n- **R**: 1 -> 2, 2 -> 3, and 3 -> 2",
        '{"P": [1], "R": [[1, 2], [2, 3], [3, 2]]}',
        "p: []\nr: 1\u21922, 2\u20133, 3-2", "P: 1\nR: 1-2, 2-3, 3-2, 1-2",
    ],
)  # fmt: skip
def test_right_answers(answer):
    assert TASK.verify(answer).value == 1
    assert TASK.audit(answer)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("P: 1\nR: 1-2, 2-3", "sentence 1 is not true"),
        ("P: 2\nR: 1-2, 2-3, 3-2", "sentence 1 is not true"),
        ("P: none\nR: none", "sentence 1 is not true"),
        (f"{RIGHT}, 3-3", "sentence 2 is not false"),
    ],
)
def test_wrong_answers(answer, reason):
    assert TASK.verify(answer).reason == reason
    assert not TASK.audit(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "", "yes", "P: 1", "R: 1-2, 2-3, 3-2", f"{RIGHT}\nP: 1", f"{RIGHT}\nQ: 1", "P: 4\nR: 1-2",
        "P: -1\nR: 1-2, 2-3, 3-2", "P: not 1\nR: 1-2, 2-3, 3-2", "P: 1\nR: 1-2, 2-3, 3",
        "P: 1\nR: 1-2, 2-3, 3-2, all", "P: 1\nR: 10-2, 2-3, 3-2",
        "P: 1.5\nR: 1-2, 2-3, 3-2", "9" * 9_000, "P: " + "1" * 9_000 + "\nR: none",
    ],
    ids=range(15),
)  # fmt: skip
def test_unreadable_answers(answer):
    with pytest.raises(InvalidAnswer):
        TASK.verify(answer)
    assert not TASK.audit(answer)
