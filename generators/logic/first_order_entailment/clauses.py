"""Clauses: what holds for certain, by the search of Davis, Logemann and Loveland (1962).

Facts are numbered from 1; a literal is the number of a fact, or its negative where the fact is
false, and a clause is a tuple of literals of which at least one holds.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

Clause = tuple[int, ...]


def propagated(
    clauses: Sequence[Clause], assumed: Iterable[int] = ()
) -> tuple[set[int], list[Clause]] | None:
    """What holds by clauses with one literal left, and the clauses that are open after that.

    Nothing where the clauses clash.

    >>> propagated([(-1, 2), (3, 4)], [1])
    ({1, 2}, [(3, 4)])
    """
    true = set(assumed)
    if any(-literal in true for literal in true):
        return None
    left = list(clauses)
    changed = True
    while changed:
        changed, rest = False, []
        for clause in left:
            if not true.isdisjoint(clause):
                continue
            still = tuple([literal for literal in clause if -literal not in true])
            if not still:
                return None
            if len(still) == 1:
                true.add(still[0])
                changed = True
            else:
                rest.append(still)
        left = rest
    return true, left


def satisfiable(clauses: Sequence[Clause], assumed: Iterable[int] = ()) -> bool:
    """Whether all clauses can hold at once, with the assumed literals.

    >>> satisfiable([(1, 2), (-1, 2)]), satisfiable([(1, 2), (-1, 2)], [-2])
    (True, False)
    """
    values = propagated(clauses, assumed)
    if values is None:
        return False
    _, left = values
    if not left:
        return True
    # A literal of a shortest clause, and of those the one that serves most clauses.
    counts = Counter(literal for clause in left for literal in clause)
    shortest = min(left, key=lambda clause: len(clause))  # noqa: PLW0108
    literal = max(shortest, key=lambda each: counts[each])
    return satisfiable(left, [literal]) or satisfiable(left, [-literal])


def certain(clauses: Sequence[Clause], literal: int) -> str:
    """Whether a literal is ``true``, ``false`` or ``unknown``, given clauses that can hold.

    >>> certain([(1, 2), (-1, 2)], -2), certain([(1, 2)], 1)
    ('false', 'unknown')
    """
    if not satisfiable(clauses, [-literal]):
        return "true"
    return "unknown" if satisfiable(clauses, [literal]) else "false"
