"""What each combinator makes of a task, and what it pays."""

from collections import Counter
from difflib import SequenceMatcher
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra import Address, Episode, score
from palaestra.combinators.batch import BatchPuzzle, read_answers
from palaestra.combinators.chain import MODULUS, ChainPuzzle
from palaestra.combinators.choices import LETTERS, ChoicesPuzzle
from palaestra.combinators.combinator import OfOne
from palaestra.combinators.confidence import read_confidence
from palaestra.combinators.constrain import ConstrainPuzzle
from palaestra.combinators.hint import HintPuzzle
from palaestra.combinators.judge import JudgePuzzle
from palaestra.combinators.yes_no import YesNoPuzzle, verdict
from palaestra.episode import BARE
from palaestra.registry import UnknownEnvironment, load
from palaestra.task import InvalidAnswer, NoValidTask

MULTIPLICATION = "arithmetic/long_multiplication"
CONVERSION = "arithmetic/base_conversion"


def played(address: str, *replies: str) -> Episode:
    return Episode(Address.parse(address).task(), BARE, replies)


def test_the_task_is_that_of_the_base_at_the_same_seed() -> None:
    base = Address.of(CONVERSION, 5, 3).task()
    combined = Address.of(f"{CONVERSION}+confidence", 5, 3).task()
    assert isinstance(combined, OfOne)
    assert combined.task == base
    assert combined.held_out() == base.held_out()


@pytest.mark.parametrize("combinator", ["batch", "judge", "choices", "retry", "chain(2)"])
def test_all_tasks_are_on_one_split(combinator: str) -> None:
    name = f"arithmetic/word_problem+{combinator}"
    for split in ("train", "eval"):
        for seed in range(5):
            task = Address.of(name, seed, 3, split).task()  # type: ignore[arg-type]
            inner = getattr(task, "tasks", None) or [task.task]  # type: ignore[attr-defined]
            assert {each.held_out() for each in inner} == {split == "eval"}


# Retry


def test_a_right_answer_is_worth_less_at_each_further_try() -> None:
    address = f"{MULTIPLICATION}+retry(3)?level=2&seed=1"
    right = next(iter(Address.parse(address).task().solve()))
    for wrong, value in (([], 1), (["1, 2, 3, 4"], 1 / 2), (["1, 2, 3, 4", "junk"], 1 / 3)):
        episode = played(address, *wrong, right)
        assert episode.score is not None
        assert episode.score.value == pytest.approx(value)
        assert episode.score.parts["solved"] == 1
        assert sum(episode.rewards) == pytest.approx(value)
    over = played(address, "1", "2", "3")
    assert over.score is not None
    assert over.score.value == 0
    assert over.score.reason


def test_feedback_is_what_the_argument_says() -> None:
    replies = {
        feedback: played(f"{CONVERSION}+retry(2,{feedback})?level=3&seed=1", "none").observation
        for feedback in ("none", "verdict", "reason")
    }
    assert "wrong" not in replies["none"]
    assert "wrong" in replies["verdict"]
    assert len(replies["reason"]) > len(replies["verdict"])


def test_a_repeated_answer_is_not_judged_again() -> None:
    address = f"{MULTIPLICATION}+retry(3,reason)?level=2&seed=1"
    episode = played(address, "1, 2, 3, 4", "1,  2, 3, 4")
    assert "given before" in episode.observation


def test_a_task_that_can_be_guessed_has_no_further_tries() -> None:
    with pytest.raises(NoValidTask, match=r"a chance of 0\.25"):
        Address.of("logic/knights_and_knaves+retry(3)", 0, 0).task()


# Batch


def test_a_batch_is_right_if_all_answers_are() -> None:
    address = Address.of(f"{CONVERSION}+batch(3)", 2, 3)
    task = address.task()
    assert isinstance(task, BatchPuzzle)
    answers = [each.answer() for each in task.tasks]
    right = "\n".join(f"**Task {n}:** {answer}" for n, answer in enumerate(answers, 1))
    assert score(address, right, BARE).value == 1
    spoilt = right.replace(answers[1], "0", 1)
    result = score(address, spoilt, BARE)
    assert result.value == 0
    assert result.parts["share"] == pytest.approx(2 / 3)
    assert "task 2" in result.reason
    swapped = "\n".join(f"Task {n}: {answer}" for n, answer in enumerate(reversed(answers), 1))
    assert score(address, swapped, BARE).value == 0


@given(st.lists(st.sampled_from(["42", "A\nB", "1 2\n3 4", "x"]), min_size=2, max_size=5))
def test_answers_of_a_batch_are_read_in_their_places(answers: list[str]) -> None:
    text = "\n".join(f"Task {n}:\n{answer}" for n, answer in enumerate(answers, 1))
    assert read_answers(text, len(answers)) == answers


