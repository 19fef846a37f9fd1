"""Sessions: episodes that a server keeps for its clients, and that outlive it.

An episode is its address and its replies, so a session is a name for those. Each server holds some
of them in play, and what it holds is only a shortcut: the store knows better, for another server
may have gone on with a session, or this one may have been started again.
"""

import asyncio
import re
import secrets
from base64 import b64decode
from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from time import thread_time
from typing import Any

from msgspec import convert, structs

from palaestra.address import Address, Split
from palaestra.episode import Episode, EpisodeOver
from palaestra.observations import TEXT, View
from palaestra.registry import load
from palaestra.server import metrics, recipes, session_states
from palaestra.server.clock import time
from palaestra.server.fair_queue import check_deadline
from palaestra.server.judging import DRAWING_S, Judge, too_much
from palaestra.server.problems import (
    IdempotencyConflict,
    InvalidRequest,
    NoMemory,
    Overloaded,
    StepConflict,
    UnknownSession,
)
from palaestra.server.session_states import (
    episode_of,
    illustrated,
    image_of,
    plain,
    scene_fields,
    state_of,
    utterance_of,
)
from palaestra.server.store import IdempotencyRecord, ReplyRecord, Rollout, SessionRecord, Store
from palaestra.server.structs import (
    REPLIES,
    TIMEOUT_MS,
    ScoreRequest,
    SessionState,
    TranscriptInfo,
)
from palaestra.server.targets import SHORT, TRANSCRIPT, Executor, resolved
from palaestra.task import Puzzle, Task
from palaestra.trainers.spoken_users import Conversation, Speaker, Words
from palaestra.verifiers.shaping import RecipeError
from palaestra.workers.pool import Late

IDLE_S, ABSOLUTE_S = 3_600.0, 86_400.0
"""Seconds until a session that nobody uses is forgotten, and until any session is."""

IN_PLAY, HELD = 8_192, 64 << 20
"""How many sessions are held in play, and how many characters were said in all of them."""

MOST = 512
"""How many sessions one request may open."""

QUICK_S, IN_A_ROW = 0.001, 32
"""How long a move takes at most that is made on the event loop, and how many such in a row show
that the next ones are likely to be like them.
"""

TRIES = 3
"""How often a step is tried where others play the same session through other servers."""

NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")

UNKNOWN = "there is no such session, or it is over its time"
OTHERS = "others play this session at the same time"


@dataclass(slots=True)
class ActiveSession:
    """A session in play. Its episode is played when it is first needed, and not at all in this
    process where single moves may take long.
    """

    record: SessionRecord
    replies: list[str]
    touched: float
    episode: Episode | None = None
    over: bool = False
    weight: int = 0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass(slots=True)
class MoveTimer:
    """How long moves took lately in the worlds of one kind. At levels that nobody has measured,
    moves are made in threads until so many in a row were quick; the loop is quicker still.
    """

    quick: int = 0

    def is_quick(self) -> bool:
        """Whether a move is likely to take no time."""
        return self.quick >= IN_A_ROW

    def step(self, episode: Episode, move: str) -> None:
        """Makes a move in an episode, and notes how much of the processor that took."""
        start = thread_time()
        episode.step(move)
        self.quick = self.quick + 1 if thread_time() - start < QUICK_S else 0


