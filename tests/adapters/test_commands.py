"""The commands of the trainers' pages and examples are ones that these packages accept.

veRL's and OpenRLHF's own checks are run as their commands run them, up to where GPUs are needed;
those of verifiers and inspect_ai are run to their end, against the oracle that the page names.
"""

import contextlib
import json
import os
import re
import runpy
import shlex
import socket
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from types import ModuleType
from unittest.mock import MagicMock

import pytest

from palaestra.trainers.exports import exported
from palaestra.trainers.rows import selected
from palaestra.trainers.verifiers import there

ROOT = Path(__file__).parents[2]


def shell_blocks(page):
    text = (ROOT / f"docs/trainers/{page}.md").read_text()
    return re.findall(r"```sh\n(.*?)```", text, re.DOTALL)


def arguments(script, command):
    """What a command in a shell script is given, with variables as they are named."""
    joined = script.replace("\\\n", " ")
    line = next(line for line in joined.splitlines() if command in line)
    return shlex.split(line.partition(command)[2].replace('"$@"', ""))


def further(block):
    """Options that a page gives by themselves."""
    assert block.startswith("  ")
    return shlex.split(block.replace("\\\n", " "))


# ------------------------------------------------------------------------------ veRL

MAIN_PPO = "verl.trainer.main_ppo"
CHECKED = """
import json, sys
import verl.trainer.main_ppo as command
from omegaconf import OmegaConf
from verl.utils.config import omega_conf_to_dataclass

def ready(config, task_runner_class):
    rollout = omega_conf_to_dataclass(config.actor_rollout_ref.rollout)
    print("READY", json.dumps(OmegaConf.to_container(config, resolve=True)))

command.run_ppo = ready
sys.argv = ["main_ppo", *sys.argv[1:]]
command.main()
"""


def accepted_by_verl(options, folder):
    """The configuration with which veRL's command would start Ray, after all of its checks."""
    done = subprocess.run(
        [sys.executable, "-c", CHECKED, *options],
        cwd=folder, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert not done.returncode, done.stderr[-3000:]
    assert "All configuration checks passed" in done.stdout
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("READY "))
    return json.loads(line.removeprefix("READY "))


def verl_commands():
    page = shell_blocks("verl")
    base = arguments(page[0], MAIN_PPO)
    several_turns = next(further(block) for block in page[1:] if "agent_loop" in block)
    script = arguments((ROOT / "examples/verl/grpo.sh").read_text(), MAIN_PPO)
    live = next(further(block) for block in page[1:] if "CurriculumTasks" in block)
    recipe = arguments((ROOT / "examples/verl/curriculum.sh").read_text(), MAIN_PPO)
    more = ["trainer.n_gpus_per_node=8", "trainer.nnodes=2"]
    two = "actor_rollout_ref.rollout.tensor_model_parallel_size=2"
    return {
        "page": base,
        "page, several turns": [*base, *several_turns],
        "script": script,
        "script, more GPUs": [*script, *more, two],
        "page, curriculum": [*base, *live],
        "script, curriculum": recipe,
    }


@pytest.mark.package("verl")
@pytest.mark.parametrize("which", verl_commands())
def test_verl_accepts_the_commands_as_they_are_printed(which, tmp_path):
    options = [option.replace("$model", "my-model") for option in verl_commands()[which]]
    config = accepted_by_verl(options, tmp_path)
    rollout, actor = config["actor_rollout_ref"]["rollout"], config["actor_rollout_ref"]["actor"]
    gpus = config["trainer"]["n_gpus_per_node"] * config["trainer"]["nnodes"]
    # What its workers ask for once they have their GPUs.
    assert gpus == (16 if "more" in which else 1)
    assert gpus % rollout["tensor_model_parallel_size"] == 0
    assert rollout["n"] > 1
    assert config["data"]["train_batch_size"] % actor["ppo_mini_batch_size"] == 0
    assert actor["ppo_mini_batch_size"] * rollout["n"] % gpus == 0
    longest = rollout["prompt_length"] + rollout["response_length"]
    assert longest <= actor["ppo_max_token_len_per_gpu"]
    for wish in (*config["data"]["train_files"], *config["data"]["val_files"]):
        assert next(selected(wish)) if wish != "mixture.yaml" else "curriculum" in which
    if which in {"page, several turns", "script", "script, more GPUs"}:
        agents = rollout["agent"]["agent_loop_config_path"]
        yaml = next(
            block
            for block in re.findall(
                r"```yaml\n(.*?)```", (ROOT / "docs/trainers/verl.md").read_text(), re.DOTALL
            )
        )
        text = (ROOT / agents).read_text() if "script" in which else yaml
        assert "palaestra.trainers.verl.EpisodeLoop" in text


@pytest.mark.package("verl")
def test_these_checks_refuse_what_verl_refuses(tmp_path):
    """Such as a command that names no micro batch size."""
    options = [option for option in verl_commands()["page"] if "use_dynamic_bsz" not in option]
    with pytest.raises(AssertionError, match="ppo_micro_batch_size"):
        accepted_by_verl(options, tmp_path)


# ------------------------------------------------------------------------------ OpenRLHF

TRAIN_PPO_RAY = "openrlhf.cli.train_ppo_ray"
ABSENT = (
    *("ray", "ray.util", "ray.util.placement_group", "openrlhf.trainer.ray"),
    *("openrlhf.trainer.ray.launcher", "openrlhf.trainer.ray.ppo_actor"),
    *("openrlhf.trainer.ray.ppo_critic", "openrlhf.trainer.ppo_trainer"),
    *("openrlhf.trainer.ppo_trainer_async", "deepspeed"),
)
"""What OpenRLHF's command imports, and needs GPUs or their compilers for."""


