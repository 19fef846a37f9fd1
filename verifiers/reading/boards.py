"""Readers of positions of games that are written as the prompt shows them."""

from collections.abc import Sequence

from palaestra.task import InvalidAnswer, Score


def compared_boards(answer: str, right: str, spaces_count: bool = False) -> Score:
    r"""Score 1 for a position that is written as another one is, otherwise 0.

    The width of gaps makes no difference unless ``spaces_count``. Coordinates, which are numbers
    above the columns and before the rows, may be left out. Raises
    :class:`~palaestra.task.InvalidAnswer` for no lines.

    >>> compared_boards("X .\n. O", "   1 2\n1  X .\n2  . O").value
    1.0
    >>> compared_boards("1 2\n1 X .\n2 O .", "   1 2\n1  X .\n2  . O").reason
    'line 3 is different'
    """
    rows, expected = (_rows(text, spaces_count) for text in (answer, right))
    if not rows:
        raise InvalidAnswer("expected a position")
    if rows in (expected, _without_coordinates(expected)):
        return Score(1)
    if len(rows) != len(expected):
        return Score(0, f"the position has {len(expected)} lines, not {len(rows)}")
    first = next(n for n, (one, other) in enumerate(zip(rows, expected), 1) if one != other)
    return Score(0, f"line {first} is different")


def shown_cells(text: str, size: tuple[int, int] | None = None) -> list[list[str]]:
    r"""The contents of the cells of the only grid that a text shows, by row; empty for none.

    A grid has so many rows and columns as ``size`` states, or labels from 1 or a above or below its
    columns. Labels before the rows and bars between cells are left out.

    >>> shown_cells("   1 2\n1  X .\n2  . O\n\nX has 1 disc.")
    [['X', '.'], ['.', 'O']]
    >>> shown_cells("X .\n. O\nMoves: 2", (2, 2))
    [['X', '.'], ['.', 'O']]
    >>> shown_cells("A: 1\nB: 2")
    []
    """
    rows = [[word for word in line.split() if word != "|"] for line in text.splitlines()]
    rows = [row for row in rows if not row or set("".join(row)) - set("-+|")]
    if size is not None and size[0] > 1:
        blocks = (_block(rows[n:], size[1])[: size[0]] for n in range(len(rows)))
        if block := next((block for block in blocks if len(block) == size[0]), None):
            return block
    heads = [n for n, row in enumerate(rows) if len(row) > 1 and row in _labels(len(row))]
    if len(heads) > 1:
        return []
    if not heads:
        return []
    head, wide = heads[0], len(rows[heads[0]])
    return _block(rows[head + 1 :], wide) or _block(rows[:head][::-1], wide)[::-1]


def _labels(count: int) -> tuple[list[str], list[str]]:
    """The labels of so many columns: numbers, and letters."""
    return [str(n) for n in range(1, count + 1)], [chr(ord("a") + n) for n in range(count)]


def _block(rows: Sequence[Sequence[str]], wide: int) -> list[list[str]]:
    """The first rows with so many words, not counting a number before each of them."""
    block = list[list[str]]()
    labelled = bool(rows) and len(rows[0]) == wide + 1 and rows[0][0].isdecimal()
    for row in rows:
        if len(row) != wide + labelled or (labelled and not row[0].isdecimal()):
            break
        block.append([*row[labelled:]])
    return block


def _rows(text: str, spaces_count: bool) -> list[Sequence[str]]:
    """The lines with text, as words, or as whole lines without what all of them begin with."""
    kept = [_ended(line.rstrip()) for line in text.expandtabs().splitlines()]
    kept = [line for line in kept if line and not line.lstrip().startswith("```")]
    if not spaces_count:
        return [line.split() for line in kept]
    margin = min((len(line) - len(line.lstrip()) for line in kept[1:]), default=0)
    # What stands before the first line is lost where an answer is taken from its tags.
    return [[line.lstrip()] if n == 0 else [line[margin:]] for n, line in enumerate(kept)]


def _ended(line: str) -> str:
    """A line without a full stop behind its last word, which answers lose; cells may be dots."""
    return line[:-1] if line.endswith(".") and line[-2:-1].isalnum() else line


def _without_coordinates(rows: Sequence[Sequence[str]]) -> list[Sequence[str]] | None:
    """The rows without numbers above the columns and before the rows; None without such."""
    count = len(rows[0]) if rows else 0
    if not count or [*rows[0]] != [str(n) for n in range(1, count + 1)]:
        return None
    inner = list[Sequence[str]]()
    for number, row in enumerate(rows[1:], 1):
        if len(row) != count + 1 or row[0] != str(number):
            return [*inner, *rows[number:]] if inner else None
        inner.append(row[1:])
    return inner
