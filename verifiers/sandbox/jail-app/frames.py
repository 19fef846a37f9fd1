"""Jobs and what comes of them as frames in a stream of bytes, for engines that are far away.

The judge and the agent in the container speak it, both by this file. A frame is a kind, a slot, the
number of a job, and bytes whose number each kind bounds. Of what programs write, no more than a
window is on its way at once: who takes bytes in says how many have gone on, and so a program that
floods is held up as by a full pipe, and no other with it.
"""

import contextlib
import os
import select
import socket
import struct
from collections.abc import Callable, Collection, Iterator

HEAD = struct.Struct("<BIQI")
PARTS = struct.Struct("<BIQ")
"""Of a job: whether it has a channel, and the lengths of what is told of it and of its source."""

HELLO, OPEN, CLOSE, GONE, JOB, ABORT, OUT, ERR, SAY, TAKEN, STATUS = range(1, 12)
PIECE = 1 << 16
WINDOW = 1 << 18
REST = 1 << 22
"""More than a pipe or a socket holds when the program that wrote to it has died."""

LARGEST = {
    HELLO: 1 << 16, OPEN: 1 << 18, CLOSE: 0, GONE: 1 << 12, JOB: 1 << 28, ABORT: 0,
    OUT: PIECE, ERR: PIECE, SAY: PIECE, TAKEN: 5, STATUS: 64,
}  # fmt: skip
FROM_JUDGE = frozenset({HELLO, OPEN, CLOSE, JOB, ABORT, SAY, TAKEN})
FROM_AGENT = frozenset({HELLO, GONE, OUT, ERR, SAY, TAKEN, STATUS})
CREDIT = struct.Struct("<BI")

Frame = tuple[int, int, int, bytes]
"""The kind, the slot, the job, the bytes."""


class Broken(Exception):
    """What came is no frame, or the other side is gone."""


class Decoder:
    """Finds the frames in what comes, however it is cut."""

    def __init__(self, kinds: Collection[int]) -> None:
        self.largest = {frame_type: LARGEST[frame_type] for frame_type in kinds}
        self.held = bytearray()

    def feed(self, piece: bytes) -> list[Frame]:
        """The frames that are whole now. Raises :class:`Broken` for what is none."""
        self.held += piece
        chunks, start = [], 0
        while len(self.held) - start >= HEAD.size:
            frame_type, slot, job, length = HEAD.unpack_from(self.held, start)
            if length > self.largest.get(frame_type, -1):
                raise Broken(f"a frame of kind {frame_type} with {length} bytes")
            end = start + HEAD.size + length
            if len(self.held) < end:
                break
            chunks.append((frame_type, slot, job, bytes(self.held[start + HEAD.size : end])))
            start = end
        del self.held[:start]
        return chunks


class Connection:
    """Frames over a stream of bytes that is read and written without waiting.

    ``read`` gives nothing at the stream's end; both raise ``BlockingIOError`` rather than wait.
    """

    def __init__(
        self, read: Callable[[], bytes], write: Callable[[memoryview], int], kinds: Collection[int]
    ) -> None:
        self.read, self.write = read, write
        self.decoder = Decoder(kinds)
        self.outgoing = bytearray()

    def receive(self) -> Iterator[Frame]:
        """What has come. Raises :class:`Broken` once nothing more can."""
        while True:
            try:
                piece = self.read()
            except BlockingIOError:
                return
            except OSError as fault:
                raise Broken(str(fault)) from fault
            if not piece:
                raise Broken("the other side is gone")
            yield from self.decoder.feed(piece)

    def send(self, frame_type: int, slot: int, job: int = 0, payload: bytes = b"") -> None:
        """Sends a frame, or keeps it until it can be sent."""
        if len(payload) > LARGEST[frame_type]:
            raise Broken(f"a frame of kind {frame_type} with {len(payload)} bytes")
        self.outgoing += HEAD.pack(frame_type, slot, job, len(payload))
        self.outgoing += payload

    def flush(self) -> None:
        """Sends what can be sent now."""
        sent = 0
        try:
            with memoryview(self.outgoing) as rest:
                while sent < len(rest):
                    sent += self.write(rest[sent : sent + (1 << 20)])
        except BlockingIOError:
            pass
        except OSError as fault:
            raise Broken(str(fault)) from fault
        del self.outgoing[:sent]


