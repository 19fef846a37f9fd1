"""The package for verifiers, and the sampler of prime-rl, with verifiers' own loader and tasks."""

import json
import re
import subprocess
import sys
import tomllib
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.adapters.test_verifiers import evaluated, new, perfect, run

from palaestra.address import Address
from palaestra.trainers import verifiers as adapter
from palaestra.trainers.prime_rl import CurriculumSampler, sampler_type

PACKAGE = Path(__file__).parents[2] / "examples/verifiers"
GAME, PUZZLE = "games/mastermind", "logic/knights_and_knaves"


# ------------------------------------------------------------------------------ without verifiers


def test_an_infinite_selection_takes_turns():
    tasks = [*islice(adapter.endless(f"{PUZZLE}?level=1 {GAME}", "boxed"), 5)]
    assert [(each.address.env, each.address.seed) for each in tasks] == [
        (PUZZLE, 0), (GAME, 0), (PUZZLE, 1), (GAME, 1), (PUZZLE, 2),
    ]  # fmt: skip
    assert {each.address.level for each in tasks} == {0, 1}
    assert "\\boxed" in tasks[0].question


@pytest.mark.parametrize("wrong", [f"{PUZZLE}?seeds=0:5", f"{GAME} maths.jsonl", " "])
def test_an_infinite_selection_has_no_seeds(wrong):
    with pytest.raises(ValueError, match="an infinite taskset n"):
        adapter.endless(wrong, "tags")


def test_metrics_are_by_environment_and_level():
    label = str(Address.of(GAME, 3, 2))
    outcome = {"correct": 1.0, "turns": 4.0}
    assert adapter.metrics_of(label, outcome) == {
        "correct": 1.0, "turns": 4.0, f"correct/{GAME}": 1.0, f"correct/{GAME}/level_2": 1.0,
    }  # fmt: skip
    assert adapter.metrics_of("42", outcome) == outcome


def test_the_oracle_validates_tasks_and_no_questions():
    for env in (PUZZLE, GAME, "tools/meeting_desk"):
        assert adapter.is_solved_by_its_oracle(str(Address.of(env, 5, 1)))
    assert adapter.is_solved_by_its_oracle("42") is None


def test_the_package_describes_itself():
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text())["project"]
    readme = (PACKAGE / "README.md").read_text()
    assert readme.startswith(f"# {project['name']}\n")
    assert f"- {project['version']}: " in readme
    (tags,) = re.findall(r"\*\*Tags\*\*: (.*)", readme)
    assert tags.replace("`", "").split(", ") == project["tags"]
    for section in ("Overview", "Datasets", "Task", "Quickstart", "Metrics", "Changelog"):
        assert f"### {section}\n" in readme


# ------------------------------------------------------------------------------ the sampler


class Task:
    """A task as verifiers has it, as far as a sampler is concerned."""

    def __init__(self, **data):
        self.data = SimpleNamespace(**data)

    def with_data(self, **more):
        return Task(**{**vars(self.data), **more})


def sampler(**options):
    tasks = iter([Task(answer_format="boxed", label="?")])
    return CurriculumSampler(tasks, environments={PUZZLE: 1.0}, least=4, unlock=0.5, **options)


def group(address, *values, ok=True):
    traces = [SimpleNamespace(metrics={"correct": value}, rewards={}) for value in values]
    task = SimpleNamespace(key=address)
    return [SimpleNamespace(task=task, ok=ok, traces=[trace]) for trace in traces]


def test_a_sampler_draws_what_its_curriculum_wants():
    tasks = sampler(seed=1)
    levels = set()
    for number in range(40):
        task = next(tasks)
        address = Address.parse(task.data.label)
        assert task.data.idx == number
        assert task.data.prompt.endswith("\\boxed{}.")
        assert task.data.name == task.data.id == task.data.label
        levels.add(address.level)
        tasks.observe(group(task.data.label, 1.0, 1.0))
    assert levels >= {0, 1, 2}
    assert tasks.metrics()["groups"] == tasks.metrics()["tasks"] == 40
    assert tasks.metrics()["correct"] == 1


def test_a_sampler_learns_nothing_from_failures_and_goes_on_from_a_state():
    one, other = sampler(seed=1), sampler(seed=2)
    task = one.sample()
    one.observe(group(task.data.label, 0.0, ok=False))
    assert one.curriculum.counts[0] == 0
    reward = SimpleNamespace(score=0.5, weight=1.0)
    rollout = SimpleNamespace(
        task=SimpleNamespace(key=task.data.label), metrics={}, rewards={"score": reward}
    )
    one.observe(SimpleNamespace(task_key=task.data.label, rollouts=(rollout,)))
    assert (one.curriculum.counts[0], one.curriculum.rates[0]) == (1, 0.5)
    other.load_state_dict(json.loads(json.dumps(one.state_dict())))
    assert next(other).data.label == next(one).data.label
    assert other.metrics() == one.metrics()


def test_a_sampler_refuses_other_tasks_and_options():
    with pytest.raises(ValueError, match="whose taskset is palaestra-tasks"):
        CurriculumSampler([SimpleNamespace(data=1)], environments={PUZZLE: 1.0})
    with pytest.raises(ValueError, match="a curriculum is"):
        sampler(strategy="best")


def test_a_sampler_is_one_of_the_base_class_that_is_demanded():
    class TaskSampler:
        def state_dict(self):
            return {}

    tasks = sampler_type(TaskSampler)(
        [Task(answer_format="tags")], environments={PUZZLE: 1.0}, strategy="uniform"
    )
    assert isinstance(tasks, TaskSampler)
    assert tasks.state_dict()["learnt"] == 0
    assert next(tasks).data.label.startswith(PUZZLE)


