"""Talking to a program in a jail: a line of JSON there, a line back.

What comes back is data and nothing else. It is read with bounds on its size, and believed only
as the value that was asked for: a request carries a token, and a line without it is no reply.
"""

import json
import secrets
import socket
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from palaestra.verifiers.sandbox.outcomes import Outcome, readable
from palaestra.verifiers.sandbox.slots import Job, Run, Slot, jail_module

REPLY = 2 << 20
"""How many bytes a reply may have."""

CONTAINERS = 100_000
"""How many lists and dicts a reply may have: they, and not the bytes, take time to read."""

ENDING_S = 1.0
"""How long a program that has closed its channel may take to end by itself, in seconds."""


class Ended(Exception):
    """The program ended, or was ended, before it replied."""


class Raised(Exception):
    """The program raised an exception instead of giving a value; ``kind`` is its name."""

    def __init__(self, message: str, class_name: str = "") -> None:
        super().__init__(message)
        self.class_name = class_name


class Oversized(ValueError):
    """A value that is larger than a reply may be."""


@dataclass(slots=True)
class Allowance:
    """How much programs may still say while one verdict is made."""

    size: int = 32 << 20
    """Bytes."""

    containers: int = 5 * CONTAINERS
    """Lists and dicts."""


def packing() -> ModuleType:
    """The module of the same name that runs in the jail; the judge reads by the same rules."""
    return jail_module("packing")


class Session:
    """A program that waits for requests on a descriptor of its own.

    Once it has said more than its allowance it is ended, as by a limit on output.
    """

    def __init__(self, slot: Slot, job: Job, allowance: Allowance | None = None) -> None:
        self.allowance = allowance or Allowance()
        self.channel, theirs = socket.socketpair()
        self.channel.setblocking(False)
        try:
            self.run = Run(slot, job, theirs)
        except BaseException:
            self.channel.close()
            raise
        finally:
            theirs.close()
        self.received = bytearray()
        self.searched = 0
        self.open = True

    @property
    def over(self) -> bool:
        """Whether the program has ended."""
        return self.run.status is not None

    def exchange(self, request: bytes) -> bytes:
        """Sends a request, and gives the reply, unread; none where something else stands before it.

        Raises :class:`Ended` where none comes.
        """
        head = secrets.token_hex(8).encode() + b" "
        self.send(head + request + b"\n")
        while head not in (line := self.line()):
            pass  # nobody asked for it
        return line[len(head) :] if line.startswith(head) else b""

    def send(self, message: bytes) -> None:
        """Sends bytes, as fast as the program takes them."""
        rest = memoryview(message)
        while rest and not self.over:
            try:
                rest = rest[self.channel.send(rest) :]
            except BlockingIOError:
                self.run.step_for(self.channel.fileno(), writing=True)
            except OSError:
                break

    def line(self) -> bytes:
        """The next line that the program writes. Raises :class:`Ended` where there is none."""
        while (end := self.received.find(b"\n", self.searched)) < 0:
            self.searched = len(self.received)
            if self.over or not self.open:
                raise Ended
            self.run.step_for(self.channel.fileno())
            self.receive()
        line = bytes(self.received[:end])
        del self.received[: end + 1]
        self.searched = 0
        return line

    def receive(self) -> None:
        """Takes in what has come."""
        while self.open:
            try:
                piece = self.channel.recv(1 << 16)
            except BlockingIOError:
                return
            except OSError:
                piece = b""
            self.open = bool(piece)
            self.received += piece
            self.allowance.size -= len(piece)
            if len(self.received) > REPLY or self.allowance.size < 0:
                self.exceed()
                return

    def exceed(self) -> None:
        """Ends a program that says too much."""
        self.open = False
        self.received.clear()
        self.searched = 0
        self.run.over = True
        self.run.abort()

    def charge(self, reply: bytes) -> None:
        """Takes what a reply costs to read from the allowance.

        Raises :class:`Oversized` or :class:`Ended` for more than the program may say.
        """
        containers = reply.count(b"[") + reply.count(b"{")
        self.allowance.containers -= containers
        if self.allowance.containers < 0:
            self.exceed()
            raise Ended
        if containers > CONTAINERS:
            raise Oversized("the value has too many parts")

    def call(self, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """What a function of the program gives.

        Raises :class:`Raised`, :class:`Ended`, :class:`Oversized`, or ``ValueError`` for a reply
        that is no value.
        """
        pack, unpack = packing().pack, packing().unpack
        named = {key: pack(value) for key, value in kwargs.items()}
        request = {"name": name, "args": [pack(value) for value in args], "kwargs": named}
        line = self.exchange(json.dumps(request).encode())
        self.charge(line)
        reply = json.loads(line)
        if not isinstance(reply, dict):
            raise ValueError("no reply")  # noqa: TRY004  the program's doing, like the others
        if "missing" in reply:
            raise Raised(f"the program defines no {name}")
        if "large" in reply:
            raise Oversized("the value is larger than a reply may be")
        if "error" in reply:
            raise raised(reply["error"])
        if reply.keys() != {"value"}:
            raise ValueError("no reply")
        return unpack(reply["value"])

    def close(self) -> Outcome:
        """Ends the program, and says how it went.

        One that is about to end by itself is waited for, or it would not be known how.
        """
        self.channel.close()
        until = time.monotonic() + (0 if self.open else ENDING_S)
        while not self.over and not self.run.over and (left := until - time.monotonic()) > 0:
            self.run.step(left)
        if not self.over:
            self.run.abort()
        outcome = self.run.outcome()
        self.run.close()
        return outcome


def raised(error: Any) -> Raised:
    """The exception that a program tells of: its name, and what it says."""
    class_name = error[0] if isinstance(error, list) and error else ""
    return Raised(readable(str(error)[:300]), class_name if isinstance(class_name, str) else "")


def limit_digits() -> None:
    """Keeps huge whole numbers from taking long to read, in interpreters that would read them."""
    if sys.get_int_max_str_digits() == 0:
        sys.set_int_max_str_digits(4_300)
