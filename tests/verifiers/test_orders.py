"""Sets, multisets, lists, rankings and orders."""

import math
import random
import sys
from collections import Counter
from dataclasses import replace
from itertools import permutations
from statistics import fmean

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from palaestra.task import InvalidAnswer, JudgeError
from palaestra.testing.verifiers import check_verifier
from palaestra.verifiers.lists import listed
from palaestra.verifiers.orders import Ranking, TopologicalOrder, dcg, kendall_tau
from palaestra.verifiers.reading.numbers import integer, rational
from palaestra.verifiers.sets import ListOf, Multiset, SetOf
from palaestra.verifiers.verifier import GoldError

TREES = ("oak", "elm", "red maple", "yew")
FISH = ("carp", "eel", "pike", "bream")


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("a, b, c", "abc"),
        ("a,b,c,", "abc"),
        ("a; b; c", "abc"),
        ("a\nb\nc", "abc"),
        ("a,\nb,\nc", "abc"),
        ("- a\n* b\n\u2022 c", "abc"),
        ("1. a\n2) b\n(3) c", "abc"),
        ("[a, b, c]", "abc"),
        ("{a, b, c}", "abc"),
        ("(a, b, c)", "abc"),
        (r"\{a, b, c\}", "abc"),
        (r"$\left\{a,\ b,\ c\right\}$", "abc"),
        ('["a", "b", "c"]', "abc"),
        ("['a', 'b', 'c']", "abc"),
        ("a, b and c", "abc"),
        ("a, b, and c", "abc"),
        ("a and b", "ab"),
        ("1 2 3", "123"),
        ("[1 2 3]", "123"),
        ("[1, 2, 3]", "123"),
        ('[1, "2", 3.5]', ["1", "2", "3.5"]),
        ("a b", ["a b"]),
        ("a", "a"),
        ("[]", ""),
        ("{}", ""),
        ("\u2205", ""),
        (r"\emptyset", ""),
        ("```\na\nb\n```", "ab"),
    ],
)
def test_listed(text, items):
    assert listed(text) == list(items)


@pytest.mark.parametrize(
    "text",
    [
        *("a,,b", ",a", "a,,", '["a"', '["a", ["b"]]', '["a", null]', '["a", true]', "1 " * 2000),
        *('["' + 'a", "' * 2000 + 'a"]', ",", ";", "[,]", '["a", ""]', "[" * 3000 + '"a"'),
    ],
    ids=range(14),
)
def test_not_listed(text):
    with pytest.raises(InvalidAnswer):
        listed(text)


def test_what_is_known_is_not_taken_apart():
    assert SetOf(("salt and pepper", "oil"))("oil, salt and pepper").correct
    assert SetOf(("salt and pepper",))("Salt and pepper").correct
    assert SetOf(("Paris, France",))("Paris, France").correct
    assert SetOf(("salt", "pepper"))("salt and pepper").correct


def test_sets():
    check_verifier(
        SetOf(TREES),
        [
            *(
                "oak, elm, red maple, yew",
                "yew; Red Maple; the elm; oak",
                "[elm, yew, red maple, oak]",
            ),
            *("- oak\n- elm\n- yew\n- red maple", '["oak", "elm", "yew", "red maple"]'),
            *("oak, elm, yew and red maple", "{oak, elm, yew, red-maple}."),
        ],
        ["oak, elm, yew", "oak, elm, yew, maple", "oak, elm, red maple, yew, ash", "[]", "oak elm"],
        [
            "oak, oak, elm, red maple, yew",
            "oak, elm, red maple, yew, OAK",
            "oak, elm,, yew",
            "trees",
        ],
    )


def test_sets_of_numbers():
    check_verifier(
        SetOf(("1/2", "-3"), read=rational),
        ["0.5, -3", "{-3, 1/2}", "-3 0.5", "\u22123; 2/4"],
        ["0.5, 3", "1/2", "1/2, -3, 0", "-3"],
        ["1/2, 0.5, -3", "a, b", "-3, nan", "1/2, -3, x"],
    )
    assert SetOf((), read=integer)("[]").correct
    assert not SetOf((), read=integer)("1").correct


