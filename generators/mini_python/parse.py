r"""Reading programs: lines into heads of statements, and lines by their indentation into functions.

>>> [function] = parsed("def double(n):\n    return 2 * n").values()
>>> function.name, [statement.text for statement in function.body]
('double', ['return 2 * n'])

Reading is linear in the length of the text, and never nests more than :data:`DEPTH` deep.
"""

import builtins
import keyword
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from palaestra.generators.mini_python.syntax import (
    TIGHT,
    Assign,
    Augment,
    Binary,
    Call,
    Choice,
    Compare,
    Const,
    Def,
    DictOf,
    Do,
    Each,
    Else,
    Expr,
    For,
    Head,
    If,
    Index,
    Jump,
    Keyword,
    ListOf,
    Method,
    Name,
    Node,
    Return,
    Slice,
    Statement,
    TupleOf,
    Unary,
    children,
)
from palaestra.task import Unreadable

DEPTH = 24
"""How deeply brackets and operators may be nested."""

BLOCKS = 8
"""How deeply blocks may be nested."""

LINES = 100
WIDTH = 200
DIGITS = 40

FUNCTIONS: Mapping[str, tuple[int, int]] = {
    **dict.fromkeys(("abs", "all", "any", "bool", "chr", "len", "ord", "reversed", "set"), (1, 1)),
    **dict.fromkeys(("int", "list", "sorted", "str", "tuple"), (1, 1)),
    "enumerate": (1, 2),
    "max": (1, 9),
    "min": (1, 9),
    "range": (1, 3),
    "sum": (1, 2),
    "zip": (2, 3),
}
"""The built-in functions there are, with the fewest and the most arguments they take here."""

METHODS: Mapping[str, tuple[int, int]] = {
    **dict.fromkeys(("append", "count", "endswith", "extend", "find", "index"), (1, 1)),
    **dict.fromkeys(("join", "remove", "startswith"), (1, 1)),
    **dict.fromkeys(("clear", "copy", "isalpha", "isdigit", "islower", "isupper"), (0, 0)),
    **dict.fromkeys(("items", "keys", "lower", "reverse", "sort", "upper", "values"), (0, 0)),
    "get": (1, 2),
    "insert": (2, 2),
    "pop": (0, 2),
    "replace": (2, 2),
    "setdefault": (2, 2),
    "split": (0, 1),
    "strip": (0, 1),
}
"""The same of methods."""

PASSING = frozenset({"enumerate", "reversed", "zip", "items", "keys", "values"})
"""What gives things to loop over that may not be kept."""

LOOPING = frozenset({"all", "any", "enumerate", "list", "max", "min", "sorted", "sum", "tuple"}) | {
    "zip",
    "join",
}
"""What loops over its arguments."""

UNORDERED = frozenset({"len", "max", "min", "sorted", "sum"})
"""What may be done with a set, for its order is not that of the program's making."""

RESERVED = frozenset([*keyword.kwlist, *dir(builtins)]) - {"_"}
"""Names that no variable and no function may have."""

_TOKEN = re.compile(
    r"""([A-Za-z_]\w*|\d+(?!\w)|'[^'\\]*'|"[^"\\]*"|\*\*|//=?|[-+*%<>=!]=|[-+*%<>=()\[\]{}:,.])"""
    r"|\ +|\#.*|(.)"
)
_AUGMENTED = frozenset({"+=", "-=", "*=", "//=", "%="})
_COMPARED = frozenset({"<", "<=", ">", ">=", "==", "!=", "in", "not in", "is", "is not"})
_ENDS = frozenset({")", "]", "}", "", ":", "="})


def tokens(line: str) -> list[str]:
    """The names, numbers, texts and signs of a line.

    >>> tokens("x += 'a'  # more")
    ['x', '+=', "'a'"]
    """
    if len(line) > WIDTH:
        raise Unreadable(f"a line of more than {WIDTH} characters", "limit")
    if not (line.isascii() and line.isprintable()):
        raise Unreadable("a line has signs other than those of ASCII")
    found = _TOKEN.findall(line)
    bad = next((bad for _, bad in found if bad), "")
    if bad:
        raise Unreadable(f"{bad!r} is out of place")
    return [token for token, _ in found if token]


