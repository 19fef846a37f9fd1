"""Examples for slime, ROLL and AReaL: against AReaL itself, and test doubles of the others."""

import asyncio
import importlib.util
import json
import re
import runpy
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from palaestra.address import Address
from palaestra.client import Client
from palaestra.episode import TAGS
from palaestra.server.launcher import background_server
from palaestra.task import JudgeError
from palaestra.trainers.remote_curricula import VARIABLE, RemoteCurriculum, named

EXAMPLES = Path(__file__).parents[2] / "examples"
PUZZLE = "logic/knights_and_knaves"


@pytest.fixture(scope="module")
def url():
    with background_server() as where:
        yield where


@pytest.fixture
def counting(url, monkeypatch):
    """A curriculum that counts what it learns, and that the environment names."""
    with Client(url) as client:
        levels = {PUZZLE: [0, 1]}
        begun = RemoteCurriculum.begin(client, {PUZZLE: 1.0}, levels, "frontier", least=10_000)
        monkeypatch.setenv(VARIABLE, f"{url}/v1/curricula/{begun.name}")
        with named():
            yield begun


def counts(curriculum):
    return sum(curriculum.state()["state"]["counts"])


def right(label):
    return TAGS.write(Address.parse(str(label)).task().answer())


def example(path, monkeypatch):
    """A module of the examples."""
    file = EXAMPLES / path
    spec = importlib.util.spec_from_file_location(f"example_{file.parent.name}_{file.stem}", file)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    spec.loader.exec_module(module)
    return module


def doubles(monkeypatch, **modules):
    """Modules of a package that is not here, with what the examples use of them."""
    for dotted, names in modules.items():
        parts = dotted.split("__")
        for end in range(1, len(parts) + 1):
            name = ".".join(parts[:end])
            if name not in sys.modules:
                monkeypatch.setitem(sys.modules, name, ModuleType(name))
        for name, value in names.items():
            setattr(sys.modules[".".join(parts)], name, value)


# ------------------------------------------------------------------------------ slime


class Sample:
    """slime's, as far as a data source fills it."""

    def __init__(self, prompt="", label=None):
        self.prompt, self.label, self.reward = prompt, label, None


class Source:
    """What slime's own data source with a buffer does for its subclasses."""

    def __init__(self, args):
        self.args, self.buffer = args, []
        self.sample_group_index = self.sample_index = 0

    def _get_samples_from_buffer(self, number):
        taken, self.buffer = self.buffer[:number], self.buffer[number:]
        return taken


class Tokenizer:
    def apply_chat_template(self, messages, tokenize, add_generation_prompt):
        assert (tokenize, add_generation_prompt) == (False, True)
        return f"<user>{messages[0]['content']}<assistant>"


@pytest.fixture(params=["slime__data__data_source", "slime__rollout__data_source"])
def slime(request, monkeypatch):
    """The example, beside sources of slime that have the data source in either place."""
    doubles(
        monkeypatch,
        **{request.param: {"RolloutDataSourceWithBuffer": Source}},
        slime__utils__types={"Sample": Sample},
        slime__utils__processing_utils={"load_tokenizer": lambda path, **_: Tokenizer()},
    )
    return example("slime/curriculum.py", monkeypatch)


def test_slime_draws_groups_and_reports_their_means(slime, counting):
    source = slime.CurriculumSource(SimpleNamespace(hf_checkpoint="x", n_samples_per_prompt=4))
    source.buffer = [["unfinished"]]
    first, *groups = source.get_samples(3)
    assert first == ["unfinished"]
    assert [len(group) for group in groups] == [4, 4]
    assert [sample.index for group in groups for sample in group] == [*range(8)]
    assert [{sample.group_index for sample in group} for group in groups] == [{0}, {1}]
    labels = [{sample.label for sample in group} for group in groups]
    assert all(len(each) == 1 for each in labels)
    assert labels[0] != labels[1]
    assert groups[0][0].prompt.startswith("<user>")
    for sample in groups[0]:
        sample.reward = 1.0
    slime.report(None, groups, source)
    assert counts(counting) == 1
    slime.report(None, [[[sample] for sample in group] for group in groups[:1]], source)
    assert counts(counting) == 2


SLIME = {
    *("advantage-estimator", "data-source-path", "global-batch-size", "hf-checkpoint", "load"),
    *("n-samples-per-prompt", "num-rollout", "rm-type", "rm-url", "rollout-batch-size"),
    *("rollout-all-samples-process-path", "rollout-max-response-len"),
}
"""Options of slime/utils/arguments.py at commit 002fa9d6bac4."""

ROLL = {
    "data_args": {"domain_interleave_probs", "file_name", "messages"},
    "rewards": {"infer_batch_size", "model_args", "tag_included", "worker_cls", "world_size"},
}
"""Fields of ROLL's DataArguments at commit 9cbbd0ebcb74, of its WorkerConfig at 044104da2ba6 and of
its RewardConfig at 2f732c04305e.
"""


def test_the_settings_of_examples_are_in_the_published_sources():
    script = (EXAMPLES / "slime/train.sh").read_text()
    options = {*re.findall(r"--([a-z-]+)", script)}
    assert options >= {"data-source-path", "rollout-all-samples-process-path"}
    assert not options - SLIME
    yaml = pytest.importorskip("yaml")
    config = yaml.safe_load((EXAMPLES / "roll/rlvr.yaml").read_text())
    assert {*config} == {"actor_train", "rewards"}
    assert not config["actor_train"]["data_args"].keys() - ROLL["data_args"]
    assert not config["rewards"]["palaestra"].keys() - ROLL["rewards"]


# ------------------------------------------------------------------------------ ROLL


