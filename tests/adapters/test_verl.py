"""veRL loads our reward, data set and agent loop by name, and gets along with them."""

import asyncio
import json
import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest

from palaestra.address import Address
from palaestra.episode import ANSWER_FORMATS
from palaestra.task import JudgeError
from palaestra.trainers import verl as adapter
from palaestra.trainers.rows import selected

PUZZLE = "logic/knights_and_knaves"
GAME = "games/mastermind"
ROOT = Path(__file__).parents[2]

real = pytest.mark.package("verl")


def solved(address, answer_format="tags"):
    return [
        ANSWER_FORMATS[answer_format].write(move) for move in Address.parse(address).task().solve()
    ]


# ------------------------------------------------------------------------------ without veRL


def test_a_reply_is_scored_by_the_address_of_its_row():
    address = str(Address.of(PUZZLE, 3, 1))
    (right,) = solved(address)
    result = adapter.compute_score("palaestra/x", right, address, {"answer_format": "tags"}, more=1)
    assert result == {"score": 1.0, "acc": 1.0, "answered": 1.0, "unscored": 0.0}
    assert adapter.compute_score("x", "", address)["answered"] == 0.0
    (boxed,) = solved(address, "boxed")
    assert adapter.compute_score("x", boxed, address, {"answer_format": "boxed"})["score"] == 1.0
    assert adapter.compute_score("x", right, address, answer_format="boxed")["score"] == 0.0


def test_what_cannot_be_scored_raises_unless_a_number_is_named_for_it(monkeypatch):
    tried = []
    fault = JudgeError("no")
    monkeypatch.setattr(adapter, "score_many", lambda items: tried.append(items) or [fault])
    with pytest.raises(JudgeError):
        adapter.compute_score("x", "y", "z")
    assert len(tried) == adapter.TRIES
    result = adapter.compute_score("x", "y", "z", unscored=0.0)
    assert result == {"score": 0.0, "acc": 0.0, "answered": 0.0, "unscored": 1.0}


@pytest.mark.parametrize(
    ("gold", "reply", "answer_format", "score"),
    [
        ("42", r"It is \boxed{42}.", None, 1.0),
        ("42", "Answer: 42.0", None, 1.0),
        ("42", "<answer>42</answer>", None, 1.0),
        ("42", "It is 42.", None, 0.0),
        ("42", r"It is \boxed{43}.", None, 0.0),
        ("42", "<answer>42</answer>", "boxed", 0.0),
        ("42", "42", "bare", 1.0),
        (42, r"\boxed{42}", None, 1.0),
        (0.25, r"\boxed{\frac14}", None, 1.0),
        (["Paris", "Lutetia"], "Answer: Lutetia", None, 1.0),
        (r"\frac{\sqrt{2}}{2}", r"\boxed{1/\sqrt{2}}", None, 1.0),
        ("12 km/h", r"\boxed{12\text{ km/h}}", None, 1.0),
        ("km/h", r"\boxed{km/h}", None, 1.0),
        ("x/y", r"\boxed{\frac{x}{y}}", None, 1.0),
        ("Half of 84.\n#### 42", r"\boxed{42}", None, 1.0),
        (r"Half of 84 is $\boxed{42}$.", "Answer: 42", None, 1.0),
    ],
)
def test_a_plain_gold_answer_is_a_ground_truth_too(gold, reply, answer_format, score):
    for source in ("math", "openai/gsm8k", "lighteval/MATH"):
        scored = adapter.compute_score(source, reply, gold, None, answer_format=answer_format)
        assert scored["score"] == scored["acc"] == score
        assert scored["unscored"] == 0.0


@pytest.mark.parametrize(
    ("source", "truth", "message"),
    [
        (f"palaestra/{PUZZLE}", "42", "is not the address of a task"),
        (PUZZLE, "42", "is not the address of a task"),
        ("math", f"{PUZZLE}s?seed=3", f"did you mean {PUZZLE}"),
        ("math", "", "empty"),
        ("math", None, "empty"),
        ("math", {"answer": 1}, "dict with the keys answer"),
        ("math", PUZZLE, "has no seed"),
    ],
)
def test_a_ground_truth_that_is_neither_is_an_error(source, truth, message):
    with pytest.raises((ValueError, LookupError), match=message):
        adapter.compute_score(source, "<answer>42</answer>", truth, unscored=0.0)


