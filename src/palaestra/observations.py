"""Observations as text, as images, or as both: for chats, data sets and arrays.

An image is the scene of a turn, fitted into a square. Beside it stands the text of the turn; with
``"image"``, the text leaves the state out where an environment can state a task without it, see
:func:`text_without_state`.

>>> from palaestra.address import Address
>>> from palaestra.episode import Episode
>>> episode = Episode(Address.of("grids/sudoku").task())
>>> image, text = content(episode, View("both", 256))
>>> image["image_url"]["url"][:22], text["text"] == episode.observation
('data:image/png;base64,', True)
"""

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, replace
from inspect import Parameter, signature
from io import BytesIO
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from palaestra.address import Address
from palaestra.episode import TAGS, AnswerFormat, Episode
from palaestra.extras import needs
from palaestra.registry import summary
from palaestra.scenes import Scene
from palaestra.scenes.palette import colour
from palaestra.scenes.raster import rgb
from palaestra.scoring import TaskOpening, is_single_turn, opening
from palaestra.task import Task

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Observation = Literal["text", "image", "both"]

OBSERVATIONS: tuple[Observation, ...] = get_args(Observation)

SMALLEST, SIZE, LARGEST = 64, 448, 1_024
"""The side of an image in pixels: the smallest, the default and the largest."""

LATEST = 16
"""The number of images in a transcript; observations before these are text."""

Content = str | list[dict[str, Any]]
"""The content of a chat message: a text, or parts as chat APIs take them."""


class NoImages(ValueError):
    """An environment is to be observed as images, and describes no scene."""

    def __init__(self, name: str) -> None:
        super().__init__(f"there are no images of {name}; use the observation 'text'")
        self.name = name

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name,)


@dataclass(frozen=True, slots=True)
class View:
    """What a player observes: text, an image or both; ``size`` is the side of images in pixels.

    Raises ``ValueError`` for another observation, and for a size out of :data:`SMALLEST` to
    :data:`LARGEST`.
    """

    observation: Observation = "text"
    size: int = SIZE

    def __post_init__(self) -> None:
        if self.observation not in OBSERVATIONS:
            names = ", ".join(OBSERVATIONS)
            raise ValueError(f"an observation is one of {names}, not {self.observation!r:.40}")
        if type(self.size) is not int or not SMALLEST <= self.size <= LARGEST:
            bounds = f"{SMALLEST} to {LARGEST:,}"
            raise ValueError(f"an image has {bounds} pixels on each side, not {self.size!r:.40}")

    @property
    def has_image(self) -> bool:
        """Whether there is an image."""
        return self.observation != "text"


TEXT = View()


# ------------------------------------------------------------------ images


def has_images(task: Task) -> bool:
    """Whether the first turn of a task has a scene."""
    return Episode(task).turn.scene() is not None


