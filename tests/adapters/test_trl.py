"""TRL's own trainer takes our data, rewards, environments, rollouts and curricula."""

import json
import math
import multiprocessing
import pickle
import runpy
import threading
from pathlib import Path

import pytest
from tests.adapters.trl_runs import Scripted, solved, trained

from palaestra.address import Address
from palaestra.labels import COLUMNS, BadLabel
from palaestra.scoring import any_task
from palaestra.trainers import trl
from palaestra.trainers.curricula import cells, make
from palaestra.trainers.stepwise import Steps

PUZZLE = "logic/knights_and_knaves"
GAME = "games/mastermind"
WORLD = "tools/meeting_desk"
SHOP = "tools/small_shop"
ROOT = Path(__file__).parents[2]

real = pytest.mark.package("trl")


# ------------------------------------------------------------------------------ without TRL


def test_rewards_are_scores_in_either_form_of_a_completion():
    (row,) = trl.rows(PUZZLE, [5], level=1, answer_format="boxed")
    assert row["prompt"][0]["content"].endswith("\\boxed{}.")
    (right,) = solved(row["address"], "boxed")
    completions = [right, [{"role": "assistant", "content": right}], "no", [{"content": None}]]
    columns = {"address": [row["address"]] * 4, "answer_format": ["boxed"] * 4}
    assert trl.reward(completions, **columns, trainer_state=None) == [1.0, 1.0, 0.0, 0.0]


def test_what_cannot_be_scored_has_no_reward():
    """Here a gold answer that is none."""
    assert trl.reward(["Answer: 1", "Answer: 1"], answer=[r"\frac{1}{0}", "1"]) == [None, 1.0]


@pytest.mark.parametrize("column", COLUMNS)
def test_plain_gold_answers_are_columns_too(column):
    replies = [r"so \boxed{0.5}", [{"content": "Answer: 2/4"}], "<answer>3</answer>", "0.5"]
    golds = {column: [r"\frac{1}{2}", 0.5, "2", "1/2"]}
    assert trl.reward(replies, **golds, prompts=["?"] * 4) == [1.0, 1.0, 0.0, 0.0]


def test_rows_of_both_kinds_go_together():
    """As data sets that were put together have them: what a row lacks is None."""
    (row,) = trl.rows(PUZZLE, [5])
    columns = {
        "address": [row["address"], None, None],
        "answer_format": ["tags", None, "boxed"],
        "answer": [None, 42, None],
        "solution": [None, r"Twice 21 is \boxed{42}.", r"Half of 84 is \boxed{42}."],
    }
    replies = [*solved(row["address"]), "Answer: 42", "Answer: 42"]
    assert trl.reward(replies, **columns) == [1.0, 1.0, 0.0]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"address": ["42"]}, "plain gold answer goes into a separate column, such as 'answer'"),
        ({"address": ["logic/knights_and_knave?seed=1"]}, "did you mean logic/knights_and_knaves"),
        ({"answer": ["games/mastermnd?seed=1"]}, "did you mean games/mastermind"),
        ({"answer": ["games/mastermind@99?seed=1"]}, "version 1, not 99"),
        ({"answer": ["games/mastermind?sed=1"]}, "no knob 'sed'"),
        ({"env": ["games/mastermind"], "label": ["games/mastermind"]}, "has no seed"),
        ({"data_source": ["palaestra/x"], "label": ["palaestra/games/mastermind"]}, "did you mean"),
        ({"anwser": ["42"]}, "a column 'anwser'; rename it to 'answer'"),
        ({"reply": ["42"]}, "none is called 'address', 'answer'"),
        ({"answer": [None]}, "empty in 'answer'"),
        ({"answer": [" "]}, "empty in 'answer'"),
        ({"answer": [{"value": 42}]}, "dict with the keys value"),
        ({}, "neither an address nor a gold answer"),
    ],
)
def test_a_wrong_column_is_an_error_and_never_a_run_without_rewards(columns, message):
    with pytest.raises((ValueError, LookupError), match=message):
        trl.reward(["42"], **columns, prompts=["?"], trainer_state=None)


def test_rewards_are_picklable_and_scored_off_the_main_thread():
    (row,) = trl.rows(PUZZLE, [5])
    judge, rewards = pickle.loads(pickle.dumps(trl.reward)), []
    thread = threading.Thread(
        target=lambda: rewards.extend(judge(solved(row["address"]), [row["address"]]))
    )
    thread.start()
    thread.join()
    assert rewards == [1.0]