def test_the_reward_imports_neither_torch_nor_verl():
    code = "import sys, palaestra.trainers.verl as v; pickle = __import__('pickle'); "
    code += "pickle.loads(pickle.dumps(v.compute_score)); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"torch", "verl", "ray", "datasets"} & set(done.stdout.split())


# ------------------------------------------------------------------------------ with veRL


@pytest.fixture
def settings(tmp_path, tokenizer, model):
    """veRL's own configuration with what a user would write on the command line."""

    def made(*overrides):
        import verl
        from hydra import compose, initialize_config_dir

        place = tmp_path / "model"
        tokenizer.save_pretrained(place)
        model.save_pretrained(place)
        agents = tmp_path / "agents.yaml"
        agents.write_text("- {name: palaestra, _target_: palaestra.trainers.verl.EpisodeLoop}\n")
        folder = Path(verl.__file__).parent / "trainer/config"
        with initialize_config_dir(str(folder), version_base=None):
            return compose(
                "ppo_trainer",
                [
                    "reward.custom_reward_function.path=pkg://palaestra.trainers.verl",
                    "data.custom_cls.path=pkg://palaestra.trainers.verl",
                    "data.custom_cls.name=Tasks",
                    f'data.train_files=["{PUZZLE}?level=1&seeds=0:6","{GAME}?seeds=0:2"]',
                    f"actor_rollout_ref.model.path={place}",
                    f"actor_rollout_ref.rollout.agent.agent_loop_config_path={agents}",
                    "actor_rollout_ref.rollout.agent.default_agent_loop=palaestra",
                    "data.filter_overlong_prompts=True",
                    "data.max_prompt_length=4000",
                    "actor_rollout_ref.rollout.name=vllm",
                    "actor_rollout_ref.rollout.calculate_log_probs=True",
                    "actor_rollout_ref.rollout.prompt_length=4000",
                    "actor_rollout_ref.rollout.response_length=3000",
                    *overrides,
                ],
            )

    return made


@real
def test_verl_loads_the_reward_by_its_name_and_scores_in_a_ray_actor(settings, tokenizer):
    import numpy as np
    import ray
    import torch
    from verl import DataProto
    from verl.experimental.reward_loop.reward_loop import RewardLoopWorker

    address = str(Address.of(PUZZLE, 3, 1))
    ids = torch.tensor([tokenizer.encode(solved(address)[0] + "<|im_end|>")])
    data = DataProto.from_dict(
        {"responses": ids, "attention_mask": torch.ones_like(ids)},
        {
            "data_source": np.array([f"palaestra/{PUZZLE}"], dtype=object),
            "reward_model": np.array([{"ground_truth": address}], dtype=object),
            "extra_info": np.array([{"answer_format": "tags"}], dtype=object),
        },
    )
    config = settings("+reward.custom_reward_function.reward_kwargs.unscored=0.0")
    ray.init(num_cpus=1, include_dashboard=False, configure_logging=False)
    try:
        worker = ray.remote(RewardLoopWorker).remote(config)
        result = ray.get(worker.compute_score.remote(data))
    finally:
        ray.shutdown()
    assert result["reward_score"] == 1.0
    assert result["reward_extra_info"]["acc"] == 1.0


