"""Making zeros and ones alternate with the fewest swaps, a standard exercise of contests."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Literal, Self

from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.reading.nodes import links

Swap = tuple[int, int]


class BinaryAlternation(Puzzle):
    """Make the zeros and ones of a row alternate with as few swaps as possible."""

    tags = {"strings", "optimisation"}
    baseline_note = (
        "of a row of even length there are two alternating patterns, and that of the "
        "first digit needs the fewest swaps in half of the tasks"
    )

    class Knobs(Puzzle.Knobs):
        size: int = ladder(10, 12, 14, 16, 20, 26, 34, low=8, high=60)
        swaps: Literal["any", "neighbours"] = ladder("any", "any", "any", "neighbours")

    row: str
    neighbours: bool

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        ones = knobs.size // 2 + (knobs.size % 2 and rng.randrange(2))
        digits = ["1"] * ones + ["0"] * (knobs.size - ones)
        rng.shuffle(digits)
        return cls(row="".join(digits), neighbours=knobs.swaps == "neighbours")

    def is_valid(self) -> bool:
        return len(self.swaps()) > 1

    def prompt(self) -> str:
        what = "two neighbouring digits" if self.neighbours else "any two digits"
        ask = self.phrase(
            f"A swap exchanges {what} of the row. Make the digits alternate, so that no two "
            "neighbours are equal, with as few swaps as possible.",
            f"You may swap {what}. With as few swaps as possible, turn this row into one in which "
            "no two neighbours are equal.",
        )
        return (
            f"{self.row}\n\n{ask} It may begin with either digit if the counts allow that. "
            f"Positions are counted from 1 at the left, up to {len(self.row)}. Write the swaps in "
            "order, each as the two positions with a hyphen between them, separated by commas, "
            "such as '3-4, 2-3'. Any shortest list of swaps is accepted."
        )

    def targets(self) -> list[str]:
        """The alternating rows with the same number of ones."""
        size = len(self.row)
        both = ("01" * size)[:size], ("10" * size)[:size]
        return [row for row in both if row.count("1") == self.row.count("1")]

    def swaps(self) -> list[Swap]:
        """A shortest list of swaps."""
        find = by_neighbours if self.neighbours else by_any
        return min((find(self.row, target) for target in self.targets()), key=len)

    def answer(self) -> str:
        return ", ".join(f"{a}-{b}" for a, b in self.swaps())

    def verify(self, answer: str) -> Score:
        swaps = read(answer, len(self.row))
        row = list(self.row)
        for number, (a, b) in enumerate(swaps, 1):
            if self.neighbours and abs(a - b) != 1:
                return Score(0, f"swap {number} is not of neighbours")
            row[a - 1], row[b - 1] = row[b - 1], row[a - 1]
        if any(one == other for one, other in pairwise(row)):
            return Score(0, "two neighbours are equal after the swaps")
        if len(swaps) > len(self.swaps()):
            return Score(0, "fewer swaps are enough")
        return Score(1)

    def audit(self, answer: str) -> bool:
        """Compare with a lower bound: ones that must cross each gap, or digits out of place."""
        row = list(self.row)
        pairs = read(answer, len(row))
        for a, b in pairs:
            if self.neighbours and abs(a - b) != 1:
                return False
            row[a - 1 : a], row[b - 1 : b] = row[b - 1 : b], row[a - 1 : a]
        costs = []
        for target in self.targets():
            balance = [int(a) - int(b) for a, b in zip(self.row, target)]
            crossing = sum(abs(sum(balance[:n])) for n in range(len(balance)))
            costs.append(crossing if self.neighbours else sum(map(abs, balance)) // 2)
        return "".join(row) in self.targets() and len(pairs) == min(costs)

    def difficulty(self) -> float:
        return float(len(self.swaps()) * (2 if self.neighbours else 1) + len(self.row))

    def shortcuts(self) -> Iterable[str]:
        yield ", ".join(f"{n}-{n + 1}" for n in range(1, len(self.row), 2))
        yield "2-3, 4-5"

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Alternate from the first digit on, by swaps of the wrong digits from either end."""
        target = next((row for row in self.targets() if row[0] == self.row[0]), self.targets()[0])
        size = len(self.row)
        turned = [(size + 1 - a, size + 1 - b) for a, b in by_any(self.row[::-1], target[::-1])]
        players = {
            "from the first digit, any swaps": by_any(self.row, target),
            "from the first digit, swaps of neighbours": by_neighbours(self.row, target),
            "any swaps, from the end": turned,
        }
        return {
            player: ", ".join(f"{a}-{b}" for a, b in swaps) or "1-2"
            for player, swaps in players.items()
        }


def by_any(row: str, target: str) -> list[Swap]:
    """The fewest swaps of any digits that turn a row into another with as many ones.

    >>> by_any("0011", "0101")
    [(3, 2)]
    """
    lacking = [n for n, (a, b) in enumerate(zip(row, target), 1) if a > b]
    extra = [n for n, (a, b) in enumerate(zip(row, target), 1) if a < b]
    return list(zip(lacking, extra))


def by_neighbours(row: str, target: str) -> list[Swap]:
    """The fewest swaps of neighbours that turn a row into another with as many ones.

    >>> by_neighbours("0011", "1010")
    [(2, 3), (1, 2), (3, 4)]
    """
    digits = list(row)
    swaps: list[Swap] = []
    for n, digit in enumerate(target):
        position = digits.index(digit, n)
        for at in range(position, n, -1):
            swaps.append((at, at + 1))
            digits[at], digits[at - 1] = digits[at - 1], digits[at]
    return swaps


def read(text: str, size: int) -> Sequence[Swap]:
    """Swaps as pairs of different positions.

    >>> read("1-2, 3 - 1", 3), read("(1, 2), (3, 1)", 3)
    ([(1, 2), (3, 1)], [(1, 2), (3, 1)])
    """
    positions = [str(position) for position in range(1, size + 1)]
    what = f"a list of swaps of positions from 1 to {size}, such as '3-4, 2-3'"
    swaps = [(int(one), int(other)) for one, other in links(text, positions, what)]
    if any(one == other for one, other in swaps):
        raise InvalidAnswer("a swap is of two different positions")
    return swaps
