"""The bench for answer verifiers: its cases, how it runs candidates, and what it tells of them."""

import json
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from types import SimpleNamespace

import pytest

from palaestra.cli import main
from palaestra.verifier_bench import (
    CANDIDATES,
    HOME,
    Candidate,
    Case,
    NothingMeasured,
    Report,
    Ruling,
    candidate,
    compared,
    load_cases,
    markdown,
    measure,
    mistakes,
    tables,
)
from palaestra.verifier_bench.candidates import Named, Verl, exact, judge_of
from palaestra.verifier_bench.running import _ruled, elsewhere

ROOT = Path(__file__).parents[2]
MAKE = ROOT / "tests" / "data" / "answers" / "make.py"
CASES = load_cases()

GRADERS = """
import os, sys, time

calls = 0

def knows(gold, reply):
    print("nobody reads this")
    print("nor this", file=sys.stderr)
    return gold in reply

def raises(gold, reply):
    raise RecursionError("too deep")

def sleeps(gold, reply):
    if gold == "hang":
        time.sleep(60)
    return True

def leaves(gold, reply):
    if gold == "leave":
        os._exit(3)
    return True

def toils(gold, reply):
    start = time.process_time()
    while time.process_time() - start < (0.08 if gold == "toil" else 0):
        pass
    return True

def swells(gold, reply):
    return len("x" * (8 << 30)) > 0 if gold == "swell" else True

def wakes_in_the_main_thread(gold, reply):
    import signal
    signal.signal(signal.SIGALRM, lambda *_: None)
    return True
"""


@pytest.fixture
def graders(tmp_path, monkeypatch):
    """Candidates in a module that lies beside nothing else."""
    (tmp_path / "graders_of_a_test.py").write_text(GRADERS)
    monkeypatch.syspath_prepend(tmp_path)
    return lambda name: candidate(f"graders_of_a_test:{name}")


def case(gold="1", text="1", correct=True, number=[0], **more):  # noqa: B006  # it counts
    number[0] += 1
    return Case(f"case-{number[0]}", more.pop("group", "made"), "same", gold, text, correct, **more)


def rulings(report):
    return [(ruling.correct, ruling.hung, ruling.error) for ruling in report.rulings]


# The cases


def test_there_are_enough_cases_of_every_kind():
    assert len(CASES) >= 1200
    assert len({case.id for case in CASES}) == len(CASES)
    assert {case.kind for case in CASES} == {"same", "judge"}
    assert sum(file.stat().st_size for file in HOME.glob("*.jsonl")) < 1_500_000
    rules = {case.rule for case in CASES}
    numbers = {*range(1, 27)}
    assert {f"R{number}" for number in numbers} <= rules


def test_no_constant_verdict_wins():
    share = sum(case.correct for case in CASES) / len(CASES)
    assert 0.35 < share < 0.65
    labels = defaultdict(Counter)
    for each in CASES:
        labels[each.group][each.correct] += 1
    only_wrong = {group for group, count in labels.items() if not count[True]}
    assert only_wrong == {
        *("code", "code in a reply", "denied answers", "empty boxes", "hedges", "hedges in a box"),
        *("injection", "monsters", "negations", "no anchor", "refusals", "unclosed boxes"),
    }
    values = {each.group for each in CASES if each.kind == "same"} - only_wrong - {"policies"}
    assert len(values) >= 30
    assert all(sum(labels[group].values()) >= 25 for group in values)
    assert all(labels[group][False] for group in values)


def test_no_case_contradicts_another():
    verdicts = defaultdict(set)
    for each in CASES:
        verdicts[each.kind, each.gold, each.text, str(each.policy)].add(each.correct)
    assert all(len(labels) == 1 for labels in verdicts.values())


def test_the_cases_are_made_anew_to_the_byte(tmp_path):
    anyhow = {**os.environ, "PYTHONHASHSEED": "random"}
    subprocess.run([sys.executable, MAKE, tmp_path], env=anyhow, check=True)
    made = {file.name: file.read_bytes() for file in tmp_path.glob("*.jsonl")}
    assert made == {file.name: file.read_bytes() for file in HOME.glob("*.jsonl")}


def test_another_seed_gives_other_cases(tmp_path):
    subprocess.run([sys.executable, MAKE, tmp_path, "another"], check=True)
    fresh = load_cases(tmp_path)
    assert {each.group for each in fresh} == {each.group for each in CASES}
    known = {(each.gold, each.text) for each in CASES}
    assert sum((each.gold, each.text) not in known for each in fresh) > 500


