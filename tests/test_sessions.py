"""Sessions and where they are kept, on SQLite and on PostgreSQL."""

import asyncio
import json
import random
import time
from contextlib import asynccontextmanager

import pytest

from palaestra.address import Address
from palaestra.episode import TAGS
from palaestra.server import clock
from palaestra.server import sessions as module
from palaestra.server.judging import Judge
from palaestra.server.problems import (
    IdempotencyConflict,
    InvalidRequest,
    StepConflict,
    StoreUnavailable,
    UnknownSession,
)
from palaestra.server.sessions import Sessions
from palaestra.server.store import CurriculumRecord, ReplyRecord, Rollout, SessionRecord, Store

CODE = Address.of("games/mastermind", seed=1, level=2)
MOVES = [TAGS.write(move) for move in CODE.task().solve()]
assert len(MOVES) >= 4
WRONG = TAGS.write("no")
STRANGE = "a\x00b \ud800 \udfff \U0001f600 ' \\ \" %s :x ? \u2028"


@pytest.fixture(params=["memory", "file", pytest.param("postgres", marks=pytest.mark.slow)])
def database(request, tmp_path):
    """The URL of an empty database of each kind."""
    if request.param == "postgres":
        return request.getfixturevalue("postgres")
    return "sqlite://" if request.param == "memory" else f"sqlite:///{tmp_path / 'kept'}"


@pytest.fixture(params=["file", pytest.param("postgres", marks=pytest.mark.slow)])
def shared(request, tmp_path):
    """One that several servers can share."""
    if request.param == "postgres":
        return request.getfixturevalue("postgres")
    return f"sqlite:///{tmp_path / 'kept'}"


@asynccontextmanager
async def serving(url, **options):
    """The sessions of a server of its own."""
    store, judge = Store(url), Judge()
    try:
        yield Sessions(store, judge, **options)
    finally:
        judge.close()
        await asyncio.to_thread(store.close)


# ------------------------------------------------------------------ the store


def test_what_is_kept_is_read_back(database):
    async def run():
        store = Store(database)
        seats = SessionRecord("b", "me", "x", "tags", (0, 1), 0, replies=("one", STRANGE))
        assert await store.create([SessionRecord("a", "me", "é", "bare", None, 0), seats]) == (
            "a",
            "b",
        )
        assert await store.append(ReplyRecord("a", 0, 0, STRANGE))
        assert not await store.append(ReplyRecord("a", 0, 0, "late"))
        assert not await store.append(ReplyRecord("a", 1, 1, "of another generation"))
        assert not await store.append(ReplyRecord("nobody", 0, 0, ""))
        found = await store.load("a")
        assert (found.owner, found.address, found.answer_format, found.seats) == (
            "me",
            "é",
            "bare",
            None,
        )
        assert found.replies == (STRANGE,)
        assert found.touched >= found.created > 0
        assert (await store.load("b")).replies == ("one", STRANGE)
        assert (await store.load("b")).seats == (0, 1)
        assert await store.load("c") is None
        await store.delete("b")
        assert await store.load("b") is None
        store.close()

    asyncio.run(run())


def test_replies_that_come_together_are_told_apart(database):
    async def run():
        store = Store(database)
        names = [f"s{n}" for n in range(40)]
        await store.create([SessionRecord(name, "", "x", "tags", None, 0) for name in names])
        random.Random(1).shuffle(names)
        told = await asyncio.gather(
            *(store.append(ReplyRecord(name, n % 2, 0, name)) for n, name in enumerate(names))
        )
        assert told == [n % 2 == 0 for n in range(40)]
        store.close()

    asyncio.run(run())


def test_a_rewind_starts_a_generation(database):
    async def run():
        store = Store(database)
        await store.create([SessionRecord("a", "", "x", "tags", None, 0, replies=("0", "1", "2"))])
        assert await store.rewind("a", 0, 1)
        assert not await store.rewind("a", 0, 0)
        found = await store.load("a")
        assert (found.generation, found.replies) == (1, ("0",))
        assert not await store.append(ReplyRecord("a", 0, 1, "of before"))
        assert await store.append(ReplyRecord("a", 1, 1, "of now"))
        store.close()

    asyncio.run(run())


