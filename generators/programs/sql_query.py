"""Questions to small databases, with the query that answers them, and databases that tell that
query from its neighbours.

All databases have who, what, and what happened between the two: customers, products and orders,
say. What tells a query from those that differ in a sign or a number is what R. Zhong and others
call a distilled test suite (2020).
"""

# ruff: noqa: E501  (queries are not broken)

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import lru_cache
from itertools import chain, cycle, islice
from random import Random
from typing import Any, NamedTuple

from palaestra.verifiers.sql.ties import DIRECTIONS, with_ties_broken


class Theme(NamedTuple):
    """The tables of a database: their names, what one row is, a text and a number of each."""

    who: str
    one_who: str
    who_text: str
    who_texts: tuple[str, ...]
    who_number: str
    what: str
    one_what: str
    what_text: str
    what_texts: tuple[str, ...]
    what_number: str
    links: str
    one_link: str
    link_number: str

    def schema(self) -> str:
        """The statements that make the tables."""
        return (
            f"CREATE TABLE {self.who} (id INTEGER PRIMARY KEY, name TEXT, {self.who_text} TEXT, "
            f"{self.who_number} INTEGER);\n"
            f"CREATE TABLE {self.what} (id INTEGER PRIMARY KEY, name TEXT, {self.what_text} TEXT, "
            f"{self.what_number} INTEGER);\n"
            f"CREATE TABLE {self.links} (id INTEGER PRIMARY KEY, {self.one_who}_id INTEGER, "
            f"{self.one_what}_id INTEGER, {self.link_number} INTEGER);"
        )


THEMES = (
    Theme("customers", "customer", "city", ("Oslo", "Rome", "Lima", "Kyoto"), "age",
          "products", "product", "kind", ("toy", "book", "tool", "lamp"), "price",
          "orders", "order", "quantity"),
    Theme("readers", "reader", "district", ("North", "South", "East", "West"), "age",
          "books", "book", "genre", ("poetry", "crime", "history", "travel"), "pages",
          "loans", "loan", "days"),
    Theme("students", "student", "house", ("Fern", "Oak", "Pine", "Rose"), "age",
          "courses", "course", "subject", ("maths", "music", "biology", "law"), "hours",
          "exams", "exam", "points"),
    Theme("patients", "patient", "town", ("Ely", "Bath", "York", "Leeds"), "age",
          "doctors", "doctor", "field", ("eyes", "heart", "skin", "teeth"), "fee",
          "visits", "visit", "minutes"),
    Theme("members", "member", "tier", ("basic", "silver", "gold", "family"), "age",
          "films", "film", "genre", ("drama", "comedy", "horror", "western"), "length",
          "tickets", "ticket", "price"),
    Theme("pilots", "pilot", "country", ("Chile", "Ghana", "Japan", "Spain"), "age",
          "planes", "plane", "maker", ("Arrow", "Boreas", "Condor", "Delta"), "seats",
          "flights", "flight", "distance"),
)  # fmt: skip

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gina", "Hugo", "Iris", "Jon", "Kim", "Lea")

LOW, HIGH = 20, 42
"""The range of all numbers, small enough that thresholds are met."""

UNKNOWN = 0.15
"""The share of the numbers of who, and of what happened, that are NULL."""


class Question(NamedTuple):
    """What is asked, in English, and the query that answers it."""

    text: str
    query: str


class Filter(NamedTuple):
    """A condition on the rows of a table, as English behind its noun and as SQL."""

    text: str
    sql: str


def _by_number(rng: Random, column: str) -> Filter:
    """A condition on the size of a number."""
    number = column.partition(".")[2]
    threshold = rng.randint(LOW + 4, HIGH - 4)
    return rng.choice(
        (
            Filter(f"{number} greater than {threshold}", f"{column} > {threshold}"),
            Filter(f"{number} at most {threshold}", f"{column} <= {threshold}"),
        )
    )


