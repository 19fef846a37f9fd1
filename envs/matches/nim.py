"""Nim, the game that Charles Bouton solved and named in 1901."""

from functools import lru_cache
from random import Random
from typing import Any

from palaestra.generators.matches.impartial import ImpartialMatch
from palaestra.generators.matches.nim import LETTERS, State
from palaestra.generators.matches.nim import Nim as NimRules
from palaestra.task import ladder


class Nim(ImpartialMatch):
    """Win Nim from a position with several heaps against a perfect opponent."""

    class Knobs(ImpartialMatch.Knobs):
        heaps: int = ladder(3, 4, 5, 5, 6, 6, low=2, high=8)
        largest: int = ladder(4, 7, 11, 20, 20, 24, low=2, high=60)  # objects in a heap
        misere: bool = ladder(False, False, False, True, False, True)  # the last object loses
        least_moves: int = ladder(2, 3, 4, 5, 6, 7, low=1, high=12)
        most_chance: float = ladder(0.2, 0.02, 1e-4, 1e-6, 1e-9, 1e-12, low=1e-15)

    misere: bool

    @classmethod
    def rules_of(cls, knobs: Any) -> NimRules:
        return NimRules((knobs.largest,) * knobs.heaps, knobs.misere)

    def rules(self) -> NimRules:
        return _rules(self.position, self.misere)

    @classmethod
    def opening(cls, rng: Random, rules: NimRules, knobs: Any) -> State:
        return State(tuple(sorted(rng.randint(1, size) for size in rules.heaps)), rng.randrange(2))

    def description(self) -> str:
        names = f"A to {LETTERS[len(self.rules().heaps) - 1]}"
        last = "loses" if self.misere else "wins"
        return self.phrase(
            f"Nim with heaps of objects, {names}. X and O take turns; in each turn, a player takes "
            "any number of objects, at least one, from a single heap. Whoever takes the last "
            f"object of all {last} the game. The size of each heap is shown, and the player to "
            "move is stated below. A move is the number of objects and the heap, such as 'take 1 "
            "from A'.",
            f"This is the game of Nim. There are heaps {names}, and a line with the number of "
            "objects in each. The players X and O alternate. A player chooses one heap in each "
            "turn and removes one object or more from it, up to the whole heap. The player who "
            f"removes the very last object {last}. It begins with the player who is named below "
            "the first position. Write a move with the number and the heap, for example 'take 1 "
            "from A'.",
        )


@lru_cache(maxsize=512)
def _rules(position: str, misere: bool) -> NimRules:
    heaps, _ = NimRules((), misere).decode(position)
    return NimRules(heaps, misere)
