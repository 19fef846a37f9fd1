"""Whole episodes against an OpenAI-compatible client."""

import asyncio
import json
import pickle
import subprocess
import sys
from types import SimpleNamespace

import pytest

import palaestra
from palaestra import Address
from palaestra.registry import UnknownEnvironment
from palaestra.toolbox import call
from palaestra.trainers.episodes import (
    ANSWER,
    EpisodeResult,
    Reply,
    ToolCall,
    move_of,
    play_episode,
    reply_of,
    run_episode,
)
from palaestra.trainers.evaluation import Cell, Suite
from palaestra.trainers.evaluation.oracle import Oracle, build, serving

KNIGHTS = "logic/knights_and_knaves?level=1&seed=2147483650"
DESK = "tools/meeting_desk?level=1&seed=2147483650"
MASTERMIND = "games/mastermind?level=1&seed=2147483650"


class Refused(RuntimeError):
    def __init__(self, why, status_code=400):
        super().__init__(why)
        self.status_code = status_code


class Client:
    """A client whose answers are those of a function of the request."""

    def __init__(self, answer):
        self.answer = answer
        self.wishes = []
        self.chat = SimpleNamespace(completions=SimpleNamespace(create=self.create))

    async def create(self, **wish):
        self.wishes.append(json.loads(json.dumps(wish)))
        await asyncio.sleep(0)
        answer = self.answer(wish)
        return completion(answer) if isinstance(answer, str) else answer


