"""Users of tool worlds who speak in the words of a model behind an endpoint.

The script of a world decides what its user says, and the endpoint how. It gets the acts of the user
and the last message of the player, and no goal, no fact that is not stated, and no reward::

    speaker = Speaker(Endpoint("http://localhost:8000/v1", "Qwen/Qwen3-8B"))
    conversation = Conversation(Episode(address.task()), speaker)
    conversation.speak()
    while conversation.episode.score is None:
        conversation.step(reply_to(conversation.messages()))

The task, the episode, its states and its score know nothing of these words: they are in the
observations of the :class:`Conversation` alone, and in its ``words``, with which it can be shown
again as it was.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from palaestra.episode import Episode
from palaestra.generators.utterances import SpokenTurn, Utterance
from palaestra.task import JudgeError
from palaestra.trainers.rephrasing import cleaned, problem, request
from palaestra.verifiers.judges.endpoint import Endpoint

TIMEOUT_S, RETRIES = 60.0, 1
"""How long an endpoint is waited for, and how often it is tried again, before the script speaks."""


@dataclass(frozen=True, slots=True)
class Words:
    """What a user says in a turn: in the words of the script, and as the player reads it.

    Turns count from 0, which is the first observation. ``reason`` says why the words of the script
    are used, if they are.
    """

    turn: int
    scripted: str
    spoken: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Speaker:
    """An endpoint that speaks for users, in the manner of a ``persona``, such as ``"curt, and in a
    hurry"``.

    Whatever the endpoint does, the user says the right thing: if it fails, or if its words do not
    pass :func:`~palaestra.trainers.rephrasing.problem`, those of the script are used.
    """

    endpoint: Endpoint
    persona: str = ""

    @classmethod
    def of(
        cls, base_url: str | None, model: str | None, *, api_key_env: str = "OPENAI_API_KEY",
        persona: str = "", concurrency: int = 8,
    ) -> Self | None:  # fmt: skip
        """The speaker that options name; None where they name none.

        Raises ``ValueError`` where the URL or the model is missing or cannot be used.
        """
        if base_url is None and model is None:
            return None
        if base_url is None or model is None:
            raise ValueError("an endpoint for the user needs both a base URL and a model")
        endpoint = Endpoint(
            base_url, model, api_key_env, TIMEOUT_S, RETRIES, concurrency=concurrency
        )
        return cls(endpoint, persona)

    @property
    def settings(self) -> dict[str, Any]:
        """What decides how it speaks, as plain values."""
        extra = dict(self.endpoint.extra)
        return {"model": self.endpoint.model, "persona": self.persona, "extra": extra}

    def say(self, utterance: Utterance, turn: int = 0) -> Words:
        """An utterance in the endpoint's words."""
        try:
            reply = self.endpoint.complete(request(utterance, self.persona))
        except JudgeError as failure:
            return _scripted(utterance, turn, failure)
        return _checked(utterance, turn, reply)

    async def say_async(self, utterance: Utterance, turn: int = 0) -> Words:
        """:meth:`say` for asynchronous callers."""
        try:
            reply = await self.endpoint.acomplete(request(utterance, self.persona))
        except JudgeError as failure:
            return _scripted(utterance, turn, failure)
        return _checked(utterance, turn, reply)


UserOptions = Speaker | Mapping[str, Any] | None
"""An endpoint that speaks for users: a :class:`Speaker`, or the arguments of :meth:`Speaker.of` by
name, as a file of settings has them.
"""


def speaker_of(user: UserOptions) -> Speaker | None:
    """The speaker that options name; None where there are none.

    Raises ``ValueError`` for options that are unknown, incomplete or cannot be used.

    >>> speaker_of({"base_url": "http://localhost:8000/v1", "model": "m"}).settings["model"]
    'm'
    """
    if user is None or isinstance(user, Speaker):
        return user
    unknown = user.keys() - {"base_url", "model", "api_key_env", "persona", "concurrency"}
    if unknown:
        raise ValueError(
            f"no option {min(unknown)!r} of a user; there are base_url, model, api_key_env, "
            "persona and concurrency"
        )
    return Speaker.of(**{"base_url": None, "model": None, **user})


