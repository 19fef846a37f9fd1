"""Equations without their signs, a puzzle of schoolbooks and newspapers."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from random import Random
from typing import Self

from palaestra.generators.cells import example_line
from palaestra.task import InvalidAnswer, Puzzle, Score, ladder
from palaestra.verifiers.expressions import second_opinion
from palaestra.verifiers.reading.notation import in_ascii
from palaestra.verifiers.reading.values import items

State = tuple[int, int]
"""The sum of all complete terms, and the last term so far."""


class ArithmeticPuzzle(Puzzle):
    """Insert signs between the numbers of an equation so that it holds."""

    version = 2
    tags = {"calculation", "search"}

    class Knobs(Puzzle.Knobs):
        numbers: int = ladder(5, 6, 7, 8, 9, 10, 11, high=12)
        largest: int = ladder(9, 9, 12, 15, 20, 25, 30, low=5, high=99)

    numbers: tuple[int, ...]
    target: int

    @classmethod
    def generate(cls, rng: Random, knobs: Knobs) -> Self:
        numbers = tuple(rng.randint(2, knobs.largest) for _ in range(knobs.numbers))
        target = None
        while target is None:
            target = value(numbers, [rng.choice("+-*/") for _ in numbers[1:]])
        return cls(numbers=numbers, target=target)

    def is_valid(self) -> bool:
        if not 0 < self.target < 10_000 or self.target in self.numbers:
            return False
        gaps = len(self.numbers) - 1
        plain = [*product("+-", repeat=gaps), ("*",) * gaps]  # a guess that is often right
        simple = (value(self.numbers, signs) for signs in plain)
        return self.target not in simple and self.random_baseline() <= 0.03

    def canonical(self) -> str:
        return f"{self.numbers} {self.target}"

    def prompt(self) -> str:
        ask = self.phrase(
            "The signs of this equation are missing:", "The signs of this equation were erased:"
        )
        gaps = len(self.numbers) - 1
        return (
            f"{ask}\n\n{' _ '.join(map(str, self.numbers))} = {self.target}\n\nPut one of the "
            "signs +, -, * and / in place of each _ so that the equation holds. There are no "
            "brackets: '*' and '/' are carried out first, from left to right, then '+' and '-', "
            "from left to right. Every division must leave no remainder when it is carried out: 4 "
            f"* 3 / 6 is allowed, 4 / 6 * 3 is not. Give the {gaps} signs in their order, "
            f"separated by spaces, such as '{example_line('+-', gaps)}'. Any correct choice of "
            "signs is accepted."
        )

    def answer(self) -> str:
        return " ".join(solutions(self.numbers, self.target)[0])

    def verify(self, answer: str) -> Score:
        signs = items(answer, "a list of signs", most=100)
        signs = [*"".join(in_ascii(" ".join(signs)).split())]
        if len(signs) != len(self.numbers) - 1 or not set(signs) <= set("+-*/"):
            raise InvalidAnswer(f"not a list of {len(self.numbers) - 1} of the signs + - * /")
        result = value(self.numbers, signs)
        if result is None:
            return Score(0, "a division leaves a remainder")
        return Score(1) if result == self.target else Score(0, f"the left side is {result}")

    def audit(self, answer: str) -> bool:
        """Evaluate the whole line, and each prefix of a term to check its divisions."""
        signs = "".join(sign for sign in in_ascii(answer) if sign in "+-*/")
        text = "".join(f"{n}{sign}" for n, sign in zip(self.numbers, [*signs, ""]))
        terms = text.replace("-", "+").split("+")
        prefixes = [term[:end] for term in terms for end, sign in enumerate(term) if sign in "*/"]
        answers = [second_opinion(part) for part in [*prefixes, *terms, text]]
        return (
            all(each is not None and each.value.denominator == 1 for each in answers)
            and answers[-1] is not None
            and answers[-1].value == self.target
        )

    def difficulty(self) -> float:
        return float(4 ** (len(self.numbers) - 1))

    def random_baseline(self) -> float:
        return solutions(self.numbers, self.target)[1] / float(4 ** (len(self.numbers) - 1))

    def shortcuts(self) -> Iterable[str]:
        gaps = len(self.numbers) - 1
        yield from (" ".join(sign * gaps) for sign in "+-*/")
        yield " ".join(("+-" * gaps)[:gaps])
        yield " ".join(("*+" * gaps)[:gaps])

    @classmethod
    def small(cls) -> Knobs:
        return cls.Knobs(numbers=5)

    def candidates(self) -> Iterable[str]:
        return map(" ".join, product("+-*/", repeat=len(self.numbers) - 1))

    def baselines(self, rng: Random) -> Mapping[str, str]:
        """Random signs, and from left to right the sign that comes nearest to the target."""

        def nearest(before: Sequence[str]) -> str:
            part = self.numbers[: len(before) + 2]
            values = {sign: value(part, [*before, sign]) for sign in "+-*/"}
            near = {
                s: abs(result - self.target) for s, result in values.items() if result is not None
            }
            return min(near, key=near.__getitem__)

        signs = list[str]()
        for _ in self.numbers[1:]:
            signs.append(nearest(signs))
        return {
            "random signs": " ".join(rng.choices("+-*/", k=len(signs))),
            "random sums and differences": " ".join(rng.choices("+-", k=len(signs))),
            "nearest to the target": " ".join(signs),
        }


def value(numbers: tuple[int, ...], signs: Iterable[str]) -> int | None:
    """The value of numbers with signs between them; ``None`` if a division leaves a remainder.

    >>> value((4, 3, 6, 5), "*/-"), value((4, 6, 3), "/*")
    (-3, None)
    """
    state = 0, numbers[0]
    for sign, number in zip(signs, numbers[1:]):
        after = _next(state, sign, number)
        if after is None:
            return None
        state = after
    return sum(state)


def _next(state: State, sign: str, number: int) -> State | None:
    total, term = state
    if sign == "*":
        return total, term * number
    if sign == "/":
        return (total, term // number) if term % number == 0 else None
    return total + term, number if sign == "+" else -number


@lru_cache(maxsize=256)
def solutions(numbers: tuple[int, ...], target: int) -> tuple[str, int]:
    """A solution and the number of solutions, counted together for equal intermediate states."""
    states: dict[State, tuple[str, int]] = {(0, numbers[0]): ("", 1)}
    for number in numbers[1:]:
        following: dict[State, tuple[str, int]] = {}
        for state, (signs, ways) in states.items():
            for sign in "+-*/":
                after = _next(state, sign, number)
                if after is not None:
                    first, count = following.get(after, (signs + sign, 0))
                    following[after] = first, count + ways
        states = following
    entries = [entry for state, entry in states.items() if sum(state) == target]
    return (entries[0][0], sum(ways for _, ways in entries)) if entries else ("", 0)
