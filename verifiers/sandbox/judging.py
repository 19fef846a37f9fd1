"""Judging programs: by their output, by calls, by suites of tests.

What is wanted never enters a process that has run a program, and no program's word is taken for
how it did. A failure of ours makes the whole verdict a ``JUDGE_ERROR``, without a share.
"""

import json
import math
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, ParamSpec, Protocol

from palaestra.verifiers.sandbox import languages
from palaestra.verifiers.sandbox.comparing import Checker, Comparison, same_output, same_value
from palaestra.verifiers.sandbox.languages import encoded
from palaestra.verifiers.sandbox.outcomes import DEFAULT, Limits, Outcome, Status, Test, Verdict
from palaestra.verifiers.sandbox.sessions import (
    Allowance,
    Ended,
    Oversized,
    Raised,
    Session,
)
from palaestra.verifiers.sandbox.slots import MARGIN, JailError, Job, Slot, most_wall_s

P = ParamSpec("P")

PATIENCE = 2
"""After so many tests that ran out of time, the others are not tried."""

LOST = 3
"""After so many processes that ended in the middle of a call, the others are not tried."""


class Jails(Protocol):
    """What judging asks of a sandbox."""

    def prepared(self, language: str, source: str, limits: Limits = DEFAULT) -> Job | Outcome:
        """A program ready to run, or the outcome of a compiler that rejects it."""

    def run_job(self, job: Job) -> Outcome:
        """Run a job in a fresh process."""

    def slot(self) -> AbstractContextManager[Slot]:
        """A jail for one program at a time."""

    def referees(self) -> "Jails":
        """The jails for suites of tests, which are never those of the programs."""


@dataclass(frozen=True, slots=True)
class IoTest:
    """An input, the output that is wanted, and how much it counts."""

    stdin: str
    stdout: str
    weight: float = 1.0
    args: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """What a function is called with, the value that is wanted, and how much it counts."""

    args: Sequence[Any]
    value: Any
    weight: float = 1.0
    kwargs: Mapping[str, Any] = field(default_factory=dict)


def verdict_of(tests: Sequence[Test], isolation: str, weak: bool = False) -> Verdict:
    """The verdict over some tests."""
    worst = next((test.status for test in tests if test.status != "PASS"), "PASS")
    if any(test.status == "JUDGE_ERROR" for test in tests) or not tests:
        worst = "JUDGE_ERROR"
    passed = sum(test.status == "PASS" for test in tests)
    total = sum(test.weight for test in tests)
    earned = sum(test.weight for test in tests if test.status == "PASS")
    fraction = None if worst == "JUDGE_ERROR" else 1.0 if worst == "PASS" else earned / total
    return Verdict(fraction, passed, tuple(tests), worst, "weak" if weak else "strong", isolation)  # type: ignore[arg-type]


def checked_weights(tests: Sequence[IoTest] | Sequence[Case]) -> None:
    """Raises ``ValueError`` where there are no tests, or weights that make no shares."""
    if not tests:
        raise ValueError("there are no tests to judge by")
    weights = [test.weight for test in tests]
    if not all(math.isfinite(weight) and weight >= 0 for weight in weights) or not sum(weights):
        raise ValueError("weights are finite, none below 0, and not all of them 0")


def as_test(
    outcome: Outcome, weight: float, status: Status | None = None, reason: str = ""
) -> Test:
    """A test, from how a program ran."""
    return Test(
        status or outcome.status, weight, outcome.cpu_s, outcome.memory_kb, reason or outcome.reason
    )


# ------------------------------------------------------------------ by output


def judge_io(  # noqa: PLR0913
    sandbox: Jails,
    source: str,
    tests: Iterable[IoTest | tuple[str, str]],
    *,
    language: str = "python",
    limits: Limits = DEFAULT,
    compare: Comparison = "tokens",
    tolerance: float = 0.0,
    checker: Checker | None = None,
    early_exit: bool = False,
    patience: int = PATIENCE,
) -> Verdict:
    """Judges a program by what it prints, in a fresh jail for each input.

    With ``early_exit`` nothing is tried after the first failure, and nothing after ``patience``
    tests that ran out of time; what was not tried counts as failed.

    Raises ``ValueError`` without tests, for weights that make no shares, and for a language that
    there is not.
    """
    wanted = [test if isinstance(test, IoTest) else IoTest(*test) for test in tests]
    checked_weights(wanted)
    name = languages.known(language)
    job = sandbox.prepared(name, source, limits)
    if isinstance(job, Outcome):
        return verdict_of([as_test(job, test.weight) for test in wanted], job.isolation)
    outcomes: list[Test] = []
    isolation = "none"
    for test in wanted:
        if _hopeless(outcomes, patience, early_exit):
            outcomes.append(Test(outcomes[-1].status, test.weight, reason="not tried"))
            continue
        ready = languages.with_input(job, name, source, encoded(test.stdin), test.args)
        outcome = patiently(sandbox, replace(ready, limits=limits))
        isolation = outcome.isolation
        if outcome.status != "PASS":
            outcomes.append(as_test(outcome, test.weight))
            continue
        text = outcome.text
        if checker is not None:
            right = checker(test.stdin, test.stdout, text)
        else:
            right = same_output(test.stdout, text, compare, tolerance)
        outcomes.append(
            as_test(outcome, test.weight, "PASS" if right else "WA", "" if right else _WRONG)
        )
    return verdict_of(outcomes, isolation)


