"""Exact expectations of totals of random processes, as sums over their parts.

Michael Mitzenmacher and Eli Upfal, "Probability and Computing" (2005), treat coupons, records and
linearity of expectation; George Pólya's urn is of 1923.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from random import Random
from typing import Literal, Self

from palaestra.generators.probability.random_process_expectation.cases import (
    PROCESSES,
    Case,
    random_case,
    terms,
)
from palaestra.generators.probability.random_process_expectation.laws import by_cases
from palaestra.generators.probability.random_process_expectation.texts import described
from palaestra.generators.probability.random_process_expectation.values import expectation
from palaestra.scenes import Cell, Edge, Graph, Grid, Node, Scene
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.probabilities import probability
from palaestra.verifiers.reading.stated_values import stated

UNITS = ("points", "point", "packets", "packet", "balls", "nodes", "lamps", "positions", "pairs")
"""Words that may follow an expectation."""


class RandomProcessExpectation(Puzzle):
    """Find the exact expectation of a total of a random process."""

    tags = {"probability", "expectation", "fractions", "unique-solution"}
    calculation = True
    answer_type = "probability"

    class Knobs(Puzzle.Knobs):
        size: int = ladder(4, 6, 8, 10, 13, 17, 24, low=4, high=28)
        totals: int = ladder(1, 2, 2, 3, 4)  # of a process, that may be asked about
        greatest: int = ladder(4, 6, 9, 12, 20, 30, 50, low=3, high=99)  # of points and numbers
        process: Literal[
            "any", "records", "coins", "urn", "coupons", "tree", "elimination", "windows", "lamps",
            "neighbours", "sample",
        ] = ladder("any")  # fmt: skip

    case: Case

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        process = rng.choice(PROCESSES) if knobs.process == "any" else knobs.process
        return cls(case=random_case(rng, process, knobs.totals, knobs.size, knobs.greatest))

    def is_valid(self) -> bool:
        """Whether the value is no whole number, and not one that needs no thought."""
        value = self.value()
        return value.denominator > 1 and value not in self.simple_values().values()

    def value(self) -> Fraction:
        """The expectation."""
        return expectation(self.case)

    def simple_values(self) -> dict[str, Fraction]:
        """Values by name that are not the expectation: means, and those of simpler processes."""
        case = self.case
        values = {"one half": Fraction(1, 2)}
        for name, row in (("numbers", case.numbers), ("points", case.values)):
            if row:
                values[f"mean of the {name}"] = Fraction(sum(row), len(row))
                values[f"half of the {name}"] = Fraction(sum(row), 2)
                values[f"middle of the {name}"] = Fraction(min(row) + max(row), 2)
        return values | {name: expectation(other) ** power for name, other, power in self.others()}

    def others(self) -> Iterable[tuple[str, Case, int]]:
        """Simpler processes by name, and the power of their expectations."""
        case = self.case
        plain = {"records": "sum", "coins": "changes", "coupons": "seen"}.get(case.process, "")
        if case.total == "square" and plain:
            yield "square of the expectation", case._replace(total=plain), 2
        if case.process == "coupons" and len({*case.numbers}) > 1:
            yield "equal types", case._replace(numbers=(1,) * len(case.numbers)), 1
        if case.process == "coins" and any(2 * number != case.rounds for number in case.numbers):
            yield "fair coins", case._replace(numbers=(1,) * len(case.numbers), rounds=2), 1
        if case.process == "urn" and case.total != "pairs":
            yield "no further balls", case._replace(limit=0), 1
        if case.process in {"records", "tree"} and case.limit > 1:
            yield "no limit", case._replace(limit=1 if case.process == "records" else 0), 1

    def prompt(self) -> str:
        process, total = described(self.case)
        ask = self.phrase(
            f"What is the expected value of {total}?", f"Find the expectation of {total}."
        )
        return (
            f"{process}\n\n{ask}\n\nGive the exact value as a fraction such as '45/13', in any "
            "equal form; a decimal counts only if it is exact."
        )

    def scene(self) -> Scene:
        """The tree that is removed, or the numbers and points in rows."""
        case = self.case
        if case.process == "elimination":
            nodes = tuple(Node(str(n), note=str(v)) for n, v in enumerate(case.values, 1))
            edges = (Edge(above, n) for n, above in enumerate(case.numbers) if above >= 0)
            return Graph(nodes, tuple(edges), directed=True)
        named = (("numbers", case.numbers), ("points", case.values))
        rows = [(name, row) for name, row in named if row]
        width = max(len(row) for _, row in rows)
        cells = [
            tuple(Cell(str(n)) for n in row) + (Cell(fill="none"),) * (width - len(row))
            for _, row in rows
        ]
        return Grid(tuple(cells), left=tuple((name,) for name, _ in rows))

    def answer(self) -> str:
        return str(self.value())

    def verify(self, answer: str) -> Score:
        number = self.read(answer)
        if number < 0:
            return Score(0, "the total is never negative")
        return Score(1) if number == self.value() else Score(0, "the value is wrong")

    def read(self, answer: str) -> Fraction:
        """The value that an answer states."""
        try:
            return probability(stated(answer, UNITS))
        except InvalidAnswer as error:
            what = str(error).replace("a probability", "a number")
            raise InvalidAnswer(what, error.status) from None

    def audit(self, answer: str) -> bool | None:
        """Go through all courses of the process; None if there are too many."""
        value = by_cases(self.case)
        return None if value is None else self.read(answer) == value

    def difficulty(self) -> float:
        """How many terms the expectation has."""
        return float(terms(self.case))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Players who answer with a mean, or with the value of a simpler process."""
        return {player: str(value) for player, value in self.simple_values().items()}

    def shortcuts(self) -> list[str]:
        return [*map(str, self.simple_values().values())]
