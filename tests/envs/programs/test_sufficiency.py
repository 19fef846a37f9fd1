"""Hidden tests are sufficient: no small change of a reference passes that changes anything."""

import re
import runpy
from pathlib import Path
from random import Random

import pytest

from palaestra.envs.programs.bash_task import BashTask
from palaestra.envs.programs.class_from_specification import ClassFromSpecification
from palaestra.envs.programs.function_from_specification import FunctionFromSpecification
from palaestra.envs.programs.make_it_faster import MakeItFaster
from palaestra.envs.programs.mini_repository import MiniRepository
from palaestra.envs.programs.program_by_examples import ProgramByExamples
from palaestra.envs.programs.stdin_story import StdinStory
from palaestra.generators.mutants.changes import mutated
from palaestra.generators.mutants.killing import killed, killers, tried
from palaestra.generators.mutants.running import LARGEST, Subject
from palaestra.generators.programs.bash_task import tasks as file_tasks
from palaestra.generators.programs.bash_task.filters import Filter
from palaestra.generators.programs.bash_task.trees import drawn_files
from palaestra.generators.programs.class_from_specification.composing import Built
from palaestra.generators.programs.mini_repository.repositories import Slip, source
from palaestra.generators.programs.specifications import sufficient as specification_tests
from palaestra.generators.programs.specifications import values as specification_values
from palaestra.generators.programs.specifications.steps import OPERATIONS, Stage, Step
from palaestra.generators.programs.stdin_story import stories
from palaestra.verifiers.sandbox import SandboxUnavailable, sandbox

BENCH = runpy.run_path(str(Path(__file__).parents[3] / "benchmarks/sufficiency.py"))


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
    apart = source.replace("x * x", "square(x)") + "\n\ndef square(x):\n    return x * x"
    assert Subject(apart, solve).run(100).fault
    assert Subject("def solve(v):\n    while True:\n        pass", solve).run(0).fault
    assert Subject("def solve(v):\n    return [0] * 10 ** v", solve).run(9).fault


@pytest.mark.parametrize(
    "step", ["x = x - x // 2", "x = x % (x + 1)", "x -= x // 2", "x //= 2", "x = x + 1", "x += 1"]
)
def test_no_mutant_makes_a_number_that_grows_without_bound(step):
    """Another operator, such as a product in place of a difference, is held to bounds as well."""
    source = f"def solve(v):\n    x = y = v\n    for i in range(14):\n        {step}\n    return x"
    subject = Subject(source, solve)
    for change in subject.changes():
        with subject.changed(change) as runs:
            outcome = subject.run(99) if runs else None
        assert outcome is None or outcome.fault or outcome.value < LARGEST**2, subject.text(change)


def test_a_product_in_a_variable_is_held_to_bounds():
    source = "def solve(v):\n    x = 3\n    for i in range(v):\n        x *= 10**9\n    return x"
    assert Subject(source, solve).run(10).value == 3 * 10**90
    assert Subject(source, solve).run(10**4).fault
    repeated = source.replace("x = 3", "x = [3]").replace("10**9", "2")
    assert Subject(repeated, solve).run(3).value == [3] * 8
    assert Subject(repeated, solve).run(30).fault


@pytest.mark.parametrize("row", ["[*v]", "''.join(map(str, v))"])
def test_rows_that_are_repeated_too_often_are_stopped(row):
    source = f"def solve(v):\n    row, often = {row}, v[0]\n    return len(row * often)"
    turned = source.replace("row * often", "often * row")
    for subject in (Subject(source, solve), Subject(turned, solve)):
        assert subject.run([10**6]).fault
        assert subject.run([3, 2]).value == 6


def test_operands_that_are_taken_for_lists_are_held_to_their_bounds():
    subject = Subject("def solve(v):\n    n = len(v)\n    return [n * sum(v)]", solve)
    names = [(getattr(c.site.node, "id", ""), getattr(c.node, "id", "")) for c in subject.changes()]
    change = [*subject.changes()][names.index(("n", "v"))]
    with subject.changed(change):
        assert subject.run([10**6, 1]).fault  # two million numbers, otherwise
        assert subject.run([2, 1]).value == [[2, 1] * 3]