def test_tool_methods_have_the_names_and_types_of_the_tools():
    kind = trl.environment("tools/small_shop")
    assert kind.return_item.__annotations__["order"] is int
    assert "Args:" in kind.return_item.__doc__
    assert {"find_customer", "refuse", "done"} <= set(vars(kind))


def test_arguments_may_have_several_types():
    """The content of a cell is a text or a number."""
    method = trl.environment("tools/spreadsheet_desk").set_cell
    assert method.__annotations__["content"] == str | float


def test_a_world_is_played_through_methods():
    address = str(Address.of(WORLD, 3, 0, "train"))
    played = trl.environment(WORLD)()
    played.reset(address=address, prompt="more columns")
    for move in Address.parse(address).task().solve():
        if move != "done":
            call = json.loads(move)
            observation = getattr(played, call["tool"])(**call["args"])
            assert "Error" not in observation
    assert played.get_reward() == 1.0  # left as it stands
    assert played.list_rooms() == "It is over."
    played.reset(address=address)
    assert played.get_reward() == 0.0


def test_a_puzzle_with_a_tool_is_answered_through_a_method():
    address = Address.of("arithmetic/word_problem+tools(calculator,2)", 1, 2, "train")
    kind = trl.environment(address.env)
    assert {"calculator", "answer"} <= set(vars(kind))
    assert "done" not in vars(kind)
    for answer, value in (next(iter(address.task().solve())), 1), ("-7", 0), (None, 0):
        played = kind()
        played.reset(address=str(address))
        assert played.calculator(expression="6 * 7").startswith("42\n")
        if answer is not None:
            played.answer(text=answer)
        assert played.get_reward() == value


def test_a_combination_that_refuses_the_lowest_level_has_methods():
    kind = trl.environment(f"{PUZZLE}+retry(3)")
    assert "answer" in vars(kind)


def test_a_game_is_played_through_one_method():
    address = str(Address.of(GAME, 3, 0, "train"))
    played = trl.environment(GAME)()
    played.reset(address=address)
    assert played.get_reward() == 0.0
    for move in Address.parse(address).task().solve():
        played.answer(move=move)
    assert played.get_reward() == 1.0


def test_what_cannot_be_judged_in_a_world_has_no_reward(monkeypatch):
    played = trl.environment(GAME)()
    played.reset(address=str(Address.of(GAME)))
    monkeypatch.setattr(played._steps.episode, "step", lambda move: 1 / 0)
    assert "ZeroDivisionError" in played.answer(move="1")
    assert played.get_reward() is None


def test_an_endpoint_words_what_users_say_to_calls(user):
    address = str(Address.of(SHOP, 3))
    plain, worded = trl.environment(SHOP)(), trl.environment(SHOP, user.options)()
    for each in (plain, worded):
        each.reset(address=address)
    differ = 0
    for move in Address.parse(address).task().solve():
        if move == "done":
            continue
        call = json.loads(move)
        results = [getattr(each, call["tool"])(**call["args"]) for each in (plain, worded)]
        differ += results[0] != results[1]
    assert differ
    assert user.seen
    assert plain.get_reward() == worded.get_reward() == 1.0
    with pytest.raises(ValueError, match="both a base URL and a model"):
        trl.rollout(user={"model": "user"})


def test_a_row_without_an_address_is_refused():
    with pytest.raises(ValueError, match="no address"):
        trl.environment(GAME)().reset(prompt="x")


def test_a_stream_tells_its_curriculum_of_groups_of_training():
    curriculum = make("adarft", cells({GAME: 1.0}, levels=range(3)))
    stream = trl.Stream(curriculum, judge=lambda completions, address, **_: completions)
    mine, other = str(Address.of(GAME, 1)), str(Address.of(GAME, 1, split="eval"))
    assert stream.reward(completions=[1.0, 0.5], address=[mine] * 2) == [1.0, 0.5]
    before = curriculum.difficulty[GAME]
    assert before > 0
    stream.reward(completions=[1.0, None], address=[other, mine])
    assert curriculum.difficulty[GAME] == before


def _one_of_two(rank, place, value, results):
    from torch import distributed

    distributed.init_process_group("gloo", f"file://{place}", rank=rank, world_size=2)
    curriculum = make("adarft", cells({GAME: 1.0}), seed=1)
    stream = trl.Stream(curriculum, judge=lambda address, **_: [value] * len(address))
    row = next(stream.rows())
    stream.reward(address=[row["address"]])
    results.put((row["address"], curriculum.difficulty[GAME]))
    results.close()
    results.join_thread()
    distributed.destroy_process_group()


