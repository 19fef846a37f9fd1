"""Group transforms, against brute force over subsets and exact gradients."""

import math
from fractions import Fraction
from itertools import combinations, product
from statistics import fmean, pstdev, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.verifiers import groups
from palaestra.verifiers.groups import (
    UnknownTransform,
    best,
    distinct,
    diversity,
    group_normalized,
    leave_one_out,
    length_preference,
    majority,
    max_at_k,
    max_at_k_advantages,
    mean,
    pass_at_k,
    pass_at_k_advantages,
    transform,
)

SCORE = st.sampled_from([0.0, 0.1, 0.5, 1.0]) | st.floats(0, 1)
VALUES = st.lists(st.none() | SCORE, min_size=1, max_size=7)
SCORED = st.lists(SCORE, min_size=1, max_size=7)


@given(st.integers(1, 8), st.data())
def test_pass_at_k_is_the_share_of_subsets_with_a_right_one(n, data):
    c, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    subsets = list(combinations([1] * c + [0] * (n - c), k))
    assert pass_at_k(n, c, k) == sum(map(any, subsets)) / len(subsets)


@given(st.integers(1, 60), st.data())
def test_pass_at_k_against_the_product_of_the_paper(n, data):
    c, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    miss = 1.0 if n - c >= k else 0.0
    for i in range(n - c + 1, n + 1):
        miss *= max(0, 1 - k / i)
    assert pass_at_k(n, c, k) == pytest.approx(1 - miss, abs=1e-12)


def test_pass_at_k_is_stable():
    """One right of a million: 1 - (1 - 1e-6) has lost ten digits by then."""
    assert pass_at_k(10**6, 1, 1) == 1e-6
    assert pass_at_k(10**6, 1, 7) == 7e-6
    assert pass_at_k(10**6, 7, 1) == 7e-6
    assert pass_at_k(10_000, 5_000, 5_000) == pass_at_k(10**9, 10**8, 10**8) == 1
    for c, k in ((30, 900), (45, 900), (201, 200)):  # around where it takes a short cut
        exact = 1 - Fraction(math.comb(1_000 - c, k), math.comb(1_000, k))
        assert pass_at_k(1_000, c, k) == float(exact)
    assert pass_at_k(10**9, 3, 5 * 10**8) == pytest.approx(0.875)


@pytest.mark.parametrize(
    ("n", "c", "k"), [(3, 1, 4), (3, 1, 0), (3, 4, 1), (3, -1, 1), (0, 0, 1), (0, 0, 0), (3, 1, -1)]
)
def test_impossible_groups_are_an_error(n, c, k):
    with pytest.raises(ValueError, match="pass@k has"):
        pass_at_k(n, c, k)


@given(SCORED, st.data())
def test_max_at_k_is_the_mean_of_the_best_over_subsets(values, data):
    k = data.draw(st.integers(1, len(values)))
    subsets = list(combinations(map(Fraction, values), k))
    assert max_at_k(values, k) == float(sum(map(max, subsets)) / len(subsets))
    hits = [float(value == 1) for value in values]
    assert max_at_k(hits, k) == pass_at_k(len(hits), int(sum(hits)), k)


@given(SCORED, st.data())
def test_max_at_k_advantages_are_what_each_adds(values, data):
    n = len(values)
    k = data.draw(st.integers(1, n))
    if n == 1:
        expected = [0.0]
    elif k == 1:
        expected = [v - fmean(values[:i] + values[i + 1 :]) for i, v in enumerate(values)]
    else:
        expected = [
            fmean(
                max(0, value - max(some))
                for some in combinations(values[:i] + values[i + 1 :], k - 1)
            )
            for i, value in enumerate(values)
        ]
    advantages = max_at_k_advantages(values, k)
    assert advantages == pytest.approx(expected, abs=1e-12)
    assert k == 1 or min(advantages) >= 0


@pytest.mark.parametrize(("n", "k"), [(2, 1), (3, 1), (2, 2), (3, 2), (3, 3), (4, 2)])
def test_max_at_k_advantages_give_the_gradient(n, k):
    """Exactly, for a policy of three answers: the mean over all groups is the gradient."""
    worth = [Fraction(0), Fraction(1, 2), Fraction(1)]
    chance = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]

    def chances(group):
        return math.prod(chance[a] for a in group)

    def slope(answer, of):
        """The derivative of log chance by the logit of an answer."""
        return (answer == of) - chance[of]

    for of in range(3):
        true = sum(
            chances(group) * max(worth[a] for a in group) * sum(slope(a, of) for a in group)
            for group in product(range(3), repeat=k)
        )
        estimate = Fraction(0)
        for group in product(range(3), repeat=n):
            advantages = max_at_k_advantages([float(worth[a]) for a in group], k)
            gradient = sum(Fraction(adv) * slope(a, of) for adv, a in zip(advantages, group))
            estimate += chances(group) * Fraction(k, n) * gradient
        assert float(estimate) == pytest.approx(float(true), abs=1e-12)


