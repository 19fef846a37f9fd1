"""What the surface of an answer shows to a reader who does not solve the task."""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from math import gcd
from random import Random
from typing import Any, NamedTuple, Self

from palaestra.environment_files import without_family
from palaestra.task import Puzzle, Task

TOKEN = re.compile(r"\d+|[^\W\d_]+|\s+|[\W_]")

SAMPLES = 12
"""How many right answers tell what right answers have in common."""

SIZES = frozenset({"numbers", "words", "lines"})
"""The traits that are how much there is in an answer."""

_VALUE = re.compile(r"\d+|[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+")
_FRACTION = re.compile(r"(\d{1,99}) ?/ ?(\d{1,99})")
_PAIR = re.compile(r"(\w+) ?(?:->|=|<|-) ?(\w+)")
_ITEM = re.compile(r"[,;\n]")
_CAMEL = re.compile(r"[^\W\d_A-Z][A-Z]")
_DIGITS = 300
"""Longer numbers are not read."""


class Prompt:
    """The words, numbers and neighbours in a prompt."""

    def __init__(self, text: str) -> None:
        values = _VALUE.findall(text)
        self.text = text
        self.values = frozenset(values)
        self.words = [value for value in dict.fromkeys(values) if not value.isdecimal()]
        self.numbers = [value for value in dict.fromkeys(values) if value.isdecimal()]
        self.pairs = {frozenset(pair) for pair in pairwise(values)}
        self.anagrams = {"".join(sorted(word)) for word in self.words}
        self.characters = frozenset(text)


def label_of(line: str) -> str:
    """What stands before the colon of a line, colon included; empty where there is none."""
    label, colon, _ = line.partition(":")
    return label + colon if colon else ""


