"""Random functions of x: powers, exponentials, sines and cosines, and their products."""

from collections.abc import Sequence
from random import Random


def factor(rng: Random, name: str, largest: int, inner: int) -> str:
    """A random factor: "power", "bracket", "bracket power" or the name of a function.

    The largest number is ``largest``, and the highest power of an argument ``inner``.

    >>> factor(Random(1), "sin", 5, 1)
    'sin(2*x)'
    """
    if name == "power":
        power = rng.randint(1, 3 + inner)
        return "x" if power == 1 else f"x^{power}"
    if name == "bracket":
        return f"({rng.randint(2, largest)}*x {rng.choice('+-')} {rng.randint(1, largest)})"
    if name == "bracket power":
        return f"{factor(rng, 'bracket', largest, inner)}^{rng.randint(2, 2 + inner)}"
    power = rng.randint(1, inner)
    size = rng.randint(2, largest)
    return f"{name}({size}*x{'' if power == 1 else f'^{power}'})"


def summands(
    rng: Random, number: int, factors: int, kinds: Sequence[str], sizes: tuple[int, int]
) -> str:
    """A sum of ``number`` products of up to ``factors`` different factors from ``kinds``.

    The sizes are the largest number and the highest power of an argument.

    >>> summands(Random(3), 1, 2, ("power", "exp"), (5, 1))
    '4*x^4'
    """
    largest, inner = sizes
    text = ""
    for _ in range(number):
        chosen = rng.sample(kinds, min(rng.randint(max(1, factors - 1), factors), len(kinds)))
        parts = [str(rng.randint(2, largest)), *(factor(rng, k, largest, inner) for k in chosen)]
        sign = rng.choice((" + ", " - "))
        text += (sign if text else sign.strip(" +")) + "*".join(parts)
    return text
