"""Multiple choice: one option, or several.

>>> capital = Choice("B", ("Rome", "Paris", "Oslo"))
>>> [capital(text).correct for text in ("(b)", "The answer is B.", "B) Paris", "paris", "A or B")]
[True, True, True, True, False]
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from palaestra.task import InvalidAnswer, Score
from palaestra.verifiers.reading.values import opened, plain
from palaestra.verifiers.replies import unwrapped
from palaestra.verifiers.verifier import GoldError, Verifier

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

_WIDE = str.maketrans({chr(0xFEE0 + ord(sign)): sign for sign in LETTERS + LETTERS.lower()})
_DRESS = re.compile(r"\\(?:text|textbf|textrm|mathrm|mathbf|mathsf|mbox|boxed)\{([^{}]*)\}")
_LATEX_BLANK = re.compile(r"\\(?:[ ,;:]|quad(?![a-z]))|~")
_NAMED = r"(?:(?:option|choice|letter)s? )?"
_LEAD = re.compile(
    r"(?:#{1,6} )?(?:(?:so|thus|hence|therefore),? )?(?:i (?:think|believe)(?: that)? )?(?:"
    r"(?:(?:the|my) )?(?:(?:correct|right|best|final) ){0,2}"
    r"(?:answers?|options?|choices?|letter)(?: is| are| (?:w|sh)ould be| must be)? ?[:=]? ?"
    rf"|(?:i|we)(?: would)? (?:choose|pick|select) |(?:choose|pick|select) |it(?: i|')s |){_NAMED}",
    re.IGNORECASE,
)
_BOLD_LEAD = re.compile(r"\*\*([^*\n]{1,60})\*\* ?(?=[:=]|[^\W]|[(\[])")
_TAIL = re.compile(r" (?:is|are) (?:the )?(?:correct|right|best)(?: (?:answer|option|choice)s?)?")
_LABEL = re.compile(r"(?:\*\*)?[(\[{]?([^\W_])([)\]}][.:]?|[.:][)\]}]?)?(?:\*\*([).:])?)?")
_BEHIND = re.compile(r"[\s:,\u2014=|/]*(?:->?(?=\s|[^\W\d_]|>)>?[\s:,\u2014]*)?")
"""What stands between a label and its text; a hyphen right before a number is a minus sign."""
_EMPHASIS = re.compile(r"([*_])([^*_]+)\1")
_WORD = re.compile(r"[^\W\d_]{2}\Z")
_TURNED = re.compile(r"(.+?),? (?:\(([^\W_])\)|\(?(?:option|choice) \(?([^\W_])\){0,2})", re.DOTALL)
_LINK = re.compile(r"\s?(?:[,;&+]|and\b)?\s?(?:and\b\s?)?", re.IGNORECASE)
_BULLET = re.compile(r"\A[-*] ")


def tidied(text: str) -> str:
    r"""Return an option or an answer without markup, quotes and punctuation; characters with a
    meaning stay.

    >>> tidied(r"$\textbf{(B)}\ -3$"), tidied(" “Paris”. ")
    ('(B) -3', 'Paris')
    """
    plain_text = plain(unwrapped(text)).translate(_WIDE)
    if "\\" in plain_text or "~" in plain_text:
        plain_text = _LATEX_BLANK.sub(" ", _DRESS.sub(r"\1", plain_text))
    plain_text = unwrapped("\n".join(" ".join(line.split()) for line in plain_text.splitlines()))
    emphasised = _EMPHASIS.fullmatch(plain_text)
    return emphasised[2].strip() if emphasised else plain_text


class _Sheet:
    """The options of a question, to be found by label or by text."""

    def __init__(self, options: tuple[str, ...], labels: str) -> None:
        self.labels = labels[: len(options)].casefold()
        self.texts = [tidied(option) for option in options]
        self.longest = 500 + 2 * sum(map(len, options))
        folded = [text.casefold() for text in self.texts]
        self.known = {text: at for at, text in enumerate(folded) if folded.count(text) == 1}
        self.known |= {text: at for at, text in enumerate(self.texts)}

    def by_text(self, text: str) -> int | None:
        """Return the option with this text."""
        return self.known.get(text, self.known.get(text.casefold())) if text else None

    def by_label(self, text: str) -> int | None:
        """The option whose label this is, in any case, with or without brackets."""
        match = _LABEL.fullmatch(text)
        at = self.labels.find(match[1].casefold()) if match else -1
        return at if at >= 0 else None

    def by_exclaimed_label(self, text: str) -> int | None:
        """Return the option whose label, a letter, occurs here followed by exclamation marks."""
        called = tidied(text.rstrip("! "))
        digits = any(map(str.isdecimal, called))
        return None if called == text or digits else self.by_label(called)

    def one(self, text: str) -> int:
        """The one option that a text names.

        Raises :class:`~palaestra.task.InvalidAnswer` where it names none, several, or hedges.
        """
        short = self.short(text)
        bare = _without_lead(short)
        readers = (
            self.by_label,
            self.by_text,
            self.by_exclaimed_label,
            self.by_both,
            self.by_both_turned,
        )
        for form in dict.fromkeys((short, bare, _without_end(short), _without_end(bare))):
            for reader in readers:
                position = reader(form)
                if position is not None:
                    return position
        raise InvalidAnswer("no option is named, or more than one")

    def by_both(self, text: str) -> int | None:
        """Return the option whose label and text occur here, such as ``B) Paris``."""
        label = _LABEL.match(text)
        at = self.by_label(label[0]) if label else None
        if label is None or at is None:
            return None
        rest = text[label.end() :]
        bare = not (label[2] or label[3])
        if rest[:1].isalnum() and bare:
            return None  # the first letter of a word
        behind = _BEHIND.match(rest)
        rest_text = tidied(rest[behind.end() :] if behind else rest)
        if self.by_label(rest_text) is not None and bare:
            raise InvalidAnswer("more than one option is named")
        # A hyphen may be the first sign of the text, and brackets may be its own.
        whole = tidied(rest.lstrip(" \n:,\u2014"))
        forms = (
            whole,
            rest_text,
            opened(rest_text),
            rest_text[1:-1] if rest_text[:1] + rest_text[-1:] == "()" else rest_text,
        )
        return self.agreed(at, forms)

    def by_both_turned(self, text: str) -> int | None:
        """Return the option whose text and label occur here, such as ``Paris (B)``."""
        turned = _TURNED.fullmatch(text)
        at = self.by_label(turned[2] or turned[3]) if turned else None
        return None if turned is None or at is None else self.agreed(at, (tidied(turned[1]),))

    def agreed(self, at: int, texts: Iterable[str]) -> int | None:
        """The option at a place, if the first of some texts that is an option's is its own."""
        others = (self.by_text(text) for text in texts)
        other = next((other for other in others if other is not None), None)
        if other is not None and other != at:
            raise InvalidAnswer("the label and the text are those of different options")
        return other

    def several(self, text: str) -> list[int]:
        """The options that a text names, in its order, each once."""
        body = opened(_without_end(_without_lead(self.short(text))))
        positions = self.by_labels(body)
        for separators in (r"[\n;]", r"[\n;,&]|\band\b"):
            positions = positions or self.by_items(re.split(separators, body))
        if not positions:
            raise InvalidAnswer("not a list of options")
        if len(set(positions)) < len(positions):
            raise InvalidAnswer("an option is named twice")
        return positions

    def by_labels(self, text: str) -> list[int]:
        """Options named by labels alone: ``A, C`` or ``A and C`` or ``AC``; empty if not so."""
        positions: list[int] = []
        position = 0
        while position < len(text):
            label = _LABEL.match(text, position)
            at = self.by_label(label[0]) if label else None
            if label is None or at is None:
                return []
            link = _LINK.match(text, label.end())
            position = link.end() if link else label.end()
            if position == label.end() < len(text) and not (label[2] or text.isupper()):
                return []
            positions.append(at)
        return positions

    def by_items(self, items: list[str]) -> list[int]:
        """Return options that are listed one by one, by label or text; empty if an item is not an
        option.
        """
        try:
            return [self.one(_BULLET.sub("", item.strip(), count=1)) for item in items]
        except InvalidAnswer:
            return []

    def short(self, text: str) -> str:
        if len(text) > self.longest:
            raise InvalidAnswer("longer than an option")
        return tidied(text)