_WRONG = "the output is not the one that is wanted"


def patiently(sandbox: Jails, job: Job) -> Outcome:
    """Runs a job, and once more where it ended by itself and took up to a fifth too long."""
    outcome = sandbox.run_job(job)
    ended = outcome.status == "TLE" and (outcome.exit_code or 0) >= 0
    if ended and outcome.cpu_s < MARGIN * job.limits.cpu_s:
        again = sandbox.run_job(job)
        return again if again.status != "TLE" else outcome
    return outcome


def _hopeless(outcomes: Sequence[Test], patience: int, early_exit: bool = False) -> bool:
    if early_exit and outcomes and outcomes[-1].status != "PASS":
        return True
    return sum(test.status == "TLE" for test in outcomes) >= patience


def answered(judge: Callable[P, Verdict]) -> Callable[P, Verdict]:
    """A way of judging that gives a ``JUDGE_ERROR`` where there is no jail, or no descriptor."""

    @wraps(judge)
    def judged(*args: P.args, **kwargs: P.kwargs) -> Verdict:
        try:
            return judge(*args, **kwargs)
        except (OSError, JailError) as fault:
            return verdict_of([Test("JUDGE_ERROR", reason=f"no jail: {fault}"[:300])], "none")

    return judged


# ------------------------------------------------------------------ by calls


@contextmanager
def session(slot: Slot, job: Job, allowance: Allowance | None = None) -> Iterator[Session]:
    """A session that is ended in any case."""
    opened = Session(slot, job, allowance)
    try:
        yield opened
    finally:
        if opened.run.output:
            opened.close()


def judge_calls(  # noqa: PLR0913
    sandbox: Jails,
    source: str,
    entry: str,
    cases: Iterable[Case | tuple[Sequence[Any], Any]],
    *,
    limits: Limits = DEFAULT,
    tolerance: float = 0.0,
    fresh: bool = False,
    patience: int = PATIENCE,
) -> Verdict:
    """Judges a Python function by the values that it gives, compared strictly by type.

    ``entry`` is the function's name, or a method's after its class's name and a dot. The calls
    are made in one process, one after the other, and in a new one where the last was lost; with
    ``fresh`` in a new one each. ``limits`` are those of a process. After ``patience`` calls that
    ran out of time the others are not made, and count as failed. A value of more than 2 MB, or of
    100,000 lists and dicts, fails its call; so does whatever is called after 32 MB or 500,000 of
    them in all.

    Raises ``ValueError`` without calls, and for weights that make no shares.
    """
    wanted = [case if isinstance(case, Case) else Case(*case) for case in cases]
    checked_weights(wanted)
    job = Job(encoded(source), "calls", limits=limits)
    allowance = Allowance()
    outcomes: list[Test] = []
    lost = 0
    with sandbox.slot() as slot:
        while len(outcomes) < len(wanted) and lost < LOST and not _hopeless(outcomes, patience):
            with session(slot, job, allowance) as opened:
                results, ended = _called(opened, entry, wanted[len(outcomes) :], tolerance, fresh)
            outcomes += results
            lost += ended
        isolation = slot.level
    last = outcomes[-1].status if outcomes else "JUDGE_ERROR"
    outcomes += [Test(last, case.weight, reason="not tried") for case in wanted[len(outcomes) :]]
    return verdict_of(outcomes, isolation)


def _called(
    opened: Session, entry: str, cases: Sequence[Case], tolerance: float, fresh: bool
) -> tuple[list[Test], bool]:
    """Makes calls in one process as long as it lives, and one at least; whether it was lost."""
    outcomes: list[Test] = []
    for case in cases[:1] if fresh else cases:
        try:
            value = opened.call(entry, case.args, case.kwargs)
        except Ended:
            outcome = opened.close()
            status: Status = "RE" if outcome.status == "PASS" else outcome.status
            lost = as_test(outcome, case.weight, status, outcome.reason or "it ended")
            return [*outcomes, lost], True
        except Raised as fault:
            status = "MLE" if fault.class_name == "MemoryError" else "RE"
            outcomes.append(Test(status, case.weight, reason=str(fault)))
        except Oversized as fault:
            outcomes.append(Test("OLE", case.weight, reason=str(fault)))
        except (ValueError, TypeError, RecursionError):
            outcomes.append(Test("WA", case.weight, reason="it gave no plain value"))
        else:
            right = same_value(case.value, value, tolerance)
            reason = "" if right else "the value is not the one that is wanted"
            outcomes.append(Test("PASS" if right else "WA", case.weight, reason=reason))
    return outcomes, False


