"""A pursuit on a graph, the game of cops and robbers of Nowakowski, Winkler (1983) and Quilliot."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from random import Random
from typing import Any, ClassVar

from palaestra.generators.matches.graph_pursuit import (
    EVADER,
    PURSUERS,
    State,
    captures,
)
from palaestra.generators.matches.graph_pursuit import GraphPursuit as GraphPursuitRules
from palaestra.generators.matches.limited_wins import LimitedMatch
from palaestra.generators.matches.rules import WIN
from palaestra.generators.random_graphs import connected
from palaestra.task import Policy, Turn, ladder


def _graph(rng: Random, nodes: int, edges: int) -> tuple[int, ...]:
    """The neighbours of each node of a random connected graph, as bits."""
    near = [0] * nodes
    for a, b in connected(rng, nodes, edges, window=4):
        near[a] |= 1 << b
        near[b] |= 1 << a
    return tuple(near)


class GraphPursuit(LimitedMatch):
    """Catch an evader on a graph with two pursuers in time, or escape them as the evader."""

    answer_type = "moves"
    tags = LimitedMatch.tags | {"graphs"}
    baseline_note = (
        "On graphs of this size, a player who tries each move with each reply and counts the nodes "
        "that the evader reaches first sees much of what decides: half of the wins at the middle "
        "level, and a third at the top. A player of one move, by distance or by these nodes, does "
        "not."
    )

    class Knobs(LimitedMatch.Knobs):
        nodes: int = ladder(7, 8, 10, 11, 12, 14, low=5, high=16)
        extra: int = ladder(2, 2, 3, 4, 5, 6, low=0, high=10)  # edges beyond those of a tree
        captured: int = ladder(3, 4, 5, 6, 7, 8, low=2, high=10)  # moves that a capture takes
        quiet: int = ladder(0, 20, 40, 65, 80, 90, low=0, high=100)  # percent of tasks, see below
        least_moves: int = ladder(2, 3, 4, 5, 6, 7, low=1, high=12)
        most_chance: float = ladder(0.3, 0.1, 0.03, 0.01, 0.003, 0.001, low=1e-6)

    # In a task with a quiet first move, coming as near as possible or leaving the evader the fewest
    # nodes (or, for the evader, the opposite) is wrong at once, as it is in many pursuits later on.

    graphs: ClassVar[int] = 3
    """How many graphs are drawn for the positions that are looked at."""

    @classmethod
    def rules_of(cls, knobs: Any) -> GraphPursuitRules:
        return GraphPursuitRules()

    def rules(self) -> GraphPursuitRules:
        return GraphPursuitRules()

    @classmethod
    def opening(cls, rng: Random, rules: GraphPursuitRules, knobs: Any) -> State | None:
        return next(iter(cls._openings(rng, rules, knobs)), None)

    @classmethod
    def _openings(cls, rng: Random, rules: Any, knobs: Any) -> Iterable[State]:
        """Several positions on each of a few graphs, all with the same side to move, of as long
        pursuits as is wanted or of the longest ones.
        """
        turn, quiet = rng.choice((PURSUERS, EVADER)), rng.randrange(100) < knobs.quiet
        wanted = cls.graphs
        for attempt in range(20 * cls.graphs):
            near = _graph(rng, knobs.nodes, knobs.nodes - 1 + knobs.extra)
            quiet &= attempt < 10 * cls.graphs  # small graphs may have no such position
            states = cls._positions(rng, near, turn, knobs.captured)
            fitting = [*islice((each for each in states if not quiet or rules.is_quiet(each)), 6)]
            yield from fitting
            wanted -= bool(fitting)
            if not wanted:
                return

    @staticmethod
    def _positions(rng: Random, near: tuple[int, ...], turn: int, captured: int) -> Iterator[State]:
        needed = {
            position: moves
            for position, moves in captures(near).items()
            if position[2] == turn and 0 < moves <= captured
        }
        longest = max(needed.values(), default=0)
        fitting = sorted(position for position, moves in needed.items() if moves == longest)
        rng.shuffle(fitting)
        for pursuers, evader, _ in fitting:
            # The pursuers have no move to spare; the evader has to do without the last one.
            left = 2 * longest - 1 if turn == PURSUERS else 2 * (longest - 1)
            yield State(near, pursuers, evader, turn, left)

    def description(self) -> str:
        return self.phrase(
            "A pursuit on a graph. Player P has two pursuers and player E one evader, each on a "
            "node. The players take turns. In a turn, P moves one of the two pursuers along an "
            "edge to a neighbouring node, on which the other pursuer is not, or stays with both. E "
            "moves the evader along an edge to a neighbouring node without a pursuer, or stays. If "
            "a pursuer moves to the node of the evader, P wins at once. If that has not happened "
            "when no moves are left, E wins; each turn uses up a move, also if one stays. A move "
            "is written as the node that one leaves and the node that one enters, such as 'A-B', "
            "or as 'stay'.",
            "E tries to escape from P on this graph, for as many moves as are left. P owns two "
            "pursuers, E is alone. They alternate, and in each turn a player either stays or goes "
            "from a node to one of its neighbours: P with a single one of the pursuers, but not to "
            "the node of the other one; E not to a node of a pursuer. P catches E, and wins, by a "
            "move of a pursuer to the node where E is. E wins if P has not done so by the last "
            "move. Moves of both players count, and so do turns in which a player stays. Write a "
            "move with both nodes, for example 'A-B' for a step from A to B, or 'stay'.",
        )

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        rules = self.rules()

        def player(plies: int) -> Policy:
            def worth(state: State, mover: int, left: int) -> float:
                over = rules.outcome(state)
                if over is not None:
                    return 1_000.0 if (over == WIN) == (mover == PURSUERS) else -1_000.0
                if not left:
                    return rules.territory(state, mover)
                after = (rules.apply(state, move) for move in rules.legal(state))
                best = max if state.turn == mover else min
                return best(worth(each, mover, left - 1) for each in after)

            def move(turn: Turn) -> str:
                state = rules.decode(turn.state)
                legal = [*rules.legal(state)]
                rng.shuffle(legal)
                after = {each: rules.apply(state, each) for each in legal}
                best = max(legal, key=lambda each: worth(after[each], state.turn, plies - 1))
                return rules.name(state, best)

            return move

        return {
            **super().baselines(rng),
            "territory": player(1),
            "territory after the reply": player(2),
        }
