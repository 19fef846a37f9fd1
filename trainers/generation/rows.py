"""The rows of a span of seeds, as the processes that generate a data set make them."""

from collections.abc import Iterator
from hashlib import blake2b
from typing import Literal, NamedTuple

import msgspec

from palaestra.address import Address, Split
from palaestra.episode import Episode, answer_format_of
from palaestra.task import NoValidTask
from palaestra.trainers.exports import exported

Solutions = Literal["none", "answers", "chats"]
"""What is written of the oracle: nothing, its replies, or the whole chat."""


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
    """What the oracle does, as JSON; empty if that is not asked for."""


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
    """The oracle's episode of a task as JSON, with the address."""
    if span.solutions == "none":
        return b""
    answer_format = answer_format_of(span.answer_format)
    episode = Episode(address.task(), answer_format)
    for move in address.task().solve():
        if episode.scores is not None:
            break
        episode.step(answer_format.write(move))
    record: dict[str, object] = {"address": str(address)}
    if span.solutions == "answers":
        record["replies"] = [*episode.replies]
    else:
        record["messages"] = episode.messages()
    return msgspec.json.encode(record)
