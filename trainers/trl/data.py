"""Training sets for TRL: prompts with the addresses of their tasks, and questions out of files."""

from collections.abc import Iterable, Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from palaestra.address import Address, Split
from palaestra.episode import TAGS, AnswerFormat, answer_format_of
from palaestra.labels import gold_answer_format
from palaestra.observations import SIZE, Observation, View
from palaestra.scoring import TaskOpening, addresses, tasks
from palaestra.trainers.rows import image_parts, task_row
from palaestra.trainers.rows import questions as read_questions

if TYPE_CHECKING:
    from datasets import Dataset


def rows(  # noqa: PLR0913
    env: str,
    seeds: Iterable[int],
    level: int = 0,
    split: Split = "train",
    answer_format: AnswerFormat | str = TAGS,
    *,
    observation: Observation = "text",
    image_size: int = SIZE,
    **knobs: Any,
) -> list[dict[str, Any]]:
    """A prompt for each seed, with the address and the answer format that :func:`reward` will want
    back.

    With ``observation="image"`` or ``"both"``, for vision models: the content of a prompt consists
    of parts, and ``images`` is a list with one PIL image of ``image_size`` pixels on each side.
    A task of several turns has its first observation. Raises
    :class:`~palaestra.observations.NoImages` for an environment without scenes.
    """
    view = View(observation, image_size)
    if view.has_image:
        named = addresses(env, seeds, level, split, **knobs)
        return [_image_row(address, answer_format, view) for address in named]
    return [
        labelled_row(task, answer_format)
        for task in tasks(env, seeds, level, split, answer_format, **knobs)
    ]


def labelled_row(task: TaskOpening, answer_format: AnswerFormat | str) -> dict[str, Any]:
    """The row of a task, with its label in the messages as well."""
    named = answer_format_of(answer_format).name
    return {
        "prompt": _labelled(task.messages, task.address, named),
        "address": task.address,
        "answer_format": named,
    }


def _image_row(address: Address, answer_format: AnswerFormat | str, view: View) -> dict[str, Any]:
    from PIL import Image

    row = task_row(address, answer_format, view)
    named, label = row["answer_format"], row["address"]
    messages = [{**each, "content": image_parts(each["content"])} for each in row["prompt"]]
    return {
        "prompt": _labelled(messages, label, named),
        "images": [Image.open(BytesIO(image["bytes"])) for image in row["images"]],
        "address": label,
        "answer_format": named,
    }


def _labelled(
    messages: Iterable[Mapping[str, Any]], label: str, answer_format: str
) -> list[dict[str, Any]]:
    """The messages of a prompt with their label, for they are all that a rollout is given."""
    return [{**message, "label": label, "answer_format": answer_format} for message in messages]


def dataset(  # noqa: PLR0913
    env: str,
    seeds: Iterable[int],
    level: int = 0,
    split: Split = "train",
    answer_format: AnswerFormat | str = TAGS,
    *,
    observation: Observation = "text",
    image_size: int = SIZE,
    **knobs: Any,
) -> "Dataset":
    """The same, as a dataset. Needs ``palaestra[data]``, and Pillow for images."""
    from datasets import Dataset

    options: dict[str, Any] = {"observation": observation, "image_size": image_size}
    return Dataset.from_list(rows(env, seeds, level, split, answer_format, **options, **knobs))


def questions(file: Path | str, answer_format: AnswerFormat | str = "any") -> "Dataset":
    """Questions with gold answers, out of a file that :func:`palaestra.trainers.rows.questions`
    reads. Needs ``palaestra[data]``.

    They go together with :func:`dataset` by ``datasets.concatenate_datasets``, in rollouts of
    several turns, too, where each takes one reply.
    """
    from datasets import Dataset, Features, Value

    named = gold_answer_format(answer_format).name
    rows = [
        {
            "prompt": _labelled(each.messages, each.label, named),
            "address": None,
            "answer_format": named,
            "answer": each.label,
        }
        for each in read_questions(Path(file), answer_format)
    ]
    return Dataset.from_list(rows, features=Features({**features(), "answer": Value("string")}))


def features(
    message: Iterable[str] = ("role", "content", "label", "answer_format"), images: bool = False
) -> dict[str, Any]:
    """The types of the columns of rows: a prompt of messages with these fields, perhaps images."""
    from datasets import Image, Value

    text = Value("string")
    fields: dict[str, Any] = dict.fromkeys(message, text)
    own = {}
    if images:
        fields["content"] = [{"type": text, "text": text}]
        own["images"] = [Image()]
    return {"prompt": [fields], **own, "address": text, "answer_format": text}
