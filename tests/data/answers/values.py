"""Pairs of single values: numbers, closed forms, polynomials and other expressions."""

from collections.abc import Iterator
from fractions import Fraction
from math import comb, gcd
from random import Random

from cases import Case, makes, pairs, scalar
from trees import (
    PI,
    A,
    B,
    E,
    J,
    N,
    Style,
    Tree,
    X,
    Y,
    Z,
    absolute,
    add,
    binom,
    dec,
    degrees,
    equal,
    fact,
    fn,
    log,
    mixed,
    mul,
    neg,
    num,
    sci,
    sqrt,
    style,
    tree,
    value,
    write,
)

Cases = Iterator[Case]
F = Fraction


def grouped(number: int, mark: str) -> str:
    return f"{number:,}".replace(",", mark)


def swapped(rng: Random, number: int) -> int:
    """The number with one digit changed, of the same length and sign."""
    digits = list(str(abs(number)))
    place = rng.randrange(len(digits))
    digits[place] = rng.choice([d for d in "123456789" if d != digits[place]])
    return int("".join(digits)) * (-1 if number < 0 else 1)


@makes("integers")
def integers(rng: Random) -> Cases:
    marks = (",", "{,}", "\\,", " ", "\\ ", ",\\!")
    for size in (4, 5, 6, 7, 9, 13):
        number = rng.randrange(10 ** (size - 1) + 1, 10**size) * rng.choice((1, 1, -1))
        wrong = swapped(rng, number)
        assert wrong != number
        for mark in marks:
            text = grouped(number, mark)
            yield Case(str(number), text, True, "digits in groups of three")
            if rng.random() < 0.5:
                yield Case(text, str(number), True, "digits in groups of three, in the gold answer")
            yield Case(str(number), grouped(wrong, mark), False, "one digit changed")
        yield Case(grouped(number, ","), grouped(wrong, "{,}"), False, "one digit changed")
        yield Case(str(number), str(number * 10), False, "a zero too many")
        yield Case(str(number), str(-number), False, "the other sign")
    for number in (7, 42, -15, 360):
        yield Case(str(number), f"{number}.", True, "a full stop after it")
        yield Case(str(number), f"{number}.0", True, "a decimal with the same value")
        yield Case(str(number), str(number + 1), False, "one too many")
        yield Case(str(number), f"{number}1", False, "a digit too many")
    yield Case("42", "+42", True, "a plus sign")
    yield Case("-42", "−42", True, "the minus sign of Unicode", "R18")
    yield Case("0", "-0", True, "zero has no sign")
    yield Case("0", "1", False, "one too many")


@makes("decimals")
def decimals(rng: Random) -> Cases:
    for _ in range(14):
        places = rng.choice((1, 2, 3))
        scaled = rng.randrange(11, 9999) | 1
        exact = F(scaled, 10**places)
        text = f"{scaled // 10**places}.{scaled % 10**places:0{places}}"
        sign = rng.choice(("", "", "-"))
        gold, exact = sign + text, exact * (-1 if sign else 1)
        wrong = swapped(rng, scaled)
        off = f"{sign}{wrong // 10**places}.{wrong % 10**places:0{places}}"
        yield scalar(rng, dec(gold), dec(gold + "0"), True, "a zero at its end")
        yield scalar(rng, dec(gold), tree(exact), True, "as a fraction")
        yield scalar(rng, dec(gold), dec(off), False, "one digit changed")
        yield scalar(rng, dec(gold), neg(dec(gold)), False, "the other sign")
        shifted = (
            f"{sign}{scaled // 10 ** (places + 1)}.{scaled % 10 ** (places + 1):0{places + 1}}"
        )
        yield scalar(rng, dec(gold), dec(shifted), False, "the point one place to the left")
    for gold, answer, right in (
        ("0.5", ".5", True), (".25", "0.25", True), ("-0.5", "-.5", True), ("1.50", "1.5", True),
        ("2.0", "2", True), ("0.125", "0.152", False), ("0.05", "0.5", False),
        ("3.0", "0.3", False), ("10.01", "10.1", False), ("0.999", "1", False),
    ):  # fmt: skip
        yield scalar(rng, dec(gold), dec(answer), right, "written with more or fewer zeros" if right
                     else "another decimal")  # fmt: skip


def quotient(rng: Random) -> Fraction:
    while True:
        q = F(rng.randrange(1, 40), rng.randrange(2, 30))
        if q.denominator > 1:
            return q


