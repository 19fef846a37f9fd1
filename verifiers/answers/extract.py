r"""Finding the answer in a reply: the last box, the answer tag, or the anchored line.

Rules R1 to R16 of the answer contract. One pass over the text for each mark; no pattern here can
backtrack, so a megabyte of anything takes milliseconds.
"""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple

from palaestra.task import InvalidAnswer
from palaestra.verifiers.answers.attached import with_attached
from palaestra.verifiers.answers.verdicts import Policy
from palaestra.verifiers.replies import TAG, Conflicting, spoken, tagged

APART = 40
"""Boxes with at most so many signs of connective between them are one answer in parts."""

BOXES = 40
"""How many boxes from the end are looked at."""

ANCHORS = 400
"""How many words such as "answer" are looked at from the end for one that announces it."""

REACH = 7_000
"""Where a box has to be closed; longer answers are over the limit anyway."""


_BOX = re.compile(r"\\(?:boxed|fbox)\s{0,4}(?![a-zA-Z])")
_BARE = re.compile(r"[^\s$.,;{}]+")
_CONNECTIVE = re.compile(r"[\s$.,;:&\\()\[\]*]*")
_COMMENT = re.compile(r"^[ \t]*%[^\n]*\n?", re.MULTILINE)
_ANCHOR = re.compile(
    r"####[ \t]*|answer[ \t]{0,4}[*_]{0,3}[ \t]{0,4}(?:is(?![a-z])|[:\uff1a]|=)[ \t]{0,4}[*_]{0,3}"
    r"[:\uff1a]?",
    re.IGNORECASE,
)
_HEADING = re.compile(r"answer[ \t]{0,4}[*_]{0,3}[ \t]{0,4}\n", re.IGNORECASE)
_HEADS = re.compile(
    r"[ \t]{0,4}#{0,6}[ \t]{0,4}[*_]{0,3}(?:(?:the|my|your|final) ){0,2}", re.IGNORECASE
)
"""What may stand before the word on the line of a heading."""
_DISPLAYS = (("$$", "$$"), ("\\[", "\\]"))
_CLOSING = re.compile(r"\.?\s*i hope it is correct\.?\s*$", re.IGNORECASE)
_SENTENCE = re.compile(r"\.\s+(?=[A-Z])")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_PLACEHOLDERS = frozenset(
    [
        *(
            "",
            "...",
            "…",
            "\\ldots",
            "\\dots",
            "\\cdots",
            "?",
            "??",
            "-",
            "_",
            "__",
            "___",
            "answer",
        ),
        *("your answer", "final answer", "your final answer", "the answer", "your answer here"),
        *("answer here", "final_answer", "your_answer", "result", "[answer]", "<answer>"),
    ]
)
_BLANK = re.compile(r"\\[,;:! ]|\\q?quad(?![a-zA-Z])|~|\{\s*\}|\\$")
_WORDING = re.compile(r"\\(?:text|mathrm|textbf|mbox)\s*\{([^{}]*)\}")


class Found(NamedTuple):
    """The extracted answer of a reply: its parts, and how they are combined."""

    parts: tuple[str, ...]
    either: bool = False
    """Whether the parts are alternatives, or stand together without a word."""

    @property
    def text(self) -> str:
        """All of it in one line."""
        return (" \\text{ or } " if self.either else ", ").join(self.parts)


def extracted(reply: str, policy: Policy) -> Found:
    r"""The answer of a reply.

    Raises :class:`InvalidAnswer` with what is missing where there is none.

    >>> extracted(r"First \boxed{1}, no: \boxed{2}.", Policy()).text
    '2'
    """
    text = spoken(reply)
    if not text or text.isspace():
        raise InvalidAnswer("there is no answer outside the thoughts", "no_answer")
    if policy.mode == "strict":
        return _STRICT[policy.mark](text, policy)
    if "<" in text and TAG.search(text):
        return _from_tag(text, policy)
    if next(_starts(text), None) is not None:
        return _from_boxes(text, policy)
    return _from_line(text, policy)


def _from_tag(text: str, policy: Policy) -> Found:
    inner = _filled(_in_tag(text, policy))
    if next(_starts(inner), None) is not None:
        return _from_boxes(inner, policy)
    if "nswer" in inner and (anchored := _anchored(inner)):
        return Found((anchored,))
    return Found((_filled(inner),))


def _in_tag(text: str, policy: Policy) -> str:
    return tagged(text, last=policy.several == "last", truncated=policy.accept_truncated)


def _from_boxes(text: str, policy: Policy) -> Found:
    last, *others = _boxes(text, policy.accept_truncated)
    parts = [_filled(last.content)]
    if policy.several == "same" and any(
        box.content.strip() != last.content.strip() for box in others
    ):
        raise Conflicting("two answers in boxes differ")
    either = False
    here = last
    for box in others:  # from right to left
        joint = _joint(text[box.end : here.start])
        if joint is None:
            break
        here = box
        if not _is_placeholder(box.content):
            parts.insert(0, box.content.strip())
            either = either or joint in {"", "or"}
    if len(parts) == 1:
        return Found((with_attached(parts[0], text, last.start, last.end),))
    return Found(tuple(dict.fromkeys(parts)), either)


class _Box(NamedTuple):
    start: int
    end: int
    content: str


