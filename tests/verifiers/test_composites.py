"""The algebra of verifiers: values, ranges, faults of members, nesting."""

import math
import pickle
from dataclasses import dataclass
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from palaestra.task import InvalidAnswer, JudgeError, Score
from palaestra.testing.verifiers import check_verifier
from palaestra.verifiers.composites import (
    CALLS,
    DEPTH,
    All,
    Any,
    Composite,
    Gate,
    Holds,
    Least,
    Lexicographic,
    Product,
    Sum,
)
from palaestra.verifiers.verifier import GoldError

VALUES = st.floats(0, 1) | st.sampled_from([0.0, 1.0, 0.5, math.nextafter(1, 0), 5e-324])


@dataclass(frozen=True)
class Fixed:
    """A judge that always says the same, within a declared range."""

    value: float
    low: float = 0.0
    high: float = 1.0

    def __call__(self, answer):
        return Score(self.value, "" if self.value == 1 else "fixed")


def is_letters(answer):
    return Score(answer.isalpha() and answer.isascii(), "signs other than letters", {"share": 0.5})


def is_short(answer):
    return Score(len(answer) <= 3, "too long")


def starts(answer):
    return Score(0.5 if answer == "Qx" else answer[:1] == "q", "another start")


def down(answer):
    raise JudgeError("no answer from the judge", "infra_error")


def refuses(answer):
    raise InvalidAnswer("no word")


MEMBERS = {"letters": is_letters, "short": is_short, "start": starts}


def built(kind, values, **options):
    return kind({f"m{n}": Fixed(value) for n, value in enumerate(values)}, **options)


REFEREES = {
    Product: math.prod,
    Least: min,
    All: lambda values: float(set(values) == {1.0}),
    Any: max,
    Sum: lambda values: sum(values) / len(values),
}


@given(st.sampled_from(sorted(REFEREES, key=str)), st.lists(VALUES, min_size=1, max_size=5))
def test_values_are_what_the_formula_says(kind, values):
    score = built(kind, values)("x")
    assert math.isclose(score.value, REFEREES[kind](values), rel_tol=1e-12, abs_tol=1e-300)
    assert score.parts == {f"m{n}": value for n, value in enumerate(values)}
    assert bool(score.reason) == (score.value < 1)
    if kind is not Any:
        assert score.correct == all(value == 1 for value in values)
    else:
        assert score.correct == (1 in values)


@given(st.lists(st.tuples(VALUES, st.just(0.0) | st.floats(1e-9, 1e9)), min_size=1, max_size=5))
def test_a_sum_is_1_only_when_all_that_counts_is_right(pairs):
    assume(any(weight for _, weight in pairs))
    weights = {f"m{n}": weight for n, (_, weight) in enumerate(pairs)}
    whole = built(Sum, [value for value, _ in pairs], weights=weights)
    shares = whole.shares()
    assert math.isclose(sum(shares.values()), 1, rel_tol=1e-12)
    counted = [v for v, weight in pairs if weight]
    assert whole("x").correct == all(v == 1 for v in counted)
    expected = sum(v * w for v, w in pairs) / sum(w for _, w in pairs)
    assert math.isclose(whole("x").value, expected, rel_tol=1e-9, abs_tol=1e-12)


def test_a_weight_of_0_only_watches():
    watched = Sum({"a": Fixed(1.0), "b": Fixed(0.0)}, weights={"a": 2, "b": 0})
    assert watched("x") == Score(1.0, parts={"a": 1, "b": 0})


@given(
    st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=4),
    st.sampled_from([*sorted(REFEREES, key=str), Lexicographic]),
)
def test_no_composite_falls_when_a_member_rises(pairs, kind):
    """The ranges, which are worked out from the ends of the members, rest on this."""
    below = built(kind, [min(pair) for pair in pairs])("x").value
    above = built(kind, [max(pair) for pair in pairs])("x").value
    assert 0 <= below <= above <= 1


@given(st.lists(VALUES, min_size=2, max_size=2))
def test_a_gate_multiplies(values):
    gate, inner = values
    score = Gate(Fixed(gate), Fixed(inner))("x")
    assert score.value == (inner if gate == 1 else 0)
    assert set(score.parts) == ({"gate", "inner"} if gate == 1 else {"gate"})


def test_behind_a_closed_gate_nobody_is_asked():
    assert Gate(is_letters, down)("12").value == 0
    with pytest.raises(JudgeError, match="inner: no answer"):
        Gate(is_letters, down)("ab")
    with pytest.raises(JudgeError, match="gate: no answer"):
        Gate(down, is_letters)("ab")


