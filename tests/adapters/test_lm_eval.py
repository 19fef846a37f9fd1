"""lm-evaluation-harness runs our tasks, from its command and from Python."""

import json
import os
import subprocess
import sys

import pytest
import yaml

from palaestra.address import Address, StaleVersion
from palaestra.cli import main
from palaestra.episode import ANSWER_FORMATS
from palaestra.task import JudgeError
from palaestra.trainers import lm_eval as adapter
from palaestra.trainers.evaluation.oracle import Oracle, build, serving
from palaestra.trainers.rows import selected

PUZZLE, GAME = "logic/knights_and_knaves", "games/mastermind"
NAME = "palaestra_logic_knights_and_knaves_level1"

real = pytest.mark.package("lm_eval")


def exported(folder, *options, env=PUZZLE):
    with pytest.raises(SystemExit) as end:
        main(["export", env, *options, "--format", "lm-eval", "-o", str(folder)])
    return end.value.code


def settings_of(file):
    """The settings of a file of a task, with its functions as their names."""

    class Loader(yaml.SafeLoader):
        pass

    Loader.add_constructor("!function", lambda loader, node: loader.construct_scalar(node))
    return yaml.load(file.read_text(), Loader)


# ------------------------------------------------------------------ without the harness


def test_a_task_names_its_selection_and_holds_no_prompt(tmp_path, capsys):
    assert not exported(tmp_path, "-n", "4", "--level", "1", "--split", "eval", "--seed", "2")
    assert NAME in capsys.readouterr().out
    task = settings_of(tmp_path / f"{NAME}.yaml")
    address = Address.of(PUZZLE, 2, 1, "eval")
    tasks = task["dataset_kwargs"]["tasks"]
    assert str(next(selected(tasks))) == str(address)
    assert len(list(selected(tasks))) == 4
    assert (task["task"], task["output_type"]) == (NAME, "generate_until")
    first = adapter.rows(**task["dataset_kwargs"])[0]
    assert first["prompt"] == address.task().prompt() + "\n\n" + ANSWER_FORMATS["tags"].rule
    assert set(first) == {"prompt", "address", "env", "level", "answer_format"}


def test_names_tell_levels_splits_and_knobs_apart(tmp_path, capsys):
    assert not exported(tmp_path, "-n", "2", "--answer-format", "boxed")
    assert "tasks for training" in capsys.readouterr().err
    assert not exported(tmp_path, "-n", "2", "-k", "people=6", "--split", "eval")
    names = sorted(file.stem for file in tmp_path.iterdir())
    stem = "palaestra_logic_knights_and_knaves"
    assert names == [f"{stem}_custom", f"{stem}_level0_train"]
    marked = settings_of(tmp_path / f"{stem}_level0_train.yaml")["dataset_kwargs"]
    assert marked["answer_format"] == "boxed"
    for name in names:
        assert len(adapter.rows(**settings_of(tmp_path / f"{name}.yaml")["dataset_kwargs"])) == 2


def test_what_the_harness_cannot_ask_is_refused(tmp_path, capsys):
    assert exported(tmp_path, env=GAME)
    assert "several replies; use palaestra eval" in capsys.readouterr().err
    assert exported(tmp_path, "--trainer", "verl")
    assert "neither a --trainer nor images" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
    with pytest.raises(adapter.SeveralReplies):
        adapter.rows(f"{GAME}?seeds=0:1")
    with pytest.raises(ValueError, match="seeds count from 0"):
        adapter.task_yaml(Address.of(PUZZLE), range(3, 3))
    with pytest.raises(StaleVersion):
        adapter.rows(f"{PUZZLE}@1?people=3&depth=1&seeds=0:1")


def test_figures_of_a_reply(monkeypatch):
    (row,) = adapter.rows(f"{PUZZLE}?seeds=5:6", "boxed")
    (move,) = Address.parse(row["address"]).task().solve()
    right = {"score": 1.0, "correct": 1.0, "answered": 1.0, "unscored": 0.0}
    assert adapter.process_results(row, [f"\\boxed{{{move}}}"]) == right
    assert adapter.process_results(row, ["lol"]) == dict.fromkeys(right, 0.0)
    monkeypatch.setattr(adapter, "score_many", lambda items: [JudgeError("away")])
    assert adapter.process_results(row, ["lol"]) == {"unscored": 1.0}


# ------------------------------------------------------------------ with it


def ran(folder, *options):
    """The results of its command, and the samples."""
    out = folder / "results"
    variables = {"HF_HUB_OFFLINE": "1", "OPENAI_API_KEY": "none", "NO_PROXY": "127.0.0.1"}
    done = subprocess.run(
        [
            *(sys.executable, "-m", "lm_eval", "run", "--include_path", str(folder)),
            *("--tasks", "palaestra", "--log_samples", "-o", str(out), *options),
        ],
        cwd=folder, capture_output=True, text=True, timeout=300, check=False,
        env={**os.environ, **variables},
    )  # fmt: skip
    assert not done.returncode, done.stdout[-3000:] + done.stderr[-3000:]
    (file,) = out.rglob("results_*.json")
    (lines,) = out.rglob("samples_*.jsonl")
    samples = [json.loads(line) for line in lines.read_text().splitlines()]
    return json.loads(file.read_text())["results"], samples


@real
def test_its_command_runs_the_task_on_its_dummy_model(tmp_path):
    exported(tmp_path, "-n", "3", "--level", "1", "--split", "eval")
    results, samples = ran(tmp_path, "--model", "dummy")
    assert results[NAME]["score,none"] == results[NAME]["answered,none"] == 0.0
    assert results[NAME]["unscored,none"] == 0.0
    for sample in samples:
        (move,) = Address.parse(sample["doc"]["address"]).task().solve()
        assert move not in json.dumps(sample)
        assert sample["target"] == ""


@real
def test_its_command_finds_that_the_oracle_is_right(tmp_path):
    exported(tmp_path, "-n", "3", "--level", "1", "--split", "eval")
    known = selected(f"{PUZZLE}?level=1&split=eval&seeds=0:3")
    with serving(build(Oracle([(address, "tags") for address in known]))) as url:
        arguments = f"model=oracle,base_url={url}/chat/completions,num_concurrent=1"
        model = ["--model", "local-chat-completions", "--model_args", arguments]
        results, samples = ran(tmp_path, *model, "--apply_chat_template")
    assert results[NAME]["score,none"] == results[NAME]["correct,none"] == 1.0
    assert len(samples) == 3


@real
def test_what_could_not_be_scored_is_no_part_of_the_means(tmp_path, monkeypatch):
    from lm_eval import simple_evaluate
    from lm_eval.tasks import TaskManager

    exported(tmp_path, "-n", "3", "--level", "1", "--split", "eval")
    scored = adapter.score_many

    def sometimes(items):
        lost = items[0].address.endswith(str(2**31))
        return [JudgeError("away")] if lost else scored(items)

    monkeypatch.setattr(adapter, "score_many", sometimes)
    done = simple_evaluate(
        "dummy", tasks=[NAME], task_manager=TaskManager(include_path=str(tmp_path)),
        bootstrap_iters=0,
    )  # fmt: skip
    figures = done["results"][NAME]
    assert figures["unscored,none"] == pytest.approx(1 / 3)
    assert [sample.get("score") for sample in done["samples"][NAME]].count(None) == 1
