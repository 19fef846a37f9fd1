"""A text taken apart into what instructions count.

A *word* is a run of letters, marks and digits; up to three hyphens, apostrophes or underscores join
such runs into one word ("mother-in-law", "don't", "x_y"), and so do a point or comma between digits
and points between single letters ("i.e.", "U.S.A."). In scripts written without blanks (Chinese
characters and kana) each sign is a word. Words are compared as they look.
A *sentence* ends as :mod:`~palaestra.verifiers.instructions.sentences` says and holds a word. A
*paragraph* is what stands between blank lines and holds a word. A *line* holds a visible sign.
"""

import re
import unicodedata
from collections import Counter
from functools import cached_property, lru_cache

from palaestra.verifiers.instructions.sentences import split_sentences
from palaestra.verifiers.instructions.visible import Piece, looks, pieces

_UNSPACED = (
    "\u3005\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n\s*")
_BULLET = re.compile(r"\s{0,12}[-*+\u2022]\s+(?=\S)")
_NUMBER = re.compile(r"\s{0,12}(\d{1,4})[.)]\s+(?=\S)", re.ASCII)
_HEADING = re.compile(r" {0,3}#{1,6}\s+(?=\S)")
_MUTED = str.maketrans(dict.fromkeys("*#|[]<>_~+-\u2022", "x") | {"`": None})
_RULE = re.compile(r"\s*(?:[-*_]\s*){3,}")
_DOTTED = r"(?<![^\W_])(?:(?:[A-Za-z]\.){1,5}[A-Za-z]|Ph\.D|[BM]\.Sc)(?:\.?['\u2019]s)?(?![^\W_])"
"""An abbreviation of single letters with points between them; of longer words, degrees alone."""


class Text:
    """A text, its visible part, and the structure of that part, each computed on first use."""

    def __init__(self, raw: str) -> None:
        self.raw = raw

    @cached_property
    def _pieces(self) -> list[Piece]:
        return pieces(self.raw)

    @cached_property
    def shown(self) -> str:
        """All that is seen, code as well."""
        return "".join(shown for shown, _, _ in self._pieces).strip()

    @cached_property
    def flat(self) -> str:
        """The visible text on one line, with runs of spaces as one space."""
        return " ".join(self.shown.split())

    @cached_property
    def markup(self) -> str:
        """What is seen, without blocks of code, and with signs in other code made letters."""
        return "".join(
            ("\n" if fence else shown.translate(_MUTED)) if code else shown
            for shown, code, fence in self._pieces
        )

    @cached_property
    def blocks(self) -> list[tuple[str, str]]:
        """The blocks of code: the tag in lower case, and the content of each."""
        parts = []
        for shown, _, fence in self._pieces:
            if fence:
                _, _, body = shown.partition("\n")
                lines = body.rstrip().split("\n")
                inside = lines[:-1] if set(lines[-1].strip()) == {fence[0]} else lines
                parts.append((fence.lstrip("`~").strip().lower(), "\n".join(inside)))
        return parts

    @cached_property
    def lines(self) -> list[str]:
        """The lines that are not empty."""
        return [line.strip() for line in self.shown.split("\n") if line.strip()]

    @cached_property
    def paragraphs(self) -> list[str]:
        """The paragraphs."""
        blocks = _BLANK_LINE.split(self.shown)
        return [block.strip() for block in blocks if written(block)]

    @cached_property
    def sentences(self) -> list[str]:
        """The sentences."""
        return [sentence for sentences in self.grouped for sentence in sentences]

    @cached_property
    def grouped(self) -> list[list[str]]:
        """The sentences of each paragraph."""
        return [sentences_of(paragraph) for paragraph in self.paragraphs]

    @cached_property
    def spoken(self) -> list[list[str]]:
        """The words of each sentence as they look, in small letters."""
        return [words_of(sentence) for sentence in self.sentences]

    @cached_property
    def tokens(self) -> list[str]:
        """The words as they are written."""
        return written(self.shown)

    @cached_property
    def words(self) -> list[str]:
        """The words as they look, in small letters."""
        return [looks(token) for token in self.tokens]

    @cached_property
    def counts(self) -> Counter[str]:
        """How often each word occurs."""
        return Counter(self.words)

    @cached_property
    def letters(self) -> Counter[str]:
        """How often each letter occurs, small and without accents."""
        return Counter(filter(str.isalpha, unaccented("".join(self.words))))

    @cached_property
    def marked_lines(self) -> list[str]:
        """The lines outside code that are not empty, with their indent."""
        return [line for line in self.markup.split("\n") if line.strip()]

    @cached_property
    def bullets(self) -> list[str]:
        """The items of bulleted lists."""
        return _items(_BULLET, self.marked_lines)

    @cached_property
    def headings(self) -> list[str]:
        """The headings, ``#`` to ``######``, without these characters."""
        return _items(_HEADING, self.marked_lines)

    @cached_property
    def numbers(self) -> list[int]:
        """The numbers of the items of numbered lists."""
        numbers = (_NUMBER.match(line) for line in self.marked_lines)
        return [int(number[1]) for number in numbers if number]


def _items(pattern: re.Pattern[str], lines: list[str]) -> list[str]:
    matches = ((pattern.match(line), line) for line in lines)
    return [line[m.end() :].strip() for m, line in matches if m and not _RULE.fullmatch(line)]


def written(text: str) -> list[str]:
    """The words of a visible text as they are written.

    >>> written("Don't pay 3.14 well-known cats \u2013 \u732b\u3060")
    ["Don't", 'pay', '3.14', 'well-known', 'cats', '猫', 'だ']
    """
    marks = "" if text.isascii() else "".join(sorted(filter(_joins, set(text))))
    matches: list[str] = _pattern(marks).findall(text)
    return matches


def _joins(sign: str) -> bool:
    return unicodedata.category(sign)[0] == "M"


@lru_cache(maxsize=256)
def _pattern(marks: str) -> re.Pattern[str]:
    """What a word is in a text that has these combining marks, which ``re`` knows nothing of."""
    tail = f"[{re.escape(marks)}]*" if marks else ""
    sign = rf"(?:(?![{_UNSPACED}])[^\W_]{tail}|(?<=[0-9])[.,](?=[0-9]))"
    return re.compile(
        rf"(?=[^\W_])[{_UNSPACED}]{tail}|{_DOTTED}"
        rf"|(?![.,]){sign}+(?:[-_'\u2019\u2010\u2011]{sign}+){{0,3}}"
    )


def words_of(text: str) -> list[str]:
    """The words of a visible text as they look, in small letters."""
    return [looks(token) for token in written(text)]


def sentences_of(paragraph: str) -> list[str]:
    """Return the sentences of a visible paragraph; headings, items and rows count as one each."""
    runs: list[list[str]] = [[]]
    for line in paragraph.split("\n"):
        alone = _HEADING.match(line) or line.lstrip().startswith(("|", "```", "~~~"))
        if alone or _BULLET.match(line) or _NUMBER.match(line):
            runs.append([])
        runs[-1].append(line.strip())
        if alone:
            runs.append([])
    sentences = (sentence for run in runs for sentence in split_sentences(" ".join(run)))
    return [sentence for sentence in sentences if written(sentence)]


def unaccented(text: str) -> str:
    """A text without accents and in small letters.

    >>> unaccented("\u00c9t\u00e9")
    'ete'
    """
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text).casefold()
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


def initial(word: str) -> str:
    """The letter or digit that a word begins with, small and without accent."""
    return unaccented(word[:1])[:1]
