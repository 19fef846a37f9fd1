"""Breadth-first and depth-first search, and the kinds of edges that the latter distinguishes.

Breadth-first search is Edward Moore's (1959), the kinds of edges are Robert Tarjan's (1972).
"""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, Literal, Self

from palaestra.generators.graphs.algorithms import Ways, reached
from palaestra.generators.graphs.puzzles import Encoding, Graph, GraphPuzzle
from palaestra.generators.graphs.scenes import END, Look, network
from palaestra.generators.graphs.traversals import depth_first, listed_ways
from palaestra.generators.random_graphs import Edge, connected
from palaestra.scenes import Scene
from palaestra.task import Score, ladder
from palaestra.verifiers.reading.labels import matched, pairs
from palaestra.verifiers.reading.nodes import edge_list, walk
from palaestra.verifiers.replies import unwrapped

ORDERED: tuple[Encoding, ...] = ("edges", "neighbours", "incidence", "prose", "roads")
"""Encodings that list the edges of a node in any order, unlike a matrix of all nodes."""

Line = tuple[Any, ...]
"""Nodes, or edges in order."""

ORDERS = {
    "breadth-first": "all nodes in the order in which breadth-first search visits them",
    "depth-first": "all nodes in the order in which depth-first search discovers them",
    "finishing": "all nodes in the order in which depth-first search finishes them",
}
EDGES = {
    "back": "all back edges in any order",
    "forward": "all forward edges in any order",
    "cross": "all cross edges in any order",
}
ALL = {**ORDERS, **EDGES}
SHORT = {
    "breadth-first": ("breadth-first search", "breadth first", "breadth first search", "bfs"),
    "depth-first": ("depth-first search", "depth first", "depth first search", "dfs"),
    "finishing": ("finish",),
}
SPELLINGS = {
    **{f"{name} edges": name for name in EDGES},
    **{f"{name} order": name for name in ORDERS},
    **{f"{other}{end}": name for name in SHORT for other in SHORT[name] for end in ("", " order")},
    **{f"{name} ({SHORT[name][-1]})": name for name in [*ORDERS][:2]},
}


def traversed(ways: Ways, start: int) -> dict[str, Line]:
    """The lines of an answer by what they are."""
    search = depth_first(ways, start)
    orders = (tuple(reached(ways, start)), search.discovered, search.finished)
    edges = (search.edges("back"), search.edges("forward"), search.edges("cross"))
    return dict(zip(ALL, (*orders, *edges)))