def completion(text=None, calls=(), **more):
    message = {"role": "assistant", "content": text}
    if calls:
        message["tool_calls"] = [
            {"id": f"c{n}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for n, (name, arguments) in enumerate(calls)
        ]
    return {"choices": [{"message": message, "finish_reason": "stop"}], **more}


def oracle(address):
    """A client that plays one task as a perfect player does."""
    return Client(Oracle([(Address.parse(address), "tags")]).completion)


def play(client, address, **more):
    return asyncio.run(run_episode(client, "m", address, **more))


def check(result):
    """What holds for every episode that was scored."""
    assert isinstance(result, EpisodeResult)
    assert sum(result.rewards) == pytest.approx(result.score)
    assert len(result.rewards) == len(result.replies)
    assert len(result.finish_reasons) == len(result.waits)
    again = palaestra.score(result.address, result.replies, result.answer_format)
    assert (again.value, again.status) == (result.score, result.status)
    roles = [message["role"] for message in result.messages]
    assert roles[0] == "user"
    assert roles[-1] == "assistant"
    assert pickle.loads(pickle.dumps(result)) == result
    assert json.loads(json.dumps(result.plain()))["correct"] == result.correct


@pytest.mark.parametrize("tools", ["native", "text"])
@pytest.mark.parametrize(
    "env",
    ["logic/knights_and_knaves", "games/mastermind", "games/game_2048", "matches/connect_four",
     "matches/tic_tac_toe", "tools/meeting_desk", "tools/small_shop", "counting/dice_probability"],
)  # fmt: skip
def test_a_perfect_player_scores_1_in_tasks_of_every_kind(env, tools):
    address = str(Address.of(env, 3, 1, "eval"))
    client = oracle(address)
    result = play(client, address, tools=tools)
    assert result.score == 1, result
    assert result.correct
    check(result)
    world = bool(Address.parse(address).task().tools())
    assert result.native_tools is (world and tools == "native")
    assert any("tools" in wish for wish in client.wishes) is result.native_tools
    assert result.prompt_tokens > 0
    assert result.completion_tokens > 0
    for earlier, later in zip(client.wishes, client.wishes[1:]):
        assert later["messages"][: len(earlier["messages"])] == earlier["messages"]
    if not result.native_tools:
        episode = palaestra.Episode(Address.parse(address).task(), replies=result.replies)
        assert list(result.messages) == episode.messages()


def test_a_wrong_reply():
    result = play(Client(lambda _: "<answer>?</answer>"), KNIGHTS)
    assert (result.score, result.correct, result.status) == (0, False, "malformed")
    check(result)
    result = play(Client(lambda _: "I do not know"), KNIGHTS)
    assert (result.score, result.status) == (0, "no_answer")


def test_what_is_asked_for_goes_into_each_request():
    client = Client(lambda _: "<answer>1</answer>")
    result = play(client, MASTERMIND, system="Be brief.", temperature=0.5, max_tokens=7)
    assert len(client.wishes) == len(result.finish_reasons) == 8
    assert {(w["model"], w["temperature"], w["max_tokens"]) for w in client.wishes} == {
        ("m", 0.5, 7)
    }
    assert client.wishes[0]["messages"][0] == {"role": "system", "content": "Be brief."}
    assert "tools" not in client.wishes[0]


@pytest.mark.parametrize("option", ["n", "stream", "messages"])
def test_options_for_which_there_is_no_use(option):
    with pytest.raises(ValueError, match=option):
        play(Client(str), KNIGHTS, **{option: 1})


def test_mistakes_of_the_caller_are_raised():
    with pytest.raises(UnknownEnvironment, match="did you mean logic/knights_and_knaves"):
        play(Client(str), "logic/knights")
    for odd in ({"max_turns": 0}, {"max_context": 0}, {"tools": "xml"}, {"answer_format": "fancy"}):
        with pytest.raises(ValueError, match=r"turns|tools|answer format"):
            play(Client(str), KNIGHTS, **odd)

    def slip(_):
        raise TypeError("unexpected keyword argument")

    with pytest.raises(TypeError):
        play(Client(slip), KNIGHTS)


def test_a_request_that_fails_is_no_score():
    def fail(_):
        raise ConnectionError("gone")

    result = play(Client(fail), KNIGHTS)
    assert (result.score, result.correct, result.status) == (None, None, "infra_error")
    assert "gone" in result.reason
    assert result.rewards == result.replies == ()
    json.dumps(result.plain())


def test_a_request_that_fails_half_way_is_no_score():
    def later(wish):
        if len(wish["messages"]) > 3:
            raise Refused("overloaded", 503)
        return "<answer>111</answer>"

    result = play(Client(later), MASTERMIND)
    assert result.score is None
    assert result.status == "infra_error"
    assert len(result.replies) == len(result.rewards) == 2


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"choices": []},
        {"choices": None},
        {"choices": [{"message": {"content": 7}}]},
        {"choices": "xyz"},
        None,
        [],
    ],
)
def test_what_is_no_completion_is_no_score(answer):
    assert play(Client(lambda _: answer), KNIGHTS).score is None


@pytest.mark.parametrize(
    ("message", "text", "names"),
    [
        ({"content": None}, "", []),
        ({"content": [{"type": "text", "text": "a"}, {"text": "b"}, {"image": 1}]}, "ab", []),
        ({"content": "x", "tool_calls": 5}, "x", []),
        ({"content": "x", "tool_calls": None}, "x", []),
        (
            {"content": "", "tool_calls": [{"function": {"name": "f", "arguments": {"a": 1}}}]},
            "",
            ["f"],
        ),
        ({"content": "", "tool_calls": [{}]}, "", ["None"]),
    ],
)
def test_completions_in_all_their_forms(message, text, names):
    for made in (message, SimpleNamespace(**message)):
        reply = reply_of({"choices": [{"message": made}]})
        assert reply.text == text
        assert [each.name for each in reply.calls] == names


@pytest.mark.parametrize("count", [-1, True, "7", 2**80, 1.5, None])
def test_counts_that_are_none(count):
    usage = {"prompt_tokens": count, "completion_tokens": 4}
    usage["completion_tokens_details"] = {"reasoning_tokens": 3}
    reply = reply_of(completion("x", usage=usage))
    assert (reply.prompt_tokens, reply.completion_tokens, reply.reasoning_tokens) == (0, 4, 3)


