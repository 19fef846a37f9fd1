"""What an expression is worth: exactly, modulo a prime, or to 60 digits.

``Fraction`` decides what is rational. Rational functions are decided by their values modulo a
large prime at random places (Schwartz 1980, Zippel 1979), which takes microseconds and errs less
often than a computer's memory. Everything else is evaluated by mpmath. Each has a budget, so that
no expression takes long: a comparison ends within milliseconds, or at the limit.
"""

import math
import threading
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from palaestra.extras import needs
from palaestra.task import InvalidAnswer
from palaestra.verifiers.answers.nodes import Node, Undefined

if TYPE_CHECKING:
    from mpmath.ctx_mp import MPContext

BITS = 60_000
"""How many bits a number may have on the way."""

WORK = 600_000
"""How many bits all numbers on the way may have together."""

PRIME = 2**61 - 1

DIGITS = 60
"""To how many digits numbers are worked out, of which all but the last 15 have to agree."""

EFFORT = 1_200
"""How much may be worked out to 60 digits: 1 for a sum or a product, 12 for a function."""


class _Budget:
    """What is left of the work that one evaluation may take."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = WORK

    def spend(self, value: Fraction) -> Fraction:
        bits = value.numerator.bit_length() + value.denominator.bit_length()
        self.left -= bits
        if bits > BITS or self.left < 0:
            raise InvalidAnswer("too large a number to work with", "limit")
        return value


# ------------------------------------------------------------------ exactly


def exact(node: Node) -> Fraction | None:
    """The value of a rational expression without variables; None for any other.

    Raises :class:`Undefined` for one without a value, :class:`InvalidAnswer` for one too large.
    """
    return _exact(node, _Budget())


def _exact(node: Node, budget: _Budget) -> Fraction | None:
    op = node.op
    if op == "number":
        return node.value  # type: ignore[no-any-return]
    if op == "decimal":
        return node.value[0]  # type: ignore[no-any-return]
    if op in {"variable", "constant", "degrees", "pm"}:
        return None
    if op == "based":
        return Fraction(int(*node.value))
    values = []
    for part in node.of:
        value = _exact(part, budget)
        if value is None:
            return None
        values.append(value)
    return _combined(node, values, budget)


def _combined(node: Node, values: list[Fraction], budget: _Budget) -> Fraction | None:
    match node.op:
        case "add":
            total = values[0]
            for value in values[1:]:
                total = budget.spend(total + value)
            return total
        case "mul":
            product = values[0]
            for value in values[1:]:
                product = budget.spend(product * value)
            return product
        case "neg":
            return -values[0]
        case "div":
            if values[1] == 0:
                raise Undefined("it divides by zero")
            return budget.spend(values[0] / values[1])
        case "pow":
            return _power(values[0], values[1], budget)
        case "abs":
            return abs(values[0])
        case "call":
            return _called(node.value, values, budget)
    return None


def _power(base: Fraction, exponent: Fraction, budget: _Budget) -> Fraction | None:
    if exponent.denominator != 1:
        root = _root(base, exponent.denominator)
        if root is None:
            return None
        base, exponent = root, Fraction(exponent.numerator)
    times = exponent.numerator
    if base == 0 and times <= 0:
        raise Undefined("zero is raised to zero or less")
    if base in {0, 1, -1}:
        return base if times % 2 else base * base
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if abs(times) * (bits - 1) > BITS:
        raise InvalidAnswer("too large a number to work with", "limit")
    return budget.spend(base**times)


def _root(value: Fraction, degree: int) -> Fraction | None:
    """The root of a number, where it is rational and real."""
    if value < 0 or degree > 64:
        return None
    above, below = _whole_root(value.numerator, degree), _whole_root(value.denominator, degree)
    return None if above is None or below is None else Fraction(above, below)


def _whole_root(value: int, degree: int) -> int | None:
    if value < 2:
        return value
    if degree == 2:
        root = math.isqrt(value)
        return root if root * root == value else None
    if value.bit_length() > 900:
        return None
    guess = round(value ** (1 / degree))
    return next((r for r in (guess - 1, guess, guess + 1) if r**degree == value), None)


def _called(name: str, values: list[Fraction], budget: _Budget) -> Fraction | None:
    if name in {"min", "max"}:
        return min(values) if name == "min" else max(values)
    if name in {"floor", "ceil"}:
        return Fraction(math.floor(values[0]) if name == "floor" else math.ceil(values[0]))
    if name == "log":
        return _logarithm(*values)
    if any(value.denominator != 1 for value in values):
        return None
    whole = [value.numerator for value in values]
    if name in {"factorial", "double factorial"} and whole[0] >= 0:
        if whole[0] > 5_000:
            raise InvalidAnswer("too large a factorial to work with", "limit")
        if name == "factorial":
            return budget.spend(Fraction(math.factorial(whole[0])))
        return budget.spend(Fraction(math.prod(range(whole[0], 0, -2))))
    if name == "binomial" and min(whole) >= 0:
        if max(whole) > 5_000:
            raise InvalidAnswer("too large a binomial to work with", "limit")
        return budget.spend(Fraction(math.comb(*whole)))
    if name in {"gcd", "lcm"}:
        return Fraction(math.gcd(*whole) if name == "gcd" else math.lcm(*whole))
    return None


def _logarithm(value: Fraction, base: Fraction) -> Fraction | None:
    """A logarithm, where it is a whole number."""
    if value <= 0 or base <= 0 or base == 1:
        raise Undefined("a logarithm of what has none")
    if value.denominator != 1 or base.denominator != 1 or value.numerator.bit_length() > 900:
        return None
    times = round(math.log(value.numerator) / math.log(base.numerator))
    return Fraction(times) if base**times == value else None


# ------------------------------------------------------------------ modulo a prime


def is_rational(node: Node) -> bool:
    """Whether it is made of numbers and variables by the four operations and whole powers."""
    stack = [node]
    while stack:
        piece = stack.pop()
        if piece.op == "pow":
            exponent = piece.of[1]
            if exponent.op == "neg":
                exponent = exponent.of[0]
            if exponent.op != "number" or exponent.value.denominator != 1:
                return False
            if exponent.value > 10**6:
                return False
            stack.append(piece.of[0])
        elif piece.op in {"number", "decimal", "variable", "neg", "add", "mul", "div"}:
            stack.extend(piece.of)
        else:
            return False
    return True


def residue(node: Node, point: Mapping[str, int]) -> int:
    """The value of a rational function at a point, modulo :data:`PRIME`.

    Raises ``ZeroDivisionError`` where it divides by zero there.
    """
    match node.op:
        case "number":
            return _fraction(node.value)
        case "variable":
            return point[node.value]
        case "add":
            return sum(residue(part, point) for part in node.of) % PRIME
        case "mul":
            product = 1
            for part in node.of:
                product = product * residue(part, point) % PRIME
            return product
        case "neg":
            return -residue(node.of[0], point) % PRIME
        case "div":
            return residue(node.of[0], point) * _inverse(residue(node.of[1], point)) % PRIME
        case "pow":
            base, times = residue(node.of[0], point), exact(node.of[1])
            assert times is not None
            if base == 0 and times <= 0:
                raise ZeroDivisionError
            return pow(base, times.numerator, PRIME)
        case "decimal":
            return _fraction(node.value[0])
    raise AssertionError(f"{node.op} is no rational function")


def _fraction(value: Fraction) -> int:
    if value.denominator == 1:
        return value.numerator % PRIME
    return value.numerator * _inverse(value.denominator % PRIME) % PRIME


def _inverse(value: int) -> int:
    if value == 0:
        raise ZeroDivisionError
    return pow(value, -1, PRIME)


# ------------------------------------------------------------------ to 60 digits

_own = threading.local()
_lock = threading.Lock()


@cache
def _warm() -> None:
    """Works the constants that mpmath keeps out once, to more digits than are ever needed: it is
    not safe to extend them in several threads.
    """
    with needs("maths", "mpmath"):
        import mpmath

    with _lock:
        most = mpmath.MPContext()
        most.dps = 4 * DIGITS + 40
        for constant in (most.pi, most.e, most.ln2, most.ln10, most.phi):
            _ = +constant
        for function in (most.exp, most.log, most.sin, most.atan):
            function(most.mpf(3))


def context() -> "MPContext":
    """Return the mpmath context of the current thread, which has its own precision."""
    try:
        return _own.context
    except AttributeError:
        _warm()
        import mpmath

        _own.context = mpmath.MPContext()
        _own.context.dps = DIGITS
        return _own.context


def cost(node: Node) -> int:
    """How much work it takes to find the value once."""
    work = 0
    for piece in node.within():
        whole = piece.op == "pow" and piece.of[1].op == "number"
        work += 12 if piece.op == "call" or (piece.op == "pow" and not whole) else 1
    return work


def numeric(node: Node, point: Mapping[str, Any]) -> Any:
    """The value of an expression at a point, as a number of mpmath.

    Raises :class:`Undefined` where it has none there, :class:`InvalidAnswer` where it is too large.
    """
    try:
        value = _numeric(node, point, context())
    except ZeroDivisionError:
        raise Undefined("it divides by zero") from None
    except (ValueError, OverflowError) as fault:
        raise Undefined(f"it has no value: {str(fault)[:80]}") from None
    if not context().isfinite(value):
        raise Undefined("it has no finite value")
    return value


def _numeric(node: Node, point: Mapping[str, Any], ctx: Any) -> Any:
    op = node.op
    if op == "number":
        return _mp(node.value, ctx)
    if op == "variable":
        return point[node.value]
    if op == "pow":
        return _raised(node, point, ctx)
    if op in _FOLDED:
        return _folded(node, [_numeric(part, point, ctx) for part in node.of], ctx)
    if op == "decimal":
        return _mp(node.value[0], ctx)
    if op == "constant":
        return _constant(node.value, ctx)
    if op == "based":
        return ctx.mpf(int(*node.value))
    raise InvalidAnswer(f"a {op} has no value to work with")


_FOLDED = frozenset(["add", "mul", "neg", "div", "abs", "degrees", "call"])


def _folded(node: Node, values: list[Any], ctx: Any) -> Any:
    match node.op:
        case "add":
            return sum(values[1:], values[0])
        case "mul":
            return math.prod(values[1:], start=values[0])
        case "neg":
            return -values[0]
        case "div":
            return values[0] / values[1]
        case "abs":
            return abs(values[0])
        case "degrees":
            return values[0] * ctx.pi / 180
    return _function(node, values, ctx)


def _mp(value: Fraction, ctx: Any) -> Any:
    if value.denominator == 1:
        return ctx.mpf(value.numerator)
    return ctx.mpf(value.numerator) / value.denominator


def _constant(name: str, ctx: Any) -> Any:
    if name == "pi":
        return +ctx.pi
    if name == "e":
        return +ctx.e
    if name == "i":
        return ctx.mpc(0, 1)
    raise Undefined("infinity cannot be calculated with")


def _raised(node: Node, point: Mapping[str, Any], ctx: Any) -> Any:
    below, above = node.of
    base = _numeric(below, point, ctx)
    if above.op == "div" and above.of[0].op == above.of[1].op == "number":
        degree = above.of[1].value
        if above.of[0].value == 1 and degree == 2:
            return ctx.sqrt(base)
        if degree % 2 and not point and ctx.im(base) == 0 and ctx.re(base) < 0:
            # An odd root of a negative number is taken to be real, as schools do.
            times = above.of[0].value.numerator
            return (-1) ** times * (-base) ** (ctx.mpf(times) / degree.numerator)
    exponent = _numeric(above, point, ctx)
    if base == 0:
        if ctx.re(exponent) <= 0:
            raise Undefined("zero is raised to zero or less")
        return base
    if abs(exponent) > 10**6 or abs(exponent) * abs(ctx.mag(base)) > BITS:
        raise InvalidAnswer("too large a number to work with", "limit")
    return base**exponent


def _function(node: Node, values: list[Any], ctx: Any) -> Any:
    name, first = node.value, values[0]
    if name == "log":
        base = values[1]
        if first == 0 or base in {0, 1}:
            raise Undefined("a logarithm of what has none")
        return ctx.log(first) / ctx.log(base)
    if name == "ln":
        if first == 0:
            raise Undefined("a logarithm of what has none")
        return ctx.log(first)
    if (ctx.mag(first) > 100 and name in _PERIODIC) or (ctx.mag(first) > 15 and name in _STEEP):
        raise InvalidAnswer("too large a number to work with", "limit")
    if name in _MPMATH:
        return getattr(ctx, _MPMATH[name])(*values)
    if name == "double factorial":
        return ctx.fac2(first)
    if any(ctx.im(value) != 0 for value in values):
        raise Undefined(f"{name} of a complex number")
    if name in {"gcd", "lcm"}:
        raise Undefined(f"{name} of what is not whole")
    return min(values) if name == "min" else max(values)


_PERIODIC = frozenset(["sin", "cos", "tan", "cot", "sec", "csc"])
_STEEP = frozenset(["exp", "sinh", "cosh", "tanh", "coth", "factorial", "double factorial",
                    "binomial"])  # fmt: skip
_MPMATH = {
    "sin": "sin", "cos": "cos", "tan": "tan", "cot": "cot", "sec": "sec", "csc": "csc",
    "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arccot": "acot", "sinh": "sinh",
    "cosh": "cosh", "tanh": "tanh", "coth": "coth", "arsinh": "asinh", "arcosh": "acosh",
    "artanh": "atanh", "exp": "exp", "factorial": "factorial", "binomial": "binomial",
    "floor": "floor", "ceil": "ceil",
}  # fmt: skip
