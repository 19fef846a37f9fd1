"""Sessions that several servers share."""

import asyncio
import json
import random

import pytest
from tests.server.sessions.examples import CODE, MOVES, STRANGE, WRONG, serving

from palaestra.episode import TAGS
from palaestra.server.problems import (
    StepConflict,
)


def test_two_servers_play_one_session_in_turn(shared):
    async def run():
        async with serving(shared) as left, serving(shared) as right:
            (opened,) = await left.open(CODE)
            for n, move in enumerate(MOVES):
                result = await (right if n % 2 else left).step(opened.session, n, move)
                assert result.step == n + 1
            assert result.score.value == 1
            assert (await left.get(opened.session)).score == (await right.get(opened.session)).score

    asyncio.run(run())


def test_of_conflicting_steps_one_wins(shared):
    async def run():
        async with serving(shared) as left, serving(shared) as right:
            (opened,) = await left.open(CODE)
            for n in range(6):
                results = await asyncio.gather(
                    left.step(opened.session, n, TAGS.write(f"left {n}")),
                    right.step(opened.session, n, TAGS.write(f"right {n}")),
                    return_exceptions=True,
                )
                won = [one for one in results if not isinstance(one, Exception)]
                assert len(won) == 1, results
                assert [type(one) for one in results if one not in won] == [StepConflict]
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
            result = await left.step(opened.session, 1, MOVES[1])
            assert result.step == 2
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
                results = await asyncio.gather(*pair, return_exceptions=True)
                stepped = results[pair.index(stepping)]
                rewound = results[pair.index(rewinding)]
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
                        result = await server.step(opened.session, None, move)
                    except StepConflict:
                        return
                    assert result.step - 1 not in acknowledged
                    acknowledged[result.step - 1] = move
                    if result.done:
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
                results = await asyncio.gather(
                    *(
                        server.step(name, n, TAGS.write(f"{side} {n}"))
                        for side, (server, order) in enumerate(zip((left, right), orders))
                        for name in order
                    ),
                    return_exceptions=True,
                )
                assert sum(isinstance(one, StepConflict) for one in results) == 60
                assert sum(not isinstance(one, Exception) for one in results) == 60

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
