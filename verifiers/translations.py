"""Translations and other free texts: n-grams shared with references, in forms safe as rewards.

BLEU rises when a short text is padded or repeated, because of its brevity penalty, and chrF weighs
recall four times as much as precision. Here the lower one of precision and recall counts, so what
is added to a text can raise its value only by n-grams that the reference has and the text had not.
The usual figures are among the parts.

>>> Gleu("the cat sat on the mat")("the cat sat on the mat").value
1.0
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from palaestra.extras import needs
from palaestra.task import JudgeError, Score
from palaestra.verifiers.texts import aliases, check_floor, composed, graded
from palaestra.verifiers.verifier import Verifier

Measure = Callable[[str, str], float]
"""How alike a text and a reference are, in [0, 1]."""


@lru_cache(maxsize=1)
def _metrics() -> tuple[Any, Any, Any]:
    """BLEU, chrF, and chrF as precision alone."""
    with needs("text", "sacreBLEU"):
        from sacrebleu.metrics.bleu import BLEU
        from sacrebleu.metrics.chrf import CHRF

    return BLEU(effective_order=True), CHRF(), CHRF(beta=0)


def gleu(text: str, reference: str) -> float:
    """The n-grams of words, up to four, that both have, over those of the longer one."""
    result = _metrics()[0].sentence_score(text, [reference])
    longer = max(result.sys_len, result.ref_len)
    return float(sum(result.counts) / sum(max(longer - gap, 0) for gap in range(4)))


def chrf_either(text: str, reference: str) -> float:
    """The mean precision of n-grams of characters, up to six, or their recall if it is lower."""
    precision = _metrics()[2]
    there = precision.sentence_score(text, [reference]).score
    back = precision.sentence_score(reference, [text]).score
    return float(min(there, back) / 100)


def _usual(metric: Any, text: str, golds: list[str]) -> float:
    """The figure of sacrebleu, in [0, 1]."""
    return float(min(1.0, metric.sentence_score(text, golds).score / 100))


class _Shared(Verifier):
    """What the two kinds have in common."""

    __slots__ = ()

    longest: ClassVar[int] = 3_000

    gold: str | tuple[str, ...]
    floor: float

    def __post_init__(self) -> None:
        check_floor(self.floor)
        _metrics()
        for gold in aliases(self.gold):
            composed(gold)

    def verify(self, answer: str) -> Score:
        plain_text = " ".join(composed(answer).split())
        golds = [" ".join(composed(gold).split()) for gold in aliases(self.gold)]
        measure, name, index = self.how()
        try:
            best = max(measure(plain_text, gold) for gold in golds)
            parts = {name: _usual(_metrics()[index], plain_text, golds)}
        except ImportError as missing:
            raise JudgeError(str(missing)) from missing
        return graded(min(1.0, best), plain_text in golds, self.floor, **parts)

    def how(self) -> tuple[Measure, str, int]:
        """The measure, and the name and the place of the usual metric."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Gleu(_Shared):
    """The n-grams of words, up to four, shared with a reference; the best of several.

    The lower one of their precision and recall: the form of BLEU (Papineni et al. 2002) that was
    made for rewards (Wu et al. 2016, arXiv:1609.08144). ``floor`` and below earns 0. A similarity
    in [0, 1], and 1 for a reference alone; BLEU itself is the part ``bleu``.

    >>> Gleu("the cat sat on the mat", floor=0)("the cat sat").value.__round__(2)
    0.33
    """

    gold: str | tuple[str, ...]
    floor: float = 0.1

    def how(self) -> tuple[Measure, str, int]:
        return gleu, "bleu", 0


@dataclass(frozen=True, slots=True)
class ChrF(_Shared):
    """The n-grams of characters, up to six, shared with a reference; the best of several.

    The lower one of their precision and recall; the usual F-score of both (Popović 2015) is the
    part ``chrf``. Texts of one language share a fifth of them whatever they say, so ``floor`` and
    below earns 0. A similarity in [0, 1], and 1 for a reference alone.

    >>> ChrF("the cat sat on the mat")("a dog ran").value
    0.0
    """

    gold: str | tuple[str, ...]
    floor: float = 0.3

    def how(self) -> tuple[Measure, str, int]:
        return chrf_either, "chrf", 1
