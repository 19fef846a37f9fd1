"""Attempts become trajectories in ATIF and are scored again as they were."""

import asyncio
import json
from dataclasses import replace

import pytest
from tests.trainers.evaluation.endpoints import SMALL, Endpoint, command
from tests.trainers.users import worded

import palaestra
from palaestra.address import Address
from palaestra.toolbox import call
from palaestra.trainers.evaluation import Attempt, ChatClient, Suite, evaluate_endpoint
from palaestra.trainers.evaluation.running import Evaluation
from palaestra.trainers.evaluation.trajectories import BadTrajectory, attempt_in, trajectory
from palaestra.trainers.spoken_users import Speaker

DESK = Address.of("tools/meeting_desk", 3)


def evaluated(suite=SMALL, errors=0.4, **options):
    async def play(url):
        async with ChatClient(url) as client:
            return await evaluate_endpoint(client, "m", suite, seed=1, **options)

    with Endpoint(suite, errors).serving() as url:
        return asyncio.run(play(url))


def attempt(address, *replies, **fields):
    usual = {"env": address.env, "level": 0, "cell": "0", "sample": 0, "problem": "p"}
    usual |= {"score": 0.0, "status": "scored", "replies": replies}
    return Attempt(str(address), **usual | fields)


def solved(address):
    return [f"<answer>{move}</answer>" for move in address.task().solve()]


@pytest.mark.parametrize("tools", ["native", "text"])
@pytest.mark.parametrize("answer_format", ["tags", "boxed", "bare"])
def test_an_evaluation_is_scored_again_as_it_was(tools, answer_format):
    cells = tuple(replace(cell, tasks=2, answer_format=answer_format) for cell in SMALL.cells)
    done = evaluated(Suite(cells), tools=tools, samples=2, system="Be brief.")
    assert {each.score for each in done.attempts} == {0.0, 1.0}
    for each in done.attempts:
        again = attempt_in(json.loads(json.dumps(trajectory(each, done.manifest))))
        assert again.pop("score") == each.score
        assert again["replies"] == list(each.replies)
        assert palaestra.score(again["address"], again["replies"], answer_format).value == (
            each.score
        )


def test_steps_are_what_was_said():
    done = evaluated(errors=0.0, tools="native", system="Be brief.")
    (one, *_) = (each for each in done.attempts if each.env == "tools/meeting_desk")
    value = trajectory(one, done.manifest)
    assert value["schema_version"] == "ATIF-v1.7"
    assert value["agent"]["model_name"] == "m"
    assert {tool["function"]["name"] for tool in value["agent"]["tool_definitions"]} >= {"book"}
    system, opening, *turns = value["steps"]
    assert (system["source"], system["message"]) == ("system", "Be brief.")
    episode = palaestra.Episode(Address.parse(one.address).task(), one.answer_format)
    assert (opening["source"], opening["message"]) == ("user", episode.observation)
    assert [step["step_id"] for step in value["steps"]] == list(range(1, len(value["steps"]) + 1))
    called = 0
    for step, reply, reward in zip(turns, one.replies, one.rewards, strict=True):
        episode.step(reply)
        assert step["extra"] == {"reward": reward}
        if "tool_calls" in step:
            called += 1
            (called_tool,) = step["tool_calls"]
            (result,) = step["observation"]["results"]
            assert result["source_call_id"] == called_tool["tool_call_id"]
        if episode.score is None:
            assert step["observation"]["results"][0]["content"] == episode.observation
        else:
            assert "observation" not in step
    assert called > 1
    assert value["final_metrics"]["total_completion_tokens"] == one.completion_tokens


ODD = [
    call("book", room="</answer> } \\boxed{", day="Mon", start="9:00"),
    call("book", day=1.0, room=None),
    '{"tool": "book", "args": {"room": "A", "room": "B"}}',
    '{"args": {}, "tool": "list_rooms"}',
    '{"tool":"list_rooms","args":{}}',
    '{"tool": "list_rooms", "args": "none"}',
    '{"tool": "no_such_tool", "args": {}}',
    call("list_rooms") + "\n" + call("list_rooms"),
    "[" * 5_000,
    "done",
    "",
]


@pytest.mark.parametrize("move", ODD, ids=range(len(ODD)))
@pytest.mark.parametrize("answer_format", ["tags", "bare"])
def test_a_reply_is_kept_to_the_letter(move, answer_format):
    reply = f"<answer>{move}</answer>" if answer_format == "tags" else move
    one = attempt(DESK, reply, native_tools=True, answer_format=answer_format)
    value = json.loads(json.dumps(trajectory(one, {})))
    assert attempt_in(value)["replies"] == [reply]


