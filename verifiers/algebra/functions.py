"""A small algebra of functions of x, closed under derivatives, in a canonical form.

A function is a sum of terms c * x^n * e^P * cos(Q) or c * x^n * e^P * sin(Q), where n is a whole
number and P and Q are polynomials without a constant. Such terms are linearly independent, so two
functions are equal exactly when their terms are. Products of cosines and sines are sums again:

>>> read("sin(x)^2 + cos(x)^2") == read("1")
True
>>> derivative(read("x^2*exp(3*x)")) == read("(3*x^2 + 2*x)*exp(3*x)")
True

The grammar knows numbers, x, exp, e^, sin, cos, the four signs, powers with whole exponents and
round brackets; whatever else a text holds, such as an integral that is not worked out, is refused.
"""

import cmath
import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from palaestra.task import InvalidAnswer
from palaestra.verifiers.gaussian import Gaussian, joined
from palaestra.verifiers.reading.values import plain

Inner = tuple[tuple[int, Fraction], ...]
"""A polynomial without a constant: its powers, rising, each with its coefficient."""


class Key(NamedTuple):
    """A term without its coefficient."""

    power: int
    exponent: Inner = ()
    angle: Inner = ()
    sine: bool = False


Function = dict[Key, Fraction]
"""The coefficients, none of them 0."""

TOKENS, DEPTH, TERMS, PRODUCTS, BITS, POWER = 3_000, 40, 200, 10_000, 600, 60

_TOKEN = re.compile(r"\s*(\d{1,60}(?:\.\d{1,60})?|\*\*|exp|sin|cos|[xe()+*/^-])", re.ASCII)


def added(one: Function, other: Function, times: Fraction = Fraction(1)) -> Function:
    """A function and a multiple of another one."""
    made = dict(one)
    for key, coefficient in other.items():
        made[key] = made.get(key, Fraction(0)) + times * coefficient
    return {key: coefficient for key, coefficient in made.items() if coefficient}


def multiplied(one: Function, other: Function) -> Function:
    """The product of two functions."""
    made: Function = {}
    for key, a in one.items():
        for with_key, b in other.items():
            for product, factor in _product(key, with_key):
                made[product] = made.get(product, Fraction(0)) + a * b * factor
    return {key: coefficient for key, coefficient in made.items() if coefficient}


def _product(one: Key, other: Key) -> list[tuple[Key, Fraction]]:
    power, exponent = one.power + other.power, _sum(one.exponent, other.exponent)
    if not one.angle or not other.angle:
        angle, sine = one.angle or other.angle, one.sine or other.sine
        return [(Key(power, exponent, angle, sine), Fraction(1))]
    # sin a cos b = (sin(a+b) + sin(a-b)) / 2, and so on.
    plus, minus = _sum(one.angle, other.angle), _sum(one.angle, other.angle, -1)
    half = Fraction(1, 2)
    sine = one.sine != other.sine
    first = -half if one.sine and other.sine else half
    second = -half if other.sine and not one.sine else half
    pairs = ((plus, first), (minus, second))
    return [term for angle, c in pairs for term in _wave(power, exponent, angle, sine, c)]


def _wave(
    power: int, exponent: Inner, angle: Inner, sine: bool, times: Fraction
) -> list[tuple[Key, Fraction]]:
    """A term with its angle turned so that its highest coefficient is positive."""
    if not angle:
        return [] if sine else [(Key(power, exponent), times)]
    if angle[-1][1] < 0:
        angle, times = tuple((n, -c) for n, c in angle), -times if sine else times
    return [(Key(power, exponent, angle, sine), times)]


def _sum(one: Inner, other: Inner, times: int = 1) -> Inner:
    if not other:
        return one
    made = dict(one)
    for power, coefficient in other:
        made[power] = made.get(power, Fraction(0)) + times * coefficient
    return tuple(sorted((n, c) for n, c in made.items() if c))


def derivative(function: Function) -> Function:
    """The derivative by x, term by term.

    >>> derivative(read("cos(x^2)")) == read("-2*x*sin(x^2)")
    True
    """
    made: Function = {}
    for key, c in function.items():
        parts: Function = {}
        if key.power:
            parts[key._replace(power=key.power - 1)] = key.power * c
        made = added(made, parts)
        inner = {key._replace(power=key.power + n - 1): n * a * c for n, a in key.exponent}
        made = added(made, inner)
        turned = c if key.sine else -c
        made = added(made, {
            key._replace(power=key.power + n - 1, sine=not key.sine): n * a * turned
            for n, a in key.angle
        })  # fmt: skip
    return made


def read(text: str) -> Function:
    """The function that a text stands for; raises :class:`InvalidAnswer` where it is none."""
    reader = _Reader(_tokens(text))
    result = reader.sum()
    if reader.next:
        raise InvalidAnswer(f"not a function of x: {reader.next!r} stands where it should end")
    return result


@lru_cache(maxsize=512)
def given(text: str) -> Function:
    """The same for a function that is part of a task, and asked for again and again."""
    return read(text)


def _tokens(text: str) -> list[str]:
    chars = plain(text).lower()
    tokens: list[str] = []
    place = 0
    while place < len(chars):
        token = _TOKEN.match(chars, place)
        if not token or len(tokens) > TOKENS:
            raise InvalidAnswer(
                "not a function of x with numbers, exp, sin, cos, signs and brackets"
            )
        tokens.append("^" if token[1] == "**" else token[1])
        place = token.end()
    return tokens