@pytest.mark.package("trl")  # with torch, in an environment where children find this file
def test_curricula_of_several_processes_stay_alike(tmp_path, monkeypatch):
    """One earns nothing and the other everything: both learn of the mean."""
    monkeypatch.setenv("GLOO_SOCKET_IFNAME", "lo")
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    both = [
        context.Process(target=_one_of_two, args=(rank, tmp_path / "meeting", value, results))
        for rank, value in enumerate([0.25, 1.0])
    ]
    for each in both:
        each.start()
    states = [results.get(timeout=600) for _ in both]
    for each in both:
        each.join(600)
    alone = make("adarft", cells({GAME: 1.0}))
    alone.update([(states[0][0], 0.625)])
    assert states == [(states[0][0], alone.difficulty[GAME])] * 2


# ------------------------------------------------------------------------------ with TRL


@real
def test_trl_trains_on_plain_gold_answers(config, model, tokenizer):
    from datasets import Dataset

    rows = Dataset.from_list([{"prompt": f"{n} + 1?", "answer": str(n + 1)} for n in range(8)])
    batches = []

    def reward(completions, **columns):
        batches.append(trl.reward(completions, **columns))
        return batches[-1]

    trained(model, tokenizer, config(), train_dataset=rows, reward_funcs=reward)
    assert batches
    assert all(value in {0.0, 1.0} for values in batches for value in values)


@real
def test_trl_stops_where_a_column_is_wrong(config, model, tokenizer):
    from datasets import Dataset

    rows = Dataset.from_list([{"prompt": f"{n} + 1?", "reply": str(n + 1)} for n in range(8)])
    with pytest.raises(BadLabel, match="of its columns"):
        trained(model, tokenizer, config(), train_dataset=rows, reward_funcs=trl.reward)


@real
def test_trl_trains_on_our_rows_and_rewards(model, tokenizer, config):
    seen = []

    def judge(completions, **columns):
        seen.append(columns["address"])
        return [float(len(completion[0]["content"]) % 2) for completion in completions]

    before = [each.clone() for each in model.parameters()]
    data = trl.dataset(PUZZLE, range(8))
    trainer = trained(
        model, tokenizer, config(), reward_funcs=[trl.reward, judge], train_dataset=data
    )
    logged = [entry for entry in trainer.state.log_history if "rewards/reward/mean" in entry]
    assert len(logged) == 2
    assert all(entry["rewards/reward/mean"] == 0 for entry in logged)
    # Members of a group play the same task, and each batch is of two tasks.
    assert all(batch[0] == batch[1] != batch[2] == batch[3] for batch in seen)
    assert any((old != new).any() for old, new in zip(before, model.parameters()))


@real
def test_trl_leaves_out_what_has_no_reward(model, tokenizer, config):
    from datasets import Dataset

    unreadable = {"answer": r"\frac{1}{0}", "answer_format": "bare"}
    data = Dataset.from_list([{"prompt": f"{n} / 0?", **unreadable} for n in range(4)])
    before = [each.clone() for each in model.parameters()]
    trained(model, tokenizer, config(beta=0.0), reward_funcs=trl.reward, train_dataset=data)
    assert all((old == new).all() for old, new in zip(before, model.parameters()))


@real
def test_trl_plays_games_in_turns_of_text(model, tokenizer, config):
    from trl import GRPOTrainer

    data = trl.dataset(GAME, range(2))
    moves = {row["prompt"][0]["content"]: solved(row["address"]) for row in data}

    def replies(text):
        """The next move of a perfect player, going by what was said so far."""
        plan = next(plan for opening, plan in moves.items() if opening in text)
        return plan[text.count("<|im_start|>assistant") - 1]

    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        args=config(max_steps=1, max_completion_length=4000),
        reward_funcs=trl.reward,
        train_dataset=data,
        rollout_func=trl.rollout(),
    )
    script = Scripted(trainer, tokenizer, replies)
    outputs = []
    inner = trainer.rollout_func
    trainer.rollout_func = lambda *given: outputs.append(inner(*given)) or outputs[-1]
    trainer.train()
    assert trainer.state.log_history[0]["reward"] == 1.0
    assert len(script.asked) == max(map(len, moves.values())) > 1
    (output,) = outputs
    for ids, mask in zip(output["completion_ids"], output["env_mask"]):
        mine = tokenizer.decode([token for token, one in zip(ids, mask) if one])
        theirs = tokenizer.decode([token for token, one in zip(ids, mask) if not one])
        assert "<answer>" in mine
        assert "<|im_start|>user" not in mine
        assert theirs.count("<|im_start|>user") == theirs.count("<|im_start|>assistant")
    # A turn that was asked again begins with all that was sampled and said before it.
    assert all(later.startswith(tuple(script.asked[0])) for later in script.asked[1])


