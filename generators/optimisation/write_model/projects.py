"""Stories of projects that are chosen within a budget."""

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
    products,
    spans,
    total,
)

WORDS = ("bridge", "canal", "museum", "park", "school", "tram", "library", "harbour", "tunnel")


def _budget(items: Sequence[str]) -> str:
    return f"{products('cost', 'do', items)} <= budget"


def base(items: Sequence[str]) -> Part:
    """The story without conditions."""
    return Part(
        f"A town chooses among the projects {listed(items)}. Each is carried out as a whole or not "
        "at all. Project X costs `cost_X` and brings a profit of `profit_X`. The costs of all "
        "projects that are carried out may add up to at most `budget`. The total profit has to be "
        "as large as possible.",
        {
            "budget": (30, 60),
            **spans(each("cost", items), 5, 30),
            **spans(each("profit", items), 8, 60),
        },
        (*(f"binary do_{i}" for i in items), _budget(items)),
        f"+ {products('profit', 'do', items)}",
    )


def _not_both(items: Sequence[str], i: str, j: str) -> Part:
    return Part(
        f"The {i} and the {j} cannot both be carried out.", {}, (f"do_{i} + do_{j} <= 1",),
        slip=(f"do_{i} + do_{j} = 1",),
    )  # fmt: skip


def _needs(items: Sequence[str], i: str, j: str) -> Part:
    return Part(
        f"The {i} can be carried out only if the {j} is.", {}, (f"do_{i} <= do_{j}",),
        slip=(f"do_{j} <= do_{i}",),
    )  # fmt: skip


def _either(items: Sequence[str], i: str, j: str) -> Part:
    return Part(
        f"The {i} or the {j} or both have to be carried out.", {}, (f"do_{i} + do_{j} >= 1",),
        slip=(f"do_{i} + do_{j} = 1",),
    )  # fmt: skip


def _bonus(items: Sequence[str], i: str, j: str) -> Part:
    binary = f"binary both_{i}_{j}"
    return Part(
        f"If both the {i} and the {j} are carried out, they bring `bonus` in addition.",
        {"bonus": (10, 60)}, (binary, f"both_{i}_{j} <= do_{i}", f"both_{i}_{j} <= do_{j}"),
        f"+ bonus*both_{i}_{j}", slip=(binary, f"both_{i}_{j} >= do_{i} + do_{j} - 1"),
    )  # fmt: skip


def _harm(items: Sequence[str], i: str, j: str) -> Part:
    binary = f"binary clash_{i}_{j}"
    return Part(
        f"If both the {i} and the {j} are carried out, `harm` of the profit is lost.",
        {"harm": (10, 50)}, (binary, f"clash_{i}_{j} >= do_{i} + do_{j} - 1"),
        f"- harm*clash_{i}_{j}",
        slip=(binary, f"clash_{i}_{j} <= do_{i}", f"clash_{i}_{j} <= do_{j}"),
    )  # fmt: skip


def _fine(items: Sequence[str], i: str, j: str) -> Part:
    binary = f"binary neither_{i}_{j}"
    return Part(
        f"If neither the {i} nor the {j} is carried out, a fine of `fine` is taken from the "
        "profit.",
        {"fine": (10, 60)}, (binary, f"neither_{i}_{j} >= 1 - do_{i} - do_{j}"),
        f"- fine*neither_{i}_{j}", slip=(binary, f"2*neither_{i}_{j} <= 2 - do_{i} - do_{j}"),
    )  # fmt: skip


def _most(items: Sequence[str]) -> Part:
    return Part(
        "At most `most` projects may be carried out.", {"most": (1, max(1, len(items) - 2))},
        (f"{total(each('do', items))} <= most",), slip=(f"{total(each('do', items))} = most",),
    )  # fmt: skip


