"""One machine that is cleaned between jobs of different kinds: orders of the least penalty.

The search is a dynamic programme over sets of jobs, after Michael Held and Richard Karp (1962). As
the time that a set takes depends on its order, each set keeps all pairs of a time and a penalty
of which no other is better in both.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Job(NamedTuple):
    """A job: its kind, how long it takes, when it is due, and the penalty for each late minute."""

    material: str
    duration: int
    due: int
    weight: int


class Label(NamedTuple):
    """A way to run a set of jobs: when it ends, what it costs, and how it came about."""

    time: int
    penalty: int
    job: int
    before: "Label | None"


def penalty(jobs: Sequence[Job], cleaning: int, order: Iterable[int]) -> int:
    """The total penalty of jobs in an order, with so many minutes of cleaning between two jobs of
    different materials.
    """
    now = total = 0
    material = ""
    for number in order:
        job = jobs[number]
        now += job.duration + (cleaning if material not in {"", job.material} else 0)
        total += job.weight * max(0, now - job.due)
        material = job.material
    return total


def best_order(jobs: Sequence[Job], cleaning: int) -> tuple[list[int], int]:
    """An order of the least penalty, and how many partial orders were kept to find it."""
    layers: dict[tuple[int, str], list[Label]] = {(0, ""): [Label(0, 0, -1, None)]}
    kept = 0
    for _ in jobs:
        following: dict[tuple[int, str], list[Label]] = {}
        for (done, material), labels in layers.items():
            for number, job in enumerate(jobs):
                if done >> number & 1:
                    continue
                pause = cleaning if material not in {"", job.material} else 0
                key = done | 1 << number, job.material
                following.setdefault(key, []).extend(
                    Label(
                        time := label.time + pause + job.duration,
                        label.penalty + job.weight * max(0, time - job.due),
                        number,
                        label,
                    )
                    for label in labels
                )
        layers = {key: _undominated(labels) for key, labels in following.items()}
        kept += sum(map(len, layers.values()))
    best: Label | None = min(
        (label for labels in layers.values() for label in labels), key=lambda each: each.penalty
    )
    order = list[int]()
    while best is not None and best.before is not None:
        order.append(best.job)
        best = best.before
    return order[::-1], kept


def _undominated(labels: list[Label]) -> list[Label]:
    """Those of which none other ends as early and costs as little."""
    labels.sort(key=lambda label: (label.time, label.penalty))
    kept = [labels[0]]
    for label in labels[1:]:
        if label.penalty < kept[-1].penalty:
            kept.append(label)
    return kept
