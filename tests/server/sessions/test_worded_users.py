"""Sessions whose users speak in the words of an endpoint, which the server names."""

import asyncio
import json

import httpx2 as httpx
import pytest
from tests.server.examples import ask, connected
from tests.server.sessions.examples import STRANGE, serving
from tests.trainers.users import worded
from tests.verifiers.judges.stubs import says, sends
from typer.testing import CliRunner

from palaestra.address import Address
from palaestra.cli import app
from palaestra.episode import TAGS, Episode
from palaestra.server import metrics
from palaestra.server.app import build
from palaestra.server.launcher import background_server
from palaestra.server.service import Settings
from palaestra.server.store import ReplyRecord, SessionRecord, Store
from palaestra.server.targets import resolved
from palaestra.trainers.spoken_users import Speaker, Words, speaker_of
from palaestra.verifiers.judges import Endpoint

SHOP = Address.of("tools/small_shop", 1, 2)
MOVES = [TAGS.write(move) for move in SHOP.task().solve()]

BY_HAND = Address.of("tools/small_shop", 1, 2, errors=21)
"""A task that is played in worker processes, as its knobs are those of no level."""


@pytest.fixture
def stub(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with worded() as server:
        yield server


def speaker(stub):
    return Speaker(Endpoint(stub.url, "user", timeout_s=60, retries=0))


def scripted(steps):
    """The chat after some steps, in the words of the script."""
    return Episode(SHOP.task(), TAGS, MOVES[:steps]).messages()


def user_texts(messages):
    return [message["content"] for message in messages if message["role"] == "user"]


def test_what_is_said_is_stored_and_read_back(database):
    words = tuple(Words(turn, STRANGE, f"{turn} \ud800 é", "") for turn in range(3))

    async def run():
        store = Store(database)
        first = SessionRecord("a", "me", "x", "tags", None, 0, words=words[:1])
        fork = SessionRecord("b", "me", "x", "tags", None, 0, replies=("1", "2"), words=words)
        await store.create([first, fork])
        assert await store.append(ReplyRecord("a", 0, 0, "1", None, words[1:2]))
        assert not await store.append(ReplyRecord("a", 0, 0, "1", None, words[2:]))
        assert await store.append(ReplyRecord("a", 0, 1, "2"))
        loaded = [(await store.load(name)).words for name in "ab"]
        assert await store.rewind("b", 0, 1)
        rewound = (await store.load("b")).words
        store.close()
        return loaded, rewound

    assert asyncio.run(run()) == ([words[:2], words], words[:2])


@pytest.mark.parametrize("address", [SHOP, BY_HAND], ids=["by level", "in a worker process"])
def test_a_session_is_worded_and_scored_as_always(database, stub, address):
    moves = [TAGS.write(move) for move in address.task().solve()]
    assert resolved(str(address)).is_remote == (address is BY_HAND)

    async def run():
        async with serving(database, speaker=speaker(stub)) as sessions:
            (state,) = await sessions.open(address)
            plain = Episode(address.task(), TAGS)
            differ = state.observation != plain.observation
            for n, move in enumerate(moves):
                state = await sessions.step(state.session, n, move)
                plain.step(move)
                assert state.reward == plain.rewards[-1]
                assert state.state == plain.turn.state
                differ += state.observation != plain.observation
            assert state.score.value == 1
            return differ, await sessions.get(state.session)

    differ, state = asyncio.run(run())
    assert differ > 2
    assert len(stub.seen) == differ
    assert "Mhm. " in "".join(user_texts(state.messages))
    assert len(state.messages) == len(Episode(address.task(), TAGS, moves).messages())


@pytest.mark.parametrize(
    "fault", [sends(500), says("I was born in 1834.")], ids=["fails", "invents"]
)
def test_in_a_worker_process_the_script_speaks_where_the_endpoint_fails(database, stub, fault):
    stub.behave = fault

    async def run():
        async with serving(database, speaker=speaker(stub)) as sessions:
            (state,) = await sessions.open(BY_HAND)
            record = await sessions.store.load(state.session)
            return state.observation, record.words

    observation, words = asyncio.run(run())
    assert observation == Episode(BY_HAND.task(), TAGS).observation
    assert words
    assert all(each.reason and each.spoken == each.scripted for each in words)


def test_in_a_worker_process_words_are_stored_and_forked(database, stub):
    moves = [TAGS.write(move) for move in BY_HAND.task().solve()][:3]

    async def run():
        async with serving(database, speaker=speaker(stub)) as sessions:
            (state,) = await sessions.open(BY_HAND)
            texts = [state.observation]
            for n, move in enumerate(moves):
                state = await sessions.step(state.session, n, move)
                texts.append(state.observation)
            number = len(stub.seen)
            assert (await sessions.step(state.session, 2, moves[2])).observation == texts[-1]
            (fork,) = await sessions.fork(state.session, 1)
            sessions.active.clear()  # as after a restart
            assert user_texts((await sessions.get(fork.session)).messages) == texts
            back = await sessions.rewind(state.session, 1)
            assert user_texts(back.messages) == texts[:2]
            assert len(stub.seen) == number
            return texts

    texts = asyncio.run(run())
    assert texts != user_texts(Episode(BY_HAND.task(), TAGS, moves).messages())


def test_another_server_shows_the_same_words_without_asking_again(shared, stub):
    async def run():
        async with serving(shared, speaker=speaker(stub)) as sessions:
            (state,) = await sessions.open(SHOP)
            texts = [state.observation]
            for n, move in enumerate(MOVES[:4]):
                state = await sessions.step(state.session, n, move)
                texts.append(state.observation)
            number = len(stub.seen)
            again = await sessions.step(state.session, 3, MOVES[3])
            assert again.observation == texts[-1]
        for each in (None, speaker(stub)):
            async with serving(shared, speaker=each) as sessions:
                seen = await sessions.get(state.session)
                assert user_texts(seen.messages) == texts
                assert seen.observation == texts[-1]
                again = await sessions.step(state.session, 1, MOVES[1])
                assert again.observation == texts[2]
        assert len(stub.seen) == number
        return texts

    assert asyncio.run(run()) != user_texts(scripted(4))


def test_forks_and_rewound_sessions_keep_what_was_said(database, stub):
    async def run():
        async with serving(database, speaker=speaker(stub)) as sessions:
            first, second = await sessions.open(SHOP, number=2)
            assert first.observation == second.observation
            assert len(stub.seen) == 1
            for n, move in enumerate(MOVES[:4]):
                state = await sessions.step(first.session, n, move)
            before = (await sessions.get(first.session)).messages
            (fork,) = await sessions.fork(first.session, 1)
            sessions.active.clear()  # as after a restart
            assert (await sessions.get(fork.session)).messages == before
            back = await sessions.rewind(first.session, 2)
            assert back.messages == before[:5]
            stub.behave = says("")
            state = await sessions.step(first.session, 2, MOVES[2])
            state = await sessions.step(first.session, 3, MOVES[3])
            assert state.observation == user_texts(scripted(4))[-1]
            assert (await sessions.get(fork.session)).messages == before
            assert (await sessions.get(first.session)).messages[:5] == before[:5]

    asyncio.run(run())


@pytest.mark.parametrize(
    "fault", [sends(500), says("I was born in 1834.")], ids=["fails", "invents"]
)
def test_the_script_speaks_and_is_counted_where_the_endpoint_fails(database, stub, fault):
    stub.behave = fault

    def count(words):
        return metrics.utterances.labels(words)._value.get()

    async def run():
        async with serving(database, speaker=speaker(stub)) as sessions:
            (state,) = await sessions.open(SHOP)
            for n, move in enumerate(MOVES):
                state = await sessions.step(state.session, n, move)
            record = await sessions.store.load(state.session)
            return await sessions.get(state.session), record.words

    before = count("script"), count("endpoint")
    state, words = asyncio.run(run())
    assert state.score.value == 1
    assert state.messages == scripted(len(MOVES))
    assert words
    assert all(each.reason and each.spoken == each.scripted for each in words)
    assert (count("script") - before[0], count("endpoint") - before[1]) == (len(words), 0)


def test_tasks_without_a_user_and_servers_without_an_endpoint_ask_nobody(database, stub):
    async def run():
        async with serving(database, speaker=speaker(stub)) as sessions:
            await sessions.open(Address.of("games/mastermind", 1))
        async with serving(database) as sessions:
            (state,) = await sessions.open(SHOP)
            assert state.messages == scripted(0)

    asyncio.run(run())
    assert not stub.seen


def test_routes_and_sockets_show_the_words(stub):
    settings = Settings(user={"base_url": stub.url, "model": "user", "persona": "curt"})
    with background_server(build(settings)) as url, httpx.Client(base_url=url, timeout=60) as http:
        opened = http.post("/v1/sessions", json={"address": str(SHOP)}).json()["sessions"][0]
        assert opened["observation"] != user_texts(scripted(0))[0]
        assert "curt" in json.dumps(stub.seen[0][2])
        with connected(url) as line:
            (other,) = ask(line, op="open", address=str(SHOP))["result"]["sessions"]
            assert other["observation"] != user_texts(scripted(0))[0]
            for n, move in enumerate(MOVES):
                frame = ask(line, op="step", session=other["session"], step=n, move=move)
            assert frame["result"]["score"]["value"] == 1
        assert 'palaestra_user_utterances_total{words="endpoint"}' in http.get("/metrics").text
        wish = {"address": str(SHOP), "user": {"base_url": stub.url, "model": "user"}}
        assert http.post("/v1/sessions", json=wish).status_code == 422


def test_options_of_the_command_that_do_not_fit_are_named():
    result = CliRunner().invoke(app, ["serve", "--user-model", "m", "--port", "0"])
    assert result.exit_code != 0
    assert "both a base URL and a model" in result.output + str(result.exception)
    assert speaker_of({"base_url": "http://x/v1", "model": "m", "concurrency": 64})