def test_multisets():
    check_verifier(
        Multiset(("2", "2", "3"), read=integer),
        ["2, 2, 3", "2 3 2", "[3, 2, 2]"],
        ["2, 3", "2, 3, 3", "2, 2, 2, 3", "2 2 3 3", "2, 2, 3, 5"],
        ["2, 2, x", "two, two, three"],
    )


def test_lists():
    check_verifier(
        ListOf(("2", "2", "3"), read=integer),
        ["2, 2, 3", "[2 2 3]", "2\n2\n3"],
        ["2, 3, 2", "2, 3", "2, 2, 3, 3", "3 2 2", "2 2"],
        ["2, 2, x"],
    )
    assert ListOf(("a", "b"))("b, a").reason == "the order is wrong"
    assert ListOf(())("[]").correct


ITEMS = st.lists(st.sampled_from("vwxyz"), max_size=7)


@settings(deadline=None)
@given(st.frozensets(st.sampled_from("vwxyz")), st.frozensets(st.sampled_from("uvwxyz")))
def test_credit_for_sets(gold, answer):
    assume(gold or answer)
    text = ", ".join(sorted(answer)) or "[]"
    exact, jaccard, f1 = (
        SetOf(tuple(sorted(gold)), credit=credit)(text).value
        for credit in ("exact", "jaccard", "f1")
    )
    assert exact == (gold == answer)
    assert jaccard == pytest.approx(len(gold & answer) / len(gold | answer))
    assert f1 == pytest.approx(2 * len(gold & answer) / (len(gold) + len(answer)))
    assert (jaccard == 1) == (f1 == 1) == (gold == answer)


@settings(deadline=None)
@given(st.permutations([*"vwxyz", *"vw"]), ITEMS)
def test_credit_for_multisets(gold, answer):
    assume(answer)
    shared = (Counter(gold) & Counter(answer)).total()
    value = Multiset(tuple(gold), credit="jaccard")(", ".join(answer)).value
    assert value == pytest.approx(shared / (len(gold) + len(answer) - shared))


def longest_common(one, other):
    best = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i, x in enumerate(one):
        for j, y in enumerate(other):
            best[i + 1][j + 1] = best[i][j] + 1 if x == y else max(best[i][j + 1], best[i + 1][j])
    return best[-1][-1]


@settings(deadline=None)
@given(ITEMS, ITEMS)
def test_credit_for_lists(gold, answer):
    assume(gold and answer)
    shared = longest_common(gold, answer)
    score = ListOf(tuple(gold), credit="f1")(", ".join(answer))
    assert score.value == pytest.approx(2 * shared / (len(gold) + len(answer)))
    assert score.correct == (gold == answer)


@pytest.mark.parametrize("credit", ["jaccard", "f1"])
def test_listing_everything_does_not_pay(credit):
    world = [f"thing {number}" for number in range(500)]
    verifier = SetOf(tuple(world[:5]), credit=credit)
    assert verifier(", ".join(world)).value < 0.03
    assert verifier(", ".join(world[:5] + world[:5])).value == 0
    assert verifier(", ".join(world[:4])).value > 0.6
    assert verifier(", ".join(f"thing {number}" for number in range(1001))).status == "limit"


def best_pairing(answer, gold, alike):
    """By trying every way."""
    from rapidfuzz.distance import Levenshtein

    longer, shorter = sorted((answer, gold), key=len, reverse=True)
    return max(
        sum(Levenshtein.normalized_similarity(x, y) >= alike for x, y in zip(order, shorter))
        for order in permutations(longer)
    )


NEAR = st.lists(st.text("ab", min_size=3, max_size=6), min_size=1, max_size=5, unique=True)


