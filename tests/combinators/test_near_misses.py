"""Wrong answers do not stand out from right ones to players that do not solve the task."""

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from itertools import pairwise
from math import gcd
from random import Random

import pytest

from palaestra.address import Address
from palaestra.combinators.choices import ChoicesPuzzle
from palaestra.combinators.near_misses import edits
from palaestra.combinators.review import ReviewPuzzle
from palaestra.combinators.surface import Prompt, form_of
from palaestra.combinators.yes_no import YesNoPuzzle
from palaestra.registry import load
from palaestra.task import InvalidAnswer, Puzzle

TASKS = 60

Oddities = Callable[[str, str], int]
"""How many things in an answer look wrong beside the prompt."""


def numbers(text: str) -> list[int]:
    return [int(numeral) for numeral in re.findall(r"\d+", text)]


def repeats(sequence: Sequence[object]) -> int:
    return len(sequence) - len(set(sequence))


def words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", text)


def unknown_words(answer: str, prompt: str) -> int:
    return len(set(words(answer)) - set(words(prompt)))


def repeated_values(answer: str, prompt: str) -> int:
    return repeats(re.findall(r"\w+", answer))


def descents(answer: str, prompt: str) -> int:
    return repeated_values(answer, prompt) + sum(a > b for a, b in pairwise(numbers(answer)))


def idle_moves(answer: str, prompt: str) -> int:
    lines = answer.split("\n")
    idle = sum(a == b for a, b in re.findall(r"(\w) -> (\w)", answer))
    return idle + sum(one in (other, other[::-1]) for one, other in pairwise(lines))


def product_errors(answer: str, prompt: str) -> int:
    """Partial products that lack their zeros, or do not add up."""
    *partial, total = numbers(answer)
    return sum(each % 10**n > 0 for n, each in enumerate(partial)) + (sum(partial) != total)


def unordered_lines(answer: str, prompt: str) -> int:
    labels = [int(line.partition(":")[0]) for line in answer.split("\n")]
    return sum(other != one + 1 for one, other in pairwise(labels))


def unreduced_fractions(answer: str, prompt: str) -> int:
    fractions = re.findall(r"(\d+)/(\d+)", answer)
    return sum(gcd(int(a), int(b)) > 1 or int(a) > int(b) for a, b in fractions)


def unequal_halves(answer: str, prompt: str) -> int:
    return int(answer != answer[::-1])


PLAYERS: list[tuple[str, Oddities]] = [
    ("arithmetic/long_multiplication", product_errors),
    ("strings/palindrome_building", unequal_halves),
    ("planning/tower_of_hanoi", idle_moves),
    ("planning/car_painting", repeated_values),
    ("optimisation/knapsack", descents),
    ("logic/object_properties", unknown_words),
    ("logic/syllogism", unordered_lines),
    ("counting/dice_probability", unreduced_fractions),
    ("logic/counting_with_conditions", unknown_words),
    ("grids/n_queens", repeated_values),
]


def middle(name: str) -> int:
    return (load(name).Knobs.levels() - 1) // 2


@pytest.mark.parametrize(("name", "oddities"), PLAYERS)
def test_options_do_not_look_odd(name: str, oddities: Oddities) -> None:
    """A player that chooses the least odd option is right by chance."""
    rng, hits = Random(1), 0
    for seed in range(TASKS):
        task = Address.of(f"{name}+choices(4)", seed, middle(name)).task()
        assert isinstance(task, ChoicesPuzzle)
        counts = [oddities(option, task.task.prompt()) for option in task.options]
        least = [n for n, count in enumerate(counts) if count == min(counts)]
        hits += rng.choice(least) == task.right
    assert hits / TASKS <= 0.25 + 3 * (0.25 * 0.75 / TASKS) ** 0.5


