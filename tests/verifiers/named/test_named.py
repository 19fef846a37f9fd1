"""Named verifiers: what is registered, how golds and options are read, and what they cannot do."""

import importlib
import json
import pkgutil
from inspect import isabstract

import jsonschema
import pytest

import palaestra.verifiers
from palaestra.testing.verifiers import check_verifier
from palaestra.verifiers.named import (
    GOLD_CHARACTERS,
    BadField,
    UnknownVerifier,
    built,
    entry_of,
    registry,
    requirements,
)
from palaestra.verifiers.named.lists import GridOf
from palaestra.verifiers.named.proofs import constraints
from palaestra.verifiers.verifier import GoldError, Verifier

ENTRIES = registry()
SANDBOXED = {"program_output", "program_calls", "program_asserts"}
TRIANGLE = {"nodes": ["A", "B", "C"], "edges": [["A", "B", 1], ["B", "C", 1], ["C", "A", 5]]}


def of(name, gold, **options):
    return built(name, json.dumps(gold), json.dumps(options))


def fault_of(name, gold, **options):
    with pytest.raises(BadField) as caught:
        of(name, gold, **options)
    return caught.value.pointer, str(caught.value)


# ------------------------------------------------------------------ what there is


@pytest.mark.parametrize("name", sorted(ENTRIES.keys() - SANDBOXED))
def test_each_accepts_its_example_and_nothing_that_is_no_answer(name):
    gold, reply, options = ENTRIES[name].example
    judge = of(name, gold, **options)
    assert judge(reply).correct, judge(reply).reason
    if name not in {"repetition", "length"}:  # of which few words have the best
        score = judge("I do not know, sorry !!")
        assert (score.correct, bool(score.reason)) == (False, True)


@pytest.mark.parametrize("name", sorted(SANDBOXED))
@pytest.mark.slow
def test_programs_are_judged_in_the_sandbox(name):
    gold, reply, options = ENTRIES[name].example
    judge = of(name, gold, **options)
    assert judge(f"Like this:\n```python\n{reply}\n```\n").correct
    wrong = judge("def double(x): return x\ndef add(a, b): return a\nprint(7)")
    assert (wrong.value, wrong.reason) == (0, "the answer is wrong on test 1 of 1")
    assert judge("def double(x:").reason.endswith("test 1 of 1")
    assert judge("```\n1\n```\n```\n2\n```").status == "malformed"
    assert judge("```\n\n```").status == "no_answer"


@pytest.mark.parametrize("name", sorted(ENTRIES))
def test_each_is_described_by_schemas_that_its_example_fits(name):
    row = json.loads(json.dumps(ENTRIES[name].described()))
    jsonschema.Draft202012Validator.check_schema(row["gold"])
    jsonschema.validate(row["example"]["gold"], row["gold"])
    jsonschema.validate(row["example"]["options"], row["options"])
    assert row["options"]["additionalProperties"] is False
    assert row["judges"]
    assert ENTRIES[name].options.__doc__
    for option, schema in row["options"].get("properties", {}).items():
        assert "default" in schema, f"{option} has no default"


UNNAMED = {
    "Equivalent", "Rubric",  # they ask a model, whose address is not for clients to choose
    "Holds", "JsonModel", "Majority", "StepScores",  # they are made of functions and types
    "GridOf",  # which is `grid`
}  # fmt: skip
"""Verifiers that have no name."""


def test_every_public_verifier_has_a_name():
    used = set()
    for entry in ENTRIES.values():
        gold, _, options = entry.example
        judge = of(entry.name, gold, **options)
        used |= {type(judge).__name__, type(getattr(judge, "answer", None)).__name__}
    everything = set()
    for module in pkgutil.walk_packages(palaestra.verifiers.__path__, "palaestra.verifiers."):
        members = vars(importlib.import_module(module.name)).values()
        types = [each for each in members if isinstance(each, type) and issubclass(each, Verifier)]
        everything |= {each.__name__ for each in types if not isabstract(each)}
    public = {name for name in everything if not name.startswith("_")}
    assert public - used - UNNAMED == set()


def test_a_name_that_there_is_not_is_refused_with_similar_ones():
    with pytest.raises(UnknownVerifier, match="'quantty'; did you mean quantity"):
        entry_of("quantty")
    with pytest.raises(UnknownVerifier, match=r"no verifier 'xxxxxxx'$"):
        built("xxxxxxx", "1")


# ------------------------------------------------------------------ golds and options


