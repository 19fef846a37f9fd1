r"""Exact optima of linear and integer programs, by branch and bound (A. Land and A. Doig, 1960).

>>> from palaestra.verifiers.modelling.language import instance, parse
>>> text = "integer x, y\nmaximize 5*x + 4*y\n6*x + 4*y <= 24\nx + 2*y <= 6"
>>> optimum(instance(parse(text, ()), {})).value
Fraction(20, 1)
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, floor, gcd, lcm
from typing import NamedTuple

from palaestra.verifiers.modelling.language import Number, Program
from palaestra.verifiers.modelling.simplex import Budget, Dictionary, State, WorkLimit

NODES = 3_000
"""How many nodes a search may have."""

WORK = 2_000_000
"""How many entries of dictionaries may be computed for one program."""


class Optimum(NamedTuple):
    """The optimum of a program."""

    state: State
    value: Fraction | None = None
    nodes: int = 0
    x: Mapping[str, Number] = {}


def optimum(
    program: Program, target: Number | None = None, work: int = WORK, nodes: int = NODES
) -> Optimum:
    """The best value of a program. A program without an objective has the value 0.

    With a ``target``, the search only finds out whether the optimum equals it, which is faster: the
    result then has a value of that, or a better one, or it is infeasible.

    Raises :class:`~palaestra.verifiers.modelling.simplex.WorkLimit` for a search that takes more
    than so much ``work`` or so many ``nodes``.
    """
    sign = -1 if program.sense == "minimize" else 1
    if any(high is not None and high < low for low, high in zip(program.lows, program.highs)):
        return Optimum("infeasible")
    lows = tuple(ceil(low) if whole else low for low, whole in zip(program.lows, program.integers))
    moved = {name: low for name, low in zip(program.names, lows) if low}
    costs = program.objective
    base = program.constant + sum(costs.get(name, 0) * low for name, low in moved.items())
    scale = lcm(*(c.denominator for c in costs.values()), 1)
    objective = [int(sign * scale * costs.get(name, 0)) for name in program.names]
    rows, equations = _rows(program, lows, moved)
    root = Dictionary(objective, rows, equations, Budget(work))
    state = root.solve()
    if state != "optimal":
        return Optimum(state)
    aim = None if target is None else sign * (target - base) * scale
    value, count, x = _search(root, program.integers, aim, nodes)
    if value is None:
        return Optimum("infeasible", None, count)
    point = {name: low + part for name, low, part in zip(program.names, lows, x)}
    return Optimum("optimal", Fraction(sign * value) / scale + base, count, point)


def _rows(
    program: Program, lows: Sequence[Number], moved: Mapping[str, Number]
) -> tuple[list[list[int]], int]:
    """The rows in whole numbers for variables from 0 on, the equations first, and their number."""
    equal, most = list[list[int]](), list[list[int]]()
    for row in program.rows:
        left = row.coefficients
        bound = row.bound
        for name, low in moved.items():
            bound -= left.get(name, 0) * low
        line = [*(left.get(name, 0) for name in program.names), bound]
        if row.relation == ">=":
            line = [-each for each in line]
        (equal if row.relation == "=" else most).append(_whole(line))
    for n, (low, high) in enumerate(zip(lows, program.highs)):
        if high is not None:
            unit: list[Number] = [0] * (len(lows) + 1)
            unit[n], unit[-1] = 1, (floor(high) if program.integers[n] else high) - low
            most.append(_whole(unit))
    return [*equal, *most], len(equal)


def _whole(line: list[Number]) -> list[int]:
    """A multiple of a row in small whole numbers."""
    scale = lcm(*(each.denominator for each in line))
    whole = [int(each * scale) for each in line] if scale > 1 else [int(each) for each in line]
    common = gcd(*whole)
    return [each // common for each in whole] if common > 1 else whole


def _search(
    root: Dictionary, integers: tuple[bool, ...], aim: Number | None, nodes: int
) -> tuple[Fraction | None, int, list[Fraction]]:
    """The best value at whole numbers, with the nodes and the point; depth first."""
    stack, best, count = [root], None, 0
    point = list[Fraction]()
    while stack:
        node = stack.pop()
        count += 1
        if count > nodes:
            raise WorkLimit("the search takes too many nodes")
        value = node.value
        if (best is not None and value <= best) or (aim is not None and value < aim):
            continue
        x = node.values(len(integers))
        parts = [
            (abs(each - floor(each) - Fraction(1, 2)), n)
            for n, each in enumerate(x)
            if integers[n] and each.denominator > 1
        ]
        if not parts:
            best, point = value, x
            if aim is not None and value > aim:
                break
            continue
        n = min(parts)[1]
        below, above = node.copy(), node
        below.limit(n, floor(x[n]))
        above.limit(n, floor(x[n]) + 1, at_least=True)
        children = [child for child in (below, above) if child.restore() == "optimal"]
        stack += sorted(children, key=lambda child: child.value)
    return best, count, point
