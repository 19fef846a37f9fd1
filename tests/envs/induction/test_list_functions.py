"""List functions, refereed by trying every program there is."""

from itertools import product

import pytest

from palaestra.address import Address
from palaestra.envs.induction.list_functions import ListFunctions
from palaestra.generators.induction.list_programs import ACTIONS, DESCRIPTIONS, Step, fitting, run
from palaestra.task import InvalidAnswer

BY_HAND = {
    "even": (0, [3, 0, -2, 7], [0, -2]),
    "odd": (0, [3, 0, -3, 8], [3, -3]),
    "above": (3, [3, 4, 9, 1], [4, 9]),
    "below": (5, [5, 4, 9, 1], [4, 1]),
    "add": (2, [1, -2], [3, 0]),
    "times": (3, [1, -2], [3, -6]),
    "from": (9, [1, 12], [8, -3]),
    "half": (0, [5, -3, 0], [2, -2, 0]),
    "ascending": (0, [3, 1, 2, 1], [1, 1, 2, 3]),
    "descending": (0, [3, 1, 2, 1], [3, 2, 1, 1]),
    "reverse": (0, [3, 1, 2], [2, 1, 3]),
    "distinct": (0, [3, 1, 3, 2, 1], [3, 1, 2]),
    "take": (3, [5, 6, 7, 8], [5, 6, 7]),
    "drop": (2, [5, 6, 7, 8], [7, 8]),
    "drop last": (2, [5, 6, 7, 8], [5, 6]),
    "rotate": (2, [5, 6, 7, 8], [7, 8, 5, 6]),
    "swap": (0, [5, 6, 7, 8], [8, 6, 7, 5]),
    "sums": (0, [5, 6, -7], [5, 11, 4]),
    "steps": (0, [5, 6, 2], [5, 1, -4]),
    "highest": (0, [3, 1, 5, 2], [3, 3, 5, 5]),
    "positions": (0, [3, 1, 5], [4, 3, 8]),
    "alternate": (0, [3, 1, 5, 2], [3, 5]),
    "other": (0, [3, 1, 5, 2], [1, 2]),
    "not max": (0, [3, 5, 1, 5], [3, 1]),
    "total": (0, [3, 5], [3, 5, 8]),
    "length": (0, [3, 5], [2, 3, 5]),
}


@pytest.mark.parametrize("name", DESCRIPTIONS)
def test_operations_by_hand(name):
    number, before, after = BY_HAND[name]
    assert Step(name, number).applied(tuple(before)) == tuple(after)
    assert number in DESCRIPTIONS[name][1] or name == "drop last"
    for short in ((), (4,)):
        assert isinstance(Step(name, DESCRIPTIONS[name][1][0]).applied(short), tuple), (
            "short lists are safe"
        )


def test_tables_match():
    assert DESCRIPTIONS.keys() == ACTIONS.keys() == BY_HAND.keys()


@pytest.mark.parametrize("level", range(6))
def test_all_programs_that_fit_agree(level):
    task = Address.of("induction/list_functions", 3, level).task()
    outcomes, lengths = set(), []
    for size in range(len(task.program) + 1):
        for program in product(task.menu, repeat=size):
            if all(run(program, xs) == run(task.program, xs) for xs in task.inputs):
                outcomes.add(tuple(run(program, xs) for xs in task.new))
                lengths.append(size)
    assert "\n".join(f"[{', '.join(map(str, xs))}]" for xs in outcomes.pop()) == task.answer()
    assert not outcomes
    assert min(lengths) == len(task.program), "no shorter rule fits"


def test_ambiguous_examples_are_detected():
    steps = (Step("reverse", 0), Step("descending", 0))
    search = fitting(steps, 1, (((1, 2, 3), (3, 2, 1)),), ((1, 3, 2),))
    assert search.outcomes == {((2, 3, 1),), ((3, 2, 1),)}
    invalid = ListFunctions(menu=steps, program=steps[:1], inputs=((1, 2, 3),), new=((1, 3, 2),))
    assert not invalid.is_valid()
    assert not fitting(steps, 2, (((1, 2), (9,)),), ((1, 3, 2),)).outcomes


def test_outputs_are_judged_one_by_one():
    task = Address.of("induction/list_functions", 0, 1).task()
    first, second = task.answer().splitlines()
    assert task.verify(f"{first[1:-1]}\n\n{second}").value == 1
    verdict = task.verify(f"{first}\n{first}")
    assert (verdict.value, verdict.parts["output 1"], verdict.parts["output 2"]) == (0, 1, 0)
    assert verdict.reason == "output 2 is wrong"
    for broken in (first, "", f"{first}\n{second}\n{second}", "a\nb"):
        with pytest.raises(InvalidAnswer):
            task.verify(broken)
