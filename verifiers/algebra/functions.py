"""A small algebra of functions of x, closed under derivatives, in a canonical form.

A function is a sum of terms c * x^n * e^P * cos(Q) or c * x^n * e^P * sin(Q), where n is a whole
number and P and Q are polynomials without a constant. Such terms are linearly independent, so two
functions are equal exactly when their terms are. Products of cosines and sines are sums again:

>>> read("sin(x)^2 + cos(x)^2") == read("1")
True
>>> derivative(read("x^2*exp(3*x)")) == read("(3*x^2 + 2*x)*exp(3*x)")
True

The grammar consists of numbers, x, exp, e^, sin, cos, the four operations, powers with whole
exponents and round brackets; any other text, such as an unevaluated integral, is refused.
"""

import cmath
import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from palaestra.task import InvalidAnswer
from palaestra.verifiers.gaussian import Gaussian, joined
from palaestra.verifiers.reading.notation import in_ascii
from palaestra.verifiers.reading.numbers import unnamed
from palaestra.verifiers.sums import signed_sum

Coefficient = int | Fraction
"""A whole number where possible, since arithmetic on those is several times as fast."""

Inner = tuple[tuple[int, Coefficient], ...]
"""A polynomial without a constant term: its powers in increasing order, with coefficients."""


class Key(NamedTuple):
    """A term without its coefficient."""

    power: int
    exponent: Inner = ()
    angle: Inner = ()
    sine: bool = False


Function = dict[Key, Coefficient]
"""The coefficients of the terms; none is 0."""

TOKENS, DEPTH, TERMS, PRODUCTS, POWER = 3_000, 40, 200, 10_000, 60
LARGEST = 2**600
"""Above all numerators and denominators."""

_ONE, _X = Key(0), Key(1)
_IDENTITY: Function = {_X: 1}

_TOKEN = re.compile(r"\s*(\d{1,60}(?:\.\d{1,60})?|\*\*|exp|sin|cos|[xe()+*/^-])", re.ASCII)


def added(one: Function, other: Function, times: Coefficient = 1) -> Function:
    """The sum of a function and a multiple of another one."""
    total = dict(one)
    for key, coefficient in other.items():
        total[key] = total.get(key, 0) + times * coefficient
    return {key: coefficient for key, coefficient in total.items() if coefficient}


def multiplied(one: Function, other: Function) -> Function:
    """The product of two functions."""
    total: Function = {}
    for key, a in one.items():
        for other_key, b in other.items():
            for product, factor in _product(key, other_key):
                total[product] = total.get(product, 0) + a * b * factor
    return {key: coefficient for key, coefficient in total.items() if coefficient}


def _product(one: Key, other: Key) -> list[tuple[Key, Coefficient]]:
    power, exponent = one.power + other.power, _sum(one.exponent, other.exponent)
    if not one.angle or not other.angle:
        angle, sine = one.angle or other.angle, one.sine or other.sine
        return [(Key(power, exponent, angle, sine), 1)]
    # sin a cos b = (sin(a+b) + sin(a-b)) / 2, and so on.
    plus, minus = _sum(one.angle, other.angle), _sum(one.angle, other.angle, -1)
    half = Fraction(1, 2)
    sine = one.sine != other.sine
    first = -half if one.sine and other.sine else half
    second = -half if other.sine and not one.sine else half
    pairs = ((plus, first), (minus, second))
    return [term for angle, c in pairs for term in _wave(power, exponent, angle, sine, c)]


def _wave(
    power: int, exponent: Inner, angle: Inner, sine: bool, times: Coefficient
) -> list[tuple[Key, Coefficient]]:
    """A term whose angle has a positive leading coefficient, after a change of sign if needed."""
    if not angle:
        return [] if sine else [(Key(power, exponent), times)]
    if angle[-1][1] < 0:
        angle, times = tuple((n, -c) for n, c in angle), -times if sine else times
    return [(Key(power, exponent, angle, sine), times)]


def _sum(one: Inner, other: Inner, times: int = 1) -> Inner:
    if not other:
        return one
    total = dict(one)
    for power, coefficient in other:
        total[power] = total.get(power, 0) + times * coefficient
    return tuple(sorted((n, c) for n, c in total.items() if c))


def derivative(function: Function) -> Function:
    """The derivative with respect to x, term by term.

    >>> derivative(read("cos(x^2)")) == read("-2*x*sin(x^2)")
    True
    """
    total: Function = {}
    for key, c in function.items():
        parts: Function = {}
        if key.power:
            parts[key._replace(power=key.power - 1)] = key.power * c
        total = added(total, parts)
        inner = {key._replace(power=key.power + n - 1): n * a * c for n, a in key.exponent}
        total = added(total, inner)
        signed = c if key.sine else -c
        total = added(total, {
            key._replace(power=key.power + n - 1, sine=not key.sine): n * a * signed
            for n, a in key.angle
        })  # fmt: skip
    return total


