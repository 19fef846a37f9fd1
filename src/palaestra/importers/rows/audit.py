"""What is wrong with the rows of a file, before they become tasks."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from palaestra.importers.rows import normal, oracle
from palaestra.importers.rows.files import NAMES, fields_of
from palaestra.importers.rows.guesses import (
    contradiction,
    parsed,
    same_output,
    same_value,
    stub,
)
from palaestra.importers.rows.presets import (
    PROGRAMS,
    BadRow,
    Fields,
    PassesAsserts,
    PrintsOutputs,
    judge_of,
    preset_of,
    question_of,
)
from palaestra.task import JudgeError, Score
from palaestra.trainers.audits.audit import names_answer
from palaestra.verifiers.answers.judging import Answer
from palaestra.verifiers.verifier import Judge

FAULTS: Mapping[str, str] = {
    "unreadable": "the row, its answer, options or tests cannot be read",
    "no question": "the row has no question",
    "no answer": "the row has no answer, or no tests",
    "duplicate": "an earlier row has the same question and the same answer",
    "contradictory": "an earlier row has the same question and another answer",
    "leaked": "the question states the answer",
    "refused": "the verifier refuses the answer of the row itself",
    "unsolvable": "two tests expect different outputs for the same input",
    "guessable": "a program passes the tests that returns or prints the same for all inputs",
    "unjudged": "the verifier failed",
}
"""The faults of rows, and what they mean. Rows with a fault are left out."""

SHARE = 0.05
"""A single answer that is right for more rows than this is stated."""

COMMONEST = 5
"""So many of the commonest answers are tried on all rows."""

MOST = 8
"""So many expressions of a question are tried as its answer."""

LOOKED = 4_000
"""In so many characters of a question, expressions are looked for."""

_SIGNS = r"\d+\-*/^×÷(). "
_EXPRESSION = re.compile(
    rf"\$([^$\n]{{1,200}})\$|[\d(][{_SIGNS}]{{0,40}}[-+*/^×÷][{_SIGNS}]{{0,40}}[\d)]"
)
"""A formula of LaTeX, or numbers with operators between them."""

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

    restated: int = 0
    """Rows for which an expression of the question, not evaluated, is right, such as 7 + 7."""

    programs: int = 0
    """Accepted rows whose answers are programs."""

    @property
    def hint(self) -> str:
        """What to try where all rows lack the same field; nothing otherwise."""
        faults = {fault.fault for fault in self.faults}
        if (
            self.accepted
            or len(faults) != 1
            or not (missing := faults & {"no question", "no answer"})
        ):
            return ""
        field = missing.pop().removeprefix("no ")
        known = ", ".join(NAMES[field])
        return f"no row has a column for the {field} ({known}); --column {field}=NAME names another"

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
            "restated": self.restated,
        }


class _Known(NamedTuple):
    """An earlier row with the same question."""

    row: int
    judge: Judge
    tests: str


def audited(file: Path, preset: str, columns: Mapping[str, str] | None = None) -> RowsAudit:
    """Audit the rows of a file.

    Raises what :func:`palaestra.importers.rows.files.fields_of` does.
    """
    audit, seen = RowsAudit(), dict[str, _Known]()
    judges: list[Judge] = []
    answers: Counter[str] = Counter()
    for number, fields, error in fields_of(file, columns, preset):
        audit.rows += 1
        try:
            if error:
                raise BadRow(error)
            judge = _judged(number, fields, preset, seen)
        except BadRow as bad:
            audit.faults.append(RowFault(number, bad.fault, str(bad)))
            continue
        audit.last = number
        judges.append(judge)
        if preset_of(preset, fields) in PROGRAMS:
            audit.programs += 1
            audit.unproved += not fields.solution
        else:
            answers[oracle(fields, preset)] += 1
        audit.restated += isinstance(judge, Answer) and _restates(fields.question, judge)
    audit.constants = _constants(answers, judges)
    return audit


def _judged(number: int, fields: Fields, preset: str, seen: dict[str, _Known]) -> Judge:
    """The verifier of a row. Raises :class:`BadRow` for a row with a fault."""
    if not fields.question:
        raise BadRow("the question is empty or no text", "no question")
    judge, is_program = judge_of(preset, fields), preset_of(preset, fields) in PROGRAMS
    answer = oracle(fields, preset)
    tests = str(fields.tests) if is_program else ""
    known = _Known(number, judge, tests)
    earlier = seen.setdefault(normal(question_of(preset, fields)), known)
    if earlier.row != number:
        same = earlier.tests == tests and (is_program or _is_right(earlier.judge, answer))
        fault = "duplicate" if same else "contradictory"
        raise BadRow(f"row {earlier.row} has the same question", fault)
    if _is_leaked(fields, answer, is_program):
        raise BadRow("the question states the answer", "leaked")
    _check_tests(judge)
    if answer:
        score = _scored(judge, answer)
        if not score.correct:
            raise BadRow(score.reason[:200] or "it scores 0", "refused")
    if isinstance(judge, PassesAsserts) and _scored(judge, stub(parsed(judge.tests))).correct:
        raise BadRow("functions that return nothing pass the tests", "guessable")
    return judge


def _is_leaked(fields: Fields, answer: str, is_program: bool) -> bool:
    if is_program:
        return normal(fields.solution) in normal(fields.question) if fields.solution else False
    return names_answer(fields.question, answer)


def _check_tests(judge: Judge) -> None:
    """Raise :class:`BadRow` for tests that no program can pass, or one without thought."""
    if isinstance(judge, PrintsOutputs):
        if reason := contradiction(judge.tests):
            raise BadRow(reason, "unsolvable")
        if same_output(judge.tests):
            raise BadRow(f"all {len(judge.tests)} tests expect the same output", "guessable")
    elif isinstance(judge, PassesAsserts):
        try:
            value = same_value(parsed(judge.tests))
        except ValueError as error:
            raise BadRow(str(error)) from None
        if value:
            raise BadRow(f"all assertions expect {value[:40]}", "guessable")


def _scored(judge: Judge, answer: str) -> Score:
    """The score of an answer. Raises :class:`BadRow` where the verifier fails."""
    try:
        return judge(answer)
    except JudgeError as error:
        fault = "unreadable" if error.status == "gold_error" else "unjudged"
        raise BadRow(str(error)[:200], fault) from None


def _restates(question: str, judge: Judge) -> bool:
    """Whether an expression of a question is right as it stands there."""
    texts = (
        match[1] or match[0] for match in islice(_EXPRESSION.finditer(question[:LOOKED]), MOST)
    )
    return any(_is_right(judge, text.strip()) for text in texts)


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