def _without_lead(text: str) -> str:
    """A text without words such as "The answer is" before it and "is correct" behind it."""
    bold = _BOLD_LEAD.match(text)
    if bold and _LEAD.fullmatch(bold[1].removesuffix(":")):
        text = text[bold.end() :].lstrip(":= ")
    lead = _LEAD.match(text)
    body = text[lead.end() :] if lead else text
    tail = body.rstrip(".!")
    ends = _TAIL.search(tail, max(0, len(tail) - 30))
    return tidied(tail[: ends.start()] if ends and ends.end() == len(tail) else body)


def _without_end(text: str) -> str:
    """A text without the punctuation behind it.

    An exclamation mark is that behind a word alone, since ``5!`` and ``n!`` are factorials; a
    question mark says that the text may be no answer, and stays.
    """
    bare = text.rstrip(";,\u2026 ")
    called = bare.rstrip("! ")
    if _WORD.search(called):
        bare = called
    return tidied(bare) if bare != text else text


@lru_cache(maxsize=1024)
def _sheet(options: tuple[str, ...], labels: str) -> _Sheet:
    if not 2 <= len(options) <= len(labels) or len(set(labels.casefold())) < len(labels):
        raise GoldError(f"there are {len(options)} options and {len(labels)} labels")
    sheet = _Sheet(options, labels)
    texts = [text for text in sheet.texts if text]
    if len(set(texts)) < len(texts):
        raise GoldError("two options say the same")
    return sheet