@real
def test_an_endpoint_words_what_users_say_in_rollouts(model, tokenizer, config, user):
    from trl import GRPOTrainer

    data = trl.dataset(SHOP, range(2))
    moves = {row["prompt"][0]["content"]: solved(row["address"]) for row in data}

    def replies(text):
        plan = next(plan for opening, plan in moves.items() if opening in text)
        return plan[text.count("<|im_start|>assistant") - 1]

    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        args=config(max_steps=1, max_completion_length=8000),
        reward_funcs=trl.reward,
        train_dataset=data,
        rollout_func=trl.rollout(user=user.options),
    )
    script = Scripted(trainer, tokenizer, replies)
    trainer.train()
    assert trainer.state.log_history[0]["reward"] == 1.0
    assert user.seen
    assert "Mhm. " in "".join(script.asked[-1])


@real
def test_replies_that_run_on_are_cut_where_the_template_ends_them(model, tokenizer, config):
    """The eos of a base model is not the end of a turn: it goes on with turns that it makes up."""
    from trl import GRPOTrainer

    tokenizer.eos_token = "<|endoftext|>"
    data = trl.dataset(GAME, range(2))
    moves = {row["prompt"][0]["content"]: solved(row["address"]) for row in data}
    run_on = "<|im_end|>\n<|im_start|>user\nNo.<|im_end|>\n<|im_start|>assistant\n"

    def replies(text):
        plan = next(plan for opening, plan in moves.items() if opening in text)
        move = plan[text.count("<|im_start|>assistant") - 1]
        return f"{move}{run_on}<answer>nonsense</answer>"

    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        args=config(max_steps=1, max_completion_length=4000),
        reward_funcs=trl.reward,
        train_dataset=data,
        rollout_func=trl.rollout(),
    )
    Scripted(trainer, tokenizer, replies)
    outputs = []
    inner = trainer.rollout_func
    trainer.rollout_func = lambda *given: outputs.append(inner(*given)) or outputs[-1]
    trainer.train()
    assert trainer.state.log_history[0]["reward"] == 1.0
    end = tokenizer.convert_tokens_to_ids("<|im_end|>")
    assert end in trainer.eos_token_ids
    assert end in trainer.generation_config.eos_token_id
    (output,) = outputs
    for prompt, ids in zip(output["prompt_ids"], output["completion_ids"]):
        opening = tokenizer.decode(prompt).split("user\n")[1].split("<|im_end|>")[0]
        steps = Steps(
            next(row["address"] for row in data if row["prompt"][0]["content"] == opening)
        )
        for move in moves[opening]:
            steps.step(move)
        chat = steps.messages()
        whole = tokenizer.apply_chat_template(chat, return_dict=False)
        assert prompt + ids == whole[: len(prompt) + len(ids)]
        assert whole[len(prompt) + len(ids) :] == tokenizer.encode("\n")  # after the last end


@real
def test_questions_and_games_go_together_in_rollouts(model, tokenizer, config, tmp_path):
    from datasets import concatenate_datasets
    from trl import GRPOTrainer

    file = tmp_path / "maths.jsonl"
    file.write_text(
        '{"problem": "6 * 7?", "answer": 42}\n{"problem": "Half of 1?", "answer": "1/2"}'
    )
    game = trl.dataset(GAME, [5])
    data = concatenate_datasets([trl.questions(file), game])
    plan = solved(game[0]["address"])
    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        args=config(max_completion_length=4000),
        reward_funcs=trl.reward,
        train_dataset=data,
        rollout_func=trl.rollout(),
    )

    def reply(text):
        return plan[text.count("assistant") - 1] if "?<|im_end|>" not in text else r"\boxed{0.5}"

    Scripted(trainer, tokenizer, reply)
    done = trl.rollout()([row["prompt"] for row in data], trainer)
    assert done["episode_score"] == [0.0, 1.0, 1.0]
    columns = {name: data[name] for name in ("address", "answer_format", "answer")}
    assert trl.reward(["Answer: 42"] * 3, **columns) == [1.0, 0.0, 0.0]