def test_promises_are_kept(database):
    async def run():
        store = Store(database)
        key = STRANGE * 10
        (made,) = await store.create(
            [SessionRecord("a", "", "x", "tags", None, 0)], ("me", key, "r")
        )
        assert await store.create(
            [SessionRecord("b", "", "x", "tags", None, 0)], ("me", key, "r")
        ) == (made,)
        assert (
            await store.create([SessionRecord("b", "", "x", "tags", None, 0)], ("me", key, "s"))
            is None
        )
        assert await store.create(
            [SessionRecord("c", "", "x", "tags", None, 0)], ("you", key, "s")
        ) == ("c",)
        assert await store.load("b") is None
        store.close()

    asyncio.run(run())


@pytest.fixture
def later(monkeypatch):
    """Lets time pass for sessions: ``later(seconds)``."""
    return lambda seconds: monkeypatch.setattr(clock, "_BEGAN", clock._BEGAN + seconds)


def test_what_nobody_uses_is_forgotten(database, later):
    async def run():
        store = Store(database)
        for name in ("old", "idle", "used"):
            await store.create([SessionRecord(name, "", "x", "tags", None, 0)])
        later(1_000)
        await store.append(ReplyRecord("used", 0, 0, "x"))
        assert sorted(await store.sweep(900, 10_000)) == ["idle", "old"]
        assert await store.load("used")
        assert await store.sweep(10_000, 900) == ["used"]
        assert await store.sweep(10_000, 900) == []
        with store.engine.connect() as connection:
            assert connection.exec_driver_sql("SELECT count(*) FROM steps").scalar() == 0
        store.close()

    asyncio.run(run())


def test_rollouts_are_kept_and_found_by_environment(database, monkeypatch):
    monkeypatch.setattr("palaestra.server.statements.CHUNK", 3)

    async def run():
        store = Store(database)
        told = [
            Rollout("me", "", f"{env}@1?seed={n}", "tags", (1,) if n else None, (STRANGE, "x"),
                    n / 7, "scored", "f")
            for n in range(7) for env in ("a/b", "a/b_c", "a/%")
        ]  # fmt: skip
        await asyncio.gather(store.record(told[:2]), store.record(told[2:]))
        found = await asyncio.to_thread(lambda: [*store.rollouts()])
        assert [one.at > 0 for one in found] == [True] * 21
        assert {_timeless(one) for one in found} == {*map(_timeless, told)}
        for env in ("a/b", "a/b_c", "a/%", "a/_", "a"):
            some = await asyncio.to_thread(lambda env=env: [*store.rollouts(env)])
            assert len(some) == (7 if env in {"a/b", "a/b_c", "a/%"} else 0)
        store.close()

    asyncio.run(run())


def _timeless(rollout):
    return tuple(getattr(rollout, name) for name in Rollout.__slots__ if name != "at")


def test_the_state_of_a_curriculum_is_changed_by_one_at_a_time(database):
    async def run():
        store = Store(database)
        await store.begin(CurriculumRecord("c", "me", "uniform", {"n": 0}))
        first = await store.course("c")
        assert (first.state, first.generation) == ({"n": 0}, 0)
        assert await store.advance(CurriculumRecord("c", "me", "uniform", {"n": 1}, 0))
        assert not await store.advance(CurriculumRecord("c", "me", "uniform", {"n": 2}, 0))
        assert (await store.course("c")).state == {"n": 1}
        await store.drop("c")
        assert await store.course("c") is None
        store.close()

    asyncio.run(run())


@pytest.mark.slow
def test_a_sweep_passes_over_what_is_being_played(postgres, later):
    """A reply that is about to be committed keeps its session from being forgotten."""

    async def run():
        store = Store(postgres)
        await store.create([SessionRecord("a", "", "x", "tags", None, 0)])
        later(1_000)
        with store.engine.begin() as playing:
            playing.exec_driver_sql("SELECT 1 FROM sessions WHERE id = 'a' FOR SHARE")
            playing.exec_driver_sql(
                "INSERT INTO steps VALUES ('a', 0, '\"x\"', %s)", (time.time(),)
            )
            assert await store.sweep(900, 10_000) == []
        assert (await store.load("a")).replies == ("x",)
        store.close()

    asyncio.run(run())


