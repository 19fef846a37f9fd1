"""open-instruct: its verifiers of code and its Python tool ask a URL to run programs.

A verifier's URL is ``--code_api_url``: ``test_program`` for tests that are assertions, and
``test_program_stdio`` for inputs with their outputs. ``execute`` is that of its Python tool.
https://github.com/allenai/open-instruct
"""

import json
from typing import Annotated, Any

from fastapi import FastAPI, Request
from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from palaestra.server.auth import require_scope
from palaestra.server.fast_requests import deadline_of
from palaestra.server.problems import InvalidRequest, refusals
from palaestra.server.programs import TESTS, WORK_S, Source, plain, readable, shortened
from palaestra.server.service import service_of
from palaestra.task import JudgeError
from palaestra.verifiers.sandbox import (
    Limits,
    MissingTool,
    Outcome,
    Sandbox,
    SandboxUnavailable,
    Verdict,
    sandbox,
)
from palaestra.verifiers.sandbox.judging import IoTest
from palaestra.workers.pool import Late

LONGEST_S = 60.0
"""The longest time that a test may be allowed, in seconds."""

MEMORY_MB = 1_024

NOT_RUN = -1.0
"""The time of a test that was not passed, as open-instruct writes it."""

Seconds = Annotated[float, Field(gt=0, le=LONGEST_S)]


class StdioTest(BaseModel):
    """An input, and the output that is wanted."""

    input: Source = ""
    output: Source


Assertions = TypeAdapter(Annotated[list[Source], Field(max_length=TESTS)])
StdioTests = TypeAdapter(Annotated[list[StdioTest], Field(max_length=TESTS)])


class TestRequest(BaseModel):
    """A program, and its tests: a list, or the same list as a text in JSON."""

    program: Source
    tests: list[Any] | Annotated[str, Field(max_length=8 << 20)]
    max_execution_time: Seconds = 1.0


class TestResponse(BaseModel):
    """1 or 0 for each test, and the seconds that each took; -1 for one that was not passed."""

    results: list[int]
    runtimes: list[float]


class CodeRequest(BaseModel):
    """What the Python tool of a model is called with."""

    code: Source
    timeout: Seconds = 5


class CodeResponse(BaseModel):
    """What a snippet printed, and what it wrote to standard error."""

    output: str
    error: str | None = None
    success: bool


async def test_program(body: TestRequest, request: Request) -> TestResponse:
    """Judge a Python program by assertions, one test each, as open-instruct does."""
    tests = _tests(body.tests, Assertions)
    done = await _away("asserted", request, body.program, tests, body.max_execution_time)
    return TestResponse.model_validate(done)


async def test_program_stdio(body: TestRequest, request: Request) -> TestResponse:
    """Judge a Python program by what it prints for inputs, as open-instruct does."""
    tests = [[test.input, test.output] for test in _tests(body.tests, StdioTests)]
    done = await _away("compared", request, body.program, tests, body.max_execution_time)
    return TestResponse.model_validate(done)


async def execute(body: CodeRequest, request: Request) -> CodeResponse:
    """Run a snippet of Python, as the tool of open-instruct does."""
    done = await _away("executed", request, body.code, body.timeout)
    return CodeResponse.model_validate(done)


def _tests(tests: list[Any] | str, wanted: TypeAdapter[list[Any]]) -> list[Any]:
    """The tests. Raises :class:`InvalidRequest` for what they are not; nothing is unpickled."""
    try:
        if isinstance(tests, str):
            tests = json.loads(tests)
        return wanted.validate_python(tests)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = "/".join(map(str, ("/tests", *first["loc"])))
        raise InvalidRequest(first["msg"], where) from None
    except (ValueError, RecursionError):
        raise InvalidRequest("tests are a list, or a list as a text in JSON", "/tests") from None


async def _away(work: str, request: Request, *arguments: Any) -> Any:
    """What some work with a program gives, done in a worker process.

    Raises :class:`InvalidRequest` where it takes too long.
    """
    require_scope(request.scope, "programs")
    judge = service_of(request).judge
    try:
        return await judge.in_sandbox(
            f"palaestra.server.compat.open_instruct:{work}", *arguments,
            wall_s=WORK_S, deadline=deadline_of(request.scope),
        )  # fmt: skip
    except Late:
        detail = f"the tests of the program took longer than {WORK_S:g} s together; send fewer"
        raise InvalidRequest(detail, "/tests") from None


# ------------------------------------------------------------------ in worker processes


def asserted(program: str, tests: list[str], longest_s: float) -> dict[str, Any]:
    """How a program does on assertions; worker processes are asked this."""
    box, limits = _box(), _limits(longest_s)
    return _rows(box.judge_asserts(program, test, limits=limits) for test in tests)


def compared(program: str, tests: list[list[str]], longest_s: float) -> dict[str, Any]:
    """How a program does on inputs with outputs."""
    box, limits = _box(), _limits(longest_s)
    return _rows(
        box.judge_io(program, [IoTest(stdin, stdout)], limits=limits) for stdin, stdout in tests
    )


def executed(code: str, longest_s: float) -> dict[str, Any]:
    """What a snippet prints."""
    outcome: Outcome = _box().run(code, limits=_limits(longest_s))
    if outcome.status == "JUDGE_ERROR":
        raise JudgeError(plain(outcome.reason))
    error = readable(outcome.stderr)
    if outcome.status not in {"PASS", "RE"}:
        error = f"{error}\n{plain(outcome.reason)}".strip()
    response = CodeResponse(
        output=shortened(readable(outcome.stdout))[0],
        error=shortened(error)[0] or None,
        success=outcome.status == "PASS",
    )
    return response.model_dump()


def _rows(verdicts: Any) -> dict[str, Any]:
    """Results and times.

    Raises :class:`InvalidRequest` for a test that is none, and :class:`JudgeError` without a jail.
    """
    results, runtimes = [], []
    for number, verdict in enumerate(verdicts):
        if verdict.fraction is None:
            reason = verdict.per_test[0].reason if verdict.per_test else "it has no assertion"
            fault = JudgeError if verdict.isolation == "none" else InvalidRequest
            raise fault(f"test {number} could not be made: {plain(reason)[:500]}")
        results.append(int(verdict.fraction == 1))
        runtimes.append(_time(verdict) if results[-1] else NOT_RUN)
    return {"results": results, "runtimes": runtimes}


def _time(verdict: Verdict) -> float:
    return sum(test.cpu_s for test in verdict.per_test)


def _box() -> Sandbox:
    try:
        return sandbox().at_least("landlock")
    except (MissingTool, SandboxUnavailable) as fault:
        raise JudgeError(str(fault)) from None


def _limits(longest_s: float) -> Limits:
    return Limits(cpu_s=max(longest_s, 0.05), sleep_s=max(longest_s, 0.2), memory_mb=MEMORY_MB)


def route(app: FastAPI) -> None:
    """Adds the routes of open-instruct."""
    for work in (test_program, test_program_stdio, execute):
        path = f"/compat/open_instruct/{work.__name__}"
        app.post(path, responses=refusals(), tags=["compatibility"])(work)
