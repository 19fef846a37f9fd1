"""Writing sums of terms in the usual notation."""

from collections.abc import Iterable
from fractions import Fraction


def signed_sum(terms: Iterable[tuple[int | Fraction, str]], times: str = "") -> str:
    """A sum of coefficients with their factors, without zeros and without coefficients of 1.

    ``times`` stands between a coefficient and its factor; a constant has the factor "".

    >>> signed_sum([(2, "x"), (0, "y"), (-1, "z"), (5, "")])
    '2x - z + 5'
    >>> signed_sum([(Fraction(-1, 2), "x^2")], times="*")
    '-1/2*x^2'
    """
    text = ""
    for coefficient, factor in terms:
        if coefficient:
            size = abs(coefficient)
            part = (
                factor
                if factor and size == 1
                else f"{size}{times}{factor}"
                if factor
                else f"{size}"
            )
            if text:
                text += (" - " if coefficient < 0 else " + ") + part
            else:
                text = f"-{part}" if coefficient < 0 else part
    return text or "0"
