"""The rules of a pursuit on a graph: two pursuers, who move one at a time, and one evader.

Games of this kind go back to Alain Quilliot (1978) and Richard Nowakowski and Peter Winkler (1983);
where a single pursuer moves in a turn, they are those of David Offner and Kerry Ojakian (2014).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import cos, pi, sin
from typing import NamedTuple

from palaestra.generators.bitsets import ones
from palaestra.generators.matches.limited_wins import LimitedRules
from palaestra.generators.matches.rules import LOSS, WIN
from palaestra.scenes import Edge, Graph, Node
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import phrase
from palaestra.verifiers.reading.moves import hops

PURSUERS, EVADER = 0, 1
NEVER = 10_000
"""More moves than any capture takes."""

NAMES = "ABCDFGHJKLMNQRST"
"""The names of the nodes, without I, which may begin a sentence, and those of the players."""

STAY = "stay"
STAYS = frozenset(
    (STAY, "stays", "pass", "wait", "stay put", "do nothing", "no move", "remain", "skip",
     "stay with both", "stays with both", "stay in place", "stay here")
)  # fmt: skip
_DASHES = str.maketrans({"\u2013": "-", "\u2014": "-", "/": "-", "=": "-"})

FILLERS = frozenset(("i", "go", "goes", "move", "moves", "step", "walk", "run", "from", "node"))
"""Words around the nodes of a move that say nothing."""

Move = tuple[int, int]
"""The nodes from which and to which one moves; twice the same one to stay."""


class State(NamedTuple):
    """The neighbours of each node as bits, the nodes of the pursuers in order and of the evader,
    whose turn it is, and how many moves both sides together have left.
    """

    near: tuple[int, ...]
    pursuers: tuple[int, int]
    evader: int
    turn: int
    left: int


@dataclass(frozen=True)
class GraphPursuit(LimitedRules[State, Move]):
    """The pursuers win on the node of the evader, who wins when no moves are left."""

    state_type = State
    signs = ("P", "E")

    def start(self) -> State:
        return State((2, 5, 2), (0, 1), 2, PURSUERS, 4)

    def player(self, state: State) -> int:
        return state.turn

    def legal(self, state: State) -> Sequence[Move]:
        taken = 1 << state.pursuers[0] | 1 << state.pursuers[1]
        movers = state.pursuers if state.turn == PURSUERS else (state.evader,)
        moves = [(one, to) for one in movers for to in ones(state.near[one] & ~taken)]
        return [*moves, (movers[0], movers[0])]

    def apply(self, state: State, move: Move) -> State:
        near, pursuers, evader, turn, left = state
        source, to = move
        if turn == EVADER:
            return State(near, pursuers, to, PURSUERS, left - 1)
        first, second = (to if each == source else each for each in pursuers)
        after = (first, second) if first < second else (second, first)
        return State(near, after, evader, EVADER, left - 1)

    def outcome(self, state: State) -> int | None:
        if state.evader in state.pursuers:
            return WIN
        return None if state.left else LOSS

    def solved(self, state: State) -> int:
        return WIN if self._moves(state) <= (state.left + 1 - state.turn) // 2 else LOSS

    @staticmethod
    def _moves(state: State) -> int:
        """How many moves of the pursuers a capture takes, if both sides play perfectly."""
        return captures(state.near)[state.pursuers, state.evader, state.turn]

    def moves_needed(self, state: State) -> int:
        if state.turn == PURSUERS:
            return self._moves(state)
        return (state.left + 1) // 2

    def is_quiet(self, state: State) -> bool:
        """Whether none of the moves that look best, by distance or by territory, is right."""
        after = [self.apply(state, move) for move in self.legal(state)]
        right = WIN if state.turn == PURSUERS else LOSS
        for looks in (self.judgement, self.territory):
            worth = [looks(each, state.turn) for each in after]
            best = (each for each, value in zip(after, worth) if value == max(worth))
            if any(self._value(each) == right for each in best):
                return False
        return True

    def _value(self, state: State) -> int:
        over = self.outcome(state)
        return self.solved(state) if over is None else over

    def judgement(self, state: State, player: int) -> float:
        """How near the pursuers are to the evader, in sum."""
        far = distances(state.near)[state.evader]
        near = -float(sum(far[each] for each in state.pursuers))
        return near if player == PURSUERS else -near

    def territory(self, state: State, player: int) -> float:
        """How few nodes the evader reaches before the pursuers; then how near these are."""
        far = distances(state.near)
        first, second, mine = (far[n] for n in (*state.pursuers, state.evader))
        safe = sum(each < min(a, b) for each, a, b in zip(mine, first, second))
        return self.judgement(state, player) / 100 + (-safe if player == PURSUERS else safe)

    def name(self, state: State, move: Move) -> str:
        source, to = move
        return STAY if source == to else f"{NAMES[source]}-{NAMES[to]}"

    def read(self, state: State, text: str) -> Move:
        legal = self.legal(state)
        body = phrase(text.translate(_DASHES)).removeprefix(f"{self.signs[state.turn].lower()} ")
        if body in STAYS:
            return legal[-1]
        names = NAMES[: len(state.near)]
        words = [word for word in body.split() if word not in FILLERS]
        to = " ".join(words).removeprefix("to ").upper()
        if state.turn == EVADER and len(to) == 1 and to in names:
            move = state.evader, names.index(to)
        else:
            try:
                (move,) = hops(" ".join(words), names)
            except ValueError:  # which an invalid answer is, and so are several moves
                what = "from a node to a neighbouring one, such as 'A-B', or 'stay'"
                raise InvalidAnswer(f"expected one move {what}") from None
        if move not in legal:
            options = ", ".join(self.name(state, each) for each in legal)
            raise InvalidAnswer(f"expected one of {options}")
        return move

    def show(self, state: State) -> str:
        nodes = [
            f"{NAMES[n]}: {' '.join(NAMES[other] for other in ones(near))}"
            for n, near in enumerate(state.near)
        ]
        pursuers = " and ".join(NAMES[each] for each in state.pursuers)
        return (
            "Neighbours of each node:\n"
            + "\n".join(nodes)
            + f"\n\nThe pursuers are on {pursuers}, the evader is on {NAMES[state.evader]}. "
            f"Moves left, of both sides together: {state.left}."
        )

    def scene(self, state: State, last: Move | None) -> Graph:
        size = len(state.near)
        signs = dict.fromkeys(state.pursuers, "P") | {state.evader: "E"}
        tones = {"P": "c3", "E": "c0"}
        nodes = []
        for n in range(size):
            turn, sign = 2 * pi * n / size, signs.get(n, "")
            tone = tones.get(sign, "paper")
            nodes.append(
                Node(
                    f"{NAMES[n]} {sign}".strip(), tone, x=0.5 + sin(turn) / 2, y=0.5 - cos(turn) / 2
                )
            )
        edges = [Edge(a, b) for a, near in enumerate(state.near) for b in ones(near) if a < b]
        return Graph(tuple(nodes), tuple(edges))


@lru_cache(maxsize=32)
def distances(near: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The numbers of edges between all pairs of nodes of a connected graph."""
    table = []
    for start in range(len(near)):
        far, wave, steps = [0] * len(near), 1 << start, 0
        seen = wave
        while wave:
            for node in ones(wave):
                far[node] = steps
            reached = 0
            for node in ones(wave):
                reached |= near[node]
            wave, steps = reached & ~seen, steps + 1
            seen |= wave
        table.append(tuple(far))
    return tuple(table)


