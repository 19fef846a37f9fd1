"""Apps whose records are tables: lists as lines of JSON, and clients that read them.

After H. Trivedi and others, "AppWorld: A Controllable World of Apps and People for Benchmarking
Interactive Coding Agents" (2024), whose tasks are judged by what differs between two states of the
records of several apps.
"""

import json
import re
from collections.abc import Callable, Generator, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date
from operator import itemgetter
from random import Random
from typing import Any, NamedTuple, Self

from palaestra.generators.tools.engine import Arguments, Client, using
from palaestra.generators.tools.records import PAGE, RecordWorld, Row, page_of
from palaestra.task import InvalidAnswer
from palaestra.verifiers.calls.reading import Call

MOST_CALLS = 1_000
"""How many calls an oracle is allowed."""

Matches = Callable[[Row], bool]

Numbered = tuple[int, Row]

Filter = Callable[[Any], Matches | None]
"""What an argument of a list asks of a row; nothing where it is empty. It raises
:class:`~palaestra.task.InvalidAnswer` for an argument that makes no sense.
"""

Key = str | Callable[[Row], Hashable]
"""What rows are looked up by: a field or a function, which is the same object each time."""

Reading = Generator[str, str, None]
"""Calls of a client by which it reads something."""

_PAGES = re.compile(r"\(page \d{1,9} of (\d{1,9})\)")

_text = json.JSONEncoder(ensure_ascii=False).encode


class Deed(NamedTuple):
    """A call of a tool that a request needs."""

    tool: str
    arguments: Mapping[str, Any]


def shown(number: int, row: Row, *left_out: str) -> str:
    """A row as a line of JSON, with its number as ``id``, without some fields.

    >>> shown(3, {"name": "Ada", "note": "..."}, "note")
    '{"id": 3, "name": "Ada"}'
    """
    values = {"id": number, **row}
    for name in left_out:
        del values[name]
    return _text(values)


class Listing(str):
    """The end of a page of rows, which are at hand."""

    rows: list[dict[str, Any]]


def listing(
    world: RecordWorld, rows: Sequence[Numbered], page: int, left_out: Sequence[str] = ()
) -> str:
    """A page of rows, each on a line of JSON without some fields, or a :class:`Listing`.

    Raises :class:`~palaestra.task.InvalidAnswer` for a page that there is not.
    """
    if not world.is_written:
        end = Listing(page_of(rows, page, line=lambda each: ""))
        end.rows = [{"id": number, **row} for number, row in rows[(page - 1) * PAGE : page * PAGE]]
        for each in end.rows if left_out else ():
            for name in left_out:
                del each[name]
        return end
    return page_of(rows, page, line=lambda each: shown(*each, *left_out))


def containing(field: str) -> Filter:
    """Rows with a text in a field, in any case of letters."""

    def matching(text: str) -> Matches | None:
        part = text.casefold()
        return (lambda row: part in row[field].casefold()) if part else None

    return matching


def equal(field: str) -> Filter:
    """Rows with a text as a field, in any case of letters, or with a number that is not 0."""

    def matching(value: str | int) -> Matches | None:
        if isinstance(value, int):
            return (lambda row: row[field] == value) if value else None
        text = value.strip().casefold()
        return (lambda row: row[field].casefold() == text) if text else None

    return matching


def day(text: str) -> str:
    """A date as it is stored. Raises :class:`InvalidAnswer` for what is none."""
    try:
        return date.fromisoformat(text.strip()[:20]).isoformat()
    except ValueError:
        raise InvalidAnswer("a date is written as 2031-03-04") from None


def since(text: str) -> Matches | None:
    """Rows with a date or a later one."""
    first = day(text) if text else ""
    return (lambda row: row["date"] >= first) if first else None


def until(text: str) -> Matches | None:
    """Rows with a date, at any time, or an earlier one."""
    last = day(text) if text else ""
    return (lambda row: row["date"][: len(last)] <= last) if last else None


def lister(
    table: str, *filters: Filter, left_out: Sequence[str] = ()
) -> Callable[[RecordWorld, Arguments], str]:
    """A tool that lists the rows that meet its arguments, of which there is one for each filter,
    and then the page.
    """

    def run(world: RecordWorld, arguments: Arguments) -> str:
        *values, page = arguments.values()
        rows = [*world.rows(table)]
        for chosen, value in zip(filters, values):
            if (matches := chosen(value)) is not None:
                rows = [each for each in rows if matches(each[1])]
        return listing(world, rows, page, left_out)

    return run


