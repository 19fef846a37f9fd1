"""Expressions as trees: what they are worth, and ways in which people write them.

Every case of the bench is written from trees, and its label is worked out from the trees again at
200 digits, so that no reader of answers has a say in what is right.
"""

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from random import Random

import mpmath

DIGITS = 200
SYMBOLS = {"pi": ("\\pi", "pi", "π"), "theta": ("\\theta", "theta", "θ")}
TRIG = ("sin", "cos", "tan", "sec", "csc", "cot")
SUM, PRODUCT, POWER, ATOM = range(4)
SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


@dataclass(frozen=True)
class Tree:
    """An operation and its operands; the operands of ``num``, ``dec`` and ``sym`` are plain."""

    op: str
    args: tuple = ()

    def __add__(self, other: "Tree | int") -> "Tree":
        return Tree("add", (*self._terms("add"), *tree(other)._terms("add")))

    def __sub__(self, other: "Tree | int") -> "Tree":
        return Tree("add", (*self._terms("add"), neg(tree(other))))

    def __mul__(self, other: "Tree | int") -> "Tree":
        return Tree("mul", (*self._terms("mul"), *tree(other)._terms("mul")))

    def __rmul__(self, other: int) -> "Tree":
        return tree(other) * self

    def __truediv__(self, other: "Tree | int") -> "Tree":
        return Tree("div", (self, tree(other)))

    def __pow__(self, other: "Tree | int") -> "Tree":
        return Tree("pow", (self, tree(other)))

    def __neg__(self) -> "Tree":
        return neg(self)

    def _terms(self, op: str) -> tuple:
        return self.args if self.op == op else (self,)


def tree(value: "Tree | int | Fraction") -> Tree:
    """A number as a tree; a fraction is a quotient."""
    if isinstance(value, Tree):
        return value
    if isinstance(value, Fraction) and value.denominator > 1:
        whole = Tree("div", (num(abs(value.numerator)), num(value.denominator)))
        return neg(whole) if value < 0 else whole
    return num(int(value))


def num(value: int) -> Tree:
    return neg(num(-value)) if value < 0 else Tree("num", (value,))


def neg(operand: Tree) -> Tree:
    return operand.args[0] if operand.op == "neg" else Tree("neg", (operand,))


def dec(text: str) -> Tree:
    """A decimal as it is written."""
    return neg(dec(text[1:])) if text.startswith("-") else Tree("dec", (text,))


def sci(mantissa: str, exponent: int) -> Tree:
    if mantissa.startswith("-"):
        return neg(sci(mantissa[1:], exponent))
    return Tree("sci", (mantissa, exponent))


def sym(name: str) -> Tree:
    return Tree("sym", (name,))


def sqrt(operand: Tree | int, index: int = 2) -> Tree:
    return Tree("root", (tree(operand), index))


def fn(name: str, operand: Tree | int) -> Tree:
    return Tree("fn", (name, tree(operand)))


def log(base: int, operand: Tree | int) -> Tree:
    return Tree("log", (tree(operand), base))


def fact(operand: Tree | int) -> Tree:
    return Tree("fact", (tree(operand),))


def binom(n: Tree | int, k: Tree | int) -> Tree:
    return Tree("binom", (tree(n), tree(k)))


def absolute(operand: Tree) -> Tree:
    return Tree("abs", (operand,))


def degrees(operand: Tree | int) -> Tree:
    return Tree("degrees", (tree(operand),))


def mixed(whole: int, top: int, bottom: int) -> Tree:
    """A mixed number such as 1 1/2."""
    return Tree("mixed", (whole, top, bottom))


def add(terms: Sequence[Tree]) -> Tree:
    return terms[0] if len(terms) == 1 else Tree("add", tuple(terms))


def mul(factors: Sequence[Tree]) -> Tree:
    return factors[0] if len(factors) == 1 else Tree("mul", tuple(factors))


X, Y, Z, A, B, N, PI, E, J = map(sym, ("x", "y", "z", "a", "b", "n", "pi", "e", "i"))