@pytest.mark.parametrize(("name", "oddities"), PLAYERS)
def test_claims_do_not_look_odd(name: str, oddities: Oddities) -> None:
    """A player that accepts the claims without oddities is right by chance."""
    hits = 0
    for seed in range(TASKS):
        task = Address.of(f"{name}+yes_no", seed, middle(name)).task()
        assert isinstance(task, YesNoPuzzle)
        hits += (oddities(task.claim, task.task.prompt()) == 0) == task.right
    assert hits / TASKS <= 0.5 + 3 * (0.25 / TASKS) ** 0.5


def respelt(claim: str, prompt: str) -> str:
    """A claim with words of the prompt in place of similar words that are not in it."""
    known = set(words(prompt))
    for word in words(claim):
        if word not in known:
            fitting = sorted(each for each in known if len(each) == len(word))
            for match in get_close_matches(word, fitting, 1, 0.3):
                claim = re.sub(rf"\b{word}\b", match, claim, count=1)
    return claim


@pytest.mark.parametrize(
    "name", ["grids/word_crossing", "strings/word_sorting", "logic/object_properties"]
)
def test_wrong_claims_cannot_be_undone(name: str) -> None:
    """A player that restores the spelling of a claim earns no more than the stated chance."""
    earned = stated = 0.0
    for seed in range(TASKS):
        task = Address.of(f"{name}+review", seed, middle(name)).task()
        assert isinstance(task, ReviewPuzzle)
        restored = respelt(task.claim, task.task.prompt())
        stated += task.random_baseline()
        try:
            earned += task.verify("right" if restored == task.claim else f"wrong\n{restored}").value
        except InvalidAnswer:
            continue
    assert earned <= stated + 3 * (TASKS * 0.2 * 0.8) ** 0.5


def test_the_form_of_answers_is_a_function_of_the_environment_and_its_knobs() -> None:
    base = load("optimisation/knapsack")
    form = form_of(base, base.Knobs.at(2))
    form_of.cache_clear()
    assert form_of(base, base.Knobs.at(2)) == form


def test_right_answers_have_the_form_of_right_answers() -> None:
    base = load("optimisation/knapsack")
    form = form_of(base, base.Knobs.at(2))
    for seed in range(20):
        task = base.sample(Random(seed), base.Knobs.at(2))
        assert isinstance(task, Puzzle)
        prompt = Prompt(task.prompt())
        right = form.traits(task.answer(), prompt)
        assert form.fits(right, right)
        twice = form.traits(f"{task.answer()}, {task.answer()}", prompt)
        assert not form.fits(twice, right)


@pytest.mark.parametrize(
    "text", ["", "\n", "7", "a", "1: a, b\n2: c", "#.\n.#", "x: \n", "9" * 999]
)
def test_edits_keep_labels_and_differ_from_the_text(text: str) -> None:
    for edited in edits(text, Random(5), 200, ["d", "8"]):
        assert edited != text
        labels = [line.partition(":")[0] for line in text.split("\n") if ":" in line]
        assert [line.partition(":")[0] for line in edited.split("\n") if ":" in line] == labels


@pytest.mark.parametrize("level", [0, 3, 6])
def test_the_right_list_is_not_the_longest_option(level: int) -> None:
    """Items are added as often as they are left out."""
    longest = 0.0
    for seed in range(120):
        task = Address.of("arithmetic/number_filtering+choices(4)", seed, level).task()
        assert isinstance(task, ChoicesPuzzle)
        lengths = [len(option) for option in task.options]
        if lengths[task.right] == max(lengths):
            longest += 1 / lengths.count(max(lengths))
    assert longest < 0.45 * 120  # 30 are expected, with a standard deviation of 5


def test_the_last_line_is_in_order_in_every_option() -> None:
    for seed in range(20):
        task = Address.of("algorithms/sorting_trace+choices(4)", seed, 4).task()
        assert isinstance(task, ChoicesPuzzle)
        last = [numbers(option.splitlines()[-1]) for option in task.options]
        if last[task.right] == sorted(last[task.right]):
            assert all(line == sorted(line) for line in last)