@settings(deadline=None)
@given(NEAR, NEAR, st.sampled_from([0.5, 0.6, 0.75]))
def test_fuzzy_items_are_matched_as_well_as_can_be(gold, answer, alike):
    shared = best_pairing(answer, gold, alike)
    score = SetOf(tuple(gold), credit="jaccard", alike=alike)(", ".join(answer))
    assert score.value == pytest.approx(shared / (len(gold) + len(answer) - shared))


def test_greedy_matching_would_be_wrong():
    """The first item said is near to both; whoever takes the nearest for it loses the second."""
    verifier = SetOf(("abcd", "abcx"), alike=0.7)
    assert verifier("abcd, abyd").correct
    assert verifier("abyd, abcd").correct
    assert not verifier("abcd, zzzz").correct
    assert not verifier("abcd, abce, abcf").correct


def test_fuzzy_spelling():
    check_verifier(
        SetOf(("Dostoyevsky", "Tolstoy", "Chekhov"), alike=0.75),
        ["Tolstoi, Dostoevsky, Chekov", "Dostoyevsky, Tolstoy, Chekhov"],
        ["Tolstoi, Dostoevsky", "Tolstoi, Tolstoy, Chekhov", "Tolstoy, Gogol, Chekhov"],
        ["Tolstoy, Tolstoy, Chekhov"],
    )


@pytest.mark.parametrize(
    "build",
    [
        lambda: SetOf(("oak", "Oak")),
        lambda: SetOf(("oak", "...")),
        lambda: SetOf(("x",), read=integer),
        lambda: SetOf(("oak",), credit="half"),
        lambda: SetOf(("oak",), alike=0.0),
        lambda: SetOf(("1",), read=integer, alike=0.5),
        lambda: SetOf(tuple(f"item {number}" for number in range(201)), alike=0.5),
        lambda: SetOf(tuple(f"item {number}" for number in range(1001))),
        lambda: ListOf(("oak",), credit="half"),
        lambda: ListOf(("x",) * 1001),
        lambda: Ranking(("oak",)),
        lambda: Ranking(("oak", "Oak")),
        lambda: Ranking((("oak", "elm"),)),
        lambda: Ranking(("oak", "elm"), "spearman"),
        lambda: Ranking(("oak", "elm"), "ndcg"),
        lambda: Ranking(("oak", "elm"), "kendall", (1.0, 0.0)),
        lambda: Ranking(("oak", "elm"), "ndcg", (1.0,)),
        lambda: Ranking(("oak", "elm"), "ndcg", (0.0, 1.0)),
        lambda: Ranking(("oak", "elm"), "ndcg", (1.0, 1.0)),
        lambda: Ranking(("oak", "elm"), "ndcg", (1.0, -1.0)),
        lambda: Ranking(("oak", "elm"), "ndcg", (math.inf, 1.0)),
        lambda: Ranking(("oak", ("elm", "yew")), "ndcg", (2.0, 1.0, 1.0)),
        lambda: TopologicalOrder((), ()),
        lambda: TopologicalOrder(("a1", "a1"), ()),
        lambda: TopologicalOrder(("a1", "b1"), (("a1", "c1"),)),
        lambda: TopologicalOrder(("a1", "b1"), (("a1", "b1"), ("b1", "a1"))),
        lambda: TopologicalOrder(("a1", "b1"), (("a1", "a1"),)),
    ],
    ids=range(27),
)
def test_golds_that_make_no_sense(build):
    with pytest.raises(GoldError):
        build()


def test_rankings():
    check_verifier(
        Ranking(FISH),
        [
            "carp, eel, pike, bream",
            "carp > eel > pike > bream",
            "1. Carp\n2. Eel\n3. Pike\n4. Bream",
        ],
        ["eel, carp, pike, bream", "bream, pike, eel, carp", "bream > carp > eel > pike"],
        [
            *("carp, eel, pike", "carp, eel, pike, bream, carp", "carp, eel, pike, shark", "carp"),
            *(
                "carp, eel, pike, bream, shark",
                "carp > eel = pike > bream",
                "carp, carp, carp, carp",
            ),
        ],
    )
    assert Ranking(FISH)("carp -> eel -> pike -> bream").correct
    assert Ranking(FISH)("carp \u2192 eel \u2192 pike \u2192 bream").correct


