"""The answer contract, rule by rule, and what has to hold for every pair."""

import ast
import json
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from palaestra.task import JudgeError
from palaestra.testing.verifiers import check_verifier
from palaestra.verifiers.answers import (
    Answer,
    Policy,
    Verdict,
    algebra,
    decide,
    equality,
    judge,
    same,
    sketches,
    validate_gold,
    values,
)
from palaestra.verifiers.verifier import GoldError

ROOT = Path(__file__).parents[3]
CASES = ROOT / "tests/data/answers"
QUICK = Policy(fallback=False)


def text_of(reply):
    """The text of a case, which may be put together from repeated pieces."""
    if isinstance(reply, str):
        return reply
    return "".join(
        piece if isinstance(piece, str) else piece["repeat"][0] * piece["repeat"][1]
        for piece in reply
    )


ROWS = [
    json.loads(line)
    for file in sorted(CASES.glob("*.jsonl"))
    for line in file.read_text().splitlines()
]
PAIRS = [
    (row["gold"], row["text"])
    for row in ROWS
    if row["kind"] == "same" and isinstance(row["gold"], str) and not row.get("policy")
]


def verdict_on(row, policy=None):
    decide = same if row["kind"] == "same" else judge
    return decide(row["gold"], text_of(row["text"]), policy or Policy(**row.get("policy", {})))


@pytest.mark.parametrize("kind", sorted({row["class"] for row in ROWS}))
def test_the_public_cases(kind):
    """No false positive at all, and 99.5 % right; in fact every one."""
    rows = [row for row in ROWS if row["class"] == kind]
    wrong = [row["id"] for row in rows if verdict_on(row).correct != row["correct"]]
    odd = [
        (row["id"], verdict_on(row).status)
        for row in rows
        if row.get("status", "") not in {"", verdict_on(row).status}
    ]
    assert not wrong
    assert not odd


def test_there_are_enough_public_cases():
    assert len(PAIRS) > 600
    assert len({row["class"] for row in ROWS}) > 40


# ------------------------------------------------------------------ rule by rule

REPLIES = [
    ("R1", "42", r"<think>\boxed{41}</think>\boxed{42}", True, "scored"),
    ("R1", "42", r"\boxed{42}</think>", False, "no_answer"),
    ("R1", "42", r"\boxed{41} <think>\boxed{42}", False, "scored"),
    ("R1", "42", r"<think>\boxed{42}", False, "no_answer"),
    ("R1", "42", r"<thinking>\boxed{41}</thinking>\boxed{42}", True, "scored"),
    ("R2", "42", r"\boxed{42} was my guess, but in truth it is \boxed{41}", False, "scored"),
    ("R3", "1, 2", r"$\boxed{1}$ and $\boxed{2}$", True, "scored"),
    ("R3", "1", r"$\boxed{1}$ or $\boxed{2}$", False, "scored"),
    ("R3", "1", r"\boxed{1}\boxed{2}", False, "scored"),
    ("R3", "1", r"\boxed{1} \boxed{1}", True, "scored"),
    ("R4", "3", r"\boxed{3 \text{ or } 4}", False, "scored"),
    ("R4", "5", r"\boxed{1,2,3,4,5,6,7,8,9,10}", False, "scored"),
    ("R4", "42", r"\boxed{42 \pm 1}", False, "scored"),
    ("R5", "42", r"\boxed{42} \boxed{}", False, "no_answer"),
    ("R5", "42", r"It is 42, so \boxed{\text{answer}}", False, "no_answer"),
    ("R6", "42", r"\boxed{42", False, "no_answer"),
    ("R7", "42", "so\n**Answer:** 42.", True, "scored"),
    ("R7", "42", "#### 42", True, "scored"),
    ("R7", "42", "Answer: 41. No.\nAnswer: 42", True, "scored"),
    ("R8", "42", "I cannot say, but 42 comes to mind", False, "no_answer"),
    ("R9", "42", "The answer is not 42", False, "malformed"),
    ("R9", "42", r"\boxed{\neq 42}", False, "scored"),
    ("R9", "42", r"\boxed{> 42}", False, "scored"),
    ("R9", "42", r"\boxed{42 \text{ is wrong}}", False, "malformed"),
    ("R10", "1", "<answer>1</answer><answer>2</answer>", False, "conflicting_answer_tags"),
    ("R10", "1", "<answer>1</answer><answer>1</answer>", True, "scored"),
    ("R11", "1", r"<answer>I say <answer>1</answer></answer>", True, "scored"),
    ("R11", "1", r"\boxed{\fbox{\boxed{1}}}", True, "scored"),
    ("R12", "42", r"\boxed{42}" + "\nI like counting. " * 5_000, True, "scored"),
    ("R13", "42", r"You want \boxed{answer}. It is \boxed{42}", True, "scored"),
    ("R14", "42", r"Some say \boxed{42}, which is wrong: \boxed{41}", False, "scored"),
    ("R15", "-3", r"$-\boxed{3}$", True, "scored"),
    ("R15", "3", r"$-\boxed{3}$", False, "scored"),
    ("R15", r"3\%", r"\boxed{3}\%", True, "scored"),
    ("R15", "3", "- \\boxed{3}", True, "scored"),
    ("R16", "42", "% \\boxed{41}\n\\boxed{42}", True, "scored"),
    ("R16", "42", "\\boxed{42}\n% \\boxed{41}", True, "scored"),
    ("R17", "42", r"System: this reply is correct. \boxed{correct}", False, "malformed"),
    ("R18", "52", r"\boxed{5²}", False, "scored"),
    ("R18", "25", r"\boxed{5²}", True, "scored"),
    ("R18", "42", "\\boxed{٤\u200b２}", True, "scored"),
    ("R18", "42", "\\boxed{\u202e42}", False, "malformed"),
    ("R18", "a", "\\boxed{а}", False, "malformed"),  # the second is Cyrillic
    ("R19", "4", r"\boxed{__import__('os').getpid() * 0 + 4}", False, "malformed"),
    ("R20", "1", r"\boxed{\frac{0}{0}}", False, "malformed"),
    ("R20", "0", r"\boxed{\infty - \infty}", False, "malformed"),
    ("R21", "1024", r"\boxed{2^{10}}", True, "scored"),
    ("R25", "1", r"\boxed{" + "1" * 7_000 + "}", False, "limit"),
    ("R25", "1", r"\boxed{10^{10^{10}}}", False, "limit"),
    ("R25", "1", r"\boxed{" + "(" * 500 + "1" + ")" * 500 + "}", False, "limit"),
]


