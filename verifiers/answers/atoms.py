"""Reading atoms: numbers, names, brackets, commands, functions, matrices."""

from collections.abc import Callable
from fractions import Fraction

from palaestra.task import InvalidAnswer
from palaestra.verifiers.answers.formulas import ACCENTS, FIGURES, STARTING, Expressions
from palaestra.verifiers.answers.leaves import (
    DIGITS,
    HALF,
    ONE,
    REALS,
    TEN,
    TWO,
    arithmetic_only,
    decimal,
    multiplied,
    number,
)
from palaestra.verifiers.answers.nodes import Node, Unimplemented
from palaestra.verifiers.answers.tokens import Token

_CLOSERS = {"(": ")", "[": "]"}
_AROUND = frozenset(["{", "}", ",", ";"])
_BRACED = "braced"
_MATRICES = frozenset(["pmatrix", "bmatrix", "matrix", "array", "Bmatrix", "smallmatrix"])


class Atoms(Expressions):
    """Reads atoms; a subclass reads the lists and relations in brackets."""

    def answer(self) -> Node:
        """Reads a list of items, or the only one."""
        raise NotImplementedError

    def item(self) -> Node:
        """Reads one relation, set, amount or expression."""
        raise NotImplementedError

    def atom(self) -> Node:
        self.deeper()
        node = self._atom()
        self.depth -= 1
        return node

    def _atom(self) -> Node:
        category, value, *_ = self.ahead
        if category == "sign":
            return self.bracketed(value)
        if category == "command":
            return self.command(value)
        if category == "begin":
            return self.matrix()
        leaf = _LEAVES.get(category) or self.fail()
        self.take()
        return leaf(self, value)

    def named(self, name: str) -> Node:
        return Node("variable", (), name + self.index())

    def constant(self, name: str) -> Node:
        if name in {"e", "i"} and self.sees("_"):
            return self.named(name)
        return Node("constant", (), name)

    def index(self) -> str:
        """Read the subscript of a name."""
        if not self.accept("_"):
            return ""
        if not self.accept("{"):
            return "_" + self.take().value
        parts = []
        while not self.accept("}"):
            if not self.ahead.value:
                self.fail("an index is not closed")
            parts.append(self.take().value)
        return "_" + "".join(parts)

    def decimal(self, digits: str) -> Node:
        if self.sees("overline", "dot", "bar"):
            self.take()
            return self.repeating(digits, "{", "}")
        if self.sees("(") and self.in_period(digits):
            return self.repeating(digits, "(", ")")
        return decimal(digits)

    def in_period(self, digits: str) -> bool:
        """Return whether the next bracket contains repeating digits, as in 0.(3) and 0.1(6)."""
        before, (bracket, period, end) = self.tokens[self.position - 1], self.three()
        touching = before.end == bracket.start and bracket.end == period.start
        return touching and "e" not in digits.lower() and period.category == "number" and end == ")"

    def three(self) -> tuple[Token, Token, str]:
        """Return the next two tokens and the character of the third."""
        row = self.tokens[self.position : self.position + 3]
        return row[0], row[min(1, len(row) - 1)], row[-1].value

    def repeating(self, digits: str, opening: str, closing: str) -> Node:
        """A number whose last digits repeat without end."""
        self.expect(opening)
        period = self.take().value
        self.expect(closing)
        if not period.isdecimal():
            self.fail("a period is made of digits")
        places = len(digits.partition(".")[2])
        part = Fraction(int(period[:DIGITS]), (10 ** len(period[:DIGITS]) - 1) * 10**places)
        return Node("number", (), Fraction(digits or "0") + part)

    def bracketed(self, opening: str) -> Node:
        if opening in {"(", "[", "]"}:
            return self.in_brackets(opening)
        self.deeper()
        self.take()
        if opening == "\\{":
            node = self.members()
        elif opening == "{":
            node = self.grouped()
        elif opening == "|":
            self.bars += 1
            node = Node("abs", (arithmetic_only(self.sum()),))
            self.expect("|")
            self.bars -= 1
        elif opening == "<(":
            node = Node("tuple", self.entries(), "()")
            self.expect(")>")
        else:
            self.position -= 1
            self.fail()
        self.depth -= 1
        return node

    def in_brackets(self, opening: str) -> Node:
        """Read the content of brackets: an expression, a tuple or an interval."""
        self.deeper()
        self.take()
        bars, self.bars = self.bars, 0
        inner = self.answer()
        self.bars = bars
        if not self.sees(")", "]") and not (self.sees("[") and opening == "]"):
            self.fail("a bracket is not closed")
        closing = self.take().value
        self.depth -= 1
        brackets = {"]": "("}.get(opening, opening) + {"[": ")"}.get(closing, closing)
        if inner.op == "list":
            return Node("tuple", inner.of, brackets)
        if opening == "]" or closing != _CLOSERS[opening]:
            self.fail("brackets do not match")
        return inner

    def entries(self) -> tuple[Node, ...]:
        inner = self.answer()
        return inner.of if inner.op == "list" else (inner,)

    def members(self) -> Node:
        if self.accept("\\}"):
            return Node("set")
        if self.ahead.category == "name" and self.tokens[self.position + 1].value in {":", "|"}:
            self.position += 2  # the set of all x such that
        inner = self.answer()
        self.expect("\\}")
        if inner.op == "relation":
            return inner
        return Node("set", inner.of if inner.op in {"list", "or"} else (inner,))

    def grouped(self) -> Node:
        if self.accept("}"):
            if self.sees("^", "_"):  # an empty base, as in {}^2
                self.fail()
            self.fail("there is nothing between the braces")
        alone = self.braces > 0 and self.tokens[self.position - 2].value in _AROUND
        self.braces += 1
        inner = self.stacked()
        self.braces -= 1
        self.expect("}")
        if inner.op == "list":
            return Node("set", tuple(part._replace(value=None) if part.value == _BRACED else part
                                     for part in inner.of))  # fmt: skip
        if inner.value == _BRACED:
            return inner.of[0]
        if alone and self.ahead.value in _AROUND:
            return Node("set", (inner,), _BRACED)  # of a set in plain braces, if that is one
        return inner

    def stacked(self) -> Node:
        r"""What may be divided in an above and a below, by ``\over`` or ``\choose``."""
        above = self.answer()
        if self.ahead.category != "over":
            return above
        sign = self.take().value
        parts = arithmetic_only(above), arithmetic_only(self.answer())
        return Node("div", parts) if sign == "over" else Node("call", parts, "binomial")

    def command(self, name: str) -> Node:
        if name not in STARTING | {"emptyset", "reals"}:
            self.fail(f"\\{name[:20]} has no meaning here")
        self.take()
        if name == "sqrt":
            return self.root()
        if name == "surd":
            return Node("pow", (arithmetic_only(self.atom()), HALF))
        if name == "frac":
            return Node("div", (self.argument(), self.argument()))
        if name == "binom":
            return Node("call", (self.argument(), self.argument()), "binomial")
        if name in {"lfloor", "lceil"}:
            inner = arithmetic_only(self.sum())
            self.expect("r" + name[1:])
            return Node("call", (inner,), name[1:])
        if name in ACCENTS:
            return self.accented(name)
        if name in FIGURES:
            return Node("variable", (), name + self.run_of_names())
        return REALS if name == "reals" else Node("set")

    def accented(self, name: str) -> Node:
        self.expect("{")
        inner = []
        while not self.accept("}"):
            if not self.ahead.value or self.ahead.value == "{":
                self.fail("braces are not closed")
            inner.append(self.take().value)
        return Node("variable", (), f"{name}{{{''.join(inner)}}}")

    def run_of_names(self) -> str:
        names = []
        while self.ahead.category in {"name", "word"}:
            names.append(self.take().value)
        return "".join(names)

    def root(self) -> Node:
        degree = TWO
        if self.accept("["):
            degree = arithmetic_only(self.sum())
            self.expect("]")
        inner = self.in_brackets("(") if self.sees("(") else self.argument()
        inner = arithmetic_only(inner)
        return Node("pow", (inner, Node("div", (ONE, degree))))

    # ------------------------------------------------------------------ functions and matrices

    def function(self, name: str) -> Node:
        base = exponent = None
        for _ in range(2):
            if self.accept("_"):
                base = self.argument()
            elif self.accept("^"):
                exponent = self.braced() if self.sees("{") else self.exponent_digit()
        if name in {"gcd", "lcm", "min", "max"}:
            return Node("call", tuple(map(arithmetic_only, self.listed())), name)
        inner = self.applied()
        if name == "abs":
            node = Node("abs", (inner,))
        elif exponent == Node("neg", (ONE,)) and name in {"sin", "cos", "tan", "cot"}:
            return Node("call", (inner,), "arc" + name)
        elif name in {"log", "lg"}:
            node = Node("call", (inner, TEN if base is None else base), "log")
        else:
            node = Node("call", (inner,), name)
        return node if exponent is None else Node("pow", (node, exponent))

    def exponent_digit(self) -> Node:
        if self.accept("-"):
            return Node("neg", (self.argument(),))
        return self.argument()

    def listed(self) -> tuple[Node, ...]:
        closing = {"(": ")", "\\{": "\\}", "{": "}"}.get(self.ahead.value)
        if closing is None:
            self.fail("a bracket is missing")
        self.take()
        doubled = closing == "}" and self.sees("(", "\\{")
        inner = self.listed() if doubled else self.entries()
        self.expect(closing)
        return inner

    def applied(self) -> Node:
        """What a function is applied to: a bracket, or the product that follows it."""
        self.deeper()
        if self.sees("("):
            node = self.in_brackets("(")
        elif self.sees("{"):
            node = self.braced()
        elif self.accept("-"):
            node = Node("neg", (self.applied(),))
        else:
            factors = [self.factor()]
            while self.beside() and not self.sees("(") and self.ahead.category != "function":
                factors.append(self.factor())
            node = multiplied(factors)
            if self.sees("/") and self.tokens[self.position + 1].category == "number":
                self.take()  # cos pi/3
                node = Node("div", (arithmetic_only(node), self.atom()))
        self.depth -= 1
        return arithmetic_only(node)

    def at_end(self) -> bool:
        return self.ahead.category == "end"

    def matrix(self) -> Node:
        delimiter = self.take().value
        if delimiter == "vmatrix":
            raise Unimplemented("determinants are not worked out here")
        if delimiter not in _MATRICES:
            raise Unimplemented(f"{delimiter[:20]} is not read here")
        if delimiter == "array" and self.accept("{"):
            while not self.accept("}"):
                if not self.take().value:
                    self.fail("braces are not closed")
        rows: list[list[Node]] = [[]]
        while not self.at_end():
            rows[-1].append(self.item())
            if self.accept("\\\\"):
                rows.append([])
            elif not self.accept("&") and not self.at_end():
                self.fail()
        self.take()
        rows = [row for row in rows if row]
        if not rows or any(len(row) != len(rows[0]) for row in rows):
            raise InvalidAnswer("the rows of a matrix are not of one length")
        return Node("matrix", tuple(Node("tuple", tuple(row), "()") for row in rows))


def _based(parser: Atoms, text: str) -> Node:
    digits, _, base = text.partition("_")
    return Node("based", (), (digits.lstrip("0") or "0", int(base)))


def _field(parser: Atoms, name: str) -> Node:
    if name != "R":
        raise Unimplemented("sets of numbers other than the real ones are not worked out here")
    return REALS


_LEAVES: dict[str, Callable[[Atoms, str], Node]] = {
    "number": lambda parser, digits: number(digits),
    "decimal": Atoms.decimal,
    "name": Atoms.named,
    "constant": Atoms.constant,
    "function": Atoms.function,
    "based": _based,
    "field": _field,
}
