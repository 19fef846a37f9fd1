"""Sessions of both clients."""

import asyncio

import pytest
from tests.client.examples import ADDRESS, MASTERMIND, MOVES, RIGHT, TOKEN, finished

import palaestra
from palaestra import Address, Episode, Score
from palaestra.client import (
    AsyncClient,
    InvalidRequest,
    StepConflict,
    UnknownSession,
)
from palaestra.episode import TAGS


def views(episode, transcript):
    """Everything that a player may look at."""
    return (
        episode.observation,
        episode.player,
        episode.score,
        episode.result(),
        transcript,
        None
        if episode.score
        else (episode.turn.legal_moves, episode.turn.state, episode.turn.player),
    )


def played(episode, moves):
    """What is seen and earned, move by move."""
    yield views(episode, episode.messages())
    for move in moves:
        earned = episode.step(move)
        yield earned, views(episode, episode.messages())


GAMES = [
    ("games/mastermind?seed=3", None, MOVES),
    ("games/mastermind?seed=3", None, ["nonsense", "<answer>111</answer>"]),
    ("tools/meeting_desk?seed=2", None, ["<answer>?</answer>", "no tag"]),
    ("matches/tic_tac_toe?forced=0&seed=1", [0, 1], ["<answer>b2</answer>", "<answer>a1</answer>"]),
    (str(ADDRESS), None, [RIGHT]),
]


@pytest.mark.parametrize(("address", "seats", "moves"), GAMES)
def test_a_session_is_played_like_an_episode(either, address, seats, moves):
    task = Address.parse(address).task()
    here, there = Episode(task, TAGS, (), seats), either.open(address, "tags", seats)
    assert [*played(there, moves)] == [*played(here, moves)]
    assert there.tools == tuple(task.tools())
    assert there.steps == len(moves)
    assert there.earned == pytest.approx(sum(here.rewards))
    if here.score:
        with pytest.raises(palaestra.EpisodeOver) as over:
            here.step("")
        with pytest.raises(palaestra.EpisodeOver, match=str(over.value)):
            there.step("")


def test_sessions_fork_rewind_and_end(either):
    session = either.open(MASTERMIND)
    session.step(MOVES[0])
    forks = session.fork_many(2)
    assert len({session.id, *(fork.id for fork in forks)}) == 3
    for fork in [*forks, session.fork()]:
        assert (fork.steps, fork.messages()) == (1, session.messages())
    for move in MOVES[1:]:
        forks[0].step(move)
    assert forks[0].score == Score(1)
    assert (forks[1].steps, forks[1].score) == (1, None)
    assert forks[0].rewind(0).observation == either.open(MASTERMIND).observation
    with pytest.raises(InvalidRequest, match="0 steps to go back to"):
        forks[0].rewind(1)
    again = either.session(session.id)
    assert (again.steps, again.observation, again.id) == (1, session.observation, session.id)
    session.delete()
    session.delete()  # which is no error
    for gone in (again.refresh, lambda: again.step("x"), lambda: either.session(session.id)):
        with pytest.raises(UnknownSession):
            gone()


def test_a_session_ends_with_its_block(there, service):
    with there.open(ADDRESS) as session:
        assert repr(session) == f"Session({session.id!r}, {str(ADDRESS)!r}, step=0)"
        assert session.id in service.sessions.active
    assert session.id not in service.sessions.active

    async def run():
        async with AsyncClient(service.url, TOKEN) as client, await client.open(ADDRESS) as session:
            return session.id

    assert finished(run()) not in service.sessions.active


def test_who_plays_a_session_at_the_same_time_is_told(either):
    mine = either.open(MASTERMIND)
    yours = either.session(mine.id)
    mine.step("<answer>111</answer>")
    assert yours.step("<answer>111</answer>") == 0  # the same reply to the same turn is the same
    mine.step("<answer>222</answer>")
    with pytest.raises(StepConflict, match="another move"):
        yours.step("<answer>333</answer>")
    assert yours.refresh().steps == 2
    yours.step("<answer>333</answer>")


def test_many_moves_in_a_few_requests(there, service):
    sessions = there.open_many(MASTERMIND, 100)
    before = len(service.asked)
    assert there.step_many([(one, MOVES[0]) for one in sessions]) == [0] * 100
    assert len(service.asked) - before <= 4
    over, lost, *rest = sessions
    for move in MOVES[1:]:
        over.step(move)
    there.session(lost.id).delete()
    results = there.step_many([(one, MOVES[1]) for one in (over, lost, *rest)])
    assert isinstance(results[0], palaestra.EpisodeOver)
    assert isinstance(results[1], UnknownSession)
    assert len(results[2:]) == 98
    assert all(isinstance(one, float) for one in results[2:])
    assert {one.steps for one in rest} == {2}
    with pytest.raises(ValueError, match="one move at a time"):
        there.step_many([(rest[0], "a"), (rest[0], "b")])


def test_moves_of_many_waiting_callers_go_together(service):
    async def run():
        async with AsyncClient(service.url, TOKEN) as client:
            sessions = await client.open_many(MASTERMIND, 300)
            before = len(service.asked)
            await asyncio.gather(*(one.step(MOVES[0]) for one in sessions))
            big = "x" * ((1 << 20) + 1)
            results = await asyncio.gather(
                *(one.step(big if n == 7 else MOVES[1]) for n, one in enumerate(sessions)),
                return_exceptions=True,
            )
            return len(service.asked) - before, results

    asked, results = finished(run())
    assert asked <= 40
    assert [n for n, one in enumerate(results) if isinstance(one, Exception)] == [7]
    assert isinstance(results[7], InvalidRequest)
