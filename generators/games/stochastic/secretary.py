"""The rules of a secretary problem with payoffs by rank, costs and a memory of candidates."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from random import Random
from typing import NamedTuple

from palaestra.generators.games.chance import ChanceRules
from palaestra.scenes import Cell, Table
from palaestra.verifiers.reading.actions import action

CONTINUE = 0
"""The move that interviews the next candidate; other moves are the numbers of candidates."""


class State(NamedTuple):
    """The number of candidates seen, the relative ranks of those who can be accepted, the last one
    at the end, whether the next one is being interviewed, the relative rank of the accepted one,
    or 0, and the final rank of the accepted one, or 0.

    A relative rank counts among the candidates seen; 1 is the best.
    """

    seen: int
    ranks: tuple[int, ...]
    waiting: bool
    chosen: int
    final: int


@lru_cache(maxsize=64)
def accepted(payoffs: tuple[int, ...]) -> tuple[tuple[float, ...], ...]:
    """The expected payoff of a candidate by the number of candidates seen and the relative rank,
    both less 1.

    >>> accepted((3, 0, 0))
    ((1.0,), (2.0, 0.0), (3.0, 0.0, 0.0))
    """
    table = [tuple(map(float, payoffs))]
    for seen in range(len(payoffs) - 1, 0, -1):
        after = table[-1]
        # The next candidate is better than the one of this rank with probability rank / (seen + 1).
        table.append(
            tuple(
                (rank * after[rank] + (seen + 1 - rank) * after[rank - 1]) / (seen + 1)
                for rank in range(1, seen + 1)
            )
        )
    return tuple(reversed(table))


@dataclass(frozen=True)
class Secretary(ChanceRules[State, int]):
    """Accept one of the candidates, who come in random order.

    A chance event is the relative rank of the next candidate, or the final rank of the accepted
    one.
    """

    payoffs: tuple[int, ...]
    """The payoff of each final rank; there are as many candidates."""
    window: int
    """How many candidates can be accepted: the last one and those directly before."""
    cost: int
    """The cost of each interview."""
    state_type = State

    def legal(self, state: State) -> Sequence[int]:
        if state.waiting or state.chosen:
            return ()
        last = state.seen
        numbers = range(last, last - len(state.ranks), -1)
        return (*numbers, CONTINUE) if last < len(self.payoffs) else tuple(numbers)

    def chances(self, state: State) -> Sequence[tuple[int, float]]:
        seen, number = state.seen, len(self.payoffs)
        if state.waiting:
            return [(rank, 1 / (seen + 1)) for rank in range(1, seen + 2)]
        rank = state.chosen
        if not rank or state.final:
            return ()
        ways = comb(number, seen)
        return [
            (final, comb(final - 1, rank - 1) * comb(number - final, seen - rank) / ways)
            for final in range(rank, number - seen + rank + 1)
        ]

    def apply(self, state: State, move: int) -> State:
        seen, ranks, waiting, chosen, _ = state
        if waiting:
            older = (rank + (rank >= move) for rank in ranks)
            return State(seen + 1, (*older, move)[-self.window :], False, 0, 0)
        if chosen:
            return State(seen, ranks, False, chosen, move)
        if move == CONTINUE:
            return State(seen, ranks, True, 0, 0)
        return State(seen, ranks, False, ranks[move - seen - 1], 0)

    def payoff(self, state: State) -> float:
        return float(self.payoffs[state.final - 1] - self.cost * state.seen)

    def solved(self, state: State) -> float | None:
        if not state.chosen or state.final:
            return None
        table = accepted(self.payoffs)
        return table[state.seen - 1][state.chosen - 1] - self.cost * state.seen

    def name(self, state: State, move: int) -> str:
        return "continue" if move == CONTINUE else f"accept {move}"

    def read(self, state: State, text: str) -> int:
        moves = {self.name(state, move): move for move in self.legal(state)}
        return moves[action(text, {name: self._synonyms(state, name) for name in moves})]

    @staticmethod
    def _synonyms(state: State, name: str) -> list[str]:
        """Other ways to write a move, in lower case."""
        if name == "continue":
            return ["reject", "pass", "go on", "next", "next candidate", "wait", "skip",
                    "interview the next candidate", "continue to the next candidate",
                    "continue with the next", "continue with the next candidate"]  # fmt: skip
        number = name.split()[1]
        verbs = ("accept", "choose", "take", "hire", "select")
        forms = [f"{verb} {what}{number}" for verb in verbs
                 for what in ("", "candidate ", "number ", "candidate number ", "#", "candidate #",
                              "candidate no ", "the candidate ", "no ")]  # fmt: skip
        alone = [number, f"candidate {number}"]
        return [*forms, *alone, *(verbs if len(state.ranks) == 1 else ())]

    def show(self, state: State) -> str:
        first = state.seen - len(state.ranks) + 1
        lines = (
            f"Candidate {number}: rank {rank} of {state.seen}"
            for number, rank in enumerate(state.ranks, first)
        )
        seen = f"Candidates interviewed: {state.seen} of {len(self.payoffs)}"
        return "\n".join([seen, "Candidates that can be accepted:", *lines])

    def news(self, state: State, event: int) -> str:
        if state.chosen:
            return f"The accepted candidate has rank {event} among all {len(self.payoffs)}."
        return f"Candidate {state.seen + 1} has rank {event} of {state.seen + 1}."

    def end(self, state: State) -> str:
        return f"The payoff of this round is {self.payoff(state):g}."

    def scene(self, state: State) -> Table:
        first = state.seen - len(state.ranks) + 1
        rows = tuple((Cell(str(rank)), Cell(str(state.seen))) for rank in state.ranks)
        names = tuple(f"Candidate {number}" for number in range(first, state.seen + 1))
        return Table(rows, top=("Rank", "Interviewed"), left=names)

    def thumbs(self) -> Mapping[str, Callable[[State, Random], int]]:
        number = len(self.payoffs)
        mean = sum(self.payoffs) / number

        def until(enough: Callable[[State], bool]) -> Callable[[State, Random], int]:
            def move(state: State, rng: Random) -> int:
                if state.seen < number and not enough(state):
                    return CONTINUE
                return state.seen - len(state.ranks) + 1 + state.ranks.index(min(state.ranks))

            return move

        return {
            "the best so far": until(lambda state: min(state.ranks) == 1),
            "the best so far after 37 percent": until(
                lambda state: min(state.ranks) == 1 and state.seen > number / 2.72
            ),
            "the best so far after the half": until(
                lambda state: min(state.ranks) == 1 and state.seen >= number / 2
            ),
            "one of the best quarter": until(lambda state: 4 * min(state.ranks) <= state.seen + 3),
            "an expected payoff above the mean": until(
                lambda state: accepted(self.payoffs)[state.seen - 1][min(state.ranks) - 1] > mean
            ),
            "at once": until(lambda state: True),
        }
