"""What a reader sees of a text once its Markdown and HTML are shown.

Whoever counts words must not count what nobody sees. So comments, hidden elements, link targets and
definitions, and invisible characters go, and entities become the signs they stand for. What stands
in code is shown as it is and stays.
"""

import html
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

LOOKALIKES = str.maketrans(
    "аеорсухіѕјԁһԛԝАВЕКМНОРСТХІЅЈονρΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "aeopcyxisjdhqwABEKMHOPCTXISJovpABEZHIKMNOPTYX",
)
"""Cyrillic and Greek letters that pass for Latin ones."""

_MARK = re.compile(
    r"^ {0,3}(?P<fence>`{3,}(?![^`\n]*`)|~{3,})[^\n]*(?:\n|\Z)"
    r"|(?P<code>(?<!`)(?:`[^`\n]+`|``[^`\n]+``)(?!`))"
    r"|(?P<comment><!--)"
    r"|(?<!<)<(?P<close>/?)(?P<name>[A-Za-z][A-Za-z0-9]{0,15})(?P<rest>(?:\s[^<>]{0,1000})?/?)>(?!>)",
    re.MULTILINE,
)

_BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "br", "center", "div", "dl", "dt", "dd",
    "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main",
    "nav", "ol", "p", "pre", "section", "table", "tbody", "td", "tfoot", "th", "thead", "tr",
    "ul",
})  # fmt: skip
_INLINE = frozenset({
    "a", "abbr", "b", "big", "body", "cite", "code", "del", "details", "em", "font", "html", "i",
    "input", "ins", "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strike",
    "strong", "sub", "summary", "sup", "tt", "u", "var",
})  # fmt: skip
_UNSHOWN = frozenset({
    "script", "style", "template", "title", "head", "noscript", "object", "iframe",
})  # fmt: skip
_TAGS = _BLOCKS | _INLINE | _UNSHOWN
_VOID = frozenset({"br", "hr", "input"})

_HIDING = re.compile(
    r"\bhidden\b|display\s*:\s*none|(?:opacity|font-size)\s*:\s*0(?![.\d])|color\s*:\s*transparent",
    re.IGNORECASE,
)

_DEFINITION = re.compile(
    r"^ {0,3}\[(?!\^)[^\[\]\n]{1,999}\]:[ \t]*(?:<[^<>\n]*>|[^\s<]\S*)"
    r"(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'|\([^()\n]*\)))?[ \t]*$",
    re.MULTILINE,
)
_IMAGE = re.compile(r"!\[[^\[\]\n]*\]\([^()\n]*\)")
_LINK = re.compile(r"(?<!!)\[([^\[\]\n]+)\]\([^()\n]*\)")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_BREAK = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")

_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters, marks and symbols that show nothing."""


class Piece(NamedTuple):
    """A run of a text; ``fence`` is the mark and tag of a block of code, ``code`` any code."""

    shown: str
    code: bool = False
    fence: str = ""


def visible(text: str) -> str:
    r"""A text as it is seen.

    >>> visible("one<!-- two --> [three](http://four) &#102;ive<span hidden>six</span>\u200b")
    'one three five'
    """
    return "".join(piece.shown for piece in pieces(text))


def pieces(text: str) -> list[Piece]:
    """The visible runs of a text, code and other."""
    parts: list[Piece] = []
    plain: list[str] = []
    for piece in _scan(_BREAK.sub("\n", text)):
        if piece.code:
            parts += [Piece(_shown("".join(plain))), piece._replace(shown=_bare(piece.shown))]
            plain = []
        else:
            plain.append(piece.shown)
    parts.append(Piece(_shown("".join(plain))))
    return [piece for piece in parts if piece.shown]


def _scan(text: str) -> Iterator[Piece]:
    """A text without comments, tags and hidden elements, in one pass from left to right."""
    at = 0
    while mark := _MARK.search(text, at):
        yield Piece(text[at : mark.start()])
        at = mark.end()
        if mark["fence"]:
            at = _fence_end(text, mark["fence"], at)
            yield Piece(text[mark.start() : at], code=True, fence=mark[0].strip())
        elif mark["code"]:
            yield Piece(mark[0], code=True)
        elif mark["comment"]:
            # A comment that is not closed hides the rest; "<!-->" is closed.
            end = text.find("-->", mark.start() + 2)
            at = len(text) if end < 0 else end + 3
        elif mark["name"].lower() in _TAGS:
            at = _element_end(text, mark)
            yield Piece("\n" * (mark["name"].lower() in _BLOCKS))
        else:
            yield Piece(mark[0])
    yield Piece(text[at:])


def _fence_end(text: str, fence: str, at: int) -> int:
    """Where a block of code ends: after as long a fence of the same sign, or with the text."""
    closing = re.compile(rf"^ {{0,3}}{fence[0]}{{{len(fence)},}}[ \t]*(?:\n|\Z)", re.MULTILINE)
    match = closing.search(text, at)
    return match.end() if match else len(text)


def _element_end(text: str, tag: re.Match[str]) -> int:
    """Where reading goes on: after the tag, or after the whole element where it is not shown."""
    name = tag["name"].lower()
    hidden = name in _UNSHOWN or _HIDING.search(tag["rest"])
    if tag["close"] or name in _VOID or tag["rest"].endswith("/") or not hidden:
        return tag.end()
    depth = 1
    for other in re.compile(rf"<(/?){name}\b[^<>]*>", re.IGNORECASE).finditer(text, tag.end()):
        depth += -1 if other[1] else 1
        if depth == 0:
            return other.end()
    return len(text)


def _shown(text: str) -> str:
    """What is seen of a run without code, comments and tags."""
    text = _DEFINITION.sub("", text)
    text = _LINK.sub(r"\1", _IMAGE.sub("", text))
    text = _ENTITY.sub(lambda entity: html.unescape(entity[0]), text)
    return _bare(text)


def _bare(text: str) -> str:
    """A text without invisible characters. They go last, so that none can make up a comment."""
    if text.isascii() and text.isprintable():
        return text
    drop = {ord(sign): None for sign in set(text) if _invisible(sign)}
    return text.translate(drop)


def _invisible(sign: str) -> bool:
    if sign in "\n\t":
        return False
    if sign in _FILLERS or "\ufe00" <= sign <= "\ufe0f" or "\U000e0100" <= sign <= "\U000e01ef":
        return True
    return unicodedata.category(sign)[0] == "C"


def looks(word: str) -> str:
    """Return a word as it looks, in lower case: compatible and look-alike characters are one.

    Letters of other alphabets are taken for Latin ones only where all of the word can be.

    >>> looks("\u0421\u043ep"), looks("\uff23\uff2f\uff30"), looks("\u0434\u043e\u043c")
    ('cop', 'cop', 'дом')
    """
    if word.isascii():
        return word.lower()
    return _looks(word) if len(word) < 60 else _looks.__wrapped__(word)


@lru_cache(maxsize=4_096)
def _looks(word: str) -> str:
    plain = unicodedata.normalize("NFKC", word)
    latin = plain.translate(LOOKALIKES)
    same = all(sign < "\u0250" or not sign.isalpha() for sign in latin)
    return (latin if same else plain).casefold()
