"""Specifications of functions: operations, stages, hidden inputs."""

from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra import Address
from palaestra.generators.programs.specifications import steps as specifications
from palaestra.generators.programs.specifications import sufficient as specification_tests
from palaestra.generators.programs.specifications import values as specification_values
from palaestra.generators.programs.specifications.steps import Stage, Step, run

pytestmark = pytest.mark.usefixtures("jail")


@pytest.mark.parametrize(
    ("name", "number", "value", "wanted"),
    [
        ("repeated", 0, [1, 2, 1, 3], [1, 1]),
        ("remainder", 3, [-1, 4], [2, 1]),
        ("half", 0, [-3, 3], [-2, 1]),
        ("squeeze", 0, [1, 1, 2, 1], [1, 2, 1]),
        ("cut", 2, [1], []),
        ("last", 2, [1, 2, 3], [2, 3]),
        ("swap", 0, [1, 2, 3], [3, 2, 1]),
        ("steps", 0, [1, 4, 2], [3, -2]),
        ("signs", 0, [1, 2, 3], [1, -2, 3]),
        ("by last digit", 0, [21, -10, 9, 1], [-10, 21, 1, 9]),
        ("ranks", 0, [5, 1, 5], [1, 0, 1]),
        ("clamp", 3, [-9, 2, 4], [-3, 2, 3]),
        ("second", 0, [3, 3, 1], 1),
        ("mode", 0, [2, 1, 2, 1], 1),
        ("median", 0, [4, 1, 3, 2], 2),
        ("peak", 0, [1, 5, 5], 2),
        ("longest run", 0, [1, 1, 2], 2),
        ("best slice", 0, [-1, 3, -1, 4], 6),
        ("alternating", 0, [5, 2, 1], 4),
        ("chunks", 2, [1, 2, 3], [[1, 2], [3]]),
        ("climbing", 0, [1, 3, 2, 2, 0], [[1, 3], [2, 2], [0]]),
        ("windows", 2, [1, 2, 3], [[1, 2], [2, 3]]),
        ("longest", 0, [[1], [2, 3], [4, 5]], [2, 3]),
        ("spreads", 0, [[1, 4], []], [3, 0]),
        ("turned digits", 0, -120, -21),
        ("bits", 0, 6, [0, 1, 1]),
        ("shifted", 1, "az b", "ba c"),
        ("run lengths", 0, "aab", "a2b1"),
        ("capitals", 0, "abcd", "aBcD"),
        ("halves", 0, "abcde", "cdeab"),
        ("equal neighbours", 0, "aab ", 1),
        ("places", 0, "a c", [1, 3]),
        ("turned right", 0, [[1, 2], [3, 4]], [[3, 1], [4, 2]]),
        ("snake", 0, [[1, 2], [3, 4]], [1, 2, 4, 3]),
        ("chequered", 0, [[1, 2], [3, 4]], [[1, -2], [-3, 4]]),
        ("row peaks", 0, [[5, 1], [2, 3]], 2),
    ],
)
def test_operations_by_hand(name, number, value, wanted):
    assert Step(name, number)(value) == wanted


def test_stages_by_hand():
    even = Stage("even", 0, (Step("plus", 1),), (Step("product", 3),))
    assert [run([even], n) for n in (4, 5)] == [5, 15]
    assert run([Stage("each", 0, (Step("collatz"),))], [3, 4]) == [10, 2]
    assert run([Stage("difference", 0, (Step("max"),), (Step("min"),))], [1, 5]) == 4


def test_what_belongs_to_a_stage_is_told_line_by_line():
    stage = Stage("even", 0, (Step("collatz"), Step("plus", 1)), (Step("power"),))
    assert stage.as_text(0) == [
        "If the number is even:",
        "- Halve the number if it is even, otherwise triple it and add 1.",
        "- Increase the number by 1.",
        "Otherwise:",
        "- Square the number.",
    ]
    lines = Stage("larger", 0, (Step("max"),), (Step("sum"),)).as_text(0)
    assert [line[:4] for line in lines[1:]] == ["For ", "- Ta", "For ", "- Ta", "The "]
    assert Stage("modulo", 7).as_text(0) == [
        "Take the remainder on division by 7, from 0 to 6 even for a negative number."
    ]
    assert "first 1 number " in Stage("drop", 1).as_text(0)[0]