# ------------------------------------------------------------------------------ with verifiers


@new
def test_the_taskset_is_infinite_and_its_keys_are_addresses():
    types = adapter.exported()
    config = types["PalaestraConfig"](tasks=f"{GAME}?level=1 {PUZZLE}", infinite=True)
    taskset = types["PalaestraTaskset"](config)
    assert not taskset.bounded
    with pytest.raises(ValueError, match="infinite"):
        taskset.shuffle()
    tasks = [*taskset.take(4)]
    assert [task.key for task in tasks] == [task.data.label for task in tasks]
    assert len({task.key for task in tasks}) == 4
    (again,) = taskset.take(4).include(keys=[tasks[2].key])
    assert again.data.idx == 2
    finite = types["PalaestraTaskset"](types["PalaestraConfig"](tasks=f"{GAME}?seeds=0:3"))
    assert finite.bounded
    assert len([*finite]) == 3


@new
def test_a_curriculum_draws_tasks_of_verifiers():
    import verifiers.v1 as vf

    types = adapter.exported()
    config = types["PalaestraConfig"](tasks=PUZZLE, infinite=True)
    tasks = CurriculumSampler(iter(types["PalaestraTaskset"](config)), environments={GAME: 1.0})
    task = next(tasks)
    assert isinstance(task, vf.Task)
    assert task.key.startswith(f"{GAME}@")
    assert "answer>" in task.data.prompt
    described = vf.TraceTask(type="Task", data=task.data, key=task.key, hash=task.hash)
    trace = vf.Trace(
        task=described,
        state=vf.State(),
        agent=vf.AgentInfo(config=vf.AgentConfig(), name="player", trainable=True),
    )
    trace.record_metrics({"correct": 1.0})
    tasks.observe([vf.Episode(task=described, ok=True, traces=[trace])] * 4)
    assert tasks.curriculum.counts[0] == 1
    assert tasks.metrics()["correct"] == 1


@new
def test_vf_validate_lets_the_oracle_check_tasks(tmp_path):
    wish = f"{PUZZLE}?level=2&seeds=0:3 {GAME}?level=1&seeds=0:2"
    run(
        *("vf-validate", "palaestra-tasks", "--only-gold", "-o", str(tmp_path), "--no-rich"),
        *("--taskset.tasks", wish, "--runtime.type", "subprocess"),
    )
    (file,) = tmp_path.rglob("results.jsonl")
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert [row["valid"] for row in rows] == [True] * 5, rows
    assert all(Address.parse(row["name"]) for row in rows)


@new
def test_vf_eval_logs_metrics_by_environment(tmp_path):
    wish = f"{GAME}?level=1&seeds=3:4 {PUZZLE}?seeds=0:1"
    text = json.dumps(evaluated(tmp_path, perfect(wish), wish=wish))
    for name in (f"correct/{GAME}", f"correct/{GAME}/level_1", f"correct/{PUZZLE}"):
        assert f'"{name}": 1.0' in text


@new
def test_vf_eval_plays_the_start_of_an_infinite_taskset(tmp_path):
    wish = f"{PUZZLE}?level=1"
    plan = perfect(f"{wish}&seeds=0:2")
    traces = evaluated(
        tmp_path, plan, "--env.taskset.infinite", "True", "--select.limit", "2", wish=wish
    )
    assert len(traces) == 2
    assert json.dumps(traces).count(f'"correct/{PUZZLE}": 1.0') >= 2


@new
def test_the_configuration_of_prime_rl_has_what_the_package_takes(monkeypatch):
    import verifiers.v1 as vf

    monkeypatch.syspath_prepend(PACKAGE)
    config = tomllib.loads((PACKAGE / "prime_rl.toml").read_text())["orchestrator"]
    assert sum(source["ratio"] for source in config["train"]["source"]) == pytest.approx(1)
    for source in (*config["train"]["source"], *config["eval"]["source"]):
        env = vf.load_environment(vf.resolve_env_config(source["env"]))
        assert type(env).__name__ == "PalaestraEnv"
        assert next(iter(env.taskset)).key
        assert env.taskset.bounded == (source["name"] == "held-out")
    with pytest.raises(ValueError, match="colour"):
        vf.resolve_env_config({"taskset": {"id": "palaestra-tasks", "colour": "red"}})


@new
def test_the_readme_lists_what_can_be_set():
    readme = (PACKAGE / "README.md").read_text()
    types = adapter.exported()
    fields = types["PalaestraConfig"].model_fields
    base = types["PalaestraConfig"].__mro__[1].model_fields
    environment = {"max_turns", "recipe", "tokenizer", "user"}
    rows = re.findall(r"^\| `(\w+)` \| (?:str|bool|int|dict) \|", readme, re.MULTILINE)
    assert {*rows} == (fields.keys() - base.keys()) | environment


@new
def test_the_package_is_installed_and_loaded_by_its_name(tmp_path):
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(tmp_path), PACKAGE]
    done = subprocess.run(pip, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr[-2000:]
    (wheel,) = tmp_path.glob("palaestra_tasks-*.whl")
    code = f"""
import sys
sys.path.insert(0, {str(wheel)!r})
import verifiers.v1 as vf
env = vf.load_environment(vf.resolve_env_config({{"taskset": {{"id": "palaestra-tasks"}}}}))
print(next(iter(env.taskset)).key)
"""
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    ).stdout
    assert output.startswith(f"{PUZZLE}@")
