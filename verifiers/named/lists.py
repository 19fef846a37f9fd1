"""Named verifiers of sets, lists, orders and grids."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from palaestra.task import Score
from palaestra.verifiers.lists import phrase
from palaestra.verifiers.named.entries import Model, Options, ShortText, named
from palaestra.verifiers.orders import Ranking, TopologicalOrder
from palaestra.verifiers.reading.grids import grid
from palaestra.verifiers.reading.numbers import integer, rational
from palaestra.verifiers.replies import unwrapped
from palaestra.verifiers.sets import ListOf, Multiset, SetOf
from palaestra.verifiers.verifier import GoldError, Judge, Verifier

Items = Annotated[list[ShortText], Field(min_length=1, max_length=1_000)]
ItemKind = Literal["words", "integers", "numbers"]

READERS: dict[str, Callable[[str], Hashable]] = {
    "words": phrase,
    "integers": integer,
    "numbers": rational,
}
"""How items are read: by their words, as integers, or as exact numbers."""


class Collected(Options):
    """How items are read, and whether a part of them earns a part."""

    items: ItemKind = "words"
    credit: Literal["exact", "jaccard", "f1"] = "exact"


class Unordered(Collected):
    """The same for items in any order, which may be paired by their likeness."""

    alike: Annotated[float, Field(gt=0, le=1)] | None = None


@named("set", "the items of a set, in any order", Items, page="values",
       example=(["oak", "elm"], "elm, oak"))  # fmt: skip
class SetOptions(Unordered):
    """How items are read and compared."""

    def build(self, gold: list[str]) -> Judge:
        return SetOf(tuple(gold), READERS[self.items], self.credit, self.alike)


@named("multiset", "items in any order, each as often as in the gold", Items, page="values",
       example=(["2", "2", "3"], "2, 3, 2"))  # fmt: skip
class MultisetOptions(Unordered):
    """How items are read and compared."""

    def build(self, gold: list[str]) -> Judge:
        return Multiset(tuple(gold), READERS[self.items], self.credit, self.alike)


@named("list", "items in the order of the gold", Items, page="values",
       example=(["mix", "bake", "cool"], "mix, bake, cool"))  # fmt: skip
class ListOptions(Collected):
    """How items are read and compared."""

    def build(self, gold: list[str]) -> Judge:
        return ListOf(tuple(gold), READERS[self.items], self.credit)


Ranks = Annotated[list[ShortText | Items], Field(min_length=2, max_length=1_000)]


@named("ranking", "items from first to last; those in a list of their own are tied", Ranks,
       page="values", example=(["gold", "silver", "tin"], "gold > silver > tin"))  # fmt: skip
class RankingOptions(Options):
    """How items are read, and how an order is measured."""

    items: ItemKind = "words"
    metric: Literal["exact", "kendall", "ndcg"] = "exact"
    relevances: (
        Annotated[list[Annotated[float, Field(ge=0, le=1e6)]], Field(max_length=1_000)] | None
    ) = None

    def build(self, gold: list[str | list[str]]) -> Judge:
        ranks = tuple(rank if isinstance(rank, str) else tuple(rank) for rank in gold)
        relevances = None if self.relevances is None else tuple(self.relevances)
        return Ranking(ranks, self.metric, relevances, READERS[self.items])


Pair = Annotated[list[ShortText], Field(min_length=2, max_length=2)]


class PartialOrder(Model):
    """Items, and pairs of them of which the first comes before the second."""

    items: Items
    before: Annotated[list[Pair], Field(max_length=10_000)]


@named(
    "order",
    "all items, each before those that it has to precede",
    PartialOrder,
    page="values",
    example=({"items": ["wake", "eat"], "before": [["wake", "eat"]]}, "wake, eat"),
)
class OrderOptions(Options):
    """How items are read."""

    items: ItemKind = "words"

    def build(self, gold: PartialOrder) -> Judge:
        before = tuple((first, second) for first, second in gold.before)
        return TopologicalOrder(tuple(gold.items), before, READERS[self.items])


Cell = Annotated[str, Field(pattern=r"""^[^\s,;|()"'\[\]]{1,10}$""")]
Row = Annotated[list[Cell], Field(min_length=1, max_length=100)]
Rows = Annotated[list[Row], Field(min_length=1, max_length=100)]


@dataclass(frozen=True, slots=True)
class GridOf(Verifier):
    r"""Rows of symbols that equal those of the gold: 1 or 0, or the share of right cells.

    Symbols are read in any case. Raises :class:`GoldError` for rows of different lengths, and for
    symbols that differ in their case alone.

    >>> judge = GridOf((("1", "2"), ("2", "1")))
    >>> judge("1 2\n2 1").correct, judge("12\n22").reason
    (True, 'the cell in row 2, column 2 is wrong')
    """

    gold: tuple[tuple[str, ...], ...]
    partial: bool = False

    def __post_init__(self) -> None:
        if len({len(row) for row in self.gold}) != 1:
            raise GoldError("the rows of a grid are equally long")
        if len({symbol.casefold() for symbol in self._symbols()}) < len(self._symbols()):
            raise GoldError("two symbols differ in their case alone")

    def _symbols(self) -> list[str]:
        return sorted({cell for row in self.gold for cell in row})

    def verify(self, answer: str) -> Score:
        rows, columns = len(self.gold), len(self.gold[0])
        read = grid(unwrapped(answer), rows, columns, self._symbols())
        wrong = [
            (r, c) for r in range(rows) for c in range(columns) if read[r][c] != self.gold[r][c]
        ]
        progress = 1 - len(wrong) / (rows * columns)
        if not wrong:
            return Score(1.0, parts={"progress": 1.0})
        row, column = wrong[0]
        reason = f"the cell in row {row + 1}, column {column + 1} is wrong"
        return Score(progress if self.partial else 0.0, reason, {"progress": progress})


@named("grid", "rows of symbols, cell by cell", Rows, page="named",
       example=([["1", "2"], ["2", "1"]], "1 2\n2 1"))  # fmt: skip
class GridOptions(Options):
    """Whether right cells earn a part."""

    partial: bool = False

    def build(self, gold: list[list[str]]) -> Judge:
        return GridOf(tuple(map(tuple, gold)), self.partial)
