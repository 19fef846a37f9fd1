"""Natural deduction: reading proofs from text and judging them.

The format of a line and the rules are those of :mod:`palaestra.verifiers.proofs.fitch`. A rule may
be named by any sign or word for its connective, with I, E, intro, elim, introduction or elimination
before or after it, and by common names such as MP for ->E and RAA for IP. A bug in this module can
only make a proof unreadable; the kernel alone decides what is proved.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from palaestra.task import InvalidAnswer, Score
from palaestra.verifiers.proofs.fitch import Line, proof_error
from palaestra.verifiers.proofs.formulas import (
    MOST_FACTS,
    SPELLINGS,
    Formula,
    entails,
    facts,
    formula,
)
from palaestra.verifiers.reading.layout import bare, lines
from palaestra.verifiers.reading.values import plain
from palaestra.verifiers.replies import unwrapped
from palaestra.verifiers.verifier import GoldError, Verifier

LINES = 500
"""The maximum number of lines of a proof."""

_FORMS = {"intro": ("i", "intro", "introduction"), "elim": ("e", "elim", "elimination")}
_OF_LINKS = (
    "and intro", "and elim", "or intro", "or elim", "if intro", "if elim", "iff intro", "iff elim",
    "not intro", "not elim", "false elim", "true intro",
)  # fmt: skip
"""Rules that are named by a connective, in any of its spellings, and a form."""

_WORDS = {
    "and": ("conjunction",),
    "or": ("disjunction",),
    "if": ("implication", "conditional", "arrow"),
    "iff": ("equivalence", "biconditional"),
    "not": ("negation",),
}
"""Names of connectives in the names of rules, in addition to their spellings in formulas."""

_NAMES = {
    "premise": ("premise", "prem", "pr", "given"),
    "assumption": ("assumption", "assume", "assumed", "ass", "as", "suppose", "supposition"),
    "reiteration": ("r", "reit", "reiteration", "reiterate", "repeat", "copy"),
    "and intro": ("conj", "adj", "conjunction", "adjunction"),
    "and elim": ("simp", "simplification"),
    "or intro": ("add", "addition"),
    "or elim": ("cases", "proofbycases", "casesplit"),
    "if intro": ("cp", "conditionalproof", "deductiontheorem"),
    "if elim": ("mp", "modusponens"),
    "not elim": ("falseintro", "falsei", "⊥i", "⊥intro", "⊥introduction", "contradiction"),
    "false elim": ("efq", "exfalso", "exfalsoquodlibet", "explosion", "x"),
    "double negation": ("dn", "dne", "¬¬e", "~~e", "doublenegation", "doublenegationelimination"),
    "hypothesis": ("hyp", "hypothesis"),
    "indirect proof": ("ip", "raa", "pbc", "indirectproof", "proofbycontradiction"),
}
"""Proper names of rules, in lower case and without spaces.

