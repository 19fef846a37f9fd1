"""Commands run one by one, each in a jail of its own, over the tree that the one before it left.

No jail is held between commands, so an episode that is abandoned leaves nothing behind.
"""

import json
from collections.abc import Mapping
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from palaestra.generators.tools.shell.trees import Entry, Tree
from palaestra.task import JudgeError
from palaestra.verifiers.sandbox import Limits, MissingTool, Outcome, SandboxUnavailable, sandbox

LIMITS = Limits(cpu_s=2.0, sleep_s=1.0, memory_mb=256, output_kb=4_096, file_mb=1)
"""Limits of one command."""

NO_PROCESS = 77
"""The exit code of a runner that could start no process."""

NOW = 1_735_732_800
"""The time in a world, 1 January 2025 at 12:00 UTC, at which commands write files."""

COMMANDS = ("gzip", "gunzip", "zcat", "sha256sum", "date")
"""Commands that a script stands in for: there is no such program, or it has another clock."""

HEAD, TAIL = 6_000, 1_500
"""How many bytes of an output are shown from its beginning and from its end."""

TOP = "/tmp/work"
"""The directory of the tree in its jail."""

REFUSED = {
    "TLE": "the command takes too long",
    "MLE": "the command takes too much memory",
    "VIOLATION": "the command makes a system call that is forbidden here",
}


class Snapshot:
    """A tree that does not change any more; equal ones are known by a digest."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.text = json.dumps(tree, sort_keys=True)
        self.digest = blake2b(self.text.encode(), digest_size=16).digest()

    def __hash__(self) -> int:
        return hash(self.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Snapshot) and self.digest == other.digest


class Result(NamedTuple):
    """What became of a command. A ``fault`` says why it was ended; then it has changed nothing."""

    output: str
    code: int
    directory: str
    snapshot: Snapshot
    fault: str = ""


@lru_cache(maxsize=1_024)
def executed(snapshot: Snapshot, directory: str, command: str) -> Result:
    """What a command does that bash runs in a directory of a tree; entries that it writes have the
    time :data:`NOW`.

    Equal commands on equal trees have one result for as long as it is remembered, whatever chance
    they make use of. Raises :class:`JudgeError` where no command can be run.
    """
    job = {
        "command": command,
        "directory": directory,
        "tree": snapshot.tree,
        "head": HEAD,
        "tail": TAIL,
        "tools": dict.fromkeys(COMMANDS, _text("commands.txt")),
    }
    outcome = _run(job)
    if outcome.status != "PASS":
        fault = REFUSED.get(outcome.status, "the command leaves too large a tree")
        return Result("", 1, directory, snapshot, fault)
    report = json.loads(outcome.text)
    after = {
        path: Entry(category, text, mode, NOW if seconds < 0 else seconds)
        for path, (category, text, mode, seconds) in sorted(report["tree"].items())
    }
    gap = f"\n[{report['cut']} bytes of the output are left out]\n" if report["cut"] else ""
    where = report["directory"].strip().rpartition("\n")[2]
    ending = where.removeprefix(f"{TOP}/")
    is_known = ending in after and after[ending].category == "directory"
    output = report["head"] + gap + report["tail"]
    left = snapshot if after == snapshot.tree else Snapshot(after)
    return Result(output, report["code"], ending if is_known else "", left)


def _run(job: Mapping[str, Any]) -> Outcome:
    try:
        text = json.dumps({**job, "shell": _shell()})
        outcome = sandbox().run(f"{_text('runner.py')}\nmain()\n", stdin=text, limits=LIMITS)
    except (SandboxUnavailable, MissingTool) as fault:
        raise JudgeError(f"no command can be run: {fault}") from None
    if outcome.status == "JUDGE_ERROR":
        raise JudgeError("the sandbox failed")
    if outcome.exit_code == NO_PROCESS:
        raise JudgeError("no command can be run: the sandbox lets programs start no process")
    return outcome


@cache
def _text(name: str) -> str:
    return Path(__file__).with_name(name).read_text("utf-8")


def _shell() -> str:
    """The path of the shell in a jail."""
    ready = sandbox().prepared("bash", "")
    if isinstance(ready, Outcome):
        raise JudgeError("the sandbox failed")
    return ready.args[0]
