"""What users who talk say in a turn: the acts of it, besides the words in the observation."""

from collections.abc import Callable, Set
from dataclasses import dataclass, field
from typing import NamedTuple

from palaestra.task import Turn


class Act(NamedTuple):
    """One thing that the user does by saying something.

    ``name`` is a key of the frames of a grammar, or ``"statement"``. ``words`` is how the grammar
    says it, ``content`` the sentence in its slot, without hesitation and typing slips, and
    ``values`` are the parts of that which have to be stated exactly.
    """

    name: str
    words: str
    content: str = ""
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Utterance:
    """What the user says to a message of the player, which is empty at the start."""

    message: str
    text: str
    """As the observation has it."""

    acts: tuple[Act, ...]
    known: Callable[[], Set[str]] = field(repr=False, compare=False)
    """Gives all values that the user may ever state. They are not for the player to see."""


@dataclass(frozen=True, slots=True)
class SpokenTurn(Turn):
    """A turn with what the user says in it, in the order of the observation."""

    speech: tuple[Utterance, ...] = ()