def read(text: str) -> Function:
    """Parse a function of x; raises :class:`InvalidAnswer` if the text is not one."""
    reader = _Reader(_tokens(text))
    result = reader.sum()
    if reader.next:
        raise InvalidAnswer(f"not a function of x: {reader.next!r} follows its end")
    return result


@lru_cache(maxsize=512)
def parsed(text: str) -> Function:
    """The same with a cache, for the functions of tasks."""
    return read(text)


def _tokens(text: str) -> list[str]:
    chars = in_ascii(unnamed(text)).lower()
    tokens: list[str] = []
    position = 0
    while position < len(chars):
        token = _TOKEN.match(chars, position)
        if not token or len(tokens) > TOKENS:
            raise InvalidAnswer(
                "not a function of x with numbers, exp, sin, cos, signs and brackets"
            )
        tokens.append("^" if token[1] == "**" else token[1])
        position = token.end()
    return tokens


class _Reader:
    """A recursive descent parser that evaluates the function while reading, within a budget."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = [*tokens, ""]  # the last one stands for the end
        self.next = self.tokens[0]
        self.position = self.depth = self.spent = 0

    def sum(self) -> Function:
        self._deeper()
        total = self._product()
        while self.next in ("+", "-"):
            sign = 1 if self._take() == "+" else -1
            total = self._bounded(added(total, self._product(), sign))
        self.depth -= 1
        return total

    def _product(self) -> Function:
        product = self._signed()
        divided = False
        while self.next in ("*", "/") or self._begins():
            if self.next in ("*", "/"):
                divided = self._take() == "/"
                part = self._signed()
                product = self._times(product, _inverse(part) if divided else part)
            elif divided:
                raise InvalidAnswer("a product without '*' behind a '/'; set brackets")
            else:
                product = self._times(product, self._power())
        return product

    def _begins(self) -> bool:
        """Whether a factor follows without a sign."""
        return self.next in ("x", "e", "exp", "sin", "cos", "(")

    def _signed(self) -> Function:
        if self.next not in ("+", "-"):
            return self._power()
        self._deeper()
        sign = 1 if self._take() == "+" else -1
        power = added({}, self._signed(), sign)
        self.depth -= 1
        return power

    def _power(self) -> Function:
        token = self._take()
        if token == "e":
            self._expect("^")
            power = _exponential(self._raised())
        elif token in ("exp", "sin", "cos"):
            self._expect("(")
            power = _applied(token, self._closed())
        elif token == "x":
            power = {_X: 1}
        elif token[:1].isdigit():
            number = int(token) if token.isdecimal() else Fraction(token)
            power = {_ONE: number} if number else {}
        elif token == "(":
            power = self._closed()
        else:
            raise InvalidAnswer(
                f"not a function of x: {token or 'its end'!r} where a part is missing"
            )
        if self.next != "^":
            return power
        self._take()
        return self._to_the(power, _constant(self._raised()))

    def _raised(self) -> Function:
        """An exponent: a sign, and a number, x or a bracket."""
        negative = self.next in ("+", "-") and self._take() == "-"
        self._deeper()
        raised = self._power()
        self.depth -= 1
        return added({}, raised, -1) if negative else raised

    def _to_the(self, base: Function, exponent: Coefficient) -> Function:
        if exponent.denominator != 1 or not -POWER <= exponent <= POWER:
            raise InvalidAnswer(f"an exponent that is not a whole number from -{POWER} to {POWER}")
        times = int(exponent)
        if base == _IDENTITY:
            return {Key(times): 1}
        base = _inverse(base) if times < 0 else base
        factors: Function = {_ONE: 1}
        for _ in range(abs(times)):
            factors = self._times(factors, base)
        return factors

    def _closed(self) -> Function:
        inner = self.sum()
        self._expect(")")
        return inner

    def _times(self, one: Function, other: Function) -> Function:
        self.spent += len(one) * len(other)
        if self.spent > PRODUCTS:
            raise InvalidAnswer("a function that takes too long to expand")
        return self._bounded(multiplied(one, other))

    def _bounded(self, value: Function) -> Function:
        within = len(value) <= TERMS
        for key, c in value.items():
            size = max(abs(c.numerator), c.denominator)
            within = within and size < LARGEST and abs(key.power) < 1000
        if not within:
            raise InvalidAnswer("a function with too many or too large terms")
        return value

    def _take(self) -> str:
        token = self.next
        if token:
            self.position += 1
            self.next = self.tokens[self.position]
        return token

    def _expect(self, token: str) -> None:
        if self._take() != token:
            raise InvalidAnswer(f"not a function of x: {token!r} is missing")

    def _deeper(self) -> None:
        self.depth += 1
        if self.depth > DEPTH:
            raise InvalidAnswer("not a function of x: too deeply nested")


def _constant(function: Function) -> Coefficient:
    if any(key != _ONE for key in function):
        raise InvalidAnswer("an exponent that is not a number")
    return function.get(_ONE, 0)


def _inner(function: Function) -> Inner:
    """A function as the argument of another one."""
    for key in function:
        if key.exponent or key.angle or not 1 <= key.power <= POWER:
            raise InvalidAnswer(
                "exp, sin or cos of something other than a polynomial without a constant term"
            )
    return tuple(sorted((key.power, coefficient) for key, coefficient in function.items()))


def _exponential(function: Function) -> Function:
    return {Key(0, _inner(function)): 1}


def _applied(name: str, function: Function) -> Function:
    if name == "exp":
        return _exponential(function)
    return dict(_wave(0, (), _inner(function), name == "sin", 1))


def _inverse(function: Function) -> Function:
    """The reciprocal of a function of a single term without cosine or sine."""
    if len(function) != 1:
        raise InvalidAnswer("a division by zero or by a sum")
    ((key, coefficient),) = function.items()
    if key.angle:
        raise InvalidAnswer("a division by a cosine or a sine")
    exponent = tuple((n, -c) for n, c in key.exponent)
    inverse = Fraction(1) / coefficient
    return {Key(-key.power, exponent): inverse.numerator if inverse.denominator == 1 else inverse}


def antiderivative(function: Function) -> Function:
    """An antiderivative, if the arguments of exp, sin and cos are linear.

    >>> derivative(antiderivative(read("x*exp(2*x)*sin(3*x)"))) == read("x*exp(2*x)*sin(3*x)")
    True
    """
    total: Function = {}
    for key, c in function.items():
        rate: Gaussian = (
            Fraction(dict(key.exponent).get(1, 0)),
            Fraction(dict(key.angle).get(1, 0)),
        )
        if not any(rate):
            total = added(total, {Key(key.power + 1): Fraction(c) / (key.power + 1)})
            continue
        # Integration by parts, repeated: x^n e^(zx) / z, then -n/z times the integral for n - 1.
        factor: Gaussian = joined("/", (Fraction(c), Fraction(0)), rate)
        for power in range(key.power, -1, -1):
            total = added(total, _part(key._replace(power=power), factor))
            factor = joined("/", joined("*", factor, (Fraction(-power), Fraction(0))), rate)
    return total


def _part(key: Key, factor: Gaussian) -> Function:
    """The real part of a complex multiple of a wave; the imaginary part for a sine."""
    real, imaginary = factor
    if not key.angle:
        return {key: real}
    shifted = key._replace(sine=not key.sine)
    return added({}, {key: real, shifted: imaginary if key.sine else -imaginary})


def written(function: Function) -> str:
    """A function in the usual notation, which :func:`read` parses.

    >>> written(read("exp(2*x)*x - 1/2*cos(3*x)"))
    '-1/2*cos(3*x) + x*exp(2*x)'
    """
    return signed_sum([(c, _written_key(key)) for key, c in sorted(function.items())], times="*")


def _written_key(key: Key) -> str:
    parts = ["x" if key.power == 1 else f"x^{key.power}"] if key.power else []
    parts += [f"exp({_written_inner(key.exponent)})"] if key.exponent else []
    wave = "sin" if key.sine else "cos"
    parts += [f"{wave}({_written_inner(key.angle)})"] if key.angle else []
    return "*".join(parts)


def _written_inner(inner: Inner) -> str:
    return written({Key(power): coefficient for power, coefficient in inner})


def slope_matches(function: Function, slope: Function) -> bool:
    """Whether a function has a derivative, numerically by the complex-step method.

    >>> slope_matches(read("x^3"), read("3*x^2")), slope_matches(read("x^3"), read("x^2"))
    (True, False)
    """
    for x in (0.31, 0.57, 0.83):
        numeric, right = _at(function, complex(x, 1e-20)).imag / 1e-20, _at(slope, x + 0j).real
        if abs(numeric - right) > 1e-8 * max(1.0, abs(right)):
            return False
    return True


def _at(function: Function, x: complex) -> complex:
    def inside(inner: Inner) -> complex:
        return sum((float(c) * x**n for n, c in inner), 0j)

    return sum(
        (
            float(c)
            * x**key.power
            * cmath.exp(inside(key.exponent))
            * (cmath.sin if key.sine else cmath.cos)(inside(key.angle))
            for key, c in function.items()
        ),
        0j,
    )
