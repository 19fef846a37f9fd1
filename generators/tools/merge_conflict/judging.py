"""Judging resolutions: hidden calls of all functions of the merged program, in the sandbox."""

from collections.abc import Sequence
from random import Random
from typing import Any

from palaestra.generators.tools.merge_conflict.changes import PROBE
from palaestra.generators.tools.merge_conflict.functions import Mapped, Program, value_of
from palaestra.generators.tools.merge_conflict.merging import BASE, OURS, SPLIT, THEIRS
from palaestra.syntax import parse
from palaestra.task import InvalidAnswer, JudgeError, Score
from palaestra.verifiers.sandbox import Limits, MissingTool, SandboxUnavailable, sandbox

LIMITS = Limits(cpu_s=0.5, sleep_s=0.3, memory_mb=256, output_kb=512)
"""What a program may use for all of its calls."""

ENTRY = "palaestra_call"
DISPATCHER = f"""

def {ENTRY}(name, *arguments):
    return globals()[name](*arguments)
"""

Case = tuple[list[Any], Any]
"""The name of a function with its arguments, and the value that is wanted."""


def program_of(reply: str) -> str:
    r"""The program in a reply, which may stand in one fenced block.

    Raises :class:`InvalidAnswer` for what is no Python, or still has markers of conflicts.

    >>> program_of("Merged:\n```python\nx = 1\n```")
    'x = 1\n'
    """
    lines = reply.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    fences = [number for number, line in enumerate(lines) if line.lstrip().startswith("```")]
    if fences and len(fences) != 2:
        raise InvalidAnswer("expected one program, in one fenced block or in none")
    lines = lines[fences[0] + 1 : fences[1]] if fences else lines
    if any(line.startswith((OURS, BASE, THEIRS)) or line == SPLIT for line in lines):
        raise InvalidAnswer("there are markers of conflicts in the program")
    text = "\n".join(lines).strip()
    if "def " not in text and "=" not in text:
        raise InvalidAnswer("no program", "no_answer" if not text else "malformed")
    try:
        text.encode()
        parse(text, "<reply>")
    except SyntaxError as error:
        raise InvalidAnswer(f"a syntax error in line {error.lineno}") from None
    except (ValueError, RecursionError, MemoryError, OverflowError):
        raise InvalidAnswer("not a Python program") from None
    return f"{text}\n"


def cases(program: Program, seed: int, number: int = 4) -> list[Case]:
    """Calls of all functions of a program: with all values of a range, with short lists and with
    nothing.
    """
    rng = Random(seed)
    calls: list[Case] = []
    for function in program:
        lists = [list(PROBE), rng.sample(PROBE, len(PROBE)), []]
        lists += [rng.choices(PROBE, k=rng.randint(3, 9)) for _ in range(number)]
        for values in lists:
            shift = rng.randint(1, 40)
            has_shift = isinstance(function, Mapped) and bool(function.shift)
            arguments = [function.name, values, *([shift] if has_shift else [])]
            calls.append((arguments, value_of(program, function.name, values, shift)))
    return calls


def judged_merge(source: str, calls: Sequence[Case]) -> Score:
    """1 if all calls give what is wanted, otherwise 0; ``progress`` is the share that does."""
    try:
        verdict = sandbox().judge_calls(
            source + DISPATCHER, ENTRY, calls, limits=LIMITS, patience=1
        )
    except (SandboxUnavailable, MissingTool) as fault:
        raise JudgeError(f"no program can be run: {fault}") from None
    if verdict.fraction is None:
        raise JudgeError("the sandbox failed")
    passed = sum(test.status == "PASS" for test in verdict.per_test)
    parts = {"progress": passed / len(calls)}
    if passed == len(calls):
        return Score(1, parts=parts)
    return Score(0, f"hidden tests that fail: {len(calls) - passed} of {len(calls)}", parts)
