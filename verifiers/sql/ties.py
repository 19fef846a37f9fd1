"""Queries whose ties are broken one way or the other, which brings to light what they leave open.

SQL promises an order only by the sort keys of a query, and rows that are equal by these may come in
any order; but an engine has its habits, such as the order of a table's keys, and a query that
counts on one of them looks right. With the columns of the result as further sort keys, once upwards
and once downwards, rows that a query does not put in order change places. Sub-queries, of which a
LIMIT or the need for one value may leave rows out, are sorted further in the same way, and the rows
that a window function numbers by a key that is new for each row.
"""

import re
from typing import Literal, NamedTuple

Direction = Literal["ASC", "DESC"]

DIRECTIONS: tuple[Direction, ...] = ("ASC", "DESC")

_TOKENS = re.compile(
    r"--[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?+"  # comments
    r"|'(?:[^']|'')*+'?+|\"(?:[^\"]|\"\")*+\"?+|`[^`]*+`?+|\[[^\]]*+\]?+"  # texts and quoted names
    r"|[^\W\d]\w*+|[\d.]\w*+|[^\s]"  # words, numbers and signs
)
_QUERIES = frozenset({"select", "with", "from"})
_COMPOUND = frozenset({"union", "intersect", "except"})
_NUMBERING = frozenset({"row_number", "ntile", "lag", "lead", "first_value"})
"""Window functions for which it matters in which order rows come that are equal by the keys."""


class _Level:
    """What stands at some depth of brackets, as far as it has been read."""

    def __init__(self, before: str = "", function: str = "") -> None:
        self.before = before
        """The word in front of the bracket."""
        self.function = function
        """The function whose window it is, where it is one."""
        self.first = ""
        """Its first word, by which brackets with a query in them are told from others."""
        self.called = ""
        """The last function that was called in it."""
        self.has_order = False
        self.has_rows = False
        self.is_compound = False
        self.limit: int | None = None
        """Where what stands before its LIMIT, or the frame of its window, ends."""

    def read(self, word: str, before: str, end: int) -> None:
        """Take note of its next word, and of the one before that, which ends at ``end``."""
        self.first = self.first or word
        if word == "by" and before == "order":
            self.has_order = True
        elif before != "." and (
            word in {"limit", "fetch"}
            or (self.has_order and word in {"offset", "rows", "range", "groups"})
        ):
            self.has_rows = self.has_rows or word == "rows"
            self.limit = end if self.limit is None else self.limit
        elif word in _COMPOUND:
            self.is_compound = True

    def is_query(self) -> bool:
        """Whether it is a query whose rows may be left out, by a limit or otherwise."""
        sortable = self.has_order or (not self.is_compound and self.before not in {"in", "exists"})
        return self.first in _QUERIES and sortable

    def is_numbering(self) -> bool:
        """Whether it is a window in which it matters how ties are broken."""
        return self.has_order and (self.has_rows or self.function in _NUMBERING)


class _Insertion(NamedTuple):
    position: int
    text: str


def with_ties_broken(
    query: str, columns: int, direction: Direction, collation: str = "", fresh: str = ""
) -> str:
    """A query with its ``columns`` as its last sort keys, all of them in one direction.

    ``fresh`` is a function without arguments that gives another number each time, by which rows
    are sorted that are numbered and equal by the keys of their window. The text is read in one
    pass, without being understood: what comes out may be no query even where the text is one, and
    then says nothing about it.

    >>> with_ties_broken("SELECT a, b FROM t ORDER BY a LIMIT 2;", 2, "DESC")
    'SELECT a, b FROM t ORDER BY a, 1 DESC, 2 DESC LIMIT 2'
    >>> with_ties_broken("SELECT a FROM t WHERE b = (SELECT b FROM u LIMIT 1)", 1, "ASC")
    'SELECT a FROM t WHERE b = (SELECT b FROM u ORDER BY 1 ASC LIMIT 1) ORDER BY 1 ASC'
    >>> with_ties_broken("SELECT ROW_NUMBER() OVER (ORDER BY a) FROM t", 1, "ASC", fresh="tie")
    'SELECT ROW_NUMBER() OVER (ORDER BY a, tie()) FROM t ORDER BY 1 ASC'
    """
    how = f" COLLATE {collation} {direction}" if collation else f" {direction}"
    levels = [_Level()]
    insertions: list[_Insertion] = []
    before, end = "", 0
    for token in _TOKENS.finditer(query):
        word = token[0].casefold()
        if word.startswith(("--", "/*")) or word == ";":
            continue
        if word == ")" and len(levels) > 1:
            inner = levels.pop()
            if inner.is_query():
                insertions.append(_sorted(inner, end, f"1{how}"))
            elif fresh and inner.is_numbering():
                insertions.append(_sorted(inner, end, f"{fresh}()"))
        else:
            outer = levels[-1]
            outer.read(word, before, end)
            if word == "(":
                levels.append(_Level(before, outer.called if before == "over" else ""))
                if before != "over":
                    outer.called = before
        before, end = word, token.end()
    insertions.append(
        _sorted(levels[0], end, ", ".join(f"{n}{how}" for n in range(1, columns + 1)))
    )
    parts, position = list[str](), 0
    for insertion in sorted(insertions):
        parts += [query[position : insertion.position], insertion.text]
        position = insertion.position
    return "".join([*parts, query[position:end]])


def _sorted(level: _Level, end: int, keys: str) -> _Insertion:
    """The sort keys, where they belong in what ends at ``end``."""
    position = end if level.limit is None else level.limit
    return _Insertion(position, f", {keys}" if level.has_order else f" ORDER BY {keys}")
