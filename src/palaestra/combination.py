"""What every combination is: an environment that a combinator makes of another one.

The combinators themselves are in :mod:`palaestra.combinators`, which is imported where a name has
one. No environment depends on them.
"""

from abc import abstractmethod
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, Self

from palaestra.task import WORDINGS, NoValidTask, Task


@dataclass(frozen=True)
class Sampler:
    """Draws further tasks of the base environment, with the same knobs and on the same split."""

    base: type[Task]
    knobs: Any
    held_out: bool
    rng: Random

    def __call__(self) -> Task:
        """A further task."""
        return self.base.sample(self.rng, self.knobs, self.held_out)


TRIES = 20
"""How many tasks are tried for one that suits."""


class BadCombination(LookupError):
    """A combination that does not exist: an unknown combinator, arguments out of their bounds, or
    an environment that the combinator does not apply to.
    """


class Unsuitable(Exception):
    """A task that a combinator does not apply to, although it applies to its environment."""


class Combination(Task):
    """An environment that a combinator makes of a base environment. It has the base's knobs.

    Its task at a seed is made of the base's task at the same seed, so that the two can be compared,
    and is held out for evaluation if and only if that one is. Where that task does not suit, it is
    made of one that does.
    """

    base: ClassVar[type[Task]]
    combinator: ClassVar[Any]
    """The :class:`~palaestra.combinators.Combinator` that makes it."""

    name: ClassVar[str]
    """What it is loaded by, for instance in another process."""

    @classmethod
    @abstractmethod
    def around(cls, task: Any, rng: Random, another: Sampler) -> Self:
        """Make the combination of a task of the base. Chance comes from ``rng`` and ``another``.

        Raises :class:`Unsuitable` where the task does not suit.
        """

    @classmethod
    def generate(cls, rng: Random, knobs: Any) -> Self:
        """A combination of a task of the base, on either split."""
        return cls.sample(rng, knobs)

    @classmethod
    def sample(
        cls, rng: Random, knobs: Any, held_out: bool | None = None, tries: int = 10_000
    ) -> Self:
        """A combination of a task of the base, on that split, or on either for None."""
        task = cls.base.sample(rng, knobs, held_out, tries)
        return cls.combined(task, rng, knobs, task.held_out())

    @classmethod
    def combined(cls, task: Task, rng: Random, knobs: Any, held_out: bool) -> Self:
        """The combination of a task with these knobs, which is held out or not.

        Raises :class:`~palaestra.task.NoValidTask` where neither the task nor any of a number of
        others suits.
        """
        another = Sampler(cls.base, knobs, held_out, rng)
        wording = rng.randrange(WORDINGS)
        for _ in range(TRIES):
            try:
                return cls.around(task, rng, another)._worded(wording)
            except Unsuitable as error:
                reason = error
                task = another()
        raise NoValidTask(f"{cls.__name__} with {knobs!r}: {reason}")
