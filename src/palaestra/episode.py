"""Episodes: the observations, replies, rewards and scores of one task in play."""

from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from palaestra.task import InvalidAnswer, Match, Play, Score, Task, Turn
from palaestra.verifiers.replies import boxed, spoken, tagged, unwrapped


class AnswerFormat(NamedTuple):
    """How a move is marked in a reply, so that the reply may contain reasoning as well.

    ``rule`` is the sentence that follows an observation. ``write`` marks a move, and ``read``
    extracts it; it raises :class:`~palaestra.task.InvalidAnswer` for a reply without a move.
    """

    name: str
    rule: str
    read: Callable[[str], str]
    write: Callable[[str], str]


def _tags(name: str, *, last: bool = False, truncated: bool = False) -> AnswerFormat:
    return AnswerFormat(
        name,
        "Give your answer between <answer> and </answer>.",
        lambda reply: tagged(spoken(reply), last=last, truncated=truncated),
        "<answer>{}</answer>".format,
    )


def _boxed(name: str, *, same: bool = False, truncated: bool = False) -> AnswerFormat:
    return AnswerFormat(
        name,
        "Give your answer inside \\boxed{}.",
        lambda reply: boxed(spoken(reply), same=same, truncated=truncated),
        "\\boxed{{{}}}".format,
    )


TAGS = _tags("tags")
BOXED = _boxed("boxed")
BARE = AnswerFormat("bare", "Reply with your answer and nothing else.", spoken, str)
ANSWER_FORMATS = {
    answer_format.name: answer_format
    for answer_format in (
        TAGS,
        _tags("tags-last", last=True),
        _tags("tags-truncated", truncated=True),
        _tags("tags-last-truncated", last=True, truncated=True),
        BOXED,
        _boxed("boxed-same", same=True),
        _boxed("boxed-truncated", truncated=True),
        _boxed("boxed-same-truncated", same=True, truncated=True),
        BARE,
    )
}
"""The answer formats by name, which contains the options that differ from the default.

``last``: of several answers that differ, the last counts; ``same``: several answers that differ are
refused; ``truncated``: an answer that is opened and never closed counts.
"""


class EpisodeOver(ValueError):
    """A reply was given after the end of an episode."""


