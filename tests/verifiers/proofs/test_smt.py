"""Satisfiability modulo theories: values are put in, claims are proved, nothing is executed."""

import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from palaestra.task import InvalidAnswer, JudgeError
from palaestra.testing.verifiers import check_verifier
from palaestra.verifiers.proofs import SmtModel, SmtValid
from palaestra.verifiers.proofs.smt import constants, read_values
from palaestra.verifiers.verifier import GoldError

MIXED = """
(declare-const n Int)
(declare-const half Real)
(declare-fun even () Bool)
(declare-const mask (_ BitVec 8))
(assert (= (* n n) 49))      ; either sign
(assert (=> even (> n 0)))
(assert (= (+ half half) (/ 1.0 3.0)))
(assert (= (bvand mask #xf0) #xf0))
(assert (not (= mask #xff)))
"""

SORTS = {"n": "Int", "half": "Real", "even": "Bool", "mask": 8}


def test_constants_are_those_that_constraints_speak_of():
    assert constants(MIXED) == SORTS


@pytest.mark.parametrize(
    ("text", "sort", "value"),
    [
        ("3", "Int", 3), ("-3", "Int", -3), ("1,024", "Int", 1024), ("\u2212\uff13", "Int", -3),
        ("6/2", "Int", 3), ("2.0", "Int", 2), ("1/3", "Real", Fraction(1, 3)),
        ("-0.25", "Real", Fraction(-1, 4)), (r"\frac{1}{3}", "Real", Fraction(1, 3)),
        ("true", "Bool", True), ("False", "Bool", False), ("#xF0", 8, 240), ("#b1010", 4, 10),
        ("255", 8, 255), ("-1", 8, 255), ("-128", 8, 128), ("0", 1, 0),
    ],
)  # fmt: skip
def test_values(text, sort, value):
    parsed = read_values(f"x = {text}", {"x": sort})["x"]
    assert parsed == value
    assert isinstance(parsed, bool) == (sort == "Bool")


@pytest.mark.parametrize(
    ("text", "sort"),
    [
        ("1/2", "Int"), ("1/0", "Real"), ("nan", "Real"), ("inf", "Real"), ("1e999", "Int"),
        ("9" * 900, "Int"), ("(- 3)", "Int"), ("1", "Bool"), ("yes", "Bool"), ("#xf", 8),
        ("#b1", 8), ("#b" + "1" * 600, 8), ("256", 8), ("-129", 8), ("#o17", 8), ("0x0f", 8),
        ("1.5", 8), ("", "Int"), ("3 4", "Int"), ("y", "Int"), ("3)(assert false", "Int"),
        ("(+ 1 2)", "Int"), ("x", "Int"), ("1_000", "Int"), ("\u0663x", "Int"),
    ],
)  # fmt: skip
def test_what_is_no_value_is_refused(text, sort):
    with pytest.raises(InvalidAnswer):
        read_values(f"x = {text}", {"x": sort})


@pytest.mark.parametrize("text", ["x = 1", "x = 1\ny = 2\nx = 1", "x = 1\nz = 2", "x = 1 y = 2"])
def test_each_constant_has_one_value(text):
    with pytest.raises(InvalidAnswer):
        read_values(text, {"x": "Int", "y": "Int"})


def test_smt_model():
    right = [
        "n = 7\nhalf = 1/6\neven = true\nmask = #xf0",
        "n = -7, half = 1/6, even = false, mask = 241",
        "mask: #b11110000; even: False; half: 2/12; n: -7",
        "```\nn := 7\nhalf := 1/6\neven := false\nmask := -2\n```",
    ]
    wrong = [
        "n = 7\nhalf = 1/6\neven = true",
        "n = 7\nhalf = 1/6\neven = true\nmask = #xff",
        "n = -7\nhalf = 1/6\neven = true\nmask = #xf0",
        "n = 7\nhalf = 0.166666666666667\neven = true\nmask = #xf0",
        "n = 7\nhalf = 1/6\neven = true\nmask = #xf0\nn = 7",
        "n = 7\nhalf = 1/6\neven = true\nmask = #xf0\nother = 1",
        "N = 7\nhalf = 1/6\neven = true\nmask = #xf0",
        "n = sqrt(49)\nhalf = 1/6\neven = true\nmask = #xf0",
        "(define-fun n () Int 7)",
        "sat",
    ]
    hostile = [
        "n = 7)\n(assert true)\nhalf = 1/6\neven = true\nmask = #xf0",
        "(reset)(declare-const n Int)",
        "n = " + "9" * 19_000,
        "n = 7, " * 2_500,
    ]
    check_verifier(SmtModel(MIXED), right, wrong, hostile)


