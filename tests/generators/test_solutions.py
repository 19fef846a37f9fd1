"""The base classes of puzzles that ask for a solution, each with a toy environment."""

from math import prod
from random import Random

import pytest

from palaestra.generators.solutions import Feasibility, Optimum, SearchResult
from palaestra.task import InvalidAnswer, Puzzle, ladder
from palaestra.verifiers.reading.numbers import integers


class FactorPair(Feasibility):
    """Write a number as the product of two factors greater than 1."""

    class Knobs(Puzzle.Knobs):
        largest: int = ladder(9, 19, 29)

    number: int

    @classmethod
    def generate(cls, rng, knobs):
        return cls(number=prod(rng.randint(2, knobs.largest) for _ in range(2)))

    def prompt(self):
        return f"Write {self.number} as a product of two factors greater than 1, such as '5, 7'."

    def read(self, answer):
        return integers(answer, 2)

    def as_text(self, solution):
        return ", ".join(map(str, solution))

    def violation(self, solution):
        if min(solution) < 2:
            return "a factor is less than 2"
        return "" if prod(solution) == self.number else "the product is another number"

    def search(self):
        factor = next(n for n in range(2, self.number + 1) if self.number % n == 0)
        return SearchResult((factor, self.number // factor), factor - 1)

    def naive_solutions(self):
        return [(1, self.number), (2, self.number // 2)]


class LargestGap(Optimum):
    """Choose the two adjacent numbers of a list that differ most."""

    quantity = "difference"

    class Knobs(Puzzle.Knobs):
        numbers: int = ladder(4, 6, 8)

    numbers: tuple[int, ...]

    @classmethod
    def generate(cls, rng, knobs):
        return cls(numbers=tuple(rng.sample(range(100), knobs.numbers)))

    def prompt(self):
        return f"Which adjacent numbers of {self.numbers} differ most? Write both, such as '2, 3'."

    def read(self, answer):
        return integers(answer, 2)

    def as_text(self, solution):
        return ", ".join(map(str, solution))

    def pairs(self):
        return list(zip(self.numbers, self.numbers[1:]))

    def violation(self, solution):
        return "" if tuple(solution) in self.pairs() else "the numbers are not adjacent"

    def worth(self, solution):
        return abs(solution[0] - solution[1])

    def search(self):
        return SearchResult(max(self.pairs(), key=self.worth), len(self.pairs()))

    def naive_solutions(self):
        return [self.numbers[:2], (min(self.numbers), max(self.numbers))]


@pytest.mark.parametrize("environment", [FactorPair, LargestGap])
def test_oracles_score_1_and_naive_solutions_do_not(environment):
    for level in range(3):
        for seed in range(20):
            task = environment.sample(Random(seed), environment.Knobs.at(level))
            assert task.verify(task.answer()).value == 1
            assert task.difficulty() >= 1
            assert [reply for reply in task.shortcuts() if task.verify(reply).value > 0] == []


def test_any_solution_that_satisfies_the_rules_is_right():
    task = FactorPair(number=30)
    assert task.answer() == "2, 15"
    assert [task.verify(reply).value for reply in ("5, 6", "10, 3", "4, 7", "1, 30")] == [
        1,
        1,
        0,
        0,
    ]
    assert task.verify("4, 7").reason == "the product is another number"
    with pytest.raises(InvalidAnswer):
        task.verify("thirty")
    assert not task.is_valid(), "half of an even number is a naive solution"


def test_only_an_optimum_scores_and_closeness_is_linear_from_the_best_naive_solution():
    task = LargestGap(numbers=(10, 14, 20, 50, 38))
    assert task.answer() == "20, 50"
    scores = [task.verify(f"{u}, {v}") for u, v in task.pairs()]
    assert [score.value for score in scores] == [0, 0, 1, 0]
    assert [score.parts["progress"] for score in scores] == [0, 2 / 26, 1, 8 / 26]
    score = task.verify("50, 38")
    assert score.reason == "the difference is 12, and a better solution exists"
    assert score.parts == {"difference": 12, "progress": 8 / 26}
    assert task.verify("10, 50").reason == "the numbers are not adjacent"
    assert not LargestGap(numbers=(1, 9, 4)).is_valid(), "the first two numbers differ most"


def test_replies_to_a_task_share_one_search(monkeypatch):
    searches = []
    search = LargestGap.search
    monkeypatch.setattr(LargestGap, "search", lambda task: searches.append(task) or search(task))
    task = LargestGap(numbers=(31, 41, 59, 26))
    for reply in (task.answer(), *task.shortcuts(), "41, 59"):
        task.verify(reply)
    assert searches == [task]
