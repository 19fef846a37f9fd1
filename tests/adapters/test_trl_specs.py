"""Specs for TRL: mixtures of environments, reward parts, and what other processes are sent."""

import copy
import json
import pickle
import runpy
from pathlib import Path

import pytest
from tests.adapters.trl_runs import Scripted, calls_of, perfect_caller

from palaestra.address import Address
from palaestra.task import KnobError, Score
from palaestra.trainers import trl
from palaestra.trainers.mixtures import Mixture
from palaestra.trainers.trl import parts

PUZZLE = "logic/knights_and_knaves"
GAME = "games/mastermind"
WORLD = "tools/meeting_desk"
BOARD = "grids/sudoku"
ROOT = Path(__file__).parents[2]

real = pytest.mark.package("trl")


def counted(spec):
    counts = {}
    for address in spec.addresses():
        counts[address.env, address.level] = counts.get((address.env, address.level), 0) + 1
    return counts


def messages_of(address, number=None):
    """The messages of a completion in which a perfect player makes so many calls."""
    messages = []
    for text in calls_of(str(address))[:number]:
        if text.startswith("<tool_call>"):
            body = json.loads(text.split("\n")[1])
            messages += [
                {"role": "assistant", "tool_calls": [{"type": "function", "function": body}]},
                {"role": "tool", "name": body["name"], "content": "..."},
            ]
        else:
            messages.append({"role": "assistant", "content": text})
    return messages


def played(address, number=None):
    """An environment after these calls."""
    made = trl.environment(address.env, rewards=False)()
    made.reset(address=str(address))
    for message in messages_of(address, number):
        for call in message.get("tool_calls", ()):
            getattr(made, call["function"]["name"])(**call["function"]["arguments"])
    return made


# ------------------------------------------------------------------------------ mixtures


def test_rows_take_turns_by_the_weights_of_their_environments():
    spec = trl.spec({GAME: 2.0, WORLD: 1.0}, range(4), level=1)
    assert counted(spec) == {(GAME, 1): 4, (WORLD, 1): 2}
    assert [a.env for a in spec.addresses()] == [GAME, WORLD, GAME, GAME, WORLD, GAME]
    assert [a.seed for a in spec.addresses() if a.env == GAME] == [0, 1, 2, 3]
    assert {*spec.environment_factory} == {GAME, WORLD}
    eval_spec = trl.spec([GAME], range(2), split="eval")
    assert [a.split for a in eval_spec.addresses()] == ["eval"] * 2


def test_levels_are_those_of_the_mixture_or_of_the_call(tmp_path):
    mixture = Mixture({GAME: 1.0, PUZZLE: 1.0}, {GAME: (0, 2), PUZZLE: (1,)})
    file = tmp_path / "mixture.yaml"
    file.write_text(mixture.text())
    for each in (mixture, file, str(file)):
        assert counted(trl.spec(each, range(4))) == {(GAME, 0): 2, (GAME, 2): 2, (PUZZLE, 1): 4}
    assert counted(trl.spec(mixture, range(2), level=3)) == {(GAME, 3): 2, (PUZZLE, 3): 2}
    assert counted(trl.spec(GAME, range(3), level=[0, 1])) == {(GAME, 0): 2, (GAME, 1): 1}


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("games/mastermnd", range(2)), {}, "did you mean games/mastermind"),
        ((GAME,), {}, "seeds, or a curriculum"),
        ((GAME, range(2)), {"curriculum": "uniform"}, "seeds, or a curriculum"),
        (({GAME: 0.0}, range(2)), {}, "weights are above 0"),
        (({GAME: float("nan")}, range(2)), {}, "weights are above 0"),
        (({}, range(2)), {}, "one environment at least"),
        ((GAME, range(2)), {"rewards": ["score", "score"]}, "comes twice"),
        ((GAME, range(2)), {"observation": "picture"}, "picture"),
        ((GAME, range(2)), {"user": {"bse_url": ""}}, "no option 'bse_url'"),
    ],
)
def test_what_does_not_fit_together_is_refused(arguments, options, message):
    with pytest.raises((ValueError, LookupError), match=message):
        trl.spec(*arguments, **options)
    with pytest.raises(KnobError, match="level"):
        trl.spec(GAME, range(2), level=99)


# ------------------------------------------------------------------------------ classes


