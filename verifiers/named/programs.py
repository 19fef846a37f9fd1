"""Named verifiers of programs, which run in the sandbox: by their output, by calls, by a suite."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from textwrap import dedent
from typing import Annotated, Any, Literal

from pydantic import Field

from palaestra.task import InvalidAnswer, JudgeError, Score
from palaestra.verifiers.named.entries import JsonObject, Model, Options, named
from palaestra.verifiers.sandbox import (
    Limits,
    MissingTool,
    SandboxUnavailable,
    Test,
    Verdict,
    sandbox,
)
from palaestra.verifiers.sandbox.judging import Case, IoTest
from palaestra.verifiers.verifier import GoldError, Judge

SOURCE = 1 << 20
"""Characters of a program, of an input and of an output."""

TESTS = 500

Source = Annotated[str, Field(max_length=SOURCE)]
Weight = Annotated[float, Field(gt=0, le=1e6)]

SAID = {
    "WA": "the answer is wrong",
    "RE": "the program fails",
    "TLE": "the program takes too long",
    "MLE": "the program takes too much memory",
    "OLE": "the program writes too much",
    "CE": "the program cannot be compiled",
    "VIOLATION": "the program performs a forbidden operation",
}
"""What a reason says of a test, which names no value."""

_TAG = re.compile(r"[ \t]*[A-Za-z0-9+#]{0,20}[ \t]*")


def source_of(reply: str) -> str:
    r"""The program in a reply: the one fenced block in it, or all of it.

    Raises :class:`InvalidAnswer` for several blocks, and for one that is not closed.

    >>> source_of("Here:\n```python\nprint(1)\n```\nDone.")
    'print(1)'
    """
    lines = reply.replace("\r\n", "\n").split("\n")
    fences = [index for index, line in enumerate(lines) if line.lstrip().startswith("```")]
    if not fences:
        return dedent(reply).strip()
    tag = lines[fences[0]].lstrip()[3:]
    if len(fences) != 2 or not _TAG.fullmatch(tag):
        raise InvalidAnswer("not one program, fenced or not fenced")
    return dedent("\n".join(lines[fences[0] + 1 : fences[1]])).strip()


class LimitOptions(Model):
    """What a program may use, as in the sandbox."""

    cpu_s: Annotated[float, Field(ge=0.05, le=30)] = 10.0
    wall_s: Annotated[float, Field(ge=0.05, le=60)] | None = None
    sleep_s: Annotated[float, Field(ge=0.2, le=60)] | None = None
    memory_mb: Annotated[int, Field(ge=16, le=4_096)] = 512
    output_kb: Annotated[int, Field(ge=1, le=16_384)] = 1_024
    processes: Annotated[int, Field(ge=1, le=64)] = 32
    compile_s: Annotated[float, Field(ge=0.5, le=60)] = 10.0


class ProgramOptions(Options):
    """What a program may use, and whether some of the tests earn a part."""

    limits: LimitOptions = LimitOptions()
    partial: bool = False

    def allowed(self) -> Limits:
        """The limits of a run."""
        return Limits(**self.limits.model_dump())


@dataclass(frozen=True, slots=True)
class Program:
    """A verifier of the program in a reply; ``judge`` runs its source."""

    judge: Callable[[str], Verdict]
    partial: bool

    def __call__(self, reply: str) -> Score:
        try:
            source = source_of(reply)
        except InvalidAnswer as slip:
            return Score(0.0, str(slip), status=slip.status)
        if not source:
            return Score(0.0, "there is no program", status="no_answer")
        if len(source) > SOURCE:
            return Score(0.0, f"longer than {SOURCE} characters", status="limit")
        try:
            verdict = self.judge(source)
        except (SandboxUnavailable, MissingTool) as fault:
            raise JudgeError(f"no program can be run: {fault}") from None
        if verdict.fraction is None:
            raise JudgeError(f"the sandbox failed: {_failure(verdict)}")
        parts = {"progress": verdict.fraction}
        if verdict.fraction == 1:
            return Score(1.0, parts=parts)
        value = verdict.fraction if self.partial else 0.0
        return Score(value, _reason(verdict.per_test), parts)


def _failure(verdict: Verdict) -> str:
    """Why there is no verdict, such as a suite that asserts nothing."""
    tests = (test for test in verdict.per_test if test.status == "JUDGE_ERROR")
    return next((test.reason[:500] for test in tests if test.reason), "it gave no reason")


def _reason(tests: tuple[Test, ...]) -> str:
    number, test = next((n, t) for n, t in enumerate(tests, 1) if t.status != "PASS")
    return f"{SAID[test.status]} on test {number} of {len(tests)}"


class IoCase(Model):
    """An input, the output that is wanted, and how much they count."""

    stdin: Source = ""
    stdout: Source
    weight: Weight = 1.0


@named(
    "program_output",
    "a program, by what it prints for each input",
    Annotated[list[IoCase], Field(min_length=1, max_length=TESTS)],
    page="sandbox",
    runs="sandbox",
    example=([{"stdin": "1 2", "stdout": "3"}], "print(sum(map(int, input().split())))"),
)
class OutputOptions(ProgramOptions):
    """The language, what a program may use, and how outputs are compared."""

    language: Literal["python", "c", "c++", "javascript", "bash", "sql"] = "python"
    compare: Literal["tokens", "lines", "exact"] = "tokens"
    tolerance: Annotated[float, Field(ge=0, le=1e6)] = 0.0

    def build(self, gold: list[IoCase]) -> Judge:
        tests = tuple(IoTest(case.stdin, case.stdout, case.weight) for case in gold)
        limits = self.allowed()

        def judge(source: str) -> Verdict:
            return sandbox().judge_io(
                source, tests, language=self.language, limits=limits,
                compare=self.compare, tolerance=self.tolerance,
            )  # fmt: skip

        return Program(judge, self.partial)


class CallCase(Model):
    """Arguments, the value that is wanted, and how much it counts."""

    args: Annotated[list[Any], Field(max_length=100)] = []
    kwargs: JsonObject = {}
    value: Any
    weight: Weight = 1.0


class Calls(Model):
    """Calls of one function, or of one method as ``Class.method``."""

    entry: Annotated[str, Field(pattern=r"^[A-Za-z_]\w{0,99}(\.[A-Za-z_]\w{0,99})?$")]
    cases: Annotated[list[CallCase], Field(min_length=1, max_length=TESTS)]


@named(
    "program_calls",
    "a Python function, by the values it returns",
    Calls,
    page="sandbox",
    runs="sandbox",
    example=(
        {"entry": "double", "cases": [{"args": [4], "value": 8}]},
        "def double(x): return 2 * x",
    ),
)
class CallsOptions(ProgramOptions):
    """What a program may use, and how far numbers may be from those wanted."""

    tolerance: Annotated[float, Field(ge=0, le=1e6)] = 0.0

    def build(self, gold: Calls) -> Judge:
        cases = tuple(Case(case.args, case.value, case.weight, case.kwargs) for case in gold.cases)
        limits = self.allowed()

        def judge(source: str) -> Verdict:
            return sandbox().judge_calls(
                source, gold.entry, cases, limits=limits, tolerance=self.tolerance
            )

        return Program(judge, self.partial)


@named(
    "program_asserts",
    "a Python program, by a suite of tests",
    Source,
    page="sandbox",
    runs="sandbox",
    example=("assert add(1, 2) == 3", "def add(a, b): return a + b"),
)
class AssertsOptions(ProgramOptions):
    """What a program may use, and whether its own objects are believed."""

    trusting: bool = False

    def build(self, gold: str) -> Judge:
        if not gold.strip():
            raise GoldError("the suite has no tests")
        limits = self.allowed()

        def judge(source: str) -> Verdict:
            return sandbox().judge_asserts(source, gold, limits=limits, trusting=self.trusting)

        return Program(judge, self.partial)
