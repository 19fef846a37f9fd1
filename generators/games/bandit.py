"""The rules of a Bernoulli bandit with a uniform prior and a finite horizon."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from palaestra.generators.games.chance import ChanceRules
from palaestra.scenes import Cell, Table
from palaestra.verifiers.reading.actions import action

LETTERS = "ABCDEFGH"
SUCCESS, FAILURE = "success", "failure"

Tally = tuple[int, int]
"""The successes and failures of an arm so far."""


class State(NamedTuple):
    """The pulls left, the tallies of the arms, the arm that is being pulled, or -1, and the
    successes of the player.
    """

    left: int
    arms: tuple[Tally, ...]
    pulled: int
    won: int


def synonyms(arm: str) -> Iterator[str]:
    """Ways to write a pull of an arm, whose letter is in lower case.

    >>> [*synonyms("b")][:3]
    ['pull b', 'pull arm b', 'pull the arm b']
    """
    for verb in ("pull ", "play ", "choose ", "select ", "pick ", "try ", ""):
        for noun in ("", "arm ", "the arm ", "lever "):
            yield f"{verb}{noun}{arm}"


def mean(tally: Tally) -> float:
    """The probability of a success of the next pull, after a uniform prior (Laplace).

    >>> mean((0, 0)), mean((3, 1))
    (0.5, 0.6666666666666666)
    """
    return (tally[0] + 1) / (sum(tally) + 2)


@dataclass(frozen=True)
class Bandit(ChanceRules[State, "int | str"]):
    """Pull arms of unknown probabilities of success, which are independent and uniform at first.

    A move is the number of an arm, a chance event a success or a failure.
    """

    state_type = State

    def legal(self, state: State) -> Sequence[int]:
        return range(len(state.arms)) if state.left and state.pulled < 0 else ()

    def chances(self, state: State) -> Sequence[tuple[str, float]]:
        if state.pulled < 0:
            return ()
        chance = mean(state.arms[state.pulled])
        return ((SUCCESS, chance), (FAILURE, 1 - chance))

    def apply(self, state: State, move: int | str) -> State:
        left, arms, pulled, won = state
        if isinstance(move, int):
            return State(left - 1, arms, move, won)
        good, bad = arms[pulled]
        tally = (good + 1, bad) if move == SUCCESS else (good, bad + 1)
        after = (*arms[:pulled], tally, *arms[pulled + 1 :])
        return State(left, after, -1, won + (move == SUCCESS))

    def payoff(self, state: State) -> float:
        return float(state.won)

    def name(self, state: State, move: int | str) -> str:
        return f"pull {LETTERS[move]}" if isinstance(move, int) else move

    def read(self, state: State, text: str) -> int:
        moves = {self.name(state, move): move for move in self.legal(state)}
        names = {name: list(synonyms(name[-1].casefold())) for name in moves}
        return moves[action(text, names)]

    def show(self, state: State) -> str:
        arms = (
            f"Arm {LETTERS[n]}: successes {good}, failures {bad}"
            for n, (good, bad) in enumerate(state.arms)
        )
        left = f"Pulls left: {state.left}\nYour successes: {state.won}"
        return "\n".join([*arms, left])

    def news(self, state: State, event: int | str) -> str:
        return f"Arm {LETTERS[state.pulled]}: {event}."

    def end(self, state: State) -> str:
        return f"You have had {state.won} success{'es' * (state.won != 1)}."

    def scene(self, state: State) -> Table:
        rows = tuple(tuple(Cell(str(number)) for number in tally) for tally in state.arms)
        names = tuple(f"Arm {LETTERS[n]}" for n in range(len(state.arms)))
        return Table(rows, top=("Successes", "Failures"), left=names)

    def thumbs(self) -> Mapping[str, Callable[[State, Random], int]]:
        def best(key: Callable[[Tally], float]) -> Callable[[State, Random], int]:
            return lambda state, rng: max(range(len(state.arms)), key=lambda n: key(state.arms[n]))

        return {
            "greatest probability": best(mean),
            "fewest pulls": best(lambda tally: -float(sum(tally))),
            "most successes": best(lambda tally: float(tally[0])),
            "greatest share with a bonus for few pulls": best(
                lambda tally: mean(tally) + 0.5 / (sum(tally) + 1)
            ),
        }
