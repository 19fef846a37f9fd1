"""A referee for puzzles with one solution: their rules as clauses, and a solver from outside."""

from collections.abc import Iterable, Sequence

from pysat.card import CardEnc, EncType
from pysat.solvers import Cadical153


class Referee:
    """The rules of a puzzle on so many variables, which count from 1."""

    def __init__(self, variables: int) -> None:
        self.variables = variables
        self.top = variables
        self.solver = Cadical153()

    def add(self, *literals: int) -> None:
        """At least one of the literals is true."""
        self.solver.add_clause(literals)

    def exactly(self, literals: Iterable[int], count: int) -> None:
        """So many of the literals are true."""
        rule = CardEnc.equals([*literals], count, top_id=self.top, encoding=EncType.seqcounter)
        self.top = max(self.top, rule.nv)
        for clause in rule.clauses:
            self.solver.add_clause(clause)

    def only_solution(self) -> set[int]:
        """The variables that are true in the only solution; fails unless there is exactly one."""
        assert self.solver.solve(), "there is no solution"
        model: Sequence[int] = self.solver.get_model()[: self.variables]
        self.solver.add_clause([-literal for literal in model])
        assert not self.solver.solve(), "there is a second solution"
        self.solver.delete()
        return {literal for literal in model if literal > 0}
