"""The evaluation that measures a profile, and the profiles in folders.

A measurement plays eight attempts at some held-out tasks of every level. It can be divided over
several machines: shard ``i`` of ``n`` has every n-th environment, from the i-th on.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, Self

from palaestra.profiles import IN_FOLDER, Profile, load
from palaestra.registry import names
from palaestra.trainers.calibration.ladders import selected
from palaestra.trainers.evaluation.suites import Cell, Suite

SAMPLES = 8
"""How many attempts at a task a measurement makes, for pass@8."""

TASKS = 16
"""How many tasks of each level a measurement plays, unless another number is asked for."""

_SHARD = re.compile(r"(\d{1,4})/(\d{1,4})")


class Shard(NamedTuple):
    """One of several parts of a measurement, counted from 1."""

    position: int = 1
    total: int = 1

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a shard such as ``2/8``. Raises ``ValueError``.

        >>> Shard.parse("2/8")
        Shard(position=2, total=8)
        """
        match = _SHARD.fullmatch(text.strip())
        position, total = (int(match[1]), int(match[2])) if match else (0, 0)
        if not 1 <= position <= total:
            raise ValueError(f"a shard is written as 1/8, from 1/8 to 8/8, not {text[:20]!r}")
        return cls(position, total)

    def folder(self, out: Path) -> Path:
        """Return the folder of its evaluation.

        >>> Shard(2, 8).folder(Path("profiles")).as_posix()
        'profiles/2-of-8'
        """
        return out if self.total == 1 else out / f"{self.position}-of-{self.total}"


def suite(
    patterns: Iterable[str] = (),
    levels: Sequence[int] | None = None,
    tasks: int = TASKS,
    shard: Shard = Shard(),  # noqa: B008  immutable
    answer_format: str = "tags",
) -> Suite:
    """Return the tasks of a measurement: environments by their names, categories or patterns, at
    all levels unless some are named.

    Raises ``ValueError`` for a shard without environments, and what
    :func:`palaestra.trainers.calibration.selected` does.
    """
    environments = [*selected(patterns, levels).items()]
    own = environments[shard.position - 1 :: shard.total]
    if not own:
        raise ValueError(
            f"part {shard.position} of {shard.total} is empty: the number of environments is "
            f"{len(environments)}"
        )
    cells = (
        Cell(env, level, tasks, answer_format=answer_format)
        for env, chosen in own
        for level in chosen
    )
    return Suite(tuple(cells), "profile")


def read(path: Path) -> tuple[Profile, ...]:
    """Return the profiles in a file, or those in a folder of an evaluation, a calibration, or a
    measurement with all its shards.

    Raises ``ValueError`` for another content, and ``OSError`` for a path that does not exist.
    """
    if not path.is_dir():
        return load(path)
    files = [*path.glob(IN_FOLDER)] or sorted(path.glob(f"*-of-*/{IN_FOLDER}"))
    if not files:
        shard = Shard(1, 8).folder(path)
        raise ValueError(f"{path} contains no {IN_FOLDER}, nor does a folder such as {shard}")
    return tuple(profile for file in files for profile in load(file))


def unknown(profile: Profile) -> list[str]:
    """Return the environments of a profile that this installation does not have."""
    return sorted(profile.environments.keys() - {*names()})