def _boxes(text: str, accept_truncated: bool) -> Iterator[_Box]:
    """The boxes of a text from the last on; of nested ones the place of the outermost, and what
    the innermost holds.

    Raises :class:`InvalidAnswer` where the last is not closed.
    """
    current: _Box | None = None
    for start in _starts(text):
        try:
            end, content = _closed(text, start, accept_truncated and current is None)
        except InvalidAnswer:
            if current is None:
                raise
            continue
        if current is not None and end > current.start:  # it holds the one behind it
            current = _Box(start, max(end, current.end), current.content)
            continue
        if current is not None:
            yield current
        current = _Box(start, end, content)
    if current is None:
        raise InvalidAnswer("there is no \\boxed{} with text in it", "no_answer")
    yield current


def _starts(text: str) -> Iterator[int]:
    """Where boxes start, from the last on."""
    for start in islice(_places(text, ("\\boxed", "\\fbox")), BOXES):
        if _BOX.match(text, start) and not _commented(text, start):
            yield start


def _places(text: str, marks: tuple[str, ...]) -> Iterator[int]:
    """Where any of some marks stands, from the last on."""
    last = {mark: text.rfind(mark) for mark in marks}
    while (position := max(last.values())) >= 0:
        yield position
        for mark, there in last.items():
            if there == position:
                last[mark] = text.rfind(mark, 0, position)


def _commented(text: str, position: int) -> bool:
    """Whether a place is on a line that LaTeX leaves out."""
    if "%" not in text:
        return False
    line = text.rfind("\n", 0, position) + 1
    return text[line : line + 80].lstrip().startswith("%")


def _closed(text: str, start: int, accept_truncated: bool) -> tuple[int, str]:
    """Where a box ends, and what it holds."""
    mark = _BOX.match(text, start)
    assert mark is not None
    opening = mark.end()
    if text[opening : opening + 1] != "{":
        bare = _BARE.match(text, opening)
        if bare is None:
            raise InvalidAnswer("the last box is not closed", "no_answer")
        return bare.end(), bare[0]
    end = _closing_brace(text, opening)
    if end >= 0:
        return end, text[opening + 1 : end - 1]
    if len(text) - opening > REACH:
        raise InvalidAnswer(f"the last box is not closed within {REACH} characters", "limit")
    if not accept_truncated:
        raise InvalidAnswer("the last box is not closed", "no_answer")
    return len(text), text[opening + 1 :]


def _closing_brace(text: str, start: int) -> int:
    """The place behind the brace that closes the one at ``start``; -1 where none is in reach."""
    depth = 0
    for mark in _BRACE.finditer(text, start, start + REACH):
        if mark[0] == "{":
            depth += 1
        elif mark[0] == "}":
            depth -= 1
            if not depth:
                return mark.end()
    return -1


def _joint(between: str) -> str | None:
    """The word between two boxes of one answer, ``,`` or nothing; None where they are apart."""
    if len(between) > APART:
        return None
    text = _WORDING.sub(r"\1", _BLANK.sub(" ", between))
    words = re.findall(r"[a-zA-Z]+", text)
    rest = re.sub(r"[a-zA-Z]+", "", text)
    if len(words) > 1 or not _CONNECTIVE.fullmatch(rest):
        return None
    if words:
        return words[0].lower() if words[0].lower() in {"and", "or"} else None
    return "," if "," in rest or ";" in rest else ""


def _filled(content: str) -> str:
    if _is_placeholder(content):
        raise InvalidAnswer("the text after 'answer' is empty", "no_answer")
    return (_COMMENT.sub("", content) if "%" in content else content).strip()


def _is_placeholder(content: str) -> bool:
    if len(content) > 60:
        return False
    bare = _BLANK.sub(" ", _WORDING.sub(r"\1", content)).strip(" \t\n$*.:").casefold()
    return bare in _PLACEHOLDERS


def _from_line(text: str, policy: Policy) -> Found:
    anchored = _anchored(text)
    if not anchored:
        raise InvalidAnswer("no answer is marked as such", "no_answer")
    return Found((_filled(anchored),))


def _anchored(text: str) -> str:
    """What follows the last "Answer:" or "####" on its line, without what wraps it."""
    last = next(_anchors(text), None)
    if last is None:
        return ""
    line = text[last.end() : last.end() + 6_100].lstrip(" \t")
    line = line.lstrip() if line[:1] == "\n" else line
    for left, right in _DISPLAYS:
        if line.startswith(left) and right in line[len(left) :]:
            return line[len(left) :].partition(right)[0].strip()
    line = _CLOSING.sub("", line.partition("\n")[0]).strip("*_` ")
    if line.startswith("$") and line.count("$") == 2:
        maths, _, behind = line[1:].partition("$")
        line = maths if behind[:1] in {".", ",", ";"} else line
    return _SENTENCE.split(line, maxsplit=1)[0].removesuffix(".").strip("*_` ")


def _anchors(text: str) -> Iterator[re.Match[str]]:
    """What announces an answer, from the last on."""
    for start in islice(_places(text, ("answer", "Answer", "ANSWER", "####")), ANCHORS):
        anchor = _ANCHOR.match(text, start) or _heading(text, start)
        if anchor is not None and not _commented(text, start):
            yield anchor


def _heading(text: str, start: int) -> re.Match[str] | None:
    """The word "answer" that ends a line on which nothing but a heading stands."""
    line = text.rfind("\n", max(0, start - 40), start) + 1
    if line == 0 and start > 40:
        return None
    return _HEADING.match(text, start) if _HEADS.fullmatch(text, line, start) else None


_STRICT: dict[str, Callable[[str, Policy], Found]] = {
    "box": _from_boxes,
    "tag": lambda text, policy: Found((_filled(_in_tag(text, policy)),)),
    "line": _from_line,
}
