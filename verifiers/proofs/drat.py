"""Forward checking of DRAT proofs, which refute sets of clauses.

A clause is a sequence of literals, ``3`` for variable 3 and ``-3`` for its negation. A proof adds
and deletes clauses, one per line, each terminated by 0::

    1 2 0
    d 1 2 -3 0
    0

An added clause must have RUP: if all its literals are assumed false, unit propagation derives a
conflict. Or it must have RAT on its first literal: each of its resolvents on that
literal has RUP, so that adding it preserves satisfiability even if it does not follow (Marijn
Heule, Warren Hunt and Nathan Wetzler, 2013). New variables, defined by such clauses, are legal, and
so is deleting clauses of the input: what is left is weaker, and refuting it refutes the whole.

The checker follows all deletions. Some solvers write proofs that delete the reason of a unit clause
and rely on checkers that ignore this; remove the deletions from such proofs.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from palaestra.task import InvalidAnswer

Clause = tuple[int, ...]

_STEP = re.compile(r"(d )?((?:-?[1-9][0-9]{0,6} )*)0")
_COMMENT = re.compile(r"c( .*)?")


class Step(NamedTuple):
    """A clause that is added or deleted."""

    clause: Clause
    deletes: bool = False


def read_proof(text: str) -> list[Step]:
    r"""Read a proof; lines that start with ``c`` are comments.

    >>> read_proof("c resolve\nd 1 2 0\n0")
    [Step(clause=(1, 2), deletes=True), Step(clause=(), deletes=False)]
    """
    steps = []
    for number, line in enumerate(text.splitlines(), 1):
        line_text = " ".join(line.split())
        if not line_text or _COMMENT.fullmatch(line_text):
            continue
        step = _STEP.fullmatch(line_text)
        if not step:
            raise InvalidAnswer(f"line {number} of the proof is not like '1 -2 0' or 'd 1 -2 0'")
        literals = dict.fromkeys(map(int, step[2].split()))
        steps.append(Step(tuple(literals), bool(step[1])))
    if not steps:
        raise InvalidAnswer("there is no line of a proof", "no_answer")
    return steps


def proof_error(clauses: Iterable[Sequence[int]], proof: Sequence[Step], budget: int) -> str:
    r"""Return why a refutation is invalid, or an empty string if it derives the empty clause.

    ``budget`` bounds the number of literals that the checker inspects; beyond it,
    :class:`InvalidAnswer` is raised with the status ``limit``.

    >>> proof_error([(1, 2), (1, -2), (-1, 2), (-1, -2)], read_proof("1 0\n0"), budget=1_000)
    ''
    """
    theory = _Theory(budget)
    for clause in clauses:
        theory.add(tuple(dict.fromkeys(clause)))
    for number, (clause, deletes) in enumerate(proof, 1):
        if deletes:
            if not theory.delete(clause):
                return f"step {number} deletes a clause that is not there"
        elif not (theory.implies(clause) or theory.spares(clause)):
            return f"step {number} adds a clause that has neither RUP nor RAT on its first literal"
        elif clause:
            theory.add(clause)
        else:
            return ""
    return "the empty clause is not derived"


class _Theory:
    """A multiset of clauses. Clauses of two or more literals are watched at the first two.

    No assignment persists from one propagation to the next, so any two literals may be watched and
    a deletion has nothing to undo.
    """

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self.clauses: dict[int, list[int]] = {}
        self.units: dict[int, int] = {}
        self.watching: defaultdict[int, list[int]] = defaultdict(list)
        self.named: defaultdict[Clause, list[int]] = defaultdict(list)
        self.added = 0

    def add(self, clause: Clause) -> None:
        """Add a clause, which is not empty and repeats no literal."""
        name = self.added = self.added + 1
        self.clauses[name] = list(clause)
        self.named[tuple(sorted(clause))].append(name)
        if len(clause) == 1:
            self.units[name] = clause[0]
        else:
            for literal in clause[:2]:
                self.watching[literal].append(name)

    def delete(self, clause: Clause) -> bool:
        """Delete one copy of a clause, in any order of literals; return whether it existed."""
        names = self.named.get(tuple(sorted(clause)))
        if not names:
            return False
        name = names.pop()
        del self.clauses[name]
        self.units.pop(name, None)
        return True

    def implies(self, clause: Clause) -> bool:
        """Whether a clause has RUP."""
        return self._contradicted([-literal for literal in clause])

    def spares(self, clause: Clause) -> bool:
        """Whether a clause has RAT on its first literal."""
        if not clause:
            return False
        pivot, against = clause[0], [-literal for literal in clause]
        for other in list(self.clauses.values()):
            self._spend(len(other))
            if -pivot in other:
                rest = [-literal for literal in other if literal != -pivot]
                if not self._contradicted(against + rest):
                    return False
        return True

    def _contradicted(self, assumed: list[int]) -> bool:
        """Whether unit propagation from some literals derives a conflict."""
        true: set[int] = set()
        queue = assumed + list(self.units.values())
        self._spend(len(queue))
        for literal in queue:  # it grows on the way
            if -literal in true:
                return True
            if literal not in true:
                true.add(literal)
                self.watching[-literal] = self._falsify(-literal, true, queue)
        return False

    def _falsify(self, literal: int, true: set[int], queue: list[int]) -> list[int]:
        """Visit the clauses that watch a literal that became false; return those that still watch
        it.
        """
        still = []
        for name in self.watching[literal]:
            clause = self.clauses.get(name)
            if clause is None:
                continue
            self._spend(2)
            if clause[0] == literal:
                clause[0], clause[1] = clause[1], clause[0]
            if clause[0] not in true and self._moved(clause, true):
                self.watching[clause[1]].append(name)
                continue
            still.append(name)
            if clause[0] not in true:
                queue.append(clause[0])
        return still

    def _moved(self, clause: list[int], true: set[int]) -> bool:
        """Watch a literal that is not false instead of the second one, if there is any."""
        for index in range(2, len(clause)):
            if -clause[index] not in true:
                self._spend(index)
                clause[1], clause[index] = clause[index], clause[1]
                return True
        self._spend(len(clause))
        return False

    def _spend(self, literals: int) -> None:
        self.budget -= literals
        if self.budget < 0:
            raise InvalidAnswer("checking the proof takes too many steps", "limit")
