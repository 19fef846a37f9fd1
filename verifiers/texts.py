"""Answers in words: equal exactly, equal but for their dress, or alike.

>>> Normalized(("The Beatles", "Fab Four"))("beatles!").correct
True

The similarities are rewards for coming near, not for being right: only a text equal to the gold
earns 1. Padding never raises them: what the gold lacks adds nothing to what both share and makes
the text longer, and what a text says more often than the gold counts as often as there.
"""

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from palaestra.extras import needs
from palaestra.task import InvalidAnswer, JudgeError, Score
from palaestra.verifiers.reading.values import plain
from palaestra.verifiers.verifier import GoldError, Verifier

ALMOST = 0.99
"""The most that a text earns which is not equal to the gold."""

MARKS = 8
"""How many combining marks a letter may have; putting more in order takes long."""

_WIDE = str.maketrans({chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)})
_QUOTES = str.maketrans("\u2018\u2019\u02bc\u201c\u201d\u00ab\u00bb", '\'\'\'""""')
_GROUPED = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_BETWEEN = re.compile(r"(?<=\w)-|-(?!\d)|[_\u3001\u3002\u2026]")
_BOLD = re.compile(r"(?<!\S)\*\*([^*\n]+)\*\*(?![\w*])")
_PERCENT = re.compile(r"(?<=\d) (?=[%\u2030])")
_STOPS = ",;:.!?"
"""What an article never has right behind it."""
_DROPPED = re.compile(r"(?<!\d)[,:!]|[,:.](?!\d)|[;?'\"`()\[\]{}¿¡]")


def composed(text: str) -> str:
    """Return a text in Unicode's composed form, without spaces around it.

    Raises :class:`~palaestra.task.InvalidAnswer` for letters under a heap of accents.

    >>> composed("e\u0301 ") == "\u00e9"
    True
    """
    if text.isascii():
        return text.strip()
    run = 0
    for sign in text:
        run = run + 1 if unicodedata.combining(sign) else 0
        if run > MARKS:
            raise InvalidAnswer("letters with too many accents")
    return unicodedata.normalize("NFC", text).strip()


@lru_cache(maxsize=1024)
def _gold_words(text: str, accents: bool) -> tuple[str, ...]:
    return words(text, accents)


def words(text: str, accents: bool = True) -> tuple[str, ...]:
    """The words of a text without case, articles and punctuation.

    Signs with a meaning stay: the minus and the point of a number, ``%``, ``+``, ``#``. Letters
    of other scripts that look alike stay different.

    >>> words("The “well-known” C++, at -1.5%!")
    ('well', 'known', 'c++', 'at', '-1.5%')
    """
    plain_text = composed(plain(text).translate(_WIDE)).translate(_QUOTES)
    if not accents:
        split = unicodedata.normalize("NFD", plain_text)
        plain_text = "".join(sign for sign in split if not unicodedata.combining(sign))
    plain_text = _PERCENT.sub("", _BOLD.sub(r"\1", plain_text))
    plain_text = _BETWEEN.sub(" ", _GROUPED.sub("", plain_text))
    written = (plain_text.casefold() if plain_text.isupper() else plain_text).split()
    every: list[tuple[str, str]] = []
    for each in written:
        word = _DROPPED.sub("", each)
        if word:
            every.append((word, each[-1]))
        elif every:
            every[-1] = every[-1][0], each[-1]
    afters = [*(word for word, _ in every[1:]), ""]
    return tuple(
        word.casefold()
        for at, ((word, last), after) in enumerate(zip(every, afters))
        if last in _STOPS or not _is_article(word, after, first=at == 0)
    )


def _is_article(word: str, after: str, first: bool) -> bool:
    """Whether a word is an article, and not the name in ``vitamin A`` or ``A-B``."""
    if word.casefold() == "the":
        return bool(after)
    named = len(after) < 2 or not after[0].isalpha() or (word == "A" and not first)
    return word.casefold() in ("a", "an") and not named


def aliases(gold: str | tuple[str, ...]) -> tuple[str, ...]:
    """Return the accepted texts; raises :class:`GoldError` if there are none, or empty ones."""
    several = (gold,) if isinstance(gold, str) else tuple(gold)
    if not several or not all(one.strip() for one in several):
        raise GoldError("a gold text is empty")
    return several


def graded(similarity: float, equal: bool, floor: float = 0.0, **parts: float) -> Score:
    """A similarity in [0, 1] as a score: 0 up to the floor, 1 for equal texts alone.

    >>> graded(0.75, equal=False, floor=0.5).value, graded(1.0, equal=False).value
    (0.5, 0.99)
    """
    if equal:
        return Score(1.0)
    value = min(ALMOST, max(0.0, (similarity - floor) / (1 - floor)))
    return Score(value, "not the expected text", {"similarity": similarity, **parts})


