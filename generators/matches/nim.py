"""The rules of Nim, and the positions that are won by Bouton's theorem."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import xor
from string import ascii_uppercase
from typing import NamedTuple

from palaestra.generators.matches.impartial import Impartial
from palaestra.generators.states import decoded
from palaestra.scenes import Item, Stacks
from palaestra.task import InvalidAnswer
from palaestra.verifiers.matches.nim import amount

LETTERS = ascii_uppercase[:8]
"""The names of the heaps."""


class State(NamedTuple):
    """The sizes of the heaps, and whose turn it is."""

    heaps: tuple[int, ...]
    turn: int


@dataclass(frozen=True)
class Nim(Impartial[State, tuple[int, int]]):
    """Nim from some heaps. A move is a heap and the number of objects that are taken from it.

    In misère play, whoever takes the last object loses; otherwise, this player wins.
    """

    heaps: tuple[int, ...]
    misere: bool
    state_type = State

    def start(self) -> State:
        return State(self.heaps, 0)

    def legal(self, state: State) -> Sequence[tuple[int, int]]:
        return _legal(state.heaps)

    def encode(self, state: State) -> str:
        heaps, turn = state
        return f"[[{','.join(map(str, heaps))}],{turn}]"  # as by default, and faster

    def choices(self, state: State) -> int:
        return sum(state.heaps)

    def apply(self, state: State, move: tuple[int, int]) -> State:
        heaps, turn = state
        heap, number = move
        return State((*heaps[:heap], heaps[heap] - number, *heaps[heap + 1 :]), 1 - turn)

    def over(self, state: State) -> bool:
        return not any(state.heaps)

    def wins(self, state: State) -> bool:
        heaps = state.heaps
        if self.misere and max(heaps) <= 1:
            return sum(heaps) % 2 == 0
        return reduce(xor, heaps) != 0

    def winning(self, state: State) -> Sequence[tuple[int, int]]:
        heaps = state.heaps
        if self.misere and sum(size > 1 for size in heaps) <= 1:
            return super().winning(state)
        total = reduce(xor, heaps)
        return [
            (heap, size - (size ^ total)) for heap, size in enumerate(heaps) if size ^ total < size
        ]

    def name(self, state: State, move: tuple[int, int]) -> str:
        return _name(*move)

    def read(self, state: State, text: str) -> tuple[int, int]:
        heap, number = amount(text, state.heaps, LETTERS)
        if not 1 <= number <= state.heaps[heap]:
            raise InvalidAnswer(
                f"{number} objects cannot be taken from {LETTERS[heap]}, "
                f"which has {state.heaps[heap]}"
            )
        return heap, number

    def show(self, state: State) -> str:
        return _show(state.heaps)

    def decode(self, text: str) -> State:
        return _decode(text)

    def scene(self, state: State, last: tuple[int, int] | None) -> Stacks:
        marked = () if last is None or not state.heaps[last[0]] else (last[0],)
        return Stacks(
            tuple((Item(),) * size for size in state.heaps),
            labels=tuple(f"{name} {size}" for name, size in zip(LETTERS, state.heaps)),
            last=tuple((heap, state.heaps[heap] - 1) for heap in marked),
        )

    def judgement(self, state: State, player: int) -> float:
        """Heaps that stand in equal pairs, and few others, after an own move."""
        left = paired([size for size in state.heaps if size])
        return float(left if state.turn == player else -left)


# Heaps of the same sizes come again and again in games from one position.
@lru_cache(maxsize=4_096)
def _legal(heaps: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    return tuple(
        [(heap, number) for heap, size in enumerate(heaps) for number in range(1, size + 1)]
    )


@lru_cache(maxsize=4_096)
def _show(heaps: tuple[int, ...]) -> str:
    return "\n".join([f"{name}: {size}" for name, size in zip(LETTERS, heaps)])


@lru_cache(maxsize=512)
def _decode(text: str) -> State:
    heaps, turn = decoded(text)
    return State(heaps, turn)


@lru_cache(maxsize=4_096)
def _name(heap: int, number: int) -> str:
    return f"take {number} from {LETTERS[heap]}"


def paired(values: Sequence[int]) -> int:
    """How many numbers are left when equal ones are removed in pairs.

    >>> paired([3, 1, 3, 3])
    2
    """
    return sum(values.count(value) % 2 for value in {*values})
