"""Lines from the judge to the agent in a container: a socket that both see, or its streams."""

import contextlib
import hmac
import json
import select
import shutil
import socket
import ssl
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol


class Line(Protocol):
    """How jails are started in a container."""

    @property
    def alive(self) -> bool:
        """Whether the agent is there."""

    def open(
        self, jobs: socket.socket, control: socket.socket, errors: int, config: Mapping[str, Any]
    ) -> None:
        """Has a jail started whose ends of the sockets these are; errors go to ``errors``."""

    def close(self) -> None:
        """Ends the connection, and with it the container."""

    def disown(self) -> None:
        """Lets go of it in a forked child."""


class Handing:
    """A socket over which descriptors are handed to the agent."""

    def __init__(self, agent: socket.socket) -> None:
        self.agent = agent
        self.lock = threading.Lock()

    @property
    def alive(self) -> bool:
        """Whether the agent still holds its end."""
        poll = select.poll()
        poll.register(self.agent, 0)
        return self.agent.fileno() >= 0 and not poll.poll(0)

    def open(
        self, jobs: socket.socket, control: socket.socket, errors: int, config: Mapping[str, Any]
    ) -> None:
        """Hands the ends over."""
        ends = [jobs.fileno(), control.fileno(), errors]
        with self.lock:
            socket.send_fds(self.agent, [json.dumps(config).encode()], ends)

    def close(self) -> None:
        """Closes the socket."""
        self.agent.close()

    disown = close


class Attached:
    """The standard streams of a container, read and written without waiting."""

    def __init__(self, raw: Any) -> None:
        self.raw = raw
        self.socket: socket.socket = getattr(raw, "_sock", raw)
        self.socket.setblocking(False)
        self.held = bytearray()
        self.errors = b""

    def read(self) -> bytes:
        """What came on standard output, nothing at its end; standard error is kept aside."""
        while True:
            try:
                piece = self.socket.recv(1 << 16)
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError) as fault:
                raise BlockingIOError from fault
            if not piece:
                return b""
            self.held += piece
            if out := self._split():
                return out

    def _split(self) -> bytes:
        """Takes apart what the engine has woven together, by heads of a stream and a length."""
        out, start = bytearray(), 0
        while len(self.held) - start >= 8:
            end = start + 8 + int.from_bytes(self.held[start + 4 : start + 8], "big")
            if len(self.held) < end:
                break
            if self.held[start] == 1:
                out += self.held[start + 8 : end]
            else:
                self.errors = (self.errors + self.held[start + 8 : end])[-1_000:]
            start = end
        del self.held[:start]
        return bytes(out)

    def write(self, rest: memoryview) -> int:
        """Writes to standard input."""
        try:
            return self.socket.send(rest)
        except (ssl.SSLWantReadError, ssl.SSLWantWriteError) as fault:
            raise BlockingIOError from fault

    def close(self) -> None:
        """Hangs up; the container's standard input ends with it."""
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.disown()

    def disown(self) -> None:
        """Lets go of the streams in a forked child, which must not hang up for its parent."""
        response = getattr(self.raw, "_response", None)  # it holds the socket open
        with contextlib.suppress(OSError, ValueError):
            if response is not None:
                response.close()
        self.raw.close()
        self.socket.close()


class Meeting:
    """A socket in a directory of its own that a container on this machine can connect to."""

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="palaestra-")
        Path(self.folder).chmod(0o711)
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.listener.bind(f"{self.folder}/agent")
        Path(self.folder, "agent").chmod(0o666)  # others may connect, but do not have the key
        self.listener.listen()
        self.listener.settimeout(1)

    def met(self, key: str) -> tuple[socket.socket, dict[str, Any]] | None:
        """Who has connected, and what it says; nothing where it is not our agent."""
        other, _ = self.listener.accept()
        other.settimeout(5)
        with contextlib.suppress(OSError, ValueError):
            hello = json.loads(other.recv(1 << 16))
            if isinstance(hello, dict) and hmac.compare_digest(str(hello.get("key")), key):
                other.settimeout(None)
                return other, hello
        other.close()
        return None

    def close(self) -> None:
        """Takes the socket away; who has connected stays connected."""
        self.listener.close()
        shutil.rmtree(self.folder, ignore_errors=True)
