"""Hidden tests are sufficient: no small change of a reference passes that changes anything."""

import re
import runpy
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.envs.programs.function_from_specification import FunctionFromSpecification
from palaestra.envs.programs.program_by_examples import ProgramByExamples
from palaestra.generators import specification_tests, specification_values
from palaestra.generators.mutants.changes import mutated
from palaestra.generators.mutants.killing import differs, killers, tried
from palaestra.generators.mutants.running import Subject
from palaestra.generators.specifications import OPERATIONS, Stage, Step
from palaestra.verifiers.sandbox import SandboxUnavailable, sandbox

BENCH = runpy.run_path(str(Path(__file__).parents[1] / "benchmarks/sufficiency.py"))


@pytest.fixture
def _sandboxed():
    try:
        sandbox().report()
    except SandboxUnavailable as why:
        pytest.skip(str(why))


def solve(names, value):
    return names["solve"](value)


# ------------------------------------------------------------------------------------- mutants

LOOP = """
def solve(v):
    total = 1
    for x in v:
        while x > 4:
            x -= 3
        total = (total * total + x) % 97
    return total
"""


def test_every_kind_of_change_is_made():
    texts = "\n".join({mutated(LOOP, Random(seed)) for seed in range(600)})
    for piece in (
        "x > 5", "x > 3", "x >= 4", "x < 4", "x == 4", "x += 3", "x = 3", "% 98", "total - total",
        "total = 2", "total = total * total + x\n", "while x != 4",
    ):  # fmt: skip
        assert piece in texts


def test_mutants_end_and_leave_the_program_as_it_was():
    subject = Subject(LOOP, solve)
    before = subject.run([5, 9, 30])
    ended = [killers(subject, [], [[5, 9, 30]], [change]) for change in subject.changes()]
    assert sum(map(bool, ended)) > len(ended) * 0.8
    assert subject.run([5, 9, 30]) == before


def test_a_number_that_squares_itself_is_stopped():
    source = "def solve(v):\n    x = 3\n    for i in range(v):\n        x = x * x\n    return x"
    assert Subject(source, solve).run(100).fault
    assert Subject("def solve(v):\n    while True:\n        pass", solve).run(0).fault
    assert Subject("def solve(v):\n    return [0] * 10 ** v", solve).run(9).fault


def test_methods_are_changed_too():
    source = "class Box:\n    def top(self, k):\n        return [1, 2, 3][:k]"
    subject = Subject(source, lambda names, k: names["Box"]().top(k))
    assert killers(subject, [], [0, 1, 2, 3, 4])
    assert subject.run(2).value == [1, 2]


@given(st.integers(0, 10**6))
@settings(max_examples=40)
def test_the_inputs_that_are_added_kill_all_that_any_candidate_kills(seed):
    rng = Random(seed)
    source, candidates = mutated(LOOP, rng), [[rng.randint(0, 9)] for _ in range(30)]
    subject = Subject(source, solve)
    added = killers(subject, [[1]], candidates)
    for change in subject.changes():
        with subject.changed(change) as runs:
            if runs and any(differs(subject, trial) for trial in tried_of(source, candidates)):
                assert any(differs(subject, t) for t in tried_of(source, [[1], *added]))


def tried_of(source, inputs):
    return [*tried(Subject(source, solve), inputs)]


# ----------------------------------------------------------------------- all that the prompt names

WRONG = {
    "a vowel is missing": lambda text: text.replace('"aeiou"', '"aeio"'),
    "no wrap-around": lambda text: re.sub(
        r"chr\(\(ord\(c\) - 97 \+ (\d+)\) % 26 \+ 97\)", r"chr(ord(c) + \1)", text
    ),
    "other letters": lambda text: text.replace('"a" <= c <= "z"', "c.isalpha()"),
    "small letters alone": lambda text: text.replace("c.upper()", "c.lower()"),
    "blanks of any kind": lambda text: text.replace('v.replace(" ", "")', 'v.replace("  ", "")'),
}


@pytest.mark.usefixtures("_sandboxed")
@pytest.mark.parametrize("kind", [FunctionFromSpecification, ProgramByExamples])
def test_half_a_class_of_characters_does_not_pay(kind):
    wrong = 0
    for seed in range(60):
        knobs = kind.Knobs.at(seed % 5)
        task = kind.draw(Random(seed), knobs, reserved=False)
        for change in WRONG.values():
            text = change(task.answer())
            if text != task.answer():
                wrong += 1
                assert task.verify(text).value < 1, text
                assert not task.audit(text), text
    assert wrong > 5


@pytest.mark.parametrize("name", [n for n, o in OPERATIONS.items() if o.takes in ("text", "words")])
def test_strings_hold_every_character(name):
    operation = OPERATIONS[name]
    program = (Stage(*Step(name, operation.numbers[-1])),)
    cases = specification_tests.sufficient(program, operation.takes, 5, 28)
    used = {c for value, _ in cases for text in value for c in text}
    assert used >= {*specification_values.SIGNS, " "}
    assert {"", "a"} <= {"".join(value) for value, _ in cases}


# ---------------------------------------------------------------------------------- the benchmark


@pytest.mark.parametrize("kind", BENCH["REFERENCES"], ids=lambda kind: kind.__name__)
def test_no_mutant_survives(kind):
    found = BENCH["measured"](kind, tasks=3, mutants=25, start=77_000)
    assert found.different > 10
    assert not found.survivors


def test_the_benchmark_sees_what_poor_tests_miss():
    task = FunctionFromSpecification.draw(Random(4), FunctionFromSpecification.Knobs.at(4), False)
    whole = BENCH["REFERENCES"][FunctionFromSpecification](task)
    found = BENCH["counted"](whole._replace(tests=whole.tests[:2]), Random(1), 80)
    assert found.survivors
