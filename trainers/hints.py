"""Hints for the tasks that a whole group of attempts failed: they come back with help.

A task that nobody solved teaches nothing, as all its rewards are equal. It comes back with the
combinator ``hint``, a rung higher after each failure of a group and a rung lower after each
success, until it succeeds without a hint (K. Zhang et al., "Scaf-GRPO: Scaffolded Group Relative
Policy Optimization", 2025, raise the hints of problems in the same way).
"""

from collections.abc import Mapping, Sequence
from random import Random
from statistics import fmean

from palaestra.address import Address
from palaestra.combinators.hint import RUNGS, HintPuzzle
from palaestra.registry import UnknownEnvironment
from palaestra.task import NoValidTask

_MARK = "+hint("

CAPACITY = 512
"""How many tasks are kept at most. The oldest make room for new ones."""


def rung_of(address: Address) -> int:
    """The rung of the hint at an address, or 0.

    >>> rung_of(Address.of("grids/sudoku+hint(2)")), rung_of(Address.of("grids/sudoku"))
    (2, 0)
    """
    return int(address.env.rpartition(_MARK)[2][:-1]) if _MARK in address.env else 0


def hint_figures(addresses: Sequence[Address]) -> dict[str, float]:
    """The fraction of addresses that have a hint, ``hinted``, and their mean rung, ``hint_rung``.

    It is empty where none has a hint.
    """
    rungs = [rung for address in addresses if (rung := rung_of(address))]
    return {"hinted": len(rungs) / len(addresses), "hint_rung": fmean(rungs)} if rungs else {}


def with_rung(address: Address, rung: int) -> Address:
    """The address of the same task with a hint of a rung, or without one for 0."""
    env = address.env.partition(_MARK)[0] + (f"{_MARK}{rung})" if rung else "")
    return Address.of(env, address.seed, **address.knobs.model_dump())


class HintLadder:
    """The tasks that come back, each with the rung of its hint, from 0 to 3."""

    def __init__(self) -> None:
        self.rungs: dict[str, int] = {}

    def note(self, address: Address, value: float) -> None:
        """Moves the rung of a task after a group of attempts with a mean score.

        A failure of all raises it, a success of any lowers it. A task that fails at the highest
        rung is given up; so is one that has no hints, for instance as its answer is too short.
        """
        task, rung = str(with_rung(address, 0)), rung_of(address)
        known = self.rungs.pop(task, None) is not None
        next_rung = rung + 1 if value == 0 else rung - 1
        if next_rung < 0 or next_rung >= RUNGS or (value > 0 and not known):
            return
        if next_rung == 0 or _has_hint(address, next_rung):
            self.rungs[task] = next_rung
        if len(self.rungs) > CAPACITY:
            del self.rungs[next(iter(self.rungs))]

    def sample(self, rng: Random) -> Address:
        """The address of one of the tasks with its hint. Raises ``IndexError`` for none."""
        task = rng.choice(list(self.rungs))
        return with_rung(Address.parse(task), self.rungs[task])

    def restore(self, rungs: Mapping[str, int]) -> None:
        """Goes on from the ``rungs`` of another ladder."""
        self.rungs = dict(rungs)


def _has_hint(address: Address, rung: int) -> bool:
    """Whether the task at an address has a hint of a rung, and is not replaced for it."""
    try:
        task = with_rung(address, rung).task()
    except (UnknownEnvironment, NoValidTask):
        return False
    return isinstance(task, HintPuzzle) and task.task == with_rung(address, 0).task()
