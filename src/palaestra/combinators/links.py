"""Tasks whose answers lead to another task: other environments, and answers as numbers."""

import re
from difflib import get_close_matches
from functools import cache, lru_cache
from importlib import import_module
from pkgutil import iter_modules
from random import Random
from typing import Annotated, Any, cast

from pydantic import BeforeValidator, Field

from palaestra.combination import TRIES, Unsuitable
from palaestra.combinators.batch import begins_with_header, judged, read_to_last
from palaestra.combinators.combinator import Combinator, OfSeveral, SameAnswer
from palaestra.environment_files import OURS, modules_of, without_family
from palaestra.task import InvalidAnswer, Puzzle, Score, Task

_NUMBERS = re.compile(r"-?\d{1,12}|\d{1,12}(?:[,\s]{1,3}\d{1,12}){1,99}", re.ASCII)
_NUMBER = re.compile(r"-?\d{1,12}", re.ASCII)

SPREAD = 8
"""So many answers for each remainder are drawn to see whether all remainders occur."""

Partner = Annotated[
    str,
    Field(pattern=r"^[a-z0-9_]{1,40}\.[a-z0-9_]{1,40}$"),
    BeforeValidator(lambda name: name.replace("/", ".", 1) if isinstance(name, str) else name),
]
"""The name of an environment as an argument, such as ``arithmetic.word_problem``. The dot stands
for the slash, which would end a part of a URL.
"""


class LinkedPuzzle(SameAnswer):
    """A puzzle that takes the answers to earlier tasks to solve."""

    links: tuple[Puzzle, ...]
    """The earlier tasks."""

    def verify(self, answer: str) -> Score:
        """The score is that of the last answer. Where the reply gives all, each is a part."""
        if not begins_with_header(answer):
            return self.task.verify(answer)
        *earlier, last = read_to_last(answer, len(self.links) + 1)
        score = judged(self.task, last)
        parts = {
            f"task {n}": judged(task, text).value
            for n, (task, text) in enumerate(zip(self.links, earlier), 1)
        }
        return Score(score.value, score.reason, {**score.parts, **parts}, score.status)

    def audit(self, answer: str) -> bool | None:
        if begins_with_header(answer):
            try:
                answer = read_to_last(answer, len(self.links) + 1)[-1]
            except InvalidAnswer:
                return False
        return self.task.audit(answer)


class OfLinks(Combinator):
    """A combinator in which the answer to a task of another environment leads to the next task."""

    other: Partner = "arithmetic.word_problem"
    n: int = Field(2, ge=2, le=8)
    level: int = Field(0, ge=0, le=9)

    def refusal(self, base: type[Task]) -> str:
        if issubclass(base, OfSeveral):
            return "its tasks have numbers already, and would have two"
        if base.expensive:
            return "programs are neither numbers nor have numbers that may change"
        if (other := partner(self.other)) is None:
            near = get_close_matches(self.other, _all_partners(), 3, 0.6)
            hint = f"; did you mean {' or '.join(near)}?" if near else ""
            return f"no environment of Palaestra is called {self.other.replace('.', '/')}{hint}"
        if not issubclass(other, Puzzle) or other.expensive or not other.tags & _UNIQUE:
            return f"{self.other.replace('.', '/')} has no unique answer that is a number"
        if other.answer_type == "digits":
            return f"the answers of {self.other.replace('.', '/')} are digits that are no numbers"
        return super().refusal(base)

    def partners(self) -> dict[str, type[Task]]:
        other = partner(self.other)
        return {} if other is None else {self.other.replace(".", "/"): other}

    def link(self, rng: Random, held_out: bool) -> Puzzle:
        """A task of the other environment on that split, whose answer is a number.

        Raises :class:`Unsuitable` where its answers are none.
        """
        other, knobs = self._other()
        return _with_number(other, knobs, rng, held_out)

    def link_with(self, remainder: int, divisor: int, rng: Random, held_out: bool) -> Puzzle:
        """A task of the other environment whose answer has a remainder.

        Where the remainder is drawn first, all are equally frequent, and none is a good guess.
        Raises :class:`Unsuitable` where the answers have too few remainders.
        """
        self.check_remainders(divisor)
        for _ in range(TRIES * divisor):
            task = self.link(rng, held_out)
            if number_in(task) % divisor == remainder:
                return task
        raise Unsuitable(self._uneven(divisor))

    def check_remainders(self, divisor: int) -> None:
        """Raises :class:`Unsuitable` where the answers of the other environment lack a remainder,
        as those do that are all odd.
        """
        other, knobs = self._other()
        if len(_remainders(other, knobs, divisor)) < divisor:
            raise Unsuitable(self._uneven(divisor))

    def _other(self) -> tuple[type[Puzzle], Any]:
        """The other environment, and its knobs."""
        other = partner(self.other)
        assert other is not None
        return other, other.Knobs.at(min(self.level, other.Knobs.levels() - 1))

    def _uneven(self, divisor: int) -> str:
        name = self.other.replace(".", "/")
        return (
            f"the answers of {name} at level {self.level} do not have all remainders when divided "
            f"by {divisor}, so that a guess would do in place of them; use another level, or "
            "another environment"
        )

    def class_variables(self, base: type[Task]) -> dict[str, Any]:
        longest = min(200_000, base.longest + 5_000 * self.n)
        return super().class_variables(base) | {"longest": longest}


