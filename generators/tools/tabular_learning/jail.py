"""Running the programs of a player beside the tables, in the sandbox."""

import csv
import io
import json
from collections.abc import Sequence
from functools import lru_cache
from math import isfinite
from typing import NamedTuple

from palaestra.task import InvalidAnswer, JudgeError
from palaestra.verifiers.sandbox import Limits, MissingTool, SandboxUnavailable, sandbox

LIMITS = Limits(cpu_s=10.0, sleep_s=0.5, memory_mb=512, output_kb=256)
"""What one run of a program may use."""

SHOWN = 2_000
"""How many characters of the output a player reads."""

_PRELUDE = """
import json, sys
job = json.loads(sys.stdin.read())
for name in ("train", "test"):
    with open(name + ".csv", "w", newline="") as file:
        file.write(job[name])
space = {"__name__": "__main__"}
out = sys.stdout
if job["rows"]:
    sys.stdout = open("/dev/null", "w")
exec(compile(job["code"], "<program>", "exec"), space)
if job["rows"]:
    values = [float(space["predict"](dict(row))) for row in job["rows"]]
    out.write(json.dumps(values))
    out.flush()
"""

_FAILURES = {
    "TLE": "the program takes too long",
    "MLE": "the program takes too much memory",
    "OLE": "the program writes too much",
    "VIOLATION": "the program performs a forbidden operation",
}


class Files(NamedTuple):
    """What a program has beside it, as CSV text, and the rows to predict, by column."""

    train: str
    test: str
    rows: tuple[tuple[str, ...], ...]
    columns: tuple[str, ...]


def csv_text(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in CSV, with a header."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()


@lru_cache(maxsize=256)
def executed(files: Files, code: str) -> str:
    """What a program writes. Equal programs beside equal tables have one result for as long as it
    is remembered. Raises :class:`JudgeError` where no program can be run.
    """
    status, output, errors = _run(files, code, with_rows=False)
    if len(output) > SHOWN:
        left_out = len(output) - SHOWN
        output = f"{output[:SHOWN]}\n[{left_out} characters of the output are left out]"
    if status == "PASS":
        return output.rstrip() or "The program writes nothing."
    failure = _FAILURES.get(status, errors[-600:].strip() or "the program fails")
    return f"{output}\nError: {failure}".strip()


@lru_cache(maxsize=256)
def predicted(files: Files, code: str) -> tuple[float, ...]:
    """What the function ``predict`` of a program gives for each row to predict.

    Raises :class:`InvalidAnswer` where it fails, and :class:`JudgeError` where no program can be
    run.
    """
    status, output, errors = _run(files, code, with_rows=True)
    if status != "PASS":
        raise InvalidAnswer(_FAILURES.get(status, errors[-600:].strip() or "the program fails"))
    try:
        values = json.loads(output)
    except ValueError:
        raise InvalidAnswer("the program gives no predictions") from None
    return checked(values, len(files.rows))


def checked(values: object, number: int) -> tuple[float, ...]:
    """Predictions as finite numbers, as many as wanted. Raises :class:`InvalidAnswer` for other
    values.
    """
    if not isinstance(values, list) or len(values) != number:
        length = len(values) if isinstance(values, list) else 0
        raise InvalidAnswer(f"{number} predictions are needed, not {length}")
    if not all(type(each) in (int, float) and isfinite(each) for each in values):
        raise InvalidAnswer("a prediction is a finite number")
    return tuple(max(-1e9, min(1e9, float(each))) for each in values)


def _run(files: Files, code: str, with_rows: bool) -> tuple[str, str, str]:
    """The status, the output and the errors of a program."""
    rows = [dict(zip(files.columns, row)) for row in files.rows] if with_rows else []
    job = {"train": files.train, "test": files.test, "rows": rows, "code": code}
    try:
        outcome = sandbox().run(_PRELUDE, stdin=json.dumps(job), limits=LIMITS)
    except (SandboxUnavailable, MissingTool) as fault:
        raise JudgeError(f"no program can be run: {fault}") from None
    if outcome.status == "JUDGE_ERROR":
        raise JudgeError("the sandbox failed")
    return outcome.status, outcome.text, outcome.stderr.decode("utf-8", "replace")
