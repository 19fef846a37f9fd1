"""Steps and turns: no reward for length, none twice, sums that telescope."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.task import InvalidAnswer, JudgeError, Score
from palaestra.testing.verifiers import check_verifier
from palaestra.verifiers.composites import Gate, Holds
from palaestra.verifiers.steps import (
    FirstError,
    StepScores,
    aggregate,
    first_error,
    potential_shaping,
    process_f1,
    turn_credit,
)
from palaestra.verifiers.verifier import GoldError

HOWS = ["min", "product", "mean", "last", "discounted"]
VERDICT = st.sampled_from([0.0, 0.5, 1.0]) | st.floats(0, 1)
NUMBERS = st.lists(st.floats(-10, 10), max_size=12)
GAMMAS = st.floats(0, 1) | st.sampled_from([0.0, 1.0])


def worth(values, how, keys=None, needed=3):
    return aggregate(values, how, keys, needed)


@pytest.mark.parametrize("how", HOWS)
@given(values=st.lists(VERDICT, min_size=1, max_size=8))
def test_against_formulas(how, values):
    weights = [0.9**t for t in range(max(3, len(values)))]
    expected = {
        "min": min(values),
        "product": math.prod(values),
        "last": values[-1],
        "mean": sum(sorted(values)[:3]) / 3,
        "discounted": sum(w * v for w, v in zip(weights, values)) / sum(weights),
    }[how]
    result = worth(values, how)
    assert 0 <= result <= 1
    assert result == pytest.approx(expected, abs=1e-12)
    if how in {"min", "product"}:
        assert (result == 1) == (set(values) == {1.0})
    if how in {"mean", "discounted"}:
        assert (result == 1) == (set(values) == {1.0} and len(values) >= 3)


@pytest.mark.parametrize("how", HOWS)
@given(values=st.lists(VERDICT, max_size=6), places=st.lists(st.integers(0, 6), max_size=6))
def test_neutral_steps_change_nothing(how, values, places):
    padded = list(values)
    for place in places:
        padded.insert(min(place, len(padded)), None)
    assert worth(padded, how) == worth(values, how)


@pytest.mark.parametrize("how", HOWS)
@given(values=st.lists(st.tuples(VERDICT, st.sampled_from("abcd")), min_size=1, max_size=6))
def test_a_repeated_step_never_pays_again(how, values):
    """Wherever it comes again, and whatever verdict it gets then."""
    keys = [key for _, key in values]
    once = worth([v for v, _ in values], how, keys)
    for again, verdict in ((0, 1.0), (len(keys) - 1, 1.0), (0, 0.0), (0, None)):
        repeated = [*values, (verdict, keys[again])]
        twice = worth([v for v, _ in repeated], how, [k for _, k in repeated])
        assert twice <= once + 1e-12


@pytest.mark.parametrize("how", ["min", "product"])
@given(values=st.lists(VERDICT, min_size=1, max_size=6), place=st.integers(0, 6), more=VERDICT)
def test_no_step_at_all_raises_these(how, values, place, more):
    longer = [*values[:place], more, *values[place:]]
    assert worth(longer, how) <= worth(values, how)


@given(st.lists(VERDICT, min_size=3, max_size=6), st.integers(0, 6), VERDICT)
def test_no_step_beyond_those_needed_raises_a_mean(values, place, more):
    longer = [*values[:place], more, *values[place:]]
    assert worth(longer, "mean") <= worth(values, "mean") + 1e-12


def test_doing_nothing_and_doing_little_earn_little():
    for how in HOWS:
        assert worth([], how) == worth([None, None], how) == 0
    assert worth([1], "mean") == pytest.approx(1 / 3)
    assert worth([1], "discounted") == pytest.approx(1 / (1 + 0.9 + 0.81))


def test_a_repeated_step_at_the_end_is_not_the_last_one():
    assert worth([1, 0, 1], "last", "aba") == 0
    assert worth([1, 0, 1], "last", "abc") == 1


def test_nearly_right_is_not_right():
    hair = math.nextafter(1, 0)
    for how in HOWS:
        assert worth([1, 1, hair], how) < 1


@pytest.mark.parametrize(
    "arguments",
    [
        ([2], "min"),
        ([math.nan], "min"),
        ([-0.1], "min"),
        ([1], "median"),
        ([1], "mean"),
        ([1], "mean", None, 0),
        ([1], "discounted"),
        ([1], "min", "ab"),
        ([1], "discounted", None, 3, 1.5),
        ([1], "min", None, 1, math.nan),
    ],
    ids=repr,
)
def test_what_cannot_work_is_an_error(arguments):
    with pytest.raises(ValueError, match=r"."):
        aggregate(*arguments)


def sums(before, step):
    """Lines such as "2 + 3 = 5", each starting from the result of the one before."""
    left, equals, right = step.partition(" = ")
    a, plus, b = left.partition(" + ")
    if step.startswith("#"):
        return None
    if not (equals and plus and all(n.isascii() and n.isdigit() for n in (a, b, right))):
        raise InvalidAnswer("not a sum")
    known = [line for line in before if not line.startswith("#")]
    if known and known[-1].partition(" = ")[2] != a:
        return Score(0, "does not start where the last one ended")
    return Score(int(a) + int(b) == int(right), "does not add up")


def test_steps_are_judged_in_their_place():
    verifier = StepScores(sums)
    assert verifier("1 + 2 = 3\n# so far\n3 + 4 = 7").correct
    assert verifier("1 + 2 = 3\n# so far\n3 + 4 = 7").parts == {"steps": 2}
    assert verifier("1 + 2 = 3\n3 + 4 = 8").reason == "step 2: does not add up"
    assert verifier("1 + 2 = 3\n4 + 4 = 8").reason.endswith("where the last one ended")
    assert verifier("1 + 2 = 3\nhence").reason == "step 2: not a sum"
    assert verifier("# hm\n# well").value == 0
    assert verifier("# hm").reason == "there is no step"


def test_too_few_steps_are_told():
    verifier = StepScores(sums, "mean", needed=2)
    assert verifier("1 + 2 = 3").value == 0.5
    assert verifier("1 + 2 = 3").reason == "there are too few steps"
    assert verifier("1 + 2 = 3\n1 + 2 = 3").value == 0
    assert verifier("1 + 2 = 3\n3 + 4 = 7").correct


def test_the_same_line_again_counts_once():
    def any_line(before, step):
        return Score(1)

    verifier = StepScores(any_line, "mean", needed=4)
    assert verifier("go on\n" * 50).value == 0.25
    assert verifier("go on\nGo  on\n2. go on\n- GO ON").value == 0.25
    assert verifier("a\nb\nc\nd").correct


def test_a_judge_that_fails_leaves_the_whole_unscored():
    def broken(before, step):
        raise JudgeError("down")

    judges = {
        "down": broken,
        "away": lambda *arguments: JudgeError("away"),
        "no score": lambda *arguments: 1.0,
    }
    for why, judge in judges.items():
        with pytest.raises(JudgeError, match=why):
            StepScores(judge)("a\nb")


def test_too_many_lines_are_malformed():
    score = StepScores(sums)("x\n" * 2_001)
    assert (score.value, score.status) == (0, "malformed")


def test_options_of_step_scores():
    for options in ({"how": "mean"}, {"how": "best"}, {"gamma": 2}, {"how": "mean", "needed": 0}):
        with pytest.raises(GoldError):
            StepScores(sums, **options)


@given(NUMBERS, GAMMAS)
def test_turn_credit(rewards, gamma):
    expected = [
        sum(gamma ** (t - start) * rewards[t] for t in range(start, len(rewards)))
        for start in range(len(rewards))
    ]
    assert turn_credit(rewards, gamma) == pytest.approx(expected, abs=1e-9)


def test_a_state_pays_once():
    assert turn_credit([1, -1, 1, -1], states="abab") == [-1, -2, -1, -1]
    loop = turn_credit([1] * 100, states=[n % 3 for n in range(100)])
    assert loop[0] == 3
    assert turn_credit([-1, 1, 1], states="aaa") == [0, 1, 0]
    assert turn_credit([1, -1], states="aa") == [0, -1]  # a penalty is due each time
    with pytest.raises(ValueError, match="do not go with"):
        turn_credit([1, 2], states="a")


@given(st.lists(st.floats(-10, 10), min_size=1, max_size=12), GAMMAS)
def test_potentials_telescope(potentials, gamma):
    going = potential_shaping(potentials, gamma, ended=False)
    turns = len(potentials) - 1
    assert len(going) == turns
    total = math.fsum(gamma**t * reward for t, reward in enumerate(going))
    last, first = potentials[-1], potentials[0]
    if turns:
        assert total == pytest.approx(gamma**turns * last - first, abs=1e-9)
        ended = potential_shaping(potentials, gamma)
        total = math.fsum(gamma**t * reward for t, reward in enumerate(ended))
        assert total == pytest.approx(-first, abs=1e-9)  # wherever it ended, and however long


def test_going_round_in_a_circle_earns_nothing():
    assert sum(potential_shaping([0.25, 0.5, 1, 0.25] * 10, ended=False)) == pytest.approx(0)


@given(st.permutations(range(4)), st.floats(0.1, 1))
def test_shaping_leaves_the_order_of_ways_as_it_was(rank, gamma):
    """Two ways from one state to different ends: their difference in return is the same."""
    phi = [3.0, *map(float, rank)]
    ways = [([0, 1, 2], [0, 0, 1]), ([0, 3, 4, 1], [0, 0, 0, 0.5])]

    def total(states, rewards, shaped):
        extra = potential_shaping([phi[s] for s in states], gamma) if shaped else [0] * 9
        steps = zip(rewards[1:], extra)
        return math.fsum(gamma**t * (r + f) for t, (r, f) in enumerate(steps))

    plain, shaped = ([total(*way, flag) for way in ways] for flag in (False, True))
    assert plain[0] - plain[1] == pytest.approx(shaped[0] - shaped[1], abs=1e-9)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_only_finite_numbers_pass(bad):
    for function in (turn_credit, potential_shaping):
        with pytest.raises(ValueError, match="finite"):
            function([0.0, bad])
        with pytest.raises(ValueError, match="gamma"):
            function([0.0, 1.0], gamma=1.5)
        with pytest.raises(ValueError, match="gamma"):
            function([0.0, 1.0], gamma=bad)


def test_first_error():
    digits = Holds(str.isdigit)
    assert first_error(["1", "2"], digits) == -1
    assert first_error(["1", "x", "y"], digits) == 1
    assert first_error([], digits) == -1
    assert first_error(["1", "X"], [digits, Holds(str.isupper)]) == -1
    with pytest.raises(ValueError, match="do not go with"):
        first_error(["1"], [digits, digits])


def test_steps_after_the_first_error_are_not_asked():
    def broken(step):
        raise JudgeError("down")

    digits = Holds(str.isdigit)
    assert first_error(["x", "1"], [digits, broken]) == 0
    with pytest.raises(JudgeError):
        first_error(["1", "1"], [digits, broken])


def test_the_first_error_as_a_task():
    wrong = ["0", "1", "2", "4", "5", "6", "7", "10", "12", "42", "-1", "-2", "٣٤", "3.1", "3 or 4"]
    check_verifier(FirstError(3, steps=8), right=["3", " 3 ", "+3", "\uff13", "3.0"], wrong=wrong)
    sound = FirstError(-1, steps=4)
    assert sound("-1").correct
    assert sound("\u22121").correct
    assert sound("4").status == sound("none").status == "malformed"
    assert sound("3").reason == "that is not the first wrong step"


@pytest.mark.parametrize(("gold", "steps"), [(-2, 3), (3, 3), (0, 0), (7, 3)])
def test_a_first_error_lies_among_the_steps(gold, steps):
    with pytest.raises(GoldError):
        FirstError(gold, steps)


def test_process_f1():
    right, wrong = Score(1), Score(0)
    assert process_f1([0, -1], [right, right]) == 1
    assert process_f1([0, -1], [wrong, right]) == 0  # always saying that all is well
    assert process_f1([0, 1, -1], [right, wrong, right]) == pytest.approx(2 / 3)
    assert process_f1([0, -1, -1], [right, right, JudgeError("down")]) == 1
    assert process_f1([0], [right]) == process_f1([], []) == 0
    with pytest.raises(ValueError, match="zip"):
        process_f1([0, 1], [right])


def test_what_every_verifier_must_stand_up_to():
    right = ["1 + 1 = 2", "1 + 2 = 3\n3 + 3 = 6", "1. 1 + 2 = 3\n2. 3 + 3 = 6"]
    wrong = ["1 + 1 = 3", "1 + 2 = 3\n3 + 3 = 7", "1 + 1 = 2\nhence 2"]
    for how in ("min", "product"):
        check_verifier(StepScores(sums, how), right, wrong)
    check_verifier(Gate(Holds(bool), StepScores(sums)), right, wrong)
    check_verifier(StepScores(sums, "mean", needed=2), right[1:], [*wrong, right[0]])
