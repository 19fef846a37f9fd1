"""The curriculum as veRL's training set, with its own loader, configuration and batches."""

import pickle
import re
from pathlib import Path

import pytest

from palaestra.address import Address
from palaestra.trainers.rows import selected

pytest.importorskip("verl", reason="no verl here: .ci/adapters has it")

RECIPE = Path(__file__).parents[2] / "examples/verl"
PUZZLE, GAME = "logic/knights_and_knaves", "games/mastermind"
OPTIONS = (
    "data.custom_cls.path=pkg://palaestra.trainers.verl_curricula",
    "data.custom_cls.name=CurriculumTasks",
    "data.dataloader_num_workers=0",
    "data.max_prompt_length=4000",
    "data.train_batch_size=4",
    "+data.curriculum.tasks=12",
    "+data.curriculum.strategy=frontier",
    "+data.curriculum.least=4",
    "+data.curriculum.unlock=0.5",
    f'data.val_files=["{PUZZLE}?level=1&split=eval&seeds=0:3"]',
)


def composed(*overrides):
    """veRL's own configuration with what a user would write on the command line."""
    import verl
    from hydra import compose, initialize_config_dir

    folder = Path(verl.__file__).parent / "trainer/config"
    with initialize_config_dir(str(folder), version_base=None):
        return compose("ppo_trainer", [*overrides])


@pytest.fixture
def mixture(tmp_path):
    file = tmp_path / "mixture.yaml"
    file.write_text(f"environments: {{{PUZZLE}: 1}}\nlevels: {{{PUZZLE}: [0, 1]}}\n")
    return f'data.train_files=["{file}"]'


@pytest.fixture
def loaded(tokenizer, mixture):
    """The data set and the loader that veRL makes of a configuration."""

    def load(*overrides):
        from torchdata.stateful_dataloader import StatefulDataLoader
        from verl.trainer.ppo.utils import create_rl_dataset, create_rl_sampler
        from verl.utils.dataset.rl_dataset import collate_fn

        data = composed(*OPTIONS, mixture, *overrides).data
        tasks = create_rl_dataset(data.train_files, data, tokenizer, None)
        loader = StatefulDataLoader(
            dataset=tasks,
            batch_size=data.train_batch_size,
            num_workers=data.dataloader_num_workers,
            drop_last=True,
            collate_fn=collate_fn,
            sampler=create_rl_sampler(data, tasks),
        )
        return tasks, loader

    return load


def batch_of(rows, value, group=2):
    """What veRL hands over at the end of a batch: every reply with what was logged of it."""
    import numpy as np
    from verl import DataProto

    columns = {name: rows[name] for name in ("reward_model", "uid") if name in rows}
    data = DataProto.from_dict({"dummy_tensor": rows["dummy_tensor"]}, columns)
    data = data.repeat(repeat_times=group, interleave=True)
    number = len(data)
    data.non_tensor_batch["acc"] = np.full(number, value)
    data.non_tensor_batch["unscored"] = np.zeros(number)
    return data


def levels(rows):
    return {Address.parse(row["ground_truth"]).level for row in rows["reward_model"]}


def test_the_tasks_of_an_epoch_follow_its_batches(loaded):
    tasks, loader = loaded()
    assert len(loader) == 3
    seen = []
    for _epoch in range(2):
        for rows in loader:
            seen.append(levels(rows))
            tasks.on_batch_end(batch=batch_of(rows, 1.0))
    assert seen[0] == {0}
    assert 1 in set.union(*seen[2:])
    assert len(seen) == 6


def test_a_resumed_run_goes_on_with_tasks_and_curriculum(loaded):
    tasks, loader = loaded()
    passes = iter(loader)
    tasks.on_batch_end(batch=batch_of(next(passes), 1.0))
    state = pickle.loads(pickle.dumps(loader.state_dict()))
    rest = [rows["reward_model"] for rows in passes]

    again, loader = loaded("+data.curriculum.seed=7")
    loader.load_state_dict(state)
    assert [[*rows["reward_model"]] for rows in loader] == [[*rows] for rows in rest]
    assert again.live.curriculum.rates == tasks.live.curriculum.rates
    assert again.live.curriculum.counts[0] > 0


def test_long_prompts_are_no_part_of_it(loaded, tokenizer):
    def lengths(tasks):
        texts = [
            tokenizer.apply_chat_template(
                tasks[n]["raw_prompt"], add_generation_prompt=True, tokenize=False
            )
            for n in range(12)
        ]
        return sorted(len(tokenizer(text)["input_ids"]) for text in texts)

    middle = lengths(loaded()[0])[5]
    short = "data.filter_overlong_prompts=True"
    assert lengths(loaded(short, f"data.max_prompt_length={middle}")[0])[-1] <= middle
    with pytest.raises(ValueError, match="raise it, or leave the level out"):
        loaded(short, "data.max_prompt_length=20")[0][0]


def test_the_validation_set_is_a_selection(tokenizer, mixture):
    from verl.trainer.ppo.utils import create_rl_dataset

    data = composed(*OPTIONS, mixture).data
    tasks = create_rl_dataset(data.val_files, data, tokenizer, None)
    assert [row["reward_model"]["ground_truth"] for row in tasks] == [
        *map(str, selected(f"{PUZZLE}?level=1&split=eval&seeds=0:3"))
    ]
    tasks.on_batch_end(batch=None)
    assert tasks.state_dict() == {}
    assert pickle.loads(pickle.dumps(type(tasks))) is type(tasks)


def test_what_cannot_follow_is_refused(loaded):
    with pytest.raises(ValueError, match=r"needs data\.dataloader_num_workers=0"):
        loaded("data.dataloader_num_workers=2")
    with pytest.raises(ValueError, match="the only file of its data set"):
        loaded(f'data.train_files=["mixture.yaml","{PUZZLE}?seeds=0:2"]')
    with pytest.raises(ValueError, match="frontier has no unlocks"):
        loaded("+data.curriculum.unlocks=1")


def test_the_recipe_sets_what_verl_has(monkeypatch, tokenizer):
    from verl.trainer.ppo.utils import create_rl_dataset

    monkeypatch.chdir(RECIPE)
    script = Path("curriculum.sh").read_text()
    options = re.findall(r"^  (\+?[a-z_.]+=.*?) \\$", script, re.MULTILINE)
    options = [each.replace("'", "").replace('"$model"', "my-model") for each in options]
    assert len(options) > 20
    data = composed(*options).data
    tasks = create_rl_dataset(data.train_files, data, tokenizer, None)
    assert len(tasks) == 12_800
    assert tasks.live.fits(tasks[0])
    assert next(selected(data.val_files[0]))
