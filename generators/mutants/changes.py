"""First-order mutants of Python programs: all single changes of typical types.

A constant is one off, a comparison or an operator is another one, a class of characters is
narrower or wider, a branch is dropped, a remainder is not taken, a bound of a slice is one off, a
step is left out or changes places with the next one.
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Any, NamedTuple

from palaestra.syntax import parse

Replacements = Iterator[ast.AST]

COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
BITS = (ast.BitAnd, ast.BitOr, ast.BitXor)
OPPOSITES = {ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is}

COUNTERPARTS: Mapping[str, tuple[str, ...]] = {
    "min": ("max",), "max": ("min",), "any": ("all",), "all": ("any",), "upper": ("lower",),
    "lower": ("upper",), "sum": ("len",), "startswith": ("endswith",), "endswith": ("startswith",),
    "isalnum": ("isalpha", "isdigit"), "isalpha": ("isalnum", "isupper"), "isdigit": ("isalnum",),
    "isupper": ("isalpha",), "islower": ("isalpha",), "find": ("rfind",), "index": ("rindex",),
    "partition": ("rpartition",), "strip": ("lstrip", "rstrip"), "split": ("rsplit",),
    "bisect_left": ("bisect_right",), "bisect_right": ("bisect_left",), "append": ("insert",),
    "appendleft": ("append",), "popleft": ("pop",), "add": ("discard",), "union": ("intersection",),
    "heappop": ("heappush",), "ceil": ("floor",), "floor": ("ceil",),
}  # fmt: skip
"""Replacements of functions and methods."""

TRANSPARENT = {
    "sorted", "abs", "list", "tuple", "str", "int", "reversed", "len", "sum", "deepcopy", "isqrt",
}  # fmt: skip
"""Functions that a hasty programmer leaves out, so that their argument stands in their place."""

RANGES = {"az": ("isalpha", "islower"), "AZ": ("isalpha", "isupper"), "09": ("isalnum",)}
"""Replacements of character ranges."""

LONGEST = 12
"""A text with more characters is no class of characters: it loses its ends alone."""


class Site(NamedTuple):
    """A node, with the field of its parent, or the list in it, where it stands."""

    parent: ast.AST | list[Any]
    field: str
    node: ast.AST
    names: tuple[str, ...] = ()
    """The variables of the expression that it is part of."""
    fields: tuple[str, ...] = ()
    """The fields of the object whose method it is part of."""


def fields(tree: ast.AST) -> tuple[str, ...]:
    """The fields of objects that the methods of a class set in the beginning."""
    starts = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name == "__init__"]
    set_there = (node for start in starts for node in ast.walk(start))
    return tuple(
        dict.fromkeys(
            node.attr
            for node in set_there
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        )
    )


def sites(root: ast.AST, names: tuple[str, ...] = (), own: tuple[str, ...] = ()) -> Iterator[Site]:
    """All sites below a node that may change, in the order of the text."""
    for field, value in ast.iter_fields(root):
        if field in {"annotation", "returns", "decorator_list", "type_comment"}:
            continue
        children = value if isinstance(value, list) else [value]
        for child in children:
            if isinstance(child, ast.AST) and not _is_docstring(child, root):
                whole = isinstance(child, ast.expr) and isinstance(root, ast.stmt)
                near = variables(child) if whole else names
                yield Site(value if isinstance(value, list) else root, field, child, near, own)
                yield from sites(child, near, own)


def variables(root: ast.AST) -> tuple[str, ...]:
    """The variables that an expression reads, each of them once, but no functions."""
    called = {id(node.func) for node in ast.walk(root) if isinstance(node, ast.Call)}
    named = (node for node in ast.walk(root) if isinstance(node, ast.Name))
    read = (node for node in named if isinstance(node.ctx, ast.Load) and id(node) not in called)
    return tuple(dict.fromkeys(node.id for node in read if node.id != "self"))


def _is_docstring(node: ast.AST, parent: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(parent, ast.Module | ast.FunctionDef | ast.ClassDef)
    )


def replacements(site: Site) -> Replacements:
    """The replacements of a node."""
    node = site.node
    own = _CHANGES.get(type(node))
    if own is not None:
        yield from own(node)
    if isinstance(node, ast.stmt):
        yield from _statement(node, site)
    if site.field in {"slice", "lower", "upper"} and _moves(node):
        yield from _one_off(node)
    if site.field == "slice" and _moves(node):
        yield from (ast.Constant(0), ast.UnaryOp(ast.USub(), ast.Constant(1)))
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in site.names:
        yield from (ast.Name(name, ast.Load()) for name in site.names if name != node.id)
    if isinstance(node, ast.Attribute) and node.attr in site.fields:
        others = (field for field in site.fields if field != node.attr)
        yield from (ast.Attribute(node.value, other, node.ctx) for other in others)


def _moves(node: ast.AST) -> bool:
    """Whether an index or a bound may be one off: a constant changes by itself."""
    return isinstance(node, ast.expr) and not isinstance(
        node, ast.Constant | ast.Slice | ast.Tuple | ast.JoinedStr
    )


def _one_off(node: Any) -> Iterator[ast.expr]:
    for sign in (ast.Add(), ast.Sub()):
        yield ast.BinOp(node, sign, ast.Constant(1))


def mutated(source: str, rng: Random, changes: int = 1) -> str:
    r"""A program with some random changes, one after another, as text.

    >>> mutated("def f(n):\n    return n + 1", Random(2))
    'def f(n):\n    return n - 1'
    """
    for _ in range(changes):
        tree = parse(source)
        choices = [
            site for site in sites(tree, (), fields(tree)) if any(True for _ in replacements(site))
        ]
        if not choices:
            break
        site = rng.choice(choices)
        with replaced(site, rng.choice([*replacements(site)])):
            source = ast.unparse(tree)
    return source


@contextmanager
def replaced(site: Site, node: ast.AST) -> Iterator[None]:
    """Temporarily replace a node of the tree."""
    row, field = site.parent, site.field
    node_copy = ast.fix_missing_locations(node)
    if isinstance(row, ast.AST):
        before = getattr(row, field)
        setattr(row, field, node_copy)
        try:
            yield
        finally:
            setattr(row, field, before)
        return
    index = next(n for n, other in enumerate(row) if other is site.node)
    rows: list[ast.AST] = [*node_copy.body] if isinstance(node_copy, _Swap) else [node_copy]
    before = row[index : index + len(rows)]
    row[index : index + len(rows)] = rows
    try:
        yield
    finally:
        row[index : index + len(rows)] = before


# ------------------------------------------------------------------------------------ expressions


def _constant(node: ast.Constant) -> Replacements:
    value = node.value
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int):
        yield from (ast.Constant(value + 1), ast.Constant(value - 1))
    elif isinstance(value, str):
        yield from map(ast.Constant, texts(value))


def texts(value: str) -> Iterator[str]:
    """What a text is taken for: a character narrower or wider, or in capitals as well.

    >>> list(texts("ab"))
    ['b', 'a', 'abc', 'abAB']
    >>> list(texts("z"))
    ['{', 'y', '']
    """
    if not value:
        yield " "
    elif len(value) == 1:
        yield from (chr(ord(value) + 1), chr(max(0, ord(value) - 1)), "")
    elif len(value) <= LONGEST:
        yield from (value[:n] + value[n + 1 :] for n in range(len(value)))
        yield value + chr(ord(max(value)) + 1)
        if value != value.swapcase():
            yield value + value.swapcase()
    else:
        yield from (value[1:], value[:-1])


def _compare(node: ast.Compare) -> Replacements:
    for index, sign in enumerate(node.ops):
        others: list[type[ast.cmpop]] = [*COMPARISONS] if isinstance(sign, COMPARISONS) else []
        others += [OPPOSITES[type(sign)]] if type(sign) in OPPOSITES else []
        for operator in others:
            if not isinstance(sign, operator):
                signs = [*node.ops[:index], operator(), *node.ops[index + 1 :]]
                yield ast.Compare(node.left, signs, node.comparators)
    if len(node.ops) == 2:
        low, middle, high = node.left, node.comparators[0], node.comparators[1]
        yield ast.Compare(low, [node.ops[0]], [middle])
        yield ast.Compare(middle, [node.ops[1]], [high])
        if isinstance(low, ast.Constant) and isinstance(high, ast.Constant):
            for name in RANGES.get(f"{low.value!s}{high.value!s}", ()):
                yield ast.Call(ast.Attribute(middle, name, ast.Load()), [], [])


def _binary(node: ast.BinOp) -> Replacements:
    kinds = BITS if isinstance(node.op, BITS) else OPERATORS
    if not isinstance(node.left, ast.JoinedStr | ast.Constant) or not isinstance(node.op, ast.Mod):
        for operator in kinds:
            if not isinstance(node.op, operator):
                yield ast.BinOp(node.left, operator(), node.right)
    if isinstance(node.op, ast.LShift | ast.RShift):
        yield ast.BinOp(
            node.left, ast.RShift() if isinstance(node.op, ast.LShift) else ast.LShift(), node.right
        )
    yield from (node.left, node.right)


def _unary(node: ast.UnaryOp) -> Replacements:
    yield node.operand


def _boolean(node: ast.BoolOp) -> Replacements:
    yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    for index in range(len(node.values)):
        rest = node.values[:index] + node.values[index + 1 :]
        yield ast.BoolOp(node.op, rest) if len(rest) > 1 else rest[0]


def _choice(node: ast.IfExp) -> Replacements:
    yield from (node.body, node.orelse)


def _slice(node: ast.Slice) -> Replacements:
    for field in ("lower", "upper", "step"):
        if getattr(node, field) is not None:
            part = ast.Slice(node.lower, node.upper, node.step)
            setattr(part, field, None)
            yield part


def _subscript(node: ast.Subscript) -> Replacements:
    if isinstance(node.ctx, ast.Load) and isinstance(node.slice, ast.Slice):
        yield node.value


def _call(node: ast.Call) -> Replacements:
    """Another function, an argument less, two that change places, or the argument alone."""
    for other in COUNTERPARTS.get(_called(node), ()):
        yield _calling(node, other)
    for index in range(len(node.keywords)):
        yield ast.Call(node.func, node.args, node.keywords[:index] + node.keywords[index + 1 :])
    if len(node.args) > 1:
        for index in range(len(node.args)):
            yield ast.Call(node.func, node.args[:index] + node.args[index + 1 :], node.keywords)
        yield ast.Call(node.func, [node.args[1], node.args[0], *node.args[2:]], node.keywords)
        if _called(node) in {"min", "max"} and isinstance(node.func, ast.Name):
            yield from node.args
    elif node.args and isinstance(node.func, ast.Name) and node.func.id in TRANSPARENT:
        yield from () if _is_set(node.args[0]) else node.args  # a set has no order of its own
    if isinstance(node.func, ast.Attribute) and not isinstance(node.func.value, ast.Name):
        yield node.func.value
    if _called(node) == "range" and len(node.args) < 3:
        for end in _one_off(node.args[-1]):
            yield ast.Call(node.func, [*node.args[:-1], end], [])


def _called(node: ast.Call) -> str:
    """The name of the called function or method."""
    if isinstance(node.func, ast.Name):
        return node.func.id
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


def _calling(node: ast.Call, other: str) -> ast.Call:
    if isinstance(node.func, ast.Name):
        return ast.Call(ast.Name(other, ast.Load()), node.args, node.keywords)
    assert isinstance(node.func, ast.Attribute)
    first = [ast.Constant(0)] if other == "insert" else []
    func = ast.Attribute(node.func.value, other, ast.Load())
    return ast.Call(func, [*first, *node.args], node.keywords)


def _is_set(node: ast.expr) -> bool:
    named = isinstance(node, ast.Call) and _called(node) in {"set", "frozenset", "union"}
    return named or isinstance(node, ast.Set | ast.SetComp)


def _comprehension(node: ast.comprehension) -> Replacements:
    for index, test in enumerate(node.ifs):
        before, after = node.ifs[:index], node.ifs[index + 1 :]
        opposite: list[ast.expr] = [ast.UnaryOp(ast.Not(), test)]
        for tests in ([], opposite):
            yield ast.comprehension(node.target, node.iter, before + tests + after, node.is_async)


def _sequence(node: ast.Tuple | ast.List) -> Replacements:
    """A key of two parts that has one, or has them the other way round."""
    if isinstance(node.ctx, ast.Load) and len(node.elts) > 1:
        yield type(node)(node.elts[::-1], ast.Load())
        for index in range(len(node.elts)):
            yield type(node)(node.elts[:index] + node.elts[index + 1 :], ast.Load())


# ------------------------------------------------------------------------------------- statements


def _statement(node: ast.stmt, site: Site) -> Replacements:
    """The statement left out, or the next one before it."""
    if isinstance(node, ast.Assign | ast.AugAssign | ast.Expr | ast.Continue | ast.Break):
        yield ast.Pass()
    if isinstance(site.parent, list) and isinstance(node, ast.Assign | ast.AugAssign | ast.Expr):
        index = next(n for n, other in enumerate(site.parent) if other is node)
        after: list[Any] = site.parent[index + 1 : index + 2]
        if after and isinstance(after[0], ast.Assign | ast.AugAssign | ast.Expr):
            yield _Swap([*after, node])


class _Swap(ast.Module):
    """Replace two statements with two others."""

    def __init__(self, body: list[ast.stmt]) -> None:
        super().__init__(body, [])


def _augmented(node: ast.AugAssign) -> Replacements:
    kinds = BITS if isinstance(node.op, BITS) else OPERATORS
    for operator in kinds:
        if not isinstance(node.op, operator):
            yield ast.AugAssign(node.target, operator(), node.value)
    yield ast.Assign([node.target], node.value)


def _if(node: ast.If) -> Replacements:
    yield ast.If(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)
    yield ast.If(ast.Constant(True), node.body, [])
    yield ast.If(ast.Constant(False), [ast.Pass()], node.orelse)


def _while(node: ast.While) -> Replacements:
    yield ast.If(ast.Constant(False), [ast.Pass()], [])
    yield ast.If(node.test, [*_flat(node.body)], [])


def _flat(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The body of a loop that is carried out once, where it has no word of loops in it."""
    rows = list(body)
    jumps = any(isinstance(n, ast.Break | ast.Continue) for row in rows for n in ast.walk(row))
    yield from [ast.Pass()] if jumps else rows


def _break(node: ast.Break) -> Replacements:
    yield ast.Continue()


def _continue(node: ast.Continue) -> Replacements:
    yield ast.Break()


_CHANGES: Mapping[type, Callable[[Any], Replacements]] = {
    ast.AugAssign: _augmented,
    ast.BinOp: _binary,
    ast.BoolOp: _boolean,
    ast.Break: _break,
    ast.Call: _call,
    ast.Compare: _compare,
    ast.Constant: _constant,
    ast.Continue: _continue,
    ast.If: _if,
    ast.IfExp: _choice,
    ast.List: _sequence,
    ast.Slice: _slice,
    ast.Subscript: _subscript,
    ast.Tuple: _sequence,
    ast.UnaryOp: _unary,
    ast.While: _while,
    ast.comprehension: _comprehension,
}
