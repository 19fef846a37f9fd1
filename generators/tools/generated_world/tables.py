"""Typed tables that are copied on write, so that worlds share what none of them has changed."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from palaestra.generators.tools.engine import Changes


class Row(NamedTuple):
    """A record of an entity type."""

    number: int
    """The id, which is unique within the table."""
    label: str
    trait: str
    stock: int
    state: str
    owner: int
    """The id of a record of the type above, or 0 where there is none."""


Table = Mapping[int, Row]


def indexed(rows: Sequence[Row]) -> Table:
    """A table of rows by id."""
    return {row.number: row for row in rows}


class Tables:
    """The records of a world: a start that is shared, and the rows that have changed since."""

    def __init__(self, start: Sequence[Table]) -> None:
        self.start = start
        self.changed: list[dict[int, Row]] = [{} for _ in start]
        self.statements: Changes = {}
        """What has been answered and declined, by ``("answer", request)`` and ``("decline",
        request)``.
        """

    def get(self, entity: int, number: int) -> Row | None:
        """The current row with an id, or None."""
        return self.changed[entity].get(number) or self.start[entity].get(number)

    def rows(self, entity: int) -> Iterator[Row]:
        """All current rows of a type, in ascending order of their ids."""
        changed = self.changed[entity]
        return (changed.get(number, row) for number, row in self.start[entity].items())

    def put(self, entity: int, row: Row) -> None:
        """Replace a row."""
        self.changed[entity][row.number] = row

    def changes(self) -> Changes:
        """All values that differ from the start, by ``("row", type, id, column)``, and all
        statements.
        """
        values: Changes = dict(self.statements)
        for entity, changed in enumerate(self.changed):
            for number, row in changed.items():
                before = self.start[entity][number]
                old, new = before._asdict(), row._asdict()
                values |= {
                    ("row", str(entity), str(number), column): value
                    for column, value in new.items()
                    if value != old[column]
                }
        return values