# What a tree is worth


def value(of: Tree, at: Mapping[str, mpmath.mpf] | None = None) -> mpmath.mpc:
    """The value at 200 digits, with the main branch of every function."""
    with mpmath.workdps(DIGITS):
        return mpmath.mpc(_value(of, at or {}))


def _value(of: Tree, at: Mapping[str, mpmath.mpf]) -> mpmath.mpc:
    op, args = of.op, of.args
    if op in PLAIN:
        return PLAIN[op](*args)
    if op == "sym":
        constants = {"pi": mpmath.pi, "e": mpmath.e, "i": mpmath.mpc(0, 1)}
        return at[args[0]] if args[0] in at else +constants[args[0]]
    if op == "fn":
        return FUNCTIONS[args[0]](_value(args[1], at))
    parts = [_value(arg, at) if isinstance(arg, Tree) else arg for arg in args]
    return OPERATIONS[op](*parts)


PLAIN = {
    "num": mpmath.mpf,
    "dec": mpmath.mpf,
    "sci": lambda mantissa, exponent: mpmath.mpf(mantissa) * mpmath.mpf(10) ** exponent,
    "mixed": lambda whole, top, bottom: mpmath.mpf(whole) + mpmath.mpf(top) / bottom,
}
FUNCTIONS = {name: getattr(mpmath, name) for name in TRIG} | {
    "ln": mpmath.log,
    "exp": mpmath.exp,
    "arcsin": mpmath.asin,
    "arccos": mpmath.acos,
    "arctan": mpmath.atan,
}
OPERATIONS = {
    "add": lambda *terms: mpmath.fsum(terms),
    "mul": lambda *factors: mpmath.fprod(factors),
    "div": operator.truediv,
    "neg": operator.neg,
    "pow": mpmath.power,
    "root": mpmath.root,
    "log": lambda operand, base: mpmath.log(operand) / mpmath.log(base),
    "fact": mpmath.factorial,
    "binom": mpmath.binomial,
    "abs": abs,
    "degrees": lambda operand: operand * mpmath.pi / 180,
}


def names(of: Tree) -> set[str]:
    """The variables of a tree."""
    if of.op == "sym":
        return set() if of.args[0] in {"pi", "e", "i"} else {of.args[0]}
    return set().union(*(names(arg) for arg in of.args if isinstance(arg, Tree)), set())


def points(variables: set[str], count: int = 6) -> list[dict[str, mpmath.mpf]]:
    """Points, positive and negative, at which expressions are compared."""
    rng = Random(20)
    with mpmath.workdps(DIGITS):
        return [
            {v: mpmath.mpf(rng.choice((-1, 1)) * rng.randint(101, 3999)) / 997 for v in order}
            for order in [sorted(variables)] * (count if variables else 1)
        ]


def close(one: mpmath.mpc, other: mpmath.mpc, digits: int = DIGITS - 20) -> bool:
    with mpmath.workdps(DIGITS):
        scale = max(abs(one), abs(other))
        return abs(one - other) <= scale * mpmath.mpf(10) ** -digits


def equal(one: Tree, other: Tree) -> bool:
    """Whether two trees agree at every point; raises where the digits do not tell."""
    spots = points(names(one) | names(other))
    pairs = [(value(one, spot), value(other, spot)) for spot in spots]
    same = [close(*pair) for pair in pairs]
    if all(same):
        return True
    if any(not close(*pair, digits=DIGITS - 30) for pair in pairs):
        return False
    raise ArithmeticError(f"200 digits do not tell {one} from {other}")


# How a tree is written


@dataclass(frozen=True)
class Style:
    """One hand: LaTeX, plain text, or text with signs such as √ and ²."""

    script: str = "latex"
    fraction: str = "\\frac"
    times: str = "\\cdot "
    tight: bool = True
    left: str = "("
    right: str = ")"
    power: str = "^"
    short: bool = False


