"""What an answer is read into: a small tree."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from palaestra.task import InvalidAnswer


class Unimplemented(InvalidAnswer):
    """Mathematics that this reader knows of but does not work out."""


class Undefined(InvalidAnswer):
    """An expression without a value, such as one that divides by zero."""


class Node(NamedTuple):
    """A piece of an answer: what it is, what it is made of, and a value that goes with it.

    ===========  ==============================  ===========================================
    ``op``       ``of``                          ``value``
    ===========  ==============================  ===========================================
    number                                       its ``Fraction``
    decimal                                      its ``Fraction``, then its digits as written
    variable                                     its name
    constant                                     ``pi``, ``e``, ``i`` or ``inf``
    neg, abs     one
    add, mul     two or more                     of a product, ``measured`` or nothing
    div, pow     two
    call         the arguments                   the function's name
    degrees      one
    letters      their product                   the word that they make, without blanks
    pm           what comes before, what varies  1 for plus or minus, -1 for minus or plus
    percent      one
    quantity     one                             its ``Unit``, and how it is written
    counted      one                             the noun
    based                                        digits, base
    ratio        two or more
    tuple        the entries                     its brackets, as ``()`` or ``[)``
    set          the members
    list, or     the items
    union, less  the sets
    reals
    relation     the sides                       the relations between them
    matrix       the rows, as tuples
    ===========  ==============================  ===========================================
    """

    op: str
    of: "tuple[Node, ...]" = ()
    value: Any = None

    def within(self) -> "Iterator[Node]":
        """This piece and all that it is made of, without recursion."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(node.of)

    def has(self, *ops: str) -> bool:
        """Return whether a tree contains a node of one of these types."""
        return any(node.op in ops for node in self.within())

    def changed(self, change: "Callable[[Node], Node]") -> "Node":
        """The same with each of its parts changed."""
        return self._replace(of=tuple(map(change, self.of)))


MEASURED = "measured"
"""The value of a product of a number and a unit of one letter, which may be a variable, too."""

ARITHMETIC = frozenset(
    [
        *("number", "decimal", "variable", "constant", "neg", "abs"),
        *("add", "mul", "div", "pow", "call", "degrees"),
    ]
)
"""What has a value that can be worked out."""


def variables(node: Node) -> frozenset[str]:
    """The names of the variables in it."""
    return frozenset(piece.value for piece in node.within() if piece.op == "variable")


def arithmetic(node: Node) -> bool:
    """Whether it is an expression, and not a set, a list or the like."""
    return node.op in ARITHMETIC


OPERATORS = ARITHMETIC - {"number", "decimal", "variable", "constant"}
"""What is made of other expressions."""


def infinite(node: Node) -> int | None:
    """1 or -1 for an infinity."""
    if node.op == "constant" and node.value == "inf":
        return 1
    if node.op == "neg" and (inner := infinite(node.of[0])) is not None:
        return -inner
    return None


def places(node: Node) -> int:
    """How many decimals a decimal number has."""
    if node.op == "neg":
        return places(node.of[0])
    mantissa, _, exponent = node.value[1].lower().partition("e")
    return len(mantissa.partition(".")[2]) - int(exponent or 0)
