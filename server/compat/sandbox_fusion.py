"""SandboxFusion: trainers that run programs at a URL run them in the sandbox of this server.

The fields are those of its ``POST /run_code``. Whatever is not the program's doing, such as a
language that is not there, has the status ``SandboxError``, which its clients never take for a
failed test. https://bytedance.github.io/SandboxFusion/docs/api/run-code-run-code-post
"""

from base64 import b64decode
from collections.abc import Mapping
from time import perf_counter
from typing import Annotated, Any, Literal

from fastapi import FastAPI, Request
from pydantic import BaseModel, Field

from palaestra.server.auth import require_scope
from palaestra.server.fast_requests import deadline_of
from palaestra.server.models import WHOLE
from palaestra.server.problems import refusals
from palaestra.server.programs import TRUNCATED, WORK_S, Source, plain, readable, shortened
from palaestra.server.service import service_of
from palaestra.verifiers.sandbox import (
    Limits,
    MissingTool,
    Outcome,
    Sandbox,
    SandboxUnavailable,
    sandbox,
)
from palaestra.verifiers.sandbox.languages import TOOLCHAINS
from palaestra.workers.pool import Late

LONGEST_S = 60.0
"""The longest time that a request may ask for, in seconds, for compiling and for running each."""

MEMORY_MB = 1_024
"""What a program has where the request names no limit, as for veRL."""

LANGUAGES = {
    "python": "python",
    "c": "c",
    "cpp": "c++",
    "nodejs": "javascript",
    "bash": "bash",
    "sql": "sql",
}
"""Languages by SandboxFusion's names, and ``c``."""

Seconds = Annotated[float, Field(gt=0, le=LONGEST_S)]
Path = Annotated[str, Field(max_length=200)]
Status = Literal["Success", "Failed", "SandboxError"]


class RunCodeRequest(BaseModel):
    """A program, and what to run it with. Fields that are not known are ignored."""

    code: Source
    language: str = Field(max_length=40)
    stdin: Source | None = None
    compile_timeout: Seconds = 10
    run_timeout: Seconds = 10
    memory_limit_MB: Annotated[int, Field(ge=-1, le=4_096), WHOLE] = -1  # noqa: N815
    files: dict[Path, Source | None] = Field({}, max_length=200)
    fetch_files: list[Path] = Field([], max_length=200)


class CommandRunResult(BaseModel):
    """How the compiler or the program ended. A program that a limit ended has a signal's code."""

    status: Literal["Finished", "Error", "TimeLimitExceeded"]
    execution_time: float | None = None
    return_code: int | None = None
    stdout: str | None = None
    stderr: str | None = None


class RunCodeResponse(BaseModel):
    """What became of a program."""

    status: Status
    message: str = ""
    compile_result: CommandRunResult | None = None
    run_result: CommandRunResult | None = None
    executor_pod_name: str | None = None
    files: dict[str, str] = {}


async def run_code(body: RunCodeRequest, request: Request) -> RunCodeResponse:
    """Run a program in the sandbox, as SandboxFusion does."""
    require_scope(request.scope, "programs")
    try:
        done: dict[str, Any] = await service_of(request).judge.in_sandbox(
            "palaestra.server.compat.sandbox_fusion:done", body.model_dump(),
            wall_s=WORK_S, deadline=deadline_of(request.scope),
        )  # fmt: skip
    except Late:
        return _failed(f"compiling and running took longer than {WORK_S:g} s")
    return RunCodeResponse.model_validate(done)


def _failed(message: str) -> RunCodeResponse:
    return RunCodeResponse(status="SandboxError", message=plain(message)[:1_000])


# ------------------------------------------------------------------ in worker processes


def done(body: dict[str, Any]) -> dict[str, Any]:
    """What became of a program, in plain values; worker processes are asked this."""
    wish = RunCodeRequest.model_validate(body)
    try:
        return _done(wish, sandbox().at_least("landlock")).model_dump()
    except (MissingTool, SandboxUnavailable, ValueError) as fault:
        return _failed(str(fault)).model_dump()


