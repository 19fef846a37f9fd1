"""Environments of programs that are rewritten: hand-worked examples, referees, traps, limits."""

import ast
from collections import OrderedDict
from fractions import Fraction
from heapq import heappop, heappush
from math import trunc
from random import Random
from time import process_time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from palaestra import Address
from palaestra.envs.programs.class_from_specification import ClassFromSpecification
from palaestra.envs.programs.make_it_faster import MakeItFaster
from palaestra.envs.programs.repair_the_bug import RepairTheBug
from palaestra.envs.programs.translate_program import TranslateProgram
from palaestra.generators.programs.class_from_specification import composing as small_classes
from palaestra.generators.programs.class_from_specification.composing import (
    BASES,
    Built,
    drawn_calls,
    performed,
    written,
)
from palaestra.generators.programs.make_it_faster import composing as slow_programs
from palaestra.generators.programs.make_it_faster.composing import PARTS, SCALES, TOP, running
from palaestra.generators.programs.mini_python.parameters import Parameter
from palaestra.generators.programs.mini_python.run import compiled
from palaestra.generators.programs.repair_the_bug import Bug, passing, spoilt, unrepaired
from palaestra.generators.programs.translate_program.drawing import (
    Drawn,
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
from palaestra.task import Unreadable, Unscored
from palaestra.verifiers.programs import judging as programs
from palaestra.verifiers.sandbox import Limits, MissingTool, SandboxUnavailable, sandbox

SEEDS = st.integers(0, 10**6)


@pytest.fixture
def isolated():
    try:
        sandbox().report()
    except SandboxUnavailable as why:
        pytest.skip(str(why))


def task(name, level, seed):
    return Address.of(f"programs/{name}", seed, level).task()


# --------------------------------------------------------------------------------- broken programs

TOTAL = """\
def f(xs):
    total = 0
    for x in xs:
        if x > 3:
            total += x
        else:
            total -= 1
    return total"""
BUGS = (Bug(4, "if x < 3:"), Bug(8, "", "deeper"))
BROKEN = """\
def f(xs):
    total = 0
    for x in xs:
        if x < 3:
            total += x
        else:
            total -= 1
            return total"""


def broken():
    row = (Parameter("xs", "numbers", 0, 9, 3, 5),)
    return RepairTheBug(
        right=TOTAL, name="f", signature=row, bugs=BUGS, moved=True, told=True, seed=1
    )


def test_bugs_are_put_in():
    assert broken().broken() == BROKEN
    assert spoilt(TOTAL, [Bug(2, "", "below")]).split("\n")[1:3] == [
        "    for x in xs:",
        "        total = 0",
    ]
    assert spoilt(TOTAL, [Bug(7, "", "shallower")]).split("\n")[5:] == [
        "        else:",
        "        total -= 1",
        "    return total",
    ]
    for bug in (Bug(3, "", "below"), Bug(2, "", "deeper"), Bug(8, "", "shallower")):
        with pytest.raises(Unreadable):
            spoilt(TOTAL, [bug])


@pytest.mark.usefixtures("isolated")
def test_any_repair_that_works_is_right():
    given = broken()
    for answer in (
        TOTAL,
        f"```python\n{TOTAL}\n```",
        "f = lambda xs: sum(x if x > 3 else -1 for x in xs)",
        "def f(xs):\n    xs = [x if x >= 4 else -1 for x in xs]\n    return sum(xs)",
    ):
        assert given.verify(answer).value == 1, answer
        assert given.audit(answer)


@pytest.mark.usefixtures("isolated")
def test_half_a_repair_is_no_repair():
    given = broken()
    for answer in (BROKEN, f"{BROKEN}  # repaired", BROKEN.replace("total", "total")):
        assert given.verify(answer).reason == "the program is what it was"
    for bug in BUGS:
        assert given.verify(spoilt(TOTAL, [bug])).value < 0.5
    table = {tuple(ast.literal_eval(t.call[2:-1])): int(t.shown) for t in given.shown().examples}
    answer = f"def f(xs):\n    return {table}.get(tuple(xs), 0)"
    assert given.verify(answer).value == 0
    for answer in ("def g(xs):\n    return 1", "def f(xs)\n    return 1", "return total", ""):
        with pytest.raises(Unreadable):
            given.verify(answer)


@settings(max_examples=8)
@given(SEEDS, st.integers(0, 5))
def test_examples_and_hidden_inputs_show_each_bug(seed, level):
    given = task("repair_the_bug", level, seed)
    cases = given.cases()
    shown = given.shown().examples
    assert all(passing(given.right, given.name, cases))
    for left in unrepaired(given.bugs):
        wrong = spoilt(given.right, left)
        assert not all(passing(wrong, given.name, cases))
        assert any(compiled(wrong).call(t.call).shown != t.shown for t in shown)


# ----------------------------------------------------------------------------------- slow programs

ROWS = st.lists(st.integers(0, 12) | st.integers(0, TOP), min_size=1, max_size=14)
NUMBERED = [
    ((name, (*numbers, version)),)
    for name, part in PARTS.items()
    for version in range(len(part.versions))
    for numbers in (
        tuple(low for low, _ in part.ranges),
        tuple((low + high) // 2 for low, high in part.ranges),
    )
]


def names_of(parts):
    return "+".join(f"{name}{numbers}" for name, numbers in parts)


@pytest.mark.parametrize("parts", NUMBERED, ids=names_of)
def test_fast_and_slow_programs_agree(parts):
    fast, slow = running(parts), running(parts, fast=False)
    rng = Random(5)
    if slow_programs.kind_of(parts) == "list":
        rows = [
            [rng.randint(0, top) for _ in range(n)] for n in range(1, 18) for top in (2, 30, TOP)
        ]
        found = [*rows, *map(sorted, rows), [7] * 9, [TOP] * 5, [0], list(range(25, 0, -1))]
    else:
        found = [*range(11)] if slow_programs.kind_of(parts) == "recursion" else [*range(70), 345]
    for value in found:
        before = list(value) if isinstance(value, list) else value
        assert fast(value) == slow(value), value
        assert value == before, "the argument is changed"


@settings(max_examples=25)
@given(SEEDS, ROWS)
def test_programs_of_several_parts_agree(seed, row):
    parts = slow_programs.drawn(Random(seed), 1, 3, 3)
    value = row if slow_programs.kind_of(parts) == "list" else len(row) - 1
    assert running(parts)(value) == running(parts, fast=False)(value)


FAR = [Random(1).randint(0, TOP) for _ in range(SCALES["list"].large[-1])]


@pytest.mark.parametrize("name", ["totals", "beyond", "overtaken", "ranks", "light", "divisors"])
def test_there_is_a_wide_gap_between_slow_and_fast(name):
    """The limit lies in the middle of it, at least about ten times away from both."""
    parts = ((name, (*(high for _, high in PARTS[name].ranges), 0)),)
    fast, slow, size = running(parts), running(parts, fast=False), 500
    first, last = SCALES[PARTS[name].kind].large
    large, small = (FAR, FAR[:size]) if PARTS[name].kind == "list" else (last, size)
    spent = {one: [] for one in (slow, fast)}
    for _ in range(3):  # of which the least is what a program costs; the rest is the machine's
        for one, problem in ((slow, small), (fast, large)):
            start = process_time()
            one(problem)
            spent[one].append(process_time() - start)
    assert min(spent[slow]) * (first / size) ** 2 > 60 * min(spent[fast])


KNOWN = (
    ((("disorder", (0, 2, 0)),), [3, 1, 2, 1], 4),
    ((("streak", (999, 5, 0)),), [6, 2, 9, 1], 4),  # 1 - 3 + 4 - 4
    ((("ladder", (1, 100, 0)),), [5, 1, 2, 9, 3, 4], 4),
    ((("board", (999, 1, 0)),), [1, 4, 5, 0], 10),
    ((("matches", (11, 0, 1)),), [1, 12, 23, 5], 3),
    ((("tree", (2, 2, 1_000, 0)),), 3, 10),
    ((("multiples", (3, 31, 2, 0)),), 9, 36),
    ((("digits", (10, 1, 1, 0)),), 100, 11),  # 1, 10, 100, and 29, 38, ..., 92
    ((("blocks", (1, 0, 0)),), 5, 10),
    ((("sieve", (0, 2, 2)),), 10, 4),
)


@pytest.mark.parametrize(("parts", "value", "wanted"), KNOWN)
def test_programs_of_known_results(parts, value, wanted):
    assert running(parts)(value) == running(parts, fast=False)(value) == wanted


@pytest.mark.usefixtures("isolated")
def test_speed_is_what_counts():
    given = MakeItFaster(parts=(("matches", (50, 7, 0)),), seed=3)
    slow, fast = given.slow(), given.answer()
    assert given.verify(fast).value == 1
    assert given.verify(slow).reason == "the program is what it was"
    assert given.verify(f"# quick\n{slow}\n\n").value == 0
    late = given.verify(slow.replace("count", "number"))
    assert (late.value, late.parts["small"], late.parts["steps"]) == (0, 1, 0)
    assert "too long" in late.reason


@pytest.mark.usefixtures("isolated")
def test_steps_of_scale_are_partial_credit():
    given = MakeItFaster(parts=(("matches", (50, 7, 0)),), seed=3)
    fast = given.answer()
    between = fast.replace("    return count", "    return count + (len(xs) > 35_000)")
    score = given.verify(between)
    assert (score.value, score.parts["steps"]) == (0.5, 0.5)
    wrong = given.verify(fast.replace("return count", "return count + (len(xs) == 7)"))
    assert (wrong.value, wrong.status) == (0, "scored")
    assert wrong.reason.endswith("of small size")


# -------------------------------------------------------------------------------------- classes


def results(built, *calls):
    return performed(small_classes.running(built), calls)


def test_a_cache_worked_by_hand():
    least_recent = Built("cache", (2, 1), ())
    assert results(
        least_recent, ("put", ("a", 1)), ("put", ("b", 2)), ("get", ("a",)), ("put", ("c", 3)),
        ("get", ("b",)), ("put", ("d", 4)), ("get", ("a",)), ("get", ("c",)), ("get", ("d",)),
    ) == [None, None, 1, "b", None, "a", None, 3, 4]  # fmt: skip
    least_often = Built("cache", (2, 2), (("order", (0,)),))
    assert results(
        least_often, ("put", ("a", 1)), ("put", ("b", 2)), ("get", ("a",)), ("order", ()),
        ("put", ("c", 3)), ("get", ("c",)), ("order", ()), ("put", ("d", 4)),
    ) == [None, None, 1, ["b", "a"], "b", 3, ["a", "c"], "a"]  # fmt: skip


def test_a_cache_whose_keys_go_after_some_steps():
    fading = Built("cache", (3, 0), (("steps", (3, 0)), ("pin", (0,))))
    assert results(
        fading, ("put", ("a", 1)), ("pin", ("a",)), ("get", ("a",)), ("get", ("a",)),
        ("get", ("a",)), ("get", ("a",)), ("pin", ("a",)),
    ) == [None, True, 1, 1, 1, None, False]  # fmt: skip


def test_a_market_worked_by_hand():
    plain = Built("market", (0,), (("best", (0,)), ("cancel", (0,))))
    assert results(
        plain, ("sell", (9, 5)), ("sell", (8, 2)), ("sell", (9, 4)), ("buy", (9, 8)), ("best", ()),
        ("buy", (7, 3)), ("cancel", (3,)), ("cancel", (3,)), ("best", ()), ("sell", (5, 4)),
        ("best", ()),
    ) == [
        [], [], [], [[8, 2], [9, 5], [9, 1]], [None, 9], [], 3, 0, [7, None], [[7, 3]], [None, 5],
    ]  # fmt: skip


def test_an_editor_that_takes_things_back():
    editor = Built("editor", (0,), (("limit", (5, 0)), ("swap", (0,)), ("redo", (0,))))
    assert results(
        editor, ("type", ("abc",)), ("move", (-1,)), ("type", ("dbca",)), ("swap", ()),
        ("swap", ()), ("undo", ()), ("undo", ()), ("redo", ()), ("erase", (2,)), ("redo", ()),
    ) == ["abc", 2, "abdbc", True, True, True, True, True, "abb", False]  # fmt: skip


def test_what_is_done_again_is_undone_as_the_call_was():
    """The cursor has moved since the call was taken back, which does not count afterwards."""
    editor = Built("editor", (0,), (("redo", (0,)),))
    assert results(
        editor, ("type", ("abc",)), ("type", ("d",)), ("undo", ()), ("move", (-2,)), ("redo", ()),
        ("move", (0,)), ("undo", ()), ("move", (0,)), ("redo", ()), ("type", ("c",)),
    ) == ["abc", "abcd", True, 1, True, 4, True, 3, True, "abcdc"]  # fmt: skip


def test_what_is_done_again_shares_nothing_with_what_was():
    record = Built("record", (0,), (("redo", (0,)),))
    a, undone = ("set", ("a", 1)), ("undo", ())
    assert results(
        record, a, undone, ("redo", ()), ("set", ("a", 2)), undone, undone, ("get", ("a",)),
        ("redo", ()), ("redo", ()), ("get", ("a",)), undone, ("get", ("a",)),
    ) == [None, True, True, 1, True, True, None, True, True, 2, True, 1]  # fmt: skip


def test_stock_set_aside():
    stock = Built("stock", (1,), (("most", (6, 0)), ("aside", (0,)), ("names", (1,))))
    assert results(
        stock, ("add", ("bo", 4)), ("add", ("bo", 4)), ("reserve", ("bo", 5)),
        ("reserve", ("bo", 2)), ("remove", ("bo", 3)), ("count", ("bo",)), ("release", ("bo", 9)),
        ("add", ("ada", 5)), ("names", ()), ("remove", ("bo", 9)), ("names", ()),
    ) == [4, 6, True, False, 1, 5, 5, 5, ["ada", "bo"], 5, ["ada"]]  # fmt: skip


@given(SEEDS)
def test_the_least_recently_used_key_goes(seed):
    built, kept, wanted = Built("cache", (3, 1), ()), OrderedDict(), []
    calls = drawn_calls(Random(seed), built, 40)
    for name, values in calls:
        key = values[0]
        if name == "get":
            wanted.append(kept.get(key))
        else:
            full = key not in kept and len(kept) == 3
            wanted.append(kept.popitem(last=False)[0] if full else None)
            kept[key] = values[1]
        if key in kept:
            kept.move_to_end(key)
    assert results(built, *calls) == wanted


@given(SEEDS)
def test_the_smallest_number_comes_first(seed):
    built, heap, wanted = Built("line", (2,), ()), [], []
    calls = drawn_calls(Random(seed), built, 40)
    for name, values in calls:
        match name:
            case "add":
                heappush(heap, values[0])
                wanted.append(True)
            case "take":
                wanted.append(heappop(heap) if heap else None)
            case _:
                wanted.append(len(heap))
    assert results(built, *calls) == wanted


@pytest.mark.parametrize("base", BASES)
def test_every_rule_is_said_and_done(base):
    for rule, what in BASES[base].rules.items():
        for version in range(len(what.versions)):
            first = tuple(low for low, _ in BASES[base].ranges)
            numbers = (*(low for low, _ in what.ranges), version)
            built = Built(base, (*first, 0), ((rule, numbers),))
            said = [*small_classes.told(built), *map("".join, small_classes.methods(built))]
            assert not {"$", "@"} & set("".join([*said, written(built, "Box")]))
            rows = small_classes.tested(built, 1, 20, 20)
            assert all(returned is not None for _, returned in rows), rule


def test_rules_that_do_not_go_together_are_kept_apart():
    for seed in range(300):
        built = small_classes.drawn(Random(seed), 4)
        rules, picked = BASES[built.base].rules, [rule for rule, _ in built.rules]
        assert len(set(picked)) == 4
        assert not any(other in rules[rule].apart.split() for rule in picked for other in picked)


LRU = """
class Crate:
    def __init__(self):
        self.rows = []

    def put(self, key, value):
        others = [row for row in self.rows if row[0] != key]
        gone = others.pop(0)[0] if len(others) == 2 else None
        self.rows = [*others, (key, value)]
        return gone

    def get(self, key):
        for row in self.rows:
            if row[0] == key:
                self.rows.remove(row)
                self.rows.append(row)
                return row[1]
"""


@pytest.mark.usefixtures("isolated")
def test_a_class_is_judged_by_what_it_does():
    given = ClassFromSpecification(
        built=Built("cache", (2, 1), ()), title="Crate", calls=12, seed=5
    )
    assert given.verify(LRU).value == 1
    assert given.audit(LRU)
    first_out = LRU.replace("self.rows.append(row)", "self.rows.insert(0, row)")
    assert 0 <= given.verify(first_out).value < 0.5
    assert given.verify(LRU.replace("return gone", "return key")).value == 0
    assert given.verify("class Crate:\n    put = get = lambda *given: None").value == 0
    assert given.verify(LRU + "\n\ndef perform(calls):\n    return []").value == 1
    for answer in ("", LRU.replace("Crate", "Box"), LRU.replace("get", "fetch"), "class Crate"):
        with pytest.raises(Unreadable):
            given.verify(answer)


# --------------------------------------------------------------------------------- translations

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


@pytest.mark.usefixtures("isolated")
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
    program = Drawn(f"def solve(k):\n{body}", ("k",))
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


@pytest.mark.usefixtures("isolated")
def test_divisions_mean_something_else_in_each_language():
    from_c = one_case("c", "python", "    print(tdiv(k, 4) * 10 + tmod(k, 4))")
    assert from_c.verify(
        READ.format("int(k / 4) * 10 + (abs(k) % 4) * (1 if k > 0 else -1)")
    ).correct
    naive = from_c.verify(READ.format("k // 4 * 10 + k % 4"))
    assert 0 <= naive.value < 0.5
    assert naive.parts["passed"] > 0, "it is right on plain inputs"
    to_c = one_case("python", "c", "    print(k // 4 * 10 + k % 4)")
    assert to_c.verify(READ_IN_C.format("(k >> 2) * 10 + (k & 3)")).correct
    assert 0 <= to_c.verify(READ_IN_C.format("k / 4 * 10 + k % 4")).value < 0.5


@pytest.mark.usefixtures("isolated")
def test_products_lose_digits_in_javascript():
    given = one_case("c", "javascript", "    print(mul32(wrap(k + 4000000000), 1103515245))")
    assert given.verify(READ_IN_JS.format("Math.imul(k + 4000000000, 1103515245) >>> 0")).correct
    product = "(((k + 4000000000) >>> 0) * 1103515245)"
    assert not given.verify(READ_IN_JS.format(f"{product} % 4294967296")).correct
    big = "BigInt((k + 4000000000) >>> 0) * 1103515245n % 4294967296n"
    assert given.verify(READ_IN_JS.format(f"String({big})")).correct


@pytest.mark.usefixtures("isolated")
def test_only_the_wanted_language_will_do():
    given = one_case("python", "c", "    print(k + 1)")
    assert given.verify(READ_IN_C.format("k + 1")).correct
    assert given.verify(f"```c\n{READ_IN_C.format('k + 1')}\n```").correct
    broken_off = given.verify(READ_IN_C.format("k + 1")[:-3] + "}")
    assert (broken_off.value, broken_off.status) == (0, "scored")
    assert "compiled" in broken_off.reason
    for answer in (given.source(), READ.format("k + 1"), READ_IN_JS.format("k + 1"), "int k;", ""):
        with pytest.raises(Unreadable):
            given.verify(answer)


def test_a_language_that_is_not_there_is_no_fault_of_the_player(monkeypatch):
    class Bare:
        def judge_io(self, *given, **named):
            raise MissingTool("c needs gcc")

    monkeypatch.setattr(programs, "sandbox", Bare)
    with pytest.raises(Unscored, match="gcc"):
        one_case("python", "c", "    print(k + 1)").verify(READ_IN_C.format("k + 1"))
