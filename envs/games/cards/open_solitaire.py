"""A patience with all cards in view, after FreeCell (Paul Alfille, 1978) with a small deck."""

from random import Random
from typing import Self

from palaestra.generators.games.cards.open_solitaire import (
    RANKS,
    SUIT_NAMES,
    SUITS,
    Search,
    card_name,
)
from palaestra.generators.games.cards.open_solitaire import OpenSolitaire as Rules
from palaestra.generators.games.solo import SoloGame, plan_of
from palaestra.generators.search import Plan
from palaestra.generators.states import encoded
from palaestra.task import ladder


class OpenSolitaire(SoloGame):
    """Bring all cards of a patience to the foundations by moving one card at a time."""

    class Knobs(SoloGame.Knobs):
        suits: int = ladder(2, 2, 3, 4, 4, 4, low=2, high=4)
        ranks: int = ladder(5, 6, 6, 6, 7, 8, low=3, high=9)
        columns: int = ladder(3, 3, 3, 4, 5, 5, low=3, high=8)
        cells: int = ladder(2, 2, 2, 2, 2, 2, low=1, high=4)
        spare: int = ladder(3, 3, 2, 2, 2, 2, low=0, high=20)  # moves beyond the plan

    suits: int
    ranks: int
    cells: int
    search_budget = 3_000

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        cards = [4 * rank + suit for rank in range(knobs.ranks) for suit in range(knobs.suits)]
        rng.shuffle(cards)
        columns = tuple(tuple(cards[n :: knobs.columns]) for n in range(knobs.columns))
        state = columns, (), tuple(0 if suit < knobs.suits else -1 for suit in range(4))
        task = cls(
            position=encoded(state), moves=0, suits=knobs.suits, ranks=knobs.ranks,
            cells=knobs.cells,
        )  # fmt: skip
        plan = task.plan()
        return task.model_copy(update={"moves": len(plan.moves) + knobs.spare if plan else 0})

    def rules(self) -> Rules:
        return Rules(self.ranks, self.cells)

    def plan(self) -> Plan[tuple[int, int]] | None:
        """A plan that wins, which need not be a shortest one."""
        columns, cells, foundations = self.start()
        state = tuple(sorted(columns)), cells, foundations
        return plan_of(Search(self.ranks, self.cells), state, self.search_budget)

    def description(self) -> str:
        suits = [f"{suit} is {SUIT_NAMES[suit]}" for suit in SUITS[: self.suits]]
        names = f"{', '.join(suits)}; spades and clubs are black, hearts and diamonds red"
        ranks = " ".join(RANKS[: self.ranks])
        cells = f"{self.cells} free cell{'s' * (self.cells > 1)}"
        return self.phrase(
            "This is a patience with all cards in view. A card is written as its rank and its "
            f"suit ({names}); the ranks from the lowest to the highest are {ranks}. Each column is "
            "listed from its bottom card to its top card, which is the last one. You move one card "
            "at a time: the top card of a column or a card on a free cell. It can go to the "
            "foundation of its suit, which is built up from A without a gap; onto the top card of "
            "a column, if that card is exactly one rank higher and of the other colour; to an "
            f"empty column; or to an empty one of the {cells}, which hold one card each. Cards "
            "stay on the foundations, of which the highest card is shown. Bring all cards to the "
            "foundations. A move names the card and where it goes: "
            "'7H to 8S', '7H to cell', '7H to column' (an empty one) or '7H to foundation', for "
            f"example {self.example()}.",
            f"Move all cards of this open solitaire to the foundations. The suits: {names}. The "
            f"ranks, in ascending order: {ranks}. There is a foundation for each suit, which takes "
            "its cards in ascending order, starting with A, and keeps them; its highest card is "
            f"shown. There are {cells}, with room for one card each. The last card listed in a "
            "column is its top card. In each move, you take a top card of a column, or a card on a "
            "free cell, and put it on its foundation, on a free cell that is empty, into an empty "
            "column, or on the top card of another column whose rank is one higher and whose "
            "colour is different. Write the card and its target, as in '7H to 8S', '7H to cell', "
            f"'7H to column' and '7H to foundation'. A move looks like {self.example()}.",
        )

    def example(self) -> str:
        """A move of the first position to a free cell."""
        columns = self.start()[0]
        return f"'{card_name(columns[0][-1])} to cell'"