def test_each_environment_has_a_class_of_its_own_name():
    first, second = (trl.environment(name) for name in (GAME, WORLD))
    assert (first.__name__, second.__name__) == ("GamesMastermind", "ToolsMeetingDesk")
    assert trl.environment(GAME) is first
    assert trl.environment(GAME, rewards=False) is not first
    assert not hasattr(trl.environment(GAME, rewards=False), "get_reward")
    user = {"base_url": "http://127.0.0.1:1/v1", "model": "m"}
    assert trl.environment(WORLD, user) is trl.environment(WORLD, dict(user)) is not second
    sums = "arithmetic/long_multiplication"
    combined = [sums, f"{sums}+retry", f"{sums}+retry(3,reason)"]
    names = {trl.environment(name).__name__ for name in combined}
    assert len(names) == 3
    assert all(name.isidentifier() for name in names)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_classes_and_their_episodes_are_pickled(protocol):
    user = {"base_url": "http://127.0.0.1:1/v1", "model": "m"}
    for made in (
        trl.environment(GAME),
        trl.environment(BOARD, observation="both", image_size=64, rewards=False),
        trl.environment(WORLD, user),
        trl.ToolEnvironment,
    ):
        assert pickle.loads(pickle.dumps(made, protocol)) is made
        assert copy.deepcopy(made) is made
    address = Address.of(WORLD, 3)
    half = pickle.loads(pickle.dumps(played(address, 2), protocol))
    assert half._result().value == played(address, 2)._result().value


def test_classes_are_made_anew_in_another_process(monkeypatch):
    """There they are in no table yet."""
    data = pickle.dumps(trl.spec({GAME: 1.0, WORLD: 1.0}, range(2)))
    monkeypatch.setattr("palaestra.trainers.trl.environments._classes", {})
    spec = pickle.loads(data)
    made = spec.environment_factory[WORLD]()
    assert type(made) is trl.environment(WORLD)
    made.reset(address=str(Address.of(WORLD, 1)))
    assert made.get_reward() == 0.0


@pytest.mark.package("datasets")
def test_a_spec_is_pickled_with_a_curriculum_that_its_parts_share():
    spec = trl.spec([GAME], curriculum="adarft", rewards=["score", "format"])
    assert "environment" in spec.train_dataset.column_names
    score, form = spec.reward_funcs
    assert (score.__name__, form.__name__) == ("score", "format")
    data, funcs = pickle.loads(pickle.dumps((spec.train_dataset, [score, form])))
    stream = funcs[0].stream
    row = next(iter(data))
    assert row["environment"] == GAME
    assert stream.curriculum.sampled == 1
    assert funcs[0].judged is funcs[1].judged
    before = json.dumps(stream.curriculum.state())
    completion = messages_of(Address.parse(row["address"]))
    columns = {"address": [row["address"]], "environment": [GAME]}
    assert funcs[0]([completion], **columns) == [1.0]
    assert json.dumps(stream.curriculum.state()) != before
    # The functions of a spec are a new list each time, as TRL adds its own to it.
    spec.reward_funcs.append(None)
    assert len(spec.reward_funcs) == 2


@pytest.mark.package("PIL")
def test_a_task_answers_moves_with_images():
    game = "games/minesweeper"
    made = trl.environment(game, observation="both", image_size=64)()
    address = Address.of(game, 1, 1)
    made.reset(address=str(address))
    image, text = made.answer(move="nonsense")
    assert (image["type"], image["image"].size) == ("image", (64, 64))
    assert text["type"] == "text"
    assert text["text"]
    *_, last = [made.answer(move=move) for move in address.task().solve()]
    assert isinstance(last, str)
    assert made.get_reward() == 1.0


@pytest.mark.package("datasets")
@pytest.mark.package("PIL")
def test_rows_of_a_spec_have_images():
    spec = trl.spec({BOARD: 1.0, "games/minesweeper": 1.0}, range(2), observation="both",
                    image_size=64)  # fmt: skip
    for row in spec.train_dataset:
        (image,) = row["images"]
        assert image.size == (64, 64)
        assert [part["type"] for part in row["prompt"][0]["content"]] == ["image", "text"]
        assert row["environment"] in spec.environment_factory
    stream = trl.spec(BOARD, curriculum="uniform", observation="image", image_size=64)
    row = next(iter(stream.train_dataset))
    assert row["images"][0].size == (64, 64)
    with pytest.raises(ValueError, match="no images of"):
        _ = trl.spec("arithmetic/power_digits", range(2), observation="image").train_dataset


# ------------------------------------------------------------------------------ reward parts


