"""Episodes that the oracle plays, for supervised steps and for what is measured before a run."""

from collections.abc import Iterator
from dataclasses import dataclass

from palaestra.address import Address
from palaestra.episode import AnswerFormat, Episode
from palaestra.task import Match, Puzzle
from palaestra.trainers.grpo.rollouts import Rollout
from palaestra.trainers.models.tokens import Tokenizer
from palaestra.trainers.self_play import chat


@dataclass(frozen=True, slots=True)
class Demonstration:
    """An episode that the oracle plays.

    ``messages`` are the opening chat, ``turns`` its replies with the observations after them,
    which are empty after the last reply.
    """

    address: Address
    messages: list[dict[str, str]]
    turns: list[tuple[str, str]]

    @classmethod
    def of(cls, address: Address, answer_format: AnswerFormat) -> "Demonstration":
        """Play a task by its oracle. The answer to a puzzle is right, and is not judged."""
        episode = Episode(address.task(), answer_format)
        messages, turns = episode.messages(), []
        if isinstance(episode.task, Puzzle):
            return cls(address, messages, [(answer_format.write(episode.task.answer()), "")])
        for move in episode.task.solve():
            if episode.scores is not None:
                break
            reply = answer_format.write(move)
            episode.step(reply)
            turns.append((reply, "" if episode.scores is not None else episode.observation))
        return cls(address, messages, turns)

    def observations(self) -> Iterator[str]:
        """Iterate over the texts of the task."""
        yield from (message["content"] for message in self.messages)
        yield from (observation for _, observation in self.turns)

    def texts(self) -> Iterator[str]:
        """Iterate over its texts, of task and oracle."""
        yield from self.observations()
        yield from (reply for reply, _ in self.turns)

    def rollout(self, tokenizer: Tokenizer, longest: int) -> Rollout:
        """Return it as tokens, at most ``longest``."""
        rollout = Rollout(self.address, [], [], [])
        rollout.append(tokenizer.encode_prompt(self.messages))
        for reply, observation in self.turns:
            ids = tokenizer.encode_reply(reply)
            rollout.append(ids, [0.0] * len(ids))
            if observation:
                rollout.append(tokenizer.encode_observation(observation, ids))
        for column in (rollout.ids, rollout.sampled, rollout.logprobs):
            del column[longest:]
        return rollout


def shown_by_oracle(
    address: Address, answer_format: AnswerFormat, self_play: bool
) -> list[Demonstration]:
    """Return the oracle's episode of a task; with ``self_play``, that of each seat that moved.

    Raises ``ValueError`` if ``self_play`` is asked for of a task that is no match.
    """
    if not self_play:
        return [Demonstration.of(address, answer_format)]
    task = address.task()
    if not isinstance(task, Match):
        raise ValueError(f"{address.env} is no match; self_play is for matches")  # noqa: TRY004
    episode = Episode(task, answer_format, seats=range(task.players))
    moves = iter(task.solve())
    while episode.scores is None:
        mine = episode.player == task.seat
        move = next(moves, None) if mine else task.opponent(tuple(episode.moves))
        if move is None:
            break
        episode.step(answer_format.write(move))
    return [each for seat in range(task.players) if (each := _of_seat(address, episode, seat))]


def _of_seat(address: Address, episode: Episode, seat: int) -> Demonstration | None:
    """Return the part of an episode that a seat has seen; None if it has not moved."""
    messages = chat(episode, seat)
    replies = [each["content"] for each in messages[1::2]]
    if not replies:
        return None
    observations = [each["content"] for each in messages[2::2]]
    turns = list(zip(replies, [*observations, ""]))
    return Demonstration(address, messages[:1], turns)