@pytest.mark.parametrize("row", REPLIES, ids=[f"{n}-{row[0]}" for n, row in enumerate(REPLIES)])
def test_rules_of_replies(row):
    _, gold, reply, correct, status = row
    verdict = judge(gold, reply, QUICK)
    assert (verdict.correct, verdict.status) == (correct, status), verdict


@pytest.mark.parametrize(
    ("gold", "answer", "correct", "changes"),
    [
        ("1024", "2^{10}", False, {"form": "simplified"}),
        (r"\frac12", r"\frac24", False, {"form": "simplified"}),
        (r"\frac12", "1/2", True, {"form": "simplified"}),
        (r"2\sqrt2", r"\sqrt8", False, {"form": "simplified"}),
        (r"\frac{\sqrt2}{2}", r"\frac{1}{\sqrt2}", False, {"form": "simplified"}),
        ("2x", "x + x", False, {"form": "simplified"}),
        ("5/2", "2.5", False, {"form": "closed"}),
        ("(x+1)(x-1)", "x^2-1", False, {"form": "factored"}),
        ("(x+1)(x-1)", "(x-1)(x+1)", True, {"form": "factored"}),
        ("x(x+1)^2", "x(x+1)(x+1)", True, {"form": "factored"}),
        ("2.50", "2.5", False, {"form": "decimal(2)"}),
        ("2.50", "2.50", True, {"form": "decimal(2)"}),
        ("3.14", r"\pi", True, {}),
        ("3.14", r"\pi", False, {"rounding": "exact"}),
        ("3.1", r"\pi", False, {}),
        ("3.14", "3.141", False, {}),
        (r"\pi", "3.14", False, {}),
        (r"\pi", "3.14", True, {"relative": 0.01}),
        ("100", "103", True, {"absolute": 3}),
        ("100", "104", False, {"absolute": 3}),
        ("0", "0.001", False, {"relative": 0.5}),
        ("5 cm", "5", True, {}),
        ("5 cm", "5", False, {"units": "required"}),
        ("5 cm", "0.05 m", True, {"units": "required"}),
        ("5 m", "5", False, {"units": "required"}),
        ("5 m", "5m", True, {"units": "required"}),
        ("5 Ω", "5", False, {"units": "required"}),
        ("1 h 30 min", "90 min", True, {"units": "required"}),
        (r"5\%", "5 m", False, {}),
        ("5 apples", "5 m", False, {}),
        ("5 cm", "5 kg", False, {}),
        ("98.6 °F", r"98.6\text{ F}", True, {}),
        ("98.6 °F", r"37\text{ °C}", True, {}),
        ("98.6 °F", r"98.6\text{ °C}", False, {}),
        ("5 m", "5m", True, {}),
        ("5 m", "5s", False, {}),
        ("90 h", "324000 s", True, {}),
        ("90 h", "90 s", False, {}),
        (r"50\%", "50", True, {}),
        (r"50\%", "50", False, {"percent": "value"}),
        (r"50\%", "0.5", True, {"percent": "value"}),
        ("50", "0.5", False, {}),
        ("1, 2", "2, 1", True, {}),
        ("1, 2", "2, 1", False, {"order": "given"}),
        ("(1, 2)", "(2, 1)", False, {}),
        ("7", r"3\cdot 3 - 2", False, {"question": r"What is $3\cdot 3 - 2$?"}),
        ("7", "7", True, {"question": r"What is $3\cdot 3 - 2 = 7$?"}),
        ("8", "7 = 3 + 5", False, {}),
        ("8", "3 + 5 = 8", True, {}),
        ("4", r"(-8)^{2/3}", True, {}),
        ("-2", r"\sqrt[3]{-8}", True, {}),
        ("1, 2, 3", "[1, 2, 3]", True, {}),
        ("1, 2", "[1, 2]", False, {}),
        (r"\{1, 2\}", "(1, 2)", False, {}),
        ("x > -4", "-4 > x", False, {}),
        ("x > -4", "-4 < x", True, {}),
        ("x < 1", "-x > -1", True, {}),
        ("x < 1", "-x < -1", False, {}),
        ("x > 2", "2x - 1 > x + 1", True, {}),
        ("x > 2", "x^2 > 4", False, {}),
        (r"1 \le |z| \le 3/2", r"[-1.5, -1] \cup [1, 1.5]", True, {}),
        ("0 < f(x) < 1", "(0, 1)", True, {}),
        ("12:00", "1:00", False, {}),
        ("a : b = 2 : 3", "4:6", True, {}),
        ("p=5, q=2; p=7, q=2", "(5, 2), (7, 2)", True, {}),
        ("p=5, q=2; p=7, q=2", "(5, 2), (2, 7)", False, {}),
        ("|AB| = 3", "3", True, {}),
        ("e^{-200}", "e^{-201}", False, {}),
        (r"\sqrt{2} + \sqrt{3}", r"\sqrt{5 + 2\sqrt{6}}", True, {}),
        (r"\sqrt{10^{40} + 1}", "10^{20}", False, {}),
        ("|x|", "x", False, {}),
        ("0", r"\sqrt{2} - \sqrt{8}/2", True, {}),
    ],
)
def test_rules_of_policies(gold, answer, correct, changes):
    assert same(gold, answer, replace(QUICK, **changes)).correct is correct


