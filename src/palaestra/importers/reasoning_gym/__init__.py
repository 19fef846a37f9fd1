"""The families of the package reasoning-gym, each as an environment.

``palaestra import reasoning-gym`` writes a file for each family that the installed release
registers. A task's configuration and seed are those of the package; its own ``score_answer``
judges. The package runs in other processes: see :mod:`palaestra.importers.processes`, and
:mod:`palaestra.importers.reasoning_gym.jail` for scorers that evaluate what they judge.
"""

from collections.abc import Iterable
from functools import cache
from random import Random
from typing import Any, ClassVar, Self

from palaestra.address import StaleVersion
from palaestra.importers.knobs import UNUSED
from palaestra.importers.processes import Raised, WorkerFault, called, installed
from palaestra.importers.rewards import bounded
from palaestra.task import JudgeError, KnobError, NoValidTask, Puzzle, Score

EXTRA = "reasoning-gym"

TRIES = 20
"""Seeds that are tried where the package fails to generate a task."""

_FAMILIES = "palaestra.importers.reasoning_gym.families"


class ReasoningGymTask(Puzzle):
    """A task of reasoning-gym. Subclasses name the family and the release."""

    longest: ClassVar[int] = 100_000
    verbatim: ClassVar[bool] = True  # their scorers compare texts as they are

    family: ClassVar[str]
    """The name that the package registers."""

    release: ClassVar[str]
    """The release that the file was written for; another one may have other tasks."""

    partial_credit: ClassVar[bool] = True
    """Whether a score between 0 and 1 counts. Some families give partial credit to any text."""

    settings: tuple[tuple[str, bool | int | float], ...]
    """The parameters of the configuration; all others have their defaults."""

    source_seed: int
    """The seed of the package's data set, of which this is the first task."""

    question: str

    @classmethod
    def generate(cls, rng: Random, knobs: Any) -> Self:
        """The task of a seed from ``rng``.

        Raises :class:`~palaestra.task.KnobError` for values that the package refuses together, and
        :class:`~palaestra.address.StaleVersion` for another release of it.
        """
        check_release(cls.release, cls.family)
        settings = {name: value for name, value in knobs.model_dump().items() if name != UNUSED}
        for _ in range(TRIES):
            seed = rng.getrandbits(31)
            try:
                item = called(f"{_FAMILIES}:item", cls.family, settings, seed)
            except Raised as error:
                if error.type == "Refused":
                    raise KnobError(
                        f"reasoning-gym refuses these values: {error.message}"
                    ) from None
                reason = str(error)
            except WorkerFault as error:
                raise NoValidTask(f"reasoning-gym generated no task: {error}") from None
            else:
                pairs = tuple(settings.items())
                return cls(settings=pairs, source_seed=seed, question=item["question"])
        raise NoValidTask(f"reasoning-gym generated no task from {TRIES} seeds: {reason}"[:500])

    def canonical(self) -> str:
        """The question, which states the task."""
        return self.question

    def prompt(self) -> str:
        """The question as the package words it."""
        return self.question

    def answer(self) -> str:
        """The answer of the package; empty where it has none."""
        item = called(f"{_FAMILIES}:item", self.family, dict(self.settings), self.source_seed)
        return str(item["answer"])

    def solve(self) -> Iterable[str]:
        """The answer of the package, or nothing where it has none."""
        answer = self.answer()
        return [answer] if answer else []

    def verify(self, answer: str) -> Score:
        """Judge by the package's own scorer.

        Raises :class:`~palaestra.task.JudgeError` where it fails for the right answer as well.
        """
        check_release(self.release, self.family)
        try:
            scorer = _scorer(self.family)
            score = self._score(answer) if scorer is None else self._jailed(answer, scorer)
        except Raised:
            return self._unreadable()
        except WorkerFault as error:
            raise JudgeError(f"reasoning-gym's scorer: {error}"[:300]) from None
        if score.value < 1 and not self.partial_credit:
            return Score(0.0, score.reason, status=score.status)
        return score

    def _score(self, answer: str) -> Score:
        arguments = (self.family, dict(self.settings), self.source_seed, answer)
        return bounded(float(called(f"{_FAMILIES}:score", *arguments)), "reasoning-gym's scorer")

    def _jailed(self, answer: str, scorer: dict[str, str]) -> Score:
        from palaestra.importers.reasoning_gym.jail import jailed_score

        config = dict(self.settings)
        entry = called(f"{_FAMILIES}:plain_entry", self.family, config, self.source_seed)
        request = {**scorer, "config": config, "entry": entry, "answer": answer}
        return jailed_score(request.pop("module"), request)

    def _unreadable(self) -> Score:
        """The score of an answer at which their scorer raised an exception."""
        try:
            self._score(self.answer() or "?")
        except (WorkerFault, JudgeError) as error:
            raise JudgeError(f"reasoning-gym's scorer: {error}"[:300]) from None
        reason = "reasoning-gym's scorer cannot read this answer"
        return Score(0.0, reason, status="malformed")


def check_release(release: str, family: str) -> None:
    """Raise :class:`~palaestra.address.StaleVersion` unless that release is installed, and
    :class:`~palaestra.extras.MissingExtra` where none is.
    """
    if (there := _installed()) != release:
        raise StaleVersion(
            f"{family} was imported from reasoning-gym {release}, and {there} is installed; "
            "run `palaestra import reasoning-gym --replace` for the tasks of this release"
        )


@cache
def _installed() -> str:
    return installed("reasoning-gym", EXTRA)


@cache
def _scorer(family: str) -> dict[str, str] | None:
    scorer: dict[str, str] | None = called(f"{_FAMILIES}:scorer", family)
    return scorer
