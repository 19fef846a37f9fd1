"""Seating people in a row or at a round table by rules, which many seatings satisfy.

Open tasks of this sort are the subject of AutoLogi (Q. Zhu and others, 2025).
"""

from collections.abc import Iterable, Sequence
from itertools import permutations
from random import Random
from typing import Literal, Self

from palaestra.generators.logic.placements import PlacementPuzzle, Rule, random_rules
from palaestra.generators.logic.seating import Seats, makers, sentence
from palaestra.generators.people import NAMES
from palaestra.scenes import Cell, Grid
from palaestra.task import InvalidAnswer, ladder
from palaestra.verifiers.reading.labels import pairs
from palaestra.verifiers.reading.values import joined
from palaestra.verifiers.reading.words import word_list


class Seating(PlacementPuzzle):
    """Seat people in a row or at a round table, so that all rules are satisfied."""

    tags = {"deduction", "constraints", "search"}
    baseline_note = (
        "'best single changes' compares all exchanges of two people before each of its steps, "
        "which is a search; players who place each person once fail"
    )

    class Knobs(PlacementPuzzle.Knobs):
        people: int = ladder(4, 5, 6, 7, 9, 10, 12, low=4, high=12)
        rules: int = ladder(3, 5, 9, 13, 19, 26, 34, low=2, high=40)
        forms: int = ladder(3, 4, 6, 8, 10, low=2, high=10)  # of the ten forms of a rule
        table: Literal["row", "round", "either"] = ladder("row", "row", "either", "either")

    is_round: bool

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        is_round = rng.random() < 0.5 if knobs.table == "either" else knobs.table == "round"
        seats = Seats(knobs.people, is_round)
        rules = random_rules(rng, seats, makers(seats, knobs.forms), knobs.rules)
        names = tuple(rng.sample(NAMES, knobs.people))
        return cls(names=names, rules=tuple(rules), is_round=is_round)

    def slots(self) -> Seats:
        return Seats(len(self.names), self.is_round)

    def canonical(self) -> str:
        return repr((self.is_round, sorted(self.rules)))

    def prompt(self) -> str:
        number = len(self.names)
        if self.is_round:
            setting = self.phrase(
                f"{number} people sit at a round table. The seats have numbers from 1 to {number}, "
                f"clockwise, so that seat 1 follows seat {number}.",
                f"A round table has {number} seats, numbered clockwise from 1 to {number}; after "
                f"seat {number} comes seat 1. One person sits in each.",
            )
            facts = (
                "Opposite seats have as many seats between them on one side as on the other."
                if number % 2 == 0
                else f"Seat {number} is next to seat 1."
            )
        else:
            setting = self.phrase(
                f"{number} people sit in a row of seats, numbered from 1 to {number} from left to "
                "right.",
                f"A row has {number} seats. Seat 1 is the leftmost one and seat {number} the "
                "rightmost, and one person sits in each.",
            )
            facts = "Left and right are those of somebody who reads the numbers in order."
        rules = "\n".join(
            f"- {sentence(rule, self.is_round, self.names, n + self.wording)}"
            for n, rule in enumerate(self.rules)
        )
        example = joined(sorted(self.names))
        return (
            f"{setting} They are {joined(self.names)}. Find a seating that satisfies all of these "
            f"rules:\n\n{rules}\n\n{facts} Neighbours sit in seats next to each other. If several "
            "seatings satisfy the rules, any of them will do. List the names by seat, from seat 1 "
            f"on, such as '{example}'."
        )

    def read(self, answer: str) -> list[int]:
        by_name = {name.casefold(): n for n, name in enumerate(self.names)}
        row = [by_name.get(name, -1) for name in self._listed(answer)]
        if sorted(row) != [*range(len(self.names))]:
            raise InvalidAnswer("expected the name of each person once")
        return [row.index(person) for person in range(len(row))]

    def _listed(self, answer: str) -> list[str]:
        """The names by seat, in lower case. Seats may be named, too."""
        seats = [str(n) for n in range(1, len(self.names) + 1)]
        try:
            return word_list(answer, len(self.names), "a list of names")
        except InvalidAnswer:
            spellings = {f"seat {seat}": seat for seat in seats}
            by_seat = pairs(answer, seats, self.names, spellings=spellings)
            return [by_seat[seat].casefold() for seat in seats]

    def as_text(self, solution: Sequence[int]) -> str:
        row = sorted(range(len(solution)), key=solution.__getitem__)
        return joined([self.names[person] for person in row])

    def imbalance(self) -> str:
        return "each seat is for one person"

    def audit(self, answer: str) -> bool:
        """Check the rules on the row of names, by positions in it."""
        row = self._listed(answer)
        rows = [row[n:] + row[:n] for n in range(len(row))] if self.is_round else [row]
        return all(self._is_kept(rule, rows) for rule in self.rules)

    def _is_kept(self, rule: Rule, rows: Sequence[Sequence[str]]) -> bool:
        a, b, c, d = ([self.names[n].casefold() for n in rule.people] + [""] * 3)[:4]

        def between(one: str, other: str) -> int:
            """How many people sit between two, on the shorter way."""
            return min(abs(row.index(one) - row.index(other)) for row in rows) - 1

        row, n = rows[0], rule.numbers[0] if rule.numbers else 0
        checks = {
            "next": lambda: between(a, b) == 0,
            "not next": lambda: between(a, b) > 0,
            "end": lambda: a in {row[0], row[-1]},
            "left": lambda: b in row[row.index(a) :],
            "right": lambda: any(list(each[:2]) == [a, b] for each in rows),
            "opposite": lambda: between(a, b) == len(row) // 2 - 1,
            "not opposite": lambda: between(a, b) < len(row) // 2 - 1,
            "apart": lambda: between(a, b) == n,
            "far": lambda: between(a, b) >= n,
            "between": lambda: (b in row[: row.index(a)]) != (c in row[: row.index(a)]),
            "one of two": lambda: [between(a, b), between(a, c)].count(0) == 1,
            "nearer": lambda: between(a, b) < between(a, c),
            "if left": lambda: a in row[row.index(b) :] or d in row[row.index(c) :],
            "if next": lambda: between(a, b) > 0 or between(c, d) == 0,
        }
        return checks[rule.form]()

    def scene(self) -> Grid:
        return self._view([""] * len(self.names))

    def solved_scene(self, answer: str) -> Grid:
        solution = self.read(answer)
        row = sorted(range(len(solution)), key=solution.__getitem__)
        return self._view([self.names[person] for person in row])

    def _view(self, row: Sequence[str]) -> Grid:
        """The seats in a row, or a table with half of them on each side, clockwise."""
        half = len(row) // 2
        upper, lower = (row[:half], row[half:][::-1]) if self.is_round else (row, ())
        numbers = [str(n + 1) for n in range(len(row))]
        cells = [tuple(Cell(name) for name in upper)]
        top = tuple((n,) for n in numbers[: len(upper)])
        if not self.is_round:
            return Grid(tuple(cells), top=top)
        cells += [tuple(Cell(fill="dark") for _ in upper), tuple(Cell(name) for name in lower)]
        return Grid(tuple(cells), top=top, bottom=tuple((n,) for n in numbers[half:][::-1]))

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(people=4, rules=3, forms=3, table="row")

    def candidates(self) -> Iterable[str]:
        return map(joined, permutations(self.names))