def test_the_linked_files_are_those_of_the_package():
    for file in HOME.glob("*.jsonl"):
        assert (MAKE.parent / file.name).read_bytes() == file.read_bytes()


def test_recipes_are_small_and_their_texts_large():
    longest = max(CASES, key=lambda each: len(each.text))
    assert len(longest.text) >= 900_000
    assert len(json.dumps(longest.recipe)) < 300


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 1 is not a case"),
        ('{"id": "a"}', "'kind'"),
        (json.dumps({"id": "a", "kind": "other", "correct": True}), "same or judge"),
        (json.dumps({"id": "a", "kind": "same", "correct": 1}), "true or false"),
        (json.dumps({"id": "a", "kind": "same", "correct": True, "colour": 1}), "colour"),
        ("", "no cases"),
    ],
)
def test_what_is_no_case_is_told(tmp_path, line, message):
    (tmp_path / "some.jsonl").write_text(line)
    with pytest.raises(ValueError, match=message):
        load_cases(tmp_path)


# Running


def test_a_candidate_is_judged_case_by_case(graders):
    report = measure(
        graders("knows"),
        [case("1", "1"), case("1", "2"), case("2", "2", False), case("2", "3", False)],
    )
    total = report.total
    assert (total.tp, total.fn, total.fp, total.tn) == (1, 1, 1, 1)
    assert total.accuracy == 0.5
    assert report.rate() > 0


def test_what_raises_or_leaves_is_a_crash_and_the_next_case_is_judged(graders):
    report = measure(graders("raises"), [case()])
    assert rulings(report) == [(None, False, "RecursionError: too deep")]
    report = measure(graders("leaves"), [case("leave"), case()])
    assert rulings(report) == [(None, False, "the process ended"), (True, False, "")]
    assert report.total.crashes == 1


def test_what_hangs_is_killed_and_the_next_case_is_judged(graders):
    report = measure(graders("sleeps"), [case("hang"), case()], patience=0.5)
    assert rulings(report) == [(None, True, "no verdict within 0.5 seconds"), (True, False, "")]
    assert report.total.hangs == 1
    assert len(report.settled) == 1


def test_what_takes_long_is_counted_as_slow(graders):
    report = measure(graders("toils"), [case("toil"), case()])
    assert report.total.slow == 1
    assert report.percentile(0.99) > 0.05
    assert "of CPU time" in next(mistakes([report]))


@pytest.mark.skipif(sys.platform != "linux", reason="the system does not limit it")
def test_what_wants_all_memory_gets_none(graders):
    report = measure(graders("swells"), [case("swell"), case()])
    assert rulings(report) == [(None, False, "MemoryError: "), (True, False, "")]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_time_limits_by_signals_work(graders):
    assert measure(graders("wakes_in_the_main_thread"), [case()]).total.tp == 1


@pytest.mark.skipif(sys.platform != "linux", reason="the system does not tell")
def test_the_time_of_processes_that_it_starts_is_counted():
    before = elsewhere()
    work = "import time\nwhile time.process_time() < 0.2: pass"
    subprocess.run([sys.executable, "-c", work], check=True)
    assert elsewhere() - before >= 0.15


@pytest.mark.parametrize("name", ["no_such_module_at_all:f", "json:no_such_function"])
def test_what_is_not_installed_is_told(name):
    report = measure(candidate(name), [case()])
    assert report.absent.startswith("not installed: ")
    for figure in ("total", "classes"):
        with pytest.raises(NothingMeasured, match="not installed: "):
            getattr(report, figure)
    with pytest.raises(NothingMeasured, match="not installed: "):
        report.rate()
    assert not report.rulings
    assert compared([report]) == [{"candidate": name, "absent": report.absent}]
    assert "| not installed |" in markdown([report])


def test_a_name_is_known_or_has_a_colon():
    with pytest.raises(ValueError, match="math-verify"):
        candidate("mathverify")
    assert all(candidate(name).name == name for name in CANDIDATES)


def test_a_policy_is_put_only_to_those_who_know_policies(graders):
    strict = case(policy={"units": "required"})
    assert not graders("knows").takes(strict)
    assert CANDIDATES["palaestra"].takes(strict)
    (ruling,) = measure(graders("knows"), [strict, case()]).rulings
    assert not ruling.case.policy


# The graders it knows