def test_methods_are_changed_too():
    source = "class Box:\n    def top(self, k):\n        return [1, 2, 3][:k]"
    subject = Subject(source, lambda names, k: names["Box"]().top(k))
    assert killers(subject, [], [0, 1, 2, 3, 4])
    assert subject.run(2).value == [1, 2]


@pytest.mark.parametrize("source", [LOOP, "def solve(v):\n    return sorted(x % 7 for x in v)[:3]"])
def test_the_inputs_that_are_added_kill_all_that_any_candidate_kills(source):
    rng = Random(source)
    candidates = [[rng.randint(0, 9) for _ in range(rng.randint(0, 4))] for _ in range(60)]
    subject = Subject(source, solve)
    added = killers(subject, [[1]], candidates)
    wide, chosen = [*tried(subject, candidates)], [*tried(subject, [[1], *added])]
    assert len(chosen) < 12
    for change in subject.changes():
        assert not killed(subject, change, wide) or killed(subject, change, chosen)


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
    for seed in range(40):
        knobs = kind.Knobs.at(seed % 5)
        task = kind.sample(Random(seed), knobs, held_out=False)
        for change in WRONG.values():
            text = change(task.answer())
            if text != task.answer():
                wrong += 1
                assert task.verify(text).value < 1, text
                assert not task.audit(text), text
    assert wrong > 3


@pytest.mark.parametrize("name", [n for n, o in OPERATIONS.items() if o.takes in ("text", "words")])
def test_strings_hold_every_character(name):
    operation = OPERATIONS[name]
    program = (Stage(*Step(name, operation.numbers[-1])),)
    cases = specification_tests.sufficient(program, operation.takes, 5, 28)
    used = {c for value, _ in cases for text in value for c in text}
    assert used >= {*specification_values.SIGNS, " "}
    assert {"", "a"} <= {"".join(value) for value, _ in cases}


@pytest.mark.usefixtures("_sandboxed")
@pytest.mark.parametrize(
    ("family", "right", "wrong"),
    [
        ("crowd", "if e > c", "if e >= c"),
        ("swamp", "rows, columns, cells = int(data[0]), int(data[1])",
         "rows, columns, cells = int(data[1]), int(data[0])"),
        ("swamp", "0 <= u < columns", "0 <= u < rows"),
        ("lighthouse", "square > c * c", "square >= c * c"),
        ("tank", "dry += level < c", "dry += level <= c"),
        ("machine", "time - s > b", "time - s >= b"),
    ],
)  # fmt: skip
def test_every_bound_of_a_story_is_reached(family, right, wrong):
    for seed in range(3):
        rng = Random(seed)
        numbers = tuple(rng.randint(*bounds) for bounds in stories.FAMILIES[family].ranges)
        task = StdinStory(family=family, numbers=numbers, size=30, seed=seed)
        assert right in task.answer()
        assert task.verify(task.answer()).correct
        assert not task.verify(task.answer().replace(right, wrong)).correct


@pytest.mark.usefixtures("_sandboxed")
@pytest.mark.parametrize(
    ("rule", "right", "wrong"),
    [
        ("commit", "self.versions[k - 1].get(key)", "self.now.get(key)"),
        ("commit", "self.versions[k - 1].get(key)", "self.versions[-1].get(key)"),
        ("commit", "self.versions[k - 1].get(key)", "self.versions[0].get(key)"),
        ("commit", "if k > len(self.versions)", "if k >= len(self.versions)"),
    ],
)
def test_every_parameter_of_a_method_matters(rule, right, wrong):
    for seed in range(3):
        picked = (rule, (0,))
        built = Built("record", (0,), (picked,))
        task = ClassFromSpecification(built=built, title="Box", calls=10, seed=seed)
        assert right in task.answer()
        assert task.verify(task.answer()).correct
        assert not task.verify(task.answer().replace(right, wrong)).correct