@makes("fractions")
def fractions(rng: Random) -> Cases:
    for _ in range(13):
        q = quotient(rng) * rng.choice((1, 1, -1))
        p, r = q.numerator, q.denominator
        times = rng.randrange(2, 9)
        part = F(rng.randrange(1, 9), rng.choice((2, 3, 5)))
        equals = [
            (num(p * times) / (r * times), "not in lowest terms"),
            (tree(part) + tree(q - part), "a sum that is not worked out"),
            (num(-p) / num(-r), "both signs changed"),
            (num(p) / r, "the sign above the bar"),
            (num(r) ** -1 * num(abs(p)) if p > 0 else num(p) / r, "a power"),
        ]
        others = [
            (tree(F(p + 1, r)), "one more above the bar"),
            (tree(F(p, r + 1)), "one more below the bar"),
            (tree(-q), "the other sign"),
        ]
        if abs(p) > 1:
            others.append((num(r) / p, "upside down"))
        if not 10**6 % r:
            equals.append((dec(str(float(q))), "as a decimal that is exact"))
        yield from pairs(rng, tree(q), equals, others)
    for gold, answer, right, why in (
        ("\\frac{1}{2}", "\\frac12", True, "no braces"),
        ("\\frac{1}{2}", "\\frac 12", True, "no braces"),
        ("\\frac{1}{2}", "\\frac{1}2", True, "half of the braces"),
        ("\\frac{3}{4}", "\\dfrac34", True, "no braces"),
        ("\\frac{3}{4}", "\\tfrac{3}{4}", True, "a small fraction"),
        ("\\frac{3}{4}", "3/4", True, "a slash"),
        ("-\\frac{3}{4}", "\\frac{-3}{4}", True, "the sign above the bar"),
        ("-\\frac{3}{4}", "\\frac{3}{-4}", True, "the sign below the bar"),
        ("-\\frac{3}{4}", "-3/4", True, "a slash"),
        ("-\\frac{3}{4}", "-\\frac{-3}{4}", False, "two signs are none"),
        ("\\frac{1}{2}", "\\frac21", False, "upside down"),
        (
            "\\frac{12}{5}",
            "\\frac125",
            False,
            "without braces a digit is above the bar, and one below",
        ),
        ("\\frac{13}{24}", "\\frac{1}{3}\\cdot\\frac{2}{4}", False, "another fraction"),
    ):
        yield Case(gold, answer, right, why)


@makes("mixed numbers")
def mixed_numbers(rng: Random) -> Cases:
    for _ in range(9):
        whole, bottom = rng.randrange(1, 12), rng.randrange(3, 12)
        top = rng.choice([k for k in range(1, bottom) if gcd(k, bottom) == 1])
        q = F(whole * bottom + top, bottom)
        made = mixed(whole, top, bottom)
        yield scalar(rng, tree(q), made, True, "a mixed number is a sum")
        yield scalar(rng, made, tree(q), True, "a mixed number is a sum")
        yield scalar(rng, tree(-q), neg(made), True, "the sign is that of the whole number")
        yield scalar(rng, made, mixed(whole, 2 * top, 2 * bottom), True, "not in lowest terms")
        yield scalar(rng, tree(whole * F(top, bottom)), made, False, "it is not a product")
        yield scalar(rng, made, mixed(whole + 1, top, bottom), False, "one too many")
        yield scalar(rng, tree(q), mixed(whole, top, bottom + 1), False, "another denominator")
        yield scalar(rng, tree(-q), made, False, "the other sign")


@makes("powers")
def powers(rng: Random) -> Cases:
    for base, exponent in ((2, 10), (3, 7), (5, 4), (7, 3), (2, 20), (10, 6), (12, 3), (-2, 7)):
        gold = num(base**exponent)
        power = num(base) ** exponent
        equals = [(power, "a power that is not worked out")]
        others = [(num(base) ** (exponent + 1), "one more in the exponent")]
        if base > 0:
            equals.append((num(base) ** 2 * num(base) ** (exponent - 2), "a product of powers"))
            others.append((num(exponent) ** base, "base and exponent exchanged"))
            others.append((num(base) * exponent, "a product, not a power"))
            inverse = tree(F(1, base**exponent))
            why = "a negative exponent"
            yield scalar(rng, inverse, num(base) ** -exponent, True, why, rule="R21")
            yield scalar(rng, inverse, -power, False, f"{why} is not a negative number")
        yield from pairs(rng, gold, equals, others, rule="R21")
    for gold, answer, right, why in (
        (num(8), num(4) ** tree(F(3, 2)), True, "an exponent that is a fraction"),
        (num(8), num(4) ** tree(F(2, 3)), False, "an exponent upside down"),
        (num(-9), neg(num(3) ** 2), True, "the sign stands before the power"),
        (num(9), num(-3) ** 2, True, "the power of a negative number"),
        (num(9), neg(num(3) ** 2), False, "the sign stands before the power"),
        (num(512), num(2) ** (num(3) ** 2), True, "powers are read from the top"),
        (num(64), num(2) ** (num(3) ** 2), False, "powers are read from the top"),
        (num(64), (num(2) ** 3) ** 2, True, "a power in brackets"),
        (X**6, (X**2) ** 3, True, "exponents multiply"),
        (X**5, X**2 * X**3, True, "exponents add"),
        (X**6, X**2 * X**3, False, "exponents add"),
        (X**5, (X**2) ** 3, False, "exponents multiply"),
        (num(3) * num(2) ** X, num(6) ** X, False, "the factor is not raised"),
        (num(2) ** (X + 1), 2 * num(2) ** X, True, "a factor taken out of the power"),
        (num(4) ** X, num(2) ** (2 * X), True, "another base"),
        (num(4) ** X, num(2) ** (X**2), False, "another exponent"),
    ):  # fmt: skip
        yield scalar(rng, gold, answer, right, why, rule="R21")


