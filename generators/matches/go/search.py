"""The exact search of endgames of go: by how much a player's area can be larger at the end.

Chains are carried along the search, where each move changes few of them. All legal moves count.
"""

from collections.abc import Sequence
from functools import lru_cache

from palaestra.generators.matches.go.chains import (
    Stones,
    allowed,
    borders,
    lead,
    neighbours,
    placed,
    surrounded,
)
from palaestra.generators.matches.go.rules import Go, State
from palaestra.generators.matches.rules import LOSS, WIN
from palaestra.generators.matches.solver import Solver, TooHard

Node = tuple[int, int, int, int, int]
"""The stones of the player to move and of the other one, how many moves are left, the ko and the
passes in a row, as in a state.
"""


class GoSolver(Solver[State, int]):
    """A solver with a search of its own, which asks whether a lead can be reached.

    What is known of a position is a lower and an upper bound of the lead of the player to move at
    the end, so that a search for one lead helps that for another.
    """

    rules: Go

    def __init__(self, rules: Go, most_nodes: int | None = None) -> None:
        super().__init__(rules, most_nodes)
        self._size = rules.size
        self._leads: dict[Node, tuple[int, int]] = {}
        self._refutations: dict[tuple[int, int], int] = {}

    def value(self, state: State, low: int = LOSS, high: int = WIN) -> int:
        if (over := self.rules.outcome(state)) is not None:
            return over
        need = 1 - state.margin if state.turn else state.margin
        return WIN if self.reaches(state, need) != bool(state.turn) else LOSS

    def reaches(self, state: State, need: int) -> bool:
        """Whether the player to move has a lead of ``need`` at the end, if both play perfectly."""
        stones = self.rules.stones(state)
        return self._reaches(stones, need, state.left, state.ko, state.passes)

    def best_lead(self, state: State, least: int) -> int | None:
        """The largest lead of the player to move at the end; None if it is less than ``least``."""
        if not self.reaches(state, least):
            return None
        while self.reaches(state, least + 1):
            least += 1
        return least

    def _reaches(self, stones: Stones, need: int, left: int, ko: int, passes: int) -> bool:
        mine, theirs, _, _ = stones
        if left == 0 or passes == 2:
            return lead(self._size, mine, theirs) >= need
        # A pass is the last move here.
        if (left == 1 or passes) and lead(self._size, mine, theirs) >= need:
            return True
        node = (mine, theirs, left, ko, passes)
        least, most = self._leads.get(node, (-(self._size**2), self._size**2))
        if least >= need or most < need:
            return least >= need
        reached = self._reaches_by_move(stones, need, left, ko, passes)
        self._leads[node] = (need, most) if reached else (least, need - 1)
        return reached

    def _reaches_by_move(self, stones: Stones, need: int, left: int, ko: int, passes: int) -> bool:
        self._count()
        moves = allowed(self._size, stones, ko)
        if left == 1:
            return self._reaches_at_once(stones, need, moves)
        # What has refuted other moves, above all early ones, is tried first.
        player, worth = left & 1, self._refutations
        moves.sort(key=lambda each: -worth.get((player, each[0]), 0))
        for cell, captured in moves:
            after, new_ko = placed(self._size, stones, cell, captured)
            if not self._reaches(after, 1 - need, left - 1, new_ko, 0):
                worth[player, cell] = worth.get((player, cell), 0) + left * left
                return True
        passed = Stones(stones.theirs, stones.mine, stones.their_chains, stones.my_chains)
        return not self._reaches(passed, 1 - need, left - 1, 0, passes + 1)

    def _reaches_at_once(self, stones: Stones, need: int, moves: Sequence[tuple[int, int]]) -> bool:
        """The same as :meth:`_reaches` for the last stone.

        A stone that captures nothing changes no area in a region that is the player's already, and
        one point in a region of a single cell.
        """
        size, mine, theirs = self._size, stones.mine, stones.theirs
        own, _ = surrounded(size, mine, theirs)
        empty, near_of = borders(size)[0] & ~(mine | theirs), neighbours(size)
        is_one_enough = lead(size, mine, theirs) + 1 >= need
        for cell, captured in moves:
            if not captured and cell & own:
                continue
            if not captured and not near_of[cell] & empty:
                if is_one_enough:
                    return True
            elif lead(size, mine | cell, theirs & ~captured) >= need:
                return True
        return False

    def _count(self) -> None:
        self.nodes += 1
        if self._most_nodes is not None and self.nodes > self._most_nodes:
            raise TooHard


@lru_cache(maxsize=32)
def solver_of(rules: Go, start: str) -> GoSolver:
    """The solver of all positions that follow from a start, which keeps what it has searched."""
    return GoSolver(rules)
