r"""Interpreter with a budget: each line is compiled to a closure once, and calls run the closures.

>>> program = compiled("def total(xs):\n    n = 0\n    for x in xs:\n        n += x\n    return n")
>>> program.call("total([1, 2, 3])").shown
'6'
>>> program.call("total([1, '2'])").shown
'TypeError'

What a program does, down to the exception that ends it, is what Python would do. What costs too
much, in steps, sizes or depth, ends with a :class:`Limit` and is shown as that.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from palaestra.generators.programs.mini_python.closures import Store, code_of, store_of
from palaestra.generators.programs.mini_python.library import OPERATIONS
from palaestra.generators.programs.mini_python.machine import (
    DEEPEST,
    STEPS,
    Code,
    Compiled,
    Frame,
    Limit,
    Machine,
)
from palaestra.generators.programs.mini_python.parse import expression, head, parsed
from palaestra.generators.programs.mini_python.syntax import (
    Assign,
    Augment,
    Const,
    Do,
    Expr,
    For,
    Head,
    If,
    Index,
    Jump,
    Name,
    Return,
    Statement,
)

BREAK, CONTINUE = "break", "continue"
"""Signals of statements; that of a return is its value in a tuple, and ``None`` is to go on."""

FAULTS = (
    TypeError, ValueError, LookupError, ArithmeticError, NameError, AttributeError, RuntimeError,
)  # fmt: skip
"""The exceptions that programs may raise."""


class Outcome(NamedTuple):
    """The outcome of a call."""

    shown: str
    """The ``repr`` of the value, or the name of the exception."""
    fault: bool
    """Whether it ended with an exception, or beyond a limit."""
    why: str
    """Which limit that was."""
    steps: int
    seen: frozenset[int]
    """The lines of tests that held and loops entered, and minus those of tests that did not hold.
    """


class Program:
    """A compiled program, in which lines can be changed temporarily.

    Raises :class:`~palaestra.task.InvalidAnswer` for a text that is no program of the subset.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.parsed = parsed(source)
        self.places: dict[int, tuple[list[Any], int]] = {}
        """The block and index of the closure of each line."""
        self.before: list[tuple[list[Any], int, Any]] = []
        self.functions = {
            name: Compiled(each.parameters, self._block(each.body), _height(each.body))
            for name, each in self.parsed.items()
        }

    def change(self, line: int, head: Head) -> None:
        """Replace a line with another statement of the same type, until it is restored."""
        row, index = self.places[line]
        self.before.append((row, index, row[index]))
        row[index] = _made(head)

    def spy(self, line: int, note: Callable[[Frame], None], after: bool = False) -> None:
        """Look at the variables each time before a line is carried out or tested, or after that.

        It is not for the head of a loop over items.
        """
        row, index = self.places[line]
        code = row[index]

        def spied(frame: Frame) -> Any:
            if not after:
                note(frame)
            signal = code(frame)
            if after:
                note(frame)
            return signal

        self.before.append((row, index, code))
        row[index] = spied

    def restore(self) -> None:
        """Undo all changes."""
        while self.before:
            row, index, code = self.before.pop()
            row[index] = code

    def call(self, text: str, steps: int = STEPS, depth: int = DEEPEST) -> Outcome:
        """Evaluate an expression, such as a call of a function.

        Raises :class:`~palaestra.task.InvalidAnswer` for a text that is no expression.
        """
        return self._run(_expression(text), steps, depth)

    def apply(
        self, name: str, values: Sequence[Any], steps: int = STEPS, depth: int = DEEPEST
    ) -> Outcome:
        """Call a function with values, which it cannot modify."""
        args = [list(value) if type(value) is list else value for value in values]
        return self._run(lambda frame: frame.machine.enter(name, args), steps, depth)

    def _run(self, code: Code, steps: int, depth: int) -> Outcome:
        machine = Machine(self.functions, steps, depth)
        shown, fault, why = "Limit", True, ""
        try:
            value = code(Frame(machine))
            machine.weigh(value)
            shown, fault = repr(value), False
        except (Limit, RecursionError) as limit:
            why = str(limit)
        except NameError:
            shown = "NameError"
        except FAULTS as error:
            shown = type(error).__name__
        spent = steps - machine.left
        return Outcome(shown, fault, why, spent, frozenset(machine.seen))

    # --------------------------------------------------------------------------------------- blocks

    def _block(self, body: Sequence[Statement]) -> Code:
        """A sequence of statements; each is charged when it begins."""
        codes: list[Code] = []
        for index, each in enumerate(body):
            self.places[each.line] = codes, index
            codes.append(self._statement(each))
        cost = len(codes)

        def block(frame: Frame) -> Any:
            machine = frame.machine
            machine.left -= cost
            if machine.left < 0:
                raise Limit("it runs for too long")
            for code in codes:
                if (signal := code(frame)) is not None:
                    return signal
            return None

        return block

    def _statement(self, statement: Statement) -> Code:
        head, execute = statement.head, _line(statement.text)
        if not isinstance(head, If | For):
            code: Code = execute
            return code
        row = [execute]
        self.places[statement.line] = row, 0
        if isinstance(head, For):
            return self._for(statement, row)
        return (self._while if head.word == "while" else self._if)(statement, row)

    def _if(self, statement: Statement, test: list[Code]) -> Code:
        line, body = statement.line, self._block(statement.body)
        other = self._block(statement.other) if statement.other else None

        def branch(frame: Frame) -> Any:
            if test[0](frame):
                frame.machine.seen.add(line)
                return body(frame)
            frame.machine.seen.add(-line)
            return None if other is None else other(frame)

        return branch

    def _while(self, statement: Statement, test: list[Code]) -> Code:
        line, body = statement.line, self._block(statement.body)

        def loop(frame: Frame) -> Any:
            seen = frame.machine.seen
            while test[0](frame):
                seen.add(line)
                if (signal := body(frame)) is not None:
                    if signal is BREAK:
                        return None
                    if signal is not CONTINUE:
                        return signal
            seen.add(-line)
            return None

        return loop

    def _for(self, statement: Statement, loops: list[tuple[Store, Code]]) -> Code:
        line, body = statement.line, self._block(statement.body)

        def loop(frame: Frame) -> Any:
            store, iterable = loops[0]
            seen = frame.machine.seen
            for item in iterable(frame):
                seen.add(line)
                store(frame, item)
                if (signal := body(frame)) is not None:
                    if signal is BREAK:
                        return None
                    if signal is not CONTINUE:
                        return signal
            return None

        return loop