def test_ties_may_be_broken_either_way():
    verifier = Ranking(("carp", ("eel", "pike"), "bream"), "kendall")
    assert verifier("carp, eel, pike, bream").correct
    assert verifier("carp, pike, eel, bream").correct
    assert verifier("eel, carp, pike, bream").value == pytest.approx(1 - 2 / 5)
    assert verifier("bream, eel, pike, carp").value == 0


@settings(deadline=None)
@given(st.permutations(range(7)))
def test_kendall_against_scipy(order):
    from scipy.stats import kendalltau

    assert kendall_tau(order) == pytest.approx(kendalltau(range(7), order).statistic)


@settings(deadline=None)
@given(st.lists(st.integers(0, 3), min_size=2, max_size=9))
def test_kendall_with_ties_by_its_definition(ranks):
    pairs = [(a, b) for at, a in enumerate(ranks) for b in ranks[at + 1 :] if a != b]
    assume(pairs)
    signs = [1 if a < b else -1 for a, b in pairs]
    assert kendall_tau(ranks) == pytest.approx(fmean(signs))


@pytest.mark.parametrize("ranks", [(0, 1, 2, 3, 4), (0, 1, 1, 2, 3)])
def test_a_random_order_has_a_tau_of_0(ranks):
    taus = [kendall_tau(order) for order in permutations(ranks)]
    assert fmean(taus) == pytest.approx(0)


def test_what_a_blind_guess_earns_is_what_is_said():
    clipped = [max(0, kendall_tau(order)) for order in permutations(range(5))]
    assert fmean(clipped) == pytest.approx(0.16, abs=0.005)
    rng = random.Random(5)
    taus = [max(0, kendall_tau(rng.sample(range(20), 20))) for _ in range(4000)]
    assert fmean(taus) == pytest.approx(0.07, abs=0.01)


GAINS = (3.0, 2.0, 2.0, 0.0)


def test_ndcg_is_scaled_to_the_average_order():
    verifier = Ranking(FISH, "ndcg", GAINS)
    raw, scaled = [], []
    for order in permutations(range(4)):
        score = verifier(", ".join(FISH[at] for at in order))
        gains = [GAINS[at] for at in order]
        best = gains == sorted(gains, reverse=True)
        assert score.correct == best
        raw.append(dcg(gains))
        scaled.append(score.value)
        if not best:
            assert score.parts["ndcg"] == pytest.approx(dcg(gains) / dcg(GAINS))
    average = fmean(raw)
    for gain, value in zip(raw, scaled):
        assert value == pytest.approx(max(0, (gain - average) / (dcg(GAINS) - average)))
    assert verifier("bream, pike, eel, carp").value == 0
    check_verifier(
        verifier,
        ["carp, eel, pike, bream", "carp, pike, eel, bream"],
        ["eel, carp, pike, bream", "bream, pike, eel, carp"],
        ["carp, eel, pike", "carp, eel, pike, carp"],
    )


@settings(deadline=None)
@given(st.lists(st.floats(0, 10), min_size=2, max_size=8))
def test_dcg_against_sklearn_like_sums(gains):
    assert dcg(gains) == pytest.approx(sum(g / math.log2(at + 2) for at, g in enumerate(gains)))


STEPS = ("wash", "peel", "boil", "mash", "serve")
BEFORE = (("wash", "peel"), ("peel", "boil"), ("boil", "mash"), ("wash", "serve"))


def test_topological_orders():
    check_verifier(
        TopologicalOrder(STEPS, BEFORE),
        [
            "wash, peel, boil, mash, serve",
            "wash > serve > peel > boil > mash",
            "Wash\nPeel\nserve\nboil\nmash",
        ],
        ["peel, wash, boil, mash, serve", "serve, wash, peel, boil, mash"],
        [
            "wash, peel, boil, mash",
            "wash, wash, peel, boil, mash, serve",
            "wash, peel, boil, mash, eat",
        ],
    )
    assert TopologicalOrder(STEPS, BEFORE)("serve, wash, peel, boil, mash").reason == (
        "serve comes before wash"
    )