def style(rng: Random, script: str | None = None) -> Style:
    """A hand drawn by chance."""
    script = script or rng.choice(("latex", "latex", "latex", "plain", "signs"))
    left, right = rng.choice((("(", ")"), ("(", ")"), ("\\left(", "\\right)")))
    if script != "latex":
        left, right = "(", ")"
    return Style(
        script,
        rng.choice(("\\frac", "\\frac", "\\dfrac", "\\tfrac", "/")),
        rng.choice(("\\cdot ", "\\times ") if script == "latex" else ("*", " * ")),
        rng.random() < 0.6,
        left,
        right,
        rng.choice(("^", "^", "**")) if script == "plain" else "^",
        rng.random() < 0.4,
    )


def write(of: Tree, hand: Style = Style()) -> str:
    """The expression as this hand writes it."""
    return _write(of, hand)[0]


def _write(of: Tree, hand: Style) -> tuple[str, int]:
    return getattr(Writer(hand), of.op)(*of.args)


def ends_in_a_command(text: str) -> bool:
    """Whether a letter that follows would be taken for a part of a command's name."""
    _, backslash, name = text.rpartition("\\")
    return bool(backslash) and name.isalpha()


class Writer:
    """One method an operation, each giving the text and how tightly it binds."""

    def __init__(self, hand: Style) -> None:
        self.hand = hand
        self.latex = hand.script == "latex"
        self.signs = hand.script == "signs"

    def put(self, of: Tree, least: int) -> str:
        """An operand, in brackets where it binds less tightly than it must."""
        text, binds = _write(of, self.hand)
        return text if binds >= least else f"{self.hand.left}{text}{self.hand.right}"

    def num(self, number: int) -> tuple[str, int]:
        return str(number), ATOM

    def dec(self, text: str) -> tuple[str, int]:
        return text, ATOM

    def sci(self, mantissa: str, exponent: int) -> tuple[str, int]:
        if self.latex:
            return f"{mantissa} \\times 10^{{{exponent}}}", PRODUCT
        if self.signs:
            return f"{mantissa} × 10{str(exponent).translate(SUPERSCRIPTS)}", PRODUCT
        if self.hand.short:
            return f"{mantissa}e{exponent}", PRODUCT
        power = self.hand.power if 0 <= exponent < 10 else "**"
        return f"{mantissa}*10{power}{f'({exponent})' if exponent < 0 else exponent}", PRODUCT

    def mixed(self, whole: int, top: int, bottom: int) -> tuple[str, int]:
        if self.latex:
            command = "\\frac" if self.hand.fraction == "/" else self.hand.fraction
            return f"{whole}{command}{{{top}}}{{{bottom}}}", PRODUCT
        return f"{whole} {top}/{bottom}", PRODUCT

    def sym(self, name: str) -> tuple[str, int]:
        kinds = SYMBOLS.get(name, (name, name, name))
        return kinds[("latex", "plain", "signs").index(self.hand.script)], ATOM

    def add(self, *terms: Tree) -> tuple[str, int]:
        gap = "" if self.hand.tight else " "
        text = self.put(terms[0], SUM)
        for term in terms[1:]:
            sign, size = ("-", term.args[0]) if term.op == "neg" else ("+", term)
            text += f"{gap}{sign}{gap}{self.put(size, PRODUCT)}"
        return text, SUM

    def neg(self, operand: Tree) -> tuple[str, int]:
        return f"-{self.put(operand, PRODUCT)}", SUM

    def mul(self, *factors: Tree) -> tuple[str, int]:
        text = self.put(factors[0], PRODUCT)
        for left, right in pairwise(factors):
            written = self.put(right, POWER)
            between = "" if self.touch(left, right, written) else self.hand.times
            if not between and ends_in_a_command(text) and written[0].isalpha():
                between = " "
            text += between + written
        return text, PRODUCT

    def touch(self, left: Tree, right: Tree, written: str) -> bool:
        """Whether two factors may stand side by side and still be read by all as a product."""
        if right.op in {"num", "dec", "sci", "mixed", "div"} or written[0].isdigit():
            return False
        if left.op == "div":
            return self.latex and self.hand.fraction != "/" and right.op == "sym"
        if left.op in {"fn", "log", "fact", "binom", "abs"} or right.op == "abs":
            return False
        if right.op == "pow" and right.args[0].op in {"num", "dec", "div"}:
            return False
        if not self.latex:
            if left.op not in {"num", "dec"} or not self.hand.tight:
                return False
            return written[0] in "(√" or (right.op == "sym" and right != E)  # 2e+3 is not a sum
        return not written.startswith("\\binom")

    def div(self, top: Tree, bottom: Tree) -> tuple[str, int]:
        if not self.latex or self.hand.fraction == "/":
            return f"{self.put(top, PRODUCT)}/{self.put(bottom, ATOM)}", PRODUCT
        above, below = write(top, self.hand), write(bottom, self.hand)
        if self.hand.short and len(above) == len(below) == 1 and (above + below).isdigit():
            return f"{self.hand.fraction}{above}{below}", POWER
        return f"{self.hand.fraction}{{{above}}}{{{below}}}", POWER

    def pow(self, base: Tree, exponent: Tree) -> tuple[str, int]:
        raised = write(exponent, self.hand)
        if base.op == "fn" and base.args[0] in TRIG and self.latex and raised.isdigit():
            return f"\\{base.args[0]}^{{{raised}}}({write(base.args[1], self.hand)})", POWER
        below = self.put(base, ATOM)
        if self.latex:
            bare = self.hand.short and len(raised) == 1
            return f"{below}^{raised if bare else f'{{{raised}}}'}", POWER
        if self.signs and raised.lstrip("-").isdigit():
            return below + raised.translate(SUPERSCRIPTS), POWER
        raised = self.put(exponent, ATOM)
        power = "**" if raised.isdigit() and len(raised) > 1 else self.hand.power  # x^10 is x^1 0
        return f"{below}{power}{raised}", POWER

    def root(self, operand: Tree, index: int) -> tuple[str, int]:
        inside = write(operand, self.hand)
        if self.latex:
            return f"\\sqrt{'' if index == 2 else f'[{index}]'}{{{inside}}}", ATOM
        if index > 2:
            return f"{self.put(operand, ATOM)}{self.hand.power}(1/{index})", POWER
        if self.signs:
            return f"√{inside if inside.isdigit() else f'({inside})'}", POWER
        return f"sqrt({inside})", ATOM

    def fn(self, name: str, operand: Tree) -> tuple[str, int]:
        inside = write(operand, self.hand)
        if name == "exp":
            return self.pow(E, operand)
        if not self.latex:
            return f"{name}({inside})", ATOM
        barred = operand.op == "div" and self.hand.fraction != "/"
        atom = operand.op in {"sym", "num"} or barred
        if self.hand.short and (atom or operand.op == "degrees"):
            return f"\\{name} {inside}", PRODUCT
        return f"\\{name}{self.hand.left}{inside}{self.hand.right}", ATOM

    def log(self, operand: Tree, base: int) -> tuple[str, int]:
        inside = write(operand, self.hand)
        if self.latex:
            return f"\\log_{{{base}}}{self.hand.left}{inside}{self.hand.right}", ATOM
        return f"log_{base}({inside})", ATOM

    def fact(self, operand: Tree) -> tuple[str, int]:
        return f"{self.put(operand, ATOM)}!", POWER

    def binom(self, n: Tree, k: Tree) -> tuple[str, int]:
        above, below = (write(part, Style()) for part in (n, k))
        return f"\\binom{{{above}}}{{{below}}}", ATOM

    def abs(self, operand: Tree) -> tuple[str, int]:
        inside = write(operand, self.hand)
        return (f"\\left|{inside}\\right|" if self.latex else f"|{inside}|"), ATOM

    def degrees(self, operand: Tree) -> tuple[str, int]:
        return self.put(operand, ATOM) + ("^\\circ" if self.latex else "°"), ATOM
