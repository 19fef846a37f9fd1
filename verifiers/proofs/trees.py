"""Parsing expressions into trees, by a table of operators and without recursion.

The method is the shunting yard algorithm of Edsger Dijkstra (1961), with a stack of operands and a
stack of operators. It takes time linear in the length of the text, at any depth of nesting.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from typing_extensions import TypeAliasType

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.values import plain

Tree = TypeAliasType("Tree", "tuple[str, *tuple[Tree, ...]]")
"""A name or sign and what it is applied to: ``("*", ("x",), ("f", ("e",)))`` for ``x * f(e)``."""

SIZE = 2_000
"""The maximum number of names and signs of an expression."""

HEIGHT = 100
"""The maximum depth of a tree, so that callers may walk it recursively."""

LETTERS = 40
"""The maximum length of a name."""

_CLOSING = {"(": ")", "[": "]"}
_SILENT = ("\\left", "\\right")


class _Mark(NamedTuple):
    """An open operator, bracket or function with its operands so far."""

    notation: Literal["infix", "prefix", "bracket", "call"]
    name: str
    binding: int = -1
    arguments: int = 1


@dataclass(frozen=True)
class Grammar:
    """The operators and brackets of a language.

    ``infix`` maps each binary operator to its precedence, from 0 up; those in ``right`` are
    right-associative, the others left-associative. ``prefix`` operators bind tighter than any
    binary operator, and ``postfix`` operators tighter still.
    """

    what: str
    """What is read, for messages."""

    spellings: Mapping[str, str]
    """How signs may be written, words in small letters included, and what each is in a tree."""

    infix: Mapping[str, int]
    right: Collection[str] = ()
    prefix: Collection[str] = ()
    postfix: Collection[str] = ()
    constants: Collection[str] = ()
    """Names that are spelt like signs but take no operands."""

    names: str = "[A-Za-z][A-Za-z0-9_]*"
    """A pattern of names."""

    calls: bool = False
    """Whether a name may be applied, as in ``f(x, y)``."""

    token: re.Pattern[str] = field(init=False)

    def __post_init__(self) -> None:
        signs = sorted((s for s in self.spellings if not s[-1].isalpha()), key=len, reverse=True)
        written = "|".join(map(re.escape, signs))
        pattern = rf"(\\[A-Za-z]+)|({self.names})|({written})|([()\[\],])"
        object.__setattr__(self, "token", re.compile(pattern, re.ASCII))

    def read(self, text: str) -> Tree:
        """Parse an expression; raises :class:`InvalidAnswer` if the text is not one."""
        yard = _Yard(self)
        for name, spelt in self._tokens(plain(text)):
            (yard.before if yard.wanting else yard.after)(name, spelt)
        return yard.whole()

    def _tokens(self, text: str) -> Iterator[tuple[str, bool]]:
        """Names, signs and brackets, and whether each stands in the table of spellings."""
        position = size = 0
        while position < len(text):
            if text[position].isspace():
                position += 1
                continue
            token = self.token.match(text, position)
            size += 1
            if not token or size > SIZE or token.end() - position > LETTERS:
                raise self.refused("too long" if token else "it has a sign that is not known")
            position = token.end()
            if token[0] in _SILENT:
                continue
            known = self.spellings.get(token[0]) or self.spellings.get(token[0].lower())
            if token[1] and not known:
                raise self.refused("it has a command that is not known")
            yield known or token[0], known is not None or token[4] is not None

    def refused(self, why: str) -> InvalidAnswer:
        """The exception for a text that cannot be parsed."""
        return InvalidAnswer(f"not {self.what}: {why}")


class _Yard:
    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self.wanting = True
        self.named = False
        self.operands: list[tuple[Tree, int]] = []
        self.marks: list[_Mark] = []

    def before(self, name: str, spelt: bool) -> None:
        """Take a token that may come where an operand is expected."""
        if spelt and name in _CLOSING:
            self.marks.append(_Mark("bracket", name))
        elif spelt and name in self.grammar.prefix:
            self.marks.append(_Mark("prefix", name, len(self.grammar.infix)))
        elif not spelt or name in self.grammar.constants:
            self.operands.append(((name,), 1))
            self.named = not spelt
            self.wanting = False
        else:
            raise self.grammar.refused(f"{name!r} stands where something else is needed")

    def after(self, name: str, spelt: bool) -> None:
        """Take a token that may come after an operand."""
        grammar = self.grammar
        if spelt and name in grammar.infix:
            binding = grammar.infix[name]
            self._build_down_to(binding + (name in grammar.right))
            self.marks.append(_Mark("infix", name, binding))
            self.wanting = True
        elif spelt and name in grammar.postfix:
            self._build(name, 1)
        elif spelt and name in _CLOSING.values():
            self._close(name)
        elif spelt and name == ",":
            mark = self._opening()
            if mark.notation != "call":
                raise grammar.refused("a comma stands outside the arguments of a function")
            self.marks[-1] = mark._replace(arguments=mark.arguments + 1)
            self.wanting = True
        elif spelt and name == "(" and grammar.calls and self.named:
            (function, *_), _ = self.operands.pop()
            self.marks.append(_Mark("call", function))
            self.wanting = True
        else:
            raise grammar.refused(f"{name[:LETTERS]!r} stands where a sign is needed")
        self.named = False

    def whole(self) -> Tree:
        """The tree, when everything has been taken."""
        if self.wanting:
            raise self.grammar.refused("something is missing at the end")
        self._build_down_to(0)
        if self.marks:
            raise self.grammar.refused("a bracket is not closed")
        return self.operands[0][0]

    def _close(self, bracket: str) -> None:
        """Take a closing bracket, and apply the function before the opening one, if any."""
        mark = self._opening()
        self.marks.pop()
        if _CLOSING.get(mark.name, ")") != bracket:
            raise self.grammar.refused("brackets do not match")
        if mark.notation == "call":
            self._build(mark.name, mark.arguments)

    def _opening(self) -> _Mark:
        """The innermost open bracket, once all that stands in it is built."""
        self._build_down_to(0)
        if not self.marks:
            raise self.grammar.refused("a bracket or comma has no opening bracket before it")
        return self.marks[-1]

    def _build_down_to(self, binding: int) -> None:
        """Apply the operators of at least this precedence to their operands."""
        while self.marks and self.marks[-1].binding >= binding:
            mark = self.marks.pop()
            self._build(mark.name, 2 if mark.notation == "infix" else 1)

    def _build(self, name: str, number: int) -> None:
        """Apply an operator to the latest operands."""
        parts = self.operands[-number:]
        height = 1 + max(height for _, height in parts)
        if height > HEIGHT:
            raise self.grammar.refused("too deeply nested")
        self.operands[-number:] = [((name, *(tree for tree, _ in parts)), height)]
