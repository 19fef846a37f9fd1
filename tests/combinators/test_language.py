"""Prompts in other languages: what they keep of the English ones, and how they are spelt."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import cache, reduce
from importlib import import_module
from itertools import product
from operator import and_, or_
from typing import Any, get_args

import pytest

from palaestra import Address, Episode
from palaestra.combinators import COMBINATORS, translations
from palaestra.combinators.language import LanguagePuzzle
from palaestra.combinators.translations.grammar import Code
from palaestra.episode import BARE
from palaestra.registry import UnknownEnvironment, load, names
from palaestra.task import WORDINGS, NoValidTask, Puzzle

CODES: tuple[Code, ...] = get_args(Code)
TRANSLATED = translations.names()

NUMBERS_AS_WORDS = {"arithmetic/word_problem", "counting/coin_flips"}
"""Where some numbers are words in English, such as "twice", and digits in the translations."""

REORDERED = {
    "arithmetic/calendar_arithmetic": "zh ar",
    "arithmetic/long_multiplication": "zh",
    "arithmetic/word_problem": "de zh es ar",
    "counting/coin_flips": "de zh es ar",
    "planning/pancake_sorting": "zh",
    "planning/tower_of_hanoi": "de zh es ar",
    "planning/water_jugs": "de zh",
}
"""Where the syntax of a language, or its choice of words, puts numbers into another order."""

SAME_SPELLING = {
    "de": "in an so die war hat am will was des mit division form moment person start sudoku",
    "es": "a no son me he has once un divisible decimal diagonal sudoku",
}
"""Words of the language that are spelt like an English one."""

BIDI_MARKS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
LATIN = re.compile(r"[A-Za-zÀ-ÿ]+")


@cache
def tasks(name: str) -> tuple[Puzzle, ...]:
    """Two tasks of an environment at each level."""
    levels = range(load(name).Knobs.levels())
    drawn = [Address.of(name, seed, level).task() for level in levels for seed in (1, 2)]
    return tuple(task for task in drawn if isinstance(task, Puzzle))


def tokens(name: str) -> frozenset[str]:
    """The English words that answers of an environment are written with."""
    module = import_module(f"{translations.__name__}.{name.replace('/', '.')}")
    some: frozenset[str] = module.TOKENS
    return some


def own_words(task: Puzzle) -> set[str]:
    """The words in the fields of a task, such as names."""

    def strings(value: Any) -> Iterator[str]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict | list):
            for each in value.values() if isinstance(value, dict) else value:
                yield from strings(each)

    fields = json.loads(task.model_dump_json())
    return {word for text in strings(fields) for word in LATIN.findall(text)}


def english_prompts(task: Puzzle) -> list[str]:
    """The English prompt in many wordings."""
    wordings = range(0, WORDINGS, 7)
    return [task.model_copy(update={"wording": wording}).prompt() for wording in wordings]


@cache
def english(name: str) -> frozenset[str]:
    """The words of the English templates, in all wordings."""
    prompts = (prompt for task in tasks(name) for prompt in english_prompts(task))
    return frozenset(word.casefold() for text in prompts for word in LATIN.findall(text))


def grid_lines(prompt: str) -> list[str]:
    return [line for line in prompt.split("\n") if re.fullmatch(r" *[\d.Q#]+(?: +[\d.Q#]+)+", line)]


every_environment = pytest.mark.parametrize("name", TRANSLATED)
every_language = pytest.mark.parametrize("code", CODES)


def numbers_of(text: str) -> Counter[int]:
    return Counter(map(int, re.findall(r"\d+", text)))


@every_environment
@every_language
def test_numbers_and_grids_are_those_of_the_english_prompt(name: str, code: Code) -> None:
    for task in tasks(name):
        numbers = numbers_of(translations.prompt(task, code))
        wordings = [numbers_of(prompt) for prompt in english_prompts(task)]
        assert not reduce(and_, wordings) - numbers
        assert name in NUMBERS_AS_WORDS or not numbers - reduce(or_, wordings)
        assert grid_lines(translations.prompt(task, code)) == grid_lines(task.prompt())


@pytest.mark.parametrize(
    ("name", "code"),
    [
        (name, code)
        for name, code in product(TRANSLATED, CODES)
        if code not in REORDERED.get(name, "").split()
    ],
)
def test_numbers_are_in_the_order_of_the_english_prompt(name: str, code: Code) -> None:
    for task in tasks(name):
        numbers = re.findall(r"\d+", translations.prompt(task, code))
        assert numbers in [re.findall(r"\d+", prompt) for prompt in english_prompts(task)]


@every_environment
@every_language
def test_words_of_the_task_and_of_its_answer_are_kept(name: str, code: Code) -> None:
    for task in tasks(name):
        shown = set(LATIN.findall(task.prompt()))
        words = {word for word in own_words(task) & shown if word[0].isupper()}
        words |= tokens(name) & set(LATIN.findall(task.answer())) & shown
        assert words <= set(re.findall(r"[A-Za-z]+", translations.prompt(task, code)))


@every_environment
@every_language
def test_no_english_is_left(name: str, code: Code) -> None:
    for task in tasks(name):
        kept = own_words(task) | tokens(name)
        words = set(LATIN.findall(translations.prompt(task, code))) - kept
        if code in SAME_SPELLING:
            alike = {word.casefold() for word in words} & english(name) - kept
            assert alike <= set(SAME_SPELLING[code].split())
        else:
            assert not words


@every_environment
@every_language
def test_punctuation_is_that_of_the_language(name: str, code: Code) -> None:
    for task in tasks(name):
        text = translations.prompt(task, code)
        assert not BIDI_MARKS.search(text)
        assert not re.search(r"[{}]|\S  |None|\s[,.;:!?،؛؟。，](?!\S)", _without_grids(text))
        if code == "zh":
            assert not re.search(r"[\u4e00-\u9fff][,;:?!()]|[,;?!] ?[\u4e00-\u9fff]", text)
        if code == "ar":
            assert not re.search(r"[\u0621-\u064a][,;?]", text)
        if code == "es":
            assert text.count("¿") == text.count("?")
        for opening, closing in ("„“", "«»", "（）", "()"):
            if opening != "„" or code == "de":
                assert text.count(opening) == text.count(closing)


def _without_grids(text: str) -> str:
    grids = set(grid_lines(text))
    return "\n".join(line for line in text.split("\n") if line not in grids)


@every_environment
@every_language
def test_prompts_are_pure_and_not_long(name: str, code: Code) -> None:
    for task in tasks(name):
        text = translations.prompt(task, code)
        assert text == translations.prompt(type(task).model_validate(task.model_dump()), code)
        assert len(text) <= 4 * len(task.prompt())
        assert text == text.strip()


@every_environment
@every_language
def test_the_combination_is_the_same_task(name: str, code: Code) -> None:
    task = Address.of(f"{name}+language({code})", 1, 0).task()
    assert isinstance(task, LanguagePuzzle)
    assert task.task == tasks(name)[0]
    assert task.canonical() == task.task.canonical()
    assert task.answer() == task.task.answer()
    assert task.verify(task.answer()).value == 1
    assert translations.prompt(tasks(name)[0], code) in Episode(task, BARE).observation


@every_environment
def test_it_exists(name: str) -> None:
    assert name in names()


def test_other_combinators_follow_it() -> None:
    base = "logic/knights_and_knaves"
    text = Episode(Address.of(f"{base}+language(zh)+confidence", 1, 0).task(), BARE).observation
    assert translations.prompt(tasks(base)[0], "zh") in text
    assert "Confidence: " in text
    with pytest.raises(UnknownEnvironment, match="stands before all other combinators"):
        load(f"{base}+confidence+language(zh)")


def test_an_environment_without_translations_is_refused() -> None:
    with pytest.raises(UnknownEnvironment) as error:
        load("algebra/determinant+language(es)")
    assert ", ".join(TRANSLATED) in str(error.value)
    with pytest.raises(UnknownEnvironment, match="code is one of de, zh, es, ar"):
        load("logic/knights_and_knaves+language(fr)")


@pytest.mark.parametrize("combinator", sorted(set(COMBINATORS) - {"language"}))
def test_each_combinator_that_follows_keeps_the_oracle(combinator: str) -> None:
    """It may refuse a translated environment, where it needs more of one than its answers."""
    for base in ("arithmetic/word_problem", "logic/zebra_puzzle"):
        refused = []
        for name in (base, f"{base}+language(ar)"):
            try:
                load(f"{name}+{combinator}")
                refused.append(False)
            except UnknownEnvironment:
                refused.append(True)
        assert refused[0] <= refused[1]
        with suppress(NoValidTask, UnknownEnvironment):
            episode = Episode(Address.of(f"{base}+language(ar)+{combinator}", 3, 2).task(), BARE)
            for move in episode.task.solve():
                episode.step(move)
            assert episode.result().value == 1
