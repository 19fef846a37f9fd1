r"""Translation of programs to each of the languages.

>>> print(written("def solve(k):\n    print(k // 2)", ("k",), "python").split("\n\n\n")[1])
def solve(k):
    print(k // 2)
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal

from palaestra.generators.programs.translate_program.running import parsed
from palaestra.syntax import parse, parse_expression

Language = Literal["python", "c", "javascript"]

LANGUAGES: tuple[Language, ...] = ("python", "c", "javascript")

NAMED: Mapping[Language, str] = {"python": "Python", "c": "C", "javascript": "JavaScript"}

ROW = "xs"
"""The parameter that is an array; all others are numbers."""


@lru_cache(maxsize=64)
def written(text: str, parameters: tuple[str, ...], language: Language) -> str:
    """A program that reads cases from its input and solves each of them."""
    writer = {"python": _python, "c": _C().program, "javascript": _JavaScript().program}[language]
    return writer(text, parameters)


# ------------------------------------------------------------------------------------- Python

_PYTHON_HELPERS: Mapping[str, str] = {
    "quotient": """
def quotient(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
""",
    "remainder": """
def remainder(a, b):
    return abs(a) % abs(b) * (-1 if a < 0 else 1)
""",
}


class _Pythonic(ast.NodeTransformer):
    """Replaces helper functions with plain Python."""

    forms: Mapping[str, str] = {
        "tdiv": "quotient({0}, {1})",
        "tmod": "remainder({0}, {1})",
        "row": "[{1}] * ({0})",
        "stack": "[]",
        "wrap": "({0}) % 2 ** 32",
        "mul32": "({0}) * ({1}) % 2 ** 32",
        "shl32": "(({0}) << ({1})) % 2 ** 32",
        "int32": "(({0}) + 2 ** 31) % 2 ** 32 - 2 ** 31",
    }

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in self.forms:
            arguments = map(ast.unparse, node.args)
            return parse_expression(self.forms[node.func.id].format(*arguments))
        return node


def _bare(code: str) -> str:
    """Code without parentheses around assigned tuples.

    >>> _bare("a, b = (b, a)")
    'a, b = b, a'
    """
    lines = code.split("\n")
    for index, line in enumerate(lines):
        targets, _, source = line.partition(" = (")
        if ", " in targets and source:
            bare = f"{targets} = {source[:-1]}"
            if ast.dump(parse(bare.strip())) == ast.dump(parse(line.strip())):
                lines[index] = bare
    return "\n".join(lines)


def _python(text: str, parameters: Sequence[str]) -> str:
    functions = [_bare(ast.unparse(node)) for node in _Pythonic().visit(parse(text)).body]
    every = "".join(functions)
    helpers = [helper.strip() for name, helper in _PYTHON_HELPERS.items() if f"{name}(" in every]
    read = []
    for name in parameters:
        read.append(f"{name} = numbers.pop()" if name != ROW else "n = numbers.pop()")
        if name == ROW:
            read.append(f"{ROW} = [numbers.pop() for _ in range(n)]")
    lines = "\n    ".join([*read, f"solve({', '.join(parameters)})"])
    main = (
        "numbers = [int(word) for word in sys.stdin.read().split()][::-1]\n"
        f"for _ in range(numbers.pop()):\n    {lines}"
    )
    return "\n\n\n".join(["import sys", *helpers, *functions, main])


# --------------------------------------------------------------- languages with braces

_RANK: Mapping[type, int] = {
    ast.Mult: 12, ast.Div: 12, ast.Mod: 12, ast.Add: 11, ast.Sub: 11, ast.LShift: 10,
    ast.RShift: 10, ast.Lt: 9, ast.LtE: 9, ast.Gt: 9, ast.GtE: 9, ast.Eq: 8, ast.NotEq: 8,
    ast.BitAnd: 7, ast.BitXor: 6, ast.BitOr: 5, ast.And: 4, ast.Or: 3,
}  # fmt: skip
_SIGN: Mapping[type, str] = {
    ast.Mult: "*", ast.Add: "+", ast.Sub: "-", ast.RShift: ">>", ast.Lt: "<", ast.LtE: "<=",
    ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.BitAnd: "&", ast.BitXor: "^",
    ast.BitOr: "|", ast.And: "&&", ast.Or: "||",
}  # fmt: skip
CHOICE, PREFIX, ATOM = 2, 13, 15

Form = tuple[str, int]
"""A text with how tightly it is bound."""


class _Braces:
    """The common part of the translators to C and JavaScript."""

    helpers: Mapping[str, str]
    """Helper functions for operations that the language lacks."""
    forms: Mapping[str, tuple[str, int, int]]
    """How calls are written: a pattern, how tightly its parts must be bound, and it itself is."""
    signs: Mapping[type, str] = _SIGN

    def program(self, text: str, parameters: Sequence[str]) -> str:
        """The whole program."""
        self.used: set[str] = set()
        self.scopes: list[set[str]] = []
        functions = parsed(text)
        blocks = [self.function(node) for node in functions.values()]
        helpers = [self.helpers[name].strip() for name in self.helpers if name in self.used]
        return "\n\n".join([self.head(), *helpers, *blocks, self.main(parameters)])

    def head(self) -> str:
        raise NotImplementedError

    def main(self, parameters: Sequence[str]) -> str:
        raise NotImplementedError

    def function(self, node: ast.FunctionDef) -> str:
        """A function with its body."""
        names = [arg.arg for arg in node.args.args]
        gives = any(isinstance(part, ast.Return) and part.value for part in ast.walk(node))
        lines = [f"{self.signature(node.name, names, gives)} {{", *self.block(node.body, names)]
        return "\n".join([*lines, "}"])

    def signature(self, name: str, parameters: Sequence[str], gives: bool) -> str:
        raise NotImplementedError

    def block(self, body: Sequence[ast.stmt], known: Sequence[str] = ()) -> Iterator[str]:
        """The lines of a block, indented."""
        self.scopes.append({*known})
        for statement in body:
            for line in self.statement(statement):
                yield f"    {line}"
        self.scopes.pop()

    def is_new(self, name: str) -> bool:
        """Whether a variable is to be declared, which it is then."""
        new = not any(name in scope for scope in self.scopes)
        if new:
            self.scopes[-1].add(name)
        return new

    # ------------------------------------------------------------------------------ statements

    def statement(self, node: ast.stmt) -> Iterator[str]:  # noqa: PLR0912
        """The lines of a statement."""
        match node:
            case ast.Assign([ast.Tuple(targets)], ast.Tuple(sources)):
                names = [target.id for target in targets if isinstance(target, ast.Name)]
                if names and all(self.is_new(name) for name in names):
                    for target, source in zip(targets, sources):
                        yield f"{self.declaration}{self.text(target)} = {self.text(source)};"
                else:
                    yield from self.exchange(targets, sources)
            case ast.Assign(
                [ast.Name(name)], ast.Call(ast.Name("row" | "stack" as how), arguments)
            ):
                self.is_new(name)
                yield from self.new_row(name, how, [self.text(part) for part in arguments])
            case ast.Assign([target], source):
                new = isinstance(target, ast.Name) and self.is_new(target.id)
                yield f"{self.declaration if new else ''}{self.text(target)} = {self.text(source)};"
            case ast.AugAssign(target, ast.Add() | ast.Sub() | ast.Mult() as sign, source):
                yield f"{self.text(target)} {_SIGN[type(sign)]}= {self.text(source)};"
            case ast.AugAssign(target, sign, source):
                yield f"{self.text(target)} = {self.text(ast.BinOp(target, sign, source))};"
            case ast.If():
                yield from self.branches(node, "if")
            case ast.While(test, body):
                yield f"while ({self.text(test)}) {{"
                yield from self.block(body)
                yield "}"
            case ast.For(ast.Name(name), ast.Call(ast.Name("range"), arguments), body):
                yield f"for ({self.counting(name, arguments)}) {{"
                yield from self.block(body, [name])
                yield "}"
            case ast.For(ast.Name(name), ast.Name(row), body):
                yield from self.each(name, row, body)
            case ast.Return(source):
                yield f"return{'' if source is None else ' ' + self.text(source)};"
            case ast.Break():
                yield "break;"
            case ast.Continue():
                yield "continue;"
            case ast.Expr(ast.Call(ast.Name("print"), arguments)):
                yield self.printing([self.text(part) for part in arguments])
            case ast.Expr(source):
                yield f"{self.text(source)};"

    declaration: str
    """The keyword of a declaration."""

    def exchange(self, targets: Sequence[ast.expr], sources: Sequence[ast.expr]) -> Iterator[str]:
        """Several assignments at once."""
        raise NotImplementedError

    def new_row(self, name: str, how: str, arguments: Sequence[str]) -> Iterator[str]:
        raise NotImplementedError

    def each(self, name: str, row: str, body: Sequence[ast.stmt]) -> Iterator[str]:
        raise NotImplementedError

    def printing(self, arguments: Sequence[str]) -> str:
        raise NotImplementedError

    def branches(self, node: ast.If, word: str) -> Iterator[str]:
        yield f"{word} ({self.text(node.test)}) {{"
        yield from self.block(node.body)
        match node.orelse:
            case []:
                yield "}"
            case [ast.If() as other]:
                yield from self.branches(other, "} else if")
            case other_lines:
                yield "} else {"
                yield from self.block(other_lines)
                yield "}"

    def counting(self, name: str, arguments: Sequence[ast.expr]) -> str:
        """The head of a loop over a range."""
        match arguments:
            case [end]:
                start, last, step = "0", self.text(end), 1
            case [first, end]:
                start, last, step = self.text(first), self.text(end), 1
            case [first, end, ast.UnaryOp(ast.USub(), ast.Constant(int(size)))]:
                start, last, step = self.text(first), self.text(end), -size
            case [first, end, ast.Constant(int(size))]:
                start, last, step = self.text(first), self.text(end), size
            case _:
                raise TypeError(name)
        sign, change = ("<", "+") if step > 0 else (">", "-")
        moves = f"{name}{change}{change}" if abs(step) == 1 else f"{name} {change}= {abs(step)}"
        return f"{self.loop_kind}{name} = {start}; {name} {sign} {last}; {moves}"

    loop_kind: str

    # ----------------------------------------------------------------------------- expressions

    def text(self, node: ast.expr) -> str:
        """An expression."""
        return self.form(node)[0]

    def bound(self, node: ast.expr, rank: int) -> str:
        """An expression, in brackets where it is bound less tightly."""
        text, own = self.form(node)
        return text if own >= rank else f"({text})"

    def form(self, node: ast.expr) -> Form:  # noqa: PLR0912
        match node:
            case ast.Constant(int(value)):
                return str(value), ATOM
            case ast.Name(name):
                return name, ATOM
            case ast.UnaryOp(ast.USub(), operand):
                return f"-{self.bound(operand, ATOM)}", PREFIX
            case ast.UnaryOp(ast.Not(), operand):
                return f"!{self.bound(operand, ATOM)}", PREFIX
            case ast.BinOp(left, ast.FloorDiv(), right):
                return self.called("fdiv", [left, right])
            case ast.BinOp(left, ast.Mod(), right):
                return self.called("fmod", [left, right])
            case ast.BinOp(left, sign, right):
                return self.binary(left, type(sign), right)
            case ast.Compare(left, [sign], [right]):
                rank = _RANK[type(sign)]
                middle = self.signs[type(sign)]
                return f"{self.bound(left, rank + 1)} {middle} {self.bound(right, rank + 1)}", rank
            case ast.BoolOp(sign, parts):
                rank = _RANK[type(sign)]
                texts = [self.bound(part, 5 if len(parts) > 1 else rank) for part in parts]
                return f" {_SIGN[type(sign)]} ".join(texts), rank
            case ast.IfExp(test, yes, no):
                texts = [self.bound(part, CHOICE + 1) for part in (test, yes, no)]
                return f"{texts[0]} ? {texts[1]} : {texts[2]}", CHOICE
            case ast.Subscript(row, subscript):
                return f"{self.text(row)}[{self.text(subscript)}]", ATOM
            case ast.Call(ast.Attribute(ast.Name(row), method), arguments):
                return self.method(row, method, [self.text(part) for part in arguments]), ATOM
            case ast.Call(ast.Name(name), arguments):
                return self.called(name, arguments)
        raise TypeError(ast.dump(node))

    def binary(self, left: ast.expr, sign: type, right: ast.expr) -> Form:
        rank = _RANK[sign]
        # Where the right side is of the same rank, it was in brackets.
        one, other = self.bound(left, rank), self.bound(right, rank + 1)
        return f"{one} {self.signs[sign]} {other}", rank

    def method(self, row: str, method: str, arguments: Sequence[str]) -> str:
        raise NotImplementedError

    def called(self, name: str, arguments: Sequence[ast.expr]) -> Form:
        """A call, or what stands for it."""
        if name not in self.forms:
            return f"{name}({self.arguments(arguments)})", ATOM
        pattern, inner, outer = self.forms[name]
        self.used.add(name)
        return pattern.format(*(self.bound(part, inner) for part in arguments)), outer

    def arguments(self, expressions: Sequence[ast.expr]) -> str:
        return ", ".join(self.text(part) for part in expressions)


class _JavaScript(_Braces):
    """Writes JavaScript with ordinary numbers."""

    declaration = "let "
    loop_kind = "let "
    signs = {**_SIGN, ast.Eq: "===", ast.NotEq: "!==", ast.RShift: ">>>"}
    helpers = {
        "fmod": "function floorMod(a, b) {\n    return a - b * Math.floor(a / b);\n}",
    }
    forms = {
        "fdiv": ("Math.floor({} / {})", 13, ATOM),
        "fmod": ("floorMod({}, {})", 0, ATOM),
        "tdiv": ("Math.trunc({} / {})", 13, ATOM),
        "tmod": ("{} % {}", 13, 12),
        "abs": ("Math.abs({})", 0, ATOM),
        "min": ("Math.min({}, {})", 0, ATOM),
        "max": ("Math.max({}, {})", 0, ATOM),
        "len": ("{}.length", ATOM, ATOM),
        "wrap": ("({}) >>> 0", 0, 10),
        "int32": ("({}) | 0", 0, 5),
        "mul32": ("Math.imul({}, {}) >>> 0", 0, 10),
        "shl32": ("({} << {}) >>> 0", 11, 10),
    }

    def head(self) -> str:
        return (
            'const words = require("fs").readFileSync(0, "utf8").trim().split(/\\s+/);\n'
            "const numbers = words.map(Number);\nlet place = 0;"
        )

    def main(self, parameters: Sequence[str]) -> str:
        lines = []
        for name in parameters:
            if name == ROW:
                lines += [
                    "    const n = numbers[place++];",
                    f"    const {ROW} = numbers.slice(place, place + n);",
                    "    place += n;",
                ]
            else:
                lines.append(f"    const {name} = numbers[place++];")
        call = f"    solve({', '.join(parameters)});"
        loop = "for (let left = numbers[place++]; left > 0; left--) {"
        return "\n".join([loop, *lines, call, "}"])

    def signature(self, name: str, parameters: Sequence[str], gives: bool) -> str:
        return f"function {name}({', '.join(parameters)})"

    def exchange(self, targets: Sequence[ast.expr], sources: Sequence[ast.expr]) -> Iterator[str]:
        yield f"[{self.arguments(targets)}] = [{self.arguments(sources)}];"

    def new_row(self, name: str, how: str, arguments: Sequence[str]) -> Iterator[str]:
        array = "[]" if how == "stack" else f"new Array({arguments[0]}).fill({arguments[1]})"
        yield f"const {name} = {array};"

    def each(self, name: str, row: str, body: Sequence[ast.stmt]) -> Iterator[str]:
        yield f"for (const {name} of {row}) {{"
        yield from self.block(body, [name])
        yield "}"

    def printing(self, arguments: Sequence[str]) -> str:
        if len(arguments) == 1:
            return f"console.log(String({arguments[0]}));"
        return f'console.log([{", ".join(arguments)}].join(" "));'

    def binary(self, left: ast.expr, sign: type, right: ast.expr) -> Form:
        text, rank = super().binary(left, sign, right)
        if sign in {ast.BitAnd, ast.BitOr, ast.BitXor}:
            return f"({text}) >>> 0", 10
        return text, rank

    def method(self, row: str, method: str, arguments: Sequence[str]) -> str:
        return f"{row}.{'push' if method == 'append' else 'pop'}({', '.join(arguments)})"


class _C(_Braces):
    """Writes C with 64-bit integers; an array is passed with its length."""

    declaration = "long long "
    loop_kind = "long long "
    helpers = {
        "fdiv": """
static long long floor_div(long long a, long long b) {
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}""",
        "fmod": """
static long long floor_mod(long long a, long long b) {
    return (a % b + b) % b;
}""",
        "min": """
static long long min(long long a, long long b) {
    return a < b ? a : b;
}""",
        "max": """
static long long max(long long a, long long b) {
    return a > b ? a : b;
}""",
    }
    forms = {
        "fdiv": ("floor_div({}, {})", 0, ATOM),
        "fmod": ("floor_mod({}, {})", 0, ATOM),
        "tdiv": ("{} / {}", 13, 12),
        "tmod": ("{} % {}", 13, 12),
        "abs": ("llabs({})", 0, ATOM),
        "min": ("min({}, {})", 0, ATOM),
        "max": ("max({}, {})", 0, ATOM),
        "len": ("{}_len", ATOM, ATOM),
        "wrap": ("(unsigned int)({})", 0, PREFIX),
        "int32": ("(int)({})", 0, PREFIX),
        "mul32": ("(unsigned int)({} * {})", 12, PREFIX),
        "shl32": ("(unsigned int)({} << {})", 11, PREFIX),
    }

    def head(self) -> str:
        return "#include <stdio.h>\n#include <stdlib.h>"

    def main(self, parameters: Sequence[str]) -> str:
        lines, arguments = [], []
        for name in parameters:
            if name == ROW:
                lines += [
                    "        long long n;",
                    '        scanf("%lld", &n);',
                    f"        long long {ROW}[n];",
                    "        for (long long i = 0; i < n; i++) {",
                    f'            scanf("%lld", &{ROW}[i]);',
                    "        }",
                ]
                arguments += [ROW, "n"]
            else:
                lines += [f"        long long {name};", f'        scanf("%lld", &{name});']
                arguments.append(name)
        head = ["int main(void) {", "    long long left;", '    scanf("%lld", &left);']
        loop = ["    for (; left > 0; left--) {", *lines, f"        solve({', '.join(arguments)});"]
        return "\n".join([*head, *loop, "    }", "    return 0;", "}"])

    def signature(self, name: str, parameters: Sequence[str], gives: bool) -> str:
        text = (
            f"long long {each}[], long long {each}_len" if _is_row(each) else f"long long {each}"
            for each in parameters
        )
        return f"static {'long long' if gives else 'void'} {name}({', '.join(text)})"

    def exchange(self, targets: Sequence[ast.expr], sources: Sequence[ast.expr]) -> Iterator[str]:
        yield "{"
        for number, source in enumerate(sources):
            yield f"    long long new{number} = {self.text(source)};"
        for number, target in enumerate(targets):
            yield f"    {self.text(target)} = new{number};"
        yield "}"

    def new_row(self, name: str, how: str, arguments: Sequence[str]) -> Iterator[str]:
        if how == "stack":
            yield f"long long {name}[{arguments[0]}];"
            yield f"long long {name}_len = 0;"
            return
        yield f"long long {name}_len = {arguments[0]};"
        yield f"long long {name}[{name}_len];"
        yield f"for (long long i = 0; i < {name}_len; i++) {{"
        yield f"    {name}[i] = {arguments[1]};"
        yield "}"

    def each(self, name: str, row: str, body: Sequence[ast.stmt]) -> Iterator[str]:
        yield f"for (long long at_{name} = 0; at_{name} < {row}_len; at_{name}++) {{"
        yield f"    long long {name} = {row}[at_{name}];"
        yield from self.block(body, [name])
        yield "}"

    def printing(self, arguments: Sequence[str]) -> str:
        return f'printf("{" ".join(["%lld"] * len(arguments))}\\n", {", ".join(arguments)});'

    def method(self, row: str, method: str, arguments: Sequence[str]) -> str:
        return (
            f"{row}[{row}_len++] = {arguments[0]}" if method == "append" else f"{row}[--{row}_len]"
        )

    def arguments(self, expressions: Sequence[ast.expr]) -> str:
        texts = []
        for part in expressions:
            texts.append(self.text(part))
            if isinstance(part, ast.Name) and _is_row(part.id):
                texts.append(f"{part.id}_len")
        return ", ".join(texts)


def _is_row(name: str) -> bool:
    """Whether a variable is a row: their names end in s, and those of no others do."""
    return name.endswith("s")
