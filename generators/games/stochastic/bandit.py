"""The rules of a Bernoulli bandit with a uniform prior, a finite horizon and costs of changes.

Without costs, an index of each arm alone is nearly as good as the best play. With costs of a change
of the arm there is no such index (Banks and Sundaram, 1994).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple

from palaestra.generators.games.chance import ChanceRules
from palaestra.scenes import Cell, Table
from palaestra.verifiers.reading.actions import action

LETTERS = "ABCDEFGH"
SUCCESS, FAILURE = "success", "failure"

Tally = tuple[int, int]
"""The successes and failures of an arm so far."""


Thumb = Callable[["State", Random], int]
"""A player who does not search."""


class State(NamedTuple):
    """The pulls left, the tallies of the arms, the arm that is being pulled, or -1, the successes
    of the player, the arm that was pulled last, or -1, and how often the player changed the arm.
    """

    left: int
    arms: tuple[Tally, ...]
    pulled: int
    won: int
    last: int = -1
    changes: int = 0


def deviation(tally: Tally) -> float:
    """The standard deviation of the probability of success of an arm.

    >>> round(deviation((0, 0)) ** 2 * 12, 9)
    1.0
    """
    return float((mean(tally) * (1 - mean(tally)) / (sum(tally) + 3)) ** 0.5)


@lru_cache(maxsize=1 << 15)
def future(cost: int, left: int, arms: tuple[Tally, ...], last: int) -> float:
    """The successes of the best play from now on, less costs in percent of a success."""
    if not left:
        return 0.0
    if left == 1:
        return max(
            (good + 1) / (good + bad + 2) - (cost / 100 if last not in {-1, n} else 0)
            for n, (good, bad) in enumerate(arms)
        )
    values = list[float]()
    for n, (good, bad) in enumerate(arms):
        before, after, chance = arms[:n], arms[n + 1 :], mean((good, bad))
        pulled = n if cost else -1
        higher = future(cost, left - 1, (*before, (good + 1, bad), *after), pulled)
        lower = future(cost, left - 1, (*before, (good, bad + 1), *after), pulled)
        changed = last not in {-1, n}
        values.append(chance * (1 + higher) + (1 - chance) * lower - changed * cost / 100)
    return max(values)


def early_index(tally: Tally, left: int) -> float:
    """The mean with a bonus for what is unknown, which shrinks with the pulls that are left."""
    return mean(tally) + deviation(tally) * (left - 1) / 5


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

    cost: int = 0
    """What a change of the arm costs, in percent of a success."""
    state_type = State

    def legal(self, state: State) -> Sequence[int]:
        return range(len(state.arms)) if state.left and state.pulled < 0 else ()

    def chances(self, state: State) -> Sequence[tuple[str, float]]:
        if state.pulled < 0:
            return ()
        chance = mean(state.arms[state.pulled])
        return ((SUCCESS, chance), (FAILURE, 1 - chance))

    def apply(self, state: State, move: int | str) -> State:
        left, arms, pulled, won, last, changes = state
        if isinstance(move, int):
            return State(left - 1, arms, move, won, move, changes + (last not in {-1, move}))
        good, bad = arms[pulled]
        tally = (good + 1, bad) if move == SUCCESS else (good, bad + 1)
        after = (*arms[:pulled], tally, *arms[pulled + 1 :])
        return State(left, after, -1, won + (move == SUCCESS), last, changes)

    def payoff(self, state: State) -> float:
        return state.won - state.changes * self.cost / 100

    def solved(self, state: State) -> float | None:
        if state.pulled >= 0:
            return None
        return self.payoff(state) + future(
            self.cost, state.left, state.arms, state.last if self.cost else -1
        )

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
        lines = [*arms, f"Pulls left: {state.left}", f"Your successes: {state.won}"]
        if self.cost:
            last = LETTERS[state.last] if state.last >= 0 else "none"
            lines += [f"Arm pulled last: {last}", f"Your changes of the arm: {state.changes}"]
        return "\n".join(lines)

    def news(self, state: State, event: int | str) -> str:
        return f"Arm {LETTERS[state.pulled]}: {event}."

    def end(self, state: State) -> str:
        end = f"You have had {state.won} success{'es' * (state.won != 1)}"
        if not state.changes or not self.cost:
            return f"{end}."
        plural = "s" * (state.changes != 1)
        return (
            f"{end}, and {state.changes} change{plural} of the arm, {self.payoff(state):g} in all."
        )

    def scene(self, state: State) -> Table:
        rows = tuple(tuple(Cell(str(number)) for number in tally) for tally in state.arms)
        names = tuple(f"Arm {LETTERS[n]}" for n in range(len(state.arms)))
        return Table(rows, top=("Successes", "Failures"), left=names)

    def thumbs(self) -> Mapping[str, Callable[[State, Random], int]]:
        def best(key: Callable[[Tally, int], float], cost: int = 0) -> Thumb:
            """The arm of the greatest key, by its tally and the pulls left; a change has a cost."""

            def worth(state: State, n: int) -> float:
                changed = state.last not in {-1, n}
                return state.left * key(state.arms[n], state.left) - changed * cost / 100

            return lambda state, rng: max(range(len(state.arms)), key=lambda n: worth(state, n))

        return {
            "fewest pulls": best(lambda tally, left: -float(sum(tally))),
            "most successes": best(lambda tally, left: float(tally[0])),
            "greatest probability": best(lambda tally, left: mean(tally)),
            "greatest probability, less the cost": best(lambda tally, left: mean(tally), self.cost),
            "greatest probability, then fewest pulls": best(
                lambda tally, left: round(mean(tally), 9) - 1e-6 * sum(tally), self.cost
            ),
            "half a deviation more": best(
                lambda tally, left: mean(tally) + deviation(tally) / 2, self.cost
            ),
            "a bonus that shrinks with the pulls left": best(early_index),
            "such a bonus, less the cost": best(early_index, self.cost),
            "greatest share with a bonus for few pulls": best(
                lambda tally, left: mean(tally) + 0.5 / (sum(tally) + 1)
            ),
        }
