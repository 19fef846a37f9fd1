"""Clients that mean harm: bodies, headers, names and connections."""

import gzip
import json
import sqlite3
import time
import zlib
from contextlib import suppress

import httpx2 as httpx
import msgspec
import pytest
from tests.server.examples import (
    CODE,
    JSON,
    KNIGHTS,
    RIGHT,
    _heard,
    _until,
    ask,
    connected,
    line_to,
    problem,
)

from palaestra import zstd
from palaestra.server import http_protocol
from palaestra.server.app import build
from palaestra.server.auth import Keys, parsed
from palaestra.server.launcher import background_server
from palaestra.server.request_bodies import MemoryBudget
from palaestra.server.service import Settings

GET_ROUTES = ["/v1/environments", "/v1/sessions/x", "/livez"]

FRAMEWORK = [
    "/v1/tasks",
    "/v1/score/group",
    "/v1/sessions",
    "/v1/sessions/x/fork",
    "/v1/sessions/x/rewind",
    "/v1/programs",
    "/v1/curricula",
    "/v1/curricula/x/next",
    "/v1/curricula/x/feedback",
    "/v1/sessions/x/mcp",
]

HOT = ["/v1/score", "/v1/score/batch", "/v1/sessions/step", "/v1/sessions/x/step"]


@pytest.mark.parametrize("path", FRAMEWORK + HOT)
def test_bodies_have_a_limit_everywhere(http, path):
    response = http.post(path, content=b" " * ((32 << 20) + 1), headers=JSON)
    problem(response, 413, "too-large")


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
@pytest.mark.parametrize("path", ["/v1/score", "/v1/tasks"])
def test_bombs_are_not_opened(http, path, encoding):
    blank = bytes(64 << 20)
    bomb = gzip.compress(blank) if encoding == "gzip" else zstd.compress(blank, 19)
    assert len(bomb) < 100_000
    response = http.post(path, content=bomb, headers=JSON | {"content-encoding": encoding})
    problem(response, 413, "too-large")


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
def test_compressed_bodies_are_read_and_have_to_be_whole(http, encoding):
    body = json.dumps({"address": str(KNIGHTS), "replies": RIGHT}).encode()
    packed = {"gzip": gzip.compress, "zstd": zstd.compress}[encoding](body)
    headers = JSON | {"content-encoding": encoding}
    assert http.post("/v1/score", content=packed, headers=headers).json()["value"] == 1
    for broken in (packed[:-5], packed + b"x", b"x" + packed, b""):
        problem(http.post("/v1/score", content=broken, headers=headers), 400, "malformed")
    headers["content-encoding"] = "deflate"
    refused = http.post("/v1/score", content=zlib.compress(body), headers=headers)
    problem(refused, 415, "unsupported-encoding")


@pytest.mark.parametrize("path", FRAMEWORK + HOT)
@pytest.mark.parametrize(
    "body",
    [
        b"[" * 1_000_000,
        b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
        b'{"env": ' + b"[" * 65 + b"]" * 65 + b"}",
        b"[" + b"[]," * 300_000 + b"[]]",
        b'{"address": "x", "replies": ' + b"[" * 70 + b"]" * 70 + b"}",
    ],
)
def test_deep_json_is_refused_everywhere(http, path, body):
    response = http.post(path, content=body, headers=JSON)
    assert response.status_code in {400, 422}
    assert response.headers["content-type"] == "application/problem+json"
    if path in FRAMEWORK:
        problem(response, 400, "malformed")


def test_brackets_in_texts_are_no_depth(http):
    wish = {"address": str(KNIGHTS), "responses": ["[{" * 50_000, '"[' * 200, RIGHT]}
    response = http.post("/v1/score/group", json=wish).json()
    assert [one["value"] for one in response["results"]] == [0, 0, 1]


def test_a_body_that_does_not_come_is_not_waited_for(monkeypatch):
    monkeypatch.setattr("palaestra.server.app.BodyLimitMiddleware", _impatient)
    with background_server(build()) as url, line_to(url) as line:
        line.sendall(
            b"POST /v1/score HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\nconnection: close\r\n\r\n{"
        )
        response = _heard(line)
    assert response.startswith(b"HTTP/1.1 408 ")
    assert b"urn:palaestra:problem:slow-body" in response


