"""From a reply to a verdict: the layers in their order."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from palaestra.extras import MissingExtra
from palaestra.task import InvalidAnswer, JudgeError, Score
from palaestra.verifiers.answers import algebra, words
from palaestra.verifiers.answers.chemistry import Formula, formula
from palaestra.verifiers.answers.clauses import without_range, without_reason
from palaestra.verifiers.answers.compounds import compound
from palaestra.verifiers.answers.decide import Comparison
from palaestra.verifiers.answers.extract import extracted
from palaestra.verifiers.answers.forms import misfit
from palaestra.verifiers.answers.grammar import parsed
from palaestra.verifiers.answers.moments import Moment, moment
from palaestra.verifiers.answers.nodes import Node, Unimplemented, variables
from palaestra.verifiers.answers.renaming import with_names
from palaestra.verifiers.answers.signs import spelled
from palaestra.verifiers.answers.tokens import tokens
from palaestra.verifiers.answers.verdicts import Policy, Verdict
from palaestra.verifiers.answers.words import Letters
from palaestra.verifiers.replies import Conflicting
from palaestra.verifiers.verifier import GoldError, Verifier

LONGEST = 6_000
"""An answer with more characters is over the limit."""

_LENIENT = Policy()
_BY_TEN = re.compile(r"(?<=\d)\s{0,3}[xX]\s{0,3}(?=10\s?(?:\^|\*\*))")
_DISPLAY = re.compile(r"\\(?:display|text)style(?![a-zA-Z])|\\boldsymbol(?![a-zA-Z])")


def judge(gold: str | Sequence[str], reply: str, policy: Policy = _LENIENT) -> Verdict:
    r"""Whether a whole reply gives the right answer.

    ``gold`` is the right answer, or several of which any one will do.

    >>> judge(r"\frac{1}{2}", r"So it is $\boxed{0.5}$.").correct
    True
    >>> judge("42", "It may be 42.").status
    'no_answer'
    """
    golds = [gold] if isinstance(gold, str) else gold
    try:
        answer = extracted(reply, policy).text
    except Conflicting as slip:
        return Verdict(False, "conflicting_answer_tags", None, "extract", str(slip))
    except InvalidAnswer as slip:
        return Verdict(False, slip.status, None, "extract", str(slip))
    return _best([same(one, answer, policy) for one in golds])


def _best(verdicts: Sequence[Verdict]) -> Verdict:
    """The verdict that counts where several golds are right: a right one, else a scored one."""
    if not verdicts:
        return Verdict(False, "gold_error", None, "read", "there is no gold")
    for wanted in (lambda v: v.correct, lambda v: v.status == "scored", lambda v: True):
        for verdict in verdicts:
            if wanted(verdict):
                return verdict
    raise AssertionError


def same(gold: str, answer: str, policy: Policy = _LENIENT) -> Verdict:
    r"""Return whether a bare answer equals the gold answer.

    >>> same("x^2 + 2x + 1", "(x+1)^2").layer
    'structure'
    >>> same("5 cm", "5 kg").correct, same("1000 m", r"1\text{ km}").correct
    (False, True)
    """
    shown = answer[:200]
    if len(answer) > LONGEST:
        return Verdict(False, "limit", shown, "read", f"longer than {LONGEST} characters")
    try:
        truth = _gold(gold)
    except InvalidAnswer as fault:
        return Verdict(False, "gold_error", shown, "read", f"the gold: {fault}")
    try:
        text = bare(answer)
        correct, layer, reason = _decided(truth, text, policy)
    except InvalidAnswer as slip:
        return Verdict(False, slip.status, shown, "read", str(slip))
    except JudgeError as fault:
        return Verdict(False, fault.status, shown, "worker", fault.reason)
    except MissingExtra as fault:
        return Verdict(False, "infra_error", shown, "structure", str(fault))
    except RecursionError:
        return Verdict(False, "limit", shown, "read", "nested too deep")
    return Verdict(correct, "scored", shown, layer, reason)


def validate_gold(gold: str | Sequence[str]) -> None:
    r"""Raises :class:`GoldError` for a gold that cannot be read, as when a data set is loaded.

    >>> validate_gold(r"\frac{1}{0}")
    Traceback (most recent call last):
        ...
    palaestra.verifiers.verifier.GoldError: '\\frac{1}{0}' cannot be a gold: it divides by zero
    """
    golds = [gold] if isinstance(gold, str) else gold
    if not golds:
        raise GoldError("there is no gold")
    for one in golds:
        try:
            _check(one)
        except (InvalidAnswer, JudgeError, RecursionError) as fault:
            raise GoldError(f"{one[:60]!r} cannot be a gold: {fault}") from None


def _check(gold: str) -> None:
    truth = _gold(gold)
    if truth.node is not None:
        if not Comparison(_LENIENT).same(truth.node, truth.node):
            raise InvalidAnswer("it is not equal to itself")
    elif not (
        truth.words or truth.letters or truth.moment or truth.chemistry
    ) and not algebra.readable(truth.text):
        raise InvalidAnswer("neither mathematics that can be read nor words")


# ------------------------------------------------------------------ reading


@dataclass(frozen=True, slots=True)
class _Gold:
    text: str
    node: Node | None
    words: str | None
    letters: Letters | None
    unimplemented: bool
    integer: str = ""
    """The name that is declared to be that of an integer."""

    moment: Moment | None = None
    chemistry: Formula | None = None
    reasoned: bool = False
    """Whether it holds what would be a reason in an answer."""

    @property
    def plain(self) -> bool:
        """Whether it can be nothing but mathematics."""
        other = self.moment or self.chemistry or self.letters
        return self.node is not None and other is None


@lru_cache(maxsize=4096)
def _gold(gold: str) -> _Gold:
    if len(gold) > LONGEST:
        raise InvalidAnswer(f"longer than {LONGEST} characters", "limit")
    text, integer = without_range(bare(gold))
    if not text:
        raise InvalidAnswer("the answer is empty")
    time, chemistry = moment(text), formula(text)
    node = None
    unimplemented = False
    try:
        node = compound(text) or parsed(text)
    except Unimplemented:
        unimplemented = True
    except InvalidAnswer as slip:
        if slip.status == "limit":
            raise
    except RecursionError:
        raise InvalidAnswer("nested too deep", "limit") from None
    phrase, named = words.plain_words(text), words.letters(text)
    reasoned = without_reason(text) != text
    return _Gold(text, node, phrase, named, unimplemented, integer, time, chemistry, reasoned)


def bare(answer: str) -> str:
    r"""Return an answer with normalised characters and without wrapping.

    >>> bare(r"  $\displaystyle  x²$. "), bare("**4**"), bare(r"\(\text{no}\)")
    ('x^{2}', '4', '\\text{no}')
    """
    text = spelled(answer).strip()
    if text.isalnum():
        return text
    if "style" in text or "boldsymbol" in text:
        text = _DISPLAY.sub(" ", text).strip()
    if "x10" in text or "x 10" in text or "X" in text:  # 3 x 10^8
        text = _BY_TEN.sub(r"\\times ", text)
    for _ in range(4):
        before = text
        if text.endswith(".") and not text.endswith(("\\.", "..")):
            text = text[:-1].rstrip()
        for left, right in (("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]"), ("**", "**"),
                            ("`", "`")):  # fmt: skip
            if len(text) > len(left + right) and text.startswith(left) and text.endswith(right):
                inner = text[len(left) : -len(right)]
                unescaped = inner.replace("\\$", "")
                if left not in unescaped and right not in unescaped:
                    text = inner.strip()
        if text == before:
            break
    return text


# ------------------------------------------------------------------ deciding


_Ruling = tuple[bool, str, str]
"""Whether an answer is right, the layer that found it, and why not."""


def _decided(gold: _Gold, answer: str, policy: Policy) -> _Ruling:
    if " ".join(gold.text.split()) == " ".join(answer.split()):
        return _in_form(gold, answer, policy, "string")
    if not answer:
        raise InvalidAnswer("there is no answer", "no_answer")
    answer, integer = without_range(answer)
    if not gold.reasoned:
        answer = without_reason(answer)
    if not gold.plain:
        for rule in (_in_time, _in_chemistry, _in_letters, _in_words):
            if (ruling := rule(gold, answer)) is not None:
                return ruling
    return _in_mathematics(gold, answer, integer, policy)


def _in_time(gold: _Gold, answer: str) -> _Ruling | None:
    if gold.moment is None:
        return None
    instant = moment(answer)
    correct = instant is not None and gold.moment.same(instant)
    return correct, "structure", "" if correct else "another date or time, or none"


def _in_chemistry(gold: _Gold, answer: str) -> _Ruling | None:
    """Where the gold can hardly be algebra, or the answer says that it is chemistry."""
    if gold.chemistry is None or (species := formula(answer)) is None:
        return None
    if not (gold.chemistry.sure or species.declared):
        return None
    correct = gold.chemistry.same(species)
    return correct, "structure", "" if correct else "another formula"


def _in_letters(gold: _Gold, answer: str) -> _Ruling | None:
    """Options; what may be a word or a product as well is looked at again."""
    named = gold.letters
    if named is None or (gold.node and len(named.named) > 1 and "\\" in gold.text):
        return None
    picked = words.chosen(answer)
    correct = picked is not None and named.same(picked)
    if not correct and gold.node is not None and gold.node.op == "letters":
        return None
    return correct, "choice", "" if correct else "another option, or none alone"


def _in_words(gold: _Gold, answer: str) -> _Ruling | None:
    if gold.node is not None or gold.words is None or gold.unimplemented:
        return None
    phrase = words.plain_words(answer)
    if phrase is None:
        phrase = _sign_in_words(answer)
    correct = phrase is not None and words.same_words(gold.words, phrase)
    return correct, "words", "" if correct else "other words"


def _in_mathematics(gold: _Gold, answer: str, integer: str, policy: Policy) -> _Ruling:
    if gold.node is None:
        return _asked(gold, answer, policy)
    try:
        node = _named_alike(gold, compound(answer) or parsed(answer), integer)
    except Unimplemented:
        return _asked(gold, answer, policy)
    except InvalidAnswer as slip:
        if slip.status == "limit" or not _same_otherwise(gold, gold.node, answer):
            raise
        return True, "words", ""
    if not Comparison(policy).same(gold.node, node):
        return False, "structure", "it is not equal"
    if policy.question and _restates(policy.question, node, answer):
        return False, "form", "it only restates the question"
    return _in_form(gold, answer, policy, "structure")


def _named_alike(gold: _Gold, node: Node, integer: str) -> Node:
    """An answer with the gold's name for the integer that both declare."""
    if not (gold.integer and integer) or gold.integer == integer:
        return node
    return node if gold.integer in variables(node) else with_names(node, {integer: gold.integer})