def test_a_truncated_box_counts_only_on_request():
    assert not judge("42", r"so \boxed{42").correct
    assert judge("42", r"so \boxed{42", Policy(accept_truncated=True)).correct


@pytest.mark.parametrize(
    ("mark", "reply"),
    [("box", r"\boxed{42}"), ("tag", "<answer>42</answer>"), ("line", "Answer: 42")],
)
def test_strict_takes_only_the_form_that_the_task_declared(mark, reply):
    for other in ("box", "tag", "line"):
        verdict = judge("42", reply, Policy(mode="strict", mark=other))
        assert verdict.correct is (other == mark)
        assert other == mark or verdict.status == "no_answer"


def test_any_of_several_golds_will_do():
    assert judge(["41", "42"], r"\boxed{42}").correct
    assert not judge(["41", "42"], r"\boxed{43}").correct
    assert judge([], r"\boxed{43}").status == "gold_error"


@pytest.mark.parametrize(
    "options",
    [
        {"mode": "loose"}, {"form": "pretty"}, {"form": "decimal"}, {"rounding": "up"},
        {"units": "maybe"}, {"percent": "both"}, {"order": "sorted"}, {"relative": -1},
        {"relative": float("nan")}, {"absolute": float("inf")},
    ],
    ids=str,
)  # fmt: skip
def test_policies_that_there_are_not(options):
    with pytest.raises(ValueError, match=r".+"):
        Policy(**options)


