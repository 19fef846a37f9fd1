"""The relay between the judge and the agent in a container."""

import contextlib
import os
import socket
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.verifiers.sandbox.agents import SPEECH, greeted, standing

from palaestra.verifiers.sandbox import Limits
from palaestra.verifiers.sandbox.container import ContainerSlot
from palaestra.verifiers.sandbox.relay import Relay
from palaestra.verifiers.sandbox.sessions import Ended, Session
from palaestra.verifiers.sandbox.slots import Job

QUICK = Limits(cpu_s=1, wall_s=4, memory_mb=256)
kinds = st.sampled_from(sorted(SPEECH.LARGEST))


def test_what_an_agent_says_of_itself(agent):
    _, hello = greeted(agent)
    assert hello["key"] == "k"
    assert hello["tools"]["sh"][0].endswith("/sh")
    assert "no-such-tool" not in hello["tools"]
    assert hello["walls"] in {"namespaces", "landlock", "none"}
    agent.stdin.close()
    assert agent.wait(120) == 0


@pytest.mark.parametrize(
    "noise",
    [b"\xff" * 100, b"\x05" + b"\xff" * 30, SPEECH.HEAD.pack(7, 0, 0, 0)],
    ids=["noise", "too long", "its own kind"],
)
def test_an_agent_that_hears_noise_ends(agent, noise):
    agent.stdin.write(noise)
    agent.stdin.flush()
    assert agent.wait(120) == 0


def test_programs_behind_a_relay(relayed):
    slot, _ = relayed
    for source, status in (
        ("print('x' * 300_000)", "PASS"),
        ("while True: print('x' * 1000)", "OLE"),
        ("while True: pass", "TLE"),
        ("import ctypes; ctypes.CDLL(None).ptrace(0, 0, 0, 0)", "VIOLATION"),
        ("print(open('/proc/1/status').read())", "RE"),
    ):
        assert slot.run(Job(source.encode(), limits=QUICK)).status == status
    large = os.urandom(2 << 20)
    limits = Limits(output_kb=4_096)
    echo = b"import sys; sys.stdout.buffer.write(sys.stdin.buffer.read())"
    assert slot.run(Job(echo, stdin=large, limits=limits)).stdout == large


def test_channels_behind_a_relay(relayed):
    slot, _ = relayed
    session = Session(slot, Job(b"def f(x): return x[::-1]", "calls", limits=QUICK))
    long = "ab" * 400_000
    assert session.call("f", [long], {}) == long[::-1]
    assert session.call("f", [[1, 2]], {}) == [2, 1]
    assert session.close().status != "JUDGE_ERROR"


def test_a_flood_on_the_channel_holds_nobody_up(relayed):
    slot, _ = relayed
    flood = b"import os\ndef f(): return 1\nos.set_blocking(3, True)\n"
    flood += b"try:\n    while True: os.write(3, b'x' * 65536)\nexcept OSError: pass"
    session = Session(slot, Job(flood, "calls", limits=QUICK))
    with pytest.raises((Ended, ValueError)):
        session.call("f", [], {})
    assert session.close().status in {"OLE", "TLE", "RE"}
    assert slot.run(Job(b"print(1)", limits=QUICK)).stdout == b"1\n"


def test_a_program_that_floods_its_channel_and_ends_is_told_of_soon(relayed, monkeypatch):
    monkeypatch.setattr("palaestra.verifiers.sandbox.relay.LINGER_S", 0.2)
    slot, _ = relayed
    flood = b"import os\nos.set_blocking(3, False)\n"
    flood += b"try:\n    while True: os.write(3, b'x' * 4096)\n"
    flood += b"except OSError: os._exit(7)"
    session = Session(slot, Job(flood, "calls", limits=QUICK))
    while not session.over:
        session.run.step()  # as the judge that is busy with something else
    assert session.close().exit_code == 7


def test_an_agent_that_is_killed_is_no_fault_of_the_program(relayed, agent):
    slot, relay = relayed
    assert slot.run(Job(b"print(1)")).status == "PASS"
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(slot.run, Job(b"import time; time.sleep(9)"))
        time.sleep(0.2)
        agent.kill()
        assert running.result(120).status == "JUDGE_ERROR"
    assert not slot.alive()
    assert not relay.alive
    with pytest.raises(RuntimeError, match="the container is gone"):
        ContainerSlot(standing(relay))


@pytest.mark.parametrize(
    "noise",
    [b"\xff" * 64, SPEECH.HEAD.pack(5, 1, 1, 4) + b"fake", b""],
    ids=["noise", "the judge's own kind", "the end"],
)
def test_a_relay_that_hears_noise_hangs_up(noise):
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    line = SPEECH.Connection(lambda: ours.recv(1 << 16), ours.send, SPEECH.FROM_AGENT)
    relay = Relay(line, ours.fileno())
    slot = ContainerSlot(standing(relay))
    theirs.send(noise) if noise else theirs.close()
    outcome = slot.run(Job(b"print(1)"))
    assert outcome.status == "JUDGE_ERROR"
    assert not relay.alive
    slot.close()
    relay.close()
    for end in (ours, theirs):
        end.close()


@given(st.lists(st.tuples(kinds, st.integers(0, 2), st.integers(0, 3), st.binary(max_size=60))))
def test_whatever_an_agent_says_is_borne(frames):
    """Any frames at all end in an outcome: no fault but our own, and nothing hangs."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    line = SPEECH.Connection(lambda: ours.recv(1 << 16), ours.send, SPEECH.FROM_AGENT)
    relay = Relay(line, ours.fileno())
    slot = ContainerSlot(standing(relay))
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(slot.run, Job(b"print(1)"))
        for kind, number, job, payload in frames:
            with contextlib.suppress(OSError):
                theirs.send(SPEECH.HEAD.pack(kind, number, job, len(payload)) + payload)
        theirs.shutdown(socket.SHUT_WR)
        outcome = running.result(120)
    statuses = [frame for frame in frames if frame[0] == SPEECH.STATUS]
    assert outcome.status == "JUDGE_ERROR" or statuses
    slot.close()
    relay.close()
    for end in (ours, theirs):
        end.close()
