"""What a gold query finds, and what its order leaves open: which of its rows are tied."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from palaestra.verifiers.verifier import GoldError

if TYPE_CHECKING:
    from sqlglot import exp

ABSOLUTE = 1e-12
"""By how much numbers near 0 may differ, where others may differ at all."""

Row = tuple[Any, ...]


class Result(NamedTuple):
    """What a query finds in a database."""

    names: tuple[str, ...]
    rows: tuple[Row, ...]


class Gold(NamedTuple):
    """What the gold query finds in a database."""

    names: tuple[str, ...]
    rows: tuple[Row, ...]
    pool: tuple[Row, ...]
    """All rows in order, those beyond the limit too; the rows where there is no order."""
    ties: tuple[int, ...]
    """The rank of each row of the pool: equal for rows equal by the sort keys."""
    offset: int
    has_order: bool

    def windows(self, snap: "Snap") -> Iterator[tuple[Counter[Row], int]]:
        """The rows that are tied, group by group, and how many of each are in the result."""
        begin = 0
        end = self.offset + len(self.rows)
        for _, group in groupby(zip(self.ties, self.pool), key=lambda each: each[0]):
            rows = [row for _, row in group]
            length = min(begin + len(rows), end) - max(begin, self.offset)
            if length > 0:
                yield Counter(map(snap.row, rows)), length
            begin += len(rows)

    def has_in_order(self, rows: Sequence[Row], snap: "Snap") -> bool:
        """Whether rows, as many as in the result, are in an order that the gold leaves open."""
        start = 0
        for pool, length in self.windows(snap):
            if Counter(rows[start : start + length]) - pool:
                return False
            start += length
        return True

    def cuts_tie(self) -> bool:
        """Whether the limit leaves out some of several tied rows that differ."""
        windows = self.windows(self.snap(0.0))
        return any(length < pool.total() and len(pool) > 1 for pool, length in windows)

    def snap(self, relative: float) -> "Snap":
        return Snap([cell for row in self.pool for cell in row], relative)


class Snap:
    """Numbers of an answer that are close to one of the gold's are taken for it."""

    def __init__(self, cells: Sequence[Any], relative: float) -> None:
        self.relative = relative
        self.anchors: list[float] = []
        for number in sorted({cell for cell in cells if isinstance(cell, int | float)}):
            if not self.anchors or not self._close(number, self.anchors[-1]):
                self.anchors.append(number)

    def _close(self, one: float, two: float) -> bool:
        whole = isinstance(one, int) and isinstance(two, int)
        allowed = max(self.relative * abs(two), ABSOLUTE if self.relative else 0.0)
        return one == two or (not whole and abs(one - two) <= allowed)

    def row(self, row: Row) -> Row:
        """A row with numbers as the gold has them."""
        return tuple(self._cell(c) if isinstance(c, int | float) else c for c in row)

    def _cell(self, number: float) -> float:
        index = bisect_left(self.anchors, number)
        near = (a for a in self.anchors[max(index - 1, 0) : index + 1] if self._close(number, a))
        return next(near, number)


class Order(NamedTuple):
    """The order of a query's result."""

    ranked: str
    """The query without its limit, its rows in order, the rank of each in a last column."""
    offset: int


def read_order(query: str, dialect: str) -> Order | None:
    """The order at the top of a query, if it has one there.

    Rows that are equal by the sort keys have the same rank. Raises :class:`GoldError` for what is
    not one query, for a limit that has no order or is no whole number, and for sort keys that
    cannot be told beside the result.

    >>> read_order("SELECT a FROM t ORDER BY b DESC LIMIT 2 OFFSET 1", "sqlite").offset
    1
    >>> read_order("SELECT a FROM (SELECT a FROM t ORDER BY b)", "sqlite") is None
    True
    """
    tree = _parsed(query, dialect)
    offset, _ = _number(tree, "offset"), _number(tree, "limit")
    if tree.args.get("order") is None:
        if tree.args.get("limit") or tree.args.get("offset"):
            raise GoldError("a LIMIT without ORDER BY has no single result")
        return None
    return Order(_ranked(tree).sql(dialect=dialect), offset)


def _parsed(query: str, dialect: str) -> "exp.Query":
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        trees = [tree for tree in sqlglot.parse(query, read=dialect) if tree is not None]
    except (SqlglotError, RecursionError) as error:
        raise GoldError(f"the gold query cannot be read: {str(error)[:200]}") from None
    if len(trees) != 1 or not isinstance(trees[0], exp.Query):
        raise GoldError("the gold is one query")
    return trees[0]


def _number(tree: "exp.Query", part: str) -> int:
    """The number of a limit or an offset, 0 where there is none."""
    argument = tree.args.get(part)
    if argument is None:
        return 0
    limit = argument.args.get("expression") or argument.args.get("count")
    if limit is None or not limit.is_int:
        raise GoldError(f"the {part} of the gold query is a whole number")
    return int(limit.name)


def _ranked(tree: "exp.Query") -> "exp.Query":
    """A query without its limit and with the rank of its rows: all in an outer query."""
    from sqlglot import exp

    inner = tree.copy()
    for part in ("order", "limit", "offset"):
        inner.set(part, None)
    terms: list[exp.Expression] = []
    for number, term in enumerate(tree.args["order"].expressions):
        key = _key(tree, term.this)
        name = key.name
        if isinstance(inner, exp.Select):
            name = f"_key{number}"
            inner.select(exp.alias_(key.copy(), name, quoted=True), copy=False)
        options = {k: v for k, v in term.args.items() if k != "this"}
        terms.append(exp.Ordered(this=exp.column(name, quoted=True), **options))
    rank = exp.Window(this=exp.DenseRank(), order=exp.Order(expressions=terms))
    outer = exp.select("*", exp.alias_(rank, "_rank", quoted=True))
    return outer.from_(inner.subquery("_gold")).order_by(exp.column("_rank", quoted=True))


def _key(tree: "exp.Query", key: Any) -> Any:
    """What a sort key stands for: the places and names of columns stand for what is in them."""
    from sqlglot import exp

    columns = tree.selects
    named = {each.alias_or_name.casefold(): each for each in reversed(columns)}
    key_name = None
    if isinstance(key, exp.Literal) and key.is_int:
        if any(each.is_star for each in columns) or not 1 <= int(key.name) <= len(columns):
            raise GoldError("a sort key counts columns that the query does not name")
        key_name = columns[int(key.name) - 1]
    elif isinstance(key, exp.Column) and not key.table:
        key_name = named.get(key.name.casefold())
    if not isinstance(tree, exp.Select):
        if key_name is None or not key_name.alias_or_name:
            raise GoldError("the sort keys of several queries in one are columns with names")
        return exp.column(key_name.alias_or_name, quoted=True)
    value = key_name.unalias() if key_name is not None else key.copy().transform(_spelt_out, named)
    if tree.args.get("distinct") and all(each.unalias() != value for each in columns):
        raise GoldError("the sort keys of distinct rows are among their columns")
    return value


def _spelt_out(node: Any, named: Mapping[str, Any]) -> Any:
    """What a name that the query itself gives stands for."""
    from sqlglot import exp

    if isinstance(node, exp.Column) and not node.table:
        column = named.get(node.name.casefold())
        if isinstance(column, exp.Alias):
            return exp.paren(column.this.copy())
    return node
