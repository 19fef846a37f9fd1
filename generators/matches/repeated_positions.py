"""Exact chances to win games with dice in which positions can repeat."""

from collections.abc import Iterator, Sequence

Event = tuple[float, Sequence[int]]
"""The probability of a roll, and the options of the player who rolled."""

CHANGE = 1e-13
"""The greatest change of a chance in a sweep after which the chances count as exact."""

SWEEPS = 6
"""The most sweeps between two in which the players look for better options."""


def chances_to_win(positions: Sequence[Sequence[Event]]) -> list[float]:
    """The probability to win of the player to roll in each position, if both play perfectly.

    A position is the list of its rolls. An option is the number of the position after it if the
    same player rolls again, and that number plus the number of all positions if the other player
    rolls next. A position without rolls is lost.

    Positions are solved in blocks of those that follow each other and lead to no later ones, so
    that it pays if a game goes on to earlier positions wherever possible.

    >>> coin = [(0.5, (2,)), (0.5, (3,))]  # to win, or to hand the coin over
    >>> [round(chance, 9) for chance in chances_to_win([[], coin])]
    [0.0, 0.666666667]
    """
    worth = [0.5] * (2 * len(positions))
    for block, repeats in _blocks(positions):
        _solve(positions, worth, block, repeats)
    return worth[: len(positions)]


def _blocks(positions: Sequence[Sequence[Event]]) -> Iterator[tuple[range, bool]]:
    """The blocks, each with whether positions of it can lead to itself."""
    start, number = 0, len(positions)
    latest = -1
    for position, rolls in enumerate(positions):
        for _, options in rolls:
            latest = max(latest, *(option % number for option in options))
        if latest <= position:
            yield range(start, position + 1), latest >= start
            start = position + 1


def _solve(
    positions: Sequence[Sequence[Event]], worth: list[float], block: range, repeats: bool
) -> None:
    """Compute the chances of a block by modified policy iteration (Puterman and Shin, 1978):
    sweeps in which all options are compared, and between these, sweeps with the options that were
    best.
    """
    change = 1.0
    while change > CHANGE:
        best: list[list[tuple[float, int]]] = []
        change = 0.0
        for number in block:
            best.append([(p, max(o, key=worth.__getitem__)) for p, o in positions[number]])
            change = max(change, _updated(worth, number, best[-1]))
        if not repeats:
            return
        for _ in range(SWEEPS):
            if max(map(_updated, [worth] * len(best), block, best)) <= CHANGE:
                break


def _updated(worth: list[float], number: int, best: Sequence[tuple[float, int]]) -> float:
    """Compute the chance of a position anew, and return its change."""
    chance = sum([p * worth[option] for p, option in best], 0.0)
    change = abs(chance - worth[number])
    worth[number], worth[number + len(worth) // 2] = chance, 1 - chance
    return change
