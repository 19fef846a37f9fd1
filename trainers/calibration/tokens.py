"""Tokens: what requests have used, and a limit that they do not pass.

Each answered request is a line of ``usage.jsonl``, so that a limit holds for all runs in a folder
together, whatever became of their attempts. Where an endpoint reports no usage, a token is taken to
be four characters.

A request is made only if its largest possible use fits into the limit beside what is used and what
the requests under way may use at most. Of a prompt that is a token for each byte, and the largest
excess over it that the endpoint has reported; of a reply its maximum length, if the requests state
one. Otherwise twice the longest reply so far is taken, and at least :data:`REPLY`: an estimate,
which replies can exceed.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from palaestra.trainers.episodes import Ask, Message, Reply
from palaestra.trainers.evaluation.runner import Withdrawn

JOURNAL = "usage.jsonl"

REPLY = 2_048
"""Tokens of a reply if no maximum is known and no longer reply has been seen."""

TEMPLATE = 64
"""Tokens that a chat template adds to a prompt, unless the endpoint reports more."""

CHARACTERS = 4
"""Characters of a token where no usage is reported."""


class OutOfTokens(Withdrawn):
    """A request that could pass the limit."""


class Usage(NamedTuple):
    """Tokens of answered requests, or of many of them together."""

    prompt: int = 0
    completion: int = 0
    requests: int = 0
    estimated: int = 0
    """Number of requests for which no usage was reported."""

    @property
    def total(self) -> int:
        """All tokens."""
        return self.prompt + self.completion

    def plus(self, other: "Usage") -> "Usage":
        """Return the sum of both."""
        return Usage(*(one + two for one, two in zip(self, other)))


class TokenLimit:
    """Meters requests, and withdraws those that do not fit into a limit; None for no limit.

    ``reply_limit`` is the maximum length of a reply that requests state, if they do. With a
    ``folder``, the usage of earlier runs counts, and that of this run is kept. Raises
    ``ValueError`` for a limit below 1.
    """

    def __init__(
        self, limit: int | None = None, reply_limit: int | None = None, folder: Path | None = None
    ) -> None:
        if limit is not None and limit < 1:
            raise ValueError(f"a limit of tokens is at least 1, not {limit}")
        self.limit, self.reply_limit = limit, reply_limit
        self.journal = folder / JOURNAL if folder else None
        self.usage = usage_in(folder) if folder else Usage()
        self.pending = 0
        """The most that requests under way may use."""

        self.exhausted = False
        """Whether a request did not fit even with no other one under way."""

        self._longest, self._excess = 0, TEMPLATE
        self._changed = asyncio.Condition()

    def fits(self, tokens: int) -> bool:
        """Return whether some more tokens fit into the limit."""
        return self.limit is None or self.usage.total + tokens <= self.limit

    def metered(self, ask: Ask) -> Ask:
        """Return the same, which raises :class:`OutOfTokens` where a request does not fit."""

        async def metered(messages: list[Message], tools: list[Mapping[str, Any]]) -> str | Reply:
            size = _bytes(messages, tools)
            most = size + self._excess + self._longest_reply()
            await self._reserve(most)
            try:
                reply = await ask(messages, tools)
                self._record(reply if isinstance(reply, Reply) else Reply(reply), messages, size)
            finally:
                self.pending -= most
                async with self._changed:
                    self._changed.notify_all()
            return reply

        return metered

    def _longest_reply(self) -> int:
        return self.reply_limit or max(REPLY, 2 * self._longest)

    async def _reserve(self, tokens: int) -> None:
        """Waits until a request fits, for requests under way mostly use less than they may."""
        async with self._changed:
            while not self.exhausted and not self.fits(self.pending + tokens):
                if not self.pending:
                    self.exhausted = True
                    break
                await self._changed.wait()
            if self.exhausted:
                raise OutOfTokens("the request does not fit into the limit of tokens")
            self.pending += tokens

    def _record(self, reply: Reply, messages: Sequence[Message], size: int) -> None:
        """Counts an answered request."""
        prompt, completion = reply.prompt_tokens, reply.completion_tokens
        reported = bool(prompt or completion)
        if reported:
            self._excess = max(self._excess, prompt - size)
        else:
            prompt = sum(len(str(each.get("content") or "")) for each in messages) // CHARACTERS + 1
            written = len(reply.text) + sum(len(call.arguments) for call in reply.calls)
            completion = written // CHARACTERS + 1
        self._longest = max(self._longest, completion)
        use = Usage(prompt, completion, 1, int(not reported))
        self.usage = self.usage.plus(use)
        if self.journal is not None:
            with self.journal.open("a", encoding="utf-8") as file:
                file.write(f"\n{json.dumps(use)}")  # so a torn line spoils no other one


def usage_in(folder: Path) -> Usage:
    """Return the usage of all requests of a folder. A line that is no entry is left out."""
    total, file = Usage(), folder / JOURNAL
    if file.exists():
        for line in file.read_text("utf-8", "replace").splitlines():
            total = total.plus(_entry(line))
    return total


def _entry(line: str) -> Usage:
    try:
        values = json.loads(line)
        return Usage(*(int(value) for value in values)) if len(values) == 4 else Usage()
    except (ValueError, TypeError, RecursionError):
        return Usage()


def _bytes(messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]) -> int:
    """The size of a prompt in bytes, which is at least its number of tokens."""
    return len(json.dumps([messages, tools], ensure_ascii=False).encode("utf-8", "replace"))
