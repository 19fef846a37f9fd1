"""One game of a match between players, and which games a tournament has."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, permutations
from typing import Any, Self

from palaestra.address import Address
from palaestra.episode import AnswerFormat, Episode
from palaestra.registry import load
from palaestra.task import JudgeError, Match
from palaestra.trainers.ranking.players import Player

MOST_REPLIES = 1_000
"""How many replies a game may take; one that goes on after them is scored 0 for whoever moves."""


class GameError(RuntimeError):
    """A game that cannot be scored, which is no loss of anybody."""


class NoReply(GameError):
    """A player failed to reply, for instance because its endpoint could not be reached."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game that has been played: who sat where, and what came of it.

    ``scores`` has the score of each seat, from 0 to 1; ``replies`` has all replies in their order.
    """

    address: str
    players: tuple[str, ...]
    scores: tuple[float, ...]
    reason: str
    replies: tuple[str, ...]
    answer_format: str = "tags"

    @property
    def key(self) -> tuple[str, tuple[str, ...]]:
        """What makes it this game: the task, and who sits where."""
        return self.address, self.players

    def plain(self) -> dict[str, Any]:
        """It as plain values."""
        return asdict(self)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """The game of :meth:`plain`. Raises ``TypeError`` or ``ValueError`` for other values."""
        game = cls(**values)
        seats = tuple(game.players), tuple(map(float, game.scores)), tuple(game.replies)
        if len(seats[0]) != len(seats[1]):
            raise ValueError("a game has a score for each player")
        return cls(game.address, *seats[:2], game.reason, seats[2], game.answer_format)


async def play(
    address: Address, players: Sequence[Player], answer_format: AnswerFormat | str = "tags"
) -> Game:
    """Play a match; ``players`` has one for each seat.

    Raises :class:`NoReply` where a player fails, with its name, :class:`GameError` where the judge
    does, and ``ValueError`` unless the address is of a match with so many players.
    """
    task = address.task()
    if not isinstance(task, Match) or task.players != len(players):
        raise ValueError(f"{address.env} is no match of {len(players)} players")
    episode = Episode(task, answer_format, seats=range(task.players))
    while episode.scores is None and len(episode.replies) < MOST_REPLIES:
        mover = players[episode.player]
        try:
            reply = await mover.reply(episode)
        except Exception as fault:
            raise NoReply(f"{mover.name}: {fault}") from fault
        try:
            episode.step(reply)
        except JudgeError as fault:
            raise GameError(f"the judge failed: {fault}") from fault
    if episode.scores is None:
        scores = tuple(float(seat != episode.player) for seat in range(task.players))
        reason = f"unfinished after {MOST_REPLIES} replies"
    else:
        scores = tuple(score.value for score in episode.scores)
        reason = episode.scores[0].reason
    names = tuple(each.name for each in players)
    form = episode.answer_format.name
    return Game(str(address), names, scores, reason, tuple(episode.replies), form)


def games_of(
    addresses: Iterable[Address], players: Sequence[Player]
) -> Iterator[tuple[Address, tuple[Player, ...]]]:
    """All games of a tournament: each task is played by each choice of players in each order.

    Where a match has more than two seats, each choice takes turns around the table instead, and
    where it has more seats than there are players, some sit on several.
    """
    for address in addresses:
        task_type = load(address.env)
        assert issubclass(task_type, Match)
        seats = task_type.players
        if seats == 2:
            for pair in permutations(players, 2):
                yield address, pair
            continue
        pool = [*players] * -(-seats // len(players))
        for chosen in dict.fromkeys(combinations(pool, seats)):
            for shift in range(seats):
                yield address, (*chosen[shift:], *chosen[:shift])
