"""Tests of programs/class_from_specification."""

from collections import OrderedDict
from heapq import heappop, heappush
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.envs.programs.class_from_specification import ClassFromSpecification
from palaestra.generators.programs.class_from_specification import composing as small_classes
from palaestra.generators.programs.class_from_specification.composing import (
    BASES,
    Built,
    drawn_calls,
    performed,
    written,
)
from palaestra.task import InvalidAnswer

SEEDS = st.integers(0, 10**6)


def results(built, *calls):
    return performed(small_classes.running(built), calls)


def test_a_cache_worked_by_hand():
    least_recent = Built("cache", (2, 1), ())
    assert results(
        least_recent, ("put", ("a", 1)), ("put", ("b", 2)), ("get", ("a",)), ("put", ("c", 3)),
        ("get", ("b",)), ("put", ("d", 4)), ("get", ("a",)), ("get", ("c",)), ("get", ("d",)),
    ) == [None, None, 1, "b", None, "a", None, 3, 4]  # fmt: skip
    least_often = Built("cache", (2, 2), (("order", (0,)),))
    assert results(
        least_often, ("put", ("a", 1)), ("put", ("b", 2)), ("get", ("a",)), ("order", ()),
        ("put", ("c", 3)), ("get", ("c",)), ("order", ()), ("put", ("d", 4)),
    ) == [None, None, 1, ["b", "a"], "b", 3, ["a", "c"], "a"]  # fmt: skip


def test_a_cache_whose_keys_go_after_some_steps():
    fading = Built("cache", (3, 0), (("steps", (3, 0)), ("pin", (0,))))
    assert results(
        fading, ("put", ("a", 1)), ("pin", ("a",)), ("get", ("a",)), ("get", ("a",)),
        ("get", ("a",)), ("get", ("a",)), ("pin", ("a",)),
    ) == [None, True, 1, 1, 1, None, False]  # fmt: skip


def test_a_market_worked_by_hand():
    plain = Built("market", (0,), (("best", (0,)), ("cancel", (0,))))
    assert results(
        plain, ("sell", (9, 5)), ("sell", (8, 2)), ("sell", (9, 4)), ("buy", (9, 8)), ("best", ()),
        ("buy", (7, 3)), ("cancel", (3,)), ("cancel", (3,)), ("best", ()), ("sell", (5, 4)),
        ("best", ()),
    ) == [
        [], [], [], [[8, 2], [9, 5], [9, 1]], [None, 9], [], 3, 0, [7, None], [[7, 3]], [None, 5],
    ]  # fmt: skip


def test_an_editor_that_takes_things_back():
    editor = Built("editor", (0,), (("limit", (5, 0)), ("swap", (0,)), ("redo", (0,))))
    assert results(
        editor, ("type", ("abc",)), ("move", (-1,)), ("type", ("dbca",)), ("swap", ()),
        ("swap", ()), ("undo", ()), ("undo", ()), ("redo", ()), ("erase", (2,)), ("redo", ()),
    ) == ["abc", 2, "abdbc", True, True, True, True, True, "abb", False]  # fmt: skip


def test_what_is_done_again_is_undone_as_the_call_was():
    """The cursor has moved since the call was taken back, which does not count afterwards."""
    editor = Built("editor", (0,), (("redo", (0,)),))
    assert results(
        editor, ("type", ("abc",)), ("type", ("d",)), ("undo", ()), ("move", (-2,)), ("redo", ()),
        ("move", (0,)), ("undo", ()), ("move", (0,)), ("redo", ()), ("type", ("c",)),
    ) == ["abc", "abcd", True, 1, True, 4, True, 3, True, "abcdc"]  # fmt: skip


def test_what_is_done_again_shares_nothing_with_what_was():
    record = Built("record", (0,), (("redo", (0,)),))
    a, undone = ("set", ("a", 1)), ("undo", ())
    assert results(
        record, a, undone, ("redo", ()), ("set", ("a", 2)), undone, undone, ("get", ("a",)),
        ("redo", ()), ("redo", ()), ("get", ("a",)), undone, ("get", ("a",)),
    ) == [None, True, True, 1, True, True, None, True, True, 2, True, 1]  # fmt: skip