def _by_text(rng: Random, column: str, texts: Sequence[str]) -> Filter:
    """A condition on a text."""
    text = column.partition(".")[2]
    value = rng.choice(texts)
    return rng.choice(
        (
            Filter(f"{text} {value!r}", f"{column} = {value!r}"),
            Filter(f"{text} other than {value!r}", f"{column} <> {value!r}"),
        )
    )


def _unknown(rng: Random, column: str) -> Filter:
    """A condition on whether a number is known."""
    number = column.partition(".")[2]
    return rng.choice(
        (
            Filter(f"unknown {number}", f"{column} IS NULL"),
            Filter(f"known {number}", f"{column} IS NOT NULL"),
        )
    )


class Asking:
    """Draws questions about the tables of a theme."""

    def __init__(self, rng: Random, theme: Theme) -> None:
        self.rng, self.t = rng, theme
        self.join = (
            f"FROM {theme.links} l JOIN {theme.who} a ON a.id = l.{theme.one_who}_id "
            f"JOIN {theme.what} b ON b.id = l.{theme.one_what}_id"
        )

    def who(self) -> Filter:
        """A condition on who."""
        t = self.t
        return self.rng.choice(
            (
                _by_number(self.rng, f"a.{t.who_number}"),
                _by_number(self.rng, f"a.{t.who_number}"),
                _by_text(self.rng, f"a.{t.who_text}", t.who_texts),
                _by_text(self.rng, f"a.{t.who_text}", t.who_texts),
                _unknown(self.rng, f"a.{t.who_number}"),
            )
        )

    def thing(self) -> Filter:
        """A condition on what."""
        t = self.t
        by_text = _by_text(self.rng, f"b.{t.what_text}", t.what_texts)
        return self.rng.choice((_by_number(self.rng, f"b.{t.what_number}"), by_text))

    def link(self) -> Filter:
        """A condition on what happened."""
        return _by_number(self.rng, f"l.{self.t.link_number}")

    def between(self) -> Filter:
        """Two conditions in one on what happened."""
        column, number = f"l.{self.t.link_number}", self.t.link_number
        low, high = sorted(self.rng.sample(range(LOW + 2, HIGH - 2), 2))
        return self.rng.choice(
            (
                Filter(
                    f"{number} greater than {low} and at most {high}",
                    f"({column} > {low} AND {column} <= {high})",
                ),
                Filter(
                    f"{number} at most {low} or greater than {high}",
                    f"({column} <= {low} OR {column} > {high})",
                ),
                Filter(
                    f"unknown {number} or {number} greater than {high}",
                    f"({column} IS NULL OR {column} > {high})",
                ),
            )
        )

    # ------------------------------------------------------------------ one table

    def listed(self) -> Question:
        """Rows of one table that meet a condition or two."""
        t = self.t
        one, other = self.who(), self.who()
        word = self.rng.choice(("and", "or"))
        columns = self.rng.choice((("id",), ("id", "name"), ("id", t.who_number)))
        chosen = ", ".join(f"a.{column}" for column in columns)
        return Question(
            f"the {' and '.join(columns)} of every {t.one_who} with {one.text} {word} with "
            f"{other.text}",
            f"SELECT {chosen} FROM {t.who} a WHERE {one.sql} {word.upper()} {other.sql}",
        )

    def figure(self) -> Question:
        """One number about the rows of a table."""
        t = self.t
        one = self.thing()
        phrase, sql = self.rng.choice(
            (
                (f"the number of {t.what}", "COUNT(*)"),
                (f"the largest {t.what_number} of the {t.what}", f"MAX(b.{t.what_number})"),
                (f"the smallest {t.what_number} of the {t.what}", f"MIN(b.{t.what_number})"),
                (f"the total {t.what_number} of the {t.what}", f"SUM(b.{t.what_number})"),
            )
        )
        two = self.thing()
        return Question(
            f"{phrase} with {one.text} and with {two.text}, and beside it the number of different "
            f"values of {t.what_text} among those {t.what}",
            f"SELECT {sql}, COUNT(DISTINCT b.{t.what_text}) FROM {t.what} b WHERE {one.sql} AND {two.sql}",
        )

    def grouped(self) -> Question:
        """A number for each group of the rows of a table."""
        t = self.t
        one = _by_number(self.rng, f"a.{t.who_number}")
        least = self.rng.randint(2, 3)
        phrase, sql = self.rng.choice(
            (
                (f"their average {t.who_number}", f"AVG(a.{t.who_number})"),
                (f"their largest {t.who_number}", f"MAX(a.{t.who_number})"),
                (f"their smallest {t.who_number}", f"MIN(a.{t.who_number})"),
            )
        )
        return Question(
            f"for each {t.who_text} that has at least {least} {t.who} with {one.text}: the "
            f"{t.who_text}, the number of those {t.who}, and {phrase}",
            f"SELECT a.{t.who_text}, COUNT(*), {sql} FROM {t.who} a WHERE {one.sql} "
            f"GROUP BY a.{t.who_text} HAVING COUNT(*) >= {least}",
        )

    # ------------------------------------------------------------------ several tables

    def joined(self) -> Question:
        """What happened between some and some."""
        t = self.t
        one, two, three = self.who(), self.thing(), self.link()
        return Question(
            f"for every {t.one_link} with {three.text} of a {t.one_who} with {one.text} and a "
            f"{t.one_what} with {two.text}: the id of the {t.one_link}, the name of the "
            f"{t.one_who} and the name of the {t.one_what}",
            f"SELECT l.id, a.name, b.name {self.join} WHERE {one.sql} AND {two.sql} AND {three.sql}",
        )

    def totals(self) -> Question:
        """Totals by a text of one table and conditions on another."""
        t = self.t
        one, two = self.who(), self.between()
        return Question(
            f"for each {t.what_text} of {t.what} of which there is at least one {t.one_link} with "
            f"{two.text}, by a {t.one_who} with {one.text}: the {t.what_text}, the total "
            f"{t.link_number} of those {t.links}, and the number of different {t.who} in them",
            f"SELECT b.{t.what_text}, SUM(l.{t.link_number}), COUNT(DISTINCT a.id) {self.join} "
            f"WHERE {one.sql} AND {two.sql} GROUP BY b.{t.what_text}",
        )

    def never(self) -> Question:
        """Who never had to do with some."""
        t = self.t
        one, two, three = self.who(), self.thing(), self.link()
        return Question(
            f"the id and name of every {t.one_who} with {one.text} who has no {t.one_link} with "
            f"{three.text} of a {t.one_what} with {two.text} (and perhaps no {t.one_link} at all)",
            f"SELECT a.id, a.name FROM {t.who} a WHERE {one.sql} AND a.id NOT IN (SELECT "
            f"l.{t.one_who}_id FROM {t.links} l JOIN {t.what} b ON b.id = l.{t.one_what}_id "
            f"WHERE {two.sql} AND {three.sql})",
        )

    def both(self) -> Question:
        """Who had to do with some and with others."""
        t = self.t
        one, two, three = self.thing(), self.thing(), self.link()
        has = (
            f"a.id IN (SELECT l.{t.one_who}_id FROM {t.links} l JOIN {t.what} b ON "
            f"b.id = l.{t.one_what}_id WHERE "
        )
        return Question(
            f"the id of every {t.one_who} who has a {t.one_link} of a {t.one_what} with {one.text} "
            f"and also a {t.one_link} (the same one or another) with {three.text} of a "
            f"{t.one_what} with {two.text}",
            f"SELECT a.id FROM {t.who} a WHERE {has}{one.sql}) AND {has}{two.sql} AND {three.sql})",
        )

    def known(self) -> Question:
        """How many numbers are known in each group, of those that lack some."""
        t = self.t
        one, two = self.who(), self.link()
        return Question(
            f"for every {t.one_what} of which there is a {t.one_link} with unknown "
            f"{t.link_number} by a {t.one_who} with {one.text}: the id of the {t.one_what}, the "
            f"number of all its {t.links} by {t.who} with {one.text}, how many of these have a "
            f"known {t.link_number}, and how many of these have {two.text}",
            f"SELECT b.id, COUNT(*), COUNT(l.{t.link_number}), COUNT(CASE WHEN {two.sql} THEN 1 "
            f"END) {self.join} WHERE {one.sql} GROUP BY b.id "
            f"HAVING COUNT(*) > COUNT(l.{t.link_number})",
        )

    def all_totals(self) -> Question:
        """Totals for all of them, those without any included, in order."""
        t = self.t
        one, two = self.who(), self.link()
        phrase, order = self.rng.choice(
            (("from largest to smallest", "DESC"), ("from smallest to largest", "ASC"))
        )
        return Question(
            f"for each {t.one_who} with {one.text}, the id and the total {t.link_number} of the "
            f"{t.one_who}'s {t.links} with {two.text} (0 if there are none), ordered by that total "
            f"{phrase}, and {t.who} of equal totals by id from largest to smallest",
            f"SELECT a.id, COALESCE(SUM(l.{t.link_number}), 0) AS total FROM {t.who} a LEFT JOIN "
            f"{t.links} l ON l.{t.one_who}_id = a.id AND {two.sql} WHERE {one.sql} GROUP BY a.id "
            f"ORDER BY total {order}, a.id DESC",
        )

    def above_average(self) -> Question:
        """Rows above the average of their own group."""
        t = self.t
        one, two = self.who(), self.thing()
        return Question(
            f"for every {t.one_link} of a {t.one_what} with {two.text} by a {t.one_who} with "
            f"{one.text}, with greater {t.link_number} than the average {t.link_number} of all "
            f"{t.links} of the same {t.one_what} (by anybody): the id of the {t.one_link} and the "
            f"name of the {t.one_what}",
            f"SELECT l.id, b.name {self.join} WHERE {one.sql} AND {two.sql} AND "
            f"l.{t.link_number} > (SELECT "
            f"AVG(m.{t.link_number}) FROM {t.links} m WHERE m.{t.one_what}_id = l.{t.one_what}_id)",
        )

    def champions(self) -> Question:
        """The best of each group, all of them where several are equally good."""
        t = self.t
        one, two = self.link(), _by_number(self.rng, f"a.{t.who_number}")
        counted = (
            f"SELECT a.{t.who_text} AS place, a.id AS id, COUNT(*) AS number FROM {t.links} l "
            f"JOIN {t.who} a ON a.id = l.{t.one_who}_id WHERE {one.sql} AND {two.sql} GROUP BY a.id"
        )
        return Question(
            f"for each {t.who_text}, those {t.who} who have the most {t.links} with {one.text} "
            f"among all {t.who} of that {t.who_text} with {two.text} (all of them, if several have "
            "equally many; nobody, if there are no such "
            f"{t.links} by {t.who} of that {t.who_text} with {two.text}): the "
            f"{t.who_text}, the id of the {t.one_who} and that number of {t.links}",
            f"WITH counted AS ({counted}) SELECT c.place, c.id, c.number FROM counted c WHERE "
            "c.number = (SELECT MAX(d.number) FROM counted d WHERE d.place = c.place)",
        )

    def complete(self) -> Question:
        """Who had to do with every kind of a thing."""
        t = self.t
        one, two = self.thing(), self.who()
        return Question(
            f"the id of every {t.one_who} with {two.text} who has {t.links} of at least two "
            f"different {t.what} with {one.text}, and beside it the number of those different {t.what} and the "
            f"largest {t.link_number} of the {t.one_who}'s {t.links} of them, ordered by that "
            f"number from largest to smallest, and {t.who} of equal numbers by id from largest to "
            "smallest",
            f"SELECT a.id, COUNT(DISTINCT b.id) AS number, MAX(l.{t.link_number}) {self.join} "
            f"WHERE {one.sql} AND {two.sql} GROUP BY a.id HAVING COUNT(DISTINCT b.id) >= 2 "
            "ORDER BY number DESC, a.id DESC",
        )

    def pairs(self) -> Question:
        """Pairs of rows that have something in common."""
        t = self.t
        one, two = self.thing(), self.link()
        return Question(
            f"every pair of different {t.who} from the same {t.who_text} of whom the "
            f"one with the smaller id has a {t.one_link} with {two.text}, and the other any "
            f"{t.one_link}, of one and the same {t.one_what} with {one.text}: the smaller id, then "
            "the larger id, each pair once",
            f"SELECT DISTINCT a.id, c.id {self.join} JOIN {t.links} m ON m.{t.one_what}_id = b.id "
            f"JOIN {t.who} c ON c.id = m.{t.one_who}_id WHERE {one.sql} AND {two.sql} AND a.{t.who_text} = "
            f"c.{t.who_text} AND a.id < c.id",
        )

    def balance(self) -> Question:
        """Who has more of one kind than of all others."""
        t = self.t
        one, two = self.thing(), self.who()
        number = f"l.{t.link_number}"
        some = f"SUM(CASE WHEN {one.sql} THEN {number} ELSE 0 END)"
        others = f"SUM(CASE WHEN {one.sql} THEN 0 ELSE {number} END)"
        return Question(
            f"the id of every {t.one_who} with {two.text} whose {t.links} of {t.what} with "
            f"{one.text} have a greater total {t.link_number} than all other {t.links} of the same "
            f"{t.one_who} (the total of none, or of unknown ones alone, counts as 0 here), and "
            "beside it the first of these two totals",
            f"SELECT a.id, {some} {self.join} WHERE {two.sql} GROUP BY a.id HAVING {some} > {others}",
        )


