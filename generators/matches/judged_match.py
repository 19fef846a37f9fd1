"""Matches of several rounds in which a lone player is judged by the expectation of decisions, as
:mod:`palaestra.generators.decisions` describes.

Between two players who are not built in, the result of all rounds decides.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from palaestra.generators.decisions import ILLEGAL_MOVES, Decisions, best_move
from palaestra.task import InvalidAnswer, Match, Play, Score, Turn
from palaestra.verifiers.reading.lead_ins import read_move


class BuiltInMove(str):
    """A move of the built-in opponent. The move of any reply is a plain text, whatever it says."""

    __slots__ = ()


class Rounds(Protocol):
    """A match in progress."""

    rules: Any
    state: Any
    """The state of the current round, in which a player is to move."""
    number: int
    """How many rounds are over."""
    news: list[list[str]]
    """Sentences for each seat that it has not read yet."""

    @property
    def over(self) -> bool:
        """Whether all rounds have been played."""

    @property
    def mover(self) -> int:
        """The seat of the player to move."""

    def move(self, move: Any) -> None:
        """Make a legal move, and play on to the next one."""


Session = TypeVar("Session", bound=Rounds)


class JudgedMatch(Match, Generic[Session]):
    """A match of several rounds against a built-in opponent whose strategy is known."""

    tolerance: ClassVar[float]
    """The expectation that the decisions of a match may give away in sum."""

    unit: ClassVar[str]
    """What expectations are measured in."""

    round_name: ClassVar[str]
    """What a round is called."""

    @abstractmethod
    def session(self) -> Session:
        """The match before the first move."""

    @abstractmethod
    def expectations(self, session: Session) -> Mapping[Any, float]:
        """What the player to move can expect after each legal move, against the built-in opponent;
        nothing in a state that this opponent never leads to.
        """

    @abstractmethod
    def _reply(self, session: Session) -> Any:
        """The move of the built-in opponent."""

    @abstractmethod
    def introduction(self, seat: int) -> str:
        """What the player at a seat reads first."""

    @abstractmethod
    def _turn(self, session: Session, seat: int) -> Turn:
        """What the player to move, at this seat, reads."""

    @abstractmethod
    def _result(self, session: Session, seat: int) -> float:
        """What the player at a seat has won so far."""

    @abstractmethod
    def _outcome(self, session: Session) -> str:
        """The sentences that state how the match ended for the lone player."""

    @abstractmethod
    def _by_result(self, session: Session) -> Sequence[Score]:
        """The scores where neither player is built in."""

    def _names(self, session: Session) -> Sequence[str]:
        """The names of the player to move, which may stand before a move."""
        return ()

    def _read(self, session: Session, text: str) -> Any:
        """The move of a text. Raises :class:`InvalidAnswer` for one that is not legal."""
        return read_move(partial(session.rules.read, session.state), text, self._names(session))

    def opponent(self, moves: Sequence[str]) -> str:
        session = self.session()
        for text in moves:
            try:
                session.move(self._read(session, text))
            except InvalidAnswer:
                continue
        return BuiltInMove(session.rules.name(session.state, self._reply(session)))

    def play(self) -> Play:
        session, record = self.session(), Decisions(self.tolerance, self.unit)
        illegal, built_in = [0, 0], True
        for seat, news in enumerate(session.news):
            news.insert(0, self.introduction(seat))
        while not session.over:
            seat = session.mover
            try:
                text = yield self._turn(session, seat)
                move = self._read(session, text)
            except InvalidAnswer as error:
                left = ILLEGAL_MOVES - illegal[seat]
                illegal[seat] += 1
                if not left:
                    return self._forfeit(record, session, seat)
                session.news[seat] = [
                    f"That is not a legal move: {error}. Illegal moves still allowed: {left - 1}."
                ]
                continue
            if seat != self.seat:
                built_in &= isinstance(text, BuiltInMove)
            elif expectations := self.expectations(session):
                record.add(expectations, move, f"{self.round_name} {session.number + 1}")
            session.news[seat] = []
            session.move(move)
        return self._scores(record, session, built_in)

    def _scores(self, record: Decisions, session: Session, built_in: bool) -> Sequence[Score]:
        by_result = self._by_result(session)
        if not built_in:
            return by_result
        mine = record.score(self._result(session, self.seat), outcome=self._outcome(session))
        return (mine, by_result[1]) if self.seat == 0 else (by_result[0], mine)

    def _forfeit(self, record: Decisions, session: Session, seat: int) -> Sequence[Score]:
        lost = record.score(self._result(session, seat), illegal=True)
        won = Score(1, "the other player made too many illegal moves")
        return (lost, won) if seat == 0 else (won, lost)

    def _ideal(self, session: Session) -> Iterator[Mapping[Any, float]]:
        """The expectations of each decision of the ideal player, who then makes the best move."""
        while not session.over:
            if session.mover != self.seat:
                session.move(self._reply(session))
                continue
            expectations = self.expectations(session)
            yield expectations
            session.move(best_move(expectations))

    def solve(self) -> Iterable[str]:
        session = self.session()
        for expectations in self._ideal(session):
            yield session.rules.name(session.state, best_move(expectations))

    def difficulty(self) -> float:
        """The number of matches that a player of random moves needs for one without a mistake."""
        return 1 / self.random_baseline()