class Source:
    """A descriptor whose bytes go out in frames. It is closed at its end."""

    def __init__(
        self, descriptor: int, frame_type: int, slot: int, job: int, line: Connection
    ) -> None:
        os.set_blocking(descriptor, False)
        self.descriptor, self.line = descriptor, line
        self.address = frame_type, slot, job
        self.window = WINDOW
        self.open = True

    def wants(self) -> int:
        """What to wait for: bytes, while there is room for them."""
        return select.POLLIN if self.open and self.window > 0 else 0

    def ready(self) -> None:
        """Sends a piece."""
        if self.wants():
            self.pump(min(PIECE, self.window))

    def pump(self, most: int) -> int:
        try:
            piece = os.read(self.descriptor, most)
        except BlockingIOError:
            return 0
        except OSError:
            piece = b""
        self.line.send(*self.address, piece)
        self.window -= len(piece)
        if not piece:
            self.close()
        return len(piece)

    def finish(self) -> None:
        """Sends all that is left, once nobody writes any more."""
        left = REST
        while self.open and left > 0 and (sent := self.pump(PIECE)):
            left -= sent

    def close(self) -> None:
        """Closes the descriptor."""
        if self.open:
            self.open = False
            os.close(self.descriptor)


class Sink:
    """A descriptor that takes the bytes of frames, and is closed after the last of them."""

    def __init__(
        self, descriptor: int, frame_type: int, slot: int, job: int, line: Connection
    ) -> None:
        os.set_blocking(descriptor, False)
        self.descriptor, self.line = descriptor, line
        self.frame_type, self.slot, self.job = frame_type, slot, job
        self.pending = bytearray()
        self.open = True
        self.ended = False

    def put(self, piece: bytes) -> None:
        """Takes bytes; none are the end. Raises :class:`Broken` for more than was allowed."""
        if len(self.pending) + len(piece) > WINDOW + REST:
            raise Broken("more bytes than were asked for")
        self.ended = self.ended or not piece
        self.pending += piece
        if not self.open:
            self.took(len(piece))
        elif self.ended and not self.pending:
            self.close()

    def wants(self) -> int:
        """What to wait for: room, while there are bytes."""
        return select.POLLOUT if self.open and self.pending else 0

    def ready(self) -> None:
        """Hands bytes on."""
        if not self.wants():
            return
        try:
            taken = os.write(self.descriptor, self.pending[:PIECE])
        except BlockingIOError:
            return
        except OSError:  # nobody reads any more
            taken = len(self.pending)
            self.close()
        self.took(taken)
        if self.ended and not self.pending:
            self.close()

    def took(self, count: int) -> None:
        del self.pending[:count]
        if count:
            self.line.send(TAKEN, self.slot, self.job, CREDIT.pack(self.frame_type, count))

    def close(self) -> None:
        """Closes the descriptor; where it is a socket, whoever reads from it sees the end."""
        if self.open:
            self.open = False
            hang_up(self.descriptor)


def hang_up(descriptor: int) -> None:
    """Closes a descriptor that was written to, also for those who share it."""
    try:
        end = socket.socket(fileno=descriptor)
    except OSError:  # a pipe
        os.close(descriptor)
        return
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_WR)
    end.close()


def credit(payload: bytes) -> tuple[int, int]:
    """Which stream has been taken on, and how many bytes of it."""
    if len(payload) != CREDIT.size:
        raise Broken("no credit")
    frame_type, count = CREDIT.unpack(payload)
    return frame_type, count


def packed(header: bytes, source: bytes, stdin: bytes, channel: bool) -> bytes:
    """A job in one frame."""
    return PARTS.pack(channel, len(header), len(source)) + header + source + stdin


def unpacked(payload: bytes) -> tuple[bytes, bytes, bytes, bool]:
    """What :func:`packed` put together. Raises :class:`Broken` for what it did not."""
    if len(payload) < PARTS.size:
        raise Broken("no job")
    channel, header, source = PARTS.unpack_from(payload)
    first = PARTS.size + header
    if channel > 1 or first + source > len(payload):
        raise Broken("no job")
    second = first + source
    return payload[PARTS.size : first], payload[first:second], payload[second:], bool(channel)