class Episode:
    """A task in play (rollout, trajectory): observations and replies in turn, until the score.

    An episode is determined by its task and the replies so far. To save it, store those; to
    restore it, pass them as ``replies``.

    ``answer_format`` is how moves are marked in replies, as an :class:`AnswerFormat` or by its
    name. In a :class:`~palaestra.task.Match`, ``seats`` are the numbers of the players whose moves
    are the replies, by default that of the task's single player; the task plays the others.

    Raises :class:`EpisodeOver` where ``replies`` go on after the end.
    """

    def __init__(
        self,
        task: Task,
        answer_format: AnswerFormat | str = TAGS,
        replies: Iterable[str] = (),
        seats: Collection[int] | None = None,
    ) -> None:
        self.task = task
        self.answer_format = answer_format_of(answer_format)
        learner = task.seat if isinstance(task, Match) else 0
        self.seats = frozenset({learner} if seats is None else seats)
        self.seat = learner if learner in self.seats else min(self.seats)
        """Whose score :attr:`score` is."""
        self.replies: list[str] = []
        self.moves: list[str] = []
        """The moves of all players, as they were read; blank for a reply without a move."""
        self.observations: list[tuple[int, str]] = []
        """The number of each player to move, with the observation, turn by turn."""
        self.rewards: list[float] = []
        """The reward of each reply. In the end their sum is the value of the score."""
        self.scores: tuple[Score, ...] | None = None
        players = task.players if isinstance(task, Match) else 1
        self.returns = [0.0] * players
        """The sum of the rewards of each player so far."""
        self.turn = Turn("")
        """The last turn."""
        self._play: Play = task.play()
        self._rule_due = set(self.seats)
        self._take(None)
        for reply in replies:
            self.step(reply)

    @property
    def score(self) -> Score | None:
        """The score, once the episode is over."""
        return self.scores[self.seat] if self.scores else None

    def result(self) -> Score:
        """The score, which is 0 before the end of the episode."""
        unfinished = "the replies stop before the episode is over"
        return self.score or Score(0, unfinished, status="no_answer")

    @property
    def player(self) -> int:
        """The number of the player to move, or who moved last."""
        return self.turn.player

    @property
    def observation(self) -> str:
        """The text for the player to move; after the end, the reason of the score."""
        return self.score.reason if self.score else self.observations[-1][1]

    def step(self, reply: str) -> float:
        """Play the next reply and return its reward.

        Raises :class:`EpisodeOver` after the end, and :class:`~palaestra.task.JudgeError` where
        the judge fails.
        """
        if self.scores is not None:
            raise EpisodeOver(f"the episode was over after {len(self.replies)} replies")
        mover, before = self.player, self.returns[self.player]
        self.replies.append(reply)
        move = self._read(reply)
        if isinstance(move, InvalidAnswer):
            self._rule_due.add(mover)
        self._take(move)
        self.rewards.append(self.returns[mover] - before)
        return self.rewards[-1]

    def fork(self) -> "Episode":
        """A copy of this episode that continues independently."""
        return Episode(self.task, self.answer_format, self.replies, self.seats)

    def messages(self) -> list[dict[str, str]]:
        """The transcript as chat messages, from the view of the player at :attr:`seat`."""
        observed = [observation for player, observation in self.observations if player == self.seat]
        turns = zip(self.observations, self.replies)
        mine = [reply for (player, _), reply in turns if player == self.seat]
        chat = [{"role": "user", "content": observed[0]}] if observed else []
        for n, reply in enumerate(mine):
            chat.append({"role": "assistant", "content": reply})
            if n + 1 < len(observed):
                chat.append({"role": "user", "content": observed[n + 1]})
        return chat

    def _read(self, reply: str) -> str | InvalidAnswer:
        """The move in a reply, or why there is none."""
        try:
            return read(self.task, self.answer_format, reply)
        except InvalidAnswer as error:
            return error

    def _take(self, move: str | InvalidAnswer | None) -> None:
        """Play on to the next turn of one of the seats, or to the end."""
        while True:
            if not self._step(move):
                return
            if self.turn.player in self.seats:
                break
            if not isinstance(self.task, Match):
                raise TypeError("only a Match has turns of several players")
            move = self.task.opponent(tuple(self.moves))
        observation, player = self.turn.observation, self.turn.player
        if player in self._rule_due:
            observation = f"{observation}\n\n{self.answer_format.rule}"
            self._rule_due.discard(player)
        self.observations.append((player, observation))

    def _step(self, move: str | InvalidAnswer | None) -> bool:
        """Send one move into the play; whether the play goes on."""
        try:
            if move is None:
                yielded = next(self._play)
            elif isinstance(move, InvalidAnswer):
                self.moves.append("")
                yielded = self._play.throw(move)
            else:
                self.moves.append(move)
                yielded = self._play.send(move)
        except StopIteration as end:
            result = end.value
            self._end((result,) if isinstance(result, Score) else tuple(result))
            return False
        except InvalidAnswer as error:
            self._end(self._forfeit(error))
            return False
        if move is not None and isinstance(yielded, Turn):
            self.returns[self.turn.player] += yielded.reward
        self.turn = yielded if isinstance(yielded, Turn) else Turn(yielded)
        return True

    def _forfeit(self, error: InvalidAnswer) -> tuple[Score, ...]:
        """The scores where a player said what cannot be read, and nothing goes on after it.

        Of two players the other one wins. Several others share the win, as nobody has beaten them.
        """
        lost = Score(0, str(error), status=error.status)
        won = Score(1 / max(1, len(self.returns) - 1), "another player forfeits")
        return tuple(lost if n == self.player else won for n in range(len(self.returns)))

    def _end(self, scores: tuple[Score, ...]) -> None:
        self.scores = scores
        self.returns = [score.value for score in scores]


def read(task: Task, answer_format: AnswerFormat, reply: str) -> str:
    """The move in a reply. Raises :class:`InvalidAnswer` where there is none, or where the task
    refuses the reply as a whole.
    """
    task.check_reply(reply)
    move = answer_format.read(reply)
    if len(move) > task.longest:
        raise InvalidAnswer(f"an answer has at most {task.longest} characters", "limit")
    return move if task.verbatim else unwrapped(move)


def answer_format_of(answer_format: AnswerFormat | str) -> AnswerFormat:
    """An answer format, by itself or by its name."""
    if isinstance(answer_format, AnswerFormat):
        return answer_format
    if answer_format not in ANSWER_FORMATS:
        raise ValueError(
            f"an answer format is one of {', '.join(ANSWER_FORMATS)}, not {answer_format[:40]!r}"
        )
    return ANSWER_FORMATS[answer_format]
