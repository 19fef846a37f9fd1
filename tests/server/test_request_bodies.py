"""What stands before every request: how long it looks at hostile bodies, and whose it holds."""

import ctypes
import gzip
import json
import socket
import sys
import time
from contextlib import ExitStack, contextmanager, suppress

import httpx2 as httpx
import pytest

from palaestra.address import Address
from palaestra.server import fast_requests, fast_routes, request_bodies
from palaestra.server.app import build
from palaestra.server.launcher import background_server
from palaestra.server.problems import InvalidRequest, MalformedBody
from palaestra.server.service import Settings
from palaestra.server.structs import BODY_BYTES
from palaestra.zstd import compress

# ------------------------------------------------------------------ linear time

PATTERNS = {
    "escaped quotes in a string that does not end": (b'"', rb"\""),
    "escaped quotes outside of strings": (b"", rb"\""),
    "quotes": (b"", b'"'),
    "empty strings": (b"", b'"",'),
    "strings of brackets": (b"", b'"[",'),
    "strings between brackets": (b"", b'["{"'),
    "brackets in a string that does not end": (b'"', b"[{"),
    "opening brackets": (b"", b"["),
    "pairs of brackets": (b"", b"[],"),
    "backslashes": (b"", b"\\"),
    "backslashes in a string": (b'"', b"\\"),
    "line ends": (b"", b"\n"),
    "escaped line ends": (b'"', rb"\n"),
    "first halves of surrogate pairs": (b'"', rb"\ud800"),
    "second halves of surrogate pairs": (b'"', rb"\udc00"),
    "surrogate pairs": (b'"', rb"\ud83d\ude00"),
    "escaped backslashes before halves": (b'"', rb"\\ud800"),
    "almost halves": (b'"', rb"\ud8"),
    "fields that nobody knows": (b'{"', b" - at `$ field `"),
    "whole numbers as floats": (b'{"address": "", "replies": "", "timeout_ms": [', b"5.0,"),
}


def body_of(pattern, size):
    """A body of about that many bytes. What most guards look for stands in each of them."""
    start, again = PATTERNS[pattern]
    wanted = b"[" * (request_bodies.DEPTH + 1) + b']"\\ud800'
    return wanted + start + again * ((size - len(wanted) - len(start)) // len(again))


def unpacked(decoder, packed):
    opened = decoder(BODY_BYTES)
    with suppress(request_bodies.TooLarge, request_bodies.CorruptBody):
        opened.feed(packed)
        opened.end()


def zstd(body):
    return compress(body, 1)


def read(body):
    with suppress(MalformedBody, InvalidRequest):
        fast_routes._SCORING.read(body)


def lines(body):
    asked = fast_requests.FastRequest(
        {"type": "http", "headers": [(b"content-type", fast_requests.NDJSON)]}, None, body
    )
    with suppress(InvalidRequest):
        fast_routes.FastRoutes(None, None, None)._items(asked)


def complaint(body):
    """What a reader says that repeats what it was given."""
    fast_requests.invalid(body.decode("utf-8", "replace"))


GUARDS = {
    "depth": (request_bodies.is_too_deep, bytes),
    "halves": (request_bodies.without_lone_surrogates, bytes),
    "gzip": (
        lambda packed: unpacked(request_bodies.Gzip, packed),
        lambda body: gzip.compress(body, 1),
    ),
    "zstd": (lambda packed: unpacked(request_bodies.Zstd, packed), zstd),
    "reader": (read, bytes),
    "lines": (lines, bytes),
    "complaints": (complaint, bytes),
}
SMALLEST = 2 << 10
SLACK_S, NOISE = 0.02, 1.5
"""What is added to twice the time of half the size: for what is small, and for a busy machine."""


M_MMAP_THRESHOLD = -3


@pytest.fixture(scope="module")
def equal_allocations():
    """Let the allocator map all large blocks anew.

    By default it keeps freed blocks of up to 32 MiB, so that those of the largest bodies alone cost
    several times as much for each byte as all smaller ones, whatever a guard does with them.
    """
    libc = ctypes.CDLL(None) if sys.platform == "linux" else None
    if hasattr(libc, "mallopt"):  # another C library may lack it
        libc.mallopt(M_MMAP_THRESHOLD, 128 << 10)


def cpu_s(work, body):
    start = time.process_time()
    work(body)
    return time.process_time() - start


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("guard", GUARDS)
@pytest.mark.usefixtures("equal_allocations")
def test_every_guard_takes_time_in_proportion_to_the_body(guard, pattern):
    """Bodies double from two kilobytes to the largest that is read; so does the time at most.

    One size may cost more: its memory no longer fits into a cache or is taken from the system. What
    grows with the square of the size costs more at the next size as well.
    """
    work, made = GUARDS[guard]
    size, before, jumps = SMALLEST, float("inf"), []
    while size <= BODY_BYTES:
        body = made(body_of(pattern, size))
        for _ in range(5):  # the machine may have been busy once, not five times
            took = cpu_s(work, body)
            if took <= 2 * NOISE * before + SLACK_S:
                break
        else:
            jumps.append(f"{took:.3f} s for {size} bytes, {before:.3f} s for half as many")
        size, before = 2 * size, took
    assert len(jumps) < 2, jumps


# ------------------------------------------------------------------ depth and halves


@pytest.mark.parametrize(
    ("body", "is_deep"),
    [
        (b'"' + b"[" * 99 + b'"', False),
        (rb'"\"' + b"[" * 99 + b'"', False),
        (rb'"\\"' + b"[" * 99, True),
        (rb'"\\\"' + b"[" * 99 + b'"', False),
        (b'"",' * 9 + b"[" * 99, True),
        (b'"' * 9 + b"[" * 99, False),
        (b'"[",' * 99, False),
        (b'["]",' * 65, True),
        (b'["[]]]]"],' * 65, False),
        (b'"a"[' * 65, True),
        (b"[]," * 100_001, True),
        (b"[]," * 99_999, False),
        (b'["x"],' * 99_999, False),
        (b'["x"],' * 100_001, True),
    ],
)
def test_brackets_are_counted_outside_of_strings(body, is_deep):
    assert request_bodies.is_too_deep(body) is is_deep


@pytest.mark.parametrize(
    "text",
    [
        r"\ud800", r"\udc00", r"\ud83d\ude00", r"\ud83d\ud83d\ude00", r"\ud83d\ude00\ude00",
        r"\ude00\ud83d", r"\\ud800", r"\\\ud800", r"\\\\ud800", r"\ud83d\\ude00", r"\ud83dx\ude00",
        r"\uD83D\uDE00\uDE00\uD83D", r"\u0041\ud8", r"\n\ud800\n",
    ],
)  # fmt: skip
def test_halves_of_pairs_are_replaced_and_nothing_else(text):
    """The standard library reads halves as they are, so each can be replaced there."""
    body = f'["{text}"]'.encode()
    try:
        wanted = json.loads(body)[0].encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    except ValueError:
        assert request_bodies.without_lone_surrogates(body) == body  # it is no JSON
        return
    assert json.loads(request_bodies.without_lone_surrogates(body))[0] == wanted


# ------------------------------------------------------------------ before a token is shown

TOKENS = ("sesame name=one", "simsim name=two")
ITEM = {"address": str(Address.of("logic/knights_and_knaves")), "replies": "x" * 100_000}


@contextmanager
def line_to(url):
    host, port = url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=300) as line:
        yield line