A hypothesis is an assumption inside a sub-proof, and a premise outside all sub-proofs.
"""

_HEAD = re.compile(
    r"([|\s]*)(?:line\s+)?\(?(\d{1,4})(?!\d)[.):]?([|\s]*)", re.ASCII | re.IGNORECASE
)
_WORDED = (
    (re.compile(r"\s(?:(?:lines?|from|on|of|using) ){1,3}(?=\(?[0-9])", re.IGNORECASE), " "),
    (re.compile(r"(?<=[0-9]),? (?:and|&) (?=[0-9])", re.IGNORECASE), ", "),
    (re.compile(r"(?<=[0-9]) ?(?:\u2014|\.{2,3}|\u2026|to) ?(?=[0-9])"), "-"),
)
"""Words and signs between line numbers, with their meaning."""
_RULER = re.compile(r"[|\u2502\u2503\u2551\s]*[-_\u2500\u2014]{2,}")
_CITATION = re.compile(r"[([]?[0-9]{1,4}(?:[-,;][0-9]{1,4}){0,4}[,;:)\]]*", re.ASCII)
_RANGE = re.compile(r"(\d{1,4})(?:-(\d{1,4}))?", re.ASCII)
_BARS = str.maketrans("\u2502\u2503\u2551", "|||")
_SILENT = str.maketrans("", "", "[(:.,_-")
_CITED = "0123456789 ,;-.])"
_LONGEST_NAME = 4
"""The maximum number of words of the name of a rule."""


@lru_cache(maxsize=1)
def _names() -> dict[str, str]:
    """The rule for each name, in lower case and without spaces."""
    known = {name: rule for rule, names in _NAMES.items() for name in names}
    for rule in _OF_LINKS:
        link, direction = rule.split()
        for spelling in (*SPELLINGS[link], *_WORDS.get(link, ())):
            for form in _FORMS[direction]:
                known.setdefault(_bare(spelling + form), rule)
                known.setdefault(_bare(form + spelling), rule)
    return known


def _bare(name: str) -> str:
    """The name of a rule in one spelling."""
    for arrow, sign in (("<->", "↔"), ("<=>", "↔"), ("->", "→"), ("=>", "→")):
        name = name.replace(arrow, sign)
    return name.casefold().translate(_SILENT)


def read_line(text: str) -> Line:
    """Read a line of a proof.

    >>> read_line("4. | q    ->E 1, 3")
    Line(number=4, depth=1, claim=('q',), rule='if elim', lines=(1, 3), subproofs=())
    >>> read_line("6. ~p  negation introduction 3-5").subproofs
    ((3, 5),)
    """
    text = text.translate(_BARS)
    head = _HEAD.match(text)
    if not head:
        raise InvalidAnswer(f"not a line such as '3. q  ->E 1, 2': {text[:40]!r}")
    label = f"line {head[2]}"
    whole = " ".join(_rule_first(text[head.end() :].split()))
    for pattern, sign in _WORDED:
        whole = pattern.sub(sign, whole)
    rest = whole.rstrip(_CITED)
    claim, rule = _claimed(rest.split(), label)
    lines, subproofs = _cited(whole[len(rest) :], label)
    depth = (head[1] + head[3]).count("|")
    if rule == "hypothesis":
        rule = "assumption" if depth else "premise"
    return Line(int(head[2]), depth, claim, rule, lines, subproofs)


def _rule_first(words: list[str]) -> list[str]:
    """The words of a line whose rule precedes the citations, as in ``->E 1, 3``."""
    start = next((at for at, word in enumerate(words) if at and _CITATION.fullmatch(word)), 0)
    end = start
    while start and end < len(words) and _CITATION.fullmatch(words[end]):
        end += 1
    rule = words[end:]
    if (
        not start
        or not 1 <= len(rule) <= _LONGEST_NAME
        or _names().get(_bare("".join(rule))) is None
    ):
        return words
    return [*words[:start], *rule, *words[start:end]]


def _claimed(words: list[str], label: str) -> tuple[Formula, str]:
    """The formula and the rule of a line.

    If the last words may name several rules, the longest name that leaves a formula counts: in
    ``q & p R`` the rule is R, not "p R", which would be a premise.
    """
    slips = []
    for length in range(min(_LONGEST_NAME, len(words) - 1), 0, -1):
        rule = _names().get(_bare("".join(words[-length:])))
        if rule:
            ends = length + (words[-length - 1] in {"by", "from"})
            try:
                return formula(" ".join(words[:-ends]).rstrip(",;:")), rule
            except InvalidAnswer as slip:
                slips.append(slip)
    if slips:
        raise InvalidAnswer(f"{label}: {slips[-1]}", slips[-1].status)
    raise InvalidAnswer(f"{label} does not end with a rule and the lines it leans on")


def _cited(text: str, label: str) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
    """The lines and the sub-proofs that are cited."""
    parts = re.split(r"[ ,;]+", text.replace(" -", "-").replace("- ", "-").strip(" ,;.])"))
    ranges = [_RANGE.fullmatch(part) for part in parts if part]
    if len(ranges) > 3 or not all(ranges):
        raise InvalidAnswer(f"{label} does not end with lines and ranges such as '1, 2-4'")
    lines = tuple(int(part[1]) for part in ranges if part and not part[2])
    subproofs = tuple((int(part[1]), int(part[2])) for part in ranges if part and part[2])
    return lines, subproofs


def read_proof(text: str) -> list[Line]:
    """Read a proof; empty lines and rulers between lines are skipped.

    The lines may be items of a list or of a JSON array. If none has a number, they count from 1.
    """
    rows = [bare(" ".join(line.split())) for line in plain(text).splitlines()]
    rows = [row for row in rows if row and not _RULER.fullmatch(row)]
    if not rows:
        raise InvalidAnswer("there is no line of a proof", "no_answer")
    if len(rows) > LINES:
        raise InvalidAnswer(f"{len(rows)} lines long", "limit")
    items = [item.strip() for item in lines("\n".join(rows))][: LINES + 1]
    if not any(map(_HEAD.match, items)):  # the numbers of the proof may be those of a list
        items = [f"{number}. {item}" for number, item in enumerate(items, 1)]
    if len(items) < len(rows) or not all(map(_HEAD.match, items)):
        items = rows
    return list(map(read_line, items))


@dataclass(frozen=True, slots=True)
class NaturalDeduction(Verifier):
    r"""A proof of ``goal`` from ``premises``: 1 if every line is right, else 0.

    The last line must be the goal, outside all sub-proofs, and equal to it except for spelling and
    parentheses. Without ``classical``, the rules DNE and IP are unavailable. A goal that does not
    follow from the premises raises ``GoldError`` if it is small enough for a truth table.

    >>> judge = NaturalDeduction(["p & q"], "q & p")
    >>> judge("1. p & q premise\n2. p &E 1\n3. q &E 1\n4. q & p &I 2, 3").correct
    True
    >>> judge("1. p & q premise\n2. q & p &E 1").reason
    'line 2 does not follow by its rule from what it cites'
    """

    premises: Sequence[str]
    goal: str
    classical: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "premises", tuple(self.premises))
        try:
            premises, goal = _statement(self.premises, self.goal)
        except InvalidAnswer as slip:
            raise GoldError(f"a premise or the goal is unreadable: {slip}") from None
        many = len(set().union(facts(goal), *map(facts, premises))) > MOST_FACTS
        if not many and not entails(premises, goal):
            raise GoldError(f"{self.goal!r} does not follow from the premises")

    def verify(self, answer: str) -> Score:
        premises, goal = _statement(self.premises, self.goal)
        proof = read_proof(unwrapped(answer))
        if problem := proof_error(proof, premises, self.classical):
            return Score(0, problem)
        if proof[-1].depth:
            return Score(0, "the last line is inside a sub-proof")
        if proof[-1].claim != goal:
            return Score(0, "the last line is not what was to be proved")
        return Score(1)


@lru_cache(maxsize=256)
def _statement(premises: Sequence[str], goal: str) -> tuple[list[Formula], Formula]:
    return list(map(formula, premises)), formula(goal)
