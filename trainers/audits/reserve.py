"""Which rows of a corpus contain held-out tasks: by their addresses, and by their texts.

Each environment has held-out tasks without end. All of them are recognised by their addresses.
By their texts, those of the first seeds are, which evaluations use: a corpus contains such a task
if its whole opening stands there, apart from spaces and line breaks.
"""

import csv
import json
import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, islice
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from palaestra.address import SEEDS, Address
from palaestra.episode import BARE, AnswerFormat, Episode
from palaestra.task import NoValidTask
from palaestra.trainers.audits.files import rows_of

ANCHOR = 24
"""Characters by which a text is looked up; shorter openings are not recognised."""

ANCHORS = 256
"""About how many passages of an opening are compared for one that others seldom have."""

SILENT = AnswerFormat("silent", "", BARE.read, BARE.write)
"""Openings without a rule on how to mark an answer, which differs from one corpus to another."""

BLOCK = 500
"""Lines of a text file in which a task is looked for at a time; each block has as many again as
the next one begins with.
"""

WHOLE = 256 << 20
"""A file ``.json`` of more bytes is read by lines."""

_ADDRESS = re.compile(
    r"(?<![a-z])(?=([a-z]{1,30}/[a-z0-9_]{1,60}"
    r"(?:[+@][^\s?\"'<>`|;]{0,400})?\?[\w.~%=&:+-]+))",
    re.IGNORECASE | re.ASCII,
)
_SEED = re.compile(r"(?:^|&)seed=(\d{1,10})(?!\d)", re.IGNORECASE)
_EVAL = re.compile(r"(?:^|&)split=eval(?!\w)", re.IGNORECASE)

_ESCAPES = (
    ("&amp;", "&"), ("\\u0026", "&"), ("\\/", "/"), ("\\_", "_"), ("\\n", " "), ("\\t", " "),
)  # fmt: skip
"""How HTML, JSON and Markdown write characters of addresses, and what ends one in JSON."""


class Match(NamedTuple):
    """A held-out task in a row or line; ``by`` says whether its address or its text is there."""

    row: int
    address: str
    by: str


class Reserve:
    """The held-out tasks that are looked for.

    Addresses of all environments are recognised. Add environments with :meth:`add` to recognise
    the texts of their tasks as well.
    """

    def __init__(self) -> None:
        self.short = Counter[str]()
        """How many tasks of each environment are too short to be recognised by their texts."""
        self.rows = 0
        """The rows and lines that were looked at."""
        self._openings: dict[str, list[tuple[str, str]]] = {}
        """Addresses and normal forms of openings by their anchors."""

    def add(self, env: str, level: int, tasks: int) -> None:
        """Recognise the texts of the first held-out tasks of an environment at a level."""
        openings = dict[str, str]()
        for seed in range(tasks):
            address = Address.of(env, seed, level, "eval")
            try:
                text = Episode(address.task(), SILENT).observation
            except NoValidTask:
                continue
            openings[str(address)] = " ".join(_words(text))
        times = Counter(anchor for text in openings.values() for anchor in {*_anchors(text)})
        for name, text in openings.items():
            if len(text) < ANCHOR:
                self.short[env] += 1
                continue
            anchor = min(_anchors(text), key=times.__getitem__)
            self._openings.setdefault(anchor, []).append((name, text))

    def look(self, value: Any, row: int = 1) -> list[Match]:
        """The held-out tasks in the texts of a value, however deep they are."""
        texts = [*_texts(value)]
        matches = {address: "address" for text in texts for address in held_out_addresses(text)}
        for text in texts if self._openings else ():
            for address, _ in self._recognised(list(map(_words, text.split("\n")))):
                matches.setdefault(address, "text")
        return [Match(row, address, by) for address, by in matches.items()]

    def search(self, file: Path) -> Iterator[Match]:
        """The held-out tasks in a file: a table, Parquet, JSON or JSON lines, or any other text.

        Rows of Parquet and JSON are counted from 1, and of other files lines. Raises
        :class:`~palaestra.trainers.audits.files.UnusableFile` for broken Parquet.
        """
        match file.suffix.lower():
            case ".parquet":
                rows: Iterable[tuple[int, Any]] = (
                    (row.number, row.values) for row in rows_of(file)
                )
            case ".csv":
                rows = _records(file, ",")
            case ".tsv":
                rows = _records(file, "\t")
            case ".jsonl" | ".ndjson" | ".json":
                rows = _values(file)
            case _:
                yield from self._search_text(file)
                return
        for number, value in rows:
            self.rows += 1
            yield from self.look(value, number)

    def _search_text(self, file: Path) -> Iterator[Match]:
        """Lines with addresses, and lines at which the text of a task begins."""
        block, first, before = list[str](), 1, 0
        reported = set[tuple[int, str]]()
        with _opened(file) as stream:
            while lines := [*islice(stream, BLOCK)]:
                for number, line in enumerate(lines, before + 1):
                    for address in dict.fromkeys(held_out_addresses(line)):
                        yield Match(number, address, "address")
                before += len(lines)
                self.rows += len(lines)
                block += lines
                if self._openings:
                    for address, line_of in self._recognised(list(map(_words, block))):
                        match = first + line_of, address
                        if match not in reported:
                            reported.add(match)
                            yield Match(*match, "text")
                first += max(0, len(block) - BLOCK)
                block = block[-BLOCK:]

    def _recognised(self, lines: Sequence[Sequence[str]]) -> Iterator[tuple[str, int]]:
        """The tasks whose openings stand in some lines, and the numbers of their first lines."""
        filled = [(n, " ".join(words)) for n, words in enumerate(lines) if words]
        text = " ".join(line for _, line in filled)
        starts = [0, *accumulate(len(line) + 1 for _, line in filled)]
        ends = {start - 1 for start in starts}
        for at in range(len(text) - ANCHOR + 1):
            for address, opening in self._openings.get(text[at : at + ANCHOR], ()):
                start = at - opening.index(text[at : at + ANCHOR])
                if start < 0 or not text.startswith(opening, start):
                    continue
                if start and text[start - 1].isalnum():
                    continue
                # A list of numbers may go on on the same line, and is another one then.
                end = start + len(opening)
                is_sentence = not opening[-1].isalnum() and text[end : end + 1] == " "
                if end in ends or is_sentence:
                    yield address, filled[bisect_right(starts, start) - 1][0]