def reader(table: str) -> Callable[[RecordWorld, Arguments], str]:
    """A tool that gives a row by its number, with all its fields."""

    def run(world: RecordWorld, arguments: Arguments) -> str:
        (number,) = arguments.values()
        text = listing(world, [(number, world.row(table, number))], 1)
        return text.partition("\n")[0] if world.is_written else text

    return run


def listed(
    tool: str, /, *, most: int = 0, **arguments: Any
) -> Generator[str, str, list[dict[str, Any]]]:
    """For a client: the rows on all pages of a list, or the first ``most`` of the first page. An
    error has none. Arguments that are empty texts or 0 are left out.
    """
    arguments = {name: value for name, value in arguments.items() if value not in ("", 0)}
    rows: list[dict[str, Any]] = []
    page = last = 1
    while page <= (1 if most else last):
        extra = {"page": page} if page > 1 else {}
        result = yield from using(tool, **arguments, **extra)
        if match := _PAGES.fullmatch(result.rpartition("\n")[2]):
            last = int(match[1])
        if isinstance(result, Listing):
            rows += result.rows
        else:
            lines = [line for line in result.splitlines() if line.startswith("{")]
            rows += json.loads(f"[{','.join(lines)}]")
        page += 1
    return rows[: most or None]


def performed(world: RecordWorld, client: Client) -> tuple[str, ...]:
    """The calls that a client makes in a world, :data:`MOST_CALLS` at most.

    They are the same as in an episode, in a fraction of the time: its calls are read in the one
    form that it writes, and lists are not written as text for it to read.
    """
    world.is_written = False
    calls: list[str] = []
    with suppress(StopIteration):
        move = next(client)
        while len(calls) < MOST_CALLS:
            calls.append(move)
            move = client.send(world.result(Call(*json.loads(move).values())))
    return tuple(calls)


class Known:
    """Rows by table and number, as far as somebody knows them, with an index for each field by
    which they are looked up.
    """

    def __init__(self) -> None:
        self._tables: dict[str, dict[int, Row]] = {}
        self._rows: dict[str, list[Numbered]] = {}
        self._indexes: dict[tuple[str, Key], dict[Any, list[Numbered]]] = {}

    @classmethod
    def of(cls, world: RecordWorld) -> Self:
        """All rows of a world as they are now."""
        known = cls()
        known._rows = {table: [*world.rows(table)] for table in world.start}
        return known

    def note(self, table: str, rows: Iterable[Row]) -> None:
        """Remember rows that have their number as ``id``, besides what is known of them."""
        self._indexes.clear()
        self._rows.pop(table, None)
        known = self._tables.setdefault(table, {})
        for row in rows:
            number = row["id"]
            known[number] = {**known[number], **row} if number in known else row

    def rows(self, table: str) -> Sequence[Numbered]:
        """The rows of a table with their numbers."""
        if table not in self._rows:
            self._rows[table] = sorted(self._tables.get(table, {}).items())
        return self._rows[table]

    def by(self, table: str, key: Key) -> Mapping[Any, Sequence[Numbered]]:
        """The rows of a table by their value of a field or of a function, in their order."""
        if (table, key) not in self._indexes:
            value = itemgetter(key) if isinstance(key, str) else key
            index: dict[Any, list[Numbered]] = {}
            for each in self.rows(table):
                index.setdefault(value(each[1]), []).append(each)
            self._indexes[table, key] = index
        return self._indexes[table, key]


def carry_out(world: RecordWorld, deeds: Iterable[Deed]) -> None:
    """Use the tools of a world directly, which are never busy then."""
    for deed in deeds:
        tool = world.tools[deed.tool]
        tool.run(world, tool.checked(deed.arguments))


def calling(deeds: Iterable[Deed]) -> Client:
    """For a client: make the calls, each until the service is not busy."""
    for deed in deeds:
        yield from using(deed.tool, **deed.arguments)


def worded(frames: Sequence[str], wording: int, number: int, /, **slots: str) -> str:
    """A request in one of several frames, which depends on the wording of the task and on the
    number of the request.
    """
    text = Random(f"{wording} {number}").choice(frames).format(**slots)
    return text[0].upper() + text[1:]


def in_random_order(clauses: Sequence[str], wording: int, number: int) -> list[str]:
    """Clauses in an order that depends on the wording of the task."""
    return Random(f"order {wording} {number}").sample(clauses, len(clauses))


def in_any_order(clauses: Sequence[str], wording: int, number: int) -> str:
    """Clauses one after the other, in an order that depends on the wording of the task."""
    return " ".join(in_random_order(clauses, wording, number))
