"""Reading a polynomial that is written as a sum of powers.

Answers may use the notations of :mod:`~palaestra.verifiers.reading.notation`, and begin with a name
and an equals sign, such as ``P(x) = ``.
"""

import re
from fractions import Fraction

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.notation import in_ascii
from palaestra.verifiers.reading.numbers import rational, unnamed, unspaced
from palaestra.verifiers.sums import signed_sum

TERMS = 400
DEGREE = 400

_TERM = re.compile(r"[+-]?[^+-]+")
_MONOMIAL = re.compile(r"([+-]?)([^xX]*?)\*?[xX](?:(?:\^|\*\*)(\d{1,3}))?(/\d+)?", re.ASCII)


def expanded(text: str) -> dict[int, Fraction]:
    """The coefficients of a sum of powers of x, by power, without zeros.

    Raises :class:`InvalidAnswer` for products of brackets and for powers that occur twice.

    >>> {power: str(c) for power, c in expanded("2x^3 - x/2 + 5").items()}
    {3: '2', 1: '-1/2', 0: '5'}
    """
    compact = unspaced(in_ascii(unnamed(text)))
    terms = _TERM.findall(compact)
    if not terms or len(terms) > TERMS or "".join(terms) != compact:
        raise InvalidAnswer("not a sum of powers of x")
    read = [_monomial(term) for term in terms]
    powers = [power for power, _ in read]
    if len(set(powers)) < len(powers):
        raise InvalidAnswer("a power of x occurs in two terms")
    return {power: coefficient for power, coefficient in read if coefficient}


def _monomial(text: str) -> tuple[int, Fraction]:
    match = _MONOMIAL.fullmatch(text)
    if not match:
        return 0, rational(text, "a sum of powers of x")
    sign, size, power, below = match.groups()
    if size.startswith("(") and size.endswith(")"):
        size = size[1:-1]
    if below and "/" in size:
        raise InvalidAnswer("not a sum of powers of x")
    degree = int(power) if power else 1
    if degree > DEGREE:
        raise InvalidAnswer(f"a power of x above {DEGREE}")
    return degree, rational(f"{sign}{size or 1}{below or ''}", "a sum of powers of x")


def as_text(coefficients: dict[int, Fraction]) -> str:
    """A polynomial with fractions in the usual notation, the highest power first.

    >>> as_text({0: Fraction(5), 3: Fraction(2), 1: Fraction(-1, 2)})
    '2*x^3 - 1/2*x + 5'
    """
    powers = sorted(coefficients, reverse=True)
    names = {0: "", 1: "x"}
    return signed_sum([(coefficients[n], names.get(n, f"x^{n}")) for n in powers], times="*")
