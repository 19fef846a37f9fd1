"""Matches of one or more deals of cards in view, against built-in players who follow stated rules.

The prompt states how a built-in player chooses each of its moves, so that the best result of a lone
player is the result of an exact search for the best line. The lone player wins with that result.
Between players of whom none is built in, the results of all deals decide.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from random import Random
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

from palaestra.generators.decisions import ILLEGAL_MOVES
from palaestra.generators.game_rules import GameRules
from palaestra.generators.matches.judged_match import BuiltInMove
from palaestra.generators.states import encoded
from palaestra.scenes import Scene
from palaestra.task import InvalidAnswer, Match, NoValidTask, Play, Policy, Score, Turn, ladder
from palaestra.verifiers.reading.lead_ins import read_move

State = TypeVar("State", bound=tuple[Any, ...])
Move = TypeVar("Move", bound=Any)

Thumb = Callable[[Any, int, Random], Any]
"""A player without search: its move in a state, if it is to have so many points in this deal."""


class DealRules(GameRules[State, Move]):
    """The rules of a deal for several players, and the rules that its built-in players follow.

    A state contains whose turn it is. Each deal ends after a bounded number of moves.
    """

    names: Sequence[str]
    """The names of the players, by seat."""

    @abstractmethod
    def player(self, state: State) -> int:
        """Whose turn it is."""

    @abstractmethod
    def results(self, state: State) -> Sequence[int] | None:
        """The points of each player, of which more are better; None while the deal goes on."""

    @abstractmethod
    def reply(self, state: State) -> Move:
        """The move of the player to move, if it is built in."""

    @abstractmethod
    def news(self, state: State, move: Move) -> list[str]:
        """The sentences that state a move and what follows from it at once."""

    @abstractmethod
    def scene(self, state: State, last: Move | None) -> Scene:
        """What there is to see, where ``last`` is the move that led here."""

    @abstractmethod
    def thumbs(self) -> Mapping[str, Thumb]:
        """Rules of thumb: players who do not search."""

    def planner(self, seat: int) -> "Planner[State, Move]":
        """A search of the best results of the player at a seat."""
        return Planner(self, seat)

    def decode(self, text: str) -> State:
        """The state of a text of :meth:`encode`, or of a turn, where it comes last."""
        return super().decode(text.rpartition(" ")[2])

    def is_over(self, state: State) -> bool:
        return self.results(state) is not None

    def mover(self, state: State) -> str:
        return self.names[self.player(state)]

    def picture(self, state: State) -> Scene | None:
        return self.scene(state, None)


class Planner(Generic[State, Move]):
    """The best results of a player, if all others are built in; each state is searched once."""

    def __init__(self, rules: DealRules[State, Move], seat: int) -> None:
        self.rules = rules
        self.seat = seat
        self._values: dict[State, int] = {}
        self._chances: dict[State, float] = {}

    def settled(self, state: State) -> State:
        """The state after the moves of the built-in players."""
        rules = self.rules
        while rules.results(state) is None and rules.player(state) != self.seat:
            state = rules.apply(state, rules.reply(state))
        return state

    def value(self, state: State) -> int:
        """The most points that the player can have at the end of the deal."""
        state = self.settled(state)
        results = self.rules.results(state)
        if results is not None:
            return results[self.seat]
        known = self._values.get(state)
        if known is None:
            after = (self.rules.apply(state, move) for move in self.rules.legal(state))
            known = self._values[state] = max(map(self.value, after))
        return known

    def best_moves(self, state: State) -> list[Move]:
        """The moves of the player after which the result can still be the best one."""
        rules, best = self.rules, self.value(state)
        return [move for move in rules.legal(state) if self.value(rules.apply(state, move)) == best]

    def chance(self, state: State) -> float:
        """With which chance a player of random moves has the best result."""
        state = self.settled(state)
        if self.rules.results(state) is not None:
            return 1.0
        if state not in self._chances:
            best = self.best_moves(state)
            total = sum(self.chance(self.rules.apply(state, move)) for move in best)
            self._chances[state] = total / len(self.rules.legal(state))
        return self._chances[state]


@lru_cache(maxsize=64)
def planner_of(rules: DealRules[Any, Any], seat: int, deal: str) -> Planner[Any, Any]:
    """The planner of a deal, which keeps what it has searched."""
    return rules.planner(seat)


class Session:
    """A match in progress: the state of the current deal, the points, and what is to be read."""

    def __init__(self, rules: DealRules[Any, Any], deals: Sequence[str]) -> None:
        self.rules = rules
        self.deals = deals
        self.number = 0
        self.points = [0] * len(rules.names)
        self.news: list[list[str]] = [[] for _ in rules.names]
        """Sentences for each seat that it has not read yet."""
        self.last: Any = None
        self.state = self._begin()

    @property
    def over(self) -> bool:
        """Whether all deals have been played."""
        return self.number == len(self.deals)

    @property
    def seat(self) -> int:
        """The seat of the player to move."""
        return self.rules.player(self.state)

    def _begin(self) -> Any:
        if len(self.deals) > 1:
            self._report([f"Deal {self.number + 1} of {len(self.deals)}."])
        return self.rules.decode(self.deals[self.number])

    def _report(self, sentences: Iterable[str]) -> None:
        for news in self.news:
            news.extend(sentences)

    def move(self, move: Any) -> None:
        """Make a legal move, and go on to the next deal at the end of one."""
        self._report(self.rules.news(self.state, move))
        self.state, self.last = self.rules.apply(self.state, move), move
        results = self.rules.results(self.state)
        if results is None:
            return
        self.points = [sum(pair) for pair in zip(self.points, results)]
        self.number += 1
        if not self.over:
            self.state, self.last = self._begin(), None


def move_of(rules: DealRules[Any, Any], state: Any, text: str) -> Any:
    """The move of a text. Raises :class:`InvalidAnswer` for one that is not legal."""
    for move in rules.legal(state):
        if rules.name(state, move) == text:
            return move
    return read_move(partial(rules.read, state), text, (rules.mover(state),))


class Replayed(NamedTuple):
    """A match after some moves; the last deal stays as it ended."""

    number: int
    """The number of the current deal, from 0."""
    state: Any
    last: Any


@lru_cache(maxsize=1 << 10)
def _replayed(
    rules: DealRules[Any, Any], deals: tuple[str, ...], moves: tuple[str, ...]
) -> Replayed:
    """The match after some moves, which follows from that before the last one of them."""
    if not moves:
        return Replayed(0, rules.decode(deals[0]), None)
    before = _replayed(rules, deals, moves[:-1])
    try:
        move = move_of(rules, before.state, moves[-1])
    except InvalidAnswer:
        return before
    state, number = rules.apply(before.state, move), before.number
    if rules.results(state) is None or number + 1 == len(deals):
        return Replayed(number, state, move)
    return Replayed(number + 1, rules.decode(deals[number + 1]), None)


class StatedMatch(Match):
    """A match whose lone player has to reach the best result against stated rules."""

    class Knobs(Match.Knobs):
        """Every such match has these; a subclass adds those of its game."""

        deals: int = ladder(1, 1, 1, 2, 2, 3, low=1, high=6)
        most_chance: float = ladder(0.5, 0.1, 0.02, 0.01, 0.005, 0.002, low=1e-9)  # of a deal

    candidates: ClassVar[int] = 12
    """How many deals are looked at for one that is hard enough."""

    tries: ClassVar[int] = 200
    """The most deals to draw in search of so many that have something to decide."""

    deals: tuple[str, ...]
    """The first state of each deal, as :meth:`GameRules.encode` writes it."""

    need: int
    """The points that the lone player has to have at the end of all deals: the best result."""

    @abstractmethod
    def rules(self) -> DealRules[Any, Any]:
        """The rules of this match."""

    @classmethod
    @abstractmethod
    def fields_of(cls, rng: Random, knobs: Any) -> dict[str, Any]:
        """The fields that the rules need."""

    @abstractmethod
    def opening(self, rng: Random, knobs: Any) -> Any | None:
        """The first state of a deal; None where it has nothing to decide."""

    def is_hard(self, planner: Planner[Any, Any], state: Any) -> bool:
        """Whether a deal takes all that its size promises."""
        return True

    @abstractmethod
    def introduction(self, seat: int) -> str:
        """The rules and the goal, which the player at a seat reads first."""

    @abstractmethod
    def total(self, points: int) -> str:
        """The points of a player in words, such as ``"12 points"``."""

    @abstractmethod
    def by_result(self, points: Sequence[int]) -> Sequence[Score]:
        """The scores of all players where none is built in."""

    @classmethod
    def generate(cls, rng: Random, knobs: Any) -> Self:
        fields = cls.fields_of(rng, knobs)
        task = cls(deals=(), need=0, seat=rng.randrange(cls.players), **fields)
        deals = [task._hard_deal(rng, knobs) for _ in range(knobs.deals)]
        need = sum(deal.need for deal in deals)
        texts = tuple(task.rules().encode(deal.state) for deal in deals)
        return task.model_copy(update={"deals": texts, "need": need})

    def _hard_deal(self, rng: Random, knobs: Any) -> "Deal":
        """The first deal in which random moves have the best result with a small enough chance;
        else the hardest of all that are looked at.
        """
        rules, hardest = self.rules(), None
        left = self.candidates
        for _ in range(self.tries):
            state = self.opening(rng, knobs)
            if state is None:
                continue
            planner = rules.planner(self.seat)
            if not self.is_hard(planner, state):
                continue
            deal = Deal(state, planner.value(state), planner.chance(state))
            if hardest is None or deal.random_score < hardest.random_score:
                hardest = deal
            left -= 1
            if not left or hardest.random_score <= knobs.most_chance:
                break
        if hardest is None:
            raise NoValidTask(f"none of {self.tries} deals has anything to decide")
        return hardest

    def planner(self, deal: str) -> Planner[Any, Any]:
        """The planner of the lone player in a deal."""
        return planner_of(self.rules(), self.seat, deal)

    def session(self) -> Session:
        """The match before the first move."""
        return Session(self.rules(), self.deals)

    def play(self) -> Play:
        session, built_in = self.session(), True
        illegal = [0] * self.players
        unread = [[self.introduction(seat)] for seat in range(self.players)]
        while not session.over:
            seat = session.seat
            try:
                text = yield self._turn(session, unread[seat])
                move = move_of(session.rules, session.state, text)
            except InvalidAnswer as error:
                left = ILLEGAL_MOVES - illegal[seat]
                illegal[seat] += 1
                if not left:
                    return self._forfeit(seat)
                refusal = f"That is not a legal move: {error}."
                unread[seat] = []
                session.news[seat] = [f"{refusal} Illegal moves still allowed: {left - 1}."]
                continue
            built_in &= seat == self.seat or isinstance(text, BuiltInMove)
            session.news[seat], unread[seat] = [], []
            session.move(move)
        return self._scores(session.points, built_in)

    def _turn(self, session: Session, unread: Sequence[str]) -> Turn:
        rules, state, seat = session.rules, session.state, session.seat
        parts = [*unread, *filter(None, [" ".join(session.news[seat])]), rules.show(state)]
        if len(self.deals) > 1:
            totals = zip(rules.names, session.points)
            so_far = ", ".join(f"{name} {self.total(points)}" for name, points in totals)
            parts.append(f"Deal {session.number + 1} of {len(self.deals)}. Before it: {so_far}.")
        parts.append(f"You are {rules.names[seat]}. Your move?")
        return Turn(
            "\n\n".join(parts),
            legal_moves=sorted(rules.name(state, move) for move in rules.legal(state)),
            state=f"{session.number} {encoded(session.points)} {rules.encode(state)}",
            player=seat,
            scene=partial(rules.scene, state, session.last),
        )

    def _scores(self, points: Sequence[int], built_in: bool) -> Sequence[Score]:
        scores = list(self.by_result(points))
        if built_in:
            mine = points[self.seat]
            outcome = f"{self.rules().names[self.seat]} has {self.total(mine)}"
            goal = f"{outcome}, and needs {self.total(self.need)}"
            scores[self.seat] = Score(1, outcome) if mine >= self.need else Score(0, goal)
        return scores

    def _forfeit(self, seat: int) -> Sequence[Score]:
        """Nothing for the player of too many illegal moves, and a win for each other one."""
        reason = f"{self.rules().names[seat]} made too many illegal moves"
        lost, won = Score(0, reason, status="malformed"), Score(1, reason)
        return [lost if n == seat else won for n in range(self.players)]

    def _replayed(self, moves: Sequence[str]) -> "Replayed":
        """The match after the moves of all players, without those that were illegal."""
        return _replayed(self.rules(), self.deals, tuple(moves))

    def opponent(self, moves: Sequence[str]) -> str:
        rules, state = self.rules(), self._replayed(moves).state
        return BuiltInMove(rules.name(state, rules.reply(state)))

    def final_scene(self, moves: Sequence[str]) -> Scene | None:
        """The scene after all moves, with the last one marked."""
        _, state, last = self._replayed(moves)
        return self.rules().scene(state, last)

    def solve(self) -> Iterable[str]:
        session = self.session()
        while not session.over:
            rules, state = session.rules, session.state
            if session.seat == self.seat:
                move = self.planner(self.deals[session.number]).best_moves(state)[0]
                yield rules.name(state, move)
            else:
                move = rules.reply(state)
            session.move(move)

    def random_baseline(self) -> float:
        """The probability that random moves have the best result."""
        chance = 1.0
        for deal in self.deals:
            chance *= self.planner(deal).chance(self.rules().decode(deal))
        return chance

    def difficulty(self) -> float:
        """The number of matches that a player of random moves needs for one with the best
        result.
        """
        return 1 / self.random_baseline()

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        rules = self.rules()

        def player(choose: Thumb) -> Policy:
            def move(turn: Turn) -> str:
                number, points, _ = turn.state.split(" ", 2)
                state = rules.decode(turn.state)
                missing = self.need - int(points.strip("[]").split(",")[turn.player])
                # How much of it each deal allows is not known without a search.
                share = -(-missing // (len(self.deals) - int(number)))
                return rules.name(state, choose(state, share, rng))

            return move

        return {name: player(choose) for name, choose in rules.thumbs().items()}


class Deal(NamedTuple):
    """A deal, the best result of the lone player, and the chance of a player of random moves."""

    state: Any
    need: int
    random_score: float
