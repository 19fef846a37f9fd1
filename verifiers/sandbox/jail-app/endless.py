"""Proving that a program will never end, long before its time is used up.

A loop that comes back to a state in which it has been before, and that depends on nothing but this
state, never ends. So once a program has computed for a while, its innermost loops are looked at.
Where one does nothing but compute with plain values, it is traced for a few rounds, and a state
that comes back is a proof: the program is ended, as it would be at its limit. Of everything else
nothing is concluded, and a slow program has all the time that it may have.

It is the program's own process that looks. One that interferes can only have itself ended.
"""

import ast
import builtins
import gc
import itertools
import marshal
import mmap
import os
import signal
import sys
from collections import ChainMap
from collections.abc import Iterator, Mapping
from types import CodeType, FrameType, FunctionType
from typing import Any

FIRST_S = 0.01
"""After so much processor time it is looked for the first time; then after twice as much each."""

SOURCE = 1 << 16
"""Longer programs, in bytes, are not looked at."""

WORK, VALUES, DEPTH = 10_000, 2_000, 16
"""Lines and values that are looked at in one go, values that a state may have, and frames."""

ROOM = 40
"""How many frames deeper a program could still go where it is looked at."""

PLAIN = (int, float, complex, str, bytes, bool, type(None))

FUNCTIONS = {
    name: getattr(builtins, name)
    for name in (
        *("abs", "all", "any", "bin", "bool", "chr", "dict", "divmod", "enumerate", "float", "hex"),
        *("int", "len", "list", "max", "min", "oct", "ord", "pow", "range", "reversed", "round"),
        *("sorted", "str", "sum", "tuple", "zip"),
    )
}
"""Built-in functions whose value follows from that of their arguments."""

METHODS = frozenset((
    *("append", "capitalize", "clear", "copy", "count", "endswith", "extend", "find"),
    *("get", "index", "insert", "isalnum", "isalpha", "isdecimal", "isdigit"),
    *("islower", "isspace", "isupper", "items", "join", "keys", "ljust", "lower"),
    *("lstrip", "partition", "pop", "popitem", "remove", "replace", "reverse", "rfind"),
    *("rindex", "rjust", "rpartition", "rsplit", "rstrip", "setdefault", "sort"),
    *("split", "splitlines", "startswith", "strip", "swapcase", "title", "update"),
    *("upper", "values", "zfill", "bit_length"),
))  # fmt: skip
"""Methods of plain values of which that is true as well."""

STATEMENTS = (
    *(ast.Pass, ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.If, ast.While, ast.For),
    *(ast.Break, ast.Continue, ast.Delete, ast.Return, ast.Assert, ast.Global, ast.Nonlocal),
)
EXPRESSIONS = (
    *(ast.Constant, ast.Name, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.List),
    *(ast.Tuple, ast.Dict, ast.Subscript, ast.Slice, ast.Call, ast.Attribute, ast.JoinedStr),
    *(ast.FormattedValue, ast.ListComp, ast.GeneratorExp, ast.DictComp, ast.NamedExpr, ast.Starred),
    *(ast.comprehension, ast.keyword),
)
SYMBOLS = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
HIDING = ("__del__", "weakref", "settrace", "setprofile", "monitoring", "callbacks")
"""Words of programs in which more may happen than stands in their loops."""

Known = Mapping[str, Any]


class Unknown(Exception):
    """Nothing can be concluded."""


