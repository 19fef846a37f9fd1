"""Propositional satisfiability: a model shows that clauses are satisfiable, a proof that they are
not.

Both are certificates, checked against the clauses alone: the verifier needs no known verdict and
trusts none.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from palaestra.task import InvalidAnswer, Score
from palaestra.verifiers.proofs.drat import proof_error, read_proof
from palaestra.verifiers.reading.values import items, plain
from palaestra.verifiers.replies import unwrapped
from palaestra.verifiers.verifier import GoldError, Verifier

BUDGET = 300_000
"""The maximum number of literals inspected per proof: about 50 ms of work."""

_LITERAL = re.compile(r"([-+~!¬]?)x?_?([1-9][0-9]{0,6})", re.ASCII | re.IGNORECASE)
_TRUTH = {"true": True, "t": True, "1": True, "false": False, "f": False, "0": False}
_AND = re.compile(r"[&\u2227]|\band\b", re.IGNORECASE)
_NOT = re.compile(r"(?:\\(?:neg|lnot)(?![a-z])|\bnot\b)\s*", re.IGNORECASE)
_IS = re.compile(r":=|[-=]>|[=:\u2192]|\bis\b", re.IGNORECASE)
_ITEM = re.compile(r"^\s*(?:[-*\u2022]\s+(?=[x\"'`$])|\d{1,4}[.)]\s+(?=[x\"'`$]))")
_DRESS = str.maketrans(
    "\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089", "0123456789", "\"'`$_{}"
)
_COMMENT = re.compile(r"c(?:\s|\Z)")
_CLAIM = re.compile(r"(?:s )?(UN)?SAT(?:ISFIABLE)?[.:]?", re.IGNORECASE)


def read_model(text: str, variables: int) -> set[int]:
    r"""Read true literals or assignments; each variable has at most one value.

    Comments and the lines ``s SATISFIABLE`` and ``v …`` of solvers are accepted.

    >>> sorted(read_model("v 1 -3 0", variables=3)), sorted(read_model("x1 = T, x2 is false", 3))
    ([-3, 1], [-2, 1])
    """
    lines = [line.strip() for line in plain(text).splitlines()]
    lines = [line.removeprefix("v ") for line in lines if line and not _COMMENT.match(line)]
    claim = _CLAIM.fullmatch(lines[0].strip("* ")) if lines else None
    if claim and claim[1]:
        raise InvalidAnswer("expected a model, got the verdict that there is none")
    bare = [_ITEM.sub("", line, count=1).rstrip(".") for line in (lines[1:] if claim else lines)]
    body = _NOT.sub("-", _AND.sub(" ", "\n".join(bare).translate(_DRESS)))
    body = "=".join(part.strip() for part in _IS.split(body))
    parts = items(body, "a list of literals")
    if parts and parts[-1] == "0":
        parts.pop()
    literals = {_literal(part, variables) for part in parts}
    if not literals:
        raise InvalidAnswer("there are no literals", "no_answer")
    if any(-literal in literals for literal in literals):
        raise InvalidAnswer("a variable is both true and false")
    return literals


def _literal(text: str, variables: int) -> int:
    name, equals, value = text.partition("=")
    match = _LITERAL.fullmatch(name)
    if not match or (equals and (match[1] or value.casefold() not in _TRUTH)):
        raise InvalidAnswer(
            "not a list of literals such as '1 -2 3', or of values such as 'x1=true'"
        )
    variable = int(match[2])
    if variable > variables:
        raise InvalidAnswer(f"the variables go from 1 to {variables}")
    negative = not _TRUTH[value.casefold()] if equals else match[1] not in {"", "+"}
    return -variable if negative else variable


@dataclass(frozen=True, slots=True)
class _Clausal(Verifier):
    """A verifier for clauses, which are sequences of nonzero integers."""

    clauses: Sequence[Sequence[int]]

    def __post_init__(self) -> None:
        clauses = tuple(map(tuple, self.clauses))
        if not clauses or not all(clauses):
            raise GoldError("there must be clauses, and none may be empty")
        if not all(type(literal) is int and literal for row in clauses for literal in row):
            raise GoldError("a literal is a whole number other than 0")
        object.__setattr__(self, "clauses", clauses)

    def variables(self) -> int:
        """The highest variable."""
        return max(abs(literal) for clause in self.clauses for literal in clause)


@dataclass(frozen=True, slots=True)
class SatModel(_Clausal):
    """Score 1 if an assignment makes a literal of every clause true, otherwise 0.

    The assignment may omit variables if the rest satisfies all clauses. ``progress`` is the
    share of satisfied clauses, which is not the score, since a random assignment satisfies most
    clauses.

    >>> SatModel([(1, 2), (-1, 3)])("1 3").correct, SatModel([(1, 2), (-1, 3)])("2").correct
    (True, False)
    """

    def verify(self, answer: str) -> Score:
        return _weighed(self.clauses, read_model(unwrapped(answer), self.variables()))


def _weighed(clauses: Sequence[Sequence[int]], model: set[int]) -> Score:
    met = sum(not model.isdisjoint(clause) for clause in clauses)
    missed = len(clauses) - met
    reason = f"clauses without a true literal: {missed}" if missed else ""
    return Score(not missed, reason, {"progress": met / len(clauses)})


@dataclass(frozen=True, slots=True)
class Unsat(_Clausal):
    r"""Score 1 if a DRAT proof in text form shows that the clauses are unsatisfiable, otherwise 0.

    The form is that of :mod:`palaestra.verifiers.proofs.drat`. The empty clause, a line with
    nothing but ``0``, must be added. ``budget`` bounds the work in literals looked at; a proof
    that takes more has the status ``limit``.

    >>> Unsat([(1, 2), (1, -2), (-1, 2), (-1, -2)])("1 0\n0").correct
    True
    """

    budget: int = BUDGET
    longest: ClassVar[int] = 100_000

    def verify(self, answer: str) -> Score:
        return _refuted(self.clauses, unwrapped(answer), self.budget)


def _refuted(clauses: Sequence[Sequence[int]], proof: str, budget: int) -> Score:
    first, _, rest = plain(proof).partition("\n")
    claim = _CLAIM.fullmatch(first.strip())
    problem = proof_error(clauses, read_proof(rest if claim and claim[1] else plain(proof)), budget)
    return Score(not problem, problem)


@dataclass(frozen=True, slots=True)
class SatVerdict(_Clausal):
    r"""Score 1 for ``SAT`` with a model or ``UNSAT`` with a DRAT proof, otherwise 0.

    The first line is the verdict (or ``s SATISFIABLE``), the rest is the certificate.

    >>> judge = SatVerdict([(1, 2), (-1,)])
    >>> judge("SAT\n-1 2").correct, judge("UNSAT\n0").correct, judge("SAT").correct
    (True, False, False)
    """

    budget: int = BUDGET
    longest: ClassVar[int] = 100_000

    def verify(self, answer: str) -> Score:
        lines = unwrapped(answer).splitlines() or [""]
        start = next((n for n, line in enumerate(lines) if not _COMMENT.match(line)), 0)
        verdict = _CLAIM.fullmatch(plain(lines[start]).strip("* "))
        rest = "\n".join(lines[start + 1 :])
        if not verdict:
            raise InvalidAnswer("the first line is neither SAT nor UNSAT")
        if not rest.strip():
            raise InvalidAnswer("nothing shows that the verdict is right", "no_answer")
        if verdict[1]:
            return _refuted(self.clauses, rest, self.budget)
        return _weighed(self.clauses, read_model(rest, self.variables()))