def square(scene: Scene | None, size: int) -> "NDArray[np.uint8]":
    """A scene as an RGB array of shape (size, size, 3), in the middle of the ground colour.

    Without a scene there is the ground colour alone. Needs Pillow.
    """
    with needs("pictures", "Pillow"):
        import numpy as np

    ground = bytes.fromhex(colour("back").removeprefix("#"))
    image = np.empty((size, size, 3), np.uint8)
    image[:] = tuple(ground)
    if scene is not None:
        board = rgb(scene, size)[:size, :size]
        top, left = ((size - side) // 2 for side in board.shape[:2])
        image[top : top + board.shape[0], left : left + board.shape[1]] = board
    return image


def png(scene: Scene, size: int) -> bytes:
    """The same as a file in PNG."""
    with needs("pictures", "Pillow"):
        from PIL import Image

    file = BytesIO()
    Image.fromarray(square(scene, size)).save(file, "PNG")
    return file.getvalue()


def data_url(image: bytes) -> str:
    """An image in PNG as a URL that contains it."""
    return f"data:image/png;base64,{b64encode(image).decode()}"


# ------------------------------------------------------------------ texts and messages


class Seen(NamedTuple):
    """What a player observes in a turn; ``image`` is a PNG, or None for a turn without a scene."""

    text: str
    image: bytes | None


def seen(episode: Episode, view: View, text: str | None = None) -> Seen:
    """What the player to move observes; ``text`` replaces the text of the turn."""
    text = episode.observation if text is None else text
    scene = episode.turn.scene() if view.has_image else None
    if scene is None:
        return Seen(text, None)
    if view.observation == "image" and episode.score is None:
        text = text_without_state(episode) or text
    return Seen(text, png(scene, view.size))


def text_without_state(episode: Episode) -> str | None:
    """A text for the player to move that an image completes; None where there is no such text.

    It exists for a single-turn task that states the form of an answer by itself, by a method
    ``answer_format`` without required arguments. It consists of the first line of the docstring of
    the environment, the form of an answer, and the rule of the answer format. Any other task may
    have rules, goals and events that no image shows, so its text stays as it is.
    """
    form = _answer_form(episode.task)
    if form is None:
        return None
    about = f"The image shows the task. {summary(type(episode.task))} {form}"
    return f"{about}\n\n{episode.answer_format.rule}"


def _answer_form(task: Task) -> str | None:
    """The sentences about the form of an answer, where an environment states it by itself."""
    method = getattr(task, "answer_format", None) if is_single_turn(task) else None
    if not callable(method):
        return None
    arguments = signature(method).parameters.values()
    return None if any(each.default is Parameter.empty for each in arguments) else str(method())


def content(episode: Episode, view: View, text: str | None = None) -> Content:
    """The content of a chat message for the player to move: a text, or with images its parts.

    The parts are those of chat APIs: an ``image_url`` with a data URL, if the turn has a scene,
    and a ``text``. ``text`` replaces the text of the turn.
    """
    observed = seen(episode, view, text)
    return _parts(observed) if view.has_image else observed.text


def _parts(observed: Seen) -> list[dict[str, Any]]:
    text = _text_part(observed.text)
    if observed.image is None:
        return [text]
    return [{"type": "image_url", "image_url": {"url": data_url(observed.image)}}, text]


def _text_part(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def text_of(message_content: Any) -> str:
    """The text of a message, which may consist of parts; empty for None."""
    if isinstance(message_content, list | tuple):
        texts = (part.get("text") for part in message_content if isinstance(part, Mapping))
        return "".join(text for text in texts if isinstance(text, str))
    return message_content if isinstance(message_content, str) else ""


def transcript(episode: Episode, view: View) -> list[dict[str, Any]]:
    """The transcript as chat messages, as :meth:`Episode.messages` has it, with images.

    The last :data:`LATEST` observations have images; those before them have their whole text.
    """
    messages: list[dict[str, Any]] = [*episode.messages()]
    if not view.has_image:
        return messages
    observed = [message for message in messages if message["role"] == "user"]
    whole = len(observed) - LATEST
    again = Episode(episode.task, episode.answer_format, (), episode.seats)
    unseen = iter(enumerate(observed))
    for reply in (None, *episode.replies):
        if reply is not None:
            again.step(reply)
        if again.scores is None and again.player == episode.seat:
            number, message = next(unseen)
            message["content"] = (
                [_text_part(again.observation)] if number < whole else content(again, view)
            )
    return messages


def first_seen(address: Address, answer_format: AnswerFormat | str, view: View) -> Seen:
    """What the player of a task observes first.

    Raises :class:`NoImages` for an environment without scenes, if there is to be an image.
    """
    first = seen(Episode(address.task(), answer_format), view)
    if view.has_image and first.image is None:
        raise NoImages(address.env)
    return first


def opening_with_images(
    address: Address, answer_format: AnswerFormat | str = TAGS, view: View = TEXT
) -> TaskOpening:
    """A task as a player receives it, with an image in its message.

    Raises :class:`NoImages` for an environment without scenes, if there is to be an image.
    """
    task = opening(address, answer_format)
    if not view.has_image:
        return task
    parts: Any = _parts(first_seen(address, answer_format, view))
    return replace(task, messages=({"role": "user", "content": parts},))
