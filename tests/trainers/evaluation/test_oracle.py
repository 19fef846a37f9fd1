"""The oracle answers as OpenAI's endpoint for chat completions does, whole and in parts."""

import json
import subprocess
import sys

import httpx2 as httpx
import pytest

from palaestra.address import Address
from palaestra.episode import ANSWER_FORMATS
from palaestra.scoring import opening, score
from palaestra.trainers.evaluation.oracle import Oracle, build, serving
from palaestra.trainers.evaluation.suites import Cell, Suite
from palaestra.trainers.rows import selected

PUZZLE = "logic/knights_and_knaves?level=1&seeds=0:3"
WORLD = "tools/meeting_desk?seeds=0:2"


@pytest.fixture(scope="module")
def url():
    tasks = [(address, "tags") for wish in (PUZZLE, WORLD) for address in selected(wish)]
    with serving(build(Oracle(tasks))) as base:
        yield base


def asking(wish, **options):
    """A request for the first task of a selection."""
    opened = opening(next(selected(wish)))
    tools = {"tools": list(opened.tools)} if opened.tools else {}
    return {"model": "m", "messages": list(opened.messages), **tools, **options}


def streamed(url, request):
    """The parts of an answer, read from its events line by line."""
    with httpx.stream("POST", f"{url}/chat/completions", json=request) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        lines = list(answer.iter_lines())
    assert lines[-2:] == ["data: [DONE]", ""]
    assert all(line.startswith("data: ") for line in lines[::2])
    assert not any(lines[1::2])
    return [json.loads(line.removeprefix("data: ")) for line in lines[:-2:2]]


def assembled(parts):
    """The message that the deltas of an answer make."""
    message = {"role": None, "content": None}
    for part in parts:
        for choice in part["choices"]:
            delta = choice["delta"]
            message["role"] = delta.get("role", message["role"])
            if delta.get("content") is not None:
                message["content"] = (message["content"] or "") + delta["content"]
            for call in delta.get("tool_calls", ()):
                calls = message.setdefault("tool_calls", [])
                if "id" in call:
                    assert call["index"] == len(calls)
                    calls.append({**call, "function": dict(call["function"])})
                    del calls[-1]["index"]
                else:
                    calls[call["index"]]["function"]["arguments"] += call["function"]["arguments"]
    return message


@pytest.mark.parametrize("wish", [PUZZLE, WORLD])
def test_an_answer_in_parts_is_the_whole_answer(url, wish):
    whole = httpx.post(f"{url}/chat/completions", json=asking(wish)).json()
    parts = streamed(url, asking(wish, stream=True))
    (choice,) = whole["choices"]
    assert assembled(parts) == choice["message"]
    assert len(parts) > 3
    for part in parts:
        assert part["object"] == "chat.completion.chunk"
        assert (part["id"], part["model"], part["created"]) == (whole["id"], "m", whole["created"])
        assert "usage" not in part
    ends = [part["choices"][0]["finish_reason"] for part in parts]
    assert ends == [None] * (len(parts) - 1) + [choice["finish_reason"]]
    assert choice["finish_reason"] == ("tool_calls" if wish == WORLD else "stop")


def test_usage_comes_last_where_it_is_asked_for(url):
    usage = httpx.post(f"{url}/chat/completions", json=asking(PUZZLE)).json()["usage"]
    options = {"stream": True, "stream_options": {"include_usage": True}}
    *parts, last = streamed(url, asking(PUZZLE, **options))
    assert last["choices"] == []
    assert last["usage"] == usage
    assert all(part["usage"] is None and part["choices"] for part in parts)
    plain = streamed(url, asking(PUZZLE, stream=True, stream_options={"include_usage": False}))
    assert len(plain) == len(parts)


def test_what_cannot_be_answered_is_no_stream(url):
    for request in (
        {"messages": [{"role": "user", "content": "hi"}]},
        {"messages": []},
        {},
        {"messages": [{"role": "user", "content": 7}]},
        asking(PUZZLE, n=2),
        asking(PUZZLE) | {"stream_options": 7},
    ):
        answer = httpx.post(f"{url}/chat/completions", json={**request, "stream": True})
        assert answer.status_code == 400
        assert answer.json()["error"]["message"]


def test_openings_are_known_in_parts_and_without_blanks_around_them(url):
    """As clients write them that take messages apart."""
    request = asking(PUZZLE)
    (message,) = request["messages"]
    first, rest = message["content"][:20], message["content"][20:]
    parts = [{"type": "text", "text": first}, {"type": "text", "text": f"{rest}\n"}]
    request["messages"] = [{"role": "system", "content": "Think."}, {**message, "content": parts}]
    whole = httpx.post(f"{url}/chat/completions", json=request).json()
    reply = whole["choices"][0]["message"]["content"]
    assert score(next(selected(PUZZLE)), reply).correct


def test_an_oracle_has_the_style_that_its_tasks_are_put_in():
    address = Address.of("logic/knights_and_knaves", 3)
    oracle = Oracle([(address, "boxed")])
    message = oracle.message({"messages": list(opening(address, "boxed").messages)})
    assert message["content"] == ANSWER_FORMATS["boxed"].write(*address.task().solve())
    suite = Oracle(Suite((Cell("logic/knights_and_knaves", 0, 2),)))
    assert len(suite.known) == 2


def test_the_command_serves_selections_beside_suites(tmp_path):
    """Which it says by what it makes of them; that it serves is tested with evaluations."""
    suite = tmp_path / "suite.yaml"
    suite.write_text("- environments: logic/knights_and_knaves\n  levels: [0]\n  tasks: 2\n")
    code = """
import sys
from palaestra.trainers.evaluation import oracle
oracle.build = lambda made: print(len(made.known))
sys.modules["uvicorn"] = type(sys)("uvicorn")
sys.modules["uvicorn"].run = lambda app, **options: print(options["port"])
oracle.main(sys.argv[1:])
"""
    two = f"{PUZZLE} {WORLD}"
    done = subprocess.run(
        [sys.executable, "-c", code, str(suite), two, "--port", "8009"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.split() == ["7", "8009"], done.stderr
    done = subprocess.run(
        [sys.executable, "-c", code, "absent.yaml"], capture_output=True, text=True, check=False
    )
    assert "absent.yaml" in done.stderr
