"""Cutting a row into parts of neighbours, so that a stated cost is least.

Donald Knuth and Michael Plass (1981) cut a paragraph into lines of little blank space; other costs
come from lot sizing, batch scheduling and fitting functions to pieces of data.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, Literal, Self

from palaestra.generators.optimisation.sequence_partition import (
    COSTS,
    GREATEST,
    Cost,
    Division,
    Scale,
    allowed_parts,
    at_jumps,
    badness,
    best_parts,
    changed_cuts,
    equal_parts,
    first_parts,
    least_cost,
    parts_of,
    random_division,
    total_cost,
)
from palaestra.generators.solutions import Optimum, SearchResult
from palaestra.scenes import Cell, Grid
from palaestra.task import ladder
from palaestra.verifiers.reading.headings import unheaded
from palaestra.verifiers.reading.numbers import integers
from palaestra.verifiers.reading.values import joined

RULES: dict[Cost, str] = {
    "target": "A part costs the square of the difference between its sum and {number}.",
    "quadratic": "A part with the sum x costs x * x + {number}.",
    "lines": "The numbers are the lengths of the words of a text, and each part is a line of "
    "{number} characters: its words and one space between neighbouring words, which have to fit. "
    "The characters that are left over are blank. A line costs the square of its number of blank "
    "characters, apart from the last line, which costs 0.",
    "spread": "A part costs its greatest number minus its least number.",
    "peak": "A part costs its greatest number multiplied by how many numbers it has.",
    "plots": "A part costs its greatest width multiplied by its greatest length.",
    "kinds": "A part costs the square of how many different numbers it has.",
    "jobs": "The parts are batches of jobs, which are carried out one after the other from time 0. "
    "A batch takes {number} minutes to set up and then the minutes of all its jobs. Each minute "
    "from the start of the set-up of a batch to its end costs the total weight of the jobs of this "
    "batch and of all later ones, and this is what the batch costs.",
    "largest": "A part costs its sum.",
    "either": "A part costs the absolute value of its sum in row A or that of its sum in row B, "
    "whichever is greater.",
    "bits": "A part costs its sum.",
    "products": "A part earns its sum multiplied by the sum of all numbers before the part, which "
    "is 0 for the first part.",
}

TOTALS: dict[Cost, str] = {
    "largest": "The total cost is the greatest cost of a part",
    "either": "The total cost is the greatest cost of a part",
    "bits": "The total cost is the bitwise OR of the costs of all parts",
    "products": "The total is what all parts earn",
}

NAMES: dict[Cost, tuple[str, str]] = {
    "plots": ("widths", "lengths"), "jobs": ("minutes", "weights"), "either": ("row A", "row B"),
}  # fmt: skip

HEADINGS = ("part", "parts", "sizes", "part sizes", "lengths", "part lengths", "partition")
_PART = re.compile(
    r"^([ \t]{0,4}(?:[-*]{1,2}[ \t]?)?)part[ \t]{1,4}(?=\d)", re.IGNORECASE | re.MULTILINE
)


class SequencePartition(Optimum):
    """Cut a row into parts of neighbours under rules, so that a stated cost is least."""

    version = 2
    tags = {"optimisation", "dynamic-programming", "sequences", "arithmetic"}
    quantity = "total"

    class Knobs(Optimum.Knobs):
        length: int = ladder(8, 14, 24, 40, 44, 48, 54, low=7, high=56)
        greatest: int = ladder(9, 12, 20, 40, 40, 60, 80, low=6, high=99)  # about, of the numbers
        rules: int = ladder(1, 1, 2, 3, low=0, high=3)  # on lengths and sums, and factors in turn
        fees: bool = ladder(False, False, True)  # whether cuts have different fees
        cost: Literal[
            "any", "target", "quadratic", "lines", "spread", "peak", "plots", "kinds", "jobs",
            "largest", "either", "bits", "products",
        ] = ladder("any")  # fmt: skip

    division: Division

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        cost = rng.choice(COSTS) if knobs.cost == "any" else knobs.cost
        scale = Scale(knobs.length, knobs.greatest, knobs.rules, knobs.fees)
        division = random_division(rng, cost, scale)
        return cls(division=division)

    def prompt(self) -> str:
        division = self.division
        cost, size = division.cost, division.size
        names = NAMES.get(cost, ("",))
        rows = "\n".join(
            f"{name}: {joined(row)}" if name else joined(row)
            for name, row in zip(names, division.rows)
        )
        what = f"is a row of {size} numbers"
        if len(names) > 1:
            what = f"are two rows of {size} numbers, by position"
        ask = self.phrase(
            "Cut {} into parts of neighbouring numbers so that the total{} is as {} as possible.",
            "How can {} be cut into parts of neighbouring numbers so that the total{} is as {} as "
            "possible?",
        ).format(
            "it" if len(names) == 1 else "both rows, at the same positions,",
            "" if cost == "products" else " cost",
            "great" if cost == "products" else "small",
        )
        return (
            f"Here {what}:\n{rows}\n\n{ask} Each number is in exactly one part, the order stays "
            f"as it is, and a part has at least one number.\n\n{self.rules()}\n\nIf several ways "
            "are equally good, any of them will do. Write how many numbers each part has, from the "
            "first part to the last, such as '2, 1, 3' for a part of two numbers, a part of one "
            "and a part of three."
        )

    def rules(self) -> str:
        """What parts cost, and what they have to satisfy, a sentence or more a line."""
        division = self.division
        cost, fees = division.cost, division.fees
        earns = cost == "products"
        texts = [RULES[cost].format(number=division.number)]
        if division.turns:
            number = len(division.turns)
            texts.append(
                f"What a part {'earns' if earns else 'costs'} is multiplied by a factor that "
                f"depends on its turn. The factors of the first {number} parts, in order, are "
                f"{joined(division.turns)}; then they begin again."
            )
        total = TOTALS.get(cost, "The total cost is the sum of the costs of all parts")
        texts.append(f"{total}{(', minus ' if earns else ', plus ') + 'the fees of all cuts.'}")
        if not fees:
            texts[-1] = f"{total}."
        elif len({*fees}) == 1:
            texts.append(f"Each cut between two parts has a fee of {fees[0]}.")
        else:
            texts.append(
                "The fees of cuts, from the one between the first and the second number to the one "
                f"between the last two, are {joined(fees)}."
            )
        if division.parts:
            texts.append(f"There are exactly {division.parts} parts.")
        if division.lengths:
            texts.append(f"How many numbers a part has is one of {joined(division.lengths)}.")
        if division.divisor:
            texts.append(
                f"{self.sum_text()} leaves one of these remainders when divided by "
                f"{division.divisor}: {joined(division.remainders)}."
            )
            if min(division.rows[0]) < 0:
                texts[-1] += (
                    f" Remainders are from 0 to {division.divisor - 1}, also those of negative "
                    f"sums: -1 leaves {division.divisor - 1}."
                )
        return "\n".join(f"- {text}" for text in texts)

    def sum_text(self) -> str:
        """The sum of a part, in words."""
        match self.division.cost:
            case "lines":
                return "The sum of the lengths of the words of a line, without spaces,"
            case "either":
                return "The sum of a part in row A"
            case "plots" | "jobs" as cost:
                return f"The sum of a part in the row of {NAMES[cost][0]}"
        return "The sum of a part"

    def scene(self) -> Grid:
        return self.view({})

    def solved_scene(self, answer: str) -> Grid:
        parts = parts_of(self.read(answer))
        return self.view({n: k for k, (a, b) in enumerate(parts) for n in range(a, b)})

    def view(self, part: Mapping[int, int]) -> Grid:
        """The numbers by position, ten in a row, and every second part in another colour."""
        size, cells, left = self.division.size, list[tuple[Cell, ...]](), list[tuple[str, ...]]()
        for first in range(0, size, 10):
            some = range(first, min(first + 10, size))
            rest = (Cell(fill="none"),) * (min(size, 10) - len(some))
            for row in self.division.rows:
                fills = ["accent" if part.get(n, 1) % 2 == 0 else "paper" for n in some]
                cells.append((*(Cell(str(row[n]), fill) for n, fill in zip(some, fills)), *rest))
                left.append((f"{some[0] + 1} to {some[-1] + 1}",))
        return Grid(tuple(cells), left=tuple(left))

    def read(self, answer: str) -> list[int]:
        """The lengths of the parts, which may stand behind "Part 1:" and so on."""
        body = _PART.sub(r"\1", unheaded(answer, HEADINGS))
        return integers(body, what="how many numbers each part has")

    def as_text(self, solution: Sequence[int]) -> str:
        return joined(solution)

    def violation(self, solution: Any) -> str:
        division, size = self.division, self.division.size
        if not solution or min(solution) < 1:
            return "a part has at least one number"
        if sum(solution) != size:
            return f"the parts have {sum(solution)} numbers together, not {size}"
        if division.parts and len(solution) != division.parts:
            return f"there are {len(solution)} parts, not {division.parts}"
        allowed = allowed_parts(division)
        for number, part in enumerate(parts_of(solution), 1):
            if part not in allowed:
                return f"part {number} breaks a rule on lengths or sums"
        return ""

    def worth(self, solution: Any) -> int:
        cost = total_cost(self.division, solution)
        return -cost if self.division.cost in GREATEST else cost

    def search(self) -> SearchResult:
        return SearchResult(*best_parts(self.division))

    def difficulty(self) -> float:
        """The parts that could be chosen, for each condition."""
        division = self.division
        rules = [division.turns, division.lengths, division.remainders, division.parts]
        return float(division.size**2 * (1 + sum(map(bool, rules))))

    def naive_solutions(self) -> list[Any]:
        """Equal parts, the longest part next, and the cheapest part next for its length."""
        division = self.division
        equal = [equal_parts(division.size, number) for number in range(1, division.size + 1)]
        longest = first_parts(division, lambda start, end, cost: -end)
        cheap = first_parts(division, lambda start, end, cost: cost / (end - start))
        return [min(equal, key=lambda each: badness(division, each)), longest, cheap]

    def baseline(self, best: int) -> int:
        """The worth of progress 0, also where no naive solution satisfies the rules."""
        solutions = [each for each in self.naive_solutions() if not self.violation(each)]
        far = best + (-1 if self.division.cost in GREATEST else 1) * (1 + abs(best))
        worths = map(self.worth, solutions)
        return min(worths, key=lambda worth: abs(worth - best), default=far)

    def baseline_solutions(self, rng: Random) -> Mapping[str, Any]:
        """Greedy cuts, joins and splits, and changes of one cut while one helps."""
        division, size = self.division, self.division.size
        equal, longest, cheap = self.naive_solutions()
        joins = changed_cuts(division, [1] * size, "r")
        number = division.parts or len(joins)
        return {
            "equal parts": equal,
            "longest next": longest,
            "cheapest next": cheap,
            "cuts at jumps": at_jumps(division, number),
            "joins that help": joins,
            "cuts that help": changed_cuts(division, [size], "a"),
            "changes of equal parts": changed_cuts(division, equal_parts(size, number), "arm"),
            "changes of cheapest next": changed_cuts(division, cheap, "arm"),
        }

    def audit(self, answer: str) -> bool:
        """Whether shortest paths, bounds or bits, from the end of the row, are not better."""
        lengths = self.read(answer)
        if self.violation(lengths):
            return False
        return total_cost(self.division, lengths) == least_cost(self.division)

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(length=8, greatest=9, rules=1)

    def candidates(self) -> Iterable[str]:
        size = self.division.size
        for chosen in range(1 << (size - 1)):
            cuts = [n for n in range(1, size) if chosen >> (n - 1) & 1]
            yield joined([b - a for a, b in zip([0, *cuts], [*cuts, size])])
