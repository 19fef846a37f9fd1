"""The rules of finding a number by comparisons, of which an adversary may answer some wrongly."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import NamedTuple

from palaestra.generators.games.deduction.adversary import AdversaryRules
from palaestra.scenes import Cell, Table
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import phrase

_QUESTION = re.compile(
    r"(?:my question |question )?(?:ask )?(?:whether |if )?"
    r"(?:is )?(?:(?:it|the number|number|your number|x|n) )?(?:is )?"
    r"(?:(?:at least|greater than or equal to|not less than|no less than) (\d{1,3})"
    r"|(\d{1,3}) or more)",
    re.ASCII,
)
_BARE = re.compile(r"[\s*_`'\"]*(\d{1,3})[\s*_`'\".]*", re.ASCII)
_GREATER = re.compile(r">=|\\geq?(?![a-z])", re.ASCII)
_SIGNS = str.maketrans({"\u2265": " at least ", "\u2a7e": " at least ", "?": " "})


class State(NamedTuple):
    """For each number the wrong answers so far if it is the one, or -1 once it is ruled out, and
    the coins that are left to pay questions with.
    """

    lies: tuple[int, ...]
    coins: int


@dataclass(frozen=True)
class GuessingWithLies(AdversaryRules[State, int]):
    """Leave a single number. A move is the number of a question "is it at least this?"."""

    most_lies: int
    costs: tuple[int, ...]
    """The coins for each question, from "at least 2" on."""

    state_type = State

    def is_won(self, state: State) -> bool:
        return len(state.lies) - state.lies.count(-1) == 1

    def legal(self, state: State) -> Sequence[int]:
        if self.is_won(state):
            return ()
        return [n for n, cost in enumerate(self.costs, 2) if cost <= state.coins]

    def useful(self, state: State) -> Sequence[int]:
        return [n for n in splits(state.lies) if self.costs[n - 2] <= state.coins]

    def answers(self, state: State, move: int) -> Mapping[str, State]:
        left = state.coins - self.costs[move - 2]
        parts = {answer: self.after(state.lies, move, answer) for answer in ("yes", "no")}
        return {answer: State(lies, left) for answer, lies in parts.items() if max(lies) >= 0}

    def after(self, lies: tuple[int, ...], move: int, answer: str) -> tuple[int, ...]:
        """The wrong answers of each number after one more answer."""
        below, above = (1, 0) if answer == "yes" else (0, 1)
        most = self.most_lies
        return tuple(
            number if number < 0 or not (wrong := below if n < move else above)
            else number + wrong if number < most else -1
            for n, number in enumerate(lies, 1)
        )  # fmt: skip

    def weight(self, state: State) -> float:
        return float(sum(self.most_lies + 1 - lies for lies in state.lies if lies >= 0))

    def needed(self, state: State) -> float:
        return cost_of(self, state.lies)

    def left(self, state: State) -> float:
        return state.coins

    def name(self, state: State, move: int) -> str:
        return f"at least {move}"

    def read(self, state: State, text: str) -> int:
        body = _GREATER.sub(" at least ", text.translate(_SIGNS))
        match = _BARE.fullmatch(text) or _QUESTION.fullmatch(phrase(body))
        if not match:
            raise InvalidAnswer("expected a question such as 'at least 3'")
        move = int(match[match.lastindex or 1])
        if move not in self.legal(state):
            raise InvalidAnswer(
                f"expected a number from 2 to {len(state.lies)} whose question you can pay"
            )
        return move

    def show(self, state: State) -> str:
        numbers = [(n, lies) for n, lies in enumerate(state.lies, 1) if lies >= 0]
        if self.most_lies:
            title = "Numbers left, each with the wrong answers there have been if it is the number"
            left = [f"{n} ({lies})" for n, lies in numbers]
        else:
            title, left = "Numbers left", [str(n) for n, _ in numbers]
        return f"{title}: {', '.join(left)}\nCoins left: {state.coins}"

    def scene(self, state: State) -> Table:
        cells = tuple(
            Cell(str(lies) if lies >= 0 else "", fill="paper" if lies >= 0 else "muted")
            for lies in state.lies
        )
        numbers = tuple(map(str, range(1, len(state.lies) + 1)))
        return Table((cells,), top=numbers, left=("wrong answers",))

    def thumbs(self) -> Mapping[str, Callable[[State, Random], int]]:
        def middle(state: State, rng: Random) -> int:
            left = [n for n, lies in enumerate(state.lies, 1) if lies >= 0]
            return self._payable(state, left[len(left) // 2])

        def likeliest(state: State, rng: Random) -> int:
            least = min(lies for lies in state.lies if lies >= 0)
            left = [n for n, lies in enumerate(state.lies, 1) if lies == least]
            if len(left) < 2:
                return middle(state, rng)
            return self._payable(state, left[len(left) // 2])

        def cheapest(state: State, rng: Random) -> int:
            options = self.useful(state) or self.legal(state)
            return min(options, key=lambda move: self.costs[move - 2])

        def for_a_coin(state: State, rng: Random) -> int:
            def gain(move: int) -> float:
                gained = self.weight(state) - self.worst_weight(state, move)
                return gained / self.costs[move - 2]

            return max(self.useful(state) or self.legal(state), key=gain)

        return {
            "the middle of the numbers left": middle,
            "the middle of the likeliest numbers": likeliest,
            "the most even question": lambda state, rng: self.most_even(state),
            "the cheapest question that leaves at most 70 %": lambda state, rng: self.cheap(state),
            "the cheapest question that splits": cheapest,
            "the most ruled out for a coin": for_a_coin,
        }

    def _payable(self, state: State, number: int) -> int:
        """The legal question that is nearest to a number."""
        return min(self.legal(state), key=lambda move: abs(move - number))


@lru_cache(maxsize=65_536)
def splits(lies: tuple[int, ...]) -> tuple[int, ...]:
    """Questions with numbers left on both sides."""
    left = [n for n, number in enumerate(lies, 1) if number >= 0]
    return tuple(range(left[0] + 1, left[-1] + 1))


@lru_cache(maxsize=65_536)
def cost_of(rules: GuessingWithLies, lies: tuple[int, ...]) -> float:
    """The coins that the best strategy needs in the worst case."""
    if len(lies) - lies.count(-1) == 1:
        return 0.0
    best = float("inf")
    for move in sorted(splits(lies), key=lambda move: rules.costs[move - 2]):
        cost = rules.costs[move - 2]
        if cost >= best:
            break
        worst = cost_of(rules, rules.after(lies, move, "yes"))
        if cost + worst < best:
            no = cost_of(rules, rules.after(lies, move, "no"))
            best = min(best, cost + max(worst, no))
    return best
