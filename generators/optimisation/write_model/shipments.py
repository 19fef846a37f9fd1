"""Stories of goods that are sent from plants to shops."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
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
    spans,
    total,
)

WORDS = ("lund", "brno", "graz", "turin", "porto", "leeds", "ghent", "split")
PLANTS = 2
"""How many of the places are plants, from the first on."""


def _demand(plants: Sequence[str], s: str) -> str:
    return f"{total(f'x_{p}_{s}' for p in plants)} = demand_{s}"


def _supply(p: str, shops: Sequence[str]) -> str:
    return f"{total(f'x_{p}_{s}' for s in shops)} <= supply_{p}"


def base(items: Sequence[str]) -> Part:
    """The story without conditions."""
    plants, shops = items[:PLANTS], items[PLANTS:]
    routes = [f"{p}_{s}" for p in plants for s in shops]
    return Part(
        f"A firm has plants in {listed(plants)} and shops in {listed(shops)}. A plant P can send "
        "at most `supply_P` tonnes in all, and a shop S has to receive exactly `demand_S` tonnes "
        "in all. Sending a tonne from plant P to shop S costs `cost_P_S`. Amounts need not be "
        "whole numbers of tonnes. The total cost has to be as small as possible.",
        {
            **spans(each("supply", plants), 20, 15 + 15 * len(shops)),
            **spans(each("demand", shops), 10, 30),
            **spans(each("cost", routes), 2, 20),
        },
        (
            *(f"continuous x_{route}" for route in routes),
            *(_demand(plants, s) for s in shops),
            *(_supply(p, shops) for p in plants),
        ),
        f"+ {total(f'cost_{route}*x_{route}' for route in routes)}",
    )


def _route(items: Sequence[str], p: str, s: str) -> Part:
    return Part(
        f"At most `route` tonnes can go from {p} to {s}.", {"route": (2, 14)},
        (f"x_{p}_{s} <= route",), slip=(f"x_{p}_{s} >= route",),
    )  # fmt: skip


def _share(items: Sequence[str], p: str, s: str) -> Part:
    received = total(f"x_{q}_{s}" for q in items[:PLANTS])
    return Part(
        f"At least `share` percent of what {s} receives has to come from {p}.",
        {"share": (20, 70)}, (f"100*x_{p}_{s} >= share*({received})",),
        slip=(f"x_{p}_{s} >= share",),
    )  # fmt: skip


def _overtime(items: Sequence[str], p: str) -> Part:
    old = _supply(p, items[PLANTS:])
    return Part(
        f"By overtime, {p} can send up to `extra` tonnes beyond `supply_{p}`; each of these costs "
        "`overtime` in addition.",
        {"extra": (5, 20), "overtime": (1, 9)}, (f"continuous over_{p} <= extra",),
        f"+ overtime*over_{p}", {old: f"{old} + over_{p}"}, slip=(f"continuous over_{p}",),
    )  # fmt: skip


def _balance(items: Sequence[str]) -> Part:
    p, q = (total(f"x_{each}_{s}" for s in items[PLANTS:]) for each in items[:PLANTS])
    return Part(
        "The totals that the two plants send may differ by at most `difference` tonnes.",
        {"difference": (2, 15)},
        (f"({p}) - ({q}) <= difference", f"({q}) - ({p}) <= difference"),
        slip=(f"({p}) - ({q}) <= difference",),
    )  # fmt: skip


def _missing(items: Sequence[str], s: str) -> Part:
    old = _demand(items[:PLANTS], s)
    return Part(
        f"Unlike the others, {s} may receive less than `demand_{s}` tonnes. Then each missing "
        "tonne costs `penalty`.",
        {"penalty": (4, 20)}, (f"continuous missing_{s}",), f"+ penalty*missing_{s}",
        {old: old.replace(" =", f" + missing_{s} =")},
    )  # fmt: skip


def _rent(items: Sequence[str]) -> Part:
    plants, shops = items[:PLANTS], items[PLANTS:]
    needed = total(f"demand_{s}" for s in shops)
    return Part(
        "For each plant P that sends anything at all, a rent of `rent_P` has to be paid.",
        spans(each("rent", plants), 20, 300),
        (
            *(f"binary open_{p}" for p in plants),
            *(f"{total(f'x_{p}_{s}' for s in shops)} <= ({needed})*open_{p}" for p in plants),
        ),
        f"+ {total(f'rent_{p}*open_{p}' for p in plants)}",
        slip=tuple(f"binary open_{p}" for p in plants),
    )  # fmt: skip


def _trucks(items: Sequence[str], p: str, s: str) -> Part:
    return Part(
        f"What goes from {p} to {s} is carried by trucks. A truck takes up to `truck` tonnes, and "
        "each one that is needed costs `toll` in addition, whether it is full or not.",
        {"truck": (4, 9), "toll": (10, 60)},
        (f"integer trucks_{p}_{s}", f"x_{p}_{s} <= truck*trucks_{p}_{s}"),
        f"+ toll*trucks_{p}_{s}",
        slip=(f"integer trucks_{p}_{s}", f"x_{p}_{s} = truck*trucks_{p}_{s}"),
    )  # fmt: skip


def _single(items: Sequence[str], s: str) -> Part:
    plants = items[:PLANTS]
    return Part(
        f"Everything that {s} receives has to come from a single plant.", {},
        (
            *(f"binary from_{p}_{s}" for p in plants),
            *(f"x_{p}_{s} <= demand_{s}*from_{p}_{s}" for p in plants),
            f"{total(f'from_{p}_{s}' for p in plants)} = 1",
        ),
    )  # fmt: skip


def _batch(items: Sequence[str], p: str, s: str) -> Part:
    return Part(
        f"If anything goes from {p} to {s} at all, it has to be at least `least` tonnes.",
        {"least": (5, 12)},
        (
            f"binary runs_{p}_{s}", f"x_{p}_{s} <= demand_{s}*runs_{p}_{s}",
            f"x_{p}_{s} >= least*runs_{p}_{s}",
        ),
        slip=(f"x_{p}_{s} >= least",),
    )  # fmt: skip


FEATURES = {
    "route": Feature(2, False, _route),
    "share": Feature(2, False, _share),
    "overtime": Feature(1, False, _overtime),
    "balance": Feature(0, False, _balance),
    "missing": Feature(-1, False, _missing),
    "rent": Feature(0, True, _rent),
    "trucks": Feature(2, True, _trucks),
    "single": Feature(-1, True, _single),
    "batch": Feature(2, True, _batch),
}
"""Two items are a plant and a shop, one is a plant, and -1 stands for a shop."""


def optimum(
    items: Sequence[str], chosen: Sequence[Chosen], v: Values, weights: Sequence[int]
) -> Fraction | None:
    """The least cost: for each set of plants that send, number of trucks, source of the shop with
    a single one, and batch or none, that of a linear program.
    """
    has = dict(chosen)
    trucks = range(-(-30 // v["truck"]) + 1) if "trucks" in has else (0,)
    cases = product(
        patterns(PLANTS, "rent" in has), trucks, range(PLANTS if "single" in has else 1),
        (0, 1) if "batch" in has else (0,),
    )  # fmt: skip
    return least(_cost(items, has, v, _Choice(*case)) for case in cases)


class _Choice(NamedTuple):
    """What a linear program does not decide."""

    pattern: Sequence[bool]
    """The plants that may send."""

    trucks: int
    source: int
    """The plant of the shop with a single one."""

    batch: int
    """Whether the route with a least amount is used."""


def _cost(
    items: Sequence[str], has: Mapping[str, tuple[int, ...]], v: Values, choice: _Choice
) -> Fraction | None:
    """The least cost with a choice."""
    plants, shops = items[:PLANTS], items[PLANTS:]
    over, missing = PLANTS * len(shops), PLANTS * len(shops) + 1
    lp = Linear(missing + 1)
    x = [[p * len(shops) + s for s in range(len(shops))] for p in range(PLANTS)]
    costs = {
        x[p][s]: v[f"cost_{plant}_{shop}"]
        for p, plant in enumerate(plants)
        for s, shop in enumerate(shops)
    }
    for s, shop in enumerate(shops):
        left = {x[p][s]: 1 for p in range(PLANTS)}
        if has.get("missing") == (s + PLANTS,):
            left[missing], costs[missing] = 1, v["penalty"]
        lp.equal(left, v[f"demand_{shop}"])
    for p, plant in enumerate(plants):
        left = dict.fromkeys(x[p], 1)
        if not choice.pattern[p]:
            lp.most(left, 0)
        if has.get("overtime") == (p,):
            left[over], costs[over] = -1, v["overtime"]
            lp.most({over: 1}, v["extra"])
        lp.most(left, v[f"supply_{plant}"])
    for name, picks in has.items():
        _limit(lp, name, x, picks, (v, choice))
    cost = lp.cheapest(costs)
    if cost is None:
        return None
    rents = [v[f"rent_{p}"] for p, on in zip(plants, choice.pattern) if on and "rent" in has]
    return cost + sum(rents) + (choice.trucks * v["toll"] if "trucks" in has else 0)


def _limit(
    lp: Linear, name: str, x: Sequence[Sequence[int]], picks: Sequence[int],
    case: tuple[Values, _Choice],
) -> None:  # fmt: skip
    """Add the rows of a condition on routes."""
    v, choice = case
    p, s = (picks[0], picks[-1] - PLANTS) if picks else (0, 0)
    match name:
        case "route":
            lp.most({x[p][s]: 1}, v["route"])
        case "share":
            lp.least({x[q][s]: 100 * (q == p) - v["share"] for q in range(PLANTS)}, 0)
        case "balance":
            left = {**dict.fromkeys(x[0], 1), **dict.fromkeys(x[1], -1)}
            lp.most(left, v["difference"])
            lp.least(left, -v["difference"])
        case "trucks":
            lp.most({x[p][s]: 1}, choice.trucks * v["truck"])
        case "single":
            lp.most({x[q][s]: 1 for q in range(PLANTS) if q != choice.source}, 0)
        case "batch" if choice.batch:
            lp.least({x[p][s]: 1}, v["least"])
        case "batch":
            lp.most({x[p][s]: 1}, 0)


FAMILY = Family("minimize", WORDS, base, FEATURES, optimum)