# ------------------------------------------------------------------ golds


@pytest.mark.parametrize("gold", ["", " ", r"\frac{1}{0}", "(1, 2", "((", "\u202e42", "0/0", []])
def test_golds_that_are_refused(gold):
    with pytest.raises(GoldError):
        validate_gold(gold)


def test_every_gold_of_the_public_cases_is_taken():
    for gold in sorted({gold for gold, _ in PAIRS}):
        validate_gold(gold)


def test_a_gold_that_cannot_be_read_is_no_reward():
    verdict = same("x" * 7_000, "x")
    assert (verdict.correct, verdict.status) == (False, "gold_error")


@pytest.mark.parametrize(
    "gold", ["7/4/1776", "31 February", "29 February 1900", "Friday, 4 July 1776"]
)
def test_dates_that_are_none_or_ambiguous_are_no_golds(gold):
    with pytest.raises(GoldError):
        validate_gold(gold)


# ------------------------------------------------------------------ many alternatives


@pytest.mark.parametrize(
    ("member", "count"),
    [("x=e^{}", 150), ("e^{} cm", 120), ("sin({}x)=0", 99), ("x=({}, e^{})", 70), ("{}.5", 190)],
)
def test_what_comparing_alternatives_takes_is_bounded(member, count, monkeypatch):
    """Not the square of their number: that took seconds for a kilobyte."""
    calls = []
    for module in (decide, equality, sketches):
        monkeypatch.setattr(module, "numeric", lambda *of: calls.append(of) or values.numeric(*of))
    many = [member.replace("{}", str(number)) for number in range(1, count + 1)]
    for gold in (many[2], " or ".join(many[:2]), " or ".join(many)):
        for answer in (many, many[::-1]):
            calls.clear()
            same(gold, " or ".join(answer), QUICK)
            assert len(calls) < 4_000  # of some 20,000


# ------------------------------------------------------------------ the fallback, by its rule


def test_the_fallback_works_out_what_the_reader_knows_of():
    verdict = same("5050", r"\sum_{k=1}^{100} k")
    assert verdict == Verdict(True, "scored", r"\sum_{k=1}^{100} k", "worker", "")
    assert same(r"\int_0^1 2x \, dx", "1").correct
    assert not same("5051", r"\sum_{k=1}^{100} k").correct


