"""What is wrong with the rows of a file, before they become tasks."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from palaestra.importers.rows import normal, oracle
from palaestra.importers.rows.files import fields_of
from palaestra.importers.rows.presets import PROGRAMS, BadRow, Fields, PrintsOutputs, judge_of
from palaestra.task import JudgeError
from palaestra.verifiers.verifier import Judge

FAULTS: Mapping[str, str] = {
    "unreadable": "the row, its answer, options or tests cannot be read",
    "no question": "the row has no question",
    "no answer": "the row has no answer, or no tests",
    "duplicate": "an earlier row has the same question and the same answer",
    "contradictory": "an earlier row has the same question and another answer",
    "refused": "the verifier refuses the answer of the row itself",
    "guessable": "all tests of a program expect the same output",
    "unjudged": "the verifier failed",
}
"""The faults of rows, and what they mean. Rows with a fault are left out."""

SHARE = 0.05
"""A single answer that is right for more rows than this is stated."""

COMMONEST = 5
"""So many of the commonest answers are tried on all rows."""

TRIED = 500
"""Rows on which the commonest answers are tried."""


class RowFault(NamedTuple):
    """A fault of a row."""

    row: int
    fault: str
    detail: str


@dataclass(slots=True)
class RowsAudit:
    """The outcome of an audit. ``constants`` maps answers to shares of rows they are right for."""

    rows: int = 0
    faults: list[RowFault] = field(default_factory=list)
    constants: dict[str, float] = field(default_factory=dict)
    last: int = 0
    """The number of the last row."""

    unproved: int = 0
    """Rows of programs without a solution, so that nothing shows that their tests can pass."""

    @property
    def left_out(self) -> frozenset[int]:
        """The numbers of the rows with faults."""
        return frozenset(fault.row for fault in self.faults)

    @property
    def accepted(self) -> int:
        """The number of rows without faults."""
        return self.rows - len(self.left_out)

    def counts(self) -> dict[str, int]:
        """The number of rows with each fault."""
        counts = Counter(fault.fault for fault in self.faults)
        return {fault: counts[fault] for fault in FAULTS}

    def summary(self) -> dict[str, Any]:
        """The figures of the audit as JSON values."""
        return {
            "rows": self.rows,
            "accepted": self.accepted,
            **self.counts(),
            "constants": self.constants,
            "unproved": self.unproved,
        }


def audited(file: Path, preset: str, columns: Mapping[str, str] | None = None) -> RowsAudit:
    """Audit the rows of a file.

    Raises what :func:`palaestra.importers.rows.files.fields_of` does.
    """
    audit, seen = RowsAudit(), dict[str, tuple[int, str]]()
    judges: list[Judge] = []
    answers: Counter[str] = Counter()
    for number, fields, error in fields_of(file, columns, preset in PROGRAMS):
        audit.rows += 1
        audit.last = number
        try:
            if error:
                raise BadRow(error)
            judge = _judged(number, fields, preset, seen)
        except BadRow as bad:
            audit.faults.append(RowFault(number, bad.fault, str(bad)))
            continue
        judges.append(judge)
        if preset in PROGRAMS:
            audit.unproved += not fields.solution
        else:
            answers[oracle(fields, preset)] += 1
    audit.constants = _constants(answers, judges)
    return audit


def _judged(number: int, fields: Fields, preset: str, seen: dict[str, tuple[int, str]]) -> Judge:
    """The verifier of a row. Raises :class:`BadRow` for a row with a fault."""
    if not fields.question:
        raise BadRow("the question is empty or no text", "no question")
    judge = judge_of(preset, fields)
    wanted = repr(judge)[:2_000] if preset not in PROGRAMS else str(fields.tests)
    earlier, other = seen.setdefault(normal(fields.question), (number, wanted))
    if earlier != number:
        fault = "duplicate" if other == wanted else "contradictory"
        raise BadRow(f"row {earlier} has the same question", fault)
    if isinstance(judge, PrintsOutputs) and len(judge.tests) > 1:
        outputs = {test.stdout.strip() for test in judge.tests}
        if len(outputs) == 1:
            raise BadRow(f"all {len(judge.tests)} tests expect the same output", "guessable")
    answer = oracle(fields, preset)
    if answer:
        try:
            score = judge(answer)
        except JudgeError as error:
            fault = "unreadable" if error.status == "gold_error" else "unjudged"
            raise BadRow(str(error)[:200], fault) from None
        if not score.correct:
            raise BadRow(score.reason[:200] or "it scores 0", "refused")
    return judge


def _constants(answers: Counter[str], judges: list[Judge]) -> dict[str, float]:
    """The commonest answers that are right for a share of rows above :data:`SHARE`."""
    tried = judges[:TRIED]
    shares = {}
    for answer, _ in answers.most_common(COMMONEST):
        right = sum(_is_right(judge, answer) for judge in tried)
        if len(tried) >= 2 and right > 1 and right / len(tried) > SHARE:
            shares[answer[:80]] = round(right / len(tried), 4)
    return shares


def _is_right(judge: Judge, answer: str) -> bool:
    try:
        return judge(answer).correct
    except JudgeError:
        return False
