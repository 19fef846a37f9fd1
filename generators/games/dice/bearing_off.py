"""The rules of the end of backgammon, in which the player bears all men off within some rolls."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from random import Random
from typing import NamedTuple

from palaestra.generators.games.chance import ChanceRules
from palaestra.scenes import Card, Item, Panels, Stacks
from palaestra.scenes import Cards as CardRows
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import phrase

POINTS = 6
"""The points of the home board."""

OFF = 0
"""Where a man is that has been borne off."""

Dice = tuple[int, ...]

_TIMES = re.compile(r"\(([1-4])\)", re.ASCII)
_STEP = re.compile(
    r"([1-6]) ?(?:/|-+>?|\u2192| to ) ?([0-5]|off)(?: ?[x\u00d7] ?([1-4]))?", re.ASCII
)
_FILLERS = re.compile(
    r"\b(?:move|play|and|then|a|the|man|men|checker|from|point|bear)\b|[,;&]", re.ASCII
)


class State(NamedTuple):
    """The men on each point, from the first on, the rolls left without the current one, and the
    dice that are still to be played, the highest first; none before a roll.
    """

    men: tuple[int, ...]
    rolls: int
    dice: Dice


Move = tuple[int, ...]
"""The men on each point after all dice."""

Step = tuple[int, int]
"""The point that a man leaves, and the point that it goes to, or `OFF`."""


@lru_cache(maxsize=1)
def rolls() -> tuple[tuple[Dice, float], ...]:
    """The dice of each roll, with its probability: doubles are played four times."""
    doubles = [((die,) * 4, 1 / 36) for die in range(1, 7)]
    return (
        *doubles,
        *(((high, low), 2 / 36) for high in range(2, 7) for low in range(1, high)),
    )


@dataclass(frozen=True)
class BearingOff(ChanceRules[State, "Move | Dice"]):
    """Bear all men off in time. A success counts 1. A chance event are the dice of a roll; a move
    is what the men are like after all of them.
    """

    state_type = State

    def legal(self, state: State) -> Sequence[Move]:
        return [*plays(state.men, state.dice)] if state.dice and any(state.men) else ()

    def chances(self, state: State) -> Sequence[tuple[Dice, float]]:
        if state.dice or not state.rolls or not any(state.men):
            return ()
        return rolls()

    def apply(self, state: State, move: "Move | Dice") -> State:
        if not state.dice:
            return State(state.men, state.rolls - 1, move)
        return State(move, state.rolls, ())

    def payoff(self, state: State) -> float:
        return float(not any(state.men))

    def name(self, state: State, move: "Move | Dice") -> str:
        return " ".join(step_name(step) for step in plays(state.men, state.dice)[move])

    def read(self, state: State, text: str) -> Move:
        spaced = _TIMES.sub(r" x\1 ", text.replace("/", "/ "))
        body = " ".join(_FILLERS.sub(" ", phrase(spaced)).split())
        body = body.replace("/ ", "/").replace("takes off", "off")
        steps = [
            (int(step[1]), OFF if step[2] == "off" else int(step[2]))
            for step in _STEP.finditer(body)
            for _ in range(int(step[3] or 1))
        ]
        if not steps or _STEP.sub(" ", body).strip() or len(steps) > 4:
            raise InvalidAnswer("expected moves of men, such as '4/2 3/off'")
        for move, order in plays(state.men, state.dice).items():
            if sorted(order) == sorted(steps):
                return move
        for dice in sorted({*permutations(state.dice)}):
            for order in sorted({*permutations(steps)}, reverse=True):
                men = played(state.men, dice, order)
                if men is not None:
                    return men
        raise InvalidAnswer("these moves are not possible with these dice, or not all of them")

    def show(self, state: State) -> str:
        men = "\n".join(
            f"Point {n}: {number} {'man' if number == 1 else 'men'}"
            for n, number in enumerate(state.men, 1)
            if number
        )
        dice = " ".join(map(str, state.dice))
        return f"{men}\nDice: {dice}\nRolls left after this one: {state.rolls}"

    def news(self, state: State, event: "Move | Dice") -> str:
        if len(event) == 4:
            return f"You roll a double {event[0]}, which is played four times."
        return f"You roll {event[0]} and {event[1]}."

    def end(self, state: State) -> str:
        left = sum(state.men)
        if not left:
            return "You have borne all men off in time."
        return f"You have {left} {'man' if left == 1 else 'men'} left and no more rolls."

    def scene(self, state: State) -> Panels:
        stacks = tuple(tuple(Item(tone="c0") for _ in range(number)) for number in state.men)
        names = tuple(str(n) for n in range(1, POINTS + 1))
        dice = tuple(Card(str(die), shape="die") for die in state.dice)
        numbers = CardRows((dice, (Card(str(state.rolls)),)), ("Dice", "Rolls left"))
        return Panels((Stacks(stacks, names), numbers), ("Points", ""), columns=1)

    def thumbs(self) -> Mapping[str, Callable[[State, Random], Move]]:
        def by(value: Callable[[Move], float]) -> Callable[[State, Random], Move]:
            return lambda state, rng: max(self.legal(state), key=value)

        def pips(men: Move) -> int:
            return sum(n * number for n, number in enumerate(men, 1))

        return {
            "the most men off, then the most points, then a low last man": by(
                lambda men: (
                    -100 * sum(men)
                    + 10 * sum(map(bool, men))
                    - max((n for n, number in enumerate(men, 1) if number), default=0)
                )
            ),
            "the most men off, then the fewest gaps": by(
                lambda men: -10 * sum(men) + sum(map(bool, men))
            ),
            "the most men off, then the lowest men": by(
                lambda men: -100 * sum(men) - sum(n * n * number for n, number in enumerate(men, 1))
            ),
            "the lowest men": by(lambda men: -pips(men) - 0.01 * sum(men)),
            "the fewest men on high points": by(
                lambda men: -sum(4.0**n * number for n, number in enumerate(men, 1))
            ),
        }


def step_name(step: Step) -> str:
    """A step in the notation of backgammon.

    >>> step_name((4, 2)), step_name((3, OFF))
    ('4/2', '3/off')
    """
    start, end = step
    return f"{start}/{end or 'off'}"


def steps_of(men: Move, die: int) -> list[Step]:
    """The steps that a die allows.

    >>> steps_of((1, 0, 0, 2, 0, 0), 5), steps_of((1, 0, 0, 2, 0, 0), 3)
    ([(4, 0)], [(4, 1)])
    """
    highest = max((n for n, number in enumerate(men, 1) if number), default=0)
    return [
        (point, max(OFF, point - die))
        for point in range(highest, 0, -1)
        if men[point - 1] and (die <= point or point == highest)
    ]


def stepped(men: Move, step: Step) -> Move:
    """The men after a step."""
    start, end = step
    after = list(men)
    after[start - 1] -= 1
    if end:
        after[end - 1] += 1
    return tuple(after)


@lru_cache(maxsize=65_536)
def plays(men: Move, dice: Dice) -> dict[Move, tuple[Step, ...]]:
    """What the men can be like after all dice, each with steps that lead there."""
    results = dict[Move, tuple[Step, ...]]()
    for order in sorted({dice, dice[::-1]}, reverse=True):
        paths: dict[Move, tuple[Step, ...]] = {men: ()}
        for die in order:
            after = dict[Move, tuple[Step, ...]]()
            for here, path in paths.items():
                if not any(here):
                    after.setdefault(here, path)
                for step in steps_of(here, die):
                    after.setdefault(stepped(here, step), (*path, step))
            paths = after
        results = paths | results
    return dict(sorted(results.items()))


def played(men: Move, dice: Dice, steps: Sequence[Step]) -> Move | None:
    """The men after steps with dice in this order; None where that is not possible, or where dice
    are left while there are men.
    """
    if len(steps) > len(dice) or (len(steps) < len(dice) and sum(men) > len(steps)):
        return None
    for die, step in zip(dice, steps):
        if step not in steps_of(men, die):
            return None
        men = stepped(men, step)
    return men if len(steps) == len(dice) or not any(men) else None
