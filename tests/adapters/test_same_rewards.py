"""A row made for any one trainer scores the same through the adapters of all others.

Rows of every trainer of the exports are read as that trainer reads them, and each adapter scores
the same replies by their labels. An adapter that needs its package is left out where that is
absent; ``.ci/adapters`` has each of them once.
"""

import asyncio
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import pytest

from palaestra.address import Address
from palaestra.episode import TAGS, Episode
from palaestra.scoring import score_many
from palaestra.task import InvalidAnswer
from palaestra.trainers import exports, lm_eval, nemo_gym, stepwise, trl, verifiers, verl
from palaestra.trainers.harbor import scoring as harbor
from palaestra.trainers.stepwise import GemEnv, steps_of

PUZZLES = (
    "logic/knights_and_knaves",
    "grids/sudoku",
    "graphs/critical_path",
    "strings/group_anagrams",
    "grids/sudoku+confidence",
    "arithmetic/word_problem+language(zh)+batch(3)",
)
GAMES = ("games/mastermind", "games/minesweeper", "grids/sudoku+retry(3)")
SEEDS = (3, 2**31 - 1)

LABELS: dict[str, Callable[[dict], str]] = {
    "trl": lambda row: row["address"],
    "verl": lambda row: row["reward_model"]["ground_truth"],
    "rl-factory": lambda row: row["reward_model"]["ground_truth"],
    "openrlhf": lambda row: row["label"],
    "marti": lambda row: row["label"],
    "slime": lambda row: row["label"],
    "easyr1": lambda row: row["label"],
    "roll": lambda row: row["ground_truth"],
    "nemo-rl": lambda row: row["label"],
    "areal": lambda row: row["address"],
    "openai": lambda row: row["address"],
    "ms-swift": lambda row: row["address"],
    "vlm-r1": lambda row: row["conversations"][1]["value"],
    "oat": lambda row: row["label"],
    "skyrl": lambda row: row["reward_spec"]["ground_truth"],
    "nemo-gym": lambda row: row["verifier_metadata"]["address"],
}
"""Where each trainer finds the label of a row."""

PROMPT = "The question. "


# ------------------------------------------------------------------------------ one reply


def by_trl(label, replies):
    count = len(replies)
    return trl.reward(replies, address=[label] * count, answer_format=["tags"] * count)


def by_parts_of_trl(label, replies):
    (score,) = trl.rewards("score")
    return score(replies, address=[label] * len(replies))


def by_verl(label, replies):
    source = f"palaestra/{Address.parse(label).env}"
    return [verl.compute_score(source, reply, label)["score"] for reply in replies]


def by_openrlhf(label, replies):
    pytest.importorskip("torch")
    from palaestra.trainers.openrlhf import reward_func

    count = len(replies)
    queries = [PROMPT + reply for reply in replies]
    return reward_func(queries, [PROMPT] * count, [label] * count)["rewards"].tolist()


def by_easyr1(label, replies):
    batch = [{"response": r, "response_length": 9, "ground_truth": label} for r in replies]
    return [each["overall"] for each in exports.easyr1_reward(batch)]


def by_areal(label, replies):
    return [exports.areal_reward(PROMPT, r, [1], [2], address=label) for r in replies]


def by_swift(label, replies):
    return exports.swift_reward(replies, [label] * len(replies))


def by_steps(label, replies):
    return [stepwise.value_of(_stepped(label, [reply]).score) for reply in replies]


def by_verifiers(label, replies):
    return [verifiers.results(_stepped(label, [reply]))["score"] for reply in replies]


def _stepped(label, moves):
    steps = steps_of(label)
    for move in moves:
        steps.step(move)
    return steps


def by_skyrl(label, replies):
    return [_by_skyrl(label, [reply]) for reply in replies]


def _by_skyrl(label, moves):
    pytest.importorskip("skyrl_gym")
    env = stepwise.skyrl_env()(extras={"reward_spec": {"method": "rule", "ground_truth": label}})
    return sum(env.step(move)["reward"] for move in moves)


def by_inspect_ai(label, replies):
    pytest.importorskip("inspect_ai")
    from inspect_ai.model import ModelOutput

    from palaestra.trainers.inspect_ai import scorer

    def state(reply):
        output = ModelOutput.from_content("a model", reply)
        return SimpleNamespace(store={}, metadata={"answer_format": "tags"}, output=output)

    judge, target = scorer(), SimpleNamespace(text=label)
    return [asyncio.run(judge(state(reply), target)).value for reply in replies]


