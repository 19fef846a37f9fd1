"""Repositories of modules that a player has edited: called in a jail, compared outside.

The modules are laid into one program, which imports them from its own text, so that nothing that a
player does to the tests, or to the way in which modules are found, counts for anything.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from palaestra.task import InvalidAnswer, Score
from palaestra.verifiers.programs.judging import Call, graded_calls, parsed
from palaestra.verifiers.sandbox import Limits
from palaestra.verifiers.sandbox.callees import Fault, Lost, called
from palaestra.verifiers.sandbox.comparing import same_value

_HOST = """
import sys
from importlib.machinery import ModuleSpec


class Sources:
    @staticmethod
    def find_spec(name, path=None, target=None):
        return ModuleSpec(name, Sources) if name in SOURCES else None

    @staticmethod
    def create_module(spec):
        return None

    @staticmethod
    def exec_module(module):
        code = compile(SOURCES[module.__name__], module.__name__ + ".py", "exec")
        exec(code, vars(module))


def call(module, function, args):
    return getattr(__import__(module), function)(*args)


sys.meta_path.insert(0, Sources)
"""
LIMITS = Limits(cpu_s=0.5, sleep_s=0.3, memory_mb=256, output_kb=256)
"""What the modules may use for all tests together; right ones use a tenth of it."""

_PLACE = re.compile(r"0x[0-9a-f]+")


def program(files: Mapping[str, str]) -> str:
    """One program that has all modules, with a function ``call`` that calls theirs."""
    sources = {name.removesuffix(".py"): text for name, text in files.items()}
    return f"SOURCES = {sources!r}\n{_HOST}"


def check(files: Mapping[str, str]) -> None:
    """Raises :class:`InvalidAnswer` where a module is no Python."""
    for name, text in files.items():
        try:
            parsed(text)
        except InvalidAnswer as error:
            raise InvalidAnswer(f"{name}: {error}") from None


def outcomes(files: Mapping[str, str], calls: Sequence[Call]) -> list[str]:
    """What is wrong with each call, in a few words; nothing where it gives what is wanted.

    Raises :class:`InvalidAnswer` where a module is no Python.
    """
    check(files)
    lines: list[str] = []
    with called(program(files), LIMITS) as callee:
        for args, wanted in calls:
            try:
                value = callee("call", *args)
            except Fault as fault:
                message = _PLACE.sub("0x", str(fault)[:120])
                lines.append(f"it raises {fault.class_name[:60]}: {message}")
            except Lost as why:
                return lines + [str(why)] * (len(calls) - len(lines))
            else:
                right = same_value(wanted, value)
                lines.append("" if right else f"it gives {shown(value)}, not {shown(wanted)}")
    return lines


def shown(value: Any) -> str:
    """A value, cut short where it is long."""
    text = repr(value)
    return text if len(text) <= 160 else f"{text[:150]}..."


def graded_repository(files: Mapping[str, str], calls: Sequence[Call], untouched: int) -> Score:
    """How well a repository does on hidden calls, of which so many go well if it is left alone."""
    try:
        check(files)
    except InvalidAnswer as error:
        return Score(0, str(error), {"progress": 0.0})
    return graded_calls(program(files), "call", calls, LIMITS, free=untouched)
