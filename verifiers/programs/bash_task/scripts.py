"""Replies that are shell scripts, judged by what becomes of trees of files.

Each tree is laid out in a jail of its own, the script runs in it, and our own program
(:mod:`palaestra.verifiers.programs.bash_task.runner`) reports the state that it leaves when no
process of the script is alive. What is wanted never enters a jail.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal

from palaestra.task import InvalidAnswer, JudgeError, Score
from palaestra.verifiers.programs.bash_task.runner import NO_PROCESS
from palaestra.verifiers.programs.judging import HALF, unfenced
from palaestra.verifiers.sandbox import Limits, MissingTool, Outcome, SandboxUnavailable, sandbox

Kind = Literal["file", "directory", "link", "other"]

State = Mapping[str, tuple[Kind, str]]
"""The entry at each path: a file with its text, a directory, a link with its target."""

Files = tuple[tuple[str, str], ...]
"""The paths of files and their texts, in the order of the paths."""

LIMITS = Limits(cpu_s=1.0, sleep_s=1.0, memory_mb=256, output_kb=1_024, file_mb=1)
"""Limits of a script on one tree."""

_DOES = re.compile(
    r"(?:^|[\s;|&({`$])(?:mv|cp|rm|rmdir|mkdir|ln|touch|tee|install|truncate|split|csplit|dd|find"
    r"|sed|sort|awk|mawk|perl|python3|xargs|rename|shred|unlink|link|tar|rsync)\s|>"
)
"""A command that may change files, or output that goes to one."""

_SAID = {
    "TLE": "the script takes too long",
    "MLE": "the script takes too much memory",
    "OLE": "the script leaves too much behind",
}


def script_of(reply: str) -> str:
    r"""The script in a reply.

    Raises :class:`InvalidAnswer` for what has no command that changes files.

    >>> script_of("```bash\nrm *.log\n```")
    'rm *.log\n'
    """
    source = unfenced(reply)
    if not source:
        raise InvalidAnswer("no script", "no_answer")
    if not _DOES.search(source):
        raise InvalidAnswer("no script that changes any file")
    try:
        source.encode()
    except UnicodeEncodeError:
        raise InvalidAnswer("a script with invalid characters") from None
    if "\0" in source:
        raise InvalidAnswer("a script with a zero byte")
    return f"{source}\n"


def graded_script(
    script: str, trees: Sequence[tuple[Files, State]], limits: Limits = LIMITS
) -> Score:
    """How well a script does on hidden trees, given as they are and as they are wanted.

    What is not right on all of them earns at most a half: the share of the way that it has gone on
    the tree where it went least, from the tree untouched or emptied, whichever is nearer.
    """
    least, violation = 1.0, ""
    for number, (files, wanted) in enumerate(trees, 1):
        outcome = ran(script, files, limits)
        state, why = left_behind(outcome)
        if state is None:
            return Score(0, f"{why} on hidden tree {number}", {"progress": 0.0})
        if state != wanted:
            gone = progress(files, wanted, state)
            violation = violation or f"on hidden tree {number}, {difference(wanted, state)}"
            least = min(least, gone)
        if least == 0:
            break
    return (
        Score(HALF * least, violation, {"progress": least})
        if violation
        else Score(1, "", {"progress": 1})
    )


def ran(script: str, files: Files, limits: Limits = LIMITS) -> Outcome:
    """How a script ran on a tree. Raises :class:`JudgeError` where none can be run."""
    try:
        job = {"script": script, "shell": _shell(), "tree": json.dumps(dict(files))}
        outcome = sandbox().run(f"{_program()}\nmain({job!r})\n", limits=limits)
    except (SandboxUnavailable, MissingTool) as fault:
        raise JudgeError(f"no script can be run: {fault}") from None
    if outcome.status == "JUDGE_ERROR":
        raise JudgeError("the sandbox failed")
    if outcome.exit_code == NO_PROCESS:
        raise JudgeError("no script can be run: the sandbox lets programs start no process")
    return outcome


@cache
def _program() -> str:
    return Path(__file__).with_name("runner.py").read_text("utf-8")


def _shell() -> str:
    """Where the shell is in a jail."""
    ready = sandbox().prepared("bash", "")
    if isinstance(ready, Outcome):
        raise JudgeError("the sandbox failed")
    return ready.args[0]


def left_behind(outcome: Outcome) -> tuple[State | None, str]:
    """The tree that a script has left, or why there is none that could be told."""
    if outcome.status != "PASS":
        return None, _SAID.get(outcome.status, "the script leaves a tree that cannot be read")
    tree = json.loads(outcome.text)["tree"]
    return {path: (entry, text) for path, (entry, text) in tree.items()}, ""


def progress(files: Files, wanted: State, state: State) -> float:
    """How far a tree has come towards the one that is wanted, from 0 to 1, by its files alone."""
    goal, now = _things(wanted), _things(state)
    untouched = {path: ("file", text) for path, text in files}
    start = min(_distance(untouched, goal), _distance({}, goal))
    return max(0.0, 1 - _distance(now, goal) / start) if start else 0.0


def _things(state: State) -> Mapping[str, tuple[str, str]]:
    return {path: thing for path, thing in state.items() if thing[0] != "directory"}


def _distance(one: Mapping[str, tuple[str, str]], other: Mapping[str, tuple[str, str]]) -> int:
    return sum(one.get(path) != other.get(path) for path in one.keys() | other.keys())


def difference(wanted: State, state: State) -> str:
    """In what two trees differ, in numbers."""
    missing = len(wanted.keys() - state.keys())
    surplus = len(state.keys() - wanted.keys())
    other = sum(wanted[path] != state[path] for path in wanted.keys() & state.keys())
    differences = (
        (missing, "missing"),
        (surplus, "there and should not be"),
        (other, "not what it should be"),
    )
    counts = [
        f"{number} {'path is' if number == 1 else 'paths are'} {what}"
        for number, what in differences
        if number
    ]
    return " and ".join(counts)
