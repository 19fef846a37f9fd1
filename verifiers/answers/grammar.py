r"""Reading tokens into a tree: recursive descent, from lists down to atoms.

::

    answer    = item { ("," | ";" | "and" | "or") item }
    item      = side { relation side }
    side      = union [ ":" union … ]
    union     = measured { \cup measured | \setminus measured }
    measured  = [ $ ] sum [ % | $ | unit | noun ]
    sum       = term { (+ | - | \pm) term }
    term      = factor { (* | / | beside) factor }
    factor    = atom { ! | ^ exponent | prime | degrees }
"""

import re
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import NoReturn

from palaestra.task import Unreadable
from palaestra.verifiers.answers.nodes import ARITHMETIC, Node, Unimplemented
from palaestra.verifiers.answers.tokens import Token, tokens
from palaestra.verifiers.units import counted, unit

DEPTH = 40
"""How deep an answer may be nested."""

DIGITS = 2_000
"""How many digits a number may have."""

ZERO, ONE, TWO, TEN = (Node("number", (), Fraction(n)) for n in (0, 1, 2, 10))
HALF = Node("div", (ONE, TWO))
INFINITY = Node("constant", (), "inf")
REALS = Node("reals")

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

_MONEY = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR"}
_CLOSERS = {"(": ")", "[": "]"}
_ACCENTS = frozenset(["overline", "vec", "hat", "bar", "tilde", "widehat", "overrightarrow", "dot"])
_FIGURES = frozenset(["angle", "triangle", "measuredangle", "overarc", "widetilde"])
_SCALES = {
    "hundred": 100, "thousand": 1_000, "million": 10**6, "billion": 10**9, "trillion": 10**12,
    "dozen": 12,
}  # fmt: skip
_ORDINALS = frozenset(["th", "st", "nd", "rd"])
_BEGINS = frozenset(["number", "decimal", "name", "constant", "function", "begin", "based"])
_ATOMS = (
    frozenset(["frac", "sqrt", "surd", "binom", "lfloor", "lceil", "emptyset", "reals"])
    | _ACCENTS
    | _FIGURES
)
_MATRICES = frozenset(["pmatrix", "bmatrix", "matrix", "array", "Bmatrix", "smallmatrix"])


