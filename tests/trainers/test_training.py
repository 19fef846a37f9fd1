"""``palaestra train``: the command, its files, learning from end to end by the examples."""

import io
import json
import os
import runpy
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from rich.console import Console

from palaestra.cli import main
from palaestra.trainers.grpo.config import Config, Loss, explained, template
from palaestra.trainers.training import changes

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
SMALL = [
    *("--environments", "algorithms/sort_six", "--levels", "0", "--answer-format", "silent"),
    *("--max-reply-tokens", "14", "--max-episode-tokens", "72", "--warmup-steps", "3"),
    *("--groups", "4", "--group-size", "4", "--eval-tasks", "8", "--eval-samples", "2"),
]


def palaestra(*args, **options):
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "palaestra", "train", *args],
        capture_output=True, text=True, check=False, **options,
    )  # fmt: skip


@pytest.fixture
def train(torch, capsys):
    """The command in this process, which has imported torch already."""

    def command(*args):
        with pytest.raises(SystemExit) as exit_:
            main(["train", *args])
        printed = capsys.readouterr()
        return SimpleNamespace(returncode=exit_.value.code, stdout=printed.out, stderr=printed.err)

    return command


@pytest.fixture
def torch():
    return pytest.importorskip("torch", reason="needs palaestra[train]")


# ------------------------------------------------------------------ options


def test_every_option_is_explained_by_the_command_and_in_the_template():
    text = palaestra("--help", env={**os.environ, "COLUMNS": "200", "TERM": "dumb"}).stdout
    for name, _, description in explained():
        assert f"--{name.replace('.', '-').replace('_', '-')} " in text, name
        assert description.split(";")[0].split(",")[0][1:30] in text
    options = yaml.safe_load(template())
    assert Config.read(options) == Config()
    assert options["loss"].keys() == Loss.model_fields.keys()


def test_a_file_and_the_command_line_come_together(tmp_path):
    file = tmp_path / "run.yaml"
    file.write_text("groups: 8\nloss: {kl_coef: 0.1, clip_low: 0.3}\nrecipe: dr_grpo\n")
    config = Config.load(file, changes({"groups": 16, "loss__clip_low": 0.1, "levels": "0,2"}))
    assert (config.groups, config.loss.kl_coef, config.loss.clip_low) == (16, 0.1, 0.1)
    assert config.levels == (0, 2)
    assert (config.loss.aggregation, config.advantage) == ("constant", "dr_grpo")
    assert Config.load(file, changes({"recipe": "rloo"})).loss.aggregation == "sum"
    logged = changes({"log_to": "wandb, tensorboard", "reward_options": '{"quorum": 0.5}'})
    assert logged == {"log_to": ["wandb", "tensorboard"], "reward_options": {"quorum": 0.5}}


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--environments", "algorithms/sort_sx"], "sort_six"),
        (["--groups", "0"], "groups: input should be greater than or equal to 1"),
        (["--loss-ratio", "tokens"], "loss.ratio: input should be 'token' or 'sequence'"),
        (["--learning-rate", "fast"], "should be a valid number"),
        (["--recipe", "grop"], "no recipe 'grop'; perhaps"),
        (["--levels", "0,x"], "levels.1: input should be a valid integer"),
        (["--max-episode-tokens", "20"], "max_episode_tokens is 20, and the prompt of"),
        (["--reward-options", "{"], "reward_options"),
        (["--curriculum", "unifrm"], "uniform"),
        (["--environments", "algorithms/sort_six=-1"], "above 0"),
    ],
)
def test_bad_options_are_named(train, args, message):
    done = train(*args)
    assert done.returncode == 2
    assert message in done.stderr.replace("\n", " ")


def test_a_run_that_cannot_go_on_ends_with_one_line(train):
    gap = ("--max-logprob-gap", "1e-12", "--reward", "random", "--eval-every", "0")
    done = train(*SMALL, "--steps", "1", *gap)
    assert done.returncode == 1
    assert "nats a token" in done.stderr
    assert done.stderr.count("\n") == 1


