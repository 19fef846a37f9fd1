"""Reachability, Büchi and parity games on graphs, after Robert McNaughton (1993)."""

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import chain, combinations, product
from random import Random
from typing import Any, Literal, NamedTuple, Self

from palaestra.generators.baselines import shuffled
from palaestra.generators.graphs.game_on_graph import (
    Solved,
    Strategy,
    attracted,
    losing_cycle,
    solved,
    trapped,
)
from palaestra.generators.graphs.players import edges_away
from palaestra.generators.graphs.puzzles import Graph, GraphFeasibility
from palaestra.generators.graphs.scenes import CHOSEN, END, Look, network
from palaestra.generators.solutions import SearchResult
from palaestra.scenes import Scene
from palaestra.task import InvalidAnswer, ladder
from palaestra.verifiers.reading.labels import pairs
from palaestra.verifiers.reading.nodes import edge_list, node_set

Objective = Literal["reachability", "buchi", "parity"]
OBJECTIVES: tuple[Objective, ...] = ("reachability", "buchi", "parity")
LABELS = ("wins", "moves")
_LABELLED = re.compile(r"\W{0,6}(?:wins|moves)\b", re.IGNORECASE)
_BULLET = re.compile(r"(?:[-*\u2022]|\d{1,2}[.)])[ \t]+")


class Play(NamedTuple):
    """The nodes from which player 1 is said to win, and the moves of that player."""

    wins: frozenset[int]
    moves: Mapping[int, int]


