"""Programs over HTTP: run in the sandbox of this server, and judged by output, calls or suites.

All of that is done in worker processes: a program ends when its client leaves, and what it prints
is made a part of the answer there, never more of it than an answer may have.
"""

from typing import Annotated, Any, Literal, Self

from fastapi import Request, Response
from msgspec import json
from pydantic import Field, model_validator

from palaestra.server.auth import require_scope
from palaestra.server.fast_requests import deadline_of
from palaestra.server.models import Int, RequestModel
from palaestra.server.problems import InvalidRequest
from palaestra.task import JudgeError
from palaestra.verifiers.sandbox import Limits, MissingTool, SandboxUnavailable, Verdict, sandbox
from palaestra.verifiers.sandbox.judging import Case, IoTest
from palaestra.verifiers.sandbox.outcomes import LEVELS
from palaestra.workers.pool import Late

Source = Annotated[str, Field(max_length=1 << 20)]
TESTS = 500

WORK_S = 300.0
"""How long a program may take for all of its tests together."""

OUTPUT_BYTES, REASON = 4 << 20, 1_000
"""Bytes of JSON that each of the outputs of a program may have in the answer, and characters of the
reason of a test.
"""

TRUNCATED = "the answer has only the start of what was written"
"""What is added to the reason where an output is longer than that."""

_level = -1


class LimitsRequest(RequestModel):
    """What a program may use."""

    cpu_s: float = Field(10.0, ge=0.05, le=30)
    wall_s: float | None = Field(None, ge=0.05, le=60)
    sleep_s: float | None = Field(None, ge=0.2, le=60)
    memory_mb: Int = Field(512, ge=16, le=4_096)
    output_kb: Int = Field(1_024, ge=1, le=16_384)
    processes: Int = Field(32, ge=1, le=64)
    compile_s: float = Field(10.0, ge=0.5, le=60)


class IoTestRequest(RequestModel):
    """An input, and the output that is wanted."""

    stdin: Source = ""
    stdout: Source
    weight: float = Field(1.0, gt=0, le=1e6)


class CallRequest(RequestModel):
    """What a function is called with, and the value that is wanted."""

    args: list[Any] = Field([], max_length=100)
    kwargs: dict[str, Any] = {}
    value: Any = None
    weight: float = Field(1.0, gt=0, le=1e6)


class CallsRequest(RequestModel):
    """Calls of one function."""

    entry: str = Field(max_length=200)
    cases: list[CallRequest] = Field(min_length=1, max_length=TESTS)


class ProgramRequest(RequestModel):
    """A program, and one thing to do with it: run it, or judge it by one kind of tests."""

    source: Source
    language: str = Field("python", max_length=40)
    stdin: Source | None = None
    outputs: list[IoTestRequest] | None = Field(None, min_length=1, max_length=TESTS)
    calls: CallsRequest | None = None
    suite: Source | None = None
    limits: LimitsRequest = LimitsRequest()
    minimum: Literal["landlock", "container", "namespaces"] = "landlock"

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        ways = [self.stdin, self.outputs, self.calls, self.suite]
        if sum(each is not None for each in ways) > 1:
            raise ValueError("say one of stdin, outputs, calls and suite")
        if self.language != "python" and (self.calls or self.suite):
            raise ValueError("only Python is judged by calls or suites")
        return self


async def run(program: ProgramRequest, request: Request) -> Response:
    """Run a program in the sandbox, or judge it by outputs, by calls or by a test suite."""
    require_scope(request.scope, "programs")
    judge = request.app.state.service.judge
    work = judge.in_sandbox(
        "palaestra.server.programs:done", program.model_dump(),
        wall_s=WORK_S, deadline=deadline_of(request.scope),
    )  # fmt: skip
    try:
        body: str = await work
    except Late:
        detail = f"the program took longer than {WORK_S:g} s for all of its tests; send fewer"
        raise InvalidRequest(detail, "/limits") from None
    return Response(body, media_type="application/json")


