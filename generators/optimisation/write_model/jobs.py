"""Stories of jobs on one machine."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

from palaestra.generators.optimisation.write_model.parts import (
    Chosen,
    Family,
    Feature,
    Part,
    Values,
    each,
    listed,
    spans,
    total,
)

WORDS = ("cut", "drill", "paint", "weld", "polish", "print", "grind", "mill")
LONG = 1000
"""More hours than any schedule takes."""


def _pairs(items: Sequence[str]) -> list[tuple[str, str]]:
    return [(i, j) for n, i in enumerate(items) for j in items[n + 1 :]]


def _apart(items: Sequence[str], i: str, j: str, pause: str = "") -> tuple[str, str]:
    """Two jobs do not overlap, whichever is first, with a pause between them."""
    if items.index(i) > items.index(j):
        i, j = j, i
    more = f" + {pause}" if pause else ""
    return (
        f"start_{j} >= start_{i} + hours_{i}{more} - {LONG}*(1 - first_{i}_{j})",
        f"start_{i} >= start_{j} + hours_{j}{more} - {LONG}*first_{i}_{j}",
    )


def _order(items: Sequence[str], i: str, j: str) -> tuple[str, ...]:
    """The lines of the base for two jobs: needless where their order is fixed."""
    first, second = sorted((i, j), key=items.index)
    return (f"binary first_{first}_{second}", *_apart(items, i, j))


def base(items: Sequence[str]) -> Part:
    """The story without conditions."""
    pairs = _pairs(items)
    ends = total(f"weight_{i}*start_{i} + weight_{i}*hours_{i}" for i in items)
    return Part(
        f"One machine has to do the jobs {listed(items)}, one at a time and each without a break. "
        "Job X takes `hours_X` hours and cannot start before hour `ready_X`. For each job X, the "
        "hour at which it ends is multiplied by `weight_X`; the sum of these products over all "
        "jobs has to be as small as possible. Time begins at hour 0, and jobs need not start at "
        "full hours.",
        {
            **spans(each("hours", items), 2, 9),
            **spans(each("ready", items), 1, 9),
            **spans(each("weight", items), 1, 9),
        },
        (
            *(f"continuous start_{i} >= ready_{i}" for i in items),
            *(f"binary first_{i}_{j}" for i, j in pairs),
            *(line for i, j in pairs for line in _apart(items, i, j)),
        ),
        f"+ {ends}",
    )


def _before(items: Sequence[str], i: str, j: str) -> Part:
    return Part(
        f"Job {j} cannot start before job {i} has ended.", {},
        (f"start_{j} >= start_{i} + hours_{i}",), needless=_order(items, i, j),
        slip=(f"start_{i} >= start_{j} + hours_{j}",),
    )  # fmt: skip


def _pause(items: Sequence[str], i: str, j: str) -> Part:
    return Part(
        f"Job {i} comes before job {j}, and at least `pause` hours have to pass between the end of "
        f"{i} and the start of {j}.",
        {"pause": (2, 9)}, (f"start_{j} >= start_{i} + hours_{i} + pause",),
        needless=_order(items, i, j), slip=(f"start_{j} >= start_{i} + pause",),
    )  # fmt: skip


def _cleaning(items: Sequence[str], i: str, j: str) -> Part:
    return Part(
        f"Between the jobs {i} and {j}, whichever of them comes first, at least `cleaning` hours "
        "have to pass, in which the machine may do another job.",
        {"cleaning": (2, 9)}, (_order(items, i, j)[0], *_apart(items, i, j, "cleaning")),
        needless=_order(items, i, j)[1:],
        slip=(_order(items, i, j)[0], *_apart(items, i, j, "cleaning")[:1]),
    )  # fmt: skip


def _late(items: Sequence[str], i: str) -> Part:
    return Part(
        f"If job {i} ends after hour `due`, `penalty` is added to the sum for each hour of the "
        "delay, in proportion for parts of an hour.",
        {"due": (5, 16), "penalty": (2, 15)},
        (f"continuous late_{i}", f"late_{i} >= start_{i} + hours_{i} - due"),
        f"+ penalty*late_{i}",
        slip=(f"continuous late_{i}", f"late_{i} = start_{i} + hours_{i} - due"),
    )  # fmt: skip


def _fine(items: Sequence[str], i: str) -> Part:
    return Part(
        f"If job {i} ends after hour `limit`, a fine of `fine` is added to the sum, however long "
        "the delay is.",
        {"limit": (6, 18), "fine": (10, 90)},
        (f"binary missed_{i}", f"start_{i} + hours_{i} <= limit + {LONG}*missed_{i}"),
        f"+ fine*missed_{i}", slip=(f"binary missed_{i}", f"start_{i} + hours_{i} <= limit"),
    )  # fmt: skip


def _closed(items: Sequence[str], i: str) -> Part:
    return Part(
        f"During the `repair` hours from hour `closed` on, job {i} cannot be in progress; it "
        "may end exactly when they begin, or start exactly when they end.",
        {"closed": (5, 14), "repair": (2, 8)},
        (
            f"binary after_{i}",
            f"start_{i} + hours_{i} <= closed + {LONG}*after_{i}",
            f"start_{i} >= closed + repair - {LONG}*(1 - after_{i})",
        ),
        slip=(f"start_{i} >= closed + repair",),
    )  # fmt: skip


FEATURES = {
    "before": Feature(2, True, _before),
    "pause": Feature(2, True, _pause),
    "cleaning": Feature(2, True, _cleaning),
    "late": Feature(1, True, _late),
    "fine": Feature(1, True, _fine),
    "closed": Feature(1, True, _closed),
}


def optimum(
    items: Sequence[str], chosen: Sequence[Chosen], v: Values, weights: Sequence[int]
) -> Fraction | None:
    """The least sum of all orders, with each job as early as it can be. Earlier ends are never
    worse.
    """
    sums = [_sum(items, chosen, v, order) for order in permutations(range(len(items)))]
    return Fraction(min(each for each in sums if each is not None), 1) if any(sums) else None


def _sum(
    items: Sequence[str], chosen: Sequence[Chosen], v: Values, order: Sequence[int]
) -> int | None:
    """What an order comes to; None if it is not allowed."""
    ends, free = dict[int, int](), 0
    for n in order:
        hours = v[f"hours_{items[n]}"]
        start = max(free, v[f"ready_{items[n]}"])
        for name, picks in chosen:
            if name in ("before", "pause") and picks[1] == n:
                if picks[0] not in ends:
                    return None
                start = max(start, ends[picks[0]] + (v["pause"] if name == "pause" else 0))
            if name == "cleaning" and n in picks:
                other = ends.get(sum(picks) - n)
                start = max(start, start if other is None else other + v["cleaning"])
        for name, picks in chosen:
            if name == "closed" and picks[0] == n and start + hours > v["closed"]:
                start = max(start, v["closed"] + v["repair"])
        free = ends[n] = start + hours
    result = sum(v[f"weight_{items[n]}"] * end for n, end in ends.items())
    for name, picks in chosen:
        if name == "late":
            result += v["penalty"] * max(0, ends[picks[0]] - v["due"])
        if name == "fine" and ends[picks[0]] > v["limit"]:
            result += v["fine"]
    return result


FAMILY = Family("minimize", WORDS, base, FEATURES, optimum)