class TraversalOrder(GraphPuzzle):
    """Carry out breadth-first and depth-first search in stated orders of the neighbours."""

    version = 2
    tags = {"graphs", "simulation", "unique-solution"}
    calculation = True
    sentences_in_order = True

    class Knobs(GraphPuzzle.Knobs):
        encoding: Literal["any", "edges", "neighbours", "incidence", "prose"] = ladder("any")
        nodes: int = ladder(6, 7, 9, 12, 16, 21, 26, low=5, high=36)
        density: float = ladder(1.5, 1.7, 1.9, 2.0, 2.1, 2.1, 2.2, low=1.4, high=2.5)  # edges/node
        lines: int = ladder(2, 3, 4, 4, 5, 6, 6, low=2, high=6)  # of an answer

    start: int
    asks: tuple[str, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        nodes = knobs.nodes
        tree = connected(rng, nodes, nodes - 1, window=4)  # leads from node 0 to each other
        edges = {*tree}
        while len(edges) < round(nodes * knobs.density):
            u, v = rng.sample(range(nodes), 2)
            if (v, u) not in edges:
                edges.add((u, v))
        encoding = rng.choice(ORDERED) if knobs.encoding == "any" else knobs.encoding
        graph = Graph.of_arcs(rng, nodes, sorted(edges), "edges")._replace(encoding=encoding)
        more = rng.sample([*ALL][2:], knobs.lines - 2)
        return cls(graph=graph, start=0, asks=tuple(n for n in ALL if n in {*[*ALL][:2], *more}))

    def is_valid(self) -> bool:
        right = self.right()
        named = self.by_name()
        orders = [name for name in self.asks if name in ORDERS]
        return (
            super().is_valid()
            and all(right.values())
            and all(right[name] != named[name] for name in orders)
            and len({right[name] for name in orders}) == len(orders)
        )

    def canonical(self) -> str:
        return repr((self.ways(), self.start, self.asks))

    def ways(self) -> list[list[int]]:
        """The nodes to which an edge leads from each node, in the order of the prompt."""
        return listed_ways(len(self.graph.names), self.graph.edges)

    def right(self) -> dict[str, Line]:
        """The lines of the right answer."""
        lines = traversed(self.ways(), self.start)
        return {name: lines[name] for name in self.asks}

    def by_name(self) -> dict[str, Line]:
        """The lines of an answer that takes neighbours in the order of their names."""
        rank = self.graph.ranked().index
        return traversed([sorted(near, key=rank) for near in self.ways()], self.start)

    def prompt(self) -> str:
        start = self.graph.names[self.start]
        order = {
            "edges": "from top to bottom", "neighbours": "from left to right in its line",
            "incidence": "from left to right", "prose": "from first to last",
            "roads": "from first to last",
        }[self.graph.encoding]  # fmt: skip
        task = self.phrase(
            f"Two searches start at {start}. Both take the edges that leave a node in the order in "
            f"which they are listed above, {order}.\n\nBreadth-first search keeps a queue, which "
            f"first holds {start} alone. It removes the first node of the queue, and along each "
            "edge that leaves this node, in order, it appends the node at the end of the edge to "
            "the queue unless it was in the queue before. The search visits nodes in the order in "
            f"which they enter the queue.\n\nDepth-first search explores {start}. To explore a "
            "node is to discover it, then to take each edge that leaves it, in order, and to "
            "explore the node at the end of the edge at once if it is not yet discovered, and "
            "after the last edge to finish the node.",
            f"Search the graph twice from {start}. Edges that leave the same node are always taken "
            f"in the order in which they are listed above, {order}.\n\nIn breadth-first search, "
            f"{start} is visited first. Then the visited nodes are processed in the order in which "
            "they were visited: for each edge that leaves the node, in order, the node at its end "
            "is visited unless it was visited before.\n\nDepth-first search is recursive and "
            f"begins with {start}. When it discovers a node, it goes along each edge that leaves "
            "the node, in order. If the edge leads to a node that is not yet discovered, the "
            "search turns to that node and finishes it before it takes the next edge. When no edge "
            "is left, the node is finished.",
        )
        if {*EDGES} & {*self.asks}:
            task += (
                "\n\nAn edge along which depth-first search discovers a node is a tree edge. Any "
                "other edge from a node u to a node v is a back edge if v is discovered but not "
                "finished when the edge is taken. If v is finished by then, it is a forward edge "
                "if v was discovered after u, and a cross edge if v was discovered before u."
            )
        lines = "\n".join(f"{name}: {ALL[name]}" for name in self.asks)
        return self.with_graph(
            f"{task}\n\nWrite these lines:\n{lines}\n\nA line has its label, a colon and names "
            f"with commas between them, such as '{self.example_line()}'."
            + (f" Edges look like '{self.example_edges()}'." if {*EDGES} & {*self.asks} else "")
        )

    def example_line(self) -> str:
        """A line that no search gives, since it has but three nodes."""
        return f"depth-first: {self.example(3)}"

    def example_edges(self) -> str:
        """Two edges in alphabetical order."""
        one, two, three = self.graph.ranked()[:3]
        return self.graph.pairing([(one, two), (two, three)])

    def look(self) -> Look:
        return Look(nodes={self.start: END}, notes={self.start: "start"})

    def scene(self) -> Scene:
        """The graph, with the order in which the edges of a node are taken as their texts."""
        texts = {
            (u, v): str(n) for u, near in enumerate(self.ways()) for n, v in enumerate(near, 1)
        }
        return network(self.graph, self.look()._replace(texts=texts))

    def solved_scene(self, answer: str) -> Scene:
        lines = self.read(answer)
        notes = {node: str(n) for n, node in enumerate(lines["depth-first"], 1)}
        edges = [edge for name in EDGES for edge in lines.get(name, ())]
        return network(self.graph, self.look().with_notes(notes).with_edges(edges))

    def as_text(self, lines: Mapping[str, Line]) -> str:
        """Lines as an answer; those that are not asked for are left out."""
        texts = {
            name: self.graph.pairing(lines[name])
            if name in EDGES
            else self.graph.listing(lines[name])
            for name in self.asks
        }
        return "\n".join(f"{name}: {text or 'none'}" for name, text in texts.items())

    def read(self, answer: str) -> dict[str, Line]:
        """The lines of an answer by their labels, edges in order."""
        names = self.graph.names
        spellings = {label: name for label, name in SPELLINGS.items() if name in self.asks}
        values = pairs(answer, self.asks, spellings=spellings)
        return {
            name: tuple(sorted(edge_list(text, names))) if name in EDGES else walk(text, names)
            for name, text in ((name, unwrapped(value)) for name, value in values.items())
        }

    def answer(self) -> str:
        return self.as_text(self.right())

    def verify(self, answer: str) -> Score:
        return matched(self.read(answer), self.right())

    def audit(self, answer: str) -> bool:
        """Whether searches with explicit levels and an explicit stack give the same orders, and
        the spans from the discovery to the end of the nodes lie as the kinds of edges want.
        """
        ways, lines = self.ways(), self.read(answer)
        level, visited = [self.start], [self.start]
        while level:
            level = [*dict.fromkeys(v for u in level for v in ways[u] if v not in visited)]
            visited += level
        stack, first, last, time = [(self.start, 0)], {self.start: 0}, dict[int, int](), 0
        tree = set[Edge]()
        while stack:
            node, taken = stack.pop()
            time += 1
            if taken == len(ways[node]):
                last[node] = time
                continue
            stack.append((node, taken + 1))
            near = ways[node][taken]
            if near not in first:
                first[near] = time
                tree.add((node, near))
                stack.append((near, 0))
        edges = [edge for edge in self.graph.pairs() if edge not in tree]
        inside = {
            (u, v) for u in first for v in first if first[v] <= first[u] and last[u] <= last[v]
        }
        wanted: dict[str, Sequence[Any]] = {
            "breadth-first": visited,
            "depth-first": sorted(first, key=first.__getitem__),
            "finishing": sorted(last, key=last.__getitem__),
            "back": [edge for edge in edges if edge in inside],
            "forward": [(u, v) for u, v in edges if (v, u) in inside],
            "cross": [(u, v) for u, v in edges if not {(u, v), (v, u)} & inside],
        }
        return all([*line] == [*wanted[name]] for name, line in lines.items())

    def difficulty(self) -> float:
        return (len(self.graph.names) + len(self.graph.edges)) * len(self.asks)

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Searches in other orders of the neighbours, one search for both, and a stack on which
        all neighbours are put at once.
        """
        ways, right = self.ways(), self.right()
        turned = traversed([near[::-1] for near in ways], self.start)
        mixed = traversed([rng.sample(near, len(near)) for near in ways], self.start)
        stacked = self.stacked()
        players = {
            "neighbours by name": self.by_name(),
            "neighbours in reverse order": turned,
            "neighbours in random order": mixed,
            "depth-first by a stack of all neighbours": {**right, "depth-first": stacked},
            "finishing in reverse order of discovery": {
                **right, "finishing": right["depth-first"][::-1],
            },
        }  # fmt: skip
        if "finishing" not in self.asks:
            del players["finishing in reverse order of discovery"]
        return {player: self.as_text(lines) for player, lines in players.items()}

    def stacked(self) -> tuple[int, ...]:
        """The nodes as they leave a stack, on which a node puts all its unvisited neighbours."""
        ways, stack, seen, order = self.ways(), [self.start], {self.start}, list[int]()
        while stack:
            order.append(stack.pop())
            new = [near for near in ways[order[-1]] if near not in seen]
            seen |= {*new}
            stack += new[::-1]
        return tuple(order)

    def shortcuts(self) -> Iterable[str]:
        return [self.as_text(self.by_name())]