class _Reader:
    """Recursive descent, which works the function out as it goes, within a budget."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.place = self.depth = self.spent = 0

    @property
    def next(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def sum(self) -> Function:
        self._deeper()
        total = self._product()
        while self.next in ("+", "-"):
            sign = Fraction(1 if self._take() == "+" else -1)
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
        sign = Fraction(1 if self._take() == "+" else -1)
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
            power = {Key(1): Fraction(1)}
        elif token[:1].isdigit():
            power = added({}, {Key(0): Fraction(token)})
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
        sign = Fraction(1)
        if self.next in ("+", "-"):
            sign = Fraction(1 if self._take() == "+" else -1)
        self._deeper()
        raised = added({}, self._power(), sign)
        self.depth -= 1
        return raised

    def _to_the(self, base: Function, exponent: Fraction) -> Function:
        if exponent.denominator != 1 or abs(exponent) > POWER:
            raise InvalidAnswer("an exponent that is no whole number of moderate size")
        base = _inverse(base) if exponent < 0 else base
        factors: Function = {Key(0): Fraction(1)}
        for _ in range(abs(int(exponent))):
            factors = self._times(factors, base)
        return factors

    def _closed(self) -> Function:
        inner = self.sum()
        self._expect(")")
        return inner

    def _times(self, one: Function, other: Function) -> Function:
        self.spent += len(one) * len(other)
        if self.spent > PRODUCTS:
            raise InvalidAnswer("a function that takes too long to multiply out")
        return self._bounded(multiplied(one, other))

    def _bounded(self, value: Function) -> Function:
        if len(value) > TERMS or any(
            max(c.numerator.bit_length(), c.denominator.bit_length()) > BITS or abs(key.power) > 999
            for key, c in value.items()
        ):
            raise InvalidAnswer("a function with too many or too large terms")
        return value

    def _take(self) -> str:
        token = self.next
        self.place += 1
        return token

    def _expect(self, token: str) -> None:
        if self._take() != token:
            raise InvalidAnswer(f"not a function of x: {token!r} is missing")

    def _deeper(self) -> None:
        self.depth += 1
        if self.depth > DEPTH:
            raise InvalidAnswer("not a function of x: too deeply nested")


def _constant(function: Function) -> Fraction:
    if any(key != Key(0) for key in function):
        raise InvalidAnswer("an exponent that is no number")
    return function.get(Key(0), Fraction(0))


def _inner(function: Function) -> Inner:
    """A function as what stands inside another one."""
    for key in function:
        if key.exponent or key.angle or not 1 <= key.power <= POWER:
            raise InvalidAnswer(
                "exp, sin or cos of something else than a polynomial without constant"
            )
    return tuple(sorted((key.power, coefficient) for key, coefficient in function.items()))


def _exponential(function: Function) -> Function:
    return {Key(0, _inner(function)): Fraction(1)}


def _applied(name: str, function: Function) -> Function:
    if name == "exp":
        return _exponential(function)
    return dict(_wave(0, (), _inner(function), name == "sin", Fraction(1)))


def _inverse(function: Function) -> Function:
    """One over a function of a single term, without cosine or sine."""
    if len(function) != 1:
        raise InvalidAnswer("a division by zero or by a sum")
    ((key, coefficient),) = function.items()
    if key.angle:
        raise InvalidAnswer("a division by a cosine or a sine")
    exponent = tuple((n, -c) for n, c in key.exponent)
    return {Key(-key.power, exponent): 1 / coefficient}


def antiderivative(function: Function) -> Function:
    """An antiderivative, where nothing but linear terms stand inside of exp, sin and cos.

    >>> derivative(antiderivative(read("x*exp(2*x)*sin(3*x)"))) == read("x*exp(2*x)*sin(3*x)")
    True
    """
    made: Function = {}
    for key, c in function.items():
        rate: Gaussian = (
            dict(key.exponent).get(1, Fraction(0)),
            dict(key.angle).get(1, Fraction(0)),
        )
        if not any(rate):
            made = added(made, {Key(key.power + 1): c / (key.power + 1)})
            continue
        # By parts, again and again: x^n e^(zx) / z, and then -n/z times the same for n - 1.
        factor: Gaussian = joined("/", (c, Fraction(0)), rate)
        for power in range(key.power, -1, -1):
            made = added(made, _part(key._replace(power=power), factor))
            factor = joined("/", joined("*", factor, (Fraction(-power), Fraction(0))), rate)
    return made


def _part(key: Key, factor: Gaussian) -> Function:
    """The real part of a complex multiple of a wave, or the imaginary one where it is a sine."""
    real, imaginary = factor
    if not key.angle:
        return {key: real}
    turned = key._replace(sine=not key.sine)
    return added({}, {key: real, turned: imaginary if key.sine else -imaginary})


def written(function: Function) -> str:
    """A function as people write it.

    >>> written(read("exp(2*x)*x - 1/2*cos(3*x)"))
    '-1/2*cos(3*x) + x*exp(2*x)'
    """
    text = ""
    for key, coefficient in sorted(function.items()):
        parts = [_power_said(key.power)] if key.power else []
        parts += [f"exp({_inner_said(key.exponent)})"] if key.exponent else []
        wave = "sin" if key.sine else "cos"
        parts += [f"{wave}({_inner_said(key.angle)})"] if key.angle else []
        size = [str(abs(coefficient))] if abs(coefficient) != 1 or not parts else []
        sign = " - " if coefficient < 0 else " + "
        text += (sign if text else sign.strip(" +")) + "*".join([*size, *parts])
    return text or "0"


def _power_said(power: int) -> str:
    return "x" if power == 1 else f"x^{power}"


def _inner_said(inner: Inner) -> str:
    return written({Key(power): coefficient for power, coefficient in inner})


def slope_near(function: Function, slope: Function) -> bool:
    """Whether a function has a slope in floating point, by a small step off the real line.

    >>> slope_near(read("x^3"), read("3*x^2")), slope_near(read("x^3"), read("x^2"))
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
