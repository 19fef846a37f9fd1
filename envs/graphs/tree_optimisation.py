"""Best choices of nodes of a weighted tree under rules on neighbours, by dynamic programming.

Jan Arne Telle and Andrzej Proskurowski (1997) describe the rules, which include independent and
dominating sets.
"""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, Self

from palaestra.generators.baselines import natural_orders, one_pass, pared
from palaestra.generators.graphs.puzzles import Graph, GraphOptimum, NodeSet
from palaestra.generators.graphs.scenes import Look
from palaestra.generators.graphs.tree_optimisation import (
    PROBLEMS,
    Counted,
    Need,
    Problem,
    best_worth,
    extra,
    random_tree,
    tables,
)
from palaestra.generators.random_graphs import Edge
from palaestra.generators.solutions import SearchResult
from palaestra.task import ladder


class TreeOptimisation(NodeSet, GraphOptimum):
    """Choose nodes of a tree under rules on their neighbours, with the best total weight."""

    tags = {"graphs", "trees", "optimisation", "dynamic-programming"}
    quantity = "total"

    class Knobs(GraphOptimum.Knobs):
        nodes: int = ladder(6, 9, 13, 18, 25, 34, 46, low=5, high=56)
        problems: int = ladder(2, 4, 7, 11, 14, 17, 17, low=1, high=17)  # that may be asked
        counted: bool = ladder(False, False, False, True)  # whether edges cost something
        exact: bool = ladder(False, False, True)  # whether the number of nodes is stated
        weight: int = ladder(9, 9, 12, 15, 20, 30, 40, low=4, high=99)  # of a node, at most

    weights: tuple[int, ...]
    problem: Problem

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        chosen, others, greatest = rng.choice(PROBLEMS[: knobs.problems])
        options: list[Counted] = ["inside", "between"] if knobs.counted else [""]
        if chosen.relation in {"at most", "exactly"} and chosen.number == 0 and knobs.counted:
            options = ["between"]  # no edge has two chosen ends
        counted = rng.choice(options)
        low, high = (knobs.weight + 1) // 2, knobs.weight
        edges: list[tuple[int, ...]] = [*random_tree(rng, knobs.nodes)]
        if counted:
            edges = [(*edge, rng.randint(1, max(2, high // 3))) for edge in edges]
        graph = Graph.of_edges(rng, knobs.nodes, edges, knobs.encoding, "cost" * bool(counted))
        # Weights of similar size leave many choices that are nearly as good as the best one.
        weights = tuple(rng.randint(low, high) for _ in range(knobs.nodes))
        problem = Problem(chosen, others, greatest, counted)
        task = cls(graph=graph, weights=weights, problem=problem)
        return task.with_number(rng) if knobs.exact else task

    def with_number(self, rng: Random) -> Self:
        """The same task with a stated number of nodes: not the best number, if others exist."""
        free = len(self.weights)
        by_number, _ = tables(self.weights, self.arcs(), self.problem._replace(number=free))
        if not by_number:
            return self
        sign = 1 if self.problem.greatest else -1
        best = max(by_number, key=lambda n: sign * by_number[n].worth)
        near = [n for n in by_number if 0 < abs(n - best) <= 2 and 2 <= n < free - 1]
        problem = self.problem._replace(number=rng.choice(near or [best]))
        return self.model_copy(update={"problem": problem})

    def is_valid(self) -> bool:
        by_number, _ = tables(self.weights, self.arcs(), self.problem)
        if self.problem.number not in by_number:
            return False
        chosen = by_number[self.problem.number].nodes.bit_count()
        return 2 <= chosen < len(self.weights) - 1 and super().is_valid()

    def arcs(self) -> tuple[tuple[int, int, int], ...]:
        """The edges with their costs, or 0."""
        return tuple((u, v, sum(cost)) for u, v, *cost in self.graph.key())

    def canonical(self) -> str:
        return repr((self.graph.key(), self.weights, self.problem))

    def prompt(self) -> str:
        names = self.graph.names
        listed = ", ".join(f"{names[n]}: {self.weights[n]}" for n in self.graph.ranked())
        rules = [
            f"- {who} has {need.text()}."
            for who, need in (
                ("Every chosen node", self.problem.chosen),
                ("Every node that is not chosen", self.problem.others),
            )
            if need.relation != "any"
        ]
        if self.problem.number:
            rules.append(f"- Exactly {self.problem.number} nodes are chosen.")
        sum_ = "the sum of the weights of the chosen nodes"
        if self.problem.counted:
            which = (
                "each edge whose two ends are both chosen"
                if self.problem.counted == "inside"
                else "each edge of which exactly one end is chosen"
            )
            sign = "minus" if self.problem.greatest else "plus"
            sum_ = f"{sum_}, {sign} the cost of {which}"
        how = "large" if self.problem.greatest else "small"
        ask = self.phrase(
            f"Choose nodes such that the total is as {how} as possible and the following holds.",
            f"Which nodes have a total that is as {how} as possible, if they are chosen such that "
            "the following holds?",
        )
        rest = "\n".join(rules)
        return self.with_graph(
            f"The graph is a tree. The nodes have these weights: {listed}.\n\nThe total of a "
            f"choice is {sum_}. Two nodes that an edge joins are neighbours; a node is not "
            f"its own neighbour. {ask}\n{rest}\n\nIf several choices are optimal, any of them "
            "will do. Write the chosen nodes on one line in any order, such as "
            f"'{self.example(3)}'."
        )

    def look(self) -> Look:
        """The weights stand beside the nodes."""
        return Look(notes={node: str(weight) for node, weight in enumerate(self.weights)})

    def violation(self, solution: Any) -> str:
        chosen, names = {*solution}, self.graph.names
        for node, near in enumerate(self.graph.ways()):
            need = self.problem.chosen if node in chosen else self.problem.others
            number = len(chosen.intersection(near))
            if not need.holds(number):
                which = "chosen" if node in chosen else "not chosen"
                return f"{names[node]} is {which} and has {number} chosen neighbours"
        number = self.problem.number
        if number and len(chosen) != number:
            return f"{len(chosen)} nodes are chosen, not {number}"
        return ""

    def worth(self, solution: Iterable[int]) -> int:
        chosen = {*solution}
        edges = (extra(self.problem, w, u in chosen, v in chosen) for u, v, w in self.arcs())
        return sum(self.weights[node] for node in chosen) + sum(edges)

    def marked(self, nodes: Sequence[int]) -> Iterable[Edge]:
        """The edges that cost something."""
        chosen = {*nodes}
        free = self.problem._replace(greatest=False)
        return [(u, v) for u, v, w in self.arcs() if extra(free, w, u in chosen, v in chosen)]

    def search(self) -> SearchResult:
        by_number, compared = tables(self.weights, self.arcs(), self.problem)
        bits = by_number[self.problem.number].nodes
        return SearchResult(
            tuple(node for node in range(len(self.weights)) if bits >> node & 1), compared
        )

    def naive_solutions(self) -> list[Any]:
        """All nodes, either half of them by the parity of their depth, and nodes one by one."""
        ways, nodes = self.graph.ways(), self.graph.ranked()
        depth, queue = {nodes[0]: 0}, [nodes[0]]
        for node in queue:
            for near in ways[node]:
                if near not in depth:
                    depth[near] = depth[node] + 1
                    queue.append(near)
        halves = [[n for n in nodes if depth[n] % 2 == side] for side in (0, 1)]
        leaves = [n for n in nodes if len(ways[n]) == 1]
        inner = [n for n in nodes if len(ways[n]) > 1]
        return [nodes, *halves, leaves, inner, *self.passes({"listed": nodes})]

    def baseline(self, best: int) -> int:
        worths = [self.worth(each) for each in self.naive_solutions() if not self.violation(each)]
        far = 0 if self.problem.greatest else self.worth(range(len(self.weights)))
        return min(worths, key=lambda worth: abs(worth - best), default=far)

    def loose(self, chosen: Iterable[int]) -> bool:
        """Whether a choice satisfies the rules, except that fewer nodes may be chosen."""
        number = self.problem.number
        free = self.model_copy(update={"problem": self.problem._replace(number=0)})
        size = len({*chosen})
        few = not number or (size <= number if self.problem.greatest else size >= number)
        return few and not free.violation(chosen)

    def passes(self, orders: Mapping[str, Sequence[int]]) -> list[list[int]]:
        """One pass in each order: nodes are added to none, or left out of all of them."""
        if self.problem.greatest:
            return [one_pass(order, self.loose) for order in orders.values()]
        return [pared(order, self.loose) for order in orders.values()]

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """One pass in each natural order, repairs of those, and a local search."""
        ways, nodes = self.graph.ways(), self.graph.ranked()
        keys = {
            "weight": self.weights.__getitem__,
            "degree": lambda n: len(ways[n]),
            "weight per degree": lambda n: self.weights[n] / len(ways[n]),
            "weight less neighbours": lambda n: self.weights[n] - sum(
                self.weights[near] for near in ways[n]
            ),
        }  # fmt: skip
        orders = natural_orders(nodes, rng, keys)
        players: dict[str, Any] = dict(zip(orders, self.passes(orders)))
        first = "greatest weight first" if self.problem.greatest else "greatest degree first"
        players["local search"] = self.improved(players[first], rng)
        players["local search from a random choice"] = self.improved(
            [node for node in nodes if rng.random() < 0.5], rng
        )
        return players

    def improved(self, start: Sequence[int], rng: Random) -> list[int]:
        """Put in or take out a node, while that breaks fewer rules or improves the total."""
        chosen = {*start}
        sign = 1 if self.problem.greatest else -1

        def rank(some: set[int]) -> tuple[int, int]:
            return -self.broken(some), sign * self.worth(some)

        while True:
            nodes = rng.sample(range(len(self.weights)), len(self.weights))
            best = max((chosen ^ {node} for node in nodes), key=rank)
            if rank(best) <= rank(chosen):
                return sorted(chosen)
            chosen = best

    def broken(self, chosen: set[int]) -> int:
        """How many rules a choice breaks, each node for itself."""
        wrong = sum(
            not self.need(node in chosen).holds(len(chosen.intersection(near)))
            for node, near in enumerate(self.graph.ways())
        )
        number = self.problem.number
        return wrong + (abs(len(chosen) - number) if number else 0)

    def need(self, chosen: bool) -> Need:
        """How many chosen neighbours a node may have."""
        return self.problem.chosen if chosen else self.problem.others

    def audit(self, answer: str) -> bool:
        """Whether a sweep over the edges has no better total."""
        chosen = self.read(answer)
        if self.broken({*chosen}):
            return False
        return self.worth(chosen) == best_worth(self.weights, self.arcs(), self.problem)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(nodes=7, problems=17, exact=False, counted=False)