def _impatient(app, most, is_shared):
    from palaestra.server.request_bodies import BodyLimitMiddleware

    return BodyLimitMiddleware(app, most, 0.2, is_shared)


def test_bodies_that_come_at_once_have_a_limit_together(monkeypatch):
    """Ten thousand clients with thirty megabytes each would be more than there is."""
    monkeypatch.setattr("palaestra.server.request_bodies.HELD", 1 << 20)
    item = json.dumps({"address": str(KNIGHTS), "replies": "x" * 600_000 + RIGHT}).encode()

    def asked(url):
        return httpx.post(f"{url}/v1/score", content=item, headers=JSON, timeout=60)

    held, take = [], MemoryBudget.take

    def taken(room, name, size):
        take(room, name, size)
        held.append(room.held.total())

    monkeypatch.setattr(MemoryBudget, "take", taken)
    with background_server() as url:
        assert asked(url).json()["value"] == 1
        with line_to(url) as line:
            head = b"POST /v1/score HTTP/1.1\r\nhost: x\r\ncontent-length: 2000000\r\n\r\n"
            line.sendall(head + b" " * 900_000)
            _until(lambda: held[-1] >= 900_000)  # or the line itself may be what is refused
            _until(lambda: asked(url).status_code == 503)
            assert problem(asked(url), 503, "overloaded")["retryable"]
        _until(lambda: asked(url).status_code == 200)
        for _ in range(5):  # none of them is forgotten there
            assert asked(url).json()["value"] == 1


def test_a_head_that_does_not_come_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(http_protocol, "HEAD_S", 0.3)
    with background_server() as url:
        for start in (b"", b"\r\n", b"POST /v1", b"POST /v1/score HTTP/1.1\r\nx: y"):
            with line_to(url) as line:
                line.sendall(start)
                assert b" 408 " in _heard(line)
        with line_to(url) as line:  # drop by drop is no better
            request = b"GET /livez HTTP/1.1\r\nhost: x\r\n" + b"x: y\r\n" * 9
            with pytest.raises((BrokenPipeError, ConnectionResetError)):
                _drip(line, request)


def _drip(line, text):
    for n in range(1_000):
        line.sendall(text[n % len(text) :][:1])
        time.sleep(0.01)


def test_a_body_that_nobody_reads_is_not_waited_for(monkeypatch):
    """The answer is there, and what is left of the request drips in for ever."""
    monkeypatch.setattr(http_protocol, "LINGERING_S", 0.3)
    with background_server() as url, line_to(url) as line:
        line.sendall(b"GET /livez HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000\r\n\r\n")
        received = b""
        while b"ok" not in received:
            received += line.recv(1 << 16)
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            _drip(line, b"x")


def test_what_stands_around_a_body_is_bounded(url):
    """Trailers and extensions of chunks are nothing that anybody reads."""
    head = b"POST /v1/score HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"
    trailers = b"0\r\n" + b"x: y\r\n" * 500_000
    extensions = b"".join(b"1;%s\r\nx\r\n" % (b"y" * 1_000) for _ in range(3_000))
    for flood in (trailers, extensions, b"0\r\nx: " + b"y" * 3_000_000):
        with line_to(url) as line, suppress(BrokenPipeError, ConnectionResetError):
            line.sendall(head + flood)
            assert not _heard(line).startswith(b"HTTP/1.1 200")
    body = json.dumps({"address": str(KNIGHTS), "replies": RIGHT}).encode()
    chunks = b"".join(b"1\r\n%c\r\n" % sign for sign in body) + b"0\r\nx: y\r\n\r\n"
    with line_to(url) as line:
        line.sendall(head + chunks)
        received = b""
        while b"fingerprint" not in received:
            received += line.recv(1 << 16)
        assert received.startswith(b"HTTP/1.1 200 ")


def test_floods_of_headers_are_refused(url):
    many = b"".join(b"x-%d: y\r\n" % n for n in range(200))
    long = b"x: " + b"y" * (80 << 10) + b"\r\n"
    endless = b"x: " + b"y" * (512 << 10)
    for flood in (many + b"\r\n", long + b"\r\n", endless, b"x: y\r\n" * 50_000):
        with line_to(url) as line:
            try:
                line.sendall(b"GET /livez HTTP/1.1\r\nhost: x\r\n" + flood)
                response = _heard(line)
            except ConnectionError:
                continue  # it had hung up before we were through
            assert response.startswith(b"HTTP/1.1 431 "), response[:200]
    with line_to(url) as line:
        line.sendall(b"GET /" + b"x" * (100 << 10) + b" HTTP/1.1\r\nhost: x\r\n\r\n")
        assert _heard(line).startswith(b"HTTP/1.1 431 ")