def test_an_episode_has_an_end():
    result = play(Client(lambda _: "<answer>111</answer>"), MASTERMIND, max_turns=3)
    assert (result.score, result.status, len(result.replies)) == (0, "limit", 3)
    assert "3 turns" in result.reason
    counted = Client(
        lambda w: completion(
            "<answer>111</answer>",
            usage={"prompt_tokens": 100 * len(w["messages"]), "completion_tokens": 50},
        )
    )
    result = play(counted, MASTERMIND, max_context=340)
    assert (result.score, result.status, len(result.replies)) == (0, "limit", 2)
    assert "340 tokens" in result.reason
    uncounted = play(Client(lambda _: "<answer>111</answer>"), MASTERMIND, max_context=10)
    assert (uncounted.score, uncounted.status, len(uncounted.replies)) == (0, "limit", 0)


@pytest.mark.parametrize("first", [True, False])
def test_a_chat_longer_than_the_model_reads(first):
    def answer(wish):
        if first or len(wish["messages"]) > 1:
            raise Refused("This model's maximum context length is 4096 tokens.")
        return "<answer>111</answer>"

    result = play(Client(answer), MASTERMIND)
    assert (result.score, result.status) == ((None, "infra_error") if first else (0, "limit"))


# ------------------------------------------------------------------ tools


def unwilling(wish):
    """An endpoint that takes no functions."""
    if "tools" in wish:
        raise Refused('"auto" tool choice requires --enable-auto-tool-choice')
    return oracle(DESK).answer(wish)


def test_tools_are_told_in_words_where_functions_are_refused():
    client = Client(unwilling)
    result = play(client, DESK)
    assert (result.score, result.native_tools) == (1, False)
    assert ["tools" in wish for wish in client.wishes[:3]] == [True, False, False]
    check(result)
    refused = play(Client(unwilling), DESK, tools="native")
    assert (refused.score, refused.status) == (None, "infra_error")


def test_other_failures_do_not_take_the_tools_away():
    def busy(_):
        raise Refused("try later", 503)

    client = Client(busy)
    assert play(client, DESK).score is None
    assert len(client.wishes) == 1


def test_functions_that_are_offered():
    client = Client(lambda _: completion(None, [(ANSWER, '{"text": "done"}')]))
    result = play(client, DESK)
    offered = [each["function"]["name"] for each in client.wishes[0]["tools"]]
    own = [each["function"]["name"] for each in Address.parse(DESK).task().tools()]
    assert offered == [*own, ANSWER]
    assert result.replies == ("<answer>done</answer>",)
    check(result)


def test_calls_come_together():
    task = Address.parse(DESK).task()
    moves = [json.loads(move) for move in task.solve() if move != "done"]
    calls = [(move["tool"], json.dumps(move["args"])) for move in moves]
    completions = iter([completion("All at once.", calls), completion("<answer>done</answer>")])
    client = Client(lambda _: next(completions))
    result = play(client, DESK)
    assert result.score == 1, result
    check(result)
    (first, second) = (wish["messages"] for wish in client.wishes)
    messages = second[len(first) :]
    assert [m["role"] for m in messages] == ["assistant", *["tool"] * len(calls)]
    assert [m["tool_call_id"] for m in messages[1:]] == [c["id"] for c in messages[0]["tool_calls"]]


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("agenda", "not JSON", "args"),
        ("agenda", "[1]", "args"),
        ("agenda", "[" * 100_000, "at most 20000"),
        ("agenda", '{"person": ' + "[" * 5_000 + "]" * 5_000 + "}", "Error"),
        ("agenda", "{}", "person"),
        ("no_such_tool", "{}", "there is no tool"),
        ("agenda", '{"person": "</answer><answer>x{}"}', "Error"),
        ("x" * 5_000, "{}", "tool"),
    ],
)
def test_calls_that_are_not_right_are_told_so(name, arguments, message):
    completions = iter([completion(None, [(name, arguments)]), completion("<answer>done</answer>")])
    client = Client(lambda _: next(completions))
    result = play(client, DESK)
    answer = client.wishes[1]["messages"][-1]
    assert answer["role"] == "tool"
    assert message in answer["content"]
    assert "Error" in answer["content"]
    kept = client.wishes[1]["messages"][-2]["tool_calls"][0]["function"]["arguments"]
    assert isinstance(json.loads(kept), dict)  # or servers would fail on the next request
    check(result)


