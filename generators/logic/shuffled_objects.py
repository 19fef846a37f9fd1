"""People in a circle who hold one thing each, and exchange these things or pass them on."""

from collections.abc import Sequence
from random import Random
from typing import Literal, NamedTuple

Kind = Literal["people", "holder", "things", "pass", "back", "reverse", "condition"]

WORDS: dict[Kind, tuple[str, str]] = {
    "people": ("{P} and {Q} exchange.", "{P} makes an exchange with {Q}."),
    "holder": (
        "Whoever holds the {x} exchanges with {Q}.",
        "{Q} exchanges with the holder of the {x}.",
    ),
    "things": (
        "The {x} and the {y} change places.",
        "Those who hold the {x} and the {y} exchange.",
    ),
    "pass": (
        "All pass what they hold to their right neighbour.",
        "Everyone hands on to the right.",
    ),
    "back": (
        "{P} exchanges with whoever holds what {P} had at the very start.",
        "{P} gets back the thing held at the very start, by an exchange with its holder.",
    ),
    "reverse": (
        "The first and the last exchange, likewise the second and the last but one, and so on.",
        "All reverse the order: the first exchanges with the last, and so on to the middle.",
    ),
    "condition": (
        "If {R} holds the {z} now, {P} and {Q} exchange, otherwise nobody does.",
        "{P} and {Q} exchange, but only if {R} holds the {z} now.",
    ),
}
"""The wordings of moves of the people P, Q and R, whose things at the start were x, y and z."""


class Move(NamedTuple):
    """A move of two people or things, under a condition on a third person for "condition".

    Fields that its action does not use are 0.
    """

    action: Kind
    one: int
    other: int
    third: int


Holding = list[int]
"""The thing that each person holds; at the start, person ``n`` holds thing ``n``."""


def moved(held: Holding, move: Move) -> Holding:
    """The things that the people hold after a move.

    >>> moved([0, 1, 2], Move("holder", 2, 0, 0))
    [2, 1, 0]
    """
    action, one, other, third = move
    if action == "pass":
        return held[-1:] + held[:-1]
    if action == "reverse":
        return held[::-1]
    if action == "condition" and held[third] != third:
        return held
    a, b = {
        "holder": (held.index(one), other),
        "things": (held.index(one), held.index(other)),
        "back": (held.index(one), one),
    }.get(action, (one, other))
    after = held[:]
    after[a], after[b] = held[b], held[a]
    return after


def random_moves(rng: Random, people: int, kinds: Sequence[Kind], number: int) -> tuple[Move, ...]:
    """Random moves; none undoes the one before, and only conditional ones may have no effect."""
    held = before = list(range(people))
    moves: list[Move] = []
    while len(moves) < number:
        move = _random_move(rng, people, rng.choice(kinds))
        after = moved(held, move)
        if after == held and move.action == "condition":
            moves.append(move)
        elif after not in (held, before):
            moves.append(move)
            before, held = held, after
    return tuple(moves)


def _random_move(rng: Random, people: int, action: Kind) -> Move:
    one, other = rng.sample(range(people), 2)
    third = rng.randrange(people)
    if action in {"people", "things", "condition"}:
        one, other = sorted((one, other))
    # Unused fields are 0, so that equal moves compare equal.
    return Move(
        action,
        one if action not in {"pass", "reverse"} else 0,
        other if action not in {"pass", "reverse", "back"} else 0,
        third if action == "condition" else 0,
    )


def as_text(move: Move, names: Sequence[str], things: Sequence[str], style: int) -> str:
    """A move in words, in one of two styles.

    >>> as_text(Move("back", 1, 0, 0), ["Ada", "Bo"], ["egg", "hat"], 0)
    'Bo exchanges with whoever holds what Bo had at the very start.'
    """
    action, one, other, third = move
    return WORDS[action][style % 2].format(
        P=names[one],
        Q=names[other],
        R=names[third],
        x=things[one],
        y=things[other],
        z=things[third],
    )
