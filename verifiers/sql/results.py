"""Answers that are SQL queries, judged by what they find in several databases.

>>> setup = "CREATE TABLE pets (name TEXT, age INT); INSERT INTO pets VALUES "
>>> verifier = SqlResult(
...     "SELECT name FROM pets WHERE age > 2 ORDER BY age",
...     [setup + "('Rex', 3), ('Tom', 2), ('Ada', 5)", setup + "('Bo', 1), ('Flo', 9), ('Rex', 4)"],
... )
>>> verifier("SELECT p.name FROM pets p WHERE NOT p.age <= 2 ORDER BY p.age").correct
True
>>> verifier("SELECT name FROM pets WHERE age > 2 ORDER BY name").reason
'in database 1 the rows are in another order'

That one instance can be matched by luck, and several distilled ones hardly, is shown by R. Zhong
and others, "Semantic Evaluation for Text-to-SQL with Distilled Test Suites" (2020).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal

from palaestra.task import InvalidAnswer, JudgeError, Score, Status
from palaestra.verifiers.json.reading import fenced
from palaestra.verifiers.patterns import utf8
from palaestra.verifiers.sql.gold import Gold, Result, read_order
from palaestra.verifiers.sql.linking import Names, agreement, linked
from palaestra.verifiers.verifier import GoldError, Verifier
from palaestra.verifiers.weights import check_weights
from palaestra.workers.pool import Late, Lost, WorkerFault, Workers, workers

ROWS = 2_000
"""How many rows a gold result may have."""

POOL = 10_000
"""How many it may have without its limit."""

CLOSE = 1e-9
"""The share of it by which a number may differ: sums depend on the order of their terms."""

Engine = Literal["sqlite", "duckdb"]

PARTS = ("parses", "tables", "columns", "rows", "progress")
"""The parts of a score."""


@dataclass(frozen=True, slots=True)
class SqlResult(Verifier):
    """The answer is one query that gives the same result as the gold query everywhere: 1 or 0,
    or, with ``weights``, a share.

    ``instances`` are scripts that set up small databases: two at least, on which the gold's
    results are not all the same, so that no constant answer is right. The results must agree in
    all of them: in the number of columns (in their names only if ``column_names``), and in the
    rows, each as often. NULL equals NULL; 1 equals 1.0; other numbers may differ by the share
    ``relative`` of the gold's.

    Rows are compared in order where the gold query has an ORDER BY at its top, unless ``ordered``
    is off. Rows that are equal by the gold's sort keys may change places, and where its LIMIT cuts
    such a tie, any of them will do. The order of an answer is that of its own sort keys: each
    database is asked again with the ties that the answer leaves open broken one way and the other,
    in SQLite with unordered rows turned round, so that an order by accident does not pass.

    Queries run in worker processes: on databases in memory, reading only, with limits on steps,
    processor time, memory, and the length of values (10,000 bytes); functions such as ``random()``
    and ``current_timestamp`` are refused. An answer may have 4,000 characters. With ``engine``
    "duckdb", the instances, the gold and the answer are in DuckDB's dialect.

    ``parts`` say how far a wrong answer came, each from 0 to 1: ``parses`` is 1 for a single query
    that can be read; ``tables`` and ``columns`` are the F1 of the names of tables and columns that
    the answer and the gold name; ``rows`` is the mean over the databases of the F1 of their rows,
    in any order, each as often; ``progress`` is the mean of ``rows`` and the share of databases
    where the result is right, in its order too. All are 1 for a right answer, however it is
    written, and 0 for one that cannot be read. With ``weights`` of parts, which are at least 0 and
    add up to less than 1, a wrong answer scores the sum of its parts times their weights.

    Raises :class:`GoldError` for a gold that fails, has no single result (a LIMIT without ORDER
    BY), more than 2,000 rows, or the same result on all instances.
    """

    longest: ClassVar[int] = 4_000

    gold: str
    instances: Sequence[str]
    engine: Engine = "sqlite"
    ordered: bool | Literal["auto"] = "auto"
    column_names: bool = False
    relative: float = CLOSE
    weights: Mapping[str, float] | None = None

    def __post_init__(self) -> None:
        if self.engine not in ("sqlite", "duckdb"):
            raise GoldError("the engine is 'sqlite' or 'duckdb'")
        if isinstance(self.instances, str) or len(self.instances) < 2:
            raise GoldError("there are two instances at least, since one is matched by luck")
        if not 0 <= self.relative < 0.01:
            raise GoldError("relative is a share below a hundredth")
        check_weights(self.weights, PARTS)
        golds = self._golds()
        if self.ordered is True and not golds[0].has_order:
            raise GoldError("the gold query has no order")
        if not self._in_order() and any(gold.cuts_tie() for gold in golds):
            raise GoldError("a limit of the gold query cuts a tie, so it has no single result")

    def verify(self, answer: str) -> Score:
        query = fenced(answer, ("sql", "sqlite", "duckdb")).strip()
        utf8(query)
        golds = self._golds()
        try:
            results = _run(self.engine, tuple(self.instances), query, ROWS)
        except InvalidAnswer as error:
            if error.status != "malformed":
                raise
            return self._wrong(str(error), query, (), "malformed")
        turns = len(results) // len(golds)
        wrong: dict[int, str] = {}
        for number, result in enumerate(results):
            if problem := self._violation(golds[number // turns], result):
                wrong.setdefault(number // turns, problem)
        if not wrong:
            return Score(1.0, parts=dict.fromkeys(PARTS, 1.0))
        first, problem = next(iter(wrong.items()))
        reason = f"in database {first + 1} {problem}"
        right = 1 - len(wrong) / len(golds)
        return self._wrong(reason, query, results[::turns], "scored", right)

    def _wrong(
        self, reason: str, query: str, results: Sequence[Result], status: Status, right: float = 0
    ) -> Score:
        """The score of a wrong answer, with its parts; ``right`` is the share of databases where
        its result is right.
        """
        names = _linked(self.engine, query)
        parts = dict.fromkeys(PARTS, 0.0)
        parts["parses"] = float(names is not None or bool(results))
        if names is not None:
            gold = _linked_gold(self.engine, self.gold)
            for part, known in gold.items():
                parts[part] = agreement(known, names[part])
        if results:
            shares = [self._overlap(*pair) for pair in zip(self._golds(), results)]
            parts["rows"] = sum(shares) / len(shares)
            parts["progress"] = (parts["rows"] + right) / 2
        weights = self.weights or {}
        value = sum(weight * parts[name] for name, weight in weights.items())
        return Score(value, reason, parts, status)

    def _overlap(self, gold: Gold, result: Result) -> float:
        """The F1 of the rows of a result and the gold's."""
        if len(result.names) != len(gold.names):
            return 0.0
        snap = gold.snap(self.relative)
        one = Counter(map(snap.row, gold.rows))
        other = Counter(map(snap.row, result.rows))
        both = one.total() + other.total()
        return 2 * (one & other).total() / both if both else 1.0

    def _golds(self) -> tuple[Gold, ...]:
        return _golds(self.gold, tuple(self.instances), self.engine)

    def _in_order(self) -> bool:
        return self._golds()[0].has_order if self.ordered == "auto" else self.ordered

    def _violation(self, gold: Gold, result: Result) -> str:
        """How a result differs from the gold's."""
        if len(result.names) != len(gold.names):
            return "the result has another number of columns"
        names = [name.casefold() for name in result.names]
        if self.column_names and names != [name.casefold() for name in gold.names]:
            return "the columns have other names"
        if len(result.rows) != len(gold.rows):
            return f"there are {'more' if len(result.rows) > len(gold.rows) else 'fewer'} rows"
        snap = gold.snap(self.relative)
        rows = [snap.row(row) for row in result.rows]
        if self._in_order() and gold.has_in_order(rows, snap):
            return ""
        if Counter(rows) != Counter(map(snap.row, gold.rows)):
            return "the rows are others"
        return "the rows are in another order" if self._in_order() else ""


