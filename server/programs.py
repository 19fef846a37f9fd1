"""Programs over HTTP: run in the sandbox of this server, and judged by output, calls or suites."""

from typing import Annotated, Any, Literal, Self

from fastapi import Request
from pydantic import Field, model_validator

from palaestra.server.hot import deadline_of, unless_gone
from palaestra.server.keys import demand
from palaestra.server.models import Int, Model
from palaestra.server.problems import Invalid
from palaestra.task import Unscored
from palaestra.verifiers.sandbox import Limits, MissingTool, SandboxUnavailable, Verdict, sandbox
from palaestra.verifiers.sandbox.judging import Case, IoTest
from palaestra.verifiers.sandbox.outcomes import LEVELS

Source = Annotated[str, Field(max_length=1 << 20)]
TESTS = 500
_level = -1


class Bounds(Model):
    """What a program may use."""

    cpu_s: float = Field(10.0, ge=0.05, le=30)
    wall_s: float | None = Field(None, ge=0.05, le=60)
    memory_mb: Int = Field(512, ge=16, le=4_096)
    output_kb: Int = Field(1_024, ge=1, le=16_384)
    processes: Int = Field(32, ge=1, le=64)


class Output(Model):
    """An input, and the output that is wanted."""

    stdin: Source = ""
    stdout: Source
    weight: float = Field(1.0, gt=0, le=1e6)


class CallOf(Model):
    """What a function is called with, and the value that is wanted."""

    args: list[Any] = Field([], max_length=100)
    kwargs: dict[str, Any] = {}
    value: Any = None
    weight: float = Field(1.0, gt=0, le=1e6)


class Calls(Model):
    """Calls of one function."""

    entry: str = Field(max_length=200)
    cases: list[CallOf] = Field(min_length=1, max_length=TESTS)


class Program(Model):
    """A program, and one thing to do with it: run it, or judge it by one kind of tests."""

    source: Source
    language: str = Field("python", max_length=40)
    stdin: Source | None = None
    outputs: list[Output] | None = Field(None, min_length=1, max_length=TESTS)
    calls: Calls | None = None
    suite: Source | None = None
    limits: Bounds = Bounds()
    minimum: Literal["landlock", "container", "namespaces"] = "landlock"

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        told = [self.stdin, self.outputs, self.calls, self.suite]
        if sum(each is not None for each in told) > 1:
            raise ValueError("say one of stdin, outputs, calls and suite")
        if self.language != "python" and (self.calls or self.suite):
            raise ValueError("only Python is judged by calls or suites")
        return self


async def run(program: Program, request: Request) -> dict[str, Any]:
    """Run a program in the sandbox, or judge it by outputs, by calls or by a suite of tests."""
    demand(request.scope, "programs")
    judge = request.app.state.service.judge

    async def done() -> dict[str, Any]:
        async with judge.turn(deadline_of(request.scope)):
            told: dict[str, Any] = await judge.in_thread(_done, program)
        return told

    return await unless_gone(done(), request.receive)


def _done(program: Program) -> dict[str, Any]:
    limits = Limits(**program.limits.model_dump())
    try:
        held = sandbox().at_least(program.minimum)
        if program.outputs is not None:
            io = [IoTest(t.stdin, t.stdout, t.weight) for t in program.outputs]
            told = held.judge_io(program.source, io, language=program.language, limits=limits)
        elif program.calls is not None:
            cases = [Case(c.args, c.value, c.weight, c.kwargs) for c in program.calls.cases]
            told = held.judge_calls(program.source, program.calls.entry, cases, limits=limits)
        elif program.suite is not None:
            told = held.judge_asserts(program.source, program.suite, limits=limits)
        else:
            return _ran(program, limits)
    except (MissingTool, SandboxUnavailable) as fault:
        raise Unscored(str(fault)) from None
    except ValueError as flaw:
        raise Invalid(str(flaw)) from None
    return _judged(told)


def _ran(program: Program, limits: Limits) -> dict[str, Any]:
    outcome = sandbox().run(
        program.source, language=program.language, stdin=program.stdin or "", limits=limits
    )
    return {
        "status": outcome.status,
        "stdout": outcome.text,
        "stderr": outcome.stderr.decode("utf-8", "replace"),
        "exit_code": outcome.exit_code,
        "cpu_s": outcome.cpu_s,
        "wall_s": outcome.wall_s,
        "memory_kb": outcome.memory_kb,
        "isolation": outcome.isolation,
        "reason": outcome.reason,
    }


def _judged(verdict: Verdict) -> dict[str, Any]:
    tests = [
        {"status": t.status, "weight": t.weight, "cpu_s": t.cpu_s, "memory_kb": t.memory_kb,
         "reason": t.reason}
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
    global _level  # noqa: PLW0603  there is one sandbox in a process
    try:
        _level = LEVELS.index(sandbox().report()["isolation"])
    except SandboxUnavailable:
        _level = -1
    return _level


def known_level() -> str | None:
    """The same by name, where it has been found out."""
    return LEVELS[_level] if _level >= 0 else None
