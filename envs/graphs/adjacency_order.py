"""Orders of neighbours with which searches of a graph visit its nodes in wanted orders.

The orders that depth-first and breadth-first search can produce are those of Derek Corneil and
Richard Krueger (2008); here one list for each node has to serve several searches.
"""

from collections.abc import Iterable, Mapping, Sequence
from graphlib import TopologicalSorter
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


class AdjacencyOrder(GraphFeasibility):
    """Order the neighbours of each node so that searches visit the nodes in wanted orders."""

    tags = {"graphs", "ordering", "deduction"}

    class Knobs(GraphFeasibility.Knobs):
        nodes: int = ladder(5, 6, 8, 10, 12, 15, 18, low=5, high=24)
        density: float = ladder(1.5, 1.6, 1.7, 1.8, 1.9, 2.0, 2.1, low=1.4, high=3)  # edges/node
        searches: int = ladder(2, 2, 2, 3, 3, 4, 4, low=2, high=4)

    wanted: tuple[Wanted, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        nodes = knobs.nodes
        edges = connected(rng, nodes, round(nodes * knobs.density), window=4)
        graph = Graph.of_edges(rng, nodes, edges, knobs.encoding)
        ways = [rng.sample(near, len(near)) for near in graph.ways()]
        sorts: list[SearchKind] = ["breadth-first", "depth-first"] * 2
        starts = rng.sample(range(nodes), knobs.searches)
        wanted = [(sort, search_order(ways, sort, start)) for sort, start in zip(sorts, starts)]
        return cls(graph=graph, wanted=tuple(wanted))

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
        from the node before the others, which are in the order of another search.
        """
        orders = [order for _, order in self.wanted]
        players: dict[str, Any] = {
            "in random order": [rng.sample(near, len(near)) for near in self.graph.ways()],
            "by all orders together": self.ordered(*orders),
        }
        for number, order in enumerate(orders, 1):
            players[f"in the order of search {number}"] = self.ordered(order)
        for first, other in ((0, 1), (1, 0)):
            for front in (True, False):
                where = "before" if front else "behind"
                players[f"search {first + 1}'s own {where} those of search {other + 1}"] = (
                    self.merged(self.wanted[first], orders[other], front)
                )
        return players

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


def _position(order: Sequence[int], node: int) -> str:
    """The position of a node in a list, from 1; a question mark if it is not there."""
    return str(order.index(node) + 1) if node in order else "?"