def test_reasons_name_the_constraint():
    judge = SmtModel(MIXED)
    assert judge("n=6, half=1/6, even=true, mask=#xf0").reason == "constraint 1 does not hold"
    assert judge("n=7, half=1/6, even=true, mask=#x0f").reason == "constraint 4 does not hold"


def test_functions_are_left_to_z3():
    script = """
    (declare-fun f (Int) Int) (declare-const x Int) (declare-const y Int)
    (assert (= (f x) 1)) (assert (= (f y) 2)) (assert (> (+ x y) 10))
    """
    judge = SmtModel(script)
    assert judge("x = 5, y = 6").correct
    assert judge("x = 6, y = 6").reason == "the constraints do not hold together"
    assert judge("x = 5, y = 5").reason == "constraint 3 does not hold"


def test_quantifiers():
    judge = SmtModel("(declare-const m Int) (assert (forall ((x Int)) (>= (* x x) m)))")
    assert judge("m = 0").correct
    assert not judge("m = 1").correct


SCRIPT = """
(declare-const x Int) (declare-const y Int)
(assert (< (+ (* 3 x) (* -2 y)) 4))
(assert (or (= (mod x 3) 1) (> y x)))
(assert (distinct x y))
"""


@settings(max_examples=60, deadline=None)
@given(st.integers(-9, 9), st.integers(-9, 9))
def test_models_agree_with_python(x, y):
    expected = 3 * x - 2 * y < 4 and (x % 3 == 1 or y > x) and x != y
    assert SmtModel(SCRIPT)(f"x = {x}\ny = {y}").correct == expected


BITS = """
(declare-const a (_ BitVec 4)) (declare-const b (_ BitVec 4))
(assert (= (bvadd a (bvmul b #x3)) (bvxor a #x9)))
"""


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 15), st.integers(0, 15))
def test_bit_vectors_agree_with_python(a, b):
    expected = (a + 3 * b) % 16 == a ^ 9
    assert SmtModel(BITS)(f"a = #b{a:04b}, b = {b}").correct == expected
    assert SmtModel(BITS)(f"a = {a - 16 if a > 7 else a}, b = #x{b:x}").correct == expected


def test_smt_valid():
    distributes = SmtValid(
        "(declare-const a (_ BitVec 8)) (declare-const b (_ BitVec 8))"
        "(assert (= (bvmul a (bvadd b #x01)) (bvadd (bvmul a b) a)))"
    )
    assert distributes("Valid.").correct
    assert distributes("`valid`").correct
    assert distributes("a = 1, b = 2").reason == "the claim holds for these values"
    squares = SmtValid("(declare-const x Int) (assert (> (* x x) x))")
    check_verifier(
        squares,
        ["x = 0", "x = 1", "x: 1"],
        ["valid", "x = 2", "x = -1", "invalid", "valid\nx = 0", "not valid", "x = 1/2", "x"],
        hostile=["unsat", "counterexample", "x = 0)(check-sat"],
    )
    assert squares("valid").reason


def test_a_claim_of_several_parts_fails_with_any_of_them():
    judge = SmtValid(
        "(declare-const x Int) (declare-const y Int) (assert (>= (* x x) 0)) (assert (> y x))"
    )
    assert judge("x = 3, y = 3").correct
    assert not judge("x = 3, y = 4").correct
    assert not judge("valid").correct


