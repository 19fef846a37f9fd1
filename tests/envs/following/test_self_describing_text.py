"""Tests of following/self_describing_text: texts are completed and counted from the prompts."""

import re
from itertools import product
from random import Random

import pytest

from palaestra.address import Address
from palaestra.envs.following.self_describing_text import SelfDescribingText
from palaestra.generators.following.self_describing_text import (
    NUMBER_WORDS,
    Claim,
    completed,
    is_true,
    passes,
    random_claims,
    random_end,
    solve,
)

NAME = "following/self_describing_text"


def counted(noun, text):
    """How many there are in a text, by its noun alone."""
    text = text.lower()
    words = re.split(r"[ .,]+", text.strip(" ."))
    if noun in {"letters", "vowels", "hyphens"}:
        wanted = {"vowels": "aeiou", "hyphens": "-"}.get(noun, "abcdefghijklmnopqrstuvwxyz")
        return sum(sign in wanted for sign in text)
    if match := re.fullmatch(r"letters (\w)", noun):
        return text.count(match[1])
    if match := re.fullmatch(r"words with (\w+) letters", noun):
        length = NUMBER_WORDS.index(match[1])
        return sum(len(word.replace("-", "")) == length for word in words)
    match = re.fullmatch(r"words that (begin|end) with (\w)", noun)
    return sum(word[0 if match[1] == "begin" else -1] == match[2] for word in words)


@pytest.mark.parametrize("level", range(7))
def test_answers_are_true_by_a_count_of_the_prompt(level):
    for seed in range(4):
        task = Address.of(NAME, seed, level).task()
        text = task.prompt().split("\n\n")[1]
        numbers = task.answer().split(", ")
        for n, number in enumerate(numbers, 1):
            text = text.replace(f"[{n}]", NUMBER_WORDS[int(number)])
        claims = re.findall(r"number of ([^.]+?) is ([a-z-]+)\.", text)
        claims += [(noun, word) for word, noun in re.findall(r"It has ([a-z-]+) ([^.]+)\.", text)]
        assert len(claims) == len(numbers)
        for noun, word in claims:
            assert counted(noun, text) == NUMBER_WORDS.index(word), (noun, text)


def test_the_search_finds_a_solution_if_there_is_one():
    rng = Random(2)
    outcomes = []
    for _ in range(30):
        claims, end = random_claims(rng, 2), random_end(rng)
        right = [row for row in product(range(100), repeat=2) if is_true(claims, end, row)]
        solution = solve(claims, end).numbers
        assert solution in right if right else solution == ()
        outcomes.append(bool(right))
    assert any(outcomes)
    assert not all(outcomes)


CLAIMS = (Claim("letter", "e", 0), Claim("words", "", 2))
TASK = SelfDescribingText(claims=CLAIMS, end="Other words of it are sun, rain and ice.")


def test_scores():
    assert completed(CLAIMS, "End.", ["[1]", "[2]"]) == (
        "The number of letters e is [1]. It has [2] words. End."
    )
    # The, number, letters (twice), e, Other, are, ice; and those of the number words.
    numbers = solve(CLAIMS, TASK.end).numbers
    assert TASK.verify(TASK.answer()).correct
    words = ", ".join(NUMBER_WORDS[number] for number in numbers)
    assert TASK.verify(words.title()).correct
    assert TASK.verify(f"{numbers[0]}, {numbers[1] + 1}").value == 0
    with pytest.raises(ValueError, match="expected 2 numbers"):
        TASK.verify("7")
    with pytest.raises(ValueError, match="from 0 to 99"):
        TASK.verify("7, -1")


@pytest.mark.parametrize(("level", "number"), [(0, 2), (2, 4), (4, 12)])
def test_counting_again_and_again_is_not_enough(level, number):
    for seed in range(10):
        task = Address.of(NAME, seed, level).task()
        words = [""] * len(task.claims)
        for _ in range(number):
            text = completed(task.claims, task.end, words)
            row = [claim.count(text) for claim in task.claims]
            words = [NUMBER_WORDS[count] for count in row]
            assert not task.verify(", ".join(map(str, row))).correct
        assert row == list(passes(task.claims, task.end, number)[-1])


@pytest.mark.parametrize("level", [3, 6])
def test_counting_again_does_not_end_at_a_solution(level):
    """Neither if all gaps are counted at once nor if they are in turn."""
    for seed in range(10):
        task = Address.of(NAME, seed, level).task()
        number = type(task).Knobs.at(level).passes
        empty = completed(task.claims, task.end, [""] * len(task.claims))
        row = [claim.count(empty) for claim in task.claims]
        for _ in range(number):
            for n, claim in enumerate(task.claims):
                words = [NUMBER_WORDS[each] for each in row]
                row[n] = min(99, claim.count(completed(task.claims, task.end, words)))
        assert not task.verify(", ".join(map(str, row))).correct
