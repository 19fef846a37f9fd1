"""Golf, a patience of the public domain, with all cards in view."""

from collections.abc import Mapping
from random import Random
from typing import Self

from palaestra.generators.games.cards.golf_solitaire import DEAL, State
from palaestra.generators.games.cards.golf_solitaire import GolfSolitaire as Rules
from palaestra.generators.games.solo import SoloGame
from palaestra.generators.states import encoded
from palaestra.task import Policy, Turn, ladder


class GolfSolitaire(SoloGame):
    """Move all cards of the columns to a pile, each one rank higher or lower than the last."""

    tags = {"planning", "perfect-information", "cards"}
    search_budget = 4_000
    baseline_note = (
        "Cards of the longest column first, and no deal before it is necessary, often clear a "
        "table with few columns."
    )

    class Knobs(SoloGame.Knobs):
        columns: int = ladder(3, 3, 4, 4, 5, 5, low=2, high=6)
        height: int = ladder(2, 3, 3, 4, 4, 4, low=1, high=5)
        ranks: int = ladder(6, 7, 8, 9, 9, 11, low=4, high=13)
        cyclic: bool = ladder(False, False, True, True, True, True)
        # Cards of the stock beyond a best plan.
        spare: int = ladder(1, 1, 0, 0, 0, 0, low=0, high=6)

    columns: tuple[tuple[int, ...], ...]
    stock: tuple[int, ...]
    ranks: int
    cyclic: bool

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        """A random deal, whose stock has as many cards as the best plan takes, and spare ones."""
        columns = tuple(
            tuple(rng.randint(1, knobs.ranks) for _ in range(knobs.height))
            for _ in range(knobs.columns)
        )
        total = knobs.columns * knobs.height
        stock = tuple(rng.randint(1, knobs.ranks) for _ in range(total))
        task = cls(
            position=encoded(
                State((knobs.height,) * knobs.columns, 0, rng.randint(1, knobs.ranks))
            ),
            moves=2 * total,
            columns=columns,
            stock=stock,
            ranks=knobs.ranks,
            cyclic=knobs.cyclic,
        )
        plan = task.plan()
        if plan is None:
            return task.model_copy(update={"moves": 0})
        stock = stock[: plan.moves.count(DEAL) + knobs.spare]
        return task.model_copy(update={"stock": stock, "moves": total + len(stock)})

    def baselines(self, rng: Random) -> Mapping[str, Policy]:
        rules = self.rules()

        def longest(turn: Turn) -> str:
            """A card of the longest column that fits, or a deal."""
            state = rules.decode(turn.state.rpartition(" ")[0])
            moves = [move for move in rules.legal(state) if move != DEAL]
            best = max(moves, key=lambda move: state.heights[move], default=DEAL)
            return rules.name(state, best)

        return {**super().baselines(rng), "the longest column that fits": longest}

    def rules(self) -> Rules:
        return Rules(self.columns, self.stock, self.ranks, self.cyclic)

    def description(self) -> str:
        ends = f"1 and {self.ranks}"
        cyclic = f"{ends} are neighbours, too" if self.cyclic else f"{ends} are not neighbours"
        return self.phrase(
            f"A patience with cards of the ranks 1 to {self.ranks}; suits do not matter. All cards "
            "are in view. Each column is listed from its bottom card to its top card, which is the "
            "last one. In a move, you take the top card of a column and put it on the pile, if its "
            f"rank is exactly one higher or one lower than that of the last card there ({cyclic}); "
            "or you deal: the next card of the stock goes on the pile, whatever its rank is. Cards "
            "on the pile stay there, and only the last one counts. Move all cards of the columns "
            "to the pile. A move is the name of a column, such as 'column 2', or 'deal'.",
            "Clear all columns of this patience. Cards have ranks from 1 to "
            f"{self.ranks} and no suits. The last card listed in a column lies on top of it, and "
            "only such cards can be moved. They go on a single pile, of which you see the last "
            f"card: a card fits if it differs from that one by exactly 1 ({cyclic}). The stock is "
            "listed in the order in which its cards come; to deal puts the next one on the pile, "
            "also where it does not fit, and is possible as long as there is a stock. Nothing "
            "comes back from the pile. Write the name of the column from which you take a card, "
            "for example 'column 2', or 'deal'.",
        )
