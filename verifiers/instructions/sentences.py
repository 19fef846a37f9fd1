"""Where a sentence ends, by a rule that can be told in a few lines.

1. An end mark is a run of ``. ! ? …`` (or their likes in other scripts) with the quotes and
   brackets that close behind it. It ends a sentence where a blank or the end of the text follows;
   the full stops of scripts without blanks end one anywhere.
2. A single full stop does not end a sentence after a title or another abbreviation that always goes
   on ("Mr.", "e.g."), after an initial ("J. Smith"), or after a number that stands first
   ("1. Wash"). A single capital is an initial unless it is I, labels something (behind an article,
   an equals sign, or a noun such as "plan", "vitamin" or "Fig.": "Plan B. Go."), or ends a list of
   such capitals ("A, B or C.").
3. After an abbreviation that may end a sentence ("etc.", "a.m.", "U.S."), it does so only where a
   capital follows; after "No." and the like, unless a digit follows.
4. An ellipsis, or an end mark within quotes or brackets, does not end a sentence where a small
   letter follows.
5. A blank line ends a sentence, and so do headings, items of lists, and rows of tables.
"""

import re

_END = re.compile(
    r"([.!?\u2026\u2024\uff0e\u061f\u06d4\u0964\u0589\u1362\u3002\uff01\uff1f\uff61]+)"
    r"([\"'\u201d\u2019\u00bb)\]*_\u300d\u300f\uff09]*)"
)
_WIDE = frozenset("\u3002\uff01\uff1f\uff61")
_OPENERS = "\"'([{*_\u201c\u2018\u00ab"
_DOTTED = re.compile(r"(?:[A-Za-z]\.){1,5}[A-Za-z]")

_GOES_ON = frozenset({
    "mr", "mrs", "ms", "mx", "dr", "prof", "st", "mt", "ft", "gen", "col", "capt", "cmdr", "lt",
    "sgt", "rev", "hon", "sen", "rep", "gov", "pres", "mme", "mlle", "messrs", "e.g", "i.e",
    "cf", "vs", "viz", "approx", "al", "ca",
})  # fmt: skip
_MAY_END = frozenset({
    "etc", "inc", "ltd", "co", "corp", "bros", "jr", "sr", "esq", "dept", "est", "min", "max",
    "a.m", "p.m", "ph.d", "m.sc", "b.sc", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep",
    "sept", "oct", "nov",
    "dec", "mon", "tue", "wed", "thu", "fri", "sat", "sun",
})  # fmt: skip
_NUMBERED = frozenset({
    "no", "nos", "p", "pp", "fig", "figs", "vol", "vols", "ch", "sec", "art", "eq", "eqs",
})  # fmt: skip
_LABELLED = frozenset({
    "answer", "appendix", "block", "box", "building", "button", "candidate", "case", "category",
    "chapter", "choice", "city", "class", "column", "company", "condition", "country", "door",
    "equation", "example", "exhibit", "figure", "form", "gate", "grade", "group", "hepatitis",
    "hypothesis", "influenza", "item", "key", "label", "layer", "letter", "level", "line", "list",
    "method", "model", "node", "note", "object", "option", "page", "panel", "part", "path",
    "person", "phase", "plan", "platform", "player", "point", "position", "problem", "product",
    "question",
    "room", "route", "row", "sample", "scenario", "schedule", "section", "series", "set", "side",
    "situation", "stage", "state", "statement", "step", "strategy", "street", "string", "system",
    "table", "task", "team", "terminal", "test", "theorem", "town", "type", "unit", "variable",
    "variant", "version", "vertex", "vitamin", "ward", "wing", "zone",
})  # fmt: skip
"""Nouns before which no name stands, so that a capital behind them is their label."""
_LINKS = frozenset({"and", "or", "nor", "&", "to", "than", "vs."})
_BEFORE = 80
"""How many characters before a full stop are looked at."""


def split_sentences(text: str) -> list[str]:
    """The sentences of a paragraph.

    >>> split_sentences('Mr. Fox paid $3.14, e.g. to Dr. A. Hen. "Why?" he asked... Nobody knew!')
    ['Mr. Fox paid $3.14, e.g. to Dr. A. Hen.', '"Why?" he asked...', 'Nobody knew!']
    """
    parts, start = [], 0
    for end in _END.finditer(text):
        if _ends(text, start, end):
            parts.append(text[start : end.end()].strip())
            start = end.end()
    parts.append(text[start:].strip())
    return [sentence for sentence in parts if sentence]


def _ends(text: str, start: int, end: re.Match[str]) -> bool:
    mark, closers = end[1], end[2]
    if _WIDE & set(mark):
        return True
    after = text[end.end() : end.end() + 9]
    if after and not after[0].isspace():
        return False
    follows = after.strip().lstrip(_OPENERS)[:1]
    if (len(mark) > 1 and "!" not in mark and "?" not in mark) or "\u2026" in mark or closers:
        return not follows.islower() and not (
            mark == "." and _abbreviates(text, start, end, follows)
        )
    return mark != "." or not _abbreviates(text, start, end, follows)


def _abbreviates(text: str, start: int, end: re.Match[str], follows: str) -> bool:
    """Whether a full stop belongs to the word before it and ends nothing."""
    if not follows:
        return False
    before = text[max(start, end.start() - _BEFORE) : end.start()].split()
    word = before[-1].lstrip(_OPENERS) if before else ""
    lowered = word.lower()
    if len(word) == 1 and word.isupper():
        return word != "I" and (follows.islower() or not is_label(before[:-1]))
    if lowered in _GOES_ON:
        return True
    if word.isdecimal() and text[start : end.start()].strip() == word:
        return True
    if lowered in _NUMBERED:
        return follows.isdecimal()
    return (lowered in _MAY_END or bool(_DOTTED.fullmatch(word))) and not follows.isupper()


def is_label(before: list[str]) -> bool:
    """Whether a single capital behind these words is a label rather than the initial of a name.

    >>> is_label(["It", "is", "plan"]), is_label(["by", "John"])
    (True, False)
    """
    if not before:
        return False
    last = before[-1].lstrip(_OPENERS).lower()
    if last in ("a", "an", "the", "=") or last.endswith("="):
        return True
    if last in _LINKS:
        other = before[-2].rstrip(",") if before[1:] else ""
        return len(other) == 1 and other.isupper() and other != "I"
    noun = last.rstrip(".")
    return noun in _NUMBERED or noun in _LABELLED or noun.removesuffix("s") in _LABELLED