def traits(text: str, prompt: Prompt) -> dict[str, int]:
    """Counts of what shows in an answer; a trait that says whether something holds is 0 or 1."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    labels = [label_of(line) for line in lines]
    bodies = [line[len(label) :] for line, label in zip(lines, labels)]
    values = _VALUE.findall("\n".join(bodies))
    words = [value for value in values if not value.isdecimal()]
    numerals = [value for value in values if value.isdecimal() and len(value) < _DIGITS]
    numbers = list(map(int, numerals))
    return (
        _layout(text, lines, bodies)
        | _words(words, bodies, prompt)
        | _numbers(numbers, numerals, text, prompt)
        | _order(values, lines, bodies, numbers)
        | _from_prompt(text, values, lines, labels, prompt)
        | _grid(bodies)
    )


def _layout(text: str, lines: Sequence[str], bodies: Sequence[str]) -> dict[str, int]:
    letters = [character for character in text.casefold() if character.isalnum()]
    counts = Counter(letters).most_common()
    return {
        "characters": len(text),
        "lines": len(lines),
        "distinct characters": len(counts),
        "most frequent character": counts[0][1] if counts else 0,
        "least frequent character": counts[-1][1] if counts else 0,
        "single characters": sum(count == 1 for _, count in counts),
        "parentheses": text.count("(") - text.count(")"),
        "palindrome": letters == letters[::-1],
        "doubled characters": sum(one == other for one, other in pairwise(letters)),
        "widths": len({len(body) for body in bodies}),
    }


def _words(words: Sequence[str], bodies: Sequence[str], prompt: Prompt) -> dict[str, int]:
    rows = [_WORD.findall(body) for body in bodies]
    return {
        "words": len(words),
        "repeated words": _repeats(words),
        "words not in the prompt": sum(word not in prompt.values for word in words),
        "words with other letters": sum(
            "".join(sorted(word)) not in prompt.anagrams for word in words
        ),
        "capitals within words": sum(bool(_CAMEL.search(word)) for word in words),
        "capitals": sum(word[0].isupper() for word in words),
        "words out of order": sum(one > other for one, other in pairwise(words)),
        "words of a line out of order": sum(
            one > other for row in rows for one, other in pairwise(row)
        ),
    }


def _numbers(
    numbers: Sequence[int], numerals: Sequence[str], text: str, prompt: Prompt
) -> dict[str, int]:
    if not numbers:
        return {"numbers": 0}
    total, fractions = sum(numbers), [(int(a), int(b)) for a, b in _FRACTION.findall(text)]
    return {
        "numbers": len(numbers),
        "repeated numbers": _repeats(numerals),
        "numbers not in the prompt": sum(each not in prompt.values for each in numerals),
        "smallest": min(numbers),
        "largest": max(numbers),
        "gaps": max(numbers) - min(numbers) + 1 - len(set(numbers)),
        "zeros": sum(number == 0 for number in numbers),
        "leading zeros": sum(each[0] == "0" and len(each) > 1 for each in numerals),
        "trailing zeros": sum(
            len(each) - len(each.rstrip("0")) for each in numerals if each != "0"
        ),
        "digits": sum(map(len, numerals)),
        "first number": numbers[0],
        "last number": numbers[-1],
        "parity of the first": numbers[0] % 2,
        "parity of the last": numbers[-1] % 2,
        "last digit": numbers[-1] % 10,
        "sum": total,
        "sum mod 2": total % 2,
        "sum mod 3": total % 3,
        "sum mod 9": total % 9,
        "sum mod 10": total % 10,
        "odd numbers": sum(number % 2 for number in numbers),
        "last is the sum": 2 * numbers[-1] == total,
        "sum in the prompt": str(total)[:_DIGITS] in prompt.values,
        "fractions": len(fractions),
        "fractions not reduced": sum(gcd(a, b) > 1 for a, b in fractions),
        "fractions above one": sum(a > b for a, b in fractions),
        "partial products": sum(
            number % 10 ** min(exponent, _DIGITS) != 0
            for exponent, number in enumerate(numbers[:-1])
        ),
    }


def _order(
    values: Sequence[str], lines: Sequence[str], bodies: Sequence[str], numbers: Sequence[int]
) -> dict[str, int]:
    rows = [[int(each) for each in re.findall(r"\d{1,99}", body)] for body in bodies]
    items = [item.strip() for body in bodies for item in _ITEM.split(body)]
    parts = [_sortable(item) for item in items]
    moves = [_VALUE.findall(body) for body in bodies]
    return {
        "descents": sum(one > other for one, other in pairwise(numbers)),
        "descents in lines": sum(one > other for row in rows for one, other in pairwise(row)),
        "descents in the last line": sum(
            one > other for row in rows[-1:] for one, other in pairwise(row)
        ),
        "equal neighbours": sum(one == other for one, other in pairwise(values)),
        "equal at distance 2": sum(one == other for one, other in zip(values, values[2:])),
        "repeated items": _repeats(items),
        "items out of order": sum(one > other for one, other in pairwise(parts)),
        "parts of items out of order": sum(
            one > other for part in parts for one, other in pairwise(part)
        ),
        "repeated bodies": _repeats(bodies),
        "equal lines": sum(one == other for one, other in pairwise(bodies)),
        "reversed lines": sum(one == other[::-1] for one, other in pairwise(moves)),
        "repeats in lines": sum(_repeats(row) for row in moves),
        "equal sides": sum(one == other for line in lines for one, other in _PAIR.findall(line)),
    }


def _sortable(item: str) -> list[tuple[int, str]]:
    """The values of an item, to be compared as numbers or as words."""
    return [
        (int(value), "") if value.isdecimal() and len(value) < _DIGITS else (-1, value)
        for value in _VALUE.findall(item)
    ]


def _from_prompt(
    text: str, values: Sequence[str], lines: Sequence[str], labels: Sequence[str], prompt: Prompt
) -> dict[str, int]:
    places = [prompt.text.find(value) for value in values[:200]]
    return {
        "pairs not in the prompt": sum(
            frozenset(pair) not in prompt.pairs for pair in pairwise(values)
        ),
        "lines not in the prompt": sum(line not in prompt.text for line in lines[:50]),
        "characters not in the prompt": len(frozenset(text) - prompt.characters),
        "all in the prompt": text in prompt.text,
        "against the order of the prompt": sum(one > other for one, other in pairwise(places)),
        "repeated labels": _repeats(label for label in labels if label),
    }


def _grid(bodies: Sequence[str]) -> dict[str, int]:
    """Of lines that are rows of as many cells each: values, or characters of single words."""
    rows: list[Sequence[str]] = [_VALUE.findall(body) for body in bodies]
    if max(map(len, rows), default=0) < 2:
        rows = [body.replace(" ", "") for body in bodies]
    if len(rows) < 2 or len({len(row) for row in rows}) > 1:
        return {"columns": 0}
    columns = list(zip(*rows))
    return {
        "columns": len(columns),
        "different rows": len({tuple(sorted(row)) for row in rows}),
        "different columns": len({tuple(sorted(column)) for column in columns}),
        "repeats in rows": sum(map(_repeats, rows)),
        "repeats in columns": sum(map(_repeats, columns)),
        "equal cells side by side": sum(
            one == other for row in rows for one, other in pairwise(row)
        ),
        "equal cells above another": sum(
            one == other for column in columns for one, other in pairwise(column)
        ),
    }


def _repeats(sequence: Iterable[Hashable]) -> int:
    items = list(sequence)
    return len(items) - len(set(items))


def elements(text: str) -> set[Hashable]:
    """The characters, values by column and label, and neighbours among both, of an answer."""
    result: set[Hashable] = {("character", each) for each in text}
    result |= {("neighbours", one, other) for one, other in pairwise(text.casefold())}
    for line in text.splitlines():
        label = label_of(line)
        values = _VALUE.findall(line[len(label) :])
        tokens = ["#" if each.isdecimal() else each for each in TOKEN.findall(line)]
        shapes = ["w" if each.isalpha() else each for each in tokens if not each.isspace()]
        result |= {("tokens", *pair) for pair in pairwise(each for each in tokens if each != " ")}
        result |= {("shape", *run) for run in zip(shapes, shapes[1:], shapes[2:])}
        result |= {("column", n, value) for n, value in enumerate(values)}
        result |= {("label", label, value) for value in values}
        result |= {("value", value) for value in values}
    return result


class Form(NamedTuple):
    """What right answers to tasks of an environment have in common: the traits' ranges, and the
    elements that occur in them.
    """

    ranges: dict[str, tuple[int, int]]
    """The lowest and the highest value of each trait; of others, both are 0."""
    known: dict[Hashable, int]
    """In how many of the answers each element occurs."""
    common: frozenset[str]
    """The words and numbers of all prompts, which belong to the wording."""
    words: tuple[str, ...]
    """The words and numbers of the answers."""

    own_numbers: bool
    """Whether most numbers of an answer occur in no other answer."""

    @classmethod
    def of(cls, tasks: Sequence[Puzzle]) -> Self:
        """The form of the right answers to these tasks."""
        answers = [task.answer() for task in tasks]
        prompts = [Prompt(task.prompt()) for task in tasks]
        known = Counter(element for answer in answers for element in elements(answer))
        common = frozenset.intersection(*(prompt.values for prompt in prompts))
        words = tuple(dict.fromkeys(each for text in answers for each in _VALUE.findall(text)))
        numbers = [each for each in words if each.isdecimal()]
        unique = sum(known["value", each] == 1 for each in numbers)
        form = cls({}, known, common, words, unique > len(numbers) / 2)
        samples = [form.traits(answer, prompt, 1) for answer, prompt in zip(answers, prompts)]
        names = dict.fromkeys(name for sample in samples for name in sample)
        ranges = {name: _range([sample.get(name, 0) for sample in samples]) for name in names}
        return form._replace(ranges=ranges)

    def traits(self, text: str, prompt: Prompt, occurrences: int = 0) -> dict[str, int]:
        """Of an answer, with the number of elements of each sort that are new in it: those that
        occur in at most so many of the right answers.
        """
        new = Counter(
            f"new {element[0]}"  # type: ignore[index]
            for element in elements(text)
            if self.known.get(element, 0) <= occurrences
        )
        new["words of the wording"] = sum(value in self.common for value in _VALUE.findall(text))
        return traits(text, prompt) | new

    def fits(self, candidate: dict[str, int], right: dict[str, int]) -> bool:
        """Whether all traits of a candidate are within the ranges of those of right answers, of
        which one is the answer to its own task.
        """
        for name in candidate.keys() | right.keys():
            value, own = candidate.get(name, 0), right.get(name, 0)
            low, high = self.ranges.get(name, (0, 0))
            if value != own and not min(low, own) <= value <= max(high, own):
                return False
            # All options next to a right answer of extreme size would be larger, or smaller.
            if value != own and name in SIZES and not low < own < high:
                return False
        return True


def _range(values: Sequence[int]) -> tuple[int, int]:
    """The range of a trait. Where it varies from answer to answer, the range is widened, for else
    right answers would be at its ends more often than others.
    """
    low, high = min(values), max(values)
    margin = high - low if len(set(values)) > len(values) // 2 else 0
    return low - margin, high + margin


@lru_cache(maxsize=256)
def form_of(base: type[Task], knobs: Any) -> Form:
    """The form of right answers to the tasks of an environment with these knobs.

    It is inferred from training tasks that depend on the environment's name and the knobs alone.
    """
    module = without_family(base.__module__)
    rng = Random(f"{module}.{base.__name__} {knobs.model_dump_json()}")
    tasks = [base.sample(rng, knobs, False) for _ in range(SAMPLES)]
    return Form.of([task for task in tasks if isinstance(task, Puzzle)])