KINDS = (
    ("listed", "figure"),
    ("listed", "grouped"),
    ("joined", "totals", "known"),
    ("never", "both", "totals", "known"),
    ("all_totals", "above_average", "complete"),
    ("champions", "pairs", "balance", "complete"),
)
"""What may be asked, from the easiest on."""


def random_question(rng: Random, depth: int) -> tuple[Theme, Question]:
    """A question of a depth."""
    theme = rng.choice(THEMES)
    question: Question = getattr(Asking(rng, theme), rng.choice(KINDS[depth - 1]))()
    return theme, question._replace(text=re.sub(r"\ba (?=[aeiou])", "an ", question.text))


# --------------------------------------------------------------------------------------- databases


CANDIDATES = 36
"""From so many databases those are chosen that tell a query from its neighbours."""

VARIETIES = ((2, 0), (2, 4), (2, 2), (1, 3), (6, 4), (6, 2))
"""In turns, how many links there are for each row of the other tables, about, and how many
different numbers, where they are few enough that rows are tied.
"""

FEWEST, MOST = 3, 6
"""How many are chosen."""


@lru_cache(maxsize=64)
def databases(query: str, theme: Theme, rows: int, seed: int) -> tuple[str, ...]:
    """Scripts of databases that tell a query from all of its neighbours; none, where that cannot
    be done with a few.
    """
    rng = Random(f"{seed}")
    varieties = islice(cycle(VARIETIES), CANDIDATES)
    scripts = [database(rng, theme, rows, *variety) for variety in varieties]
    return tuple(scripts[index] for index in distilled(query, scripts))


