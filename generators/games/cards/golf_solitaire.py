"""The rules of a patience in which cards go one rank up or down on a single pile."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from palaestra.generators.games.solo import SoloRules
from palaestra.scenes import Card, Cards
from palaestra.task import InvalidAnswer
from palaestra.verifiers.reading.actions import action

DEAL = -1
"""The move that turns a card of the stock over; other moves are the numbers of columns."""


DEALS = ("deal a card", "stock", "turn over", "turn a card over", "draw", "draw a card",
         "deal the next card", "deal one card", "deal from the stock", "next card")  # fmt: skip
"""Other ways to write the move."""


class State(NamedTuple):
    """The number of cards in each column, the number of cards turned over from the stock, and the
    rank on top of the pile.
    """

    heights: tuple[int, ...]
    turned: int
    top: int


@dataclass(frozen=True)
class GolfSolitaire(SoloRules[State, int]):
    """Move all cards of the columns to the pile."""

    columns: tuple[tuple[int, ...], ...]
    """The ranks of the cards at the start, the last one on top."""

    stock: tuple[int, ...]
    """The ranks of the stock, the next one first."""

    ranks: int
    cyclic: bool
    """Whether the lowest and the highest rank are neighbours."""

    def fits(self, card: int, top: int) -> bool:
        """Whether a card goes on another one."""
        step = abs(card - top)
        return step == 1 or (self.cyclic and step == self.ranks - 1)

    def legal(self, state: State) -> Sequence[int]:
        moves = [
            n
            for n, height in enumerate(state.heights)
            if height and self.fits(self.columns[n][height - 1], state.top)
        ]
        return [*moves, DEAL] if state.turned < len(self.stock) else moves

    def apply(self, state: State, move: int) -> State:
        if move == DEAL:
            return State(state.heights, state.turned + 1, self.stock[state.turned])
        heights = list(state.heights)
        heights[move] -= 1
        return State(tuple(heights), state.turned, self.columns[move][heights[move]])

    def distance(self, state: State) -> float:
        return float(sum(state.heights))

    def judgement(self, state: State) -> float:
        """Few cards left, many of the stock, and many columns that go on."""
        going = sum(
            height > 0 and self.fits(self.columns[n][height - 1], state.top)
            for n, height in enumerate(state.heights)
        )
        return -sum(state.heights) - 0.5 * state.turned + 0.1 * going

    def decode(self, text: str) -> State:
        return State(*super().decode(text))

    def name(self, state: State, move: int) -> str:
        return "deal" if move == DEAL else f"column {move + 1}"

    def read(self, state: State, text: str) -> int:
        every = [*range(len(self.columns)), DEAL]
        names: dict[str, int] = {self.name(state, number): number for number in every}
        move = names[action(text, {name: self.synonyms(state, name) for name in names})]
        if move in self.legal(state):
            return move
        if move == DEAL:
            raise InvalidAnswer("the stock is empty")
        if not state.heights[move]:
            raise InvalidAnswer(f"column {move + 1} is empty")
        raise InvalidAnswer(f"the top card of column {move + 1} does not fit on {state.top}")

    def synonyms(self, state: State, name: str) -> list[str]:
        """Other ways to write a move, in lower case."""
        if name == "deal":
            return [*DEALS]
        number = name.split()[1]
        n = int(number) - 1
        card = self.columns[n][state.heights[n] - 1] if state.heights[n] else 0
        columns = [number, f"col {number}", f"take column {number}", f"from column {number}"]
        columns += [f"column #{number}", f"column no {number}", f"column number {number}"]
        columns += [f"take from column {number}", f"top card of column {number}"]
        columns += [
            f"{verb} the {what} column {number}"
            for verb in ("take", "move")
            for what in ("card from", "card of", "top card from", "top card of")
        ]
        cards = [str(card), f"the {card}", f"take {card}", f"take the {card}"]
        return [*columns, *(f"{name} from column {number}" for name in cards)]

    def show(self, state: State) -> str:
        rows = [
            f"Column {n + 1}: {' '.join(map(str, cards[:height])) or '-'}"
            for n, (cards, height) in enumerate(zip(self.columns, state.heights))
        ]
        stock = " ".join(map(str, self.stock[state.turned :])) or "-"
        return "\n".join([*rows, f"Pile: {state.top}", f"Stock, the next card first: {stock}"])

    def scene(self, state: State) -> Cards:
        rows = [
            tuple(Card(str(card)) for card in cards[:height])
            for cards, height in zip(self.columns, state.heights)
        ]
        rows += [
            (Card(str(state.top), fill="t4"),),
            tuple(Card(str(card), fill="t0") for card in self.stock[state.turned :]),
        ]
        names = (f"Column {n + 1}" for n in range(len(self.columns)))
        return Cards(tuple(rows), (*names, "Pile", "Stock"))