def test_stock_set_aside():
    stock = Built("stock", (1,), (("most", (6, 0)), ("aside", (0,)), ("names", (1,))))
    assert results(
        stock, ("add", ("bo", 4)), ("add", ("bo", 4)), ("reserve", ("bo", 5)),
        ("reserve", ("bo", 2)), ("remove", ("bo", 3)), ("count", ("bo",)), ("release", ("bo", 9)),
        ("add", ("ada", 5)), ("names", ()), ("remove", ("bo", 9)), ("names", ()),
    ) == [4, 6, True, False, 1, 5, 5, 5, ["ada", "bo"], 5, ["ada"]]  # fmt: skip


@given(SEEDS)
def test_the_least_recently_used_key_goes(seed):
    built, kept, wanted = Built("cache", (3, 1), ()), OrderedDict(), []
    calls = drawn_calls(Random(seed), built, 40)
    for name, values in calls:
        key = values[0]
        if name == "get":
            wanted.append(kept.get(key))
        else:
            full = key not in kept and len(kept) == 3
            wanted.append(kept.popitem(last=False)[0] if full else None)
            kept[key] = values[1]
        if key in kept:
            kept.move_to_end(key)
    assert results(built, *calls) == wanted


@given(SEEDS)
def test_the_smallest_number_comes_first(seed):
    built, heap, wanted = Built("line", (2,), ()), [], []
    calls = drawn_calls(Random(seed), built, 40)
    for name, values in calls:
        match name:
            case "add":
                heappush(heap, values[0])
                wanted.append(True)
            case "take":
                wanted.append(heappop(heap) if heap else None)
            case _:
                wanted.append(len(heap))
    assert results(built, *calls) == wanted


@pytest.mark.parametrize("base", BASES)
def test_every_rule_is_said_and_done(base):
    for rule, what in BASES[base].rules.items():
        for version in range(len(what.versions)):
            first = tuple(low for low, _ in BASES[base].ranges)
            numbers = (*(low for low, _ in what.ranges), version)
            built = Built(base, (*first, 0), ((rule, numbers),))
            texts = [*small_classes.as_text(built), *map("".join, small_classes.methods(built))]
            assert not {"$", "@"} & set("".join([*texts, written(built, "Box")]))
            rows = small_classes.tested(built, 1, 20, 20)
            assert all(returned is not None for _, returned in rows), rule


def test_rules_that_do_not_go_together_are_kept_apart():
    for seed in range(300):
        built = small_classes.random_class(Random(seed), 4)
        rules, picked = BASES[built.base].rules, [rule for rule, _ in built.rules]
        assert len(set(picked)) == 4
        assert not any(other in rules[rule].apart.split() for rule in picked for other in picked)


LRU = """
class Crate:
    def __init__(self):
        self.rows = []

    def put(self, key, value):
        others = [row for row in self.rows if row[0] != key]
        gone = others.pop(0)[0] if len(others) == 2 else None
        self.rows = [*others, (key, value)]
        return gone

    def get(self, key):
        for row in self.rows:
            if row[0] == key:
                self.rows.remove(row)
                self.rows.append(row)
                return row[1]
"""


@pytest.mark.usefixtures("jail")
def test_a_class_is_judged_by_what_it_does():
    given = ClassFromSpecification(
        built=Built("cache", (2, 1), ()), title="Crate", calls=12, seed=5
    )
    assert given.verify(LRU).value == 1
    assert given.audit(LRU)
    first_out = LRU.replace("self.rows.append(row)", "self.rows.insert(0, row)")
    assert 0 <= given.verify(first_out).value < 0.5
    assert given.verify(LRU.replace("return gone", "return key")).value == 0
    assert given.verify("class Crate:\n    put = get = lambda *given: None").value == 0
    assert given.verify(LRU + "\n\ndef perform(calls):\n    return []").value == 1
    for answer in ("", LRU.replace("Crate", "Box"), LRU.replace("get", "fetch"), "class Crate"):
        with pytest.raises(InvalidAnswer):
            given.verify(answer)
