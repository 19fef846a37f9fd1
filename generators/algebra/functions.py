"""Functions of x made up at random: powers, exponentials, sines and cosines, and products."""

from collections.abc import Sequence
from random import Random


def factor(rng: Random, kind: str, largest: int, inner: int) -> str:
    """A factor of a kind; `inner` is the highest power that may stand inside it.

    >>> factor(Random(1), "sin", 5, 1)
    'sin(2*x)'
    """
    if kind == "power":
        power = rng.randint(1, 3 + inner)
        return "x" if power == 1 else f"x^{power}"
    if kind == "bracket":
        return f"({rng.randint(2, largest)}*x {rng.choice('+-')} {rng.randint(1, largest)})"
    if kind == "bracket power":
        return f"{factor(rng, 'bracket', largest, inner)}^{rng.randint(2, 2 + inner)}"
    power = rng.randint(1, inner)
    size = rng.randint(2, largest)
    return f"{kind}({size}*x{'' if power == 1 else f'^{power}'})"


def summands(
    rng: Random, number: int, factors: int, kinds: Sequence[str], sizes: tuple[int, int]
) -> str:
    """A sum of products of such factors, each of another kind.

    The sizes are the largest number and the highest power inside of functions.

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