@makes("roots")
def roots(rng: Random) -> Cases:
    for m in (2, 3, 5, 6, 7, 10):
        k = rng.randrange(2, 8)
        equals = [
            (sqrt(k * k * m), "a square left under the root"),
            (k * num(m) ** tree(F(1, 2)), "a root as a power"),
            (num(k * m) / sqrt(m), "a root below the bar"),
        ]
        others = [
            (sqrt(k * m), "the factor is not squared under the root"),
            (k * sqrt(m + 1), "another number under the root"),
            ((k + 1) * sqrt(m), "another factor"),
            (k * sqrt(m, 3), "another root"),
        ]
        yield from pairs(rng, k * sqrt(m), equals, others)
    for a, b in ((5, 2), (5, 3), (7, 2), (7, 5), (11, 7)):
        gold = (sqrt(a) + sqrt(b)) / (a - b)
        equals = [
            (num(1) / (sqrt(a) - sqrt(b)), "a root below the bar"),
            (sqrt(b) / (a - b) + sqrt(a) / (a - b), "a sum of two quotients"),
        ]
        others = [
            (num(1) / (sqrt(a) + sqrt(b)), "a sum below the bar, not a difference"),
            (sqrt(a + b) / (a - b), "a root of a sum is not a sum of roots"),
            ((sqrt(a) - sqrt(b)) / (a - b), "the other sign"),
        ]
        yield from pairs(rng, gold, equals, others)
        nested = sqrt(num(a + b) + 2 * sqrt(a * b))
        yield scalar(rng, sqrt(a) + sqrt(b), nested, True, "a root in a root")
        yield scalar(rng, sqrt(a) - sqrt(b), nested, False, "a root in a root, the other sign")
    for gold, answer, right, why in (
        (2 * sqrt(2, 3), sqrt(16, 3), True, "a cube left under the root"),
        (2 * sqrt(2, 3), sqrt(8, 3), False, "another number under the root"),
        (sqrt(3), sqrt(9, 4), True, "a fourth root"),
        (sqrt(3), sqrt(9, 3), False, "another root"),
        (num(3), sqrt(27, 3), True, "a whole cube root"),
        (sqrt(2) / 2, num(1) / sqrt(2), True, "a root below the bar"),
        (sqrt(2) / 2, sqrt(tree(F(1, 2))), True, "a quotient under the root"),
        (sqrt(2) / 2, num(2) / sqrt(2), False, "upside down"),
        (num(4) / sqrt(2, 3), 2 * sqrt(4, 3), True, "a cube root below the bar"),
        (num(4) / sqrt(2, 3), 2 * sqrt(2, 3), False, "a cube root below the bar"),
        (sqrt(X**2), absolute(X), True, "the root of a square"),
        (sqrt(X**2), X, False, "the root of a square is never negative"),
        (sqrt(num(3) + 2 * sqrt(2)), num(1) + sqrt(2), True, "a root in a root"),
        (sqrt(num(3) - 2 * sqrt(2)), num(1) - sqrt(2), False, "a root is never negative"),
    ):
        yield scalar(rng, gold, answer, right, why)


@makes("scientific notation")
def scientific(rng: Random) -> Cases:
    for _ in range(10):
        mantissa, exponent = rng.randrange(11, 99) | 1, rng.choice((-6, -4, -3, 4, 5, 7, 9))
        short = f"{mantissa // 10}.{mantissa % 10}"
        whole = F(mantissa, 10) * F(10) ** exponent
        small = f"0.{'0' * (-exponent - 1)}{mantissa}"
        plain = num(int(whole)) if exponent > 0 else dec(small)
        equals = [
            (sci(short, exponent), "another way to write it"),
            (sci(f"{mantissa}", exponent - 1), "a larger mantissa"),
            (sci(f"0.{mantissa}", exponent + 1), "a smaller mantissa"),
        ]
        others = [
            (sci(short, exponent + 1), "one more in the exponent"),
            (sci(short, -exponent), "the other sign in the exponent"),
            (sci(f"{mantissa // 10}.{(mantissa + 4) % 10}", exponent), "another mantissa"),
        ]
        yield from pairs(rng, plain, equals, others)
        yield scalar(rng, sci(short, exponent), plain, True, "written out")
        yield scalar(rng, sci(short, exponent), sci(short, exponent - 1), False, "one less in the "
                     "exponent")  # fmt: skip


@makes("magnitudes")
def magnitudes(rng: Random) -> Cases:
    """Numbers that differ by little, or are far too small or large for a float."""
    ten = num(10)
    for gold, answer, right, why in (
        (num(1) / fact(2004), num(1) / fact(2006), False, "both are below any float"),
        (num(1) / fact(2006), num(2007) / fact(2007), True, "both are below any float"),
        (fact(100), fact(100) + 1, False, "they differ by one in 158 digits"),
        (ten**40, ten**40 + 1, False, "they differ by one in 41 digits"),
        (ten**40, ten**20 * ten**20, True, "a product of powers"),
        (num(2) ** 200, num(2) ** 200 + 1, False, "they differ by one in 61 digits"),
        (num(2) ** 200, num(4) ** 100, True, "another base"),
        (ten**-30, ten**-31, False, "both are close to zero"),
        (num(0), ten**-20, False, "close to zero is not zero"),
        (num(0), ten**-300, False, "close to zero is not zero"),
        (num(1), num(1) + ten**-20, False, "close to one is not one"),
        (PI, num(355) / 113, False, "close to pi is not pi"),
        (PI, num(22) / 7, False, "close to pi is not pi"),
        (num(10**17 + 1), num(10**17), False, "they differ by one in 18 digits"),
        (num(9007199254740993), num(9007199254740992), False, "a float cannot tell them apart"),
        (num(262537412640768744), E ** (PI * sqrt(163)), False, "close to a whole number"),
        (sqrt(2) + sqrt(3), sqrt(num(5) + 2 * sqrt(6)), True, "a root in a root"),
        (sqrt(10**30 + 1), num(10**15), False, "they differ in the sixteenth digit"),
        (num(2) ** 127 - 1, num(170141183460469231731687303715884105727), True, "worked out"),
        (num(2) ** 127 - 1, num(170141183460469231731687303715884105728), False, "off by one"),
        (fact(20), num(2432902008176640000), True, "worked out"),
        (fact(20), num(2432902008176640001), False, "off by one"),
        (num(3) ** 100, num(9) ** 50, True, "another base"),
        (num(3) ** 100, num(9) ** 51, False, "another exponent"),
        (tree(F(1, 3)), tree(F(333333333333, 10**12)), False, "close to a third is not a third"),
        (num(5) ** 60, num(25) ** 30, True, "another base"),
        (fact(50) / fact(48), num(2450), True, "factorials that cancel"),
        (fact(2004) / fact(2002), num(2004 * 2003), True, "large factorials that cancel"),
        (num(7) ** 77, num(49) ** 38 * 7, True, "another base"),
    ):
        yield scalar(rng, gold, answer, right, why, script="latex")


