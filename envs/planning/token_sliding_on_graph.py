"""Pebble motion on graphs, whose theory is by Kornhauser, Miller and Spirakis (1984).

Each token has a name, as in Richard Wilson's study of the fifteen puzzle on graphs (1974).
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from random import Random
from typing import Self

from palaestra.generators.planning.bidirectional_search import Board, shortest_between
from palaestra.generators.random_graphs import Edge, connected
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.planning.simulated import Illegal, hops, simulated

Move = tuple[int, int]
TOKENS = "PQRSTUVW"


@lru_cache(maxsize=256)
def shortest(edges: tuple[Edge, ...], start: Board, goal: Board) -> tuple[Move, ...] | None:
    """The fewest moves, each a token and where it goes, between two placements of the tokens."""
    beside: dict[int, list[int]] = {}
    for u, v in edges:
        beside.setdefault(u, []).append(v)
        beside.setdefault(v, []).append(u)

    def ways(places: Board) -> Iterator[tuple[Move, Board]]:
        for token, here in enumerate(places):
            for there in beside[here]:
                if there not in places:
                    yield (token, there), (*places[:token], there, *places[token + 1 :])

    def back(places: Board) -> Iterator[tuple[Move, Board]]:
        for (token, _), before in ways(places):
            yield (token, places[token]), before

    plan = shortest_between(start, goal, ways, back, budget=2_500)
    return None if plan is None else plan.moves


class TokenSlidingOnGraph(Puzzle):
    """Move tokens along the edges of a graph to free nodes until each is where it should be."""

    tags = {"planning", "search", "graphs"}

    class Knobs(Puzzle.Knobs):
        nodes: int = ladder(6, 7, 8, 9, 10, 11, high=12)
        extra: int = ladder(1, 1, 2, 2, 2, 2, low=1, high=5)  # edges beyond those of a tree
        tokens: int = ladder(2, 3, 3, 4, 4, 4)
        least: int = ladder(4, 5, 7, 9, 11, 13, low=3)  # moves that a shortest plan has
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
        # A few tokens with many ways to go are never far from where they should be.
        least = min(knobs.least, (knobs.tokens - 1) * (6 - knobs.extra) + 1)
        return cls(edges=edges, start=start, goal=goal, least=least, spare=knobs.spare)

    def is_valid(self) -> bool:
        plan = shortest(self.edges, self.start, self.goal)
        return plan is not None and len(plan) >= self.least

    def plan(self) -> tuple[Move, ...]:
        """A shortest plan."""
        solution = shortest(self.edges, self.start, self.goal)
        assert solution is not None, "a fair task is solved within the budget"
        return solution

    def limit(self) -> int:
        """How many moves there may be."""
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
            f"token {TOKENS[n]} is on node {names[here]} and has to be on node {names[there]}"
            for n, (here, there) in enumerate(zip(self.start, self.goal))
        )
        task = self.phrase(
            f"A graph has the nodes 1 to {len(names)} and these edges: {edges}.",
            f"These edges join the nodes 1 to {len(names)} of a graph: {edges}.",
        )
        return (
            f"{task} Edges can be used both ways. Tokens lie on some of the nodes, never two on "
            "the same. A move takes one token along an edge to a node that has no token.\n\n"
            f"{placed}\n\nGet all tokens where they have to be, at the same time, in at most "
            f"{self.limit()} moves. Write one move per line, the node that a token leaves and the "
            "node it goes to, such as '1 -> 2'."
        )

    def answer(self) -> str:
        names, places, lines = self.names(), list(self.start), []
        for token, there in self.plan():
            lines.append(f"{names[places[token]]} -> {names[there]}")
            places[token] = there
        return "\n".join(lines)

    def verify(self, answer: str) -> Score:
        names, joined = self.names(), {*self.edges, *((v, u) for u, v in self.edges)}

        def after(places: Board, move: Move) -> Board:
            here, there = move
            if here not in places:
                raise Illegal(f"there is no token on {names[here]}")
            if move not in joined:
                raise Illegal(f"no edge joins {names[here]} and {names[there]}")
            if there in places:
                raise Illegal(f"there is a token on {names[there]} already")
            return tuple(there if place == here else place for place in places)

        def flaw(places: Board) -> str:
            wrong = [n for n, place in enumerate(places) if place != self.goal[n]]
            return (
                f"in the end token {TOKENS[wrong[0]]} is on {names[places[wrong[0]]]}"
                if wrong
                else ""
            )

        return simulated(hops(answer, names), self.start, after, flaw, self.limit())

    def audit(self, answer: str) -> bool:
        """Keeps what lies on each node."""
        on = {place: token for token, place in enumerate(self.start)}
        edges = set(map(frozenset, self.edges))
        moves = hops(answer, self.names())
        for here, there in moves:
            if here not in on or there in on or frozenset((here, there)) not in edges:
                return False
            on[there] = on.pop(here)
        return on == {place: t for t, place in enumerate(self.goal)} and len(moves) <= self.limit()

    def difficulty(self) -> float:
        return float(len(self.plan()) * len(self.names()) ** len(self.start))

    def shortcuts(self) -> Iterable[str]:
        names = self.names()
        yield "\n".join(
            f"{names[here]} -> {names[there]}" for here, there in zip(self.start, self.goal)
        )