def _done(wish: RunCodeRequest, box: Sandbox) -> RunCodeResponse:
    """Compiles and runs a program.

    Raises ``ValueError``, ``MissingTool`` or ``SandboxUnavailable`` for what cannot be run here.
    """
    language = _language(wish.language, box)
    if wish.fetch_files:
        raise ValueError("'fetch_files' has to be empty: this sandbox keeps no files of a program")
    limits, files = _limits(wish), _files(wish.files)
    start = perf_counter()
    ready = box.prepared(language, wish.code, limits)
    compiling_s = perf_counter() - start
    if isinstance(ready, Outcome):
        return _not_compiled(ready, compiling_s)
    outcome = box.run(
        wish.code, language=language, stdin=wish.stdin or "", files=files, limits=limits
    )
    compiled = None
    if TOOLCHAINS[language].compiled:
        compiled = CommandRunResult(
            status="Finished", execution_time=compiling_s, return_code=0, stdout="", stderr=""
        )
    return _ran(outcome, compiled)


def _language(name: str, box: Sandbox) -> str:
    """The language by our name. Raises ``ValueError`` for one that cannot be run here."""
    there = box.languages()
    if name in LANGUAGES and LANGUAGES[name] in there:
        return LANGUAGES[name]
    names = ", ".join(name for name, ours in LANGUAGES.items() if ours in there)
    raise ValueError(f"no language {name!r} here; there are {names}")


def _limits(wish: RunCodeRequest) -> Limits:
    """Its timeouts are on the clock; here they are of a processor, and of sleep, so that a program
    is not failed because others run beside it.
    """
    megabytes = wish.memory_limit_MB
    return Limits(
        cpu_s=max(wish.run_timeout, 0.05),
        sleep_s=max(wish.run_timeout, 0.2),
        compile_s=max(wish.compile_timeout, 0.5),
        memory_mb=max(megabytes, 16) if megabytes > 0 else MEMORY_MB,
    )


def _files(encoded: Mapping[str, str | None]) -> dict[str, str]:
    """The contents of files. Raises ``ValueError`` for one that is no text in base64."""
    contents = {}
    for name, content in encoded.items():
        if content is not None:
            try:
                contents[name] = b64decode(content, validate=True).decode()
            except ValueError:
                raise ValueError(f"the file {name[:60]!r} is not base64 of text in UTF-8") from None
    return contents


def _not_compiled(outcome: Outcome, compiling_s: float) -> RunCodeResponse:
    if outcome.status == "JUDGE_ERROR":
        return _failed(outcome.reason)
    result = CommandRunResult(
        status="TimeLimitExceeded" if outcome.status == "TLE" else "Finished",
        execution_time=compiling_s,
        return_code=None if outcome.status == "TLE" else outcome.exit_code or 1,
        stdout="",
        stderr=_text(outcome.stderr) or plain(outcome.reason),
    )
    return RunCodeResponse(status="Failed", compile_result=result)


SIGKILL = -9
"""The return code of a program that a limit ended, where it had no other."""


def _ran(outcome: Outcome, compiled: CommandRunResult | None) -> RunCodeResponse:
    if outcome.status == "JUDGE_ERROR":
        return _failed(outcome.reason)
    late = outcome.status == "TLE"
    code = outcome.exit_code if outcome.status in {"PASS", "RE"} else outcome.exit_code or SIGKILL
    stdout, stderr = (shortened(readable(stream)) for stream in (outcome.stdout, outcome.stderr))
    notes = [] if outcome.status == "PASS" else [plain(outcome.reason)]
    notes += [TRUNCATED] if stdout[1] or stderr[1] else []
    result = CommandRunResult(
        status="TimeLimitExceeded" if late else "Finished",
        execution_time=outcome.wall_s,
        return_code=None if late else code,
        stdout=stdout[0],
        stderr=stderr[0],
    )
    return RunCodeResponse(
        status="Success" if outcome.status == "PASS" else "Failed",
        message="; ".join(filter(None, notes))[:1_000],
        compile_result=compiled,
        run_result=result,
    )


def _text(stream: bytes) -> str:
    return shortened(readable(stream))[0]


def route(app: FastAPI) -> None:
    """Adds the route of SandboxFusion, where its clients look for it."""
    app.post("/run_code", responses=refusals(), tags=["compatibility"])(run_code)
