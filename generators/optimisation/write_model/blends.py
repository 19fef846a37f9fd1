"""Stories of mixtures that should cost little."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from palaestra.generators.optimisation.write_model.parts import (
    Chosen,
    Family,
    Feature,
    Linear,
    Part,
    Values,
    each,
    least,
    listed,
    patterns,
    products,
    spans,
    total,
)

WORDS = ("oats", "maize", "barley", "peas", "soya", "bran", "rye", "wheat")


def _stocks(items: Sequence[str]) -> tuple[str, ...]:
    """The lines of the base that follow from those of :func:`used`."""
    return tuple(f"x_{i} <= stock_{i}" for i in items)


def base(items: Sequence[str]) -> Part:
    """The story without conditions."""
    names = listed(items)
    return Part(
        f"A mill mixes one batch of feed of exactly `batch` kilograms from {names}. For each "
        f"ingredient X of these, there are at most `stock_X` kilograms of it, a kilogram costs "
        f"`price_X`, and it contains `protein_X` grams of protein. On average, each kilogram of "
        "the batch has to contain at least `least_protein` grams of protein. Amounts need not be "
        "whole numbers of kilograms. The total cost has to be as small as possible.",
        {
            "batch": (50, 90),
            "least_protein": (30, 60),
            **spans(each("stock", items), 30 if len(items) == 2 else 10, 60 - 3 * len(items)),
            **spans(each("price", items), 4, 40),
            **spans(each("protein", items), 15, 90),
        },
        (
            *(f"continuous x_{i}" for i in items),
            f"{total(each('x', items))} = batch",
            *_stocks(items),
            f"{products('protein', 'x', items)} >= least_protein*batch",
        ),
        f"+ {products('price', 'x', items)}",
    )


def used(items: Sequence[str]) -> tuple[str, ...]:
    """Binary variables that are 1 where an ingredient is in the batch."""
    return (
        *(f"binary used_{i}" for i in items),
        *(f"x_{i} <= stock_{i}*used_{i}" for i in items),
    )


def _share(items: Sequence[str], i: str) -> Part:
    return Part(
        f"At most `share` percent of the batch may be {i}.", {"share": (15, 60)},
        (f"100*x_{i} <= share*batch",), slip=(f"x_{i} <= share",),
    )  # fmt: skip


def _ratio(items: Sequence[str], i: str, j: str) -> Part:
    return Part(
        f"For every kilogram of {i} in the batch, there must be at least `ratio` kilograms of {j}.",
        {"ratio": (1, 3)}, (f"x_{j} >= ratio*x_{i}",), slip=(f"x_{i} >= ratio*x_{j}",),
    )  # fmt: skip


def _fibre(items: Sequence[str]) -> Part:
    left = products("fibre", "x", items)
    return Part(
        "A kilogram of ingredient X contains `fibre_X` grams of fibre, and on average a kilogram "
        "of the batch may contain at most `most_fibre` grams of fibre.",
        {**spans(each("fibre", items), 5, 60), "most_fibre": (20, 40)},
        (f"{left} <= most_fibre*batch",), slip=(f"{left} >= most_fibre*batch",),
    )  # fmt: skip


def _gap(items: Sequence[str], i: str, j: str) -> Part:
    return Part(
        f"The amounts of {i} and {j} in the batch may differ by at most `gap` kilograms.",
        {"gap": (2, 20)}, (f"x_{i} - x_{j} <= gap", f"x_{j} - x_{i} <= gap"),
        slip=(f"x_{i} - x_{j} = gap",),
    )  # fmt: skip


def _surcharge(items: Sequence[str], i: str) -> Part:
    return Part(
        f"Each kilogram of {i} beyond the first `cheap` kilograms costs `surcharge` more than "
        f"`price_{i}`.",
        {"cheap": (5, 20), "surcharge": (3, 25)},
        (f"continuous over_{i}", f"over_{i} >= x_{i} - cheap"), f"+ surcharge*over_{i}",
        slip=(f"continuous over_{i}", f"over_{i} = x_{i} - cheap"),
    )  # fmt: skip


def _fee(items: Sequence[str]) -> Part:
    return Part(
        "For each ingredient X that is in the batch at all, whatever its amount, a fee of `fee_X` "
        "has to be paid in addition.",
        spans(each("fee", items), 20, 400), used(items), f"+ {products('fee', 'used', items)}",
        needless=_stocks(items),
        slip=(*(f"binary used_{i}" for i in items), *(f"used_{i} <= x_{i}" for i in items)),
    )  # fmt: skip


def _least(items: Sequence[str]) -> Part:
    return Part(
        "An ingredient that is in the batch at all must make up at least `least` kilograms of it.",
        {"least": (8, 24)}, (*used(items), *(f"x_{i} >= least*used_{i}" for i in items)),
        needless=_stocks(items),
        slip=tuple(f"x_{i} >= least" for i in items),
    )  # fmt: skip


def _few(items: Sequence[str]) -> Part:
    return Part(
        "At most `most_used` of the ingredients may be in the batch.",
        {"most_used": (1, len(items) - 1)},
        (*used(items), f"{total(each('used', items))} <= most_used"),
        needless=_stocks(items),
    )  # fmt: skip


def _not_both(items: Sequence[str], i: str, j: str) -> Part:
    return Part(
        f"The batch must not contain both {i} and {j}.", {},
        (*used(items), f"used_{i} + used_{j} <= 1"), needless=_stocks(items),
        slip=(*used(items), f"used_{i} = used_{j}"),
    )  # fmt: skip


def _company(items: Sequence[str], i: str, j: str) -> Part:
    return Part(
        f"If the batch contains any {i}, it must contain at least `company` kilograms of {j}.",
        {"company": (8, 24)}, (*used(items), f"x_{j} >= company*used_{i}"),
        needless=_stocks(items),
        slip=(f"x_{j} >= company",),
    )  # fmt: skip


def _sacks(items: Sequence[str], i: str) -> Part:
    return Part(
        f"The amount of {i} has to be a whole number of sacks of `sack` kilograms.",
        {"sack": (7, 15)}, (f"integer sacks_{i}", f"x_{i} = sack*sacks_{i}"),
        slip=(f"integer sacks_{i}", f"x_{i} <= sack*sacks_{i}"),
    )  # fmt: skip


def _rebate(items: Sequence[str], i: str) -> Part:
    return Part(
        f"If the batch contains at least `bulk` kilograms of {i}, the total cost falls by "
        "`rebate`.",
        {"bulk": (10, 30), "rebate": (50, 400)},
        (f"binary bulky_{i}", f"x_{i} >= bulk*bulky_{i}"), f"- rebate*bulky_{i}",
        slip=(f"binary bulky_{i}", f"x_{i} <= bulk + 1000*bulky_{i}"),
    )  # fmt: skip


FEATURES = {
    "share": Feature(1, False, _share),
    "ratio": Feature(2, False, _ratio),
    "fibre": Feature(0, False, _fibre),
    "gap": Feature(2, False, _gap),
    "surcharge": Feature(1, False, _surcharge),
    "fee": Feature(0, True, _fee),
    "least": Feature(0, True, _least),
    "few": Feature(0, True, _few),
    "not_both": Feature(2, True, _not_both),
    "company": Feature(2, True, _company),
    "sacks": Feature(1, True, _sacks),
    "rebate": Feature(1, True, _rebate),
}


def optimum(
    items: Sequence[str], chosen: Sequence[Chosen], v: Values, weights: Sequence[int]
) -> Fraction | None:
    """The least cost: for each set of ingredients, number of sacks, and rebate or not, that of a
    linear program.
    """
    has = dict(chosen)
    free = any(FEATURES[name].is_mixed for name in has)
    return least(
        _cost(items, has, v, _Choice(pattern, sacks, rebate))
        for pattern in patterns(len(items), free)
        for sacks in (range(v["batch"] // v["sack"] + 1) if "sacks" in has else (0,))
        for rebate in ((0, 1) if "rebate" in has else (0,))
    )


class _Choice(NamedTuple):
    """What a linear program does not decide."""

    pattern: Sequence[bool]
    """The ingredients that may be used."""

    sacks: int
    rebate: int


def _cost(
    items: Sequence[str], has: Mapping[str, tuple[int, ...]], v: Values, choice: _Choice
) -> Fraction | None:
    """The least cost with a choice."""
    pattern = choice.pattern
    if "few" in has and sum(pattern) > v["most_used"]:
        return None
    if "not_both" in has and all(pattern[n] for n in has["not_both"]):
        return None
    lp, size = Linear(len(items) + 1), len(items)
    costs = {n: v[f"price_{i}"] for n, i in enumerate(items)}
    lp.equal(dict.fromkeys(range(size), 1), v["batch"])
    lp.least({n: v[f"protein_{i}"] for n, i in enumerate(items)}, v["least_protein"] * v["batch"])
    for n, i in enumerate(items):
        lp.most({n: 1}, v[f"stock_{i}"] if pattern[n] else 0)
        if "least" in has and pattern[n]:
            lp.least({n: 1}, v["least"])
    if "fibre" in has:
        fibre = {n: v[f"fibre_{i}"] for n, i in enumerate(items)}
        lp.most(fibre, v["most_fibre"] * v["batch"])
    if "surcharge" in has:
        costs[size] = v["surcharge"]
    for name, picks in has.items():
        _limit(lp, name, picks, v, choice)
    cost = lp.cheapest(costs)
    if cost is None:
        return None
    fees = sum(v[f"fee_{i}"] for n, i in enumerate(items) if pattern[n]) if "fee" in has else 0
    return cost + fees - (v["rebate"] if choice.rebate else 0)


def _limit(lp: Linear, name: str, picks: Sequence[int], v: Values, choice: _Choice) -> None:
    """Add the rows of a condition on one or two ingredients."""
    i, j = (picks[0], picks[-1]) if picks else (0, 0)
    match name:
        case "share":
            lp.most({i: 100}, v["share"] * v["batch"])
        case "ratio":
            lp.least({j: 1, i: -v["ratio"]}, 0)
        case "gap":
            lp.most({i: 1, j: -1}, v["gap"])
            lp.most({j: 1, i: -1}, v["gap"])
        case "surcharge":
            lp.least({len(choice.pattern): 1, i: -1}, -v["cheap"])
        case "company" if choice.pattern[i]:
            lp.least({j: 1}, v["company"])
        case "sacks":
            lp.equal({i: 1}, choice.sacks * v["sack"])
        case "rebate" if choice.rebate:
            lp.least({i: 1}, v["bulk"])


FAMILY = Family("minimize", WORDS, base, FEATURES, optimum)
