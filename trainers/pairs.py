"""Attempts of evaluations as data sets of preferences and demonstrations.

``palaestra eval`` and ``palaestra calibrate`` keep a line for each attempt. Of the attempts at one
task, those that are right win against those that are wrong. The columns are those that TRL
documents, with chat messages:

- ``dpo``: ``prompt``, ``chosen``, ``rejected``, for ``DPOTrainer``;
- ``kto``: ``prompt``, ``completion``, ``label``, for ``KTOTrainer``;
- ``sft``: ``messages``, for ``SFTTrainer``.

No row has an answer other than the replies of the model. Evaluations are on held-out tasks, and a
model that was trained on them can no longer be evaluated on these: see :func:`exported_pairs`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import Any, Literal, get_args

from palaestra.address import Address
from palaestra.episode import Episode
from palaestra.observations import TEXT
from palaestra.trainers.calibration.running import CONTENT as CALIBRATION
from palaestra.trainers.evaluation.attempts import (
    Attempt,
    OtherEvaluation,
    attempts_in,
    manifest_in,
)

Shape = Literal["dpo", "kto", "sft"]
"""What the rows are for."""

SHAPES: tuple[Shape, ...] = get_args(Shape)

PER_TASK = 4
"""Rows of each task, at most, unless another number is passed."""

SKIPPED: Mapping[str, str] = {
    "unscored": "could not be scored",
    "lost": "scored less than a win, which a demonstration does not",
    "between": "scored more than a loss and less than a win",
    "cut": "have a reply that was too long to be kept",
    "tools": "called functions in the way of an API, which the log does not hold",
    "images": "were at observations with images, which a row does not hold",
    "words": "were with users whose words came from an endpoint",
    "stale": "are at tasks that this installation does not have",
    "turns": "have several replies, which a pair of completions cannot hold",
    "repeated": "repeat a reply to the same task",
    "beyond": "are at tasks with more rows than --per-task",
    "unpaired": "are at tasks with wins alone or losses alone, or more of one than of the other",
}
"""Why attempts are not in the rows, in words."""


class HeldOutAttempts(ValueError):
    """Attempts at held-out tasks, which training would spoil for evaluation."""


@dataclass(slots=True)
class PairOptions:
    """What counts as a win and as a loss, and how many rows a task has."""

    win: float = 1.0
    """The least score of a win."""

    lose: float = 0.0
    """The greatest score of a loss."""

    per_task: int = PER_TASK
    allow_held_out: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.lose < self.win <= 1:
            raise ValueError(
                f"scores of losses lie from 0 and of wins up to 1, and a win scores more than a "
                f"loss: not {self.lose:g} and {self.win:g}"
            )
        if self.per_task < 1:
            raise ValueError(f"a task has at least 1 row, not {self.per_task}")


@dataclass(slots=True)
class PairCounts:
    """How many attempts there were, and why some are in no row."""

    attempts: int = 0
    rows: int = 0
    skipped: Counter[str] = field(default_factory=Counter)


def exported_pairs(
    folders: Iterable[Path],
    shape: Shape,
    options: PairOptions | None = None,
    counts: PairCounts | None = None,
) -> Iterator[dict[str, Any]]:
    """The rows of the attempts in folders of evaluations and calibrations, task by task.

    ``counts`` is filled while the rows are iterated over. Raises ``ValueError`` for an unknown
    shape, :class:`HeldOutAttempts` for attempts at held-out tasks unless the options allow them,
    and what :func:`palaestra.trainers.evaluation.attempts.attempts_in` does.
    """
    if shape not in SHAPES:
        raise ValueError(f"rows are for {', '.join(SHAPES)}, not {shape!r}")
    options, counts = options or PairOptions(), counts or PairCounts()
    by_task: dict[tuple[str, str, str], list[Attempt]] = {}
    for folder in folders:
        manifest = _manifest(folder)
        same = manifest.get("same", {})
        system = str(same.get("system", "") or "")
        latest = {each.key: each for each in attempts_in(folder)}
        for attempt in latest.values():
            counts.attempts += 1
            address = _address(attempt)
            if address is None:
                counts.skipped["stale"] += 1
                continue
            if not options.allow_held_out and address.split == "eval":
                raise HeldOutAttempts(
                    f"{attempt.address} is held out: a model that is trained on it cannot be "
                    "evaluated on it; --allow-held-out exports it all the same"
                )
            if same.get("observation", TEXT.observation) != TEXT.observation:
                counts.skipped["images"] += 1
                continue
            by_task.setdefault((attempt.address, attempt.answer_format, system), []).append(attempt)
    for (_, _, system), attempts in by_task.items():
        yield from _rows(attempts, shape, system, options, counts)


def _manifest(folder: Path) -> dict[str, Any]:
    """What the attempts of an evaluation or a calibration have in common."""
    try:
        return manifest_in(folder, CALIBRATION)
    except OtherEvaluation:
        return manifest_in(folder)


def _rows(
    attempts: Sequence[Attempt], shape: Shape, system: str, options: PairOptions, counts: PairCounts
) -> Iterator[dict[str, Any]]:
    """The rows of one task."""
    usable = list(_usable(attempts, shape, options, counts))
    wins = [each for each in usable if _won(each, options)]
    losses = [each for each in usable if not _won(each, options)]
    rows: Iterator[dict[str, Any]]
    if shape == "sft":
        rows = ({"messages": _messages(each, system)} for each in wins)
    elif shape == "kto":
        rows = (_kto_row(each, system, options) for each in _alternating(wins, losses))
    else:
        counts.skipped["unpaired"] += abs(len(wins) - len(losses))
        rows = (_dpo_row(win, loss, system) for win, loss in zip(wins, losses))
    for row in islice(rows, options.per_task):
        counts.rows += 1
        yield row
    if beyond := sum(2 if shape == "dpo" else 1 for _ in rows):
        counts.skipped["beyond"] += beyond


def _alternating(wins: Sequence[Attempt], losses: Sequence[Attempt]) -> Iterator[Attempt]:
    """Wins and losses in turn, so that the first ones are not of one label alone."""
    both = chain.from_iterable(zip_longest(wins, losses))
    return (each for each in both if each is not None)


def _usable(
    attempts: Sequence[Attempt], shape: Shape, options: PairOptions, counts: PairCounts
) -> Iterator[Attempt]:
    """The attempts that rows can hold; the others are counted."""
    seen = set[tuple[str, ...]]()
    for attempt in attempts:
        reason = _obstacle(attempt, shape, options) or ("repeated" * (attempt.replies in seen))
        if reason:
            counts.skipped[reason] += 1
            continue
        seen.add(attempt.replies)
        yield attempt


def _obstacle(attempt: Attempt, shape: Shape, options: PairOptions) -> str:
    """Why an attempt cannot be in a row: a key of :data:`SKIPPED`, or nothing."""
    if attempt.score is None or not attempt.replies:
        return "unscored"
    if attempt.score < options.win and (shape == "sft" or attempt.score > options.lose):
        return "lost" if shape == "sft" else "between"
    if attempt.cut:
        return "cut"
    if attempt.native_tools:
        return "tools"
    if attempt.user_words:
        return "words"
    if shape != "sft" and len(attempt.replies) > 1:
        return "turns"
    return ""


def _address(attempt: Attempt) -> Address | None:
    """The address of an attempt; None where this installation has no such task."""
    try:
        return Address.parse(attempt.address)
    except (ValueError, LookupError):
        return None


def _won(attempt: Attempt, options: PairOptions) -> bool:
    return attempt.score is not None and attempt.score >= options.win


def _messages(attempt: Attempt, system: str) -> list[dict[str, str]]:
    """The chat of an attempt, which is played again."""
    task = Address.parse(attempt.address).task()
    chat = Episode(task, attempt.answer_format, attempt.replies).messages()
    return [*([{"role": "system", "content": system}] if system else []), *chat]


def _split_chat(attempt: Attempt, system: str) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    """The chat before the only reply, and that reply."""
    messages = _messages(attempt, system)
    return messages[:-1], messages[-1:]


def _dpo_row(win: Attempt, loss: Attempt, system: str) -> dict[str, Any]:
    prompt, chosen = _split_chat(win, system)
    return {"prompt": prompt, "chosen": chosen, "rejected": _split_chat(loss, system)[1]}


def _kto_row(attempt: Attempt, system: str, options: PairOptions) -> dict[str, Any]:
    prompt, completion = _split_chat(attempt, system)
    return {"prompt": prompt, "completion": completion, "label": _won(attempt, options)}