@given(st.integers(1, 20), st.data())
def test_a_lower_rank_never_overturns_a_higher_one(steps, data):
    """Against comparing the tuples of steps."""
    levels = st.lists(st.integers(0, steps), min_size=3, max_size=3)
    one, other = data.draw(levels), data.draw(levels)
    values = [
        built(Lexicographic, [n / steps for n in row], steps=steps)("x").value
        for row in (one, other)
    ]
    assert (values[0] > values[1], values[0] == values[1]) == (one > other, one == other)


@given(st.lists(st.tuples(VALUES, VALUES), min_size=2, max_size=4))
def test_ranks_hold_for_all_values(pairs):
    """A member that is clearly better (by a step) decides, whatever comes after it."""
    one, other = zip(*pairs)
    ranked = [built(Lexicographic, row)("x").value for row in (one, other)]
    assert [row == 1 for row in ranked] == [set(row) == {1.0} for row in (one, other)]
    first = next((a - b for a, b in pairs if a != b), 0)
    if first >= 0.0101:
        assert ranked[0] > ranked[1]


def test_the_scale_is_told():
    ranked = Lexicographic(MEMBERS, steps=1)
    assert ranked.scale == (4 / 7, 2 / 7, 1 / 7)
    assert ranked("qab").value == 1
    assert ranked("qabc").value == pytest.approx(ranked.scale[0] + ranked.scale[2])
    assert Lexicographic({"a": starts}, steps=10).scale == (0.1,)
    for bits in product([0, 1], repeat=2):  # a right first member is worth more than all others
        assert (built(Lexicographic, [1, 0, 0])("x").value) > built(Lexicographic, [0, *bits])(
            "x"
        ).value


def test_a_hair_short_of_right_is_not_right():
    hair = math.nextafter(1, 0)
    for kind in (Sum, Product, Least, All, Any, Lexicographic):
        score = built(kind, [1.0, hair] if kind is not Any else [hair, hair])("x")
        assert not score.correct, kind


@pytest.mark.parametrize("kind", [Sum, Product, Least, All, Any, Lexicographic])
def test_one_unscored_member_leaves_the_whole_unscored(kind):
    for members in ({"a": down, "b": is_letters}, {"a": is_letters, "b": down}):
        with pytest.raises(JudgeError, match="no answer from the judge") as fault:
            kind(members)("abc")
        assert fault.value.status == "infra_error"


def test_an_unscored_value_is_no_score_either():
    def answers_unscored(answer):
        return JudgeError("the gold is broken", "gold_error")

    with pytest.raises(JudgeError, match="a: the gold is broken") as fault:
        All({"a": answers_unscored})("x")
    assert fault.value.status == "gold_error"


@pytest.mark.parametrize("value", [None, 1, True, math.nan], ids=repr)
def test_a_member_that_gives_no_score_is_at_fault(value):
    with pytest.raises(JudgeError, match="no score within"):
        Any({"a": lambda answer: value, "b": Fixed(1.0)})("x")


@pytest.mark.parametrize(
    ("low", "high"), [(-1, 1), (0, 100), (0, math.nan), (math.nan, 1), (0.5, 0.2), (-math.inf, 1)]
)
def test_members_off_the_scale_are_refused_when_built(low, high):
    with pytest.raises(GoldError, match="not within 0 and 1"):
        Sum({"a": Fixed(0.5, low, high)})


def test_a_member_that_leaves_its_range_is_at_fault():
    with pytest.raises(JudgeError, match="within its range"):
        Sum({"a": Fixed(0.9, 0, 0.5), "b": Fixed(1.0)}, weights={"a": 0, "b": 1})("x")


def test_ranges_are_worked_out_when_built():
    half = Fixed(0.5, 0.25, 1)
    assert (Sum({"a": half, "b": Fixed(0)}).low, Sum({"a": half}).low) == (0.125, 0.25)
    assert Product({"a": half, "b": half}).low == 0.0625
    assert Any({"a": half, "b": Fixed(0.2, 0, 0.5)}).low == 0.25
    assert Least({"a": half, "b": Fixed(1)}).low == 0
    assert Gate(Fixed(1), half).low == 0
    assert Product({"in": Product({"a": half, "b": half}), "c": half}).low == 0.25**3


@pytest.mark.parametrize("kind", [Sum, Product, Least, All, Lexicographic])
def test_what_no_answer_could_satisfy_is_refused(kind):
    with pytest.raises(GoldError, match="no answer could be right"):
        kind({"a": Fixed(0.2, 0, 0.5), "b": Fixed(1)})


def test_a_gate_that_never_opens_is_refused():
    with pytest.raises(GoldError, match="no answer could be right"):
        Gate(Fixed(0.2, 0, 0.5), Fixed(1))
    assert Any({"a": Fixed(0.2, 0, 0.5), "b": Fixed(1)})("x").correct