def until(holds):
    for _ in range(3_000):
        if holds():
            return
        time.sleep(0.01)
    raise AssertionError("it did not come to that")


@pytest.mark.parametrize("tokens", [(), TOKENS])
@pytest.mark.parametrize("path", ["/livez", "/readyz", "/version", "/play", "/play/", "/play/x"])
def test_open_paths_refuse_a_body_before_any_of_it_is_there(path, tokens):
    head = f"POST {path} HTTP/1.1\r\nhost: x\r\ncontent-length: 33000000\r\n\r\n"
    with background_server(build(Settings(tokens))) as url, line_to(url) as line:
        line.sendall(head.encode())
        response = line.recv(1 << 16)
    assert response.startswith(b"HTTP/1.1 405 ")
    assert b"allow: GET" in response


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_open_paths_are_looked_at_and_nothing_else(method):
    with background_server(build(Settings(TOKENS))) as url:
        response = httpx.request(method, f"{url}/livez")
        assert (response.status_code, response.headers["allow"]) == (405, "GET, HEAD")


def test_open_paths_have_heads():
    with background_server(build(Settings(TOKENS))) as url:
        until(lambda: httpx.head(f"{url}/readyz").status_code == 200)
        for path in ("/livez", "/version", "/play"):
            response = httpx.head(f"{url}{path}")
            assert (response.status_code, response.content) == (200, b"")


# ------------------------------------------------------------------ room


def unfinished(url, token, size):
    """A request whose body never comes to its end."""
    line = socket.create_connection(url.removeprefix("http://").split(":"), timeout=300)
    head = (
        f"POST /v1/score HTTP/1.1\r\nhost: x\r\nx-api-key: {token}\r\n"
        f"content-length: {size + 1}\r\n\r\n"
    )
    line.sendall(head.encode() + b" " * size)
    return line


def test_the_bodies_of_one_key_leave_room_for_those_of_another(monkeypatch):
    monkeypatch.setattr(request_bodies, "HELD", 4 << 20)
    app = build(Settings(TOKENS))

    def status(token, item=ITEM):
        return httpx.post(
            f"{url}/v1/score", json=item, headers={"x-api-key": token}, timeout=60
        ).status_code

    with background_server(app) as url, ExitStack() as lines:
        assert status("sesame") == status("simsim") == 200
        for _ in range(16):
            lines.enter_context(unfinished(url, "sesame", 300_000))
        until(lambda: status("sesame", ITEM | {"replies": "x" * 500_000}) == 503)
        assert status("simsim") == 200
        assert status("simsim", ITEM | {"replies": "x" * 900_000}) == 200
        lines.close()
        until(lambda: status("sesame") == 200)


def test_room_is_shared_evenly_and_given_back(monkeypatch):
    monkeypatch.setattr(request_bodies, "HELD", 120)
    room = request_bodies.MemoryBudget(is_shared=True)
    for name, most in (("a", 60), ("b", 30), ("c", 15)):
        for _ in range(most):
            room.take(name, 1)
        with pytest.raises(request_bodies.BudgetExceeded):
            room.take(name, 1)
    room.give("a", 60)
    for _ in range(15):
        room.take("d", 1)
    for name, size in (("b", 30), ("c", 15), ("d", 15)):
        room.give(name, size)
    assert not room.held
    alone = request_bodies.MemoryBudget()
    alone.take("", 120)
    with pytest.raises(request_bodies.BudgetExceeded):
        alone.take("", 1)
