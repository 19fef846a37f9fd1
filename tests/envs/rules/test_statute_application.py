"""Tests of rules/statute_application."""

import re

import pytest

from palaestra.address import Address
from palaestra.envs.rules.statute_application import StatuteApplication
from palaestra.generators.rules.statute_application import (
    Atom,
    Case,
    Decision,
    Names,
    Paragraph,
    Reader,
    settled,
)

PARAGRAPH = re.compile(
    r"§(?P<number>\d+)\. (?:A ship (?P<d>.+) counts as (?P<term>\w+)|"
    r"§(?P<target>\d+) does not apply to a ship (?P<e>.+?)|"
    r"For a ship (?P<c>.+), (?P<coins>\d+) coins are due|"
    r"For a ship (?P<u>.+), (?P<rate>\d+) coins are due for each of the \w+ of its (?P<size>\w+)|"
    r"For a ship (?P<r>.+), the due is reduced by (?P<less>\d+) coins)\."
    r"(?: This is in force from (?P<first>\d+) on\.)?"
    r"(?: This was in force until the end of (?P<last>\d+)\.)?"
)


class Statute:
    """A reader of the prompt alone."""

    def __init__(self, prompt):
        matches = map(PARAGRAPH.fullmatch, prompt.splitlines())
        self.paragraphs = {int(m["number"]): m for m in matches if m}

    def holds(self, part, facts):
        if match := re.fullmatch(r"that (counts|does not count) as (\w+)", part):
            defining = [n for n, p in self.paragraphs.items() if p["term"] == match[2]]
            return any(self.applies(n, facts) for n in defining) == (match[1] == "counts")
        if match := re.fullmatch(r"whose (\w+) is (more than|at most) (\d+) \w+", part):
            return (int(facts[match[1]]) > int(match[3])) == (match[2] == "more than")
        match = re.fullmatch(r"whose ([a-z ]+) is (not )?([A-Z]\w+)", part)
        return (facts[match[1]] == match[3]) == (not match[2])

    def applies(self, number, facts):
        paragraph = self.paragraphs[number]
        year = int(facts["year"])
        if not int(paragraph["first"] or 0) <= year <= int(paragraph["last"] or 9999):
            return False
        condition = next(filter(None, (paragraph[name] for name in "decur")))
        quantifier = any if " or " in condition else all
        parts = re.split(r" (?:and|or) ", condition)
        if not quantifier(self.holds(part, facts) for part in parts):
            return False
        against = [n for n, p in self.paragraphs.items() if p["target"] == str(number)]
        return not any(self.applies(n, facts) for n in against)

    def decision(self, facts):
        total, applied = 0, []
        for number, p in self.paragraphs.items():
            if (p["coins"] or p["rate"] or p["less"]) and self.applies(number, facts):
                applied.append(number)
                total += int(p["coins"] or 0) - int(p["less"] or 0)
                total += int(p["rate"] or 0) * int(facts[p["size"]] if p["rate"] else 0)
        return ", ".join(map(str, [total, *applied]))


def facts_of(line):
    facts = {"year": re.search(r"comes in (\d+)", line)[1]}
    for part in line.split("; ")[1:]:
        name, value, _ = re.fullmatch(r"([a-z ]+) (\d+|[A-Z]\w+)( \w+)?", part).groups()
        facts[name] = value
    return facts


def answers_from(prompt):
    cases = re.findall(r"^\d: a ship (that comes in .+)$", prompt, re.MULTILINE)
    statute = Statute(prompt)
    return "\n".join(f"{n}: {statute.decision(facts_of(case))}" for n, case in enumerate(cases, 1))


@pytest.mark.parametrize("level", range(StatuteApplication.Knobs.levels()))
def test_the_text_alone_gives_the_answers(level):
    for seed in range(6):
        task = Address.of("rules/statute_application", seed, level).task()
        assert answers_from(task.prompt()) == task.answer()


@pytest.mark.parametrize("tokens", [8_000, 32_000, 128_000])
def test_long_texts(tokens):
    task = Address.of("rules/statute_application", 3, 6, tokens=tokens).task()
    prompt = task.prompt()
    assert 0.9 * tokens < len(prompt) / 4 < 1.15 * tokens
    assert answers_from(prompt) == task.answer()


def always(role, target, amount=0, *atoms):
    return Paragraph(role, target, amount, atoms, True)


LONG = Atom("size", 0, 20, True)
OLD = Atom("size", 1, 30, True)
TERM = Atom("term", 0, 0, True)
STATUTE = (
    always("charge", 0, 50, TERM),
    always("definition", 0, 0, LONG),
    always("exception", 0, 0, OLD),
    always("exception", 2, 0, Atom("trait", 0, 1, True)),
    always("unit charge", 2, 3, LONG, OLD),
    always("rebate", 0, 7, LONG)._replace(first=1310),
)
CASES = {
    # Long and young: the term holds, and the rebate is in force.
    Case(1310, (21, 30, 5, 10, 5), (0, 0, 0)): Decision(43, frozenset({0, 5})),
    # Old as well, so that the first charge does not apply, and the crew is charged for.
    Case(1309, (21, 31, 5, 10, 5), (0, 0, 0)): Decision(15, frozenset({4})),
    # From the town that the exception does not apply to.
    Case(1309, (21, 31, 5, 10, 5), (1, 0, 0)): Decision(65, frozenset({0, 4})),
    Case(1309, (20, 31, 5, 10, 5), (1, 0, 0)): Decision(0, frozenset()),
}


@pytest.mark.parametrize(("case", "decision"), CASES.items())
def test_cases_by_hand(case, decision):
    assert Reader(STATUTE, case).decision() == decision
    charges = {n for n in settled(STATUTE, case) if n in {0, 4, 5}}
    assert charges == decision.paragraphs


def test_scores():
    task = StatuteApplication(
        statute=STATUTE,
        numbers=(2, 3, 5, 7, 11, 13),
        names=Names(("udor",), ("Ulor", "Zakan", "Binop")),
        cases=tuple(CASES)[:2],
        seed=1,
        paragraphs=14,
    )
    assert task.verify("1: 43, 2, 13\n2: 15, 11").value == 1
    assert task.verify("1: 43, 13, 2\n2: 15, 11").value == 1
    assert task.audit("1: 43, 13, 2\n2: 15, 11")
    assert task.verify("1: 43, 2, 12\n2: 15, 11").reason == "1 of the 2 values is wrong"
    assert task.verify("1: 43\n2: 15").reason == "2 of the 2 values are wrong"