@makes("logarithms and exponentials")
def logarithms(rng: Random) -> Cases:
    ln = lambda of: fn("ln", of)  # noqa: E731
    for k, b in ((3, 2), (2, 3), (5, 2), (3, 5), (4, 3)):
        c = rng.choice((7, 11, 13))
        equals = [
            (k * ln(b), "a power taken out"),
            (ln(b ** (k - 1)) + ln(b), "a sum of logarithms"),
            (ln(b**k * c) - ln(c), "a difference of logarithms"),
            (-ln(tree(F(1, b**k))), "the logarithm of a quotient"),
        ]
        others = [
            (ln(b) ** k, "a power of the logarithm"),
            (ln(b**k + 1), "another number"),
            (ln(b ** (k - 1)) * ln(b), "a product, not a sum"),
            (-ln(b**k), "the other sign"),
        ]
        yield from pairs(rng, ln(b**k), equals, others)
        yield scalar(rng, num(k), log(b, b**k), True, "a logarithm", rule="R21", script="latex")
        yield scalar(rng, num(k), log(b, b ** (k + 1)), False, "another number", script="latex")
        yield scalar(rng, num(b**k), E ** (k * ln(b)), True, "the exponential of it", rule="R21")
        yield scalar(rng, num(b**k), E ** (ln(b) + k), False, "a sum, not a product")
    for gold, answer, right, why in (
        (log(2, 3), ln(3) / ln(2), True, "another base"),
        (log(2, 3), ln(2) / ln(3), False, "upside down"),
        (log(2, 3), log(4, 9), True, "another base"),
        (log(2, 3), log(3, 2), False, "base and number exchanged"),
        (num(1) / E, E**-1, True, "a negative exponent"),
        (num(1) / E, neg(E), False, "a negative exponent is not a negative number"),
        (E ** (2 * X), (E**X) ** 2, True, "a power of a power"),
        (E ** (2 * X), E ** (X**2), False, "the square is in the exponent"),
        (E ** (X + Y), E**X * E**Y, True, "a product of exponentials"),
        (E ** (X + Y), E**X + E**Y, False, "a sum of exponentials"),
        (fn("exp", X + 1), E * E**X, True, "a factor taken out"),
    ):
        yield scalar(rng, gold, answer, right, why, script="latex")


ANGLES = {
    "sin": {
        (1, 6): tree(F(1, 2)), (1, 4): sqrt(2) / 2, (1, 3): sqrt(3) / 2, (1, 2): num(1),
        (7, 6): tree(F(-1, 2)), (1, 12): (sqrt(6) - sqrt(2)) / 4, (1, 10): (sqrt(5) - 1) / 4,
    },
    "cos": {
        (1, 6): sqrt(3) / 2, (1, 3): tree(F(1, 2)), (2, 3): tree(F(-1, 2)), (1, 1): num(-1),
        (1, 5): (sqrt(5) + 1) / 4, (3, 4): neg(sqrt(2) / 2),
    },
    "tan": {
        (1, 4): num(1), (1, 3): sqrt(3), (1, 6): sqrt(3) / 3, (3, 4): num(-1),
        (1, 8): sqrt(2) - 1, (1, 12): num(2) - sqrt(3),
    },
}  # fmt: skip


