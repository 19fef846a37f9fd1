"""Judging programs: by their output, by calls, by suites of tests.

What is wanted never enters a process that has run a program, and no program's word is taken for
how it did. A failure of ours makes the whole verdict a ``JUDGE_ERROR``, without a share.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec

from palaestra.verifiers.sandbox import languages
from palaestra.verifiers.sandbox.comparing import Checker, Comparison, same_output, same_value
from palaestra.verifiers.sandbox.outcomes import DEFAULT, Limits, Outcome, Status, Test, Verdict
from palaestra.verifiers.sandbox.sessions import Ended, Raised, Session
from palaestra.verifiers.sandbox.slots import HERE, MARGIN, JailError, Job, Slot

if TYPE_CHECKING:
    from palaestra.verifiers.sandbox.sandbox import Sandbox

P = ParamSpec("P")

PATIENCE = 2
"""After so many tests that ran out of time, the others are not tried."""

LOST = 3
"""After so many processes that ended in the middle of a call, the others are not tried."""


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


def told(outcome: Outcome, weight: float, status: Status | None = None, reason: str = "") -> Test:
    """A test, from how a program ran."""
    return Test(
        status or outcome.status, weight, outcome.cpu_s, outcome.memory_kb, reason or outcome.reason
    )


# ------------------------------------------------------------------ by output


def judge_io(  # noqa: PLR0913
    sandbox: "Sandbox",
    source: str,
    tests: Iterable[IoTest | tuple[str, str]],
    *,
    language: str = "python",
    limits: Limits = DEFAULT,
    compare: Comparison = "tokens",
    tolerance: float = 0.0,
    checker: Checker | None = None,
    early_exit: bool = False,
) -> Verdict:
    """Judges a program by what it prints, in a fresh jail for each input.

    With ``early_exit`` nothing is tried after the first failure, and what was not tried counts as
    failed.
    """
    wanted = [test if isinstance(test, IoTest) else IoTest(*test) for test in tests]
    if not wanted:
        raise ValueError("there are no tests to judge by")
    name = languages.known(language)
    job = sandbox.prepared(name, source)
    if isinstance(job, Outcome):
        return verdict_of([told(job, test.weight) for test in wanted], job.isolation)
    found: list[Test] = []
    isolation = "none"
    for test in wanted:
        if _hopeless(found, early_exit):
            found.append(Test(found[-1].status, test.weight, reason="not tried"))
            continue
        given = test.stdin.encode("utf-8", "surrogateescape")
        ready = languages.with_input(job, name, source, given, test.args)
        outcome = patiently(sandbox, replace(ready, limits=limits))
        isolation = outcome.isolation
        if outcome.status != "PASS":
            found.append(told(outcome, test.weight))
            continue
        text = outcome.text
        if checker is not None:
            right = checker(test.stdin, test.stdout, text)
        else:
            right = same_output(test.stdout, text, compare, tolerance)
        found.append(told(outcome, test.weight, "PASS" if right else "WA", "" if right else _WRONG))
    return verdict_of(found, isolation)


_WRONG = "the output is not the one that is wanted"


def patiently(sandbox: "Sandbox", job: Job) -> Outcome:
    """Runs a job, and once more where it ended by itself and took up to a fifth too long."""
    outcome = sandbox.run_job(job)
    ended = outcome.status == "TLE" and (outcome.exit_code or 0) >= 0
    if ended and outcome.cpu_s < MARGIN * job.limits.cpu_s:
        again = sandbox.run_job(job)
        return again if again.status != "TLE" else outcome
    return outcome


def _hopeless(found: Sequence[Test], early_exit: bool) -> bool:
    if early_exit and found and found[-1].status != "PASS":
        return True
    return sum(test.status == "TLE" for test in found) >= PATIENCE


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
def session(slot: Slot, job: Job) -> Iterator[Session]:
    """A session that is ended in any case."""
    opened = Session(slot, job)
    try:
        yield opened
    finally:
        if opened.run.output:
            opened.close()


def judge_calls(  # noqa: PLR0913
    sandbox: "Sandbox",
    source: str,
    entry: str,
    cases: Iterable[Case | tuple[Sequence[Any], Any]],
    *,
    limits: Limits = DEFAULT,
    tolerance: float = 0.0,
    fresh: bool = False,
) -> Verdict:
    """Judges a Python function by the values that it gives, compared strictly by type.

    ``entry`` is the function's name, or a method's after its class's name and a dot. The calls
    are made in one process, one after the other, and in a new one where the last was lost; with
    ``fresh`` in a new one each. ``limits`` are those of a process.
    """
    wanted = [case if isinstance(case, Case) else Case(*case) for case in cases]
    if not wanted:
        raise ValueError("there are no calls to judge by")
    job = Job(source.encode("utf-8", "surrogateescape"), "calls", limits=limits)
    found: list[Test] = []
    lost = 0
    with sandbox.slot() as slot:
        while len(found) < len(wanted) and lost < LOST and not _hopeless(found, early_exit=False):
            made, ended = _called(slot, job, entry, wanted[len(found) :], tolerance, fresh)
            found += made
            lost += ended
        isolation = slot.level
    last = found[-1].status if found else "JUDGE_ERROR"
    found += [Test(last, case.weight, reason="not tried") for case in wanted[len(found) :]]
    return verdict_of(found, isolation)


def _called(  # noqa: PLR0913, PLR0917
    slot: Slot, job: Job, entry: str, cases: Sequence[Case], tolerance: float, fresh: bool
) -> tuple[list[Test], bool]:
    """Makes calls in one process as long as it lives, and one at least; whether it was lost."""
    found: list[Test] = []
    with session(slot, job) as opened:
        for case in cases:
            try:
                value = opened.call(entry, case.args, case.kwargs)
            except Ended:
                break
            except Raised as fault:
                found.append(Test("RE", case.weight, reason=str(fault)))
            except (ValueError, TypeError, RecursionError):
                found.append(Test("WA", case.weight, reason="it gave no plain value"))
            else:
                right = same_value(case.value, value, tolerance)
                reason = "" if right else "the value is not the one that is wanted"
                found.append(Test("PASS" if right else "WA", case.weight, reason=reason))
            if fresh:
                return found, False
        else:
            return found, False
        outcome = opened.close()
    status: Status = "RE" if outcome.status == "PASS" else outcome.status
    last = told(outcome, cases[len(found)].weight, status, outcome.reason or "it ended")
    return [*found, last], True


# ------------------------------------------------------------------ by suites of tests


def judge_asserts(
    sandbox: "Sandbox",
    source: str,
    tests: str,
    *,
    limits: Limits = DEFAULT,
    trusting: bool = False,
) -> Verdict:
    """Judges a Python program by a suite of tests: asserts, test functions, test classes.

    The suite runs in a jail of its own and reaches the program, in another one, by calls alone.
    A test that goes by what an object of the program's says of itself, as by its ``__lt__`` or its
    ``__contains__``, fails; with ``trusting`` its word is taken, and the verdict's ``integrity`` is
    weak. What cannot be tested in this way, for it gives functions or objects of its own to the
    program, fails too.
    """
    program = Job(source.encode("utf-8", "surrogateescape"), "calls", limits=limits)
    harness = (HERE / "jail-app" / "harness.py").read_bytes()
    suite = Job(
        harness,
        stdin=tests.encode("utf-8", "surrogateescape"),
        args=("trusting",) if trusting else (),
        limits=limits,
    )
    with sandbox.slot() as slot, sandbox.referees().slot() as other:
        with session(slot, program) as tested, session(other, suite) as testing:
            report = _relayed(testing, tested)
            ended = tested.close() if tested.over else None
            if report is None:
                fault = testing.close()
        isolation = slot.level
    if report is None and ended is None:
        if fault.status == "TLE":
            return Verdict(0.0, 0, (told(fault, 1.0),), "TLE", isolation=isolation)
        why = f"the suite ended: {fault.status} {fault.reason} {fault.stderr[-300:]!r}"
        nothing = (Test("JUDGE_ERROR", reason=why),)
        return Verdict(None, 0, nothing, "JUDGE_ERROR", isolation=isolation, parts={"suite": 0.0})
    rows = (report or {}).get("tests", [])
    lost: Status = "RE" if ended is None or ended.status == "PASS" else ended.status
    found = [_row(row, lost) for row in rows] or [Test(lost, reason="the program ended")]
    if report is not None and "broken" in report:
        found = [Test("JUDGE_ERROR", reason=str(report["broken"]))]
    return verdict_of(found, isolation, weak=trusting and bool((report or {}).get("weak")))


def _row(row: Sequence[Any], lost: Status) -> Test:
    name, passed, reason = row
    if passed:
        return Test("PASS")
    gone = str(reason) == _GONE
    return Test(lost if gone else "WA", reason=f"{name}: {reason}"[:300])


_GONE = "it ended"


def _relayed(testing: Session, tested: Session) -> dict[str, Any] | None:
    """Hands requests over from a suite to a program until the suite reports; None where it does
    not.
    """
    import json

    while True:
        try:
            request = json.loads(testing.line())
        except (Ended, ValueError):
            return None
        if "name" not in request:
            return dict(request)
        try:
            reply = tested.exchange(request)
            if not isinstance(reply, dict) or not reply.keys() & {"value", "error", "missing"}:
                reply = {"error": ["TypeError", "no plain value"]}
        except Ended:
            reply = {"gone": _GONE}
        except (ValueError, RecursionError):
            reply = {"error": ["ValueError", "no plain value"]}
        testing.say(json.dumps(reply).encode() + b"\n")