def test_each_part_of_a_score_is_a_reward(monkeypatch):
    address = Address.of(PUZZLE, 5)
    (right,) = address.task().solve()
    batches = []

    def judged(items):
        batches.append(len(items))
        return [
            Score(1, parts={"clues": 1}), Score(0.5, "x", {"clues": 0.5}, "scored"),
            Score(0, "x", {}, "malformed"), Score(0, "x", {}, "no_answer"),
        ]  # fmt: skip

    monkeypatch.setattr(parts, "score_many", judged)
    recipe = {"recipe": "Truth(partial=0) + LaserStep()", "target": 5}
    score, form, clues, short = trl.rewards("score", "format", "clues", short=recipe)
    replies = [f"<answer>{right}</answer>", "a", "b", "c"]
    columns = {"address": [str(address)] * 4, "answer_format": ["tags"] * 4, "trainer_state": None}
    assert score(replies, **columns) == [1, 0.5, 0, 0]
    assert form(replies, **columns) == [1, 1, 0, 0]
    assert clues(replies, **columns) == [1, 0.5, None, None]
    assert short(replies, completion_ids=[[1] * 5, [1] * 5, [], []], **columns) == [1.5, 0, 0, 0]
    assert batches == [4]  # judged once for all of them
    assert score([*replies], **columns) == [1, 0.5, 0, 0]
    assert batches == [4, 4]
    names = [part.__name__ for part in (score, form, clues, short)]
    assert names == ["score", "format", "clues", "short"]


def test_parts_may_have_other_names():
    spec = trl.spec(GAME, range(1), rewards={"truth": "score", "brief": "Truth(partial=0)"})
    assert [part.__name__ for part in spec.reward_funcs] == ["truth", "brief"]
    address = Address.of(GAME, 3)
    columns = {"address": [str(address)], "environments": [played(address)]}
    assert [part([[]], **columns) for part in spec.reward_funcs] == [[1.0], [1.0]]


def test_rewards_of_gold_answers_and_of_what_cannot_be_judged():
    score, form = trl.rewards("score", "format")
    replies, golds = [r"\boxed{0.5}", "Answer: 1"], ["1/2", r"\frac{1}{0}"]
    assert score(replies, answer=golds) == [1.0, None]
    assert form(replies, answer=golds) == [1.0, None]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ([], "one name at least"),
        (["score", "score"], "'score' comes twice"),
        (["Truth"], r"write the recipe as 'Truth\(\)'"),
        (["Truth("], "recipe"),
        (["Trth()"], "Truth"),
    ],
)
def test_rewards_that_there_are_not_are_refused(names, message):
    with pytest.raises(ValueError, match=message):
        trl.rewards(*names)


@pytest.mark.parametrize("env", [GAME, WORLD, PUZZLE])
def test_messages_alone_are_rewarded_as_the_environments_that_played_them(env):
    """As the asynchronous trainer has no environments for its reward functions."""
    address = Address.of(env, 3)
    whole = len(calls_of(str(address)))
    numbers = [*range(whole + 1)]
    completions = [messages_of(address, number) for number in numbers]
    columns = {"address": [str(address)] * len(numbers), "environment": [env] * len(numbers)}
    (by_messages,) = trl.rewards("score")
    (by_state,) = trl.rewards("score")
    states = [played(address, number) for number in numbers]
    rewards = by_messages(completions, **columns)
    assert rewards == by_state(completions, **columns, environments=states)
    assert (rewards[0], rewards[-1]) == (0.0, 1.0)
    # A call at the limit of turns was written, but not carried out.
    last = max(n for n, each in enumerate(completions[-1]) if each.get("tool_calls"))
    cut = completions[-1][: last + 1]
    assert trl.rewards("score")[0]([cut], **{k: v[:1] for k, v in columns.items()})[0] < 1
    unknown = [*completions[-1]]
    for function in ({"name": "dance", "arguments": {}}, {"name": "answer", "arguments": "x"}):
        call = {"type": "function", "function": function}
        unknown[:0] = [{"role": "assistant", "tool_calls": [call]}, {"role": "tool"}]
    assert trl.rewards("score")[0]([unknown], **{k: v[:1] for k, v in columns.items()}) == [1.0]


def test_environments_of_others_have_no_reward_of_ours():
    (score,) = trl.rewards("score")
    address = Address.of(GAME, 3)
    states = [object(), played(address)]
    assert score([[], []], address=[None, str(address)], environments=states) == [None, 1.0]


# ------------------------------------------------------------------------------ TRL's trainer


