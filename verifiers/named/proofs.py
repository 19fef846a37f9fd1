"""Named verifiers of proofs, models and counterexamples."""

import re
from typing import Annotated

from pydantic import Field

from palaestra.verifiers.named.entries import Model, Name, Options, ShortText, Text, named
from palaestra.verifiers.proofs import (
    EquationalProof,
    NaturalDeduction,
    ResolutionProof,
    SatModel,
    SatVerdict,
    SmtModel,
    SmtValid,
    Unsat,
)
from palaestra.verifiers.proofs.resolution import LINES
from palaestra.verifiers.verifier import GoldError, Judge


class Sequent(Model):
    """Premises and the formula to be derived from them."""

    premises: Annotated[list[ShortText], Field(max_length=100)] = []
    goal: ShortText


@named(
    "natural_deduction",
    "a Fitch-style proof in propositional logic",
    Sequent,
    page="proofs",
    example=(
        {"premises": ["p -> q", "p"], "goal": "q"},
        "1. p -> q premise\n2. p premise\n3. q ->E 1, 2",
    ),
)
class NaturalDeductionOptions(Options):
    """Whether the classical rules may be used."""

    classical: bool = True

    def build(self, gold: Sequent) -> Judge:
        return NaturalDeduction(tuple(gold.premises), gold.goal, self.classical)


class Identity(Model):
    """Axioms by name, and the equation to be derived from them."""

    axioms: Annotated[dict[Name, ShortText], Field(min_length=1, max_length=100)]
    goal: ShortText


@named(
    "equational_proof",
    "a chain of terms, each from the one before by one axiom",
    Identity,
    page="proofs",
    example=({"axioms": {"unit": "e * x = x"}, "goal": "e * a = a"}, "e * a = a by unit"),
)
class EquationalProofOptions(Options):
    """Which names in the axioms stand for arbitrary terms."""

    variables: Annotated[list[Name], Field(max_length=50)] = ["u", "v", "w", "x", "y", "z"]

    def build(self, gold: Identity) -> Judge:
        return EquationalProof(gold.axioms, gold.goal, tuple(self.variables))


@named(
    "resolution_proof",
    "a derivation of the empty clause by resolution",
    Annotated[list[ShortText], Field(min_length=1, max_length=1_000)],
    page="proofs",
    example=(["a b", "a ~b", "~a"], "4: 1 2 a\n5: 3 4 empty"),
)
class ResolutionProofOptions(Options):
    """How many steps a derivation may have."""

    steps: Annotated[int, Field(ge=1, le=LINES)] = LINES

    def build(self, gold: list[str]) -> Judge:
        return ResolutionProof(gold, self.steps)


Literal_ = Annotated[int, Field(ge=-100_000, le=100_000)]
Clauses = Annotated[
    list[Annotated[list[Literal_], Field(max_length=1_000)]],
    Field(min_length=1, max_length=50_000),
]
Budget = Annotated[int, Field(ge=1, le=3_000_000)]


def _clauses(gold: list[list[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(map(tuple, gold))


@named("sat_model", "literals that satisfy all clauses", Clauses, page="proofs",
       example=([[1, 2], [-1, 2]], "2"))  # fmt: skip
class SatModelOptions(Options):
    """There are none."""

    def build(self, gold: list[list[int]]) -> Judge:
        return SatModel(_clauses(gold))


class Refutation(Options):
    """How much work a proof may take to check."""

    budget: Budget = 300_000


@named("unsat", "a DRAT proof that clauses cannot be satisfied", Clauses, page="proofs",
       example=([[1], [-1]], "0"))  # fmt: skip
class UnsatOptions(Refutation):
    """How much work a proof may take to check."""

    def build(self, gold: list[list[int]]) -> Judge:
        return Unsat(_clauses(gold), self.budget)


@named("sat_verdict", "SAT with a model, or UNSAT with a DRAT proof", Clauses, page="proofs",
       example=([[1, 2], [-1, 2]], "SAT\n2"))  # fmt: skip
class SatVerdictOptions(Refutation):
    """How much work a proof may take to check."""

    def build(self, gold: list[list[int]]) -> Judge:
        return SatVerdict(_clauses(gold), self.budget)


COMMANDS = ("assert", "check-sat", "declare-const", "declare-fun", "define-fun", "set-logic")
"""The commands of SMT-LIB that constraints may consist of. Others write or include files."""


def constraints(script: str) -> str:
    r"""A script as it is, if it consists of constraints. Raises :class:`GoldError` otherwise.

    Strings, quoted symbols and block comments, in which brackets would not count, are refused.

    >>> constraints("(declare-const x Int) ; a number\n(assert (> x 0))")[-17:]
    '\n(assert (> x 0))'
    """
    plain = "\n".join(line.partition(";")[0] for line in script.splitlines())
    if refused := sorted(set(plain) & set('|"\\')):
        raise GoldError(f"constraints have no {refused[0]!r} in them")
    depth, heads = 0, list[str]()
    for token in _TOKENS.findall(plain):
        if token == ")":
            depth -= 1
        elif depth == 1 and heads and not heads[-1]:
            heads[-1] = token
        elif depth == 0 and token != "(":
            raise GoldError(f"{token[:40]!r} stands outside of all commands")
        if token == "(":
            heads += [""] if depth == 0 else []
            depth += 1
        if depth < 0:
            raise GoldError("a bracket is closed that was not opened")
    for head in heads:
        if head not in COMMANDS:
            known = ", ".join(COMMANDS)
            raise GoldError(f"constraints consist of {known}, and not of {head[:40]!r}")
    return script


_TOKENS = re.compile(r"[()]|[^\s()]+")


class Solved(Options):
    """How much work Z3 may do, in its own units."""

    rlimit: Annotated[int, Field(ge=1_000, le=20_000_000)] = 2_000_000


_SQUARES = "(declare-const x Int) (assert (= (* x x) 9)) (assert (> x 0))"


@named("smt_model", "values that satisfy constraints in SMT-LIB 2", Text, page="proofs",
       extra="smt", example=(_SQUARES, "x = 3"))  # fmt: skip
class SmtModelOptions(Solved):
    """How much work Z3 may do, in its own units."""

    def build(self, gold: str) -> Judge:
        return SmtModel(constraints(gold), self.rlimit)


@named(
    "smt_valid",
    "'valid', or a counterexample to a claim in SMT-LIB 2",
    Text,
    page="proofs",
    extra="smt",
    example=("(declare-const x Int) (assert (>= (* x x) x))", "valid"),
)
class SmtValidOptions(Solved):
    """How much work Z3 may do, in its own units."""

    def build(self, gold: str) -> Judge:
        return SmtValid(constraints(gold), self.rlimit)
