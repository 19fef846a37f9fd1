"""The bootcamps of InternBootcamp, each as an environment.

``palaestra import internbootcamp`` writes a file for each bootcamp. A task's arguments and seed
are those of a case; the bootcamp's own ``verify_score`` judges. The package runs in other
processes, see :mod:`palaestra.importers.processes`, but in no sandbox: bootcamps whose judges run
what they read are not imported.

A bootcamp reads whole replies. Replies therefore take the answer format ``bare``, and its prompt
states how answers are marked.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from random import Random
from typing import Any, ClassVar, Self

from palaestra.address import StaleVersion
from palaestra.importers.knobs import UNUSED
from palaestra.importers.processes import WorkerFault, called
from palaestra.importers.rewards import bounded
from palaestra.task import JudgeError, NoValidTask, Puzzle, Score

PACKAGE = "internbootcamp"

CONFIG = "config"
"""The knob that chooses one of the lists of arguments, from 0."""

LOAD_S = 300.0
"""Seconds in which a process imports the package with all its bootcamps, and answers."""

TRIES = 20
"""Seeds that are tried where a bootcamp fails to draw a case."""

_CAMPS = "palaestra.importers.internbootcamp.camps"


class BootcampTask(Puzzle):
    """A case of a bootcamp. Subclasses name its class, and the release. It has no solution."""

    longest: ClassVar[int] = 200_000
    verbatim: ClassVar[bool] = True

    camp: ClassVar[str]
    """The name of the bootcamp's class."""

    release: ClassVar[str]
    """The version of the package, and a digest of the bootcamp's source code."""

    configs: ClassVar[Sequence[Mapping[str, Any]]] = ()
    """Arguments of the bootcamp, one after the other for the levels; without any, the knobs are
    arguments.
    """

    settings: tuple[tuple[str, bool | int | float], ...]
    """The knobs."""

    source_seed: int
    question: str

    @classmethod
    def generate(cls, rng: Random, knobs: Any) -> Self:
        """The case of a seed from ``rng``.

        Raises :class:`~palaestra.task.NoValidTask` where the bootcamp draws none, and
        :class:`~palaestra.address.StaleVersion` for another release of it.
        """
        check_release(cls.camp, cls.release)
        settings = tuple(knobs.model_dump().items())
        arguments, reason = cls.arguments_of(settings), ""
        for _ in range(TRIES):
            seed = rng.getrandbits(31)
            try:
                text = called(f"{_CAMPS}:question", cls.camp, arguments, seed, wall_s=LOAD_S)
            except WorkerFault as error:
                reason = str(error)
            else:
                return cls(settings=settings, source_seed=seed, question=text)
        raise NoValidTask(f"{cls.camp} drew no case from {TRIES} seeds: {reason}"[:500])

    @classmethod
    def arguments_of(cls, settings: Iterable[tuple[str, Any]]) -> dict[str, Any]:
        """The arguments of the bootcamp; all others have their defaults."""
        known = dict(settings)
        if cls.configs:
            return dict(cls.configs[known[CONFIG]])
        return {name: value for name, value in known.items() if name != UNUSED}

    def canonical(self) -> str:
        """The prompt, without regard to spaces."""
        return " ".join(self.question.split())

    def prompt(self) -> str:
        """The case as the bootcamp words it."""
        return self.question

    def answer(self) -> str:
        """Nothing: bootcamps have no solutions."""
        return ""

    def solve(self) -> Iterable[str]:
        """Nothing."""
        return ()

    def verify(self, answer: str) -> Score:
        """Judge by the bootcamp's own ``verify_score``.

        Raises :class:`~palaestra.task.JudgeError` where it fails.
        """
        check_release(self.camp, self.release)
        attempt = (self.camp, self.arguments_of(self.settings), self.source_seed, answer)
        try:
            return bounded(float(called(f"{_CAMPS}:score", *attempt, wall_s=LOAD_S)), self.camp)
        except WorkerFault as error:
            raise JudgeError(f"{self.camp}: {error}"[:300]) from None


def check_release(camp: str, release: str) -> None:
    """Raise :class:`~palaestra.address.StaleVersion` unless that release is installed."""
    if (there := release_of(camp)) != release:
        raise StaleVersion(
            f"{camp} was imported from InternBootcamp {release}, and {there or 'none'} is "
            "installed; run `palaestra import internbootcamp --replace` for its tasks"
        )


@cache
def release_of(camp: str) -> str:
    """The version of the package with a digest of a bootcamp, or nothing without the package."""
    if not (number := version_of_package()):
        return ""
    try:
        return f"{number} {called(f'{_CAMPS}:digest', camp, wall_s=LOAD_S)}"
    except WorkerFault:
        return number


def version_of_package() -> str:
    """The version that is installed, or nothing."""
    try:
        return version(PACKAGE)
    except PackageNotFoundError:
        return ""
