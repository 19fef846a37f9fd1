"""Matches that a player has to win within a number of moves, with a search for such wins that all
their rules share.

The search knows positions from the view of the player to move, without numbers of moves.
"""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from random import Random
from typing import Any, ClassVar, TypeVar

from palaestra.generators.matches.limited_wins import LimitedMatch, LimitedRules
from palaestra.generators.matches.rules import LOSS, WIN
from palaestra.generators.matches.solver import TooHard
from palaestra.task import Policy, Turn, ladder

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

    @abstractmethod
    def thumbs(self) -> Mapping[str, Callable[[State, Move], float]]:
        """Rules of thumb by name: what a state and a move are worth to those who do not search."""

    def obvious(self, state: State, search: "ForcedSearch") -> Iterator[Move]:
        """The moves that some rule of thumb makes, whether it looks for a loss at once or not."""
        legal = self.legal(state)
        safe = [move for move in legal if not search.wins(self.view(self.apply(state, move)), 1)]
        for value in (*self.thumbs().values(), self._looks):
            worth = {move: value(state, move) for move in legal}
            for pool in (legal, safe):
                most = max((worth[move] for move in pool), default=0.0)
                yield from (move for move in pool if worth[move] == most)

    def _looks(self, state: State, move: Move) -> float:
        return self.judgement(self.apply(state, move), self.player(state))

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
    tries: ClassVar[int] = 250
    """How many positions are looked at for a win of the right length."""

    most_nodes: ClassVar[int] = 2_000
    """How many positions may be searched to see how fast one is won; most that take more are not
    won in time."""

    class Knobs(LimitedMatch.Knobs):
        """Every such match has these; a subclass adds those of its board."""

        choices: int = ladder(4, 6, 8, 10, 12, 14, low=2, high=40)  # legal moves at the start
        wins: int = ladder(3, 2, 2, 1, 1, 1, low=1, high=9)  # winning ones at the start, at most
        least_moves: int = ladder(1, 2, 2, 3, 3, 4, low=1, high=5)  # all that are allowed
        traps: int = ladder(0, 0, 1, 1, 1, 1, low=0, high=1)  # 1: no rule of thumb begins well

    all_nodes: ClassVar[int] = 40_000
    """How many positions may be searched in all, once a win of any length is known."""

    @abstractmethod
    def rules(self) -> ForcedRules[Any, Any]:
        """The rules of this match."""

    @classmethod
    @abstractmethod
    def random_state(cls, rng: Random, rules: Any, knobs: Any) -> Any | None:
        """A random position, with any number of moves left; None where none comes up."""

    @classmethod
    def opening(cls, rng: Random, rules: Any, knobs: Any) -> Any | None:
        """A random position that the player to move wins in time with few of its moves, but in no
        shorter time; if there is none, the slowest win.
        """
        goal = knobs.least_moves, bool(knobs.traps), True
        highest, best, nodes = (0, False, False), None, 0
        for state in cls._states(rng, rules, knobs):
            if best is not None and nodes > cls.all_nodes:
                break
            search = ForcedSearch(rules, cls.most_nodes)
            with suppress(TooHard):
                rank = cls._rank(search, rules, state, knobs)
                if rank > highest:
                    highest = rank
                    best = state._replace(left=2 * rank[0] - 1, hunter=state.turn)
                if highest == goal:
                    break
            nodes += search.nodes
        return best

    @classmethod
    def _rank(
        cls, search: ForcedSearch, rules: Any, state: Any, knobs: Any
    ) -> tuple[int, bool, bool]:
        """How many moves a win takes (0 if there is none in time), whether no rule of thumb begins
        it, which is tried only where it is wanted, and whether few moves do.
        """
        view, moves = rules.view(state), knobs.least_moves
        short = search.shortest(view, moves - 1)
        if short is None:
            if not search.wins(view, moves):
                return 0, False, False
            begun = rules.obvious(state, search) if knobs.traps else ()
            if any(search.holds(rules.view(rules.apply(state, each)), moves - 1) for each in begun):
                return moves, False, False
        search.most_nodes = 10 * cls.most_nodes
        few = search.winning(view, short or moves, knobs.wins + 1) <= knobs.wins
        return short or moves, bool(knobs.traps) and short is None, few

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        players = dict(super().baselines(rng))
        for name, value in self.rules().thumbs().items():
            players[f"win, else {name}"] = self.greedy(value, rng)
            players[f"win, else parry, else {name}"] = self.parrying(value, rng)
        return players

    def greedy(self, value: Callable[[Any, Any], float], rng: Random) -> Policy:
        """A player who wins at once where that is possible, and else makes the move of the greatest
        value, which a state and a move have.
        """
        rules = self.rules()

        def move(turn: Turn) -> str:
            state = rules.decode(turn.state)
            legal = list(rules.legal(state))
            rng.shuffle(legal)
            won = [
                each for each in legal if rules.verdict(rules.view(rules.apply(state, each))) < 0
            ]
            return rules.name(state, max(won or legal, key=lambda each: value(state, each)))

        return move

    @classmethod
    def _states(cls, rng: Random, rules: Any, knobs: Any) -> Iterable[Any]:
        for n in range(cls.tries):
            state = cls.random_state(rng, rules, knobs)
            if state is None or rules.verdict(rules.view(state)):
                continue
            # With each position that is looked at, a little fewer are enough.
            if len(rules.legal(state)) >= knobs.choices * (1 - n / cls.tries):
                yield state