@pytest.fixture
def caller(tokenizer, model):
    """The tokenizer has a template for calls, and the model room for what takes a token a byte."""
    from trl import chat_template_utils as templates

    tokenizer.chat_template = templates.qwen3_chat_template
    model.config.max_position_embeddings = 1 << 16  # TRL stops before; a token is a byte here
    return tokenizer


def trainer_of(spec, model, tokenizer, args):
    from trl import GRPOTrainer

    return GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        args=args,
        train_dataset=spec.train_dataset,
        environment_factory=spec.environment_factory,
        reward_funcs=spec.reward_funcs,
        callbacks=spec.callbacks,
    )


@real
def test_trl_trains_on_a_mixture_with_a_reward_for_each_environment(model, caller, config):
    spec = trl.spec({PUZZLE: 1.0, GAME: 1.0, WORLD: 1.0}, range(1))
    batch = 3 * 2
    args = config(
        max_steps=1, max_completion_length=8000, per_device_train_batch_size=batch,
        shuffle_dataset=False,
    )  # fmt: skip
    trainer = trainer_of(spec, model, caller, args)
    script = Scripted(trainer, caller, perfect_caller(spec.train_dataset))
    trainer.train()
    entry = trainer.state.log_history[0]
    assert entry["reward"] == 1.0
    for name in ("LogicKnightsAndKnaves", "GamesMastermind", "ToolsMeetingDesk"):
        assert entry[f"rewards/{name}/mean"] == 1.0
    assert entry["tools/failure_frequency"] == 0
    for text in script.asked[0]:  # each is offered the tools of its own environment
        assert ('"agenda"' in text) == ("meeting" in text)


@real
def test_trl_normalises_each_part_of_a_reward(model, caller, config):
    spec = trl.spec([GAME], range(2), rewards=["score", "format", "0.5 * Truth(partial=0)"])
    args = config(
        max_steps=1, max_completion_length=8000, reward_weights=[1.0, 0.5, 1.0],
        multi_objective_aggregation="normalize_then_sum",
    )  # fmt: skip
    trainer = trainer_of(spec, model, caller, args)
    perfect, openings = perfect_caller(spec.train_dataset), []

    def reply(text):
        """Every second player of a group gives up at once."""
        if text.count("<|im_start|>assistant") == 1:
            openings.append(text)
            if openings.count(text) % 2 == 0:
                return "I do not know."
        return perfect(text)

    Scripted(trainer, caller, reply)
    trainer.train()
    entry = trainer.state.log_history[0]
    names = ("score", "format", "0.5 * Truth(partial=0)")
    assert [entry[f"rewards/{name}/mean"] for name in names] == [0.5, 0.5, 0.25]


@real
def test_a_curriculum_learns_from_calls_and_is_kept(model, caller, config, tmp_path):
    spec = trl.spec([PUZZLE], curriculum="adarft")
    args = config(
        max_steps=3, shuffle_dataset=False, max_completion_length=8000, save_strategy="steps",
        save_steps=3,
    )  # fmt: skip
    trainer = trainer_of(spec, model, caller, args)
    asked = []

    def reply(text):
        """The right answer, from the address of the row that was drawn last for this prompt."""
        asked.append(text)
        rows = {str(a.task().prompt()): a for a in drawn}
        address = next(a for opening, a in rows.items() if opening in text)
        return calls_of(str(address))[min(text.count("<|im_start|>assistant"), 2) - 1]

    drawn = []
    sample = spec.curriculum.sample

    def noted(number):
        drawn.extend(addresses := sample(number))
        return addresses

    spec.curriculum.sample = noted
    Scripted(trainer, caller, reply)
    trainer.train()
    assert [entry["reward"] for entry in trainer.state.log_history[:3]] == [1.0] * 3
    state = json.loads((tmp_path / "checkpoint-3/curriculum.json").read_text())
    assert state["difficulty"][PUZZLE] > 0


@real
def test_the_example_trains_on_a_mixture(model, caller, tmp_path, monkeypatch):
    model.config.max_position_embeddings = 8192
    model.save_pretrained(tmp_path / "model")
    caller.save_pretrained(tmp_path / "model")
    options = ["--model", str(tmp_path / "model"), "--out", str(tmp_path / "run"), "--cpu"]
    options += ["--steps", "1", "--batch", "8", "--tokens", "8"]
    monkeypatch.setenv("TRL_EXPERIMENTAL_SILENCE", "1")
    monkeypatch.setattr("sys.argv", ["mixture.py", *options])
    runpy.run_path(str(ROOT / "examples/trl/mixture.py"), run_name="__main__")
    assert (tmp_path / "run/checkpoint-1/curriculum.json").exists()