@pytest.mark.slow
def test_a_database_that_goes_away_is_told_of_and_come_back_to(postgres):
    import psycopg

    async def run():
        store = Store(postgres)
        await store.create([SessionRecord("a", "", "x", "tags", None, 0)])
        with psycopg.connect(postgres, autocommit=True) as admin:
            others = "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
            admin.execute(
                f"SELECT pg_terminate_backend(pid) FROM ({others}) o WHERE pid <> pg_backend_pid()"
            )
        assert await store.append(ReplyRecord("a", 0, 0, "x"))
        store.engine.dispose()
        store.engine.dialect.connect, before = _refuse, store.engine.dialect.connect
        with pytest.raises(StoreUnavailable):
            await store.load("a")
        store.engine.dialect.connect = before
        assert (await store.load("a")).replies == ("x",)
        store.close()

    asyncio.run(run())


def _refuse(*_, **__):
    import psycopg

    raise psycopg.OperationalError("nobody listens")


def test_tables_are_made_by_several_at_once(shared):
    async def run():
        stores = await asyncio.gather(*(asyncio.to_thread(Store, shared) for _ in range(6)))
        await stores[0].create([SessionRecord("a", "", "x", "tags", None, 0)])
        assert await stores[1].load("a")
        for store in stores:
            store.close()

    asyncio.run(run())


# ------------------------------------------------------------------ playing


def test_an_episode_is_played_to_its_end(database):
    async def run():
        async with serving(database) as kept:
            (opened,) = await kept.open(CODE)
            assert opened.step == 0
            assert opened.messages[0]["content"] == opened.observation
            for n, move in enumerate(MOVES):
                told = await kept.step(opened.session, n, move)
                assert told.step == n + 1
            assert told.done
            assert told.score.value == 1
            assert told.earned == pytest.approx(1)
            with pytest.raises(StepConflict, match="over"):
                await kept.step(opened.session, len(MOVES), WRONG)

    asyncio.run(run())


def test_the_same_step_again_is_answered_as_it_was(database):
    async def run():
        async with serving(database) as kept:
            (opened,) = await kept.open(CODE)
            first = [await kept.step(opened.session, n, MOVES[n]) for n in range(3)]
            again = [await kept.step(opened.session, n, MOVES[n]) for n in range(3)]
            assert first == again
            with pytest.raises(StepConflict, match="another move"):
                await kept.step(opened.session, 1, WRONG)
            with pytest.raises(StepConflict, match="not the next"):
                await kept.step(opened.session, 4, WRONG)
            assert (await kept.step(opened.session, None, WRONG)).step == 4

    asyncio.run(run())


def test_a_session_outlives_its_server(shared):
    async def run():
        async with serving(shared) as kept:
            (opened,) = await kept.open(CODE, owner="me")
            said = [await kept.step(opened.session, n, m, "me") for n, m in enumerate(MOVES[:2])]
        async with serving(shared) as kept:
            whole = await kept.get(opened.session, "me")
            assert (whole.step, whole.observation) == (2, said[-1].observation)
            assert [m["content"] for m in whole.messages[1::2]] == MOVES[:2]
            assert await kept.step(opened.session, 1, MOVES[1], "me") == said[1]

    asyncio.run(run())


def test_forks_go_on_by_themselves(database):
    async def run():
        async with serving(database) as kept:
            (opened,) = await kept.open(CODE)
            await kept.step(opened.session, 0, MOVES[0])
            left, right = await kept.fork(opened.session, 2)
            assert left.step == right.step == 1
            assert len({left.session, right.session, opened.session}) == 3
            await kept.step(left.session, 1, MOVES[1])
            await kept.step(right.session, 1, WRONG)
            assert (await kept.get(opened.session)).step == 1
            assert (await kept.get(left.session)).observation != (
                await kept.get(right.session)
            ).observation

    asyncio.run(run())


