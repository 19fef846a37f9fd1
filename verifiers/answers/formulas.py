"""Reading expressions: sums, products, signs, powers. What they are made of is read elsewhere."""

import re

from palaestra.task import InvalidAnswer
from palaestra.verifiers.answers.leaves import (
    IMAGINARY,
    ZERO,
    added,
    arithmetic_only,
    multiplied,
    negated,
    number,
)
from palaestra.verifiers.answers.nodes import MEASURED, Node, Unimplemented, variables
from palaestra.verifiers.answers.stream import DEPTH, Stream
from palaestra.verifiers.quantities.units import unit

LETTERED = frozenset(["Omega", *"ACFHJKLNTVWghlms"])
"""Units of one letter that a number may have."""
_BLANK = re.compile(r"[\s~]\Z|\\[,;:!]\Z")

_ADDING = frozenset(["+", "-", "pm", "mp"])
_ENDING = frozenset(["", "}", ")", "]", "+", "-", ",", "="])
"""Where a term ends, of what comes most often."""
_BEHIND = frozenset(["!", "'", "^", "circ"])

_BEGINS = frozenset(["number", "decimal", "name", "constant", "function", "begin", "based"])
ACCENTS = frozenset(["overline", "vec", "hat", "bar", "tilde", "widehat", "overrightarrow", "dot"])
FIGURES = frozenset(["angle", "triangle", "measuredangle", "overarc", "widetilde"])
ORDINALS = frozenset(["th", "st", "nd", "rd"])
STARTING = frozenset(["frac", "sqrt", "surd", "binom", "lfloor", "lceil"]) | ACCENTS | FIGURES
"""Commands that a factor starts with."""


class Expressions(Stream):
    """Reads expressions; a subclass reads atoms."""

    def atom(self) -> Node:
        """Read a factor that is not composed of others by operators."""
        raise NotImplementedError

    def sum(self) -> Node:
        self.deeper()
        terms = [ZERO] if self.sees("pm", "mp") else [self.term()]
        while self.ahead.value in _ADDING:
            if self.accept("+"):
                terms.append(arithmetic_only(self.term()))
            elif self.accept("-"):
                terms.append(Node("neg", (arithmetic_only(self.term()),)))
            elif self.sees("pm", "mp"):
                sign = 1 if self.take().value == "pm" else -1
                terms = [Node("pm", (added(terms), self.term()), sign)]
            else:
                break
        self.depth -= 1
        return added(terms)

    def term(self) -> Node:
        negative = self.signs()
        above, below = [self.factor()], []
        measured = False
        while True:
            if self.ahead.value in _ENDING:
                break
            if self.accept("*"):
                above.append(self.signed())
            elif self.accept("/"):
                below.append(self.signed())
            elif self.beside():
                measured = measured or self.measures(above)
                self.multiply(above, below)
            else:
                break
        node = multiplied(above)
        if measured and node.op == "mul":
            node = node._replace(value=MEASURED)
        if below:
            node = Node("div", (arithmetic_only(node), arithmetic_only(multiplied(below))))
        return negated(node) if negative else node

    def measures(self, above: list[Node]) -> bool:
        """Whether what comes now is a unit of one letter behind a number: "5 m", but not 5m."""
        name, start = self.ahead.value, self.ahead.start
        if self.ahead.category != "name" or name not in LETTERED or any(map(variables, above)):
            return False
        return name == "Omega" or _BLANK.search(self.text, max(0, start - 2), start) is not None

    def signs(self) -> bool:
        """Read plus and minus signs; return whether they negate what follows."""
        negative = False
        while self.sees("+", "-"):
            negative ^= self.take().value == "-"
        return negative

    def signed(self) -> Node:
        negative = self.signs()
        node = self.factor()
        return negated(node) if negative else node

    def beside(self) -> bool:
        """Return whether a factor follows without an operator before it."""
        category, value, *_ = self.ahead
        if category in _BEGINS:
            return True
        if category == "command":
            return value in STARTING
        if category == "sign":
            return value in {"(", "{"} or (value == "|" and not self.bars)
        return False

    def multiply(self, above: list[Node], below: list[Node]) -> None:
        """Add a factor directly after the last: of a mixed number, or of a product."""
        last = above[-1]
        category = self.ahead.category
        if category in {"number", "decimal", "based"}:
            if not below and self.mixed(above):
                return
            if last != IMAGINARY:
                self.fail("two numbers stand side by side")
        factor = self.factor()
        whole = last.op == "number" and not below and len(above) == 1
        if whole and factor.op == "div" and all(part.op == "number" for part in factor.of):
            above[-1] = Node("add", (last, factor))
        else:
            above.append(factor)  # from left to right: 1/2x is half of x

    def mixed(self, above: list[Node]) -> bool:
        """Read a mixed number such as "2 1/3" and add it; return whether there was one."""
        kinds = [token.category for token in self.tokens[self.position : self.position + 3]]
        if above[-1].op != "number" or len(above) > 1:
            return False
        if kinds != ["number", "sign", "number"] or self.tokens[self.position + 1].value != "/":
            return False
        numerator = self.atom()
        self.take()
        above[-1] = Node("add", (above[-1], Node("div", (numerator, self.atom()))))
        return True

    def factor(self) -> Node:
        node = self.atom()
        for _ in range(DEPTH):
            if self.ahead.value not in _BEHIND:
                return node
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
        raise InvalidAnswer(f"more than {DEPTH} signs after one factor", "limit")

    def raised(self, node: Node) -> Node:
        if self.sees("circ"):
            self.take()
            return self.turned(node)
        if self.sees("{") and self.tokens[self.position + 1].value == "circ":
            self.position += 2
            self.expect("}")
            return self.turned(node)
        if self.ahead.category == "word" and self.ahead.value in ORDINALS:
            self.take()
            return node
        if self.sees("{") and self.tokens[self.position + 1].value in ORDINALS:
            self.position += 2
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
        if scale.category in {"name", "word"} and scale.value.strip() in {"C", "F"}:
            self.take()
            words = f"°{scale.value.strip()}"
            return Node("quantity", (arithmetic_only(node),), (unit(words), words))
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
        r"""Read the argument of a command: braces, or a single digit or character, as in
        ``\frac12``.
        """
        if self.sees("{"):
            return arithmetic_only(self.braced())
        token = self.ahead
        if token.category == "number" and len(token.value) > 1:
            rest = token._replace(value=token.value[1:], start=token.start + 1)
            self.tokens[self.position] = rest
            return number(token.value[0])
        return arithmetic_only(self.atom())
