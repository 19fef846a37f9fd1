"""Named verifiers of the shape of a reply, as it is: its format, repetitions and length.

They state nothing about whether a reply is right. To pay for both, use a recipe, or put a verifier
of the answer behind a gate.
"""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from palaestra.task import Score
from palaestra.verifiers.instructions.text import words_of
from palaestra.verifiers.named.entries import Options, named
from palaestra.verifiers.shaping import Format, RecipeError, SoftOverlong, Transcript
from palaestra.verifiers.shaping.repetition import repeated_share
from palaestra.verifiers.verifier import GoldError, Judge

LONGEST = 1 << 20

Tag = Annotated[str, Field(pattern="^[A-Za-z][A-Za-z0-9_-]{0,39}$")]
Words = Annotated[int, Field(ge=1, le=1_000_000)]


def _too_long(reply: str) -> Score | None:
    if len(reply) > LONGEST:
        return Score(0.0, f"longer than {LONGEST} characters", status="limit")
    return None


@dataclass(frozen=True, slots=True)
class InFormat:
    """Whether a reply passes a gate of its format: 1 or 0."""

    gate: Format

    def __call__(self, reply: str) -> Score:
        if limit := _too_long(reply):
            return limit
        problem = self.gate.violation(reply)
        return Score(0.0, problem) if problem else Score(1.0)


@named(
    "format",
    "tagged blocks in a reply: each once, in order, with content",
    Annotated[list[Tag], Field(min_length=1, max_length=20)],
    page="rewards",
    reads="raw",
    example=(["think", "answer"], "<think>6 * 7</think><answer>42</answer>"),
)
class FormatOptions(Options):
    """What may stand outside of the blocks, and whether the prompt opens the first."""

    outside: bool = False
    opened: bool = False

    def build(self, gold: list[str]) -> Judge:
        try:
            return InFormat(Format(tuple(gold), self.outside, self.opened))
        except RecipeError as error:
            raise GoldError(str(error)) from None


@dataclass(frozen=True, slots=True)
class Unrepeated:
    """The share of n-grams of words that have not occurred before, beyond what is spared."""

    n: int
    spare: float

    def __call__(self, reply: str) -> Score:
        if limit := _too_long(reply):
            return limit
        share = repeated_share(words_of(reply), self.n)
        value = 1.0 - max(share - self.spare, 0.0) / (1.0 - self.spare)
        reason = "" if value == 1 else f"it repeats {self.n}-grams of words"
        return Score(value, reason, {"repeated": share})


@named(
    "repetition",
    "the share of n-grams of words that are not repeated; the gold is n",
    Annotated[int, Field(ge=1, le=64)],
    page="rewards",
    reads="raw",
    example=(3, "Every word of this reply occurs once."),
)
class RepetitionOptions(Options):
    """Which share of repeated n-grams costs nothing."""

    spare: Annotated[float, Field(ge=0, lt=1)] = 0.0

    def build(self, gold: int) -> Judge:
        return Unrepeated(gold, self.spare)


@dataclass(frozen=True, slots=True)
class NotTooLong:
    """1 up to some words before a limit, from there down to 0 at the limit."""

    penalty: SoftOverlong

    def __call__(self, reply: str) -> Score:
        if limit := _too_long(reply):
            return limit
        words = len(words_of(reply))
        value = 1.0 + self.penalty(Score(1.0), Transcript(reply, words))
        return Score(value, "" if value == 1 else f"it has {words} words", {"words": words})


@named(
    "length",
    "how many words a reply has, up to a limit, which is the gold",
    Words,
    page="rewards",
    reads="raw",
    example=(100, "A short reply."),
)
class LengthOptions(Options):
    """How many words before the limit the value begins to fall; by default a quarter of it."""

    buffer: Words | None = None

    def build(self, gold: int) -> Judge:
        buffer = max(1, gold // 4) if self.buffer is None else self.buffer
        try:
            return NotTooLong(SoftOverlong(gold, buffer))
        except RecipeError as error:
            raise GoldError(str(error)) from None
