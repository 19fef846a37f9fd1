"""Expressions compiled to closures: each is a Python function of the variables of a call."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from operator import itemgetter
from typing import Any

from palaestra.generators.programs.mini_python.library import (
    BUILTINS,
    COMPARED,
    COMPARISONS,
    OPERATIONS,
    QUICK,
    backwards,
    check_cost,
)
from palaestra.generators.programs.mini_python.machine import (
    LARGEST,
    Code,
    Frame,
    Limit,
    Machine,
)
from palaestra.generators.programs.mini_python.syntax import (
    Binary,
    Call,
    Compare,
    Comprehension,
    Conditional,
    Const,
    DictOf,
    Expr,
    GeneratorExpression,
    Index,
    Keyword,
    ListOf,
    Method,
    Name,
    Node,
    Slice,
    TupleOf,
    Unary,
    nodes,
)

Store = Callable[[Frame, Any], None]
"""A function that stores a value in the target of an assignment or a loop."""


def code_of(node: Node) -> Code:
    """The closure of an expression."""
    return _CODES[type(node)](node)


def _const(node: Const) -> Code:
    value = node.value
    return lambda frame: value


def _name(node: Name) -> Code:
    return itemgetter(node.name)


def _unary(node: Unary) -> Code:
    operand = code_of(node.operand)
    if node.sign == "not":
        return lambda frame: not operand(frame)
    return lambda frame: -operand(frame)


def _binary(node: Binary) -> Code:
    left, right = code_of(node.left), code_of(node.right)
    if node.sign == "and":
        return lambda frame: left(frame) and right(frame)
    if node.sign == "or":
        return lambda frame: left(frame) or right(frame)
    quick, full = QUICK.get(node.sign), OPERATIONS[node.sign]
    if quick is None:
        return lambda frame: full(frame.machine, left(frame), right(frame))

    def operate(frame: Frame) -> Any:
        one, other = left(frame), right(frame)
        if type(one) is int and type(other) is int:
            value = quick(one, other)
            if -LARGEST < value < LARGEST:
                return value
        return full(frame.machine, one, other)

    return operate


def _compare(node: Compare) -> Code:
    if len(node.signs) > 1:
        return _chain(node)
    left, right = map(code_of, node.operands)
    quick, full = COMPARED.get(node.signs[0]), COMPARISONS[node.signs[0]]
    if quick is None:
        return lambda frame: full(frame.machine, left(frame), right(frame))

    def compare(frame: Frame) -> Any:
        one, other = left(frame), right(frame)
        if type(one) is int and type(other) is int:
            return quick(one, other)
        return full(frame.machine, one, other)

    return compare


def _chain(node: Compare) -> Code:
    first, *rest = map(code_of, node.operands)
    links = [(COMPARISONS[sign], code) for sign, code in zip(node.signs, rest)]

    def chain(frame: Frame) -> bool:
        one, holds = first(frame), True
        for compare, code in links:
            other = code(frame)
            holds = compare(frame.machine, one, other)
            if not holds:
                break
            one = other
        return holds

    return chain


def _conditional(node: Conditional) -> Code:
    yes, test, no = map(code_of, (node.yes, node.test, node.no))
    return lambda frame: yes(frame) if test(frame) else no(frame)


def _index(node: Index) -> Code:
    owned, placed = code_of(node.owner), code_of(node.subscript)

    def index(frame: Frame) -> Any:
        owner, subscript = owned(frame), placed(frame)
        if type(owner) is dict:
            frame.machine.weigh(subscript)
            frame.machine.kept(owner)
        return owner[subscript]

    return index


def _slice(node: Slice) -> Code:
    owned = code_of(node.owner)
    parts = [code_of(part or Const(None)) for part in (node.low, node.high, node.step)]

    def cut(frame: Frame) -> Any:
        owner = owned(frame)
        where = slice(*[part(frame) for part in parts])
        if type(owner) is dict:
            raise Limit("a dictionary is not cut here")  # newer Pythons take a slice as a key
        return frame.machine.kept(owner[where])

    return cut


def _list(node: ListOf) -> Code:
    codes = [code_of(item) for item in node.items]
    return lambda frame: [code(frame) for code in codes]


def _tuple(node: TupleOf) -> Code:
    codes = [code_of(item) for item in node.items]
    return lambda frame: tuple([code(frame) for code in codes])


def _dict(node: DictOf) -> Code:
    codes = [(code_of(key), code_of(value)) for key, value in zip(node.keys, node.values)]

    def make(frame: Frame) -> dict[Any, Any]:
        pairs = [(key(frame), value(frame)) for key, value in codes]
        frame.machine.weigh(*(key for key, _ in pairs))
        return dict(pairs)

    return make


_NOTHING = object()


def _comprehension(node: Comprehension) -> Code:
    items = _items(node)
    return lambda frame: list(items(frame))


def _items(node: Comprehension) -> Callable[[Frame], Iterator[Any]]:
    """The items of a comprehension; its variables are local."""
    store, item, iterable = store_of(node.target), code_of(node.item), code_of(node.iterable)
    test = None if node.test is None else code_of(node.test)
    names = [part.name for part in nodes(node.target) if isinstance(part, Name)]

    def items(frame: Frame) -> Iterator[Any]:
        source = iter(iterable(frame))
        before = {name: frame.pop(name, _NOTHING) for name in names}
        try:
            for each in source:
                frame.machine.spend(1)
                store(frame, each)
                if test is None or test(frame):
                    yield item(frame)
        finally:
            for name, value in before.items():
                frame.pop(name, None)
                if value is not _NOTHING:
                    frame[name] = value

    return items


def _generator_expression(node: GeneratorExpression) -> Code:
    return _items(node.comprehension)


def _call(node: Call) -> Code:
    codes = [code_of(part.value if isinstance(part, Keyword) else part) for part in node.arguments]
    name = node.function
    builtin = BUILTINS.get(name)
    if builtin is None:
        return lambda frame: frame.machine.enter(name, [code(frame) for code in codes])
    if len(codes) > 1:
        return lambda frame: builtin(frame.machine, *[code(frame) for code in codes])
    (only,) = codes
    if not isinstance(node.arguments[0], GeneratorExpression):
        return lambda frame: builtin(frame.machine, only(frame))

    def drain(frame: Frame) -> Any:
        with closing(only(frame)) as items:  # which may not be drained to the end
            return builtin(frame.machine, items)

    return drain


def _method(node: Method) -> Code:
    owner, method = code_of(node.owner), node.method
    codes = [code_of(part) for part in node.arguments if not isinstance(part, Keyword)]
    named = [
        (part.name, code_of(part.value)) for part in node.arguments if isinstance(part, Keyword)
    ]

    def call(frame: Frame) -> Any:
        target, machine = owner(frame), frame.machine
        bound = getattr(target, method)
        arguments = [code(frame) for code in codes]
        keywords = {name: backwards(code(frame)) for name, code in named}
        check_cost(machine, target, method, arguments)
        result = bound(*arguments, **keywords)
        machine.kept(target)
        return machine.kept(result)

    return call


_CODES: Mapping[type, Callable[[Any], Code]] = {
    Const: _const, Name: _name, Unary: _unary, Binary: _binary, Compare: _compare,
    Conditional: _conditional, Call: _call, Method: _method, Index: _index, Slice: _slice,
    ListOf: _list, TupleOf: _tuple, DictOf: _dict, Comprehension: _comprehension,
    GeneratorExpression: _generator_expression,
}  # fmt: skip


# ------------------------------------------------------------------------------------------ targets


def store_of(target: Expr) -> Store:
    """The closure that stores a value in a target."""
    match target:
        case Name(name):
            return _store_name(name)
        case Index(owner, subscript):
            owned, placed = code_of(owner), code_of(subscript)
            return lambda frame, value: put(frame.machine, owned(frame), placed(frame), value)
        case TupleOf(items):
            return _store_all([store_of(item) for item in items])
        case _:
            raise TypeError(target)


def _store_name(name: str) -> Store:
    def store(frame: Frame, value: Any) -> None:
        frame[name] = value

    return store


def _store_all(stores: list[Store]) -> Store:
    def spread(frame: Frame, value: Any) -> None:
        parts = list(iter(value))
        if len(parts) != len(stores):
            raise ValueError("not as many values as targets")
        for store, part in zip(stores, parts):
            store(frame, part)

    return spread


def put(machine: Machine, owner: Any, subscript: Any, value: Any) -> None:
    """``owner[subscript] = value``."""
    if type(owner) is dict:
        machine.weigh(subscript)
    owner[subscript] = value
    machine.kept(owner)