def test_claims_about_functions():
    """A counterexample is right if some function makes it one."""
    script = "(declare-fun f (Int) Int) (declare-const x Int) (declare-const y Int)"
    judge = SmtValid(script + "(assert (=> (= (f x) (f y)) (= x y)))")
    assert judge("x = 1, y = 2").correct
    assert not judge("x = 1, y = 1").correct
    congruence = SmtValid(script + "(assert (=> (= x y) (= (f x) (f y))))")
    assert congruence("valid").correct
    assert not congruence("x = 1, y = 2").correct


HARD = """
(declare-const x Int) (declare-const y Int) (declare-const z Int)
(assert (not (= (+ (* x x x) (* y y y) (* z z z)) 114)))
"""


def test_what_z3_cannot_settle_is_unscored():
    judge = SmtValid(HARD, rlimit=20_000)
    with pytest.raises(JudgeError) as slip:
        judge("valid")
    assert slip.value.status == "infra_error"
    assert judge("x = 1, y = 2, z = 3").value == 0


def test_resources_are_limited_not_time():
    judge = SmtValid(HARD, rlimit=20_000)
    for _ in range(3):
        with pytest.raises(JudgeError):
            judge("valid")


def test_huge_powers_do_not_hang():
    judge = SmtModel(
        "(declare-const x Int) (assert (= (mod (^ 2 x) 7) 1)) (assert (> x 3))", rlimit=20_000
    )
    assert judge("x = 6").correct
    for answer in ("x = 1" + "0" * 30, "x = " + "9" * 390):
        with pytest.raises(JudgeError):
            judge(answer)


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("(assert", "unreadable"),
        ("(declare-const x Int) (assert (> x y))", "unreadable"),
        ("(declare-const x Int) (assert (twice x))", "unreadable"),
        ("(declare-const x Int)", "no constraint speaks of x"),
        ("(declare-const x Int) (declare-fun y () Int) (assert (> x 0))", "no constraint"),
        ("(assert true)", "nothing"),
        ("", "nothing"),
        ("(declare-const s String) (assert (= s s))", "no values"),
        ("(declare-const a (Array Int Int)) (assert (= (select a 0) 1))", "no values"),
        ("(declare-sort U) (declare-const u U) (assert (= u u))", "no values"),
        ("(declare-const |a b| Int) (assert (= |a b| 1))", "plain name"),
    ],
)
@pytest.mark.parametrize("kind", [SmtModel, SmtValid])
def test_scripts_that_make_no_sense(kind, script, message):
    with pytest.raises(GoldError, match=message):
        kind(script)


def test_limits_make_sense():
    with pytest.raises(GoldError):
        SmtModel(MIXED, rlimit=0)


def test_without_z3(monkeypatch):
    judge = SmtModel(MIXED)
    monkeypatch.setitem(sys.modules, "z3", None)
    with pytest.raises(ImportError, match=r"palaestra\[smt\]"):
        SmtModel(MIXED + " ")
    with pytest.raises(JudgeError):
        judge("n = 7")


