"""Elementary cellular automata, numbered by Stephen Wolfram (1983), forwards and backwards."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import product
from random import Random
from typing import Literal, Self

from palaestra.scenes import Cell, Grid, Panels, cells_of
from palaestra.task import Derivation, Puzzle, Score, Step, ladder
from palaestra.verifiers.reading.rows import compared
from palaestra.verifiers.reading.words import letters

SIGNS = {"0": Cell("0"), "1": Cell("1", "dark")}
ENTERED = {"0": Cell("0", tone="accent"), "1": Cell("1", "accent"), " ": Cell()}
"""How the cells of the task and those of an answer are drawn."""


def stepped(row: str, rule: int) -> str:
    """A ring of cells one step later.

    >>> stepped("00100", 90)
    '01010'
    """
    return "".join(
        str(rule >> int(row[n - 1] + row[n] + row[(n + 1) % len(row)], 2) & 1)
        for n in range(len(row))
    )


@lru_cache(maxsize=256)
def before(row: str, rule: int) -> tuple[str | None, int]:
    """A ring that becomes ``row`` in one step, or ``None``, and the number of such rings."""
    total, previous = 0, None
    for first, second in product("01", repeat=2):
        # By the last two cells: the number of choices of the cells so far, and one choice.
        ways: dict[str, tuple[int, str]] = {first + second: (1, first + second)}
        cells = [None] * (len(row) - 2) + [first, second]
        for position, cell in enumerate(cells, 2):
            new: dict[str, tuple[int, str]] = {}
            for last, (number, text) in ways.items():
                for value in "01" if cell is None else cell:
                    if str(rule >> int(last + value, 2) & 1) == row[(position - 1) % len(row)]:
                        known = new.get(last[1] + value, (0, text + value))
                        new[last[1] + value] = known[0] + number, known[1]
            ways = new
        for number, text in ways.values():
            total, previous = total + number, text[: len(row)]
    return previous, total


class CellularAutomaton(Puzzle):
    """Run a cellular automaton for some steps, or find a row that precedes another."""

    tags = {"simulation", "automata"}
    calculation = True

    answer_type = "digits"

    class Knobs(Puzzle.Knobs):
        cells: int = ladder(8, 10, 12, 14, 22, 34, low=7, high=60)
        steps: int = ladder(1, 2, 4, 1, 1, 1, high=8)  # backwards there is one
        ask: Literal["after", "before"] = ladder(
            "after", "after", "after", "before", "before", "before"
        )

    rule: int
    row: str
    steps: int
    ask: Literal["after", "before"]

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        rule = rng.randrange(1, 255)
        row = "".join(rng.choices("01", k=knobs.cells))
        if knobs.ask == "before":
            row = stepped(row, rule)
        steps = knobs.steps if knobs.ask == "after" else 1
        return cls(rule=rule, row=row, steps=steps, ask=knobs.ask)

    def is_valid(self) -> bool:
        if self.ask == "before":
            previous, number = before(self.row, self.rule)
            rare = number <= 2 ** len(self.row) // 50
            return previous is not None and rare and not any(map(self.leads, self.shortcuts()))
        rows = self.rows()
        return 0.2 < rows[-1].count("1") / len(self.row) < 0.8 and rows[-1] not in rows[:-1]

    def rows(self) -> list[str]:
        """The row at the start and after each step."""
        table = [self.row]
        for _ in range(self.steps):
            table.append(stepped(table[-1], self.rule))
        return table

    def leads(self, row: str) -> bool:
        """Whether a row leads to the row of the task."""
        return stepped(row, self.rule) == self.row

    def prompt(self) -> str:
        table = "\n".join(f"{n:03b} -> {self.rule >> n & 1}" for n in reversed(range(8)))
        task = self.phrase(
            "Cells, each 0 or 1, form a ring that is written as a row: the last cell is the left "
            "neighbour of the first.",
            "A row of cells, each 0 or 1, is closed to a ring: the left neighbour of the first "
            "cell is the last cell, and the right neighbour of the last cell is the first cell.",
        )
        rules = (
            "In each step all cells change at the same time. The new value of a cell depends on "
            "the values of its left neighbour, of itself and of its right neighbour, in this order:"
        )
        if self.ask == "before":
            question = (
                f"After one step the row is\n\n{self.row}\n\nWhich row can it have been before "
                "this step? If several rows are possible, give any of them."
            )
        else:
            number = "one step" if self.steps == 1 else f"{self.steps} steps"
            question = f"The row is\n\n{self.row}\n\nWhat is it after {number}?"
        return (
            f"{task} {rules}\n\n{table}\n\n{question} Answer with {len(self.row)} digits without "
            "spaces, such as '" + ("0110" * 20)[: len(self.row)] + "'."
        )

    def scene(self) -> Panels:
        return self.view(" " * len(self.row))

    def solved_scene(self, answer: str) -> Panels:
        return self.view(self.read(answer))

    def view(self, entered: str) -> Panels:
        """The rules, and the rows from step to step, of which one is entered."""
        triples = [f"{n:03b}" for n in reversed(range(8))]
        values = ["".join(str(self.rule >> int(triple, 2) & 1) for triple in triples)]
        rules = Grid(cells_of(values, SIGNS), top=tuple((triple,) for triple in triples))
        [known] = cells_of([self.row], SIGNS)
        [other] = cells_of([entered], ENTERED)
        blank = (Cell(),) * len(self.row)
        rows = (
            (other, known) if self.ask == "before" else (known, *[blank] * (self.steps - 1), other)
        )
        steps = tuple((str(number),) for number, _ in enumerate(rows))
        return Panels((rules, Grid(rows, left=steps)), columns=1)

    def read(self, answer: str) -> str:
        """The row of an answer, in which a wrong number of cells is an error of its own."""
        return letters(answer, "01", "a row of cells")

    def answer(self) -> str:
        if self.ask == "after":
            return self.rows()[-1]
        previous, _ = before(self.row, self.rule)
        assert previous is not None, "a valid row has a predecessor"
        return previous

    def verify(self, answer: str) -> Score:
        row = self.read(answer)
        if self.ask == "after":
            return compared(row, self.rows()[-1], "cell")
        if len(row) != len(self.row):
            return Score(0, f"there are {len(self.row)} cells, not {len(row)}")
        return (
            Score(1)
            if self.leads(row)
            else Score(0, "this row leads to another row than the one shown")
        )

    def audit(self, answer: str) -> bool:
        """By a table of triples, on the ring written three times over."""
        cells = answer.strip()
        table = {f"{n:03b}": str(self.rule >> n & 1) for n in range(8)}
        row, size = (self.row if self.ask == "after" else cells), len(cells)
        for _ in range(self.steps):
            three = row * 3
            row = "".join(table[three[n - 1 : n + 2]] for n in range(size, 2 * size))
        return len(cells) == len(self.row) and row == (cells if self.ask == "after" else self.row)

    def derivation(self) -> Derivation:
        """The rows; backwards there are none."""
        row = self.row
        for number in range(1, self.steps + 1):
            row = yield Step(f"the row after step {number}", stepped(row, self.rule))

    def difficulty(self) -> float:
        return float(len(self.row) * (8 if self.ask == "before" else self.steps))

    def random_baseline(self) -> float:
        number = before(self.row, self.rule)[1] if self.ask == "before" else 1
        return float(number / 2 ** len(self.row))

    def shortcuts(self) -> Iterable[str]:
        yield "0" * len(self.row)
        yield "1" * len(self.row)
        yield self.row
        if self.ask == "before" or self.steps > 1:
            yield stepped(self.row, self.rule)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(cells=9, ask="before")

    def candidates(self) -> Iterable[str]:
        return map("".join, product("01", repeat=len(self.row)))
