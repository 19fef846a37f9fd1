"""Tests of logic/day_assignment: rules are read from the prompts, and all choices are tried."""

import re
from itertools import product

import pytest

from palaestra.address import Address
from palaestra.envs.logic.day_assignment import DayAssignment
from palaestra.generators.logic.day_assignment import DAYS, TEXTS, Days, makers
from palaestra.generators.logic.placements import Rule, search
from palaestra.rng import Rng

NAME = "logic/day_assignment"


def sentences_of(task):
    return re.findall(r"^- (.+)$", task.prompt(), re.MULTILINE)


def later(m, days, one, other):
    """How many days later the day of the one is."""
    return DAYS.index(days[m[one]]) - DAYS.index(days[m[other]])


READERS = {
    "@ comes on # if and only if @ does not come on #.":
        lambda m, d: (d[m[1]] == m[2]) == (d[m[3]] != m[4]),
    "Exactly one of these is true: @ comes on #; @ comes on #.":
        lambda m, d: (d[m[1]] == m[2]) != (d[m[3]] == m[4]),
    "If @ comes on #, then @ comes on #.": lambda m, d: d[m[1]] != m[2] or d[m[3]] == m[4],
    "@ comes on # if @ comes on #.": lambda m, d: d[m[3]] != m[4] or d[m[1]] == m[2],
    "@ comes on an earlier day than @.": lambda m, d: later(m, d, 2, 1) > 0,
    "@ comes on a later day than @.": lambda m, d: later(m, d, 1, 2) > 0,
    "@ comes on the day after @.": lambda m, d: later(m, d, 1, 2) == 1,
    "@ comes on the day before @.": lambda m, d: later(m, d, 2, 1) == 1,
    "@ and @ come on the same day.": lambda m, d: d[m[1]] == d[m[2]],
    "@'s day is also that of @.": lambda m, d: d[m[1]] == d[m[2]],
    "@ and @ come on different days.": lambda m, d: d[m[1]] != d[m[2]],
    "@'s day is not that of @.": lambda m, d: d[m[1]] != d[m[2]],
    "@ comes on # or #.": lambda m, d: d[m[1]] in {m[2], m[3]},
    "@'s day is either # or #.": lambda m, d: d[m[1]] in {m[2], m[3]},
    "@ does not come on #.": lambda m, d: d[m[1]] != m[2],
    "# is not @'s day.": lambda m, d: d[m[2]] != m[1],
    "Of @ and @, exactly one comes on the same day as @.":
        lambda m, d: (d[m[1]] == d[m[3]]) != (d[m[2]] == d[m[3]]),
    "@ comes with either @ or @, but not with both.":
        lambda m, d: (d[m[2]] == d[m[1]]) != (d[m[3]] == d[m[1]]),
    r"Exactly (\d) of @, @ and @ comes? on #.":
        lambda m, d: [d[m[n]] for n in (2, 3, 4)].count(m[5]) == int(m[1]),
    r"Of @, @ and @, (\d) comes? on #, no more and no fewer.":
        lambda m, d: [d[m[n]] for n in (1, 2, 3)].count(m[5]) == int(m[4]),
}  # fmt: skip


def kept(sentence, days):
    """Whether days of people by name satisfy a sentence of a prompt."""
    for pattern, holds in READERS.items():
        shape = pattern.replace("@", r"(\w+)").replace("#", r"(\w+day)")
        if m := re.fullmatch(shape, sentence):
            return holds(m, days)
    raise AssertionError(sentence)


@pytest.mark.parametrize("level", range(3))
def test_choices_that_follow_the_prompt_are_right_and_no_others(level):
    for seed in range(5):
        task = Address.of(NAME, seed, level).task()
        sentences, right = sentences_of(task), 0
        most = int(re.search(r"at most (\d+)", task.prompt())[1])
        for row in product(DAYS[: task.days], repeat=len(task.names)):
            days = dict(zip(task.names, row, strict=True))
            sizes = [row.count(day) for day in DAYS[: task.days]]
            fits = min(sizes) >= 1 and max(sizes) <= most
            fits = fits and all(kept(sentence, days) for sentence in sentences)
            answer = "\n".join(f"{name}: {day}" for name, day in days.items())
            if fits or row[0] == row[-1] == "Monday":
                assert task.verify(answer).correct == fits
            right += fits
        assert right == len(search(task.slots(), task.rules, most=10_000).placements) >= 1


def test_the_audit_reads_all_forms_as_the_judge_does():
    names, rng = ("Ada", "Bo", "Cleo", "Dev"), Rng(1)
    rules = [make(rng) for make in makers(Days(4, 3, 1, 3), 10) for _ in range(12)]
    assert {rule.form for rule in rules} == {*TEXTS}
    for rule in rules:
        task = DayAssignment(names=names, rules=(rule,), days=3, most=2)
        (sentence,) = sentences_of(task)
        for row in product(range(3), repeat=4):
            if len({*row}) == 3:
                days = {name: DAYS[day] for name, day in zip(names, row, strict=True)}
                answer = "\n".join(f"{name}: {day}" for name, day in days.items())
                assert task.verify(answer).correct == task.audit(answer) == kept(sentence, days)


TASK = DayAssignment(
    names=("Ada", "Bo", "Cleo"),
    rules=(Rule("before", (1, 0)), Rule("same", (1, 2))),
    days=2,
    most=2,
)


@pytest.mark.parametrize(
    "text",
    ["Ada: Tuesday\nBo: Monday\nCleo: Monday", "bo = monday, cleo = monday, ada = tuesday",
     '{"Ada": "Tuesday", "Bo": "Monday", "Cleo": "Monday"}',
     "- Bo: Monday\n- Cleo: Monday\n- Ada: Tuesday"],
)  # fmt: skip
def test_choices_are_read(text):
    assert TASK.verify(text).correct


def test_what_is_wrong():
    assert (
        TASK.verify("Ada: Monday\nBo: Monday\nCleo: Tuesday").reason
        == "2 of the 2 rules are broken"
    )
    assert "more than 2 people" in TASK.verify("Ada: Monday\nBo: Monday\nCleo: Monday").reason
    for text in ("Ada: Monday\nBo: Monday", "Ada: Monday\nBo: Monday\nCleo: Friday"):
        with pytest.raises(ValueError, match=r"one line|one of"):
            TASK.verify(text)
