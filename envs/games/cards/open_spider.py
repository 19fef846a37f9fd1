"""Spider, a patience of the public domain, with few cards and all of them in view."""

from random import Random
from typing import Self

from palaestra.generators.games.cards.open_spider import OpenSpider as Rules
from palaestra.generators.games.cards.open_spider import State, run_length
from palaestra.generators.games.solo import SoloGame
from palaestra.generators.states import encoded
from palaestra.task import ladder


class OpenSpider(SoloGame):
    """Build complete runs of a suit on the columns of a patience."""

    tags = {"planning", "perfect-information", "cards"}
    search_budget = 2_000

    class Knobs(SoloGame.Knobs):
        runs: int = ladder(2, 2, 3, 3, 4, 4, low=1, high=6)
        ranks: int = ladder(5, 5, 5, 6, 6, 7, low=3, high=10)
        suits: int = ladder(1, 2, 2, 2, 2, 2, low=1, high=2)
        columns: int = ladder(3, 3, 3, 4, 4, 4, low=3, high=8)
        deals: int = ladder(0, 1, 1, 1, 1, 1, low=0, high=4)  # of a card to each column
        spare: int = ladder(4, 3, 2, 1, 1, 0, low=0, high=20)  # moves beyond the plan

    ranks: int
    runs: int
    stock: tuple[int, ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        cards = [
            2 * rank + run % knobs.suits
            for run in range(knobs.runs)
            for rank in range(1, knobs.ranks + 1)
        ]
        rng.shuffle(cards)
        # At least a card of each column is not in the stock.
        deals = min(knobs.deals, len(cards) // knobs.columns - 1)
        stock, table = cards[: deals * knobs.columns], cards[deals * knobs.columns :]
        columns = tuple(tuple(table[n :: knobs.columns]) for n in range(knobs.columns))
        task = cls(
            position=encoded(State(columns, 0, 0)), moves=0, ranks=knobs.ranks, runs=knobs.runs,
            stock=tuple(stock),
        )  # fmt: skip
        plan = task.plan()
        return task.model_copy(update={"moves": len(plan.moves) + knobs.spare if plan else 0})

    def is_valid(self) -> bool:
        """Whether a plan is known, and no run is complete at the start."""
        columns = self.start().columns
        return max(map(run_length, columns)) < self.ranks and super().is_valid()

    def rules(self) -> Rules:
        return Rules(self.ranks, self.runs, self.stock)

    def description(self) -> str:
        ranks, runs = self.ranks, self.runs
        stock = (
            "If no column is empty and the stock has cards, you may deal: the next cards of the "
            "stock go on the columns, one on each, from column 1 on. "
            if self.stock
            else ""
        )
        deal = " or 'deal'" if self.stock else ""
        return self.phrase(
            f"A patience with cards of the ranks 1 to {ranks} and the suits S (spades) and H "
            "(hearts), all in view; a card may occur several times. Columns are listed from the "
            "bottom card to the top card, which is the last one. A sequence is one or more cards "
            "at the top of a column that have the same suit, each of them one rank lower than the "
            "card below it. In a move, you take a sequence, or the upper part of it, and put it, "
            "in the same order, on a column whose top card is one rank higher than the lowest card "
            "that you move, of any suit, or on an empty column (but not all cards of a column). "
            f"{stock}As soon as the top {ranks} cards of a column are a sequence from {ranks} to "
            f"1, this run is complete and removed. Complete all {runs} runs. A move states the "
            "number of cards and the columns, such as 'move 2 from 1 to 3'"
            f"{deal}.",
            f"Complete {runs} runs in this patience. A run consists of {ranks} cards of one suit, "
            f"S (spades) or H (hearts), that lie on one another from rank {ranks} at the bottom "
            "down to rank 1 on top; it leaves the table when it is on top of a column. The last "
            "card that is listed in a column is its top card. You can move the top card, or "
            "several top cards if they have one suit and fall by 1 in rank from each card to the "
            "one above it. They keep their order. The column they go to has a top card, of either "
            "suit, whose rank is by 1 greater than that of the lowest of the moved cards, or it "
            "is empty, in which case cards have to remain in the column they come from. "
            f"{stock}Everything is known from the start. Write how many cards go from which column "
            f"to which, for example 'move 2 from 1 to 3'{', or write deal' if self.stock else ''}.",
        )
