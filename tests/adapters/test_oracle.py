"""OpenAI's own client takes the oracle's answers, whole and in parts."""

import pytest

from palaestra.scoring import opening, score
from palaestra.trainers.evaluation.oracle import Oracle, build, serving
from palaestra.trainers.rows import selected

PUZZLE = "logic/knights_and_knaves?level=1&seeds=0:1"
WORLD = "tools/meeting_desk?seeds=0:1"

pytestmark = pytest.mark.package("openai")


@pytest.fixture(scope="module")
def client():
    openai = pytest.importorskip("openai")
    tasks = [(address, "tags") for wish in (PUZZLE, WORLD) for address in selected(wish)]
    with serving(build(Oracle(tasks))) as url, openai.OpenAI(base_url=url, api_key="none") as made:
        yield made


def asking(wish, **options):
    drawn = opening(next(selected(wish)))
    tools = {"tools": list(drawn.tools)} if drawn.tools else {}
    return {"model": "oracle", "messages": list(drawn.messages), **tools, **options}


def test_a_stream_reads_as_the_whole_answer(client):
    whole = client.chat.completions.create(**asking(PUZZLE))
    options = {"stream": True, "stream_options": {"include_usage": True}}
    *parts, last = client.chat.completions.create(**asking(PUZZLE, **options))
    text = "".join(part.choices[0].delta.content or "" for part in parts)
    assert text == whole.choices[0].message.content
    assert score(next(selected(PUZZLE)), text).correct
    assert parts[-1].choices[0].finish_reason == "stop"
    assert last.usage == whole.usage


@pytest.mark.parametrize("wish", [PUZZLE, WORLD])
def test_the_client_puts_a_stream_together_itself(client, wish):
    (choice,) = client.chat.completions.create(**asking(wish)).choices
    with client.chat.completions.stream(**asking(wish)) as stream:
        (made,) = stream.get_final_completion().choices
    assert made.finish_reason == choice.finish_reason
    assert made.message.content == choice.message.content
    calls = [call.function.arguments for call in choice.message.tool_calls or ()]
    assert [call.function.arguments for call in made.message.tool_calls or ()] == calls
    assert bool(calls) == (wish == WORLD)


def test_a_chat_of_no_task_is_a_bad_request(client):
    import openai

    messages = [{"role": "user", "content": "hi"}]
    with pytest.raises(openai.BadRequestError, match="none of the oracle's tasks"):
        client.chat.completions.create(model="oracle", messages=messages, stream=True)
