"""Tests of programs/translate_program."""

from fractions import Fraction
from math import trunc
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from palaestra.envs.programs.translate_program import TranslateProgram
from palaestra.generators.programs.translate_program.drawing import (
    Source,
    case,
    draft,
    input_of,
    sound,
)
from palaestra.generators.programs.translate_program.running import (
    Fault,
    outcome,
    parsed,
    quotient,
    signed,
)
from palaestra.generators.programs.translate_program.writing import LANGUAGES
from palaestra.generators.programs.translate_program.writing import written as translated
from palaestra.task import InvalidAnswer, JudgeError
from palaestra.verifiers.programs import judging as programs
from palaestra.verifiers.sandbox import Limits, MissingTool, sandbox

WHOLE = st.integers(-(2**31), 2**31)


@given(WHOLE, WHOLE.filter(bool))
@example(-7, 2)
def test_quotients_lose_their_fraction(a, b):
    assert quotient(a, b) == trunc(Fraction(a, b))
    assert signed(a) % 2**32 == a % 2**32
    assert -(2**31) <= signed(a) < 2**31


FAULTY = {
    "a place": "    k = row(2, 0)[k]",
    "before the first place": "    ys = row(2, 0)\n    print(ys[k - 5])",
    "zero": "    print(5 // (k - k))",
    "zero in C": "    print(tmod(5, k - 3))",
    "too large": "    for i in range(9):\n        k = k * 99",
    "too large to be cut": "    k = wrap(99999 * 99999 * 99999 * 999)",
    "bits of a negative number": "    print(-k & 1)",
    "without end": "    while k > 0:\n        k += 0",
    "too deep": "    solve(k + 1)",
    "nothing to take": "    ys = stack(3)\n    ys.pop()",
}


@pytest.mark.parametrize("body", FAULTY.values(), ids=FAULTY)
def test_what_differs_between_languages_is_found(body):
    with pytest.raises(Fault):
        outcome(parsed(f"def solve(k):\n{body}"), [3])


@pytest.mark.usefixtures("jail")
@pytest.mark.parametrize("language", LANGUAGES)
def test_programs_print_the_same_in_every_language(language):
    for seed in range(4):
        rng = Random(seed)
        made = draft(rng, LANGUAGES[seed % 3], 5, 4)
        while not sound(made, rng):
            made = draft(rng, LANGUAGES[seed % 3], 5, 4)
        cases = [case(rng, made.parameters) for _ in range(12)]
        printed, kept = [], []
        for each in cases:
            try:
                printed.append(outcome(parsed(made.text), each).printed)
            except Fault:
                continue
            kept.append(each)
        source = translated(made.text, made.parameters, language)
        verdict = sandbox().judge_io(
            source,
            [(input_of(kept), "\n".join(printed))],
            language=language,
            limits=Limits(cpu_s=3),
        )
        assert verdict.status == "PASS", f"{verdict.per_test}\n{source}"


def one_case(shown, wanted, body):
    program = Source(f"def solve(k):\n{body}", ("k",))
    return TranslateProgram(program=program, shown=shown, wanted=wanted, seed=1)


READ = "import sys\n_, *ks = map(int, sys.stdin.read().split())\nfor k in ks:\n    print({})"
READ_IN_JS = (
    'const [, ...ks] = require("fs").readFileSync(0, "utf8").trim().split(/\\s+/).map(Number);\n'
    "for (const k of ks) console.log({});"
)
READ_IN_C = (
    '#include <stdio.h>\nint main(void) {{ int k; scanf("%d", &k); '
    'while (scanf("%d", &k) == 1) printf("%d\\n", {}); }}'
)


@pytest.mark.usefixtures("jail")
def test_divisions_mean_something_else_in_each_language():
    from_c = one_case("c", "python", "    print(tdiv(k, 4) * 10 + tmod(k, 4))")
    assert from_c.verify(
        READ.format("int(k / 4) * 10 + (abs(k) % 4) * (1 if k > 0 else -1)")
    ).correct
    naive = from_c.verify(READ.format("k // 4 * 10 + k % 4"))
    assert 0 <= naive.value < 0.5
    assert naive.parts["progress"] > 0, "it is right on plain inputs"
    to_c = one_case("python", "c", "    print(k // 4 * 10 + k % 4)")
    assert to_c.verify(READ_IN_C.format("(k >> 2) * 10 + (k & 3)")).correct
    assert 0 <= to_c.verify(READ_IN_C.format("k / 4 * 10 + k % 4")).value < 0.5


@pytest.mark.usefixtures("jail")
def test_products_lose_digits_in_javascript():
    given = one_case("c", "javascript", "    print(mul32(wrap(k + 4000000000), 1103515245))")
    assert given.verify(READ_IN_JS.format("Math.imul(k + 4000000000, 1103515245) >>> 0")).correct
    product = "(((k + 4000000000) >>> 0) * 1103515245)"
    assert not given.verify(READ_IN_JS.format(f"{product} % 4294967296")).correct
    big = "BigInt((k + 4000000000) >>> 0) * 1103515245n % 4294967296n"
    assert given.verify(READ_IN_JS.format(f"String({big})")).correct


@pytest.mark.usefixtures("jail")
def test_only_the_wanted_language_will_do():
    given = one_case("python", "c", "    print(k + 1)")
    assert given.verify(READ_IN_C.format("k + 1")).correct
    assert given.verify(f"```c\n{READ_IN_C.format('k + 1')}\n```").correct
    broken_off = given.verify(READ_IN_C.format("k + 1")[:-3] + "}")
    assert (broken_off.value, broken_off.status) == (0, "scored")
    assert "compiled" in broken_off.reason
    for answer in (given.source(), READ.format("k + 1"), READ_IN_JS.format("k + 1"), "int k;", ""):
        with pytest.raises(InvalidAnswer):
            given.verify(answer)


def test_a_language_that_is_not_there_is_no_fault_of_the_player(monkeypatch):
    class Bare:
        def judge_io(self, *given, **named):
            raise MissingTool("c needs gcc")

    monkeypatch.setattr(programs, "sandbox", Bare)
    with pytest.raises(JudgeError, match="gcc"):
        one_case("python", "c", "    print(k + 1)").verify(READ_IN_C.format("k + 1"))