class _Reader:
    """Reads the tokens of one line from left to right."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = [*tokens, ""]
        self.at = 0
        self.depth = 0

    def fail(self) -> Unreadable:
        token = self.tokens[self.at]
        return Unreadable(f"{token[:20]!r} is out of place" if token else "a line stops short")

    def take(self, token: str) -> bool:
        """Whether this token comes next; if so, it is read."""
        if self.tokens[self.at] != token:
            return False
        self.at += 1
        return True

    def need(self, token: str) -> None:
        if not self.take(token):
            raise self.fail()

    def name(self) -> str:
        token = self.tokens[self.at]
        if not (token.isidentifier() and token not in RESERVED):
            raise self.fail()
        self.at += 1
        return token

    def end(self) -> None:
        if self.at != len(self.tokens) - 1:
            raise self.fail()

    # ------------------------------------------------------------------------------- expressions

    def expression(self) -> Expr:
        """An expression, down to a choice."""
        self.depth += 1
        if self.depth > DEPTH:
            raise Unreadable("it is nested too deeply", "limit")
        found = self.operation(2)
        if self.take("if"):
            test = self.operation(2)
            self.need("else")
            found = Choice(found, test, self.expression())
        self.depth -= 1
        return found

    def expressions(self, found: Expr) -> Expr:
        """A tuple without brackets, of which the first item is read, or that item alone."""
        if self.tokens[self.at] != ",":
            return found
        items = [found]
        while self.take(","):
            if self.tokens[self.at] in _ENDS:
                break
            items.append(self.expression())
        return TupleOf(tuple(items))

    def operation(self, floor: int) -> Expr:
        """What binds at least as tightly as ``floor``, by climbing the precedences."""
        tokens = self.tokens
        left = self.prefixed(floor) if tokens[self.at] in {"not", "-"} else self.primary()
        while (level := TIGHT.get(tokens[self.at], 0)) >= floor:
            sign = tokens[self.at]
            if sign == "not":
                if floor > 5 or tokens[self.at + 1] != "in":
                    return left
                level = 5
            if level == 5:
                left = self.comparison(left)
            else:
                self.at += 1
                left = Binary(sign, left, self.operand(8 if sign == "**" else level + 1))
        return left

    def operand(self, floor: int) -> Expr:
        """The right operand of a sign, one level deeper."""
        self.depth += 1
        if self.depth > DEPTH:
            raise Unreadable("it is nested too deeply", "limit")
        found = self.operation(floor)
        self.depth -= 1
        return found

    def prefixed(self, floor: int) -> Expr:
        sign = self.tokens[self.at]
        if sign == "not" and floor > 4:
            raise self.fail()
        self.at += 1
        return Unary(sign, self.operand(4 if sign == "not" else 8))

    def comparison(self, left: Expr) -> Expr:
        signs, operands = [], [left]
        while (sign := self.compared()) in _COMPARED:
            self.at += len(sign.split())
            signs.append(sign)
            operands.append(self.operand(6))
            if sign.startswith("is") and operands[-1] != Const(None):
                raise Unreadable("'is' is only for None")
        return Compare(tuple(signs), tuple(operands))

    def compared(self) -> str:
        """The sign that comes next, which may be of two words."""
        sign = self.tokens[self.at]
        if sign in {"not", "is"} and self.tokens[self.at + 1] in {"in", "not"}:
            return f"{sign} {self.tokens[self.at + 1]}"
        return sign

    def primary(self) -> Expr:
        """An atom and what is called, taken or cut of it."""
        found = self.atom()
        while (sign := self.tokens[self.at]) in {"[", "."}:
            self.at += 1
            if sign == "[":
                found = self.subscript(found)
                self.need("]")
                continue
            method = self.tokens[self.at]
            if method not in METHODS:
                raise Unreadable(f"there is no method {method[:20]!r} here")
            self.at += 1
            found = Method(found, method, self.arguments(method, METHODS))
        return found

    def subscript(self, owner: Expr) -> Expr:
        low = None if self.tokens[self.at] == ":" else self.expression()
        if low is not None and self.tokens[self.at] != ":":
            return Index(owner, self.expressions(low))
        self.need(":")
        high = None if self.tokens[self.at] in {":", "]"} else self.expression()
        step = None
        if self.take(":") and self.tokens[self.at] != "]":
            step = self.expression()
        return Slice(owner, low, high, step)

    def arguments(
        self, name: str, known: Mapping[str, tuple[int, int]]
    ) -> tuple[Expr | Keyword, ...]:
        self.need("(")
        found: list[Expr | Keyword] = []
        while not self.take(")"):
            if found:
                self.need(",")
                if self.take(")"):
                    break
            found.append(self.argument(name))
        number = sum(not isinstance(each, Keyword) for each in found)
        fewest, most = known.get(name, (0, LINES))
        if not fewest <= number <= most:
            raise Unreadable(f"{name}() is not given as many arguments as it takes here")
        return tuple(found)

    def argument(self, name: str) -> Expr | Keyword:
        if self.tokens[self.at] == "reverse" and self.tokens[self.at + 1] == "=":
            if name not in {"sorted", "sort"}:
                raise self.fail()
            self.at += 2
            found: Expr | Keyword = Keyword("reverse", self.expression())
            if self.tokens[self.at] != ")":
                raise self.fail()
            return found
        return self.expression()

    def atom(self) -> Expr:
        token = self.tokens[self.at]
        self.at += 1
        if token.isidentifier():
            if self.tokens[self.at] == "(" and (token in FUNCTIONS or token not in RESERVED):
                return Call(token, self.arguments(token, FUNCTIONS))
            if token not in RESERVED:
                return Name(token)
            if token in _CONSTANTS:
                return Const(_CONSTANTS[token])
        elif token.isdigit():
            if len(token) > DIGITS or (token[0] == "0" and token.strip("0")):
                raise Unreadable("not a number")
            return Const(int(token))
        elif token in {"(", "[", "{"}:
            return self.bracketed(token)
        elif token[:1] in {"'", '"'}:
            return Const(token[1:-1])
        self.at -= 1
        raise self.fail()

    def bracketed(self, bracket: str) -> Expr:
        if bracket == "(":
            if self.take(")"):
                return TupleOf(())
            found = self.expressions(self.expression())
            self.need(")")
            return found
        if bracket == "{":
            return self.dictionary()
        if self.take("]"):
            return ListOf(())
        first = self.expression()
        if self.take("for"):
            found = self.comprehension(first)
        else:
            row = self.expressions(first)
            found = ListOf(row.items if row is not first and isinstance(row, TupleOf) else (first,))
        self.need("]")
        return found

    def comprehension(self, item: Expr) -> Expr:
        target = self.names()
        self.need("in")
        source = self.operation(2)
        return Each(item, target, source, self.operation(2) if self.take("if") else None)

    def dictionary(self) -> Expr:
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

    def names(self) -> Expr:
        """The variables of a loop."""
        found: list[Expr] = [Name(self.name())]
        while self.take(","):
            found.append(Name(self.name()))
        return found[0] if len(found) == 1 else TupleOf(tuple(found))

    # ------------------------------------------------------------------------------------- heads

    def head(self) -> Head:
        word = self.tokens[0]
        if word in _HEADS:
            self.at = 1
            return _HEADS[word](self)
        found = self.expressions(self.expression())
        sign = self.tokens[self.at]
        if sign in _AUGMENTED and isinstance(found, Name | Index):
            self.at += 1
            return Augment(found, sign[:-1], self.expressions(self.expression()))
        if sign == "=":
            parts = found.items if isinstance(found, TupleOf) else (found,)
            if not parts or not all(isinstance(part, Name | Index) for part in parts):
                raise self.fail()
            self.at += 1
            return Assign(found, self.expressions(self.expression()))
        return Do(found)

    def define(self) -> Head:
        name = self.name()
        self.need("(")
        parameters: list[str] = []
        while not self.take(")"):
            if parameters:
                self.need(",")
            parameters.append(self.name())
        self.need(":")
        if len(set(parameters)) < len(parameters):
            raise Unreadable("two parameters have the same name")
        return Def(name, tuple(parameters))

    def loop(self) -> Head:
        target = self.names()
        self.need("in")
        source = self.expressions(self.expression())
        self.need(":")
        return For(target, source)

    def tested(self) -> Head:
        word = self.tokens[self.at - 1]
        test = self.expression()
        self.need(":")
        return If(word, test)

    def otherwise(self) -> Head:
        self.need(":")
        return Else()

    def result(self) -> Head:
        if self.tokens[self.at] == "":
            return Return(None)
        return Return(self.expressions(self.expression()))

    def jump(self) -> Head:
        return Jump(self.tokens[0])


_CONSTANTS: Mapping[str, bool | None] = {"True": True, "False": False, "None": None}
_HEADS = {
    "def": _Reader.define,
    "for": _Reader.loop,
    "else": _Reader.otherwise,
    "return": _Reader.result,
    **dict.fromkeys(("if", "elif", "while"), _Reader.tested),
    **dict.fromkeys(("break", "continue", "pass"), _Reader.jump),
}


@lru_cache(maxsize=1024)
def head(line: str) -> Head:
    """The head of a statement, or a whole one, from a line without its indentation.

    Raises :class:`Unreadable` for what is not in the subset.

    >>> head("total += x % 3")
    Augment(target=Name(name='total'), sign='+', value=Binary(sign='%', left=Name(name='x'), \
right=Const(value=3)))
    """
    found = tokens(line)
    if not found:
        raise Unreadable("there is nothing in a line")
    reader = _Reader(found)
    read = reader.head()
    reader.end()
    if "set" in found or not PASSING.isdisjoint(found):
        _check_kept(read, frozenset())
    return read


def expression(text: str) -> Expr:
    """An expression from a text.

    >>> expression("-2 ** 2")
    Unary(sign='-', operand=Binary(sign='**', left=Const(value=2), right=Const(value=2)))
    """
    found = head(text)
    if not isinstance(found, Do):
        raise Unreadable("not an expression")
    return found.value


def _check_kept(node: Node, allowed: frozenset[str]) -> None:
    """Refuse to keep what can be looped over only once, or in no fixed order."""
    name = node.function if isinstance(node, Call) else getattr(node, "method", "")
    if name in PASSING | {"set"} and name not in allowed:
        raise Unreadable(f"{name}() cannot be kept here, only looped over")
    inside = _INSIDE[name in LOOPING, name in UNORDERED]
    if name in {"min", "max"} and len(node.arguments) > 1:
        inside = frozenset()  # which would give one of them
    owner = node.owner if isinstance(node, Method) else None
    source = node.iterable if isinstance(node, For | Each) else None
    for child in children(node):
        looped = PASSING if child is source else inside
        _check_kept(child, frozenset() if child is owner else looped)


_INSIDE = {
    (True, True): PASSING | {"set"},
    (True, False): PASSING,
    (False, True): frozenset({"set"}),
    (False, False): frozenset[str](),
}


# ----------------------------------------------------------------------------------- whole programs


@dataclass(slots=True, frozen=True)
class Function:
    """A function of a program."""

    name: str
    parameters: tuple[str, ...]
    body: tuple[Statement, ...]


@dataclass(slots=True, frozen=True)
class _Line:
    number: int
    indent: int
    text: str
    head: Head


class _Lines:
    """The lines of a program, taken from the top, block by block."""

    def __init__(self, source: str) -> None:
        rows = source.split("\n")
        if len(rows) > LINES:
            raise Unreadable(f"a program of more than {LINES} lines", "limit")
        self.lines: list[_Line] = []
        for number, row in enumerate(rows, 1):
            text = row.strip(" ")
            if text and not text.startswith("#"):
                indent = len(row.rstrip(" ")) - len(text)
                self.lines.append(_Line(number, indent, text, _head(number, text)))
        self.lines.reverse()

    def top(self) -> _Line | None:
        return self.lines[-1] if self.lines else None

    def block(self, outer: int, depth: int = 0, loop: bool = False) -> tuple[Statement, ...]:
        """The statements that are indented more than ``outer``."""
        first = self.top()
        if first is None or first.indent <= outer:
            raise Unreadable("a block is empty")
        if depth > BLOCKS:
            raise Unreadable("blocks are nested too deeply", "limit")
        found = []
        while (line := self.top()) is not None and line.indent > outer:
            if line.indent != first.indent:
                raise Unreadable(f"line {line.number} is indented otherwise than those before it")
            self.lines.pop()
            found.append(self.statement(line, depth, loop))
        return tuple(found)

    def statement(self, line: _Line, depth: int, loop: bool) -> Statement:
        found = line.head
        if isinstance(found, For) or (isinstance(found, If) and found.word == "while"):
            body = self.block(line.indent, depth + 1, True)
            return Statement(line.number, line.text, found, body)
        if isinstance(found, If) and found.word == "if":
            return self.branches(line, depth, loop)
        if isinstance(found, Def | Else | If):
            raise Unreadable(f"line {line.number} is out of place")
        if isinstance(found, Jump) and found.word != "pass" and not loop:
            raise Unreadable(f"{found.word} outside of a loop")
        return Statement(line.number, line.text, found)

    def branches(self, line: _Line, depth: int, loop: bool) -> Statement:
        body = self.block(line.indent, depth + 1, loop)
        other: tuple[Statement, ...] = ()
        follows = self.top()
        if follows is not None and follows.indent == line.indent:
            if isinstance(follows.head, Else):
                self.lines.pop()
                other = self.block(line.indent, depth + 1, loop)
            elif isinstance(follows.head, If) and follows.head.word == "elif":
                self.lines.pop()
                other = (self.branches(follows, depth, loop),)
        return Statement(line.number, line.text, line.head, body, other)


def _head(number: int, text: str) -> Head:
    try:
        return head(text)
    except Unreadable as flaw:
        raise Unreadable(f"line {number}: {flaw}", flaw.status) from None


@lru_cache(maxsize=64)
def parsed(source: str) -> Mapping[str, Function]:
    """The functions of a program, by name.

    Raises :class:`Unreadable` for a text that is no program of the subset.
    """
    lines = _Lines(source)
    found: dict[str, Function] = {}
    while (line := lines.top()) is not None:
        lines.lines.pop()
        if not isinstance(line.head, Def) or line.indent:
            raise Unreadable(f"line {line.number} belongs to no function")
        if line.head.name in found:
            raise Unreadable(f"two functions have the name {line.head.name[:20]!r}")
        body = lines.block(0)
        found[line.head.name] = Function(line.head.name, line.head.parameters, body)
    if not found:
        raise Unreadable("there is no function")
    for function in found.values():
        _check_names(function, found)
    return found


def statements(body: Iterable[Statement]) -> list[Statement]:
    """Statements and all in their bodies, in the order of their lines."""
    found: list[Statement] = []
    for each in body:
        found.append(each)
        found += statements(each.body)
        found += statements(each.other)
    return found


def _check_names(function: Function, functions: Mapping[str, Function]) -> None:
    """A name is either that of a function or that of a variable, and it is never both."""
    for statement in statements(function.body):
        called, named = _names(statement.text)
        if unknown := called - functions.keys() - FUNCTIONS.keys():
            raise Unreadable(f"there is no function {min(unknown)[:20]!r}")
        if twofold := named & functions.keys():
            raise Unreadable(f"{min(twofold)[:20]!r} is the name of a function")
    if clash := functions.keys() & set(function.parameters):
        raise Unreadable(f"{min(clash)[:20]!r} is the name of a function")


@lru_cache(maxsize=1024)
def _names(line: str) -> tuple[frozenset[str], frozenset[str]]:
    """The functions called and the variables named in a line that has been read."""
    found = ["", *tokens(line), ""]
    words = [
        (token, follows == "(")
        for before, token, follows in zip(found, found[1:], found[2:])
        if token.isidentifier() and before != "."
    ]
    called = frozenset(word for word, call in words if call and word not in keyword.kwlist)
    return called, frozenset(word for word, call in words if not call and word not in RESERVED)