@pytest.mark.parametrize("answer_format", ["tags", "boxed", "bare"])
@pytest.mark.parametrize("text", ["plain", "</answer>", "}{", "\\boxed{", '"quoted"', "ü\n\ud800"])
def test_calls_survive_their_marks(answer_format, text):
    held = palaestra.episode.ANSWER_FORMATS[answer_format]
    move = held.read(move_of(ToolCall("note", json.dumps({"text": text})), held))
    assert json.loads(move) == json.loads(call("note", text=text))


# ------------------------------------------------------------------ judging


@pytest.mark.parametrize(
    ("reply", "status"), [("die", "infra_error"), ("raise", "infra_error"), ("gold", "gold_error")]
)
def test_a_judge_that_fails_gives_no_score(expensive, reply, status):
    result = play(Client(lambda _: f"<answer>{reply}</answer>"), Address.of(expensive, seed=1))
    assert (result.score, result.status, result.rewards) == (None, status, ())
    assert result.replies


def test_heavy_tasks_are_judged_elsewhere(expensive):
    address = Address.of(expensive, seed=1)
    result = play(Client(lambda _: f"<answer>{address.task().answer()}</answer>"), address)
    assert result.score == 1, result.reason
    assert "judged by" in result.reason


def test_hostile_replies_of_any_size():
    for text in ("x" * 3_000_000, "<answer>" * 200_000, "\x00\ud800", "<think>" * 100_000, ""):
        result = play(Client(lambda _, text=text: text), KNIGHTS)
        assert result.score == 0


def test_many_episodes_at_once_do_not_meet():
    seeds = range(2**31, 2**31 + 40)

    async def all_of_them():
        addresses = [f"games/mastermind?level=1&seed={seed}" for seed in seeds]
        runs = [run_episode(oracle(each), "m", each) for each in addresses]
        return await asyncio.gather(*runs)

    results = asyncio.run(all_of_them())
    assert [result.score for result in results] == [1] * 40
    assert [Address.parse(result.address).seed for result in results] == list(seeds)


def test_anything_that_replies_can_play():
    async def ask(messages, tools):
        assert not tools
        return Reply("<answer>?</answer>", finish_reason="length", completion_tokens=5)

    result = asyncio.run(play_episode(ask, KNIGHTS))
    assert (result.score, result.finish_reasons, result.completion_tokens) == (0, ("length",), 5)

    async def plain(messages, tools):
        return f"<answer>{Address.parse(KNIGHTS).task().answer()}</answer>"

    assert asyncio.run(play_episode(plain, KNIGHTS)).score == 1


def test_importing_it_is_light():
    expensive = ("httpx2", "openai", "fastapi", "rich", "numpy", "yaml", "torch")
    code = f"""
import sys, palaestra.trainers.episodes
print([name for name in {expensive!r} if name in sys.modules])
"""
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_the_client_of_openai():
    openai = pytest.importorskip("openai", reason="needs pip install openai")
    suite = Suite((Cell("tools/meeting_desk", 1, 3), Cell("games/mastermind", 1, 3)))

    async def played(url):
        async with openai.AsyncOpenAI(base_url=url, api_key="none") as client:
            native = await run_episode(client, "oracle", DESK, max_tokens=99, temperature=0.0)
            text = await run_episode(client, "oracle", MASTERMIND, seed=1)
            unknown = await run_episode(client, "oracle", KNIGHTS)
            return native, text, unknown

    with serving(build(Oracle(suite))) as url:
        native, text, unknown = asyncio.run(played(url))
    assert (native.score, native.native_tools, text.score) == (1, True, 1)
    assert native.finish_reasons[0] == "tool_calls"
    check(native)
    assert unknown.score is None
    assert unknown.reason.startswith("BadRequestError")
