"""Rows of data sets under all the names that trainers look for.

Every trainer carries one opaque label to its scorer. Ours is the address, which goes by the name
that each of them has for it. No row of ours holds an answer, for a scorer works it out from the
address. Questions of somebody else's, out of a file, have their gold answer in its place.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, overload

from palaestra.address import SEEDS, Address, BadAddress
from palaestra.episode import TAGS, AnswerFormat, answer_format_of
from palaestra.labels import (
    ANY_MARK,
    BadLabel,
    gold_answer_format,
    gold_of,
    is_address,
    label_of,
    task_answer_format,
)
from palaestra.observations import TEXT, NoImages, View, first_seen
from palaestra.scoring import TaskOpening, opening
from palaestra.verifiers.answers import validate_gold

FIRST = 1_000
"""How many seeds a selection has that names none."""

JSON_LINES = ".jsonl"
"""How the name of a file of questions ends."""

QUESTIONS = ("prompt", "problem", "question", "input", "query", "messages")
"""Names of columns that may hold a question, in the order in which they are looked at."""

IMAGE = "<image>"
"""Where an image of the column ``images`` stands in a text, as veRL and others read it."""

PLACEHOLDERS = (IMAGE, "<video>", "<audio>")
"""Texts that trainers replace by what other columns hold."""


def trainer_row(
    address: str, messages: Sequence[Mapping[str, str]], answer_format: str = "tags"
) -> dict[str, Any]:
    """One row, in which every trainer of :data:`palaestra.trainers.exports.TRAINERS` finds its own.

    Whatever is called a truth, a label or a turn of the model's in it is the address.
    """
    named = Address.parse(address)
    row = _row(address, messages, answer_format, named.env, f"palaestra/{named.env}", named.split)
    return row | {"seed": named.seed, "level": named.level}


def _row(  # noqa: PLR0913, PLR0917
    label: str,
    messages: Sequence[Mapping[str, str]],
    answer_format: str,
    env: str,
    data_source: str,
    split: str,
) -> dict[str, Any]:
    """The columns of all trainers, for a label that is an address where there is an ``env``."""
    address = label if env else ""
    chat = [dict(message) for message in messages]
    question = chat[-1]["content"]
    return {
        "prompt": chat,
        "messages": chat,
        "input": question,
        "problem": question,
        "conversations": [
            {"from": "human", "value": question},
            {"from": "gpt", "value": label},
        ],
        "label": label,
        "labels": label,
        "ground_truth": label,
        "address": address,
        "reward_model": {"answer_format": "rule", "ground_truth": label},
        "reward_spec": {"method": "rule", "ground_truth": label},
        "env_class": "palaestra",
        "data_source": data_source,
        "ability": env.partition("/")[0] or data_source,
        "extra_info": {"address": address, "split": split, "answer_format": answer_format},
        "metadata": {"address": address, "answer_format": answer_format},
        "tag": env or data_source,
        "domain": "palaestra",
        "env": env,
        "answer_format": answer_format,
    }


def row_of(opening: TaskOpening, answer_format: AnswerFormat | str = TAGS) -> dict[str, Any]:
    """The row of a task that was drawn, with its tools as JSON where it has some.

    As text, for a column whose entries differ in shape is more than Parquet can hold.
    """
    row = trainer_row(opening.address, opening.messages, answer_format_of(answer_format).name)
    return row | ({"tools": json.dumps(list(opening.tools))} if opening.tools else {})


def task_row(
    address: Address, answer_format: AnswerFormat | str = TAGS, view: View = TEXT
) -> dict[str, Any]:
    """The row of a task; with images, its texts begin with :data:`IMAGE` and it has ``images``.

    ``images`` is a list with one entry, ``{"bytes": …}``, which is a PNG. A task of several turns
    has its first observation. Raises :class:`~palaestra.observations.NoImages` for an environment
    without scenes, and ``ValueError`` for a text that contains one of :data:`PLACEHOLDERS`.
    """
    task = opening(address, answer_format)
    if not view.has_image:
        return row_of(task, answer_format)
    text, image = first_seen(address, answer_format, view)
    if taken := [each for each in PLACEHOLDERS if each in text]:
        raise ValueError(f"the text of {address} contains {taken[0]}, which stands for a file")
    message = {"role": "user", "content": f"{IMAGE}\n{text}"}
    row = row_of(replace(task, messages=(message,)), answer_format)
    return row | {"images": [{"bytes": image}]}


def image_parts(text: str) -> list[dict[str, str]]:
    """A text of a row with images as parts: an ``image`` without content, and a ``text``."""
    return [{"type": "image"}, {"type": "text", "text": text.removeprefix(f"{IMAGE}\n")}]


@dataclass(frozen=True, slots=True)
class Selection(Sequence[Address]):
    """The addresses that a selection names, which are computed when they are asked for."""

    base: Address
    seeds: range

    def __len__(self) -> int:
        return len(self.seeds)

    @overload
    def __getitem__(self, index: int) -> Address: ...
    @overload
    def __getitem__(self, index: slice) -> "Selection": ...
    def __getitem__(self, index: int | slice) -> "Address | Selection":
        if isinstance(index, slice):
            return Selection(self.base, self.seeds[index])
        return replace(self.base, seed=self.seeds[index])


def selection(wish: str) -> Selection:
    r"""The addresses that a selection names, for configurations that hold nothing but texts.

    It looks like an address with ``seeds=FROM:TO`` instead of a seed, and with ``split=eval`` it
    counts from the first seed of evaluation. Without ``seeds`` it has the first thousand.

    >>> print(*selection("games/mastermind?level=1&seeds=3:5"), sep="\n")
    games/mastermind@1?digits=6&guesses=8&length=3&seed=3
    games/mastermind@1?digits=6&guesses=8&length=3&seed=4

    Raises :class:`~palaestra.address.BadAddress` for what is no selection, and what
    :meth:`Address.parse <palaestra.address.Address.parse>` does.
    """
    path, _, query = wish.strip().partition("?")
    parts = [part for part in query.split("&") if part]
    own = {"seeds": f"0:{FIRST}", "split": "train"}
    rest = []
    for part in parts:
        name, _, value = part.partition("=")
        if name in own:
            own[name] = value
        else:
            rest.append(part)
    if any(part.startswith("seed=") for part in rest):
        raise BadAddress(f"a selection has seeds=FROM:TO, not a seed: {wish[:200]!r}")
    if own["split"] not in SEEDS:
        raise BadAddress(f"a split is train or eval, not {own['split'][:20]!r}")
    reserve = SEEDS["eval" if own["split"] == "eval" else "train"]
    first, _, last = own["seeds"].partition(":")
    numbers = [each for each in (first, last) if each.isascii() and each.isdecimal()]
    if len(numbers) < 2 or not int(first) < int(last) <= len(reserve):
        raise BadAddress(f"seeds are FROM:TO, such as 0:1000, not {own['seeds'][:40]!r}")
    base = Address.parse("?".join(filter(None, (path, "&".join(rest)))))
    return Selection(base, reserve[int(first) : int(last)])


def selected(wish: str) -> Iterator[Address]:
    """Iterate over the addresses of a :func:`selection`, and raise what it does."""
    yield from selection(wish)


class Chosen(NamedTuple):
    """A task or question that a selection names: what it is called, its label, and its chat."""

    name: str
    label: str
    messages: Sequence[Mapping[str, str]]
    address: Address | None = None

    @property
    def question(self) -> str:
        """What is asked, in one text."""
        return self.messages[0]["content"]


def chosen(wish: str, answer_format: AnswerFormat | str = TAGS) -> Iterator[Chosen]:
    """What a selection names: tasks of ours, or the questions of a file ``….jsonl``.

    Raises what :func:`selected` and :func:`questions` do.
    """
    if wish.strip().endswith(JSON_LINES):
        yield from questions(Path(wish.strip()), answer_format)
        return
    for address in selected(wish):
        task = opening(address, task_answer_format(answer_format))
        yield Chosen(task.address, task.address, task.messages, address)


def questions(file: Path, answer_format: AnswerFormat | str = TAGS) -> Iterator[Chosen]:
    """Questions with gold answers, out of a file with a JSON object in each line.

    The question is the text, or the only message, in the first of :data:`QUESTIONS` that there is,
    and is asked in the answer format; ``any`` leaves it as it is. The gold answer is where
    :func:`palaestra.labels.label_of` finds it.

    Raises ``OSError`` for no file, and :class:`~palaestra.labels.BadLabel` with the number of the
    line for one that is no such row, or has a gold that cannot be read.
    """
    marked = gold_answer_format(answer_format)
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    yield _question(f"{file}:{number}", json.loads(line), marked)
                except ValueError as error:
                    raise BadLabel(f"{file}, line {number}: {error}") from None


def _question(name: str, row: Any, answer_format: AnswerFormat) -> Chosen:
    if not isinstance(row, Mapping):
        raise BadLabel("a row is a JSON object")
    column = next((column for column in QUESTIONS if row.get(column)), None)
    if column is None:
        raise BadLabel(f"there is no question: none of {', '.join(QUESTIONS)} is filled")
    question = row[column]
    if isinstance(question, list) and len(question) == 1 and isinstance(question[0], Mapping):
        question = question[0].get("content")
    if not isinstance(question, str):
        raise BadLabel(f"the question in {column!r} is neither a text nor a single message")
    label = label_of(row)
    if is_address(label):
        raise BadLabel(f"{str(label)[:80]!r} is an address; select tasks of ours by themselves")
    (gold, *more) = gold_of(label).gold
    if more:
        raise BadLabel("a row of a file has one gold answer, not a list")
    validate_gold(gold)
    rule = "" if answer_format is ANY_MARK else f"\n\n{answer_format.rule}"
    return Chosen(name, gold, ({"role": "user", "content": f"{question}{rule}"},))


def selected_rows(
    wish: str, answer_format: AnswerFormat | str = TAGS, view: View = TEXT
) -> Iterator[dict[str, Any]]:
    """The rows of a selection, be it of tasks of ours or of questions in a file.

    Raises what :func:`task_row` does; questions in a file have no images.
    """
    for each in chosen(wish, answer_format):
        if each.address is not None:
            yield task_row(each.address, task_answer_format(answer_format), view)
        elif view.has_image:
            raise NoImages(each.name)
        else:
            yield gold_row(each, gold_answer_format(answer_format).name)


def gold_row(chosen_row: Chosen, answer_format: str = "tags") -> dict[str, Any]:
    """The row of a question with a gold answer, with the columns of :func:`trainer_row`, so that
    both go into one data set. Its label is the gold, and its address blank.
    """
    source = Path(chosen_row.name.rpartition(":")[0]).stem
    row = _row(chosen_row.label, chosen_row.messages, answer_format, "", source, "train")
    return row | {"seed": None, "level": None}
