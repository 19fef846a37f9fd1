"""Rules for a text that stands above the answer."""

import re
from functools import cache
from importlib import import_module
from random import Random
from typing import Any, ClassVar, Self, cast

from pydantic import Field

from palaestra.combination import Combination, Sampler
from palaestra.combinators.batch import agrees, judged
from palaestra.combinators.combinator import Combinator, OfOne
from palaestra.combinators.headers import COLON, header, uncovered, without_rules
from palaestra.combinators.parts import parts_of
from palaestra.environment_files import OURS, modules_of
from palaestra.task import InvalidAnswer, Puzzle, Score, Task

ENVIRONMENT = "language/constrained_text"
"""The environment of the text."""

_ANSWER = re.compile(r"(?:(?:the|my)[ \t])?(?:final[ \t])?answer", re.IGNORECASE)


class ConstrainPuzzle(OfOne, Puzzle):
    """A puzzle whose answer has a text above it that follows rules."""

    combinator: ClassVar["Constrain"]

    text: Puzzle
    """The rules, and a text that follows them, as a task of ``language/constrained_text``."""

    @classmethod
    def around(cls, task: Puzzle, rng: Random, another: Sampler) -> Self:
        return cls(task=task, text=constrained_text().sample(rng, cls.combinator.knobs()))

    def prompt(self) -> str:
        rules = self.text.rules()  # type: ignore[attr-defined]
        request = self.phrase(
            "Your answer has to follow a text. The text follows all of these rules:",
            "Above your answer, write a text. All of these rules hold for the text:",
        )
        return (
            f"{self.task.prompt()}\n\n{request}\n\n{rules}\n\n"
            "The rules are for the text only. Below the text, write a line with the word Answer "
            "and a colon, and the answer to the task below that:\n"
            "(your text)\nAnswer:\n(your answer)"
        )

    def answer(self) -> str:
        return f"{self.text.answer()}\nAnswer:\n{self.task.answer()}"

    def verify(self, answer: str) -> Score:
        """The score is that of the answer where the text follows all rules, and else 0."""
        text, below = read_text(answer)
        writing, score = judged(self.text, text), judged(self.task, below)
        rules = [value for name, value in writing.parts.items() if name.startswith("rule ")]
        parts = {
            **parts_of(score, score.value if writing.correct else 0.0),
            "answer": score.value,
            "text": writing.value,
            "rules": sum(rules) / len(rules) if rules else 0.0,
        }
        if not writing.correct:
            return Score(0, writing.reason, parts, writing.status)
        return Score(score.value, score.reason, parts, score.status)

    def audit(self, answer: str) -> bool | None:
        text, below = read_text(answer)
        return self.text.audit(text) and agrees(self.task, below)

    def canonical(self) -> str:
        return f"{super().canonical()}\n{self.text.canonical()}"


class Constrain(Combinator):
    """The answer follows a text that keeps rules about its words, letters and sentences.

    There are as many ``rules``, and further ones that are ``chained`` (they refer to what others
    settle) or ``branches`` (they depend on a condition), as in ``language/constrained_text``. A
    text that follows all of them exists. Parts of the score are the values of the ``answer`` and
    the ``text``, and the share of ``rules`` that are followed.
    """

    name: ClassVar[str] = "constrain"
    template: ClassVar[type[Combination]] = ConstrainPuzzle

    rules: int = Field(2, ge=1, le=6)
    chained: int = Field(0, ge=0, le=2)
    branches: int = Field(0, ge=0, le=2)

    def knobs(self) -> Any:
        """The knobs of the text."""
        return constrained_text().Knobs.at(
            0, rules=self.rules, chained=self.chained, branches=self.branches, sentences=2
        )

    def partners(self) -> dict[str, type[Task]]:
        return {ENVIRONMENT: constrained_text()}

    def fields(self, base: type[Task]) -> dict[str, Any]:
        return super().fields(base) | {"text": constrained_text()}

    def class_variables(self, base: type[Task]) -> dict[str, Any]:
        longest = base.longest + constrained_text().longest
        return super().class_variables(base) | {"verbatim": True, "longest": longest}


@cache
def constrained_text() -> type[Puzzle]:
    """The environment of the text. It is loaded by its name, as by the registry, which imports the
    combinators and no environment.
    """
    category, _, file = ENVIRONMENT.partition("/")
    module = import_module(modules_of(f"{OURS}.{category}")[file])
    return cast("type[Puzzle]", module.ConstrainedText)


def read_text(reply: str) -> tuple[str, str]:
    r"""The text and the answer in a reply, which the last line ``Answer:`` separates.

    The line may be in Markdown, then also without a colon, and the answer may begin on it. A fence
    around the whole reply is left out, and so is a rule above the line.

    Raises :class:`InvalidAnswer` where there is no such line, or nothing above or below it.

    >>> read_text("So be it.\nAnswer: 42")
    ('So be it.', '42')
    """
    lines = uncovered(reply).splitlines()
    for number in range(len(lines) - 1, -1, -1):
        if head := header(lines[number], _ANSWER, COLON):
            text = without_rules("\n".join(lines[:number]))
            answer = without_rules("\n".join([head.rest, *lines[number + 1 :]]))
            if text and answer:
                return text, answer
            break
    raise InvalidAnswer("expected a text, a line 'Answer:' and an answer below it")
