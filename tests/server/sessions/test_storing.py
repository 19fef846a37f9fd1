"""Sessions in the store: what is kept, and for how long."""

import asyncio
import random
import time

import pytest
from tests.server.sessions.examples import STRANGE

from palaestra.server.problems import (
    StoreUnavailable,
)
from palaestra.server.store import CurriculumRecord, ReplyRecord, Rollout, SessionRecord, Store


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
        record = await store.load("a")
        assert (record.owner, record.address, record.answer_format, record.seats) == (
            "me",
            "é",
            "bare",
            None,
        )
        assert record.replies == (STRANGE,)
        assert record.touched >= record.created > 0
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
        accepted = await asyncio.gather(
            *(store.append(ReplyRecord(name, n % 2, 0, name)) for n, name in enumerate(names))
        )
        assert accepted == [n % 2 == 0 for n in range(40)]
        store.close()

    asyncio.run(run())


def test_a_rewind_starts_a_generation(database):
    async def run():
        store = Store(database)
        await store.create([SessionRecord("a", "", "x", "tags", None, 0, replies=("0", "1", "2"))])
        assert await store.rewind("a", 0, 1)
        assert not await store.rewind("a", 0, 0)
        record = await store.load("a")
        assert (record.generation, record.replies) == (1, ("0",))
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
        records = [
            Rollout("me", "", f"{env}@1?seed={n}", "tags", (1,) if n else None, (STRANGE, "x"),
                    n / 7, "scored", "f")
            for n in range(7) for env in ("a/b", "a/b_c", "a/%")
        ]  # fmt: skip
        await asyncio.gather(store.record(records[:2]), store.record(records[2:]))
        loaded = await asyncio.to_thread(lambda: [*store.rollouts()])
        assert [one.at > 0 for one in loaded] == [True] * 21
        assert {_timeless(one) for one in loaded} == {*map(_timeless, records)}
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