@cache
def _service(protocol=""):
    pytest.importorskip("fastapi")
    try:
        from fastapi.testclient import TestClient
    except RuntimeError as error:  # it needs a client, which no trainer has to bring
        pytest.skip(str(error))
    from palaestra.server.app import build
    from palaestra.server.service import Settings

    return TestClient(build(Settings(protocol=protocol)))


def by_lm_eval(label, replies):
    document = {"address": label, "answer_format": "tags"}
    return [lm_eval.process_results(document, [reply])["score"] for reply in replies]


def by_nemo_gym(label, replies):
    outputs = ([_message(reply)] for reply in replies)
    return [nemo_gym.verdict(nemo_gym.scored(label, each))["reward"] for each in outputs]


def by_nemo_gym_over_http(label, replies):
    row, client = nemo_gym.nemo_gym_row(label), _service("nemo-gym")
    bodies = [{**row, "response": {"output": [_message(reply)]}} for reply in replies]
    return [client.post("/verify", json=body).json()["reward"] for body in bodies]


def _message(text):
    parts = [{"type": "output_text", "text": text, "annotations": []}]
    return {"type": "message", "role": "assistant", "content": parts}


def by_harbor(label, replies):
    with TemporaryDirectory() as folder:
        return [_in_file(label, Path(folder) / "answer.txt", reply) for reply in replies]


def _in_file(label, file, reply):
    """What the verifier of a trial gives for the answer of a reply, which an agent left bare."""
    file.write_text(_bare(reply))
    return harbor.scored({"address": label, "answer": str(file)})["value"]


def _bare(reply):
    try:
        return TAGS.read(reply)
    except InvalidAnswer:
        return ""


def by_the_open_reward_standard(label, replies):
    return [turns_by_the_open_reward_standard(label, [reply]) for reply in replies]


def by_openrlhf_over_http(label, replies):
    count = len(replies)
    queries = [PROMPT + reply for reply in replies]
    wish = {"query": queries, "prompts": [PROMPT] * count, "labels": [label] * count}
    return _service().post("/compat/openrlhf/all/get_reward", json=wish).json()["rewards"]


def by_slime_over_http(label, replies):
    wishes = [{"prompt": PROMPT, "response": reply, "label": label} for reply in replies]
    return [_service().post("/compat/slime/all", json=wish).json() for wish in wishes]


def by_http(label, replies):
    items = [{"address": label, "replies": reply} for reply in replies]
    results = _service().post("/v1/score/batch", json={"items": items}).json()["results"]
    return [each["value"] for each in results]


SINGLE = [
    by_trl, by_parts_of_trl, by_verl, by_openrlhf, by_easyr1, by_areal, by_swift, by_steps,
    by_verifiers, by_skyrl, by_inspect_ai, by_lm_eval, by_nemo_gym, by_nemo_gym_over_http,
    by_harbor, by_the_open_reward_standard, by_openrlhf_over_http, by_slime_over_http, by_http,
]  # fmt: skip


def test_the_label_of_every_trainer_is_known():
    assert {*LABELS} == {*exports.TRAINERS, *exports.NESTED}


def replies_to(address):
    """A right reply, one that is right elsewhere, one cut short, and some that are no answers."""
    (right,) = address.task().solve()
    other = Address(address.env, address.version, address.knobs, address.seed - 1)
    (wrong,) = other.task().solve()
    moves = [right, wrong, right[:-1], "?!", ""]
    return [*map(TAGS.write, moves), right, ""]


@pytest.mark.parametrize("adapter", SINGLE, ids=lambda adapter: adapter.__name__)
@pytest.mark.parametrize("env", PUZZLES)
def test_a_row_for_any_trainer_scores_the_same_through_all(env, adapter):
    for seed in SEEDS:
        address = Address.of(env, seed, 1)
        replies = replies_to(address)
        expected = [score.value for score in score_many([(address, r, TAGS) for r in replies])]
        assert expected[0] == 1
        assert max(expected[1:]) < 1
        (label,) = {
            LABELS[trainer](row)
            for trainer in LABELS
            for row in exports.exported(env, [seed], 1, trainer=trainer)
        }
        assert label == str(address)
        assert adapter(label, replies) == pytest.approx(expected, abs=1e-6)  # some are float32


