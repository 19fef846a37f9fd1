"""What a combinator is: it makes an environment of another one, by a rule with arguments."""

import re
from difflib import get_close_matches
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from palaestra.combination import BadCombination, Combination
from palaestra.task import Puzzle, Score, Task

_INTEGER = re.compile(r"0|[1-9]\d{0,9}", re.ASCII)
"""How an integer is written as an argument, so that each has one form."""

UNANSWERABLE = "unanswerable"
"""The tag of environments that ask for the answer ``no solution`` in some of their tasks."""


class OfOne(Combination):
    """A combination of one task, which it is as hard as."""

    task: Puzzle

    def canonical(self) -> str:
        return self.task.canonical()

    def held_out(self) -> bool:
        return self.task.held_out()

    def difficulty(self) -> float | None:
        return self.task.difficulty()


class SameAnswer(OfOne, Puzzle):
    """A combination that asks for the answer to its task, and scores it as that task does."""

    def answer(self) -> str:
        return self.task.answer()

    def verify(self, answer: str) -> Score:
        return self.task.verify(answer)

    def audit(self, answer: str) -> bool | None:
        return self.task.audit(answer)

    def random_baseline(self) -> float:
        return self.task.random_baseline()

    def shortcuts(self) -> list[str]:
        return list(self.task.shortcuts())


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
        for name, text in zip(fields, arguments):
            if cls.model_fields[name].annotation is int and not _INTEGER.fullmatch(text):
                raise BadCombination(f"{cls.name}: {cls._message({'loc': (name,), 'input': text})}")
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
        elif "pattern" in schema:
            allowed = f"the name of an environment, such as {schema['default']}"
        else:
            most = schema.get("maximum", schema.get("exclusiveMaximum", 0) - 1)
            allowed = f"an integer from {schema['minimum']} to {most}"
            if not _INTEGER.fullmatch(str(error["input"])):
                allowed += " in plain digits"
        return f"{name} is {allowed}, not {str(error['input'])[:40]!r}"

    def __str__(self) -> str:
        values = ",".join(str(getattr(self, name)) for name in type(self).model_fields)
        return f"{self.name}({values})" if values else self.name

    def refusal(self, base: type[Task]) -> str:
        """Why it does not apply to an environment; empty if it does.

        Unless a subclass says otherwise, it applies to puzzles, which one reply settles. One whose
        replies are checked as a whole needs a ``template`` that checks them, too.
        """
        if not issubclass(base, Puzzle):
            return "it is for environments of one reply"
        checked = base.check_reply is not Task.check_reply
        if checked and self.template.check_reply is Task.check_reply:
            return "it would change the reply, whose length is limited; the limit comes after it"
        return ""

    def partners(self) -> dict[str, type[Task]]:
        """The other environments that its tasks are made of beside the base, by name.

        Their versions and fingerprints enter those of the combination.
        """
        return {}

    def fields(self, base: type[Task]) -> dict[str, Any]:
        """The types of the fields that hold tasks, by name."""
        several: Any = tuple[base, ...]  # type: ignore[valid-type]
        return {"tasks": several} if issubclass(self.template, OfSeveral) else {"task": base}

    def class_variables(self, base: type[Task]) -> dict[str, Any]:
        """The class variables of the environment that it makes of another one."""
        same = issubclass(self.template, SameAnswer)
        versions = [
            base.version,
            self.version,
            *(each.version for each in self.partners().values()),
        ]
        return ({"answer_type": base.answer_type} if same else {}) | {
            "base": base,
            "combinator": self,
            "Knobs": base.Knobs,
            "version": sum(versions) - len(versions) + 1,
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
        if UNANSWERABLE in base.tags:
            return "an answer that there is no solution would stand out among others"
        return super().refusal(base)

    def class_variables(self, base: type[Task]) -> dict[str, Any]:
        return super().class_variables(base) | {"verbatim": False, "longest": Task.longest}


def unknown(name: str, known: Any) -> BadCombination:
    """The error for a combinator that does not exist, with near names."""
    near = get_close_matches(name[:40].casefold(), known, 3, 0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(known)}"
    return BadCombination(f"no combinator is called {name[:40]!r}; {hint}")
