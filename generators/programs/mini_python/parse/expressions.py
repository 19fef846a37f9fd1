"""Tokens into expressions, by climbing the precedences of the operators."""

from collections.abc import Mapping

from palaestra.generators.programs.mini_python.parse.subset import (
    DEPTH,
    DIGITS,
    DRAINING,
    FUNCTIONS,
    METHODS,
    RESERVED,
    TURNED,
    Arity,
)
from palaestra.generators.programs.mini_python.syntax import (
    TIGHT,
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
    Slice,
    TupleOf,
    Unary,
)
from palaestra.task import InvalidAnswer

_COMPARED = frozenset({"<", "<=", ">", ">=", "==", "!=", "in", "not in", "is", "is not"})
_ENDS = frozenset({")", "]", "}", "", ":", "="})
_CONSTANTS: Mapping[str, bool | None] = {"True": True, "False": False, "None": None}
_ANY: Arity = (0, 99)
_TOP = 2
"""The precedence of ``or``, the loosest operator."""


class ExpressionParser:
    """Reads the tokens of one line from left to right."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = [*tokens, ""]
        self.at = 0
        self.depth = 0

    # ------------------------------------------------------------------------------------ tokens

    def misplaced(self) -> InvalidAnswer:
        """What is wrong where the token that comes next cannot stand."""
        token = self.tokens[self.at]
        return InvalidAnswer(f"{token[:20]!r} is out of place" if token else "a line stops short")

    def take(self, token: str) -> bool:
        """Whether this token comes next; if so, it is read."""
        if self.tokens[self.at] != token:
            return False
        self.at += 1
        return True

    def need(self, token: str) -> None:
        """Read this token, which must come next."""
        if not self.take(token):
            raise self.misplaced()

    def name(self) -> str:
        """Read the name of a variable or a function."""
        token = self.tokens[self.at]
        if not is_name(token):
            raise self.misplaced()
        self.at += 1
        return token

    def end(self) -> None:
        """Make sure that nothing is left."""
        if self.at != len(self.tokens) - 1:
            raise self.misplaced()

    def deeper(self) -> None:
        """Go one level deeper, unless that is too deep."""
        self.depth += 1
        if self.depth > DEPTH:
            raise InvalidAnswer("it is nested too deeply", "limit")

    # ------------------------------------------------------------------------------- operators

    def expressions(self) -> Expr:
        """An expression, or several as a tuple without brackets."""
        return self.rest_of_tuple(self.expression())

    def expression(self) -> Expr:
        """An expression, down to a choice."""
        self.deeper()
        expr = self.operation(_TOP)
        if self.take("if"):
            test = self.operation(_TOP)
            self.need("else")
            expr = Conditional(expr, test, self.expression())
        self.depth -= 1
        return expr

    def rest_of_tuple(self, first: Expr) -> Expr:
        """A tuple of which the first item is read; that item alone where no comma comes next."""
        if self.tokens[self.at] != ",":
            return first
        items = [first]
        while self.take(","):
            if self.tokens[self.at] in _ENDS:
                break
            items.append(self.expression())
        return TupleOf(tuple(items))

    def operation(self, floor: int) -> Expr:
        """What binds at least as tightly as ``floor``."""
        tokens = self.tokens
        left = self.prefixed(floor) if tokens[self.at] in {"not", "-"} else self.primary()
        while (level := TIGHT.get(tokens[self.at], 0)) >= floor:
            sign = tokens[self.at]
            if sign == "not":
                if floor > TIGHT["in"] or tokens[self.at + 1] != "in":
                    return left
                level = TIGHT["in"]
            if level == TIGHT["in"]:
                left = self.comparison(left)
            else:
                self.at += 1
                left = Binary(sign, left, self.operand(8 if sign == "**" else level + 1))
        return left

    def operand(self, floor: int) -> Expr:
        """The right operand of an operator."""
        self.deeper()
        expr = self.operation(floor)
        self.depth -= 1
        return expr

    def prefixed(self, floor: int) -> Expr:
        """``-x`` or ``not x``."""
        sign = self.tokens[self.at]
        if sign == "not" and floor > TIGHT["not"]:
            raise self.misplaced()
        self.at += 1
        return Unary(sign, self.operand(TIGHT["not"] if sign == "not" else 8))

    def comparison(self, left: Expr) -> Expr:
        """A chain of comparisons of which the first operand is read."""
        signs, operands = [], [left]
        while (sign := self.compared()) in _COMPARED:
            self.at += len(sign.split())
            signs.append(sign)
            operands.append(self.operand(TIGHT["in"] + 1))
            if sign.startswith("is") and operands[-1] != Const(None):
                raise InvalidAnswer("'is' is only for None")
        return Compare(tuple(signs), tuple(operands))

    def compared(self) -> str:
        """The sign that comes next, which may be of two words."""
        sign = self.tokens[self.at]
        if sign in {"not", "is"} and self.tokens[self.at + 1] in {"in", "not"}:
            return f"{sign} {self.tokens[self.at + 1]}"
        return sign

    # ------------------------------------------------------------------------------- primaries

    def primary(self) -> Expr:
        """An atom and what is called, taken or cut of it."""
        expr = self.atom()
        while (sign := self.tokens[self.at]) in {"[", "."}:
            self.at += 1
            expr = self.subscript(expr) if sign == "[" else self.method(expr)
        return expr

    def method(self, owner: Expr) -> Expr:
        """A call of a method, behind its dot."""
        method = self.tokens[self.at]
        if method not in METHODS:
            raise InvalidAnswer(f"there is no method {method[:20]!r} here")
        self.at += 1
        return Method(owner, method, self.arguments(method, METHODS[method]))

    def subscript(self, owner: Expr) -> Expr:
        """An item or a slice, behind its bracket."""
        low = None if self.tokens[self.at] == ":" else self.expression()
        if low is not None and self.tokens[self.at] != ":":
            expr: Expr = Index(owner, self.rest_of_tuple(low))
        else:
            self.need(":")
            high = None if self.tokens[self.at] in {":", "]"} else self.expression()
            ends = not self.take(":") or self.tokens[self.at] == "]"
            expr = Slice(owner, low, high, None if ends else self.expression())
        self.need("]")
        return expr

    def arguments(self, name: str, arity: Arity) -> tuple[Expr | Keyword, ...]:
        """What is given to a function or method, brackets included."""
        self.need("(")
        arguments: list[Expr | Keyword] = []
        while not self.take(")"):
            if arguments:
                self.need(",")
                if self.take(")"):
                    break
            arguments.append(self.argument(name))
        fewest, most = arity
        if not fewest <= sum(not isinstance(each, Keyword) for each in arguments) <= most:
            raise InvalidAnswer(f"{name}() is not given as many arguments as it takes here")
        if len(arguments) > 1 and any(isinstance(each, GeneratorExpression) for each in arguments):
            raise InvalidAnswer(f"{name}() is given more than a generator expression")
        return tuple(arguments)

    def argument(self, name: str) -> Expr | Keyword:
        """One of the things that are given to a function or method."""
        if self.tokens[self.at] == "reverse" and self.tokens[self.at + 1] == "=":
            if name not in TURNED:
                raise self.misplaced()
            self.at += 2
            turned = Keyword("reverse", self.expression())
            if self.tokens[self.at] != ")":
                raise self.misplaced()
            return turned
        first = self.expression()
        if name in DRAINING and self.take("for"):
            return GeneratorExpression(self.comprehension(first))
        return first

    def atom(self) -> Expr:
        """A name, a call of a function, a constant, or something in brackets."""
        token = self.tokens[self.at]
        self.at += 1
        if token.isidentifier():
            if self.tokens[self.at] == "(" and (token in FUNCTIONS or is_name(token)):
                return Call(token, self.arguments(token, FUNCTIONS.get(token, _ANY)))
            if is_name(token):
                return Name(token)
            if token in _CONSTANTS:
                return Const(_CONSTANTS[token])
        elif token.isdigit():
            if len(token) > DIGITS or (token[0] == "0" and token.strip("0")):
                raise InvalidAnswer("not a number")
            return Const(int(token))
        elif token in {"(", "[", "{"}:
            return self.bracketed(token)
        elif token[:1] in {"'", '"'}:
            return Const(token[1:-1])
        self.at -= 1
        raise self.misplaced()

    def bracketed(self, bracket: str) -> Expr:
        """A tuple, a list, a dictionary, or an expression in brackets, behind the first bracket."""
        if bracket == "{":
            return self.dictionary()
        if bracket == "[":
            return self.row()
        if self.take(")"):
            return TupleOf(())
        items = self.expressions()
        self.need(")")
        return items

    def row(self) -> Expr:
        """A list or a comprehension, behind its bracket."""
        if self.take("]"):
            return ListOf(())
        first = self.expression()
        if self.take("for"):
            expr: Expr = self.comprehension(first)
        else:
            row = self.rest_of_tuple(first)
            expr = ListOf(row.items if row is not first and isinstance(row, TupleOf) else (first,))
        self.need("]")
        return expr

    def comprehension(self, item: Expr) -> Comprehension:
        """What follows ``for`` in a comprehension."""
        target = self.target()
        self.need("in")
        source = self.operation(_TOP)
        test = self.operation(_TOP) if self.take("if") else None
        return Comprehension(item, target, source, test)

    def dictionary(self) -> Expr:
        """A dictionary, behind its bracket."""
        keys: list[Expr] = []
        values: list[Expr] = []
        while not self.take("}"):
            if keys:
                self.need(",")
                if self.take("}"):
                    break
            keys.append(self.expression())
            self.need(":")
            values.append(self.expression())
        return DictOf(tuple(keys), tuple(values))

    # --------------------------------------------------------------------------------- targets

    def target(self) -> Expr:
        """The variables of a loop, such as ``i, (a, b)``."""
        targets = [self.part_of_target()]
        while comma := self.take(","):
            if self.tokens[self.at] in {"in", ")"}:
                break
            targets.append(self.part_of_target())
        return targets[0] if len(targets) == 1 and not comma else TupleOf(tuple(targets))

    def part_of_target(self) -> Expr:
        if not self.take("("):
            return Name(self.name())
        self.deeper()
        targets = self.target()
        self.need(")")
        self.depth -= 1
        return targets


def is_name(token: str) -> bool:
    """Whether a variable or a function may have this name."""
    return token.isidentifier() and token not in RESERVED and not token.startswith("__")
