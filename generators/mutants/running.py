"""Execution of trusted programs and their mutants in this process, within a budget of steps.

Each iteration of a loop, each call and each item of a comprehension is a step; the sizes of numbers
and strings are limited. The clock is not read, so the outcome of a mutant is the same on every
machine.
"""

import ast
import builtins
import re
from collections.abc import Callable, Iterator, Mapping, Sized
from contextlib import contextmanager
from random import Random
from typing import Any, NamedTuple, cast

from palaestra.generators.mutants.changes import (
    Site,
    fields,
    replaced,
    replacements,
    sites,
)
from palaestra.syntax import compiled, parse

STEPS = 200_000
"""The maximum number of steps of a reference per input."""

LARGEST = 2**2_000
LONGEST = 100_000
"""Bounds of numbers, and of the lengths of texts and lists, that go into an operation."""


class Exhausted(BaseException):
    """A program exceeded its steps or a size limit."""


FAULTS = (
    TypeError, ValueError, LookupError, ArithmeticError, NameError, AttributeError, RuntimeError,
    AssertionError, StopIteration, MemoryError, re.error, Exhausted,
)  # fmt: skip


class Outcome(NamedTuple):
    """The outcome of a call: a value or a fault."""

    value: Any
    fault: bool
    steps: int
    entered: frozenset[int]
    """The functions and methods that were called, by their places in the program."""


class Change(NamedTuple):
    """A mutant: the replacement of a node of a function."""

    unit: int
    site: Site
    node: ast.AST


