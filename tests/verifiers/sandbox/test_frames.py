"""Frames between judge and agent."""

import contextlib
import os
import select
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.verifiers.sandbox.agents import SPEECH, cut

from palaestra.verifiers.sandbox.lines import Attached, Meeting

kinds = st.sampled_from(sorted(SPEECH.LARGEST))
numbers = st.integers(0, (1 << 32) - 1)


@given(
    st.lists(st.tuples(kinds, numbers, numbers, st.binary(max_size=5))), st.lists(st.integers(0))
)
def test_frames_are_found_however_they_are_cut(frames, places):
    sent = [frame for frame in frames if len(frame[3]) <= SPEECH.LARGEST[frame[0]]]
    stream = b"".join(SPEECH.HEAD.pack(*frame[:3], len(frame[3])) + frame[3] for frame in sent)
    decoder = SPEECH.Decoder(SPEECH.LARGEST)
    decoded = [frame for piece in cut(stream, places) for frame in decoder.feed(piece)]
    assert decoded == sent
    assert not decoder.held


@given(st.binary(max_size=300))
def test_noise_is_frames_or_is_refused(noise):
    decoder = SPEECH.Decoder(SPEECH.FROM_AGENT)
    with contextlib.suppress(SPEECH.Broken):
        for kind, _, _, payload in decoder.feed(noise):
            assert kind in SPEECH.FROM_AGENT
            assert len(payload) <= SPEECH.LARGEST[kind]


@pytest.mark.parametrize("kind", sorted(SPEECH.LARGEST))
def test_no_frame_is_longer_than_its_kind_allows(kind):
    head = SPEECH.HEAD.pack(kind, 0, 0, SPEECH.LARGEST[kind] + 1)
    with pytest.raises(SPEECH.Broken, match="a frame of kind"):
        SPEECH.Decoder(SPEECH.LARGEST).feed(head)


def test_each_side_hears_only_what_the_other_may_say():
    for kind in (SPEECH.JOB, SPEECH.OPEN, SPEECH.ABORT, SPEECH.CLOSE):
        with pytest.raises(SPEECH.Broken):
            SPEECH.Decoder(SPEECH.FROM_AGENT).feed(SPEECH.HEAD.pack(kind, 0, 0, 0))
    for kind in (SPEECH.OUT, SPEECH.STATUS, SPEECH.GONE):
        with pytest.raises(SPEECH.Broken):
            SPEECH.Decoder(SPEECH.FROM_JUDGE).feed(SPEECH.HEAD.pack(kind, 0, 0, 0))


@given(st.binary(max_size=50), st.binary(max_size=50), st.binary(max_size=50), st.booleans())
def test_jobs_come_through(settings, source, stdin, channel):
    packed = SPEECH.packed(settings, source, stdin, channel)
    assert SPEECH.unpacked(packed) == (settings, source, stdin, channel)


@given(st.binary(max_size=40))
def test_noise_is_a_job_or_is_refused(noise):
    with contextlib.suppress(SPEECH.Broken):
        assert SPEECH.packed(*SPEECH.unpacked(noise)) == noise


class Wire:
    """A connection that only keeps what is sent."""

    def __init__(self):
        self.sent = []

    def send(self, kind, slot, job=0, payload=b""):
        self.sent.append((kind, slot, job, payload))

    def bytes_sent(self, kind):
        return sum(len(frame[3]) for frame in self.sent if frame[0] == kind)


def test_a_flood_is_held_up_by_its_window():
    wire = Wire()
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    source = SPEECH.Source(ours, SPEECH.OUT, 1, 1, wire)
    for _ in range(20):
        with contextlib.suppress(BlockingIOError):
            os.write(theirs, bytes(1 << 16))
        source.ready()
    assert wire.bytes_sent(SPEECH.OUT) == SPEECH.WINDOW
    assert source.wants() == 0
    source.window += 10
    source.ready()
    assert wire.bytes_sent(SPEECH.OUT) == SPEECH.WINDOW + 10
    os.close(theirs)
    source.finish()  # the writer is dead: the rest is let through
    assert wire.bytes_sent(SPEECH.OUT) == SPEECH.WINDOW + (1 << 16)
    assert not source.open


def test_bytes_are_credited_as_they_are_taken_and_no_more_than_a_window_is_kept():
    wire = Wire()
    ours, theirs = socket.socketpair()
    sink = SPEECH.Sink(ours.detach(), SPEECH.SAY, 1, 1, wire)
    sink.put(b"hello")
    assert sink.wants() == select.POLLOUT
    sink.ready()
    assert theirs.recv(10) == b"hello"
    assert [SPEECH.credit(frame[3]) for frame in wire.sent] == [(SPEECH.SAY, 5)]
    with pytest.raises(SPEECH.Broken):
        sink.put(bytes(SPEECH.WINDOW + SPEECH.REST + 1))
    sink.close()
    assert theirs.recv(10) == b""
    sink.put(b"late")  # nobody takes it, and the other side still gets its credit
    assert SPEECH.credit(wire.sent[-1][3]) == (SPEECH.SAY, 4)
    theirs.close()


@given(
    st.lists(st.tuples(st.sampled_from([1, 2]), st.binary(max_size=20))), st.lists(st.integers(0))
)
def test_the_engines_weave_is_taken_apart(pieces, places):
    stream = b"".join(
        bytes([kind, 0, 0, 0]) + len(text).to_bytes(4, "big") + text for kind, text in pieces
    )
    attached = Attached.__new__(Attached)
    attached.held, attached.errors, out = bytearray(), b"", b""
    for piece in cut(stream, places):
        attached.held += piece
        out += attached._split()
    assert out == b"".join(text for kind, text in pieces if kind == 1)
    assert attached.errors == b"".join(text for kind, text in pieces if kind == 2)[-1_000:]


def test_who_comes_without_the_key_is_sent_away():
    meeting = Meeting()
    for greeting in (b'{"key": "guess"}', b"[]", b"noise", b'{"key": "secret", "walls": "x"}'):
        other = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        other.connect(f"{meeting.folder}/agent")
        other.send(greeting)
        met = meeting.met("secret")
        assert (met is not None) == (b"secret" in greeting)
        if met is not None:
            met[0].close()
        other.close()
    meeting.close()
    assert not Path(meeting.folder).exists()