_UNIQUE = {"unique-solution"}


@lru_cache(maxsize=256)  # clients choose the names
def partner(name: str) -> type[Puzzle] | None:
    """The environment of this distribution with a name such as ``arithmetic.word_problem``.

    It is loaded by its name, as by the registry, which imports the combinators.
    """
    category, _, file = name.partition(".")
    try:
        module_name = modules_of(f"{OURS}.{category}").get(file)
    except ModuleNotFoundError:  # the category
        return None
    if module_name is None:
        return None
    class_name = file.title().replace("_", "")
    return cast("type[Puzzle] | None", getattr(import_module(module_name), class_name, None))


@cache
def _all_partners() -> tuple[str, ...]:
    """The names of all environments of this distribution, with a dot."""
    categories = [each.name for each in iter_modules(import_module(OURS).__path__)]
    return tuple(
        f"{category}.{file}"
        for category in categories
        for file in sorted(modules_of(f"{OURS}.{category}"))
    )


def _with_number(other: type[Puzzle], knobs: Any, rng: Random, held_out: bool) -> Puzzle:
    """A task of an environment whose answer is a number. Raises :class:`Unsuitable`."""
    for _ in range(TRIES):
        task = other.sample(rng, knobs, held_out)
        if has_number(task):
            return task
    raise Unsuitable(f"the answers of {other.__name__} are not numbers")


@lru_cache(maxsize=256)
def _remainders(other: type[Puzzle], knobs: Any, divisor: int) -> frozenset[int]:
    """The remainders of the answers to training tasks that depend on the arguments alone."""
    module = without_family(other.__module__)
    rng = Random(f"{module}.{other.__name__} {knobs.model_dump_json()} {divisor}")
    tasks = (_with_number(other, knobs, rng, False) for _ in range(SPREAD * divisor))
    return frozenset(number_in(task) % divisor for task in tasks)


def has_number(task: Puzzle) -> bool:
    """Whether the answer to a task is a number, or a list of natural numbers."""
    return _NUMBERS.fullmatch(task.answer()) is not None


def number_in(task: Puzzle) -> int:
    """The answer to a task as a number.

    It is the answer, or some of the numbers that the answer consists of, written
    one after another. Sums would not do: Latin squares of a size have the same.
    """
    numbers = _NUMBER.findall(task.answer())
    return int("".join(numbers[position - 1] for position in _positions(task, len(numbers))))


def number_named(task: Puzzle, number: int) -> str:
    """How a prompt names this number, which is of the task with a number."""
    numbers = _NUMBER.findall(task.answer())
    if len(numbers) == 1:
        return f"the answer to task {number}"
    listed = ", ".join(map(str, _positions(task, len(numbers))))
    return (
        f"the integer that the numbers at the positions {listed} of the answer to task {number} "
        "(where positions count from 1), written one after another without spaces, are together,"
    )


def _positions(task: Puzzle, length: int) -> list[int]:
    """Up to four positions in an answer, from 1, which the task determines."""
    return sorted(Random(task.canonical()).sample(range(1, length + 1), min(length, 4)))


def described(fields: dict[str, Any], base: type[Task], name: str) -> dict[str, Any]:
    """The types of the fields of a combination with tasks of a partner."""
    other: Any = partner(name)
    return fields | {"links": tuple[other, ...]}
