r"""Interpreter for programs, in exact arithmetic that detects overflow.

>>> program = parsed("def solve(k):\n    print(tdiv(k, 2), tmod(k, 2), k // 2, k % 2)")
>>> outcome(program, [-7]).printed
'-3 -1 -4 1'
"""

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from palaestra.syntax import parse

STEPS = 4_000
"""The maximum number of statements per case."""

DEEPEST = 30
"""The maximum depth of calls."""

WORD = 2**31
"""No value may be as large as this, or less than its negative."""

EXACT = 2**53
"""The same for what is cut down to 32 bits at once: a JavaScript number holds it exactly."""

UNSIGNED = 2**32

Program = Mapping[str, ast.FunctionDef]


class Fault(Exception):
    """A program performed an operation that differs between the languages."""


class Outcome(NamedTuple):
    """The outcome of a case."""

    printed: str
    seen: frozenset[int]
    """The executed lines."""


@lru_cache(maxsize=128)
def parsed(text: str) -> Program:
    """The functions of a program."""
    return {node.name: node for node in parse(text).body if isinstance(node, ast.FunctionDef)}


def cuts(text: str) -> bool:
    r"""Whether a program truncates numbers to 32 bits.

    >>> cuts("def solve(k):\n    print(wrap(k * 31))")
    True
    """
    return any(f"{name}(" in text for name in ("wrap", "int32", "mul32", "shl32"))


def outcome(program: Program, arguments: Sequence[Any]) -> Outcome:
    """The output of ``solve``. Raises :class:`Fault` if it differs between languages."""
    machine = _Machine(program)
    machine.call(
        "solve", [list(each) if isinstance(each, Sequence) else each for each in arguments]
    )
    return Outcome("\n".join(machine.printed), frozenset(machine.seen))


def quotient(a: int, b: int) -> int:
    """A quotient truncated toward zero, as in C.

    >>> quotient(-7, 2), quotient(7, -2)
    (-3, -3)
    """
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def signed(number: int) -> int:
    """The lowest 32 bits of a number as a signed integer.

    >>> signed(2**31 + 5) == 5 - 2**31
    True
    """
    return (number + WORD) % UNSIGNED - WORD


class _Return(Exception):
    def __init__(self, value: int | None) -> None:
        self.value = value


class _Break(Exception):
    pass


class _Continue(Exception):
    pass


_BINARY: Mapping[type, Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_, ast.BitXor: operator.xor, ast.RShift: operator.rshift,
}  # fmt: skip
_COMPARED: Mapping[type, Callable[[int, int], bool]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip
BITS = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.RShift)
"""Operations on numbers without a sign."""

CALLED: Mapping[str, Callable[..., Any]] = {
    "abs": abs, "min": min, "max": max, "len": len, "range": range,
    "tdiv": quotient, "tmod": lambda a, b: a - b * quotient(a, b),
    "row": lambda size, value: [value] * size, "stack": lambda most: [],
    "wrap": lambda n: n % UNSIGNED, "int32": signed,
    "mul32": lambda a, b: a * b % UNSIGNED, "shl32": lambda a, b: (a << b) % UNSIGNED,
}  # fmt: skip
CUTTING = {"wrap", "int32"}
"""Functions whose argument may be larger than anything else."""


