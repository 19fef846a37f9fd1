"""Data sets for trainers that read files, and reward functions for those that import one.

``palaestra export games/mastermind -n 1000 -o rows.parquet --format parquet`` writes rows with all
columns that any of the trainers looks for; ``--trainer slime`` writes those of one of them. The
label of a row is the address of its task, by whatever name it goes; there are no answers in it.

Trainers that call a service score by ``/compat/openrlhf/…``, ``/compat/slime/…`` or ``/v1/score``.
Those that import a function find theirs here: :func:`easyr1_reward`, :func:`areal_reward`,
:func:`swift_reward`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from palaestra.address import Split
from palaestra.episode import TAGS, AnswerFormat
from palaestra.labels import item_of, label_of
from palaestra.observations import SIZE, Observation, View
from palaestra.scoring import Item, addresses, score_many
from palaestra.task import JudgeError, Score
from palaestra.trainers.nemo_gym import COLUMNS as NEMO_GYM
from palaestra.trainers.nemo_gym import nemo_gym_row
from palaestra.trainers.rewards import RecipeOptions, ShapedReward, Tokens, tokens_of
from palaestra.trainers.rows import image_parts, task_row
from palaestra.verifiers.shaping import Transcript

ALL = "all"

TRAINERS: Mapping[str, Sequence[str]] = {
    "trl": ("prompt", "address", "answer_format"),
    "verl": ("data_source", "prompt", "ability", "reward_model", "extra_info"),
    "rl-factory": ("data_source", "prompt", "ability", "reward_model", "extra_info"),
    "openrlhf": ("prompt", "label"),
    "marti": ("prompt", "label"),
    "slime": ("prompt", "label", "metadata"),
    "easyr1": ("problem", "label"),
    "roll": ("messages", "ground_truth", "tag", "domain"),
    "nemo-rl": ("input", "label"),
    "areal": ("messages", "address", "answer_format"),
    "ms-swift": ("messages", "address", "answer_format"),
    "vlm-r1": ("conversations",),
    "oat": ("input", "label"),
    "openai": ("messages", "address", "answer_format"),
    "skyrl": ("data_source", "prompt", "env_class", "reward_spec", "extra_info"),
}
"""The columns that each of them reads."""

NESTED: Mapping[str, tuple[Sequence[str], Callable[..., dict[str, Any]]]] = {
    "nemo-gym": (NEMO_GYM, nemo_gym_row),
}
"""Trainers whose rows are requests, not columns: they are not among those of all, and JSON lines
only.
"""

VISION = (ALL, "trl", "verl")
"""Those that rows with images are written for; all columns together are in veRL's form."""


def columns_of(trainer: str) -> Sequence[str] | None:
    """The columns of a trainer; None for all of them.

    Raises ``ValueError`` for one that is not known, with those that are near.
    """
    if trainer == ALL:
        return None
    if trainer in NESTED:
        return NESTED[trainer][0]
    if trainer not in TRAINERS:
        known = [ALL, *TRAINERS, *NESTED]
        near = get_close_matches(trainer.lower(), known, 3, 0.4) or known
        raise ValueError(f"there is no trainer {trainer[:40]!r}; did you mean {', '.join(near)}?")
    return TRAINERS[trainer]


def needs_json_lines(trainer: str) -> bool:
    """Whether the rows of a trainer differ in shape, which tables such as Parquet cannot hold."""
    return trainer in NESTED


def exported(  # noqa: PLR0913
    name: str,
    seeds: Iterable[int],
    level: int = 0,
    split: Split = "train",
    answer_format: AnswerFormat | str = TAGS,
    *,
    trainer: str = ALL,
    observation: Observation = "text",
    image_size: int = SIZE,
    **knobs: Any,
) -> Iterator[dict[str, Any]]:
    """The rows of some tasks, all columns or those of a trainer; tools where a task has some.

    With ``observation="image"`` or ``"both"``, rows have a column ``images``, a list with one
    ``{"bytes": …}``, which is a PNG of ``image_size`` pixels on each side. In the texts
    ``<image>`` stands for it; in the prompt for TRL, a part ``{"type": "image"}`` does.

    Raises ``ValueError`` for images for a trainer that is not in :data:`VISION`, and
    :class:`~palaestra.observations.NoImages` for an environment without scenes.
    """
    wanted, view = columns_of(trainer), View(observation, image_size)
    if view.has_image and trainer not in VISION:
        raise ValueError(f"rows with images are for {', '.join(VISION)}, not {trainer}")
    if trainer in NESTED:
        write = NESTED[trainer][1]
        named = addresses(name, seeds, level, split, **knobs)
        return (write(address, answer_format) for address in named)
    return (
        _columns(task_row(address, answer_format, view), trainer, wanted)
        for address in addresses(name, seeds, level, split, **knobs)
    )


