"""The format of a reply, checked once on its raw text, as a gate."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from palaestra.verifiers.shaping.recipe import Gate
from palaestra.verifiers.shaping.transcript import RecipeError, Transcript

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Signs that print as nothing though they count as letters or symbols."""


@dataclass(frozen=True, slots=True)
class Format(Gate):
    """Whether a reply consists of tagged blocks: each once, in order, with content. 1 or 0.

    What may be mistaken for one of the tags (in capitals, with blanks or attributes, nested in
    another block) closes the gate, and so does a block in which nothing can be seen. Nothing but
    blanks stands outside of the blocks unless ``outside`` allows it. Where the prompt ends with the
    first opening tag, say ``opened``.

    >>> gate = Format(tags=["plan", "code"], outside=True)
    >>> gate.opens(Transcript("Sure! <plan>add</plan> <code>a + b</code>"))
    True
    """

    tags: Sequence[str] = ("think", "answer")
    outside: bool = False
    opened: bool = False

    def check(self) -> None:
        object.__setattr__(self, "tags", tuple(self.tags))
        if not self.tags or not all(_NAME.fullmatch(tag) for tag in self.tags):
            raise RecipeError("tags are named by letters, digits, - and _")
        if len({tag.casefold() for tag in self.tags}) < len(self.tags):
            raise RecipeError("each tag is named once")

    def opens(self, transcript: Transcript) -> bool:
        return not self.violation(transcript.reply)

    def violation(self, reply: str) -> str:
        """Describe what is wrong with the format of a reply; return an empty text if it is right.

        >>> Format().violation("<think>6 * 7</think> 42")
        'not <think>...</think><answer>...</answer>, each tag once and in this order'
        """
        text = f"<{self.tags[0]}>{reply}" if self.opened else reply
        marks = list(_marks(self.tags).finditer(text))
        wanted = [mark for tag in self.tags for mark in (f"<{tag}>", f"</{tag}>")]
        if [mark[0] for mark in marks] != wanted:
            shape = "".join(f"<{tag}>...</{tag}>" for tag in self.tags)
            return f"not {shape}, each tag once and in this order"
        ends = [0, *(mark.end() for mark in marks)]
        pieces = [text[a:b] for a, b in zip(ends, [*(m.start() for m in marks), len(text)])]
        empty = [tag for tag, piece in zip(self.tags, pieces[1::2]) if not _visible(piece)]
        if empty:
            return f"there is no text between <{empty[0]}> and </{empty[0]}>"
        if not self.outside and any(piece.strip() for piece in pieces[::2]):
            return "there is text outside the tags"
        return ""


def _marks(tags: Sequence[str]) -> re.Pattern[str]:
    """All that looks like one of the tags. It reads each sign a bounded number of times."""
    names = "|".join(map(re.escape, tags))
    mark = rf"<[ \t]{{0,4}}/?[ \t]{{0,4}}(?:{names})(?![\w-])[^<>]{{0,80}}>"
    return re.compile(mark, re.IGNORECASE)


def _visible(text: str) -> bool:
    return any(c.isprintable() and not c.isspace() and c not in _BLANK for c in text)
