"""Which tables and columns of a database a query names: schema linking.

>>> linked("sqlite", "WITH t AS (SELECT Pay AS p FROM staff) SELECT p FROM t ORDER BY p")
{'tables': ['staff'], 'columns': ['pay']}
"""

from collections.abc import Collection

MOST = 200
"""How many names of a query are looked at."""

_SLIPS = (RecursionError, ValueError, TypeError, AttributeError, LookupError, AssertionError)
"""What the parser raises on odd texts besides its own errors."""

Names = dict[str, list[str]]
"""The names of tables and columns, sorted and in lower case."""


def linked(engine: str, query: str) -> Names | None:
    """The tables and columns that a query names; None if it is not one query that can be read.

    Names that the query itself defines are left out: those of common table expressions and
    aliases. ``*`` stands for itself. Runs in a worker process, since a hostile text may take the
    parser much time and memory.
    """
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        trees = [tree for tree in sqlglot.parse(query, read=engine) if tree is not None]
    except (SqlglotError, *_SLIPS):
        return None
    if len(trees) != 1 or not isinstance(trees[0], exp.Query):
        return None
    tree = trees[0]
    own = {each.alias.casefold() for each in tree.find_all(exp.CTE, exp.Alias)}
    tables = {each.name.casefold() for each in tree.find_all(exp.Table)}
    columns = {each.name.casefold() for each in tree.find_all(exp.Column)}
    stars = {"*"} if next(tree.find_all(exp.Star), None) else set()
    return {
        "tables": sorted(tables - own - {""})[:MOST],
        "columns": sorted((columns - own - {""}) | stars)[:MOST],
    }


def agreement(gold: Collection[str], names: Collection[str]) -> float:
    """F1 of two sets of names: 1 if they are equal, and less for each that is missing or too much.

    >>> agreement({"a", "b"}, {"a"}) < agreement({"a", "b"}, {"a", "b"}) == agreement((), ())
    True
    """
    one, other = {*gold}, {*names}
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 1.0
