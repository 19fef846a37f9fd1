r"""What stands right beside a box and belongs to the answer: a sign, a unit, the rest of a product.

Prose behind a box is not looked at. What is taken is read together with the box first, so that only
a unit, or what an expression can go on with, is ever part of the answer.
"""

import re

from palaestra.task import InvalidAnswer
from palaestra.verifiers.answers.compounds import compound
from palaestra.verifiers.answers.grammar import parsed
from palaestra.verifiers.answers.nodes import ARITHMETIC
from palaestra.verifiers.answers.signs import spelled
from palaestra.verifiers.quantities.units import counted, unit

REACH = 120
"""How far behind a box is looked, within its line."""

_MINUS = re.compile(r"(?:^|[\s=:(\[{$,])[-\u2212]\$?$")
_MONEY = re.compile(r"(\\\$|[€£¥₹])(?:\\[,;:!]| ){0,2}\$?$")
_MARK = re.compile(
    r"\$?\s?(?:\\?%|\uff05)|\$?(?:\^\s*(?:\{\\circ\s*\}|\\circ(?![a-z])|\{[^{}]{1,40}\}|[0-9a-z])"
    r"|\\degree(?![a-z])|\u00b0|[\u00b2\u00b3])|!(?=\s?(?:\$|\\[)\]]|[-+*/=^]))"
)
_DIGITS = re.compile(r"(?:,\d{3}(?!\d))+(?:\.\d+)?|[.]?\d{1,40}")
"""Digits that a number in a box goes on with."""
_CLOSING = re.compile(r"\$\$?|\\[)\]]")
_SPACING = re.compile(r"(?:\s|~|\\[,;:! ]|\\q?quad(?![a-zA-Z])|\*\*|\{\})*")
_END = re.compile(r"\n|\$|\\[)\]]|\\boxed|\\(?:tag|label)(?![a-zA-Z])|[.,;:!?](?=\s|$)|[.,;:!?]?\Z")
_STOP = re.compile(r"[\n$]|\\[)\]]|\\boxed|[.;:!?](?=\s|\Z)")
_GOES_ON = re.compile(
    r"\\(?:sqrt|pi|times|cdot|frac|dfrac|tfrac|pm|text\s*\{\s*or\s*\})(?![a-zA-Z])"
    r"|[-+*/](?!\s?[a-zA-Z]{2})|or\s+(?=[-+\\$\d(]|[a-zA-Z](?![a-zA-Z]))"
)
_TOUCHES = re.compile(r"[a-zA-Z(](?![a-zA-Z])")
_WORDS = re.compile(r"[^\W\d_]+")
_VALUE = re.compile(r"[\d\\]")
_PROSE = frozenset(["a", "as", "at", "in", "us", "second", "minute", "degree"])
"""Words of prose that are units, too: only where nothing follows them."""
_NO_UNITS = frozenset(["a", "as", "us"])
_PLURAL = re.compile(r"[a-z]{3,20}s")
_NO_PLURALS = frozenset(["always", "perhaps", "this", "thus", "does", "follows", "plus", "minus"])


def with_attached(content: str, content_before: str, start: int, end: int) -> str:
    r"""What is in a box together with what is attached to it.

    >>> for text in (r"-\boxed{5}\%", r"$\boxed{5}$ km.", r"\boxed{3}\sqrt{2}", r"\boxed{5} is it"):
    ...     with_attached("5" if "5" in text else "3", text, text.index("\\"), text.index("}") + 1)
    '-(5)\\%'
    '5 km'
    '3 \\sqrt{2}'
    '5'
    """
    before = content_before[max(0, start - 8) : start]
    money = _MONEY.search(before)
    if money is not None:
        before, content = before[: money.start()], money[1] + content
    if _MINUS.search(before) and (money is not None or not before[-2:].isspace()):
        content = f"-({content})" if money is None else f"-{content}"
    if content[-1:].isdigit() and (digits := _DIGITS.match(content_before, end)):
        content, end = content + digits[0], digits.end()
    if behind := _MARK.match(content_before, end, end + 60):
        mark = behind[0].strip("$ ")
        content += "\\%" if mark in {"%", "\\%", "\uff05"} else mark
        return content if content[0] != "-" or mark.endswith("%") else f"({content})"
    return content + _rest(content, content_before[end : end + REACH])


def _rest(content: str, behind: str) -> str:
    """A unit, or what goes on with the expression in the box; nothing where prose follows."""
    inner = _SPACING.match(behind)
    assert inner is not None
    closed = _CLOSING.match(behind, inner.end())
    begin = _SPACING.match(behind, closed.end() if closed else inner.end())
    assert begin is not None
    if "\n" in behind[: begin.end()] or not _VALUE.search(content):
        return ""
    last = _END.search(behind, begin.end())
    phrase = behind[begin.end() : last.start() if last else len(behind)].strip("*) ")
    if not phrase or phrase in _NO_UNITS:
        return ""
    whole = _STOP.split(behind[begin.end() :], maxsplit=1)[0].strip("*) ")
    if compound(spelled(f"{content} {whole}")) is not None:
        return f" {whole}"
    if measure := _unit(phrase):
        return f" {measure}"
    joined = begin.end() == 0 and _TOUCHES.match(phrase)
    if not (joined or _GOES_ON.match(phrase)) or (closed and not phrase.startswith(("or ", "or{"))):
        return ""
    return f" {phrase}" if _is_read(content + " " + phrase) else ""


def _unit(phrase: str) -> str:
    """The unit that a phrase is, or starts with before prose; or a noun in the plural."""
    if unit(phrase) is not None:
        return phrase
    if _PLURAL.fullmatch(phrase) and phrase not in _NO_PLURALS and counted(phrase) is not None:
        return phrase
    words = [word for word in phrase.split(" ")[:4] if word]
    for count in range(len(words) - 1, 0, -1):
        text = " ".join(words[:count])
        prose = words[count - 1].casefold() in _PROSE or not _WORDS.match(words[count])
        if not prose and unit(text) is not None:
            return text
    return ""


def _is_read(text: str) -> bool:
    try:
        return parsed(spelled(text)).op in ARITHMETIC | {"or", "quantity", "relation", "pm"}
    except InvalidAnswer:
        return False
