"""Causal diagrams in which adjustment is needed, and adjustment for all variables is wrong.

In random diagrams, all variables before the treatment nearly always are a valid set. These diagrams
therefore consist of planted groups: chains and bushes of confounders, and colliders between two of
them.

If each path had nodes of its own, one could begin with all measured ancestors, drop the dearest
node that is not needed, and so on, and would end at the cheapest set. A bush has a node that blocks
the same paths as several cheaper ones, which cost more together, or less.
"""

from itertools import pairwise
from random import Random
from typing import NamedTuple

from palaestra.generators.dags import Edge


class Diagram(NamedTuple):
    """Parents of nodes in topological order, and costs, where 0 marks what cannot be measured."""

    parents: tuple[tuple[int, ...], ...]
    treatment: int
    outcome: int
    costs: tuple[int, ...]


class Builder:
    """Nodes and edges of a diagram that grows; node 0 is the treatment and node 1 the outcome."""

    def __init__(self, rng: Random, hidden: int) -> None:
        self.rng = rng
        self.hidden = hidden
        self.edges: set[Edge] = set()
        self.costs = [0, 0]

    def node(self, hidden: bool | None = None) -> int:
        """A new node, which is hidden, not hidden, or by chance."""
        if hidden is None:
            hidden = self.rng.randrange(100) < self.hidden
        self.costs.append(0 if hidden else self.rng.randint(1, 9))
        return len(self.costs) - 1

    def chain(self, nodes: list[int]) -> None:
        """Edges along nodes."""
        self.edges.update(pairwise(nodes))

    def fork(self, length: int) -> None:
        """A common cause: chains of nodes from it to the treatment and to the outcome."""
        nodes = [self.node() for _ in range(self.rng.randint(2, length))]
        if not any(self.costs[node] for node in nodes):
            self.costs[self.rng.choice(nodes)] = self.rng.randint(1, 9)
        top = self.rng.randrange(len(nodes))
        self.chain([*nodes[top::-1], 0])
        self.chain([*nodes[top:], 1])

    def bush(self, branches: int, dear: bool) -> None:
        """A common cause, the hub, with several branches to the treatment or the outcome.

        Each branch is cheaper than the hub. All of them cost more together or, if the hub is
        ``dear``, less.
        """
        hub, *nodes = (self.node(hidden=False) for _ in range(branches + 1))
        for node in nodes:
            self.costs[node] = self.rng.randint(1, 4) if dear else self.rng.randint(4, 7)
        prices = [self.costs[node] for node in nodes]
        if dear:
            self.costs[hub] = sum(prices) + self.rng.randint(1, 3)
        else:
            self.costs[hub] = self.rng.randint(max(prices) + 1, min(sum(prices) - 1, 10))
        near, far = self.rng.sample((0, 1), 2)
        self.edges.add((hub, far))
        for node in nodes:
            self.edges |= {(hub, node), (node, near)}

    def collider(self, open_side: bool) -> None:
        """Causes of the treatment and of the outcome with a common effect.

        With ``open_side``, the effect is a cause of both as well, and one of its causes can be
        measured; otherwise, neither can.
        """
        left, right = self.node(hidden=True), self.node(hidden=True)
        middle = self.node(hidden=False)
        self.edges |= {(left, 0), (right, 1), (left, middle), (right, middle)}
        if open_side:
            self.edges |= {(middle, 0), (middle, 1)}
            self.costs[self.rng.choice((left, right))] = self.rng.randint(1, 9)

    def mediator(self, length: int) -> None:
        """A chain from the treatment to the outcome."""
        nodes = [self.node(hidden=False) for _ in range(length)]
        self.chain([0, *nodes, 1])


class Size(NamedTuple):
    """How large a diagram is."""

    gadgets: int
    """Groups of confounders, besides a collider between hidden causes and a bush."""

    length: int
    """The most nodes of a chain of confounders."""

    mediators: int
    """Nodes between treatment and outcome."""

    extra: int
    """Random edges that are added in the end; at most three for each group, as more of them would
    join everything to everything.
    """

    hidden: int
    """The percentage of confounders on chains that are hidden."""

    branches: int
    """The most branches of a bush."""


def random_diagram(rng: Random, size: Size) -> Diagram:
    """A diagram of planted groups with some further edges, in a random topological order."""
    builder = Builder(rng, size.hidden)
    builder.mediator(size.mediators)
    builder.collider(open_side=False)
    builder.bush(rng.randint(2, size.branches), dear=False)
    for n in range(size.gadgets):
        chance = rng.random()
        if n > 1 and chance < 0.15:
            builder.collider(open_side=True)
        elif n:
            builder.bush(rng.randint(2, size.branches), dear=chance < 0.9)
        else:
            builder.fork(size.length)
    return _ordered(rng, builder, min(size.extra, 3 * size.gadgets))


def _ordered(rng: Random, builder: Builder, extra: int) -> Diagram:
    """The diagram in a random topological order, with further edges along it."""
    nodes = range(len(builder.costs))
    above: dict[int, set[int]] = {node: set() for node in nodes}
    for u, v in builder.edges:
        above[v].add(u)
    order, left = list[int](), set(nodes)
    while left:
        order.append(rng.choice([node for node in sorted(left) if not above[node] & left]))
        left.remove(order[-1])
    position = {node: n for n, node in enumerate(order)}
    parents = [{position[u] for u in above[node]} for node in order]
    for _ in range(extra):
        low, high = sorted(rng.sample(nodes, 2))
        parents[high].add(low)
    return Diagram(
        tuple(tuple(sorted(each)) for each in parents),
        position[0],
        position[1],
        tuple(builder.costs[node] for node in order),
    )
