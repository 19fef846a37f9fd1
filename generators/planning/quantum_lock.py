"""Locks that show a number: buttons that change it in one light only, and fewest presses."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

BOUND = 5_000
"""The search ignores numbers further from zero, from which no short plan leads back."""

Button = tuple[str, int, int]
"""An operation and its number, and the light in which it works, or -1 for every light."""

State = tuple[int, int]
"""The number that is shown, and the light."""


def pressed(state: State, button: Button, lights: int) -> State:
    """The number and the light after a button is pressed.

    >>> pressed((7, 0), ("*", 2, 0), 2), pressed((7, 1), ("*", 2, 0), 2)
    ((14, 1), (7, 0))
    """
    (number, light), (sign, operand, colour) = state, button
    if colour in {light, -1}:
        number = {"+": number + operand, "-": number - operand, "*": number * operand}[sign]
    return number, (light + 1) % lights


@lru_cache(maxsize=256)
def shortest(
    buttons: tuple[Button, ...], lights: int, start: int, target: int, most: int
) -> tuple[int, ...] | None:
    """The fewest presses that reach the target, or ``None`` if they are more than ``most``."""
    came: dict[State, tuple[State, int] | None] = {(start, 0): None}
    layer: list[State] = [(start, 0)]
    for _ in range(most):
        grown = []
        for state in layer:
            for n, button in enumerate(buttons):
                new = pressed(state, button, lights)
                if new in came or abs(new[0]) > BOUND:
                    continue
                came[new] = state, n
                grown.append(new)
                if new[0] == target:
                    return _presses(came, new)
        layer = grown
    return None


def _presses(came: dict[State, tuple[State, int] | None], state: State) -> tuple[int, ...]:
    presses = []
    while (link := came[state]) is not None:
        state, press = link
        presses.append(press)
    return tuple(reversed(presses))


def share(buttons: Sequence[Button], lights: int, start: int, target: int, presses: int) -> float:
    """The share of all sequences of ``presses`` presses that reach the target.

    >>> share([("+", 1, -1), ("-", 1, -1)], 2, start=0, target=0, presses=2)
    0.5
    """
    rows = Counter({(start, 0): 1})
    for _ in range(presses):
        after: Counter[State] = Counter()
        for state, count in rows.items():
            for button in buttons:
                after[pressed(state, button, lights)] += count
        rows = after
    right = sum(count for (number, _), count in rows.items() if number == target)
    return float(right / len(buttons) ** presses)
