"""Random formulas in conjunctive normal form, a search for models, and refutations.

Literals are nonzero integers, as in DIMACS files. A refutation is a list of clauses of which each
follows from the clauses before it by unit propagation (RUP), and the last is empty; that is a DRAT
proof.
"""

from collections.abc import Sequence
from math import comb
from random import Random
from typing import NamedTuple

Clause = tuple[int, ...]
Clauses = tuple[Clause, ...]


class Outcome(NamedTuple):
    """A model, or a refutation where there is none, and the decisions that the search made."""

    model: tuple[int, ...] | None
    """The true literals, by variable."""
    refutation: tuple[Clause, ...]
    decisions: int


def random_clauses(
    rng: Random, variables: int, width: int, number: int, planted: Sequence[int] = ()
) -> Clauses:
    """So many different clauses of ``width`` different variables each.

    With ``planted`` literals, one of each variable, these are a model. The number t of true
    literals of a clause then has a probability proportional to q to the power of t, where q makes
    each variable appear as often true as false (q-hidden formulas of H. Jia, C. Moore and
    D. Strain, "Generating Hard Satisfiable Formulas by Hiding Solutions Deceptively", 2005), so
    that counting the signs of a variable says nothing about the model.

    Raises ``ValueError`` for more than half of all such clauses, among which a random choice would
    take long.
    """
    if number > comb(variables, width) * 2 ** (width - 1):
        raise ValueError(f"{number} are too many different clauses of {variables} variables")
    truth = {abs(literal): literal for literal in planted}
    balance = balancing(width)
    clauses = dict[Clause, None]()
    while len(clauses) < number:
        chosen = sorted(rng.sample(range(1, variables + 1), width))
        clause = tuple(rng.choice((n, -n)) for n in chosen)
        if planted:
            true = sum(truth[abs(literal)] == literal for literal in clause)
            if true == 0 or rng.random() > balance ** (true - 1):
                continue
        clauses[clause] = None
    return tuple(clauses)


def balancing(width: int) -> float:
    """The q in (0, 1) at which true and false literals are equally frequent in planted clauses:
    over the clauses with t > 0, weighted by q to the power of t, the mean of t is half the width.

    >>> round(balancing(3), 3)
    0.618
    """
    low, high = 0.0, 1.0
    for _ in range(50):
        q = (low + high) / 2
        mean = width * q * (1 + q) ** (width - 1) / ((1 + q) ** width - 1)
        low, high = (low, q) if mean > width / 2 else (q, high)
    return (low + high) / 2


def solve(clauses: Clauses, variables: int) -> Outcome:
    """A model by depth-first search with unit propagation, or a refutation."""
    search = _Search(clauses, variables)
    model = search.model([])
    if model is None:
        return Outcome(None, tuple(search.lemmas), search.decisions)
    full = tuple(n if n in model else -n for n in range(1, variables + 1))
    return Outcome(full, (), search.decisions)


class _Search:
    """The search of Davis, Logemann and Loveland (1962).

    Where both values of a variable fail, the clause that one of the decisions before is wrong
    follows by unit propagation from those of the two branches: these clauses are the refutation.
    """

    def __init__(self, clauses: Clauses, variables: int) -> None:
        self.clauses, self.variables = clauses, variables
        self.lemmas: list[Clause] = []
        self.decisions = 0

    def model(self, decided: list[int], is_second: bool = False) -> set[int] | None:
        """The literals of a model with these decisions; None where there is none. ``is_second`` is
        whether the other value of the last decision has failed before.
        """
        true = propagated(self.clauses, decided)
        if true is None:
            # The clause of a second branch follows without being stated: that of the first, and
            # the decisions before, imply its last literal.
            if not is_second:
                self.lemmas.append(tuple(-each for each in decided))
            return None
        literal = self._branch(true)
        if literal is None:
            return true
        self.decisions += 1
        for choice in (literal, -literal):
            model = self.model([*decided, choice], choice != literal)
            if model is not None:
                return model
        self.lemmas.append(tuple(-each for each in decided))
        return None

    def _branch(self, true: set[int]) -> int | None:
        """A literal of the shortest open clauses, the most frequent one; None if all are true."""
        counts: dict[int, int] = {}
        for clause in self.clauses:
            if true.isdisjoint(clause):
                free = [literal for literal in clause if -literal not in true]
                for literal in free:
                    counts[literal] = counts.get(literal, 0) + 4 ** (8 - min(8, len(free)))
        if not counts:
            return None
        return max(counts, key=lambda each: (counts[each], -abs(each), each))


def propagated(clauses: Sequence[Clause], literals: Sequence[int]) -> set[int] | None:
    """The literals that follow from some by unit propagation; None for a contradiction."""
    true = set(literals)
    if any(-literal in true for literal in true):
        return None
    changed = True
    while changed:
        changed = False
        for clause in clauses:
            if not true.isdisjoint(clause):
                continue
            free = [literal for literal in clause if -literal not in true]
            if not free:
                return None
            if len(free) == 1:
                true.add(free[0])
                changed = True
    return true