def parsed(text: str) -> Node:
    r"""The tree of an answer in one spelling of its signs.

    Raises :class:`Unreadable`, with status ``limit`` for what is too long or too deep.

    >>> parsed("x = 2").op, parsed(r"\{1, 2\}").op, parsed("[0, 1)").value
    ('relation', 'set', '[)')
    """
    return _Parser(text).whole()


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.tokens.append(Token("sign", "", len(text), len(text)))
        self.place = 0
        self.depth = 0
        self.bars = 0

    # ------------------------------------------------------------------ moving along

    @property
    def ahead(self) -> Token:
        return self.tokens[self.place]

    def take(self) -> Token:
        token = self.tokens[self.place]
        if self.place == len(self.tokens) - 1:
            self.fail("it breaks off")
        self.place += 1
        return token

    def sees(self, *values: str) -> bool:
        token = self.tokens[self.place]
        return token.value in values and token.kind in {"sign", "command"}

    def accept(self, *values: str) -> bool:
        if self.sees(*values) and self.tokens[self.place].value:
            self.place += 1
            return True
        return False

    def expect(self, value: str) -> None:
        if not self.accept(value):
            self.fail(f"{value!r} is missing")

    def fail(self, message: str = "") -> NoReturn:
        token = self.ahead
        if token.kind == "command" and token.value in UNIMPLEMENTED:
            raise Unimplemented(f"\\{token.value} is not worked out here")
        raise Unreadable(message or f"{token.value[:20]!r} is out of place")

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > DEPTH:
            raise Unreadable(f"nested more than {DEPTH} deep", "limit")

    # ------------------------------------------------------------------ lists, relations, sets

    def whole(self) -> Node:
        node = self.answer()
        while self.accept(".") or self.accept("?"):
            pass
        if self.place != len(self.tokens) - 1:
            self.fail()
        return node

    def answer(self) -> Node:
        items = [self.item()]
        either = False
        while self.ahead.kind == "separator":
            while self.ahead.kind == "separator":
                sign = self.take().value
                either = sign == "or" or either
            if sign in {",", ";"} and self.ended():
                break  # a comma at the end separates nothing
            items.append(self.item())
        if len(items) == 1:
            return items[0]
        return Node("or" if either else "list", tuple(items))

    def ended(self) -> bool:
        return self.ahead.kind == "sign" and self.ahead.value in {"", ".", ")", "]", "\\}"}

    def item(self) -> Node:
        self.deeper()
        sides: list[Node] = []
        relations: list[str] = []
        if self.ahead.kind == "relation":  # "= 5" is 5, "> 5" is not
            relations.append(self.take().value)
            sides.append(Node("variable", (), ""))
        sides.append(self.side())
        while self.ahead.kind == "relation":
            relations.append(self.take().value)
            sides.append(self.side())
        self.depth -= 1
        if relations and sides[0].value == "" and relations[0] in {"=", "~"}:
            del relations[0], sides[0]
        if not relations:
            return sides[0]
        return Node("relation", tuple(sides), tuple(relations))

    def side(self) -> Node:
        first = self.union()
        if not self.sees(":") and not (self.ahead.kind == "word" and self.ahead.value == "to"):
            return first
        terms = [first]
        while self.accept(":") or (self.ahead.value == "to" and self.take()):
            terms.append(arithmetic_only(self.union()))
        return Node("ratio", (arithmetic_only(first), *terms[1:]))

    def union(self) -> Node:
        sets = [self.measured()]
        while self.sees("cup", "setminus"):
            kind = self.take().value
            other = self.measured()
            if kind == "setminus":
                sets = [Node("less", (_united(sets), other))]
            else:
                sets.append(other)
        return _united(sets)

    # ------------------------------------------------------------------ what an amount is of

    def measured(self) -> Node:
        negative = self.ahead.value == "-" and self.tokens[self.place + 1].value in _MONEY
        self.place += negative
        money = self.currency()
        node = self.sum()
        if negative:
            node = Node("neg", (node,))
        if not money and self.accept("%"):
            return Node("percent", (arithmetic_only(node),))
        if money := money or self.currency():
            return self.of_unit(node, money)
        if self.ahead.kind == "word" and self.ahead.value != "to":
            return self.of_words(node)
        return node

    def currency(self) -> str:
        """The currency whose sign stands here, or nothing."""
        return _MONEY[self.take().value] if self.sees(*_MONEY) else ""

    def of_words(self, node: Node) -> Node:
        """An amount with what follows it: a unit, a noun, a scale such as "million"."""
        node = arithmetic_only(node)
        while self.ahead.kind == "word" and self.ahead.value.casefold() in _SCALES:
            scale = Fraction(_SCALES[self.take().value.casefold()])
            node = Node("mul", (node, Node("number", (), scale)))
        if self.ahead.kind == "word" and self.ahead.value in _ORDINALS:
            self.take()
        start = self.ahead.start
        level = 0
        while self.ahead.value and self.ahead.kind not in {"separator", "relation"}:
            level += (self.ahead.value in {"(", "{", "["}) - (self.ahead.value in {")", "}", "]"})
            if level < 0 or self.ahead.value in {"\\}", "\\{", "&", "\\\\", ":", "end", "cup"}:
                break
            if self.ahead.value == "." and self.tokens[self.place + 1].value == "":
                break
            self.take()
        words = self.text[start : self.tokens[self.place - 1].end].strip()
        if not words:
            return node
        if words.strip("{} ").casefold() in {"percent", "per cent", "pct"} or _said(words) in {
            "percent", "per cent"
        }:  # fmt: skip
            return Node("percent", (node,))
        return self.of_unit(node, words)

    def of_unit(self, node: Node, words: str) -> Node:
        if (known := unit(words)) is not None:
            return Node("quantity", (arithmetic_only(node),), known)
        noun = _noun(words)
        if noun is None:
            raise Unreadable(f"{words[:20]!r} is neither a unit nor a thing that is counted")
        return Node("counted", (arithmetic_only(node),), noun)

    # ------------------------------------------------------------------ expressions

    def sum(self) -> Node:
        self.deeper()
        terms = [ZERO] if self.sees("pm", "mp") else [self.term()]
        while True:
            if self.accept("+"):
                terms.append(arithmetic_only(self.term()))
            elif self.accept("-"):
                terms.append(Node("neg", (arithmetic_only(self.term()),)))
            elif self.sees("pm", "mp"):
                sign = 1 if self.take().value == "pm" else -1
                terms = [Node("pm", (_added(terms), self.term()), sign)]
            else:
                break
        self.depth -= 1
        return _added(terms)

    def term(self) -> Node:
        negative = self.signs()
        above, below = [self.factor()], []
        while True:
            if self.accept("*"):
                above.append(self.signed())
            elif self.accept("/"):
                below.append(self.signed())
            elif self.beside():
                self.multiply(above, below)
            else:
                break
        node = _multiplied(above)
        if below:
            node = Node("div", (arithmetic_only(node), arithmetic_only(_multiplied(below))))
        return Node("neg", (node,)) if negative else node

    def signs(self) -> bool:
        """Whether the signs that come now make what follows negative."""
        negative = False
        while self.sees("+", "-"):
            negative ^= self.take().value == "-"
        return negative

    def signed(self) -> Node:
        negative = self.signs()
        node = self.factor()
        return Node("neg", (node,)) if negative else node

    def beside(self) -> bool:
        """Whether a factor follows that nothing stands before."""
        kind, value, *_ = self.ahead
        if kind in _BEGINS:
            return True
        if kind == "command":
            return value in _ATOMS and value not in {"emptyset", "reals"}
        if kind == "sign":
            return value in {"(", "{"} or (value == "|" and not self.bars)
        return False

    def multiply(self, above: list[Node], below: list[Node]) -> None:
        """Adds a factor that stands beside the last: of a mixed number, or of a product."""
        last = above[-1]
        kind = self.ahead.kind
        if kind in {"number", "decimal", "based"}:
            if not below and self.mixed(above):
                return
            self.fail("two numbers stand side by side")
        factor = self.factor()
        whole = last.op == "number" and not below and len(above) == 1
        if whole and factor.op == "div" and all(part.op == "number" for part in factor.of):
            above[-1] = Node("add", (last, factor))
        else:
            above.append(factor)  # from left to right: 1/2x is half of x

    def mixed(self, above: list[Node]) -> bool:
        """Whether "2 1/3" stands here; it is added then."""
        kinds = [token.kind for token in self.tokens[self.place : self.place + 3]]
        if above[-1].op != "number" or len(above) > 1:
            return False
        if kinds != ["number", "sign", "number"] or self.tokens[self.place + 1].value != "/":
            return False
        numerator = self.atom()
        self.take()
        above[-1] = Node("add", (above[-1], Node("div", (numerator, self.atom()))))
        return True

    def factor(self) -> Node:
        node = self.atom()
        for _ in range(DEPTH):
            if self.accept("!"):
                name = "double factorial" if self.accept("!") else "factorial"
                node = Node("call", (arithmetic_only(node),), name)
            elif self.sees("'") and node.op == "variable":
                self.take()
                node = node._replace(value=node.value + "'")
            elif self.accept("^"):
                node = self.raised(node)
            elif self.accept("circ"):
                node = self.turned(node)
            else:
                return node
        raise Unreadable(f"more than {DEPTH} signs behind one factor", "limit")

    def raised(self, node: Node) -> Node:
        if self.sees("circ"):
            self.take()
            return self.turned(node)
        if self.sees("{") and self.tokens[self.place + 1].value == "circ":
            self.place += 2
            self.expect("}")
            return self.turned(node)
        if self.ahead.kind == "word" and self.ahead.value in _ORDINALS:
            self.take()
            return node
        if self.sees("{") and self.tokens[self.place + 1].value in _ORDINALS:
            self.place += 2
            self.expect("}")
            return node
        if self.sees("'"):
            return node
        exponent = self.braced() if self.sees("{") else self.exponent()
        if node.op == "field" and node.value == "R":
            raise Unimplemented("powers of sets are not worked out here")
        return Node("pow", (arithmetic_only(node), arithmetic_only(exponent)))

    def turned(self, node: Node) -> Node:
        """An angle in degrees, or a temperature."""
        scale = self.ahead
        if scale.kind in {"name", "word"} and scale.value.strip() in {"C", "F"}:
            self.take()
            return Node("quantity", (arithmetic_only(node),), unit(f"°{scale.value.strip()}"))
        return Node("degrees", (arithmetic_only(node),))

    def exponent(self) -> Node:
        if self.signs_here():
            negative = self.signs()
            inner = self.exponent()
            return Node("neg", (inner,)) if negative else inner
        self.deeper()
        node = self.atom()
        if self.accept("^"):  # to the right, as in 2^3^2
            node = Node("pow", (node, self.braced() if self.sees("{") else self.exponent()))
        self.depth -= 1
        return node

    def signs_here(self) -> bool:
        return self.sees("+", "-")

    def braced(self) -> Node:
        self.deeper()
        self.expect("{")
        node = self.sum()
        self.expect("}")
        self.depth -= 1
        return node

    def argument(self) -> Node:
        r"""What a command is given: braces, or a single digit or sign, as in ``\frac12``."""
        if self.sees("{"):
            return arithmetic_only(self.braced())
        token = self.ahead
        if token.kind == "number" and len(token.value) > 1:
            rest = token._replace(value=token.value[1:], start=token.start + 1)
            self.tokens[self.place] = rest
            return _number(token.value[0])
        return arithmetic_only(self.atom())

    # ------------------------------------------------------------------ atoms

    def atom(self) -> Node:
        self.deeper()
        node = self._atom()
        self.depth -= 1
        return node

    def _atom(self) -> Node:
        kind, value, *_ = self.ahead
        if kind == "sign":
            return self.bracketed(value)
        if kind == "command":
            return self.command(value)
        if kind == "begin":
            return self.matrix()
        leaf = _LEAVES.get(kind) or self.fail()
        self.take()
        return leaf(self, value)

    def named(self, name: str) -> Node:
        return Node("variable", (), name + self.index())

    def constant(self, name: str) -> Node:
        if name in {"e", "i"} and self.sees("_"):
            return self.named(name)
        return Node("constant", (), name)

    def index(self) -> str:
        """What stands below a name."""
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
            self.expect("{")
            period = self.take().value
            self.expect("}")
            if not period.isdecimal():
                self.fail("a period is made of digits")
            places = len(digits.partition(".")[2])
            part = Fraction(int(period[:DIGITS]), (10 ** len(period[:DIGITS]) - 1) * 10**places)
            return Node("number", (), Fraction(digits or "0") + part)
        return _decimal(digits)

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
            self.place -= 1
            self.fail()
        self.depth -= 1
        return node

    def in_brackets(self, opening: str) -> Node:
        """What stands in brackets: an expression, a tuple or an interval."""
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
        if self.ahead.kind == "name" and self.tokens[self.place + 1].value in {":", "|"}:
            self.place += 2  # the set of all x such that
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
        inner = self.answer()
        if self.ahead.kind == "over":
            self.take()
            below = self.answer()
            inner = Node("div", (arithmetic_only(inner), arithmetic_only(below)))
        self.expect("}")
        return Node("set", inner.of) if inner.op == "list" else inner

    def command(self, name: str) -> Node:
        if name not in _ATOMS:
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
        if name in _ACCENTS:
            return self.accented(name)
        if name in _FIGURES:
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
        while self.ahead.kind in {"name", "word"}:
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
            while self.beside() and not self.sees("(") and self.ahead.kind != "function":
                factors.append(self.factor())
            node = _multiplied(factors)
            if self.sees("/") and self.tokens[self.place + 1].kind == "number":
                self.take()  # cos pi/3
                node = Node("div", (arithmetic_only(node), self.atom()))
        self.depth -= 1
        return arithmetic_only(node)

    def at_end(self) -> bool:
        return self.ahead.kind == "end"

    def matrix(self) -> Node:
        kind = self.take().value
        if kind == "vmatrix":
            raise Unimplemented("determinants are not worked out here")
        if kind not in _MATRICES:
            raise Unimplemented(f"{kind[:20]} is not read here")
        if kind == "array" and self.accept("{"):
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
            raise Unreadable("the rows of a matrix are not of one length")
        return Node("matrix", tuple(Node("tuple", tuple(row), "()") for row in rows))