def database(rng: Random, theme: Theme, rows: int, links_each: int = 2, numbers: int = 0) -> str:
    """A script that makes a database of random rows, with so many different ``numbers`` if any."""
    choice = rng.sample(range(LOW, HIGH + 1), numbers) if numbers else range(LOW, HIGH + 1)

    def number(share: float = 0.0) -> str:
        return "NULL" if rng.random() < share else str(rng.choice(choice))

    def some(texts: Sequence[str], unknown: float) -> Iterator[str]:
        for key in range(1, rows + rng.randint(0, 3)):
            yield f"({key}, '{rng.choice(NAMES)}', '{rng.choice(texts)}', {number(unknown)})"

    who, what = [*some(theme.who_texts, UNKNOWN)], [*some(theme.what_texts, 0)]
    links = [
        f"({key}, {rng.randint(1, len(who))}, {rng.randint(1, len(what))}, {number(UNKNOWN)})"
        for key in range(1, links_each * rows + rng.randint(0, rows))
    ]
    parts = ((theme.who, who), (theme.what, what), (theme.links, links))
    filled = "\n".join(f"INSERT INTO {table} VALUES {', '.join(rows)};" for table, rows in parts)
    return f"{theme.schema()}\n{filled}"


_CONDITION = r"\w+\.\w+ (?:[<>=]+ (?:\d+|'\w+'|\w+\.\w+)|IS (?:NOT )?NULL)"
_SWAPS = (
    (" > ", " >= "), (" >= ", " > "), (" < ", " <= "), (" <= ", " < "), (" = '", " <> '"),
    (" <> '", " = '"), (" AND ", " OR "), (" OR ", " AND "), ("LEFT JOIN", "JOIN"), ("MAX(", "MIN("),
    ("MIN(", "MAX("), ("SUM(", "COUNT("), ("AVG(", "MAX("), ("DESC", "ASC"), ("ASC", "DESC"),
    ("COUNT(DISTINCT ", "COUNT("), ("SELECT DISTINCT ", "SELECT "), ("NOT IN", "IN"),
    ("IS NULL", "IS NOT NULL"), ("IS NOT NULL", "IS NULL"),
)  # fmt: skip
_REWRITES = (
    (rf" (?:AND|OR) {_CONDITION}", ""),
    (rf"(WHERE |\(){_CONDITION} (?:AND|OR) ", r"\1"),
    (rf" WHERE {_CONDITION}(?=\)| GROUP|$)", ""),
    (r"COALESCE\((SUM\([^()]*\)), 0\)", r"\1"),
    (r"COUNT\(\w+\.\w+\)", "COUNT(*)"),
    (r"((?:DISTINCT|GROUP BY) [ab])\.id", r"\1.name"),
)
"""Conditions left out, no thought given to NULL, names taken for keys."""