def held_out_addresses(text: str) -> Iterator[str]:
    """The addresses of held-out tasks in a text, and selections of such, as they are written.

    >>> [*held_out_addresses("games/mastermind?seed=7, games/mastermind@1?seed=2147483649.")]
    ['games/mastermind@1?seed=2147483649']
    """
    if "?" not in text or "=" not in text:
        return
    for written, plain in _ESCAPES:
        text = text.replace(written, plain)
    for match in _ADDRESS.finditer(text):
        address = match[1].rstrip(".:-")
        query = unquote(address.partition("?")[2])
        seed = _SEED.search(query)
        if _EVAL.search(query) or (seed and int(seed[1]) in SEEDS["eval"]):
            yield address


def _words(text: str) -> list[str]:
    return unicodedata.normalize("NFC", text).split()


def _anchors(text: str) -> Iterator[str]:
    """Some passages by which a text could be looked up, spread over all of it."""
    step = max(1, len(text) // ANCHORS)
    return (text[n : n + ANCHOR] for n in range(0, len(text) - ANCHOR + 1, step))


def _texts(value: Any) -> Iterator[str]:
    """All texts in a value, however deep."""
    ahead = [value]
    while ahead:
        each = ahead.pop()
        if isinstance(each, str):
            yield each
        elif isinstance(each, bytes):
            yield each.decode("utf-8", "replace")
        elif isinstance(each, Mapping):
            ahead += [*each.keys(), *each.values()]
        elif isinstance(each, list | tuple):
            ahead += each


def _opened(file: Path) -> Any:
    """A text file in UTF-8, or in UTF-16 where it begins with a mark of it."""
    with file.open("rb") as stream:
        is_wide = stream.read(2) in {b"\xff\xfe", b"\xfe\xff"}
    encoding = "utf-16" if is_wide else "utf-8-sig"
    return file.open(encoding=encoding, errors="replace", newline="\n")


def _values(file: Path) -> Iterator[tuple[int, Any]]:
    """The values of JSON lines, or the value of a whole file; other lines as they are."""
    if file.suffix.lower() == ".json" and file.stat().st_size <= WHOLE:
        with _opened(file) as stream:
            value = _value(stream.read())
        if not isinstance(value, str):
            yield 1, value
            return
    with _opened(file) as lines:
        for number, line in enumerate(lines, 1):
            yield number, _value(line)


def _value(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=list)  # of a key that occurs twice, both values
    except (ValueError, RecursionError):
        return text


def _records(file: Path, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The records of a table with the numbers of their last lines; the header is one of them."""
    before = csv.field_size_limit(WHOLE)
    try:
        with _opened(file) as stream:
            reader = csv.reader((line.replace("\0", "") for line in stream), delimiter=delimiter)
            for fields in reader:
                yield reader.line_num, fields
    finally:
        csv.field_size_limit(before)
