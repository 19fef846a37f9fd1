r"""Answers with sources: who is cited, what is quoted, and whether the answer is right.

>>> from palaestra.verifiers.json.documents import JsonEqual
>>> sources = {"1": "The river Daugava flows through Riga.", "2": "Riga has a zoo.", "3": "Snow."}
>>> verifier = Cited(sources, supporting=["1"], answer=JsonEqual("Daugava"))
>>> verifier('"The river Daugava rises in Riga" [1].\nAnswer: "Daugava"').reason
'a quotation is not in the source cited for it'
>>> verifier('"The river Daugava flows through Riga" [1].\nAnswer: "Daugava"').correct
True
>>> verifier('Answer: "Daugava" [1, 2, 3]').reason
'a source is cited that does not bear on it'
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from palaestra.task import InvalidAnswer, Score
from palaestra.verifiers.certificates import gap
from palaestra.verifiers.instructions.sentences import is_label
from palaestra.verifiers.reading.values import plain
from palaestra.verifiers.verifier import GoldError, Judge, Verifier

CLAIM = 4
"""How many words a sentence has, at least, that must cite something."""

PASSAGES = 100
"""How many passages an answer may quote."""

_MARK = re.compile(r"\[([^\[\]\n]{0,200})\]")
_QUOTE = re.compile(r'"([^"]*+)"')
_BREAK = re.compile(r"\n[ \t]*+\n|\n(?=[ \t]*+(?:[-*•]|[0-9]{1,3}[.)])[ \t])")
_END = re.compile(r"""(?<![.!?])[.!?]++["')]*+(?:\s*+\[[^\[\]\n]{0,200}\])*+(?=\s|$)""")
_ANSWER = re.compile(
    r"^[ \t*_#]*+(?:(?:the|my) )?(?:final )?answer(?: is)?[ \t*_]*+:[ \t*_]*+(.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_INITIAL = re.compile(r"\b([A-HJ-Z])\.$")
_ABBREVIATION = re.compile(
    r"(?:\b[A-Za-z]|\b(?:al|approx|ca|cf|dr|ed|etc|fig|jr|mr|mrs|ms|no|nos|prof|sr|st|vol|vs))\.$",
    re.IGNORECASE,
)
_EDGES = " '.,;:!?\u2026"
_SIGNS = str.maketrans(
    "“”„‟«»＂［］【】‘’‚‛", '"' * 7 + "[][]" + "'" * 4, "\u200b\u200c\u200d\u2060\ufeff"
)
_DASHES = str.maketrans("‐‑‒–—―−", "-" * 7)


@dataclass(frozen=True, slots=True)
class Cited(Verifier):
    """The answer is right and cites the sources that support it, and no others: 1 or 0.

    Citations stand in square brackets: ``[3]``, ``[doc-3]``, ``[1, 4]``. Everything in square
    brackets is one. A citation of a source that there is not makes the value 0, and so does a
    false quotation.

    - ``supporting``: the sources that bear the answer; all must be cited, or one of them where
      ``needed`` is "any". ``acceptable`` ones may be cited too.
    - ``answer``: a judge of the answer itself. It gets the last line that begins with "Answer:",
      or all of the text where there is none, without the citations. Its partial credit counts.
    - ``quotes``: a passage between double quotation marks stands word for word in a source that
      is cited for it, behind it or else before it in its sentence ("check"). Passages of fewer
      than ``shortest`` characters are not looked at. "require" wants a true passage from each
      source that is cited; "ignore" looks at none.
    - ``every_sentence``: each sentence of four words or more, other than the answer line, cites
      something.
    - ``partial``: where the citations are not just right, they count with their F1, measured from
      that of citing everything, which is worth 0.

    ``parts`` are precision and recall of the citations, and the value of the answer. Raises
    :class:`GoldError` where citing everything would be right, or for sources not to be told apart.
    """

    sources: Mapping[str, str]
    supporting: Collection[str]
    answer: Judge
    acceptable: Collection[str] = ()
    needed: Literal["all", "any"] = "all"
    quotes: Literal["check", "require", "ignore"] = "check"
    shortest: int = 15
    every_sentence: bool = False
    partial: bool = False

    def __post_init__(self) -> None:
        if self.needed not in ("all", "any") or self.quotes not in ("check", "require", "ignore"):
            raise GoldError("needed is 'all' or 'any', quotes are 'check', 'require' or 'ignore'")
        names = {_named(name) for name in self.sources}
        if len(names) < len(self.sources) or any(set('[],;"') & {*n} or not n for n in names):
            raise GoldError("source names must differ and contain no brackets or commas")
        known = {*self.supporting, *self.acceptable}
        if not self.supporting or not known <= self.sources.keys():
            raise GoldError("one source at least supports the answer, and only sources do")
        if known == {*self.sources}:
            raise GoldError("citing everything would be right: add a source that does not help")
        if self.shortest < 1:
            raise GoldError("a quotation has one character at least")

    def verify(self, answer: str) -> Score:
        text = _Text(answer, quotes=self.quotes != "ignore")
        known = {_named(name): name for name in self.sources}
        problem = self._violation(text, known)
        cited = {known[name] for name in text.cited() if name in known}
        precision, recall = self._measures(cited)
        cited_answer = self.answer(text.answer())
        parts = {"precision": precision, "recall": recall, "answer": cited_answer.value}
        if problem or cited_answer.value == 0:
            return Score(
                0.0,
                problem or cited_answer.reason,
                parts,
                "scored" if problem else cited_answer.status,
            )
        if precision == recall == 1:
            return Score(cited_answer.value, cited_answer.reason, parts)
        share = gap(_f1(precision, recall), _f1(*self._measures({*self.sources})), 1)
        reason = "a source is cited that does not bear on it"
        if precision == 1:
            reason = "the sources cited do not bear all of it"
        return Score(share * cited_answer.value if self.partial else 0.0, reason, parts)

    def _measures(self, cited: Collection[str]) -> tuple[float, float]:
        """Precision and recall of citations."""
        due = {*self.supporting}
        hits = len(due.intersection(cited))
        counted = len({*cited} - ({*self.acceptable} - due))
        recall = hits / len(due) if self.needed == "all" else float(hits > 0)
        return hits / max(counted, 1), recall

    def _violation(self, text: "_Text", known: Mapping[str, str]) -> str:
        """What is wrong with the citations whatever they support."""
        cited = {*text.cited()}
        if not cited:
            return "nothing is cited"
        if not cited <= known.keys():
            return "something is cited that is none of the sources"
        if self.every_sentence and text.has_bare_claim():
            return "a sentence cites nothing"
        quoted: set[str] = set()
        for passage, names in text.passages():
            flat = _flat(passage).strip(_EDGES)
            if len(flat) >= self.shortest:
                sources = {name for name in names if flat in _flat(self.sources[known[name]])}
                if not sources:
                    return "a quotation is not in the source cited for it"
                quoted |= sources
        if self.quotes == "require" and quoted != cited:
            return "a source is cited without a passage from it"
        return ""


class _Text:
    """An answer taken apart, into sentences, citations and passages in quotation marks."""

    def __init__(self, answer: str, quotes: bool) -> None:
        self.text = answer.translate(_SIGNS)
        if quotes and self.text.count('"') % 2:
            raise InvalidAnswer("a quotation mark is not closed")
        self.quotes = list(_QUOTE.finditer(self.text)) if quotes else []
        if len(self.quotes) > PASSAGES:
            raise InvalidAnswer(f"more than {PASSAGES} passages are quoted", "limit")
        # What is quoted is of no account where sentences and citations are looked for.
        self.masked = _QUOTE.sub(_mask, self.text) if quotes else self.text
        self.marks = list(_MARK.finditer(self.masked))
        self.starts = [mark.start() for mark in self.marks]

    def cited(self, start: int = 0, end: int | None = None) -> list[str]:
        """What is cited between two places."""
        marks = (mark[1] for mark in self._marks(start, end))
        return [_named(name) for mark in marks for name in re.split("[,;]", mark)]

    def _marks(self, start: int, end: int | None) -> list[re.Match[str]]:
        last = len(self.marks) if end is None else bisect_left(self.starts, end)
        return self.marks[bisect_left(self.starts, start) : last]

    def bare(self, start: int = 0, end: int | None = None) -> str:
        """The text between two places without citations."""
        kept = []
        for mark in self._marks(start, end):
            kept.append(self.text[start : mark.start()].rstrip(" "))
            start = mark.end()
        return "".join([*kept, self.text[start:end]])

    def answer(self) -> str:
        """The last line that begins with "Answer:", or all of the text."""
        lines = _ANSWER.findall(self.bare())
        return lines[-1].strip(" \t\r*_") if lines else self.bare()

    def sentences(self) -> Iterator[tuple[int, int]]:
        """Return where sentences begin and end; citations after the full stop belong to them."""
        breaks = (each.end() for each in _BREAK.finditer(self.masked))
        return pairwise(sorted({0, *self._full_stops(), *breaks, len(self.text)}))

    def _full_stops(self) -> Iterator[int]:
        for end in _END.finditer(self.masked):
            before = self.masked[max(0, end.start() - 80) : end.start() + 1]
            after = self.masked[end.end() : end.end() + 10].lstrip()
            labels = _INITIAL.search(before) and is_label(before.split()[:-1])
            if not after[:1].islower() and (labels or not _ABBREVIATION.search(before)):
                yield end.end()

    def has_bare_claim(self) -> bool:
        """Whether a sentence of some length cites nothing."""
        for start, end in self.sentences():
            sentence = self.bare(start, end).strip()
            words = sum(any(map(str.isalpha, word)) for word in sentence.split())
            if words >= CLAIM and not (self._marks(start, end) or _ANSWER.match(sentence)):
                return True
        return False

    def passages(self) -> Iterator[tuple[str, list[str]]]:
        """What is quoted, with what is cited for it: next behind it, or else before it."""
        edges = sorted({edge for span in self.sentences() for edge in span})
        groups = self._groups()
        begins = [start for start, _ in groups]
        for n, quote in enumerate(self.quotes):
            sentence = bisect_right(edges, quote.start())
            first = max(edges[sentence - 1], self.quotes[n - 1].end() if n else 0)
            last = min([edges[sentence], *(each.start() for each in self.quotes[n + 1 : n + 2])])
            behind = bisect_left(begins, quote.start())
            near = [g for g in groups[behind : behind + 1] if g[0] < last]
            near += [g for g in groups[max(behind - 1, 0) : behind] if g[0] >= first]
            yield quote[1], self.cited(*near[0]) if near else []

    def _groups(self) -> list[tuple[int, int]]:
        """Where citations begin and end that stand side by side."""
        spans: list[tuple[int, int]] = []
        for mark in self.marks:
            start, end = mark.span()
            if spans and self.masked[spans[-1][1] : start].strip(" ,;") in ("", "and"):
                start = spans.pop()[0]
            spans.append((start, end))
        return spans


def _mask(quote: re.Match[str]) -> str:
    """A quotation with nothing in it but the full stop that may end it."""
    inside = quote[1]
    last = inside[-1:] if inside[-1:] in (".", "!", "?") else "x" * len(inside[-1:])
    return f'"{"x" * len(inside[:-1])}{last}"'


def _named(name: str) -> str:
    return plain(name).casefold()


@lru_cache(maxsize=1024)
def _flat(text: str) -> str:
    """A text in small letters with one sort of quotation marks and dashes, and single blanks."""
    plainer = text.translate(_SIGNS).translate(_DASHES).replace('"', "'")
    return " ".join(plainer.casefold().split())


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