class Watch:
    """Looks now and then at what a program does, in its own process.

    ``ended`` is memory shared with the jail, whose first byte says that the proof was found.
    """

    def __init__(self, source: bytes, ended: mmap.mmap) -> None:
        self.source, self.ended = source, ended
        self.wait_s = FIRST_S
        self.tree: ast.Module | None = None
        self.frame: FrameType | None = None

    def start(self) -> None:
        """Begins with a program."""
        if len(self.source) <= SOURCE and not any(word.encode() in self.source for word in HIDING):
            signal.signal(signal.SIGVTALRM, self.look)
            signal.setitimer(signal.ITIMER_VIRTUAL, self.wait_s)

    def look(self, _: int, frame: FrameType | None) -> None:
        """Traces a loop that may be endless."""
        try:
            signal.setitimer(signal.ITIMER_VIRTUAL, self.wait_s)
            self.wait_s *= 2
            deepest(ROOM)
            for caller in itertools.islice(outwards(frame), DEPTH if alone() else 0):
                loop = self.loop(caller)
                if loop is not None:
                    if unstoppable(loop, names_of(caller)):
                        self.end()
                    self.trace(caller, loop)
                    return
        except (MemoryError, RecursionError):
            pass  # there is no room to look

    def loop(self, frame: FrameType) -> ast.While | None:
        """The outermost loop at which a frame is, and of which something can be concluded."""
        code = frame.f_code
        if code.co_filename != "solution.py" or code.co_flags & 0x2A0:  # some kind of generator
            return None
        if self.tree is None:
            self.tree = ast.parse(self.source)
        loops = [node for node in ast.walk(self.tree) if isinstance(node, ast.While)]
        around = [
            loop
            for loop in loops
            if not loop.orelse and loop.lineno >= code.co_firstlineno and covers(loop, frame)
        ]
        for node in sorted(around, key=lambda node: node.lineno):
            try:
                State(self.tree, node, frame).snapshot()
            except (Unknown, ValueError):
                continue
            return node
        return None

    def trace(self, frame: FrameType, loop: ast.While) -> None:
        """Follows a loop for a while, to see whether a state of it comes back."""
        assert self.tree is not None
        lines, state = anchors(loop), State(self.tree, loop, frame)
        before: Any = None
        rounds, work = 0, 0

        def follow(at: FrameType, what: str, _: Any) -> Any:
            nonlocal before, rounds, work
            if at is not frame:
                return None
            work += 1
            try:
                if what != "line" or not covers(loop, at) or work + state.work > WORK:
                    raise Unknown
                if at.f_lineno in lines:
                    now = (at.f_lasti, state.snapshot())
                    if now == before:
                        self.end()
                    rounds += 1
                    if rounds & (rounds - 1) == 0:  # powers of two, so that any period is found
                        before = now
            except (Unknown, ValueError, MemoryError, RecursionError):
                sys.settrace(None)
                at.f_trace = None
                return None
            return follow

        frame.f_trace = follow
        sys.settrace(follow)

    def end(self) -> None:
        """Ends the program."""
        self.ended[0] = 1
        os._exit(1)


def deepest(frames: int) -> None:
    """Raises ``RecursionError`` where a program could not go so much deeper."""
    if frames:
        deepest(frames - 1)


def outwards(frame: FrameType | None) -> Iterator[FrameType]:
    """A frame and those that have called it."""
    while frame is not None:
        yield frame
        frame = frame.f_back


def covers(loop: ast.While, frame: FrameType) -> bool:
    """Whether a frame is at a line of a loop; some jumps that the compiler adds have no line."""
    line: int | None = frame.f_lineno
    return line is not None and loop.lineno <= line <= (loop.end_lineno or 0)


def alone() -> bool:
    """Whether nothing but its own steps can change what a program does: there is no other thread,
    no handler of a signal, no timer, nobody who traces.
    """
    handled = (
        signal.getsignal(number) for number in signal.valid_signals() if number != signal.SIGVTALRM
    )
    timers = (signal.ITIMER_REAL, signal.ITIMER_PROF)
    return (
        len(sys._current_frames()) == 1
        and all(not callable(handler) or isinstance(handler, int) for handler in handled)
        and not any(signal.getitimer(timer)[0] for timer in timers)
        and not gc.callbacks
    )


def names_of(frame: FrameType) -> Known:
    """What names mean in a frame."""
    return ChainMap(frame.f_locals, frame.f_globals)


# ------------------------------------------------------------------ states


class State:
    """All that the next rounds of a loop depend on.

    Raises :class:`Unknown` where that is more than plain values.
    """

    def __init__(self, tree: ast.Module, loop: ast.While, frame: FrameType) -> None:
        self.tree, self.loop, self.frame = tree, loop, frame
        self.names = sorted(read_in(loop))
        self.work = 0
        """How many values were looked at."""

    def snapshot(self) -> bytes:
        """The state; equal ones are equal in all their parts, and in which of them are the same."""
        values: list[Any] = []
        known = names_of(self.frame)
        waiting = [(name, known) for name in self.names]
        seen: set[CodeType] = set()
        while waiting:
            name, known = waiting.pop()
            if name in known:
                value = known[name]
            elif name in FUNCTIONS and vars(builtins).get(name) is FUNCTIONS[name]:
                continue
            elif hasattr(builtins, name):
                raise Unknown
            else:
                values.append((name,))  # it has no value yet
                continue
            if value is FUNCTIONS.get(name, self):
                continue
            if isinstance(value, FunctionType):
                if value.__code__ not in seen:
                    seen.add(value.__code__)
                    waiting += self.within(value)
                    values.append((name, id(value), id(value.__code__), value.__defaults__))
            else:
                values.append((name, value))
        self.work += plain(values)
        return marshal.dumps(values, 4)

    def within(self, function: FunctionType) -> list[tuple[str, Known]]:
        """The names that a function of the program's reads, and what they mean to it."""
        code = function.__code__
        defined = [
            node
            for node in ast.walk(self.tree)
            if isinstance(node, ast.FunctionDef)
            and node.name == code.co_name
            and node.lineno == code.co_firstlineno
        ]
        generator = code.co_flags & 0x2A0
        if code.co_filename != "solution.py" or len(defined) != 1 or generator:
            raise Unknown
        if defined[0].decorator_list or function.__kwdefaults__:
            raise Unknown
        cells = zip(code.co_freevars, function.__closure__ or (), strict=True)
        known = ChainMap({name: cell.cell_contents for name, cell in cells}, function.__globals__)
        local = {*code.co_varnames, *code.co_cellvars}
        names = sorted(read_in(defined[0], called=True) - local)
        return [(name, known) for name in names]