def neighbours(query: str) -> Iterator[str]:
    """Queries that differ from one in one sign, word or number, or have a condition less.

    >>> list(neighbours("SELECT id FROM t WHERE n > 3"))[0]
    'SELECT id FROM t WHERE n >= 3'
    """
    for old, new in _SWAPS:
        for match in re.finditer(re.escape(old), query):
            yield query[: match.start()] + new + query[match.end() :]
    for pattern, new in _REWRITES:
        for match in re.finditer(pattern, query):
            yield query[: match.start()] + match.expand(new) + query[match.end() :]
    for match in re.finditer(r"(?<=[<>=] )\d+\b", query):
        for number in (int(match[0]) - 1, int(match[0]) + 1):
            yield query[: match.start()] + str(number) + query[match.end() :]


def _clause_end(query: str, start: int) -> int:
    """Where a WHERE or HAVING ends: at its bracket, or at the next clause outside of brackets."""
    depth = 0
    for match in re.finditer(r"[()]| (?:GROUP BY|HAVING|ORDER BY) ", query[start:]):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth < 0 or (depth == 0 and match[0] != ")"):
            return start + match.start()
    return len(query)


_COMPARISONS = ("<", "<=", ">", ">=", "=", "<>")
_AGGREGATES = ("COUNT", "SUM", "AVG", "MAX", "MIN")