def _based(parser: _Parser, text: str) -> Node:
    digits, _, base = text.partition("_")
    return Node("based", (), (digits.lstrip("0") or "0", int(base)))


def _field(parser: _Parser, name: str) -> Node:
    if name != "R":
        raise Unimplemented("sets of numbers other than the real ones are not worked out here")
    return REALS


def arithmetic_only(node: Node) -> Node:
    """The node itself, where it has a value; a set or a list has none."""
    if node.op in ARITHMETIC or node.op in {"pm", "based"}:
        return node
    raise Unreadable("sets, lists and the like cannot be calculated with")


def _united(sets: list[Node]) -> Node:
    return sets[0] if len(sets) == 1 else Node("union", tuple(sets))


def _added(terms: list[Node]) -> Node:
    if len(terms) == 1:
        return terms[0]
    return Node("add", (arithmetic_only(terms[0]), *terms[1:]))


def _multiplied(factors: list[Node]) -> Node:
    if len(factors) == 1:
        return factors[0]
    *scalars, last = factors
    if last.op == "matrix":  # a matrix with numbers before it
        scalar = _multiplied(scalars)
        return last.changed(lambda row: row.changed(lambda cell: _multiplied([scalar, cell])))
    return Node("mul", tuple(map(arithmetic_only, factors)))