class GameOnGraph(GraphFeasibility):
    """Find from where a player wins an infinite game on a graph, and how."""

    version = 2
    tags = {"graphs", "games", "search", "logic"}

    class Knobs(GraphFeasibility.Knobs):
        objective: Literal["any", "reachability", "buchi", "parity"] = ladder(
            "reachability", "reachability", "any"
        )
        nodes: int = ladder(6, 8, 10, 12, 15, 18, 22, low=6, high=26)
        degree: int = ladder(2, 3, 3, 3, 3, 4, 4, low=2, high=5)  # edges from a node, at most
        priority: int = ladder(3, 3, 3, 4, 5, 6, 7, low=3, high=9)

    objective: Objective
    owners: tuple[int, ...]
    """For each node 0 if it is one of player 1, and 1 if it is one of player 2."""
    priorities: tuple[int, ...]
    """Of each node; 2 for targets and 1 for other nodes if there are only these."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        objective = rng.choice(OBJECTIVES) if knobs.objective == "any" else knobs.objective
        game = trapped(rng, knobs.nodes, knobs.degree, knobs.priority)
        if objective == "parity":
            priorities = game.priorities
        elif objective == "buchi":
            priorities = [1 + (p % 2 == 0) for p in game.priorities]
        else:
            priorities = [1 + (n in game.targets) for n in range(knobs.nodes)]
        graph = Graph.of_arcs(rng, knobs.nodes, game.edges, knobs.encoding)
        return cls(
            graph=graph,
            objective=objective,
            owners=tuple(game.owners),
            priorities=tuple(priorities),
        )

    def canonical(self) -> str:
        return repr((self.objective, self.graph.key(), self.owners, self.priorities))

    def is_valid(self) -> bool:
        wins = self.solution().regions[0]
        return 0 < len(wins) < len(self.owners) and super().is_valid()

    def targets(self) -> list[int]:
        """The nodes that player 1 wants to visit: those of even priority."""
        return [node for node, priority in enumerate(self.priorities) if priority % 2 == 0]

    def prompt(self) -> str:
        ranked = self.graph.ranked()
        names = self.graph.names
        own = self.graph.listing(n for n in ranked if not self.owners[n])
        other = self.graph.listing(n for n in ranked if self.owners[n])
        goal = self.graph.listing(n for n in ranked if self.priorities[n] % 2 == 0)
        rules = self.phrase(
            "Two players move a token along the edges, one edge at a time and for ever: whoever "
            "owns the node where it stands decides along which edge it goes on.",
            "A token stands on a node. The owner of the node moves it along one of the edges that "
            "leave the node, and so on without end.",
        )
        if self.objective == "parity":
            numbers = ", ".join(f"{names[n]} {self.priorities[n]}" for n in ranked)
            aim = (
                f"The priorities of the nodes: {numbers}.\n\n{rules} Player 1 wins if the greatest "
                "priority that occurs infinitely often is even, player 2 if it is odd."
            )
        elif self.objective == "buchi":
            aim = (
                f"Targets: {goal}.\n\n{rules} Player 1 wins if the token visits targets infinitely "
                "often, otherwise player 2 wins."
            )
        else:
            aim = (
                f"Targets: {goal}.\n\n{rules} Player 1 wins if the token ever stands on a target, "
                "also if it starts there, otherwise player 2 wins."
            )
        task = self.phrase(
            "From which starting nodes can player 1 force a win, whatever player 2 does, and by "
            "which moves?",
            "Find all starting nodes from which player 1 has a winning strategy, and such a "
            "strategy.",
        )
        except_for = ", except for targets" if self.objective == "reachability" else ""
        a, b, c = (names[n] for n in ranked[:3])
        return self.with_graph(
            f"Nodes of player 1: {own}.\nNodes of player 2: {other}.\n{aim}\n\n{task} The strategy "
            "is one edge for each node of player 1 among these starting nodes"
            f"{except_for}; player 1 takes it whenever the token is there, and wins from all of "
            "the starting nodes. If there are several such strategies, any of them will do. Write "
            f"two lines, each with its items in any order or with 'none', such as:\n"
            f"wins: {a}, {b}, {c}\nmoves: {a}->{b}, {c}->{a}"
        )

    def look(self) -> Look:
        notes = {
            n: str(p) if self.objective == "parity" else "target"
            for n, p in enumerate(self.priorities)
            if self.objective == "parity" or p == 2
        }
        own = [node for node, owner in enumerate(self.owners) if not owner]
        return Look(notes=notes).with_nodes(own, END)

    def solved_scene(self, answer: str) -> Scene:
        play = self.read(answer)
        look = self.look().with_nodes(play.wins, CHOSEN)
        return network(self.graph, look.with_edges(play.moves.items()))

    def read(self, answer: str) -> Play:
        entries, names = pairs(in_two_lines(answer), LABELS), self.graph.names
        moves = edge_list(entries["moves"], names)
        if len({u for u, _ in moves}) < len(moves):
            raise InvalidAnswer("expected one move from each node, got two from one")
        return Play(frozenset(node_set(entries["wins"], names)), dict(moves))

    def as_text(self, solution: Play) -> str:
        wins = self.graph.listing(sorted(solution.wins)) or "none"
        moves = self.graph.pairing(sorted(solution.moves.items())) or "none"
        return f"wins: {wins}\nmoves: {moves}"

    def ways(self) -> list[tuple[int, ...]]:
        """The nodes to which each node leads; in a reachability game, targets lead to themselves,
        since they decide it.
        """
        ways = self.graph.ways()
        ends = self.targets() if self.objective == "reachability" else ()
        return [(n,) if n in ends else near for n, near in enumerate(ways)]

    def solution(self) -> Solved:
        """Who wins from where, and how."""
        return solved(self.ways(), self.owners, self.priorities)

    def search(self) -> SearchResult:
        result = self.solution()
        play = self.played(result.regions[0], result.strategies[0])
        return SearchResult(play, result.examined + len(self.graph.edges))

    def played(self, wins: Collection[int], moves: Strategy) -> Play:
        """An answer with those of some moves that it needs."""
        ends = self.targets() if self.objective == "reachability" else ()
        own = [n for n in wins if not self.owners[n] and n not in ends and n in moves]
        return Play(frozenset(wins), {n: moves[n] for n in own})

    def violation(self, solution: Play) -> str:
        names = self.graph.names
        if reason := self.misplayed(solution):
            return reason
        missing = self.solution().regions[0] - solution.wins
        return f"player 1 wins from {names[min(missing)]} as well" if missing else ""

    def misplayed(self, play: Play) -> str:
        """Why the moves of an answer do not win from all of its nodes."""
        names, ways = self.graph.names, self.ways()
        for node, move in play.moves.items():
            if self.owners[node]:
                return f"{names[node]} is a node of player 2"
            if move not in self.graph.ways()[node]:
                return f"no edge leads from {names[node]} to {names[move]}"
        ends = self.targets() if self.objective == "reachability" else ()
        for node in sorted(play.wins):
            if not self.owners[node] and node not in ends:
                if node not in play.moves:
                    return f"there is no move from {names[node]}"
                ways[node] = (play.moves[node],)
            outside = next((other for other in ways[node] if other not in play.wins), None)
            if outside is not None:
                return f"the token can go from {names[node]} to {names[outside]}"
        if walk := losing_cycle(ways, self.priorities, 0, play.wins):
            return f"player 2 can keep to {self.graph.listing(walk, ' -> ')}"
        return ""

    def naive_solutions(self) -> list[Play]:
        """All nodes with the first move from each, and none at all."""
        ways = self.graph.ways()
        first = {n: near[0] for n, near in enumerate(ways)}
        return [self.played(range(len(ways)), first), Play(frozenset(), {})]

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Nodes from which targets can be reached or cannot be avoided, with moves to nearer ones;
        and the nodes from which player 1 wins when both players look at the next node only.
        """
        ways = self.ways()
        mixed = [shuffled(near, rng) for near in ways]
        everyone = range(len(ways))
        goals = self.targets()
        best = [n for n in goals if self.priorities[n] == max(self.priorities[m] for m in goals)]
        away: dict[int, int] = {}
        for goal in goals:
            for node, steps in edges_away(ways, goal).items():
                away[node] = min(steps, away.get(node, steps))
        nearer = {n: min(mixed[n], key=lambda m: away.get(m, len(ways))) for n in everyone}
        players = {
            "whoever reaches a target": self.played(away, nearer),
            "all nodes of the player": self.played(
                [n for n in everyone if not self.owners[n]], nearer
            ),
            "random": self.played(
                [n for n in everyone if rng.random() < 0.5], {n: mixed[n][0] for n in everyone}
            ),
            "looking one step ahead": self.greedy(mixed, lambda n: self.priorities[n] * (
                1 if self.priorities[n] % 2 == 0 else -1)),
            "looking for the nearest target": self.greedy(
                mixed, lambda n: -away.get(n, len(ways))
            ),
            "one step from a target": self.played(*self.close(goals, nearer)),
        }  # fmt: skip
        if self.objective != "reachability":
            for name, some in {"a target": goals, "the greatest even priority": best}.items():
                inside, moves = attracted(ways, self.owners, 0, some, everyone)
                moves |= {n: nearer[n] for n in inside if n not in moves}
                players[f"whoever forces {name} once"] = self.played(inside, moves)
        return players

    def close(self, goals: Collection[int], nearer: Strategy) -> tuple[list[int], Strategy]:
        """The targets and the nodes that lead to them at once."""
        inside = [
            n
            for n, near in enumerate(self.ways())
            if n in goals or (all if self.owners[n] else any)(m in goals for m in near)
        ]
        return inside, nearer

    def greedy(self, ways: list[list[int]], value: Callable[[int], float]) -> Play:
        """The nodes from which player 1 wins when the players go to the nodes of the greatest and
        of the least value.
        """
        moves = {
            n: (min if self.owners[n] else max)(near, key=value) for n, near in enumerate(ways)
        }
        wins = []
        for start in moves:
            walk = [start]
            while walk[-1] not in walk[:-1]:
                walk.append(moves[walk[-1]])
            again = walk[walk.index(walk[-1]) :]
            if max(self.priorities[n] for n in again) % 2 == 0:
                wins.append(start)
        return self.played(wins, moves)

    def audit(self, answer: str) -> bool:
        """Whether the moves win from all nodes of the answer, and those of a strategy of player 2
        from all others, by the cycles that are left when either of them is followed.
        """
        play, ways = self.read(answer), self.ways()
        if self.misplayed(play):
            return False
        others = {*range(len(ways))} - play.wins
        counter = self.solution().strategies[1]
        left = [
            (counter.get(n, n),) if self.owners[n] and n in others else near
            for n, near in enumerate(ways)
        ]
        closed = all(m in others and m in ways[n] for n in others for m in left[n])
        return closed and not losing_cycle(left, self.priorities, 1, others)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(objective="any", nodes=6, degree=2, priority=3)

    def candidates(self) -> Iterable[str]:
        """All sets of nodes, each with all strategies on it."""
        nodes = range(len(self.owners))
        own = [n for n in nodes if not self.owners[n]]
        regions = chain.from_iterable(combinations(nodes, size) for size in range(len(nodes) + 1))
        choices = [*product(*(self.graph.ways()[n] for n in own))]
        texts = {
            self.as_text(self.played(region, dict(zip(own, moves))))
            for region in regions
            for moves in choices
        }
        yield from sorted(texts)


