"""Tasks of which some have no solution: proofs, replies, and what the surface gives away."""

import re
from collections import Counter
from functools import cache
from itertools import islice, pairwise
from random import Random

import numpy as np
import pytest
from tests.combinators.refuters import REFUTERS, solvable

from palaestra import Address, score
from palaestra.combinators import combine
from palaestra.combinators.choices import Choices
from palaestra.combinators.unanswerable import (
    NO_SOLUTION,
    SAYINGS,
    Unanswerable,
    UnanswerablePuzzle,
    offers_alterations,
    says_none,
    unsolvable,
)
from palaestra.episode import BARE, TAGS
from palaestra.registry import UnknownEnvironment, load, names
from palaestra.task import InvalidAnswer, Puzzle

FITTING = [name for name in sorted(names()) if offers_alterations(load(name))]

SUDOKU = "grids/sudoku+unanswerable"

SAMPLE = 200


def instance(name: str, seed: int, level: int) -> UnanswerablePuzzle:
    task = Address.of(f"{name}+unanswerable", seed, level).task()
    assert isinstance(task, UnanswerablePuzzle)
    return task


@cache
def sample(name: str) -> list[UnanswerablePuzzle]:
    return [instance(name, seed, 1) for seed in range(SAMPLE)]


def twins(name: str) -> list[tuple[Puzzle, Puzzle]]:
    """Tasks at the lowest, the middle and the highest level, with an alteration of each."""
    base, pairs = load(name), []
    levels = base.Knobs.levels()
    for level, number in ((0, 3), (levels // 2, 3), (levels - 1, 1)):
        for seed in range(number):
            task = Address.of(name, seed, level).task()
            assert isinstance(task, Puzzle)
            altered = unsolvable(task, Random(seed))
            if altered is not None:
                pairs.append((task, altered))
    return pairs


def test_at_least_30_environments_have_alterations() -> None:
    assert len(FITTING) >= 30


# What is asked, and what scores


def test_the_task_is_that_of_the_base_at_the_same_seed() -> None:
    for seed in range(10):
        task = instance("grids/nonogram", seed, 2)
        base = Address.of("grids/nonogram", seed, 2).task()
        assert task.task == base
        assert task.held_out() == base.held_out()
        assert task.shown().prompt() in task.prompt()


@pytest.mark.parametrize("percent", [10, 50, 90])
def test_the_share_is_that_of_the_argument(percent: int) -> None:
    name = f"grids/kakurasu+unanswerable({percent})"
    earned = sum(score(Address.of(name, seed, 1), NO_SOLUTION, BARE).value for seed in range(300))
    assert abs(earned / 300 - percent / 100) < 0.1
    task = Address.of(name, 0, 1).task()
    assert isinstance(task, Puzzle)
    assert task.random_baseline() == percent / 100


@pytest.mark.parametrize("name", FITTING)
def test_right_answers_score_and_others_do_not(name: str) -> None:
    tasks = sample(name)[:30]
    assert {task.altered is None for task in tasks} == {True, False}
    for task in tasks:
        assert task.verify(task.answer()).correct
        assert task.audit(task.answer()) is not False
        solution = task.task.answer()
        wrong = NO_SOLUTION if task.altered is None else solution
        try:
            result = task.verify(wrong)
        except InvalidAnswer:
            assert task.altered
        else:
            assert result.value == 0
            assert result.parts["impossible"] == (task.altered is not None)
            assert result.reason


@pytest.mark.parametrize(
    "form", ["No solution.", "**no solution**", "There is no solution at all."]
)
def test_no_solution_is_read_in_several_words(form: str) -> None:
    seed = next(seed for seed in range(50) if instance("grids/sudoku", seed, 1).altered)
    address = Address.of(SUDOKU, seed, 1)
    assert score(address, form, BARE).value == 1
    assert score(address, f"I tried all.\n<answer>{form}</answer>", TAGS).value == 1
    solvable_seed = next(n for n in range(50) if not instance("grids/sudoku", n, 1).altered)
    assert score(Address.of(SUDOKU, solvable_seed, 1), form, BARE).value == 0


@pytest.mark.parametrize(
    "form", ["none", "", "no", "no solution yet", "not impossible", "1 2", "no solution " * 100]
)
def test_other_words_are_not_read_as_no_solution(form: str) -> None:
    assert not says_none(form)


def test_what_is_read_as_no_solution_is_in_normal_form() -> None:
    assert all(map(says_none, SAYINGS))


def test_environments_without_alterations_are_refused() -> None:
    with pytest.raises(UnknownEnvironment, match="proved to have no solution"):
        Address.of("arithmetic/long_multiplication+unanswerable", 0, 0).task()
    claims, others = ("choices", "yes_no", "judge", "review"), ("hint", "chain", "length")
    for other in (*claims, *others, "locate", "unanswerable"):
        with pytest.raises(UnknownEnvironment, match="does not apply"):
            Address.of(f"{SUDOKU}+{other}", 0, 1).task()
    assert combine(load("grids/sudoku"), Choices())


# Proofs


@pytest.mark.parametrize("name", FITTING)
def test_alterations_are_proved_again(name: str) -> None:
    pairs = twins(name)
    assert len(pairs) >= 3
    for task, altered in pairs:
        assert task.refutation(altered)
        assert task.refutation(task) is None
        assert altered.prompt() != task.prompt()
        try:
            assert not altered.verify(task.answer()).correct
        except InvalidAnswer:
            continue


@pytest.mark.parametrize("name", FITTING)
def test_no_answer_to_a_small_alteration_is_right(name: str) -> None:
    """All well-formed answers are tried, so that the proof is that of ``verify`` alone."""
    base, refuted = load(name), 0
    for seed in range(20):
        task = base.sample(Random(seed), base.small())
        assert isinstance(task, Puzzle)
        some = islice(task.alterations(Random(seed)), 60)
        altered = next((each for each in some if task.refutation(each) is not None), None)
        if altered is not None:
            assert not any(is_right(altered, answer) for answer in altered.candidates())
            assert any(is_right(task, answer) for answer in task.candidates())
            refuted += 1
        if refuted == 4:
            break
    assert refuted > 1


def is_right(task: Puzzle, answer: str) -> bool:
    try:
        return task.verify(answer).correct
    except InvalidAnswer:
        return False


@pytest.mark.parametrize("name", REFUTERS)
def test_another_solver_finds_no_solution_in_the_prompt(name: str) -> None:
    base, unsolved = load(name), 0
    for level in range(0, base.Knobs.levels() // 2 + 1, 2):
        for seed in range(6):
            task = instance(name, seed, level)
            assert solvable(name, task.prompt()) == (task.altered is None), (level, seed)
            unsolved += task.altered is not None
    assert unsolved > 2


# Nothing on the surface gives it away


def statistics(prompt: str) -> dict[str, float]:
    """Counts of characters, of pairs of them and of numbers, with sums and parities."""
    signs = prompt.replace(" ", "")
    numbers = [*map(int, re.findall(r"\d{1,9}", prompt))]
    counts: dict[str, float] = {f"character {sign}": n for sign, n in Counter(signs).items()}
    counts |= {f"pair {a}{b}": n for (a, b), n in Counter(pairwise(signs)).items()}
    counts |= {f"number {number}": n for number, n in Counter(numbers).items()}
    return counts | {
        "characters": len(prompt),
        "sum": sum(numbers),
        "odd numbers": sum(number % 2 for number in numbers),
        "parity": sum(numbers) % 2,
        "repeated numbers": len(numbers) - len({*numbers}),
    }


def accuracies(rows: list[dict[str, float]], labels: list[bool]) -> tuple[float, float]:
    """How many labels a linear classifier and the best single statistic give, both fitted on one
    half and tried on the other.
    """
    keys = sorted({key for row in rows for key in row})
    table = np.array([[row.get(key, 0) for key in keys] for row in rows], float)
    table = table[:, table.std(0) > 0]
    table = (table - table.mean(0)) / table.std(0)
    right, half = np.array(labels) * 2.0 - 1, len(rows) // 2
    linear, single = [], []
    for fitted, tried in ((slice(half), slice(half, None)), (slice(half, None), slice(half))):
        known, target = table[fitted], right[fitted] - right[fitted].mean()
        kernel = known @ known.T + 0.3 * table.shape[1] * np.eye(len(known))
        guess = table[tried] @ (known.T @ np.linalg.solve(kernel, target))
        linear.append(np.mean((guess > np.median(guess)) == (right[tried] > 0)))
        covariance = known.T @ target
        best = int(np.argmax(np.abs(covariance)))
        column = np.sign(covariance[best]) * table[:, best]
        chosen = column[tried] > column[fitted].mean()
        single.append(np.mean(chosen == (right[tried] > 0)))
    return float(np.mean(linear)), float(np.mean(single))


def test_the_classifiers_find_what_there_is_to_find() -> None:
    rng = Random(1)
    labels = [rng.random() < 0.5 for _ in range(SAMPLE)]
    prompts = [f"{rng.randint(1, 9)} {rng.randint(1, 9)} {'ab'[label]}" for label in labels]
    assert min(accuracies([*map(statistics, prompts)], labels)) > 0.9


@pytest.mark.parametrize("name", FITTING)
def test_statistics_of_the_prompt_do_not_tell(name: str) -> None:
    """The bound is four standard deviations of a guess."""
    tasks = sample(name)
    labels = [task.altered is not None for task in tasks]
    bound = 0.5 + 4 * 0.5 / SAMPLE**0.5
    assert abs(np.mean(labels) - 0.5) < bound - 0.5
    rows = [statistics(task.shown().prompt()) for task in tasks]
    assert max(accuracies(rows, labels)) < bound


def test_the_default_is_one_in_two() -> None:
    assert str(Unanswerable()) == "unanswerable(50)"
