"""Self-play: all seats of a match played by one policy or several, a trajectory for each seat.

    trajectories = await self_play("matches/othello?level=1&seed=3", ask)
    for each in trajectories:
        each.seat, each.messages, each.rewards, each.score

Each seat has its own chat, which has its own observations and replies alone, and its own rewards,
which add up to its score. :class:`RoleBaselines` makes advantages of the scores that are
conditioned on the role, as in B. Liu et al., "SPIRAL: Self-Play on Zero-Sum Games Incentivizes
Reasoning via Multi-Agent Multi-Turn Reinforcement Learning" (arXiv:2506.24119).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from math import fsum, isnan

from palaestra.address import Address
from palaestra.episode import AnswerFormat, Episode
from palaestra.task import Match
from palaestra.trainers.episodes import Ask, Message

MOST_REPLIES = 1_000
"""How many replies a match may take, of all seats together, unless stated otherwise."""


@dataclass(frozen=True, slots=True)
class Trajectory:
    """What one seat of a match observed, replied and earned.

    ``messages`` are its chat, in which observations have the role ``user``. ``rewards`` has a
    number for each of its replies, and their sum is ``score``, which is between 0 and 1, unless the
    match was over before its first reply.
    ``truncated`` says whether the match was stopped before its end, in which case the score is 0.
    """

    address: str
    env: str
    seat: int
    messages: tuple[Message, ...]
    rewards: tuple[float, ...]
    score: float
    reason: str
    truncated: bool = False


async def self_play(
    address: Address | str,
    policies: Ask | Sequence[Ask],
    answer_format: AnswerFormat | str = "tags",
    most_replies: int = MOST_REPLIES,
) -> tuple[Trajectory, ...]:
    """Play a match, and return the trajectories of its seats in their order.

    ``policies`` is one that plays all seats, or one for each of them: each replies to a chat, as
    ``await ask(messages, tools)``.

    Raises ``ValueError`` for a task that is no match or has another number of seats.
    """
    parsed = Address.parse(address) if isinstance(address, str) else address
    task = parsed.task()
    if not isinstance(task, Match):
        raise ValueError(f"{parsed.env} has one player, so it has no self-play")  # noqa: TRY004
    asks = [policies] * task.players if callable(policies) else [*policies]
    if len(asks) != task.players:
        raise ValueError(
            f"{parsed.env} has {task.players} seats, and there are {len(asks)} policies"
        )
    episode = Episode(task, answer_format, seats=range(task.players))
    movers: list[int] = []
    while episode.scores is None and len(movers) < most_replies:
        seat = episode.player
        answer = await asks[seat]([*chat(episode, seat)], [])
        movers.append(seat)
        episode.step(answer if isinstance(answer, str) else answer.text)
    return tuple(_trajectory(parsed, episode, movers, seat) for seat in range(task.players))


def chat(episode: Episode, seat: int) -> list[dict[str, str]]:
    """The chat of one seat of an episode."""
    view = copy(episode)
    view.seat = seat
    return view.messages()


def _trajectory(address: Address, episode: Episode, movers: Sequence[int], seat: int) -> Trajectory:
    rewards = [reward for mover, reward in zip(movers, episode.rewards) if mover == seat]
    score = episode.scores[seat].value if episode.scores is not None else 0.0
    if rewards:
        # A match often ends with the reply of another seat.
        rewards[-1] += score - fsum(rewards)
    return Trajectory(
        address=str(address),
        env=address.env,
        seat=seat,
        messages=tuple(chat(episode, seat)),
        rewards=tuple(rewards),
        score=score,
        reason=episode.scores[seat].reason if episode.scores is not None else "unfinished",
        truncated=episode.scores is None,
    )


class RoleBaselines:
    """A moving average of the scores of each seat of each environment.

    The advantage of a trajectory is its score minus the average of its role before it, so that a
    seat with an advantage by the rules, such as the first mover's, does not raise the gradient of
    all that is done on it. ``decay`` is the weight of the past, from 0 to 1 (exclusive).

    >>> baselines = RoleBaselines(decay=0.5)
    >>> [baselines.advantage("matches/othello", 0, score) for score in (1.0, 1.0, 0.0)]
    [1.0, 0.5, -0.75]
    >>> baselines.advantage("matches/othello", 1, 0.0)
    0.0
    """

    def __init__(self, decay: float = 0.95) -> None:
        if not 0 <= decay < 1:
            raise ValueError(f"decay is at least 0 and below 1, not {decay}")
        self.decay = decay
        self.averages: dict[tuple[str, int], float] = defaultdict(float)

    def advantage(self, env: str, seat: int, score: float) -> float:
        """The advantage of a score, which then becomes part of the average; 0 for NaN, which does
        not.
        """
        if isnan(score):
            return 0.0
        before = self.averages[env, seat]
        self.averages[env, seat] = self.decay * before + (1 - self.decay) * score
        return score - before

    def advantages(self, trajectories: Iterable[Trajectory]) -> list[float]:
        """The advantages of trajectories, which count in their order."""
        return [self.advantage(each.env, each.seat, each.score) for each in trajectories]

    def state(self) -> Mapping[str, float]:
        """The averages, to be stored with a checkpoint; ``env:seat`` are the keys."""
        return {f"{env}:{seat}": value for (env, seat), value in self.averages.items()}

    def load(self, state: Mapping[str, float]) -> None:
        """Set the averages to those of :meth:`state`."""
        for key, value in state.items():
            env, _, seat = key.rpartition(":")
            self.averages[env, int(seat)] = value
