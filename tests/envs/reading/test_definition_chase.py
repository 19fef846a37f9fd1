"""Tests of reading/definition_chase."""

import re
from functools import cache, partial

import pytest

from palaestra.address import Address
from palaestra.envs.reading.definition_chase import DefinitionChase
from palaestra.generators.reading.definition_chase import Definition, Question

SCOPE = re.compile(
    r"(?:(Throughout this book|In the whole book|In all chapters)|"
    r"(In this chapter|Within this chapter|For the present chapter)|"
    r"(In this section|Within this section|For the present section)), (.+)\."
)
MEANINGS = {
    r"(\w+) is (\d+) grains|(\d+) grains are called (\w+)": None,
    r"(\w+) is (\d+) grains more than (\w+)": lambda a, n, b: (a, lambda v: v(b) + int(n)),
    r"(\w+) exceeds (\w+) by (\d+) grains": lambda a, b, n: (a, lambda v: v(b) + int(n)),
    r"(\w+) is (\d+) grains less than (\w+)": lambda a, n, b: (a, lambda v: v(b) - int(n)),
    r"(\w+) falls short of (\w+) by (\d+) grains": lambda a, b, n: (a, lambda v: v(b) - int(n)),
    r"(\w+) is (?:twice|double) (\w+)": lambda a, b: (a, lambda v: 2 * v(b)),
    r"(\w+) is (\w+) and (\w+) together": lambda a, b, c: (a, lambda v: v(b) + v(c)),
    r"(\w+) and (\w+) together make up (\w+)": lambda b, c, a: (a, lambda v: v(b) + v(c)),
    r"(\w+) is (\w+) minus (\w+)": lambda a, b, c: (a, lambda v: v(b) - v(c)),
    r"(\w+) is what remains of (\w+) without (\w+)": lambda a, b, c: (a, lambda v: v(b) - v(c)),
    r"(\w+) is the larger of (\w+) and (\w+)|(\w+) is (\w+) or (\w+), whichever is larger": max,
    r"(\w+) is the smaller of (\w+) and (\w+)|(\w+) is (\w+) or (\w+), whichever is smaller": min,
}


def extreme(choose, names, value):
    return choose(map(value, names))


def meaning(text):
    """The term that a sentence defines, and a function of the values of others."""
    text = re.sub(r"\ban? (?=\w)", "", text)
    for pattern, build in MEANINGS.items():
        if match := re.fullmatch(pattern, text):
            groups = [group for group in match.groups() if group]
            if build is None:
                name, number = sorted(groups, key=str.isdigit)
                return name, lambda v, number=number: int(number)
            if build in (max, min):
                return groups[0], partial(extreme, build, groups[1:])
            return build(*groups)
    return None


def answers_from(prompt):
    """The answers to a prompt by its text alone."""
    table = {}
    parts = re.split(r"Section (\d)\.(\d)\n\n", prompt.partition("The book:\n\n")[2])
    for chapter, section, text in zip(parts[1::3], parts[2::3], parts[3::3]):
        for sentence in re.split(r"(?<=\.)\s+", text):
            if not (match := SCOPE.fullmatch(sentence.strip())):
                continue
            name, value = meaning(match[4])
            scope = (0, 0) if match[1] else (chapter, 0) if match[2] else (chapter, section)
            table.setdefault((name, scope), (value, (chapter, section)))

    @cache
    def value(name, at):
        scopes = (at, (at[0], 0), (0, 0))
        function, location = next(table[name, s] for s in scopes if (name, s) in table)
        return function(lambda other: value(other, location))

    questions = re.findall(
        r"^\d: (\w+), as the word is used in section (\d)\.(\d)$", prompt, re.MULTILINE
    )
    assert questions
    return [value(name, (chapter, section)) for name, chapter, section in questions]


@pytest.mark.parametrize("level", range(DefinitionChase.Knobs.levels()))
def test_the_text_alone_gives_the_answers(level):
    for seed in range(4):
        task = Address.of("reading/definition_chase", seed, level).task()
        assert answers_from(task.prompt()) == task.right


@pytest.mark.parametrize("tokens", [8_000, 32_000, 128_000])
def test_long_texts(tokens):
    task = Address.of("reading/definition_chase", 3, 6, tokens=tokens).task()
    prompt = task.prompt()
    assert 0.95 * tokens < len(prompt) / 4 < 1.1 * tokens
    assert answers_from(prompt) == task.right


TASK = DefinitionChase(
    book=(
        Definition(0, (0, 0), (1, 1), "number", (), 20),
        Definition(1, (0, 0), (1, 1), "more", (0,), 5),
        Definition(2, (0, 0), (1, 2), "double", (1,), 0),
        Definition(0, (1, 0), (1, 2), "number", (), 30),
        Definition(0, (1, 2), (1, 2), "number", (), 50),
        Definition(1, (1, 2), (1, 2), "difference", (0, 0), 0),
    ),
    names=("udor", "zakan", "binop"),
    shape=((1, 1), (1, 2)),
    questions=(Question(1, (1, 1)), Question(2, (1, 1)), Question(1, (1, 2))),
    seed=1,
    tokens=300,
)


def test_names_have_the_meaning_of_the_section_in_which_they_are_written():
    # The zakan of section 1.1 is 5 more than the udor of chapter 1; the binop is written in
    # section 1.2, where a zakan is nothing.
    assert TASK.right == [35, 0, 0]


def test_scores():
    assert TASK.verify("1: 35\n2: 0\n3: 0").value == 1
    assert TASK.verify("3 = 0, 1 = 35, 2 = 0").value == 1
    assert TASK.verify("1: 35\n2: 70\n3: 0").reason == "1 of the 3 values is wrong"
    assert TASK.audit("1: 35\n2: 0\n3: 0")
    assert not TASK.audit("1: 35\n2: 0\n3: 1")
