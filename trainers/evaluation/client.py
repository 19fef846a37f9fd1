"""A client of OpenAI's protocol for chat completions over httpx, as patient as an evaluation needs.

It has the ``chat.completions.create`` of ``openai.AsyncOpenAI``, and nothing else of it.
"""

import asyncio
import json
import math
import os
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from palaestra.backoff import Backoff, retry_after
from palaestra.verifiers.judges.endpoint import PASSING

if TYPE_CHECKING:
    from types import TracebackType

    import httpx2 as httpx

LARGEST = 16_000_000
"""How many bytes a response may have; a long chain of thought has some hundred thousand."""


class EndpointError(RuntimeError):
    """A request that failed in the end, with the status that it was answered with, if it was."""

    def __init__(self, why: str, status_code: int | None = None) -> None:
        super().__init__(why)
        self.status_code = status_code


class _Passing(EndpointError):
    """A try that failed in a way that may pass, and the pause that the other side asks for."""

    def __init__(
        self, why: str, status_code: int | None = None, retry_after_s: float | None = None
    ) -> None:
        super().__init__(why, status_code)
        self.retry_after_s = retry_after_s


class ChatClient:
    """Where models answer, how long to wait for them, and how often to try again.

    ``base_url`` ends before ``/chat/completions``. The key is read from the environment variable
    ``api_key_env`` with every request and stored nowhere; where that is not set, none is sent.

    A try takes ``timeout_s`` seconds at most, from the connection to the last byte. No connection,
    no answer in time, the statuses 408, 409, 425, 429 and from 500 on, and an answer that breaks
    off or is no completion are tried again up to ``retries`` times, after a pause that doubles
    from ``backoff_s`` on, with some chance in it, up to ``longest_pause_s``. A ``Retry-After`` is
    waited out instead, up to ten minutes.

    Raises ``ValueError`` for settings that cannot work; :meth:`create` raises
    :class:`EndpointError`.

    >>> ChatClient("localhost:8000")
    Traceback (most recent call last):
      ...
    ValueError: a base URL is http(s)://host..., not 'localhost:8000'
    """

    def __init__(  # noqa: PLR0913
        self,
        base_url: str,
        *,
        api_key_env: str = "OPENAI_API_KEY",
        timeout_s: float = 600.0,
        retries: int = 5,
        backoff_s: float = 0.5,
        longest_pause_s: float = 60.0,
    ) -> None:
        address = urlsplit(base_url)
        if address.scheme not in {"http", "https"} or not address.hostname:
            raise ValueError(f"a base URL is http(s)://host..., not {base_url[:200]!r}")
        if address.username or address.password or address.query or address.fragment:
            raise ValueError("a base URL has no user, password, query or fragment")
        bounds = {"timeout_s": (timeout_s, 0.001, 86_400), "retries": (retries, 0, 100)}
        bounds |= {"backoff_s": (backoff_s, 0, 600), "longest_pause_s": (longest_pause_s, 0, 3_600)}
        for name, (value, low, high) in bounds.items():
            if not (math.isfinite(value) and low <= value <= high):
                raise ValueError(f"{name} lies from {low} to {high}, not at {value}")
        self.base_url = base_url.rstrip("/")
        self.api_key_env, self.timeout_s, self.retries = api_key_env, timeout_s, retries
        self.pause = Backoff(backoff_s, longest_pause_s).pause
        self.chat = SimpleNamespace(completions=SimpleNamespace(create=self.create))
        self._http: httpx.AsyncClient | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, error_type: "type[BaseException] | None", fault: BaseException | None,
        trace: "TracebackType | None",
    ) -> None:  # fmt: skip
        await self.close()

    async def close(self) -> None:
        """Let go of the connections."""
        if self._http is not None:
            await self._http.aclose()
            self._http = None

    async def create(self, **wish: Any) -> Any:
        """Ask for a completion; gives it as an object with the attributes that its JSON has."""
        extra = wish.pop("extra_body", None) or {}
        # ASCII, so that half of a surrogate pair in what a model said does not break it.
        body = json.dumps({**wish, **extra}, allow_nan=False).encode()
        for tried in range(self.retries + 1):
            try:
                return await self._once(body)
            except _Passing as fault:
                if tried == self.retries:
                    times = f" ({tried + 1} tries)" if tried else ""
                    raise EndpointError(f"{fault}{times}", fault.status_code) from None
                await asyncio.sleep(self.pause(tried, fault.retry_after_s))
        raise AssertionError("the last try returns")

    def _headers(self) -> dict[str, str]:
        # A compressed body of a megabyte may hold a gigabyte, so none is asked for or read.
        headers = {"content-type": "application/json", "accept-encoding": "identity"}
        key = os.environ.get(self.api_key_env, "").strip() if self.api_key_env else ""
        if not (key.isascii() and (not key or key.isprintable())):
            raise EndpointError(f"the key in {self.api_key_env} cannot be sent")
        return headers | ({"authorization": f"Bearer {key}"} if key else {})

    async def _once(self, body: bytes) -> Any:
        import httpx2 as httpx

        if self._http is None:
            # The deadline below is for all of a try; httpx's own is for one read, which a server
            # that drips a byte at a time never exceeds.
            limits = httpx.Limits(max_connections=None, max_keepalive_connections=64)
            self._http = httpx.AsyncClient(timeout=None, limits=limits)
        url, headers = f"{self.base_url}/chat/completions", self._headers()
        try:
            async with (
                asyncio.timeout(self.timeout_s),
                self._http.stream("POST", url, content=body, headers=headers) as response,
            ):
                if response.headers.get("content-encoding", "identity") != "identity":
                    raise EndpointError("the endpoint answers compressed, unasked")
                held = await _read(response)
        except TimeoutError:
            raise _Passing(f"no whole answer in {self.timeout_s:g} s") from None
        except httpx.InvalidURL as fault:
            raise EndpointError(f"there is no such address: {fault}") from None
        except (httpx.HTTPError, OSError) as fault:
            error_name = type(fault).__name__
            raise _Passing(f"the connection to {self.base_url} fails ({error_name})") from None
        if response.status_code != 200:
            raise _refused(response, held)
        return _completion(held)


async def _read(response: "httpx.Response") -> bytes:
    held = bytearray()
    async for piece in response.aiter_raw():
        held += piece
        if len(held) > LARGEST:
            raise EndpointError(f"the endpoint answers with more than {LARGEST:,} bytes")
    return bytes(held)


def _refused(response: "httpx.Response", held: bytes) -> EndpointError:
    """What an answer other than 200 means."""
    status = response.status_code
    text = " ".join(held[:2_000].decode("utf-8", "replace").split())[:300]
    why = f"the endpoint answers {status}{': ' if text else ''}{text}"
    if status in PASSING or status >= 500:
        return _Passing(why, status, retry_after(response.headers.get("retry-after", "")))
    return EndpointError(why, status)


def _completion(held: bytes) -> Any:
    try:
        completion = json.loads(held, object_hook=lambda fields: SimpleNamespace(**fields))
        if (
            isinstance(completion.choices, list)
            and completion.choices
            and completion.choices[0].message is not None
        ):
            return completion
    except (ValueError, RecursionError, AttributeError, TypeError):
        pass
    raise _Passing("the endpoint's answer is not a chat completion")
