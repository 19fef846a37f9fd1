"""What an answer to a task says: equal for answers that are equal in other words.

Where there is no right answer to compare with, as in a vote, answers are compared with each other.
The reader is the environment's own where it has a method ``read``. Otherwise an answer is read line
by line and comma by comma: numbers by their values, everything else as text without wrapping, case
and spaces. Where the order of lines or of items between commas is free, equal answers are those
with the same items. No environment declares that; it is measured: its own right answers, for a few
other tasks, have to stay right in every order that is tried.

>>> say_same("1/2, x", "0.5,  X", ordered=True), say_same("b, a", "a, b", ordered=False)
(True, True)
"""

from collections.abc import Callable, Hashable, Mapping, Set
from functools import lru_cache
from random import Random
from typing import Any

from palaestra.task import InvalidAnswer, Puzzle, Task
from palaestra.verifiers.reading.numbers import rational
from palaestra.verifiers.votes import LONG, plainly

TRIED = 4
"""How many tasks show whether the order of an environment's answers is free."""

LITERAL = frozenset({"code", "code-lines", "digits", "cells", "moves"})
"""The types of answers in which a number is no value, such as rows of digits."""

CODE = frozenset({"code", "code-lines"})


def meaning(task: Task, answer: str) -> Hashable:
    """What an answer to a task says; equal for answers that are equal in other words.

    An answer that the environment's reader refuses says what its text says, and a program nothing
    but itself. Answers of more than 2,000 characters are compared as text.
    """
    name = type(task).answer_type
    if name in CODE or task.verbatim:
        return answer.strip()
    ordered = not is_order_free(type(task))
    read: Callable[[str], Any] | None = getattr(task, "read", None)
    if read is not None and len(answer) <= LONG:
        try:
            return "read", _hashable(read(answer), ordered)
        except InvalidAnswer:
            pass
    return "text", items_of(answer, ordered, numbers=name not in LITERAL)


def same_meaning(task: Task) -> Callable[[str, str], bool]:
    """The equality of answers to a task, for :class:`~palaestra.verifiers.votes.Majority`."""
    known: dict[str, Hashable] = {}

    def of(answer: str) -> Hashable:
        if answer not in known:
            known[answer] = meaning(task, answer)
        return known[answer]

    return lambda one, other: of(one) == of(other)


def say_same(one: str, other: str, ordered: bool) -> bool:
    """Whether two answers say the same without an environment's reader."""
    return items_of(one, ordered) == items_of(other, ordered)


def items_of(answer: str, ordered: bool, numbers: bool = True) -> Hashable:
    """The items of an answer, line by line and comma by comma, numbers by their values."""
    if len(answer) > LONG:
        return answer.strip()
    rows = [
        tuple(_item(part, numbers) for part in line.split(",")) for line in plainly_lines(answer)
    ]
    if ordered:
        return tuple(rows)
    if len(rows) == 1:
        return tuple(sorted(rows[0], key=repr))
    return tuple(sorted(rows, key=repr))


def plainly_lines(answer: str) -> list[str]:
    """The lines of an answer that are not empty, each normalised; those of the whole one first."""
    lines = [line for line in answer.splitlines() if line.strip()]
    return [plainly(line) for line in lines] if len(lines) > 1 else [plainly(answer)]


def _item(text: str, numbers: bool) -> Hashable:
    """A number by its value, unless it begins with a zero as codes do; any other item as text."""
    text = plainly(text)
    digits = text.lstrip("+-")
    if numbers and text and not (digits[:1] == "0" and digits[1:2].isdigit()):
        try:
            return rational(text)
        except InvalidAnswer:
            pass
    return text


def _hashable(value: Any, ordered: bool) -> Hashable:
    """A value that a reader returns as one that can be compared, and sorted where order is free."""
    if isinstance(value, Mapping):
        return frozenset((key, _hashable(each, True)) for key, each in value.items())
    if isinstance(value, Set):
        return frozenset(_hashable(each, True) for each in value)
    if isinstance(value, list | tuple):
        items = [_hashable(each, True) for each in value]
        return tuple(items if ordered else sorted(items, key=repr))
    return value if isinstance(value, Hashable) else repr(value)


@lru_cache(maxsize=1024)
def is_order_free(task_type: type[Task]) -> bool:
    """Whether right answers of an environment stay right in any order of their items.

    Items are the lines of an answer of several lines, else what commas separate. Where the
    environment's reader returns the same for all orders, as it does for labelled values, there is
    nothing left to sort, and the answer is no.
    """
    if not issubclass(task_type, Puzzle) or task_type.answer_type in CODE:
        return False
    rng, orders, reread = Random(task_type.__name__), 0, False
    for _ in range(TRIED):
        task = task_type.sample(rng, task_type.Knobs.at(0))
        read: Callable[[str], Any] = getattr(task, "read", str.strip)
        for other in _reordered(task.answer(), rng):
            orders += 1
            try:
                if not task.verify(other).correct:
                    return False
            except InvalidAnswer:
                return False
            reread = reread or read(other) != read(task.answer())
    return orders >= TRIED and reread


def _reordered(answer: str, rng: Random) -> list[str]:
    """An answer with its items reversed, and in another order."""
    joint = "\n" if "\n" in answer else ", "
    items = answer.split(joint)
    orders = [items[::-1], rng.sample(items, len(items))]
    return [joint.join(order) for order in orders if order != items]