def plain(value: Any) -> int:
    """How many values there are in one.

    Raises :class:`Unknown` for what is more than plain values, or too many of them.
    """
    waiting, number = [value], 0
    while waiting:
        value = waiting.pop()
        number += 1
        cls = type(value)
        if cls is list or cls is tuple:
            waiting += value
        elif cls is dict:
            waiting += [*value, *value.values()]
        elif cls not in PLAIN:
            raise Unknown
        if number + len(waiting) > VALUES:
            raise Unknown
    return number


def read_in(node: ast.While | ast.FunctionDef, called: bool = False) -> set[str]:
    """The names in a loop, or in a function that it has ``called``.

    Raises :class:`Unknown` where more stands there than steps that depend on these names alone.
    """
    names: set[str] = set()
    waiting: list[ast.AST] = [*node.body, *([] if called else [node.test])]  # type: ignore[union-attr]
    while waiting:
        one = waiting.pop()
        if isinstance(one, ast.Raise) or (isinstance(one, ast.Return) and not called):
            continue  # it would leave the loop
        if isinstance(one, ast.Name):
            names.add(one.id)
        computed = isinstance(one, STATEMENTS + EXPRESSIONS + SYMBOLS) and not (
            (isinstance(one, ast.Call) and not isinstance(one.func, ast.Name | ast.Attribute))
            or (isinstance(one, ast.Attribute) and one.attr not in METHODS)
            or (isinstance(one, ast.Compare) and not by_value(one))
        )
        if not computed:
            raise Unknown
        waiting += ast.iter_child_nodes(one)
    return names


def by_value(node: ast.Compare) -> bool:
    """Whether a comparison depends on values alone, and not on which objects they are."""
    return not any(
        isinstance(how, ast.Is | ast.IsNot)
        and not (isinstance(what, ast.Constant) and what.value is None)
        for how, what in zip(node.ops, node.comparators, strict=True)
    )


def anchors(loop: ast.While) -> set[int]:
    """Lines at whose beginning nothing is under way: a loop over items is at no place, and no
    statement is half done.
    """
    taken: set[int] = set()
    for node in ast.walk(loop):
        if isinstance(node, ast.For | ast.ListComp | ast.GeneratorExp | ast.DictComp):
            taken |= {*range(node.lineno, (node.end_lineno or 0) + 1)}
        elif isinstance(node, ast.stmt):
            last = node.test.end_lineno if isinstance(node, ast.While | ast.If) else node.end_lineno
            if last != node.lineno:
                taken |= {*range(node.lineno, (last or 0) + 1)}
    return {*range(loop.lineno, (loop.end_lineno or 0) + 1)} - taken


def unstoppable(loop: ast.While, known: Known) -> bool:
    """Whether a loop without a condition only adds whole numbers, so that nothing can stop it."""
    if not (isinstance(loop.test, ast.Constant) and loop.test.value):
        return False
    for node in ast.walk(loop):
        if isinstance(node, ast.Name):
            if type(known.get(node.id)) is not int:
                return False
        elif isinstance(node, ast.Constant):
            if type(node.value) not in {int, bool}:
                return False
        elif not isinstance(node, _COUNTING):
            return False
    return True


_COUNTING = (
    *(ast.While, ast.Pass, ast.Expr, ast.Assign, ast.AugAssign, ast.BinOp, ast.Add, ast.Sub),
    *(ast.If, ast.Compare, ast.cmpop, ast.expr_context, ast.Continue),
)