class Worker:
    def __init__(self, worker_config):
        self.worker_config = worker_config
        self.rank_info = SimpleNamespace(rank=0, world_size=1)


class Batch:
    @classmethod
    def from_dict(cls, tensors):
        return tensors


@pytest.fixture
def roll(monkeypatch):
    pytest.importorskip("torch", reason="no torch here: .ci/adapters has it")
    texts = SimpleNamespace(batch_decode=lambda ids, skip_special_tokens: list(ids.texts))
    doubles(
        monkeypatch,
        roll__distributed__executor__worker={"Worker": Worker},
        roll__distributed__scheduler__decorator={
            "Dispatch": SimpleNamespace(ONE_TO_ALL=1, DP_MP_COMPUTE=2),
            "register": lambda **_: lambda method: method,
        },
        roll__distributed__scheduler__protocol={"DataProto": Batch},
        roll__models__model_providers={"default_tokenizer_provider": lambda model_args: texts},
    )
    return example("roll/rewards.py", monkeypatch)


def rewarded(roll, labels, replies):
    import torch

    ids = torch.zeros(len(replies), 5)
    ids.texts = replies
    worker = roll.PalaestraRewardWorker(SimpleNamespace(model_args=None))
    data = SimpleNamespace(batch={"responses": ids}, non_tensor_batch={"ground_truth": labels})
    return worker.compute_rewards(data)


def test_roll_scores_a_batch_and_reports_it(roll, counting):
    labels = [str(address) for address in counting.sample(2) for _ in range(2)]
    done = rewarded(roll, labels, [right(labels[0]), "no", right(labels[2]), right(labels[2])])
    assert done["scores"].tolist() == [1, 0, 1, 1]
    assert done["response_level_rewards"].tolist() == [1, 0, 1, 1]
    assert done["token_level_rewards"].shape == (4, 5)
    assert counts(counting) == 2


def test_roll_never_takes_a_fault_for_a_0(roll, counting, monkeypatch):
    monkeypatch.setattr(roll, "score_many", lambda items: [JudgeError("gone")])
    with pytest.raises(JudgeError):
        rewarded(roll, [f"{PUZZLE}?seed=1"], ["?"])
    assert counts(counting) == 0


def test_a_stage_of_roll_is_drawn_from_the_curriculum(counting, monkeypatch, tmp_path):
    file = tmp_path / "data/stage.jsonl"
    monkeypatch.setattr(sys, "argv", ["stage.py", "5", str(file)])
    runpy.run_path(str(EXAMPLES / "roll/stage.py"), run_name="__main__")
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert [{*row} for row in rows] == [{"messages", "ground_truth", "tag", "domain"}] * 5
    assert {row["domain"] for row in rows} == {"palaestra"}
    assert counting.state()["sampled"] == 5
    yaml = pytest.importorskip("yaml")
    config = yaml.safe_load((EXAMPLES / "roll/rlvr.yaml").read_text())
    assert rows[0]["tag"] in config["rewards"][rows[0]["domain"]]["tag_included"]


# ------------------------------------------------------------------------------ AReaL


def test_areal_draws_a_task_for_each_row_and_reports_each_reply(counting, monkeypatch):
    module = example("areal/curriculum.py", monkeypatch)
    tasks = module.CurriculumDataset(100)
    assert len(tasks) == 100
    rows = [tasks[0], tasks[0]]
    assert rows[0]["address"] != rows[1]["address"]
    address = rows[0].pop("address")
    assert rows[0]["messages"][0]["role"] == "user"
    assert module.reward("?", right(address), [], [], address=address, **rows[0]) == 1.0
    assert module.reward("?", "no", [], [], address=address, **rows[0]) == 0.0
    assert counts(counting) == 2


areal = pytest.mark.package("areal")


@areal
def test_areal_takes_the_configuration():
    from areal.api.cli_args import GRPOConfig, parse_cli_args, to_structured_cfg
    from omegaconf import OmegaConf
    from omegaconf.errors import ConfigKeyError

    file = str(EXAMPLES / "areal/grpo.yaml")
    config, _ = parse_cli_args(["--config", file, "actor.path=my-model"])
    config = OmegaConf.to_object(to_structured_cfg(config, config_cls=GRPOConfig))
    assert config.actor.path == config.tokenizer_path == config.sglang.model_path == "my-model"
    assert config.actor.reward_norm.group_size == config.gconfig.n_samples == 8
    config, _ = parse_cli_args(["--config", file, "+train_dataset.colour=red"])
    with pytest.raises(ConfigKeyError, match="colour"):
        to_structured_cfg(config, config_cls=GRPOConfig)


@areal
def test_areal_loads_our_data_set_and_scores_in_its_processes(counting, monkeypatch):
    from areal.api.cli_args import TrainDatasetConfig
    from areal.api.reward_api import AsyncRewardWrapper
    from areal.utils.dataloader import create_dataloader
    from areal.utils.dynamic_import import import_from_string

    monkeypatch.syspath_prepend(EXAMPLES / "areal")
    monkeypatch.setenv("PYTHONPATH", str(EXAMPLES / "areal"))
    tasks = import_from_string("curriculum.CurriculumDataset")(12)
    settings = TrainDatasetConfig(
        path="palaestra", type="rl", batch_size=4, num_workers=0, shuffle=False
    )
    batches = [*create_dataloader(tasks, 0, 1, settings)]
    assert [len(batch) for batch in batches] == [4, 4, 4]
    row = batches[0][0]
    wrapped = AsyncRewardWrapper(import_from_string("curriculum.reward"), timeout_seconds=300)

    async def scored():
        return [await wrapped("?", text, [1], [2], **row) for text in (right(row["address"]), "no")]

    assert asyncio.run(scored()) == [1.0, 0.0]
    assert counts(counting) == 2