def further(query: str) -> Iterator[str]:
    """Queries that differ from one in a comparison, an aggregate, DISTINCT, WHERE, HAVING or
    the sort keys, and may find the same as it in all databases.

    >>> list(further("SELECT MAX(n) FROM t"))[-2:]
    ['SELECT MAX(DISTINCT n) FROM t', 'SELECT DISTINCT MAX(n) FROM t']
    """
    for match in re.finditer(r"(?<= )[<>=]+(?= )", query):
        for sign in _COMPARISONS:
            yield query[: match.start()] + sign + query[match.end() :]
    for match in re.finditer(r"\b(?:COUNT|SUM|AVG|MAX|MIN)\((?!\*|DISTINCT)", query):
        for name in _AGGREGATES:
            yield f"{query[: match.start()]}{name}({query[match.end() :]}"
        yield f"{query[: match.end()]}DISTINCT {query[match.end() :]}"
    for match in re.finditer(r"\bSELECT (?!DISTINCT)", query):
        yield f"{query[: match.end()]}DISTINCT {query[match.end() :]}"
    for match in re.finditer(r" (?:WHERE|HAVING) ", query):
        yield query[: match.start()] + query[_clause_end(query, match.end()) :]
    rest, _, order = query.rpartition(" ORDER BY ")
    keys = order.split(", ") if rest else []
    for index in range(len(keys)):
        left = [*keys[:index], *keys[index + 1 :]]
        yield f"{rest} ORDER BY {', '.join(left)}" if left else rest
    if keys:
        yield f"{rest} ORDER BY {', '.join(keys[::-1])}"


