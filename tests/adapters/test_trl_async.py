"""TRL's asynchronous rollout worker plays specs in a process of its own, before a stub of vLLM."""

import json
import pickle
import queue
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import pytest
from tests.adapters.trl_runs import perfect_caller

from palaestra.address import Address
from palaestra.trainers import trl

PUZZLE = "logic/knights_and_knaves"
GAME = "games/mastermind"
WORLD = "tools/meeting_desk"

pytestmark = pytest.mark.package("trl")

PATIENCE_S = 300


@contextmanager
def engine(tokenizer, reply):
    """What the worker asks for completions: the tokens of what a player replies to a chat."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            wish = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            ids = tokenizer.encode(reply(tokenizer.decode(wish["prompt"])) + "<|im_end|>")
            choice = {"token_ids": ids, "logprobs": {"token_logprobs": [0.0] * len(ids)}}
            body = json.dumps({"choices": [choice]}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
def caller(tokenizer, monkeypatch):
    from accelerate.state import PartialState
    from trl import chat_template_utils as templates

    PartialState()  # as the trainer has it
    monkeypatch.setenv("TRL_EXPERIMENTAL_SILENCE", "1")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    tokenizer.chat_template = templates.qwen3_chat_template
    return tokenizer


def options(spec, tokenizer, url):
    return {
        "model_name": "m",
        "dataset": spec.train_dataset,
        "reward_funcs": spec.reward_funcs,
        "environment_factory": spec.environment_factory,
        "processing_class": tokenizer,
        "eos_token_ids": [tokenizer.eos_token_id],
        "num_generations": 2,
        "max_inflight_tasks": 2,
        "max_tokens": 1_000,
        "vllm_server_url": url,
    }


def test_a_spawned_worker_plays_a_mixture(caller, monkeypatch):
    from trl.experimental.async_grpo import async_rollout_worker as module

    monkeypatch.setattr(module, "is_vllm_available", lambda: True)  # only its server is asked
    spec = trl.spec({PUZZLE: 1.0, GAME: 1.0, WORLD: 1.0}, range(1))
    columns = {PUZZLE: "LogicKnightsAndKnaves", GAME: "GamesMastermind", WORLD: "ToolsMeetingDesk"}
    by_prompt = {row["prompt"][0]["content"]: row["environment"] for row in spec.train_dataset}
    with engine(caller, perfect_caller(spec.train_dataset)) as url:
        worker = module.AsyncRolloutWorker(**options(spec, caller, url), queue_maxsize=64)
        worker.start()
        try:
            samples = [worker.rollout_buffer.get(timeout=PATIENCE_S) for _ in range(6)]
        finally:
            worker.stop()
    seen = set()
    for sample in samples:
        env = by_prompt[sample.prompt[0]["content"]]
        seen.add(env)
        assert sample.metrics["reward"] == 1.0
        assert sample.metrics[f"rewards/{columns[env]}"] == 1.0
        assert sample.metrics["tools/failure_frequency"] == 0
        assert sample.completion_mask.sum() > 0
    assert seen == {*columns}


def test_reward_parts_and_a_curriculum_go_to_the_worker_together(caller):
    """What the worker is sent is pickled as by the trainer, and played here."""
    from trl.experimental.async_grpo.async_rollout_worker import _AsyncRolloutLoop

    spec = trl.spec([PUZZLE], curriculum="adarft", rewards=["score", "format"])
    rows = []

    def reply(text):
        """The right answer, to a task that has been drawn by now."""
        drawn = [Address.parse(address) for address in learned.seen]
        prompts = [{"content": str(address.task().prompt())} for address in drawn]
        rows[:] = [{"prompt": [p], "address": str(a)} for p, a in zip(prompts, drawn)]
        return perfect_caller(rows)(text)

    with engine(caller, reply) as url:
        sent = pickle.loads(pickle.dumps(options(spec, caller, url)))
        stream = sent["reward_funcs"][0].stream
        learned = Learned(stream)
        buffer = queue.Queue(maxsize=1)
        loop = _AsyncRolloutLoop(
            **sent,
            rollout_buffer=buffer,
            model_version_value=SimpleNamespace(value=0),
            heartbeat_value=SimpleNamespace(value=0.0),
            failed_event=threading.Event(),
            exception_info_queue=queue.Queue(),
            metrics_queue=queue.Queue(),
        )
        thread = threading.Thread(target=loop.run, daemon=True)
        thread.start()
        samples = [buffer.get(timeout=PATIENCE_S) for _ in range(4)]
        loop._loop.call_soon_threadsafe(loop._stop_event.set)
        thread.join(PATIENCE_S)
    assert not thread.is_alive()
    for sample in samples:
        assert sample.metrics["rewards/score"] == sample.metrics["rewards/format"] == 1.0
    assert stream.curriculum.state()["difficulty"][PUZZLE] > 0
    assert spec.curriculum.state()["difficulty"][PUZZLE] == 0  # which is another one by now


class Learned:
    """The tasks that a curriculum draws."""

    def __init__(self, stream):
        self.seen, self._sample = [], stream.curriculum.sample
        stream.curriculum.sample = self

    def __call__(self, number):
        addresses = self._sample(number)
        self.seen += map(str, addresses)
        return addresses