def _scripted(utterance: Utterance, turn: int, failure: JudgeError) -> Words:
    why = failure.reason.partition(" fails: ")[2] or failure.reason
    return Words(turn, utterance.text, utterance.text, f"the endpoint fails: {why}")


def _checked(utterance: Utterance, turn: int, reply: str) -> Words:
    text = cleaned(reply)
    reason = problem(utterance, text)
    return Words(turn, utterance.text, utterance.text if reason else text, reason)


class Conversation:
    """An episode as its player reads it, where a speaker may put what a user says into words.

    Without a speaker, and in tasks without a user who talks, it reads as the episode does.
    ``words`` are those of the same episode, or of one that begins alike: they are used again as far
    as the script says the same, so that a conversation can be restored, rewound and branched.
    """

    def __init__(
        self, episode: Episode, speaker: Speaker | None = None, words: Iterable[Words] = ()
    ) -> None:
        self.episode, self.speaker = episode, speaker
        self.words = [*words]
        """What the user has said, in the order of the turns."""

    @property
    def turn(self) -> int:
        """The number of the last observation."""
        return len(self.episode.observations) - 1

    @property
    def observation(self) -> str:
        """The text for the player to move; after the end, the reason of the score."""
        text = self.episode.observation
        return text if self.episode.score else self._worded(self.turn, text)

    def messages(self) -> list[dict[str, str]]:
        """The transcript as chat messages, as :meth:`~palaestra.episode.Episode.messages` has it.

        Turns of a user who talks are turns of the player, so that the messages of role ``user`` are
        the observations in their order.
        """
        messages = self.episode.messages()
        for turn, message in enumerate(each for each in messages if each["role"] == "user"):
            message["content"] = self._worded(turn, message["content"])
        return messages

    def step(self, reply: str) -> float:
        """Play the next reply, let the user speak, and return the reward.

        Raises what :meth:`~palaestra.episode.Episode.step` does.
        """
        reward = self.episode.step(reply)
        self.speak()
        return reward

    def speak(self) -> None:
        """Let the user of the last observation speak, if that has not been done."""
        for utterance in self._for_speaker():
            assert self.speaker is not None
            self.words.append(self.speaker.say(utterance, self.turn))

    async def speak_async(self) -> None:
        """:meth:`speak` for asynchronous callers."""
        for utterance in self._for_speaker():
            assert self.speaker is not None
            self.words.append(await self.speaker.say_async(utterance, self.turn))

    def fork(self) -> "Conversation":
        """A copy that continues independently."""
        return Conversation(self.episode.fork(), self.speaker, self.words)

    def _for_speaker(self) -> Sequence[Utterance]:
        return () if self.speaker is None else self.unspoken()

    def unspoken(self) -> Sequence[Utterance]:
        """What the user says in the last observation, unless its words are known."""
        yielded = self.episode.turn
        if self.episode.score or not isinstance(yielded, SpokenTurn):
            return ()
        speech = [each for each in yielded.speech if each.text and each.text in yielded.observation]
        known = [words.scripted for words in self.words if words.turn == self.turn]
        if known == [each.text for each in speech]:
            return ()
        self.words = [words for words in self.words if words.turn < self.turn]
        return speech

    def _worded(self, turn: int, observation: str) -> str:
        """An observation in the words of the user."""
        start = 0
        for words in self.words:
            at = observation.find(words.scripted, start) if words.turn == turn else -1
            if at >= 0:
                end = at + len(words.scripted)
                observation = f"{observation[:at]}{words.spoken}{observation[end:]}"
                start = at + len(words.spoken)
        return observation


def summary(reasons: Iterable[str]) -> dict[str, Any]:
    """How many utterances were in the words of an endpoint, and why others were not, from the
    ``reason`` of each.

    >>> summary(["", "", "it lacks a value: '12'", "it lacks a value: '7'"])
    {'utterances': 4, 'spoken': 2, 'scripted': {'it lacks a value': 2}}
    """
    every = [*reasons]
    scripted = Counter(reason.partition(":")[0] for reason in every if reason)
    spoken = len(every) - scripted.total()
    return {"utterances": len(every), "spoken": spoken, "scripted": dict(scripted)}