def test_moves_are_taken_back(database):
    async def run():
        async with serving(database) as kept:
            (opened,) = await kept.open(CODE)
            first = [await kept.step(opened.session, n, MOVES[n]) for n in range(3)]
            back = await kept.rewind(opened.session, 1)
            assert back.step == 1
            assert back.observation == first[0].observation
            with pytest.raises(InvalidRequest, match="1 steps"):
                await kept.rewind(opened.session, 2)
            assert (await kept.step(opened.session, 1, WRONG)).step == 2

    asyncio.run(run())


def test_a_session_is_its_owner_s(database):
    async def run():
        async with serving(database) as kept:
            (opened,) = await kept.open(CODE, owner="me")
            for call in (
                kept.get(opened.session, "you"),
                kept.step(opened.session, 0, WRONG, "you"),
                kept.fork(opened.session, 1, "you"),
                kept.rewind(opened.session, 0, "you"),
                kept.delete(opened.session, "you"),
                kept.get("../../etc/passwd", "me"),
                kept.get("a\x00b", "me"),
                kept.get("", "me"),
            ):
                with pytest.raises(UnknownSession):
                    await call
            await kept.delete(opened.session, "me")
            with pytest.raises(UnknownSession):
                await kept.get(opened.session, "me")

    asyncio.run(run())


def test_a_key_opens_sessions_once(database):
    async def run():
        async with serving(database) as kept:
            wishes = (kept.open(CODE, number=3, key=STRANGE) for _ in range(5))
            opened = await asyncio.gather(*wishes)
            assert len({one.session for some in opened for one in some}) == 3
            with pytest.raises(IdempotencyConflict):
                await kept.open(CODE, number=2, key=STRANGE)

    asyncio.run(run())


def test_sessions_end_with_their_time(database, later):
    async def run():
        async with serving(database, idle_s=3_000, absolute_s=60_000) as kept:
            (opened,), (used,) = await kept.open(CODE), await kept.open(CODE)
            later(2_000)
            await kept.step(used.session, 0, MOVES[0])
            later(2_000)
            with pytest.raises(UnknownSession):
                await kept.get(opened.session)
            assert (await kept.get(used.session)).step == 1
            assert await kept.sweep() == 1
            assert [*kept.active] == [used.session]
            kept.absolute_s = 3_500
            with pytest.raises(UnknownSession):
                await kept.step(used.session, 1, MOVES[1])

    asyncio.run(run())


def test_a_move_that_cannot_be_played_is_not_kept(database, monkeypatch):
    async def run():
        async with serving(database) as kept:
            (opened,) = await kept.open(CODE)
            monkeypatch.setattr(module.Episode, "_take", _burn)
            with pytest.raises(ZeroDivisionError):
                await kept.step(opened.session, 0, MOVES[0])
            monkeypatch.undo()
            assert (await kept.store.load(opened.session)).replies == ()
            assert (await kept.step(opened.session, 0, MOVES[0])).step == 1

    asyncio.run(run())


def _burn(*_):
    raise ZeroDivisionError


def test_a_move_that_is_given_up_leaves_nothing_halfway(database):
    async def run():
        async with serving(database) as kept:
            (opened,) = await kept.open(CODE)
            for n in range(3):
                for delay in (0, 1e-5, 3e-4):
                    task = asyncio.create_task(kept.step(opened.session, n, MOVES[n]))
                    await asyncio.sleep(delay)
                    task.cancel()
                    await asyncio.gather(task, return_exceptions=True)
                told = await kept.step(opened.session, n, MOVES[n])
                assert told.step == n + 1
                assert (await kept.get(opened.session)).step == n + 1

    asyncio.run(run())


def test_what_is_held_in_play_is_bounded(database, monkeypatch):
    monkeypatch.setattr(module, "IN_PLAY", 20)
    monkeypatch.setattr(module, "HELD", 50_000)

    async def run():
        async with serving(database) as kept:
            opened = await kept.open(CODE, number=60)
            assert len(kept.active) == 20
            for one in opened:
                await kept.step(one.session, 0, "x" * 9_000)
            assert kept.held <= 50_000
            assert len(kept.active) <= 5
            assert kept.held == sum(one.weight for one in kept.active.values())
            for one in opened[::7]:
                assert (await kept.get(one.session)).step == 1

    asyncio.run(run())


