"""Playing a task: what the player reads, what the task hears, and the score in the end."""

from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from palaestra.task import InvalidAnswer, Match, Play, Score, Task, Turn
from palaestra.verifiers.replies import boxed, spoken, tagged, unwrapped


class AnswerFormat(NamedTuple):
    """How a move is marked in a reply, so that a player may think aloud around it.

    ``read`` raises :class:`InvalidAnswer` where a reply holds no move.
    """

    name: str
    rule: str
    read: Callable[[str], str]
    write: Callable[[str], str]


TAGS = AnswerFormat(
    "tags",
    "Give your answer between <answer> and </answer>.",
    lambda reply: tagged(spoken(reply)),
    "<answer>{}</answer>".format,
)
BOXED = AnswerFormat(
    "boxed",
    "Give your answer inside \\boxed{}.",
    lambda reply: boxed(spoken(reply)),
    "\\boxed{{{}}}".format,
)
BARE = AnswerFormat("bare", "Reply with your answer and nothing else.", spoken, str)
ANSWER_FORMATS = {answer_format.name: answer_format for answer_format in (TAGS, BOXED, BARE)}


class EpisodeOver(ValueError):
    """A reply came after the end of an episode."""


class Episode:
    """A task in play. It says something and hears a reply, until it has a score.

    An episode is its task and the replies so far, nothing more: to save one, keep those; to
    restore it, play them again. In a :class:`~palaestra.task.Match` the replies are those of
    ``seats``, by default of the task's lone player, and the others are played by the task.
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
        """The moves of all players, as the task heard them."""
        self.observations: list[tuple[int, str]] = []
        """What each player was told, turn by turn."""
        self.rewards: list[float] = []
        """What each reply earned; their sum is the score in the end."""
        self.scores: tuple[Score, ...] | None = None
        players = task.players if isinstance(task, Match) else 1
        self.returns = [0.0] * players
        """What each player has earned so far."""
        self.turn = Turn("")
        """What the task said last."""
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
        """The score, which is 0 as long as the episode is not over."""
        unfinished = "the replies stop before the episode is over"
        return self.score or Score(0, unfinished, status="no_answer")

    @property
    def player(self) -> int:
        """Whose turn it is, or was last."""
        return self.turn.player

    @property
    def observation(self) -> str:
        """What the player to move reads; in the end, the reason for the score."""
        return self.score.reason if self.score else self.observations[-1][1]

    def step(self, reply: str) -> float:
        """Take the player's next reply, and tell what it earned.

        Raises :class:`EpisodeOver` where there is nothing left to play.
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
        """A second episode that stands where this one does, and goes on by itself."""
        return Episode(self.task, self.answer_format, self.replies, self.seats)

    def messages(self) -> list[dict[str, str]]:
        """The transcript as chat messages, from the seat of :attr:`seat`."""
        told = [observation for player, observation in self.observations if player == self.seat]
        turns = zip(self.observations, self.replies)
        mine = [reply for (player, _), reply in turns if player == self.seat]
        chat = [{"role": "user", "content": told[0]}] if told else []
        for n, reply in enumerate(mine):
            chat.append({"role": "assistant", "content": reply})
            if n + 1 < len(told):
                chat.append({"role": "user", "content": told[n + 1]})
        return chat

    def _read(self, reply: str) -> str | InvalidAnswer:
        """The move in a reply, or why there is none."""
        try:
            return read(self.task, self.answer_format, reply)
        except InvalidAnswer as flaw:
            return flaw

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
                said = next(self._play)
            elif isinstance(move, InvalidAnswer):
                self.moves.append("")
                said = self._play.throw(move)
            else:
                self.moves.append(move)
                said = self._play.send(move)
        except StopIteration as end:
            result = end.value
            self._end((result,) if isinstance(result, Score) else tuple(result))
            return False
        except InvalidAnswer as flaw:
            self._end(self._forfeit(flaw))
            return False
        if move is not None and isinstance(said, Turn):
            self.returns[self.turn.player] += said.reward
        self.turn = said if isinstance(said, Turn) else Turn(said)
        return True

    def _forfeit(self, flaw: InvalidAnswer) -> tuple[Score, ...]:
        """The scores where a player said what cannot be read, and nothing goes on after it."""
        lost = Score(0, str(flaw), status=flaw.status)
        won = Score(1, "the other player forfeits")
        return tuple(lost if n == self.player else won for n in range(len(self.returns)))

    def _end(self, scores: tuple[Score, ...]) -> None:
        self.scores = scores
        self.returns = [score.value for score in scores]


def read(task: Task, answer_format: AnswerFormat, reply: str) -> str:
    """The move in a reply. Raises :class:`InvalidAnswer` where there is none."""
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
            f"a style is one of {', '.join(ANSWER_FORMATS)}, not {answer_format[:40]!r}"
        )
    return ANSWER_FORMATS[answer_format]
