"""Tests of probability/random_process_expectation: processes are run case by case, and by hand."""

import re
from fractions import Fraction
from itertools import permutations, product
from random import Random

import pytest
from tests.envs.stated_values import FORMS, OTHERS

from palaestra.address import Address
from palaestra.envs.probability.random_process_expectation import RandomProcessExpectation
from palaestra.generators.probability.random_process_expectation.cases import (
    PROCESSES,
    TOTALS,
    Case,
    random_case,
)
from palaestra.generators.probability.random_process_expectation.laws import by_cases
from palaestra.generators.probability.random_process_expectation.texts import described
from palaestra.generators.probability.random_process_expectation.values import expectation
from palaestra.task import InvalidAnswer

NAME = "probability/random_process_expectation"
ALL = [(process, total) for process in PROCESSES for total in TOTALS[process]]


@pytest.mark.parametrize(("process", "total"), ALL)
def test_sums_are_those_of_all_courses(process, total):
    rng = Random(total)
    compared = 0
    while compared < 6:
        case = random_case(rng, process, 4, rng.randint(3, 6), 5)
        if case.total == total and (value := by_cases(case)) is not None:
            assert expectation(case) == value, case
            compared += 1


KNOWN = [
    (Case("records", "sum", values=(1, 1, 1, 1), limit=1), Fraction(25, 12)),
    (Case("records", "square", values=(1, 1), limit=1), Fraction(5, 2)),
    (Case("coins", "changes", (1, 1, 1), (1, 1), 2), 1),
    (Case("coins", "runs", (1, 1), (), 2, 2), Fraction(6, 4)),
    (Case("urn", "pairs", (1, 1), (), 3, 1), 2),
    (Case("urn", "square", (1, 1), (), 2, 1), Fraction(5, 3)),
    (Case("coupons", "all", (1, 1, 1)), Fraction(11, 2)),
    (Case("coupons", "seen", (1, 1), (1, 1), 2), Fraction(3, 2)),
    (Case("tree", "leaves", (), (1, 1, 1, 1), 4), 2),
    (Case("elimination", "sum", (-1, 0, 0), (1, 1, 1)), 2),
    (Case("elimination", "sizes", (-1, 0), (1, 1)), 2),
    (Case("windows", "greatest", (1, 2, 3)), Fraction(14, 6)),
    (Case("windows", "overlap", (1, 1)), Fraction(8, 9)),
    (Case("lamps", "number", (2, 3), (), 1, 6), Fraction(5, 2)),
    (Case("neighbours", "products", (), (2, 3)), 6),
    (Case("sample", "greatest", (1, 2, 3), (), 2), Fraction(8, 3)),
    (Case("sample", "gaps", (1, 2, 4), (), 2), Fraction(14, 3)),
]


@pytest.mark.parametrize(("case", "value"), KNOWN)
def test_known_values(case, value):
    assert expectation(case) == value
    assert by_cases(case) == value


def numbers(text):
    return [Fraction(number) for number in re.findall(r"\d+(?:/\d+)?", text)]


def test_prompts_state_all_that_matters():
    """Some processes are read from their prompts and run from there."""
    for seed in range(12):
        task = Address.of(NAME, seed, 1, process="coins").task()
        text = task.prompt()
        if task.case.total != "changes":
            continue
        heads = numbers(re.search(r"order, are ([\d/, ]+)\.", text)[1])
        points = numbers(re.search(r"points are won: ([\d, ]+), for", text)[1])
        mean = 0
        for flips in product((0, 1), repeat=len(heads)):
            chance = Fraction(1)
            for up, share in zip(flips, heads):
                chance *= share if up else 1 - share
            mean += chance * sum(v for v, a, b in zip(points, flips, flips[1:]) if a != b)
        assert str(mean) == task.answer()
    task = Address.of(NAME, 3, 0, process="neighbours").task()
    row = numbers(re.search(r"in a row: ([\d, ]+)\.", task.prompt())[1])
    orders, paid = [*permutations(range(len(row)))], 0
    for order in orders:
        left = [*enumerate(row)]
        for card in order:
            at = next(n for n, (k, _) in enumerate(left) if k == card)
            paid += sum(row[card] * value for _, value in left[max(0, at - 1) : at])
            paid += sum(row[card] * value for _, value in left[at + 1 : at + 2])
            del left[at]
    assert str(paid / len(orders)) == task.answer()


def test_every_process_has_its_words():
    texts = set()
    for process, total in ALL:
        case = Case(process, total)
        for seed in range(200):
            case = random_case(Random(seed), process, 4, 9, 9)
            if case.total == total:
                break
        process_text, what = described(case)
        assert process_text.endswith(".")
        assert not what.endswith(".")
        texts.add((process_text, what))
    assert len(texts) == len(ALL)


def test_simple_answers_are_wrong():
    for level in range(7):
        for seed in range(15):
            task = Address.of(NAME, seed, level).task()
            assert task.value().denominator > 1
            assert task.value() not in task.simple_values().values()


RECORDS = RandomProcessExpectation(case=Case("records", "sum", values=(1, 1, 1, 1), limit=1))


def test_forms_of_an_answer():
    for right in ("25/12", "50/24", "25/12 points", "E[X] = 25/12", "The expected value is 25/12."):
        assert RECORDS.verify(right).correct, right
    assert RECORDS.verify("2.08").reason == "the value is wrong"
    assert RECORDS.verify("-25/12").reason == "the total is never negative"


def test_too_many_courses_are_not_gone_through():
    assert by_cases(Case("records", "sum", values=(1,) * 12, limit=1)) is None


@pytest.mark.parametrize("form", FORMS)
def test_sentences_and_labels(form):
    task = Address.of(NAME, 1, 1).task()
    right = Fraction(task.answer())
    for value in (right, right + 1):
        parts = (value, f"{float(value):.4f}", value.numerator, value.denominator)
        assert task.verify(form.format(*parts)).value == (value == right)


@pytest.mark.parametrize("form", OTHERS)
def test_what_is_not_the_value(form):
    task = Address.of(NAME, 1, 1).task()
    try:
        score = task.verify(form.format(task.answer()))
    except InvalidAnswer:
        score = None
    assert score is None or score.value == 0


def test_what_is_not_a_number_is_refused():
    with pytest.raises(InvalidAnswer, match="expected a number"):
        RECORDS.verify("two and a bit")


def test_scenes():
    tree = RandomProcessExpectation(case=Case("elimination", "sum", (-1, 0, 1), (4, 5, 6)))
    scene = tree.scene()
    assert [(node.name, node.note) for node in scene.nodes] == [("1", "4"), ("2", "5"), ("3", "6")]
    assert [(edge.start, edge.end) for edge in scene.edges] == [(0, 1), (1, 2)]
    row = RECORDS.scene()
    assert [[cell.text for cell in cells] for cells in row.cells] == [["1", "1", "1", "1"]]
    assert row.left == (("points",),)
    urn = RandomProcessExpectation(case=Case("urn", "pairs", (1, 2), (), 3, 1)).scene()
    assert [[cell.text for cell in cells] for cells in urn.cells] == [["1", "2"]]
