"""Named verifiers of answers to questions: the reader of notations, and multiple choice."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from palaestra.task import InvalidAnswer, Score
from palaestra.verifiers.answers import Answer, Policy
from palaestra.verifiers.answers.extract import extracted
from palaestra.verifiers.choices import Choice, Choices
from palaestra.verifiers.named.entries import Model, Name, Options, Text, Texts, named
from palaestra.verifiers.verifier import Judge


@dataclass(frozen=True, slots=True)
class Reader:
    """A verifier of whole replies, which also tells the answer that it extracts from one."""

    answer: Answer

    def __call__(self, reply: str) -> Score:
        return self.answer(reply)

    def extracted(self, reply: str) -> str | None:
        """The answer of a reply; None if it has none."""
        try:
            return extracted(reply, self.answer.policy).text
        except InvalidAnswer:
            return None


@named(
    "answer",
    "numbers, expressions, equations, intervals, sets, matrices, quantities, dates, words",
    Text | Texts,
    page="answers",
    reads="reply",
    example=(r"\frac{1}{2}", r"Half of it, so $x = \boxed{0.5}$."),
)
class AnswerOptions(Options):
    """The policy of the answer reader; see the page about answers."""

    mode: Literal["lenient", "strict"] = "lenient"
    mark: Literal["box", "tag", "line"] = "box"
    form: Annotated[
        str, Field(pattern=r"^(value|closed|simplified|factored|decimal\([0-9]{1,2}\))$")
    ] = "value"
    rounding: Literal["auto", "exact"] = "auto"
    relative: Annotated[float, Field(ge=0, lt=1)] = 0.0
    absolute: Annotated[float, Field(ge=0, le=1e300)] = 0.0
    units: Literal["optional", "required"] = "optional"
    percent: Literal["either", "value"] = "either"
    order: Literal["any", "given"] = "any"
    accept_truncated: bool = False
    several: Literal["usual", "last", "same"] = "usual"
    question: Text = ""
    fallback: bool = True

    def build(self, gold: str | list[str]) -> Judge:
        return Reader(self._answer(gold, whole=True))

    def build_bare(self, gold: str | list[str]) -> Judge:
        return self._answer(gold, whole=False)

    def _answer(self, gold: str | list[str], whole: bool) -> Answer:
        golds = gold if isinstance(gold, str) else tuple(gold)
        return Answer(golds, Policy(**self.fields()), whole)


Labels = Annotated[str, Field(min_length=1, max_length=100)]


class OneOption(Model):
    """The label of the right option, and the texts of all."""

    answer: Name
    options: Annotated[list[Text], Field(min_length=2, max_length=26)]


class SeveralOptions(Model):
    """The labels of the right options, and the texts of all."""

    answers: Annotated[list[Name], Field(min_length=1, max_length=26)]
    options: Annotated[list[Text], Field(min_length=2, max_length=26)]


_CITIES = ["Rome", "Paris", "Oslo"]


@named(
    "choice",
    "the one right option of several, by its label or its text",
    OneOption,
    page="values",
    example=({"answer": "B", "options": _CITIES}, "The answer is **B**"),
)
class ChoiceOptions(Options):
    """How options are labelled."""

    labels: Labels = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

    def build(self, gold: OneOption) -> Judge:
        return Choice(gold.answer, tuple(gold.options), self.labels)


@named(
    "choices",
    "all right options of several",
    SeveralOptions,
    page="values",
    example=({"answers": ["A", "C"], "options": _CITIES}, "A and C"),
)
class ChoicesOptions(Options):
    """How options are labelled, and whether some of them earn a part."""

    labels: Labels = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    partial: bool = False

    def build(self, gold: SeveralOptions) -> Judge:
        return Choices(frozenset(gold.answers), tuple(gold.options), self.labels, self.partial)
