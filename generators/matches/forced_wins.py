"""Matches that a player has to win within a number of moves, with a search for such wins that all
their rules share.

The search knows positions from the view of the player to move, without numbers of moves.
"""

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from random import Random
from typing import Any, ClassVar, TypeVar

from palaestra.generators.matches.limited_wins import LimitedMatch, LimitedRules
from palaestra.generators.matches.rules import LOSS, WIN
from palaestra.generators.matches.solver import TooHard
from palaestra.task import ladder

State = TypeVar("State", bound=Any)
Move = TypeVar("Move", bound=Hashable)
MOST_KNOWN = 1 << 18
"""How many positions a search remembers before it forgets all of them."""

View = tuple[Any, ...]
"""A position from the view of the player to move."""


class ForcedRules(LimitedRules[State, Move]):
    """Rules whose states have the fields ``turn``, ``left``, the number of moves that both players
    together have left, and ``hunter``, the player who has to win in them.
    """

    @abstractmethod
    def view(self, state: State) -> View:
        """The position from the view of the player to move."""

    @abstractmethod
    def views(self, view: View) -> Sequence[View]:
        """The positions after all legal moves, each from the view of the other player; those that
        are likely to be good for the player who has moved come first.
        """

    @abstractmethod
    def verdict(self, view: View) -> int:
        """1 if the player to move has won, -1 if that player has lost, 0 if the game goes on."""

    def player(self, state: State) -> int:
        turn: int = state.turn
        return turn

    def outcome(self, state: State) -> int | None:
        verdict = self.verdict(self.view(state))
        if verdict:
            return WIN if (verdict > 0) == (state.turn == 0) else LOSS
        if state.left > 0:
            return None
        return LOSS if state.hunter == 0 else WIN

    def solved(self, state: State) -> int:
        search = search_of(self)
        if state.turn == state.hunter:
            won = search.wins(self.view(state), (state.left + 1) // 2)
        else:
            won = search.holds(self.view(state), state.left // 2)
        return WIN if won == (state.hunter == 0) else LOSS

    def moves_needed(self, state: State) -> int:
        return search_of(self).shortest(self.view(state), (state.left + 1) // 2) or 0


class ForcedSearch:
    """What is known of the positions of a game, each searched once.

    Raises :class:`~palaestra.generators.matches.solver.TooHard` after ``most_nodes`` positions.
    """

    def __init__(self, rules: ForcedRules[Any, Any], most_nodes: int | None = None) -> None:
        self.rules = rules
        self.most_nodes = most_nodes
        self.nodes = 0
        self._known: dict[tuple[View, int, bool], bool] = {}

    def wins(self, view: View, moves: int) -> bool:
        """Whether the player to move wins within so many own moves."""
        verdict = self.rules.verdict(view)
        if verdict:
            return verdict > 0
        if not moves:
            return False
        key = view, moves, True
        if key not in self._known:
            after = self._after(view)
            self._known[key] = any(self.holds(each, moves - 1) for each in after)
        return self._known[key]

    def holds(self, view: View, moves: int) -> bool:
        """Whether the other player, who has just moved, wins within so many more moves."""
        verdict = self.rules.verdict(view)
        if verdict:
            return verdict < 0
        if not moves:
            return False
        key = view, moves, False
        if key not in self._known:
            after = self._after(view)
            self._known[key] = all(self.wins(each, moves) for each in after)
        return self._known[key]

    def _after(self, view: View) -> Sequence[View]:
        self.nodes += 1
        if self.most_nodes is not None and self.nodes > self.most_nodes:
            raise TooHard
        if len(self._known) > MOST_KNOWN:
            self._known.clear()
        return self.rules.views(view)

    def shortest(self, view: View, most: int) -> int | None:
        """With how many own moves the player to move wins at the earliest; None if ``most`` are not
        enough.
        """
        return next((n for n in range(1, most + 1) if self.wins(view, n)), None)

    def winning(self, view: View, moves: int, most: int) -> int:
        """How many moves win within so many own moves; ``most`` if there are more."""
        won = (1 for after in self.rules.views(view) if self.holds(after, moves - 1))
        return sum(islice(won, most))


@lru_cache(maxsize=16)
def search_of(rules: ForcedRules[Any, Any]) -> ForcedSearch:
    """The search of a game, which all its positions share."""
    return ForcedSearch(rules)


class ForcedMatch(LimitedMatch):
    """A match from a random position that the player to move wins in so many moves, and not faster.

    A subclass gives random positions, the rules, and the rules in words.
    """

    candidates: ClassVar[int] = 1
    tries: ClassVar[int] = 300
    """How many positions are looked at for a win of the right length."""

    most_nodes: ClassVar[int] = 2_000
    """How many positions may be searched to see how fast one is won; most that take more are not
    won in time."""

    class Knobs(LimitedMatch.Knobs):
        """Every such match has these; a subclass adds those of its board."""

        choices: int = ladder(4, 6, 8, 10, 12, 14, low=2, high=40)  # legal moves at the start
        wins: int = ladder(3, 2, 2, 1, 1, 1, low=1, high=9)  # winning ones at the start, at most
        least_moves: int = ladder(1, 2, 2, 3, 3, 4, low=1, high=5)  # all that are allowed

    all_nodes: ClassVar[int] = 50_000
    """How many positions may be searched in all, once a win of any length is known."""

    @classmethod
    @abstractmethod
    def random_state(cls, rng: Random, rules: Any, knobs: Any) -> Any | None:
        """A random position, with any number of moves left; None where none comes up."""

    @classmethod
    def opening(cls, rng: Random, rules: Any, knobs: Any) -> Any | None:
        """A random position that the player to move wins in time with few of its moves, but in no
        shorter time; if there is none, the slowest win.
        """
        slowest, best, nodes = (0, False), None, 0
        for state in cls._states(rng, rules, knobs):
            if best is not None and nodes > cls.all_nodes:
                break
            view = rules.view(state)
            search = ForcedSearch(rules, cls.most_nodes)
            with suppress(TooHard):
                moves = search.shortest(view, knobs.least_moves) or 0
                if moves and (moves, True) > slowest:
                    search.most_nodes = 10 * cls.most_nodes
                    few = search.winning(view, moves, knobs.wins + 1) <= knobs.wins
                    if (moves, few) > slowest:
                        slowest = moves, few
                        best = state._replace(left=2 * moves - 1, hunter=state.turn)
                if slowest == (knobs.least_moves, True):
                    break
            nodes += search.nodes
        return best

    @classmethod
    def _states(cls, rng: Random, rules: Any, knobs: Any) -> Iterable[Any]:
        for n in range(cls.tries):
            state = cls.random_state(rng, rules, knobs)
            if state is None or rules.verdict(rules.view(state)):
                continue
            # With each position that is looked at, a little fewer are enough.
            if len(rules.legal(state)) >= knobs.choices * (1 - n / cls.tries):
                yield state
