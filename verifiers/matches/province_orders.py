"""The reader of orders to units in provinces."""

import re

from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading import layout
from palaestra.verifiers.reading.actions import phrase

LETTERS = "BCDEFGJKL"
"""The names of provinces. Letters that are words or short for an order are missing."""

_TO, _MOVE, _HOLD, _SUPPORT = "to", "move", "hold", "support"
_WORDS = {
    **{letter.casefold(): letter for letter in LETTERS},
    **dict.fromkeys(("to", "into", "->", "-->", "-", ">", "\u2192", "rightarrow"), _TO),
    **dict.fromkeys(
        ("move", "moves", "go", "goes", "advance", "advances", "attack", "attacks", "enters"), _MOVE
    ),
    **dict.fromkeys(("hold", "holds", "holding", "h", "stay", "stays"), _HOLD),
    **dict.fromkeys(("support", "supports", "s"), _SUPPORT),
}
_EMPTY = frozenset(
    ("and", "then", "the", "unit", "units", "army", "in", "at", "from", "my", "order", "orders",
     "while", "province", "a", "will", "should", "can")
)  # fmt: skip
_TOKEN = re.compile(r"[a-z]+|[^a-z\s]+")

Read = tuple[int, int, int | None]
"""The unit, its target, and the ally whose order it supports, as numbers of provinces."""


def province_orders(text: str) -> list[Read]:
    """Read orders in any order; to hold is to have the own province as the target.

    Raises :class:`~palaestra.task.InvalidAnswer` for any other text, such as two orders for a unit.

    >>> province_orders("B to C, D supports B to C")
    [(0, 1, None), (2, 1, 0)]
    >>> province_orders("B-C; D S B-C") == province_orders("Move B to C and D supports B -> C.")
    True
    >>> province_orders("C holds. E supports C")
    [(1, 1, None), (3, 1, 1)]
    """
    if "\n" in text.strip():
        text = ", ".join(layout.lines(text))  # without bullets and numbers
    reader = _Reader(_tokens(text))
    orders = list[Read]()
    while reader.left:
        orders.append(reader.order())
    units = [unit for unit, _, _ in orders]
    for unit in units:
        if units.count(unit) > 1:
            raise InvalidAnswer(f"there are two orders for {LETTERS[unit]}")
    return orders


def _tokens(text: str) -> list[str]:
    tokens = list[str]()
    for word in _TOKEN.findall(phrase(text).replace("\\", " ")):
        if word in _WORDS:
            tokens.append(_WORDS[word])
        elif word not in _EMPTY:
            raise InvalidAnswer("expected orders such as 'B to C', 'B holds' or 'B supports C'")
    return tokens


class _Reader:
    """The tokens of a text, from the first that is not read yet."""

    def __init__(self, tokens: list[str]) -> None:
        self.left = tokens[::-1]

    def order(self) -> Read:
        """Read the next order."""
        if self._skip(_HOLD):
            unit = self._province()
            return unit, unit, None
        self._skip(_MOVE)
        unit = self._province()
        if self._skip(_SUPPORT):
            ally = self._province()
            return unit, self._target(ally), ally
        if not self.left or self.left[-1] not in {_TO, _MOVE, _HOLD}:
            raise InvalidAnswer(f"there is no order for {LETTERS[unit]}")
        return unit, self._target(unit), None

    def _target(self, unit: int) -> int:
        """Where a unit moves; its own province if it holds, or if nothing is stated."""
        verb, to = self._skip(_MOVE), self._skip(_TO)
        if self._skip(_HOLD) or not (verb or to):
            return unit
        target = self._province()
        if target == unit:
            raise InvalidAnswer(f"{LETTERS[unit]} is no neighbour of itself")
        return target

    def _skip(self, token: str) -> bool:
        if self.left and self.left[-1] == token:
            self.left.pop()
            return True
        return False

    def _province(self) -> int:
        if not self.left or self.left[-1] not in LETTERS:
            raise InvalidAnswer("expected a province")
        return LETTERS.index(self.left.pop())
