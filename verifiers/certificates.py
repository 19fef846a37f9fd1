"""Checks of certificates: paths, colorings, flows and schedules.

Each ``..._violation`` function returns a sentence that states the first violated rule, or an empty
string if the object satisfies all rules.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise


def gap(value: float, baseline: float, best: float) -> float:
    """Return the share of the way from a baseline (0) to the best value (1).

    >>> gap(12, baseline=15, best=10), gap(16, baseline=15, best=10), gap(10, 15, 10)
    (0.6, 0.0, 1.0)
    """
    if value == best:
        return 1.0
    return max(0.0, (value - baseline) / (best - baseline)) if best != baseline else 0.0


def path_violation(
    path: Sequence[int],
    arcs: Collection[tuple[int, int]],
    source: int,
    target: int,
    names: Sequence[str],
) -> str:
    """Return why ``path`` is not a path along arcs from source to target, or an empty string.

    >>> path_violation([0, 2, 1], {(0, 1), (1, 2)}, 0, 1, "ABC")
    'there is no edge from A to C'
    """
    if not path or path[0] != source:
        return f"the path does not start at {names[source]}"
    if path[-1] != target:
        return f"the path does not end at {names[target]}"
    missing = next((step for step in pairwise(path) if step not in arcs), None)
    return f"there is no edge from {names[missing[0]]} to {names[missing[1]]}" if missing else ""


def coloring_violation(
    colors: Sequence[str], edges: Collection[tuple[int, int]], names: Sequence[str]
) -> str:
    """Return why ``colors`` is not a proper coloring of the nodes, or an empty string.

    >>> coloring_violation(["red", "red"], [(0, 1)], "AB")
    'A and B are joined and both red'
    """
    clash = next(((u, v) for u, v in edges if colors[u] == colors[v]), None)
    if clash is None:
        return ""
    return f"{names[clash[0]]} and {names[clash[1]]} are joined and both {colors[clash[0]]}"


def flow_violation(
    flow: Mapping[tuple[int, int], int],
    capacity: Mapping[tuple[int, int], int],
    source: int,
    sink: int,
    names: Sequence[str],
) -> str:
    """Return why the numbers on arcs are not a flow, or an empty string.

    >>> flow_violation({(0, 1): 2, (1, 2): 1}, {(0, 1): 2, (1, 2): 1}, 0, 2, "ABC")
    '2 comes into B, but 1 goes out'
    """
    for (u, v), amount in flow.items():
        if (u, v) not in capacity:
            return f"there is no edge from {names[u]} to {names[v]}"
        if not 0 <= amount <= capacity[u, v]:
            return f"the edge from {names[u]} to {names[v]} cannot carry {_short(amount)}"
    into, out = [0] * len(names), [0] * len(names)
    for (u, v), amount in flow.items():
        out[u] += amount
        into[v] += amount
    for node, name in enumerate(names):
        if node not in (source, sink) and into[node] != out[node]:
            return f"{into[node]} comes into {name}, but {out[node]} goes out"
    return ""


def schedule_violation(
    starts: Sequence[Sequence[int]], jobs: Sequence[Sequence[tuple[int, int]]]
) -> str:
    """Return why start times do not schedule the jobs, which are rows of (machine, duration).

    >>> schedule_violation([[0, 3], [0, 3]], [[(0, 3), (1, 1)], [(1, 2), (0, 2)]])
    ''
    >>> schedule_violation([[0, 3], [0, 2]], [[(0, 3), (1, 1)], [(1, 2), (0, 2)]])
    'machine 1 has not done operation 1 of job 1 when operation 2 of job 2 starts'
    """
    busy: dict[int, list[tuple[int, int, str]]] = {}
    for number, (job, begun) in enumerate(zip(jobs, starts), 1):
        free = 0
        for step, ((machine, duration), start) in enumerate(zip(job, begun), 1):
            label = f"operation {step} of job {number}"
            if start < free:
                late = "time 0" if step == 1 else f"operation {step - 1} has ended"
                return f"{label} starts before {late}"
            free = start + duration
            busy.setdefault(machine, []).append((start, free, label))
    for machine, runs in sorted(busy.items()):
        for (_, end, label), (start, _, other) in pairwise(sorted(runs)):
            if start < end:
                return f"machine {machine + 1} has not done {label} when {other} starts"
    return ""


def _short(number: int) -> str:
    """A number, unless it is too long to be read."""
    return str(number) if abs(number) < 10**9 else "so much"