def distilled(query: str, scripts: Sequence[str]) -> list[int]:
    """The places of a few databases such that each neighbour of a query finds something else in
    one of them, and the query itself some rows in all; nothing where there are no such.

    Those further away that find the same in all databases are taken for the same query.
    """
    with closing(_Databases(query, scripts)) as databases:
        useful = [index for index in range(len(scripts)) if databases.wanted[index]]
        chosen: list[int] = []
        near = dict.fromkeys(neighbours(query))
        far = (other for other in dict.fromkeys(further(query)) if other not in near)
        for other in chain(near, far):
            if not any(databases.differ(other, index) for index in chosen):
                query_part = next((p for p in useful if databases.differ(other, p)), None)
                if query_part is not None:
                    chosen.append(query_part)
                if len(chosen) > MOST or (query_part is None and other in near):
                    return []
        spare = [index for index in useful if index not in chosen]
        chosen += spare[: max(0, FEWEST - len(chosen))]
        alike = all(databases.wanted[index] == databases.wanted[chosen[0]] for index in chosen)
    return chosen if len(chosen) >= FEWEST and not alike else []


class _Databases:
    """A few databases in memory, and what a query finds there. Only our own queries get here."""

    def __init__(self, query: str, scripts: Sequence[str]) -> None:
        self.ordered = "ORDER BY" in query
        self.open = [sqlite3.connect(":memory:") for _ in scripts]
        for connection, script in zip(self.open, scripts):
            connection.executescript(script)
        self.columns = len(self.open[0].execute(query).description)
        self.wanted = [self._rows(index, query) for index in range(len(scripts))]

    def _rows(self, index: int, query: str) -> list[Any]:
        """The rows in one of them: where they are in order, with ties broken this way and that."""
        run = self.open[index].execute
        if not self.ordered:
            return sorted(run(query), key=repr)
        ways = (with_ties_broken(query, self.columns, way) for way in DIRECTIONS)
        return [row for way in ways for row in run(way)]

    def differ(self, query: str, index: int) -> bool:
        """Whether another query finds something else in one of them, or fails."""
        try:
            return self._rows(index, query) != self.wanted[index]
        except sqlite3.Error:
            return True

    def close(self) -> None:
        for connection in self.open:
            connection.close()
