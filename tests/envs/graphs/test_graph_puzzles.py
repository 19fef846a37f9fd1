"""The base classes of puzzles about graphs, each form of an answer with a toy environment."""

from itertools import combinations, pairwise, permutations
from random import Random

import pytest

from palaestra.address import Address
from palaestra.generators.graphs.puzzles import (
    EdgeSet,
    Graph,
    GraphFeasibility,
    GraphOptimum,
    NodeOrder,
    NodeSet,
    Walk,
)
from palaestra.generators.random_graphs import connected
from palaestra.generators.solutions import SearchResult
from palaestra.scoring import score
from palaestra.task import InvalidAnswer, ladder


class MaximumCut(NodeSet, GraphOptimum):
    """Choose nodes so that as many edges as possible have one chosen end."""

    class Knobs(GraphOptimum.Knobs):
        nodes: int = ladder(6, 7, 8)

    @classmethod
    def generate(cls, rng, knobs):
        edges = connected(rng, knobs.nodes, 2 * knobs.nodes)
        return cls(graph=Graph.of_edges(rng, knobs.nodes, edges, knobs.encoding))

    def prompt(self):
        return self.any_optimum("Find a maximum cut.")

    def violation(self, solution):
        return "" if solution else "there are no nodes"

    def worth(self, solution):
        return sum((u in solution) != (v in solution) for u, v in self.graph.pairs())

    def search(self):
        sets = [self.read(text) for text in self.candidates()]
        return SearchResult(max(sets, key=self.worth), len(sets))

    def naive_solutions(self):
        return [range(1), self.graph.ranked()[: len(self.graph.names) // 2], ()]


class LightestEdgeCover(EdgeSet, GraphOptimum):
    """Choose edges of least weight so that every node is an end of one."""

    class Knobs(GraphOptimum.Knobs):
        nodes: int = ladder(4, 5, 6)

    @classmethod
    def generate(cls, rng, knobs):
        edges = [(u, v, rng.randint(1, 9)) for u, v in connected(rng, knobs.nodes, 9)]
        return cls(graph=Graph.of_edges(rng, knobs.nodes, edges, knobs.encoding, "weight"))

    def prompt(self):
        return self.with_graph(f"Find a lightest edge cover, such as {self.edges_example()}.")

    def violation(self, solution):
        missing = set(range(len(self.graph.names))) - {node for edge in solution for node in edge}
        return super().violation(solution) or ("a node has no edge" if missing else "")

    def search(self):
        edges = self.graph.pairs()
        sets = [chosen for n in range(len(edges)) for chosen in combinations(edges, n)]
        covers = [chosen for chosen in sets if not self.violation(chosen)]
        return SearchResult(min(covers, key=self.worth), len(sets))

    def naive_solutions(self):
        return [self.graph.pairs(), ()]


class Triangle(Walk, GraphFeasibility):
    """Walk along three edges back to the start."""

    class Knobs(GraphFeasibility.Knobs):
        nodes: int = ladder(6, 8, 10)

    @classmethod
    def generate(cls, rng, knobs):
        edges = connected(rng, knobs.nodes, 2 * knobs.nodes)
        return cls(graph=Graph.of_edges(rng, knobs.nodes, edges, knobs.encoding))

    def prompt(self):
        return self.with_graph(f"Find a triangle. Write a walk such as '{self.walk_example(4)}'.")

    def violation(self, solution):
        if len(solution) != 4 or solution[0] != solution[-1]:
            return "the walk does not come back after three edges"
        return super().violation(solution)

    def is_valid(self):
        return super().is_valid() and bool(self.search().solution)

    def search(self):
        walks = [(*nodes, nodes[0]) for nodes in combinations(range(len(self.graph.names)), 3)]
        return SearchResult(next((w for w in walks if not self.violation(w)), ()), len(walks))

    def naive_solutions(self):
        first = self.graph.ranked()[:3]
        return [[*first, first[0]]]


class ApartOrder(NodeOrder, GraphFeasibility):
    """Put the nodes in an order in which no edge joins neighbours."""

    class Knobs(GraphFeasibility.Knobs):
        nodes: int = ladder(6, 7, 8)

    @classmethod
    def generate(cls, rng, knobs):
        edges = connected(rng, knobs.nodes, knobs.nodes)
        return cls(graph=Graph.of_edges(rng, knobs.nodes, edges, knobs.encoding))

    def prompt(self):
        return self.with_graph("Put all nodes in an order in which no edge joins neighbours.")

    def violation(self, solution):
        steps = {frozenset(step) for step in pairwise(solution)}
        joined = steps & {frozenset(pair) for pair in self.graph.pairs()}
        return super().violation(solution) or ("an edge joins neighbours" if joined else "")

    def is_valid(self):
        return super().is_valid() and bool(self.search().solution)

    def search(self):
        orders = permutations(range(len(self.graph.names)))
        return SearchResult(next((order for order in orders if not self.violation(order)), ()), 1)

    def naive_solutions(self):
        return [self.graph.ranked()]


TOYS = [MaximumCut, LightestEdgeCover, Triangle, ApartOrder]


@pytest.mark.parametrize("environment", TOYS)
def test_oracles_score_1_and_shortcuts_do_not(environment):
    for level in range(3):
        for seed in range(8):
            task = environment.sample(Random(seed), environment.Knobs.at(level))
            assert task.verify(task.answer()).value == 1
            assert all(name in task.prompt() for name in task.graph.names)
            assert [reply for reply in task.shortcuts() if task.verify(reply).value == 1] == []


@pytest.mark.parametrize("environment", TOYS)
def test_an_encoding_is_held_out_with_each_base(environment):
    task = environment.sample(Random(1), environment.Knobs(encoding="edges"), held_out=False)
    roads = task.model_copy(update={"graph": task.graph._replace(encoding="roads")})
    assert task.is_valid()
    assert not roads.is_valid()


SQUARE = Graph(tuple("ABCD"), ((0, 1, 5), (1, 2, 1), (2, 3, 5), (3, 0, 4), (0, 2, 9)), "edges")


def test_sets_of_nodes():
    task = MaximumCut(graph=SQUARE._replace(edges=((0, 1), (1, 2), (2, 3), (3, 0), (0, 2))))
    assert len(list(task.candidates())) == 15
    assert [task.verify(reply).value for reply in ("B, D", "d, b", "A C")] == [1, 1, 1]
    assert task.verify("A").reason == "the worth is 3, and a better solution exists"
    assert task.verify("none").reason == "there are no nodes"
    assert "Write the chosen nodes on one line in any order, such as 'A, B, C'." in task.prompt()
    with pytest.raises(InvalidAnswer):
        task.verify("A, E")


def test_sets_of_edges():
    task = LightestEdgeCover(graph=SQUARE)
    assert task.answer() == "A-D, B-C"
    assert task.verify("C-B, D-A").parts == {"worth": 5, "progress": 1}
    assert task.verify("A-B, C-D").parts["progress"] == pytest.approx((24 - 10) / (24 - 5))
    assert task.verify("A-D, B-D").reason == "there is no edge between B and D"
    assert task.verify("A-D").reason == "a node has no edge"
    assert task.edges_example() == "A-B, C-D"


def test_walks():
    task = Triangle(graph=SQUARE)
    assert task.answer() == "A -> B -> C -> A"
    assert task.verify("C, D, A, C").value == 1
    assert task.verify("A -> B -> D -> A").reason == "no edge joins B and D"
    directed = Triangle(graph=SQUARE._replace(directed=True))
    assert directed.verify("A -> C -> B -> A").reason == "no edge leads from C to B"
    assert task.worth(task.read("A -> B -> C")) == 6


def test_orders_of_nodes():
    path = Graph(tuple("ABCD"), ((0, 1), (1, 2), (2, 3)), "edges")
    task = ApartOrder(graph=path)
    assert len(list(task.candidates())) == 24
    right = [reply for reply in task.candidates() if task.verify(reply).value == 1]
    assert right == ["B -> D -> A -> C", "C -> A -> D -> B"]
    assert task.verify("B -> D -> A").reason == "C occurs 0 times"
    assert task.verify("B -> D -> A -> C -> A").reason == "A occurs 2 times"


SETS = {
    "antichain": "The largest antichain",
    "dominating_set": "Minimum dominating set",
    "feedback_vertex_set": "Removed nodes",
    "k_core": "Nodes",
    "maximum_clique": "Maximum clique",
    "minimum_vertex_cover": "Smallest vertex cover",
}


@pytest.mark.parametrize("name", SETS)
def test_sets_of_nodes_may_have_headings(name):
    address = Address.of(f"graphs/{name}", 3, 2)
    answer = address.task().answer()
    for heading in f"{SETS[name]}:", "Nodes:", "**The chosen nodes** are":
        assert score(address, [f"{heading} {answer}"], "bare").correct, heading
    assert not score(address, [f"Other nodes: {answer}"], "bare").correct