@settings(deadline=None)
@given(st.permutations(STEPS))
def test_topological_orders_by_their_definition(order):
    right = all(order.index(first) < order.index(second) for first, second in BEFORE)
    assert TopologicalOrder(STEPS, BEFORE)(", ".join(order)).correct == right


def test_every_order_keeps_no_pairs():
    assert all(TopologicalOrder(FISH, ())(", ".join(order)).correct for order in permutations(FISH))


@pytest.mark.parametrize(
    ("verifier", "library"),
    [
        (SetOf(("oak", "elm"), alike=0.5), "rapidfuzz.distance"),
        (ListOf(("oak", "elm"), credit="f1"), "rapidfuzz.distance"),
    ],
    ids=["set", "list"],
)
def test_a_missing_library_is_not_the_players_fault(verifier, library, monkeypatch):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(JudgeError) as failure:
        verifier("oak, ash")
    assert failure.value.status == "infra_error"
    with pytest.raises(ImportError, match=r"palaestra\[text\]"):
        replace(verifier, credit="f1")


NAMES = ("Washington, D.C.", "salt and pepper", "A", "St. Louis", "C++", "Jones, Mary")

LISTS = [
    # how an item is written, what stands between two, what stands around all
    ("{}", ", ", "{}"), ("{}", " , ", "{}"), ("{}", "; ", "{}"), ("{}", "\n", "{}"),
    ("- {}", "\n", "{}"), ("{}", " | ", "{}"), ('"{}"', ", ", "[{}]"), ("'{}'", ", ", "[{}]"),
    ("{}", ", ", "{{{}}}"), (r"\text{{{}}}", ", ", r"$\{{{}\}}$"), ("**{}**", "\n", "{}"),
    ("`{}`", ", ", "{}"), ("{}", ",\n", "{}"),
]  # fmt: skip


@pytest.mark.parametrize(("item", "between", "around"), LISTS, ids=ascii)
@settings(max_examples=40, deadline=None)
@given(st.data())
def test_items_with_commas_and_articles_are_themselves(item, between, around, data):
    """A list is right if and only if it has the items of the gold, in whatever form."""
    gold = data.draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=5, unique=True))
    answer = data.draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=5))
    text = around.format(between.join(item.format(name) for name in answer))
    assert Multiset(tuple(gold))(text).correct == (sorted(answer) == sorted(gold))
    assert ListOf(tuple(gold))(text).correct == (answer == gold)
    assert Ranking(tuple(gold))(text).correct == (answer == gold)


@pytest.mark.parametrize("head", ["**{}.** ", "**{}**. ", "{}. ", "({}) ", "{}) ", "{}: "])
def test_items_may_be_numbered_in_many_ways(head):
    text = "\n".join(head.format(n) + name for n, name in enumerate(NAMES, 1))
    assert ListOf(NAMES)(text).correct
    assert not ListOf(NAMES)(text.replace("C++", "C")).correct


@pytest.mark.parametrize(
    "answer", ["A, Wind", "A , Wind", "An; Wind", "The, Wind", "A. Wind", "Wind, A"]
)
def test_an_article_with_a_comma_behind_it_is_an_item(answer):
    assert not SetOf(("Wind",))(answer).correct
    assert not ListOf(("Wind",))(answer).correct


@pytest.mark.parametrize("arrow", [r"\to", r"\rightarrow", r"\succ"])
def test_arrows_of_latex_separate_items(arrow: str) -> None:
    medals = Ranking(("gold", "silver", "tin"))
    assert medals(rf"$\text{{gold}} {arrow} \text{{silver}} {arrow} \text{{tin}}$").correct
    assert not medals(rf"$\text{{tin}} {arrow} \text{{silver}} {arrow} \text{{gold}}$").correct