class _Machine:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.left = STEPS
        self.depth = 0
        self.printed: list[str] = []
        self.seen: set[int] = set()

    def call(self, name: str, arguments: Sequence[Any]) -> Any:
        function = self.program[name]
        self.depth += 1
        if self.depth > DEEPEST:
            raise Fault("calls go too deep")
        try:
            self.block(function.body, dict(zip((arg.arg for arg in function.args.args), arguments)))
        except _Return as result:
            return result.value
        finally:
            self.depth -= 1
        return None

    def block(self, body: Sequence[ast.stmt], values: dict[str, Any]) -> None:
        for statement in body:
            self.left -= 1
            if self.left < 0:
                raise Fault("it runs for too long")
            self.seen.add(statement.lineno)
            self.step(statement, values)

    def step(self, statement: ast.stmt, values: dict[str, Any]) -> None:  # noqa: PLR0912
        match statement:
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(sources)):
                for target, value in zip(targets, [self.value(part, values) for part in sources]):
                    self.store(target, value, values)
            case ast.Assign([target], source):
                self.store(target, self.value(source, values), values)
            case ast.AugAssign(target, sign, source):
                changed = ast.BinOp(target, sign, source)
                self.store(target, self.value(changed, values), values)
            case ast.If(test, body, other):
                self.block(body if self.value(test, values) else other, values)
            case ast.While(test, body):
                while self.value(test, values):
                    if not self.goes_on(body, values):
                        break
            case ast.For():
                self.loop(statement, values)
            case ast.Return(source):
                raise _Return(None if source is None else self.value(source, values))
            case ast.Break():
                raise _Break
            case ast.Continue():
                raise _Continue
            case ast.Expr(source):
                self.value(source, values)

    def loop(self, statement: ast.For, values: dict[str, Any]) -> None:
        rows, target = self.value(statement.iter, values), statement.target
        for item in rows:
            self.store(target, item, values)
            if not self.goes_on(statement.body, values):
                break

    def goes_on(self, body: Sequence[ast.stmt], values: dict[str, Any]) -> bool:
        """Execute the body of a loop once; return whether the loop continues."""
        try:
            self.block(body, values)
        except _Break:
            return False
        except _Continue:
            pass
        return True

    def store(self, target: ast.expr, value: Any, values: dict[str, Any]) -> None:
        match target:
            case ast.Name(name):
                values[name] = value
            case ast.Subscript(row, subscript):
                self.value(row, values)[self.index(row, subscript, values)] = value

    def index(self, row: ast.expr, subscript: ast.expr, values: dict[str, Any]) -> int:
        index = int(self.value(subscript, values))
        if not 0 <= index < len(self.value(row, values)):
            raise Fault("an index that a row does not have")
        return index

    def value(self, node: ast.expr, values: dict[str, Any]) -> Any:  # noqa: PLR0912
        match node:
            case ast.Constant(value):
                return value
            case ast.Name(name):
                return values[name]
            case ast.UnaryOp(ast.Not(), operand):
                return not self.value(operand, values)
            case ast.UnaryOp(ast.USub(), operand):
                return -self.value(operand, values)
            case ast.BinOp():
                return self.bounded(self.binary(node, values), WORD, node)
            case ast.BoolOp(ast.And(), parts):
                return all(self.value(part, values) for part in parts)
            case ast.BoolOp(_, parts):
                return any(self.value(part, values) for part in parts)
            case ast.Compare(left, [sign], [right]):
                return _COMPARED[type(sign)](self.value(left, values), self.value(right, values))
            case ast.IfExp(test, yes, no):
                return self.value(yes if self.value(test, values) else no, values)
            case ast.Subscript(row, subscript):
                return self.value(row, values)[self.index(row, subscript, values)]
            case ast.Call(ast.Attribute(row, "append"), [item]):
                return self.value(row, values).append(self.value(item, values))
            case ast.Call(ast.Attribute(row, "pop"), []):
                return self.popped(self.value(row, values))
            case ast.Call(ast.Name(name), arguments):
                return self.called(name, arguments, values)
        raise TypeError(ast.dump(node))

    def popped(self, row: list[int]) -> int:
        if not row:
            raise Fault("nothing to take")
        return row.pop()

    def all(self, parts: Sequence[ast.expr], values: dict[str, Any]) -> list[Any]:
        return [self.value(part, values) for part in parts]

    def binary(self, node: ast.BinOp, values: dict[str, Any], wide: bool = False) -> int:
        """The value of an operation; if wide, sums and products in it may be large themselves."""
        operands = []
        for part in (node.left, node.right):
            if wide and isinstance(part, ast.BinOp):
                operands.append(self.binary(part, values, wide))
            else:
                operands.append(self.value(part, values))
        one, other = operands
        if isinstance(node.op, ast.FloorDiv | ast.Mod) and other == 0:
            raise Fault("a division by zero")
        if isinstance(node.op, BITS) and not (0 <= one < UNSIGNED and 0 <= other < UNSIGNED):
            raise Fault("bits of a number with a sign")
        result = _BINARY[type(node.op)](one, other)
        return self.bounded(result, EXACT, node) if wide else result

    def bounded(self, value: int, bound: int, node: ast.BinOp) -> int:
        most = UNSIGNED if isinstance(node.op, BITS) else bound
        if not -bound <= value < most:
            raise Fault("a number too large")
        return value

    def called(self, name: str, arguments: Sequence[ast.expr], values: dict[str, Any]) -> Any:
        if name == "print":
            self.printed.append(" ".join(map(str, self.all(arguments, values))))
            return None
        if name in CUTTING and isinstance(arguments[0], ast.BinOp):
            return CALLED[name](self.binary(arguments[0], values, wide=True))
        parts = self.all(arguments, values)
        if name in self.program:
            return self.call(name, parts)
        if name in {"tdiv", "tmod"} and parts[1] == 0:
            raise Fault("a division by zero")
        return CALLED[name](*parts)