def test_a_bare_answer_is_shown_in_the_form_that_the_grader_asks_for():
    seen = []
    judge = judge_of(lambda gold, reply: seen.append((gold, reply)), "#### %s")
    judge(case("g", "50%s"))
    judge(Case("1", "made", "judge", ("g", "h"), "a reply", correct=True))
    assert seen == [("g", "#### 50%s"), ("g", "a reply"), ("h", "a reply")]
    assert exact("4", "\\boxed{4}")


@pytest.mark.parametrize(
    ("given", "right"),
    [
        (1.0, True), (0.0, False), (True, True), ((True, "x"), True), ((False, "x"), False),
        ({"score": 1.0, "acc": True}, True), ({"score": -1.0, "acc": False}, False),
        ({"score": 1.0}, True), (-1.0, False),
    ],
)  # fmt: skip
def test_the_graders_of_verl_give_scores_in_several_forms(given, right, monkeypatch):
    name = "verl.utils.reward_score.some"
    fake = SimpleNamespace(compute_score=lambda reply, gold: given)
    for module in ("verl", "verl.utils", "verl.utils.reward_score"):
        monkeypatch.setitem(sys.modules, module, SimpleNamespace())
    monkeypatch.setitem(sys.modules, name, fake)
    assert Verl("some")()(case()) == (right, "")


def test_the_reward_of_trl_is_called_with_messages(monkeypatch):
    calls = []

    def accuracy_reward(completions, solution):
        calls.append((completions, solution))
        return [None]

    monkeypatch.setitem(sys.modules, "trl", SimpleNamespace())
    monkeypatch.setitem(
        sys.modules, "trl.rewards", SimpleNamespace(accuracy_reward=accuracy_reward)
    )
    assert CANDIDATES["trl-accuracy"].load()(case("1", "2")) == (False, "")
    assert calls == [([[{"role": "assistant", "content": "\\boxed{2}"}]], ["\\boxed{1}"])]


def test_math_verify_is_judged():
    pytest.importorskip("math_verify")
    judge = CANDIDATES["math-verify"].load()
    assert judge(case("\\frac{1}{2}", "0.5")) == (True, "")
    assert judge(case("\\frac{1}{2}", "0.6")) == (False, "")


def test_our_own_reader_is_judged_by_the_same_cases():
    """Its own tests hold it to all of them; here it is a candidate like others."""
    report = measure(CANDIDATES["palaestra"], CASES[::5])
    assert not report.absent
    assert not report.total.crashes + report.total.hangs, list(mistakes([report]))
    assert report.total.accuracy > 0.99, list(mistakes([report]))


# What it tells


def ruled(correct, cpu=0.001, group="made", due=True, **more):
    judged = case(correct=due, group=group, status=more.pop("due_status", None))
    return Ruling(judged, correct, more.pop("status", ""), "", cpu, cpu, **more)


def test_figures_of_several_candidates_stand_beside_each_other():
    first = ruled(True), ruled(False, group="other", due=False)
    ours = Report("palaestra", first)
    theirs = Report(
        "math-verify",
        tuple(Ruling(r.case, True, "", "", 0.01, 0.01) for r in first),
    )
    row, other = compared([ours, theirs])
    assert row["per_cpu_second"] == pytest.approx(1000)
    assert row["ratio"] == pytest.approx(10)
    assert (row["fp"], other["fp"]) == (0, 1)
    assert row["classes"]["other"]["tn"] == 1
    (heads, rows), (classes, lines) = tables([ours, theirs])
    assert rows[0][:3] == ["palaestra", "2", "100.0%"]
    assert len(rows[0]) == len(heads)
    assert classes == ["class", "cases", "palaestra", "math-verify"]
    assert lines == [["made", "1", "0 / 0", "0 / 0"], ["other", "1", "0 / 0", "1 / 0"]]
    assert markdown([ours, theirs]).count("| made | 1 | 0 / 0 | 0 / 0 |") == 1


def test_rates_are_over_the_pairs_that_all_settled():
    one, two = ruled(True, 0.001), ruled(True, 0.1)
    hung = Ruling(two.case, None, "", "no verdict", 0.0, 10.0, hung=True)
    ours, theirs = compared([Report("a", (one, two)), Report("math-verify", (one, hung))])
    assert ours["per_cpu_second"] == pytest.approx(theirs["per_cpu_second"])
    assert tables([Report("b", (one, hung))])[1][1] == [["made", "2", "0 / 0 / 1"]]


