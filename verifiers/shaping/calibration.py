"""Stated confidence, paid by a proper scoring rule, so that honesty pays best."""

import re
from dataclasses import dataclass
from math import log, sqrt
from typing import Literal, get_args

from palaestra.task import InvalidAnswer, Score
from palaestra.verifiers.reading.values import plain
from palaestra.verifiers.replies import spoken
from palaestra.verifiers.shaping.recipe import Gate, Recipe, Span
from palaestra.verifiers.shaping.transcript import RecipeError, Transcript

Rule = Literal["brier", "logarithmic", "spherical"]

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
_NUMBER = re.compile(r"(\d{1,3}(?:\.\d{1,6})?|\.\d{1,6})\s{0,3}(%?)", re.ASCII)


def stated(reply: str, tag: str = "confidence") -> float:
    """The probability of being right that a reply states, from 0 to 1.

    It stands once outside of thoughts, in a tag, as a percentage with its sign or as a number from
    0 to 1. Raises :class:`InvalidAnswer` for anything else: nothing, two of them, a word, a number
    out of range.

    >>> stated("<answer>42</answer><confidence>85%</confidence>"), stated("<p>0.5</p>", "p")
    (0.85, 0.5)
    """
    text = spoken(reply)
    marks = list(re.finditer(rf"<(/?){re.escape(tag)}>", text, re.IGNORECASE))
    if [mark[1] for mark in marks] != ["", "/"]:
        raise InvalidAnswer(f"expected exactly one confidence between <{tag}> and </{tag}>")
    inside = text[marks[0].end() : marks[1].start()]
    number = _NUMBER.fullmatch(plain(inside)) if len(inside) < 40 else None
    value = float(number[1]) / (100 if number[2] else 1) if number else -1.0
    if not 0 <= value <= 1:
        raise InvalidAnswer("a confidence is a percentage, or a number from 0 to 1")
    return value


@dataclass(frozen=True, slots=True)
class Confidence(Recipe):
    """Reward a stated confidence by a proper scoring rule: 0 if certain and right, down to -1.

    All rules are proper: with a chance of p to be right, no statement earns more on average than p
    itself. They are scaled alike, 0 for full confidence in what is so and -1 in what is not:

    - ``brier``: less the square of the error;
    - ``logarithmic``: the logarithm of the probability given to what is so, held within ``floor``
      and ``1 - floor`` (nobody gains by going beyond them, nor loses);
    - ``spherical``: that probability over the length of the vector of both, less 1.

    A confidence that the score has as a part, as that of the combinator ``confidence``, counts
    together with its part ``correct``. Else, where none is stated in the form of :func:`stated`
    (nor given with the transcript), it earns
    ``missing``, which may not be above what "50%" earns: silence would pay.

    ``Truth(partial=0) + Confidence()`` is RLCR (Damani et al. 2025). There a right answer of no
    confidence and a wrong one of none both earn 0, a tie, so order is not kept; it is with a weight
    below 1, as in ``0.5 * Confidence()``. Up to a weight of 1 it never pays to give an answer that
    is less likely right for the sake of a better forecast.

    >>> transcript = Transcript("<answer>42</answer><confidence>80%</confidence>")
    >>> [round(Confidence()(Score(value), transcript), 2) for value in (1, 0)]
    [-0.04, -0.64]
    """

    rule: Rule = "brier"
    tag: str = "confidence"
    missing: float = -1.0
    floor: float = 0.01

    def check(self) -> None:
        if self.rule not in get_args(Rule) or not _NAME.fullmatch(self.tag):
            raise RecipeError(f"a rule is one of {', '.join(get_args(Rule))}, a tag a plain name")
        if not 0 < self.floor < 0.5:
            raise RecipeError("the floor lies above 0 and below one half")
        if not -1 <= self.missing <= self.earned(0.5, True):
            raise RecipeError("what is missing earns at least -1 and no more than 50% earns")

    def span(self, correct: bool, opened: frozenset[Gate]) -> Span:
        return Span(-1.0, 0.0)

    def value(self, score: Score, transcript: Transcript) -> float:
        if transcript.confidence is not None:
            return self.earned(transcript.confidence, score.correct)
        if {"confidence", "correct"} <= score.parts.keys():
            return self.earned(score.parts["confidence"], score.parts["correct"] == 1)
        try:
            return self.earned(stated(transcript.reply, self.tag), score.correct)
        except InvalidAnswer:
            return self.missing

    def earned(self, confidence: float, correct: bool) -> float:
        """What a confidence from 0 to 1 earns, from -1 to 0."""
        probability = confidence if correct else 1 - confidence
        if self.rule == "brier":
            return -((1 - probability) ** 2)
        if self.rule == "spherical":
            return probability / sqrt(probability**2 + (1 - probability) ** 2) - 1
        held = min(max(probability, self.floor), 1 - self.floor)
        return log(held / (1 - self.floor)) / log((1 - self.floor) / self.floor)
