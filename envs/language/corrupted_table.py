"""Tables with an error to correct before use, as in BIG-Bench Extra Hard (2025)."""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Literal, Self

from palaestra.generators.language.corrupted_table import DAMAGES, Damage, Table, damaged, repairs
from palaestra.generators.tiles import tiles
from palaestra.scenes import Grid
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.reading.numbers import integers
from palaestra.verifiers.reading.rows import in_order
from palaestra.verifiers.reading.values import joined

TOWNS = ("Arden", "Brill", "Corve", "Dunmore", "Elby", "Fenwick", "Garth", "Holt", "Ilmer")
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September")

QUESTIONS = {
    "sum where": "the sum of the {x} numbers of all towns whose {y} number is greater than their "
    "{z} number",
    "product": "the sum, over all towns, of the {x} number times the {y} number",
    "highest": "the largest value, over all towns, of the {x} number minus the {y} number (it may "
    "be negative)",
    "weighted": "the {x} number of the town listed first, plus twice that of the second, plus "
    "three times that of the third, and so on",
}
KINDS: dict[str, tuple[Damage, ...]] = {
    "rows": ("row turned", "row reversed"),
    "lines": ("row turned", "row reversed", "columns exchanged", "column turned"),
    "all": ("row turned", "row reversed", "columns exchanged", "column turned", "cells exchanged"),
}
COUPLES: tuple[tuple[Damage, Damage], ...] = (
    ("row turned", "columns exchanged"),
    ("row reversed", "column turned"),
    ("columns exchanged", "column turned"),
)
"""Pairs of damages that do not undo each other."""


class CorruptedTable(Puzzle):
    """Repair a damaged table by its totals, and compute figures from the correct table."""

    version = 2
    tags = {"reading", "calculation", "unique-solution"}

    class Knobs(Puzzle.Knobs):
        rows: int = ladder(3, 3, 4, 5, 5, 6, 7, low=3, high=9)
        columns: int = ladder(3, 4, 4, 4, 5, 5, 6, low=3, high=9)
        damages: int = ladder(1, 1, 1, 1, 2, 2, 2, low=1, high=2)
        kinds: Literal["rows", "lines", "all"] = ladder("rows", "rows", "lines", "all", "lines")
        largest: int = ladder(20, 30, 50, 99, 99, 150, 300, low=20, high=999)

    table: Table
    """The damaged table."""
    damages: tuple[Damage, ...]
    row_sums: tuple[int, ...]
    column_sums: tuple[int, ...]
    questions: tuple[tuple[str, int, int, int], ...]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        right: Table = tuple(
            tuple(rng.randint(1, knobs.largest) for _ in range(knobs.columns))
            for _ in range(knobs.rows)
        )
        kinds = list(KINDS[knobs.kinds])
        if knobs.damages == 2:
            kinds = list(rng.choice(COUPLES))
        damages = tuple(rng.sample(kinds, knobs.damages))
        shown = right
        for damage in damages:
            shown = damaged(rng, shown, damage)
        questions = []
        for question in rng.sample(list(QUESTIONS), 3):
            x, y, z = rng.sample(range(knobs.columns), 3)
            questions.append((question, x, y, z))
        return cls(
            table=shown,
            damages=damages,
            row_sums=tuple(map(sum, right)),
            column_sums=tuple(map(sum, zip(*right))),
            questions=tuple(questions),
        )

    def is_valid(self) -> bool:
        """Whether there is one correct table, and the damage changes at least two answers."""
        tables = repairs(self.table, self.damages, self.row_sums, self.column_sums)
        if len(tables) != 1:
            return False
        pairs = zip(figures(self.table, self.questions), figures(tables[0], self.questions))
        return sum(one != other for one, other in pairs) > 1

    def canonical(self) -> str:
        return repr((self.table, self.damages, self.row_sums, self.column_sums, self.questions))

    def prompt(self) -> str:
        rows, columns = TOWNS[: len(self.table)], MONTHS[: len(self.table[0])]
        lines = [joined(["town", *columns])]
        lines += [joined([town, *row]) for town, row in zip(rows, self.table)]
        row_sums = joined([f"{town} {total}" for town, total in zip(rows, self.row_sums)])
        column_sums = joined([f"{month} {n}" for month, n in zip(columns, self.column_sums)])
        first, *rest = (DAMAGES[change] for change in self.damages)
        damage = f"{first}" + "".join(f"; after that, {change}" for change in rest)
        questions = "\n".join(
            f"{n}. {QUESTIONS[question].format(x=columns[x], y=columns[y], z=columns[z])}"
            for n, (question, x, y, z) in enumerate(self.questions, 1)
        )
        opening = self.phrase(
            "A table of visitors by town and month was damaged:",
            "This table of visitors, by town and month, is no longer correct:",
        )
        ask = self.phrase("Find the table as it was before,", "Restore the correct table,")
        return (
            f"{opening}\n\n" + "\n".join(lines) + f"\n\nIt is known that {damage}. Nothing else "
            f"was changed. In the correct table, the totals were:\nby town: {row_sums}\nby month: "
            f"{column_sums}\nOnly one table with these totals can have turned into the one above "
            f"in this way. {ask} and state for the correct table:\n\n{questions}\n\nWrite the "
            "three numbers in order, separated by commas, such as '310, -12, 4085'."
        )

    def scene(self) -> Grid:
        """The damaged table, with the totals of the correct one on the right and below."""
        return Grid(
            tuple(tuple(tiles(row)) for row in self.table),
            top=tuple((month[:3],) for month in MONTHS[: len(self.table[0])]),
            left=tuple((town,) for town in TOWNS[: len(self.table)]),
            right=tuple((f"= {total}",) for total in self.row_sums),
            bottom=tuple(("=", str(total)) for total in self.column_sums),
        )

    def values(self) -> list[int]:
        """The answers for the correct table."""
        (right,) = repairs(self.table, self.damages, self.row_sums, self.column_sums)
        return figures(right, self.questions)

    def answer(self) -> str:
        return joined(self.values())

    def verify(self, answer: str) -> Score:
        return in_order(integers(answer, len(self.questions)), self.values())

    def difficulty(self) -> float:
        cells = len(self.table) * len(self.table[0])
        return float(cells ** len(self.damages) + cells)

    def shortcuts(self) -> Iterable[str]:
        """The answers for the damaged table."""
        yield joined(figures(self.table, self.questions))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """The answers for the damaged table, and for one with a number changed to fit its row."""
        rows = [[*row] for row in self.table]
        for row, total in zip(rows, self.row_sums):
            row[rng.randrange(len(row))] += total - sum(row)
        return {
            "damaged table": joined(figures(self.table, self.questions)),
            "a number changed to fit its row": joined(
                figures(tuple(map(tuple, rows)), self.questions)
            ),
        }


def figures(table: Table, questions: Iterable[tuple[str, int, int, int]]) -> list[int]:
    """The answers to questions about a table.

    >>> figures(((1, 2, 3), (4, 5, 1)), [("sum where", 0, 1, 2), ("weighted", 2, 0, 1)])
    [4, 5]
    """
    numbers = []
    for question, x, y, z in questions:
        if question == "sum where":
            numbers.append(sum(row[x] for row in table if row[y] > row[z]))
        elif question == "product":
            numbers.append(sum(row[x] * row[y] for row in table))
        elif question == "highest":
            numbers.append(max(row[x] - row[y] for row in table))
        else:
            numbers.append(sum(n * row[x] for n, row in enumerate(table, 1)))
    return numbers