@pytest.mark.parametrize(
    ("name", "gold", "options", "pointer", "reason"),
    [
        ("quantity", "90 km/h", {"relative": 2}, "/options/relative", "less than 1"),
        ("quantity", "90 km/h", {"relativ": 0.1}, "/options/relativ", "not permitted"),
        ("quantity", "90 parsnips per hat", {"digits": "3"}, "/options/digits", "valid integer"),
        ("quantity", "", {}, "/gold", "cannot be read"),
        ("number", True, {}, "/gold", "string, or Input should be a valid number"),
        ("exact", 5, {}, "/gold", "valid string"),
        ("exact", ["a", 5], {}, "/gold/1", "valid string"),
        ("answer", "??", {}, "/gold", "'??' cannot be a gold"),
        ("answer", "1", {"form": "decimal(200)"}, "/options/form", "pattern"),
        ("choice", {"answer": "Z", "options": ["a", "b"]}, {}, "/gold", ""),
        ("path", {**TRIANGLE, "source": "A"}, {}, "/gold/target", "required"),
        ("path", {**TRIANGLE, "source": "A", "target": "Z"}, {}, "/gold", "no node 'Z'"),
        ("path", {**TRIANGLE, "source": "A", "target": "C"}, {"at_most": 0.5}, "/options/at_most",
         "valid integer"),
        ("hamiltonian", {**TRIANGLE, "edges": [["A", "B", "1/0"]]}, {}, "/gold/edges/0/2",
         "pattern"),
        ("knapsack", {"items": [[1, 2]], "capacity": 3}, {}, "/gold", "without a bound"),
        ("tool_calls", {"calls": [{"name": "x", "arguments": {"a": 1},
                                   "choices": {"a": {"one_of": [1]}}}]}, {},
         "/gold/calls/0/choices", "'a'"),
        ("json_schema", {"$ref": "http://localhost/x"}, {}, "/gold", "outside of itself"),
        ("pattern", "(?=x)", {}, "/gold", "RE2"),
        ("instructions", [{"kind": "no_commas"}, {"kind": "wrds"}], {}, "/gold/1", "no kind"),
        ("instructions", [{"kind": "no_commas", "values": {"kind": 1}}], {}, "/gold/0", "'kind'"),
        ("grid", [["a"], ["b", "c"]], {}, "/gold", "equally long"),
        ("grid", [["a", "A"]], {}, "/gold", "in their case alone"),
        ("grid", [["a b"]], {}, "/gold/0/0", "pattern"),
        ("set", ["x"], {"items": "integers"}, "/gold", "cannot be read"),
        ("sat_model", [[0]], {}, "/gold", "other than 0"),
        ("first_error", {"error": 5, "steps": 5}, {}, "/gold", "from -1 to 4"),
        ("length", 10, {"buffer": 20}, "/gold", "buffer"),
        ("format", ["a", "A"], {}, "/gold", "named once"),
        ("program_asserts", " ", {}, "/gold", "no tests"),
        ("program_calls", {"entry": "import os", "cases": [{"value": 1}]}, {}, "/gold/entry",
         "pattern"),
        ("program_output", [{"stdout": "x"}], {"limits": {"cpu_s": 1000}}, "/options/limits/cpu_s",
         "less than or equal to 30"),
        ("all", {"a/b": {"verifier": "numb", "gold": 1}}, {}, "/gold/a~1b/verifier", "number?"),
        ("all", {"a": {"verifier": "number", "gold": "x"}}, {}, "/gold/a/gold", "not a number"),
        ("gate", {"gate": {"verifier": "number", "gold": 1, "options": {"digits": 0}},
                  "inner": {"verifier": "number", "gold": 1}}, {},
         "/gold/gate/options/digits", "greater than"),
        ("sum", {"a": {"verifier": "number", "gold": 1}}, {"weights": {"b": 1}}, "/gold", ""),
        ("lexicographic", {str(n): {"verifier": "number", "gold": 1} for n in range(9)},
         {"steps": 10_000}, "/gold", "too fine"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(name, gold, options, pointer, reason):
    at, why = fault_of(name, gold, **options)
    assert at == pointer
    assert reason in why


def test_golds_are_bounded_in_size_and_depth():
    with pytest.raises(BadField, match=f"at most {GOLD_CHARACTERS} characters"):
        built("exact", json.dumps("x" * GOLD_CHARACTERS))
    for deep in ("[" * 5_000 + "]" * 5_000, '{"a":' * 900 + "1" + "}" * 900):
        with pytest.raises(BadField, match="recursion limit"):
            built("json_equal", deep)
    for text in ("1e999", "NaN", "[Infinity]", "{", "9" * 5_000):
        with pytest.raises(BadField):
            built("json_equal", text)


def test_integers_of_any_size_are_exact():
    assert of("json_equal", 10**30)(str(10**30)).correct
    assert not of("json_equal", 10**30 + 1)("1e30").correct


def test_verifiers_nest_a_few_levels_deep():
    gold = {"verifier": "number", "gold": 1}
    for _ in range(4):
        gold = {"verifier": "all", "gold": {"a": gold}}
    assert requirements("all", gold["gold"]) == {"worker"}
    assert of("all", gold["gold"])("1").correct
    with pytest.raises(BadField, match="at most 4 deep"):
        requirements("all", {"a": gold})


def test_what_is_inside_decides_where_a_verifier_runs():
    program = {"verifier": "program_asserts", "gold": "assert f() == 1"}
    form = {"verifier": "pattern", "gold": ".*"}
    assert requirements("number", 1) == {"worker"}
    assert requirements("program_asserts", "") == {"sandbox"}
    assert requirements("gate", {"gate": form, "inner": program}) == {"worker", "sandbox"}
    assert "sandbox" in requirements("citations", {"answer": program})
    for odd in (None, 1, [], {"a": None}, {"a": {"verifier": 1}}):
        assert requirements("all", odd) == {"worker"}
    with pytest.raises(UnknownVerifier):
        requirements("all", {"a": {"verifier": "numb"}})


# ------------------------------------------------------------------ what golds cannot do


def test_constraints_reach_no_files(tmp_path):
    declared = "(declare-const x Int)(assert (> x 0))"
    path = tmp_path / "out"
    for script in (
        f'(set-option :regular-output-channel "{path}"){declared}',
        f"(set-option :trace true){declared}",
        f"((include x)){declared}",
        f"{declared};\r(include x)",
        f"{declared};\n(include x)",
        f"|;|(include x)\n|{declared}",
        f"#|;|#(include x){declared}",
        f"{declared}(echo hi)",
        f"{declared})",
        f"{declared}(",
        f"() {declared}",
        f"x {declared}",
        "(declare-const x Int)(assert (= x |a\\|b|))",
    ):
        with pytest.raises(GoldError):
            constraints(script)
        assert fault_of("smt_model", script)[0] == fault_of("smt_valid", script)[0] == "/gold"
    assert not path.exists()
    assert constraints(f"; (include x)\n{declared} (check-sat)")


def test_databases_reach_no_files(tmp_path):
    path = tmp_path / "x.db"
    for script in (f"ATTACH '{path}' AS x", f"CREATE TABLE t (n INT); VACUUM INTO '{path}'",
                   f"PRAGMA temp_store_directory = '{tmp_path}'"):  # fmt: skip
        gold = {"query": "SELECT 1", "databases": [script, "CREATE TABLE u (n INT)"]}
        assert fault_of("sql_result", gold)[0] == "/gold"
    assert not path.exists()


def test_grammars_reach_no_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret.lark").write_text('X: "x"\n')
    for line in ("%import .secret.X", "%import secret.X", "%importsecret.X", "%import .secret (X)"):
        assert "from 'common'" in fault_of("grammar", f"{line}\nstart: X")[1]
    assert of("grammar", "%import common.INT -> N\n%import common (WS)\nstart: N")("12").correct


# ------------------------------------------------------------------ those that are new here


def test_grids():
    judge = GridOf((("1", "2", "3"), ("2", "3", "1")))
    check_verifier(
        judge,
        right=["1 2 3\n2 3 1", "123\n231", "1,2,3\n2,3,1", "```\n1 2 3\n2 3 1\n```"],
        wrong=["1 2 3\n2 3 3", "1 2 3", "1 2 3\n2 3 1\n1 2 3", "3 2 1\n1 3 2"],
    )
    part = GridOf((("1", "2"), ("2", "1")), partial=True)("1 2\n2 2")
    assert (part.value, part.reason) == (0.75, "the cell in row 2, column 2 is wrong")


def test_shapes():
    judge = of("format", ["think", "answer"], opened=True)
    assert judge("6 * 7</think><answer>42</answer>").correct
    assert not judge("<think>6 * 7</think><answer>42</answer>").correct
    assert of("repetition", 2)("a b a b").value == pytest.approx(2 / 3)
    assert of("repetition", 2, spare=0.5)("a b a b").value == 1
    assert of("repetition", 2)("").value == 1
    lengths = of("length", 10, buffer=4)
    assert [lengths("w " * n).value for n in (0, 6, 8, 10, 99)] == [1, 1, 0.5, 0, 0]
    for name, gold in (("format", ["a"]), ("repetition", 3), ("length", 100)):
        assert of(name, gold)("x" * (1 << 20) + "y").status == "limit"
