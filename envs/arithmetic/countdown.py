"""The numbers round of the television game "Des chiffres et des lettres" (1972) and "Countdown"."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from math import prod
from random import Random
from typing import Literal, Self

from palaestra.generators.baselines import shuffled
from palaestra.scenes import Card, Cards, Panels, Text
from palaestra.task import Puzzle, Score, ladder
from palaestra.verifiers.arithmetic.reach import Reach, masks
from palaestra.verifiers.expressions import Worked, second_opinion, worked
from palaestra.verifiers.reading.values import joined

LARGE = (25, 50, 75, 100)
HIGHEST = {2: 50, 3: 150, 4: 500, 5: 999, 6: 4999}
"""The highest target by how many numbers it needs; few numbers make only small targets."""

LONGEST = 60
"""How many characters of an expression are drawn at most."""


class Countdown(Puzzle):
    """Reach a target with the four operations, using each listed number at most once."""

    tags = {"calculation", "search"}
    answer_type = "expression"

    class Knobs(Puzzle.Knobs):
        numbers: int = ladder(3, 4, 4, 5, 5, 6, 6, low=3, high=6)
        needed: int = ladder(3, 3, 4, 4, 5, 5, 6, low=2)
        large: int = ladder(1, 1, 1, 1, 2, 2, 2, low=0, high=4)
        steps: Literal["whole", "exact"] = ladder(
            "whole", "whole", "whole", "whole", "exact", "whole", "whole"
        )

    numbers: tuple[int, ...]
    target: int
    needed: int
    """The smallest number of numbers that make the target."""

    whole: bool
    """Whether every intermediate result must be a positive whole number."""

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        large = min(knobs.large, knobs.numbers)
        numbers = rng.sample(LARGE, large)
        numbers += [rng.randint(1, 10) for _ in range(knobs.numbers - large)]
        needed = min(knobs.needed, knobs.numbers)
        target = _target(rng, numbers, needed, HIGHEST[needed])
        whole = knobs.steps == "whole"
        return cls(numbers=tuple(sorted(numbers)), target=target, needed=needed, whole=whole)

    def is_valid(self) -> bool:
        if self.target in (sum(self.numbers), prod(self.numbers)):
            return False  # the answer of a player who does not search
        part = parts(self.numbers, self.target, self.whole)
        return part is not None and part.bit_count() >= self.needed

    def canonical(self) -> str:
        return f"{self.numbers} {self.target} {self.whole}"

    def prompt(self) -> str:
        ask = self.phrase(
            f"Make {self.target} from these numbers: {joined(self.numbers)}.",
            f"The numbers are {joined(self.numbers)}, and the target is {self.target}.",
        )
        steps = (
            "Every intermediate result must be a positive whole number."
            if self.whole
            else "Intermediate results may be negative or fractions; nothing is rounded."
        )
        return (
            f"{ask}\n\nWrite an expression with the value {self.target}. Use '+', '-', '*', '/' "
            "and round brackets; '*' and '/' take precedence over '+' and '-', and operations of "
            "equal precedence are evaluated from left to right. Each number may be used at most "
            "once (one that is listed twice, at most twice), not all need to be used, and no "
            f"others may appear. {steps}\n\nGive the expression alone, such as '(7 + 3) * 50 - 8'."
        )

    def answer(self) -> str:
        part = parts(self.numbers, self.target, self.whole)
        assert part is not None, "a valid task has a solution"
        return reach(self.numbers, self.whole).text(part, (self.target, 1))

    def scene(self) -> Cards:
        goal = Card(str(self.target), fill="t6", shape="tile")
        numbers = tuple(Card(str(number), shape="tile") for number in self.numbers)
        return Cards(((goal,), numbers), ("make", "of"))

    def solved_scene(self, answer: str) -> Panels:
        value = worked(answer).value
        lines = (" ".join(answer.split())[:LONGEST], f"= {str(value)[:LONGEST]}")
        return Panels((self.scene(), Text(lines)), columns=1)

    def verify(self, answer: str) -> Score:
        result = worked(answer)
        if extra := Counter(result.numbers) - Counter(self.numbers):
            return Score(0, f"the number {min(extra)} is not in the list or is used too often")
        if self.whole and not all(step > 0 and step.denominator == 1 for step in result.steps):
            return Score(0, "an intermediate result is not a positive whole number")
        if result.value != self.target:
            return Score(0, f"the value of the expression is {str(result.value)[:40]}")
        return Score(1)

    def audit(self, answer: str) -> bool:
        result = second_opinion(answer)
        return result is not None and self._obeys(result)

    def _obeys(self, result: Worked) -> bool:
        left = list(self.numbers)
        for number in result.numbers:
            if number not in left:
                return False
            left.remove(number)
        invalid = any(step < 1 or step != int(step) for step in result.steps)
        return result.value == self.target and not (self.whole and invalid)

    def difficulty(self) -> float:
        search = Reach(self.numbers, whole=self.whole)
        _fewest(search, self.target)
        return search.nodes

    def shortcuts(self) -> list[str]:
        return ["+".join(map(str, self.numbers)), "*".join(map(str, self.numbers))]

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Random operations, and from number to number the one that comes nearest to the target."""

        def chain(numbers: Iterable[int], key: Callable[[int], float]) -> str:
            first, *rest = numbers
            value, text = first, str(first)
            for number in rest:
                results = {"+": value + number, "*": value * number, "-": value - number}
                signs = [sign for sign, result in results.items() if result > 0]
                sign = min(signs, key=lambda each: key(results[each]))
                value, text = results[sign], f"({text}) {sign} {number}"
                if value == self.target:
                    break
            return text

        def nearest(result: int) -> float:
            return abs(result - self.target)

        greatest = sorted(self.numbers, reverse=True)
        return {
            "random operations": chain(shuffled(self.numbers, rng), lambda result: rng.random()),
            "nearest to the target, greatest number first": chain(greatest, nearest),
            "nearest to the target, least number first": chain(greatest[::-1], nearest),
            "nearest to the target, random order": chain(shuffled(self.numbers, rng), nearest),
        }


def _target(rng: Random, numbers: list[int], needed: int, highest: int) -> int:
    """A target of at least 11 that some of the numbers make with random operations."""
    for _ in range(50):
        values = rng.sample(numbers, rng.randint(needed, len(numbers)))
        while len(values) > 1:
            one, other = (values.pop(rng.randrange(len(values))) for _ in range(2))
            low, high = min(one, other), max(one, other)
            results = [high + low, high * low, *([high - low] * (high > low))]
            values.append(rng.choice(results + [high // low] * (high % low == 0)))
        if 11 <= values[0] <= highest:
            return values[0]
    return rng.randint(11, highest)


@lru_cache(maxsize=64)
def reach(numbers: tuple[int, ...], whole: bool) -> Reach:
    """The search over these numbers."""
    return Reach(numbers, whole=whole)


@lru_cache(maxsize=256)
def parts(numbers: tuple[int, ...], target: int, whole: bool) -> int | None:
    """The smallest subset of the numbers that makes the target, as a mask, if there is one."""
    return _fewest(reach(numbers, whole), target)


def _fewest(search: Reach, target: int) -> int | None:
    length = len(search.numbers)
    subsets = (part for size in range(1, length + 1) for part in masks(length, size))
    return next((part for part in subsets if search.find(part, (target, 1)) is not False), None)