@makes("trigonometry")
def trigonometry(rng: Random) -> Cases:
    sin, cos, tan = (lambda of, name=name: fn(name, of) for name in ("sin", "cos", "tan"))
    for name, table in ANGLES.items():
        for (p, q), exact in table.items():
            angle = PI / q if p == 1 else p * PI / q
            other = rng.choice([o for o in table.values() if not equal(o, exact)])
            yield scalar(rng, exact, fn(name, angle), True, "an angle of the table", rule="R21")
            yield scalar(rng, fn(name, angle), other, False, "the ratio of another angle")
            if not 180 * p % q:
                turned = fn(name, degrees(180 * p // q))
                yield scalar(rng, exact, turned, True, "in degrees", rule="R21", script="latex")
    for gold, answer, right, why in (
        (tree(F(1, 2)), sin(num(30)), False, "thirty is not thirty degrees"),
        (num(1), sin(X) ** 2 + cos(X) ** 2, True, "the theorem of Pythagoras"),
        (num(1), sin(X) ** 2 - cos(X) ** 2, False, "the other sign"),
        (sin(2 * X), 2 * sin(X) * cos(X), True, "twice an angle"),
        (sin(2 * X), sin(X) * cos(X), False, "half of it"),
        (sin(2 * X), 2 * sin(X), False, "a factor is not taken out of a sine"),
        (cos(2 * X), num(1) - 2 * sin(X) ** 2, True, "twice an angle"),
        (cos(2 * X), num(1) - 2 * cos(X) ** 2, False, "the other sign"),
        (cos(2 * X), cos(X) ** 2 - sin(X) ** 2, True, "twice an angle"),
        (tan(X), sin(X) / cos(X), True, "a quotient"),
        (tan(X), cos(X) / sin(X), False, "upside down"),
        (sin(X), cos(PI / 2 - X), True, "the other leg"),
        (sin(X), cos(PI / 2 + X), False, "the other sign"),
        (fn("sec", X) ** 2, num(1) + tan(X) ** 2, True, "the theorem of Pythagoras"),
        (fn("sec", X) ** 2, num(1) - tan(X) ** 2, False, "the other sign"),
        (PI / 4, fn("arctan", 1), True, "an angle by its tangent"),
        (PI / 4, fn("arctan", sqrt(3)), False, "another angle"),
        (PI / 6, fn("arcsin", tree(F(1, 2))), True, "an angle by its sine"),
        (PI / 6, fn("arccos", tree(F(1, 2))), False, "an angle by its cosine"),
        (3 * PI / 4, PI - PI / 4, True, "a difference of angles"),
        (3 * PI / 4, 4 * PI / 3, False, "upside down"),
        (sin(X + Y), sin(X) * cos(Y) + cos(X) * sin(Y), True, "the sine of a sum"),
        (sin(X + Y), sin(X) + sin(Y), False, "the sine of a sum is not a sum of sines"),
    ):
        yield scalar(rng, gold, answer, right, why)


@makes("factorials and binomials")
def factorials(rng: Random) -> Cases:
    for n, k in ((5, 2), (6, 3), (7, 2), (10, 4), (12, 5), (52, 5)):
        equals = [
            (binom(n, k), "not worked out"),
            (binom(n, n - k), "what is left out is chosen"),
            (fact(n) / (fact(k) * fact(n - k)), "in factorials"),
            (binom(n - 1, k) + binom(n - 1, k - 1), "the rule of Pascal"),
        ]
        others = [
            (binom(n, k + 1) if 2 * k + 1 != n else binom(n, 1), "one more is chosen"),
            (fact(n) / fact(n - k), "the order counts"),
            (binom(n + 1, k), "one more to choose from"),
            (num(comb(n, k) + 1), "one too many"),
        ]
        yield from pairs(rng, num(comb(n, k)), equals, others, rule="R21", script="latex")
    for gold, answer, right, why in (
        (num(120), fact(5), True, "a factorial"),
        (num(120), fact(6), False, "another factorial"),
        (num(720), fact(fact(3)), True, "the factorial of a factorial"),
        (num(90), fact(10) / fact(8), True, "factorials that cancel"),
        (num(90), fact(10) / fact(9), False, "factorials that do not cancel to it"),
        (tree(F(1, 24)), num(1) / fact(4), True, "a factorial below the bar"),
        (num(1) / fact(9), num(1) / fact(10), False, "another factorial below the bar"),
        (num(1), fact(0), True, "the factorial of nothing"),
        (num(0), fact(0), False, "the factorial of nothing"),
        ((N + 1) * fact(N), fact(N + 1), True, "a factorial of a variable"),
        ((N + 1) * fact(N), fact(N) + 1, False, "the sum is not under the factorial"),
        (tree(F(1, 2)) * N * (N - 1), (N**2 - N) / 2, True, "pairs"),
    ):
        yield scalar(rng, gold, answer, right, why, rule="R21", script="latex")


def times_i(q: int) -> Tree:
    """An imaginary number, whose size is left out where it is one."""
    size = J if abs(q) == 1 else abs(q) * J
    return neg(size) if q < 0 else size


@makes("complex numbers")
def complex_numbers(rng: Random) -> Cases:
    for _ in range(8):
        a, b, c, d = (rng.choice((-1, 1)) * rng.randrange(1, 9) for _ in range(4))
        if abs(b) == 1 or b == d:
            b = 5 if d != 5 else 6
        z = lambda p, q: num(p) + times_i(q) if q else num(p)  # noqa: E731
        gold = z(a, b)
        product = z(a * c - b * d, a * d + b * c)
        equals = [
            (times_i(b) + num(a), "its parts in the other order"),
            (product / z(c, d), "a quotient"),
            (gold * J / J, "turned there and back"),
        ]
        others = [
            (z(a, -b), "the conjugate"),
            (z(b, a) if a != b else z(a + 1, b), "its parts exchanged"),
            (z(a + 1, b), "another real part"),
        ]
        yield from pairs(rng, gold, equals, others)
        yield scalar(rng, product, gold * z(c, d), True, "a product", rule="R21")
    for gold, answer, right, why in (
        (num(-1), J**2, True, "the square of i"),
        (num(1), J**2, False, "the square of i"),
        (num(-1), E ** (J * PI), True, "half a turn"),
        (num(1), E ** (J * PI), False, "half a turn"),
        (J, E ** (J * PI / 2), True, "a quarter of a turn"),
        (num(5), absolute(num(3) + 4 * J), True, "a modulus"),
        (num(7), absolute(num(3) + 4 * J), False, "a modulus is not a sum"),
        (2 * J, (num(1) + J) ** 2, True, "a square"),
        (num(2), (num(1) + J) ** 2, False, "a square"),
        (neg(J), num(1) / J, True, "a quotient"),
        (J, num(1) / J, False, "a quotient"),
        (sqrt(2) * J, sqrt(-2), True, "the root of a negative number"),
        (sqrt(2), sqrt(-2), False, "the root of a negative number"),
        (tree(F(1, 2)) + sqrt(3) / 2 * J, E ** (J * PI / 3), True, "a sixth of a turn"),
    ):
        yield scalar(rng, gold, answer, right, why)


# Polynomials, held as {exponents: coefficient}


def times(one: dict, other: dict) -> dict:
    made: dict = {}
    for e, c in one.items():
        for f, d in other.items():
            key = tuple(i + j for i, j in zip(e, f))
            made[key] = made.get(key, 0) + c * d
    return {e: c for e, c in made.items() if c}


def polynomial(of: dict, letters: tuple[Tree, ...], order: Random | None = None) -> Tree:
    """The sum of its terms, the highest first or in an order drawn by chance."""
    terms = sorted(of, reverse=True)
    if order:
        order.shuffle(terms)
    return add([term(of[e], e, letters) for e in terms]) if terms else num(0)


def term(coefficient: int, exponents: tuple[int, ...], letters: tuple[Tree, ...]) -> Tree:
    raised = [v if e == 1 else v**e for v, e in zip(letters, exponents) if e]
    size = abs(coefficient)
    made = mul(([num(size)] if size > 1 else []) + raised) if raised else num(size)
    return neg(made) if coefficient < 0 else made


def nonzero(rng: Random, top: int) -> int:
    return rng.choice((-1, 1)) * rng.randrange(1, top + 1)


def nudged(rng: Random, of: dict, by: int = 1) -> dict:
    """One coefficient changed."""
    e = rng.choice(sorted(of))
    return of | {e: of[e] + (by if of[e] + by else 2 * by)}


@makes("polynomials")
def polynomials(rng: Random) -> Cases:
    for degree in (2, 2, 2, 2, 2, 3, 3, 3, 4):
        factors = [{(1,): rng.choice((1, 1, 2, 3)), (0,): nonzero(rng, 9)} for _ in range(degree)]
        whole: dict = {(0,): 1}
        for factor in factors:
            whole = times(whole, factor)
        gold, factored = polynomial(whole, (X,)), mul([polynomial(f, (X,)) for f in factors])
        flipped = [factors[0] | {(0,): -factors[0][0,]}, *factors[1:]]
        e = rng.choice([key for key in whole if whole[key]])
        equals = [
            (factored, "as a product"),
            (polynomial(whole, (X,), rng), "in another order"),
            (mul([-polynomial(factors[0], (X,)), -mul([polynomial(f, (X,)) for f in factors[1:]])]),
             "as a product of two negatives"),
        ]  # fmt: skip
        others = [
            (polynomial(nudged(rng, whole), (X,)), "one coefficient off by one"),
            (polynomial(whole | {e: -whole[e]}, (X,), rng), "one sign changed"),
            (mul([polynomial(f, (X,)) for f in flipped]), "one sign changed in the product"),
        ]
        yield from pairs(rng, gold, equals, others)
        yield scalar(rng, factored, gold, True, "multiplied out")
        off = polynomial(nudged(rng, whole, -1), (X,))
        yield scalar(rng, factored, off, False, "multiplied out, one coefficient off by one")


@makes("rational functions")
def rational_functions(rng: Random) -> Cases:
    for _ in range(9):
        p, q = rng.sample([k for k in range(-7, 8) if k], 2)
        a, b = nonzero(rng, 6), nonzero(rng, 6)
        if a + b == 0:
            a += 1 if a != -1 else 3
        below = polynomial(times({(1,): 1, (0,): -p}, {(1,): 1, (0,): -q}), (X,))
        above = {(1,): a + b, (0,): -(a * q + b * p)}
        above = {e: c for e, c in above.items() if c}
        root = lambda k: polynomial({(1,): 1, (0,): -k}, (X,))  # noqa: E731
        one, two = num(abs(a)) / root(p), num(abs(b)) / root(q)
        split = (one if a > 0 else -one) + two if b > 0 else (one if a > 0 else -one) - two
        k = rng.randrange(2, 6)
        equals = [
            (split, "in partial fractions"),
            (polynomial({e: k * c for e, c in above.items()}, (X,)) / (k * root(p) * root(q)),
             "not in lowest terms"),
            (polynomial({e: -c for e, c in above.items()}, (X,)) / (-1 * root(p) * root(q)),
             "both signs changed"),
        ]  # fmt: skip
        others = [
            (polynomial(nudged(rng, above), (X,)) / below, "one coefficient off by one"),
            (polynomial({e: -c for e, c in above.items()}, (X,)) / below, "the other sign"),
            (below / polynomial(above, (X,)), "upside down"),
        ]
        yield from pairs(rng, polynomial(above, (X,)) / below, equals, others)


@makes("several variables")
def several_variables(rng: Random) -> Cases:
    for _ in range(7):
        letters = rng.choice(((X, Y), (A, B), (X, Z)))
        one, two = ({(1, 0): nonzero(rng, 5), (0, 1): nonzero(rng, 5)} for _ in range(2))
        whole = times(one, two)
        gold = polynomial(whole, letters)
        product = polynomial(one, letters) * polynomial(two, letters)
        swap = polynomial(whole, letters[::-1])
        equals = [(product, "as a product"), (polynomial(whole, letters, rng), "in another order")]
        others = [
            (polynomial(nudged(rng, whole), letters), "one coefficient off by one"),
            (-gold if len(whole) == 1 else neg(gold), "the other sign"),
        ]
        if not equal(gold, swap):
            others.append((swap, "the variables exchanged"))
        yield from pairs(rng, gold, equals, others)
    for gold, answer, right, why in (
        ((X + Y) ** 2, X**2 + 2 * X * Y + Y**2, True, "multiplied out"),
        ((X + Y) ** 2, X**2 + Y**2, False, "the square of a sum is not a sum of squares"),
        (X**2 - Y**2, (X - Y) * (X + Y), True, "as a product"),
        (X**2 - Y**2, (X - Y) ** 2, False, "the square of a difference"),
        (num(1) / X + num(1) / Y, (X + Y) / (X * Y), True, "over one bar"),
        (num(1) / X + num(1) / Y, num(2) / (X + Y), False, "bars are not added like that"),
        (num(1) / X + num(1) / Y, num(1) / (X + Y), False, "bars are not added like that"),
        (A * B + A * Z, A * (B + Z), True, "a factor taken out"),
        (A * B + A * Z, A * B + Z, False, "a factor lost"),
        (X**3 + Y**3, (X + Y) * (X**2 - X * Y + Y**2), True, "as a product"),
        (X**3 + Y**3, (X + Y) ** 3, False, "the cube of a sum"),
        (PI * X**2 * Y / 3, tree(F(1, 3)) * PI * X**2 * Y, True, "a factor before it"),
        (PI * X**2 * Y / 3, PI * X * Y**2 / 3, False, "the variables exchanged"),
    ):
        yield scalar(rng, gold, answer, right, why)


@makes("unevaluated forms")
def unevaluated(rng: Random) -> Cases:
    for _ in range(13):
        a, b, c = rng.randrange(2, 30), rng.randrange(2, 30), rng.randrange(2, 9)
        for made, total in (
            (num(a) * b + c, a * b + c),
            (num(a) + num(b) * c, a + b * c),
            ((num(a) + b) * c, (a + b) * c),
        ):
            yield scalar(rng, num(total), made, True, "not worked out", rule="R21")
        yield scalar(rng, num((a + b) * c), num(a) + num(b) * c, False, "brackets left out")
        yield scalar(rng, num(a * b + c), num(a) * b - c, False, "the other sign")
    for gold, answer, form, right, why in (
        ("\\frac{1}{2}", "\\frac{2}{4}", "simplified", False, "not in lowest terms"),
        ("\\frac{1}{2}", "\\frac{1}{2}", "simplified", True, "in lowest terms"),
        ("1024", "2^{10}", "simplified", False, "not worked out"),
        ("1024", "1024", "simplified", True, "worked out"),
        ("(x-1)(x+1)", "x^2-1", "factored", False, "not a product"),
        ("(x-1)(x+1)", "(x+1)(x-1)", "factored", True, "a product"),
        ("(x-1)(x+1)", "(x+1)(x-2)", "factored", False, "another product"),
    ):
        yield Case(gold, answer, right, why, "R21", policy={"form": form})


def rounded(of: Tree, places: int) -> str:
    """A real value to so many places."""
    scaled = round(value(of).real * 10**places)
    sign, scaled = "-" if scaled < 0 else "", abs(scaled)
    return f"{sign}{scaled // 10**places}.{scaled % 10**places:0{places}}"


@makes("rounding")
def rounding(rng: Random) -> Cases:
    closed = (
        PI, sqrt(2), sqrt(3), E, 2 * PI, fn("ln", 2), sqrt(7) / 2, PI / 3, num(5) * sqrt(3),
        (num(1) + sqrt(5)) / 2, sqrt(10, 3), E**2, neg(sqrt(11)), PI**2,
    )  # fmt: skip
    for exact in closed:
        for places in rng.sample((2, 3, 4, 5), 2):
            gold = rounded(exact, places)
            if sum(map(str.isdigit, gold.lstrip("-0."))) < 3:
                continue
            yield Case(
                gold, write(exact, style(rng)), True, "a closed form that rounds to it", "R22"
            )
            near = exact + dec(f"0.{'0' * (places - 1)}{rng.randrange(3, 9)}")
            assert abs(value(near).real - float(gold)) > 2 * 10**-places
            off = rounded(near, places)
            yield Case(off, write(exact, style(rng)), False, "it rounds to another decimal", "R22")
        digits = rounded(exact, rng.choice((3, 4, 6)))
        yield Case(write(exact), digits, False, "a rounded answer to an exact question", "R22")
    for q in (F(1, 3), F(2, 3), F(5, 7), F(-1, 6), F(11, 9)):
        for places in (3, 10):
            yield Case(write(tree(q)), rounded(tree(q), places), False, "a rounded answer to an "
                       "exact question", "R22")  # fmt: skip
    for gold, answer in (("3.1", "\\pi"), ("1.4", "\\sqrt{2}"), ("0.7", "\\ln 2")):
        yield Case(gold, answer, False, "a decimal with fewer than 3 significant digits is exact",
                   "R22")  # fmt: skip


@makes("percent")
def percent(rng: Random) -> Cases:
    for p in (50, 25, 12, 75, 5, 30, 8):
        share = F(p, 100)
        as_decimal = write(dec(f"{float(share)}"))
        sign = rng.choice(("\\%", "%"))
        for gold, answer, right, why in (
            (f"{p}\\%", f"{p}{sign}", True, "the same percentage"),
            (f"{p}\\%", f"{p} \\%", True, "a space before the sign"),
            (f"{p}\\%", as_decimal, True, "equal as value"),
            (f"{p}\\%", str(p), True, "equal as written number"),
            (f"{p}\\%", write(tree(share)), True, "equal as value"),
            (f"{p}\\%", f"{p}.0\\%", True, "a zero at its end"),
            (f"{p}\\%", f"{p + 1}\\%", False, "another percentage"),
            (f"{p}\\%", f"{float(share)}\\%", False, "a hundredth of it"),
            (f"{p}\\%", str(p * 100), False, "a hundred times too much"),
            (f"{p}\\%", f"{float(share / 100):.6f}".rstrip("0"), False, "a hundredth of the value"),
            (as_decimal, f"{p}\\%", True, "equal as value"),
            (as_decimal, str(p), False, "a hundred times too much, without a sign"),
            (str(p), f"{p}\\%", True, "equal as written number"),
            (str(p), as_decimal, False, "a hundredth of it, without a sign"),
            (f"{p}\\%", f"-{p}\\%", False, "the other sign"),
        ):
            by_value, as_number = (f(gold) == f(answer) for f in (share_of, as_written))
            assert right is (by_value or as_number), (gold, answer)
            yield Case(gold, answer, right, why, "R24")


def as_written(text: str) -> Fraction:
    bare = text.replace("\\%", "").replace("%", "").strip()
    if bare.startswith("\\frac"):
        top, bottom = bare[6:-1].split("}{")
        return F(int(top), int(bottom))
    return F(bare)


def share_of(text: str) -> Fraction:
    return as_written(text) / (100 if "%" in text else 1)


@makes("degrees")
def in_degrees(rng: Random) -> Cases:
    for angle in (30, 45, 72, 90, 120, 135, 7, 60):
        other = rng.choice([k for k in (15, 36, 54, 100) if k != angle])
        for gold, answer, right, why in (
            (f"{angle}^\\circ", f"{angle}^{{\\circ}}", True, "braces around the sign"),
            (f"{angle}^\\circ", f"{angle}°", True, "the sign of Unicode"),
            (f"{angle}^\\circ", f"{angle}\\text{{ degrees}}", True, "the unit in a word"),
            (f"{angle}^\\circ", f"{angle} degrees", True, "the unit in a word"),
            (f"{angle}^\\circ", str(angle), True, "a missing unit is accepted"),
            (str(angle), f"{angle}^\\circ", True, "a missing unit is accepted"),
            (f"{angle}^\\circ", f"{other}^\\circ", False, "another angle"),
            (
                f"{angle}^\\circ",
                f"{180 - angle if angle != 90 else 80}^\\circ",
                False,
                "another angle",
            ),
            (f"{angle}^\\circ", str(angle + 1), False, "another number"),
            (f"{angle}^\\circ", f"{angle} \\text{{ cm}}", False, "the unit of a length"),
        ):
            yield Case(gold, answer, right, why, "R23")


UNDEFINED = (
    ("0", "\\infty-\\infty"), ("1", "\\frac{0}{0}"), ("1", "\\frac{\\infty}{\\infty}"),
    ("0", "0 \\cdot \\infty"), ("0", "\\frac{0}{0}"), ("5", "\\frac{5 \\cdot 0}{0}"),
    ("5", "5 + \\infty - \\infty"), ("2", "\\frac{2 (1-1)}{1-1}"), ("1", "0/0"),
    ("7", "\\frac{7}{0}"), ("0", "\\frac{0}{1-1}"),
    ("x", "\\frac{x \\cdot 0}{0}"), ("3", "3^{\\frac{0}{0}}"),
    ("5", "\\frac{0}{0}"), ("42", "NaN"), ("42", "\\infty"), ("0", "\\frac{1}{\\frac{0}{0}}"),
)  # fmt: skip


@makes("infinities and undefined forms")
def infinities(rng: Random) -> Cases:
    for gold, answer in UNDEFINED:
        yield Case(gold, answer, False, "equal at best by cancelling what is undefined", "R20")
    for gold, answer, right, why in (
        ("\\infty", "\\infty", True, "the same sign"),
        ("\\infty", "+\\infty", True, "a plus sign"),
        ("\\infty", "∞", True, "the sign of Unicode"),
        ("\\infty", "$\\infty$", True, "in dollars"),
        ("-\\infty", "-∞", True, "the sign of Unicode"),
        ("\\infty", "-\\infty", False, "the other end"),
        ("-\\infty", "\\infty", False, "the other end"),
        ("\\infty", "10^{100}", False, "large is not infinite"),
        ("\\infty", "999999999", False, "large is not infinite"),
        ("\\infty", "0", False, "the other extreme"),
        ("0", "-\\infty", False, "not a number"),
        ("\\infty", "\\infty-\\infty", False, "undefined"),
        ("\\infty", "\\frac{0}{0}", False, "undefined"),
        ("\\text{undefined}", "undefined", True, "a word"),
        ("\\text{undefined}", "\\text{Undefined}", True, "a capital letter"),
        ("\\text{undefined}", "0", False, "a number"),
        ("\\text{undefined}", "1", False, "a number"),
    ):
        yield Case(gold, answer, right, why, "R20")


@makes("wrapping")
def wrapping(rng: Random) -> Cases:
    """What is written around an answer changes nothing."""
    for gold, right, wrong in (
        (tree(F(3, 4)), num(6) / 8, num(4) / 3),
        (num(42), num(6) * 7, num(24)),
        (2 * sqrt(3), sqrt(12), 3 * sqrt(2)),
        (X**2 - 1, (X - 1) * (X + 1), (X - 1) ** 2),
        (PI / 2, 2 * PI / 4, num(2) / PI),
    ):
        for before, after in (
            ("$", "$"), ("$$", "$$"), ("\\(", "\\)"), ("\\[", "\\]"), ("\\displaystyle ", ""),
            ("  ", "  "), ("{", "}"), ("\\, ", " \\,"), ("$\\displaystyle ", "$."), ("\n", "\n"),
        ):  # fmt: skip
            for answer, holds in ((right, True), (wrong, False)):
                assert equal(gold, answer) is holds
                text = before + write(answer, Style()) + after
                yield Case(write(gold), text, holds, "what is around it changes nothing")
