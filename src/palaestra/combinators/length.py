"""A limit on the length of the whole reply."""

import re
from random import Random
from typing import ClassVar, Literal, Self

from pydantic import Field

from palaestra.combination import Combination, Sampler, Unsuitable
from palaestra.combinators.combinator import UNANSWERABLE, Combinator, SameAnswer
from palaestra.episode import ANSWER_FORMATS
from palaestra.task import InvalidAnswer, Puzzle, Task

WORD = 20
"""So many characters without a space count as a word, or reasoning would be written in one; and so
many of white space, or it would be written in that.
"""

_BLANK = re.compile(r"\s{20,}")


class LengthPuzzle(SameAnswer):
    """A puzzle whose replies have a limited length."""

    combinator: ClassVar["Length"]

    @classmethod
    def around(cls, task: Puzzle, rng: Random, another: Sampler) -> Self:
        answer, limit = task.answer(), cls.combinator
        shortest = max(limit.size(each.write(answer)) for each in ANSWER_FORMATS.values())
        if shortest > limit.most:
            raise Unsuitable(
                f"a reply with nothing but a right answer has {shortest} {limit.unit}, more than "
                f"{limit.most}"
            )
        return cls(task=task)

    def prompt(self) -> str:
        limit = f"{self.combinator.most} {self.combinator.unit}"
        rule = self.phrase(
            f"Your whole reply, with reasoning and answer, has at most {limit}. A longer one "
            "scores 0, even if its answer is right.",
            f"Use at most {limit} in all, for your reasoning as well as for your answer: a reply "
            "that is longer scores 0.",
        )
        return f"{self.task.prompt()}\n\n{rule} {self.combinator.definition()}"

    def check_reply(self, reply: str) -> None:
        size, limit = self.combinator.size(reply), self.combinator
        if size > limit.most:
            raise InvalidAnswer(
                f"the reply has {size} {limit.unit}, and at most {limit.most} are allowed", "limit"
            )


class Length(Combinator):
    """The whole reply, with reasoning and answer, has a limited length.

    It has at most ``most`` words or characters, which is the ``unit``. A longer reply scores 0,
    with the status ``limit``. Words are separated by white space, and one of more than 20
    characters counts as several, one for each 20 characters, rounded up. So does white space of 20
    characters or more, rounded down. White space at the ends of a reply does not count as
    characters, unless there are more than 20.
    """

    name: ClassVar[str] = "length"
    version: ClassVar[int] = 2
    template: ClassVar[type[Combination]] = LengthPuzzle

    most: int = Field(100, ge=1, le=10_000)
    unit: Literal["words", "characters"] = "words"

    def size(self, reply: str) -> int:
        """How many words or characters a reply has."""
        if self.unit == "characters":
            inner = len(reply.strip())
            return inner + max(0, len(reply) - inner - WORD)
        blanks = sum(len(run) // WORD for run in _BLANK.findall(reply))
        return blanks + sum(-(-len(run) // WORD) for run in reply.split())

    def definition(self) -> str:
        """What counts as one of the unit."""
        if self.unit == "characters":
            return "Spaces and line breaks within the reply count as characters."
        return (
            f"Words are separated by spaces or line breaks. A word of more than {WORD} characters "
            f"counts as several, one for each {WORD} characters, rounded up. {WORD} spaces or line "
            "breaks in a row count as a word."
        )

    def refusal(self, base: type[Task]) -> str:
        if base.check_reply is not Task.check_reply:
            return "its replies have a limit already"
        if UNANSWERABLE in base.tags:
            return "where the limit is low, only tasks without a solution would be left"
        return super().refusal(base)
