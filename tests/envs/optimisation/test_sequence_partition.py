"""Tests of optimisation/sequence_partition: costs by the rules, and all ways to cut."""

from functools import reduce
from itertools import combinations, pairwise
from operator import or_
from random import Random

import pytest

from palaestra.address import Address
from palaestra.envs.optimisation.sequence_partition import SequencePartition
from palaestra.generators.optimisation.sequence_partition import (
    COSTS,
    Division,
    Scale,
    allowed_parts,
    best_parts,
    changed_cuts,
    least_cost,
    number_of_ways,
    random_division,
    total_cost,
)
from palaestra.task import InvalidAnswer

NAME = "optimisation/sequence_partition"


def all_cuts(size):
    return [cuts for k in range(size) for cuts in combinations(range(1, size), k)]


def costs_by_the_rules(division, pieces):
    """What each part costs, from the rules in the prompt; None if a word does not fit."""
    number = division.number
    sums = [sum(row) for row, _ in pieces]
    match division.cost:
        case "target":
            return [abs(x - number) ** 2 for x in sums]
        case "quadratic":
            return [x * x + number for x in sums]
        case "lines":
            blanks = [number - len(" ".join("x" * n for n in row)) for row, _ in pieces]
            return [b * b for b in blanks[:-1]] + [0] if min(blanks) >= 0 else None
        case "spread":
            return [max(row) - min(row) for row, _ in pieces]
        case "peak":
            return [sum(max(row) for _ in row) for row, _ in pieces]
        case "plots":
            return [max(row) * max(other) for row, other in pieces]
        case "kinds":
            return [len(set(row)) ** 2 for row, _ in pieces]
        case "jobs":
            later = [sum(sum(other) for _, other in pieces[k:]) for k in range(len(pieces))]
            return [sum(weight for _ in range(number + x)) for x, weight in zip(sums, later)]
        case "either":
            return [max(abs(x), abs(sum(other))) for x, (_, other) in zip(sums, pieces)]
        case "products":
            return [sum(x * y for y in sums[:k]) for k, x in enumerate(sums)]
        case _:
            return sums


def worth_by_the_rules(division, cuts):
    """The cost of a way to cut, or what it earns as a negative number; None if it is not valid."""
    ends = [0, *cuts, division.size]
    pieces = [(division.rows[0][a:b], division.rows[-1][a:b]) for a, b in pairwise(ends)]
    sums = [sum(row) for row, _ in pieces]
    if division.parts and len(pieces) != division.parts:
        return None
    if division.lengths and any(len(row) not in division.lengths for row, _ in pieces):
        return None
    if division.divisor and any(x % division.divisor not in division.remainders for x in sums):
        return None
    costs = costs_by_the_rules(division, pieces)
    if costs is None:
        return None
    if division.turns:
        factors = division.turns * len(pieces)
        costs = [cost * factor for cost, factor in zip(costs, factors)]
    fees = sum(division.fees[cut - 1] for cut in cuts) if division.fees else 0
    if division.cost == "products":
        return fees - sum(costs)
    if division.cost == "bits":
        return reduce(or_, costs) + fees
    return (max(costs) if division.cost in {"largest", "either"} else sum(costs)) + fees


@pytest.mark.parametrize("cost", COSTS)
def test_no_way_to_cut_is_better(cost):
    for seed in range(6):
        scale = Scale(7 + seed % 3, 6 + seed, seed % 4, seed % 2 == 0)
        division = random_division(Random(seed), cost, scale)
        valid = {}
        for cuts in all_cuts(division.size):
            lengths = [b - a for a, b in pairwise([0, *cuts, division.size])]
            worth = worth_by_the_rules(division, cuts)
            if worth is not None:
                assert total_cost(division, lengths) == worth
                valid[tuple(lengths)] = worth
        best = min(valid.values())
        assert valid[tuple(best_parts(division)[0])] == best
        assert least_cost(division) == best