CASES_OF_NUMBERS = tuple(([n, 7, -n, n % 3], None) for n in range(30))


@pytest.mark.parametrize(
    "program",
    [
        (Stage("reverse"), Stage("reverse")),  # they cancel out
        (Stage("add", 1), Stage("add", 2), Stage("negate"), Stage("negate")),
        (Stage("even sum", 0, (Step("add", 1),), (Step("add", 1),)),),
        (Stage("larger", 0, (Step("size"),), (Step("max"),)), Stage("plus", 3)),
        (Stage("pair", 0, (Step("min"),), (Step("sum"),)), Stage("other")),
    ],
)
def test_functions_with_a_part_that_does_nothing_are_not_fair(program):
    cases = [(value, run(program, value)) for value, _ in CASES_OF_NUMBERS]
    assert not specifications.is_lively(program, cases)


@pytest.mark.parametrize(
    ("stage", "kind", "slip"),
    [
        (Stage("half"), "numbers", lambda v: [int(x / 2) for x in v]),
        (Stage("mode"), "numbers", lambda v: max(v, key=v.count, default=0)),
        (Stage("median"), "numbers", lambda v: sorted(v)[len(v) // 2] if v else 0),
        (Stage("swap"), "numbers", lambda v: v[-1:] + v[1:-1] + v[:1]),
        (Stage("max"), "numbers", lambda v: max([0, *v])),
        (Stage("take", 3), "numbers", lambda v: v[:4]),
        (Stage("split"), "text", lambda v: v.split(" ")),
        (Stage("longest word"), "words", lambda v: max(v[::-1], key=len, default="")),
        (Stage("turned right"), "grid", lambda v: [list(c) for c in zip(*v)][::-1]),
        (Stage("large", 4, (Step("power"),), (Step("plus", 1),)), "number",
         lambda v: v * v if v >= 4 else v + 1),
    ],
)  # fmt: skip
def test_hidden_inputs_show_up_slips(stage, kind, slip):
    for seed in range(6):
        cases = specification_tests.sufficient((stage,), kind, seed, 24)
        assert any(slip(value) != wanted for value, wanted in cases)


def test_slips_have_the_types_of_what_they_stand_for():
    rng = Random(1)
    for name, operation in specifications.OPERATIONS.items():
        stage = Stage(name, operation.numbers[0])
        values = [specification_values.random_value(rng, operation.takes) for _ in range(20)]
        values += specification_values.EDGES[operation.takes]
        for other in specification_tests.slips((stage,)):
            for value in values:
                assert type(run(other, value)) is type(stage(value)), other


def test_examples_differ_and_show_much():
    for seed in range(20):
        task = Address.of("programs/program_by_examples", seed, seed % 7).task()
        shown = specification_tests.shown_inputs(task.program, task.argument_type, task.examples)
        assert len({*map(repr, shown)}) == task.examples
    program = (Stage("even", 0, (Step("plus", 1),), (Step("product", 3),)),)
    assert sorted(value % 2 for value, _ in specification_tests.examples(program, "number")) == [
        0,
        1,
    ]


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(1, 3))
def test_every_chain_that_fits_is_found(seed, steps):
    rng = Random(seed)
    kind = rng.choice(specification_values.KINDS)
    menu, chain = specifications.typed_menu(rng, kind, steps, 6)
    values = [specification_values.random_value(rng, kind) for _ in range(3)]
    wanted = [run(chain, value) for value in values]
    chains, _ = specifications.chains(menu, steps, kind, values, wanted)
    fitting = set()
    for length in range(steps + 1):
        for tried in product(menu, repeat=length):
            kinds = [kind, *(step.operation.gives for step in tried)]
            fits_types = all(k == step.operation.takes for k, step in zip(kinds, tried))
            same_type = kinds[-1] == chain[-1].operation.gives
            if fits_types and [run(tried, value) for value in values] == wanted and same_type:
                fitting.add(tried)
    assert chain in chains
    assert {f for f in chains if ([kind, *(s.operation.gives for s in f)][-1]) ==
            chain[-1].operation.gives} == fitting  # fmt: skip