@pytest.mark.parametrize(
    "members",
    [
        {},
        [],
        [("a", is_short), ("a", is_letters)],
        {"": is_short},
        {" ": is_short},
        {"a/b": is_short},
        {3: is_short},
        {"a": "not a judge"},
    ],
)
def test_members_have_names_and_are_judges(members):
    with pytest.raises(GoldError, match="member"):
        All(members)


@pytest.mark.parametrize(
    "weights",
    [
        {"a": 1},
        {"a": 1, "b": 1, "c": 1},
        {"a": -1, "b": 2},
        {"a": math.nan, "b": 1},
        {"a": 0, "b": 0},
        {"a": math.inf, "b": 1},
        {"a": 1e300, "b": 1e300},
        {"a": 5e-324, "b": 1},
    ],
    ids=repr,
)
def test_weights_that_cannot_work_are_refused(weights):
    with pytest.raises(GoldError, match="weight"):
        Sum({"a": is_short, "b": is_letters}, weights)


@pytest.mark.parametrize(("steps", "count"), [(0, 1), (-1, 2), (100, 8), (1, 51), (2**60, 1)])
def test_scales_that_cannot_work_are_refused(steps, count):
    with pytest.raises(GoldError, match="too fine a scale"):
        built(Lexicographic, [1.0] * count, steps=steps)


def test_depth_and_number_are_bounded():
    whole = All({"a": is_short})
    for _ in range(DEPTH - 1):
        whole = Any({"a": whole})
    assert whole.depth == DEPTH
    assert whole("ab").correct
    with pytest.raises(GoldError, match="nest up to"):
        All({"a": whole})
    doubled = All({"a": is_short, "b": is_short})
    while 2 * doubled.calls + 2 <= CALLS:
        doubled = All({"a": doubled, "b": doubled})
    with pytest.raises(GoldError, match="nest up to"):
        All({"a": doubled, "b": doubled})
    with pytest.raises(GoldError, match="nest up to"):
        All({str(n): is_short for n in range(CALLS + 1)})


def test_parts_of_members_stand_below_them():
    score = All({"word": Least({"letters": is_letters}), "short": is_short})("ab")
    assert score.parts == {
        "word": 1,
        "word/letters": 1,
        "word/letters/share": 0.5,
        "short": 1,
    }


def test_status_is_the_players_doing_only_where_nobody_could_read():
    unread = Any({"a": refuses, "b": refuses})("x")
    assert (unread.value, unread.status, unread.reason) == (
        0,
        "malformed",
        "a: no word; b: no word",
    )
    assert All({"a": refuses, "b": is_short})("x").status == "scored"
    assert All({"a": is_short})(" ").status == "no_answer"


def test_each_member_keeps_its_own_limit():
    lax = Holds(bool)
    assert Any({"a": lax})("x" * 30_000).status == "limit"
    assert All({"a": lambda answer: Score(1)})("x" * 30_000).value == 0

    class Patient(Holds):
        longest = 50_000

    assert Any({"a": Patient(bool), "b": lax})("x" * 30_000).correct


def test_pairs_and_dicts_are_the_same():
    assert All(MEMBERS) == All(list(MEMBERS.items()))
    assert Sum(MEMBERS, {"start": 1, "letters": 2, "short": 3}).shares() == {
        "letters": 2 / 6,
        "short": 3 / 6,
        "start": 1 / 6,
    }
    whole = Sum(MEMBERS, {"start": 1, "letters": 2, "short": 3})
    assert pickle.loads(pickle.dumps(whole)) == whole
    assert hash(whole) == hash(pickle.loads(pickle.dumps(whole)))


KINDS = [Sum, Product, Least, Any, Lexicographic]
WRONG = ["qabc1", "Qx", "b", "Q"]


@pytest.mark.parametrize(
    "whole",
    [
        All(MEMBERS),
        Gate(is_letters, All({"short": is_short, "start": starts})),
        Gate(All({"letters": is_letters, "short": is_short}), Product({"start": starts})),
        All({"nested": Any({"in": All(MEMBERS)}), "again": Least({"in": All(MEMBERS)})}),
        *(kind({"one": All(MEMBERS), "two": Product(MEMBERS)}) for kind in KINDS),
    ],
    ids=["all", "gate first", "gate last", "nested", *(kind.__name__ for kind in KINDS)],
)
def test_they_stand_up_to_what_every_verifier_must(whole):
    assert isinstance(whole, Composite)
    check_verifier(whole, right=["q", "qab"], wrong=WRONG)
