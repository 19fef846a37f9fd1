r"""A second, simple interpreter, which confirms the results of ``run``.

>>> from palaestra.generators.programs.mini_python.parse import parsed
>>> walked(parsed("def twice(n):\n    return 2 * n"), "twice", [4])
'8'

It walks the statements one by one; only what signs, functions and methods do is shared with it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from palaestra.generators.programs.mini_python.library import (
    BUILTINS,
    COMPARISONS,
    OPERATIONS,
    backwards,
    check_cost,
)
from palaestra.generators.programs.mini_python.machine import DEEPEST, Limit, Machine
from palaestra.generators.programs.mini_python.parse import Function
from palaestra.generators.programs.mini_python.run import FAULTS
from palaestra.generators.programs.mini_python.syntax import (
    Assign,
    Augment,
    Binary,
    Call,
    Compare,
    Comprehension,
    Conditional,
    Const,
    DictOf,
    Do,
    Expr,
    For,
    GeneratorExpression,
    If,
    Index,
    Jump,
    Keyword,
    ListOf,
    Method,
    Name,
    Return,
    Slice,
    Statement,
    TupleOf,
    Unary,
    nodes,
)

Values = dict[str, Any]


class _Break(Exception):
    pass


class _Continue(Exception):
    pass


class _Result(Exception):
    def __init__(self, value: Any) -> None:
        self.value = value


def walked(functions: Mapping[str, Function], name: str, values: Sequence[Any]) -> str:
    """The ``repr`` of a function's result, or the name of the exception."""
    walker = _Walker(functions)
    try:
        value = walker.enter(name, list(values))
        walker.machine.weigh(value)
        return repr(value)
    except (Limit, RecursionError):
        return "Limit"
    except NameError:
        return "NameError"
    except FAULTS as error:
        return type(error).__name__


class _Walker:
    def __init__(self, functions: Mapping[str, Function]) -> None:
        self.functions = functions
        self.machine = Machine({})
        self.depth = 0

    def enter(self, name: str, values: list[Any]) -> Any:
        function = self.functions[name]
        if len(values) != len(function.parameters):
            raise TypeError(name)
        self.depth += 1
        if self.depth * 12 > DEEPEST:
            raise Limit("calls go too deep")
        try:
            self.block(function.body, dict(zip(function.parameters, values)))
        except _Result as result:
            return result.value
        finally:
            self.depth -= 1
        return None

    def block(self, body: Sequence[Statement], values: Values) -> None:
        for statement in body:
            self.machine.spend(1)
            self.step(statement, values)

    def step(self, statement: Statement, values: Values) -> None:
        match statement.head:
            case Assign(target, value):
                self.store(target, self.value(value, values), values)
            case Augment(target, sign, value):
                now = self.value(target, values)
                change = self.value(value, values)
                self.store(target, OPERATIONS[sign + "="](self.machine, now, change), values)
            case Do(value):
                self.value(value, values)
            case Return(value):
                raise _Result(None if value is None else self.value(value, values))
            case Jump(word):
                if word != "pass":
                    raise _Break if word == "break" else _Continue
            case If("while"):
                self.repeat(statement, values)
            case If(_, test):
                body = statement.body if self.value(test, values) else statement.other
                self.block(body, values)
            case For(target, iterable):
                for item in self.value(iterable, values):
                    self.store(target, item, values)
                    if not self.goes_on(statement, values):
                        break

    def repeat(self, statement: Statement, values: Values) -> None:
        head = statement.head
        while isinstance(head, If) and self.value(head.test, values):
            if not self.goes_on(statement, values):
                break

    def goes_on(self, statement: Statement, values: Values) -> bool:
        """Execute the body of a loop once; return whether the loop continues."""
        try:
            self.block(statement.body, values)
        except _Break:
            return False
        except _Continue:
            pass
        return True

    def store(self, target: Expr, value: Any, values: Values) -> None:
        match target:
            case Name(name):
                values[name] = value
            case Index(owner, subscript):
                row, at = self.value(owner, values), self.value(subscript, values)
                self.machine.weigh(at)
                row[at] = value
                self.machine.kept(row)
            case TupleOf(items):
                parts = list(iter(value))
                if len(parts) != len(items):
                    raise ValueError("not as many values as targets")
                for item, part in zip(items, parts):
                    self.store(item, part, values)

    def value(self, node: Expr, values: Values) -> Any:  # noqa: PLR0912
        machine = self.machine

        def of(part: Expr | Keyword) -> Any:
            return self.value(part.value if isinstance(part, Keyword) else part, values)

        match node:
            case Const(value):
                return value
            case Name(name):
                if name not in values:
                    raise NameError(name)
                return values[name]
            case Unary(sign, operand):
                return not of(operand) if sign == "not" else -of(operand)
            case Binary("and", left, right):
                return of(left) and of(right)
            case Binary("or", left, right):
                return of(left) or of(right)
            case Binary(sign, left, right):
                return OPERATIONS[sign](machine, of(left), of(right))
            case Compare():
                return self.compare(node, values)
            case Conditional(yes, test, no):
                return of(yes) if of(test) else of(no)
            case Call(name, arguments):
                values_of_arguments = [of(part) for part in arguments]
                return (
                    BUILTINS[name](machine, *values_of_arguments)
                    if name in BUILTINS
                    else self.enter(name, values_of_arguments)
                )
            case Method():
                return self.method(node, values)
            case Index(owner, subscript):
                row, at = of(owner), of(subscript)
                machine.weigh(at)
                return row[at]
            case Slice():
                return self.cut(node, values)
            case ListOf(items):
                return [of(item) for item in items]
            case TupleOf(items):
                return tuple(of(item) for item in items)
            case DictOf(keys, entries):
                pairs = [(of(key), of(entry)) for key, entry in zip(keys, entries)]
                machine.weigh(*(key for key, _ in pairs))
                return dict(pairs)
            case Comprehension():
                return list(self.items(node, values))
            case GeneratorExpression(comprehension):
                return self.items(comprehension, values)

    def compare(self, node: Compare, values: Values) -> bool:
        one = self.value(node.operands[0], values)
        for sign, operand in zip(node.signs, node.operands[1:]):
            other = self.value(operand, values)
            if not COMPARISONS[sign](self.machine, one, other):
                return False
            one = other
        return True

    def method(self, node: Method, values: Values) -> Any:
        target = self.value(node.owner, values)
        bound = getattr(target, node.method)
        args = [self.value(p, values) for p in node.arguments if not isinstance(p, Keyword)]
        named = [(p.name, p.value) for p in node.arguments if isinstance(p, Keyword)]
        keywords = {name: backwards(self.value(value, values)) for name, value in named}
        check_cost(self.machine, target, node.method, args)
        result = bound(*args, **keywords)
        self.machine.kept(target)
        return self.machine.kept(result)

    def cut(self, node: Slice, values: Values) -> Any:
        row = self.value(node.owner, values)
        parts = (node.low, node.high, node.step)
        where = slice(*[None if part is None else self.value(part, values) for part in parts])
        if isinstance(row, dict):
            raise Limit("a dictionary is not cut here")
        return self.machine.kept(row[where])

    def items(self, node: Comprehension, values: Values) -> Iterator[Any]:
        """The items of a comprehension; its variables are local."""
        source = iter(self.value(node.iterable, values))
        own = {part.name for part in nodes(node.target) if isinstance(part, Name)}
        inner = {name: value for name, value in values.items() if name not in own}
        for item in source:
            self.machine.spend(1)
            self.store(node.target, item, inner)
            if node.test is None or self.value(node.test, inner):
                yield self.value(node.item, inner)
