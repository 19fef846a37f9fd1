"""States of worlds: goals made, collateral damage, doing nothing, policies."""

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.testing.verifiers import check_verifier
from palaestra.verifiers.json.reading import same_json
from palaestra.verifiers.states import (
    MISSING,
    Change,
    StateChange,
    compare,
    pointer,
    state_difference,
    value_at,
)
from palaestra.verifiers.verifier import GoldError

SHOP = {
    "orders": {
        "7": {"status": "packed", "items": ["lamp", "rug"]},
        "8": {"status": "packed", "items": ["desk"]},
    },
    "stock": {"lamp": 3, "rug": 0, "desk": 1},
    "balance": 100,
    "log": [],
}
GOAL = {"/orders/7/status": "cancelled", "/stock/lamp": 4, "/stock/rug": 1}

values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "a/b", "~"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab/~"), inner),
    max_leaves=10,
)


def positive(value):
    return value > 0


def never_below_zero(before, after):
    return "the balance is below 0" if after["balance"] < 0 else ""


def changed(state=SHOP, **at):
    """A copy with other values at places, ``orders__7`` being ``/orders/7``."""
    state = copy.deepcopy(state)
    for place, value in at.items():
        *path, last = place.split("__")
        part = state
        for key in path:
            part = part[key]
        if value is MISSING:
            del part[last]
        else:
            part[last] = value
    return state


DONE = changed(orders__7__status="cancelled", stock__lamp=4, stock__rug=1)


# Differences


@given(values, values)
@settings(deadline=None)
def test_a_difference_tells_all_that_differs(one, two):
    changes = state_difference(one, two)
    assert (not changes) == same_json(one, two)
    backwards = state_difference(two, one)
    assert {place: Change(b, a) for place, (a, b) in changes.items()} == backwards
    for place, change in changes.items():
        for state, value in ((one, change.before), (two, change.after)):
            there = value_at(state, place)
            assert there is value is MISSING or same_json(_hollow(there), value)


def _hollow(value):
    return type(value)() if isinstance(value, dict | list) else value


@given(values)
@settings(deadline=None)
def test_a_state_does_not_differ_from_itself(state):
    assert state_difference(state, copy.deepcopy(state)) == {}


def test_differences_name_places_by_pointers():
    before = {"a/b": {"~": [1, {"x": True}]}, "gone": {"deep": [1]}}
    after = {"a/b": {"~": [1, {"x": 1}, 5]}, "new": {"": None}}
    assert state_difference(before, after) == {
        "/a~1b/~0/1/x": Change(True, 1),
        "/a~1b/~0/2": Change(MISSING, 5),
        "/gone": Change({}, MISSING),
        "/gone/deep": Change([], MISSING),
        "/gone/deep/0": Change(1, MISSING),
        "/new": Change(MISSING, {}),
        "/new/": Change(MISSING, None),
    }
    assert value_at(before, pointer("a/b", "~", 1, "x")) is True
    assert value_at(before, "/a~1b/~0/7") is value_at(before, "/gone/deep/0/more") is MISSING


def test_states_of_worlds_may_have_numbers_as_keys_and_tuples():
    assert state_difference({7: (1, 2)}, {7: [1, 2]}) == {}
    assert list(state_difference({7: (1, 2)}, {7: (1, 3)})) == ["/7/1"]
    assert compare({7: "a"}, {7: "b"}, goal={"/7": "b"}).correct


def test_deep_states_are_compared_without_recursion():
    one, two = 1, 2
    for _ in range(20_000):
        one, two = [one], [two]
    assert len(state_difference(one, two)) == 1


# Judging


def test_goals_are_judged():
    check_verifier(
        StateChange(SHOP, GOAL, allowed=["/log/*"], policies=[never_below_zero]),
        right=[
            json.dumps(DONE),
            json.dumps(changed(DONE, log=["cancelled 7", "restocked"])),
            "```json\n" + json.dumps(changed(DONE, stock__lamp=4.0), indent=1) + "\n```",
        ],
        wrong=[
            json.dumps(SHOP),
            json.dumps(changed(log=["cancelled 7"])),
            json.dumps(changed(orders__7__status="cancelled")),
            json.dumps(changed(DONE, orders__7__status="Cancelled")),
            json.dumps(changed(DONE, stock__lamp="4")),
            json.dumps(changed(DONE, stock__rug=True)),
            json.dumps(changed(DONE, orders__8__status="cancelled")),
            json.dumps(changed(DONE, orders__8=MISSING)),
            json.dumps(changed(DONE, orders__7__items=["lamp"])),
            json.dumps(changed(DONE, orders__7__items=["rug", "lamp"])),
            json.dumps(changed(DONE, orders__9={})),
            json.dumps(changed(DONE, balance=None)),
            json.dumps(changed(DONE, log=MISSING)),
            json.dumps(changed(DONE, log={})),
            json.dumps([DONE]),
            json.dumps(DONE) + json.dumps(DONE),
        ],
        hostile=["{}", json.dumps({"orders": {}}), json.dumps(GOAL)],
    )


