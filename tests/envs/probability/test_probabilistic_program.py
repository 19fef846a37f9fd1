"""Tests of probability/probabilistic_program: programs are run as Python, choice by choice."""

import re
from fractions import Fraction

import pytest

from palaestra.address import Address
from palaestra.envs.probability.probabilistic_program import ProbabilisticProgram
from palaestra.generators.probability.probabilistic_program import Line, meaning
from palaestra.task import InvalidAnswer

NAME = "probability/probabilistic_program"


class Discarded(Exception):
    """A run in which a condition is false."""


class More(Exception):
    """A run that needs another choice than those that are fixed."""

    def __init__(self, ways):
        super().__init__()
        self.ways = ways


def runs(code, smallest):
    """What runs return, with their probabilities; those below a probability are left out."""
    body = "\n".join(f"    {line}" for line in code.split("\n"))
    space = {}
    exec(f"def run(flip, uniform, observe):\n{body}", space)  # noqa: S102  our own program, no reply
    stack = [((), Fraction(1))]
    while stack:
        choices, chance = stack.pop()
        left = list(choices)

        def choose(ways, left=left):
            if left:
                return left.pop(0)
            raise More(ways)

        def flip(p):
            return choose({1: p, 0: 1 - p})

        def uniform(n):
            return choose(dict.fromkeys(range(n), Fraction(1, n)))

        def observe(true):
            if not true:
                raise Discarded

        try:
            yield space["run"](flip, uniform, observe), chance
        except Discarded:
            yield None, chance
        except More as more:
            new = [((*choices, value), chance * part) for value, part in more.ways.items()]
            stack.extend(each for each in new if each[1] > smallest)


def code_of(prompt):
    code = re.search(r"```python\n(.*?)\n```", prompt, re.DOTALL)[1]
    return re.sub(r"flip\((\d+)/(\d+)\)", r"flip(Fraction(\1, \2))", code).replace(
        "Fraction(", "__import__('fractions').Fraction("
    )


def law(prompt, smallest):
    """The masses of the values that are returned, and the mass of the runs that are left out."""
    masses, total = {}, Fraction(0)
    for value, chance in runs(code_of(prompt), smallest):
        total += chance
        if value is not None:
            masses[value] = masses.get(value, 0) + chance
    return masses, 1 - total


@pytest.mark.parametrize("level", range(7))
def test_programs_run_as_python(level):
    for seed in range(8 if level < 4 else 3):
        task = Address.of(NAME, seed, level).task()
        loops = any("while" in line.operation for line in task.program)
        masses, rest = law(task.prompt(), Fraction(1, 3_000) if loops else 0)
        kept = sum(masses.values())
        for value, chance in enumerate(task.chances()):
            mass = masses.get(value, 0)
            if loops:
                assert mass / (kept + rest) <= chance <= (mass + rest) / (kept + rest)
            else:
                assert rest == 0
                assert chance == mass / kept


def task_of(*lines, variables=1):
    return ProbabilisticProgram(program=lines, variables=variables)


def test_geometric_loop_in_closed_form():
    # Each round flips x; the number of rounds is even with probability (1 - p) / (1 - p^2).
    task = task_of(
        Line(0, "while flip", 0, (1, 3)),
        Line(1, "set", 0, (1, 0, 1, 2)),
        Line(0, "return", 0, (1, 0, 0, 2)),
    )
    assert task.answer() == "0: 3/4\n1: 1/4"
    assert "while flip(1/3) == 1:\n    x = (x + 1) % 2" in task.prompt()


def test_rejection_loop_and_condition():
    again = task_of(
        Line(0, "uniform", 0, (4,)),
        Line(0, "while", 0, (0, 3, 2)),
        Line(1, "uniform", 0, (4,)),
        Line(0, "return", 0, (1, 0, 0, 4)),
    )
    observed = task_of(
        Line(0, "uniform", 0, (4,)),
        Line(0, "observe", 0, (0, 1, 3)),
        Line(0, "return", 0, (1, 0, 0, 4)),
    )
    assert again.answer() == observed.answer() == "0: 1/3\n1: 1/3\n2: 1/3\n3: 0"


def test_what_has_no_law():
    forever = (
        Line(0, "while", 0, (0, 0, 0)),
        Line(1, "set", 0, (2, 0, 0, 3)),
        Line(0, "return", 0, (1, 0, 0, 3)),
    )
    assert meaning(forever, 1) is None
    never = (Line(0, "observe", 0, (0, 0, 1)), Line(0, "return", 0, (1, 0, 0, 3)))
    assert meaning(never, 1) is None


def test_simple_laws_are_wrong():
    for level in range(7):
        for seed in range(12):
            task = Address.of(NAME, seed, level).task()
            number = len(task.chances())
            uniform = "\n".join(f"{n}: 1/{number}" for n in range(number))
            assert task.verify(uniform).value == 0
            assert sum(task.chances()) == 1


def test_forms_of_an_answer():
    task = task_of(
        Line(0, "while flip", 0, (1, 3)),
        Line(1, "set", 0, (1, 0, 1, 2)),
        Line(0, "return", 0, (1, 0, 0, 2)),
    )
    for right in ("1: 25%\n0: 75%", "0 = 0.75, 1 = 0.25", '{"0": "3/4", "1": "1/4"}'):
        assert task.verify(right).correct, right
    assert task.verify("0: 3/4\n1: 1/3").reason == "1 of the 2 values is wrong"
    for text in ("3/4", "0: 3/4", "0: 3/4\n1: 1/4\n2: 0", "0: 3:4\n1: 1:4"):
        with pytest.raises(InvalidAnswer):
            task.verify(text)


@pytest.mark.parametrize(
    "label",
    ["P({0})", "value {0}", "Value {0}", "P(X = {0})", "**P({0})**", "- P({0})", "returns {0}"],
)
@pytest.mark.parametrize("sign", [": ", " = "])
def test_labels_of_values(label, sign):
    task = Address.of(NAME, 1, 1).task()
    chances = task.chances()
    lines = [f"{label.format(n)}{sign}{chance}" for n, chance in enumerate(chances)]
    assert task.verify("\n".join(lines)).correct
    assert task.verify(", ".join(lines)).correct
    turned = [f"{label.format(n)}{sign}{chance}" for n, chance in enumerate(chances[::-1])]
    assert not task.verify("\n".join(turned)).correct or chances == chances[::-1]


def test_grammar_of_the_prompt():
    assert not any("With which" in Address.of(NAME, seed, 1).task().prompt() for seed in range(8))
