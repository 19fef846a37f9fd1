"""Environments of the verifiers library that a module loads by ``load_environment``.

``palaestra import verifiers:MODULE`` writes a file for it. It serves the library up to 0.3, which
the module ``verifiers.legacy`` of 0.3 contains. The module runs in other processes, see
:mod:`palaestra.importers.processes`, but in no sandbox: what it does with replies is its own.

Its parser reads the whole reply. Replies therefore take the answer format ``bare``, and the
prompt of the module states how answers are marked.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from random import Random
from typing import Any, ClassVar, Self

from palaestra.address import StaleVersion
from palaestra.importers.processes import WorkerFault, called
from palaestra.importers.rewards import bounded
from palaestra.task import (
    InvalidAnswer,
    JudgeError,
    KnobError,
    NoValidTask,
    Play,
    Score,
    Task,
    Turn,
)

MOST_TURNS = 256
"""Replies after which an episode ends with 0."""

TRIES = 500
"""Rows that are tried until one is on the side of the split that is wanted."""

_ROLLOUTS = "palaestra.importers.verifiers.rollouts"


class VerifiersTask(Task):
    """A row of an environment of the verifiers library. Subclasses name the module.

    The score is the weighted reward of the rubric, limited to 0 to 1. It has no solution.
    """

    verbatim: ClassVar[bool] = True
    longest: ClassVar[int] = 200_000

    module: ClassVar[str]
    """The module with ``load_environment``."""

    arguments: ClassVar[Mapping[str, Any]] = {}
    """What ``load_environment`` is called with."""

    release: ClassVar[str]
    """The release of the module's distribution; empty for a module of none."""

    rows: ClassVar[int]
    """The number of rows of the data set."""

    row: int
    opening: str

    @classmethod
    def generate(cls, rng: Random, knobs: Any) -> Self:
        """The task of the row ``knobs.row``, or of a row from ``rng`` if that is 0.

        Raises :class:`~palaestra.task.KnobError` for a row that does not exist,
        :class:`~palaestra.task.NoValidTask` where the module fails, and
        :class:`~palaestra.address.StaleVersion` for another release of it.
        """
        check_release(cls.module, cls.release)
        if knobs.row > cls.rows:
            raise KnobError(f"{cls.module} has {cls.rows} rows")
        row = knobs.row or 1 + rng.randrange(cls.rows)
        try:
            text = called(f"{_ROLLOUTS}:opening", cls.module, json.dumps(cls.arguments), row)
        except WorkerFault as error:
            raise NoValidTask(f"{cls.module}: {error}"[:500]) from None
        return cls(row=row, opening=text)

    @classmethod
    def sample(
        cls, rng: Random, knobs: Any, held_out: bool | None = None, tries: int = TRIES
    ) -> Self:
        """Generate until a row is on the side of the split.

        Raises :class:`~palaestra.task.NoValidTask` where a row is on the other side.
        """
        return super().sample(rng, knobs, held_out, 1 if knobs.row else min(tries, TRIES))

    def canonical(self) -> str:
        """The prompt without regard to case and spaces."""
        return " ".join(self.opening.split()).casefold()

    def play(self) -> Play:
        """Hand replies to the module until its rollout is over."""
        check_release(self.module, self.release)
        replies: list[str] = []
        observation = self.opening
        while len(replies) < MOST_TURNS:
            try:
                reply = yield Turn(observation)
            except InvalidAnswer:
                reply = ""
            replies.append(reply)
            after = self._after(replies)
            if after["is_over"]:
                return bounded(float(after["reward"]), "the rubric")
            observation = after["observation"]
        return Score(0.0, f"the episode is not over after {MOST_TURNS} replies", status="limit")

    def _after(self, replies: list[str]) -> dict[str, Any]:
        try:
            after: dict[str, Any] = called(
                f"{_ROLLOUTS}:play", self.module, json.dumps(self.arguments), self.row, replies
            )
        except WorkerFault as error:
            raise JudgeError(f"{self.module}: {error}"[:300]) from None
        return after

    def solve(self) -> Iterable[str]:
        """Nothing: how an answer is marked is up to the module."""
        return ()


def check_release(module: str, release: str) -> None:
    """Raise :class:`~palaestra.address.StaleVersion` unless that release is installed."""
    if (there := release_of(module)) != release:
        raise StaleVersion(
            f"{module} was imported at {release or 'no release'}, and {there or 'none'} is "
            f"installed; run `palaestra import verifiers:{module} --replace`"
        )


@cache
def release_of(module: str) -> str:
    """The release of the distribution that a module is from, or nothing."""
    names = packages_distributions().get(module.partition(".")[0], [])
    try:
        return version(names[0]) if names else ""
    except PackageNotFoundError:
        return ""