def test_the_scores_are_of_different_kinds():
    """Right, partly right and wrong, so that the adapters have something to differ in."""
    scores = [
        score.value
        for env in PUZZLES
        for address in (Address.of(env, seed, 1) for seed in SEEDS)
        for score in score_many([(address, reply, TAGS) for reply in replies_to(address)])
    ]
    assert {0.0, 1.0} < {*scores}


# ------------------------------------------------------------------------------ several turns


def turns_by_steps(address, moves):
    return stepwise.value_of(_stepped(str(address), moves).score)


def turns_by_gem(address, moves):
    env = GemEnv(address.env, level=address.level)
    _, info = env.reset(address.seed)
    assert info["address"] == str(address)
    return sum(env.step(move)[1] for move in moves)


def turns_by_skyrl(address, moves):
    return _by_skyrl(str(address), moves)


def turns_by_classes_of_trl(address, moves):
    env = trl.environment(address.env)()
    env.reset(str(address))
    for move in moves:
        env.answer(move=TAGS.read(move))
    return env.get_reward()


def turns_by_messages_of_trl(address, moves):
    completion = []
    for move in moves:
        function = {"name": "answer", "arguments": {"move": TAGS.read(move)}}
        call = {"type": "function", "function": function}
        completion += [{"role": "assistant", "tool_calls": [call]}, {"role": "tool"}]
    (score,) = trl.rewards("score")
    (value,) = score([completion], address=[str(address)], environment=[address.env])
    return value


def turns_by_nemo_gym(address, moves):
    rollout = nemo_gym.Rollout(str(address))
    return sum(rollout.play([_message(move)]).reward for move in moves)


def turns_by_nemo_gym_over_http(address, moves):
    client, row = _service("nemo-gym"), nemo_gym.nemo_gym_row(address)
    client.cookies.clear()
    client.post("/reset", json=row).raise_for_status()
    bodies = [{**row, "response": {"output": [_message(move)]}} for move in moves]
    return sum(client.post("/step", json=body).json()["reward"] for body in bodies)


def turns_by_harbor(address, moves):
    with TemporaryDirectory() as folder:
        log = Path(folder) / "episode.json"
        log.write_text(json.dumps({"replies": [TAGS.read(move) for move in moves]}))
        return harbor.scored({"address": str(address), "episode": str(log)})["value"]


def turns_over_http(address, moves):
    opened = _service().post("/v1/sessions", json={"address": str(address)}).json()
    session = opened["sessions"][0]["session"]
    state = {"earned": 0.0}
    for step, move in enumerate(moves):
        wish = {"step": step, "move": move}
        state = _service().post(f"/v1/sessions/{session}/step", json=wish).json()
    return state["score"]["value"] if state.get("score") else 0.0


def turns_by_the_open_reward_standard(address, moves):
    client = _service("ors")
    name = client.post("/create_session").text.split("data: ")[1].split()[0]
    headers = {"x-session-id": name}
    client.post("/create", headers=headers, json={"task_spec": {"address": str(address)}})
    total = 0.0
    for move in moves:
        body = {"name": "answer", "input": {"text": _bare(move)}}
        text = client.post("/call", headers=headers, json=body).text
        total += json.loads(text.split("event: end\r\ndata: ")[1])["output"]["reward"]
    return total


EPISODES = [
    turns_by_steps, turns_by_gem, turns_by_skyrl, turns_by_classes_of_trl,
    turns_by_messages_of_trl, turns_by_nemo_gym, turns_by_nemo_gym_over_http, turns_by_harbor,
    turns_over_http, turns_by_the_open_reward_standard,
]  # fmt: skip


@pytest.mark.parametrize("adapter", EPISODES, ids=lambda adapter: adapter.__name__)
@pytest.mark.parametrize("env", GAMES)
def test_an_episode_scores_the_same_through_all(env, adapter):
    address = Address.of(env, 3, 1)
    plan = [TAGS.write(move) for move in address.task().solve()]
    other = [TAGS.write(move) for move in Address.of(env, 4, 1).task().solve()]
    for moves in (plan, [TAGS.write("?!"), *plan], other[:-1]):
        episode = Episode(address.task(), TAGS)
        played = []
        for move in moves:  # no more of them than there is a use for
            if episode.score is None:
                episode.step(move)
                played.append(move)
        finished = episode.score is not None
        expected = episode.score.value if finished else 0.0
        value = adapter(address, played)
        if not finished and adapter is turns_by_gem:  # which pays credit on the way
            expected = sum(episode.rewards)
        assert value == pytest.approx(expected)
