"""Contract tests of the tasks for Harbor: its models, its linter, and its trials.

There is no container engine where these run, so that trials have an environment of their own, which
the framework takes by its import path: namespaces in place of containers.
"""

import asyncio
import json
import shutil
from pathlib import Path

import pytest

pytest.importorskip("harbor", reason="no harbor here: .ci/adapters runs this where it is")

from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.environments.capabilities import EnvironmentCapabilities
from harbor.lint.models import DEFAULT_RULES, LintRule
from harbor.lint.task import lint_task
from harbor.models.task.config import TaskConfig
from harbor.models.task.task import Task
from harbor.models.trajectories import Trajectory
from harbor.models.trial.config import AgentConfig, EnvironmentConfig, TrialConfig
from harbor.models.trial.config import TaskConfig as TaskAt
from harbor.trial.trial import Trial as HarborTrial
from harbor.utils.trajectory_validator import TrajectoryValidator
from tests.trainers.harbor.containers import Container, Network, Trial, require_namespaces

from palaestra.address import Address
from palaestra.trainers.evaluation.attempts import Attempt
from palaestra.trainers.evaluation.trajectories import attempt_in, trajectory
from palaestra.trainers.harbor import Options, export

ENVIRONMENTS = ["logic/knights_and_knaves", "games/mastermind", "tools/meeting_desk"]
PUZZLE = ENVIRONMENTS[0]


class Namespaces(BaseEnvironment):
    """An environment of Harbor without an engine."""

    @staticmethod
    def type():
        return "namespaces"

    @property
    def capabilities(self):
        return EnvironmentCapabilities(docker_compose=True)

    def _validate_definition(self):
        assert (self.environment_dir / "Dockerfile").exists()

    async def start(self, force_build):
        self.folder = self.trial_paths.trial_dir / "boxes" / self.session_id
        await asyncio.to_thread(self._start)
        for path in ("/logs/agent", "/logs/verifier", "/logs/artifacts"):
            self.main.path(path).mkdir(parents=True, exist_ok=True)

    def _start(self):
        if self.environment_dir.name == "tests":
            self.trial, self.network = None, Network([])
            self.main = Container(self.folder / "verifier", self.environment_dir, self.network)
        else:
            self.trial = Trial(self.environment_dir.parent, self.folder)
            self.main = self.trial.main

    async def stop(self, delete):
        (self.trial or self.network).close()
        self.trial, self.network = None, Network([])

    async def exec(self, command, cwd=None, env=None, timeout_sec=None, user=None):
        ran = await asyncio.to_thread(self.main.run, command, cwd, env, timeout_sec or 120)
        return ExecResult(stdout=ran.stdout, stderr=ran.stderr, return_code=ran.returncode)

    async def upload_file(self, source_path, target_path):
        self.main.upload(Path(source_path), str(target_path))

    async def upload_dir(self, source_dir, target_dir):
        self.main.upload(Path(source_dir), str(target_dir))

    async def download_file(self, source_path, target_path):
        shutil.copy(self.main.path(str(source_path)), target_path)

    async def download_dir(self, source_dir, target_dir):
        shutil.copytree(self.main.path(str(source_dir)), target_dir, dirs_exist_ok=True)

    async def service_exec(self, command, *, service=None, **options):
        if self.is_main_service(service):
            return await self.exec(command, **options)
        assert service == "palaestra"
        ran = await asyncio.to_thread(self.trial.service.run, command)
        return ExecResult(stdout=ran.stdout, stderr=ran.stderr, return_code=ran.returncode)

    async def service_download_file(self, source_path, target_path, *, service=None):
        if self.is_main_service(service):
            await self.download_file(source_path, target_path)
            return
        assert service == "palaestra"
        shutil.copy(self.trial.service.path(str(source_path)), target_path)

    async def stop_service(self, service):
        assert service == "main"


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    folder = tmp_path_factory.mktemp("suite")
    names = export([Address.of(env, 12_345, 1) for env in ENVIRONMENTS], folder)
    return {env: folder / name for env, name in zip(ENVIRONMENTS, names, strict=True)}