def in_two_lines(answer: str) -> str:
    r"""An answer whose items may stand below the labels, or be the members of a JSON object.

    >>> in_two_lines("wins:\n- A\n- B\nmoves:\n- A->B")
    'wins: A, B\nmoves: A->B'
    >>> in_two_lines('{"wins": ["A", "B"], "moves": {"A": "B"}}')
    'wins: A, B\nmoves: A->B'
    """
    body = answer.strip()
    if body.startswith("{") and (entries := _members(body)):
        return entries
    rows = [row for row in (line.strip() for line in body.splitlines()) if row]
    labelled = [n for n, row in enumerate(rows) if _LABELLED.match(row)]
    if labelled[:1] != [0] or len(labelled) != len(LABELS) or len(rows) == len(LABELS):
        return answer
    parts = (rows[labelled[0] : labelled[1]], rows[labelled[1] :])
    return "\n".join(f"{head} {', '.join(map(_item, rest))}".strip() for head, *rest in parts)


def _item(row: str) -> str:
    """A line of a list without its bullet or number, and without a comma behind it."""
    return _BULLET.sub("", row, count=1).rstrip(",;.")


def _members(body: str) -> str:
    """The two lines of a JSON object whose moves are an object as well; empty for other texts."""
    try:
        entries = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    if not isinstance(entries, dict) or entries.keys() != {*LABELS}:
        return ""
    wins, moves = (entries[label] for label in LABELS)
    if not isinstance(wins, list) or not isinstance(moves, dict):
        return ""
    return (
        f"wins: {', '.join(map(str, wins)) or 'none'}\n"
        f"moves: {', '.join(f'{u}->{v}' for u, v in moves.items()) or 'none'}"
    )
