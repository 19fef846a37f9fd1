"""The base of puzzles about hidden rules, on a toy environment."""

from random import Random

import pytest

from palaestra.generators.induction.hidden_rules import HiddenProgram, HiddenRule
from palaestra.generators.induction.list_programs import Step
from palaestra.task import InvalidAnswer, ladder
from palaestra.verifiers.reading.matrices import rows_of_integers


class Multiples(HiddenRule):
    """State the next two of some numbers that all have a common factor as their difference."""

    class Knobs(HiddenRule.Knobs):
        largest: int = ladder(5, 20)

    first: int
    second: int
    largest: int

    @classmethod
    def generate(cls, rng, knobs):
        first = rng.randint(1, 9)
        return cls(first=first, second=first + rng.randint(0, 8), largest=knobs.largest)

    def prompt(self):
        return (
            f"{self.first}, {self.second}: either a number is added each time, or each number is "
            f"multiplied by one of at most {self.largest}. What are the next two?"
        )

    def outcomes(self):
        step = self.second - self.first
        sums = {(self.second + step, self.second + 2 * step)}
        factor, rest = divmod(self.second, self.first)
        if rest or factor > self.largest:
            return sums
        return sums | {(self.second * factor, self.second * factor**2)}

    def shortcuts(self):
        yield f"{self.second}, {self.second}"


class Doubling(HiddenProgram):
    """Apply one of two steps to a list, which an example shows."""

    class Knobs(HiddenProgram.Knobs):
        steps: int = ladder(1)
        examples: int = ladder(1)

    @classmethod
    def random_menu(cls, rng, knobs):
        return (Step("times", 2), Step("add", 1))

    @classmethod
    def random_cases(cls, rng, knobs):
        return [(rng.randint(1, 9), 7), (rng.randint(1, 9), 3)]

    @staticmethod
    def case_text(numbers):
        return " ".join(map(str, numbers))

    def prompt(self):
        return f"{self.menu_text()}\n{self.inputs}\n{self.new}"

    def read(self, answer):
        return rows_of_integers(answer)


@pytest.mark.parametrize("level", range(Multiples.Knobs.levels()))
def test_a_toy_environment(level):
    for seed in range(30):
        task = Multiples.sample(Random(seed), Multiples.Knobs.at(level))
        assert len(task.outcomes()) == 1
        assert task.verify(task.answer()).value == 1
        first, second = task.outcome()
        assert task.verify(f"{first}, {second + 1}").value == 0
        for shortcut in task.shortcuts():
            assert task.verify(shortcut).value == 0


def test_a_rule_is_settled_by_its_examples():
    assert not Multiples(first=2, second=4, largest=5).is_valid(), "4 is 2 + 2 and 2 * 2"
    assert not Multiples(first=4, second=4, largest=5).is_valid(), "a shortcut gives it"
    task = Multiples(first=2, second=7, largest=5)
    assert task.is_valid()
    assert task.answer() == "12, 17"
    for text in ("12", "12, 17, 22", "x, y"):
        with pytest.raises(InvalidAnswer):
            task.verify(text)


def test_a_toy_environment_of_programs():
    for seed in range(20):
        task = Doubling.sample(Random(seed), Doubling.Knobs.at(0))
        (step,) = task.program
        (case,) = task.new
        assert task.answer() == task.case_text(step.applied(case))
        assert task.verify(task.answer()).value == 1
        score = task.verify("0 0")
        assert (score.value, score.reason) == (0, "output 1 is wrong")
        for shortcut in task.shortcuts():
            assert task.verify(shortcut).value == 0


def test_a_program_without_effect_is_not_valid():
    steps = (Step("times", 2), Step("add", 1))
    still = Doubling(menu=steps, program=(Step("take", 3),), inputs=((1, 7),), new=((2, 3),))
    unclear = Doubling(menu=steps, program=steps[:1], inputs=((1, 1),), new=((2, 3),))
    assert not still.is_valid()
    assert not unclear.is_valid(), "1 + 1 is 1 * 2"