def test_words_of_a_user_are_those_that_the_player_read(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    suite = Suite.of(["tools/small_shop"], levels=[0], tasks=1)
    with worded() as user:
        done = evaluated(suite, speaker=Speaker.of(user.url, "user"))
    (one,) = done.attempts
    spoken = [words["spoken"] for words in one.user_words if not words["reason"]]
    assert spoken
    assert spoken[0] in json.dumps(trajectory(one, done.manifest), ensure_ascii=False)


def test_the_command_writes_what_score_reads(tmp_path, suite_file, capsys):
    out = tmp_path / "out"
    with Endpoint(SMALL, 0.4).serving() as url:
        argv = ["eval", "--base-url", url, "--model", "m", "--suite", str(suite_file)]
        assert command(*argv, "--out", str(out), "--traces", "atif") == 0
    files = sorted((out / "traces").iterdir())
    assert f"{len(files)} trajectories" in capsys.readouterr().err
    attempts = {each.address: each for each in Evaluation.load(out).attempts}
    assert len(files) == len(attempts) == SMALL.tasks
    assert command("score", *map(str, files)) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {line["address"] for line in lines} == attempts.keys()
    for line in lines:
        one = attempts[line["address"]]
        assert line["value"] == line["recorded"] == one.score
        assert (line["reason"], line["status"]) == (one.reason, one.status)


def test_a_file_is_lines_or_a_trajectory_over_several_lines(tmp_path, capsys):
    address, replies = DESK, solved(DESK)
    lines, single = tmp_path / "lines.jsonl", tmp_path / "single.json"
    row = {"address": str(address), "replies": replies}
    lines.write_text(f"\n{json.dumps(row)}\n{json.dumps(row | {'replies': replies[:1]})}\n")
    single.write_text(json.dumps(trajectory(attempt(address, *replies), {}), indent=2))
    assert command("score", str(lines), str(single)) == 0
    values = [json.loads(line)["value"] for line in capsys.readouterr().out.splitlines()]
    assert values == [1, 0, 1]


def test_an_attempt_that_was_cut_off_stays_unscored(tmp_path, capsys):
    one = attempt(DESK, *solved(DESK)[:2], score=None, status="infra_error")
    whole = attempt(DESK, *solved(DESK), score=None, status="infra_error")
    file = tmp_path / "attempts.jsonl"
    texts = [json.dumps(trajectory(each, {})) for each in (one, whole)]
    file.write_text("\n".join([*texts, one.line()]))
    assert command("score", str(file)) == 1
    cut, judged, row = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (cut["value"], cut["status"]) == (row["value"], row["status"]) == (None, "infra_error")
    assert judged["value"] == 1  # the judge failed then, and does not now


def changed(**fields):
    value = trajectory(attempt(DESK, "<answer>done</answer>"), {})
    return value | fields


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (changed(schema_version="ATIF-v2.0"), "ATIF-v1.0 to v1.8"),
        (changed(schema_version=1.7), "ATIF-v1.0 to v1.8"),
        (changed(extra=None), "no address"),
        (changed(extra={"palaestra": {"address": 3}}), "no address"),
        (changed(steps=None), "list"),
        (changed(steps=["a"]), "object with a message"),
        (changed(steps=[{"source": "agent", "message": 3}]), "text or a list"),
        (changed(steps=[{"source": "agent", "message": "", "tool_calls": 3}]), "list"),
        (changed(steps=[{"source": "agent", "message": "", "tool_calls": [{}]}]), "function_name"),
    ],
)
def test_what_is_no_trajectory_is_refused(value, message, tmp_path, capsys):
    with pytest.raises(BadTrajectory, match=message):
        attempt_in(value)
    (tmp_path / "trace.json").write_text(json.dumps(value))
    assert command("score", str(tmp_path / "trace.json")) == 1
    line = json.loads(capsys.readouterr().out)
    assert line["value"] is None
    assert message in line["reason"]


def test_trajectories_of_others():
    """Parts of messages, copied context, and steps of others are read as the format has them."""
    steps = [
        {"source": "user", "message": "Guess."},
        {"source": "agent", "message": "<answer>old</answer>", "is_copied_context": True},
        {"source": "agent", "message": [{"type": "text", "text": "<answer>11"}, {"type": "image"},
                                        {"type": "text", "text": "</answer>"}]},
        {"source": "agent", "message": "", "tool_calls": [
            {"function_name": "a", "arguments": {"x": 1}}, {"function_name": "b", "arguments": {}},
        ]},
    ]  # fmt: skip
    value = changed(schema_version="ATIF-v1.8", steps=steps)
    value["extra"] = {"palaestra": {"address": str(DESK)}}
    assert attempt_in(value) == {
        "address": str(DESK),
        "answer_format": "tags",
        "replies": [
            "<answer>11</answer>",
            f"<answer>{call('a', x=1)}</answer>",
            f"<answer>{call('b')}</answer>",
        ],
    }


def test_what_is_missing_is_noted():
    images = {"same": {"observation": "image"}}
    assert "images" in trajectory(attempt(DESK, "x"), images)["notes"]
    assert "longer" in trajectory(attempt(DESK, "x", cut=True), {})["notes"]
    assert "notes" not in trajectory(attempt(DESK, "x"), {})