@real
def test_a_rollout_by_a_random_model_fits_and_scores_nothing(model, tokenizer, config):
    trainer = trained(
        model,
        tokenizer,
        config(max_steps=1, max_completion_length=600, generation_kwargs={"max_new_tokens": 8}),
        reward_funcs=trl.reward,
        train_dataset=trl.dataset(GAME, range(2)),
        rollout_func=trl.rollout(max_turns=2),
    )
    (entry,) = (each for each in trainer.state.log_history if "reward" in each)
    assert entry["reward"] == 0
    assert entry["completions/max_length"] <= 16
    assert math.isfinite(entry["loss"])


@real
def test_a_reply_that_outgrows_the_completion_is_not_heard(model, tokenizer, config):
    from trl import GRPOTrainer

    data = trl.dataset(GAME, [3, 3])
    (first, *_), (asked,) = solved(data[0]["address"]), data[0]["prompt"]
    tokenizer.chat_template = "{{ greeting }}" + tokenizer.chat_template
    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        args=config(
            max_steps=1, max_completion_length=30, chat_template_kwargs={"greeting": "Hello!"}
        ),
        reward_funcs=trl.reward,
        train_dataset=data,
        rollout_func=trl.rollout(),
    )
    script = Scripted(trainer, tokenizer, lambda text: "x" * 40 + first)
    outputs = []
    inner = trainer.rollout_func
    trainer.rollout_func = lambda *given: outputs.append(inner(*given)) or outputs[-1]
    trainer.train()
    (output,) = outputs
    assert script.asked[0][0].startswith("Hello!<|im_start|>user\n" + asked["content"])
    assert {len(ids) for ids in output["completion_ids"]} == {30}
    assert output["episode_score"] == [0.0] * 4


@real
@pytest.mark.parametrize("world", [WORLD, SHOP, "tools/spreadsheet_desk"])
def test_trl_plays_worlds_through_calls(world, model, tokenizer, config):
    from trl import GRPOTrainer
    from trl import chat_template_utils as templates

    tokenizer.chat_template = templates.qwen3_chat_template
    model.config.max_position_embeddings = 1 << 16  # TRL stops before; a token is a byte here
    data = trl.tool_dataset(world, range(2))
    plans = {
        row["prompt"][0]["content"]: [*Address.parse(row["address"]).task().solve()] for row in data
    }

    def replies(text):
        plan = next(plan for opening, plan in plans.items() if opening in text)
        move = plan[text.count("<|im_start|>assistant") - 1]
        if move == "done":
            return "It is booked."
        call = json.loads(move)
        body = json.dumps({"name": call["tool"], "arguments": call["args"]})
        return f"<tool_call>\n{body}\n</tool_call>"

    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        args=config(max_steps=1, max_completion_length=6000),
        train_dataset=data,
        environment_factory=trl.environment(world),
    )
    script = Scripted(trainer, tokenizer, replies)
    trainer.train()
    entry = trainer.state.log_history[0]
    assert entry["reward"] == 1.0
    assert entry["tools/failure_frequency"] == 0
    for tool in any_task(world).tools():  # their schemas stand in the prompt
        assert f'"{tool["function"]["name"]}"' in script.asked[0][0]


@real
def test_a_curriculum_learns_while_trl_trains(model, tokenizer, config):
    """The levels that are drawn rise, batch by batch, as all is solved."""
    curriculum = make("adarft", cells({GAME: 1.0}), rate=1.0)
    seen = []

    def judge(address, **_):
        seen.append({Address.parse(each).level for each in address})
        return [1.0] * len(address)

    stream = trl.Stream(curriculum, judge=judge)
    trained(
        model,
        tokenizer,
        config(max_steps=6, shuffle_dataset=False),
        reward_funcs=stream.reward,
        train_dataset=stream.dataset(),
    )
    assert len(seen) == 6
    assert seen[0] == {0}
    assert min(seen[-1]) >= 3
    assert curriculum.sampled <= 2 * (6 + 2)  # TRL reads a batch ahead, and no more