def test_large_bodies_in_one_piece_are_no_flood(url):
    """What comes with a head counts for it only as long as the head goes on."""
    body = json.dumps({"address": str(KNIGHTS), "replies": "x" * 200_000 + RIGHT}).encode()
    head = b"POST /v1/score HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n" % len(body)
    with line_to(url) as line:
        for _ in range(2):
            line.sendall(head + body)
            received = b""
            while b"fingerprint" not in received:
                received += line.recv(1 << 16)
            assert received.startswith(b"HTTP/1.1 200 ")
        get = b"GET /livez HTTP/1.1\r\nhost: x\r\n"
        line.sendall(get + b"\r\n" + get + b"connection: close\r\n\r\n")
        assert _heard(line).count(b"HTTP/1.1 200 ") == 2


@pytest.mark.parametrize(
    "name",
    ["../../etc/passwd", "..%2f..%2fetc%2fpasswd", "%2e%2e", "a%00b", "%ed%a0%80", "a/b",
     "x" * 65, "x;y", "%0d%0aset-cookie:x", "{session}", "💥", "'--", "*"],
)  # fmt: skip
def test_names_are_no_paths(http, name):
    for path in (f"/v1/sessions/{name}", f"/v1/curricula/{name}", f"/v1/environments/{name}"):
        response = http.get(path)
        assert response.status_code in {404, 405, 422}, (path, response.status_code)
        assert "set-cookie" not in response.headers
        assert response.headers["content-type"] == "application/problem+json"
    step = {"step": 0, "move": "x"}
    assert http.post(f"/v1/sessions/{name}/step", json=step).status_code in {404, 405, 422}
    items = {"items": [step | {"session": name[:64]}]}
    (response,) = http.post("/v1/sessions/step", json=items).json()["results"]
    assert response["error"] == "unknown-session"


def test_tokens_are_compared_in_the_same_time_whichever_they_are(monkeypatch):
    compared = []

    def compare(shown, token):
        compared.append((shown, token))
        return shown == token

    monkeypatch.setattr("palaestra.server.auth.compare_digest", compare)
    keys = Keys(map(parsed, ("first", "second", "third")))
    assert keys.find(b"first").name != keys.find(b"third").name
    assert keys.find(b"") is None
    tried = [shown for shown, _ in compared]
    assert [tried.count(shown) for shown in (b"first", b"third", b"")] == [3, 3, 3]


def test_a_token_is_in_no_name():
    """Names are logged, and own sessions: so two tokens that begin alike are two owners."""
    left, right = parsed("abcdefgh1")[1].name, parsed("abcdefgh2")[1].name
    assert left != right
    assert "abcd" not in left


@pytest.mark.parametrize("path", [*FRAMEWORK, *HOT, "/metrics", "/", "/openapi.json"])
@pytest.mark.parametrize("shown", ["", "no", "sesame2", "sesam", "Bearer sesame", "\xff" * 3, "é"])
def test_wrong_tokens_open_nothing(guarded, path, shown):
    response = httpx.post(
        guarded + path, headers={"x-api-key": shown.encode("latin-1")}, content=b"{"
    )
    problem(response, 401, "unauthorised")
    bearer = {"authorization": f"Bearer {shown}x".encode("latin-1")}
    problem(httpx.get(guarded + path, headers=bearer), 401, "unauthorised")


STRANGE = 'a\x00b \ud800 \udfff\ud83d \U0001f600 \u2028 \\ " <answer>1</answer>'

MENDED = STRANGE.replace("\ud800", "\ufffd").replace("\udfff", "\ufffd").replace("\ud83d", "\ufffd")


