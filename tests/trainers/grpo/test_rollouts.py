"""Rollouts of the reference trainer."""

import itertools
import math
from threading import Barrier, Event
from types import SimpleNamespace

import pytest

from palaestra import Address
from palaestra.episode import BARE
from palaestra.task import JudgeError

torch = pytest.importorskip("torch", reason="needs palaestra[train]")
from tests.trainers.grpo.models import PRINTABLE, SMALL  # noqa: E402

from palaestra.trainers.engines import Completion  # noqa: E402
from palaestra.trainers.grpo.rollouts import Batch, Limits, Player, Rollout  # noqa: E402
from palaestra.trainers.grpo.trainer import Trainer  # noqa: E402


class Scripted:
    """An engine that samples what it is given."""

    own_probabilities = False

    def __init__(self, *replies):
        self.replies = itertools.cycle(replies)
        self.prompts = []

    def sync(self):
        pass

    def generate(self, prompts, sampling, generator):
        self.prompts += [list(prompt) for prompt in prompts]
        limits = sampling.limits(len(prompts))
        cut = [next(self.replies)[:limit] for limit in limits]
        return [Completion(ids, [-0.5] * len(ids), ids[-1:] == [STOP]) for ids in cut]


MASTERMIND = Address.of("games/mastermind", 3, level=1)

STOP = PRINTABLE.stop_ids[0]


def encoded(*texts):
    return [PRINTABLE.encode_reply(text) for text in texts]


def test_what_was_sampled_and_observed_is_what_is_trained_on():
    replies = encoded("123", "45 ", "zz")
    engine = Scripted(*replies)
    player = Player(engine, PRINTABLE, BARE, Limits(8, 4_000, 3))
    (one,) = player.play([MASTERMIND], 1.0, None)
    assert [one.ids[a:b] for a, b in one.turns] == replies
    assert [one.sampled[a:b] for a, b in one.turns] == [[True] * len(r) for r in replies]
    assert sum(one.sampled) == sum(map(len, replies))
    assert engine.prompts == [one.ids[:start] for start, _ in one.turns]
    assert one.truncated  # after three replies there is no room for a fourth
    assert len(one.rewards) == len(one.states) == 3
    assert one.replies == ["123", "45 ", "zz"]
    assert one.max_reply_length == 4
    assert one.length == 11


def test_episodes_end_where_the_room_does():
    (reply,) = encoded("123")
    start = len(PRINTABLE.encode_prompt([{"role": "user", "content": "x"}]))
    player = Player(Scripted(reply), PRINTABLE, BARE, Limits(8, start + 2, 9))
    (one,) = player.play([MASTERMIND], 1.0, None)
    assert one.truncated
    assert one.value == 0


@pytest.mark.parametrize("turns", range(1, 6))
def test_rewards_of_turns_add_up_to_the_score_of_an_episode_that_is_cut(turns):
    """Fields and merged tiles earn a little each; what is cut is worth what the task says."""
    paid = 0
    for name in ("games/mastermind", "games/minesweeper", "games/game_2048"):
        for seed in range(4):
            address = Address.of(name, seed, level=0)
            moves = list(itertools.islice(address.task().solve(), turns))
            player = Player(Scripted(*encoded(*moves)), PRINTABLE, BARE, Limits(200, 40_000, turns))
            (one,) = player.play([address], 1.0, None)
            assert math.fsum(one.rewards) == pytest.approx(one.value, abs=1e-12)
            paid += any(one.rewards)
    assert paid


def test_programs_that_sleep_hold_nobody_up(monkeypatch):
    """Four heavy replies wait for each other and for a light one, with one thread asked for."""
    sorting = Address.of("algorithms/sort_six", 1, 0)
    monkeypatch.setattr(type(sorting.task()), "expensive", True)
    monkeypatch.setattr(
        "palaestra.trainers.grpo.rollouts.sandbox", lambda: SimpleNamespace(callers=4)
    )
    meeting, light_is_done = Barrier(4), Event()

    def step(episode, reply):
        if episode.task.expensive:
            meeting.wait(60)
            assert light_is_done.wait(60)
        else:
            light_is_done.set()
        raise JudgeError("judged")

    monkeypatch.setattr("palaestra.episode.Episode.step", step)
    player = Player(Scripted(*encoded("1")), PRINTABLE, BARE, Limits(8, 4_000, 1), threads=1)
    rollouts = player.play([sorting] * 2 + [MASTERMIND] + [sorting] * 2, 1.0, None)
    assert [one.score.args for one in rollouts] == [("judged",)] * 5


def test_what_could_not_be_judged_teaches_nothing(monkeypatch):
    trainer = Trainer(SMALL)

    def fail(*_):
        raise JudgeError("the judge is away")

    monkeypatch.setattr("palaestra.episode.Episode.step", fail)
    before = [each.clone() for each in trainer.model.parameters()]
    report = trainer.take_step()
    assert report.unscored == 16
    assert (report.loss, report.entropy) == (None, None)
    after = list(trainer.model.parameters())
    assert all(torch.equal(a, b) for a, b in zip(before, after))


def test_microbatches_hold_every_row_once_and_keep_to_their_tokens():
    lengths = [3, 40, 8, 8, 1, 17, 40, 2]
    rollouts = [Rollout(MASTERMIND, [5] * n, [True] * n, [0.0] * n) for n in lengths]
    batch = Batch.of(rollouts, 0)
    parts = list(batch.microbatches(range(8), 48))
    assert sorted(row for rows, _ in parts for row in rows) == list(range(8))
    for rows, length in parts:
        assert length == max(lengths[row] for row in rows)
        assert len(rows) * length <= 48
    assert len(parts) == 4