@real
def test_verl_reads_our_selections_as_its_data_set(settings, tokenizer):
    from verl.utils.dataset.rl_dataset import collate_fn, get_dataset_class

    config = settings("+data.answer_format=boxed")
    kind = get_dataset_class(config.data)
    assert pickle.loads(pickle.dumps(kind)) is kind
    data = kind(config.data.train_files, tokenizer, config.data)
    assert len(data) == 8
    batch = collate_fn([data[0], data[7]])
    assert batch["raw_prompt"][0][0]["content"].endswith("\\boxed{}.")
    assert batch["reward_model"][1]["ground_truth"].startswith(f"{GAME}@1?")
    assert batch["extra_info"][1]["index"] == 7
    assert {row["extra_info"]["answer_format"] for row in data} == {"boxed"}
    few = kind(config.data.train_files, tokenizer, config.data, max_samples=3)
    assert len(few) == 3
    few.resume_dataset_state()
    assert len(few) == 3
    config.data.max_prompt_length = 5
    assert len(kind(config.data.train_files, tokenizer, config.data)) == 0


@real
def test_verl_reads_files_of_questions_among_our_selections(settings, tokenizer, tmp_path):
    from verl.utils.dataset.rl_dataset import get_dataset_class

    file = tmp_path / "maths.jsonl"
    file.write_text(
        '{"problem": "6 * 7?", "answer": 42}\n{"problem": "Half of 1?", "answer": "1/2"}'
    )
    config = settings(
        f'data.train_files=["{file}","{PUZZLE}?seeds=0:2"]', "+data.answer_format=any"
    )
    data = get_dataset_class(config.data)(config.data.train_files, tokenizer, config.data)
    truths = [row["reward_model"]["ground_truth"] for row in data]
    assert truths[:2] == ["42", "1/2"]
    assert truths[2].startswith(f"{PUZZLE}@")
    scores = [
        adapter.compute_score(
            row["data_source"],
            r"\boxed{0.5}",
            row["reward_model"]["ground_truth"],
            row["extra_info"],
        )["score"]
        for row in data
    ]
    assert scores == [0.0, 1.0, 0.0, 0.0]


class Server:
    """A server of language that knows what it says beforehand, with log-probabilities."""

    def __init__(self, tokenizer, replies):
        self.tokenizer, self.replies, self.asked = tokenizer, iter(replies), []

    async def generate(self, request_id, prompt_ids, sampling_params, **_):
        from verl.workers.rollout.replica import TokenOutput

        self.asked.append(list(prompt_ids))
        ids = self.tokenizer.encode(next(self.replies) + "<|im_end|>")
        return TokenOutput(token_ids=ids, log_probs=[-0.5] * len(ids), num_preempted=0)


def played(config, tokenizer, replies, address, **options):
    """An episode in veRL's own agent loop worker, all but its engine."""
    import numpy as np
    import torch
    from verl.experimental.agent_loop.agent_loop import AgentLoopWorker
    from verl.protocol import DataProto

    from palaestra.scoring import opening
    from palaestra.trainers.rows import row_of

    server = Server(tokenizer, replies)

    async def run():
        worker = AgentLoopWorker(config, server)
        row = row_of(opening(Address.parse(address)))
        columns = {
            "raw_prompt": row["prompt"],
            **{k: row[k] for k in ("reward_model", "extra_info")},
        }
        batch = {}
        for name, value in columns.items():
            batch[name] = np.empty(1, dtype=object)
            batch[name][0] = value
        data = DataProto.from_dict({"dummy": torch.zeros(1, 1)}, batch)
        return await worker.generate_sequences(data)

    return asyncio.run(run()), server


@real
def test_verl_plays_a_game_in_our_agent_loop(settings, tokenizer):
    address = str(Address.of(GAME, 5))
    plan = solved(address)
    assert len(plan) > 1
    output, server = played(settings(), tokenizer, plan, address)
    ids, mask = output.batch["responses"][0], output.batch["response_mask"][0].bool()
    assert tokenizer.decode(ids[mask]) == "".join(f"{move}<|im_end|>" for move in plan)
    observations = tokenizer.decode(ids[~mask], skip_special_tokens=True)
    assert "<answer>" not in observations
    assert len(server.asked) == len(plan)
    assert server.asked[1][: len(server.asked[0])] == server.asked[0]
    assert output.batch["rm_scores"].sum() == 1.0
    last = output.batch["attention_mask"][0, -len(ids) :].sum() - 1
    assert output.batch["rm_scores"][0, last] == 1.0
    assert (output.batch["rollout_log_probs"][0][mask] == -0.5).all()
    assert output.non_tensor_batch["acc"][0] == 1.0


