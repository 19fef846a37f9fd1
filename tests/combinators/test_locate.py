"""The first wrong step of a solution, and reviews of claimed answers."""

import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra import Address
from palaestra.combinators.locate import LocatePuzzle, derived
from palaestra.combinators.review import ReviewPuzzle, read_review
from palaestra.combinators.slips import slips
from palaestra.registry import UnknownEnvironment, load, names
from palaestra.task import InvalidAnswer, NoValidTask, Puzzle

STEPPED = [
    name
    for name in names()
    if issubclass(each := load(name), Puzzle) and each.derivation is not Puzzle.derivation
]
"""The environments whose tasks have solutions step by step."""


def tasks(name: str, number: int = 6) -> list[LocatePuzzle]:
    sampled = []
    for level in range(load(name).Knobs.levels()):
        for seed in range(number):
            try:
                task = Address.of(f"{name}+locate", seed, level).task()
            except NoValidTask:
                continue
            assert isinstance(task, LocatePuzzle)
            sampled.append(task)
    return sampled


def test_several_environments_have_steps() -> None:
    assert len(STEPPED) >= 10


@pytest.mark.parametrize("name", STEPPED)
def test_exactly_one_step_is_wrong_and_the_others_follow(name: str) -> None:
    sampled = tasks(name)
    assert len(sampled) >= 6
    for task in sampled:
        right = [f"{step.expression} = {step.value}" for step in derived(task.task)]
        first = next(n for n, (one, other) in enumerate(zip(right, task.lines), 1) if one != other)
        assert first == task.step
        assert right[first - 1] != task.lines[first - 1]
        assert right[first - 1].endswith(f"= {task.value}")
        assert task.verify(task.answer()).correct
        assert task.audit(task.answer())


@pytest.mark.parametrize("name", ["arithmetic/long_multiplication", "geometry/coordinate_areas"])
def test_sums_and_products_are_checked_by_another_reader(name: str) -> None:
    """Every line is calculated anew from its text: the wrong one is the only one that fails."""
    for task in tasks(name):
        wrong = []
        for number, line in enumerate(task.lines, 1):
            expression, _, value = line.rpartition(" = ")
            if expression.startswith("|"):
                continue
            total = sum(
                (-1 if sign == "-" else 1) * int(a) * int(b or 1)
                for sign, a, b in re.findall(r"(?:^|([+-]) )(-?\d+)(?: \* (-?\d+))?", expression)
            )
            if total != Fraction(value):
                wrong.append((number, str(total)))
        assert wrong == [(task.step, task.value)]


def test_the_wrong_step_is_anywhere() -> None:
    counts = Counter[int]()
    for seed in range(300):
        task = Address.of("arithmetic/long_multiplication+locate", seed, 3).task()
        assert isinstance(task, LocatePuzzle)
        counts[task.step] += 1
    assert len(counts) == len(task.lines)
    assert min(counts.values()) > 300 / len(counts) / 2


def test_a_step_without_its_value_earns_nothing() -> None:
    task = Address.of("arithmetic/long_multiplication+locate", 1, 3).task()
    assert isinstance(task, LocatePuzzle)
    shown = task.lines[task.step - 1].rpartition(" = ")[2]
    wrong = task.verify(f"{task.step}: {shown}")
    assert wrong.value == 0
    assert wrong.parts["located"] == 1
    for form in ("Step {}: {}", "{}: {:,}", "step {} = {}", "{}) {}", "{}: 3 * 4 = {}"):
        assert task.verify(form.format(task.step, int(task.value))).correct
    assert not task.verify(f"{len(task.lines) + 1}: {task.value}").correct
    for reply in (str(task.step), task.value, f"{task.step} {task.value}", "step: 4"):
        with pytest.raises(InvalidAnswer):
            task.verify(reply)


def test_what_has_no_steps_is_refused() -> None:
    with pytest.raises(UnknownEnvironment, match="no steps"):
        load("grids/sudoku+locate")


# What shows at a glance


def restored_zeros(expression: str, value: str) -> str | None:
    """The value of a line of a long multiplication with its final digits put right, if wrong."""
    factors = re.fullmatch(r"(\d+) \* (\d+)", expression)
    terms = re.fullmatch(r"(\d+) \+ (\d+)", expression)
    if factors and factors[2] == "0":
        return "0" if value != "0" else None
    if factors or terms:
        first, second = (factors or terms).groups()  # type: ignore[union-attr]
        zeros = len(second) - len(second.rstrip("0"))
        final = "0" * zeros if factors else first.zfill(zeros)[-zeros:]
        if zeros and len(value) > zeros and value[-zeros:] != final:
            return f"{value[:-zeros]}{final}"
    return None


def remainder_out_of_range(expression: str, value: str) -> str | None:
    """What a line of Euclid's algorithm may be, if its value cannot be a remainder."""
    numbers = re.fullmatch(r"(\d+) mod (\d+)", expression)
    assert numbers
    number, divisor = map(int, numbers.groups())
    if int(value) >= divisor:
        return "0"
    return str(number) if number < divisor and int(value) != number else None


@pytest.mark.parametrize(
    ("name", "glance"),
    [
        ("arithmetic/long_multiplication", restored_zeros),
        ("numbers/greatest_common_divisor", remainder_out_of_range),
    ],
)
def test_a_glance_does_not_find_the_slip(
    name: str, glance: Callable[[str, str], str | None]
) -> None:
    for task in tasks(name, 20):
        for number, line in enumerate(task.lines, 1):
            expression, _, value = line.rpartition(" = ")
            repaired = glance(expression, value)
            assert repaired is None or not task.verify(f"{number}: {repaired}").correct
            assert repaired is None or number != task.step


@pytest.mark.parametrize("name", STEPPED)
def test_a_slip_keeps_the_form_of_the_value(name: str) -> None:
    for task in tasks(name):
        shown = task.lines[task.step - 1].rpartition(" = ")[2]
        assert len(shown) == len(task.value)
        assert sum(one != other for one, other in zip(shown, task.value)) == 1
        assert "0" not in {shown, task.value}
        assert 0 < task.random_baseline() <= 1 / 3 / 2


@given(st.integers(-699, 699), st.sampled_from(["x", "40 + 5", "12345 mod 700", "7 # 8"]))
def test_slips_are_mutual(value: int, expression: str) -> None:
    for other in slips(expression, value, 999):
        assert other != value
        assert value in slips(expression, other, 999)


# Reviews


def reviews(number: int, percent: int = 20) -> list[ReviewPuzzle]:
    name = f"arithmetic/base_conversion+review({percent})"
    sampled = [Address.of(name, seed, 3).task() for seed in range(number)]
    return [task for task in sampled if isinstance(task, ReviewPuzzle)]


def test_a_claim_is_right_as_often_as_the_argument_says() -> None:
    sampled = reviews(300)
    assert 30 < sum(task.right for task in sampled) < 90
    assert all(task.task.verify(task.claim).correct == task.right for task in sampled)


def test_a_verdict_on_a_wrong_claim_earns_nothing_without_a_right_answer() -> None:
    for task in reviews(40, 50):
        assert task.verify("Right.").correct == task.right
        assert not task.verify(f"wrong\n{task.claim}").correct
        corrected = task.verify(f"**Wrong**\n{task.task.answer()}")
        assert corrected.correct == (not task.right)
        assert corrected.parts["verdict"] == float(not task.right)


@pytest.mark.parametrize("reply", ["", "wrong", "wrong\n  ", "42", "maybe\n42", "right or wrong"])
def test_what_is_no_review_is_refused(reply: str) -> None:
    with pytest.raises(InvalidAnswer):
        read_review(reply)
