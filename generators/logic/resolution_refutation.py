"""Unsatisfiable sets of clauses, and refutations of them by resolution.

A set is grown backwards from the empty clause: a clause is replaced by two of which it is the
resolvent, again and again (a regular tree of resolutions, turned round). Parity formulas are those
of Grigori Tseitin (1968), of which every short refutation adds up equations modulo 2.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

Clause = frozenset[int]
"""Literals: nonzero integers, negative if negated."""

ORDERS = 16
"""How many orders of the variables are tried for a short refutation."""


class Step(NamedTuple):
    """A clause and the indices, from 0, of the two that it is the resolvent of."""

    one: int
    other: int
    clause: Clause


def grown(rng: Random, number: int, variables: int, width: int) -> list[Clause]:
    """An unsatisfiable set of about ``number`` clauses, each of at least ``width`` literals unless
    there are fewer variables.

    One of the narrowest clauses is split on a variable that it lacks, again and again, until there
    are enough and all of them are wide. Equal clauses count once in the result.
    """
    leaves: list[Clause] = [frozenset()]
    while len(leaves) < number or min(map(len, leaves)) < width:
        least = min(map(len, leaves))
        leaf = leaves.pop(rng.choice([n for n, leaf in enumerate(leaves) if len(leaf) == least]))
        free = [v for v in range(1, variables + 1) if v not in leaf and -v not in leaf]
        if not free:
            return list(dict.fromkeys([*leaves, leaf]))
        leaves += _parts(rng, leaf, rng.choice(free), width)
    return list(dict.fromkeys(leaves))


def _parts(rng: Random, clause: Clause, variable: int, width: int) -> tuple[Clause, Clause]:
    """Two clauses whose resolvent on a variable is this one, of ``width`` literals or as few as
    possible.
    """
    literals = sorted(clause)
    one = rng.sample(literals, min(len(literals), width - 1))
    rest = [literal for literal in literals if literal not in one]
    other = rest + rng.sample(one, max(0, min(len(one), width - 1 - len(rest))))
    return frozenset([variable, *one]), frozenset([-variable, *other])


def parity(rng: Random, nodes: int) -> list[Clause]:
    """The clauses of a contradiction of parities on a graph in which every node has three edges.

    Each edge is a variable, each node states whether an odd or even number of its edges is true,
    and an odd number of nodes state the former: added up, every edge counts twice. ``nodes`` is
    even; the graph is connected: a cycle with a chord at each node.
    """
    order = rng.sample(range(nodes), nodes)
    chords = list(zip(order[::2], order[1::2]))
    links = [(n, (n + 1) % nodes) for n in range(nodes)] + chords
    odd = [rng.random() < 0.5 for _ in range(nodes)]
    odd[0] ^= sum(odd) % 2 == 0
    clauses = list[Clause]()
    for node in range(nodes):
        edges = [number for number, link in enumerate(links, 1) if node in link]
        for signs in range(1 << len(edges)):
            if (signs.bit_count() % 2 == 1) != odd[node]:  # this valuation is forbidden
                clauses.append(
                    frozenset(-edge if signs >> bit & 1 else edge for bit, edge in enumerate(edges))
                )
    return clauses


def resolvent(one: Clause, other: Clause) -> Clause | None:
    """The resolvent of two clauses; None if they clash in no variable, or in several."""
    clash = [literal for literal in one if -literal in other]
    if len(clash) != 1:
        return None
    return (one - {clash[0]}) | (other - {-clash[0]})


@lru_cache(maxsize=64)
def refutation(clauses: tuple[Clause, ...]) -> tuple[Step, ...]:
    """A short refutation of an unsatisfiable set: the shortest of several searches.

    Raises ``ValueError`` for a satisfiable one.
    """
    variables = sorted({abs(literal) for clause in clauses for literal in clause})
    best: list[Step] | None = None
    for turn in range(ORDERS):
        half = len(variables) * turn // ORDERS
        order = variables[half:] + variables[:half]
        steps = _Search(clauses, order if turn % 2 else order[::-1], turn % 4 < 2).steps()
        if best is None or len(steps) < len(best):
            best = steps
    return tuple(best or ())


def elimination(clauses: Sequence[Clause], order: Sequence[int] = ()) -> list[Step]:
    """The refutation by elimination of the variables one after the other (Davis and Putnam, 1960).

    Each variable goes with all resolvents on it, without those that are always true and those that
    another clause subsumes. The result has only the steps that the empty clause needs. Without an
    ``order``, the next variable is the one with the fewest pairs of clauses.

    >>> clauses = [frozenset(each) for each in ((1, 2), (1, -2), (-1, 3), (-1, -3))]
    >>> len(elimination(clauses)), len(elimination(clauses, [3, 2, 1]))
    (3, 3)
    """
    known = list(dict.fromkeys(clauses))
    if len(known) < len(clauses):
        raise ValueError("a clause is listed twice")
    indices = {clause: n for n, clause in enumerate(known)}
    steps, live, left = list[Step](), list[Clause](), list(order)
    for clause in clauses:
        live = _with(live, clause)
    while live:
        variable = left.pop(0) if order else min(_pairs(live))[1]
        both = [
            (one, other) for one in live if variable in one for other in live if -variable in other
        ]
        live = [clause for clause in live if variable not in clause and -variable not in clause]
        for one, other in both:
            new = resolvent(one, other)
            if new is None or any(clause <= new for clause in live):
                continue
            if new not in indices:
                indices[new] = len(known)
                known.append(new)
                steps.append(Step(indices[one], indices[other], new))
            if not new:
                return _needed(len(clauses), steps, indices[new])
            live = _with(live, new)
    raise ValueError("the clauses are satisfiable")


def _with(clauses: Sequence[Clause], new: Clause) -> list[Clause]:
    """Clauses and a new one, without those that another one subsumes."""
    if any(clause <= new for clause in clauses):
        return list(clauses)
    return [*(clause for clause in clauses if not new <= clause), new]


def _pairs(clauses: Iterable[Clause]) -> list[tuple[int, int]]:
    """For each variable, how many pairs of clauses clash in it, and the variable."""
    counts = Counter(literal for clause in clauses for literal in clause)
    return [(counts[v] * counts[-v], v) for v in {abs(literal) for literal in counts}]


def _needed(number: int, steps: Sequence[Step], last: int) -> list[Step]:
    """The steps that lead to the one with an index, in order."""
    needed = {last}
    for n in range(last, number - 1, -1):
        if n in needed:
            needed |= {steps[n - number].one, steps[n - number].other}
    return renumbered(number, steps, needed)


class _Search:
    """A depth-first search (Davis, Logemann and Loveland, 1962) that learns a clause from every
    pair of branches; a clause that does not mention the variable of the branch spares the other.
    """

    def __init__(self, clauses: Sequence[Clause], order: Sequence[int], by_count: bool) -> None:
        self.known = list(clauses)
        self.indices = {clause: n for n, clause in enumerate(self.known)}
        self.number = len(self.known)
        self.rank = {variable: n for n, variable in enumerate(order)}
        self.by_count = by_count
        self.learnt = list[Step]()

    def steps(self) -> list[Step]:
        """The steps that the empty clause needs, in order."""
        last = self._falsified(frozenset())
        return _needed(self.number, self.learnt, last)

    def _falsified(self, false: frozenset[int]) -> int:
        """The index of a clause all of whose literals are in ``false``."""
        matches = [n for n, clause in enumerate(self.known) if clause <= false]
        if matches:
            return min(matches, key=lambda n: (len(self.known[n]), n))
        variable = self._branch(false)
        one = self._falsified(false | {variable})
        if variable not in self.known[one]:
            return one
        other = self._falsified(false | {-variable})
        if -variable not in self.known[other]:
            return other
        clause = (self.known[one] - {variable}) | (self.known[other] - {-variable})
        if clause not in self.indices:
            self.indices[clause] = len(self.known)
            self.known.append(clause)
            self.learnt.append(Step(one, other, clause))
        return self.indices[clause]

    def _branch(self, false: frozenset[int]) -> int:
        """A variable of the clauses with the fewest open literals."""
        counts = dict[int, float]()
        for clause in self.known[: self.number]:
            if any(-literal in false for literal in clause):
                continue
            free = clause - false
            for literal in free:
                variable = abs(literal)
                counts[variable] = counts.get(variable, 0.0) + 8.0 ** -len(free)
        if not counts:
            raise ValueError("the clauses are satisfiable")
        if self.by_count:
            return max(counts, key=lambda v: (counts[v], -self.rank[v]))
        least = max(counts.values())
        return min((v for v in counts if 4 * counts[v] >= least), key=self.rank.__getitem__)


def renumbered(number: int, steps: Sequence[Step], needed: Iterable[int]) -> list[Step]:
    """Those steps whose indices are needed, with the indices that they have without the others.

    ``number`` is how many clauses there are before the first step.
    """
    keep = sorted(n for n in set(needed) if n >= number)
    indices = {n: n for n in range(number)} | {n: number + at for at, n in enumerate(keep)}
    return [
        Step(indices[step.one], indices[step.other], step.clause)
        for step in (steps[n - number] for n in keep)
    ]
