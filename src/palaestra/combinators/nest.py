"""Tasks in which the answer to one is a number in the text of the next."""

from hashlib import blake2b
from random import Random
from typing import Any, ClassVar, Self

from pydantic import Field

from palaestra.combination import TRIES, Combination, Sampler, Unsuitable
from palaestra.combinators.holes import VALUES, Hole, hole
from palaestra.combinators.links import (
    LinkedPuzzle,
    OfLinks,
    described,
    has_number,
    number_in,
    number_named,
    partner,
)
from palaestra.task import RESERVE, NoValidTask, Puzzle, Task

DEEPEST = 6
"""The greatest depth, which is reserved for evaluation."""


class NestPuzzle(LinkedPuzzle):
    """A puzzle with a number that the answer to an earlier task gives. The first of the earlier
    tasks has no hole.
    """

    combinator: ClassVar["Nest"]

    holes: tuple[Hole, ...]
    """Of each task but the first, the number that the answer before it gives."""

    @classmethod
    def around(cls, task: Puzzle, rng: Random, another: Sampler) -> Self:
        combinator, held_out = cls.combinator, task.held_out()
        combinator.check_remainders(VALUES)
        task, last = hole(task, rng, another)
        links, holes = list[Puzzle](), [last]
        for _ in range(combinator.n - 2):
            link, each = combinator.punched(rng.randrange(VALUES), rng, held_out)
            links.insert(0, link)
            holes.insert(0, each)
        links.insert(0, combinator.link_with(rng.randrange(VALUES), VALUES, rng, held_out))
        values = (_ordered(each, number_in(link), rng) for link, each in zip(links, holes))
        return cls(task=task, links=tuple(links), holes=tuple(values))

    @classmethod
    def sample(
        cls, rng: Random, knobs: Any, held_out: bool | None = None, tries: int = 10_000
    ) -> Self:
        return super().sample(rng, knobs, held_out or cls.is_reserved() or None, tries)

    @classmethod
    def combined(cls, task: Task, rng: Random, knobs: Any, held_out: bool) -> Self:
        """Raises :class:`NoValidTask` for training where the pair or the depth is reserved."""
        if cls.is_reserved() and not held_out:
            raise NoValidTask(
                f"{cls.name}: this pair of environments or this depth is reserved for evaluation; "
                "use seeds of the evaluation split, or another pair or depth"
            )
        return super().combined(task, rng, knobs, held_out)

    def held_out(self) -> bool:
        """Whether the first task is, which keeps its numbers."""
        return self.links[0].held_out()

    @classmethod
    def is_reserved(cls) -> bool:
        """Whether the pair of environments, or the depth, is reserved for evaluation."""
        pair = f"{cls.name.rpartition('+')[0]} {cls.combinator.other}"
        digest = blake2b(pair.encode(), digest_size=1).digest()[0]
        return cls.combinator.n == DEEPEST or digest % RESERVE == 0

    def prompt(self) -> str:
        last = len(self.links) + 1
        opening = self.phrase(
            f"Solve these {last} tasks in their order. The answer to each is needed for the next.",
            f"There are {last} tasks below. Each but the first has an unknown number, which the "
            "answer to the task before it gives.",
        )
        sections = [f"Task 1:\n{self.links[0].prompt()}"]
        for n, (before, task, each) in enumerate(
            zip(self.links, (*self.links[1:], self.task), self.holes), 2
        ):
            values = ", ".join(map(str, each.values))
            sections.append(
                f"Task {n}:\nIn this task, {each.symbol} is a number of the list\n{values}\n"
                f"namely the one at the position that is the remainder of "
                f"{number_named(before, n - 1)} divided by {VALUES}, where positions count from 0 "
                f"and a remainder is from 0 to {VALUES - 1}, also of a negative number.\n"
                f"{each.punched(task.prompt())}"
            )
        return (
            "\n\n".join([opening, *sections])
            + f"\n\nGive the answer to task {last} alone, in the form that task {last} states."
        )

    def canonical(self) -> str:
        return "\n".join(task.canonical() for task in (*self.links, self.task))


class Nest(OfLinks):
    """The answer to a task of another environment is a number in the text of the task.

    The depth is ``n`` tasks. All but the last are of the environment ``other`` at ``level``, which
    is named with a dot, as ``arithmetic.word_problem``; the last one has the knobs of the base and
    is judged. The answer to each selects a number in the text of the next among 11, with each of
    which another answer is right; each task but the first gets a random one of them. One pair of
    environments in eight and the depth 6 are reserved for evaluation: they have no tasks on the
    training split. It applies to calculations.
    """

    name: ClassVar[str] = "nest"
    version: ClassVar[int] = 3
    template: ClassVar[type[Combination]] = NestPuzzle

    n: int = Field(2, ge=2, le=DEEPEST)

    def refusal(self, base: type[Task]) -> str:
        if not base.calculation:
            return "its answer is not calculated from numbers alone, so that none may change"
        other = partner(self.other)
        if self.n > 2 and other is not None and not other.calculation:
            return f"{self.other.replace('.', '/')} is no calculation, so that none may change"
        return super().refusal(base)

    def fields(self, base: type[Task]) -> dict[str, Any]:
        return described(super().fields(base), base, self.other)

    def punched(self, remainder: int, rng: Random, held_out: bool) -> tuple[Puzzle, Hole]:
        """A task of the other environment with a hole, whose answer has a remainder.

        Raises :class:`Unsuitable` where none is among those that are tried.
        """

        def link() -> Puzzle:
            return self.link(rng, held_out)

        def wanted(task: Puzzle) -> bool:
            return number_in(task) % VALUES == remainder

        for _ in range(TRIES):
            try:
                return hole(link(), rng, link, has_number, wanted)
            except Unsuitable as error:
                reason = error
        raise reason


def _ordered(each: Hole, answer: int, rng: Random) -> Hole:
    """A hole whose number is at the position that an answer gives, with the others shuffled."""
    others = [value for value in each.values if value != each.number]
    rng.shuffle(others)
    others.insert(answer % VALUES, each.number)
    return each.model_copy(update={"values": tuple(others)})
