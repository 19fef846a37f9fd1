"""Two evaluations compared: estimators against brute force, pairs, changes, the command."""

import dataclasses
import itertools
import json
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.trainers.evaluation.endpoints import KNIGHTS, attempt, command, manifest

from palaestra.address import Address
from palaestra.trainers.evaluation import Attempt, Evaluation
from palaestra.trainers.evaluation.attempts import ATTEMPTS, MANIFEST
from palaestra.trainers.evaluation.comparison import (
    Incomparable,
    bootstrap,
    compare,
    expected_distinct,
    figures,
    paired,
)
from palaestra.trainers.hints import with_rung

CLIQUE = "graphs/maximum_clique"


def evaluation(attempts, samples=2, **same):
    both = manifest(samples=samples, cells=[{"env": KNIGHTS, "answer_format": "tags"}])
    return Evaluation({**both, "same": {**both["same"], **same}}, tuple(attempts))


def tries(*rows):
    """Attempts at tasks, a row of scores each."""
    return [
        replaced(attempt(n), sample, score)
        for n, row in enumerate(rows)
        for sample, score in enumerate(row)
    ]


def replaced(one, sample, score):
    return dataclasses.replace(one, sample=sample, score=score, replies=("<answer>a</answer>",))


@given(st.lists(st.sampled_from([None, "a", "b", "c"]), min_size=1, max_size=6), st.data())
def test_distinct_answers_are_those_of_all_choices(answers, data):
    k = data.draw(st.integers(1, len(answers)))
    choices = [len({*choice} - {None}) for choice in itertools.combinations(answers, k)]
    counts = [answers.count(each) for each in {*answers} - {None}]
    assert expected_distinct(counts, len(answers), k) == pytest.approx(fmean(choices))


ROWS = st.lists(
    st.lists(st.sampled_from([0.0, 1.0, 0.5]), min_size=3, max_size=3), min_size=1, max_size=6
)


@given(ROWS, st.data())
def test_pass_at_k_and_coverage_are_those_of_all_choices(first, data):
    second = data.draw(
        st.lists(
            st.lists(st.sampled_from([0.0, 1.0]), min_size=3, max_size=3),
            min_size=len(first), max_size=len(first),
        )
    )  # fmt: skip
    pairs, unpaired = paired(tries(*first), tries(*second))
    result = figures(pairs)
    assert unpaired == (0, 0)
    for k in (1, 2, 3):
        for name, rows in (("first", first), ("second", second)):
            brute = fmean(
                fmean(float(1.0 in choice) for choice in itertools.combinations(row, k))
                for row in rows
            )
            assert result["pass_at_k"][str(k)][name] == pytest.approx(brute, abs=1e-6)
    solved = [[1.0 in row for row in rows] for rows in (first, second)]
    assert result["coverage"]["first"] == pytest.approx(fmean(solved[0]), abs=1e-6)
    held = result["support"]
    gained = sum(two and not one for one, two in zip(*solved))
    lost = sum(one and not two for one, two in zip(*solved))
    assert (held["gained"]["tasks"], held["lost"]["tasks"]) == (gained, lost)
    assert held["both"] + held["neither"] + gained + lost == len(first)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=8))
def test_an_interval_lies_within_the_values_and_is_the_same_each_time(values):
    low, high = bootstrap(values, resamples=50)
    assert min(values) - 1e-6 <= low <= high <= max(values) + 1e-6
    assert bootstrap(values, resamples=50) == (low, high)


def test_an_interval_is_that_of_the_binomial_distribution():
    """Of 100 values, half of them 1, the mean has a standard deviation of 5 %."""
    low, high = bootstrap([0.0, 1.0] * 50)
    assert low == pytest.approx(0.402, abs=0.02)
    assert high == pytest.approx(0.598, abs=0.02)


def test_answers_that_say_the_same_are_one():
    address = Address.of(CLIQUE, 1, 3, "eval")
    right = address.task().answer()
    turned = ", ".join(reversed(right.split(", ")))
    assert turned != right
    attempts = [
        Attempt(
            str(address), CLIQUE, 1, "level 1", n, "p", 1.0, "scored",
            replies=(f"<answer>{text}</answer>",),
        )
        for n, text in enumerate((right, turned, f"{{{right}}}"))
    ]  # fmt: skip
    pairs, _ = paired(attempts, attempts)
    assert figures(pairs)["distinct"]["first"] == 1


def test_combinators_are_paired_with_their_tasks_and_shown():
    first = tries([0.0, 0.0], [1.0, 0.0])
    second = [
        dataclasses.replace(
            each, env=f"{KNIGHTS}+hint(1)", score=1.0, problem="other",
            address=str(with_rung(Address.parse(each.address), 1)),
        )
        for each in first
    ]  # fmt: skip
    one, other = evaluation(first, system=""), evaluation(second, system="Think.")
    other.manifest["cells"][0]["env"] += "+hint(1)"
    result = compare(one, other)
    assert result["tasks"] == 2
    assert result["differences"] == {"system": ["", "Think."], "combinators": [[], ["hint(1)"]]}
    assert result["overall"]["support"]["gained"]["tasks"] == 1
    assert result["overall"]["pass_at_k"]["1"]["difference"]["value"] == 0.75


def test_changed_environments_are_refused_by_name():
    attempts = tries([1.0])
    one = evaluation(attempts, fingerprints={KNIGHTS: "a", "games/mastermind": "x"})
    other = evaluation(attempts, fingerprints={KNIGHTS: "b", "games/mastermind": "x"})
    with pytest.raises(Incomparable, match="logic/knights_and_knaves"):
        compare(one, other)
    assert compare(one, other, allow_changed=True)["changed"] == [KNIGHTS]


def test_evaluations_without_a_common_task_are_refused():
    with pytest.raises(Incomparable, match="no task"):
        compare(evaluation(tries([1.0])), evaluation([]))
    unscored = [replaced(attempt(0), 0, None)]
    with pytest.raises(Incomparable, match="no task"):
        compare(evaluation(tries([1.0])), evaluation(unscored))


def test_the_command_prints_a_table_or_json(tmp_path, capsys):
    for name, rows in (("a", [[0.0, 1.0], [0.0, 0.0]]), ("b", [[1.0, 1.0], [1.0, 0.0]])):
        folder = tmp_path / name
        folder.mkdir()
        (folder / ATTEMPTS).write_text("".join(each.line() for each in tries(*rows)))
        held = evaluation((), model=f"model {name}").manifest
        (folder / MANIFEST).write_text(json.dumps(held))
    folders = [str(tmp_path / "a"), str(tmp_path / "b")]
    assert command("eval", "compare", *folders) == 0
    shown = capsys.readouterr().out
    assert "model b compared with model a" in shown
    assert "| pass@1 | 2 | 25.0 % | 75.0 % | +50.0" in shown
    assert "| support gained | 1 |" in shown
    assert command("eval", "compare", *folders, "--json") == 0
    result = json.loads(capsys.readouterr().out)
    assert result["overall"]["coverage"]["second"] == 1
    assert result["differences"]["model"] == ["model a", "model b"]
    assert command("eval", "compare", folders[0], str(tmp_path)) == 2
    assert "holds no evaluation" in capsys.readouterr().err
    assert command("eval", "compare", "--help") == 0
