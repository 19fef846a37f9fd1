"""The rules of betting to reach a target within some rounds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from palaestra.generators.games.chance import ChanceRules
from palaestra.scenes import Card, Cards, Cell, Panels, Table
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import phrase

PASS = (-1, 0)
"""The move of a round without a bet."""

WON, LOST = (0, 1), (0, 0)
"""The chance events."""

_FILLERS = frozenset(("bet", "stake", "put", "chip", "chips", "on", "in", "game", "with", "wager"))
_PASSES = frozenset(
    (
        "pass",
        "no bet",
        "skip",
        "bet nothing",
        "wait",
        "sit out",
        "do not bet",
        "pass this turn",
        "pass the turn",
    )
)


class Bet(NamedTuple):
    """A bet: its probability to win in percent, and the chips that it pays for each one at stake,
    beside the stake itself.
    """

    percent: int
    odds: int


Move = tuple[int, int]
"""The number of a bet, and the stake."""


class State(NamedTuple):
    """The chips, the rounds left with the current one, and the bet that is made, or `PASS`."""

    chips: int
    rounds: int
    bet: Move


@dataclass(frozen=True)
class TargetBetting(ChanceRules[State, Move]):
    """Have at least a number of chips in the end, or before. A success counts 1."""

    bets: tuple[Bet, ...]
    stakes: tuple[int, ...]
    target: int
    state_type = State

    def legal(self, state: State) -> Sequence[Move]:
        if state.bet != PASS or not state.rounds or not 0 < state.chips < self.target:
            return ()
        stakes = [stake for stake in self.stakes if stake <= state.chips]
        return [*((n, stake) for n in range(len(self.bets)) for stake in stakes), PASS]

    def chances(self, state: State) -> Sequence[tuple[Move, float]]:
        if state.bet == PASS:
            return ()
        chance = self.bets[state.bet[0]].percent / 100
        return (WON, chance), (LOST, 1 - chance)

    def apply(self, state: State, move: Move) -> State:
        if state.bet == PASS:
            return State(state.chips, state.rounds - (move == PASS), move)
        number, stake = state.bet
        gain = self.bets[number].odds * stake if move == WON else -stake
        return State(min(self.target, state.chips + gain), state.rounds - 1, PASS)

    def payoff(self, state: State) -> float:
        return float(state.chips >= self.target)

    def name(self, state: State, move: Move) -> str:
        return "pass" if move == PASS else f"bet {move[1]} on {letter(move[0])}"

    def read(self, state: State, text: str) -> Move:
        body = phrase(text)
        words = [word for word in body.split() if word not in _FILLERS]
        if body in _PASSES:
            return PASS
        expected = "expected a stake and a bet, such as 'bet 1 on A', or 'pass'"
        if len(words) != 2:
            raise InvalidAnswer(expected)
        by_words = {
            frozenset((str(stake), letter(number).casefold())): (number, stake)
            for number, stake in self.legal(state)
            if stake
        }
        move = by_words.get(frozenset(words))
        if move is None:
            raise InvalidAnswer(f"{expected}, with a stake that is possible")
        return move

    def show(self, state: State) -> str:
        return f"Your chips: {state.chips}\nTurns left, with this one: {state.rounds}"

    def news(self, state: State, event: Move) -> str:
        number, stake = state.bet
        bet = f"You bet {stake} on {letter(number)}"
        if event == WON:
            return f"{bet} and win: +{self.bets[number].odds * stake}."
        return f"{bet} and lose: -{stake}."

    def end(self, state: State) -> str:
        if state.chips >= self.target:
            return f"You have reached the target of {self.target} chips."
        return f"You have {state.chips} of {self.target} chips: the target is missed."

    def scene(self, state: State) -> Panels:
        numbers = (state.chips, self.target, state.rounds)
        rows = tuple((Card(str(number), shape="coin"),) for number in numbers)
        names = tuple(f"Bet {letter(n)}" for n in range(len(self.bets)))
        bets = tuple((Cell(f"{bet.percent}%"), Cell(str(bet.odds))) for bet in self.bets)
        table = Table(bets, top=("wins", "pays"), left=names)
        return Panels(
            (Cards(rows, ("Chips", "Target", "Turns left")), table), ("", "Bets"), columns=1
        )

    def thumbs(self) -> Mapping[str, Callable[[State, Random], Move]]:
        def by(value: Callable[[State, Move], float]) -> Callable[[State, Random], Move]:
            return lambda state, rng: max(
                self.legal(state)[:-1], key=lambda move: value(state, move)
            )

        return {
            "the likeliest bet that reaches the target, else the most chips": by(self._bold),
            "the most likely bet, a share of what is missing": by(self._even),
            "the best expectation": by(self._expectation),
            "the best expectation, smallest stake": by(
                lambda state, move: self._expectation(state, (move[0], 1)) - move[1] / 1_000
            ),
        }

    def _gain(self, move: Move) -> int:
        return self.bets[move[0]].odds * move[1]

    def _bold(self, state: State, move: Move) -> float:
        reaches = state.chips + self._gain(move) >= self.target
        chance = self.bets[move[0]].percent / 100
        return 10 * chance - move[1] / 1_000 if reaches else chance * self._gain(move) / 1_000

    def _even(self, state: State, move: Move) -> float:
        wanted = (self.target - state.chips) / state.rounds
        return self.bets[move[0]].percent - abs(self._gain(move) - wanted) / 1_000

    def _expectation(self, state: State, move: Move) -> float:
        chance = self.bets[move[0]].percent / 100
        return chance * self._gain(move) - (1 - chance) * move[1]


def letter(number: int) -> str:
    """The name of a bet.

    >>> letter(1)
    'B'
    """
    return "ABCDEFGH"[number]
