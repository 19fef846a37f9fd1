"""The client of chat endpoints."""

import asyncio

import pytest
from tests.trainers.evaluation.endpoints import SMALL, Endpoint, run

from palaestra.trainers.evaluation import (
    ChatClient,
    EndpointError,
)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"base_url": "localhost:8000"}, "http"),
        ({"base_url": "http://user:pass@host/v1"}, "no user"),
        ({"base_url": "http://host/v1?key=1"}, "query"),
        ({"timeout_s": 0}, "timeout_s"),
        ({"timeout_s": float("nan")}, "timeout_s"),
        ({"retries": -1}, "retries"),
        ({"backoff_s": 1e9}, "backoff_s"),
    ],
)
def test_settings_that_cannot_work(settings, message):
    with pytest.raises(ValueError, match=message):
        ChatClient(**{"base_url": "http://localhost/v1", **settings})


def test_no_one_there():
    async def go():
        async with ChatClient("http://127.0.0.1:9/v1", retries=1, backoff_s=0) as client:
            await client.chat.completions.create(model="m", messages=[])

    with pytest.raises(EndpointError, match=r"ConnectError\) \(2 tries\)") as fault:
        asyncio.run(go())
    assert fault.value.status_code is None


def test_the_key_is_sent_and_kept_nowhere(tmp_path, monkeypatch):
    monkeypatch.setenv("STUB_KEY", "sesame-opens")
    endpoint = Endpoint(SMALL)
    with endpoint.serving() as url:
        run(url, SMALL, out=tmp_path, client={"api_key_env": "STUB_KEY"}).write(tmp_path)
        assert {each["authorization"] for each in endpoint.headers} == {"Bearer sesame-opens"}
        endpoint.headers.clear()
        run(url, SMALL, client={"api_key_env": "NO_SUCH_KEY"})
        assert not any("authorization" in each for each in endpoint.headers)
        monkeypatch.setenv("STUB_KEY", "se\nsame")
        odd = run(url, SMALL, client={"api_key_env": "STUB_KEY"}, give_up_after=0)
    assert {each.score for each in odd.attempts} == {None}
    assert all("sesame" not in file.read_text() for file in tmp_path.iterdir())
