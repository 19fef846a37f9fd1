"""Orders of neighbours with which searches of a graph visit its nodes in wanted orders.

The orders that depth-first and breadth-first search can produce are those of Derek Corneil and
Richard Krueger (2008); here one list for each node has to serve several searches.
"""

from collections.abc import Iterable, Mapping, Sequence
from graphlib import TopologicalSorter
from itertools import chain, pairwise
from random import Random
from typing import Any, Self

from palaestra.generators.graphs.puzzles import Graph, GraphFeasibility
from palaestra.generators.graphs.scenes import END, PLAIN, Look, network
from palaestra.generators.graphs.traversals import SearchKind, precedences, search_order
from palaestra.generators.random_graphs import connected
from palaestra.generators.solutions import SearchResult
from palaestra.scenes import Panels, Scene
from palaestra.task import ladder
from palaestra.verifiers.reading.labels import pairs
from palaestra.verifiers.reading.nodes import walk
from palaestra.verifiers.reading.values import plain

Lists = tuple[tuple[int, ...], ...]
Wanted = tuple[SearchKind, tuple[int, ...]]
"""A search and the order in which it visits the nodes."""
Precedences = set[tuple[int, tuple[int, int]]]
"""Nodes, each with two of its neighbours of which the first must be listed before the second."""

STARTS = 6
"""How many starts are tried for each search."""


def wanted_orders(rng: Random, ways: Lists, searches: int) -> list[Wanted]:
    """Orders of breadth-first and depth-first search in turn, from different nodes.

    Each search starts where it adds the most to what the others require of the lists, out of a few
    nodes. Otherwise, most of the lists would follow from the search that comes to their node first.

    >>> [order[0] for _, order in wanted_orders(Random(1), ((1, 2), (0, 2), (0, 1)), 2)]
    [0, 1]
    """
    sorts: list[SearchKind] = ["breadth-first", "depth-first"] * 3
    known = Precedences()
    wanted = list[Wanted]()
    for sort in sorts[:searches]:
        free = [node for node in range(len(ways)) if all(order[0] != node for _, order in wanted)]
        orders = [
            search_order(ways, sort, start) for start in rng.sample(free, min(STARTS, len(free)))
        ]
        new = [known | _required(ways, sort, order) for order in orders]
        best = max(range(len(orders)), key=lambda n: len(new[n]))
        wanted.append((sort, orders[best]))
        known = new[best]
    return wanted


def _required(ways: Lists, sort: SearchKind, order: tuple[int, ...]) -> Precedences:
    """What the order of a search requires of the lists."""
    required = precedences(ways, sort, order)
    return {(node, pair) for node, before in enumerate(required) for pair in before}