@pytest.mark.parametrize("env", ENVIRONMENTS)
@pytest.mark.parametrize("is_offline", [False, True])
def test_harbor_s_models_read_a_task(env, is_offline, tmp_path):
    (name,) = export([Address.of(env)], tmp_path, Options(is_offline=is_offline))
    task = Task(tmp_path / name)
    assert task.config.task.name == f"palaestra/{name}"
    assert task.config.verifier.environment_mode == "separate"
    assert task.config.environment.network_mode.value == (
        "public" if not is_offline else "no-network" if env == PUZZLE else "allowlist"
    )
    assert [server.url for server in task.config.environment.mcp_servers] == (
        [] if env == PUZZLE else ["http://palaestra:8000/mcp"]
    )
    assert task.config.schema_version == TaskConfig().schema_version


@pytest.mark.parametrize("env", ENVIRONMENTS)
def test_harbor_s_linter_has_no_findings(env, suite, monkeypatch):
    # What it checks of compose files it asks Docker's command, which need not be installed.
    monkeypatch.setattr("harbor.lint.task.lint_compose", lambda *_, **__: [])
    assert lint_task(suite[env], selected_rules=DEFAULT_RULES) == []
    image, root = LintRule.UNPINNED_IMAGE, LintRule.ROOT_AGENT
    assert {finding.rule for finding in lint_task(suite[env])} <= {image, root}


def trial(task, agent, folder):
    config = TrialConfig(
        task=TaskAt(path=task),
        trial_name=f"trial-{agent}",
        trials_dir=folder,
        agent=AgentConfig(name=agent),
        environment=EnvironmentConfig(import_path=f"{__name__}:Namespaces"),
    )

    async def run():
        return await (await HarborTrial.create(config)).run()

    return asyncio.run(run())


@pytest.mark.parametrize("env", ENVIRONMENTS)
@pytest.mark.parametrize(("agent", "reward"), [("oracle", 1), ("nop", 0)])
def test_harbor_s_trial_of_the_solution_and_of_nothing(env, agent, reward, suite, tmp_path):
    require_namespaces()
    if env != PUZZLE:
        pytest.importorskip("mcp")
    result = trial(suite[env], agent, tmp_path)
    assert result.exception_info is None, result.exception_info
    assert result.verifier_result.rewards == {"reward": reward, "correct": reward}
    attempt = tmp_path / f"trial-{agent}/verifier/attempt.json"
    assert json.loads(attempt.read_text())["value"] == reward


@pytest.mark.parametrize("env", ENVIRONMENTS)
@pytest.mark.parametrize("is_native", [True, False])
def test_harbor_s_models_read_a_trajectory(env, is_native, tmp_path):
    address = Address.of(env, 12_345, 1)
    replies = tuple(f"<answer>{move}</answer>" for move in address.task().solve())
    attempt = Attempt(
        str(address), env, 1, "1", 0, "p", 1.0, "scored", replies=replies,
        rewards=(0.0,) * len(replies), native_tools=is_native, prompt_tokens=9,
    )  # fmt: skip
    manifest = {"same": {"model": "m", "system": "Be brief."}, "palaestra": "0.1.0"}
    value = trajectory(attempt, manifest)
    assert Trajectory.model_validate(value).to_json_dict() == json.loads(json.dumps(value))
    (tmp_path / "trajectory.json").write_text(json.dumps(value))
    validator = TrajectoryValidator()
    assert validator.validate(tmp_path / "trajectory.json"), validator.errors
    assert attempt_in(value)["replies"] == list(replies)
    called = [step for step in value["steps"] if "tool_calls" in step]
    assert bool(called) == (is_native and env == "tools/meeting_desk")
