"""What each language needs to run in a jail: its tools, how it is compiled, how it is started."""

import hashlib
import json
import os
import shutil
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from threading import Lock
from typing import Literal

from palaestra.verifiers.sandbox.outcomes import DEFAULT, Limits, Outcome, Status
from palaestra.verifiers.sandbox.slots import Job, jail_module

Language = Literal["python", "c", "c++", "javascript", "bash", "sql"]

PATH = "/usr/local/bin:/usr/bin:/bin"
"""Where tools are looked for; what stands elsewhere is not shown to programs."""

COMPILING = Limits(memory_mb=2_048, output_kb=65_536, file_mb=64, processes=64)
"""What a compiler may use but for its time. The artefact comes back on its standard output."""

LARGEST_FILE = 40_000
"""How many bytes, in JSON, a program has that is laid into a jail as a file."""

ARTEFACT_BYTES = 64 << 20
"""How much compiled code is kept, the least recently used going first."""

ELF = b"\x7fELF"

_SQL = r"""
import sqlite3, sys
database = sqlite3.connect(":memory:", isolation_level=None)
statement = ""
for piece in sys.stdin.read().split(";"):
    statement += piece + ";"
    if statement.strip(" \n\t;") and sqlite3.complete_statement(statement):
        for row in database.execute(statement):
            print(*("NULL" if value is None else value for value in row), sep="|")
        statement = ""
"""

Runner = Callable[[Job], Outcome]
"""Runs a job in some jail."""

Finder = Callable[[str], str]
"""Finds the tool of a language where programs run, or raises :class:`MissingTool`."""


class MissingTool(RuntimeError):
    """A language whose compiler or interpreter is not on this machine; it says what to install."""


@dataclass(frozen=True, slots=True)
class Toolchain:
    """How programs of a language are run."""

    tools: tuple[str, ...] = ()
    """The first of these that is found is used."""

    package: str = ""
    suffix: str = ""
    flags: tuple[str, ...] = ()
    compiled: bool = False
    by_data: bool = False


TOOLCHAINS: Mapping[str, Toolchain] = {
    "python": Toolchain(suffix=".py"),
    "sql": Toolchain(suffix=".sql"),
    "c": Toolchain(("gcc", "cc", "clang"), "gcc", ".c", ("-O2", "-std=c17", "-lm"), compiled=True),
    "c++": Toolchain(
        ("g++", "c++", "clang++"), "g++", ".cpp", ("-O2", "-std=c++20"), compiled=True
    ),
    "javascript": Toolchain(("node", "nodejs"), "nodejs", ".js", by_data=True),
    "bash": Toolchain(("bash",), "bash", ".sh"),
}
WITHIN = ("python", "sql")
"""Languages that run in the jail's own interpreter, and start no other."""

ALIASES = {"py": "python", "python3": "python", "cpp": "c++", "js": "javascript", "node":
           "javascript", "sh": "bash", "shell": "bash", "sqlite": "sql"}  # fmt: skip


def known(language: str) -> str:
    """The name of a language. Raises ``ValueError`` for one that there is not."""
    name = ALIASES.get(language.lower(), language.lower())
    if name not in TOOLCHAINS:
        raise ValueError(f"a language is {', '.join(TOOLCHAINS)}, not {language[:40]!r}")
    return name


def by_suffix(suffix: str) -> str:
    """The language of a file. Raises ``ValueError`` for a suffix of none."""
    for language, chain in TOOLCHAINS.items():
        if chain.suffix == suffix:
            return language
    raise ValueError(f"no language has files that end in {suffix[:20]!r}; name one")


@cache
def tool(language: str) -> str:
    """The compiler or the interpreter of a language, by its real path.

    Raises :class:`MissingTool` where there is none.
    """
    chain = TOOLCHAINS[language]
    for name in chain.tools:
        if path := shutil.which(name, path=PATH):
            return os.path.realpath(path) if not chain.compiled else path
    raise MissingTool(f"{language} needs {chain.tools[0]}; install the package {chain.package}")


def available(find: Finder = tool) -> dict[str, str]:
    """The languages that can be run here, and the tools of each."""
    versions = {"python": "", "sql": ""}
    for language, chain in TOOLCHAINS.items():
        if chain.tools:
            try:
                versions[language] = find(language)
            except MissingTool:
                continue
    return versions