def test_without_a_valid_way_there_is_none():
    for cost in ("target", "largest", "bits"):
        division = Division(cost, ((2, 4, 6),), 5, (), divisor=2, remainders=(1,))
        assert not allowed_parts(division)
        assert best_parts(division)[0] == []
        assert least_cost(division) is None


@pytest.mark.parametrize("level", range(7))
def test_oracle_and_audit_agree(level):
    task = Address.of(NAME, 3, level).task()
    assert task.verify(task.answer()).value == 1
    assert task.audit(task.answer())
    for player in task.baselines(Random(level)).values():
        assert task.audit(player) == (task.verify(player).value == 1)


def test_changes_of_cuts_end_where_none_helps():
    division = Division("target", ((3, 3, 3, 3),), 6)
    assert changed_cuts(division, [1, 1, 1, 1], "r") == [2, 2]
    assert changed_cuts(division, [4], "a") == [2, 2]
    assert changed_cuts(division, [1, 3], "m") == [2, 2]


TASK = SequencePartition(
    division=Division(
        "target", ((3, 4, 5, 1, 1),), 6, (9, 2, 2, 4), turns=(1, 2), lengths=(1, 2, 3),
        divisor=3, remainders=(1, 2),
    )
)  # fmt: skip


def test_scores():
    assert TASK.answer() == "2, 3"
    assert TASK.verify("[2, 3]").value == 1
    assert TASK.verify("2 and 3").value == 1
    assert TASK.verify("2, 1, 1, 1").reason == "the total is 86, and a better solution exists"
    assert TASK.verify("1, 1, 1, 2").reason == "part 1 breaks a rule on lengths or sums"
    assert TASK.verify("2, 3, 1").reason == "the parts have 6 numbers together, not 5"
    assert TASK.verify("2, 0, 3").reason == "a part has at least one number"


@pytest.mark.parametrize(
    "text",
    ["Parts: 2, 3", "Part sizes: 2, 3", '{"parts": [2, 3]}', "Part 1: 2\nPart 2: 3",
     "- Part 1: 2\n- Part 2: 3", "**Part 1:** 2\n**Part 2:** 3", "The parts are 2 and 3."],
)  # fmt: skip
def test_headings_and_labels_are_read(text):
    assert TASK.read(text) == [2, 3]


def test_labels_that_do_not_count_are_refused():
    for text in ("Part 1: 2\nPart 3: 3", "Part 2: 2\nPart 1: 3", "Cuts: 2, 3"):
        with pytest.raises(InvalidAnswer):
            TASK.read(text)


@pytest.mark.parametrize("cost", COSTS)
def test_ways_to_cut_are_counted(cost):
    division = random_division(Random(cost), cost, Scale(12, 12, 2, True))
    allowed = allowed_parts(division)
    assert number_of_ways(division) == sum(
        all(part in allowed for part in pairwise([0, *cuts, 12]))
        and len(cuts) + 1 == (division.parts or len(cuts) + 1)
        for cuts in all_cuts(12)
    )


def test_there_are_many_ways_to_cut():
    """With few of them, whoever only avoids dead ends is right by chance."""
    for seed in range(30):
        assert number_of_ways(Address.of(NAME, seed, 6).task().division) > 100


def test_the_prompt_states_the_rules():
    assert TASK.prompt().splitlines()[1] == "3, 4, 5, 1, 1"
    for text in (
        "- A part costs the square of the difference between its sum and 6.",
        "The factors of the first 2 parts, in order, are 1, 2; then they begin again.",
        "are 9, 2, 2, 4.",
        "- How many numbers a part has is one of 1, 2, 3.",
        "- The sum of a part leaves one of these remainders when divided by 3: 1, 2.",
    ):
        assert text in TASK.prompt()


def test_the_solved_scene_shows_the_parts():
    fills = [cell.fill for cell in TASK.solved_scene("2, 1, 2").cells[0]]
    assert fills == ["accent", "accent", "paper", "accent", "accent"]
    assert {cell.fill for cell in TASK.scene().cells[0]} == {"paper"}
