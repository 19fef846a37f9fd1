"""Claims about a roll of dice: sampling, wording, checking and counting them.

A claim is about a statistic of the roll, and a statistic is a fold: a state that each die updates.
Rolls are therefore counted by state and not one by one.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any, Literal, NamedTuple

Statistic = Literal["sum", "highest", "lowest", "count", "best", "multiple", "rising", "distinct"]
Relation = Literal["exactly", "at least", "at most", "yes"]


class Claim(NamedTuple):
    """The claim that a statistic of the roll is in a relation to a number."""

    statistic: Statistic
    parameter: int
    """The face to count, the number of highest dice, the divisor of the sum, or 0."""

    relation: Relation
    number: int


class Fold(NamedTuple):
    """A statistic as a fold over the dice: initial state, step and result."""

    start: Any
    step: Callable[[Any, int], Any]
    result: Callable[[Any], int] = int


def fold(statistic: Statistic, parameter: int) -> Fold:
    """The fold of a statistic."""
    match statistic:
        case "sum":
            return Fold(0, lambda total, face: total + face)
        case "highest":
            return Fold(0, max)
        case "lowest":
            return Fold(10**6, min)
        case "count":
            return Fold(0, lambda times, face: times + (face == parameter))
        case "best":
            return Fold((), lambda kept, face: tuple(sorted((*kept, face))[-parameter:]), sum)
        case "multiple":
            return Fold(0, lambda rest, face: (rest + face) % parameter, lambda rest: rest == 0)
        case "rising":  # the last face, or -1 after a face that does not rise
            return Fold(0, lambda last, face: face if 0 <= last < face else -1, lambda x: x >= 0)
        case "distinct":  # a mask of the faces so far, or -1 after a repetition
            return Fold(
                0,
                lambda faces, face: -1 if faces < 0 or faces >> face & 1 else faces | 1 << face,
                lambda faces: faces >= 0,
            )


def holds(claim: Claim, roll: Sequence[int]) -> bool:
    """Whether a claim is true of a roll.

    >>> holds(Claim("best", 2, "at least", 10), [4, 1, 6])
    True
    """
    start, step, result = fold(claim.statistic, claim.parameter)
    for face in roll:
        start = step(start, face)
    return compared(result(start), claim)


def compared(value: int, claim: Claim) -> bool:
    """Whether a claim holds for a value of its statistic."""
    match claim.relation:
        case "exactly":
            return value == claim.number
        case "at least":
            return value >= claim.number
        case "at most":
            return value <= claim.number
        case "yes":
            return bool(value)


def counted(dice: Iterable[int], claims: Sequence[Claim]) -> Counter[tuple[bool, ...]]:
    """The number of rolls for each combination of truth values of the claims.

    >>> counted([6, 6], [Claim("sum", 0, "exactly", 7)])
    Counter({(False,): 30, (True,): 6})
    """
    folds = [fold(claim.statistic, claim.parameter) for claim in claims]
    ways: dict[tuple[Any, ...], int] = {tuple(each.start for each in folds): 1}
    for sides in dice:
        after: dict[tuple[Any, ...], int] = {}
        # The next states of each fold, by state and face, as states recur in many combinations.
        moves: list[dict[Any, list[Any]]] = [{} for _ in folds]
        for states, number in ways.items():
            for each, known, state in zip(folds, moves, states):
                if state not in known:
                    known[state] = [each.step(state, face) for face in range(1, sides + 1)]
            for following in zip(*(known[state] for known, state in zip(moves, states))):
                after[following] = after.get(following, 0) + number
        ways = after
    outcomes: Counter[tuple[bool, ...]] = Counter()
    for states, number in ways.items():
        values = zip(folds, states, claims)
        outcomes[tuple(compared(each.result(state), claim) for each, state, claim in values)] += (
            number
        )
    return outcomes


def claim(rng: Random, dice: Sequence[int], statistics: Sequence[Statistic]) -> Claim:
    """A random claim about a roll that at least one roll satisfies."""
    statistic = rng.choice(statistics)
    roll = [rng.randint(1, sides) for sides in dice]
    parameter = 0
    match statistic:
        case "count":
            parameter = rng.randint(1, min(dice))
        case "best":
            parameter = rng.randint(2, len(dice) - 1) if len(dice) > 2 else 1
        case "multiple":
            parameter = rng.randint(3, 7)
    if statistic in ("multiple", "rising", "distinct"):
        return Claim(statistic, parameter, "yes", 0)
    start, step, result = fold(statistic, parameter)
    for face in roll:
        start = step(start, face)
    number = result(start) if statistic != "count" else rng.randint(1, max(1, len(dice) // 2))
    return Claim(statistic, parameter, rng.choice(("exactly", "at least", "at most")), number)


def as_text(claim: Claim) -> str:
    """A claim as a clause to follow "that".

    >>> as_text(Claim("count", 6, "at least", 2))
    'at least 2 of the dice show 6'
    """
    bound = f"{claim.relation} {claim.number}"
    match claim.statistic:
        case "sum":
            return f"the sum of all dice is {bound}"
        case "highest":
            return f"the highest number shown is {bound}"
        case "lowest":
            return f"the lowest number shown is {bound}"
        case "count":
            return f"{bound} of the dice show{'s' * (claim.number == 1)} {claim.parameter}"
        case "best":
            kept = "highest die" if claim.parameter == 1 else f"{claim.parameter} highest dice"
            return f"the sum of the {kept} is {bound}"
        case "multiple":
            return f"the sum of all dice is divisible by {claim.parameter}"
        case "rising":
            return "each die after the first shows more than the die before it"
        case "distinct":
            return "no two dice show the same number"
