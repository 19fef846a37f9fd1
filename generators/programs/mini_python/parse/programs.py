r"""Lines into functions, by their indentation.

>>> [function] = parsed("def double(n):\n    return 2 * n").values()
>>> function.name, [statement.text for statement in function.body]
('double', ['return 2 * n'])
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from palaestra.generators.programs.mini_python.parse.expressions import is_name
from palaestra.generators.programs.mini_python.parse.lines import head
from palaestra.generators.programs.mini_python.parse.subset import BLOCKS, FUNCTIONS, LINES
from palaestra.generators.programs.mini_python.parse.tokens import tokens
from palaestra.generators.programs.mini_python.syntax import (
    Def,
    Else,
    For,
    Head,
    If,
    Jump,
    Statement,
)
from palaestra.task import InvalidAnswer


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
            raise InvalidAnswer(f"a program of more than {LINES} lines", "limit")
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
            raise InvalidAnswer("a block is empty")
        if depth > BLOCKS:
            raise InvalidAnswer("blocks are nested too deeply", "limit")
        lines = []
        while (line := self.top()) is not None and line.indent > outer:
            if line.indent != first.indent:
                raise InvalidAnswer(
                    f"line {line.number} is indented otherwise than those before it"
                )
            self.lines.pop()
            lines.append(self.statement(line, depth, loop))
        return tuple(lines)

    def statement(self, line: _Line, depth: int, loop: bool) -> Statement:
        head = line.head
        if isinstance(head, For) or (isinstance(head, If) and head.word == "while"):
            body = self.block(line.indent, depth + 1, True)
            return Statement(line.number, line.text, head, body)
        if isinstance(head, If) and head.word == "if":
            return self.branches(line, depth, loop)
        if isinstance(head, Def | Else | If):
            raise InvalidAnswer(f"line {line.number} is out of place")
        if isinstance(head, Jump) and head.word != "pass" and not loop:
            raise InvalidAnswer(f"{head.word} outside of a loop")
        return Statement(line.number, line.text, head)

    def branches(self, line: _Line, depth: int, loop: bool) -> Statement:
        """An ``if`` or ``elif`` with all that belongs to it."""
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
    except InvalidAnswer as error:
        raise InvalidAnswer(f"line {number}: {error}", error.status) from None


@lru_cache(maxsize=64)
def parsed(source: str) -> Mapping[str, Function]:
    """The functions of a program, by name.

    Raises :class:`InvalidAnswer` for a text that is no program of the subset.
    """
    lines = _Lines(source)
    functions: dict[str, Function] = {}
    while (line := lines.top()) is not None:
        lines.lines.pop()
        if not isinstance(line.head, Def) or line.indent:
            raise InvalidAnswer(f"line {line.number} belongs to no function")
        if line.head.name in functions:
            raise InvalidAnswer(f"two functions have the name {line.head.name[:20]!r}")
        body = lines.block(0)
        functions[line.head.name] = Function(line.head.name, line.head.parameters, body)
    if not functions:
        raise InvalidAnswer("there is no function")
    for function in functions.values():
        _check_names(function, functions)
    return functions


def statements(body: Iterable[Statement]) -> list[Statement]:
    """Statements and all in their bodies, in the order of their lines."""
    block: list[Statement] = []
    for each in body:
        block.append(each)
        block += statements(each.body)
        block += statements(each.other)
    return block


def _check_names(function: Function, functions: Mapping[str, Function]) -> None:
    """A name is either that of a function or that of a variable, and it is never both."""
    for statement in statements(function.body):
        called, named = _names(statement.text)
        if unknown := called - functions.keys() - FUNCTIONS.keys():
            raise InvalidAnswer(f"there is no function {min(unknown)[:20]!r}")
        if twofold := named & functions.keys():
            raise InvalidAnswer(f"{min(twofold)[:20]!r} is the name of a function")
    if clash := functions.keys() & set(function.parameters):
        raise InvalidAnswer(f"{min(clash)[:20]!r} is the name of a function")


@lru_cache(maxsize=1024)
def _names(line: str) -> tuple[frozenset[str], frozenset[str]]:
    """The functions called and the variables named in a line that has been read."""
    line_tokens = ["", *tokens(line), ""]
    words = [
        (token, follows == "(")
        for before, token, follows in zip(line_tokens, line_tokens[1:], line_tokens[2:])
        if before != "." and (is_name(token) or token in FUNCTIONS)
    ]
    called = frozenset(word for word, call in words if call)
    return called, frozenset(word for word, call in words if not call)
