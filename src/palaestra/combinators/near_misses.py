"""Wrong answers that look like right ones."""

import re
from collections.abc import Iterator
from random import Random

from palaestra.combinators.combinator import Sampler, Unsuitable
from palaestra.task import InvalidAnswer, Puzzle

_TOKEN = re.compile(r"\d+|[^\W\d_]+|\s+|[\W_]")

TRIES = 60
"""How many edits of a text are tried for one that suits."""


def edits(text: str, rng: Random, number: int) -> Iterator[str]:
    """Texts of the same form as a text, each with one change: a number that is a little larger or
    smaller, two tokens or two letters exchanged, or a letter in place of another.
    """
    tokens = _TOKEN.findall(text)
    numbers = [n for n, token in enumerate(tokens) if token.isdecimal() and len(token) < 300]
    words = [n for n, token in enumerate(tokens) if token.isalpha()]
    signs = [n for n, token in enumerate(tokens) if len(token) == 1 and not token.isspace()]
    letters = sorted(set("".join(tokens[n] for n in words)))
    for _ in range(number):
        edited = list(tokens)
        group = rng.choice([each for each in (numbers, numbers, words, signs) if each] or [[]])
        if not group:
            return
        one, other = rng.choice(group), rng.choice(group)
        if group is numbers and rng.random() < 0.7:
            change = rng.randint(1, max(2, int(tokens[one]) // 8))
            edited[one] = str(abs(int(tokens[one]) + rng.choice((-change, change))))
        elif group is words and rng.random() < 0.5:
            edited[one] = _respelt(tokens[one], letters, rng)
        else:
            edited[one], edited[other] = edited[other], edited[one]
        yield "".join(edited)


def _respelt(word: str, letters: list[str], rng: Random) -> str:
    """A word with two letters exchanged or one in place of another."""
    spelt = list(word)
    one, other = rng.randrange(len(spelt)), rng.randrange(len(spelt))
    if rng.random() < 0.5:
        spelt[one] = rng.choice(letters)
    else:
        spelt[one], spelt[other] = spelt[other], spelt[one]
    return "".join(spelt)


def near_miss(task: Puzzle, text: str, taken: set[str], rng: Random, another: Sampler) -> str:
    """A wrong answer in the right form that differs from a text in one change.

    It is none of the ``taken``, which are normal forms. Where no change is one, it is the right
    answer to another task. Raises :class:`Unsuitable` where that does not suit either.
    """
    for candidate in edits(text, rng, TRIES):
        if normal(candidate) not in taken and is_wrong(task, candidate):
            return candidate
    for _ in range(TRIES // 3):
        other = another()
        assert isinstance(other, Puzzle)
        candidate = other.answer()
        if normal(candidate) not in taken and is_wrong(task, candidate):
            return candidate
    raise Unsuitable("there are too few wrong answers in the form of a right one")


def normal(text: str) -> str:
    """A text without spaces and case, in which equal answers are equal."""
    return "".join(text.casefold().split())


def is_wrong(task: Puzzle, answer: str) -> bool:
    """Whether an answer is wrong although it has the right form."""
    if not answer.strip():
        return False
    try:
        score = task.verify(answer)
    except InvalidAnswer:
        return False
    return score.status == "scored" and not score.correct
