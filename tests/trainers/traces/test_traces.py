"""Traces: their answers score 1, every line of them is checked, and what is wrong is refused."""

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra import Address, load, names, score
from palaestra.cli import main
from palaestra.trainers.generation.rows import solution_of
from palaestra.trainers.traces import Trace, has_traces, require, trace_of, violation_of

COUNTDOWN, SUDOKU = "arithmetic/countdown", "grids/sudoku"
SHORTEST, HANOI = "graphs/shortest_path", "planning/tower_of_hanoi"
TRACED = [name for name in names() if has_traces(load(name))]


def traces(name, level=0, seeds=range(4)):
    """Tasks with their traces."""
    for seed in seeds:
        task = Address.of(name, seed, level).task()
        if (trace := trace_of(task)) is not None:
            yield task, trace


def test_the_families_that_have_traces():
    assert {COUNTDOWN, SUDOKU, SHORTEST, HANOI} <= {*TRACED}
    assert sum(name.startswith("planning/") for name in TRACED) >= 20
    assert violation_of(Address.of("logic/knights_and_knaves").task(), Trace((), "")) != ""
    with pytest.raises(ValueError, match="traces are of arithmetic/countdown"):
        require([load("logic/knights_and_knaves")])


@pytest.mark.parametrize("name", TRACED)
def test_a_trace_leads_to_a_right_answer(name):
    traced = [each for level in (0, 1) for each in traces(name, level)]
    assert traced, "no task of the lowest levels has a trace"
    for task, trace in traced:
        assert task.verify(trace.answer).value == 1
        assert violation_of(task, trace) == ""


@pytest.mark.parametrize("name", TRACED)
def test_a_trace_that_is_altered_is_refused(name):
    """A line left out, repeated, exchanged or with another digit is no trace any more."""
    rng, wrong, tried = Random(1), 0, 0
    for task, trace in traces(name, 1, range(3)):
        lines = list(trace.lines)
        for _ in range(30):
            n = rng.randrange(len(lines))
            others = [
                lines[:n] + lines[n + 1 :],
                [*lines[:n], lines[n], *lines[n:]],
                [*lines[:n], _other_digit(lines[n], rng), *lines[n + 1 :]],
            ]
            for other in others:
                if other != lines:
                    tried += 1
                    wrong += violation_of(task, Trace(tuple(other), trace.answer)) != ""
    if tried:  # some are right: dead ends of a plan may be left out, for instance
        assert wrong / tried > 0.8


def _other_digit(line, rng):
    digits = [n for n, sign in enumerate(line) if sign.isdigit()]
    if not digits:
        return line
    n = rng.choice(digits)
    return line[:n] + str((int(line[n]) + 1) % 10) + line[n + 1 :]


@pytest.mark.parametrize("name", [COUNTDOWN, SUDOKU, SHORTEST, HANOI])
@given(lines=st.lists(st.text(max_size=40), max_size=4), n=st.integers(0, 3))
def test_any_text_is_refused_and_nothing_breaks(name, lines, n):
    task = Address.of(name, 0, 0).task()
    trace = trace_of(task)
    assert violation_of(task, Trace((*trace.lines[:n], *lines), trace.answer)) != ""


def test_another_answer_is_refused():
    for name in (COUNTDOWN, SUDOKU, SHORTEST, HANOI):
        for task, trace in traces(name, 0, range(1)):
            assert violation_of(task, trace._replace(answer="1")) == (
                "the answer is not that of the trace"
            )


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("99 + 1 = 100, left: 100", "99 is not among the numbers"),
        ("1/0 + 1 = 100, left: 100", "a denominator is 0"),
        ("1e999999999 + 1 = 2, left: 3", "no step of the search"),
        (f"{'9' * 5_000} + 1 = 2, left: 3", "no step of the search"),
        ("nothing left to try, back to: 1 2", "not the numbers before"),
    ],
)
def test_odd_operations(line, reason):
    task = Address.of(COUNTDOWN, 0, 1).task()
    first, second, *_ = trace_of(task).lines
    assert reason in violation_of(task, Trace((first, line, second), ""))


def test_distances_of_any_length_are_refused():
    task = Address.of(SHORTEST, 0, 1).task()
    first, *rest = trace_of(task).lines
    line = first.replace(" at 0:", f" at {'0' * 5_000}:")
    assert "visits no node" in violation_of(task, Trace((line, *rest), ""))
    name = task.graph.names[0]
    odd = f"visit {name} at {'9' * 5_000}: nothing is nearer"
    assert "visits no node" in violation_of(task, Trace((odd, *rest), ""))


def test_a_trace_that_is_too_long_is_none():
    task = Address.of(SUDOKU, 0, 5).task()
    length = len(trace_of(task).text)
    assert trace_of(task, longest=length // 2) is None
    assert trace_of(task, longest=2 * length) is not None


def test_a_supposition_is_taken_back_where_it_contradicts():
    """Singles are not enough at the higher levels."""
    lines = [line for _, trace in traces(SUDOKU, 6, range(8)) for line in trace.lines]
    assert any(line.startswith("suppose") for line in lines)
    assert any(", so r" in line for line in lines)


# ------------------------------------------------------------------ data sets


def test_a_reply_with_a_trace_scores_1():
    for name in (COUNTDOWN, SUDOKU, SHORTEST, HANOI):
        for answer_format in ("tags", "boxed"):
            address = Address.of(name, 3, 0)
            record = solution_of(address, answer_format, "traces")
            assert record["trace"]
            assert score(address, record["replies"], answer_format=answer_format).value == 1
    plain = solution_of(Address.of("games/mastermind"), "tags", "traces")
    assert plain["trace"] is False
    assert score(plain["address"], plain["replies"]).value == 1


def test_an_export_has_traces_in_a_file_of_their_own(tmp_path, capsys):
    rows = tmp_path / "tasks.jsonl"
    with pytest.raises(SystemExit) as end:
        main(["export", COUNTDOWN, "-n", "5", "--solutions", "traces", "-o", str(rows)])
    assert end.value.code == 0
    written = (tmp_path / "tasks.solutions.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in written]
    assert len(records) == len(rows.read_text().splitlines()) == 5
    assert "5 of 5 tasks have a trace" in capsys.readouterr().err
    for record, line in zip(records, rows.read_text().splitlines()):
        assert record["address"] in line
        assert record["replies"][0] not in line


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([COUNTDOWN, "--solutions", "traces"], "requires --out"),
        (["strings/spell_backwards", "--solutions", "traces", "-o", "x"], "traces are of"),
        ([COUNTDOWN, "--solutions", "answers", "--format", "hub", "-o", "x"], "requires --out"),
    ],
)
def test_solutions_that_there_are_not(tmp_path, monkeypatch, capsys, words, reason):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(["export", *words])
    assert end.value.code == 2
    assert reason in " ".join(capsys.readouterr().err.split())
    assert not [*tmp_path.iterdir()]