def accepted_by_openrlhf(options, monkeypatch):
    """The settings with which OpenRLHF's command would train, after its checks of them: its own
    code from end to end, with stand-ins for Ray, vLLM and DeepSpeed.
    """
    import openrlhf

    for name in ABSENT:
        stand_in = ModuleType(name)
        stand_in.__getattr__ = partial(getattr, MagicMock())
        stand_in.__path__ = []
        monkeypatch.setitem(sys.modules, name, stand_in)
    seen = []
    monkeypatch.setattr(
        "openrlhf.utils.get_strategy", lambda args: seen.append(args) or MagicMock()
    )
    monkeypatch.setattr(sys, "argv", ["train_ppo_ray", *options])
    file = Path(openrlhf.__file__).parent / "cli/train_ppo_ray.py"
    runpy.run_path(str(file), run_name="__main__")
    (args,) = seen
    return args


def openrlhf_commands():
    page, *more = shell_blocks("openrlhf")
    base = arguments(page, TRAIN_PPO_RAY)
    script = arguments((ROOT / "examples/openrlhf/train.sh").read_text(), TRAIN_PPO_RAY)
    over_http = next(further(block) for block in more if "get_reward" in block)
    return {"page": base, "page, over HTTP": [*base, *over_http], "script": script}


@pytest.mark.package("openrlhf")
@pytest.mark.parametrize("which", openrlhf_commands())
def test_openrlhf_accepts_the_commands_as_they_are_printed(which, monkeypatch):
    args = accepted_by_openrlhf(openrlhf_commands()[which], monkeypatch)
    gpus = args.actor.num_nodes * args.actor.num_gpus_per_node
    assert gpus == (4 if which == "script" else 1)
    # What DeepSpeed and the trainer ask for once they have their GPUs.
    assert args.train.batch_size % (args.train.micro_batch_size * gpus) == 0
    rollouts = args.rollout.batch_size * args.rollout.n_samples_per_prompt
    assert rollouts % args.train.batch_size == 0
    assert args.vllm.num_engines * args.vllm.tensor_parallel_size == gpus
    assert args.reward.remote_url
    (row,) = exported("logic/knights_and_knaves", [3], trainer="openrlhf")
    assert {args.data.input_key, args.data.label_key} <= row.keys()


@pytest.mark.package("openrlhf")
@pytest.mark.parametrize(
    ("option", "instead"),
    [("--rollout.n_samples_per_prompt", "1"), ("--vllm.num_engines", "3"), ("--no.such", "1")],
)
def test_these_checks_refuse_what_openrlhf_refuses(option, instead, monkeypatch, capsys):
    options = [*openrlhf_commands()["page"], option, instead]
    with pytest.raises((AssertionError, SystemExit)):
        accepted_by_openrlhf(options, monkeypatch)


# ------------------------------------------------------------------------------ with the oracle


@contextlib.contextmanager
def oracle(block, environment):
    """The oracle of a page, started as it is printed, at a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    assert "--port 8001" in block
    process = subprocess.Popen(
        ["bash", "-c", f"exec {block.replace('--port 8001', f'--port {port}')}"], env=environment
    )
    try:
        while True:
            assert process.poll() is None, "the oracle ended"
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
            except OSError:
                time.sleep(0.05)
            else:
                break
        yield str(port)
    finally:
        process.terminate()
        process.wait(300)


def printed(page, command, folder, **variables):
    """Runs a command of a page as it is printed, with the oracle of that page at its endpoint."""
    blocks = shell_blocks(page)
    serve = next(block for block in blocks if "evaluation.oracle" in block)
    wanted = next(block for block in blocks if command in block and "127.0.0.1:8001" in block)
    environment = {
        **os.environ,
        "NO_COLOR": "1",
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        **variables,
    }
    (folder / "examples").symlink_to(ROOT / "examples")
    with oracle(serve, environment) as port:
        done = subprocess.run(
            ["bash", "-ec", wanted.replace("127.0.0.1:8001", f"127.0.0.1:{port}")],
            cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=400, check=False,
        )  # fmt: skip
    assert not done.returncode, done.stdout[-3000:] + done.stderr[-3000:]


@pytest.mark.skipif(
    not there("verifiers.v1") or there("verifiers.legacy"),
    reason="no verifiers 0.4 here: .ci/adapters runs this in an environment that has it",
)
def test_the_command_of_verifiers_finds_that_the_oracle_is_right(tmp_path):
    printed("verifiers", "vf-eval", tmp_path, PYTHONPATH=str(ROOT / "examples/verifiers"))
    (file,) = tmp_path.rglob("traces.jsonl")
    traces = file.read_text().splitlines()
    assert len(traces) == 10
    for trace in traces:
        assert '"errors":[]' in trace.replace(" ", "") or '"error"' not in trace
        assert re.search(r'"rewards":\{"score":\{"score":1\.0', trace.replace(" ", ""))


@pytest.mark.package("inspect_ai")
@pytest.mark.parametrize("streamed", [False, True])
def test_the_command_of_inspect_finds_that_the_oracle_is_right(streamed, tmp_path):
    stream = {"INSPECT_EVAL_MODEL_ARGS": "stream=true"} if streamed else {}
    logs = {"INSPECT_LOG_DIR": str(tmp_path / "logs"), "INSPECT_LOG_FORMAT": "json"}
    printed("inspect_ai", "inspect eval", tmp_path, **logs, **stream)
    (file,) = (tmp_path / "logs").glob("*.json")
    log = json.loads(file.read_text())
    assert log["eval"]["model_args"] == ({"stream": True} if streamed else {})
    assert log["results"]["completed_samples"] == 10
    assert log["results"]["scores"][0]["metrics"]["mean"]["value"] == 1.0