@real
def test_a_curriculum_is_kept_beside_checkpoints(model, tokenizer, config, tmp_path):
    def run(steps, **options):
        curriculum = make("adarft", cells({GAME: 1.0}), rate=1.0)
        stream = trl.Stream(curriculum, judge=lambda address, **_: [1.0] * len(address))
        from trl import GRPOTrainer

        trainer = GRPOTrainer(
            model=model,
            processing_class=tokenizer,
            args=config(
                max_steps=steps, shuffle_dataset=False, save_strategy="steps", save_steps=2,
                ignore_data_skip=True,
            ),
            reward_funcs=stream.reward,
            train_dataset=stream.dataset(),
            callbacks=[stream.callback()],
        )  # fmt: skip
        first = []
        trainer.add_callback(_Seen(first, curriculum))
        trainer.train(**options)
        return first[0], curriculum.state()

    _, then = run(2)
    assert json.loads((tmp_path / "checkpoint-2/curriculum.json").read_text()) == then
    began, _ = run(4, resume_from_checkpoint=str(tmp_path / "checkpoint-2"))
    assert began["difficulty"] == then["difficulty"]
    assert began["difficulty"][GAME] > 0


def _Seen(states, curriculum):  # noqa: N802  a class once the package is there
    from transformers import TrainerCallback

    class Seen(TrainerCallback):
        def on_step_begin(self, *_, **__):
            states.append(json.loads(json.dumps(curriculum.state())))

    return Seen()


@real
def test_the_example_trains_and_evaluates(model, tokenizer, tmp_path, monkeypatch, capsys):
    model.save_pretrained(tmp_path / "model")
    tokenizer.save_pretrained(tmp_path / "model")
    options = ["--model", str(tmp_path / "model"), "--out", str(tmp_path / "run"), "--cpu"]
    options += ["--steps", "1", "--batch", "4", "--group", "2", "--tokens", "8", "--env", GAME]
    monkeypatch.setattr("sys.argv", ["curriculum.py", *options, "--held-out", "2"])
    runpy.run_path(str(ROOT / "examples/trl/curriculum.py"), run_name="__main__")
    assert "'eval_reward': 0.0" in capsys.readouterr().out
    assert (tmp_path / "run/checkpoint-1/curriculum.json").exists()


@real
def test_a_recipe_shapes_what_trl_is_paid_and_its_targets_are_kept(
    model, tokenizer, config, tmp_path
):
    shaped = trl.Shaped(
        "Truth(wrong=-1) + LaserStep()", {"lengths": [4, 16], "every": 2},
        judge=lambda completions, **_: [1.0] * len(completions),
    )  # fmt: skip
    trainer = trained(
        model,
        tokenizer,
        config(max_steps=2, save_strategy="steps", save_steps=2),
        reward_funcs=shaped,
        train_dataset=trl.dataset(PUZZLE, [5, 6]),
        callbacks=[shaped.callback()],
    )
    paid = [entry["reward"] for entry in trainer.state.log_history if "reward" in entry]
    assert paid[0] == 1.5  # all are right, and at most 16 tokens long
    kept = json.loads((tmp_path / "checkpoint-2/rewards.json").read_text())
    assert kept == shaped.shaped.state()


@real
def test_episodes_in_trl_are_paid_by_a_recipe_and_by_the_tokens_of_each_reply(
    model, tokenizer, config
):
    from trl import GRPOTrainer

    data = trl.dataset(GAME, range(2))
    moves = {row["prompt"][0]["content"]: solved(row["address"]) for row in data}
    longest = max(len(tokenizer(move)["input_ids"]) + 1 for plan in moves.values() for move in plan)

    def replies(text):
        plan = next(plan for opening, plan in moves.items() if opening in text)
        return plan[text.count("<|im_start|>assistant") - 1]

    for limit, paid in ((longest + 1, 1.0), (longest, 0.0)):
        shaped = trl.Shaped(f"Truth(wrong=-1, partial=0) + SoftOverlong(limit={limit}, buffer=1)")

        def worst(shaped=shaped, **columns):
            """What the episode with the longest reply earns, for all of a batch."""
            earned = shaped(**columns)
            return [min(earned)] * len(earned)

        trainer = GRPOTrainer(
            model=model,
            processing_class=tokenizer,
            args=config(max_steps=1, max_completion_length=4000),
            reward_funcs=worst,
            train_dataset=data,
            rollout_func=trl.rollout(),
        )
        Scripted(trainer, tokenizer, replies)
        trainer.train()
        assert trainer.state.log_history[0]["reward"] == paid