def _gold(labels: Iterable[str], sheet: _Sheet) -> frozenset[int]:
    """The places of right options."""
    places = {label: sheet.by_label(label) for label in labels}
    for label, at in places.items():
        if at is None:
            raise GoldError(f"no option has the label {label!r}")
    return frozenset(at for at in places.values() if at is not None)


@dataclass(frozen=True, slots=True)
class Choice(Verifier):
    """One option out of several; 1 if it is the right one, else 0.

    It is named by its label in any case (``B``, ``(b)``, ``option B``, ``**B.**``), by its text,
    or by both, which must agree. Whatever names two options or talks about one is malformed, so
    neither "A or B" nor "A dog barked" is choice A. A label goes before a text of one letter.

    ``options`` are the texts in order, blank where only the label is known; ``labels`` their
    labels, a character each. Raises :class:`GoldError` for a gold that is no label, and for two
    options of the same text.

    >>> Choice("B", ("a dog", "a cat"))("A cat").correct
    True
    >>> Choice("B", ("a dog", "a cat"))("B) a dog").reason
    'the label and the text are those of different options'
    """

    gold: str
    options: tuple[str, ...]
    labels: str = LETTERS

    def __post_init__(self) -> None:
        _gold([self.gold], _sheet(self.options, self.labels))

    def verify(self, answer: str) -> Score:
        sheet = _sheet(self.options, self.labels)
        right = sheet.one(answer) in _gold([self.gold], sheet)
        return Score(1.0) if right else Score(0.0, "not the right option")


@dataclass(frozen=True, slots=True)
class Choices(Verifier):
    """Several options; 1 if exactly the right ones are named, else 0.

    They are named by labels (``A, C``, ``A and C``, ``AC``) or one by one as in :class:`Choice`;
    one named twice is malformed.

    ``partial`` is Youden's J: the share of right options named less the share of wrong ones, not
    below 0. Whoever names all options earns 0 by it, unless all are right; a blind guess earns a
    little on average, since what would be below 0 is cut off.

    >>> rivers = Choices({"A", "C"}, ("Rhine", "Alps", "Po", "Etna"), partial=True)
    >>> [rivers(text).value for text in ("c and a", "A", "A, B", "A, B, C, D")]
    [1.0, 0.5, 0.0, 0.0]
    """

    gold: frozenset[str]
    options: tuple[str, ...]
    labels: str = LETTERS
    partial: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "gold", frozenset(self.gold))
        if not _gold(self.gold, _sheet(self.options, self.labels)):
            raise GoldError("no option is right")

    def verify(self, answer: str) -> Score:
        sheet = _sheet(self.options, self.labels)
        gold, chosen = _gold(self.gold, sheet), set(sheet.several(answer))
        if chosen == gold:
            return Score(1.0, parts={"progress": 1} if self.partial else {})
        hits, slips = len(chosen & gold), len(chosen - gold)
        wrong_ones = len(self.options) - len(gold)
        parts = {"hits": hits / len(gold), "slips": slips / wrong_ones if slips else 0.0}
        value = max(0.0, parts["hits"] - parts["slips"]) if self.partial else 0.0
        if self.partial:
            parts["progress"] = value
        return Score(value, _slip(hits < len(gold), slips > 0), parts)


def _slip(missing: bool, extra: bool) -> str:
    if missing and extra:
        return "a right option is missing and a wrong one is named"
    return "a right option is missing" if missing else "a wrong option is named"
