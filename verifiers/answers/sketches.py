"""Roughly what members of long lists are worth, so that few pairs of them are compared in full."""

from collections.abc import Sequence
from typing import NamedTuple

from palaestra.task import InvalidAnswer
from palaestra.verifiers.answers.nodes import ARITHMETIC, Node, places, variables
from palaestra.verifiers.answers.values import EFFORT, cost, numeric

FEW = 100
"""So many pairs are compared without sketches."""

NOISE = 1e-9
"""How far apart sketches of equal values may be, as a share of them."""


MOST = 4 * EFFORT
"""How much may be worked out for the sketches of a list."""


class Sketch(NamedTuple):
    """The name that a member gives to a value, if any, and the value."""

    name: str
    value: complex
    slack: float
    """How far from it a value may be that rounds to it."""


def sketches(members: Sequence[Node], others: int) -> list[Sketch | None]:
    """A sketch of each member that is a number, or an equation that gives one to a name.

    None for all where only few pairs are to be compared with ``others``. Raises
    :class:`InvalidAnswer` with status ``limit`` where working them out would take too long.
    """
    if len(members) * others <= FEW:
        return [None] * len(members)
    valued = [_valued(member) for member in members]
    if sum(cost(value) for _, value in filter(None, valued)) > MOST:
        raise InvalidAnswer("too many expressions to work out", "limit")
    return [None if one is None else _sketch(*one) for one in valued]


def near(one: Sketch | None, other: Sketch | None) -> bool:
    """Whether two members may be equal for all that their sketches say."""
    if one is None or other is None or one.name != other.name:
        return True
    apart = abs(one.value - other.value)
    return apart <= NOISE * (abs(one.value) + abs(other.value)) + one.slack + other.slack


def _valued(member: Node) -> tuple[str, Node] | None:
    """The name and the value of a member; nothing for what may be equal by more than its value."""
    name = ""
    if member.op == "relation" and member.value == ("=",) and member.of[0].op == "variable":
        name, member = member.of[0].value, member.of[1]
    plain = member.op in ARITHMETIC and not member.has("degrees", "pm", "based")
    return (name, member) if plain and not variables(member) else None


def _sketch(name: str, node: Node) -> Sketch | None:
    written = node.of[0] if node.op == "neg" else node
    try:
        value = complex(numeric(node, {}))
        slack = 10.0 ** -places(written) if written.op == "decimal" else 0.0
    except (InvalidAnswer, OverflowError):
        return None
    return Sketch(name, value, slack) if abs(value) < float("inf") else None
