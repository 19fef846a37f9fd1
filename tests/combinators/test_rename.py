"""Tasks with other names, compared with the replacement of words in the texts of the base."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import pytest

from palaestra import Address, Episode
from palaestra.combination import Unsuitable
from palaestra.combinators import COMBINATORS
from palaestra.combinators.labels import PEOPLE, replacements
from palaestra.combinators.rename import RENAMED, RenamePuzzle, renamed
from palaestra.combinators.templates import name_of
from palaestra.episode import BARE
from palaestra.registry import UnknownEnvironment, load, names
from palaestra.task import InvalidAnswer, NoValidTask, Puzzle

DOCS = Path(__file__).parents[2] / "docs" / "combinators.md"
ENVIRONMENTS = sorted(RENAMED)
SEEDS = range(2)

ANSWERED_WITHOUT_NAMES = {
    "arithmetic/word_problem",
    "language/fact_retrieval",
    "logic/common_time_slot",
    "logic/first_order_entailment",
    "logic/sibling_counts",
    "logic/syllogism",
    "spatial/compass_bearings",
}

REFUSED = {
    "arithmetic/cryptarithm",
    "graphs/tree_from_pruefer_code",
    "grids/sudoku",
    "language/sentence_reordering",
    "strings/group_anagrams",
    "strings/letter_counting",
    "strings/word_sorting",
}

every_environment = pytest.mark.parametrize("name", ENVIRONMENTS)


@cache
def drawn(name: str) -> list[tuple[Puzzle, Puzzle]]:
    """Tasks of all levels, each with the same one under other names."""
    pairs = []
    for level in range(load(name).Knobs.levels()):
        for seed in SEEDS:
            task = Address.of(name, seed, level).task()
            other = Address.of(f"{name}+rename({17 * seed})", seed, level).task()
            assert isinstance(task, Puzzle)
            assert isinstance(other, RenamePuzzle)
            pairs.append((task, other))
    return pairs


def names_in(task: Puzzle) -> list[str]:
    """The different names of a task, in the order of its fields."""
    base = task.task if isinstance(task, RenamePuzzle) else task
    return list(dict.fromkeys(RENAMED[name_of(type(base))](base)))


def mapping(task: Puzzle, other: Puzzle) -> dict[str, str]:
    return dict(zip(names_in(task), names_in(other), strict=True))


def replacer(new: dict[str, str]) -> Callable[[str], str]:
    """Replaces whole words of a text, all at once."""
    longest_first = sorted(new, key=len, reverse=True)
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")
    return lambda text: pattern.sub(lambda match: new[match[0]], text)


def judged(task: Puzzle, answer: str) -> tuple[float, str, str]:
    """The value of an answer, its status and the reason."""
    try:
        score = task.verify(answer)
    except InvalidAnswer as error:
        return 0.0, error.status, str(error)
    return score.value, score.status, score.reason


def has_words(task: Puzzle) -> bool:
    """Whether no name may be a number of the text or the article 'A' as well."""
    return all(len(name) > 1 and not name.isdecimal() for name in names_in(task))


def mutants(answer: str, task: Puzzle) -> Iterable[str]:
    """Answers that differ in a detail: names or words exchanged, lines left out or in new order."""
    lines, words = answer.split("\n"), re.findall(r"\w+", answer)
    yield "\n".join(lines[1:])
    yield "\n".join(reversed(lines))
    yield "\n".join([*lines[:-1], lines[-1].rpartition(" ")[0]])
    rng = Random(answer)
    for _ in range(4):
        one, other = rng.choice(words), rng.choice([*words, *names_in(task)])
        yield replacer({one: other, other: one})(answer)
        yield replacer({one: other})(answer)


@every_environment
def test_the_oracle_is_right_and_the_task_is_the_same(name: str) -> None:
    for task, other in drawn(name):
        assert other.canonical() == task.canonical()
        assert other.held_out() == task.held_out()
        assert other.verify(other.answer()).value == 1
        assert other.difficulty() == task.difficulty()
        assert other.random_baseline() == task.random_baseline()
        assert isinstance(other, RenamePuzzle)
        assert other.task.wording == task.wording
    *_, (_, other) = drawn(name)[:4]
    assert isinstance(other, RenamePuzzle)
    assert other.task.is_valid(), "no rule of thumb solves it either"


@every_environment
def test_new_names_are_others_of_the_same_type_in_the_same_order(name: str) -> None:
    for task, other in drawn(name):
        new = mapping(task, other)
        assert len(set(new.values())) == len(new)
        known = set(re.findall(r"\w+", task.prompt().casefold()))
        assert known.isdisjoint(each.casefold() for each in new.values())
        assert {*map(type_of, new)} == {*map(type_of, new.values())}
        for sort in {*map(type_of, new)} - {"invented"}:
            old = [each for each in new if type_of(each) == sort]
            old.sort(key=lambda each: (int(each) if each.isdecimal() else 0, each))
            images = [new[each] for each in old]
            assert images == sorted(
                images, key=lambda each: (int(each) if each.isdecimal() else 0, each)
            )


def type_of(word: str) -> str:
    if word.isdecimal():
        return "number"
    if word in PEOPLE:
        return "person"
    return "letters" if word.isupper() and len(word) <= 2 else "invented"


@every_environment
def test_the_text_is_that_of_the_base_with_words_replaced(name: str) -> None:
    """Where every occurrence of a name as a word is that name."""
    for task, other in drawn(name):
        if not has_words(task):
            continue
        replace = replacer(mapping(task, other))
        for wording in range(4):
            one, two = (
                " ".join(each.model_copy(update={"wording": wording}).prompt().split())
                for each in (task, other.task)  # type: ignore[attr-defined]
            )
            assert " ".join(replace(one).split()) == two
        assert replace(task.answer()) == other.answer()


@every_environment
def test_answers_and_reasons_are_those_of_the_base_with_words_replaced(name: str) -> None:
    """Also those of wrong and of malformed answers."""
    wrong = 0
    for task, other in drawn(name):
        if not has_words(task):
            continue
        replace = replacer(mapping(task, other))
        for answer in {task.answer(), *mutants(task.answer(), task)}:
            value, status, reason = judged(task, answer)
            new = judged(other, replace(answer))
            assert new[:2] == (value, status), answer
            # Lists of what is valid are in another order where names are compared in small letters.
            assert sorted(new[2].split()) == sorted(replace(reason).split()), answer
            wrong += value < 1
    assert wrong or not any(has_words(task) for task, _ in drawn(name))


@every_environment
def test_mutants_are_rejected_or_right_by_an_independent_check(name: str) -> None:
    for _, other in drawn(name)[: 3 * len(SEEDS)]:
        for answer in mutants(other.answer(), other):
            if judged(other, answer)[0] == 1:
                assert other.audit(answer) is not False


@every_environment
def test_the_old_names_are_unknown(name: str) -> None:
    """No new name is an old one, so an answer with the old names is about nobody."""
    for task, other in drawn(name):
        if name in ANSWERED_WITHOUT_NAMES:
            assert judged(other, task.answer())[0] == 1
        elif any(re.search(rf"(?<!\w){re.escape(n)}(?!\w)", task.answer()) for n in names_in(task)):
            value, _, reason = judged(other, task.answer())
            assert value < 1
            assert reason


@every_environment
def test_small_and_capital_letters_count_as_in_the_base(name: str) -> None:
    for task, other in drawn(name)[:6]:
        for changed in (str.upper, str.lower, str.title):
            expected = judged(task, changed(task.answer()))[0]
            assert judged(other, changed(other.answer()))[0] == expected


@every_environment
def test_hostile_answers_are_refused(name: str) -> None:
    _, other = drawn(name)[0]
    old = " ".join(names_in(other))
    for text in (
        "",
        "x" * 20_000,
        old * 500,
        "(" * 9_000,
        "\0\ud800",
        "nan",
        "{}",
        f"{old}: " * 99,
    ):
        assert judged(other, text)[0] < 1


@every_environment
def test_the_documentation_lists_it(name: str) -> None:
    section = DOCS.read_text("utf-8").partition("## Other names\n")[2].partition("\n## ")[0]
    listed = re.findall(r"`([a-z_]+/[a-z0-9_]+)`", section)
    assert name in names()
    assert name in listed
    assert set(listed) - REFUSED == set(ENVIRONMENTS)


def test_numbers_give_different_names() -> None:
    for name in ("logic/knights_and_knaves", "logic/syllogism", "graphs/shortest_path"):
        prompts = {Address.of(f"{name}+rename({n})", 5, 2).task().prompt() for n in range(12)}  # type: ignore[attr-defined]
        assert len(prompts) > 10


def test_each_type_of_name_occurs() -> None:
    types = {
        type_of(each) for name in ENVIRONMENTS for task, _ in drawn(name) for each in names_in(task)
    }
    assert types == {"number", "person", "letters", "invented"}


def test_words_that_differ_in_a_letter_still_do() -> None:
    for seed in range(5):
        task = Address.of("language/fact_retrieval", seed, 2).task()
        assert isinstance(task, Puzzle)
        new = mapping(task, renamed(task, seed))
        for one in new:
            for other in new:
                apart = sum(a != b for a, b in zip(one, other))
                same = sum(a != b for a, b in zip(new[one], new[other]))
                assert apart == same
                assert len(one) == len(new[one])


def test_names_inside_others_are_names_of_their_own() -> None:
    task = Address.of("logic/knights_and_knaves", 3, 1).task()
    assert isinstance(task, Puzzle)
    task = type(task).model_validate(task.model_dump() | {"names": ("Uma", "Umar", "Ada")})
    other = renamed(task, 4)
    new = mapping(task, other)
    assert replacer(new)(task.prompt()) == other.prompt()
    assert other.verify(replacer(new)(task.answer())).value == 1


def test_the_largest_tasks_have_enough_names() -> None:
    address = Address.of("logic/counting_with_conditions+rename(3)", 1, people=60)
    task = address.task()
    assert isinstance(task, RenamePuzzle)
    assert len(names_in(task)) == 60
    assert task.verify(task.answer()).value == 1


def test_a_task_is_unsuitable_where_names_run_out() -> None:
    every_word = {"".join(word) for word in product("aeiou", "bdfgklmnprstvz")}
    for name, taken in (
        ("Bo", {each.casefold() for each in PEOPLE}),
        ("3", set(map(str, range(1000)))),
        ("ab", every_word),
    ):
        with pytest.raises(Unsuitable):
            replacements([name], taken, Random(1))


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_where_spelling_or_order_matters_it_is_refused(name: str) -> None:
    with pytest.raises(UnknownEnvironment, match="depend on their spelling or order"):
        load(f"{name}+rename(1)")


def test_it_stands_before_all_other_combinators() -> None:
    base = "logic/knights_and_knaves"
    with pytest.raises(UnknownEnvironment, match="stands before all other combinators"):
        load(f"{base}+confidence+rename")
    with pytest.raises(UnknownEnvironment, match="number is an integer from 0 to 59, not '60'"):
        load(f"{base}+rename(60)")
    with pytest.raises(UnknownEnvironment, match="it has no names"):
        load("games/minesweeper+rename")


@pytest.mark.parametrize("combinator", sorted(set(COMBINATORS) - {"rename"}))
def test_each_combinator_that_follows_keeps_the_oracle(combinator: str) -> None:
    for base in ("logic/zebra_puzzle", "graphs/shortest_path"):
        try:
            episode = Episode(Address.of(f"{base}+rename(7)+{combinator}", 3, 2).task(), BARE)
        except (UnknownEnvironment, NoValidTask):
            continue
        for move in episode.task.solve():
            episode.step(move)
        assert episode.result().value == 1


SCRIPT = """
import sys
from palaestra import Address
for name in sys.argv[1:]:
    print(Address.of(f"{name}+rename(11)", 4, 2).task().model_dump_json())
"""


@pytest.mark.slow
def test_other_processes_choose_the_same_names() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT, *ENVIRONMENTS],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
