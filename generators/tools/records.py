"""Typed tables that tools change, which know what differs from their start."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from palaestra.generators.tools.engine import Changes, Tool, ToolWorld
from palaestra.task import InvalidAnswer

Row = Mapping[str, Any]
Tables = Mapping[str, Mapping[int, Row]]
"""The rows of each table by number; the fields of a row by name."""

Item = TypeVar("Item")

PAGE = 10
"""How many lines a page of a list has."""


class RecordWorld(ToolWorld):
    """A world of tables. The tables at the start are shared and never written.

    ``is_written`` is false where whoever calls wants the rows of lists, and not their text;
    ``free`` are tables whose rows do not count as changes, such as logs.
    """

    def __init__(
        self, tools: Sequence[Tool], tables: Tables, seed: int = 0, busy: int = 0,
        free: Sequence[str] = (),
    ) -> None:  # fmt: skip
        super().__init__(tools, seed, busy)
        self.start, self.free = tables, frozenset(free)
        self.is_written = True
        self._rows: dict[str, dict[int, Row | None]] = {}
        self._current: dict[str, list[tuple[int, Row]]] = {}
        """The rows of changed tables, computed when they are wanted."""
        self._changes: Changes | None = None
        """What has changed, computed when it is wanted."""
        self._next = {name: max(rows, default=0) + 1 for name, rows in tables.items()}

    def row(self, table: str, number: int) -> Row:
        """A row by number. Raises :class:`InvalidAnswer` where there is none."""
        changed = self._rows.get(table, {})
        row = changed[number] if number in changed else self.start[table].get(number)
        if row is None:
            raise InvalidAnswer(f"there is no {table} {str(number)[:20]}")
        return row

    def rows(self, table: str) -> Iterator[tuple[int, Row]]:
        """All rows of a table with their numbers, in the order of their numbers at the start; new
        ones come last.
        """
        if table not in self._rows:
            return iter(self.start[table].items())
        if table not in self._current:
            current = {**self.start[table], **self._rows[table]}
            self._current[table] = [(n, row) for n, row in current.items() if row is not None]
        return iter(self._current[table])

    def update(self, table: str, number: int, **values: Any) -> None:
        """Set fields of a row. Raises :class:`InvalidAnswer` where there is no such row."""
        self._set(table, number, {**self.row(table, number), **values})

    def add(self, table: str, **values: Any) -> int:
        """Add a row, and return its number, which is the next one."""
        number = self._next[table]
        self._next[table] += 1
        self._set(table, number, values)
        return number

    def remove(self, table: str, number: int) -> None:
        """Remove a row. Raises :class:`InvalidAnswer` where there is no such row."""
        self.row(table, number)
        self._set(table, number, None)

    def _set(self, table: str, number: int, row: Row | None) -> None:
        self._rows.setdefault(table, {})[number] = row
        self._current.pop(table, None)
        self._changes = None

    def changes(self) -> Changes:
        """The fields that differ, the rows that are gone, and the rows that are new.

        A new row is named by its fields and not by its number, so that the order in which rows are
        added does not matter.
        """
        if self._changes is None:
            self._changes = self._computed_changes()
        return {**self._changes}

    def _computed_changes(self) -> Changes:
        changes: Changes = {}
        new: Counter[tuple[str, str]] = Counter()
        for table in [each for each in self._rows if each not in self.free]:
            for number, row in self._rows[table].items():
                before = self.start[table].get(number)
                if row is None and before is not None:
                    changes[table, str(number)] = "removed"
                elif row is not None and before is None:
                    new[table, str(sorted(row.items()))] += 1
                elif row is not None and before is not None:
                    for field, value in row.items():
                        if before.get(field) != value:
                            changes[table, str(number), field] = value
        for (table, text), copies in new.items():
            changes[table, "new", text] = copies
        return changes


def new_row(table: str, **values: Any) -> tuple[str, str, str]:
    """The path of a new row in the changes of a world.

    >>> new_row("notes", text="buy milk")
    ('notes', 'new', "[('text', 'buy milk')]")
    """
    return table, "new", str(sorted(values.items()))


def page_of(
    items: Sequence[Item], page: int, empty: str = "none", line: Callable[[Item], str] = str
) -> str:
    r"""A page of a list with a line for each item, and then how many pages there are, so that it
    is known when the list is complete.

    >>> page_of(["a"], 1)
    'a\n(page 1 of 1)'

    Raises :class:`InvalidAnswer` for a page that there is not.
    """
    pages = -(-len(items) // PAGE) or 1
    if not 1 <= page <= pages:
        raise InvalidAnswer(f"pages go from 1 to {pages}")
    shown = [*map(line, items[(page - 1) * PAGE : page * PAGE])] or [empty]
    return "\n".join([*shown, f"(page {page} of {pages})"])
