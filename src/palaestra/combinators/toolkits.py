"""The tools that a player may call before it answers: Python, a calculator, a search.

Each call stands alone: no tool keeps anything between two calls.
"""

import re
from typing import Annotated, Literal

from pydantic import Field

from palaestra.task import InvalidAnswer, JudgeError
from palaestra.toolbox import World, tool
from palaestra.verifiers.expressions import worked
from palaestra.verifiers.sandbox import Limits, MissingTool, Outcome, SandboxUnavailable, sandbox

LIMITS = Limits(cpu_s=5, wall_s=10, sleep_s=2, memory_mb=256, output_kb=8, processes=8)
"""What the code of a call may use."""

TOTAL_S = 20.0
"""How many seconds the calls of an episode may take together before further ones are refused.
Judging an episode has a limit of its own, and a player must not be able to exceed it.
"""

SEARCHABLE = 700
"""A question of so many characters has something to search."""

PASSAGES, PASSAGE = 10, 300
"""How many passages a search gives, and the length from which a line is split into sentences."""

_TRACEBACK = 1_500
"""How many characters of an error message are shown: its end, which names the error."""

_DECIMAL = re.compile(r"(?<![\d.])(\d{1,60})\.(\d{1,60})(?![\d.])", re.ASCII)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_WORD = re.compile(r"\w+")

_PROGRAM = """
import random, sys, traceback
random.seed(0)
try:
    exec(compile({code!r}, "<code>", "exec"), {{"__name__": "__main__"}})
except Exception as error:
    frames = traceback.extract_tb(error.__traceback__)
    lines = ["line " + str(frame.lineno) for frame in frames if frame.filename == "<code>"]
    sys.stderr.write(", in ".join(lines[:-6:-1]) + "\\n")
    sys.exit("".join(traceback.format_exception_only(error)))
"""
"""The program around the code. ``random`` starts at the same point in each call, and of a traceback
only the lines of the code are shown.
"""


class Toolkit(World):
    """The tools for a question."""

    def __init__(self, question: str) -> None:
        self.question = question


class PythonToolkit(Toolkit):
    """Python code, executed in the sandbox."""

    seconds = 0.0
    """How long the calls took so far."""

    @tool
    def python(self, code: Annotated[str, Field(max_length=10_000)]) -> str:
        """Run Python code and return what it prints. Only the standard library is available. Each
        call is a new process without a network: variables and files of earlier calls are gone.
        """
        if self.seconds >= TOTAL_S:
            raise InvalidAnswer(
                f"the calls have taken {TOTAL_S:g} seconds, which are all they have"
            )
        outcome = run(code)
        self.seconds += outcome.wall_s
        return printed(outcome)


class CalculatorToolkit(Toolkit):
    """Exact arithmetic."""

    @tool
    def calculator(self, expression: Annotated[str, Field(max_length=1_000)]) -> str:
        """Evaluate an expression exactly. It has numbers, brackets and the operators + - * / //
        mod ^.
        """
        return calculated(expression)


class SearchToolkit(Toolkit):
    """A search in the text of the question."""

    @tool
    def search(self, words: Annotated[str, Field(max_length=200)]) -> str:
        """Find the passages of the question's text that contain all of these words."""
        return matching_passages(self.question, words)


Name = Literal["python", "calculator", "search"]

TOOLKITS: dict[Name, type[Toolkit]] = {
    "python": PythonToolkit,
    "calculator": CalculatorToolkit,
    "search": SearchToolkit,
}


def run(code: str) -> Outcome:
    """How Python code runs in the sandbox, as a process of its own.

    Raises :class:`InvalidAnswer` for code that is no text, and :class:`JudgeError` where no code
    can be run.
    """
    try:
        code.encode()
        outcome = sandbox().run(_PROGRAM.format(code=code), limits=LIMITS)
    except UnicodeEncodeError:
        raise InvalidAnswer("the code has invalid characters") from None
    except (SandboxUnavailable, MissingTool) as fault:
        raise JudgeError(f"the tool python needs the sandbox: {fault}") from None
    if outcome.status == "JUDGE_ERROR":
        raise JudgeError(f"the sandbox failed: {outcome.reason}")
    return outcome


def printed(outcome: Outcome) -> str:
    """What code prints. Raises :class:`InvalidAnswer` where it fails or goes over a limit."""
    if outcome.status != "PASS":
        raise InvalidAnswer(_failure(outcome))
    return outcome.text.rstrip() or "(The code prints nothing.)"


def _failure(outcome: Outcome) -> str:
    """Why code has no result."""
    match outcome.status:
        case "TLE":
            return f"the code takes longer than {LIMITS.cpu_s:g} seconds"
        case "MLE":
            return f"the code takes more than {LIMITS.memory_mb} MB of memory"
        case "OLE":
            return f"the code prints more than {LIMITS.output_kb} kB"
        case "VIOLATION":
            return "the code makes a system call that is not allowed"
    errors = outcome.stderr.decode("utf-8", "replace").strip()[-_TRACEBACK:]
    printed = outcome.text.strip()[-_TRACEBACK:]
    return "\n".join(each for each in ("the code fails", printed, errors) if each)


def calculated(expression: str) -> str:
    """The exact value of an expression, with its decimal expansion where it is no integer.

    Raises :class:`InvalidAnswer` for what is none, for a division by zero and for giants.

    >>> calculated("2^10 - 24"), calculated("1/3 + 0.5")
    ('1000', '5/6 = 0.8333333333')
    """
    value = worked(
        _DECIMAL.sub(_fraction, expression), ("+", "-", "*", "/", "//", "mod", "^")
    ).value
    if value.denominator == 1:
        return str(value)
    try:
        return f"{value} = {float(value):.10g}"
    except OverflowError:
        return str(value)


def _fraction(decimal: re.Match[str]) -> str:
    return f"({decimal[1]}{decimal[2]}/1{'0' * len(decimal[2])})"


def matching_passages(text: str, words: str) -> str:
    r"""The passages of a text that contain all words, in their order.

    Raises :class:`InvalidAnswer` where there is no word, or no such passage.

    >>> matching_passages("Ada is in Rome.\nBen is in Oslo.", "rome")
    'Ada is in Rome.'
    """
    wanted = set(_WORD.findall(words.casefold()))
    if not wanted:
        raise InvalidAnswer("there is no word to search for")
    hits = [each for each in passages(text) if wanted <= set(_WORD.findall(each.casefold()))]
    if not hits:
        raise InvalidAnswer("no passage contains all of these words")
    more = len(hits) - PASSAGES
    return "\n".join(hits[:PASSAGES] + ([f"({more} more passages)"] if more > 0 else []))


def passages(text: str) -> list[str]:
    """The lines of a text, of which long ones are split into sentences."""
    return [
        passage.strip()
        for line in text.splitlines()
        for passage in (_SENTENCE_END.split(line) if len(line) > PASSAGE else [line])
        if passage.strip()
    ]
