"""Runs a suite of tests against a program that lives in another jail.

Its modules are warm in the jails of suites. The suite comes on standard input, with a secret that
stands before the report at the end: the suite's own functions see neither. The suite sees the
program as the module ``solution`` and by every name that it does not define itself.
"""

import asyncio
import builtins
import json
import os
import sys
import unittest
import unittest.mock
from collections.abc import Callable
from typing import Any

import pytest_like
import remotes
import screening
import suites
from failures import Unsupported


def main() -> None:
    """Runs the suite that is on standard input, and reports."""
    request = json.loads(sys.stdin.buffer.read())
    link = remotes.connect(request["trusting"])
    quiet()
    try:
        report: dict[str, Any] = {"tests": run(request["suite"], link)}
    except BaseException as fault:
        report = {"broken": suites.described(fault)[:300]}
    line = json.dumps(report | {"weak": sorted(link.weak)}).encode()
    link.requests.write(request["secret"].encode() + line + b"\n")
    os._exit(0)  # exit functions of the suite's have no say in it


def run(text: str, link: remotes.Link) -> list[suites.Row]:
    """How the tests of a suite went.

    Raises :class:`Unsupported` for a suite that cannot be run.
    """
    names = remotes.Names(
        __name__="tests", __builtins__=builtins, hasattr=remotes.has_attribute,
        getattr=remotes.get_attribute,
    )  # fmt: skip
    suite = suites.Suite(text, names)
    screening.screen(suite.tree)
    suites.check_results(suite.tree, suite.functions)
    sys.modules["solution"] = remotes.Solution("solution")
    sys.modules["pytest"] = pytest_like.module()
    unittest.main = lambda *_, **__: None  # type: ignore[assignment]
    for name in ("run", "gather", "create_task", "wait_for"):
        setattr(asyncio, name, taking_coroutines(getattr(asyncio, name)))
    link.requests.write(b"\n")  # it can be run, so the program may be
    if link.replies.readline() != b"+\n":
        raise Unsupported("there is no program")
    names["eval"] = screening.guard(suite.tree)
    rows: list[suites.Row] = suite.run()
    return rows


def taking_coroutines(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of asyncio that takes coroutines of the program's too."""

    async def awaited(thing: remotes.Remote) -> Any:
        return await thing

    def call(*things: Any, **options: Any) -> Any:
        return function(
            *(awaited(each) if isinstance(each, remotes.Remote) else each for each in things),
            **options,
        )

    return call


def quiet() -> None:
    """Discards what the suite prints."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for descriptor in (1, 2):
        os.dup2(nowhere, descriptor)
    os.close(nowhere)
