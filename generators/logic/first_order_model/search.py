"""Search for a finite model: sentences are grounded, and their clauses solved.

William McCune's Mace4 (2003) and its predecessors search like this. The solver learns clauses from
conflicts (João Marques-Silva and Karem Sakallah, 1996), with two watched literals in each clause.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from palaestra.generators.logic.first_order_model.sentences import LINKS, Atom, Signature

Clause = list[int]


class Model(NamedTuple):
    """The truth of each atom, and how many conflicts and decisions the search had."""

    true: dict[Atom, bool]
    steps: int


def find_model(sentences: Iterable[tuple[Any, bool]], signature: Signature) -> Model | None:
    """A structure in which each sentence has the truth value that goes with it; None if there is
    none.
    """
    grounding = _Grounding(signature)
    for sentence, truth in sentences:
        grounding.require(sentence, truth)
    solver = _Solver(grounding.clauses, grounding.variables)
    if not solver.solve():
        return None
    true = {atom: solver.value[n] > 0 for atom, n in grounding.numbers.items()}
    return Model(true, solver.conflicts + solver.decisions)


class _Grounding:
    """Clauses that are satisfiable together exactly if the sentences are.

    A variable that stands for a part of a sentence implies it, and need not be implied by it, as
    negations stand before atoms alone.
    """

    def __init__(self, signature: Signature) -> None:
        self.elements = range(1, signature.elements + 1)
        self.numbers = {atom: n for n, atom in enumerate(signature.atoms(), 1)}
        self.variables = len(self.numbers)
        self.clauses = list[Clause]()
        self._parts = dict[tuple[str, tuple[int, ...]], int]()

    def require(self, sentence: Any, truth: bool) -> None:
        """Add the clauses of a sentence, or of its negation."""
        root = self._literal(sentence, truth, {})
        if root is not True:
            self.clauses.append([] if root is False else [root])

    def _literal(self, formula: Any, truth: bool, bound: Mapping[str, int]) -> int | bool:
        """A literal that implies a formula, or its negation; or a truth value."""
        link, *parts = formula
        if link == "not":
            return self._literal(parts[0], not truth, bound)
        if link in {"all", "some"}:
            inner = [
                self._literal(parts[1], truth, {**bound, parts[0]: element})
                for element in self.elements
            ]
            return self._joined(inner, every=(link == "all") == truth)
        if link == "=":
            return (bound[parts[0]] == bound[parts[1]]) == truth
        if link in LINKS:
            one, other = parts
            if link == "iff":
                ways = [
                    self._joined(
                        [
                            self._literal(one, value, bound),
                            self._literal(other, value == truth, bound),
                        ],
                        every=True,
                    )
                    for value in (True, False)
                ]
                return self._joined(ways, every=False)
            first = self._literal(one, truth == (link != "if"), bound)
            return self._joined(
                [first, self._literal(other, truth, bound)], every=(link == "and") == truth
            )
        number = self.numbers[link, tuple(bound[name] for name in parts)]
        return number if truth else -number

    def _joined(self, parts: Sequence[int | bool], *, every: bool) -> int | bool:
        """A literal that implies all literals, or one of them."""
        literals = list[int]()
        for part in parts:
            if part is (not every):
                return not every
            if part is not every and part not in literals:
                literals.append(part)
        if len(literals) < 2:
            return literals[0] if literals else every
        key = ("and" if every else "or", tuple(literals))
        if key not in self._parts:
            self.variables += 1
            self._parts[key] = self.variables
            if every:
                self.clauses += [[-self.variables, each] for each in literals]
            else:
                self.clauses.append([-self.variables, *literals])
        return self._parts[key]


class _Solver:
    """The state of a search. Lists are indexed by literals, of which the negative ones count from
    the end.
    """

    def __init__(self, clauses: Iterable[Clause], variables: int) -> None:
        self.value = [0] * (2 * variables + 1)
        self.watches: list[list[Clause]] = [[] for _ in self.value]
        self.reason: list[Clause | None] = [None] * (variables + 1)
        self.level = [0] * (variables + 1)
        self.activity = [0.0] * (variables + 1)
        self.phase = [False] * (variables + 1)
        self.trail = list[int]()
        self.starts = list[int]()
        self.head = 0
        self.bump = 1.0
        self.conflicts = self.decisions = 0
        self.contradictory = False
        for clause in clauses:
            self._add(list(dict.fromkeys(clause)))

    def _add(self, clause: Clause) -> None:
        if len(clause) < 2:
            if not clause or self.value[clause[0]] < 0:
                self.contradictory = True
            elif not self.value[clause[0]]:
                self._assign(clause[0], None)
            return
        for literal in clause:
            self.activity[abs(literal)] += 1 / len(clause)
        self.watches[clause[0]].append(clause)
        self.watches[clause[1]].append(clause)

    def solve(self) -> bool:
        """Whether there is a model, which is then in ``value``."""
        while not self.contradictory:
            conflict = self._propagate()
            if conflict is None:
                if len(self.trail) == len(self.reason) - 1:
                    return True
                self._decide()
            elif not self.starts:
                return False
            else:
                self.conflicts += 1
                self._learn(conflict)
        return False

    def _assign(self, literal: int, reason: Clause | None) -> None:
        self.value[literal], self.value[-literal] = 1, -1
        variable = abs(literal)
        self.reason[variable], self.level[variable] = reason, len(self.starts)
        self.trail.append(literal)

    def _decide(self) -> None:
        self.decisions += 1
        free = [n for n in range(1, len(self.reason)) if not self.value[n]]
        variable = max(free, key=self.activity.__getitem__)
        self.starts.append(len(self.trail))
        self._assign(variable if self.phase[variable] else -variable, None)

    def _propagate(self) -> Clause | None:
        """Assign what follows; returns a clause that is false, if any."""
        value = self.value
        while self.head < len(self.trail):
            false = -self.trail[self.head]
            self.head += 1
            waiting, self.watches[false] = self.watches[false], []
            kept = self.watches[false]
            for n, clause in enumerate(waiting):
                if clause[0] == false:
                    clause[0], clause[1] = clause[1], false
                first = clause[0]
                if value[first] > 0:
                    kept.append(clause)
                    continue
                for at in range(2, len(clause)):
                    if value[clause[at]] >= 0:
                        clause[1], clause[at] = clause[at], false
                        self.watches[clause[1]].append(clause)
                        break
                else:
                    kept.append(clause)
                    if value[first] < 0:
                        kept += waiting[n + 1 :]
                        return clause
                    self._assign(first, clause)
        return None

    def _learn(self, conflict: Clause) -> None:
        """Add the clause of the first unique implication point, and go back to where it implies."""
        seen, learnt, count = set[int](), list[int](), 0
        reason, at, literal = conflict, len(self.trail), 0
        while True:
            for each in reason:
                variable = abs(each)
                if each != literal and variable not in seen and self.level[variable]:
                    seen.add(variable)
                    self.activity[variable] += self.bump
                    if self.level[variable] == len(self.starts):
                        count += 1
                    else:
                        learnt.append(each)
            at -= 1
            while abs(self.trail[at]) not in seen:
                at -= 1
            literal, count = self.trail[at], count - 1
            if not count:
                break
            reason = self.reason[abs(literal)] or []
        learnt.sort(key=lambda each: -self.level[abs(each)])
        self._go_back(self.level[abs(learnt[0])] if learnt else 0)
        clause = [-literal, *learnt]
        if learnt:
            self.watches[clause[0]].append(clause)
            self.watches[clause[1]].append(clause)
        self._assign(-literal, clause if learnt else None)
        self.bump *= 1.05

    def _go_back(self, level: int) -> None:
        start = self.starts[level]
        for literal in self.trail[start:]:
            self.value[literal] = self.value[-literal] = 0
            self.phase[abs(literal)] = literal > 0
        del self.trail[start:], self.starts[level:]
        self.head = start
