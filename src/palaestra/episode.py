"""Playing a task: what the player reads, what the task hears, and the score in the end."""

from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from palaestra.task import Match, Play, Score, Task, Turn, Unreadable
from palaestra.verifiers.replies import boxed, spoken, tagged, unwrapped


class Style(NamedTuple):
    """How a move is marked in a reply, so that a player may think aloud around it.

    ``read`` raises :class:`Unreadable` where a reply holds no move.
    """

    name: str
    rule: str
    read: Callable[[str], str]
    write: Callable[[str], str]


TAGS = Style(
    "tags",
    "Give your answer between <answer> and </answer>.",
    lambda reply: tagged(spoken(reply)),
    "<answer>{}</answer>".format,
)
BOXED = Style(
    "boxed",
    "Give your answer inside \\boxed{}.",
    lambda reply: boxed(spoken(reply)),
    "\\boxed{{{}}}".format,
)
BARE = Style("bare", "Reply with your answer and nothing else.", spoken, str)
STYLES = {style.name: style for style in (TAGS, BOXED, BARE)}


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
        style: Style | str = TAGS,
        replies: Iterable[str] = (),
        seats: Collection[int] | None = None,
    ) -> None:
        self.task = task
        self.style = style_of(style)
        learner = task.seat if isinstance(task, Match) else 0
        self.seats = frozenset({learner} if seats is None else seats)
        self.seat = learner if learner in self.seats else min(self.seats)
        """Whose score :attr:`score` is."""
        self.replies: list[str] = []
        self.moves: list[str] = []
        """The moves of all players, as the task heard them."""
        self.heard: list[tuple[int, str]] = []
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
            self.hear(reply)

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
    def says(self) -> str:
        """What the player to move reads; in the end, the reason for the score."""
        return self.score.reason if self.score else self.heard[-1][1]

    def hear(self, reply: str) -> float:
        """Take the player's next reply, and tell what it earned.

        Raises :class:`EpisodeOver` where there is nothing left to play.
        """
        if self.scores is not None:
            raise EpisodeOver(f"the episode was over after {len(self.replies)} replies")
        mover, before = self.player, self.returns[self.player]
        self.replies.append(reply)
        move = self._read(reply)
        if isinstance(move, Unreadable):
            self._rule_due.add(mover)
        self._take(move)
        self.rewards.append(self.returns[mover] - before)
        return self.rewards[-1]

    def fork(self) -> "Episode":
        """A second episode that stands where this one does, and goes on by itself."""
        return Episode(self.task, self.style, self.replies, self.seats)

    def messages(self) -> list[dict[str, str]]:
        """The transcript as chat messages, from the seat of :attr:`seat`."""
        told = [says for player, says in self.heard if player == self.seat]
        turns = zip(self.heard, self.replies)
        mine = [reply for (player, _), reply in turns if player == self.seat]
        chat = [{"role": "user", "content": told[0]}] if told else []
        for n, reply in enumerate(mine):
            chat.append({"role": "assistant", "content": reply})
            if n + 1 < len(told):
                chat.append({"role": "user", "content": told[n + 1]})
        return chat

    def _read(self, reply: str) -> str | Unreadable:
        """The move in a reply, or why there is none."""
        try:
            return read(self.task, self.style, reply)
        except Unreadable as flaw:
            return flaw

    def _take(self, move: str | Unreadable | None) -> None:
        """Play on to the next turn of one of the seats, or to the end."""
        while True:
            if not self._step(move):
                return
            if self.turn.player in self.seats:
                break
            if not isinstance(self.task, Match):
                raise TypeError("only a Match has turns of several players")
            move = self.task.opponent(tuple(self.moves))
        says, player = self.turn.says, self.turn.player
        if player in self._rule_due:
            says = f"{says}\n\n{self.style.rule}"
            self._rule_due.discard(player)
        self.heard.append((player, says))

    def _step(self, move: str | Unreadable | None) -> bool:
        """Send one move into the play; whether the play goes on."""
        try:
            if move is None:
                said = next(self._play)
            elif isinstance(move, Unreadable):
                self.moves.append("")
                said = self._play.throw(move)
            else:
                self.moves.append(move)
                said = self._play.send(move)
        except StopIteration as end:
            result = end.value
            self._end((result,) if isinstance(result, Score) else tuple(result))
            return False
        except Unreadable as flaw:
            self._end(self._forfeit(flaw))
            return False
        if move is not None and isinstance(said, Turn):
            self.returns[self.turn.player] += said.reward
        self.turn = said if isinstance(said, Turn) else Turn(said)
        return True

    def _forfeit(self, flaw: Unreadable) -> tuple[Score, ...]:
        """The scores where a player said what cannot be read, and nothing goes on after it."""
        lost = Score(0, str(flaw), status=flaw.status)
        won = Score(1, "the other player forfeits")
        return tuple(lost if n == self.player else won for n in range(len(self.returns)))

    def _end(self, scores: tuple[Score, ...]) -> None:
        self.scores = scores
        self.returns = [score.value for score in scores]


def read(task: Task, style: Style, reply: str) -> str:
    """The move in a reply. Raises :class:`Unreadable` where there is none."""
    move = style.read(reply)
    if len(move) > task.longest:
        raise Unreadable(f"an answer has at most {task.longest} characters", "limit")
    return move if task.verbatim else unwrapped(move)


def style_of(style: Style | str) -> Style:
    """A style, by itself or by its name."""
    if isinstance(style, Style):
        return style
    if style not in STYLES:
        raise ValueError(f"a style is one of {', '.join(STYLES)}, not {style[:40]!r}")
    return STYLES[style]