@real
def test_an_endpoint_words_what_users_say_in_our_agent_loop(settings, tokenizer, tmp_path, user):
    address = str(Address.of("tools/small_shop", 5))
    agents = tmp_path / "worded.yaml"
    loop = {"name": "palaestra", "_target_": "palaestra.trainers.verl.EpisodeLoop"}
    agents.write_text(json.dumps([{**loop, "user": user.options}]))
    config = settings(
        f"actor_rollout_ref.rollout.agent.agent_loop_config_path={agents}",
        "actor_rollout_ref.rollout.response_length=8000",
    )
    output, _ = played(config, tokenizer, solved(address), address)
    assert output.batch["rm_scores"].sum() == 1.0
    assert user.seen
    ids, mask = output.batch["responses"][0], output.batch["response_mask"][0].bool()
    assert "Mhm. " in tokenizer.decode(ids[~mask])


@real
def test_an_episode_that_does_not_fit_scores_nothing(settings, tokenizer):
    address = str(Address.of(GAME, 5))
    config = settings("actor_rollout_ref.rollout.response_length=60")
    output, _ = played(config, tokenizer, ["<answer>no</answer>" + "x" * 30] * 9, address)
    assert output.batch["responses"].shape[1] == 60
    assert output.batch["rm_scores"].sum() == 0


@real
def test_the_loop_pays_by_a_recipe_and_by_tokens(settings, tokenizer, tmp_path):
    address = str(Address.of(GAME, 5))
    plan = solved(address)
    limit = max(map(len, plan)) + 1  # a tokenizer of bytes, and the end of a turn
    for most, paid in ((limit, 1.0), (limit - 1, 0.0)):
        agents = tmp_path / "shaped.yaml"
        agents.write_text(
            "- {name: palaestra, _target_: palaestra.trainers.verl.EpisodeLoop, recipe:"
            f' "Truth(wrong=-1, partial=0) + SoftOverlong(limit={most + 1}, buffer=1)"}}\n'
        )
        path = f"actor_rollout_ref.rollout.agent.agent_loop_config_path={agents}"
        output, _ = played(settings(path), tokenizer, plan, address)
        assert output.batch["rm_scores"].sum() == paid
        assert output.non_tensor_batch["acc"][0] == 1.0


@real
def test_a_single_reply_goes_through_the_loop_too(settings, tokenizer):
    address = str(Address.of(PUZZLE, 5))
    output, _ = played(settings(), tokenizer, solved(address), address)
    assert output.batch["rm_scores"].sum() == 1.0
    assert output.non_tensor_batch["__num_turns__"][0] == 2


@real
def test_a_gold_answer_goes_through_reward_and_loop_of_verl(settings, tokenizer):
    import numpy as np
    import torch
    from verl import DataProto
    from verl.experimental.agent_loop.agent_loop import AgentLoopWorker
    from verl.trainer.ppo.reward import get_custom_reward_fn

    config = settings()
    score = get_custom_reward_fn(config)
    assert score("math", r"\boxed{42}", "42", None)["score"] == 1.0
    columns = {
        "raw_prompt": [{"role": "user", "content": "6 * 7?"}],
        "data_source": "math",
        "reward_model": {"answer_format": "rule", "ground_truth": "42"},
        "extra_info": {"index": 0},
    }
    batch = {name: np.empty(1, dtype=object) for name in columns}
    for name, value in columns.items():
        batch[name][0] = value
    data = DataProto.from_dict({"dummy": torch.zeros(1, 1)}, batch)

    async def run():
        server = Server(tokenizer, [r"It is \boxed{42}."])
        return await AgentLoopWorker(config, server).generate_sequences(data)

    assert asyncio.run(run()).batch["rm_scores"].sum() == 1.0