# Running


MEMORY_MB = {"sqlite": 512, "duckdb": 1536}
"""The address space of workers, much of which DuckDB reserves and never uses."""


@lru_cache(maxsize=2)
def _pool(engine: str) -> Workers:
    """Workers with tighter limits than the shared ones, since hostile queries are the rule."""
    return Workers(workers().size, wall_s=60.0, cpu_s=3.0, memory_mb=MEMORY_MB[engine])


def _run(engine: str, instances: Sequence[str], query: str, rows: int) -> list[Result]:
    """What a query finds in each database, in each several times.

    Raises :class:`InvalidAnswer` where the query is at fault, :class:`GoldError` where an instance
    is, and :class:`JudgeError` where no worker can be had.
    """
    output = _called(engine, instances, query, rows)
    if isinstance(output, dict):
        return [
            Result(tuple(names), tuple(tuple(map(_cell, row)) for row in result_rows))
            for names, result_rows in output["results"]
        ]
    status, reason = output
    if status == "script":
        raise GoldError(f"an instance cannot be set up: {reason[:200]}")
    raise InvalidAnswer(reason, status)


def _cell(cell: Any) -> Any:
    return tuple(cell) if isinstance(cell, list) else cell


def _called(engine: str, instances: Sequence[str], query: str, rows: int) -> Any:
    function = "palaestra.verifiers.sql.engine:run"
    for _ in range(2):
        try:
            return _pool(engine).call(function, engine, list(instances), query, rows)
        except Late:
            raise InvalidAnswer("the query takes too long", "timeout") from None
        except Lost:
            continue  # perhaps not for the query's sake
        except WorkerFault as fault:
            raise JudgeError(f"the query could not be run: {fault}") from None
    try:
        _pool(engine).call(function, engine, [], "SELECT 1", rows)
    except WorkerFault as fault:
        raise JudgeError(f"no query can be run: {fault}") from None
    raise InvalidAnswer("the query takes too much memory", "limit")


