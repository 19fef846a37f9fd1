"""Sessions: playing, forking, rewinding."""

import asyncio

import pytest
from tests.server.sessions.examples import CODE, MOVES, STRANGE, WRONG, serving

from palaestra.address import Address
from palaestra.episode import TAGS
from palaestra.server import sessions as module
from palaestra.server.judging import Judge
from palaestra.server.problems import (
    IdempotencyConflict,
    InvalidRequest,
    StepConflict,
    UnknownSession,
)
from palaestra.server.sessions import Sessions
from palaestra.server.store import Store


def test_an_episode_is_played_to_its_end(database):
    async def run():
        async with serving(database) as kept:
            (opened,) = await kept.open(CODE)
            assert opened.step == 0
            assert opened.messages[0]["content"] == opened.observation
            for n, move in enumerate(MOVES):
                result = await kept.step(opened.session, n, move)
                assert result.step == n + 1
            assert result.done
            assert result.score.value == 1
            assert result.earned == pytest.approx(1)
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
            results = [await kept.step(opened.session, n, m, "me") for n, m in enumerate(MOVES[:2])]
        async with serving(shared) as kept:
            whole = await kept.get(opened.session, "me")
            assert (whole.step, whole.observation) == (2, results[-1].observation)
            assert [m["content"] for m in whole.messages[1::2]] == MOVES[:2]
            assert await kept.step(opened.session, 1, MOVES[1], "me") == results[1]

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
                result = await kept.step(opened.session, n, MOVES[n])
                assert result.step == n + 1
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

    monkeypatch.setattr(module, "episode_of", here)
    moves = [TAGS.write(move) for move in address.task().solve()]

    async def run():
        async with serving(database) as kept:
            (opened,) = await kept.open(address)
            assert opened.observation == opened.messages[0]["content"]
            for n, move in enumerate(moves):
                result = await kept.step(opened.session, n, move)
            assert result.session == opened.session
            assert result.score.value == 1
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
