"""What a session shows of its episode.

Worker processes are asked for the functions whose names end in ``_at``: these take and give plain
values.
"""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import astuple
from io import BytesIO
from typing import Any

from msgspec import UNSET, to_builtins

from palaestra.address import Address
from palaestra.catalog import recorded_fingerprint
from palaestra.episode import Episode
from palaestra.final_scenes import scene_of
from palaestra.generators.utterances import Act, Utterance
from palaestra.observations import SIZE, NoImages, Observation, View, content, transcript
from palaestra.scenes.raster import rgb
from palaestra.server.drawings import fields_of, image_problems
from palaestra.server.problems import ImagesUnavailable, InvalidRequest
from palaestra.server.records import SessionRecord
from palaestra.server.structs import Result, SessionState
from palaestra.task import Match
from palaestra.trainers.spoken_users import Conversation, Words


def episode_of(
    address: str, answer_format: str, seats: Sequence[int] | None, replies: Sequence[str]
) -> Episode:
    """An episode as far as its replies go.

    Raises :class:`InvalidRequest` for seats that the task does not have.
    """
    task = Address.parse(address).task()
    players = task.players if isinstance(task, Match) else 1
    if seats is not None and not (seats and {*seats} <= {*range(players)}):
        raise InvalidRequest(f"seats are some of 0 to {players - 1}", "/seats")
    return Episode(task, answer_format, replies, seats)


def state_at(  # noqa: PLR0913, PLR0917  they are what a worker process is sent
    address: str,
    answer_format: str,
    seats: Sequence[int] | None,
    replies: Sequence[str],
    words: Sequence[Sequence[Any]],
    whole: bool,
    observation: Observation = "text",
    image_size: int = SIZE,
) -> Any:
    """Where an episode stands, with what its user says in the words of an endpoint."""
    record = SessionRecord(
        "", "", address, answer_format, None, 0,
        view=View(observation, image_size), words=tuple(Words(*each) for each in words),
    )  # fmt: skip
    return to_builtins(
        illustrated(record, episode_of(address, answer_format, seats, replies), whole)
    )


def speech_at(
    address: str, answer_format: str, seats: Sequence[int] | None, replies: Sequence[str],
    words: Sequence[Sequence[Any]],
) -> list[dict[str, Any]]:  # fmt: skip
    """What the user of an episode says last, as far as its words are not known."""
    episode = episode_of(address, answer_format, seats, replies)
    conversation = Conversation(episode, words=[Words(*each) for each in words])
    return [
        {
            "message": each.message,
            "text": each.text,
            "acts": [*map(tuple, each.acts)],
            "known": sorted(each.known()),
        }
        for each in conversation.unspoken()
    ]


def utterance_of(fields: dict[str, Any]) -> Utterance:
    """What :func:`speech_at` gives, as an utterance again."""
    acts = tuple(
        Act(name, words, content_, tuple(values))
        for name, words, content_, values in fields["acts"]
    )
    known = frozenset(fields["known"])
    return Utterance(fields["message"], fields["text"], acts, lambda: known)


def plain(words: Sequence[Words]) -> list[tuple[Any, ...]]:
    """The words of a user as plain values."""
    return [astuple(each) for each in words]


def image_at(
    address: str, answer_format: str, seats: Sequence[int] | None, replies: Sequence[str]
) -> str | None:
    """The image of how an episode stands, in base 64."""
    png = image_of(episode_of(address, answer_format, seats, replies))
    return None if png is None else b64encode(png).decode()


def scene_at(
    address: str, answer_format: str, seats: Sequence[int] | None, replies: Sequence[str]
) -> dict[str, Any]:
    """The scene of how an episode stands, and its shapes."""
    return scene_fields(episode_of(address, answer_format, seats, replies))


def scene_fields(episode: Episode) -> dict[str, Any]:
    """The scene of an episode's state, and its shapes."""
    return fields_of(scene_of(episode))


def image_of(episode: Episode) -> bytes | None:
    """The image of an episode's state as a PNG, where there is one. Needs Pillow."""
    scene = scene_of(episode)
    if scene is None:
        return None
    try:
        from PIL import Image
    except ImportError:
        raise ImagesUnavailable("this service runs without palaestra[pictures]") from None
    file = BytesIO()
    Image.fromarray(rgb(scene)).save(file, "PNG")
    return file.getvalue()


def state_of(record: SessionRecord, episode: Episode, whole: bool = False) -> SessionState:
    """Where a session stands, as it goes over the wire."""
    turn = episode.turn
    over = episode.scores is not None
    conversation = Conversation(episode, words=record.words)
    return SessionState(
        session=record.id,
        address=record.address,
        step=len(episode.replies),
        done=over,
        player=episode.player,
        observation=conversation.observation,
        reward=episode.rewards[-1] if episode.rewards else 0.0,
        earned=sum(episode.rewards),
        legal_moves=None if over or turn.legal_moves is None else [*turn.legal_moves],
        state=turn.state,
        score=_scored(record, episode) if over else None,
        messages=conversation.messages() if whole else UNSET,
        tools=[dict(tool) for tool in episode.task.tools()] if whole else UNSET,
    )


def illustrated(record: SessionRecord, episode: Episode, whole: bool) -> SessionState:
    """Where a session stands, with images if it has a view with images.

    Raises :class:`InvalidRequest` for an environment without images, and
    :class:`ImagesUnavailable` without Pillow.
    """
    state = state_of(record, episode, whole)
    if not record.view.has_image:
        return state
    with image_problems():
        if not episode.replies and episode.turn.scene() is None:
            raise NoImages(Address.parse(record.address).env)
        parts = content(episode, record.view)
        state.content = parts if isinstance(parts, list) else UNSET
        if whole:
            state.messages = transcript(episode, record.view)
    return state


def _scored(record: SessionRecord, episode: Episode) -> Result:
    score = episode.result()
    fingerprint = recorded_fingerprint(record.address.partition("@")[0])
    moves = episode.moves
    return Result(
        value=score.value, correct=score.correct, status=score.status, reason=score.reason,
        address=record.address, parts=dict(score.parts),
        extracted=moves[-1][:2_000] if moves else None, fingerprint=fingerprint,
    )  # fmt: skip