def test_halves_of_surrogate_pairs_and_nulls_are_text(url, http):
    """Texts of models hold such things; they are no reason to refuse a batch."""
    item = {"address": str(KNIGHTS), "replies": STRANGE}
    assert http.post("/v1/score", content=json.dumps(item), headers=JSON).json()["value"] == 0
    batch = json.dumps(
        {"items": [item, item | {"replies": STRANGE + RIGHT, "answer_format": "bare"}]}
    )
    response = http.post("/v1/score/batch", content=batch, headers=JSON).json()["results"]
    assert response[1]["extracted"] == MENDED + RIGHT
    group = json.dumps(
        {"address": str(KNIGHTS), "responses": [STRANGE], "transforms": ["majority"]}
    )
    assert http.post("/v1/score/group", content=group, headers=JSON).json()["results"]
    (one,) = http.post("/v1/sessions", json={"address": str(CODE)}).json()["sessions"]
    step = json.dumps({"step": 0, "move": STRANGE})
    path = f"/v1/sessions/{one['session']}"
    for _ in range(2):
        assert http.post(f"{path}/step", content=step, headers=JSON).json()["step"] == 1
    assert http.get(path).json()["messages"][1]["content"] == MENDED
    with connected(url) as line:
        assert ask(line, op="rewind", session=one["session"], step=0)["result"]["step"] == 0
        response = ask(line, op="step", session=one["session"], step=0, move=STRANGE)
        assert response["result"]["step"] == 1


def test_strange_names_are_answered(http):
    for text in (
        "\x00",
        "\ud800",
        "logic/\x00",
        "x" * 2_000,
        "?" * 500,
        "logic/knights_and_knaves?seed=\ud800",
    ):
        body = json.dumps({"address": text, "replies": "x"})
        response = http.post("/v1/score", content=body, headers=JSON)
        assert response.status_code in {404, 422}
        wish = json.dumps({"env": text, "knobs": {"\ud800": "\x00"}})
        assert http.post("/v1/tasks", content=wish, headers=JSON).status_code in {404, 422}
        opened = http.post("/v1/sessions", content=wish, headers=JSON)
        assert opened.status_code in {404, 422}


def test_replies_of_a_megabyte_and_no_more(http):
    item = {"address": str(KNIGHTS), "replies": "x" * ((1 << 20) - len(RIGHT)) + RIGHT}
    assert http.post("/v1/score", json=item).json()["value"] == 1
    longer = {**item, "replies": "x" * ((1 << 20) + 1)}
    problem(http.post("/v1/score", json=longer), 422, "invalid-request")
    (one,) = http.post("/v1/sessions", json={"address": str(CODE)}).json()["sessions"]
    move = {"step": 0, "move": "é" * (1 << 20)}
    response = http.post(f"/v1/sessions/{one['session']}/step", json=move)
    assert response.json()["step"] == 1


@pytest.mark.parametrize("sign", ["x", "é", "\U0001f600"])
def test_transcripts_of_four_million_characters_and_no_more(http, sign):
    """Whatever they are in bytes: the longest are sent to a worker process as any others are."""
    item = {"address": str(CODE), "replies": [sign * (1 << 20)] * 4}
    body = json.dumps(item, ensure_ascii=False)
    response = http.post("/v1/score", content=body, headers=JSON)
    assert (response.status_code, response.json()["value"]) == (200, 0)
    item["replies"].append("x")
    body = json.dumps(item, ensure_ascii=False)
    problem(http.post("/v1/score", content=body, headers=JSON), 422, "invalid-request")
    (one,) = http.post("/v1/score/batch", content=f'{{"items": [{body}]}}', headers=JSON).json()[
        "results"
    ]
    assert one["error"] == "invalid-request"


def test_batches_of_so_many_and_no_more(http):
    item = {"address": str(KNIGHTS), "replies": RIGHT}
    results = http.post("/v1/score/batch", json={"items": [item] * 1_024}).json()["results"]
    assert [one["value"] for one in results] == [1] * 1_024
    assert [one["index"] for one in results] == [*range(1_024)]
    problem(http.post("/v1/score/batch", json={"items": [item] * 1_025}), 422, "invalid-request")
    lines = "\n".join([json.dumps(item)] * 1_025)
    ndjson = {"content-type": "application/x-ndjson"}
    problem(http.post("/v1/score/batch", content=lines, headers=ndjson), 422, "invalid-request")