def _staff(items: Sequence[str]) -> Part:
    return Part(
        "Project X also takes `staff_X` workers for the whole time, of whom there are `workers`.",
        {**spans(each("staff", items), 1, 12), "workers": (8, 24)},
        (f"{products('staff', 'do', items)} <= workers",),
        slip=tuple(f"staff_{i}*do_{i} <= workers" for i in items),
    )  # fmt: skip


def _loan(items: Sequence[str]) -> Part:
    return Part(
        "Beyond the budget, the town may spend up to `credit` that it borrows; each unit of money "
        "that it borrows takes `interest` from the profit.",
        {"credit": (5, 25), "interest": (1, 3)}, ("continuous borrowed <= credit",),
        "- interest*borrowed", {_budget(items): f"{_budget(items)} + borrowed"},
        slip=("continuous borrowed",),
    )  # fmt: skip


def _together(items: Sequence[str], i: str, j: str, k: str) -> Part:
    return Part(
        f"If both the {i} and the {j} are carried out, the {k} has to be carried out as well.", {},
        (f"do_{k} >= do_{i} + do_{j} - 1",), slip=(f"2*do_{k} >= do_{i} + do_{j}",),
    )  # fmt: skip


def _grant(items: Sequence[str]) -> Part:
    count = total(each("do", items))
    return Part(
        "If at least `many` projects are carried out, a grant of `grant` is added to the profit, "
        "once.",
        {"many": (2, len(items) - 1), "grant": (20, 90)},
        ("binary granted", f"{count} >= many*granted"), "+ grant*granted",
        slip=("binary granted", f"{count} <= many - 1 + 100*granted"),
    )  # fmt: skip


FEATURES = {
    "not_both": Feature(2, True, _not_both),
    "needs": Feature(2, True, _needs),
    "either": Feature(2, True, _either),
    "bonus": Feature(2, True, _bonus),
    "harm": Feature(2, True, _harm),
    "fine": Feature(2, True, _fine),
    "most": Feature(0, True, _most),
    "staff": Feature(0, True, _staff),
    "loan": Feature(0, True, _loan),
    "together": Feature(3, True, _together),
    "grant": Feature(0, True, _grant),
}


def optimum(
    items: Sequence[str], chosen: Sequence[Chosen], v: Values, weights: Sequence[int]
) -> Fraction | None:
    """The greatest profit of all choices."""
    profits = [
        profit
        for choice in product((0, 1), repeat=len(items))
        if (profit := _profit(items, chosen, v, choice)) is not None
    ]
    return Fraction(max(profits)) if profits else None


def _profit(
    items: Sequence[str], chosen: Sequence[Chosen], v: Values, choice: Sequence[int]
) -> int | None:
    """What a choice brings; None if it is not allowed."""
    names = [name for name, on in zip(items, choice) if on]
    profit = sum(v[f"profit_{name}"] for name in names)
    over = max(0, sum(v[f"cost_{name}"] for name in names) - v["budget"])
    has_loan = any(name == "loan" for name, _ in chosen)
    if over > (v["credit"] if has_loan else 0):
        return None
    if has_loan:
        profit -= v["interest"] * over
    for name, picks in chosen:
        on = [choice[n] for n in picks]
        if not _allows(name, on, v, names):
            return None
        if name in ("bonus", "harm") and all(on):
            profit += v["bonus"] if name == "bonus" else -v["harm"]
        elif name == "fine" and not any(on):
            profit -= v["fine"]
        elif name == "grant" and len(names) >= v["many"]:
            profit += v["grant"]
    return profit


def _allows(name: str, on: Sequence[int], v: Values, names: Sequence[str]) -> bool:
    """Whether a condition holds where these projects are carried out."""
    match name:
        case "not_both":
            return not all(on)
        case "needs":
            return on[0] <= on[1]
        case "either":
            return any(on)
        case "together":
            return not (on[0] and on[1]) or bool(on[2])
        case "most":
            return len(names) <= v["most"]
        case "staff":
            return sum(v[f"staff_{each}"] for each in names) <= v["workers"]
    return True


FAMILY = Family("maximize", WORDS, base, FEATURES, optimum)
