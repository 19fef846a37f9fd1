"""Replies that are Python programs: reading them, running them in the sandbox, telling how it went.

A reply that cannot be a program at all is refused before anything runs. What is said of a program
names the test and the kind of failure, and never a value that was given or wanted.
"""

import ast
import builtins
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from textwrap import dedent
from typing import Any

from palaestra.syntax import parse
from palaestra.task import InvalidAnswer, JudgeError, Score
from palaestra.verifiers.sandbox import (
    Limits,
    MissingTool,
    SandboxUnavailable,
    Test,
    Verdict,
    sandbox,
)

CALLS = Limits(cpu_s=0.2, sleep_s=0.3, memory_mb=256, output_kb=256)
"""Limits of a function for all of its tests together: more than 17 times what the reference
programs use on a machine with little other work, so that a batch of which one in twenty hangs
costs about twice as much as one in which none does.
"""

PATIENCE = 1
"""The number of tests that may run out of time; the others then fail without being run."""

HALF = 0.5
"""The most that a program with a failed test may earn."""

FEW = 2
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
    "VIOLATION": "the program performs a forbidden operation",
}


def unfenced(reply: str) -> str:
    r"""The program in a reply: what stands in its one fenced block, or all of it.

    Raises :class:`InvalidAnswer` where several blocks are fenced, or one is not closed.

    >>> unfenced("Here:\n```python\ndef f():\n    return 1\n```")
    'def f():\n    return 1'
    >>> unfenced("  def f():\n      return 1\n")
    'def f():\n    return 1'
    """
    lines = reply.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    fences = [index for index, line in enumerate(lines) if line.lstrip().startswith("```")]
    if fences and not _is_python(lines):  # a docstring may hold fences of its own
        lines = lines[fences[0] + 1 : fences[-1]]
        if len(fences) < 2 or (len(fences) > 2 and not _is_python(lines)):
            raise InvalidAnswer("not one program, fenced or not fenced")
    text = "\n".join(lines)
    tag = _TAG.match(text)
    return _flush(text[tag.end() if tag else 0 :])


def _flush(text: str) -> str:
    """A program without the blanks around it and in front of all its lines."""
    return (dedent(text) if text[:1].isspace() else text).strip()


def _is_python(lines: Sequence[str]) -> bool:
    try:
        parsed(_flush("\n".join(lines)))
    except InvalidAnswer:
        return False
    return True


def parsed(source: str) -> ast.Module:
    """The syntax tree of a program. Raises :class:`InvalidAnswer` where it is no Python."""
    if not source:
        raise InvalidAnswer("no program", "no_answer")
    try:
        source.encode()
        return parse(source, REPLY)
    except SyntaxError as error:
        raise InvalidAnswer(
            f"not a Python program: a syntax error in line {error.lineno}"
        ) from None
    except (ValueError, RecursionError, MemoryError, OverflowError):
        raise InvalidAnswer("not a Python program") from None


def function(reply: str, entry: str) -> str:
    """The program in a reply, which defines a function of that name.

    Raises :class:`InvalidAnswer` where it does not.

    >>> function("f = lambda x: x", "f")
    'f = lambda x: x'
    """
    source = unfenced(reply)
    if entry not in source:
        raise InvalidAnswer(f"no function {entry} is defined")
    if entry not in set(_named(parsed(source))):
        raise InvalidAnswer(f"no function {entry} is defined")
    return source


