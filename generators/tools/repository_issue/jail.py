"""Running the tests of a repository that a player has edited, in the sandbox.

The jail gets the files and one call at a time. What calls should give never enters it: results are
compared outside.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from palaestra.generators.tools.repository_issue.trials import Trial
from palaestra.syntax import parse
from palaestra.task import JudgeError
from palaestra.verifiers.sandbox import Limits, MissingTool, SandboxUnavailable, sandbox
from palaestra.verifiers.sandbox.comparing import same_value
from palaestra.verifiers.sandbox.judging import session
from palaestra.verifiers.sandbox.sessions import Ended, Raised, Session
from palaestra.verifiers.sandbox.slots import Job

LIMITS = Limits(cpu_s=1.0, sleep_s=0.3, memory_mb=256, output_kb=64)
"""What all tests of a run may use together; those of a right repository use a tenth of it."""

LONGEST = 160
"""How many characters of a result are shown."""

_HOST = """
import sys
from importlib.machinery import ModuleSpec


class Sources:
    @staticmethod
    def find_spec(name, path=None, target=None):
        package = any(other.startswith(name + ".") for other in SOURCES)
        known = name in SOURCES or package
        return ModuleSpec(name, Sources, is_package=package) if known else None

    @staticmethod
    def create_module(spec):
        return None

    @staticmethod
    def exec_module(module):
        code = compile(SOURCES.get(module.__name__, ""), module.__name__ + ".py", "exec")
        exec(code, vars(module))


def loaded(module):
    __import__(module)
    return sys.modules[module]


def call(module, function, form, arguments, package, item):
    if form == "basket":
        basket = loaded(package + ".basket").Basket(*arguments)
        return getattr(basket, function)()
    if form == "item":
        arguments = [getattr(loaded(package + "." + item), item.capitalize())(*arguments)]
    return getattr(loaded(module), function)(*arguments)


sys.meta_path.insert(0, Sources)
"""


def program(files: Mapping[str, str]) -> bytes:
    """One program that has all modules, with a function ``call`` that calls theirs."""
    sources = {
        path.removesuffix(".py").replace("/", "."): text
        for path, text in files.items()
        if path.endswith(".py") and not path.startswith("tests/")
    }
    return f"SOURCES = {sources!r}\n{_HOST}".encode("utf-8", "surrogatepass")


def not_python(files: Mapping[str, str]) -> str:
    """Which file is no Python, and why; nothing where all are."""
    for path, text in files.items():
        if path.endswith(".py"):
            try:
                parse(text)
            except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
                return f"{path} is no Python: {str(error)[:LONGEST]}"
    return ""


def outcomes(
    files: Mapping[str, str], trials: Sequence[Trial], package: str, item: str
) -> list[str]:
    """What is wrong with each call, in a few words; nothing where it gives what is wanted.

    Raises :class:`JudgeError` where no program can be run.
    """
    fault = not_python(files)
    if fault:
        return [fault] * len(trials)
    job = Job(program(files), "calls", limits=LIMITS)
    try:
        with sandbox().slot() as slot, session(slot, job) as opened:
            lines = [*_results(opened, trials, package, item)]
            ending = opened.close() if len(lines) < len(trials) else None
    except (SandboxUnavailable, MissingTool) as error:
        raise JudgeError(f"no program can be run: {error}") from None
    if ending is not None and ending.status == "JUDGE_ERROR":
        raise JudgeError("the sandbox failed")
    lost = "the program has ended" if ending is None or not ending.reason else ending.reason
    return lines + [lost] * (len(trials) - len(lines))


def _results(opened: Session, trials: Sequence[Trial], package: str, item: str) -> Iterator[str]:
    """What is wrong with each call, until the program is lost."""
    for trial in trials:
        wanted = json.loads(trial.wanted)
        try:
            value = opened.call("call", (*trial.call(), package, item), {})
        except Ended:
            return
        except Raised as error:
            yield f"it raises {str(error)[:LONGEST]}"
        except (ValueError, TypeError, RecursionError):
            yield "it gives no plain value"
        else:
            right = same_value(wanted, value)
            yield "" if right else f"it gives {_brief(value)}, not {_brief(wanted)}"


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 10]}..."