@pytest.mark.parametrize("text", ["Task 1: 4", "Task 1: 4\nTask 1: 5", "Task 3: 1\nTask 1: 2", "4"])
def test_a_batch_with_missing_or_repeated_headers_is_refused(text: str) -> None:
    with pytest.raises(InvalidAnswer):
        read_answers(text, 2)


# Claims and choices


def test_claims_are_balanced_and_judged_by_the_base() -> None:
    rights = []
    for seed in range(200):
        task = Address.of(f"{CONVERSION}+yes_no", seed, 3).task()
        assert isinstance(task, YesNoPuzzle)
        assert (task.task.verify(task.claim).value == 1) == task.right
        rights.append(task.right)
    assert 70 < sum(rights) < 130


@pytest.mark.parametrize("form", ["Yes.", "**yes**", "true", "Right", "correct!", '"yes"'])
def test_a_verdict_is_read_in_several_words(form: str) -> None:
    assert verdict(form)


@pytest.mark.parametrize("form", ["yes and no", "not wrong", "yes no", "y", "I do not know"])
def test_what_is_no_verdict_is_refused(form: str) -> None:
    with pytest.raises(InvalidAnswer):
        verdict(form)


def test_the_judge_names_the_wrong_claims() -> None:
    numbers = Counter[int]()
    for seed in range(60):
        task = Address.of(f"{CONVERSION}+judge(4)", seed, 3).task()
        assert isinstance(task, JudgePuzzle)
        verdicts = [each.verify(c).value == 1 for each, c in zip(task.tasks, task.claims)]
        assert task.wrong == tuple(n for n, right in enumerate(verdicts, 1) if not right)
        assert task.verify(task.answer()).correct
        named = ", ".join(f"Task {n}" for n in task.wrong) or "None."
        assert task.verify(named).correct
        other = "0" if task.wrong else "1"
        assert not task.verify(other).correct
        numbers[len(task.wrong)] += 1
    assert numbers[2] > numbers[0] + numbers[4]