def test_a_verdict_by_another_way_is_astray():
    report = Report("a", (ruled(False, due=False, due_status="limit", status="scored"),))
    assert (report.total.tn, report.total.astray) == (1, 1)
    (line,) = mistakes([report])
    assert "wrong scored, not wrong limit" in line


def test_long_texts_are_told_in_short():
    report = Report("a", (Ruling(case("1", "9" * 999), False, "", "", 0.0, 0.0),))
    (line,) = mistakes([report])
    assert len(line) < 400


def test_an_error_is_told_with_its_name():
    correct, _, error, spent = _ruled(judge_of(lambda *_: 1 / 0), case())
    assert (correct, error) == (None, "ZeroDivisionError: division by zero")
    assert spent >= 0


# The command


@pytest.fixture
def some(tmp_path):
    rows = [
        {"id": "a", "class": "numbers", "kind": "same", "gold": "1", "text": "1", "correct": True},
        {"id": "b", "class": "numbers", "kind": "same", "gold": "1", "text": "2", "correct": True},
    ]
    (tmp_path / "some.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return str(tmp_path)


EXACT = "palaestra.verifier_bench.candidates:exact"


def run(*argv, bench=("bench", "verifiers")):
    try:
        main([*bench, *argv])
    except SystemExit as end:
        return end.code or 0
    return 0


def test_the_command_prints_a_table(some, capsys):
    assert run("--candidate", EXACT, "--cases", some) == 0
    out = capsys.readouterr().out
    assert "50.0%" in out
    assert re.search(r"numbers\W+2\W+0 / 1", out)


def test_the_command_prints_json_markdown_and_mistakes(some, capsys):
    assert run("-c", EXACT, "-c", "no_such:f", "--cases", some, "--json") == 2
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["tp"], first["fn"]) == (1, 1)
    assert "not installed" in second["absent"]
    assert run("-c", EXACT, "--cases", some, "--markdown", "--wrong") == 0
    out = capsys.readouterr().out
    assert "| numbers | 2 | 0 / 1 |" in out
    assert f"{EXACT} b" in out


def test_the_command_tells_mistakes_in_a_line(tmp_path, capsys):
    assert run("-c", EXACT, "--cases", str(tmp_path)) == 2
    assert "no cases" in capsys.readouterr().err
    assert run("-c", "nothing") == 2
    assert "module:function" in capsys.readouterr().err


def test_the_other_bench_needs_no_name(capsys):
    for bench in (["bench"], ["bench", "draws"]):
        assert run("logic/knights_and_knaves", "--seconds", "0.01", "--json", bench=bench) == 0
        assert json.loads(capsys.readouterr().out)["draws"] > 0
    assert run("--help", bench=["bench"]) == 0
    assert "verifiers" in capsys.readouterr().out


def test_a_candidate_can_be_sent_to_a_process():
    import pickle

    for known in (*CANDIDATES.values(), Candidate("mine", Named("a:b"))):
        assert pickle.loads(pickle.dumps(known)) == known


def test_no_cases_are_no_measurement():
    with pytest.raises(NothingMeasured, match="no case"):
        measure(candidate(EXACT), [])
    with_policy = [case(policy={"tolerance": 0.1})]
    with pytest.raises(NothingMeasured, match="no case"):
        measure(candidate(EXACT), with_policy)


SCRIPT = """
from palaestra.verifier_bench import candidate, load_cases, measure

report = measure(candidate("palaestra.verifier_bench.candidates:exact"), load_cases()[:3])
print(report.total)
assert not report.total.fp
print("nothing is wrong")
"""


def test_a_script_without_a_main_guard_measures_nothing_and_says_so(tmp_path):
    """The process of the candidate imports the script again, and may not start another one."""
    file = tmp_path / "script.py"
    file.write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, str(file)], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert "NothingMeasured" in done.stderr
    assert "if __name__ == '__main__':" in done.stderr


def test_a_candidate_that_fails_to_load_is_reported_with_its_error(tmp_path, monkeypatch):
    (tmp_path / "broken_grader.py").write_text("1 / 0\n")
    monkeypatch.chdir(tmp_path)
    report = measure(candidate("broken_grader:check"), [case()])
    assert report.absent == "it fails to load: ZeroDivisionError: division by zero"


def test_the_command_names_graders_that_it_could_not_measure(some, capsys):
    assert run("-c", EXACT, "-c", "nosuch:x", "--cases", some) == 2
    listed = capsys.readouterr()
    assert "exact" in listed.out
    assert "nosuch:x: not installed: No module named 'nosuch'" in " ".join(listed.err.split())
