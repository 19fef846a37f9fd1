"""What desks that serve a user share: the steps of a decision, and a client's questions."""

from collections.abc import Generator, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from palaestra.generators.tools.conversation import Topic, slot
from palaestra.generators.tools.engine import ToolWorld, using

Calls = Generator[str, str, Any]
"""Calls that come to a value."""


class Step(NamedTuple):
    """A call that a decision comes to."""

    tool: str
    arguments: Mapping[str, Any]


class Decision(NamedTuple):
    """The first reason against a request, if there is one, and the steps that handle it."""

    reason: str | None
    steps: tuple[Step, ...]


def is_mixed(reasons: Sequence[str | None]) -> bool:
    """Whether there is a reason against one of several wishes and none against another; for a
    single wish, whether there is one against it.

    >>> is_mixed(["too_late"]), is_mixed(["too_late", None]), is_mixed([None, None])
    (True, True, False)
    """
    return any(reasons) and (len(reasons) == 1 or not all(reasons))


def step(tool: str, /, **arguments: Any) -> Step:
    """A step with its arguments."""
    return Step(tool, arguments)


def carry_out(world: ToolWorld, steps: Iterable[Step]) -> None:
    """Take steps in a world, without its busy times."""
    for each in steps:
        tool = world.tools[each.tool]
        tool.run(world, tool.checked(each.arguments))


def take(steps: Iterable[Step]) -> Calls:
    """For a client: the calls of steps."""
    for each in steps:
        yield from using(each.tool, **each.arguments)


def tell(message: str) -> Calls:
    """For a client: the reply of the user to a message."""
    return (yield from using("say", message=message))


def answer(topics: Mapping[str, Topic], questions: Mapping[str, str], topic: str) -> Calls:
    """For a client: what the user says about a topic; empty where the user does not know it."""
    return slot(topics[topic].frames, (yield from tell(questions[topic]))) or ""


def pages(tool: str, /, **arguments: Any) -> Calls:
    """For a client: all lines of a list that has pages."""
    lines: list[str] = []
    page = 1
    while True:
        *shown, last = (yield from using(tool, **arguments, page=page)).split("\n")
        if not last.startswith("(page"):
            return [*lines, *shown, last]
        lines += shown
        if last.endswith(f" of {page})"):
            return lines
        page += 1