class AdjacencyOrder(GraphFeasibility):
    """Order the neighbours of each node so that searches visit the nodes in wanted orders."""

    version = 2
    tags = {"graphs", "ordering", "deduction"}

    class Knobs(GraphFeasibility.Knobs):
        nodes: int = ladder(5, 6, 9, 12, 14, 16, 18, low=5, high=24)
        density: float = ladder(1.5, 1.6, 1.8, 2.1, 2.1, 2.2, 2.2, low=1.4, high=3)  # edges/node
        searches: int = ladder(2, 2, 3, 4, 4, 5, 5, low=2, high=5)

    wanted: tuple[Wanted, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        nodes = knobs.nodes
        edges = connected(rng, nodes, round(nodes * knobs.density), window=4)
        graph = Graph.of_edges(rng, nodes, edges, knobs.encoding)
        ways = tuple(tuple(rng.sample(near, len(near))) for near in graph.ways())
        return cls(graph=graph, wanted=tuple(wanted_orders(rng, ways, knobs.searches)))

    def canonical(self) -> str:
        return repr((self.graph.key(), self.wanted))

    def prompt(self) -> str:
        listed = "\n".join(
            f"{number}. {sort} from {self.graph.names[order[0]]}: {self.graph.listing(order)}"
            for number, (sort, order) in enumerate(self.wanted, 1)
        )
        first, second, third = self.graph.ranked()[:3]
        example = f"{self.graph.names[first]}: {self.graph.listing([third, second])}"
        task = self.phrase(
            "Every node has a list of all its neighbours. The order of the list decides how "
            "searches proceed.\n\nBreadth-first search visits its start first. Then it processes "
            "the visited nodes in the order in which they were visited: it goes through the list "
            "of the node and visits each neighbour that was not visited before.\n\nDepth-first "
            "search is recursive: to explore a node, it visits the node and goes through its list, "
            "and explores each neighbour that is not yet visited when its turn comes, before it "
            "goes on with the list.\n\nOrder the lists so that all these searches visit the nodes "
            "in the stated orders. All searches use the same lists.",
            "A program stores a list of neighbours for each node and searches the graph in two "
            "ways. Breadth-first search visits a start and puts it into a queue; as long as the "
            "queue is not empty, it takes the first node out of it, and each neighbour in the list "
            "of this node, from first to last, is visited and appended to the queue unless it was "
            "visited before. Depth-first search calls a recursive procedure for a start; the "
            "procedure visits its node and then, for each neighbour in the list of the node, from "
            "first to last, calls itself for the neighbour unless that has been visited by then."
            "\n\nIn which order must each list be? These searches, which all use the same lists, "
            "shall visit the nodes in these orders.",
        )
        return self.with_graph(
            f"{task}\n\n{listed}\n\nSeveral solutions may exist, and any of them will do. Write "
            "one line for each node, with all its neighbours in the order of its list, such as "
            f"'{example}'."
        )

    def look(self) -> Look:
        starts: dict[int, str] = {}
        for number, (_, order) in enumerate(self.wanted, 1):
            starts[order[0]] = f"{starts.get(order[0], 'start of')} {number}"
        return Look(nodes=dict.fromkeys(starts, END), notes=starts)

    def solved_scene(self, answer: str) -> Scene:
        """The graph with the positions of its ends in the lists of an answer beside each edge."""
        lists = self.read(answer)
        graph = self.graph
        texts = {
            (u, v): f"{_position(lists[u], v)}|{_position(lists[v], u)}" for u, v in graph.pairs()
        }
        return Panels((network(graph, PLAIN), network(graph, self.look()._replace(texts=texts))))

    def read(self, answer: str) -> Lists:
        """The list of each node of an answer."""
        names = self.graph.names
        values = pairs(plain(answer), names)
        return tuple(walk(values[name], names) for name in names)

    def as_text(self, solution: Sequence[Iterable[int]]) -> str:
        return "\n".join(
            f"{self.graph.names[node]}: {self.graph.listing(solution[node])}"
            for node in self.graph.ranked()
        )

    def violation(self, solution: Any) -> str:
        names = self.graph.names
        for node, near in enumerate(self.graph.ways()):
            if sorted(solution[node]) != [*near]:
                return f"the list of {names[node]} does not have each of its neighbours once"
        for number, (sort, order) in enumerate(self.wanted, 1):
            visited = search_order(solution, sort, order[0])
            step = next((n for n, both in enumerate(zip(order, visited), 1) if len({*both}) > 1), 0)
            if step:
                return f"node {step} that search {number} visits is {names[visited[step - 1]]}"
        return ""

    def precedences(self) -> list[set[tuple[int, int]]]:
        """For each node, the pairs of neighbours whose order matters to one of the searches."""
        ways = self.graph.ways()
        by_search = [precedences(ways, sort, order) for sort, order in self.wanted]
        return [set.union(*sets) for sets in zip(*by_search)]

    def search(self) -> SearchResult:
        lists, examined = list[tuple[int, ...]](), 0
        for near, before in zip(self.graph.ways(), self.precedences()):
            sorter = TopologicalSorter[int]({node: [] for node in near})
            for one, other in sorted(before):
                sorter.add(other, one)
            lists.append(tuple(sorter.static_order()))
            examined += len(before)
        return SearchResult(tuple(lists), examined + len(self.graph.names))

    def audit(self, answer: str) -> bool:
        """Whether each list is an order of the neighbours that respects all precedences."""
        return all(
            sorted(own) == [*near] and all(own.index(u) < own.index(v) for u, v in before)
            for own, near, before in zip(self.read(answer), self.graph.ways(), self.precedences())
        )

    def ordered(self, *ranks: Sequence[int]) -> list[list[int]]:
        """The neighbours of each node by the sum of their positions in some orders."""
        return [
            sorted(near, key=lambda node: sum(rank.index(node) for rank in ranks))
            for near in self.graph.ways()
        ]

    def naive_solutions(self) -> list[Any]:
        """Neighbours by name, and in the order in which one of the searches visits them."""
        orders = [order for _, order in self.wanted]
        return [self.ordered(order) for order in (self.graph.ranked(), *orders)]

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Neighbours in the order of one search, of all together, and those that one search visits
        from the node before the others, which are in the order of another search or as further
        searches visit them.
        """
        orders = [order for _, order in self.wanted]
        players: dict[str, Any] = {
            "in random order": [rng.sample(near, len(near)) for near in self.graph.ways()],
            "by all orders together": self.ordered(*orders),
        }
        for number, order in enumerate(orders, 1):
            players[f"in the order of search {number}"] = self.ordered(order)
        players["those of the search that comes to the node first, then of the next"] = [
            self.appended(node) for node in range(len(self.graph.names))
        ]
        players["all that any search visits from the node, else in the order of one"] = [
            self.chained(node) for node in range(len(self.graph.names))
        ]
        for first, other in ((0, 1), (1, 0)):
            for front in (True, False):
                where = "before" if front else "behind"
                players[f"search {first + 1}'s own {where} those of search {other + 1}"] = (
                    self.merged(self.wanted[first], orders[other], front)
                )
        return players

    def children(self, node: int, wanted: Wanted) -> list[int]:
        """The neighbours that a search reaches from a node, in order."""
        sort, order = wanted
        rank, ways = order.index, self.graph.ways()
        chosen = max if sort == "depth-first" else min
        return [
            near
            for near in order[rank(node) + 1 :]
            if near in ways[node]
            and node == chosen((u for u in ways[near] if rank(u) < rank(near)), key=rank)
        ]

    def appended(self, node: int) -> list[int]:
        """The neighbours that searches reach from a node, first those of the search that comes to
        it first.
        """
        by_search = sorted(self.wanted, key=lambda wanted: wanted[1].index(node))
        lines = [self.children(node, wanted) for wanted in by_search]
        return [*dict.fromkeys([*chain(*lines), *self.graph.ways()[node]])]

    def chained(self, node: int) -> list[int]:
        """The neighbours in the orders in which searches reach them from a node, and otherwise in
        the orders of the searches behind the node as far as these agree.
        """
        near = self.graph.ways()[node]
        behind = [
            [each for each in order[order.index(node) :] if each in near]
            for _, order in self.wanted
        ]
        lines = [*(self.children(node, wanted) for wanted in self.wanted), *behind]
        after: dict[int, set[int]] = {each: set() for each in near}
        for one, other in chain(*map(pairwise, lines)):
            if one not in _behind(after, other):
                after[one].add(other)
        before = {each: [u for u in near if each in after[u]] for each in near}
        return [*TopologicalSorter[int](before).static_order()]

    def merged(self, wanted: Wanted, order: Sequence[int], front: bool) -> list[list[int]]:
        """The neighbours that a search reaches from a node in its order, before or behind the other
        ones in another order.
        """
        sort, visited = wanted
        free = precedences(self.graph.ways(), sort, visited)
        lists = []
        for near, before in zip(self.graph.ways(), free):
            own = {node for pair in before for node in pair}
            one = sorted(own, key=visited.index)
            rest = sorted({*near} - own, key=order.index)
            lists.append([*one, *rest] if front else [*rest, *one])
        return lists


def _behind(after: Mapping[int, set[int]], node: int) -> set[int]:
    """What must come behind a node, directly or not."""
    reached = [node]
    for each in reached:
        reached += after[each] - {*reached}
    return {*reached[1:]}


def _position(order: Sequence[int], node: int) -> str:
    """The position of a node in a list, from 1; a question mark if it is not there."""
    return str(order.index(node) + 1) if node in order else "?"