def test_replies_have_a_limit_together(database, monkeypatch):
    monkeypatch.setattr(module, "TRANSCRIPT", 100)

    async def run():
        async with serving(database) as kept:
            (opened,) = await kept.open(CODE)
            await kept.step(opened.session, 0, "x" * 60)
            with pytest.raises(StepConflict, match="100 characters"):
                await kept.step(opened.session, 1, "x" * 60)

    asyncio.run(run())


def test_worlds_that_nobody_measured_are_played_in_worker_processes(database, monkeypatch):
    address = Address.parse("games/mastermind?length=4&digits=6&guesses=9&seed=1")
    assert address.level is None

    def here(*_, **__):
        raise AssertionError("it is played in this process")

    monkeypatch.setattr(module, "_episode", here)
    moves = [TAGS.write(move) for move in address.task().solve()]

    async def run():
        async with serving(database) as kept:
            (opened,) = await kept.open(address)
            assert opened.observation == opened.messages[0]["content"]
            for n, move in enumerate(moves):
                told = await kept.step(opened.session, n, move)
            assert told.session == opened.session
            assert told.score.value == 1
            with pytest.raises(StepConflict, match="over"):
                await kept.step(opened.session, len(moves), WRONG)
            back = await kept.rewind(opened.session, 1)
            assert (back.step, back.done) == (1, False)

    asyncio.run(run())


def test_what_is_scored_is_recorded(database):
    async def run():
        store = Store(database)
        judge = Judge(record=store)
        kept = Sessions(store, judge)
        (opened,) = await kept.open(CODE, owner="me")
        for n, move in enumerate(MOVES):
            await kept.step(opened.session, n, move, "me")
        await kept.step(opened.session, len(MOVES) - 1, MOVES[-1], "me")  # once more
        (rollout,) = await asyncio.to_thread(lambda: [*store.rollouts()])
        assert (rollout.session, rollout.owner, rollout.value) == (opened.session, "me", 1)
        assert rollout.replies == tuple(MOVES)
        judge.close()
        store.close()

    asyncio.run(run())


# ------------------------------------------------------------------ several servers


def test_two_servers_play_one_session_in_turn(shared):
    async def run():
        async with serving(shared) as left, serving(shared) as right:
            (opened,) = await left.open(CODE)
            for n, move in enumerate(MOVES):
                told = await (right if n % 2 else left).step(opened.session, n, move)
                assert told.step == n + 1
            assert told.score.value == 1
            assert (await left.get(opened.session)).score == (await right.get(opened.session)).score

    asyncio.run(run())


def test_of_conflicting_steps_one_wins(shared):
    async def run():
        async with serving(shared) as left, serving(shared) as right:
            (opened,) = await left.open(CODE)
            for n in range(6):
                told = await asyncio.gather(
                    left.step(opened.session, n, TAGS.write(f"left {n}")),
                    right.step(opened.session, n, TAGS.write(f"right {n}")),
                    return_exceptions=True,
                )
                won = [one for one in told if not isinstance(one, Exception)]
                assert len(won) == 1, told
                assert [type(one) for one in told if one not in won] == [StepConflict]
                ours, theirs = await left.get(opened.session), await right.get(opened.session)
                assert ours == theirs
                assert ours.step == n + 1

    asyncio.run(run())


def test_a_step_of_a_timeline_that_was_taken_back_is_made_anew(shared):
    """A server that has not heard of a rewind does not answer from what it remembers."""

    async def run():
        async with serving(shared) as left, serving(shared) as right:
            (opened,) = await left.open(CODE)
            for n in range(3):
                await left.step(opened.session, n, MOVES[n])
            await right.rewind(opened.session, 1)
            told = await left.step(opened.session, 1, MOVES[1])
            assert told.step == 2
            assert (await right.get(opened.session)).step == 2  # it was kept, not remembered
            await right.rewind(opened.session, 0)
            assert (await left.get(opened.session)).step == 0
            assert (await left.fork(opened.session, 1))[0].step == 0

    asyncio.run(run())


