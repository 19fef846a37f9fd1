"""Records as named tuples, the rows that they make in a world, and how rows are looked for."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeVar

from palaestra.generators.tools.apps import Numbered
from palaestra.generators.tools.records import RecordWorld, Row
from palaestra.task import InvalidAnswer

Rows = Callable[[str], Sequence[Numbered]]
"""The rows of a table with their numbers, as far as somebody knows them."""


class Record(Protocol):
    """A named tuple with a number."""

    @property
    def number(self) -> int: ...

    def _asdict(self) -> dict[str, Any]: ...


RecordT = TypeVar("RecordT", bound=Record)


def row_of(record: Record) -> Row:
    """The fields of a record besides its number."""
    values = record._asdict()
    del values["number"]
    return values


def rows_of(records: Iterable[RecordT]) -> dict[int, Row]:
    """The records of a table by number, which they are sorted by."""
    return dict(sorted((each.number, row_of(each)) for each in records))


def matching(world: RecordWorld, table: str, **texts: str) -> list[Numbered]:
    """The rows of a table whose fields contain texts, whatever the case; empty ones do not count.

    A field that has several texts contains what one of them does.
    """
    rows = [*world.rows(table)]
    for field, text in texts.items():
        if part := text.strip().casefold():
            # Many rows have the same text, such as a site, so each text is looked into once.
            values = {row[field] for _, row in rows}
            fits = {value for value in values if part in value.casefold()}
            rows = [each for each in rows if each[1][field] in fits]
    return rows


def added(world: RecordWorld, table: str, **values: Any) -> int:
    """Add a row, and give its number. Raises :class:`InvalidAnswer` where there is the same."""
    if any(row == values for _, row in world.rows(table)):
        raise InvalidAnswer("this has been recorded already")
    return world.add(table, **values)