def test_pass_at_k_advantages():
    values = [1, 0, 0.9, None, 1]
    assert pass_at_k_advantages(values, 2) == pytest.approx([2 / 3, 0, 0, None, 2 / 3])
    assert pass_at_k_advantages([1, 1, 1], 2) == [0, 0, 0]
    assert pass_at_k_advantages([1, None], 1) == [0, None]


@pytest.mark.parametrize("function", [max_at_k, max_at_k_advantages, pass_at_k_advantages])
def test_k_goes_up_to_the_scored_responses(function):
    for values, k in (([1, 0], 3), ([1, None], 2), ([], 1), ([None], 1), ([1], 0), ([1], -1)):
        with pytest.raises(ValueError, match="k goes from 1"):
            function(values, k)


@given(VALUES)
def test_leave_one_out(values):
    known = [value for value in values if value is not None]
    advantages = leave_one_out(values)
    assert [value is None for value in advantages] == [value is None for value in values]
    scored = [value for value in advantages if value is not None]
    if len(known) > 1:
        others = [(sum(known) - v) / (len(known) - 1) for v in known]
        assert scored == pytest.approx([v - o for v, o in zip(known, others)], abs=1e-12)
    else:
        assert scored == [0.0] * len(known)
    assert math.isclose(math.fsum(scored), 0, abs_tol=1e-12)


@given(VALUES, st.sampled_from([0, 1]))
def test_group_normalized(values, ddof):
    known = [value for value in values if value is not None]
    advantages = group_normalized(values, eps=1e-4, ddof=ddof)
    scored = [value for value in advantages if value is not None]
    assert len(scored) == len(known)
    if len(set(known)) < 2:
        assert scored == [0.0] * len(known)
    else:
        spread = stdev(known) if ddof else pstdev(known)
        expected = [(v - fmean(known)) / (spread + 1e-4) for v in known]
        assert scored == pytest.approx(expected, abs=1e-9)
        plain = group_normalized(known, std=False)
        assert plain == pytest.approx([v - fmean(known) for v in known], abs=1e-12)


@pytest.mark.parametrize("value", [0.1, 0.7, 1.0, 0.0])
@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_constant_groups_give_exact_zeros(value, size):
    """Without care 0.1 less the mean of 0.1s is 1e-17, and eps=0 makes that 1."""
    assert leave_one_out([value] * size) == [0.0] * size
    assert group_normalized([value] * size, eps=0) == [0.0] * size
    assert group_normalized([value] * size, std=False) == [0.0] * size


@pytest.mark.parametrize("options", [{"eps": -1}, {"eps": math.nan}, {"ddof": 2}], ids=repr)
def test_options_that_cannot_work(options):
    with pytest.raises(ValueError, match="ddof is"):
        group_normalized([0, 1], **options)


def test_mean_and_best():
    assert (mean([1, None, 0]), best([0.2, None, 0.7])) == (0.5, 0.7)
    assert (mean([None]), best([]), mean([])) == (None, None, None)
    assert mean([0.1] * 10) == 0.1


@given(
    st.lists(st.tuples(st.sampled_from([None, 0.0, 0.5, 1.0]), st.sampled_from("abc")), max_size=8)
)
def test_diversity_is_shared_among_equal_right_answers(pairs):
    values, answers = [v for v, _ in pairs], [a for _, a in pairs]
    right = {answer for value, answer in pairs if value == 1}
    given_out = diversity(values, answers, bonus=0.5)
    assert distinct(values, answers) == len(right)
    for value, earned in zip(values, given_out):
        assert (earned is None) == (value is None)
        assert value is None or (earned > 0) == (value == 1)
    for answer in right:
        shares = [g for v, a, g in zip(values, answers, given_out) if (v, a) == (1, answer)]
        assert len(set(shares)) == 1
        assert sum(shares) == pytest.approx(0.5)


def test_what_counts_as_the_same_answer_is_for_the_caller_to_say():
    values, answers = [1, 1, 1, 1], ["x=1", "1", " $1$. ", "1.0"]
    assert distinct(values, answers) == 3
    assert distinct(values, answers, key=lambda answer: float(answer.strip(" $.x="))) == 1
    assert diversity(values, answers) == [1, 0.5, 0.5, 1]
    for wrong in (-1, math.nan, math.inf):
        with pytest.raises(ValueError, match="bonus"):
            diversity(values, answers, bonus=wrong)


def test_a_wrong_answer_gets_no_bonus_for_being_rare():
    assert diversity([0, 0.99, None], ["new", "newer", "newest"]) == [0, 0, None]


