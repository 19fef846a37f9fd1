"""Replies that people have labelled, from files on disk in the layouts of published collections.

The layout of a file is recognised by its columns:

- ``verifierbench``: ``gold_answer``, ``llm_response`` and ``gold_judgment`` (A right, B wrong, C
  invalid, which counts as wrong), with ``answer_type``, as in VerifierBench (CompassVerifier, Liu
  et al. 2025);
- ``xverify``: ``correct_answer``, ``llm_output`` and ``human_judgment_result`` (Correct or
  Incorrect), with ``key_answer_type``, as in VAR (xVerify, Chen et al. 2025). Rows that no person
  has labelled are left out;
- ``plain``: ``gold``, ``reply`` and ``correct``, and perhaps ``type``, ``id`` and ``policy``.

Files are JSON lines, JSON (a list, or an object with ``results`` or ``data``), or Parquet.
"""

import ast
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from palaestra.extras import needs
from palaestra.syntax import parse_expression
from palaestra.verifier_bench.cases import FIELDS, Case, case_of

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Labelled:
    """The cases of a file, the layout it has, and how many of its rows no person has labelled."""

    cases: tuple[Case, ...]
    layout: str
    skipped: int = 0


class Layout(NamedTuple):
    """How a published file is laid out: the columns that it has, and how a row becomes a case."""

    columns: frozenset[str]
    read: Callable[[int, Row], Case | None]


def load_labelled(file: Path) -> Labelled:
    """The labelled replies of a file.

    Raises ``ValueError`` for a file that cannot be read, whose columns are none that are known, or
    that has a row with a wrong value, and :class:`~palaestra.extras.MissingExtra` for Parquet where
    pyarrow is not installed.
    """
    cases: list[Case] = []
    skipped, name = 0, ""
    for number, row in enumerate(_rows(file), 1):
        if not isinstance(row, dict):
            raise ValueError(f"{file.name}, row {number} is not an object")  # noqa: TRY004
        name = name or _layout_of(row, file)
        try:
            case = LAYOUTS[name].read(number, row)
        except (KeyError, TypeError, ValueError) as error:
            missing = f"it has no {error}" if isinstance(error, KeyError) else str(error)
            raise ValueError(f"{file.name}, row {number}: {missing}") from None
        if case is None:
            skipped += 1
        else:
            cases.append(case)
    if not cases:
        why = f"none of its {skipped} rows has the label of a person" if skipped else "it is empty"
        raise ValueError(f"there are no cases in {file.name}: {why}")
    return Labelled(tuple(cases), name, skipped)


def _layout_of(row: Row, file: Path) -> str:
    """The layout whose columns a row has."""
    for name, layout in LAYOUTS.items():
        if layout.columns <= row.keys():
            return name
    known = "; ".join(
        f"{name}: {', '.join(sorted(each.columns))}" for name, each in LAYOUTS.items()
    )
    has = ", ".join(sorted(map(str, row)))[:200] or "none"
    raise ValueError(
        f"{file.name} has the columns of no layout that is known ({known}); it has {has}"
    )


# ------------------------------------------------------------------ files


def _rows(file: Path) -> Iterator[Any]:
    if not file.is_file():
        raise ValueError(f"there is no file {file}")
    if file.suffix == ".parquet":
        yield from _of_parquet(file)
        return
    try:
        if file.suffix == ".json":
            yield from _of_json(file)
        else:
            yield from _of_lines(file)
    except UnicodeDecodeError as error:
        raise ValueError(f"{file.name} is not UTF-8: {error}") from None


def _of_lines(file: Path) -> Iterator[Any]:
    with file.open(encoding="utf-8") as stream:
        for number, line in enumerate(stream, 1):
            if line.strip():
                yield _parsed(line, f"{file.name}, line {number}")