@lru_cache(maxsize=2048)
def _number(digits: str) -> Node:
    if len(digits) > DIGITS:
        raise Unreadable(f"a number of more than {DIGITS} digits", "limit")
    return Node("number", (), Fraction(int(digits)))


@lru_cache(maxsize=2048)
def _decimal(digits: str) -> Node:
    mantissa, _, exponent = digits.replace("E", "e").partition("e")
    if len(mantissa) > DIGITS or len(exponent) > 4:
        raise Unreadable(f"a number of more than {DIGITS} digits", "limit")
    value = Fraction("0" + mantissa if mantissa.startswith(".") else mantissa)
    if exponent:
        value *= Fraction(10) ** int(exponent)
    return Node("decimal", (), (value, digits))


_LEAVES: dict[str, Callable[[_Parser, str], Node]] = {
    "number": lambda parser, digits: _number(digits),
    "decimal": _Parser.decimal,
    "name": _Parser.named,
    "constant": _Parser.constant,
    "function": _Parser.function,
    "based": _based,
    "field": _field,
}


_NEVER_COUNTED = frozenset(
    [
        *("not", "no", "wrong", "incorrect", "is", "isn't", "or", "and", "if", "maybe", "false"),
        *(
            "never",
            "perhaps",
            "about",
            "approximately",
            "more",
            "less",
            "than",
            "at",
            "least",
            "most",
        ),
        *(
            "plus",
            "minus",
            "over",
            "under",
            "correct",
            "right",
            "the",
            "to",
            "other",
            "but",
            "equals",
        ),
        *("divided", "by", "squared", "cubed", "factorial", "mod", "choose", "half", "for", "when"),
        *(
            "true",
            "yes",
            "unsure",
            "wait",
            "actually",
            "until",
            "from",
            "then",
            "possibly",
            "roughly",
        ),
    ]
)
_MARKUP = re.compile(r"\\[a-zA-Z]+\*?\s*\{|[{}]")


def _said(words: str) -> str:
    r"""The words of a text with or without ``\text{}`` around them."""
    return _MARKUP.sub(" ", words).strip().casefold()


def _noun(words: str) -> str | None:
    said = _said(words)
    if len(said) > 40 or not all(sign.isalpha() or sign in " -'" for sign in said):
        return None
    if not _NEVER_COUNTED.isdisjoint(said.split()) or len(said.split()) > 3:
        return None
    return counted(said)
