"""Replies that are Python programs: reading them, running them in the sandbox, telling how it went.

A reply that cannot be a program at all is refused before anything runs. What is said of a program
names the test and the kind of failure, and never a value that was given or wanted.
"""

import ast
import builtins
import re
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from palaestra.task import Score, Unreadable, Unscored
from palaestra.verifiers.sandbox import (
    Limits,
    MissingTool,
    SandboxUnavailable,
    Test,
    Verdict,
    sandbox,
)

CALLS = Limits(cpu_s=1.0, memory_mb=256, output_kb=256)
"""What a function may use for all of its tests together."""

HALF = 0.5
"""The most that a program with a failed test may earn."""

FEW = 4
"""On so many inputs a program is tried first."""

Call = tuple[Sequence[Any], Any]
"""What a function is called with, and the value that is wanted."""

REPLY = "<reply>"
warnings.filterwarnings("ignore", category=Warning, module=re.escape(REPLY))
# What the parser thinks of a reply's style is nobody's business here.

_RAISED = re.compile(r"\['(\w{1,60})'")
_TAG = re.compile(r"\s*(?:python3?|py)[ \t]*\n", re.IGNORECASE)
_SAID = {
    "WA": "the answer is wrong",
    "RE": "the program fails",
    "TLE": "the program takes too long",
    "MLE": "the program takes too much memory",
    "OLE": "the program writes too much",
    "CE": "the program cannot be compiled",
    "VIOLATION": "the program does what no program may",
}


def unfenced(reply: str) -> str:
    r"""The program in a reply: what stands in its one fenced block, or all of it.

    Raises :class:`Unreadable` where several blocks are fenced, or one is not closed.

    >>> unfenced("Here:\n```python\ndef f():\n    return 1\n```")
    'def f():\n    return 1'
    >>> unfenced("  def f():\n      return 1\n")
    'def f():\n      return 1'
    """
    lines = reply.replace("\r\n", "\n").split("\n")
    fences = [place for place, line in enumerate(lines) if line.lstrip().startswith("```")]
    if fences:
        if len(fences) != 2:
            raise Unreadable("not one program, fenced or not fenced")
        lines = lines[fences[0] + 1 : fences[1]]
    text = "\n".join(lines)
    tag = _TAG.match(text)
    return text[tag.end() if tag else 0 :].strip()


def parsed(source: str) -> ast.Module:
    """The syntax tree of a program. Raises :class:`Unreadable` where it is no Python."""
    if not source:
        raise Unreadable("no program", "no_answer")
    try:
        source.encode()
        return ast.parse(source, REPLY)
    except SyntaxError as flaw:
        raise Unreadable(f"not a Python program: a syntax error in line {flaw.lineno}") from None
    except (ValueError, RecursionError, MemoryError, OverflowError):
        raise Unreadable("not a Python program") from None


def function(reply: str, entry: str) -> str:
    """The program in a reply, which defines a function of that name.

    Raises :class:`Unreadable` where it does not.

    >>> function("f = lambda x: x", "f")
    'f = lambda x: x'
    """
    source = unfenced(reply)
    if entry not in source:
        raise Unreadable(f"no function {entry} is defined")
    for node in parsed(source).body:
        named = [node] if isinstance(node, ast.FunctionDef) else getattr(node, "targets", [])
        if any(entry in {getattr(each, "name", ""), getattr(each, "id", "")} for each in named):
            return source
    raise Unreadable(f"no function {entry} is defined")


def whole_program(reply: str) -> str:
    """The program in a reply, which reads its input in some way.

    Raises :class:`Unreadable` where it does not.
    """
    source = unfenced(reply)
    if not any(word in source for word in ("input", "stdin", "read")):
        raise Unreadable("not a program that reads its input")
    parsed(source)
    return source


def graded_calls(source: str, entry: str, cases: Sequence[Call], limits: Limits = CALLS) -> Score:
    """How well a function does on calls with hidden arguments."""
    wanted = [value for _, value in cases]
    constant = max(map(wanted.count, wanted))
    given = max(sum(args[n] == value for args, value in cases) for n in range(len(cases[0][0])))
    tried = _tried(lambda: sandbox().judge_calls(source, entry, cases, limits=limits))
    return _scored(tried, len(cases), max(constant, given))


def graded_io(source: str, tests: Sequence[tuple[str, str]], limits: Limits) -> Score:
    """How well a program does on hidden inputs, each given to a fresh process.

    One that is wrong on all of the first few is not tried on the others.
    """
    wanted = [output for _, output in tests]
    tried = _tried(lambda: sandbox().judge_io(source, tests[:FEW], limits=limits))
    if len(tests) > FEW and any(test.status == "PASS" for test in tried):
        tried += _tried(lambda: sandbox().judge_io(source, tests[FEW:], limits=limits))
    return _scored(tried, len(tests), max(map(wanted.count, wanted)))


def _tried(judge: Callable[[], Verdict]) -> tuple[Test, ...]:
    """How each test went. Raises :class:`Unscored` where that is not to be had."""
    try:
        verdict = judge()
    except (SandboxUnavailable, MissingTool) as fault:
        raise Unscored(f"no program can be run: {fault}") from None
    if verdict.fraction is None:
        raise Unscored("the sandbox failed")
    return verdict.per_test


def _scored(tests: Sequence[Test], number: int, trivial: int) -> Score:
    """1 if all of a number of tests passed; at most a half, for what goes beyond those that a
    trivial program passes as well, if not.
    """
    passed = sum(test.status == "PASS" for test in tests)
    parts = {"passed": passed / number}
    if passed == number:
        return Score(1, "", parts)
    above = max(0, passed - trivial) / max(1, number - trivial)
    return Score(HALF * above, _reason(tests, number), parts)


def _reason(tests: Sequence[Test], number: int) -> str:
    """What went wrong first, in a sentence that tells no value."""
    place, test = next((n, t) for n, t in enumerate(tests, 1) if t.status != "PASS")
    told = _SAID[test.status]
    raised = _RAISED.match(test.reason)
    if test.status == "RE" and raised:
        known = isinstance(getattr(builtins, raised[1], None), type)
        told = f"the program raises {raised[1] if known else 'an exception of its own'}"
    return f"{told} on test {place} of {number}"
