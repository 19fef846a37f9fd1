"""Named verifiers of texts: equal ones, similar ones, patterns, grammars and instructions."""

import re
from typing import Annotated, Any

from pydantic import Field

from palaestra.verifiers.instructions import Instruction, Instructions
from palaestra.verifiers.named.entries import (
    BadField,
    JsonObject,
    Model,
    Name,
    Options,
    Text,
    Texts,
    named,
)
from palaestra.verifiers.patches import PatchSimilarity
from palaestra.verifiers.patterns import Grammar, Pattern
from palaestra.verifiers.texts import EditSimilarity, Exact, Normalized, TokenF1
from palaestra.verifiers.translations import ChrF, Gleu
from palaestra.verifiers.verifier import GoldError, Judge

Golds = Text | Texts


def _several(gold: str | list[str]) -> str | tuple[str, ...]:
    return gold if isinstance(gold, str) else tuple(gold)


@named("exact", "a text that equals the gold", Golds, page="values", example=("Zürich", " Zürich"))
class ExactOptions(Options):
    """What counts."""

    case: bool = True
    blanks: bool = True

    def build(self, gold: str | list[str]) -> Judge:
        return Exact(_several(gold), self.case, self.blanks)


@named(
    "normalized",
    "the words of a text, without case, articles and punctuation",
    Golds,
    page="values",
    example=(["The Beatles", "Fab Four"], "beatles!"),
)
class NormalizedOptions(Options):
    """What counts."""

    accents: bool = True

    def build(self, gold: str | list[str]) -> Judge:
        return Normalized(_several(gold), self.accents)


@named(
    "token_f1",
    "how many words a text shares with the gold",
    Golds,
    page="values",
    example=("red green blue", "Red, green, blue"),
)
class TokenF1Options(Options):
    """What counts."""

    accents: bool = True

    def build(self, gold: str | list[str]) -> Judge:
        return TokenF1(_several(gold), self.accents)


@named(
    "edit_similarity",
    "how long a subsequence a text shares with the gold",
    Golds,
    page="values",
    extra="text",
    example=("the quick brown fox", "the quick brown fox"),
)
class EditSimilarityOptions(Options):
    """Up to which similarity a text scores 0."""

    floor: Annotated[float, Field(ge=0, lt=1)] = 0.6

    def build(self, gold: str | list[str]) -> Judge:
        return EditSimilarity(_several(gold), self.floor)


@named(
    "gleu",
    "n-grams of words that a text shares with the gold",
    Golds,
    page="values",
    example=("the cat sat on the mat", "the cat sat on the mat"),
)
class GleuOptions(Options):
    """Up to which similarity a text scores 0."""

    floor: Annotated[float, Field(ge=0, lt=1)] = 0.1

    def build(self, gold: str | list[str]) -> Judge:
        return Gleu(_several(gold), self.floor)


@named(
    "chrf",
    "n-grams of characters that a text shares with the gold",
    Golds,
    page="values",
    example=("the cat sat on the mat", "the cat sat on the mat"),
)
class ChrfOptions(Options):
    """Up to which similarity a text scores 0."""

    floor: Annotated[float, Field(ge=0, lt=1)] = 0.3

    def build(self, gold: str | list[str]) -> Judge:
        return ChrF(_several(gold), self.floor)


_PATCH = "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-one\n+two\n"


@named(
    "patch",
    "the changed lines that a unified diff shares with the gold",
    Text,
    page="values",
    example=(_PATCH, _PATCH),
)
class PatchOptions(Options):
    """There are none."""

    def build(self, gold: str) -> Judge:
        return PatchSimilarity(gold)


@named(
    "pattern",
    "a text that matches a regular expression of RE2",
    Text,
    page="structures",
    extra="schema",
    example=(r"[A-Z]{2}-\d{4}", "AB-1234"),
)
class PatternOptions(Options):
    """How the expression is matched."""

    whole: bool = True
    ignore_case: bool = False

    def build(self, gold: str) -> Judge:
        return Pattern(gold, self.whole, self.ignore_case)


@named(
    "grammar",
    "a text in a context-free language, whose grammar is in the notation of lark",
    Text,
    page="structures",
    extra="schema",
    example=('start: "a" start "b" | "ab"', "aabb"),
)
class GrammarOptions(Options):
    """The rule that derives the text."""

    start: Annotated[str, Field(pattern="^[a-z][a-z0-9_]{0,99}$")] = "start"

    def build(self, gold: str) -> Judge:
        if any(not _COMMON.match(gold, match.end()) for match in _IMPORT.finditer(gold)):
            raise GoldError("a grammar imports from 'common' and from nothing else")
        return Grammar(gold, self.start)


_IMPORT, _COMMON = re.compile(r"%\s*+import\s*+"), re.compile(r"common[.\s(]")
# Another name would be that of a file.


class OneInstruction(Model):
    """An instruction about a text: its kind, and its values by name."""

    kind: Name
    values: JsonObject = {}


def instructions_of(items: list[OneInstruction]) -> list[Instruction]:
    """The instructions of a gold. Raises :class:`BadField` with the position of a wrong one."""
    read: list[Instruction] = []
    for number, item in enumerate(items):
        values: dict[str, Any] = item.values
        try:
            if "kind" in values:
                raise GoldError(f"{item.kind} has no value 'kind'")
            read.append(Instruction(item.kind, **values))
        except (GoldError, TypeError) as error:
            raise BadField(str(error)[:500], f"/gold/{number}") from None
    return read


@named(
    "instructions",
    "a text that follows instructions about its length, words, format and structure",
    Annotated[list[OneInstruction], Field(min_length=1, max_length=50)],
    page="instructions",
    example=(
        [{"kind": "words_at_most", "values": {"n": 5}}, {"kind": "no_commas"}],
        "Brevity is wit.",
    ),
)
class InstructionsOptions(Options):
    """Whether a text that follows some of the instructions earns a part."""

    partial: bool = False

    def build(self, gold: list[OneInstruction]) -> Judge:
        return Instructions(tuple(instructions_of(gold)), self.partial)