def _sign_in_words(answer: str) -> str | None:
    """What a sign such as the empty set is called."""
    try:
        node = parsed(answer)
    except InvalidAnswer:
        return None
    if node == Node("set"):
        return words.EMPTY
    return {Node("constant", (), "inf"): words.INFINITE, Node("reals"): words.ALL}.get(node)


def _same_otherwise(gold: _Gold, node: Node, answer: str) -> bool:
    """Whether an answer that is no mathematics says what a gold in signs does."""
    if gold.chemistry is not None and (species := formula(answer)) is not None:
        return gold.chemistry.same(species)  # O2 for O_2
    return _same_in_words(node, answer)


def _same_in_words(gold: Node, answer: str) -> bool:
    """Whether words say what a gold in signs does: "twelve", "no solution", "infinity"."""
    phrase = words.plain_words(answer)
    if phrase is None:
        return False
    if gold.op == "letters":
        text = phrase.replace(" ", "").strip("\"'`")
        english = gold.value.islower() and len(set(gold.value)) == len(gold.value)
        return bool((text.casefold() if english else text) == gold.value)
    key = words.key(phrase)
    if key in words.NUMBERS:
        return gold == Node("number", (), Fraction(words.NUMBERS[key]))
    meant = {
        words.EMPTY: Node("set"),
        words.INFINITE: Node("constant", (), "inf"),
        words.ALL: Node("reals"),
    }.get(key)
    return meant is not None and Comparison(_LENIENT).same(gold, meant)