def done(program: dict[str, Any]) -> str:
    """What became of a program, as JSON; what worker processes are asked."""
    return json.encode(_done(ProgramRequest.model_validate(program))).decode()


def _done(program: ProgramRequest) -> dict[str, Any]:
    limits = Limits(**program.limits.model_dump())
    try:
        held = sandbox().at_least(program.minimum)
        if program.outputs is not None:
            io = [IoTest(t.stdin, t.stdout, t.weight) for t in program.outputs]
            verdict = held.judge_io(program.source, io, language=program.language, limits=limits)
        elif program.calls is not None:
            cases = [Case(c.args, c.value, c.weight, c.kwargs) for c in program.calls.cases]
            verdict = held.judge_calls(program.source, program.calls.entry, cases, limits=limits)
        elif program.suite is not None:
            verdict = held.judge_asserts(program.source, program.suite, limits=limits)
        else:
            return _ran(program, limits)
    except (MissingTool, SandboxUnavailable) as fault:
        raise JudgeError(str(fault)) from None
    except ValueError as error:
        raise InvalidRequest(str(error)) from None
    return _judged(verdict)


def _ran(program: ProgramRequest, limits: Limits) -> dict[str, Any]:
    outcome = sandbox().run(
        program.source, language=program.language, stdin=program.stdin or "", limits=limits
    )
    stdout, stderr = (shortened(readable(stream)) for stream in (outcome.stdout, outcome.stderr))
    reasons = [outcome.reason, TRUNCATED if stdout[1] or stderr[1] else ""]
    return {
        "status": outcome.status,
        "stdout": stdout[0],
        "stderr": stderr[0],
        "exit_code": outcome.exit_code,
        "cpu_s": outcome.cpu_s,
        "wall_s": outcome.wall_s,
        "memory_kb": outcome.memory_kb,
        "isolation": outcome.isolation,
        "reason": plain("; ".join(filter(None, reasons)))[:REASON],
    }


def readable(output: bytes) -> str:
    """An output as text; what is no UTF-8 is replaced."""
    return output.decode("utf-8", "replace")


def plain(text: str) -> str:
    """A text without halves of surrogate pairs, which no JSON in UTF-8 can hold."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def shortened(text: str, most: int = OUTPUT_BYTES) -> tuple[str, bool]:
    r"""As much of the start of a text as takes so many bytes in JSON, and whether that is not all.

    >>> shortened("ab\0\0", 10), shortened("abc", 10)
    (('ab\x00', True), ('abc', False))
    """
    if len(text) <= most and len(json.encode(text)) - 2 <= most:
        return text, False
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        fits = len(json.encode(text[:middle])) - 2 <= most
        low, high = (middle, high) if fits else (low, middle - 1)
    return text[:low], True


def _judged(verdict: Verdict) -> dict[str, Any]:
    tests = [
        {"status": t.status, "weight": t.weight, "cpu_s": t.cpu_s, "memory_kb": t.memory_kb,
         "reason": plain(t.reason)[:REASON]}
        for t in verdict.per_test
    ]  # fmt: skip
    return {
        "status": verdict.status,
        "fraction": verdict.fraction,
        "passed": verdict.passed,
        "tests": tests,
        "integrity": verdict.integrity,
        "isolation": verdict.isolation,
    }


def level() -> int:
    """How programs are held here, as a number; -1 where they are not run. Takes a moment once."""
    try:
        return LEVELS.index(sandbox().report()["isolation"])
    except SandboxUnavailable:
        return -1


def note(level: int) -> int:
    """Notes what :func:`level` gave in a worker process, where the programs run."""
    global _level  # noqa: PLW0603  there is one sandbox for a process
    _level = level
    return level


def known_level() -> str | None:
    """The same by name, where it has been found out."""
    return LEVELS[_level] if _level >= 0 else None