Position = tuple[tuple[int, int], int, int]
"""The nodes of the pursuers and of the evader, and whose turn it is."""


@lru_cache(maxsize=32)
def captures(near: tuple[int, ...]) -> dict[Position, int]:
    """How many moves of the pursuers a capture takes from each position, by retrograde analysis;
    :data:`NEVER` where the evader can escape for ever.
    """
    nodes = range(len(near))
    pairs = [(a, b) for a in nodes for b in nodes if a < b]
    needed: dict[Position, int] = {}
    for pair in pairs:
        for evader in nodes:
            start = 0 if evader in pair else NEVER
            needed[pair, evader, PURSUERS] = needed[pair, evader, EVADER] = start
    moves = {pair: [*_pursuits(near, pair)] for pair in pairs}
    changed, number = True, 0
    while changed:
        changed, number = False, number + 1
        for pair in pairs:
            for evader in nodes:
                if needed[pair, evader, PURSUERS] == NEVER and any(
                    needed[after, evader, EVADER] < number for after in moves[pair]
                ):
                    needed[pair, evader, PURSUERS] = number
                    changed = True
        for pair in pairs:
            taken = 1 << pair[0] | 1 << pair[1]
            for evader in nodes:
                if needed[pair, evader, EVADER] == NEVER and all(
                    needed[pair, to, PURSUERS] <= number
                    for to in (evader, *ones(near[evader] & ~taken))
                ):
                    needed[pair, evader, EVADER] = number
                    changed = True
    return needed


def _pursuits(near: tuple[int, ...], pair: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """The nodes of the pursuers after each of their moves."""
    yield pair
    for one, other in (pair, pair[::-1]):
        for to in ones(near[one] & ~(1 << other)):
            yield (to, other) if to < other else (other, to)
