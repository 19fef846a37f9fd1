"""People in a circle who hold one thing each, and exchange and hand on what they hold."""

from collections.abc import Sequence
from random import Random
from typing import Literal, NamedTuple

Kind = Literal["people", "holder", "things", "pass", "back", "reverse", "condition"]

TOLD: dict[Kind, tuple[str, str]] = {
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
        "All turn the order round: the first exchanges with the last, and so on to the middle.",
    ),
    "condition": (
        "If {R} holds the {z} now, {P} and {Q} exchange, otherwise nobody does.",
        "{P} and {Q} exchange, but only if {R} holds the {z} now.",
    ),
}
"""What may be done by the people P, Q and R, or with what each had at the start, x, y and z."""


class Move(NamedTuple):
    """What is done: by two people, or with two things, or if a third still has the own thing."""

    kind: Kind
    one: int
    other: int
    third: int


Holding = list[int]
"""Which thing each person holds; at the start, everyone holds the thing of the own number."""


def moved(held: Holding, move: Move) -> Holding:
    """Who holds what after a move.

    >>> moved([0, 1, 2], Move("holder", 2, 0, 0))
    [2, 1, 0]
    """
    kind, one, other, third = move
    if kind == "pass":
        return held[-1:] + held[:-1]
    if kind == "reverse":
        return held[::-1]
    if kind == "condition" and held[third] != third:
        return held
    a, b = {
        "holder": (held.index(one), other),
        "things": (held.index(one), held.index(other)),
        "back": (held.index(one), one),
    }.get(kind, (one, other))
    made = held[:]
    made[a], made[b] = held[b], held[a]
    return made


def drawn(rng: Random, people: int, kinds: Sequence[Kind], number: int) -> tuple[Move, ...]:
    """So many moves, none of which undoes what the last one did, or has no effect without an if."""
    held = before = list(range(people))
    moves: list[Move] = []
    while len(moves) < number:
        move = _drawn(rng, people, rng.choice(kinds))
        after = moved(held, move)
        if after == held and move.kind == "condition":
            moves.append(move)
        elif after not in (held, before):
            moves.append(move)
            before, held = held, after
    return tuple(moves)


def _drawn(rng: Random, people: int, kind: Kind) -> Move:
    one, other = rng.sample(range(people), 2)
    third = rng.randrange(people)
    if kind in {"people", "things", "condition"}:
        one, other = sorted((one, other))
    # What a kind has no use for is 0, so that equal moves are equal.
    return Move(
        kind,
        one if kind not in {"pass", "reverse"} else 0,
        other if kind not in {"pass", "reverse", "back"} else 0,
        third if kind == "condition" else 0,
    )


def as_text(move: Move, names: Sequence[str], things: Sequence[str], style: int) -> str:
    """A move in words, in one of two styles.

    >>> as_text(Move("back", 1, 0, 0), ["Ada", "Bo"], ["egg", "hat"], 0)
    'Bo exchanges with whoever holds what Bo had at the very start.'
    """
    kind, one, other, third = move
    return TOLD[kind][style % 2].format(
        P=names[one],
        Q=names[other],
        R=names[third],
        x=things[one],
        y=things[other],
        z=things[third],
    )