class Sessions:
    """The sessions of one server."""

    def __init__(
        self,
        store: Store,
        judge: Judge,
        idle_s: float = IDLE_S,
        absolute_s: float = ABSOLUTE_S,
        speaker: Speaker | None = None,
    ) -> None:
        self.store, self.judge, self.speaker = store, judge, speaker
        self.idle_s, self.absolute_s = idle_s, absolute_s
        self.active: OrderedDict[str, ActiveSession] = OrderedDict()
        self.held = 0
        self.timers: dict[type[Task], MoveTimer] = {}

    # ------------------------------------------------------------------ opening

    async def open(  # noqa: PLR0913
        self,
        address: Address,
        *,
        owner: str = "",
        number: int = 1,
        answer_format: str = "tags",
        seats: Sequence[int] | None = None,
        key: str | None = None,
        recipe: str | None = None,
        view: View = TEXT,
        deadline: float | None = None,
    ) -> list[SessionState]:
        """Opens sessions of one task; with a key, the same ones for the same request.

        With a recipe, the score that a session ends with has the reward that it makes. With a view
        that has images, states have a ``content`` and messages have image parts.
        """
        recipes.checked(recipe)
        if not 1 <= number <= MOST:
            raise InvalidRequest(f"sessions are opened from 1 to {MOST} at a time", "/n")
        now, chosen = time(), tuple(seats) if seats else None
        records = [
            SessionRecord(
                _name(),
                owner,
                str(address),
                answer_format,
                chosen,
                now,
                touched=now,
                recipe=recipe,
                view=view,
            )
            for _ in range(number)
        ]
        first = ActiveSession(records[0], [], now)
        words = await self._opening_words(first, deadline)
        records = [replace(one, words=words) for one in records]
        first.record = records[0]
        state = await self._state(first, whole=True, deadline=deadline)
        request = f"{address}\n{number}\n{answer_format}\n{seats}" + (
            f"\n{recipe}" if recipe else ""
        )
        request += f"\n{view.observation}\n{view.size}" if view.has_image else ""
        names = await self._create(records, owner, key, request)
        if names != tuple(one.id for one in records):  # they were opened before
            return [await self.get(name, owner) for name in names]
        self._hold(first)
        for one in records[1:]:
            self._hold(ActiveSession(one, [], now))
        return [structs.replace(state, session=one.id) for one in records]

    async def _create(
        self, records: Sequence[SessionRecord], owner: str, key: str | None, request: str
    ) -> tuple[str, ...]:
        if key is None:
            names = await self.store.create(records)
        else:
            digest = sha256(request.encode()).hexdigest()
            names = await self.store.create(records, IdempotencyRecord(owner, key, digest))
        if names is None:
            raise IdempotencyConflict("this key was used for another request")
        return names

    # ------------------------------------------------------------------ playing

    async def step(  # noqa: PLR0913, PLR0917  they are the fields of a request
        self,
        session: str,
        step: int | None,
        move: str,
        owner: str = "",
        deadline: float | None = None,
        transcript: TranscriptInfo | None = None,
    ) -> SessionState:
        """Makes a move: as the one of that number, or as the next one.

        The same step with the same move again is answered as it was then. Raises
        :class:`StepConflict` where it was made with another move, or is not the next.
        """
        async with self._in_turn(session, owner) as active:
            for lap in range(TRIES):
                at = len(active.replies) if step is None else step
                if at == len(active.replies) and not active.over:
                    state = await self._moved(active, move, deadline, transcript)
                    if state is not None:
                        return state
                elif lap:
                    return await self._repeated(active, at, move, transcript)
                # The store knows better: others may have gone on with it, or taken moves back.
                await self._reloaded(active)
            raise StepConflict(OTHERS)

    async def _moved(
        self,
        active: ActiveSession,
        move: str,
        deadline: float | None,
        transcript: TranscriptInfo | None,
    ) -> SessionState | None:
        """Where the session stands after a move that is kept; nothing where somebody else was
        faster. It is played first, so that no move is kept that cannot be.
        """
        if len(active.replies) >= REPLIES:
            raise StepConflict(f"an episode has at most {REPLIES} replies")
        if len(move) + sum(map(len, active.replies)) > TRANSCRIPT:
            raise StepConflict(f"the replies of an episode have at most {TRANSCRIPT} characters")
        record, step = active.record, len(active.replies)
        try:
            state, words = await self._after_move(active, move, deadline)
            await self._reward(active.record, state, move, transcript)
            rollout = self._rollout(active, move, state) if state.done else None
            reply = ReplyRecord(record.id, record.generation, step, move, rollout, words)
            first = await self.store.append(reply)
        except Overloaded:
            raise
        except EpisodeOver:
            active.over = True
            return None
        except BaseException:
            active.episode = None  # it may hold a move that was not stored, so it is replayed
            raise
        if not first:
            return None
        active.replies.append(move)
        if words:
            active.record = replace(record, words=(*record.words, *words))
        active.over, active.touched = state.done, time()
        self._weigh(active)
        return state

    async def _after_move(
        self, active: ActiveSession, move: str, deadline: float | None
    ) -> tuple[SessionState, tuple[Words, ...]]:
        """Where the session would stand after a move, and what its user would say in the words of
        an endpoint.
        """
        target = resolved(active.record.address)
        if target.is_remote:
            replies = [*active.replies, move]
            words = await self._words_away(active.record, replies, deadline)
            return await self._played_away(active, replies, False, deadline, words), words
        episode = await self._episode(active, deadline)
        executor = target.executor if len(move) <= SHORT else "thread"
        await self._play(executor, episode, move, deadline)
        record, words = active.record, await self._words(active.record, episode)
        if words:
            record = replace(record, words=(*record.words, *words))
        return await self._state_of(record, episode), words

    async def _play(
        self, executor: Executor, episode: Episode, move: str, deadline: float | None
    ) -> None:
        """Makes a move in an episode, where such moves are made."""
        if executor == "loop":
            episode.step(move)
            return
        timer = self.timers.setdefault(type(episode.task), MoveTimer())
        if executor == "worker" and timer.is_quick():
            timer.step(episode, move)
        else:
            async with self.judge.turn(deadline):
                await self.judge.in_thread(timer.step, episode, move)

    async def _words(self, record: SessionRecord, episode: Episode) -> tuple[Words, ...]:
        """What the user of a session says last, in the words of an endpoint; nothing where nobody
        says anything. They are kept with the reply before them, so that they stay the same.
        """
        if self.speaker is None:
            return ()
        conversation = Conversation(episode, self.speaker, record.words)
        await conversation.speak_async()
        words = tuple(each for each in conversation.words if each not in record.words)
        for each in words:
            metrics.worded(is_scripted=bool(each.reason))
        return words

    async def _words_away(
        self, record: SessionRecord, replies: list[str], deadline: float | None
    ) -> tuple[Words, ...]:
        """The same for an episode that is played in a worker process. It is played there once more
        to show the words, so nobody is asked about tasks without users.
        """
        if self.speaker is None or issubclass(load(Address.parse(record.address).env), Puzzle):
            return ()
        known = plain(record.words)
        speech = await self._away("speech_at", record, replies, deadline, known)
        turn, words = len(replies), list[Words]()
        for utterance in map(utterance_of, speech):
            words.append(await self.speaker.say_async(utterance, turn))
            metrics.worded(is_scripted=bool(words[-1].reason))
        return tuple(words)

    async def _opening_words(
        self, first: ActiveSession, deadline: float | None
    ) -> tuple[Words, ...]:
        """What the user of a new session says first, in the words of an endpoint."""
        if self.speaker is None:
            return ()
        if resolved(first.record.address).is_remote:
            return await self._words_away(first.record, [], deadline)
        return await self._words(first.record, await self._episode(first, deadline))

    async def _state_of(
        self, record: SessionRecord, episode: Episode, whole: bool = False
    ) -> SessionState:
        """Where a session stands; images are made in a thread."""
        if not record.view.has_image:
            return state_of(record, episode, whole)
        return await self.judge.in_thread(illustrated, record, episode, whole)

    async def _repeated(
        self, active: ActiveSession, step: int, move: str, transcript: TranscriptInfo | None
    ) -> SessionState:
        """What was answered to a step that was made before."""
        if step >= len(active.replies):
            if active.over:
                raise StepConflict("the episode is over")
            raise StepConflict(f"step {step} is not the next; that is {len(active.replies)}")
        if active.replies[step] != move:
            raise StepConflict(f"step {step} was made with another move")
        then = ActiveSession(active.record, active.replies[: step + 1], active.touched)
        state = await self._state(then)
        await self._reward(active.record, state, move, transcript)
        return state

    async def _reward(
        self,
        record: SessionRecord,
        state: SessionState,
        move: str,
        transcript: TranscriptInfo | None,
    ) -> None:
        """Puts the reward of a session's recipe beside the score that it ends with.

        Raises :class:`RecipeError` where the recipe needs what no transcript tells.
        """
        if state.score is None or record.recipe is None:
            return
        item = ScoreRequest(record.address, move, recipe=record.recipe, transcript=transcript)
        state.score.reward = await self.judge.in_thread(recipes.rewarded, item, state.score)

    def _rollout(self, active: ActiveSession, move: str, state: SessionState) -> Rollout | None:
        """What is recorded of an episode that ends, where that is recorded."""
        record, score = active.record, state.score
        if self.judge.record is None or score is None or score.value is None:
            return None
        return Rollout(
            record.owner, record.id, record.address, record.answer_format, record.seats,
            (*active.replies, move), score.value, score.status, score.fingerprint or "",
        )  # fmt: skip

    # ------------------------------------------------------------------ the rest

    async def get(
        self, session: str, owner: str = "", deadline: float | None = None
    ) -> SessionState:
        """Get the state of a session, with its transcript."""
        async with self._in_turn(session, owner) as active:
            await self._reloaded(active)
            state = await self._state(active, whole=True, deadline=deadline)
            with suppress(RecipeError):  # how its last reply was given, nobody knows any more
                await self._reward(
                    active.record, state, active.replies[-1] if active.replies else "", None
                )
            return state

    async def image(
        self, session: str, owner: str = "", deadline: float | None = None
    ) -> bytes | None:
        """The image of how a session stands, as a PNG, where its world draws one."""
        async with self._in_turn(session, owner) as active:
            await self._reloaded(active)
            if resolved(active.record.address).is_remote:
                encoded = await self._away("image_at", active.record, active.replies, deadline)
                png = None if encoded is None else b64decode(encoded)
            else:
                episode = await self._episode(active, deadline)
                png = await self.judge.in_thread(image_of, episode)
        return png

    async def scene(
        self, session: str, owner: str = "", deadline: float | None = None
    ) -> dict[str, Any]:
        """The scene of how a session stands, and its shapes."""
        async with self._in_turn(session, owner) as active:
            await self._reloaded(active)
            if resolved(active.record.address).is_remote:
                fields: dict[str, Any] = await self._away(
                    "scene_at", active.record, active.replies, deadline
                )
                return fields
            episode = await self._episode(active, deadline)
            return await self.judge.in_thread(scene_fields, episode)

    async def fork(
        self, session: str, number: int, owner: str = "", deadline: float | None = None
    ) -> list[SessionState]:
        """Opens sessions that stand where this one does."""
        if not 1 <= number <= MOST:
            raise InvalidRequest(f"sessions are forked from 1 to {MOST} at a time", "/n")
        async with self._in_turn(session, owner) as active:
            await self._reloaded(active)
            state = await self._state(active, whole=True, deadline=deadline)
            now, replies = time(), tuple(active.replies)
            records = [
                replace(active.record, id=_name(), generation=0, created=now, touched=now)
                for _ in range(number)
            ]
            await self.store.create([replace(one, replies=replies) for one in records])
            over = active.over
        for one in records:
            self._hold(ActiveSession(one, [*replies], now, over=over))
        return [structs.replace(state, session=one.id) for one in records]

    async def rewind(
        self, session: str, step: int, owner: str = "", deadline: float | None = None
    ) -> SessionState:
        """Takes replies back, until there are ``step`` of them."""
        check_deadline(deadline)
        async with self._in_turn(session, owner) as active:
            for _ in range(TRIES):
                await self._reloaded(active)
                if not 0 <= step <= len(active.replies):
                    reason = f"there are {len(active.replies)} steps to go back to, not {step}"
                    raise InvalidRequest(reason, "/step")
                if await self.store.rewind(session, active.record.generation, step):
                    await self._reloaded(active)
                    return await self._state(active, whole=True, deadline=deadline)
            raise StepConflict(OTHERS)

    async def delete(self, session: str, owner: str = "") -> None:
        """Forgets a session."""
        async with self._in_turn(session, owner) as active:
            await self.store.delete(session)
            self._drop(active)

    async def sweep(self) -> int:
        """Forgets sessions that are over their time."""
        forgotten = await self.store.sweep(self.idle_s, self.absolute_s)
        for name in forgotten:
            if (active := self.active.get(name)) is not None:
                self._drop(active)
        return len(forgotten)

    async def answer_format(self, session: str, owner: str = "") -> str:
        """How moves are marked in the replies of a session."""
        return (await self._found(session, owner)).record.answer_format

    # ------------------------------------------------------------------ in play

    @asynccontextmanager
    async def _in_turn(self, session: str, owner: str) -> AsyncIterator[ActiveSession]:
        """A session that nobody else in this process plays meanwhile.

        Raises :class:`UnknownSession` for one that there is not, or that is somebody else's.
        """
        while True:
            active = await self._found(session, owner)
            async with active.lock:
                if self.active.get(session) is active:  # it was not let go of while we waited
                    yield active
                    return

    async def _found(self, session: str, owner: str) -> ActiveSession:
        if not NAME.fullmatch(session):
            raise UnknownSession(UNKNOWN)
        active = self.active.get(session)
        if active is None or not self._is_in_time(active):
            record = await self.store.load(session)
            if record is None:
                raise UnknownSession(UNKNOWN)
            active = self.active.get(session) or self._hold(
                ActiveSession(replace(record, replies=()), [*record.replies], record.touched)
            )
            active.touched = max(active.touched, record.touched)
        if active.record.owner != owner or not self._is_in_time(active):
            raise UnknownSession(UNKNOWN)
        self.active.move_to_end(session)
        return active

    def _is_in_time(self, active: ActiveSession) -> bool:
        now = time()
        idle, age = now - active.touched, now - active.record.created
        return idle <= self.idle_s and age <= self.absolute_s

    async def _reloaded(self, active: ActiveSession) -> None:
        """Brings a session to where the store knows it to be."""
        record = await self.store.load(active.record.id)
        if record is None:
            self._drop(active)
            raise UnknownSession(UNKNOWN)
        played = active.episode.replies if active.episode else active.replies
        if [*record.replies] != active.replies or played != active.replies:
            active.replies, active.episode, active.over = [*record.replies], None, False
            self._weigh(active)
        active.record, active.touched = replace(record, replies=()), record.touched

    async def _state(
        self, active: ActiveSession, whole: bool = False, deadline: float | None = None
    ) -> SessionState:
        """Where a session stands."""
        if resolved(active.record.address).is_remote:
            state = await self._played_away(active, active.replies, whole, deadline)
        else:
            episode = await self._episode(active, deadline)
            state = await self._state_of(active.record, episode, whole)
        active.over = state.done
        return state

    async def _episode(self, active: ActiveSession, deadline: float | None) -> Episode:
        """The episode of a session, played as far as its replies go."""
        if active.episode is None:
            record = active.record
            arguments = (record.address, record.answer_format, record.seats, tuple(active.replies))
            if resolved(record.address).executor == "loop" and not active.replies:
                active.episode = episode_of(*arguments)
            else:
                async with self.judge.turn(deadline):
                    active.episode = await self.judge.in_thread(episode_of, *arguments)
            active.over = active.episode.scores is not None
            self._weigh(active)
        return active.episode

    async def _played_away(
        self,
        active: ActiveSession,
        replies: list[str],
        whole: bool,
        deadline: float | None,
        words: Sequence[Words] = (),
    ) -> SessionState:
        record = active.record
        shown = (record.view.observation, record.view.size) if record.view.has_image else ()
        known = plain([*record.words, *words])
        fields = await self._away("state_at", record, replies, deadline, known, whole, *shown)
        return structs.replace(convert(fields, SessionState), session=record.id)

    async def _away(
        self,
        work: str,
        record: SessionRecord,
        replies: list[str],
        deadline: float | None,
        *more: Any,
    ) -> Any:
        """What a function of :mod:`palaestra.server.session_states` gives in a worker process."""
        target = resolved(record.address)
        is_program = target.executor == "sandbox" and replies
        wall_s = TIMEOUT_MS / 1000 if is_program else DRAWING_S
        try:
            return await self.judge.away(
                target, f"{session_states.__name__}:{work}",
                record.address, record.answer_format, record.seats, replies, *more,
                wall_s=wall_s, deadline=deadline,
            )  # fmt: skip
        except (Late, NoMemory) as fault:
            raise too_much(target, fault, f"playing {target.text}", wall_s) from None

    def _hold(self, active: ActiveSession) -> ActiveSession:
        self.active[active.record.id] = active
        self._weigh(active)
        return active

    def _weigh(self, active: ActiveSession) -> None:
        """Counts what a session holds, and lets go of those that rest for longest where all of them
        hold too much.
        """
        if self.active.get(active.record.id) is not active:
            return
        weight = sum(map(len, active.replies))
        if active.episode is not None:
            weight += sum(len(observation) for _, observation in active.episode.observations)
        self.held += weight - active.weight
        active.weight = weight
        if self.held <= HELD and len(self.active) <= IN_PLAY:
            return
        for _ in range(len(self.active)):
            oldest = next(iter(self.active.values()))
            if oldest is active or oldest.lock.locked():
                self.active.move_to_end(oldest.record.id)
            else:
                self._drop(oldest)
            if self.held <= HELD and len(self.active) <= IN_PLAY:
                return

    def _drop(self, active: ActiveSession) -> None:
        if self.active.get(active.record.id) is active:
            del self.active[active.record.id]
            self.held -= active.weight


def address_from(  # noqa: PLR0913, PLR0917  they are the ways to name a task
    address: str | None,
    env: str | None,
    seed: int,
    level: int,
    split: Split,
    knobs: Mapping[str, Any],
) -> Address:
    """The address of a task that is named by it, or by an environment, a level and a seed."""
    if address is not None and env is None:
        return Address.parse(address)
    if env is not None and address is None:
        return Address.of(env, seed, level, split, **knobs)
    raise InvalidRequest(
        "a task is named by its address, or by its env, level and seed", "/address"
    )


def _name() -> str:
    return secrets.token_urlsafe(18)