def check_floor(floor: float) -> None:
    """Raises :class:`GoldError` for a floor out of range."""
    if not 0 <= floor < 1:
        raise GoldError(f"a floor is in [0, 1), not {floor}")


@dataclass(frozen=True, slots=True)
class Exact(Verifier):
    """The very text, or one of several; 1 if it is the same, else 0.

    Blanks around it do not count, nor how Unicode composes its accents. ``case=False`` takes any
    case, ``blanks=False`` takes any run of blanks and line ends for a single blank.

    >>> Exact("Ab c")("Ab c").correct, Exact("Ab c")("ab c").correct
    (True, False)
    """

    gold: str | tuple[str, ...]
    case: bool = True
    blanks: bool = True

    def __post_init__(self) -> None:
        for gold in aliases(self.gold):
            self._key(gold)

    def _key(self, text: str) -> str:
        key = composed(text)
        key = key if self.case else key.casefold()
        return key if self.blanks else " ".join(key.split())

    def verify(self, answer: str) -> Score:
        key = self._key(answer)
        right = any(self._key(gold) == key for gold in aliases(self.gold))
        return Score(1.0) if right else Score(0.0, "not the expected text")


@dataclass(frozen=True, slots=True)
class Normalized(Verifier):
    """The same words, or those of one of several texts; 1 or 0.

    Case, articles, punctuation, blanks and quotation marks do not count, while the signs of numbers
    do: ``-1.5`` is neither ``1.5`` nor ``15``. ``accents=False`` takes "cafe" for "café". After the
    exact match of SQuAD (Rajpurkar et al. 2016, arXiv:1606.05250).

    Raises :class:`GoldError` for a gold of punctuation only.

    >>> Normalized("1,024 km")("1024 KM.").correct, Normalized("Paris")("not Paris").correct
    (True, False)
    """

    gold: str | tuple[str, ...]
    accents: bool = True

    def __post_init__(self) -> None:
        if not all(_gold_words(gold, self.accents) for gold in aliases(self.gold)):
            raise GoldError("a gold text has no words")

    def verify(self, answer: str) -> Score:
        key = words(answer, self.accents)
        right = any(key == _gold_words(gold, self.accents) for gold in aliases(self.gold))
        return Score(1.0) if right else Score(0.0, "not the expected words")


@dataclass(frozen=True, slots=True)
class TokenF1(Verifier):
    """How many words are shared with the gold: F1 of precision and recall, the best of several.

    A word counts as often as the gold has it, so repeating it lowers precision, and so does every
    word that the gold lacks. The same words in another order earn 0.99. A similarity in [0, 1], not
    a proof of being right: an answer with one wrong word of ten earns 0.9. Words as in
    :class:`Normalized`; scripts without blanks are one word. After SQuAD (arXiv:1606.05250), except
    that a text without words is never equal to another one.

    >>> [round(TokenF1("red green blue")(text).value, 2) for text in ("green", "blue green red")]
    [0.5, 0.99]
    """

    gold: str | tuple[str, ...]
    accents: bool = True

    def __post_init__(self) -> None:
        if not all(_gold_words(gold, self.accents) for gold in aliases(self.gold)):
            raise GoldError("a gold text has no words")

    def verify(self, answer: str) -> Score:
        tokens = words(answer, self.accents)
        golds = [_gold_words(gold, self.accents) for gold in aliases(self.gold)]
        return graded(max(_f1(tokens, gold) for gold in golds), tokens in golds)


def _f1(tokens: tuple[str, ...], gold: tuple[str, ...]) -> float:
    shared = (Counter(tokens) & Counter(gold)).total()
    return 2 * shared / (len(tokens) + len(gold))


@dataclass(frozen=True, slots=True)
class EditSimilarity(Verifier):
    """Score the share of the longer text that insertions and deletions keep.

    That is the longest common subsequence over the longer length: a similarity in [0, 1], the best
    of several golds. By Levenshtein's count, where a letter may also be exchanged, padding could
    raise it. Texts that have nothing to do with each other share almost half of their letters in
    order; what lies up to ``floor`` earns 0, and the rest is stretched to [0, 1]. Blanks around the
    text do not count.

    >>> EditSimilarity("kitten", floor=0)("kitchen").value.__round__(3)
    0.714
    """

    gold: str | tuple[str, ...]
    floor: float = 0.6

    def __post_init__(self) -> None:
        check_floor(self.floor)
        for gold in aliases(self.gold):
            composed(gold)
        _in_common("", "")

    def verify(self, answer: str) -> Score:
        plain_text = composed(answer)
        golds = [composed(gold) for gold in aliases(self.gold)]
        try:
            best = max(_in_common(plain_text, gold) for gold in golds)
        except ImportError as missing:
            raise JudgeError(str(missing)) from missing
        return graded(best, plain_text in golds, self.floor)


def _in_common(text: str, gold: str) -> float:
    with needs("text", "RapidFuzz"):
        from rapidfuzz.distance import LCSseq

    return LCSseq.normalized_similarity(text, gold)
