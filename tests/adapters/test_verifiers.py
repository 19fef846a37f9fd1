"""verifiers finds our environments by a stub's name, and evaluates a model on them."""

import json
import os
import subprocess
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from palaestra.episode import ANSWER_FORMATS
from palaestra.trainers import verifiers as adapter

ROOT = Path(__file__).parents[2]
GAME = "games/mastermind"
WISH = f"{GAME}?level=2&seeds=3:5 logic/knights_and_knaves?seeds=0:1"


there, older = adapter.there("verifiers.v1"), adapter.there("verifiers.legacy")
WHERE = "here: .ci/adapters runs this in an environment that has it"
new = pytest.mark.skipif(not there or older, reason=f"no verifiers 0.4 {WHERE}")
old = pytest.mark.skipif(not older, reason=f"no verifiers 0.3 {WHERE}")


def plans(wish, answer_format="tags"):
    """The replies of a perfect player, by the openings of tasks."""
    return {
        each.question: [
            ANSWER_FORMATS[answer_format].write(move) for move in each.address.task().solve()
        ]
        for each in adapter.named(wish, answer_format)
    }


@contextmanager
def stub(replies):
    """A model behind an endpoint like OpenAI's, that replies as a function of the messages does."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            message = {"role": "assistant", "content": replies(body["messages"])}
            header = {"id": "1", "created": 1, "model": body["model"]}
            if body.get("stream"):
                self.answer_in_parts(header, message)
                return
            choice = {"index": 0, "finish_reason": "stop", "message": message}
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            whole = {**header, "object": "chat.completion", "choices": [choice], "usage": usage}
            self.answer("application/json", json.dumps(whole))

        def answer_in_parts(self, header, message):
            chunks = [({"index": 0, "delta": message, "finish_reason": None},)]
            chunks += [({"index": 0, "delta": {}, "finish_reason": "stop"},), ()]
            lines = []
            for n, choices in enumerate(chunks):
                part = {**header, "object": "chat.completion.chunk", "choices": list(choices)}
                if n == 2:
                    part["usage"] = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
                lines.append(f"data: {json.dumps(part)}\n\n")
            self.answer("text/event-stream", "".join(lines) + "data: [DONE]\n\n")

        def answer(self, kind, text):
            raw = text.encode()
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, *_):
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        thread.join(300)
        server.server_close()


def perfect(wish, answer_format="tags"):
    known = plans(wish, answer_format)

    def replies(messages):
        turns = [message for message in messages if message["role"] == "assistant"]
        asked = next(message for message in messages if message["role"] == "user")["content"]
        if not isinstance(asked, str):
            asked = "".join(part["text"] for part in asked)
        return (
            known[asked.strip()][len(turns)] if asked.strip() in known else known[asked][len(turns)]
        )

    return replies


def run(*command):
    """A command with our stub of a package on the path."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT / "examples/verifiers"),
        "NO_COLOR": "1",
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, timeout=300, check=False
    )
    assert not done.returncode, done.stdout + done.stderr
    return done.stdout


def test_without_the_library_nothing_is_exported():
    assert bool(adapter.exported()) == there


def test_texts_are_put_together_from_parts():
    assert adapter.text_of([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]) == "ab"
    assert adapter.text_of(None) == ""


def evaluated(tmp_path, replies, *options, wish=WISH):
    with stub(replies) as url:
        run(
            *("vf-eval", "palaestra-tasks", "-m", "stub", "-o", str(tmp_path), "--no-push"),
            *("--client.base-url", url, "--client.api-key-var", "NO_KEY"),
            *("--env.taskset.tasks", wish, "--no-rich", *options),
        )
    (file,) = tmp_path.rglob("traces.jsonl")
    return [json.loads(line) for line in file.read_text().splitlines()]


def rewards_of(trace):
    """The scores in an episode as it is saved."""
    rewards = []

    def walk(value, key=""):
        if isinstance(value, dict):
            if key == "rewards" and "score" in value:
                rewards.append(value["score"]["score"])
            for name, each in value.items():
                walk(each, name)
        elif isinstance(value, list):
            for each in value:
                walk(each)

    walk(trace)
    return rewards


@new
def test_vf_eval_lets_a_model_play_games_and_puzzles(tmp_path):
    """It solves a game and a puzzle, and never finds a word for another game, which is cut."""
    play, stuck = perfect(WISH), [*plans(WISH)][1]

    def replies(messages):
        text = json.dumps(messages, ensure_ascii=False)
        return "no idea" if json.dumps(stuck, ensure_ascii=False)[1:-1] in text else play(messages)

    first, *_ = plans(WISH).values()
    traces = evaluated(tmp_path, replies, "--env.max-turns", str(len(first)))
    scores = sorted(score for trace in traces for score in rewards_of(trace))
    assert scores == [0.0, 1.0, 1.0]


SHOP = "tools/small_shop?level=0&seeds=0:1"


@contextmanager
def user(requests):
    """The options of an endpoint that has no words for what users say, so that the script speaks;
    its requests are added to a list.
    """

    def silent(messages):
        requests.append(messages)
        return ""

    with stub(silent) as url:
        yield json.dumps({"base_url": url, "model": "user"})


@new
def test_vf_eval_lets_an_endpoint_word_what_users_say(tmp_path, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    requests = []
    with user(requests) as options:
        traces = evaluated(tmp_path, perfect(SHOP), "--env.user", options, wish=SHOP)
    assert [score for trace in traces for score in rewards_of(trace)] == [1.0]
    assert requests


GOLDS = '{"problem": "6 * 7?", "answer": 42}\n{"problem": "Half of 1?", "answer": "1/2"}\n'


def half(messages):
    """A model that has one answer to everything."""
    return r"<answer>0.5</answer>"


@new
def test_vf_eval_asks_the_questions_of_a_file(tmp_path):
    file = tmp_path / "maths.jsonl"
    file.write_text(GOLDS)
    traces = evaluated(tmp_path, half, wish=str(file))
    assert sorted(score for trace in traces for score in rewards_of(trace)) == [0.0, 1.0]


@old
def test_the_older_form_asks_the_questions_of_a_file(tmp_path):
    file = tmp_path / "maths.jsonl"
    file.write_text(GOLDS)
    with stub(half) as url:
        assert found_by_the_older_form(url, str(file)) == [[0.0, "None"], [1.0, "None"]]


@old
def test_the_older_form_loads_by_name_and_evaluates(tmp_path):
    """As ``vf.load_environment`` and ``evaluate`` of 0.1.8 to 0.3 have it."""
    with stub(perfect(WISH)) as url:
        assert found_by_the_older_form(url, WISH) == [[1.0, "None"]] * 3


@old
def test_the_older_form_lets_an_endpoint_word_what_users_say(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    requests = []
    with stub(perfect(SHOP)) as url, user(requests) as options:
        assert found_by_the_older_form(url, SHOP, f"user={options}") == [[1.0, "None"]]
    assert requests


def found_by_the_older_form(url, wish, options="max_turns=12"):
    """The rewards and errors of an evaluation."""
    code = f"""
import asyncio, json
import verifiers.legacy as vf
env = vf.load_environment("palaestra-tasks", tasks={wish!r}, {options})
config = vf.types.ClientConfig(api_base_url={url!r}, api_key_var="NO_KEY")
done = asyncio.run(env.evaluate(config, "stub", num_examples=-1, rollouts_per_example=1))
print("FOUND", json.dumps([(one["reward"], str(one.get("error"))) for one in done["outputs"]]))
"""
    output = run(sys.executable, "-W", "ignore", "-c", code)
    return json.loads(output.partition("FOUND")[2].strip().splitlines()[0])
