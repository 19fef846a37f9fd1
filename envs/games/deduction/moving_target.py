"""A search for a target that moves unseen from room to room, the puzzle of the hidden princess.

Britnell and Wildon ("Finding a princess in a palace: a pursuit-evasion problem", 2013) and
Haslegrave ("An evasion game on a graph", 2014) describe when a single searcher succeeds.
"""

from collections.abc import Mapping
from random import Random
from typing import ClassVar, Self

from palaestra.generators.games.deduction.moving_target import (
    LETTERS,
    State,
    letters,
    shortest_search,
)
from palaestra.generators.games.deduction.moving_target import MovingTarget as Rules
from palaestra.generators.games.solo import SoloGame
from palaestra.generators.search import Plan
from palaestra.generators.states import encoded
from palaestra.task import Policy, Turn, ladder

TIES = 12
"""In how many ways ties are broken to see whether looking two turns ahead wins."""


class MovingTarget(SoloGame):
    """Inspect rooms, turn by turn, so that a target that moves unseen is certainly caught."""

    tags = {"planning", "hidden-information", "graphs", "search"}
    search_budget = 4_000
    tries: ClassVar[int] = 30
    """How many maps are looked at for one whose search is long enough."""

    class Knobs(SoloGame.Knobs):
        rooms: int = ladder(6, 7, 10, 11, 12, low=4, high=12)
        searchers: int = ladder(1, 1, 2, 2, 2, low=1, high=2)
        passages: int = ladder(0, 0, 4, 5, 6, low=0, high=6)  # beyond those of a tree
        least_moves: int = ladder(6, 8, 10, 11, 13, low=2, high=20)
        traps: int = ladder(0, 0, 1, 1, 1, low=0, high=1)  # 1: looking two turns ahead fails
        spare: int = ladder(1, 0, 0, 0, 0, low=0, high=10)  # moves beyond a shortest search

    near: tuple[int, ...]
    searchers: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        best, highest = cls._map(rng, knobs), (False, 0)
        for _ in range(cls.tries):
            task = cls._map(rng, knobs)
            plan = task.plan()
            length = len(plan.moves) if plan else 0
            if not length or (bool(knobs.traps), length) <= highest:
                continue
            hard = bool(knobs.traps) and not task.is_easy(length + knobs.spare)
            if (hard, length) > highest:
                best, highest = task, (hard, length)
            if length >= knobs.least_moves and hard == bool(knobs.traps):
                break
        length = highest[1]
        return best.model_copy(update={"moves": length + knobs.spare if length else 0})

    def is_easy(self, moves: int) -> bool:
        """Whether a player who looks two turns ahead wins in so many moves, with ties broken in one
        of a few ways.
        """
        return any(self._two_ahead_wins(moves, Random(n)) for n in range(TIES))

    def _two_ahead_wins(self, moves: int, rng: Random) -> bool:
        rules, state = self.rules(), self.start()
        for _ in range(moves):
            state = rules.apply(state, rng.choice(rules.two_ahead(state)))
            if not state.rooms:
                return True
        return False

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        rules = self.rules()

        def move(turn: Turn) -> str:
            state = rules.decode(turn.state.rpartition(" ")[0])
            return rules.name(state, rng.choice(rules.two_ahead(state)))

        return {**super().baselines(rng), "fewest rooms after two turns": move}

    @classmethod
    def _map(cls, rng: Random, knobs: Knobs) -> Self:
        """A random tree with more passages.

        A single searcher catches a target only in trees, and two need rooms with few passages.
        """
        number = min(knobs.passages, knobs.rooms // 2) if knobs.searchers > 1 else 0
        near = [0] * knobs.rooms
        order = rng.sample(range(knobs.rooms), knobs.rooms)
        links = {tuple(sorted((order[n], order[rng.randrange(n)]))) for n in range(1, knobs.rooms)}
        others = [
            (one, other)
            for other in range(knobs.rooms)
            for one in range(other)
            if (one, other) not in links
        ]
        for one, other in [*sorted(links), *rng.sample(others, min(number, len(others)))]:
            near[one] |= 1 << other
            near[other] |= 1 << one
        return cls(
            position=encoded(State((1 << knobs.rooms) - 1)),
            near=tuple(near),
            searchers=knobs.searchers,
            moves=0,
        )

    def rules(self) -> Rules:
        return Rules(self.near, self.searchers)

    def plan(self) -> Plan[int] | None:
        return shortest_search(self.rules(), self.start(), self.search_budget)

    def description(self) -> str:
        passages = "\n".join(
            f"{LETTERS[room]}: {', '.join(letters(near))}" for room, near in enumerate(self.near)
        )
        one = self.searchers == 1
        number = "one room" if one else f"{self.searchers} different rooms"
        example = " ".join(LETTERS[: self.searchers])
        caught = "it" if one else "one of them"
        return self.phrase(
            f"A target hides in one of {len(self.near)} rooms, and you never see it before you "
            f"catch it. In each turn, you inspect {number}, whichever you like. If the target is "
            f"in {caught}, you have caught it. Otherwise it goes through one passage to another "
            "room, and has to do so: it never stays where it is. The target may have started in "
            "any room, and may take any passage; you win only if your inspections catch it "
            "whatever it does. So the rooms where it may be are, after each turn, all rooms that "
            "have a passage to at least one room where it could be and that you did not inspect. "
            "You win when no such room is left.\n\n"
            f"Passages (room: rooms that it has passages to):\n{passages}\n\n"
            f"A move is {number}, such as '{example}'.",
            f"Find a way to search {len(self.near)} rooms so that a moving target cannot escape. "
            f"Each turn has two parts: you look into {number} of your choice, and then the target, "
            "if it was not there, moves from its room to a neighbouring one; it cannot stay, and "
            "may choose any neighbour, also a room that you have just inspected. Nothing else is "
            "known about where it begins or how it moves, and it counts as caught only when every "
            "possibility is excluded: the list of rooms where it may be has to become empty. A "
            "room remains on this list, or comes back to it, if one of its neighbours was on the "
            "list and was not inspected in this turn.\n\n"
            f"Neighbours of each room:\n{passages}\n\n"
            f"Write {number} for each turn, for example '{example}'.",
        )