@real
def test_the_example_sets_what_verl_has():
    """Its configuration takes each setting of the script, and of the page."""
    import verl
    from hydra import compose, initialize_config_dir

    script = (ROOT / "examples/verl/grpo.sh").read_text()
    options = re.findall(r"^  ([a-z_.]+=.*?) \\$", script, re.MULTILINE)
    options += [
        "+reward.custom_reward_function.reward_kwargs.unscored=0.0",
        "+data.answer_format=boxed",
    ]
    settings = [each.replace("'", "").replace('"$model"', "my-model") for each in options]
    assert len(settings) > 15
    folder = Path(verl.__file__).parent / "trainer/config"
    with initialize_config_dir(str(folder), version_base=None):
        config = compose("ppo_trainer", settings)
    assert config.data.custom_cls.name == "Tasks"
    for wish in (*config.data.train_files, *config.data.val_files):
        assert next(selected(wish))
    agents = ROOT / config.actor_rollout_ref.rollout.agent.agent_loop_config_path
    assert "palaestra.trainers.verl.EpisodeLoop" in agents.read_text()


# ------------------------------------------------------------------------------ its sandbox


@pytest.fixture(scope="module")
def sandbox_url():
    """Where veRL's ``reward.sandbox_fusion.url`` points."""
    from palaestra.server.launcher import background_server

    with background_server() as url:
        yield f"{url}/run_code"


@real
def test_the_client_of_verl_runs_programs_in_our_sandbox(sandbox_url):
    from verl.utils.reward_score.sandbox_fusion.utils import check_correctness

    def checked(generation, outputs, timeout=2, **more):
        tests = {"inputs": ["41"] * len(outputs), "outputs": outputs}
        results, metadata = check_correctness(
            sandbox_url, tests | more.pop("tests", {}), generation, timeout=timeout, **more
        )
        return results, [each["status"] for each in metadata]

    program = "print(int(input()) + 1)"
    assert checked(program, ["42", "43"]) == ([True, False], ["success", "wrong_answer"])
    assert checked("raise SystemExit(1)", ["42"]) == ([-2], ["runtime_error"])
    endless = "import time\nwhile time.time(): pass"
    assert checked(endless, ["42"], 1) == ([-3], ["timeout"])
    called = {"fn_name": "f"}
    function = "def f(n):\n    return n + 1"
    assert checked(function, ["42"], tests=called) == ([True], ["success"])
    assert checked("print(1)", ["1"], language="go") == ([-1], ["sandbox_error"])
    eaten = "x = bytearray(900 << 20)"
    assert checked(eaten, ["1"], memory_limit_mb=256) == ([-2], ["runtime_error"])


@real
def test_the_client_of_verl_compiles_in_our_sandbox(sandbox_url):
    from verl.utils.reward_score.sandbox_fusion.utils import check_correctness

    from palaestra.verifiers.sandbox import sandbox

    if "c++" not in sandbox().languages():
        pytest.skip("no C++ here")
    tests = {"inputs": ["41"], "outputs": ["42"]}
    good = "#include <iostream>\nint main() { int n; std::cin >> n; std::cout << n + 1; }"
    for program, result in ((good, True), ("int main() { return n; }", -4)):
        results, _ = check_correctness(sandbox_url, tests, program, timeout=30, language="cpp")
        assert results == [result]


@real
def test_the_reward_of_verl_scores_by_our_sandbox(sandbox_url):
    """The way that rows of its own data sets of code take, with its own reward manager."""
    from verl.utils.reward_score import default_compute_score

    tests = json.dumps({"inputs": ["41", "1"], "outputs": ["42", "2"]})
    for program, score in (("print(int(input()) + 1)", 1), ("print(42)", 0.5), ("1 / 0", 0)):
        reply = f"So:\n```python\n{program}\n```"
        result = default_compute_score(
            "codecontests", reply, tests, sandbox_fusion_url=sandbox_url, memory_limit_mb=1024
        )
        assert (result if isinstance(result, float) else result["score"]) == score
