"""Refutations by resolution: reading them from text, and checking them step by step.

A clause is a set of literals, which are names such as ``a`` or negated names such as ``~a``. Two
clauses, one with a name and one with its negation, have a resolvent: all of their literals except
for these two. A refutation derives the empty clause (John Alan Robinson, 1965). Each line has the
number of a new clause, the numbers of two earlier ones, and their resolvent::

    4: 1 2 ~b
    5: 3 4 empty

The numbers go on from those of the clauses to refute, which count from 1.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from palaestra.task import InvalidAnswer, Score
from palaestra.verifiers.reading.labels import labelled
from palaestra.verifiers.reading.values import plain
from palaestra.verifiers.replies import unwrapped
from palaestra.verifiers.verifier import GoldError, Verifier

Clause = frozenset[str]
"""Literals; a negated one begins with ``~``."""

LINES = 2_000
"""The maximum number of lines of a proof."""

_ARROW = re.compile(r"-+>|=+>|[\u2192\u22a2=]")
_NOT = re.compile(r"\$?(?:\bnot\b|\\neg\b|\\lnot\b|\\sim\b|[\u00ac\u223c!~-])\$?\s*")
_SEPARATORS = re.compile(r"[\s,;:|\u2228(){}\[\]$]+|\\(?:vee|lor)\b")
_LITERAL = re.compile(r"~?[a-z][a-z0-9_]{0,39}", re.ASCII)
_SILENT = frozenset({"", "or", "and"})
_EMPTY = frozenset({"empty", "\u22a5", "\u25a1", "false"})
_NO_LITERALS = re.compile(
    r"\(\s*\)|\[\s*\]|\{\s*\}|\b(?:the\s)?empty clause\b|\u2205|\\(?:bot|emptyset|square|box)\b"
)


class Step(NamedTuple):
    """A new clause and the numbers of the two that it is a resolvent of."""

    one: int
    other: int
    clause: Clause


def read_clause(text: str) -> Clause:
    """Read the literals of a clause; ``empty`` stands for none.

    >>> sorted(read_clause("a or not b")), sorted(read_clause("A ~b")), read_clause("empty")
    (['a', '~b'], ['a', '~b'], frozenset())
    """
    return _clause(_words(plain(text)))


def _words(text: str) -> list[str]:
    """The words of a text in small letters, with one sign for every way to write "not"."""
    text = _NO_LITERALS.sub(" empty ", _ARROW.sub(" ", text.casefold()))
    words = _SEPARATORS.split(_NOT.sub(" ~", text))
    return [word for word in words if word not in _SILENT]


def _clause(words: Sequence[str]) -> Clause:
    if len(words) == 1 and words[0] in _EMPTY:
        return frozenset()
    if not words or not all(map(_LITERAL.fullmatch, words)) or _EMPTY.intersection(words):
        raise InvalidAnswer("expected a clause such as 'a ~b', or the word 'empty'")
    return frozenset(words)


def read_steps(text: str, clauses: int) -> list[Step]:
    r"""Read the steps of a proof, whose numbers go on from the number of ``clauses``.

    >>> read_steps("4: 1 2 ~b\n5: 3 4 empty", clauses=3)[1]
    Step(one=3, other=4, clause=frozenset())
    """
    text = plain(text)
    lines = len(text.splitlines())
    if lines > LINES:
        raise InvalidAnswer(f"{lines:,} lines long", "limit")
    most = min(LINES, max(lines, 1 + text.count(",") + text.count(";")))
    rows = labelled(text, [str(clauses + 1 + n) for n in range(most)])
    steps = list[Step]()
    for number, (name, value) in enumerate(rows, clauses + 1):
        if name != str(number):
            raise InvalidAnswer(
                f"expected lines such as '{number}: 1 2 a ~b', with numbers from "
                f"{clauses + 1} in order"
            )
        steps.append(_step(value, number))
    return steps


def _step(value: str, number: int) -> Step:
    one, other, *literals = [*_words(value), "", ""]
    if not (_is_number(one) and _is_number(other)):
        raise InvalidAnswer(f"line {number} does not begin with the numbers of two clauses")
    return Step(int(one), int(other), _clause(literals[:-2]))


def _is_number(word: str) -> bool:
    return word.isdecimal() and word.isascii() and len(word) < 6


def resolvents(one: Clause, other: Clause) -> set[Clause]:
    """All resolvents of two clauses.

    >>> sorted(map(sorted, resolvents(frozenset({"a", "b"}), frozenset({"~b", "c"}))))
    [['a', 'c']]
    """
    opposites = {literal: literal[1:] if literal[0] == "~" else f"~{literal}" for literal in one}
    return {
        (one - {literal}) | (other - {opposite})
        for literal, opposite in opposites.items()
        if opposite in other
    }


def step_error(clauses: Sequence[Clause], steps: Sequence[Step]) -> str:
    """Why the first wrong step does not follow, or an empty text if all steps do.

    >>> step_error([frozenset({"a"}), frozenset({"~a"})], [Step(1, 2, frozenset())])
    ''
    """
    known = list(clauses)
    for number, (one, other, clause) in enumerate(steps, len(known) + 1):
        if not (0 < one < number and 0 < other < number):
            return f"clause {number} does not come from earlier clauses"
        if clause not in resolvents(known[one - 1], known[other - 1]):
            return f"clause {number} is not a resolvent of clauses {one} and {other}"
        known.append(clause)
    return ""


@dataclass(frozen=True, slots=True)
class ResolutionProof(Verifier):
    r"""Score 1 if an answer derives the empty clause from ``clauses`` by resolution, otherwise 0.

    ``clauses`` are texts such as ``"a ~b"``; ``steps`` is the maximum number of steps. The verifier
    does not check whether there is such a proof.

    >>> judge = ResolutionProof(["a ~b", "~a ~b", "b"], steps=2)
    >>> judge("4: 1 2 ~b\n5: 3 4 empty").correct
    True
    >>> judge("4: 1 2 empty").reason
    'clause 4 is not a resolvent of clauses 1 and 2'
    """

    clauses: Sequence[str]
    steps: int = LINES

    def __post_init__(self) -> None:
        object.__setattr__(self, "clauses", tuple(self.clauses))
        try:
            empty = [text for text in self.clauses if not read_clause(text)]
        except InvalidAnswer as slip:
            raise GoldError(f"a clause is unreadable: {slip}") from None
        if empty or not self.clauses:
            raise GoldError("there must be clauses, and none may be empty")
        if self.steps < 1:
            raise GoldError(f"the number of steps is 1 or more, not {self.steps}")

    def verify(self, answer: str) -> Score:
        steps = read_steps(unwrapped(answer), len(self.clauses))
        if problem := step_error([*map(read_clause, self.clauses)], steps):
            return Score(0, problem)
        if not steps or steps[-1].clause:
            return Score(0, "the last clause is not the empty one")
        if len(steps) > self.steps:
            return Score(0, f"there are {len(steps)} steps, and {self.steps} are allowed")
        return Score(1)
