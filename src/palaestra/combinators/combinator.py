"""What a combinator is: it makes an environment of another one, by a rule with arguments."""

from abc import abstractmethod
from collections.abc import Callable
from difflib import get_close_matches
from random import Random
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from palaestra.task import WORDINGS, NoValidTask, Puzzle, Task

Sampler = Callable[[], Task]
"""Draws a further task of the base environment, with the same knobs and on the same split."""


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
    combinator: ClassVar["Combinator"]
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
        return cls.sample(rng, knobs)

    @classmethod
    def sample(
        cls, rng: Random, knobs: Any, held_out: bool | None = None, tries: int = 10_000
    ) -> Self:
        task = cls.base.sample(rng, knobs, held_out, tries)
        return cls.combined(task, rng, knobs, task.held_out())

    @classmethod
    def combined(cls, task: Task, rng: Random, knobs: Any, held_out: bool) -> Self:
        """The combination of a task with these knobs, which is held out or not.

        Raises :class:`~palaestra.task.NoValidTask` where neither the task nor any of a number of
        others suits.
        """

        def another() -> Task:
            return cls.base.sample(rng, knobs, held_out)

        wording = rng.randrange(WORDINGS)
        for _ in range(TRIES):
            try:
                return cls.around(task, rng, another)._worded(wording)
            except Unsuitable as error:
                reason = error
                task = another()
        raise NoValidTask(f"{cls.__name__} with {knobs!r}: {reason}")


class OfOne(Combination):
    """A combination of one task, which it is as hard as."""

    task: Puzzle

    def canonical(self) -> str:
        return self.task.canonical()

    def held_out(self) -> bool:
        return self.task.held_out()

    def difficulty(self) -> float | None:
        return self.task.difficulty()


class OfSeveral(Combination):
    """A combination of several tasks, all on the same split."""

    tasks: tuple[Puzzle, ...]

    def canonical(self) -> str:
        return "\n".join(task.canonical() for task in self.tasks)

    def held_out(self) -> bool:
        return self.tasks[0].held_out()

    def difficulty(self) -> float | None:
        known = [each for task in self.tasks if (each := task.difficulty()) is not None]
        return sum(known) if known else None


class Combinator(BaseModel):
    """A rule that makes an environment of another one. The fields are its arguments, in order.

    ``palaestra.combinators.COMBINATORS`` has them all. As text, a combinator is its name with all
    arguments, as in ``retry(3,verdict)``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: ClassVar[str]
    version: ClassVar[int] = 1
    """Goes up whenever an old seed gives a new task or an old reply a new score."""

    template: ClassVar[type[Combination]]
    """The class that its environments derive from."""

    @classmethod
    def read(cls, *arguments: str) -> Self:
        """The combinator with these arguments; those that are left out have their defaults.

        Raises :class:`BadCombination` for an argument that is out of bounds, or one too many.
        """
        fields = list(cls.model_fields)
        if len(arguments) > len(fields):
            takes = f"at most {len(fields)} ({', '.join(fields)})" if fields else "no arguments"
            raise BadCombination(f"{cls.name} takes {takes}, not {len(arguments)}")
        try:
            return cls(**dict(zip(fields, arguments)))
        except ValidationError as invalid:
            raise BadCombination(
                f"{cls.name}: " + "; ".join(cls._message(error) for error in invalid.errors())
            ) from None

    @classmethod
    def _message(cls, error: Any) -> str:
        name = str(error["loc"][0])
        schema = cls.model_json_schema()["properties"][name]
        if "enum" in schema:
            allowed = f"one of {', '.join(schema['enum'])}"
        else:
            most = schema.get("maximum", schema.get("exclusiveMaximum", 0) - 1)
            allowed = f"an integer from {schema['minimum']} to {most}"
        return f"{name} is {allowed}, not {str(error['input'])[:40]!r}"

    def __str__(self) -> str:
        values = ",".join(str(getattr(self, name)) for name in type(self).model_fields)
        return f"{self.name}({values})" if values else self.name

    def refusal(self, base: type[Task]) -> str:
        """Why it does not apply to an environment; empty if it does.

        Unless a subclass says otherwise, it applies to puzzles, which one reply settles.
        """
        return "" if issubclass(base, Puzzle) else "it is for environments of one reply"

    def fields(self, base: type[Task]) -> dict[str, Any]:
        """The types of the fields that hold tasks, by name."""
        several: Any = tuple[base, ...]  # type: ignore[valid-type]
        return {"tasks": several} if issubclass(self.template, OfSeveral) else {"task": base}

    def class_variables(self, base: type[Task]) -> dict[str, Any]:
        """The class variables of the environment that it makes of another one."""
        return {
            "base": base,
            "combinator": self,
            "Knobs": base.Knobs,
            "version": base.version + self.version - 1,
            "tags": base.tags - {"unique-solution"} | {self.name},
            "hidden": frozenset(),
            "verbatim": base.verbatim,
            "longest": base.longest,
            "expensive": base.expensive,
            "calculation": base.calculation,
        }


class OfSeveralTasks(Combinator):
    """A combinator that puts several tasks into one prompt, each below its number."""

    def refusal(self, base: type[Task]) -> str:
        if issubclass(base, OfSeveral):
            return "its tasks have numbers already, and would have two"
        return super().refusal(base)


class OfClaims(Combinator):
    """A combinator that shows answers of which some are wrong."""

    def refusal(self, base: type[Task]) -> str:
        if base.expensive:
            return "wrong answers would have to be proved wrong by running programs"
        return super().refusal(base)

    def class_variables(self, base: type[Task]) -> dict[str, Any]:
        return super().class_variables(base) | {"verbatim": False, "longest": Task.longest}


def unknown(name: str, known: Any) -> BadCombination:
    """The error for a combinator that does not exist, with near names."""
    near = get_close_matches(name[:40], known, 3, 0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(known)}"
    return BadCombination(f"no combinator is called {name[:40]!r}; {hint}")