def test_broken_lines_fail_by_themselves(http):
    good = json.dumps({"address": str(KNIGHTS), "replies": RIGHT})
    lines = [
        good,
        "{",
        "",
        good[:-1],
        "[" * 1_000,
        "null",
        '{"address": 1}',
        good,
        "\x00",
        good + good,
    ]
    ndjson = {"content-type": "application/x-ndjson"}
    results = http.post("/v1/score/batch", content="\n".join(lines), headers=ndjson).json()[
        "results"
    ]
    assert [one["value"] for one in results] == [1, None, None, None, None, None, 1, None, None]
    assert {one["error"] for one in results if one["value"] is None} == {
        "malformed",
        "invalid-request",
    }
    streamed = http.post(
        "/v1/score/batch", content=b"\xff\n" + "\r\n".join(lines).encode(),
        headers=ndjson | {"accept": "application/x-ndjson"},
    )  # fmt: skip
    values = [json.loads(line)["value"] for line in streamed.text.splitlines()]
    assert values == [None, 1, None, None, None, None, None, 1, None, None]


@pytest.mark.parametrize(
    "body",
    [
        b"\xdd\xff\xff\xff\xff",  # an array of four thousand million
        b"\xdf\xff\xff\xff\xff",
        b"\xdb\xff\xff\xff\xff",
        b"\x91" * 1_000_000,
        b"\x81\xa1a" * 300_000,
        b"\xc7\xff\x00",
        b"\xc1",
        b"",
        b"\x80" * 2,
        msgspec.msgpack.encode({"items": [{"address": "x", "replies": b"\xff"}]}),
        b"\x82\xa7address\xa1x\xa7replies\xa2\xff\xfe",
    ],
)
@pytest.mark.parametrize("path", HOT)
def test_bombs_of_messagepack(http, path, body):
    response = http.post(path, content=body, headers={"content-type": "application/msgpack"})
    assert response.status_code in {400, 422}
    assert response.headers["content-type"] == "application/problem+json"


def test_messagepack_both_ways(http):
    item = {"address": str(KNIGHTS), "replies": RIGHT}
    headers = {"content-type": "application/msgpack", "accept": "application/msgpack"}
    response = http.post("/v1/score", content=msgspec.msgpack.encode(item), headers=headers)
    assert msgspec.msgpack.decode(response.content)["value"] == 1


@pytest.mark.slow
def test_thousands_of_idle_sessions_and_connections_cost_little(tmp_path):
    """What is held for those who do nothing is bounded, and others are served meanwhile."""
    import tracemalloc

    app = build(Settings(store=f"sqlite:///{tmp_path / 'kept'}"))
    kept = app.state.service.sessions
    with background_server(app) as url, httpx.Client(base_url=url, timeout=120) as http:
        http.post("/v1/sessions", json={"address": str(CODE), "n": 512})
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(20):
            assert (
                http.post("/v1/sessions", json={"address": str(CODE), "n": 512}).status_code == 201
            )
        grown = tracemalloc.get_traced_memory()[0] - before
        tracemalloc.stop()
        assert len(kept.active) == 8_192
        assert grown < 30 << 20
        lines = [line_to(url) for _ in range(300)]
        for line in lines:
            line.__enter__().sendall(b"GET /livez HTTP/1.1\r\n")
        assert http.get("/livez").status_code == 200
        for line in lines:
            line.__exit__(None, None, None)


def test_what_the_service_fails_at_is_told_without_its_inside(monkeypatch, caplog):
    def fail(*_, **__):
        raise ZeroDivisionError("secret")

    app = build()
    with background_server(app) as url, httpx.Client(base_url=url) as http:
        monkeypatch.setattr(app.state.service.sessions, "get", fail)
        response = http.get("/v1/sessions/x", headers={"x-request-id": "mine"})
    assert problem(response, 500, "internal")["request_id"] == "mine"
    assert "secret" not in response.text
    assert "mine" in caplog.text  # whoever runs it can find out


def test_a_store_out_of_reach_is_a_matter_of_trying_again(monkeypatch):
    from sqlalchemy.exc import OperationalError

    def gone():
        raise OperationalError("", {}, sqlite3.OperationalError("unable to open database file"))

    app = build()
    with background_server(app) as url, httpx.Client(base_url=url) as http:
        monkeypatch.setattr(app.state.service.store, "line", None)
        monkeypatch.setattr(app.state.service.store.engine, "raw_connection", gone)
        problem(http.post("/v1/sessions", json={"address": str(CODE)}), 503, "store-unavailable")
        item = {"address": str(KNIGHTS), "replies": RIGHT}
        assert http.post("/v1/score", json=item).json()["value"] == 1