# ------------------------------------------------------------------ by suites of tests


HARNESS = b"import harness\nharness.main()\n"

GONE = b"-\n"
"""What a suite reads when the program has ended."""

LARGE = b'+{"large": true}\n'
"""What it reads in place of a value that is too large."""


def judge_asserts(
    sandbox: Jails,
    source: str,
    tests: str,
    *,
    limits: Limits = DEFAULT,
    trusting: bool = False,
) -> Verdict:
    """Judges a Python program by a suite of tests: asserts, test functions, test classes.

    The suite runs in a jail of its own and reaches the program, in another one, by calls alone.
    What an object of the program's holds is fetched as plain values, and a test that would have to
    take its word for more, as for its ``__lt__``, fails; with ``trusting`` its word is taken.
    ``integrity`` is weak where a word was taken, be it only on whose instance something is.

    A suite that cannot be run in this way, or that fails by itself, is a ``JUDGE_ERROR``; as far as
    that can be seen by reading it, the program is not started.
    """
    program = Job(encoded(source), "calls", limits=limits)
    secret = secrets.token_hex(16)
    request = {"suite": tests, "secret": secret, "trusting": trusting}
    suite = Job(HARNESS, stdin=json.dumps(request).encode(), limits=_of_suite(limits))
    with sandbox.slot() as slot, sandbox.referees().slot() as other:
        isolation = slot.level
        with session(other, suite, Allowance(size=SUITE_BYTES)) as testing:
            ended: Outcome | None = None
            report = _reported(testing, secret.encode(), starts=True)
            if report == {}:
                with session(slot, program) as tested:
                    report, ended = _relayed(testing, tested, secret.encode())
            fault = testing.close() if report is None else None
    if fault is not None:
        return _without_report(fault, ended, isolation)
    assert report is not None
    if "broken" in report:
        outcomes = [Test("JUDGE_ERROR", reason=str(report["broken"]))]
    else:
        lost: Status = "RE" if ended is None or ended.status == "PASS" else ended.status
        outcomes = [_row(row, lost) for row in report["tests"]]
    return verdict_of(outcomes, isolation, weak=bool(report["weak"]))


SUITE_BYTES = 1 << 30
"""How many bytes a suite may ask with, all in all: it is bounded by its time."""


def _of_suite(limits: Limits) -> Limits:
    """What a suite may use: a little more than the program, and time for waiting for it."""
    wall_s = min(2 * most_wall_s(limits) + 5, 3_600)
    cpu_s = min(limits.cpu_s + 2, 600)
    return replace(
        limits, cpu_s=cpu_s, wall_s=wall_s, sleep_s=None, memory_mb=max(limits.memory_mb, 1_024)
    )


def _without_report(fault: Outcome, ended: Outcome | None, isolation: Any) -> Verdict:
    """The verdict where a suite did not report: it took too long, or failed."""
    if fault.status == "TLE" or (ended is not None and ended.status not in {"PASS", "JUDGE_ERROR"}):
        lost = fault if ended is None else ended
        return Verdict(0.0, 0, (as_test(lost, 1.0),), lost.status, isolation=isolation)
    why = f"the suite ended: {fault.status} {fault.reason}"
    nothing = (Test("JUDGE_ERROR", reason=why),)
    return Verdict(None, 0, nothing, "JUDGE_ERROR", isolation=isolation, parts={"suite": 0.0})


def _row(row: Sequence[Any], lost: Status) -> Test:
    name, status, reason = row
    if status == "PASS":
        return Test("PASS")
    return Test(lost if status == "LOST" else status, reason=f"{name}: {reason}"[:300])


def _reported(testing: Session, secret: bytes, starts: bool = False) -> Any:
    """What a suite says next: its report, as a dict; its request, as bytes; None where it ended.

    With ``starts`` it is asked for the first time, and an empty dict says that it can be run.
    """
    try:
        line = testing.line()
    except Ended:
        return None
    if line.startswith(secret):
        return json.loads(line[len(secret) :])
    return line if line or not starts else {}


def _relayed(
    testing: Session, tested: Session, secret: bytes
) -> tuple[dict[str, Any] | None, Outcome | None]:
    """Hands requests over from a suite to a program until the suite reports; None where it does
    not. Nothing of what the program says is read here. Also how the program ended, where it did.
    """
    ended: Outcome | None = None
    testing.send(b"+\n")
    while isinstance(request := _reported(testing, secret), bytes):
        reply = GONE
        if ended is None:
            try:
                answer = tested.exchange(request)
                tested.charge(answer)
                reply = b"+" + answer + b"\n"
            except Oversized:
                reply = LARGE
            except Ended:
                ended = tested.close()
        testing.send(reply)
    return request, ended