def test_without_torch_the_error_names_what_to_install(tmp_path):
    (tmp_path / "torch.py").write_text("raise ModuleNotFoundError('gone', name='torch')")
    done = palaestra(*SMALL, env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert done.returncode == 2
    assert "palaestra[train]" in done.stderr


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.yaml")), ids=lambda file: file.stem)
def test_the_examples_hold_options(file):
    options = yaml.safe_load(file.read_text())
    if "environments" in options and isinstance(options["environments"], dict):
        assert Config.load(file).environments == options["environments"]


# ------------------------------------------------------------------ a run and its files


def test_a_run_leaves_its_files_and_goes_on(train, tmp_path):
    out = tmp_path / "run"
    done = train(*SMALL, "--steps", "2", "--eval-every", "1", "--out", str(out))
    assert done.returncode == 0, done.stderr
    assert "step 2" in done.stdout
    log = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
    assert [row["step"] for row in log] == [0, 1, 2]
    assert all("eval_score" in row for row in log)
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["config"]["groups"] == 4
    assert manifest["fingerprints"]["algorithms/sort_six"]
    assert manifest["rollouts"] == 2 * 16
    for name, attempts in (("greedy", 8), ("sampled", 16)):
        report = json.loads((out / name / "report.json").read_text())
        assert report["overall"]["attempts"] == attempts
        assert report["complete"]
    again = train(*SMALL, "--steps", "3", "--eval-every", "1", "--out", str(out))
    assert again.returncode == 0, again.stderr
    assert "step 3" in again.stdout
    assert "step 2 " not in again.stdout
    other = train(*SMALL, "--steps", "3", "--learning-rate", "0.1", "--out", str(out))
    assert other.returncode == 2
    assert "another learning_rate" in other.stderr
    anew = train(*SMALL, "--steps", "1", "--learning-rate", "0.1", "--fresh", "--out", str(out))
    assert anew.returncode == 0, anew.stderr
    lines = (out / "log.jsonl").read_text().splitlines()
    assert [json.loads(line)["step"] for line in lines] == [0, 1]


def test_curves_are_drawn(torch, tmp_path):
    pytest.importorskip("matplotlib")
    from palaestra.trainers.training import plot

    row = {
        "reward": 0.5, "success": 0.5, "entropy": 1.0, "zero_std": 0.2, "length": 9.0,
        "rollout_s": 1.0, "learn_s": 1.0, "judge_s": 0.1,
    }  # fmt: skip
    log = [{"step": 0, "eval_score": 0.1}, *({"step": n, **row} for n in range(1, 3))]
    file = plot(log, tmp_path / "curves.png")
    assert file.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(("sign", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_ends_after_a_step_and_goes_on(train, tmp_path, sign, status):
    out = tmp_path / "run"
    command = [sys.executable, "-m", "palaestra", "train", *SMALL, "--eval-every", "0"]
    command += ["--save-every", "0", "--out", str(out)]
    with subprocess.Popen([*command, "--steps", "100000"], stdout=subprocess.PIPE) as run:
        for line in run.stdout:
            if line.startswith(b"step 2 "):
                break
        run.send_signal(sign)
        rest = run.stdout.read()
        assert run.wait(60) == status
    assert b"the same command goes on" in rest
    steps = len((out / "log.jsonl").read_text().splitlines())
    assert steps >= 2
    again = train(*command[4:], "--steps", str(steps + 1))
    assert again.returncode == 0, again.stderr
    lines = (out / "log.jsonl").read_text().splitlines()
    assert [json.loads(line)["step"] for line in lines] == [*range(1, steps + 2)]


class Recorder:
    """A stand-in for the runs of packages for logs, which keeps their arguments and rows."""

    def __init__(self, *args, **options):
        self.arguments, self.rows = (args, options), []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.rows.append("closed")

    def log(self, row, step):
        self.rows.append((step, row))

    def add_scalar(self, name, value, step):
        self.rows.append((step, name, value))


def test_the_log_goes_where_it_is_asked_to(torch, tmp_path, monkeypatch):
    from palaestra.trainers.training import _loggers

    runs = []
    for name, maker in (("wandb", "init"), ("torch.utils.tensorboard", "SummaryWriter")):
        module = type(sys)(name)

        def make(*args, **options):
            runs.append(Recorder(*args, **options))
            return runs[-1]

        setattr(module, maker, make)
        monkeypatch.setitem(sys.modules, name, module)
    config = Config(log_to=("tensorboard", "wandb"), out=str(tmp_path))
    with _loggers(config) as loggers:
        for log in loggers:
            log({"step": 3, "loss": 0.5})
    board, wandb = runs
    assert board.arguments == ((str(tmp_path / "tensorboard"),), {})
    assert board.rows == [(3, "step", 3), (3, "loss", 0.5), "closed"]
    assert wandb.rows == [(3, {"step": 3, "loss": 0.5}), "closed"]
    assert wandb.arguments[1]["config"]["groups"] == 64
    with _loggers(config):
        assert runs[-1].arguments[1]["id"] == wandb.arguments[1]["id"]  # goes on as the same run


@pytest.mark.parametrize("name", ["tensorboard", "wandb"])
def test_packages_for_logs_that_are_missing_are_named(torch, monkeypatch, name):
    from palaestra.trainers.training import _loggers

    for module in ("wandb", "torch.utils.tensorboard"):
        monkeypatch.setitem(sys.modules, module, None)
    config = Config(log_to=(name,))
    with pytest.raises(ModuleNotFoundError, match=f"pip install {name}"), _loggers(config):
        pass


class Interrupting(io.RawIOBase):
    """A stream on which an interruption comes while it is written to."""

    def writable(self):
        return True

    def write(self, data):
        if bytes(data).startswith(b"step 1"):
            os.kill(os.getpid(), signal.SIGINT)
        return len(data)


def test_an_interruption_may_come_while_a_line_is_printed(capfd):
    from palaestra.trainers.training import _interruptions

    before = signal.getsignal(signal.SIGINT)
    console = Console(file=io.TextIOWrapper(io.BufferedWriter(Interrupting())))
    with _interruptions() as signals:
        console.print("step 1")
        assert signals == [signal.SIGINT]
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    assert capfd.readouterr().err == "stopping after this step\n"
    assert signal.getsignal(signal.SIGINT) is before


# ------------------------------------------------------------------ learning


def learn(name, **changed):
    from palaestra.trainers.grpo.trainer import Trainer

    trainer = Trainer(Config.load(EXAMPLES / f"{name}.yaml", changed))
    trainer.warm_up()
    before = trainer.evaluate()
    return trainer, before, trainer.train()


def test_a_small_policy_learns_to_sort(torch):
    _, before, log = learn("sorting", groups=32, steps=40, eval_every=40, eval_tasks=128)
    assert log[-1]["eval_score"] > before + 0.15
    judging = sum(row["judge_s"] for row in log[1:])
    assert judging < 0.05 * sum(row["rollout_s"] + row["learn_s"] for row in log[1:])


def test_a_policy_of_random_weights_learns_from_graded_rewards(torch):
    """The best that can be done without reading is to repeat a letter: a quarter is right."""
    _, before, log = learn("from_nothing", steps=160, eval_every=160)
    assert before < 0.1
    assert log[-1]["eval_score"] > 0.33


@pytest.mark.skipif("PALAESTRA_LONG" not in os.environ, reason="takes minutes: PALAESTRA_LONG=1")
def test_an_adaptive_mixture_learns_more_than_a_uniform_one(torch, tmp_path):
    """At the same budget, and with curves to look at."""
    from palaestra.trainers.training import plot

    ends, equal = {}, {}
    for name in ("thompson", "uniform"):
        _, _, log = learn("mixture", curriculum=name)
        ends[name] = log[-1]["eval_score"]
        equal[name] = sum(row["zero_std"] for row in log[1:])
        assert plot(log, tmp_path / f"{name}.png").stat().st_size > 10_000
    assert ends["thompson"] > ends["uniform"]
    assert equal["thompson"] < equal["uniform"]


def test_the_script_for_a_gpu_runs_in_small_and_goes_on(torch, tmp_path, monkeypatch, capsys):
    """On a CPU, in all its parts."""
    script = runpy.run_path(str(EXAMPLES / "gpu_showcase.py"))
    for part in ("check", "speed", "train", "train"):
        monkeypatch.setattr("sys.argv", ["", part, "--tiny", "--out", str(tmp_path)])
        script["main"]()
        row = json.loads(capsys.readouterr().out)[part]
    assert row["step"] == 3
    assert all(
        one["held"] for one in json.loads((tmp_path / "check.json").read_text())["check"].values()
    )
    assert (tmp_path / "train" / "last.pt.000").stat().st_size < 16 << 20
    assert not (tmp_path / "train" / "last.pt").exists()
