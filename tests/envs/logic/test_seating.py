"""Tests of logic/seating: seatings are found and judged from the prompts by trying all of them."""

import re
from itertools import permutations

import pytest

from palaestra.address import Address
from palaestra.envs.logic.seating import Seating
from palaestra.generators.logic.placements import Rule, random_placement, search
from palaestra.generators.logic.seating import ROW, TABLE, Seats, makers
from palaestra.rng import Rng

NAME = "logic/seating"


def read(prompt):
    """The names, the rules as sentences, and whether the table is round."""
    names = re.search(r"They are (.+?)\. Find", prompt)[1].split(", ")
    return names, re.findall(r"^- (.+)$", prompt, re.MULTILINE), "round table" in prompt


class Row:
    """A row of names, by seat."""

    def __init__(self, names, is_round):
        self.at = {name: n for n, name in enumerate(names)}
        self.size, self.is_round = len(names), is_round

    def steps(self, one, other):
        """How many seats away two people are; on the shorter way at a round table."""
        way = abs(self.at[one] - self.at[other])
        return min(way, self.size - way) if self.is_round else way

    def left(self, one, other):
        return self.at[one] < self.at[other]

    def after(self, one, other):
        return self.at[one] == (self.at[other] + 1) % self.size


WAY = "(?:On the shorter way around, )?"
BEHIND = "(?: on the shorter way around)?"

READERS = {
    "@ sits next to @ or next to @, but not to both.":
        lambda r, a, b, c: (r.steps(a, b) == 1) != (r.steps(a, c) == 1),
    "Exactly one of @ and @ is a neighbour of @.":
        lambda r, b, c, a: (r.steps(a, b) == 1) != (r.steps(a, c) == 1),
    "@ sits next to @.": lambda r, a, b: r.steps(a, b) == 1,
    "@ and @ are neighbours.": lambda r, a, b: r.steps(a, b) == 1,
    "@ does not sit next to @.": lambda r, a, b: r.steps(a, b) != 1,
    "@ and @ are not neighbours.": lambda r, a, b: r.steps(a, b) != 1,
    "@ sits at one end.": lambda r, a: r.at[a] in {0, r.size - 1},
    "@ has only one neighbour.": lambda r, a: r.at[a] in {0, r.size - 1},
    "@ sits somewhere to the left of @.": lambda r, a, b: r.left(a, b),
    "@ sits somewhere to the right of @.": lambda r, a, b: r.left(b, a),
    "@ sits opposite @.": lambda r, a, b: 2 * r.steps(a, b) == r.size,
    "@ and @ face each other across the table.": lambda r, a, b: 2 * r.steps(a, b) == r.size,
    "@ does not sit opposite @.": lambda r, a, b: 2 * r.steps(a, b) != r.size,
    "@ and @ do not face each other.": lambda r, a, b: 2 * r.steps(a, b) != r.size,
    "@ sits in the next seat clockwise after @.": lambda r, a, b: r.after(a, b),
    "The next seat clockwise after @ is that of @.": lambda r, a, b: r.after(b, a),
    rf"{WAY}[Ee]xactly (\d+) sits? between @ and @.":
        lambda r, n, a, b: r.steps(a, b) - 1 == int(n),
    rf"Between @ and @ there (?:is|are) exactly (\d+) seats?{BEHIND}.":
        lambda r, a, b, n: r.steps(a, b) - 1 == int(n),
    rf"{WAY}[Aa]t least (\d+) sits? between @ and @.":
        lambda r, n, a, b: r.steps(a, b) - 1 >= int(n),
    rf"Between @ and @ there (?:is|are) (\d+) seats? or more{BEHIND}.":
        lambda r, a, b, n: r.steps(a, b) - 1 >= int(n),
    "@ sits somewhere between @ and @.": lambda r, a, b, c: r.left(b, a) != r.left(c, a),
    "@ and @ sit on different sides of @.": lambda r, b, c, a: r.left(b, a) != r.left(c, a),
    "If @ sits somewhere to the left of @, then @ sits somewhere to the left of @.":
        lambda r, a, b, c, d: r.left(b, a) or r.left(c, d),
    "@ sits somewhere to the left of @ if @ sits somewhere to the left of @.":
        lambda r, c, d, a, b: r.left(b, a) or r.left(c, d),
    "If @ sits next to @, then @ sits next to @.":
        lambda r, a, b, c, d: r.steps(a, b) != 1 or r.steps(c, d) == 1,
    "@ sits next to @ if @ sits next to @.":
        lambda r, c, d, a, b: r.steps(a, b) != 1 or r.steps(c, d) == 1,
    "(?:By the shorter ways around, )?@ sits nearer to @ than to @.":
        lambda r, a, b, c: r.steps(a, b) < r.steps(a, c),
    "Fewer people sit between @ and @ than between @ and @.":
        lambda r, a, b, c, d: r.steps(a, b) < r.steps(c, d),
    "On the shorter ways around, the way from @ to @ passes fewer people than that to @.":
        lambda r, a, b, c: r.steps(a, b) < r.steps(a, c),
}  # fmt: skip


