"""The rows of a span of seeds, as the processes that generate a data set make them."""

from collections.abc import Iterator
from hashlib import blake2b
from typing import Literal, NamedTuple

import msgspec

from palaestra.address import Address, Split
from palaestra.episode import Episode, answer_format_of
from palaestra.task import NoValidTask
from palaestra.trainers.exports import exported
from palaestra.trainers.traces import trace_of

Solutions = Literal["none", "answers", "chats", "traces"]
"""What is written of the oracle: nothing, its replies, the whole chat, or its replies after the
search that leads to them.
"""


class Span(NamedTuple):
    """Seeds of a cell, and the form of their rows."""

    env: str
    level: int
    split: Split
    first: int
    number: int
    answer_format: str
    trainer: str
    solutions: Solutions


class Row(NamedTuple):
    """A row that may become part of the data set."""

    seed: int
    """The seed within its split."""

    digest: int
    """64 bits of a digest of the task's canonical form."""

    row: bytes
    """The row as JSON."""

    solution: bytes
    """What the oracle does, as JSON; empty if that is not asked for, or there is no solution."""


def rows_of(span: Span) -> list[Row]:
    """The rows of a span, in the order of their seeds. Seeds that give no valid task have none."""
    return [*_rows(span)]


def _rows(span: Span) -> Iterator[Row]:
    for seed in range(span.first, span.first + span.number):
        address = Address.of(span.env, seed, span.level, span.split)
        try:
            task = address.task()
        except NoValidTask:
            continue
        (row,) = exported(
            span.env,
            (seed,),
            span.level,
            span.split,
            span.answer_format,
            trainer=span.trainer,
        )
        digest = blake2b(task.canonical().encode(), digest_size=8).digest()
        yield Row(
            seed,
            int.from_bytes(digest, "big", signed=True),
            msgspec.json.encode(row),
            _solution(address, span),
        )


def _solution(address: Address, span: Span) -> bytes:
    """What is written of the oracle's episode of a task, as JSON."""
    if span.solutions == "none":
        return b""
    record = solution_of(address, span.answer_format, span.solutions)
    return b"" if record is None else msgspec.json.encode(record)


def solution_of(
    address: Address, answer_format: str, solutions: Solutions
) -> dict[str, object] | None:
    """Return what is written of the oracle's episode of a task, with its address.

    None stands for a task without a solution, such as a row of a file that has none.
    ``traces`` are those of :mod:`palaestra.trainers.traces`, before the answer of a puzzle; the
    field ``trace`` is false for a task without one, whose replies are the answers alone.
    """
    form, task = answer_format_of(answer_format), address.task()
    if solutions == "traces" and (trace := trace_of(task)) is not None:
        reply = f"{trace.text}\n\n{form.write(trace.answer)}"
        return {"address": str(address), "trace": True, "replies": [reply]}
    episode = Episode(task, form)
    for move in address.task().solve():
        if episode.scores is not None:
            break
        episode.step(form.write(move))
    if not episode.replies:
        return None
    if solutions == "chats":
        return {"address": str(address), "messages": episode.messages()}
    flag = {"trace": False} if solutions == "traces" else {}
    return {"address": str(address), **flag, "replies": [*episode.replies]}
