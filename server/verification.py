"""Verdicts of named verifiers over HTTP: many replies to one gold, or to golds of their own.

Golds and options are a client's texts. They are passed on as JSON, unread, to worker processes,
which check them, build verifiers and judge; so nothing in them can hold up this process. Those
that run programs go to workers with a sandbox.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from fastapi import Request
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from palaestra.server import metrics, recipes
from palaestra.server.auth import require_scope
from palaestra.server.disconnects import cancel_on_disconnect
from palaestra.server.fast_requests import LINE, MSGPACK, NDJSON, Decoders, FastRequest
from palaestra.server.judging import Judge
from palaestra.server.problems import (
    InvalidRequest,
    MalformedBody,
    NoMemory,
    NotInstalled,
    WorkerLost,
    slug_of,
)
from palaestra.server.structs import BATCH, TIMEOUT_MS, AnswerFormat, Recipe, Reply, TranscriptInfo
from palaestra.task import JudgeError
from palaestra.verification import BUDGET_S, listing
from palaestra.verifiers.named import (
    GOLD_CHARACTERS,
    BadField,
    entry_of,
    requirements,
)
from palaestra.workers.pool import Late

USUAL_MS = {"worker": 10_000, "sandbox": TIMEOUT_MS}
"""How long one verdict may take, by where it is made, unless the request states it."""

CHUNK, CHUNK_CHARACTERS = 64, 2 << 20
"""How many replies go to a worker at a time, and how many characters with their golds."""

PROGRAMS = 4
"""How many programs go to one at a time."""

Named = Annotated[str, Meta(max_length=100, examples=["answer"])]


class VerifyItem(Struct, forbid_unknown_fields=True, kw_only=True):
    """One or more replies with a gold. What is left out is as in the request."""

    gold: Raw
    """What is right, in the form that the verifier states as the schema of its gold."""

    replies: Reply | Annotated[list[Reply], Meta(min_length=1, max_length=BATCH)]
    verifier: Named | None = None
    options: Raw | UnsetType = UNSET
    answer_format: AnswerFormat | None = None
    recipe: Recipe | None = None
    transcripts: Annotated[list[TranscriptInfo | None], Meta(max_length=BATCH)] | None = None
    """How each reply was given, which a recipe may want to know."""


class VerifyRequest(Struct, forbid_unknown_fields=True, kw_only=True):
    """Replies to one gold, or ``items`` with golds of their own, for which ``verifier``,
    ``options``, ``answer_format`` and ``recipe`` are the defaults.
    """

    verifier: Named | None = None
    options: Raw | UnsetType = UNSET
    answer_format: AnswerFormat | None = None
    """How answers are marked in replies. Without one, a reply without its reasoning is the answer,
    or the verifier finds the answer by itself."""

    recipe: Recipe | None = None
    timeout_ms: Annotated[int, Meta(ge=1, le=TIMEOUT_MS)] | None = None
    """How long one verdict may take, once it has begun; by default 10 s, and 60 s for programs."""

    order: Literal["index", "completion"] = "index"
    gold: Raw | UnsetType = UNSET
    replies: Reply | Annotated[list[Reply], Meta(min_length=1, max_length=BATCH)] | None = None
    transcripts: Annotated[list[TranscriptInfo | None], Meta(max_length=BATCH)] | None = None
    items: Annotated[list[VerifyItem], Meta(max_length=BATCH)] | None = None


class VerifyResult(Struct, omit_defaults=False):
    """A verdict. ``value`` is null where there is none; ``error`` says why, and ``pointer`` what in
    the request is at fault.
    """

    value: float | None
    correct: bool | None
    status: str
    reason: str
    parts: dict[str, float] = {}
    extracted: str | None = None
    """The start of the answer that was found in the reply."""

    micros: int = 0
    error: str | None = None
    pointer: str | None = None
    index: int = 0
    """Which item it is of."""

    reply: int = 0
    """Which of the replies of the item it is of."""

    reward: float | UnsetType | None = UNSET
    """What the recipe gives, where there is one."""


class VerifyResults(Struct):
    """Verdicts in the order of the items and their replies."""

    results: list[VerifyResult]


_REQUEST, _ITEM = Decoders(VerifyRequest), Decoders(VerifyItem)

Lane = Literal["worker", "sandbox"]


@dataclass(frozen=True, slots=True, eq=False)
class Wish:
    """What the replies of an item are judged by, as it is handed on to workers."""

    verifier: str
    gold: str
    options: str
    answer_format: str | None
    recipe: str | None
    lane: Lane


@dataclass(frozen=True, slots=True)
class Job:
    """A reply to be judged: its position among all, that of its item, and that within the item."""

    position: int
    index: int
    reply: int
    text: str
    wish: Wish
    transcript: TranscriptInfo | None


class Verdicts:
    """The verdicts that one request asks for, each of which comes when it is made.

    Raises what is wrong with the request as a whole; what is wrong with one of several items is the
    result of that item.
    """

    def __init__(self, judge: Judge, request: FastRequest) -> None:
        self.judge, self.request = judge, request
        self.wanted, items = _read(request)
        self.is_single = self.wanted.items is None and request.media_type != NDJSON
        self.jobs: list[Job] = []
        self.results: list[asyncio.Future[VerifyResult]] = []
        self.faults: list[Exception] = []
        for index, item in enumerate(items):
            self._take(index, item)
        if any(job.wish.lane == "sandbox" for job in self.jobs):
            require_scope(request.scope, "programs")
        self.chunks = [*_chunks(self.jobs)]
        judge.check_capacity(len(self.chunks))

    def _take(self, index: int, item: VerifyItem | Exception) -> None:
        """Plan the replies of an item."""
        number = _number(item)
        if len(self.results) + number > BATCH:
            raise InvalidRequest(f"a request has at most {BATCH} replies", "/items")
        start = len(self.results)
        loop = asyncio.get_running_loop()
        self.results += [loop.create_future() for _ in range(number)]
        try:
            if isinstance(item, Exception):
                raise item
            wish, transcripts = _wish(item, self.wanted), item.transcripts or [None] * number
            if len(transcripts) != number:
                raise InvalidRequest("there are as many transcripts as replies", "/transcripts")
        except Exception as fault:
            if self.is_single:
                raise
            for reply in range(number):
                self._fail(start + reply, index, reply, fault)
            return
        texts = [item.replies] if isinstance(item.replies, str) else item.replies
        self.jobs += [
            Job(start + reply, index, reply, text, wish, transcript)
            for reply, (text, transcript) in enumerate(zip(texts, transcripts))
        ]

    # ------------------------------------------------------------------ as a response

    async def whole(self) -> VerifyResults:
        """All verdicts. Raises where a single request could not be judged at all."""
        await asyncio.gather(*map(self._judge, self.chunks))
        if self.is_single and len(self.faults) == len(self.results):
            raise self.faults[0]
        return VerifyResults([future.result() for future in self.results])

    async def lines(self) -> AsyncGenerator[VerifyResult, None]:
        """The verdicts in their order or, if the request asks for it, as they are made."""
        tasks = [asyncio.create_task(self._judge(chunk)) for chunk in self.chunks]
        try:
            if self.wanted.order == "completion":
                for next_ in asyncio.as_completed(self.results):
                    yield _counted(await next_)
            else:
                for future in self.results:
                    yield _counted(await future)
        finally:
            for task in tasks:
                task.cancel()

    # ------------------------------------------------------------------ in workers

    async def _judge(self, jobs: list[Job]) -> None:
        """Have replies judged that go to a worker together."""
        try:
            while jobs:
                done = await self._call(jobs)
                if done is None:  # one of them was its end, and each has to show whether it is
                    await asyncio.gather(*(self._judge([job]) for job in jobs))
                    return
                for job, fields in zip(jobs, done):
                    await self._settle(job, fields)
                jobs = jobs[len(done) :]
        except Exception as fault:  # noqa: BLE001  one item never fails the others
            for job in jobs:
                if not self.results[job.position].done():
                    self._fail(job.position, job.index, job.reply, fault)

    async def _call(self, jobs: list[Job]) -> list[dict[str, Any]] | None:
        """Verdicts on the first of some replies; None where several ended their worker.

        Raises :class:`JudgeError` where a single one did.
        """
        lane = jobs[0].wish.lane
        wall_s = (self.wanted.timeout_ms or USUAL_MS[lane]) / 1_000
        groups = [
            {
                "verifier": wish.verifier, "gold": wish.gold, "options": wish.options,
                "answer_format": wish.answer_format, "replies": [job.text for job in some],
            }
            for wish, some in groupby(jobs, lambda job: job.wish)
        ]  # fmt: skip
        is_alone = len(jobs) == 1
        try:
            done: list[dict[str, Any]] = await self.judge.in_lane(
                lane, "palaestra.verification:judged_chunk", groups, BUDGET_S,
                wall_s=wall_s if is_alone else wall_s + BUDGET_S, deadline=self.request.deadline,
            )  # fmt: skip
        except (Late, WorkerLost) as fault:
            if not is_alone:
                return None
            if isinstance(fault, NoMemory):
                raise JudgeError("judging needs too much memory") from None
            if isinstance(fault, Late):
                raise JudgeError(f"judging took longer than {wall_s:g} s") from None
            raise
        return done

    async def _settle(self, job: Job, fields: dict[str, Any]) -> None:
        """Take a verdict from a worker."""
        if fields.get("pointer") is not None:
            self._fail(job.position, job.index, job.reply, _fault(fields))
            return
        result = VerifyResult(**fields, index=job.index, reply=job.reply)
        if job.wish.recipe is not None:
            try:
                result.reward = await self.judge.in_thread(
                    recipes.paid, job.wish.recipe, job.text, job.transcript, result
                )
            except ValueError as fault:
                self._fail(job.position, job.index, job.reply, fault)
                return
        self.results[job.position].set_result(result)

    def _fail(self, position: int, index: int, reply: int, fault: Exception) -> None:
        """Put an error in the place of a verdict."""
        self.faults.append(fault)
        slug = slug_of(fault)
        reason = f"the judge failed ({type(fault).__name__})" if slug == "internal" else str(fault)
        pointer = getattr(fault, "pointer", None)
        status = "gold_error" if isinstance(fault, BadField) else "infra_error"
        self.results[position].set_result(
            VerifyResult(
                value=None, correct=None, error=slug, reason=reason[:1_000],
                status=fault.status if isinstance(fault, JudgeError) else status,
                pointer=None if pointer is None else f"/items/{index}{pointer}",
                index=index, reply=reply,
            )
        )  # fmt: skip


def _counted(result: VerifyResult) -> VerifyResult:
    metrics.verified([result])
    return result


def _number(item: VerifyItem | Exception) -> int:
    """How many replies an item has."""
    return (
        len(item.replies) if isinstance(item, VerifyItem) and isinstance(item.replies, list) else 1
    )


def _fault(fields: dict[str, Any]) -> Exception:
    """The error that a worker tells of."""
    if fields["error"] == "not-installed":
        return NotInstalled(fields["reason"])
    return BadField(fields["reason"], fields["pointer"])


def _chunks(jobs: list[Job]) -> Iterator[list[Job]]:
    """Jobs that go to a worker together, those of each lane in their order."""
    for lane, most in (("worker", CHUNK), ("sandbox", PROGRAMS)):
        chunk: list[Job] = []
        size, before = 0, None
        for job in (job for job in jobs if job.wish.lane == lane):
            is_same = job.wish is before
            length = len(job.text) + (0 if is_same else len(job.wish.gold) + len(job.wish.options))
            if chunk and (len(chunk) == most or size + length > CHUNK_CHARACTERS):
                yield chunk
                chunk, size = [], 0
                length = len(job.text) + len(job.wish.gold) + len(job.wish.options)
            chunk.append(job)
            size, before = size + length, job.wish
        if chunk:
            yield chunk


# ------------------------------------------------------------------ reading requests


def _read(request: FastRequest) -> tuple[VerifyRequest, list[VerifyItem | Exception]]:
    """A request, and its items; of one without items, it is the only one itself."""
    if request.media_type == NDJSON:
        lines = [line[0] for line in islice(LINE.finditer(request.body), BATCH + 1)]
        if len(lines) > BATCH:
            raise InvalidRequest(f"a request has at most {BATCH} items", "/items")
        return VerifyRequest(), [_line(line) for line in lines]
    wanted: VerifyRequest = request.read(_REQUEST)
    if wanted.items is not None:
        if wanted.gold is not UNSET or wanted.replies is not None or wanted.transcripts is not None:
            raise InvalidRequest("a request has items, or a gold and replies, not both", "/items")
        items: list[VerifyItem | Exception] = [*wanted.items]
    elif isinstance(wanted.gold, UnsetType) or wanted.replies is None:
        missing = "/replies" if wanted.replies is None else "/gold"
        raise InvalidRequest("a request has a gold and replies, or items", missing)
    else:
        items = [
            VerifyItem(gold=wanted.gold, replies=wanted.replies, transcripts=wanted.transcripts)
        ]
    if request.media_type == MSGPACK:
        return _unpacked(wanted), [*map(_unpacked, items)]
    return wanted, items


def _line(line: bytes) -> VerifyItem | Exception:
    try:
        item: VerifyItem = _ITEM.read(line)
    except (MalformedBody, InvalidRequest) as error:
        return error
    return item


T = TypeVar("T", bound=VerifyItem | VerifyRequest | Exception)


def _unpacked(item: T) -> T:
    """The same with its gold and options in JSON, which were in MessagePack."""
    if not isinstance(item, Exception):
        for name in ("gold", "options"):
            value = getattr(item, name)
            if value is not UNSET:
                setattr(item, name, Raw(_json_of(value, f"/{name}")))
    return item


def _json_of(packed: Raw, pointer: str) -> bytes:
    try:
        return json.dumps(msgspec.msgpack.decode(packed), allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError, msgspec.MsgspecError) as error:
        raise InvalidRequest(f"not a JSON value: {error}"[:300], pointer) from None


def _wish(item: VerifyItem, wanted: VerifyRequest) -> Wish:
    """What an item is judged by. Raises what is wrong with it."""
    name = item.verifier or wanted.verifier
    if name is None:
        raise InvalidRequest("a verifier is named by the item or by the request", "/verifier")
    options = wanted.options if item.options is UNSET else item.options
    gold_text = _text(item.gold)
    options_text = "{}" if isinstance(options, UnsetType) else _text(options)
    if len(gold_text) + len(options_text) > GOLD_CHARACTERS:
        most = f"a gold and its options have at most {GOLD_CHARACTERS} characters of JSON"
        raise BadField(most, "/gold")
    lane: Lane = "worker"
    if entry_of(name).inner is not None:
        lane = "sandbox" if "sandbox" in requirements(name, _plain(gold_text)) else lane
    else:
        lane = entry_of(name).runs
    return Wish(
        name, gold_text, options_text, item.answer_format or wanted.answer_format,
        recipes.checked(item.recipe or wanted.recipe), lane,
    )  # fmt: skip


def _text(raw: Raw) -> str:
    return bytes(raw).decode("utf-8", "replace")


def _plain(text: str) -> Any:
    """A gold as a value. Raises :class:`BadField` for one that nests too deeply."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadField(f"the gold cannot be read: {str(error)[:200]}", "/gold") from None


# ------------------------------------------------------------------ routes


async def verify(judge: Judge, request: FastRequest) -> Struct | AsyncGenerator[Any, None]:
    """Judge replies by named verifiers. A failing item never fails the others."""
    require_scope(request.scope, "score")
    verdicts = Verdicts(judge, request)
    if NDJSON in request.accept:
        return verdicts.lines()
    done = await cancel_on_disconnect(verdicts.whole(), request.receive)
    metrics.verified(done.results)
    return done


def verifiers(request: Request) -> dict[str, Any]:
    """List the named verifiers, with the JSON Schemas of their golds and options."""
    require_scope(request.scope, "read")
    return {"verifiers": listing()}


def verifier(verifier: str, request: Request) -> dict[str, Any]:
    """Get one named verifier, with the JSON Schemas of its gold and options."""
    require_scope(request.scope, "read")
    return entry_of(verifier).described()