def test_threads_do_not_disturb_each_other_in_reading_a_script():
    """Z3 has one printer for all threads, so names of sorts came out mixed up."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(16) as pool:
            scripts = (f"(declare-const x Int) (assert (= (+ x 100) {n}))" for n in range(1500))
            assert all(sorts == {"x": "Int"} for sorts in pool.map(constants, scripts))
    finally:
        sys.setswitchinterval(interval)


def test_many_threads_with_many_scripts():
    def ask(seed):
        rng = Random(seed)
        number = rng.randint(-99, 99)
        judge = SmtModel(f"(declare-const x Int) (assert (= (+ x 100) {number + 100}))")
        return judge(f"x = {number}").correct, judge(f"x = {number + 1}").correct

    with ThreadPoolExecutor(16) as pool:
        assert set(pool.map(ask, range(100))) == {(True, False)}


@settings(max_examples=60, deadline=None)
@given(st.text("n=half evmask#x017/-,\n()", max_size=80))
@example("=")
@example("n = 7, n")
def test_no_text_breaks_the_judge(text):
    assert not SmtModel(MIXED)(text).correct


FOUR_SORTS = (
    "(declare-const x Int)(declare-const y Real)(declare-const b Bool)"
    "(declare-const v (_ BitVec 8))"
    "(assert (= (* x x) 49))(assert (< x 0))(assert (= y (/ 1 2)))(assert b)(assert (= v #x0f))"
)
BY_Z3 = """sat
(
  (define-fun v () (_ BitVec 8)
    {v})
  (define-fun b () Bool
    {b})
  (define-fun y () Real
    {y})
  (define-fun x () Int
    {x})
)"""


@pytest.mark.parametrize(
    "form",
    [
        "x = {x}\ny = {y}\nb = {b}\nv = {v}", "sat\nx = {x}, y = {y}, b = {b}, v = {v}",
        "{{x: {x}, y: {y}, b: {b}, v: {v}}}", "[x = {x}, y = {y}, b = {b}, v = {v}]",
        '{{"x": {x}, "y": {y}, "b": {b}, "v": {v}}}', "- x = {x}\n- y = {y}\n- b = {b}\n- v = {v}",
        "1. x = {x}\n2. y = {y}\n3. b = {b}\n4. v = {v}", "x = {x}.\ny = {y}.\nb = {b}.\nv = {v}.",
        "x -> {x}, y -> {y}, b -> {b}, v -> {v}", "x is {x}, y is {y}, b is {b}, v is {v}",
        "x = {x} and y = {y} and b = {b} and v = {v}", "`x = {x}`, `y = {y}`, `b = {b}`, `v = {v}`",
    ],
)  # fmt: skip
def test_values_may_be_written_in_many_ways(form):
    judge = SmtModel(FOUR_SORTS)
    right = {"x": "-7", "y": "1/2", "b": "true", "v": "15"}
    assert judge(form.format(**right)).correct
    assert judge(form.format(**right | {"b": "True", "y": "0.5", "v": "#x0f"})).correct
    for name, wrong in (("x", "7"), ("y", "2"), ("b", "false"), ("v", "14")):
        assert not judge(form.format(**right | {name: wrong})).correct


def test_models_as_z3_prints_them():
    judge = SmtModel(FOUR_SORTS)
    right = {"x": "(- 7)", "y": "(/ 1.0 2.0)", "b": "true", "v": "#x0f"}
    assert judge(BY_Z3.format(**right)).correct
    assert judge(BY_Z3.format(**right | {"y": "0.5", "v": "(_ bv15 8)"})).correct
    for name, wrong in (("x", "7"), ("y", "(- (/ 1.0 2.0))"), ("b", "false"), ("v", "#x0e")):
        assert not judge(BY_Z3.format(**right | {name: wrong})).correct
    for text in (BY_Z3, BY_Z3.replace("(define-fun b () Bool\n    {b})", "")):
        assert not judge(text).correct
    assert not judge(BY_Z3.format(**right) + "\nx = -7").correct
    assert not judge(BY_Z3.format(**right | {"x": "(let ((a 1)) (- 7))"})).correct
    assert judge("(define-fun x () Int (" * 900).value == 0
    halves = SmtModel("(declare-const y Real)(assert (= y (/ (- 1) 2)))")
    for number in ("(- (/ 1 2))", "(/ (- 1.0) 2.0)", "(- 0.5)"):
        assert halves(f"((define-fun y () Real {number}))").correct


@pytest.mark.parametrize(
    "answer", ["valid", "Valid.", "**valid**", "The claim is valid.", "valid!"]
)
def test_valid_may_be_said_in_many_ways(answer):
    assert SmtValid("(declare-const x Int)(assert (>= (* x x) 0))")(answer).correct
    assert not SmtValid("(declare-const x Int)(assert (> (* x x) 0))")(answer).correct


@pytest.mark.parametrize(
    "answer", ["invalid", "not valid", "valid or not", "valid, x = 0", "valid?"]
)
def test_what_does_not_say_valid(answer):
    assert not SmtValid("(declare-const x Int)(assert (>= (* x x) 0))")(answer).correct
