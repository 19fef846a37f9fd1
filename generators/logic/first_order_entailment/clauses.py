"""Entailment by clauses, with the search of Davis, Logemann and Loveland (1962).

Facts are numbered from 1. A literal is the number of a fact, or its negative for a false fact. A
clause is a tuple of literals of which at least one holds.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

Clause = tuple[int, ...]


def propagated(
    clauses: Sequence[Clause], assumed: Iterable[int] = ()
) -> tuple[set[int], list[Clause]] | None:
    """Unit propagation: the literals that hold, and the remaining clauses.

    Returns ``None`` if the clauses contradict one another.

    >>> propagated([(-1, 2), (3, 4)], [1])
    ({1, 2}, [(3, 4)])
    """
    true = set(assumed)
    if any(-literal in true for literal in true):
        return None
    remaining = list(clauses)
    changed = True
    while changed:
        changed, rest = False, []
        for clause in remaining:
            if not true.isdisjoint(clause):
                continue
            reduced = tuple([literal for literal in clause if -literal not in true])
            if not reduced:
                return None
            if len(reduced) == 1:
                true.add(reduced[0])
                changed = True
            else:
                rest.append(reduced)
        remaining = rest
    return true, remaining


def depths(clauses: Sequence[Clause]) -> dict[int, int]:
    """The literals that unit propagation derives from consistent clauses, each with its round.

    Facts have 0. A derivation of a literal by unit propagation has at least as many steps.

    >>> depths([(1,), (-1, 2), (-1, -2, 3), (4, 5)])
    {1: 0, 2: 1, 3: 2}
    """
    depth = {clause[0]: 0 for clause in clauses if len(clause) == 1}
    open_literals = [len(clause) for clause in clauses]
    negated: dict[int, list[int]] = {}
    for number, clause in enumerate(clauses):
        for literal in clause:
            negated.setdefault(-literal, []).append(number)
    latest, turn = dict.fromkeys(depth), 0
    while latest:
        turn += 1
        touched = [number for literal in latest for number in negated.get(literal, ())]
        for number in touched:
            open_literals[number] -= 1
        latest = {}
        for number in touched:
            if open_literals[number] == 1:
                (literal,) = (one for one in clauses[number] if -one not in depth)
                if literal not in depth:
                    latest[literal] = None
        depth |= dict.fromkeys(latest, turn)
    return depth


def satisfiable(clauses: Sequence[Clause], assumed: Iterable[int] = ()) -> bool:
    """Whether all clauses can hold at once, with the assumed literals.

    >>> satisfiable([(1, 2), (-1, 2)]), satisfiable([(1, 2), (-1, 2)], [-2])
    (True, False)
    """
    values = propagated(clauses, assumed)
    if values is None:
        return False
    _, remaining = values
    if not remaining:
        return True
    # Branch on the most frequent literal of a shortest clause.
    counts = Counter(literal for clause in remaining for literal in clause)
    shortest = min(remaining, key=lambda clause: len(clause))  # noqa: PLW0108
    literal = max(shortest, key=lambda each: counts[each])
    return satisfiable(remaining, [literal]) or satisfiable(remaining, [-literal])


def certain(clauses: Sequence[Clause], literal: int) -> str:
    """Whether a literal is ``true``, ``false`` or ``unknown`` by consistent clauses.

    >>> certain([(1, 2), (-1, 2)], -2), certain([(1, 2)], 1)
    ('false', 'unknown')
    """
    if not satisfiable(clauses, [-literal]):
        return "true"
    return "unknown" if satisfiable(clauses, [literal]) else "false"
