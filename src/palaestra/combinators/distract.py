"""True and irrelevant statements among those of a task."""

from random import Random
from typing import ClassVar, Self

from pydantic import Field

from palaestra.combination import Combination, Sampler, Unsuitable
from palaestra.combinators.combinator import Combinator, SameAnswer
from palaestra.combinators.sentences import names_of, separator, spans
from palaestra.task import Puzzle, Sentence, Task

STORIES = 60
"""How many further tasks are searched for statements about other names."""


class DistractPuzzle(SameAnswer):
    """A puzzle with further statements, about names that do not occur in it."""

    combinator: ClassVar["Distract"]

    lines: tuple[str, ...]
    """All statements in the order of the prompt: the task's own in their order, and others."""

    @classmethod
    def around(cls, task: Puzzle, rng: Random, another: Sampler) -> Self:
        own = task.sentences()
        if not own or not all(statement.names for statement in own):
            raise Unsuitable("it has no statements about names")
        separator(task.prompt(), spans(task, task.prompt()))
        others = cls._foreign(task, rng, another)
        positions = set(rng.sample(range(len(own) + len(others)), len(others)))
        mine, theirs = iter(own), iter(others)
        lines = (
            next(theirs if n in positions else mine).text for n in range(len(own) + len(others))
        )
        return cls(task=task, lines=tuple(lines))

    @classmethod
    def _foreign(cls, task: Puzzle, rng: Random, another: Sampler) -> list[Sentence]:
        """Statements of further tasks, of which no two share a name with each other or the task's.

        Those of one task may share names, and all have the wording of the task.
        """
        taken, number = names_of(task.sentences()), cls.combinator.n
        others: list[Sentence] = []
        for _ in range(STORIES):
            story = another().model_copy(update={"wording": task.wording})
            assert isinstance(story, Puzzle)
            new = [each for each in story.sentences() if taken.isdisjoint(each.names)]
            chosen = set(rng.sample(range(len(new)), min(len(new), number - len(others))))
            others += [each for n, each in enumerate(new) if n in chosen]
            taken |= names_of(others)
            if len(others) == number:
                return others
        raise Unsuitable(f"there are no {number} statements about names that it does not have")

    def prompt(self) -> str:
        text = self.task.prompt()
        where = spans(self.task, text)
        block = separator(text, where).join(self.lines)
        return f"{text[: where[0][0]]}{block}{text[where[-1][1] :]}"


class Distract(Combinator):
    """True statements that do not matter stand among those of the task.

    There are ``n`` of them. They are statements of the environment's other tasks about names that
    the task does not have, in the same words, so that only what is asked shows which ones matter.
    The answer is the same, as nothing follows from them for other names.
    """

    name: ClassVar[str] = "distract"
    template: ClassVar[type[Combination]] = DistractPuzzle

    n: int = Field(4, ge=1, le=40)

    def refusal(self, base: type[Task]) -> str:
        if reason := super().refusal(base):
            return reason
        assert issubclass(base, Puzzle)
        if base.sentences is Puzzle.sentences or not base.independent_sentences:
            return "it has no statements of which others are independent"
        return ""
