"""A model behind any endpoint that speaks OpenAI's protocol of chat completions.

Whatever goes wrong on the way (no connection, no answer in time, an error, a body that is cut off,
too large, or not a completion) is tried again after a pause, and in the end is
:class:`~palaestra.task.JudgeError`: an outage is never a score of 0.
"""

import asyncio
import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from palaestra.backoff import Backoff, retry_after
from palaestra.task import JudgeError
from palaestra.verifiers.judges.line import gate, line
from palaestra.verifiers.verifier import GoldError

if TYPE_CHECKING:
    import httpx2 as httpx

LARGEST = 1_000_000
"""How many bytes a response may have; a verdict has a few, a completion some thousands."""

PASSING = frozenset({408, 409, 425, 429})
"""Refusals that may pass by themselves. All others below 500 are final."""

Message = Mapping[str, str]
"""A message of a chat: its ``role`` and its ``content``."""


class Outage(Exception):
    """A failed try, whether another may help, and the seconds of a ``Retry-After``."""

    def __init__(self, why: str, again: bool = True, retry_after_s: float | None = None) -> None:
        super().__init__(why)
        self.again = again
        self.retry_after_s = retry_after_s


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The endpoint of a judge model, with time limits and retries.

    ``base_url`` ends before ``/chat/completions``. The key is read from the environment variable
    ``key_env`` whenever it is needed and stored nowhere; where the variable is not set, none is
    sent. ``extra`` goes into each request as it is: ``{"max_tokens": 8, "seed": 1}``, say.

    A try takes ``timeout_s`` seconds at most, from the connection to the last byte, and is followed
    by up to ``retries`` others. In this process up to ``concurrency`` requests to the model are
    under way at a time, from all threads and event loops together.

    Raises :class:`~palaestra.verifiers.verifier.GoldError` for settings that cannot work. The
    methods that ask raise :class:`~palaestra.task.JudgeError`, or put it in its place in a list.

    >>> 1 <= Endpoint("http://localhost:8000/v1", "judge").pause(tries=2) <= 2
    True
    >>> Endpoint("ftp://localhost", "judge")
    Traceback (most recent call last):
      ...
    palaestra.verifiers.verifier.GoldError: base_url is http(s)://host..., not 'ftp://localhost'
    """

    base_url: str
    model: str
    key_env: str = "OPENAI_API_KEY"
    timeout_s: float = 60.0
    retries: int = 3
    backoff_s: float = 0.5
    longest_pause_s: float = 20.0
    concurrency: int = 8
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        self._check_address()
        for name, low, high in (
            ("timeout_s", 0.001, 3_600),
            ("retries", 0, 10),
            ("backoff_s", 0, 60),
            ("longest_pause_s", 0, 3_600),
            ("concurrency", 1, 1_024),
        ):
            value = getattr(self, name)
            if not (math.isfinite(value) and low <= value <= high):
                raise GoldError(f"{name} is from {low} to {high}, not {value}")
        if not (isinstance(self.retries, int) and isinstance(self.concurrency, int)):
            raise GoldError("retries and concurrency are whole numbers")
        taken = {"model", "messages", "stream", "n"} & self.extra.keys()
        if taken:
            raise GoldError(f"extra has no {min(taken)!r}, which is set by the caller")
        object.__setattr__(self, "extra", dict(self.extra))
        self._body(())

    def _check_address(self) -> None:
        address = urlsplit(self.base_url)
        if address.scheme not in {"http", "https"} or not address.hostname:
            raise GoldError(f"base_url is http(s)://host..., not {self.base_url!r}")
        if address.username or address.password or address.query or address.fragment:
            raise GoldError("base_url has no user, password, query or fragment; see key_env")
        if not self.model.strip():
            raise GoldError("the model has no name")

    def complete(self, messages: Sequence[Message]) -> str:
        """What the model replies to a chat."""
        return _granted(self.complete_all([messages])[0])

    def complete_all(self, chats: Iterable[Sequence[Message]]) -> list[str | JudgeError]:
        """The replies to several chats, in their order; one that fails never fails the others."""
        replies = line().run(self._all(list(chats)))
        try:
            return replies.result()
        finally:
            replies.cancel()  # where the wait was interrupted, nobody is waiting any more

    async def acomplete(self, messages: Sequence[Message]) -> str:
        """:meth:`complete` for asynchronous callers."""
        return _granted((await self.acomplete_all([messages]))[0])

    async def acomplete_all(self, chats: Iterable[Sequence[Message]]) -> list[str | JudgeError]:
        """:meth:`complete_all` for asynchronous callers."""
        return await asyncio.wrap_future(line().run(self._all(list(chats))))

    def pause(self, tries: int, retry_after_s: float | None = None) -> float:
        """Return the seconds to wait after ``tries`` failed tries.

        See :class:`~palaestra.backoff.Backoff`. ``retry_after_s`` are the seconds of a
        ``Retry-After``, of which at most ``longest_pause_s`` count.
        """
        longest = self.longest_pause_s
        return Backoff(self.backoff_s, longest, longest).pause(tries, retry_after_s)

    async def _all(self, chats: Sequence[Sequence[Message]]) -> list[str | JudgeError]:
        return await asyncio.gather(*map(self._settled, chats))

    async def _settled(self, messages: Sequence[Message]) -> str | JudgeError:
        body = self._body(messages)
        for tries in range(self.retries + 1):
            try:
                async with gate(os.getpid(), self.base_url, self.model, self.concurrency):
                    return await self._once(body)
            except Outage as outage:
                if not outage.again or tries == self.retries:
                    return JudgeError(f"the judge {self.model} fails: {outage}", "infra_error")
                pause = self.pause(tries, outage.retry_after_s)
            await asyncio.sleep(pause)
        raise AssertionError("the last try returns")

    def _body(self, messages: Sequence[Message]) -> bytes:
        """A request. Its JSON is ASCII, so that half of a surrogate pair does not break it."""
        wish = {**self.extra, "model": self.model, "messages": list(messages), "stream": False}
        try:
            return json.dumps(wish, allow_nan=False).encode()
        except (TypeError, ValueError) as error:
            raise GoldError(f"a request cannot be written as JSON: {error}") from None

    def _headers(self) -> dict[str, str]:
        # A compressed body of a megabyte may hold a gigabyte, so none is asked for or read.
        headers = {"content-type": "application/json", "accept-encoding": "identity"}
        key = os.environ.get(self.key_env, "").strip()
        if not (key.isascii() and key.isprintable()):
            raise Outage(f"the key in {self.key_env} cannot be sent", again=False)
        return headers | ({"authorization": f"Bearer {key}"} if key else {})

    async def _once(self, body: bytes) -> str:
        """One try. Raises :class:`Outage`."""
        import httpx2 as httpx

        url = f"{self.base_url.rstrip('/')}/chat/completions"
        headers = self._headers()
        try:
            async with (
                asyncio.timeout(self.timeout_s),
                line().client.stream("POST", url, content=body, headers=headers) as response,
            ):
                _check(response)
                return _content(await _read(response))
        except TimeoutError:
            raise Outage(f"no whole answer in {self.timeout_s:g} s") from None
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as fault:
            raise Outage(f"the connection fails ({type(fault).__name__})") from None


def _granted(reply: str | JudgeError) -> str:
    if isinstance(reply, JudgeError):
        raise reply
    return reply


def _check(response: "httpx.Response") -> None:
    """Whether a response is worth reading."""
    status = response.status_code
    if status != 200:
        retry_after_s = retry_after(response.headers.get("retry-after", ""))
        raise Outage(f"it answers {status}", status >= 500 or status in PASSING, retry_after_s)
    media_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise Outage("it answers with something other than JSON")
    if response.headers.get("content-encoding", "identity") != "identity":
        raise Outage("it answers compressed, unasked")


async def _read(response: "httpx.Response") -> bytes:
    body = bytearray()
    async for piece in response.aiter_raw():
        body += piece
        if len(body) > LARGEST:
            raise Outage(f"it answers with more than {LARGEST} bytes")
    return bytes(body)


def _content(body: bytes) -> str:
    """What a completion says."""
    try:
        content = json.loads(body)["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError, RecursionError):
        raise Outage("its answer is not a chat completion") from None
    if not isinstance(content, str):
        raise Outage("its answer holds no text")
    return content