def test_an_episode_that_is_over_is_gone_on_with_once_it_is_taken_back(shared):
    async def run():
        async with serving(shared) as left, serving(shared) as right:
            (opened,) = await left.open(CODE)
            for n, move in enumerate(MOVES):
                await left.step(opened.session, n, move)
            last = len(MOVES) - 1
            await right.rewind(opened.session, last)
            assert (await left.step(opened.session, last, WRONG)).done is False

    asyncio.run(run())


def test_rewinds_and_steps_at_once_lose_nothing_that_was_acknowledged(shared):
    """After every race the store holds a prefix that was acknowledged, and what came after the last
    rewind that went through is all there.
    """

    async def run():
        async with serving(shared) as left, serving(shared) as right:
            rng = random.Random(5)
            for lap in range(8):
                (opened,) = await left.open(CODE)
                for n in range(4):
                    await left.step(opened.session, n, TAGS.write(f"{n}"))
                move = TAGS.write(f"race {lap}")
                stepping = left.step(opened.session, 4, move)
                rewinding = right.rewind(opened.session, 2)
                pair = [stepping, rewinding] if rng.random() < 0.5 else [rewinding, stepping]
                told = await asyncio.gather(*pair, return_exceptions=True)
                stepped = told[pair.index(stepping)]
                rewound = told[pair.index(rewinding)]
                assert not isinstance(rewound, Exception), rewound
                assert rewound.step == 2
                # The step came before the rewind, which took it back, or it was refused.
                assert isinstance(stepped, StepConflict) or stepped.step == 5
                kept = await left.store.load(opened.session)
                assert kept.replies == (TAGS.write("0"), TAGS.write("1"))
                after = await left.step(opened.session, 2, move)
                assert after.step == 3
                assert (await right.get(opened.session)).step == 3

    asyncio.run(run())


def test_many_players_of_one_session_agree(shared):
    """Every acknowledged step is there in the end, and there is one of each number."""

    async def run():
        async with serving(shared) as left, serving(shared) as right:
            (opened,) = await left.open(CODE)
            acknowledged = {}

            async def play(server, name):
                rng = random.Random(name)
                for _ in range(12):
                    await asyncio.sleep(rng.random() * 0.003)
                    move = TAGS.write(f"{name} {rng.random()}")
                    try:
                        told = await server.step(opened.session, None, move)
                    except StepConflict:
                        return
                    assert told.step - 1 not in acknowledged
                    acknowledged[told.step - 1] = move
                    if told.done:
                        return

            await asyncio.gather(*(play((left, right)[n % 2], n) for n in range(6)))
            kept = await left.store.load(opened.session)
            assert {n: kept.replies[n] for n in acknowledged} == acknowledged
            assert len(acknowledged) == len(kept.replies)

    asyncio.run(run())


@pytest.mark.slow
def test_servers_whose_replies_cross_do_not_wait_for_one_another_for_ever(postgres):
    """Each commits replies of the same sessions, in orders of its own."""

    async def run():
        async with serving(postgres) as left, serving(postgres) as right:
            names = [one.session for one in await left.open(CODE, number=60)]
            for n in range(4):
                orders = [
                    random.Random(n).sample(names, 60),
                    random.Random(-n - 1).sample(names, 60),
                ]
                told = await asyncio.gather(
                    *(
                        server.step(name, n, TAGS.write(f"{side} {n}"))
                        for side, (server, order) in enumerate(zip((left, right), orders))
                        for name in order
                    ),
                    return_exceptions=True,
                )
                assert sum(isinstance(one, StepConflict) for one in told) == 60
                assert sum(not isinstance(one, Exception) for one in told) == 60

    asyncio.run(run())


def test_text_that_no_database_takes_comes_back(database):
    async def run():
        async with serving(database) as kept:
            (opened,) = await kept.open(CODE)
            await kept.step(opened.session, 0, STRANGE)
            kept.active.clear()
            whole = await kept.get(opened.session)
            assert whole.messages[1]["content"] == STRANGE
            assert json.dumps(whole.messages)

    asyncio.run(run())
