"""The rows that a player has seen of a table, with what has been repaired, merged and marked."""

from collections.abc import Sequence

from palaestra.generators.tools.sightings import UNSEEN, around, shortened, table
from palaestra.scenes import Cell, Panels
from palaestra.verifiers.calls.reading import Call

MOST = 14
"""How many rows are drawn at most."""

EMPTY = "(empty)"
"""How results show an empty cell."""


class Seen:
    """The texts of cells by the number of the row and the name of the column."""

    def __init__(self) -> None:
        self.columns: list[str] = []
        """The names of the columns in the order of the table, as far as results have shown it."""
        self.rows = 0
        """The number of the last row of which anything is known."""
        self.texts: dict[tuple[int, str], str] = {}
        self.changed: set[tuple[int, str]] = set()
        self.merged: dict[int, int] = {}
        self.marked: set[int] = set()
        self.row = 1
        """The row that was looked at last."""
        self.last: tuple[int, str] | None = None
        """The cell that was changed last."""

    def put(self, row: int, column: str, text: str) -> None:
        """Remember a text of a cell."""
        self.texts[row, column] = text
        self.rows = max(self.rows, row)
        if column not in self.columns:
            self.columns.append(column)

    def arrange(self, columns: Sequence[str]) -> None:
        """Remember the order of some columns, or of all."""
        if len(columns) >= len(self.columns):
            self.columns = [*columns]
        else:
            self.columns += [name for name in columns if name not in self.columns]


def note(seen: Seen, call: Call, result: str) -> None:
    """Remember what the result of a call shows."""
    arguments = call.arguments
    name = str(arguments.get("column", "")).strip().casefold()
    match call.name:
        case "describe_table":
            counts, _, names = result.partition(". Columns: ")
            seen.arrange(names.split(", "))
            seen.rows = int(counts.rpartition(" ")[2])
        case "read_rows":
            _note_rows(seen, result)
            seen.row = int(arguments["first"])
        case "find_rows":
            for line in result.splitlines():
                head, _, text = line.partition(": ")
                if head.startswith("row "):
                    seen.put(int(head[4:]), name, text)
        case "set_cell":
            seen.row = int(arguments["row"])
            seen.put(seen.row, name, result.partition(" is now ")[2][1:-2])
            seen.last = seen.row, name
            seen.changed.add(seen.last)
        case "merge_rows":
            _merge(seen, int(arguments["keep"]), int(arguments["remove"]))
        case "mark_row":
            seen.row = int(arguments["row"])
            (seen.marked.discard if arguments.get("undo") else seen.marked.add)(seen.row)


def _note_rows(seen: Seen, result: str) -> None:
    """Remember rows that have been read."""
    head, *lines = (line.split(" | ") for line in result.splitlines())
    seen.arrange(head[1:])
    for row, *texts in lines:
        for name, text in zip(head[1:], texts, strict=True):
            seen.put(int(row), name, "" if text == EMPTY else text)


def _merge(seen: Seen, keep: int, other: int) -> None:
    """Remember that a row has been merged into another, whose empty cells it has filled."""
    seen.merged[other], seen.row = keep, keep
    seen.marked.discard(other)
    for name in seen.columns:
        if seen.texts.get((keep, name)) == "":
            if (other, name) in seen.texts:
                seen.texts[keep, name] = seen.texts[other, name]
            else:  # nobody has seen what it is now
                del seen.texts[keep, name]


def picture(seen: Seen, columns: Sequence[str]) -> Panels:
    """The rows around the one that was looked at last; ``columns`` are all that there are."""
    names = [*seen.columns, *(name for name in columns if name not in seen.columns)]
    rows = around(seen.row, max(1, seen.rows), MOST)
    cells = [[_cell(seen, row, name) for name in names] for row in rows]
    last = [(rows.index(row), names.index(name)) for row, name in [seen.last or (0, "")]
            if row in rows]  # fmt: skip
    left = [_label(seen, row) for row in rows]
    span = f"Rows {rows[0]} to {rows[-1]} of {seen.rows}"
    caption = span if seen.rows else "No row has been read"
    return Panels((table(names, left, cells, last),), (caption,))


def _label(seen: Seen, row: int) -> str:
    """The number of a row, with a sign if it is marked or merged."""
    if row in seen.merged:
        return f"{row} in {seen.merged[row]}"
    return f"{row} !" if row in seen.marked else str(row)


def _cell(seen: Seen, row: int, name: str) -> Cell:
    """A cell of the picture."""
    if (row, name) not in seen.texts:
        return UNSEEN
    fill = "muted" if row in seen.merged else "t3" if row in seen.marked else "paper"
    tone = "accent" if (row, name) in seen.changed else ""
    return Cell(shortened(seen.texts[row, name]), fill, tone=tone)
