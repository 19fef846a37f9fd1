"""Which rows of a corpus contain held-out tasks: by their addresses, and by their texts.

Each environment has held-out tasks without end. All of them are recognised by their addresses.
By their texts, those of the first seeds are, which evaluations use: a text contains a task if it
contains most of the passages that no other task has (the method of n-gram overlap, as in T. Brown
and others, "Language Models are Few-Shot Learners", 2020, appendix C).
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from palaestra.address import SEEDS, Address, Split
from palaestra.episode import BARE, Episode
from palaestra.task import NoValidTask
from palaestra.trainers.audits.files import Row, rows_of

PASSAGE = 8
"""Words of a passage."""

KEPT = 24
"""Passages of a task that are looked for, at most."""

FEWEST = 3
"""A task with fewer passages of its own cannot be told from others."""

SHARE = 0.8
"""The share of its passages that a text has to contain."""

TRAINING = 6
"""Training tasks of each level, whose passages are no sign of a held-out one."""

_ADDRESS = re.compile(
    r"[a-z]{1,30}/[a-z0-9_]{1,60}(?:[+@][^\s?\"'<>`]{0,400})?\?[^\s\"'<>`]{1,2000}"
)
_SEED = re.compile(r"(?:^|&)seed=(\d{1,10})(?!\d)")
_WORD = re.compile(r"\w+")


class Match(NamedTuple):
    """A held-out task in a row; ``by`` says whether its address or its text is there."""

    row: int
    address: str
    by: str


class Reserve:
    """The held-out tasks that are looked for in texts.

    Addresses of all environments are recognised. Add environments with :meth:`add` to recognise
    the texts of their tasks as well.
    """

    def __init__(self) -> None:
        self.addresses: list[str] = []
        """The tasks whose texts are recognised."""
        self.similar = 0
        """The tasks whose texts cannot be told from those of others."""
        self._passages: dict[int, int] = {}
        self._kept: list[int] = []

    def add(self, env: str, level: int, tasks: int) -> None:
        """Recognise the texts of the first held-out tasks of an environment at a level."""
        training = _openings(env, level, "train", TRAINING).values()
        known = {passage for text in training for passage in _passages(text)}
        openings = _openings(env, level, "eval", tasks)
        times = Counter(passage for text in openings.values() for passage in {*_passages(text)})
        for address, text in openings.items():
            own = [each for each in _passages(text) if times[each] == 1 and each not in known]
            self._keep(address, own)

    def _keep(self, address: str, passages: list[int]) -> None:
        if len(passages) < FEWEST:
            self.similar += 1
            return
        kept = passages[:: -(-len(passages) // KEPT)]
        number = len(self.addresses)
        self.addresses.append(address)
        self._kept.append(len(kept))
        self._passages |= dict.fromkeys(kept, number)

    def look(self, row: Row) -> list[Match]:
        """The held-out tasks in a row."""
        texts = [*_texts(row.values)]
        named = [address for text in texts for address in held_out_addresses(text)]
        matches = dict.fromkeys(named, "address")
        for text in texts if self._passages else ():
            for address in self._recognised(text):
                matches.setdefault(address, "text")
        return [Match(row.number, address, by) for address, by in matches.items()]

    def _recognised(self, text: str) -> Iterator[str]:
        times = Counter(self._passages[each] for each in {*_passages(text)} & self._passages.keys())
        for number, share in times.items():
            if share >= SHARE * self._kept[number]:
                yield self.addresses[number]


def held_out_addresses(text: str) -> Iterator[str]:
    """The addresses of held-out tasks in a text, and selections of such, as they are written.

    >>> [*held_out_addresses("games/mastermind?seed=7, games/mastermind@1?seed=2147483649")]
    ['games/mastermind@1?seed=2147483649']
    """
    if "seed" not in text:
        return
    for address in _ADDRESS.findall(text):
        query = unquote(address.partition("?")[2])
        seed = _SEED.search(query)
        if "split=eval" in query.split("&") or (seed and int(seed[1]) in SEEDS["eval"]):
            yield address.rstrip(".,;:)]}")


def corpus_rows(file: Path) -> Iterator[Row]:
    """The rows of a table or Parquet file, or the lines of any other file, where lines of JSON are
    read. Raises :class:`~palaestra.trainers.audits.files.UnusableFile` for broken Parquet.
    """
    if file.suffix.lower() in {".csv", ".tsv", ".parquet"}:
        yield from rows_of(file)
        return
    with file.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            try:
                value = json.loads(line)
            except (ValueError, RecursionError):
                value = line
            yield Row(number, {"value": value})


def _texts(value: Any) -> Iterator[str]:
    """All texts in a value, however deep."""
    ahead = [value]
    while ahead:
        each = ahead.pop()
        if isinstance(each, str):
            yield each
        elif isinstance(each, Mapping):
            ahead += [*each.keys(), *each.values()]
        elif isinstance(each, list | tuple):
            ahead += each


def _openings(env: str, level: int, split: Split, number: int) -> dict[str, str]:
    """The opening texts of tasks, by their addresses."""
    texts = {}
    for seed in range(number):
        address = Address.of(env, seed, level, split)
        try:
            texts[str(address)] = Episode(address.task(), BARE).observation
        except NoValidTask:
            continue
    return texts


def _passages(text: str) -> list[int]:
    """Hashes of the passages of a text, in their order."""
    words = _WORD.findall(text.casefold())
    return [hash(" ".join(words[n : n + PASSAGE])) for n in range(max(1, len(words) - PASSAGE + 1))]