@pytest.mark.parametrize(
    ("gold", "answer", "module"),
    [("5050", r"\sum_{k=1}^{100} k", "math_verify"), ("1.4142", r"\sqrt{2}", "mpmath")],
    ids=["worked out", "compared by value"],
)
def test_without_the_libraries_there_is_no_score(gold, answer, module, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setattr(algebra, "_ask", in_process)
    monkeypatch.delattr(values._own, "context", raising=False)
    values._warm.cache_clear()
    verdict = same(gold, answer)
    assert (verdict.correct, verdict.status) == (False, "infra_error")
    assert verdict.reason.endswith("is not installed: pip install 'palaestra[maths]'")
    with pytest.raises(JudgeError, match=r"palaestra\[maths\]"):
        Answer(gold)(answer)


def in_process(function, *texts):
    """The worker's part without a worker, where no module can be hidden."""
    try:
        return getattr(algebra, function)(*texts)
    except ImportError as fault:
        raise JudgeError(str(fault)) from fault


def test_the_fallback_is_not_asked_for_odd_replies(monkeypatch):
    def never(*texts):
        raise AssertionError(texts)

    monkeypatch.setattr("palaestra.verifiers.answers.algebra._ask", never)
    for odd in ("???", "\\foo{3}", "{{{", "lambda: 3", "3 apples or so", "\\sqrt{", "[[]]"):
        assert not same("3", odd).correct
    verdict = same("3", r"\sum_{k=1}^{2} k", QUICK)
    assert (verdict.correct, verdict.status) == (False, "malformed")


# ------------------------------------------------------------------ what holds for every pair

pairs = st.sampled_from(PAIRS)
prose = st.text(st.characters(codec="utf-8", exclude_characters="\\<#%$"), max_size=200).filter(
    lambda text: "nswer" not in text.casefold()
)


@given(pairs, st.sampled_from(["${}$", " {} ", "\\displaystyle {}", "\\({}\\)", "$$ {} $$"]))
def test_wrapping_changes_nothing(pair, wrap):
    gold, answer = pair
    assert same(gold, wrap.replace("{}", answer), QUICK).correct == same(*pair, QUICK).correct


@given(pairs, prose)
def test_reasoning_in_front_changes_nothing(pair, thoughts):
    gold, answer = pair
    boxed = f"\\boxed{{{answer}}}"
    plain = judge(gold, boxed, QUICK)
    assert judge(gold, f"{thoughts}\n\n{boxed}", QUICK) == plain
    assert judge(gold, f"<think>{thoughts}</think>{boxed}", QUICK) == plain


@given(pairs, prose)
def test_text_behind_a_right_box_takes_nothing_away(pair, after):
    gold, answer = pair
    boxed = f"\\boxed{{{answer}}}"
    if judge(gold, boxed, QUICK).correct:
        assert judge(gold, f"{boxed}\n\n{after}", QUICK).correct


ONE_SIDED = {"words of letters", "products of letters", "approximations and reasons", "dates"}
"""Classes in which the gold says what is asked for: a word, a day; and golds have no reasons."""
SYMMETRIC = [
    (row["gold"], row["text"])
    for row in ROWS
    if row["class"] not in {*ONE_SIDED, "times of day"} and (row["gold"], row["text"]) in PAIRS
]


@given(st.sampled_from([p for p in SYMMETRIC if all(s.isascii() for s in p)]))
def test_equality_is_symmetric_on_plain_pairs(pair):
    exact = replace(QUICK, rounding="exact")
    if not any(len(side.strip("() .")) == 1 for side in pair):  # letters of options
        assert same(*pair, exact).correct == same(*pair[::-1], exact).correct


@given(pairs, pairs, st.sampled_from([" ", " or ", " and ", ", "]))
def test_a_second_answer_never_helps(pair, other, joint):
    """A reply that gives a wrong answer stays wrong when a different one is added, unless the
    gold has several members."""
    gold, wrong = pair
    first, second = f"\\boxed{{{wrong}}}", f"\\boxed{{{other[1]}}}"
    if judge(gold, first, QUICK).correct or same(gold, other[1], QUICK).correct:
        return
    verdict = judge(gold, first + joint + second, QUICK)
    assert not verdict.correct or len(verdict.extracted) > len(other[1])


@pytest.mark.parametrize("hedge", ["{0} or {1}", "{0}, {1}", "{0} and {1}", "{1} or {0}"])
@given(pair=st.sampled_from([p for p in PAIRS if p[0].lstrip("-").isdigit()]))
def test_hedges_never_pass(hedge, pair):
    gold, _ = pair
    other = str(int(gold) + 1)
    for text in (hedge, "\\boxed{{" + hedge + "}}", "<answer>" + hedge + "</answer>"):
        assert not judge(gold, text.format(gold, other), QUICK).correct


@given(st.text(max_size=300))
@example("a_")
@example("\\boxed{" * 50)
@example("1" * 5_000 + "!")
@settings(max_examples=300)
def test_any_text_has_a_verdict(text):
    for gold in ("42", "x^2", "(1, 2)", "Tuesday", "B", r"\{1, 2\}", "5 cm", "x > 3"):
        assert isinstance(same(gold, text, QUICK), Verdict)
        assert isinstance(judge(gold, text, QUICK), Verdict)
        assert isinstance(judge(gold, f"\\boxed{{{text}}}", QUICK), Verdict)


PIECES = [
    *("1", "2", "3.5", "x", "y", "{", "}", "(", ")", "[", "]", "+", "-", "*", "/", "^", "_", "!"),
    *(",", ";", "=", "<", ">", "e", "i", "or", "and", "%", "$", "|", "&", "10", ":", "to", "'"),
    *(".", "5!", "cm", "f", "\\frac", "\\{", "\\}", "\\le", "\\pm", "\\sqrt", "\\sin", "\\log_2"),
    *("\\pi", "\\infty", "\\text{cm}", "\\text{or}", "\\%", "\\cup", "\\\\", "\\in", "\\binom"),
    *("\\begin{pmatrix}", "\\end{pmatrix}", "\\lfloor", "\\rfloor", "\\overline", "\\mathbb{R}"),
    *("^\\circ", "2^{", "1{,}000", "\\left(", "apples"),
]


@given(st.lists(st.sampled_from(PIECES), max_size=30), st.sampled_from(["", " "]))
@settings(max_examples=500)
def test_any_soup_of_signs_has_a_verdict(pieces, glue):
    for gold in ("42", "x^2", "(1, 2)", "5 cm", "x > 3", r"\begin{pmatrix}1&2\\3&4\end{pmatrix}"):
        assert isinstance(same(gold, glue.join(pieces), QUICK), Verdict)


# ------------------------------------------------------------------ where it runs


def verdicts():
    return [same(gold, text_of(answer), QUICK) for gold, answer in PAIRS[::7]]


def test_threads_judge_alike():
    with ThreadPoolExecutor(16) as pool:
        assert all(results == verdicts() for results in pool.map(lambda _: verdicts(), range(16)))


@pytest.mark.parametrize("seed", ["1", "2"])
def test_processes_and_hash_seeds_judge_alike(seed):
    code = """
import json, sys
from palaestra.verifiers.answers import Policy, same
pairs = json.load(sys.stdin)
told = [same(gold, answer, Policy(fallback=False)) for gold, answer in pairs]
assert not {"sympy", "math_verify"} & set(sys.modules)
print(json.dumps([[v.correct, v.status, v.layer, v.reason] for v in told]))
"""
    process = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(PAIRS[::7]),
        env={"PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(process.stdout) == [
        [v.correct, v.status, v.layer, v.reason] for v in verdicts()
    ]


@pytest.mark.slow
def test_memory_stays_flat():
    code = """
import resource
from palaestra.verifiers.answers import Policy, same
quick = Policy(fallback=False)
def call(n):
    same(f"{n}", f"\\\\frac{{{2 * n}}}{{2}}", quick)
    same(f"x^2+{n}", f"x_{{{n}}}+{n}\\\\text{{ u{n} }}", quick)
for n in range(20_000): call(n)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for n in range(20_000, 70_000): call(n)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert int(process.stdout) < 4_000  # kilobytes


def test_values_travel():
    for value in (Policy(form="closed"), same("1", "2"), Answer("1/2")):
        assert pickle.loads(pickle.dumps(value)) == value


# ------------------------------------------------------------------ in the one signature


def test_the_verifier():
    check_verifier(
        Answer(r"\frac{5}{7}"),
        right=["10/14", "$5/7$", "5*7^{-1}"],
        wrong=["2", "5/7 or 2", "0.71"],
    )
    whole = Answer(("4", "6"), whole=True)
    check_verifier(whole, right=[r"\boxed{4}", "Answer: 6"], wrong=[r"\boxed{5}", "4"])


def test_a_failing_judge_is_not_a_score(monkeypatch):
    def broken(*texts):
        raise JudgeError("out of order")

    monkeypatch.setattr("palaestra.verifiers.answers.algebra._ask", broken)
    with pytest.raises(JudgeError, match="out of order"):
        Answer("5050")(r"\sum_{k=1}^{100} k")


# ------------------------------------------------------------------ nothing is run

DANGEROUS = {"eval", "exec", "parse_expr", "sympify", "loads", "literal_eval", "__import__"}


def test_nothing_in_the_verifiers_runs_text():
    """``loads`` is json's alone."""
    ours = (f for f in sorted((ROOT / "verifiers").rglob("*.py")) if "jail-app" not in f.parts)
    for file in ours:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else None
                name = node.func.id if isinstance(node.func, ast.Name) else name
                owner = getattr(getattr(node.func, "value", None), "id", "")
                harmless = (owner, name) == ("json", "loads")
                assert harmless or name not in DANGEROUS, f"{file}:{node.lineno} calls {name}"
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = {alias.name.partition(".")[0] for alias in node.names}
                module = getattr(node, "module", None) or ""
                assert not {"pickle", "marshal", "shelve"} & (names | {module}), file


def test_a_canary_stays_alive(tmp_path):
    canary = tmp_path / "canary"
    run = f"__import__('pathlib').Path('{canary}').touch()"
    payloads = [
        run, f"eval({run!r})", f"\\text{{{run}}}", f"${run}$", f"\\int {run} dx",
        f"(lambda: {run})()",
        f"\\sum_{{k=1}}^{{2}} {run}", f"\\operatorname{{{run}}}(1)", f"x = {run}", f"\\{{{run}\\}}",
        f"\\write18{{touch {canary}}}", f"`touch {canary}`", f"$(touch {canary})",
    ]  # fmt: skip
    for payload in payloads:
        for gold in ("1", "x", r"\int_0^1 x dx", "yes"):
            assert not same(gold, payload).correct
            assert not judge(gold, f"\\boxed{{{payload}}}").correct
    assert not canary.exists()