@lru_cache(maxsize=128)
def compiled(source: str) -> Program:
    """A program, ready to run, which is shared and so must not be changed.

    Raises :class:`~palaestra.task.InvalidAnswer` for a text that is no program of the subset.
    """
    return Program(source)


@lru_cache(maxsize=1024)
def _expression(text: str) -> Code:
    return code_of(expression(text))


def _height(body: Iterable[Statement]) -> int:
    """More than the number of Python calls that the closures of a body are deep."""
    return 3 + max((_depth(statement) for statement in body), default=0)


def _depth(statement: Statement) -> int:
    blocks = [2 + _height(block) for block in (statement.body, statement.other) if block]
    return max(_signs(statement.text), *blocks, 0)


@lru_cache(maxsize=1024)
def _signs(line: str) -> int:
    """More than the depth of a line, for every level of it takes a sign."""
    return 3 + len(_SIGNS.findall(line))


_SIGNS = re.compile(r"[^\w\s,:'\"]+| and | or | not | in | is | if | for ")


# --------------------------------------------------------------------------------------- statements


@lru_cache(maxsize=1024)
def _line(text: str) -> Any:
    return _made(head(text))


def _made(head: Head) -> Any:
    """What a block needs of a line: its closure, that of its test, or those of its loop."""
    match head:
        case If(_, test):
            return code_of(test)
        case For(target, iterable):
            return store_of(target), code_of(iterable)
        case Assign(target, value):
            return _assign(target, code_of(value))
        case Augment():
            return _augment(head)
        case Return(value):
            result = code_of(value or Const(None))
            return lambda frame: (result(frame),)
        case Jump(word):
            signal = {"break": BREAK, "continue": CONTINUE}.get(word)
            return lambda frame: signal
        case Do(value):
            return _do(code_of(value))
        case _:
            raise TypeError(head)


def _do(code: Code) -> Code:
    def do(frame: Frame) -> None:
        code(frame)

    return do


def _assign(target: Expr, source: Code) -> Code:
    if isinstance(target, Name):
        name = target.name

        def assign(frame: Frame) -> None:
            frame[name] = source(frame)

        return assign
    store = store_of(target)

    def put(frame: Frame) -> None:
        store(frame, source(frame))

    return put


def _augment(head: Augment) -> Code:
    source, change = code_of(head.value), OPERATIONS[head.sign + "="]
    if isinstance(head.target, Name):
        name = head.target.name

        def augment(frame: Frame) -> None:
            now = frame[name]
            frame[name] = change(frame.machine, now, source(frame))

        return augment
    if not isinstance(head.target, Index):
        raise TypeError(head)
    owned, placed = code_of(head.target.owner), code_of(head.target.subscript)

    def change_part(frame: Frame) -> None:
        owner, subscript = owned(frame), placed(frame)
        if type(owner) is dict:
            frame.machine.weigh(subscript)
        now = owner[subscript]
        owner[subscript] = change(frame.machine, now, source(frame))

    return change_part
