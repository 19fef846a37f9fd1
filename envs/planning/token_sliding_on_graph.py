"""Pebble motion on graphs, whose theory is by Kornhauser, Miller and Spirakis (1984).

Each token has a name, as in Richard Wilson's study of the fifteen puzzle on graphs (1974).
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import starmap
from random import Random
from typing import Self

from palaestra.generators.bidirectional_search import Board, shortest_between
from palaestra.generators.planning.pictures import PicturedPlan
from palaestra.generators.random_graphs import Edge, connected
from palaestra.scenes import Edge as Link
from palaestra.scenes import Graph, Node
from palaestra.task import ladder
from palaestra.verifiers.planning.plans import Illegal
from palaestra.verifiers.reading.moves import hops, hops_as_text

Move = tuple[int, int]
TOKENS = "PQRSTUVW"


@lru_cache(maxsize=256)
def shortest(edges: tuple[Edge, ...], start: Board, goal: Board) -> tuple[Move, ...] | None:
    """The fewest moves, each from one node to another, between two placements of the tokens."""
    neighbours: dict[int, list[int]] = {}
    for u, v in edges:
        neighbours.setdefault(u, []).append(v)
        neighbours.setdefault(v, []).append(u)

    def ways(nodes: Board) -> Iterator[tuple[Move, Board]]:
        for token, node in enumerate(nodes):
            for end in neighbours[node]:
                if end not in nodes:
                    yield (node, end), (*nodes[:token], end, *nodes[token + 1 :])

    def back(nodes: Board) -> Iterator[tuple[Move, Board]]:
        return (((end, node), before) for (node, end), before in ways(nodes))

    plan = shortest_between(start, goal, ways, back, budget=2_500)
    return None if plan is None else plan.moves


@lru_cache(maxsize=2_048)
def _edges_between(edges: tuple[Edge, ...], start: int, goal: int) -> int:
    """The edges of a shortest path between two nodes."""
    reached, number = {start}, 0
    while goal not in reached:
        reached |= {node for edge in edges if reached & {*edge} for node in edge}
        number += 1
    return number


class TokenSlidingOnGraph(PicturedPlan):
    """Move tokens along the edges of a graph to free nodes until each is where it should be."""

    version = 2
    tags = {"planning", "search", "graphs"}
    baseline_note = (
        "a few tokens on a graph with a cycle seldom need to give way to one another more than once"
    )
    answer_type = "moves"

    class Knobs(PicturedPlan.Knobs):
        nodes: int = ladder(6, 7, 8, 9, 10, 12)
        extra: int = ladder(1, 1, 2, 2, 2, 1, low=1, high=5)  # edges beyond those of a tree
        tokens: int = ladder(2, 3, 3, 4, 4, 4)
        least: int = ladder(4, 5, 7, 9, 11, 13, low=3)  # least length of a shortest plan
        spare: int = ladder(2, 2, 1, 1, 0, 0)  # moves that there may be beyond a shortest plan

    edges: tuple[Edge, ...]
    start: Board
    goal: Board
    least: int
    spare: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        nodes = max(knobs.nodes, knobs.tokens + 2)
        edges = tuple(connected(rng, nodes, nodes - 1 + knobs.extra))
        start, goal = (tuple(rng.sample(range(nodes), knobs.tokens)) for _ in range(2))
        # A few tokens in a dense graph are never far from their goals.
        least = min(knobs.least, (knobs.tokens - 1) * (6 - knobs.extra) + 1)
        return cls(edges=edges, start=start, goal=goal, least=least, spare=knobs.spare)

    def is_valid(self) -> bool:
        plan = self.search()
        return plan is not None and len(plan) >= self.least

    def search(self) -> tuple[Move, ...] | None:
        return shortest(self.edges, self.start, self.goal)

    def move_limit(self) -> int:
        return len(self.plan()) + self.spare

    def canonical(self) -> str:
        tokens = sorted(zip(self.start, self.goal))
        return repr((sorted(map(sorted, self.edges)), tokens, self.spare))

    def names(self) -> list[str]:
        """The names of the nodes."""
        return [str(n + 1) for n in range(max(map(max, self.edges)) + 1)]

    def prompt(self) -> str:
        names = self.names()
        edges = ", ".join(f"{names[u]}-{names[v]}" for u, v in self.edges)
        placed = "\n".join(
            f"token {TOKENS[n]} is on node {names[start]} and has to be on node {names[goal]}"
            for n, (start, goal) in enumerate(zip(self.start, self.goal))
        )
        task = self.phrase(
            f"A graph has the nodes 1 to {len(names)} and these edges: {edges}.",
            f"These edges join the nodes 1 to {len(names)} of a graph: {edges}.",
        )
        return (
            f"{task} Edges can be used both ways. Tokens lie on some of the nodes, never two on "
            "the same. A move takes one token along an edge to a node that has no token.\n\n"
            f"{placed}\n\nGet all tokens where they have to be, at the same time, in at most "
            f"{self.move_limit()} moves. Write one move per line, the node that a token leaves and "
            "the node it goes to, such as '1 -> 2'."
        )

    def picture(self, state: Board) -> Graph:
        tokens = {node: n for n, node in enumerate(state)}
        nodes = (
            Node(name, f"t{tokens[n]}", note=TOKENS[tokens[n]]) if n in tokens else Node(name)
            for n, name in enumerate(self.names())
        )
        return Graph(tuple(nodes), tuple(starmap(Link, self.edges)))

    def goal_picture(self) -> Graph:
        return self.picture(self.goal)

    def read(self, answer: str) -> list[Move]:
        return hops(answer, self.names())

    def as_text(self, moves: Sequence[Move]) -> str:
        return hops_as_text(moves, self.names())

    def initial(self) -> Board:
        return self.start

    def after(self, state: Board, move: Move) -> Board:
        start, end = move
        if start not in state:
            raise Illegal(f"there is no token on {start + 1}")
        if move not in self.edges and move[::-1] not in self.edges:
            raise Illegal(f"no edge joins {start + 1} and {end + 1}")
        if end in state:
            raise Illegal(f"there is a token on {end + 1} already")
        return tuple(end if node == start else node for node in state)

    def moves_from(self, state: Board) -> Iterable[Move]:
        return (move for edge in self.edges for move in (edge, edge[::-1]))

    def distance(self, state: Board) -> float:
        """The edges between the tokens and the nodes where they have to be, without obstacles."""
        return sum(_edges_between(self.edges, node, goal) for node, goal in zip(state, self.goal))

    def violation(self, state: Board) -> str:
        for token, node, goal in zip(TOKENS, state, self.goal):
            if node != goal:
                return f"in the end token {token} is on {node + 1}"
        return ""

    def audit(self, answer: str) -> bool:
        """Keeps the token of each node."""
        tokens = {node: token for token, node in enumerate(self.start)}
        edges = set(map(frozenset, self.edges))
        moves = hops(answer, self.names())
        for start, end in moves:
            if start not in tokens or end in tokens or frozenset((start, end)) not in edges:
                return False
            tokens[end] = tokens.pop(start)
        goal = {node: token for token, node in enumerate(self.goal)}
        return tokens == goal and len(moves) <= self.move_limit()

    def difficulty(self) -> float:
        return float(len(self.plan()) * len(self.names()) ** len(self.start))

    def shortcuts(self) -> Iterable[str]:
        yield self.as_text(list(zip(self.start, self.goal)))