def _asked(gold: _Gold, answer: str, policy: Policy) -> _Ruling:
    """Layer 4, by its rule."""
    if not policy.fallback:
        if gold.node is None:
            raise JudgeError("the gold cannot be read without the fallback", "gold_error")
        raise InvalidAnswer("it uses mathematics that is not worked out here")
    if any(token.category == "word" for token in tokens(answer)):
        raise InvalidAnswer("there are words inside the mathematics")
    correct = algebra.same(gold.text, answer)
    return correct, "worker", "" if correct else "it is not equal"


def _in_form(gold: _Gold, answer: str, policy: Policy, layer: str) -> _Ruling:
    if policy.form == "value" or layer == "string" or gold.node is None:
        return True, layer, ""
    reason = misfit(policy.form, gold.node, parsed(answer), answer)
    return not reason, "form" if reason else layer, reason


def _restates(question: str, node: Node, answer: str) -> bool:
    """Whether an answer is an expression of the question that is still to be worked out."""
    while node.op in {"neg", "percent", "quantity", "counted"}:
        node = node.of[0]
    if not node.of:
        return False
    question_text = "".join(spelled(question).split())
    return "".join(answer.split()) in question_text


# ------------------------------------------------------------------ in the one signature


@dataclass(frozen=True, slots=True)
class Answer(Verifier):
    r"""A verifier of answers: bare ones, or those of whole replies.

    Raises :class:`GoldError` for a gold that cannot be read.

    >>> Answer("1/2")("0.5").value, Answer("1/2", whole=True)(r"It is \boxed{2}.").value
    (1.0, 0.0)
    """

    gold: str | tuple[str, ...]
    policy: Policy = _LENIENT
    whole: bool = False
    """Whether it is called with whole replies, from which the answer is extracted."""

    def __post_init__(self) -> None:
        validate_gold(self.gold)

    def __call__(self, answer: str) -> Score:
        return _scored(judge(self.gold, answer, self.policy)) if self.whole else self.verify(answer)

    def verify(self, answer: str) -> Score:
        golds = (self.gold,) if isinstance(self.gold, str) else self.gold
        return _scored(_best([same(gold, answer, self.policy) for gold in golds]))


def _scored(verdict: Verdict) -> Score:
    status = verdict.status
    if status in {"gold_error", "infra_error"}:
        raise JudgeError(verdict.reason, status)  # type: ignore[arg-type]
    if status not in {"scored", "no_answer", "malformed", "limit", "timeout"}:
        status = "malformed"
    return Score(float(verdict.correct), verdict.reason, status=status)  # type: ignore[arg-type]
