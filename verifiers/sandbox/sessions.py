"""Talking to a program in a jail: a line of JSON there, a line back.

What comes back is data and nothing else. It is read with a bound on its size, and believed only
as the value that was asked for.
"""

import json
import socket
import sys
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

from palaestra.verifiers.sandbox.outcomes import Outcome
from palaestra.verifiers.sandbox.slots import Job, Run, Slot, jail_module

REPLY = 2 << 20
"""How many bytes a reply may have."""


class Ended(Exception):
    """The program ended, or was ended, before it replied."""


class Raised(Exception):
    """The program raised an exception instead of giving a value."""


def packing() -> ModuleType:
    """The module of the same name that runs in the jail; the judge reads by the same rules."""
    return jail_module("packing")


class Session:
    """A program that waits for requests on a descriptor of its own."""

    def __init__(self, slot: Slot, job: Job) -> None:
        self.channel, theirs = socket.socketpair()
        self.channel.setblocking(False)
        try:
            self.run = Run(slot, job, theirs)
        except BaseException:
            self.channel.close()
            raise
        finally:
            theirs.close()
        self.heard = bytearray()
        self.open = True

    @property
    def over(self) -> bool:
        """Whether the program has ended."""
        return self.run.status is not None

    def exchange(self, request: Mapping[str, Any]) -> Any:
        """Sends a request and waits for the reply.

        Raises :class:`Ended` where none comes, and ``ValueError`` for one that is no JSON.
        """
        self.listen()
        self.heard.clear()  # what was said unasked is no reply
        self.say(json.dumps(request).encode() + b"\n")
        return json.loads(self.line())

    def say(self, message: bytes) -> None:
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
        """The next line that the program says. Raises :class:`Ended` where there is none."""
        while b"\n" not in self.heard:
            if self.over or not self.open:
                raise Ended
            self.run.step_for(self.channel.fileno())
            self.listen()
        line, _, rest = bytes(self.heard).partition(b"\n")
        self.heard = bytearray(rest)
        return line

    def listen(self) -> None:
        """Takes in what has come."""
        while self.open:
            try:
                piece = self.channel.recv(1 << 16)
            except BlockingIOError:
                return
            except OSError:
                piece = b""
            self.open = bool(piece)
            self.heard += piece
            if len(self.heard) > REPLY:
                self.run.over = True
                self.run.abort()
                return

    def call(self, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """What a function of the program gives.

        Raises :class:`Raised`, :class:`Ended`, or ``ValueError`` for a reply that is no value.
        """
        pack, unpack = packing().pack, packing().unpack
        named = {key: pack(value) for key, value in kwargs.items()}
        request = {"name": name, "args": [pack(value) for value in args], "kwargs": named}
        reply = self.exchange(request)
        if not isinstance(reply, dict):
            raise ValueError("no reply")  # noqa: TRY004  the program's doing, like the others
        if "missing" in reply:
            raise Raised(f"the program defines no {name}")
        if "error" in reply:
            raise Raised(str(reply["error"])[:300])
        if reply.keys() != {"value"}:
            raise ValueError("no reply")
        return unpack(reply["value"])

    def close(self) -> Outcome:
        """Ends the program, and says how it went."""
        self.channel.close()
        if not self.over:
            self.run.abort()
        outcome = self.run.outcome()
        self.run.close()
        return outcome


def limit_digits() -> None:
    """Keeps huge whole numbers from taking long to read, in interpreters that would read them."""
    if sys.get_int_max_str_digits() == 0:
        sys.set_int_max_str_digits(4_300)