class Artefacts:
    """Compiled programs, or what the compiler said of them, by language and source. Safe in
    threads.
    """

    def __init__(self) -> None:
        self.kept: OrderedDict[str, bytes] = OrderedDict()
        self.size = 0
        self.lock = Lock()

    def get(self, key: str) -> bytes | None:
        """A compiled program, where it is known."""
        with self.lock:
            if key in self.kept:
                self.kept.move_to_end(key)
            return self.kept.get(key)

    def put(self, key: str, binary: bytes) -> None:
        """Keeps a compiled program, and lets older ones go."""
        with self.lock:
            if key not in self.kept:
                self.kept[key] = binary
                self.size += len(binary)
            while self.size > ARTEFACT_BYTES and len(self.kept) > 1:
                _, old = self.kept.popitem(last=False)
                self.size -= len(old)


ARTEFACTS = Artefacts()


def encoded(text: str) -> bytes:
    """Text in UTF-8, lone surrogates included, which are as good as any other mistake."""
    return jail_module("packing").encoded(text)  # type: ignore[no-any-return]


def prepared(  # noqa: PLR0913, PLR0917
    language: str, source: str, run: Runner, find: Finder = tool, host: str = "",
    limits: Limits = DEFAULT,
) -> Job | Outcome:  # fmt: skip
    """A job for a program, compiled if need be; the compiler's outcome where that fails.

    ``host`` tells places apart whose artefacts cannot be exchanged. A compiler that a limit has
    ended is told as that limit, and is tried again the next time.
    """
    chain = TOOLCHAINS[language]
    code = encoded(source)
    if language == "python":
        return Job(code)
    if language == "sql":
        return Job(_SQL.encode())
    if len(json.dumps(source)) > LARGEST_FILE:  # the program's doing, so no failure of ours
        return Outcome("CE", reason=f"{language} of more than {LARGEST_FILE} bytes")
    if not chain.compiled:
        name = f"main{chain.suffix}"
        return Job(b"", "exec", args=(find(language), name), files={name: source},
                   by_data=chain.by_data)  # fmt: skip
    key = hashlib.blake2b(
        f"{host} {language} {find(language)} {chain.flags}\0".encode() + code
    ).hexdigest()
    artefact = ARTEFACTS.get(key)
    if artefact is None:
        outcome = run(compiling(chain, find(language), source, limits))
        if outcome.status == "JUDGE_ERROR":
            return outcome
        if (stopped := stopped_by(outcome)) is not None:
            return stopped
        artefact = outcome.stdout
        if outcome.exit_code or not artefact.startswith(ELF):
            artefact = outcome.stderr[:2_000]
        ARTEFACTS.put(key, artefact)
    if not artefact.startswith(ELF):
        output = artefact.decode("utf-8", "replace")
        return Outcome("CE", stderr=artefact, reason=f"it does not compile: {output}")
    return Job(artefact, "binary")


STOPPED: Mapping[bytes, Status] = {
    b"CPU time limit exceeded": "TLE",
    b"Killed signal terminated": "MLE",
    b"virtual memory exhausted": "MLE",
    b"out of memory": "MLE",
}
"""What compilers say when a part of them was ended by a limit, or had no memory."""


def stopped_by(outcome: Outcome) -> Outcome | None:
    """How a compiler was stopped by a limit, which is no matter of the program's text alone."""
    if outcome.status not in {"PASS", "RE"}:
        return replace(outcome, stdout=b"", reason=f"compiling takes {outcome.reason}")
    for words, status in STOPPED.items():
        if outcome.exit_code and words in outcome.stderr:
            return replace(outcome, status=status, stdout=b"", reason="compiling takes too much")
    return None


def compiling(chain: Toolchain, compiler: str, source: str, limits: Limits = DEFAULT) -> Job:
    """A job that compiles, and whose output is the artefact."""
    name = f"main{chain.suffix}"
    libraries = [flag for flag in chain.flags if flag.startswith("-l")]
    flags = [flag for flag in chain.flags if flag not in libraries]
    command = " ".join([compiler, *flags, "-o", "program", name, *libraries])
    script = f"{command} 1>&2 && cat program"
    return Job(
        b"", "exec", args=("/bin/sh", "-c", script), files={name: source},
        limits=replace(COMPILING, cpu_s=limits.compile_s), by_data=True,
    )  # fmt: skip


def with_input(job: Job, language: str, source: str, stdin: bytes, args: Sequence[str]) -> Job:
    """A prepared job with its input and arguments."""
    if language == "sql":
        return replace(job, stdin=encoded(source))
    arguments = (*job.args, *args) if job.mode == "exec" else tuple(args)
    return replace(job, stdin=stdin, args=arguments)
