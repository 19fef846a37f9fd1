"""Adjustment for confounding: the back-door criterion of Judea Pearl (1993)."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations
from random import Random
from typing import NamedTuple, Self

from palaestra.generators.baselines import pared, shuffled
from palaestra.generators.causality.adjustment_set import Size, random_diagram
from palaestra.generators.causality.graphs import names_of, without_members
from palaestra.generators.dags import (
    Dag,
    Edge,
    ancestors,
    descendants,
    edges,
    is_open,
    is_separated,
    is_separated_morally,
    open_path,
)
from palaestra.generators.random_graphs import FORMS, Form, in_order, written
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.nodes import node_set
from palaestra.verifiers.reading.values import joined
from palaestra.verifiers.replies import unwrapped

MOST = 14
"""The most covariates: all sets of them are tried, one after another."""

SHUFFLES = 4
"""Random orders of dropping that must not end at the cheapest set, so that luck is rare."""

_HEAD = re.compile(
    r"(?:(?:the|my|best|cheapest|adjustment|back-door|final) ){0,5}"
    r"(?:set|variables?|answer|adjust for|[SZ])(?: of variables)?(?: (?:is|are):?|\s?[:=])\s*",
    re.IGNORECASE,
)
_TEXT = re.compile(r"\\(?:text|textbf|textit|mathrm|mathit|mathbf)\{([^{}]{1,40})\}")


def members_of(answer: str, names: Sequence[str]) -> tuple[int, ...]:
    r"""The nodes of a set, which may have a name of its own.

    A letter that is also a node is the name of the set only before a brace.

    >>> members_of("Z = {A, C}", "ACZ"), members_of(r"Set: \text{A}, \text{C}", "ACZ")
    ((0, 1), (0, 1))
    """
    text = _TEXT.sub(r"\1", unwrapped(answer)).replace("*", "").strip().removesuffix(".")
    if head := _HEAD.match(text):
        rest = text[head.end() :]
        known = {name.casefold() for name in names}
        words = head[0].casefold().replace(":", " ").replace("=", " ").split()
        if rest.lstrip("\\").startswith("{") or known.isdisjoint(words):
            text = rest
    return node_set(text, names)


def subsets(nodes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All subsets, the smaller ones first."""
    return chain.from_iterable(combinations(nodes, size) for size in range(len(nodes) + 1))


class Best(NamedTuple):
    """The cheapest set, or none, and how many sets were tried."""

    members: tuple[int, ...] | None
    cost: int
    tried: int


def is_back_door_set(dag: Dag, treatment: int, outcome: int, members: Iterable[int]) -> bool:
    """Whether a set meets the back-door criterion.

    >>> dag = [(), (0,), (0, 1)]
    >>> is_back_door_set(dag, 1, 2, []), is_back_door_set(dag, 1, 2, [0])
    (False, True)
    """
    chosen = set(members)
    if chosen & (descendants(dag, [treatment]) | {outcome}):
        return False
    cut = [tuple(p for p in parents if p != treatment) for parents in dag]
    return is_separated(cut, treatment, outcome, chosen)


@lru_cache(maxsize=256)
def cheapest(
    dag: tuple[tuple[int, ...], ...], treatment: int, outcome: int, costs: tuple[int, ...]
) -> Best:
    """The cheapest set by trying all in the order of their costs; hidden nodes cost 0.

    If there is a set, all ancestors of the two nodes are one, and each minimal set consists of some
    of these (van der Zander et al., 2014).
    """
    banned = descendants(dag, [treatment]) | {outcome}
    above = ancestors(dag, [treatment, outcome]) - banned
    free = [node for node in sorted(above) if costs[node]]
    cut = [tuple(p for p in parents if p != treatment) for parents in dag]
    if not is_separated(cut, treatment, outcome, free):
        return Best(None, 0, 0)
    ordered = sorted(subsets(free), key=lambda each: sum(costs[node] for node in each))
    plain = list[set[int]]()  # inner nodes of paths without colliders: each set has one of them
    for tried, members in enumerate(ordered, 1):
        if any(path.isdisjoint(members) for path in plain):
            continue
        path = open_path(cut, treatment, outcome, members)
        if not path:
            return Best(members, sum(costs[node] for node in members), tried)
        if is_open(cut, path, ()):
            plain.append({*path[1:-1]})
    raise AssertionError("one of the sets is the last")