def kept(sentence, names, is_round):
    """Whether a row of names, by seat, satisfies a sentence of a prompt."""
    for pattern, holds in READERS.items():
        if match := re.fullmatch(pattern.replace("@", r"([A-Z]\w+)"), sentence):
            return holds(Row(names, is_round), *match.groups())
    raise AssertionError(sentence)


@pytest.mark.parametrize("level", range(4))
def test_seatings_that_follow_the_prompt_are_right_and_no_others(level):
    for seed in range(6):
        task = Address.of(NAME, seed, level).task()
        names, sentences, is_round = read(task.prompt())
        right = 0
        for row in permutations(names):
            fits = all(kept(sentence, row, is_round) for sentence in sentences)
            if fits or row[0] == names[0]:
                assert task.verify(", ".join(row)).correct == fits
            right += fits
        assert right == len(search(task.slots(), task.rules, most=10_000).placements) >= 1


@pytest.mark.parametrize("is_round", [False, True])
def test_the_audit_reads_all_forms_as_the_judge_does(is_round):
    seats, rng = Seats(6, is_round), Rng(1)
    names = ("Ada", "Bo", "Cleo", "Dev", "Esme", "Finn")
    rules = [make(rng) for make in makers(seats, 10) for _ in range(12)]
    assert {rule.form for rule in rules} == {*(TABLE if is_round else ROW)}
    for rule in rules:
        task = Seating(names=names, rules=(rule,), is_round=is_round)
        for _ in range(12):
            answer = ", ".join(rng.sample(names, 6))
            assert task.verify(answer).correct == task.audit(answer)
            (sentence,) = read(task.prompt())[1]
            assert kept(sentence, answer.split(", "), is_round) == task.audit(answer)


TASK = Seating(
    names=("Ada", "Bo", "Cleo"), rules=(Rule("left", (1, 0)), Rule("next", (1, 2))), is_round=False
)


@pytest.mark.parametrize(
    "text",
    ["Bo, Cleo, Ada", "bo cleo ada", "1: Bo\n2: Cleo\n3: Ada",
     "Seat 1: Bo\nSeat 2: Cleo\nSeat 3: Ada", "[Bo, Cleo, Ada]", "Bo, Cleo and Ada",
     "Bo -> Cleo -> Ada"],
)  # fmt: skip
def test_seatings_are_read(text):
    assert TASK.verify(text).correct


def test_what_is_wrong():
    assert TASK.verify("Ada, Bo, Cleo").reason == "1 of the 2 rules is broken"
    assert TASK.verify("Ada, Cleo, Bo").reason == "1 of the 2 rules is broken"
    for text in ("Bo, Cleo", "Bo, Cleo, Ada, Bo", "Bo, Cleo, Dev"):
        with pytest.raises(ValueError, match=r"each person once|list of names|each of the names"):
            TASK.verify(text)


@pytest.mark.parametrize("name", ["logic/seating", "logic/day_assignment"])
def test_no_rule_occurs_twice_in_other_words(name):
    for seed in range(8):
        task = Address.of(name, seed, 4).task()
        slots = task.slots()
        rng = Rng(seed)
        sample = [random_placement(rng, slots) for _ in range(400)]
        pairs = {
            (frozenset(rule.people), rule.form, tuple(slots.holds(rule, each) for each in sample))
            for rule in task.rules
        }
        assert len(pairs) == len(task.rules)
