"""The environments of a calibration, and how far each of them is.

Tasks are from the training seeds, since a calibration selects what is trained on, and the held-out
tasks stay unused until the evaluation. Their seeds are digests, spread over the whole split, so
that a model which was trained on the first thousand seeds does not meet these again.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from hashlib import blake2b
from typing import NamedTuple

from palaestra.address import SEEDS, Address
from palaestra.registry import UnknownEnvironment, canonical, load, near, packages
from palaestra.trainers.calibration.curves import Count
from palaestra.trainers.calibration.design import Design
from palaestra.trainers.evaluation.attempts import Attempt, Key
from palaestra.trainers.evaluation.suites import Cell, matching

LARGEST_LEVEL = 1_000
"""No level is as high."""

_LEVELS = re.compile(r"(\d{1,3})(?:-(\d{1,3}))?")


class Job(NamedTuple):
    """A task to be attempted."""

    cell: Cell
    address: Address

    @property
    def key(self) -> Key:
        """The key of its attempt."""
        return str(self.address), self.cell.answer_format, 0


def levels_of(text: str) -> list[int] | None:
    """Read levels such as ``0-2``, ``0,3`` or ``all``, which is None. Raises ``ValueError``.

    >>> levels_of("0-2,5"), levels_of("all")
    ([0, 1, 2, 5], None)
    """
    if text.strip() == "all":
        return None
    levels: list[int] = []
    for part in text.split(","):
        match = _LEVELS.fullmatch(part.strip())
        span = range(int(match[1]), int(match[2] or match[1]) + 1) if match else ()
        if not span:
            raise ValueError(f"levels are all, or numbers and spans as in 0-2,5, not {text[:40]!r}")
        levels += span
    return sorted({*levels})


def selected(
    patterns: Iterable[str] = (), levels: Sequence[int] | None = None
) -> dict[str, tuple[int, ...]]:
    """Return the environments that are meant, each with the levels to try.

    A pattern is the name of an environment, a category, or has ``*``, ``?`` or ``[…]``; none means
    all environments. Raises :class:`~palaestra.registry.UnknownEnvironment` for a pattern like no
    environment, with similar names, and ``ValueError`` for a level that an environment named by
    itself does not have.

    >>> selected(["games/mastermind"], [0, 1])
    {'games/mastermind': (0, 1)}
    """
    levels_by_env: dict[str, set[int]] = {}
    for pattern in [*patterns] or ["*"]:
        for env, level in matching(_spelt_out(pattern), levels, "environments"):
            levels_by_env.setdefault(canonical(env), set()).add(level)
    return {env: tuple(sorted(own)) for env, own in sorted(levels_by_env.items())}


def _spelt_out(pattern: str) -> str:
    """A category as a pattern. Raises ``UnknownEnvironment`` for a word that is none."""
    if pattern in packages():
        return f"{pattern}/*"
    if not set(pattern) & set("/*?["):
        categories = [f"the category {name}" for name in get_close_matches(pattern, packages(), 1)]
        similar = [*categories, *near(pattern)]
        hint = f"did you mean {' or '.join(similar)}?" if similar else "see `palaestra list`"
        raise UnknownEnvironment(f"no environment or category is called {pattern[:80]!r}; {hint}")
    return pattern


def address_of(env: str, level: int, number: int) -> Address:
    """Return a task for the calibration of a level, the same for every model.

    >>> print(address_of("games/mastermind", 0, 0))
    games/mastermind@1?digits=8&guesses=6&length=2&seed=287992541
    """
    digest = blake2b(f"calibration {env} {level} {number}".encode(), digest_size=8).digest()
    return Address.of(env, int.from_bytes(digest) % len(SEEDS["train"]), level, "train")


@dataclass
class Ladder:
    """An environment with the levels to try, and the outcomes of its finished rounds."""

    env: str
    levels: tuple[int, ...]
    design: Design
    answer_format: str = "tags"
    finished: bool = False
    rounds: int = 0
    """Number of rounds begun."""

    tried: Counter[int] = field(default_factory=Counter)
    counts: list[Count] = field(init=False)
    _round: dict[Key, Job] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.counts = [Count()] * load(self.env).Knobs.levels()

    def advance(self, held: Mapping[Key, Attempt]) -> list[Job]:
        """Return the jobs of a new round whose attempts are not held.

        There are none while a round is under way, and none once the environment is finished.
        Rounds whose attempts are all held take no more than their outcomes.
        """
        if self._round:
            if self._missing(held):
                return []
            self._end(held)
        while self._begin():
            if missing := self._missing(held):
                return missing
            self._end(held)
        return []

    def _begin(self) -> bool:
        """Plans a round; False if there is none."""
        levels = self.design.next_round(self.levels, self.counts, self.tried)
        self.finished = not levels
        for level in levels:
            cell = Cell(self.env, level, answer_format=self.answer_format)
            job = Job(cell, address_of(self.env, level, self.tried[level]))
            self._round[job.key] = job
            self.tried[level] += 1
        self.rounds += bool(levels)
        return bool(levels)

    def _missing(self, held: Mapping[Key, Attempt]) -> list[Job]:
        return [job for key, job in self._round.items() if key not in held]

    def _end(self, held: Mapping[Key, Attempt]) -> None:
        """Takes the outcomes of a round. What could not be scored is no outcome."""
        for key, job in self._round.items():
            if (correct := held[key].correct) is not None:
                right, wrong = self.counts[job.cell.level]
                self.counts[job.cell.level] = Count(right + correct, wrong + (not correct))
        self._round.clear()