class AdjustmentSet(Puzzle):
    """Find the cheapest set of variables that meets the back-door criterion in a causal diagram."""

    tags = {"causality", "graphs", "optimisation"}

    class Knobs(Puzzle.Knobs):
        gadgets: int = ladder(1, 2, 2, 3, 3, 4)  # more groups of confounders
        length: int = ladder(2, 2, 3, 3, 4, 5)  # nodes of a chain at most
        mediators: int = ladder(1, 1, 1, 2, 2, 3)
        extra: int = ladder(0, 0, 2, 2, 3, 3, high=12)  # further edges, at most 3 a group
        hidden: int = ladder(10, 10, 15, 25, 20, 20, low=0, high=40)  # percent
        branches: int = ladder(2, 2, 2, 2, 3, 3, low=2, high=3)  # of a bush at most

    parents: tuple[tuple[int, ...], ...]
    names: tuple[str, ...]
    arcs: tuple[Edge, ...]
    form: Form
    treatment: int
    outcome: int
    costs: tuple[int, ...]
    """The cost of each node, 0 for one that cannot be measured."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        size = Size(
            knobs.gadgets, knobs.length, knobs.mediators, knobs.extra, knobs.hidden, knobs.branches
        )
        diagram = random_diagram(rng, size)
        arcs = edges(diagram.parents)
        return cls(
            parents=diagram.parents,
            names=names_of(rng, len(diagram.parents)),
            arcs=tuple(rng.sample(arcs, len(arcs))),
            form=rng.choice(FORMS),
            treatment=diagram.treatment,
            outcome=diagram.outcome,
            costs=diagram.costs,
        )

    def is_valid(self) -> bool:
        """Whether there is a set, and sets that need no search are not the cheapest."""
        covariates = self.covariates()
        if self.is_set(()) or self.is_set(covariates) or len(covariates) > MOST:
            return False
        best = self.best()
        if best.members is None or len(best.members) < 2:
            return False  # one variable of a few would be easy to guess
        return not any(
            self.is_set(members) and self.cost(members) == best.cost
            for members in (*self.lazy_sets().values(), *self.prunings().values())
        )

    def is_set(self, members: Iterable[int]) -> bool:
        """Whether a set meets the criterion and can be measured."""
        members = tuple(members)
        return all(self.costs[node] for node in members) and is_back_door_set(
            self.parents, self.treatment, self.outcome, members
        )

    def cost(self, members: Iterable[int]) -> int:
        """What it costs to measure a set."""
        return sum(self.costs[node] for node in members)

    def best(self) -> Best:
        """The cheapest set."""
        return cheapest(self.parents, self.treatment, self.outcome, self.costs)

    def covariates(self) -> list[int]:
        """All measurable nodes that are neither treatment, outcome, nor affected by the former."""
        banned = descendants(self.parents, [self.treatment]) | {self.outcome}
        return [node for node, cost in enumerate(self.costs) if cost and node not in banned]

    def lazy_sets(self) -> dict[str, list[int]]:
        """Sets that follow from a rule without looking at paths, by the name of the rule."""
        covariates = self.covariates()
        causes = [node for node in self.parents[self.treatment] if self.costs[node]]
        before = [node for node in self.parents[self.outcome] if node in covariates]
        price = self.costs.__getitem__
        return {
            "all covariates": covariates,
            "parents of the treatment": causes,
            "parents of the outcome": before,
            "parents of both": sorted({*causes, *before}),
            "cheapest node": sorted(covariates, key=price)[:1],
        }

    def prunings(self) -> dict[str, list[int]]:
        """All measurable ancestors, of which each in an order goes if the others still block."""
        above = ancestors(self.parents, [self.treatment, self.outcome])
        start = [node for node in self.covariates() if node in above]
        cost = self.costs.__getitem__
        orders = {
            "dearest dropped first": sorted(start, key=lambda node: -cost(node)),
            "cheapest dropped first": sorted(start, key=cost),
            "earliest dropped first": start,
            "latest dropped first": start[::-1],
        }
        chance = Random(repr(self.costs))
        orders |= {f"dropped in order {n}": shuffled(start, chance) for n in range(SHUFFLES)}
        return {name: pared(order, self.is_set) for name, order in orders.items()}

    def path_by_path(self) -> list[int]:
        """The cheapest node of a shortest open path, again and again; then without what is not
        needed, the dearest first.
        """
        cut = [tuple(p for p in above if p != self.treatment) for above in self.parents]
        covariates, chosen = self.covariates(), list[int]()
        while path := open_path(cut, self.treatment, self.outcome, chosen):
            able = [node for node in path if node in covariates and node not in chosen]
            if not able:
                return chosen
            chosen.append(min(able, key=self.costs.__getitem__))
        return pared(sorted(chosen, key=lambda node: -self.costs[node]), self.is_set)

    def canonical(self) -> str:
        return f"{self.parents} {self.treatment} {self.outcome} {self.costs}"

    def prompt(self) -> str:
        names = self.names
        order = in_order(names)
        cause, effect = names[self.treatment], names[self.outcome]
        ends = {self.treatment, self.outcome}
        hidden = [names[node] for node in order if not self.costs[node] and node not in ends]
        costs = ", ".join(f"{names[n]}: {self.costs[n]}" for n in order if self.costs[n])
        graph = written(names, self.arcs, self.form, directed=True)
        cannot = f" {joined(hidden)} cannot be measured." if hidden else ""
        intro = self.phrase(
            "This causal diagram has an edge from each variable to those that it affects directly."
            f"\n\n{graph}\n\nThe effect of {cause} on {effect} is to be estimated from "
            "observations, with adjustment for a set of other variables.",
            f"An edge from one variable to another means that the former is a direct cause of "
            f"the latter.\n\n{graph}\n\nFor an estimate of the effect of {cause} on {effect} "
            "without an experiment, one has to adjust for a set of other variables.",
        )
        return (
            f"{intro} The set has to meet the back-door criterion: it contains no descendant of "
            f"{cause}, and it blocks every path between {cause} and {effect} that begins with an "
            f"edge into {cause}. A path follows edges in either direction and visits no variable "
            "twice. It is blocked if one of the variables between its ends is in the set and is "
            "not a collider, or one is a collider and neither itself nor any of its descendants is "
            "in the set; a collider is a variable into which both of its edges on the path lead."
            f"\n\nCosts of measuring a variable: {costs}."
            f"{cannot}\n\nFind a set of the least total cost. Answer with its variables, separated "
            f"by commas, such as '{self.example()}'."
        )

    def example(self) -> str:
        """Two or three names that are not the cheapest set."""
        others = without_members(range(len(self.names)), (self.treatment, self.outcome))
        best = self.best().members or ()
        members = next(each for each in combinations(others, 2) if not set(best) & set(each[:1]))
        return ", ".join(self.names[node] for node in members)

    def answer(self) -> str:
        members = self.best().members
        assert members is not None, "a valid task has a set"
        return self.as_text(members)

    def as_text(self, members: Sequence[int]) -> str:
        """A set as an answer."""
        return ", ".join(self.names[node] for node in members) or "none"

    def verify(self, answer: str) -> Score:
        members = members_of(answer, self.names)
        if {self.treatment, self.outcome} & {*members}:
            return Score(0, "the set contains the cause or the effect itself")
        if hidden := [node for node in members if not self.costs[node]]:
            return Score(0, f"{self.names[hidden[0]]} cannot be measured")
        if set(members) & descendants(self.parents, [self.treatment]):
            return Score(0, "the set contains a descendant of the cause")
        if not self.is_set(members):
            return Score(0, "the set leaves a path open that begins with an edge into the cause")
        if self.cost(members) > self.best().cost:
            return Score(0, "the set meets the criterion, but a cheaper one does as well")
        return Score(1)

    def audit(self, answer: str) -> bool:
        """Test this set and all others in moral graphs of ancestors."""
        members = members_of(answer, self.names)
        covariates = self.covariates()
        if not set(members) <= {*covariates} or not self.is_moral_set(members):
            return False
        return self.cost(members) == least_moral_cost(self)

    def is_moral_set(self, members: Sequence[int]) -> bool:
        """Whether a set of covariates separates treatment and outcome without edges out of the
        former.
        """
        cut = [tuple(p for p in above if p != self.treatment) for above in self.parents]
        return is_separated_morally(cut, self.treatment, self.outcome, members)

    def difficulty(self) -> float:
        """How many sets are no more expensive than the cheapest one, times the number of edges."""
        return float(self.best().tried * len(self.arcs))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who follow a rule, or choose at random."""
        covariates = self.covariates()
        size = rng.randint(1, max(1, min(3, len(covariates))))
        chance = rng.sample(covariates, min(size, len(covariates)))
        above = ancestors(self.parents, [self.treatment, self.outcome])
        order = shuffled([node for node in covariates if node in above], rng)
        players = {
            **self.lazy_sets(),
            **self.prunings(),
            "dropped in random order": pared(order, self.is_set),
            "path by path": self.path_by_path(),
            "random": chance,
        }
        return {name: self.as_text(members) for name, members in players.items()}

    def shortcuts(self) -> list[str]:
        sets = (*self.lazy_sets().values(), *self.prunings().values())
        return ["none", *map(self.as_text, sets)]

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs()

    def candidates(self) -> Iterable[str]:
        """All sets of nodes."""
        return map(self.as_text, subsets(range(len(self.names))))


@lru_cache(maxsize=8)
def least_moral_cost(task: AdjustmentSet) -> int:
    """The least cost of a set of covariates that passes the test in moral graphs."""
    sets = subsets(task.covariates())
    return min(task.cost(each) for each in sets if task.is_moral_set(each))