def _columns(row: dict[str, Any], trainer: str, wanted: Sequence[str] | None) -> dict[str, Any]:
    """The columns of a row that are wanted, with tools and images where there are some."""
    if "images" in row and trainer == "trl":
        parts = [{**each, "content": image_parts(each["content"])} for each in row["prompt"]]
        row = row | {"prompt": parts}
    if wanted is None:
        return row
    return {column: row[column] for column in (*wanted, "tools", "images") if column in row}


# ---------------------------------------------------------------------------- reward functions


def _paid(
    items: Sequence[Item], recipe: RecipeOptions, tokens: Sequence[Tokens]
) -> list[tuple[float, Score]]:
    """Rewards and scores, for those who take numbers only. Raises what could not be scored."""
    shaped = ShapedReward.of(recipe, groups=False)
    done = score_many(items)
    for one in done:
        if isinstance(one, JudgeError):
            raise one
    replies = [Transcript(str(item.replies), n) for item, n in zip(items, tokens, strict=True)]
    return [
        (shaped.sure(score, [reply]), score)
        for score, reply in zip(done, replies, strict=True)
        if isinstance(score, Score)
    ]


def easyr1_reward(
    reward_inputs: Mapping[str, Any] | Sequence[Mapping[str, Any]],
    answer_format: str | None = None,
    recipe: RecipeOptions = None,
) -> dict[str, float] | list[dict[str, float]]:
    """For EasyR1's ``worker.reward.reward_function``, in its sequential and its batched form.

    Name it in a file of one line: ``from palaestra.trainers.exports import easyr1_reward``.
    ``recipe``, here and below, shapes the score (see
    :class:`~palaestra.trainers.rewards.ShapedReward`).
    """
    batch = [reward_inputs] if isinstance(reward_inputs, Mapping) else list(reward_inputs)
    items = [item_of(each["ground_truth"], each["response"], answer_format) for each in batch]
    lengths = [each.get("response_length") for each in batch]
    paid = _paid(items, recipe, [None if n is None else int(n) for n in lengths])
    rewards = [{"overall": value, "accuracy": float(score.correct)} for value, score in paid]
    return rewards[0] if isinstance(reward_inputs, Mapping) else rewards


def areal_reward(  # noqa: PLR0913
    prompt: str,
    completions: str,
    prompt_ids: Sequence[int],
    completion_ids: Sequence[int],
    *,
    answer_format: str | None = None,
    recipe: RecipeOptions = None,
    **columns: Any,
) -> float:
    """For AReaL's single-turn workflow, which calls it in a process of its own.

    The label is that of :func:`palaestra.labels.label_of`: an address, or a gold answer.
    """
    item = item_of(label_of(columns), completions, answer_format)
    ((value, _),) = _paid([item], recipe, [list(completion_ids)])
    return value


def swift_reward(
    completions: Sequence[str],
    address: Sequence[str | None] | None = None,
    recipe: RecipeOptions = None,
    tokenizer: str | None = None,
    **columns: Any,
) -> list[Any]:
    """For ms-swift: what the ``__call__`` of an ``ORM`` in a plugin returns. None is left out.

    The columns are those of :func:`palaestra.trainers.trl.reward`. For a recipe that depends on
    length ``tokenizer`` is the path of the model's.
    """
    from palaestra.trainers.trl import reward

    shaped = ShapedReward.of(recipe, groups=False)
    values = reward(completions, address, **columns)
    return [
        None if value is None else shaped.one(Score(value), reply, tokens_of(reply, tokenizer))
        for value, reply in zip(values, completions, strict=True)
    ]
