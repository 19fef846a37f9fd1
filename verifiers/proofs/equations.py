"""Equational proofs: a chain of terms, each rewritten from the previous one by an axiom.

Each line of a proof names the axiom it applies. The direction and the position are optional; the
checker finds them::

    (x' * x) * y
    = e * y            by inverse
    = y                by unit left-to-right at top
    = e * y            by unit reversed

A position is the sequence of argument numbers that leads to it: ``2.1`` is the first argument of
the second argument, and ``top`` is the whole term. An axiom holds for any terms in place of its
variables; the variables of the goal are constants. The chain may lead either way, since equality
is symmetric.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from palaestra.task import InvalidAnswer, Score
from palaestra.verifiers.proofs.rewriting import (
    Equation,
    Position,
    Term,
    equation,
    follows,
    symbols,
    term,
)
from palaestra.verifiers.reading.values import plain
from palaestra.verifiers.replies import unwrapped
from palaestra.verifiers.verifier import GoldError, Verifier

STEPS = 300
"""The maximum number of lines of a proof."""

VARIABLES = ("u", "v", "w", "x", "y", "z")
"""The default names of the variables of axioms."""

Direction = Literal["left-to-right", "right-to-left"]
DIRECTIONS: Mapping[Direction, tuple[str, ...]] = {
    "left-to-right": ("left-to-right", "ltr", "->", "→", "forward", "forwards"),
    "right-to-left": ("right-to-left", "rtl", "<-", "←", "backward", "backwards", "reversed"),
}
"""The spellings of a direction."""


class Step(NamedTuple):
    """A term and the rewrite that leads to it from the previous term."""

    result: Term
    axiom: str
    direction: Direction | None = None
    position: Position | None = None


_AT = re.compile(
    r"\(?at (?:the )?(?:position |place )?(top|root|[0-9]{1,3}(?:\.[0-9]{1,3})*)\)?", re.ASCII
)
_WAYS = {name: way for way, names in DIRECTIONS.items() for name in names}
_BY = re.compile(r"[,;]?(?: (?:--|#|//))? ?([(\[{])?(?:(?<= )|(?<=[(\[{]))(?:by|using) ")
_NUMBER = re.compile(r"^\(?[0-9]{1,3}[.):] (?=\S)", re.ASCII)
_NOUNS = ("the ", "axiom ", "equation ", "rule ", "law ")
_DRESS = " \t\"'`*.,:()[]{}"
"""Characters that may surround the name of an axiom."""


def read_chain(text: str) -> tuple[Term, list[Step]]:
    """Read a proof: the first term, and the steps from there on."""
    lines = [" ".join(line.replace("$", "").split()) for line in plain(text).splitlines()]
    lines = [_NUMBER.sub("", line, count=1) for line in lines if line]
    if len(lines) > STEPS:
        raise InvalidAnswer(f"{len(lines)} lines long", "limit")
    start: Term | None = None
    steps: list[Step] = []
    for number, line in enumerate(lines, 1):
        by = _BY.search(line)
        left_side, reason = (line[: by.start()], line[by.end() :]) if by else (line, "")
        left, equals, right = left_side.partition("=")
        if number == 1 and not by and not equals:
            start = term(line)
            continue
        if not (by and equals) or "=" in right:
            raise InvalidAnswer(f"line {number} is not like 'x * e = x by unit', nor '= x by unit'")
        before = steps[-1].result if steps else start
        subterm = term(left) if left.strip() else before
        if subterm is None or before not in {None, subterm}:
            raise InvalidAnswer(f"line {number} does not go on from the line before it")
        start = start or subterm
        steps.append(_step(term(right), reason))
    if start is None:
        raise InvalidAnswer("there is no line of a proof", "no_answer")
    return start, steps


def _step(result: Term, reason: str) -> Step:
    """Read a step: its axiom, and optionally a direction and a position."""
    name, at, tail = reason.rpartition(" at ")
    position: Position | None = None
    if at:
        spot = _AT.fullmatch(f"at {tail}".rstrip(".])}"))
        if not spot:
            raise InvalidAnswer("expected a position such as 'at 2.1' or 'at top'")
        position = () if spot[1].isalpha() else tuple(map(int, spot[1].split(".")))
    words = (name if at else reason).split()
    for length in (3, 1):  # "right to left" is one direction
        way = "-".join(words[-length:]).strip("()[],.{}").casefold()
        direction = _WAYS.get(way) if len(words) > length else None
        if direction:
            words = words[:-length]
            break
    return Step(result, _called(" ".join(words)), direction, position)


@dataclass(frozen=True, slots=True)
class EquationalProof(Verifier):
    r"""Score 1 if a chain of valid rewrite steps leads from one side of ``goal`` to the other, else
    0.

    ``axioms`` are equations by name. ``variables`` are the names that stand for any term in an
    axiom; all other names are constants. No symbols but those of the axioms, the goal and the
    variables may be used. The verifier does not check whether the goal follows at all.

    >>> judge = EquationalProof({"unit": "x * e = x", "swap": "x * y = y * x"}, "e * a = a")
    >>> judge("e * a = a * e by swap\n= a by unit").correct
    True
    """

    axioms: Mapping[str, str]
    goal: str
    variables: Sequence[str] = VARIABLES

    def __post_init__(self) -> None:
        object.__setattr__(self, "axioms", dict(self.axioms))
        object.__setattr__(self, "variables", tuple(self.variables))
        names = set(map(_called, self.axioms))
        if len(names) < len(self.axioms) or "" in names:
            raise GoldError(
                "the axioms need names that differ, apart from case and words such as 'axiom'"
            )
        try:
            for text in (*self.axioms.values(), self.goal):
                equation_of(text)
        except InvalidAnswer as slip:
            raise GoldError(f"an axiom or the goal is unreadable: {slip}") from None
        left, right = equation_of(self.goal)
        if left == right:
            raise GoldError("the two sides of the goal are the same")

    def verify(self, answer: str) -> Score:
        start, steps = read_chain(unwrapped(answer))
        goal = equation_of(self.goal)
        if (start, steps[-1].result if steps else start) not in {goal, goal[::-1]}:
            return Score(0, "the chain does not lead from one side of the goal to the other")
        axioms = {_called(name): equation_of(text) for name, text in self.axioms.items()}
        known = {(name, 0) for name in self.variables}
        known = known.union(*(symbols(side) for pair in (*axioms.values(), goal) for side in pair))
        before = start
        for number, step in enumerate(steps, 1):
            if not symbols(step.result) <= known:
                return Score(0, f"step {number} brings in a symbol that is not known")
            if step.axiom not in axioms:
                return Score(0, f"step {number} names no axiom that there is")
            if not self._founded(before, step, axioms[step.axiom]):
                return Score(0, f"step {number} is not one use of its axiom")
            before = step.result
        return Score(1)

    def _founded(self, before: Term, step: Step, axiom: Equation) -> bool:
        """Whether a step applies its axiom once, in its direction or, without one, in either."""
        ways: list[Equation] = []
        if step.direction != "right-to-left":
            ways.append(axiom)
        if step.direction != "left-to-right":
            ways.append(axiom[::-1])
        return any(follows(before, step.result, way, self.variables, step.position) for way in ways)


def _called(name: str) -> str:
    """The name of an axiom, regardless of case, spaces, surrounding punctuation, and a word such as
    "axiom" before it.
    """
    called = " ".join(name.casefold().split()).strip(_DRESS)
    for word in _NOUNS:
        called = called.removeprefix(word)
    return called.strip(_DRESS)


equation_of = lru_cache(maxsize=1024)(equation)