def _linked(engine: str, query: str) -> Names | None:
    """The names in an answer, read in a worker process; None where it cannot be read."""
    try:
        names: Names | None = _pool(engine).call(
            "palaestra.verifiers.sql.linking:linked", engine, query
        )
    except (Late, Lost):
        return None
    except WorkerFault as fault:
        raise JudgeError(f"the query could not be read: {fault}") from None
    return names


@lru_cache(maxsize=256)
def _linked_gold(engine: str, query: str) -> Names:
    """The names in the gold query."""
    return linked(engine, query) or {"tables": [], "columns": []}


@lru_cache(maxsize=256)
def _golds(query: str, instances: tuple[str, ...], engine: Engine) -> tuple[Gold, ...]:
    """What the gold query finds in each database, with its order."""
    order = read_order(query, engine)
    try:
        outputs = _run(engine, instances, query, ROWS)
        ranked = _run(engine, instances, order.ranked, POOL) if order else []
    except InvalidAnswer as error:
        raise GoldError(f"the gold query cannot be run or ranked: {error}") from None
    turns = len(outputs) // len(instances)
    golds = [
        _ordered(result, ranked[n * turns], order.offset) if order else _unordered(result)
        for n, result in enumerate(outputs[::turns])
    ]
    if any(len(gold.rows) > ROWS or len(gold.pool) > POOL for gold in golds):
        raise GoldError(f"the gold query finds more than {ROWS} rows, or {POOL} without its limit")
    for n, result in enumerate(outputs):
        gold = golds[n // turns]
        snap = gold.snap(CLOSE)
        same = len(result.rows) == len(gold.rows)
        if not (same and gold.has_in_order([snap.row(row) for row in result.rows], snap)):
            raise GoldError(
                "the gold query has no single result, or its sort keys cannot be determined"
            )
    if len({frozenset(Counter(zip(gold.ties, gold.pool)).items()) for gold in golds}) == 1:
        raise GoldError("the gold query finds the same in all instances")
    return tuple(golds)


def _unordered(result: Result) -> Gold:
    return Gold(*result, result.rows, (0,) * len(result.rows), 0, False)


def _ordered(result: Result, ranked: Result, offset: int) -> Gold:
    width = len(result.names)
    pool = tuple(row[:width] for row in ranked.rows)
    return Gold(*result, pool, tuple(row[-1] for row in ranked.rows), offset, True)
