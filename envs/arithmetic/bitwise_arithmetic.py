"""Boolean algebra on rows of bits: Boole (1854), Shannon (1938), the word of a machine."""

from collections.abc import Iterable
from random import Random
from typing import Literal, Self

from palaestra.generators.arithmetic.postfix import folded, infix, postfix
from palaestra.task import Derivation, Puzzle, Score, Step, ladder
from palaestra.verifiers.reading.numbers import integer

SIGNS = {
    "logic": ("AND", "OR", "XOR"),
    "shifts": ("AND", "OR", "XOR", "SHL", "SHR"),
    "machine": ("AND", "OR", "XOR", "SHL", "SHR", "ROL", "ADD", "SUB"),
}
ALL = SIGNS["machine"]
RULES = {
    "AND": "a AND b has a 1 where both have a 1.",
    "OR": "a OR b has a 1 where at least one of them has a 1.",
    "XOR": "a XOR b has a 1 where exactly one of them has a 1.",
    "SHL": "a SHL b shifts the bits of a by b places to the left (towards the bit of the highest "
    "value), drops the bits that leave the word and fills up with zeros.",
    "SHR": "a SHR b shifts the bits of a by b places to the right, drops the bits that "
    "leave the word and fills up with zeros.",
    "ROL": "a ROL b shifts the bits of a by b places to the left; the bits that leave "
    "on the left come back on the right.",
    "ADD": "a ADD b is the sum, modulo 2^{width}.",
    "SUB": "a SUB b is the difference, modulo 2^{width}.",
}
SHIFTS = ("SHL", "SHR", "ROL")


class BitwiseArithmetic(Puzzle):
    """Evaluate expressions of bitwise logic, shifts and machine sums on words of fixed width."""

    tags = {"bits", "calculation", "unique-solution"}
    calculation = True

    class Knobs(Puzzle.Knobs):
        numbers: int = ladder(2, 3, 4, 5, 6, 8, 11, low=2, high=30)
        width: int = ladder(8, 8, 10, 12, 16, 24, 32, low=6, high=64)
        signs: Literal["logic", "shifts", "machine"] = ladder("logic", "logic", "shifts", "machine")
        numerals: Literal["binary", "decimal", "hexadecimal"] = ladder(
            "binary", "decimal", "decimal", "decimal", "hexadecimal"
        )

    row: tuple[str, ...]
    """The expression in postfix notation, with decimal numbers."""

    width: int
    numerals: str

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        numbers = [str(rng.randrange(1, 1 << knobs.width)) for _ in range(knobs.numbers)]
        row = list(postfix(rng, numbers, SIGNS[knobs.signs]))
        for n, token in enumerate(row):
            # The second operand of a shift is a small number, not an expression.
            if token in SHIFTS and row[n - 1] in ALL:
                row[n] = rng.choice(("AND", "OR", "XOR"))
            elif token in SHIFTS:
                row[n - 1] = str(rng.randrange(1, knobs.width // 2))
        return cls(row=tuple(row), width=knobs.width, numerals=knobs.numerals)

    def is_valid(self) -> bool:
        """Whether the value differs from each operand, and from the words of only 0s or only 1s."""
        return str(self.value()) not in (*self.row, "0", str((1 << self.width) - 1))

    def value(self) -> int:
        """The value of the expression."""
        return folded(self.row, ALL, int, self._join)

    def _join(self, sign: str, left: int, right: int) -> int:
        mask = (1 << self.width) - 1
        match sign:
            case "AND":
                return left & right
            case "OR":
                return left | right
            case "XOR":
                return left ^ right
            case "SHL":
                return left << right & mask
            case "SHR":
                return left >> right
            case "ROL":
                return (left << right | left >> (self.width - right)) & mask
            case "ADD":
                return left + right & mask
        return left - right & mask

    def canonical(self) -> str:
        return f"{self.width} {' '.join(self.row)}"

    def prompt(self) -> str:
        rules = "\n".join(
            rule.format(width=self.width) for sign, rule in RULES.items() if sign in self.row
        )
        ask = self.phrase("What is the value of this expression?", "Work out this expression.")
        form = {
            "binary": " Numbers are written in binary.",
            "decimal": "",
            "hexadecimal": " Numbers that begin with 0x are hexadecimal, all others decimal.",
        }[self.numerals]
        return (
            f"All numbers are unsigned words of {self.width} bits.{form}\n{rules}\n\n{ask}\n\n"
            f"{self._written()}\n\nGive the value as one decimal number, such as '77'."
        )

    def _written(self) -> str:
        """The expression in the numerals of the task; numbers of positions stay decimal."""
        row = list(self.row)
        for n, token in enumerate(row):
            shift = n + 1 < len(row) and row[n + 1] in SHIFTS
            if token.isdigit() and self.numerals == "binary":
                row[n] = f"{int(token):0{self.width}b}"
            elif token.isdigit() and self.numerals == "hexadecimal" and not shift:
                row[n] = f"0x{int(token):X}"
        return infix(tuple(row), ALL)

    def answer(self) -> str:
        return str(self.value())

    def verify(self, answer: str) -> Score:
        number = integer(answer)
        if not 0 <= number < 1 << self.width:
            return Score(0, f"the value is not an unsigned word of {self.width} bits")
        right = number == self.value()
        return Score(1) if right else Score(0, "the expression has another value")

    def derivation(self) -> Derivation:
        """The operations in the order of evaluation, in decimal."""
        stack: list[int] = []
        for token in self.row:
            if token in ALL:
                right, left = stack.pop(), stack.pop()
                step = Step(f"{left} {token} {right}", self._join(token, left, right))
                stack.append((yield step))
            else:
                stack.append(int(token))

    def difficulty(self) -> float:
        return len(self.row) // 2 * self.width

    def random_baseline(self) -> float:
        return 1 / (1 << self.width)

    def shortcuts(self) -> Iterable[str]:
        yield from (token for token in self.row if token.isdigit())

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(numbers=3, width=6)

    def candidates(self) -> Iterable[str]:
        return map(str, range(1 << self.width))
