"""Operations that the task defines, as in school contests ("let a # b be")."""

from collections.abc import Iterable
from random import Random
from typing import NamedTuple, Self

from palaestra.generators.arithmetic.postfix import Postfix, folded, infix, postfix
from palaestra.task import Derivation, Puzzle, Score, Step, ladder
from palaestra.verifiers.reading.numbers import integers
from palaestra.verifiers.reading.rows import in_order
from palaestra.verifiers.reading.values import joined
from palaestra.verifiers.sums import signed_sum

SIGNS = "#@&%~$"

TESTS = {
    "a > b": lambda a, b: a > b,
    "a is even": lambda a, b: a % 2 == 0,
    "a + b is odd": lambda a, b: (a + b) % 2 == 1,
    "b is a multiple of 3": lambda a, b: b % 3 == 0,
    "a and b differ by less than 5": lambda a, b: abs(a - b) < 5,
}
"""The conditions that the result of an operation may depend on."""

Terms = tuple[int, int, int, int]
"""The coefficients of a, b and ab, and a constant."""


class Operation(NamedTuple):
    """An operation on two numbers, with a second formula if a test fails ('' for no test)."""

    formula: Terms
    test: str
    otherwise: Terms
    modulus: int

    def applied(self, a: int, b: int) -> int:
        """The result, from 0 to below the modulus."""
        first = not self.test or TESTS[self.test](a, b)
        x, y, xy, constant = self.formula if first else self.otherwise
        return (x * a + y * b + xy * a * b + constant) % self.modulus

    def as_text(self, sign: str) -> str:
        """The definition in words."""
        text = f"a {sign} b = ({_polynomial(self.formula)}) mod {self.modulus}"
        if not self.test:
            return text
        return f"{text} if {self.test}, else ({_polynomial(self.otherwise)}) mod {self.modulus}"


class CustomOperation(Puzzle):
    """Evaluate nested expressions of operations that the task defines."""

    tags = {"calculation", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        operations: int = ladder(1, 1, 2, 2, 3, 4, 5, high=6)
        operands: int = ladder(2, 3, 4, 5, 6, 9, 14, high=30)
        expressions: int = ladder(2, 3, 3, 3, 3, 3, 4, high=8)
        modulus: int = ladder(20, 20, 30, 50, 100, 200, 1000, low=10, high=1000)
        cases: bool = ladder(False, False, False, True)

    operations: tuple[Operation, ...]
    expressions: tuple[Postfix, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        signs = SIGNS[: knobs.operations]
        return cls(
            operations=tuple(_operation(rng, knobs.modulus, knobs.cases) for _ in signs),
            expressions=tuple(
                postfix(rng, [str(rng.randint(1, 19)) for _ in range(knobs.operands)], signs)
                for _ in range(knobs.expressions)
            ),
        )

    def canonical(self) -> str:
        return repr((self.operations, sorted(self.expressions)))

    def prompt(self) -> str:
        defined = "\n".join(op.as_text(sign) for sign, op in zip(SIGNS, self.operations))
        lines = "\n".join(f"{n}. {infix(e, SIGNS)}" for n, e in enumerate(self.expressions, 1))
        opening = self.phrase(
            "These signs stand for operations on whole numbers:",
            "Operations on whole numbers are defined as follows:",
        )
        ask = self.phrase(
            "Find the value of each expression.", "What is the value of each of these expressions?"
        )
        sample = joined([7, 0, 15, 3, 9, 4, 8, 2][: len(self.expressions)])
        return (
            f"{opening}\n\n{defined}\n\nHere a is the value to the left of the sign and b the "
            "value to its right, 3ab means 3 times a times b, and 'x mod m' is the remainder "
            "from 0 to m - 1 that x leaves on division by m, also if x is negative. Brackets are "
            f"evaluated first.\n\n{ask}\n{lines}\n\nWrite the {len(self.expressions)} values in "
            f"order, separated by commas, such as '{sample}'."
        )

    def values(self) -> list[int]:
        """The values of the expressions."""
        by_sign = dict(zip(SIGNS, self.operations))
        return [
            folded(e, by_sign, int, lambda sign, a, b: by_sign[sign].applied(a, b))
            for e in self.expressions
        ]

    def answer(self) -> str:
        return joined(self.values())

    def verify(self, answer: str) -> Score:
        return in_order(integers(answer, len(self.expressions)), self.values())

    def derivation(self) -> Derivation:
        """The operations in the order of evaluation, expression after expression."""
        by_sign = dict(zip(SIGNS, self.operations))
        for expression in self.expressions:
            stack: list[int] = []
            for token in expression:
                if token in by_sign:
                    right, left = stack.pop(), stack.pop()
                    value = by_sign[token].applied(left, right)
                    stack.append((yield Step(f"{left} {token} {right}", value)))
                else:
                    stack.append(int(token))

    def difficulty(self) -> float:
        cases = any(operation.test for operation in self.operations)
        return sum(len(e) // 2 for e in self.expressions) * (1.0 + cases)

    def shortcuts(self) -> Iterable[str]:
        for number in (0, 1):
            yield joined([number] * len(self.expressions))


def _operation(rng: Random, modulus: int, cases: bool) -> Operation:
    modulus = rng.randint(max(10, modulus // 2), modulus)
    test = rng.choice(list(TESTS)) if cases else ""
    return Operation(_terms(rng), test, _terms(rng), modulus)


def _terms(rng: Random) -> Terms:
    # Both operands and their order must matter.
    x, y = rng.sample([-5, -4, -3, -2, 2, 3, 4, 5], 2)
    return (x, y, rng.choice((-2, -1, 0, 0, 1, 2)), rng.randint(-9, 9))


def _polynomial(terms: Terms) -> str:
    """A formula in a and b.

    >>> _polynomial((-2, 3, 1, -4))
    '-2a + 3b + ab - 4'
    """
    return signed_sum(zip(terms, ("a", "b", "ab", "")))
