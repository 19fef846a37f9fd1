"""Statements of a task: irrelevant ones among them, and other orders."""

import math
import random
import re
from collections import Counter

import pytest

import palaestra
from palaestra import Address, score
from palaestra.combinators.distract import DistractPuzzle
from palaestra.combinators.reorder import ReorderPuzzle
from palaestra.combinators.sentences import names_of, spans
from palaestra.episode import BARE
from palaestra.registry import UnknownEnvironment, load
from palaestra.task import NoValidTask, Puzzle


def with_sentences(name: str) -> bool:
    environment = palaestra.load(name)
    return issubclass(environment, Puzzle) and environment.sentences is not Puzzle.sentences


STATED = [name for name in palaestra.names() if with_sentences(name)]
DISTRACTED = [name for name in STATED if load(name).independent_sentences]  # type: ignore[attr-defined]
REORDERED = [name for name in STATED if not load(name).sentences_in_order]  # type: ignore[attr-defined]


def distracted(name: str, seed: int, n: int = 4, level: int = 2) -> DistractPuzzle:
    task = Address.of(f"{name}+distract({n})", seed, level).task()
    assert isinstance(task, DistractPuzzle)
    return task


def test_enough_environments_have_statements() -> None:
    assert len(DISTRACTED) >= 5
    assert len(REORDERED) >= 20


@pytest.mark.parametrize("name", STATED)
def test_the_prompt_has_the_statements(name: str) -> None:
    for seed in range(4):
        for level in (0, 2, 4):
            task = Address.of(name, seed, min(level, load(name).Knobs.levels() - 1)).task()
            assert isinstance(task, Puzzle)
            if not task.sentences():  # a matrix
                continue
            prompt = task.prompt()
            texts = [prompt[start:end] for start, end in spans(task, prompt)]
            assert texts == [statement.text for statement in task.sentences()]


@pytest.mark.parametrize("name", DISTRACTED)
def test_distractors_are_about_other_names(name: str) -> None:
    for seed in range(4):
        task = distracted(name, seed)
        own = [statement.text for statement in task.task.sentences()]
        added = list((Counter(task.lines) - Counter(own)).elements())
        assert len(added) == 4
        assert [line for line in task.lines if line not in added] == own
        for each in names_of(task.task.sentences()):
            words = re.compile(rf"\b{re.escape(each)}\b")
            assert any(map(words.search, own))
            assert not any(map(words.search, added)), (each, added)
        assert task.task == Address.of(name, seed, 2).task()
        assert all(line in task.prompt() for line in task.lines)
        assert score(task, task.answer(), BARE).value == 1


@pytest.mark.parametrize("name", DISTRACTED)
def test_words_do_not_show_which_statements_matter(name: str) -> None:
    """A naive Bayes classifier of words that are no names is right as often as chance has it."""
    learned, other = labelled(name, range(50)), labelled(name, range(50, 100))
    right = sum(classified(learned, text) == label for text, label in other)
    assert abs(right / len(other) - 0.5) < 3.5 * 0.5 / math.sqrt(len(other))


def labelled(name: str, seeds: range) -> list[tuple[set[str], bool]]:
    """Statements of tasks, as many of the task's own as distractors, and whether it is one."""
    rows = []
    for seed in seeds:
        task = distracted(name, seed, 3)
        own = {statement.text for statement in task.task.sentences()}
        mine = [line for line in task.lines if line in own]
        rows += [(words(line), False) for line in random.Random(seed).sample(mine, 3)]
        rows += [(words(line), True) for line in task.lines if line not in own]
    return rows


def words(line: str) -> set[str]:
    """The words of a statement, without names and numbers."""
    return {word for word in re.findall(r"[\w']+", line) if word.islower() and word.isalpha()}


def classified(rows: list[tuple[set[str], bool]], text: set[str]) -> bool:
    """Whether naive Bayes takes a text for a distractor."""
    counts = {
        label: Counter(w for some, own in rows if own == label for w in some)
        for label in (False, True)
    }
    totals = {label: sum(own == label for _, own in rows) for label in (False, True)}
    scores = {
        label: sum(math.log((counts[label][word] + 1) / (totals[label] + 2)) for word in text)
        for label in (False, True)
    }
    return scores[True] > scores[False]


@pytest.mark.parametrize("name", REORDERED)
def test_other_orders_are_the_same_task(name: str) -> None:
    seed, base = next(
        (seed, task)
        for seed in range(40)
        if isinstance(task := Address.of(name, seed, 2).task(), Puzzle)
        and len(task.sentences()) > 2
    )
    prompts = set()
    for number in range(6):
        task = Address.of(f"{name}+reorder({number})", seed, 2).task()
        assert isinstance(task, ReorderPuzzle)
        assert task.task == base
        assert task.canonical() == base.canonical()
        assert list(task.solve()) == list(base.solve())
        prompts.add(task.prompt())
        assert Counter(task.prompt()) == Counter(task.task.prompt())
    assert len(prompts) > 1


@pytest.mark.parametrize("combinator", ["distract(2)", "reorder(0)"])
def test_environments_without_statements_are_refused(combinator: str) -> None:
    for name in ("grids/sudoku", "games/minesweeper"):
        with pytest.raises(UnknownEnvironment, match=r"no statements|no list of|one reply"):
            load(f"{name}+{combinator}")
    with pytest.raises(UnknownEnvironment, match="order matters"):
        load("language/fact_retrieval+reorder")
    with pytest.raises(UnknownEnvironment, match="others are independent"):
        load("logic/knights_and_knaves+distract")


def test_names_may_run_out() -> None:
    with pytest.raises(NoValidTask, match="about names that it does not have"):
        Address.of("logic/family_relationships+distract(40)", 0, 6).task()