def _of_json(file: Path) -> Iterator[Any]:
    text = file.read_text("utf-8")
    document = _parsed(text, file.name)
    if isinstance(document, dict):
        document = next((document[key] for key in ("results", "data") if key in document), None)
    if not isinstance(document, list):
        why = "is no list of rows, nor an object with results or data"
        raise ValueError(f"{file.name} {why}")  # noqa: TRY004
    yield from document


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{where} is not JSON: {error}"[:300]) from None


def _of_parquet(file: Path) -> Iterator[Any]:
    with needs("parquet", "PyArrow"):
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile

    try:
        with ParquetFile(file) as table:
            for batch in table.iter_batches(1_000):
                yield from batch.to_pylist()
    except (ArrowException, OSError) as error:
        raise ValueError(f"{file.name} is no Parquet file: {error}"[:300]) from None


# ------------------------------------------------------------------ layouts


def _case(  # noqa: PLR0913, PLR0917
    name: str, group: Any, gold: Any, reply: Any, correct: bool, policy: Any = None
) -> Case:
    golds = gold if isinstance(gold, str) else tuple(map(_text, gold))
    fields = {} if policy is None else dict(policy)
    return Case(name, _text(group or "untyped"), "judge", golds, _text(reply), correct,
                policy=fields)  # fmt: skip


def _text(value: Any) -> str:
    """A text, or a number as one."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise TypeError(f"{value!r:.80} is not a text")
    return str(value)


def _label(value: Any, labels: Mapping[str, bool], column: str) -> bool:
    key = str(value).strip().casefold()
    if key not in labels:
        known = ", ".join(label.capitalize() for label in labels)
        raise ValueError(f"{column} is one of {known}, not {value!r:.80}")
    return labels[key]


def unlisted(gold: str) -> str:
    """A gold, of a list of one text that text: some sources write golds like this.

    >>> unlisted("['C']"), unlisted("[1, 2]")
    ('C', '[1, 2]')
    """
    if len(gold) > 1_000 or not gold.startswith("[") or not gold.endswith("]"):
        return gold
    try:
        tree = parse_expression(gold)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return gold
    match tree:
        case ast.List(elts=[ast.Constant(value=str(text))]):
            return text
    return gold


def _verifierbench(number: int, row: Row) -> Case:
    right = _label(row["gold_judgment"], {"a": True, "b": False, "c": False}, "gold_judgment")
    gold, reply = unlisted(_text(row["gold_answer"])), row["llm_response"]
    return _case(f"row-{number}", row.get("answer_type"), gold, reply, right)


def _xverify(number: int, row: Row) -> Case | None:
    verdict = row.get("human_judgment_result")
    if verdict is None or not str(verdict).strip():
        return None
    right = _label(verdict, {"correct": True, "incorrect": False}, "human_judgment_result")
    gold, reply = unlisted(_text(row["correct_answer"])), row["llm_output"]
    return _case(f"row-{number}", row.get("key_answer_type"), gold, reply, right)


def _plain(number: int, row: Row) -> Case:
    if not isinstance(row["correct"], bool):
        raise TypeError(f"correct is true or false, not {row['correct']!r:.80}")
    name, gold = _text(row.get("id", f"row-{number}")), row["gold"]
    gold = gold if isinstance(gold, list) else _text(gold)
    return _case(name, row.get("type"), gold, row["reply"], row["correct"], row.get("policy"))


def _of_bench(_: int, row: Row) -> Case:
    return case_of(row)


LAYOUTS = {
    "verifierbench": Layout(
        frozenset({"gold_answer", "llm_response", "gold_judgment"}), _verifierbench
    ),
    "xverify": Layout(frozenset({"correct_answer", "llm_output"}), _xverify),
    "plain": Layout(frozenset({"gold", "reply", "correct"}), _plain),
    "cases": Layout(frozenset(FIELDS - {"status", "policy", "rule", "why"}), _of_bench),
}
"""The layouts by name, in the order in which they are looked for; ``cases`` is the bench's own."""