def test_collateral_damage_takes_all_partial_credit():
    judge = StateChange(SHOP, GOAL, partial=True).judge
    assert judge(changed(orders__7__status="cancelled")).value == pytest.approx(1 / 3)
    assert judge(changed(orders__7__status="cancelled", stock__lamp=9)).value == pytest.approx(
        1 / 3
    )
    assert judge(changed(orders__7__status="cancelled", balance=99)).value == 0
    assert judge(changed(DONE, orders__8__status="sent")).value == 0
    assert judge(changed(stock__lamp=9)).value == 0
    assert judge(SHOP).value == 0
    assert judge(DONE).value == 1


def test_invariants_earn_nothing_and_cost_all():
    judge = StateChange(SHOP, {**GOAL, "/balance": positive}, partial=True).judge
    assert judge(changed(balance=50)).value == 0
    assert judge(changed(orders__7__status="cancelled", balance=50)).value == pytest.approx(1 / 3)
    assert judge(changed(orders__7__status="cancelled", balance=-1)).value == 0
    assert judge(changed(DONE, balance=50)).value == 1
    assert judge(changed(DONE, balance="much")).value == 0
    assert judge(changed(DONE, balance=MISSING)).value == 0


def test_things_may_be_made_and_removed():
    made = StateChange(SHOP, {"/orders/9/status": "new", "/orders/9/items/0": "vase"})
    assert made.judge(changed(orders__9={"status": "new", "items": ["vase"]})).correct
    assert not made.judge(changed(orders__9={"status": "new", "items": ["vase", "fan"]})).correct
    assert not made.judge(changed(orders__9={"status": "new", "items": ["vase"], "x": 1})).correct
    gone = StateChange(SHOP, {"/orders/8": MISSING})
    assert gone.judge(changed(orders__8=MISSING)).correct
    assert not gone.judge(changed(orders=MISSING)).correct
    assert not gone.judge(changed(orders__8=MISSING, orders__7=MISSING)).correct
    emptied = StateChange(SHOP, {"/orders/8/status": MISSING})
    assert not emptied.judge(changed(orders__8=MISSING)).correct
    whole = StateChange(SHOP, {"/orders/8": {"status": "sent", "items": ["desk"]}})
    assert whole.judge(changed(orders__8__status="sent")).correct


def test_forbidden_places_win_over_allowed_ones():
    judge = StateChange(SHOP, GOAL, ["/orders/*"], forbidden=["/orders/*/items"]).judge
    assert judge(changed(DONE, orders__8__status="sent")).correct
    assert not judge(changed(DONE, orders__8__items=[])).correct
    assert not judge(changed(DONE, orders__7__items=["lamp"])).correct


def test_policies_are_asked_in_the_end():
    def grudging(before, after):
        return after["orders"]["7"]["note"]["deep"]

    judge = StateChange(SHOP, GOAL, ["/balance"], policies=[never_below_zero], partial=True).judge
    assert judge(changed(DONE, balance=-1)).reason == "the balance is below 0"
    assert judge(changed(DONE, balance=-1)).value == 0
    assert judge(changed(DONE, balance="none")).value == 0
    assert judge(changed(DONE, balance=1)).correct
    assert not StateChange(SHOP, GOAL, policies=[grudging]).judge(DONE).correct


@given(
    st.sets(st.sampled_from(sorted(GOAL))), st.sampled_from(["", "balance", "orders__8__status"])
)
@settings(deadline=None)
def test_partial_credit_is_the_share_of_goals_made(places, harmed):
    made = {place[1:].replace("/", "__"): GOAL[place] for place in places}
    after = changed(**made, **({harmed: "?"} if harmed else {}))
    score = compare(SHOP, after, GOAL, partial=True)
    assert score.value == pytest.approx(0 if harmed else len(places) / 3)
    assert score.correct == compare(SHOP, after, GOAL).correct == (len(places) == 3 and not harmed)
    assert score.parts["progress"] == pytest.approx(0 if harmed else len(places) / 3)


def test_the_reason_does_not_tell_what_is_right():
    assert compare(SHOP, SHOP, GOAL).reason == "nothing was done"
    slip = compare(SHOP, changed(stock__lamp=9), GOAL).reason
    assert slip == "/stock/lamp is not as it was to be"
    missed = compare(SHOP, changed(log=[1]), GOAL, ["/log"]).reason
    assert not any(place in missed for place in GOAL)


@pytest.mark.parametrize(
    "options",
    [
        {"goal": {}},
        {"goal": {"/balance": 100}},
        {"goal": {"/balance": positive}},
        {"goal": {"/orders/9": MISSING}},
        {"goal": {"balance": 1}},
        {"goal": GOAL, "allowed": ["log"]},
        {"goal": GOAL, "allowed": "/log"},
        {"goal": GOAL, "forbidden": ["/stock"]},
        {"goal": GOAL, "forbidden": ["/*/lamp"]},
        {"goal": {"/1": 2}, "before": {1: 0, "1": 0}},
    ],
)
def test_goals_that_cannot_work_are_refused(options):
    with pytest.raises(GoldError):
        StateChange(**{"before": SHOP} | options)


@pytest.mark.parametrize(
    ("state", "place", "value"),
    [
        ({7: "a"}, "/7", "a"),
        ({"a/b": {"~": 1}}, "/a~1b/~0", 1),
        ({"~1": 2}, "/~01", 2),
        ({"~2": 3}, "/~2", MISSING),
        ({"a/b": 4}, "/a/b", MISSING),
        (["x"], "/0", "x"),
        ("text", "/0", MISSING),
    ],
)
def test_what_stands_at_a_place(state, place, value):
    assert value_at(state, place) == value