class Subject:
    """A trusted program with one entry function, in which a part can be replaced.

    ``call`` receives the namespace of the program and an input, and returns an immutable value.
    """

    def __init__(
        self, source: str, call: Callable[[Mapping[str, Any], Any], Any],
        namespace: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        self.call, self.namespace = call, dict(namespace or {})
        self.left = 0
        self._entered: set[int] = set()
        tree = parse(source)
        self.units = [*_units(tree)]
        own = fields(tree)
        self._sites = [
            (n, site) for n, unit in enumerate(self.units) for site in sites(unit.node, (), own)
        ]
        _Instrument().visit(tree)
        for index, unit in enumerate(self.units):
            unit.node.body[0] = _called_statement(ENTER, ast.Constant(index))
        self.names: dict[str, Any] = {
            "__builtins__": vars(builtins) | {"range": self._range}, "__name__": "reference",
            TICK: self._tick, ENTER: self._enter, BOUNDED: self._bounded, SMALL: _small, FEW: _few,
            **self.namespace,
        }  # fmt: skip
        exec(compiled(ast.fix_missing_locations(tree), "<reference>"), self.names)  # noqa: S102
        if "deepcopy" in self.names:
            self.names["deepcopy"] = self._copied

    def run(self, argument: Any, steps: int = STEPS) -> Outcome:
        """What the program makes of an input."""
        self.left = steps
        self._entered.clear()
        try:
            value, fault = self.call(self.names, argument), False
        except FAULTS:
            value, fault = None, True
        return Outcome(value, fault, steps - self.left, frozenset(self._entered))

    def changes(self, most: int | None = None) -> Iterator[Change]:
        """All mutants of the program, or so many of them, from all over it."""
        every = (
            Change(unit, site, node) for unit, site in self._sites for node in replacements(site)
        )
        if most is None:
            return every
        mutants = [*every]
        return iter(Random(len(mutants)).sample(mutants, min(most, len(mutants))))

    @contextmanager
    def changed(self, change: Change) -> Iterator[bool]:
        """The program with a mutant in its place; whether that is a program at all."""
        unit = self.units[change.unit]
        with replaced(change.site, _held(change)):
            module = ast.Module([unit.node], [])
            try:
                code = compiled(module, "<mutant>")
            except (SyntaxError, ValueError, TypeError):
                code = None
        if code is None:
            yield False
            return
        namespace: dict[str, Any] = {}
        exec(code, self.names, namespace)  # noqa: S102
        name, owner = unit.node.name, self.names[unit.owner] if unit.owner else None
        before = self.names[name] if owner is None else vars(owner)[name]
        self._put(owner, name, namespace[name])
        try:
            yield True
        finally:
            self._put(owner, name, before)

    def _put(self, owner: Any, name: str, function: Any) -> None:
        if owner is None:
            self.names[name] = function
        else:
            setattr(owner, name, function)

    def text(self, change: Change) -> str:
        """A mutated function as text."""
        with replaced(change.site, change.node):
            return ast.unparse(self.units[change.unit].node)

    def _tick(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Exhausted

    def _enter(self, unit: int) -> None:
        self._entered.add(unit)
        self._tick()

    def _bounded(self, items: Any) -> Any:
        self.left -= len(items) if hasattr(items, "__len__") else 1
        if self.left < 0:
            raise Exhausted
        return items

    def _copied(self, value: Any) -> Any:
        """A copy of plain values, of which every part is a step: copies of copies grow fast."""
        if isinstance(value, list | dict | set | tuple):
            self._bounded(value)
            if isinstance(value, dict):
                return {key: self._copied(part) for key, part in value.items()}
            return type(value)(map(self._copied, value))
        return value

    def _range(self, *bounds: Any) -> range:
        numbers = range(*bounds)
        self.left -= len(numbers)
        if self.left < 0:
            raise Exhausted
        return numbers


def _held(change: Change) -> ast.AST:
    """What stands in the place of a node: an operand is held to the same bounds as the first, and
    those of another operator are held to bounds that the first operator did not need.
    """
    parent, field, node = change.site.parent, change.site.field, change.node
    if isinstance(node, ast.BinOp) and not _is_moderate(node):
        return ast.BinOp(_sized(node.left), node.op, _sized(node.right))
    if isinstance(node, ast.AugAssign):
        return ast.AugAssign(node.target, node.op, _factor(node))
    if isinstance(parent, ast.AugAssign) and field == "value":
        return _factor(ast.AugAssign(parent.target, parent.op, cast(ast.expr, node)))
    first = getattr(parent, field) if isinstance(parent, ast.BinOp) else node
    if isinstance(first, ast.Call) and first is not change.site.node:
        return ast.Call(first.func, [cast(ast.expr, node)], [])
    return node


class Unit(NamedTuple):
    """A function, or a method of a class, that mutants are made of."""

    owner: str
    node: ast.FunctionDef


def _units(tree: ast.Module) -> Iterator[Unit]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield Unit("", node)
        elif isinstance(node, ast.ClassDef):
            yield from (Unit(node.name, m) for m in node.body if isinstance(m, ast.FunctionDef))


# ------------------------------------------------------------------------------ counting the steps

TICK, ENTER, BOUNDED, SMALL, FEW = "_tick", "_enter", "_bounded", "_small", "_few"
"""What programs call to be held to the bounds."""


def _small(value: Any) -> Any:
    """A value of moderate size, which does not become too large where it is repeated."""
    value_type = type(value)
    if value_type is int:
        if not -LARGEST < value < LARGEST:
            raise Exhausted
    elif value_type is list or value_type is str:
        if len(value) > LONGEST:
            raise Exhausted
        return _List(value) if value_type is list else _Text(value)
    return value


class _List(list[Any]):
    """A list in an operation: mutants may repeat it as often as a large number says."""

    __slots__ = ()

    def __mul__(self, times: Any) -> Any:
        return super().__mul__(_times(self, times))

    __rmul__ = __mul__


class _Text(str):
    """A text in an operation."""

    __slots__ = ()

    def __mul__(self, times: Any) -> Any:
        return super().__mul__(_times(self, times))

    __rmul__ = __mul__


def _times(row: Sized, times: Any) -> Any:
    """How often something is to be repeated, if it does not become too long by that."""
    if isinstance(times, int) and len(row) * times > LONGEST:
        raise Exhausted
    return times


def _few(value: Any) -> Any:
    """How often something is to be repeated, if that is not too often."""
    if type(value) is int and value > LONGEST:
        raise Exhausted
    return value


class _Instrument(ast.NodeTransformer):
    """Puts calls into a tree that count steps and look at sizes."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.body.insert(0, _called_statement(TICK))
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        return self._loop(node)

    def visit_While(self, node: ast.While) -> ast.AST:
        return self._loop(node)

    def _loop(self, node: Any) -> ast.AST:
        self.generic_visit(node)
        node.body.insert(0, _called_statement(TICK))
        return node  # type: ignore[no-any-return]

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        if not (isinstance(node.iter, ast.Name) or _is_range(node.iter)):
            node.iter = _called(BOUNDED, node.iter)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Pow | ast.LShift):
            node.right = _called(FEW, node.right)
        if _is_moderate(node):
            return node
        if isinstance(node.op, ast.Mult) and _is_row(node.left):
            node.right = _called(FEW, node.right)
        elif isinstance(node.op, ast.Mult) and _is_row(node.right):
            node.left = _called(FEW, node.left)
        else:
            node.left, node.right = _sized(node.left), _sized(node.right)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        node.value = _factor(node)
        return node


def _is_range(node: ast.expr) -> bool:
    return _calls(node, "range")


def _is_row(node: ast.expr) -> bool:
    """Whether something is repeated that is no number."""
    return isinstance(node, ast.List | ast.ListComp | ast.Tuple | ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def _is_moderate(node: ast.BinOp) -> bool:
    """Whether a result cannot be much larger than what it is made of, such as a remainder or one
    more than a number: then the sizes are looked at where it is multiplied or added to another.
    """
    if isinstance(node.op, ast.Sub | ast.Mod | ast.FloorDiv):
        return True
    sides = (node.left, node.right)
    numbers = (each for each in sides if isinstance(each, ast.Constant))
    return isinstance(node.op, ast.Add) and any(isinstance(each.value, int) for each in numbers)


def _factor(node: ast.AugAssign) -> ast.expr:
    """What is added, or what a variable is multiplied by, which is of moderate size as well."""
    value = _sized(node.value)
    if isinstance(node.op, ast.Mult) and isinstance(node.target, ast.Name):
        variable = ast.Name(node.target.id, ast.Load())
        pair = ast.Tuple([value, _called(SMALL, variable)], ast.Load())
        return ast.Subscript(pair, ast.Constant(0), ast.Load())
    return value


def _sized(node: ast.expr) -> ast.expr:
    bounded = isinstance(node, ast.Constant | ast.List) or _calls(node, SMALL, FEW)
    return node if bounded else _called(SMALL, node)


def _calls(node: ast.expr, *names: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names


def _called(name: str, argument: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name, ast.Load()), [argument], [])


def _called_statement(name: str, *arguments: ast.expr) -> ast.Expr:
    return ast.Expr(ast.Call(ast.Name(name, ast.Load()), [*arguments], []))
