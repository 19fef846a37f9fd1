"""A row of tokens that is read from left to right."""

from typing import NoReturn

from palaestra.task import InvalidAnswer
from palaestra.verifiers.answers.nodes import Unimplemented
from palaestra.verifiers.answers.tokens import Token, tokens

DEPTH = 40
"""How deep an answer may be nested."""

UNIMPLEMENTED = frozenset(
    [
        *(
            "int",
            "iint",
            "iiint",
            "oint",
            "sum",
            "prod",
            "lim",
            "det",
            "mod",
            "bmod",
            "pmod",
            "dots",
        ),
        *("partial", "nabla", "limsup", "liminf", "sup", "arg", "Re", "Im", "cap", "subset", "Pr"),
        *(
            "subseteq",
            "forall",
            "exists",
            "oplus",
            "otimes",
            "perp",
            "parallel",
            "cong",
            "dim",
            "deg",
        ),
        *("ker", "vdots", "ddots", "stackrel", "overset", "underset", "substack"),
    ]
)
"""Commands that are known, and not worked out here."""


class Stream:
    """The tokens of an answer and the position of the reader. The last token has an empty value."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.tokens.append(Token("sign", "", len(text), len(text)))
        self.position = 0
        self.depth = 0
        self.bars = 0
        self.braces = 0

    @property
    def ahead(self) -> Token:
        return self.tokens[self.position]

    def take(self) -> Token:
        token = self.tokens[self.position]
        if self.position == len(self.tokens) - 1:
            self.fail("it breaks off")
        self.position += 1
        return token

    def sees(self, *values: str) -> bool:
        token = self.tokens[self.position]
        return token.value in values and token.category in {"sign", "command"}

    def accept(self, *values: str) -> bool:
        if self.sees(*values) and self.tokens[self.position].value:
            self.position += 1
            return True
        return False

    def expect(self, value: str) -> None:
        if not self.accept(value):
            self.fail(f"{value!r} is missing")

    def fail(self, message: str = "") -> NoReturn:
        token = self.ahead
        if token.category == "command" and token.value in UNIMPLEMENTED:
            raise Unimplemented(f"\\{token.value} is not worked out here")
        raise InvalidAnswer(message or f"unexpected {token.value[:20]!r}")

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > DEPTH:
            raise InvalidAnswer(f"nested more than {DEPTH} deep", "limit")
