"""Self-play: a trajectory for each seat, with its own observations and rewards."""

import asyncio
from random import Random

import pytest

import palaestra
from palaestra.address import Address
from palaestra.episode import TAGS, Episode
from palaestra.registry import load
from palaestra.trainers.self_play import RoleBaselines, self_play

MATCHES = [name for name in palaestra.names() if name.startswith("matches/")]

ADDRESS = "matches/connect_four@4?level=2&seed=3"


def mover(rng):
    """A policy of random columns, some of which are not legal."""

    async def ask(messages, tools):
        assert messages[-1]["role"] == "user"
        return f"<answer>{rng.randint(0, 8)}</answer>"

    return ask


@pytest.mark.parametrize("seed", range(8))
def test_each_seat_has_its_own_chat_and_its_own_score(seed):
    both = asyncio.run(self_play(ADDRESS, mover(Random(seed))))
    assert [each.seat for each in both] == [0, 1]
    assert sum(each.score for each in both) == pytest.approx(1)
    for each in both:
        # The other one may have made too many illegal moves before the first move of this one.
        assert not each.rewards or sum(each.rewards) == pytest.approx(each.score)
        replies = [m["content"] for m in each.messages if m["role"] == "assistant"]
        assert len(replies) == len(each.rewards)
        assert all(m["role"] == ("user", "assistant")[n % 2] for n, m in enumerate(each.messages))
        if not each.messages:
            continue
        assert "You are " + "XO"[each.seat] in each.messages[0]["content"]
        assert "You are " + "OX"[each.seat] not in str(each.messages)


def test_the_game_is_the_one_that_an_episode_plays():
    both = asyncio.run(self_play(ADDRESS, [mover(Random(5)), mover(Random(6))]))
    waiting = [
        iter([m["content"] for m in each.messages if m["role"] == "assistant"]) for each in both
    ]
    episode = Episode(Address.parse(ADDRESS).task(), seats=(0, 1))
    while episode.scores is None:
        episode.step(next(waiting[episode.player]))
    assert tuple(score.value for score in episode.scores) == tuple(each.score for each in both)
    assert not any([*each] for each in waiting)


@pytest.mark.parametrize("name", MATCHES)
def test_seats_of_any_match_have_their_own_chats_and_scores(name):
    """Also of three players, with hidden cards, and with moves at the same time."""
    address, rng = Address.of(name, 5, 1), Random(1)
    episode = Episode(address.task(), seats=range(load(name).players))
    replies = [[] for _ in range(load(name).players)]
    observations = [[] for _ in replies]
    while episode.scores is None:
        seat = episode.player
        observations[seat].append(episode.observation)
        replies[seat].append(TAGS.write(rng.choice(episode.turn.legal_moves)))
        episode.step(replies[seat][-1])

    def policy(own):
        waiting = iter(own)

        async def ask(messages, tools):
            return next(waiting)

        return ask

    trajectories = asyncio.run(self_play(str(address), [policy(own) for own in replies]))
    assert [each.score for each in trajectories] == [score.value for score in episode.scores]
    for each, own, seen in zip(trajectories, replies, observations):
        for role, texts in (("user", seen), ("assistant", own)):
            assert [m["content"] for m in each.messages if m["role"] == role] == texts
        assert not own or sum(each.rewards) == pytest.approx(each.score)


def test_a_match_that_is_stopped_is_truncated():
    both = asyncio.run(self_play(ADDRESS, mover(Random(1)), most_replies=1))
    assert all(each.truncated and each.score == 0 for each in both)


def test_what_is_no_match_is_refused():
    with pytest.raises(ValueError, match="one player"):
        asyncio.run(self_play("games/mastermind?level=0", mover(Random(0))))
    with pytest.raises(ValueError, match="2 seats"):
        asyncio.run(self_play(ADDRESS, [mover(Random(0))] * 3))


def test_baselines_are_those_of_a_role():
    baselines = RoleBaselines(decay=0.9)
    for _ in range(200):
        baselines.advantage("matches/othello", 0, 0.8)
        baselines.advantage("matches/othello", 1, 0.2)
    assert baselines.advantage("matches/othello", 0, 0.8) == pytest.approx(0, abs=1e-6)
    assert baselines.advantage("matches/othello", 1, 1.0) == pytest.approx(0.8, abs=1e-6)
    other = RoleBaselines(decay=0.9)
    other.load(baselines.state())
    assert other.averages == baselines.averages
    both = asyncio.run(self_play(ADDRESS, mover(Random(2))))
    assert len(other.advantages(both)) == 2
    with pytest.raises(ValueError, match="decay"):
        RoleBaselines(decay=1)