@pytest.mark.usefixtures("_sandboxed")
@pytest.mark.parametrize(
    ("module", "right", "wrong"),
    [
        ("money", "if cents < 0", "if cents < -1"),
        ("words", '"x", "ch"', '"x", "h"'),
        ("words", "if len(text) <= width", "if len(text) <= width + 1"),
        ("spans", "< min(one[1], other[1])", "< min(one[1], other[0] + 1)"),
    ],
)
def test_every_function_of_a_repository_is_tried_at_its_bounds(module, right, wrong):
    slip = Slip("money", 0)
    for seed in range(8):
        task = MiniRepository(
            modules=("money", "words", "spans"), constants=(), slips=(slip,),
            telling="functions", tests=3, shown=1, seed=seed,
        )  # fmt: skip
        files = {f"{name}.py": source(name, ()) for name in task.modules}
        assert task.judged(files).correct
        assert right in files[f"{module}.py"]
        files[f"{module}.py"] = files[f"{module}.py"].replace(right, wrong)
        assert not task.judged(files).correct


@pytest.mark.usefixtures("_sandboxed")
@pytest.mark.parametrize(
    ("parts", "right", "wrong"),
    [
        ((("splits", (8, 18, 887, 0)),), "costs[k]", "costs[0]"),
        ((("light", (209, 92, 1)),), "total -= weights[first]", "total -= weights[0]"),
        ((("few kinds", (50, 700, 0)),), "while len(count) > 50", "while len(count) > 51"),
        ((("records", (9, 4_000, 0)),), "ys, best = [], 0", "ys, best = [], 100"),
    ],
)
def test_small_arguments_reach_every_part_of_a_fast_program(parts, right, wrong):
    for seed in range(3):
        task = MakeItFaster(parts=parts, seed=seed)
        assert right in task.answer()
        assert task.verify(task.answer()).correct
        score = task.verify(task.answer().replace(right, wrong))
        assert score.parts["small"] < 1
        assert not score.value


@pytest.mark.usefixtures("_sandboxed")
@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("-name '*.txt'", "-name '[!.]*.txt'"),
        ("-name '*.txt'", "-name '[!-]*.txt'"),
        ("-name '*.txt'", "-name '*.txt' ! -name '*  *'"),
        ("find . ", "find . -mindepth 2 "),
        ("find . ", "find . -maxdepth 2 "),
        ("-size +40c", "-size +41c"),
        ("/amber/p", "/amber/Ip"),
        ("/amber/p", "/amber\\b/p"),
    ],
)
def test_every_kind_of_file_is_in_some_tree(right, wrong):
    program = (
        file_tasks.Step("keep", (Filter("larger", "40"), Filter("suffix", ".txt")), "amber"),
    )
    for seed in range(4):
        shown = drawn_files(Random(seed), 14, 2)
        task = BashTask(shown=shown, program=program, oddity=2, seed=seed)
        assert right in task.answer()
        assert task.verify(task.answer()).correct
        assert not task.verify(task.answer().replace(right, wrong)).correct


# ---------------------------------------------------------------------------------- the benchmark


@pytest.mark.parametrize("kind", BENCH["REFERENCES"], ids=lambda kind: kind.__name__)
def test_no_mutant_survives(kind):
    counts = BENCH["measured"](kind, tasks=2, mutants=20, start=77_000)
    assert counts.different > 10
    assert not counts.survivors


def test_the_benchmark_sees_what_poor_tests_miss():
    task = FunctionFromSpecification.sample(Random(4), FunctionFromSpecification.Knobs.at(4), False)
    whole = BENCH["REFERENCES"][FunctionFromSpecification](task)
    counts = BENCH["counted"](whole._replace(tests=whole.tests[:2]), Random(1), 80)
    assert counts.survivors
