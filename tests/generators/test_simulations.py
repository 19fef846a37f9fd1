"""The base of puzzles about simulations, on toy environments."""

from random import Random

import pytest

from palaestra.generators.simulations import Simulation, SimulationReport
from palaestra.task import InvalidAnswer, ladder


def halvings(number):
    """A number, halved if it is even and otherwise tripled and increased by 1, until it is 1."""
    numbers = [number]
    while numbers[-1] != 1:
        n = numbers[-1]
        numbers.append(3 * n + 1 if n % 2 else n // 2)
    return numbers


class Collatz(Simulation):
    """List the numbers of a Collatz sequence."""

    class Knobs(Simulation.Knobs):
        largest: int = ladder(9, 30)

    start: int

    @classmethod
    def generate(cls, rng, knobs):
        return cls(start=rng.randint(3, knobs.largest))

    def prompt(self):
        return f"Start with {self.start}. Halve even numbers, triple odd ones and add 1, until 1."

    def result(self):
        return halvings(self.start)

    def shortcuts(self):
        yield f"{self.start}, 1"


class CollatzReport(SimulationReport):
    """State the length and the largest number of a Collatz sequence."""

    labels = ("length", "peak")

    start: int

    @classmethod
    def generate(cls, rng, knobs):
        return cls(start=rng.randint(3, 9))

    def prompt(self):
        return f"Start with {self.start}. State the length and the peak of the sequence."

    def result(self):
        numbers = halvings(self.start)
        return len(numbers), max(numbers)


@pytest.mark.parametrize("level", range(Collatz.Knobs.levels()))
def test_a_toy_environment(level):
    for seed in range(20):
        task = Collatz.sample(Random(seed), Collatz.Knobs.at(level))
        assert task.verify(task.answer()).value == 1
        assert task.verify(f"{task.answer()}, 4").value == 0
        for shortcut in task.shortcuts():
            assert task.verify(shortcut).value == 0


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("5, 16, 8, 4, 2, 1", ""),
        ("5 16 8 4 1 2", "number 5 is wrong"),
        ("[5, 16, 8]", "wrong number of numbers: 3"),
    ],
)
def test_a_list_is_compared_with_the_result(answer, reason):
    task = Collatz(start=5)
    score = task.verify(answer)
    assert (score.value, score.reason) == (float(not reason), reason)
    with pytest.raises(InvalidAnswer):
        task.verify("five")


def test_a_report_names_what_is_wrong():
    task = CollatzReport(start=5)
    assert task.answer() == "length: 6\npeak: 16"
    assert task.verify("Peak: 16\nlength: 6").value == 1
    score = task.verify("length: 6\npeak: 15")
    assert (score.value, score.reason, score.parts) == (
        0,
        "wrong: peak",
        {"length": 1.0, "peak": 0.0, "progress": 0.5},
    )
    for text in ("length: 6", "length: six\npeak: 16", "6, 16"):
        with pytest.raises(InvalidAnswer):
            task.verify(text)
