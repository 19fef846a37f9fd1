"""Stories of talks in slots: any timetable that satisfies the conditions will do."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from palaestra.generators.optimisation.write_model.parts import (
    Chosen,
    Family,
    Feature,
    Part,
    Values,
    each,
    listed,
)

WORDS = ("algebra", "biology", "chemistry", "history", "music", "physics", "optics", "law")


def base(items: Sequence[str]) -> Part:
    """The story without conditions."""
    return Part(
        f"The talks on {listed(items)} have to be put into slots, which have the numbers 1 to "
        "`slots`. Several talks can be in the same slot.",
        {"slots": (4, 6)}, tuple(f"integer {name} >= 1 <= slots" for name in each("slot", items)),
    )  # fmt: skip


def _differ(items: Sequence[str], i: str, j: str) -> Part:
    binary = f"binary first_{i}_{j}"
    lines = (
        binary,
        f"slot_{i} + 1 <= slot_{j} + 100*(1 - first_{i}_{j})",
        f"slot_{j} + 1 <= slot_{i} + 100*first_{i}_{j}",
    )
    return Part(
        f"The talks on {i} and on {j} must not be in the same slot.", {}, lines,
        slip=(f"slot_{i} + 1 <= slot_{j}",),
    )  # fmt: skip


def _before(items: Sequence[str], i: str, j: str) -> Part:
    return Part(
        f"The number of the slot of {j} has to be greater than that of {i} by at least `gap`.",
        {"gap": (1, 3)}, (f"slot_{j} >= slot_{i} + gap",), slip=(f"slot_{i} >= slot_{j} + gap",),
    )  # fmt: skip


def _apart(items: Sequence[str], i: str, j: str) -> Part:
    return Part(
        f"The numbers of the slots of {i} and {j} have to differ by at least `apart`.",
        {"apart": (2, 3)},
        (
            f"binary early_{i}_{j}",
            f"slot_{i} + apart <= slot_{j} + 100*(1 - early_{i}_{j})",
            f"slot_{j} + apart <= slot_{i} + 100*early_{i}_{j}",
        ),
        slip=(f"slot_{i} + apart <= slot_{j}",),
    )  # fmt: skip


def _near(items: Sequence[str], i: str, j: str) -> Part:
    return Part(
        f"The numbers of the slots of {i} and {j} may differ by at most `near`.", {"near": (1, 2)},
        (f"slot_{i} - slot_{j} <= near", f"slot_{j} - slot_{i} <= near"),
        slip=(f"slot_{i} - slot_{j} <= near",),
    )  # fmt: skip


def _blocked(items: Sequence[str], i: str) -> Part:
    return Part(
        f"The talk on {i} cannot be in slot `blocked`.", {"blocked": (1, 4)},
        (
            f"binary after_{i}",
            f"slot_{i} <= blocked - 1 + 100*after_{i}",
            f"slot_{i} >= blocked + 1 - 100*(1 - after_{i})",
        ),
        slip=(f"slot_{i} >= blocked + 1",),
    )  # fmt: skip


def _late(items: Sequence[str], i: str, j: str) -> Part:
    return Part(
        f"If the talk on {i} is after slot `late`, the talk on {j} has to be after it, too.",
        {"late": (2, 3)},
        (
            f"binary later_{i}",
            f"slot_{i} <= late + 100*later_{i}",
            f"slot_{j} >= late + 1 - 100*(1 - later_{i})",
        ),
        slip=(f"slot_{j} >= slot_{i}",),
    )  # fmt: skip


def _either(items: Sequence[str], i: str, j: str) -> Part:
    return Part(
        f"At least one of the talks on {i} and {j} has to be in one of the slots 1 to `early`.",
        {"early": (1, 2)},
        (
            f"binary is_early_{i}",
            f"slot_{i} <= early + 100*(1 - is_early_{i})",
            f"slot_{j} <= early + 100*is_early_{i}",
        ),
        slip=(f"slot_{i} <= early", f"slot_{j} <= early"),
    )  # fmt: skip


def _sum(items: Sequence[str], i: str, j: str) -> Part:
    return Part(
        f"The numbers of the slots of {i} and {j} may add up to at most `most`.", {"most": (4, 7)},
        (f"slot_{i} + slot_{j} <= most",), slip=(f"slot_{i} + slot_{j} = most",),
    )  # fmt: skip


FEATURES = {
    "differ": Feature(2, True, _differ),
    "before": Feature(2, True, _before),
    "apart": Feature(2, True, _apart),
    "near": Feature(2, True, _near),
    "blocked": Feature(1, True, _blocked),
    "late": Feature(2, True, _late),
    "either": Feature(2, True, _either),
    "sum": Feature(2, True, _sum),
}


def optimum(
    items: Sequence[str], chosen: Sequence[Chosen], v: Values, weights: Sequence[int]
) -> Fraction | None:
    """The least sum of weights times slots in all timetables."""
    sums = [
        sum(weight * slot for weight, slot in zip(weights, slots))
        for slots in product(range(1, v["slots"] + 1), repeat=len(items))
        if all(_holds(name, [slots[n] for n in picks], v) for name, picks in chosen)
    ]
    return Fraction(min(sums)) if sums else None


def _holds(name: str, slots: Sequence[int], v: Values) -> bool:
    """Whether a condition holds with its talks in these slots."""
    i, j = slots[0], slots[-1]
    return {
        "differ": lambda: i != j,
        "before": lambda: j >= i + v["gap"],
        "apart": lambda: abs(i - j) >= v["apart"],
        "near": lambda: abs(i - j) <= v["near"],
        "blocked": lambda: i != v["blocked"],
        "late": lambda: i <= v["late"] or j > v["late"],
        "either": lambda: min(i, j) <= v["early"],
        "sum": lambda: i + j <= v["most"],
    }[name]()


FAMILY = Family("", WORDS, base, FEATURES, optimum)