def test_majority():
    assert majority([1, 0, 0], ["a", "b", " B."]) == 0
    assert majority([1, 0, 0, 0], ["a", "b", "c", "a"]) == 0.5
    assert majority([1, 0], ["a", "b"]) == 0.5
    assert majority([None, None, 1], ["a", "a", "b"]) == 1
    assert majority([None], ["a"]) is None
    assert majority([], []) is None


@given(
    st.lists(st.sampled_from([None, 0.0, 1.0]), min_size=1, max_size=8),
    st.data(),
)
def test_length_preference_against_its_formula(values, data):
    lengths = [data.draw(st.integers(0, 50)) for _ in values]
    rewards = length_preference(values, lengths)
    known = [n for n, v in zip(lengths, values) if v is not None]
    for value, length, earned in zip(values, lengths, rewards):
        if value is None:
            assert earned is None
        elif min(known) == max(known):
            assert earned == 0
        else:
            lam = 0.5 - (length - min(known)) / (max(known) - min(known))
            assert earned == pytest.approx(lam if value == 1 else min(0, lam))
            assert -0.5 <= earned <= 0.5
            assert value + 1.9 * earned > 0 or value == 0  # the order it is said to keep


def test_lengths_of_unscored_responses_do_not_count():
    assert length_preference([1, 1, None], [10, 20, 10_000]) == [0.5, -0.5, None]
    assert length_preference([1], [7]) == [0]
    with pytest.raises(ValueError, match="at least 0"):
        length_preference([1, 0], [-1, 3])


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_only_finite_numbers_pass(value):
    values, answers = [1.0, value], ["a", "b"]
    for name in ("mean", "best", "leave_one_out", "group_normalized"):
        with pytest.raises(ValueError, match="finite"):
            transform(name, values)
    for name in ("pass@1", "max@1", "pass_advantages@1", "max_advantages@2"):
        if name != "pass_advantages@1":  # right or not: it never looks at the number
            with pytest.raises(ValueError, match="finite"):
                transform(name, values)
    for name in ("majority", "distinct", "diversity"):
        with pytest.raises(ValueError, match="finite"):
            transform(name, values, answers)
    with pytest.raises(ValueError, match="finite"):
        length_preference(values, [1, 2])


def test_values_go_with_their_answers():
    for function in (majority, distinct, diversity, length_preference):
        with pytest.raises(ValueError, match="do not go with"):
            function([1, 0], ["a"])


def test_transforms_by_name():
    values = [1, 0, 1, None, 0]
    assert transform("mean", values) == 0.5
    assert transform("best", values) == 1
    assert transform("pass@2", values) == pytest.approx(5 / 6)
    assert transform("max@2", values) == pytest.approx(5 / 6)
    assert transform("leave_one_out", values) == leave_one_out(values)
    assert transform("group_normalized", values) == group_normalized(values)
    assert transform("max_advantages@2", values) == max_at_k_advantages(values, 2)
    assert transform("pass_advantages@2", values) == pass_at_k_advantages(values, 2)
    answers = ["a", "b", "a", "c", "b"]
    assert transform("majority", values, answers) == 0.5
    assert transform("distinct", values, answers) == 1
    assert transform("diversity", values, answers) == [0.5, 0, 0.5, None, 0]
    assert transform("pass@4", values) == 1


def test_a_judge_that_failed_leaves_a_transform_without_a_value():
    assert transform("pass@2", [1, None]) is None
    assert transform("max_advantages@2", [None, None]) is None
    assert transform("mean", [None]) is None
    assert transform("leave_one_out", [None]) == [None]


@pytest.mark.parametrize(
    "name",
    [
        *("pass@0", "pass@3", "pass@x", "pass", "pass@", "pass@-1", "pass@1.0", "pass@²"),
        *("pass@1@1", "pass@" + "9" * 5_000, "mean@2", "best@1", "median", "MEAN", ""),
        *("majority", "distinct", "diversity"),  # which need the answers
    ],
)
def test_unknown_transforms_are_told(name):
    with pytest.raises(UnknownTransform, match="a transform is mean, best") as raised:
        transform(name, [1, 0])
    assert len(str(raised.value)) < 300


@settings(max_examples=50)
@given(VALUES, st.randoms(use_true_random=False))
def test_order_does_not_matter(values, rng):
    order = list(range(len(values)))
    rng.shuffle(order)
    shuffled = [values[place] for place in order]
    for name in [*groups.PLAIN, "max@1", "pass_advantages@2", "max_advantages@2"]:
        if name.endswith("2") and len(values) < 2:
            continue
        results, again = transform(name, values), transform(name, shuffled)
        if isinstance(results, list):
            results = [results[place] for place in order]
        assert again == pytest.approx(results, abs=1e-9) if results is not None else again is None
