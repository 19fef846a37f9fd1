"""Tests of logic/zebra_puzzle."""

import re
from itertools import permutations, product
from random import Random

import pytest

from palaestra.address import Address
from palaestra.envs.logic.zebra_puzzle import THEMES, WORDS
from palaestra.generators.logic.zebra_puzzle import KINDS, different, minimal
from palaestra.generators.logic.zebra_puzzle import Row as Street
from palaestra.task import InvalidAnswer

SEEDS = range(4)
PHRASES = (
    (r"^(.+) and (.+) are two different people$", lambda n, a, b: a != b),
    (r"^(.+) and (.+) live next door to each other$", lambda n, a, b: a in {b - 1, b + 1}),
    (
        r"^(.+) and (.+) live neither in the same house nor next door to each other$",
        lambda n, a, b: a not in {b - 1, b, b + 1},
    ),
    (r"^(.+) lives directly to the left of (.+)$", lambda n, a, b: a + 1 == b),
    (r"^(.+) lives somewhere to the left of (.+)$", lambda n, a, b: a < b),
    (r"^(.+) lives at one end of the row$", lambda n, a: a in {1, n}),
    (
        r"^(.+) lives somewhere between (.+) and (.+)$",
        lambda n, a, b, c: sorted([a, b, c])[1] == a and len({a, b, c}) == 3,
    ),
    (r"^(.+) either (.+) or (.+)$", lambda n, a, b, c: a in (b, c)),
    (r"^(.+) does not live in house (\d)$", lambda n, a, h: a != h),
    (r"^(.+) lives in house (\d)$", lambda n, a, h: a == h),
)


def houses_of(text, where):
    """The house that an expression denotes."""
    return int(text) if text.isdigit() else where[text.lower()]


def holds(line, where, houses):
    """Whether a sentence of the prompt is true of a placement."""
    for pattern, test in PHRASES:
        if match := re.match(pattern, line):
            return test(houses, *(houses_of(part, where) for part in match.groups()))
    (cut,) = [
        cut
        for cut in range(len(line))
        if line[:cut].lower() in where and line[cut + 1 :].lower() in where
    ]
    return where[line[:cut].lower()] == where[line[cut + 1 :].lower()]


def placements(task):
    """All placements, each with the houses of the prompt's expressions."""
    for orders in product(permutations(range(1, task.houses + 1)), repeat=len(task.themes)):
        where = {}
        for theme, values, order in zip(task.themes, task.values, orders):
            for value, house in zip(values, order):
                for shape in THEMES[theme][:2]:
                    where[shape.format(value).lower()] = house
        yield orders, where


@pytest.mark.parametrize(("level", "seed"), [*product((0, 1), SEEDS), (2, 0)])
def test_the_clues_of_the_prompt_have_one_solution(level, seed):
    task = Address.of("logic/zebra_puzzle", seed, level).task()
    lines = re.findall(r"^\d+\. (.+)\.$", task.prompt(), re.MULTILINE)
    assert len(lines) == len(task.clues)
    fits = [
        task.table(house - 1 for order in orders for house in order)
        for orders, where in placements(task)
        if all(holds(line, where, task.houses) for line in lines)
    ]
    assert fits == [task.answer()]
    for omitted in range(len(lines)):
        rest = lines[:omitted] + lines[omitted + 1 :]
        rivals = (
            1 for _, where in placements(task) if all(holds(x, where, task.houses) for x in rest)
        )
        assert sum(rivals) > 1, f"clue {omitted + 1} is redundant"


def test_the_reason_names_the_clue():
    task = Address.of("logic/zebra_puzzle", 0, 3).task()
    rows = task.answer().splitlines()
    verdict = task.verify("\n".join([rows[1], rows[0], *rows[2:]]))
    assert verdict.value == 0
    assert re.fullmatch(r"clue \d+ does not hold", verdict.reason)
    assert "once" in task.verify("\n".join([rows[0], rows[0], *rows[2:]])).reason
    assert task.verify("\n".join(row.upper().replace(",", " |") for row in rows)).value == 1
    for broken in ("\n".join(rows[:-1]), rows[0], task.answer().replace(",", ", x,", 1)):
        with pytest.raises(InvalidAnswer):
            task.verify(broken)


def test_every_relation_has_a_wording():
    assert WORDS.keys() == KINDS.keys()
    assert not {"{", "}"} & set("".join(THEMES[t][2] for t in THEMES))


def test_clues_are_minimal_and_propagation_is_sound():
    street, places = Street(4, 2), (0, 1, 2, 3) * 2
    clues = minimal(Random(5), ("same", "next", "left", "between"), street, places)
    assert list(street.solutions(clues)) == [places]
    assert len(list(Street(3, 2).solutions([]))) == 36
    assert different((0b011, 0b011, 0b111)) == (0b011, 0b011, 0b100)