def similar(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


@pytest.mark.parametrize("name", ["grids/sudoku", CONVERSION, "arithmetic/word_problem"])
def test_the_option_most_like_the_others_is_seldom_the_right_one(name: str) -> None:
    """The right one is the start of all changes; a player must not see that from the options."""
    hits = letters = number = 0
    for seed in range(150):
        try:
            task = Address.of(f"{name}+choices(4)", seed, 3).task()
        except NoValidTask:
            continue
        assert isinstance(task, ChoicesPuzzle)
        rights = [task.task.verify(option).value == 1 for option in task.options]
        assert rights == [n == task.right for n in range(4)]
        likeness = [sum(similar(one, each) for each in task.options) for one in task.options]
        number += 1
        hits += max(range(4), key=likeness.__getitem__) == task.right
        letters += task.right == 0
    assert number > 100
    assert hits / number < 0.25 + 3 * (0.25 * 0.75 / number) ** 0.5
    assert letters / number < 0.25 + 3 * (0.25 * 0.75 / number) ** 0.5


@pytest.mark.parametrize("name", ["grids/sudoku", "arithmetic/word_problem"])
def test_orders_have_the_same_options_and_the_right_one_is_anywhere(name: str) -> None:
    positions = []
    for seed in range(5):
        tasks = [Address.of(f"{name}+choices(4,{n})", seed, 3).task() for n in range(60)]
        first = tasks[0]
        assert isinstance(first, ChoicesPuzzle)
        for task in tasks:
            assert isinstance(task, ChoicesPuzzle)
            assert sorted(task.options) == sorted(first.options)
            assert task.options[task.right] == first.options[first.right]
            assert task.canonical() == first.canonical()
            positions.append(task.right)
    for position in range(4):  # 75 are expected, with a standard deviation of 7.5
        assert 45 < positions.count(position) < 105


def test_a_choice_is_a_letter() -> None:
    task = Address.of("grids/sudoku+choices(4)", 1, 1).task()
    assert isinstance(task, ChoicesPuzzle)
    letter = LETTERS[task.right]
    for form in ("({})", "Option {}", "{})", "[{}]", "choice ({})", "{}."):
        assert task.verify(form.format(letter.lower())).correct
    right = task.options[task.right]
    for reply in (right, f"{letter}) {right}", f"The answer is {letter}."):
        assert task.verify(reply).correct
    for reply in ("E", "AB", "A or B", "", f"{LETTERS[task.right - 1]}) {right}"):
        assert not task.verify(reply).correct


# Confidence


@pytest.mark.parametrize(
    ("text", "confidence"),
    [("4\nConfidence: 80%", 0.8), ("4\n**Confidence:** 7.5 %", 0.075), ("4\nconfidence: 100%.", 1)],
)
def test_a_confidence_is_read(text: str, confidence: float) -> None:
    assert read_confidence(text) == ("4", pytest.approx(confidence))


@pytest.mark.parametrize(
    "text",
    ["4", "Confidence: 80%", "4\nConfidence: 101%", "4\nConfidence: -3%", "4 Confidence: 8%"],
)
def test_without_a_confidence_an_answer_is_refused(text: str) -> None:
    with pytest.raises(InvalidAnswer):
        read_confidence(text)


def test_the_brier_score_is_the_squared_error() -> None:
    address = Address.of(f"{MULTIPLICATION}+confidence", 3, 2)
    right = next(iter(address.task().solve())).rpartition("\n")[0]
    sure = score(address, f"{right}\nConfidence: 90%", BARE)
    assert sure.correct
    assert sure.parts["brier"] == pytest.approx(0.01)
    wrong = score(address, "1, 2, 3, 4\nConfidence: 90%", BARE)
    assert wrong.value < 1
    assert wrong.parts["brier"] == pytest.approx(0.81)


@settings(max_examples=25)
@given(st.integers(5, 95), st.integers(0, 100))
def test_the_honest_probability_has_the_best_brier_score(chance: int, other: int) -> None:
    def expected(stated: int) -> float:
        return chance * (stated - 100) ** 2 + (100 - chance) * stated**2

    assert expected(chance) <= expected(other)


# Constrain and chain


def test_both_the_text_and_the_answer_have_to_be_right() -> None:
    address = Address.of(f"{MULTIPLICATION}+constrain(3)", 4, 2)
    task = address.task()
    assert isinstance(task, ConstrainPuzzle)
    text, answer = task.text.answer(), task.task.answer()
    assert score(address, f"{text}\nAnswer: {answer}", BARE).value == 1
    only_text = score(address, f"{text}\nAnswer: 1, 2, 3, 4", BARE)
    only_answer = score(address, f"No.\nAnswer: {answer}", BARE)
    assert (only_text.parts["text"], only_answer.parts["answer"]) == (1, 1)
    assert only_text.value < 1
    assert only_answer.value == 0
    for reply in (answer, f"Answer: {answer}", text):
        assert score(address, reply, BARE).status == "malformed"


def test_every_answer_of_a_chain_counts() -> None:
    for seed in range(10):
        task = Address.of("arithmetic/word_problem+chain(3)", seed, 2).task()
        assert isinstance(task, ChainPuzzle)
        for number, each in enumerate(task.tasks):
            results = set()
            for change in range(1, 20):
                changed = type(each).model_construct(**dict(each))
                value = str(int(each.answer()) + change)
                object.__setattr__(changed, "answer", lambda value=value: value)
                tasks = (*task.tasks[:number], changed, *task.tasks[number + 1 :])
                chain = task.model_construct(tasks=tasks, factors=task.factors)
                results.add(chain.answer())
            assert len(results) == 19
            assert task.answer() not in results
        assert 0 <= int(task.answer()) < MODULUS


@pytest.mark.parametrize(
    "name", [f"{CONVERSION}+chain", f"arithmetic/word_problem+nest({CONVERSION.replace('/', '.')})"]
)
def test_numerals_in_other_bases_are_no_numbers(name: str) -> None:
    with pytest.raises(UnknownEnvironment, match="are digits that are no numbers"):
        load(name)


def test_what_has_no_integers_as_answers_is_no_chain() -> None:
    with pytest.raises(NoValidTask, match="not integers"):
        Address.of("grids/sudoku+chain(2)", 0, 0).task()


def test_hostile_replies_earn_nothing() -> None:
    for combinator in ("retry(2)", "batch(2)", "choices", "judge(4)", "confidence", "constrain"):
        address = Address.of(f"{MULTIPLICATION}+{combinator}", 1, 2)
        for reply in ("Task 1:\n" * 5_000, "Answer:\n" * 5_000, "1," * 9_000, "\x00" * 100, "("):
            result = Episode(address.task(), BARE, [reply]).result()
            assert result.value <= 0.05, (combinator, reply[:20])


# Hints and wordings


def test_hints_are_a_ladder_below_the_answer() -> None:
    for seed in range(10):
        base = Address.of("grids/sudoku", seed, 2).task()
        hints = []
        for rung in (1, 2, 3):
            task = Address.of(f"grids/sudoku+hint({rung})", seed, 2).task()
            assert isinstance(task, HintPuzzle)
            assert task.task == base
            hints.append(task.hint.split())
            assert score(task, task.hint, BARE).value == 0
        right = task.task.answer().split()
        for low, high in pairwise([*hints, right]):
            assert all(one in {"?", other} for one, other in zip(low, high, strict=True))
            assert low.count("?") > high.count("?")


def test_a_short_answer_has_no_hint() -> None:
    with pytest.raises(NoValidTask, match="fewer than 4 parts"):
        Address.of("geometry/polygon_angles+hint(1)", 0, 0).task()


def test_wordings_of_a_task_are_the_same_task() -> None:
    tasks = [Address.of(f"grids/sudoku+wording({n})", 5, 2).task() for n in range(4)]
    assert len({task.canonical() for task in tasks}) == 1
    assert len({tuple(task.solve()) for task in tasks}) == 1
    assert len({Episode(task, BARE).observation for task in tasks}) > 1
