"""Repeated games of two moves against finite automata, and exact best responses to a mixture.

The player knows the prior probabilities of the automata. A belief is the list of the automata that
may be the opponent, each with its state and a whole number in proportion to its probability.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import gcd
from random import Random
from typing import NamedTuple

from palaestra.generators.games.chance import ChanceRules
from palaestra.scenes import Cell, Table
from palaestra.verifiers.reading.actions import action

COOPERATE, DEFECT = 0, 1
NAMES = ("cooperate", "defect")
SYNONYMS = {
    "cooperate": ["c", "cooperation", "i cooperate", "cooperating", "coop"],
    "defect": ["d", "defection", "i defect", "defecting", "betray"],
}


class Automaton(NamedTuple):
    """A strategy with finitely many states, which starts in state 0."""

    words: str
    cooperates: tuple[int, ...]
    """The probability in percent with which each state cooperates."""
    follows: tuple[tuple[int, int, int, int], ...]
    """For each state the next one, after the moves (own, other) CC, CD, DC and DD."""


AUTOMATA = {
    "cooperator": Automaton("always cooperates", (100,), ((0, 0, 0, 0),)),
    "defector": Automaton("always defects", (0,), ((0, 0, 0, 0),)),
    "copier": Automaton(
        "cooperates in round 1, and afterwards repeats your previous move (tit for tat)",
        (100, 0),
        ((0, 1, 0, 1), (0, 1, 0, 1)),
    ),
    "suspicious copier": Automaton(
        "defects in round 1, and afterwards repeats your previous move",
        (0, 100),
        ((1, 0, 1, 0), (1, 0, 1, 0)),
    ),
    "patient copier": Automaton(
        "defects if you have defected in both of the two previous rounds, and otherwise cooperates "
        "(tit for two tats)",
        (100, 100, 0),
        ((0, 1, 0, 1), (0, 2, 0, 2), (0, 2, 0, 2)),
    ),
    "punisher": Automaton(
        "defects if you have defected in at least one of the two previous rounds, and otherwise "
        "cooperates (two tits for tat)",
        (100, 0, 0),
        ((0, 1, 0, 1), (2, 1, 2, 1), (0, 1, 0, 1)),
    ),
    "grim": Automaton(
        "cooperates until you have defected once, and defects in all rounds after that",
        (100, 0),
        ((0, 1, 0, 1), (1, 1, 1, 1)),
    ),
    "pavlov": Automaton(
        "cooperates in round 1, and afterwards cooperates if both players made the same move in "
        "the previous round, and otherwise defects",
        (100, 0),
        ((0, 1, 1, 0), (0, 1, 1, 0)),
    ),
    "alternator": Automaton(
        "cooperates in round 1 and in every other round after that, and defects in the rounds "
        "between",
        (100, 0),
        ((1, 1, 1, 1), (0, 0, 0, 0)),
    ),
    "contrarian": Automaton(
        "defects in round 1, and afterwards makes the opposite of your previous move",
        (0, 100),
        ((0, 1, 0, 1), (0, 1, 0, 1)),
    ),
    "coin": Automaton(
        "cooperates with probability 50 % in each round", (50,), ((0, 0, 0, 0),)
    ),
    "generous copier": Automaton(
        "cooperates in round 1; afterwards it cooperates if your previous move was to cooperate, "
        "and with probability 30 % if your previous move was to defect",
        (100, 30),
        ((0, 1, 0, 1), (0, 1, 0, 1)),
    ),
}  # fmt: skip
"""The strategies by name; the words describe all of their behaviour."""

WHOLE = 10_000
"""What the odds of a move are counted out of."""

Belief = tuple[tuple[str, int, int], ...]
"""The name, the state and the weight of each automaton that may be the opponent."""


class State(NamedTuple):
    """The rounds left, the prior weights of the automata, all moves so far as letters, that of the
    player first in each round, and the move of the player in the round in progress, or -1.
    """

    left: int
    prior: tuple[int, ...]
    history: str
    pending: int


def reduced(belief: Sequence[tuple[str, int, int]]) -> Belief:
    """A belief without automata of weight 0, and with weights as small as possible.

    >>> reduced([("grim", 0, 20), ("coin", 0, 0), ("defector", 0, 30)])
    (('grim', 0, 2), ('defector', 0, 3))
    """
    divisor = gcd(*(weight for _, _, weight in belief))
    return tuple((name, state, weight // divisor) for name, state, weight in belief if weight)


class Solver:
    """The greatest expected points against a belief, each belief visited once.

    All is computed in whole numbers: points are multiplied by the sum of the weights and by
    :data:`WHOLE` for each round that is left.
    """

    def __init__(self, payoffs: tuple[int, ...], noise: int) -> None:
        self.payoffs = payoffs
        self._odds = {
            (name, state): (c := share * (100 - noise) + (100 - share) * noise, WHOLE - c)
            for name, automaton in AUTOMATA.items()
            for state, share in enumerate(automaton.cooperates)
        }
        """How often each automaton cooperates and defects in each state, out of WHOLE times."""
        self._values: dict[tuple[int, Belief], int] = {}

    def after(self, belief: Belief, mine: int, theirs: int) -> Belief:
        """The belief after a round, with weights that are not reduced."""
        column = 2 * theirs + mine
        return tuple(
            (name, AUTOMATA[name].follows[state][column], weight * odds)
            for name, state, weight in belief
            if (odds := self._odds[name, state][theirs])
        )

    def _weights(self, belief: Belief) -> tuple[int, int]:
        """How much of a belief cooperates and defects next."""
        odds = [(weight, self._odds[name, state]) for name, state, weight in belief]
        return sum(w * each[0] for w, each in odds), sum(w * each[1] for w, each in odds)

    def chances(self, belief: Belief) -> list[tuple[int, float]]:
        """The moves that the opponent may make next, each with its probability."""
        weights = self._weights(belief)
        total = sum(weights)
        return [(move, weight / total) for move, weight in enumerate(weights) if weight]

    def move(self, left: int, belief: Belief, mine: int) -> float:
        """The expected points of a move and all rounds after it."""
        total = sum(weight for _, _, weight in belief)
        return float(self._move(left, belief, mine) / (total * WHOLE**left))

    def value(self, left: int, belief: Belief) -> float:
        """The expected points of the best play in the rounds that are left."""
        return max(self.move(left, belief, mine) for mine in (0, 1)) if left else 0.0

    def _move(self, left: int, belief: Belief, mine: int) -> int:
        total = 0
        for theirs, weight in enumerate(self._weights(belief)):
            if weight:
                total += self.payoffs[2 * mine + theirs] * weight * WHOLE ** (left - 1)
                if left > 1:
                    total += self._value(left - 1, self.after(belief, mine, theirs))
        return total

    def _value(self, left: int, belief: Belief) -> int:
        key = left, belief
        if key not in self._values:
            self._values[key] = max(self._move(left, belief, mine) for mine in (0, 1))
        return self._values[key]


@lru_cache(maxsize=16)
def solver(payoffs: tuple[int, ...], noise: int) -> Solver:
    """The solver of a game, which its matches share."""
    return Solver(payoffs, noise)


@dataclass(frozen=True)
class IteratedDilemma(ChanceRules[State, int]):
    """Play a game of two moves several times against an automaton that is one of several.

    A chance event is the opponent's move.
    """

    payoffs: tuple[int, ...]
    """The player's points for the moves (own, other) CC, CD, DC and DD."""
    names: tuple[str, ...]
    """The automata that the opponent may be."""
    noise: int
    """The probability in percent of a move that the automaton did not intend."""
    state_type = State

    def belief(self, state: State) -> Belief:
        """What the player knows of the opponent before the next round."""
        tool = solver(self.payoffs, self.noise)
        belief = reduced([(name, 0, w) for name, w in zip(self.names, state.prior, strict=True)])
        for mine, theirs in self.rounds(state):
            belief = reduced(tool.after(belief, mine, theirs))
        return belief

    @staticmethod
    def rounds(state: State) -> list[tuple[int, int]]:
        """The moves of the player and of the opponent in each round so far."""
        moves = ["CD".index(letter) for letter in state.history]
        return list(zip(moves[::2], moves[1::2], strict=True))

    def points(self, state: State) -> int:
        """The player's points so far."""
        return sum(self.payoffs[2 * mine + theirs] for mine, theirs in self.rounds(state))

    def legal(self, state: State) -> Sequence[int]:
        return (COOPERATE, DEFECT) if state.left and state.pending < 0 else ()

    def chances(self, state: State) -> Sequence[tuple[int, float]]:
        if state.pending < 0:
            return ()
        return solver(self.payoffs, self.noise).chances(self.belief(state))

    def apply(self, state: State, move: int) -> State:
        left, prior, history, pending = state
        if pending < 0:
            return State(left, prior, history, move)
        return State(left - 1, prior, history + "CD"[pending] + "CD"[move], -1)

    def payoff(self, state: State) -> float:
        return float(self.points(state))

    def solved(self, state: State) -> float:
        tool, belief = solver(self.payoffs, self.noise), self.belief(state)
        if state.pending < 0:
            return self.points(state) + tool.value(state.left, belief)
        return self.points(state) + tool.move(state.left, belief, state.pending)

    def name(self, state: State, move: int) -> str:
        return NAMES[move]

    def read(self, state: State, text: str) -> int:
        return NAMES.index(action(text, SYNONYMS))

    def show(self, state: State) -> str:
        prior = ", ".join(
            f"{letter(n)} {weight} %" for n, weight in enumerate(state.prior)
        )  # fmt: skip
        rounds = [
            f"Round {number}: you {NAMES[mine]}, the opponent {NAMES[theirs]}s"
            for number, (mine, theirs) in enumerate(self.rounds(state), 1)
        ]
        left = f"Rounds left: {state.left}\nYour points: {self.points(state)}"
        return "\n".join([f"Types before round 1: {prior}", *rounds, left])

    def news(self, state: State, event: int) -> str:
        return f"The opponent {NAMES[event]}s."

    def end(self, state: State) -> str:
        return f"You have {self.points(state)} points from this match."

    def scene(self, state: State) -> Table:
        moves = (*self.rounds(state), *[None] * state.left)
        rows = tuple(
            tuple(Cell("CD"[move], fill="t2" if move else "t0") for move in pair)
            if pair
            else (Cell(), Cell())
            for pair in moves
        )
        names = tuple(f"Round {number}" for number in range(1, len(moves) + 1))
        return Table(rows, top=("You", "Opponent"), left=names)

    def thumbs(self) -> Mapping[str, Callable[[State, Random], int]]:
        def last(state: State) -> int:
            return "CD".index(state.history[-1]) if state.history else COOPERATE

        def reply(theirs: int) -> int:
            return max((0, 1), key=lambda mine: self.payoffs[2 * mine + theirs])

        return {
            "always cooperate": lambda state, rng: COOPERATE,
            "always defect": lambda state, rng: DEFECT,
            "cooperate until the last round": lambda state, rng: int(state.left == 1),
            "tit for tat": lambda state, rng: last(state),
            "grim": lambda state, rng: int("D" in state.history[1::2]),
            "best reply to the previous move": lambda state, rng: reply(last(state)),
            "best reply in this round": lambda state, rng: self._myopic(state),
        }

    def _myopic(self, state: State) -> int:
        """The move of the most expected points in the next round."""
        chances = solver(self.payoffs, self.noise).chances(self.belief(state))
        return max(
            (0, 1), key=lambda mine: sum(p * self.payoffs[2 * mine + move] for move, p in chances)
        )


def letter(number: int) -> str:
    """The name of a type of opponent.

    >>> letter(1)
    'B'
    """
    return "ABCDEFGH"[number]