def _named(tree: ast.Module) -> Iterator[str]:
    """The names of the functions and variables that a program defines, wherever it does."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.alias):
            yield node.asname or node.name


def class_with(reply: str, title: str, methods: Sequence[str]) -> str:
    r"""The program in a reply, which defines a class of that title with these methods.

    Raises :class:`InvalidAnswer` where it does not.

    >>> class_with("class A:\n    def f(self): ...", "A", ["f"])
    'class A:\n    def f(self): ...'
    """
    source = unfenced(reply)
    if not any(isinstance(n, ast.ClassDef) and n.name == title for n in ast.walk(parsed(source))):
        raise InvalidAnswer(f"no class {title} is defined")
    missing = next((name for name in methods if name not in source), None)
    if missing:
        raise InvalidAnswer(f"the class has no method {missing}")
    return source


def whole_program(reply: str) -> str:
    """The program in a reply, which reads its input in some way.

    Raises :class:`InvalidAnswer` where it does not.
    """
    source = unfenced(reply)
    if not any(word in source for word in ("input", "stdin", "read", "open")):
        raise InvalidAnswer("not a program that reads its input")
    parsed(source)
    return source


READING = {
    "c": ("scanf", "getchar", "getc", "gets", "getline", "getdelim", "read"),
    "javascript": ("stdin", "read"),
}
"""Words of which one stands in every program that reads its input."""


def foreign_program(reply: str, language: str) -> str:
    """The program in a reply, in C or JavaScript, which reads its input in some way.

    Raises :class:`InvalidAnswer` where it cannot be one.
    """
    source = unfenced(reply)
    if not source:
        raise InvalidAnswer("no program", "no_answer")
    if not any(word in source for word in READING[language]):
        raise InvalidAnswer("not a program that reads its input")
    if language == "c" and not all(word in source for word in ("main", "{", "}")):
        raise InvalidAnswer("not a C program: there is no function main")
    return source


def graded_calls(
    source: str, entry: str, cases: Sequence[Call], limits: Limits = CALLS, free: int = 0
) -> Score:
    """How well a function does on calls with hidden arguments.

    ``free`` is how many of them pass what was given with the task, as it stands.
    """
    wanted = [value for _, value in cases]
    constant = max(map(wanted.count, wanted))
    same_value = max(
        sum(args[n] == value for args, value in cases) for n in range(len(cases[0][0]))
    )
    tried = _called(source, entry, cases, limits)
    return _scored(tried, len(cases), max(constant, same_value, free))


def graded_io(
    source: str, tests: Sequence[tuple[str, str]], limits: Limits, language: str = "python"
) -> Score:
    """How well a program does on hidden inputs, each given to a fresh process.

    One that takes too long on the first, or is wrong on all of the first few, is not tried on the
    others.
    """
    wanted = [output for _, output in tests]

    def judged(some: Sequence[tuple[str, str]]) -> tuple[Test, ...]:
        if not some:
            return ()
        return _tried(
            lambda: sandbox().judge_io(
                source, some, language=language, limits=limits, patience=PATIENCE
            )
        )

    tried = judged(tests[:1])
    if tried[0].status != "TLE":
        tried += judged(tests[1:FEW])
    if any(test.status == "PASS" for test in tried):
        tried += judged(tests[FEW:])
    return _scored(tried, len(tests), max(map(wanted.count, wanted)))


def graded_scale(
    source: str, entry: str, small: Sequence[Call], large: Sequence[Callable[[], Call]],
    limits: Limits,
) -> Score:  # fmt: skip
    """How far up a function stays quick: a share of the large calls, in a process each.

    It earns nothing unless it is right on all small ones, and large ones are not made before.
    """
    tried = _called(source, entry, small, CALLS)
    parts = {"small": sum(test.status == "PASS" for test in tried) / len(small)}
    parts["progress"] = 0.0
    if parts["small"] < 1:
        return Score(0, f"{_reason(tried, len(small))} of small size", parts)
    for step, argument in enumerate(large):
        tried = _called(source, entry, [argument()], limits)
        parts["progress"] = parts["steps"] = (step + (tried[0].status == "PASS")) / len(large)
        if tried[0].status != "PASS":
            why = _reason(tried, 1).partition(" on test")[0]
            return Score(parts["steps"], f"{why} on step {step + 1} of {len(large)} in size", parts)
    return Score(1, "", parts)


def _called(source: str, entry: str, cases: Sequence[Call], limits: Limits) -> tuple[Test, ...]:
    return _tried(
        lambda: sandbox().judge_calls(source, entry, cases, limits=limits, patience=PATIENCE)
    )


def _tried(judge: Callable[[], Verdict]) -> tuple[Test, ...]:
    """How each test went. Raises :class:`JudgeError` where that is not to be had."""
    try:
        verdict = judge()
    except (SandboxUnavailable, MissingTool) as fault:
        raise JudgeError(f"no program can be run: {fault}") from None
    if verdict.fraction is None:
        raise JudgeError("the sandbox failed")
    return verdict.per_test


def _scored(tests: Sequence[Test], number: int, trivial: int) -> Score:
    """1 if all of a number of tests passed; at most a half, for what goes beyond those that a
    trivial program passes as well, if not.
    """
    passed = sum(test.status == "PASS" for test in tests)
    parts = {"progress": passed / number}
    if passed == number:
        return Score(1, "", parts)
    above = max(0, passed - trivial) / max(1, number - trivial)
    return Score(HALF * above, _reason(tests, number), parts)


def _reason(tests: Sequence[Test], number: int) -> str:
    """What went wrong first, in a sentence that tells no value."""
    index, test = next((n, t) for n, t in enumerate(tests, 1) if t.status != "PASS")
    text = _SAID[test.status]
    raised = _RAISED.match(test.reason)
    if test.status == "RE" and raised:
        known = isinstance(getattr(builtins, raised[1], None), type)
        text = f"the program raises {raised[1] if known else 'an exception of its own'}"
    return f"{text} on test {index} of {number}"
