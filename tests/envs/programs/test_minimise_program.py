"""Tests of programs/minimise_program."""

from random import Random
from time import process_time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.envs.programs.timing import count_to_millions

from palaestra.address import Address
from palaestra.envs.programs.minimise_program import MinimiseProgram
from palaestra.generators.programs.mini_python.cuts import omissions
from palaestra.generators.programs.mini_python.draw import Function, program
from palaestra.generators.programs.mini_python.parameters import Parameter, random_call
from palaestra.generators.programs.mini_python.parse import length
from palaestra.generators.programs.mini_python.rewriting import replaced
from palaestra.generators.programs.mini_python.run import Program, compiled
from palaestra.generators.programs.mini_python.trials import battery, first_failure, trials
from palaestra.generators.programs.minimise_program import PADS, padded
from palaestra.generators.programs.minimise_program.sheet import NoFittingRow, Sheet
from palaestra.task import InvalidAnswer

SEEDS = st.integers(0, 10**6)


def drawn(seed):
    rng = Random(seed)
    made = program(rng, 1 + seed % 4, seed // 4 % 4, 6)
    return made, [parameter.sample(rng) for parameter in made.signature]


XS = Parameter("xs", "numbers", 0, 9, 3, 5)
TOTAL = "def f(xs):\n    total = 0\n    for x in xs:\n        total += x\n    return total"


@settings(max_examples=100, deadline=None)
@given(SEEDS, st.sampled_from(PADS))
@example(9, PADS[2])  # whose source has brackets that are not needed
def test_each_kind_of_padding_changes_nothing_but_the_length(seed, pad):
    made, _ = drawn(seed)
    sheet, rng = Sheet(Random(seed), made), Random(seed)
    before = sheet.source()  # as the sheet writes it, without the brackets that are not needed
    try:
        pad.write(sheet)
    except NoFittingRow:
        return
    assert length(sheet.source()) > length(before)
    calls = [random_call(rng, made.name, made.signature) for _ in range(12)]
    failing = first_failure(Program(sheet.source()), trials(compiled(made.source), calls))
    assert failing is None, (failing, sheet.source())


LONG = """\
def f(xs):
    spare = 0
    total = 3 - 3
    for x in xs:
        spare += 1
        if len(xs) < 9:
            total += x
        else:
            total += x
    return total"""


def minimising():
    return MinimiseProgram(
        source=LONG, name="f", signature=(XS,), target=length(TOTAL), reference=TOTAL
    )


def test_shorter_is_better_down_to_the_target():
    task, before = minimising(), length(LONG)
    assert (before, task.target) == (40, 19)
    scores = [
        (LONG, 0), (LONG.replace("spare", "s").replace("total", "t"), 0),
        (LONG.replace("\n    return", "\n    pass\n    return"), 0),
        (LONG.replace("    spare = 0\n", "").replace("        spare += 1\n", ""), 0),
        (TOTAL.replace("= 0", "= 3 - 3") + "  # " + "long " * 20, 19 / 21 - 0.5), (TOTAL, 1),
        (TOTAL.replace("total", "anything_at_all"), 1), ("def f(a):\n return sum(a)", 1),
        ("def g(a):\n\n    return a\n\ndef f(xs):\n\treturn sum(g(xs))\n", 18 / 21 - 0.5),
    ]  # fmt: skip
    for source, value in scores:
        assert task.verify(source).value == value, source
        assert task.audit(source)


def test_a_shorter_program_does_the_same():
    task = minimising()
    for source in ("def f(xs):\n    return 0", "def f(xs):\n    return xs[0] + xs[1] + xs[2]",
                   "def f(xs):\n    return sum(xs[1:])", "def f(xs):\n    return str(sum(xs))",
                   "def f(xs):\n    return sum(set(xs))", "def f(xs):\n    return f(xs)",
                   "def f(xs):\n    while xs:\n        pass"):  # fmt: skip
        score = task.verify(source)
        assert score.value == 0, source
        assert score.reason.startswith("f([")
    for source in ("", "return sum(xs)", "def g(xs):\n    return sum(xs)", "f = sum",
                   "def f(xs, n):\n    return sum(xs)", "def f(xs):\n    return eval('1')",
                   "def f(xs): return sum(xs)", "def f(xs):\n    import os\n    return 0",
                   "def f(xs):\n    return sum(xs); x = 1"):  # fmt: skip
        with pytest.raises(InvalidAnswer):
            task.verify(source)


def test_every_branch_of_the_long_program_is_tried():
    """Also one that few inputs take, and that the short program does not have."""
    rare = LONG.replace("len(xs) < 9", "xs[0] > 1")
    task = minimising().model_copy(update={"source": rare})
    first, _, last = rare.rpartition("total += x")
    score = task.verify(f"{first}pass{last}")
    assert score.value == 0, task.tests()


@pytest.mark.parametrize("level", range(7))
def test_a_needed_statement_is_missed(level):
    """What is left after leaving out any statement is as good as before, or worth nothing."""
    task = Address.of("programs/minimise_program", 11, level).task()
    for cut in omissions(task.source):
        source = replaced(task.source, cut.line, cut.text)
        if task.verify(source).value:
            assert task.audit(source), source


def test_a_slow_reply_does_not_take_long():
    task = Address.of("programs/minimise_program", 2, 6).task()
    task.verify(task.answer())
    slow = "    n = 0\n    while n < 900:\n        n += 1 + " + " + ".join(["0 * n"] * 20) + "\n"
    first, _, body = task.reference.rpartition(f"def {task.name}")
    head_, _, rest = body.partition("\n")
    start = process_time()
    assert task.verify(f"{first}def {task.name}{head_}\n{slow}{rest}").value == 0
    assert process_time() - start < 10 * count_to_millions()


def test_a_name_that_is_only_returned_is_no_part_of_the_short_program():
    signature = (Parameter("n", "number", 2, 12),)
    made = Function("def f(n):\n    m = n * 2\n    k = m + 1\n    return k", "f", signature)
    short, _ = padded(Random(1), made, 3, 2)
    assert short == "def f(n):\n    m = n * 2\n    return m + 1"


@settings(max_examples=20, deadline=None)
@example(55359)
@given(SEEDS)
def test_a_reply_may_nest_deeper_than_the_program(seed):
    """What is counted as right does not hang on how close to a limit a program was drawn."""
    made, _ = drawn(seed)
    rows = made.source.split("\n")
    nested = [f"    {row}" if row.startswith(" ") else row for row in rows]
    for index in range(len(nested) - 1, -1, -1):
        if nested[index].startswith("def "):
            nested.insert(index + 1, "    if True:")
    wanted = battery(*made)
    assert wanted
    assert first_failure(Program("\n".join(nested)), wanted) is None
