"""Training by self-play: the policy plays all seats, and each seat has its own rollouts."""

import pytest

from palaestra.address import Address
from palaestra.episode import Episode
from palaestra.task import JudgeError

torch = pytest.importorskip("torch", reason="needs palaestra[train]")
from tests.trainers.grpo.models import SMALL  # noqa: E402

from palaestra.trainers.demonstrations import shown_by_oracle  # noqa: E402
from palaestra.trainers.grpo.rollouts import Group  # noqa: E402
from palaestra.trainers.grpo.setup import ANSWER_FORMAT_OF  # noqa: E402
from palaestra.trainers.grpo.trainer import Trainer  # noqa: E402
from palaestra.trainers.self_play import chat  # noqa: E402

NIM = SMALL.changed(
    environments={"matches/nim": 1.0}, levels=[0], self_play=True, advantage="role", groups=3,
    group_size=2, warmup_steps=5, warmup_tasks=4, max_reply_tokens=20, max_episode_tokens=4000,
    width=32,
)  # fmt: skip
ADDRESSES = [Address.of("matches/nim", seed, 0) for seed in range(8)]


@pytest.fixture(scope="module")
def trainer():
    trainer = Trainer(NIM)
    trainer.warm_up()
    return trainer


def replayed(rollouts):
    """The episode of a match, by the replies of its seats in the order of their turns."""
    task = rollouts[0].address.task()
    episode = Episode(task, ANSWER_FORMAT_OF["silent"], seats=range(task.players))
    left = [iter(one.replies) for one in rollouts]
    while episode.scores is None:
        reply = next(left[episode.player], None)
        if reply is None:
            break
        episode.step(reply)
    return episode


def tokens_of(trainer, rollout, messages):
    """The tokens that a seat has to have: its observations, and its replies as sampled."""
    ids = trainer.tokenizer.encode_prompt(messages[:1])
    for n, (start, end) in enumerate(rollout.turns):
        reply = rollout.ids[start:end]
        ids += reply
        if 2 * n + 2 < len(messages):
            ids += trainer.tokenizer.encode_observation(messages[2 * n + 2]["content"], reply)
    return ids


def test_each_seat_has_its_own_observations_and_its_score(trainer):
    rollouts = trainer.learner.play(ADDRESSES, 1.0, trainer.generator)
    assert [one.seat for one in rollouts] == [0, 1] * len(ADDRESSES)
    for number, address in enumerate(ADDRESSES):
        both = rollouts[2 * number : 2 * number + 2]
        assert [one.address for one in both] == [address] * 2
        episode = replayed(both)
        assert [one.score for one in both] == [*episode.scores]
        assert sum(one.value for one in both) == 1
        for one in both:
            messages = chat(episode, one.seat) or [{"role": "user", "content": ""}]
            assert one.ids == tokens_of(trainer, one, messages)
            assert one.length == sum(end - start for start, end in one.turns)
            assert sum(one.rewards) == pytest.approx(one.value if one.rewards else 0)
            assert len(one.states) == len(one.replies) == len(one.turns)


def test_a_group_is_of_one_seat(trainer):
    groups = trainer._scored_groups(ADDRESSES[:2])
    assert [[one.seat for one in group.rollouts] for group in groups] == [[0, 0], [1, 1]] * 2
    assert [group.rollouts[0].address for group in groups[::2]] == ADDRESSES[:2]
    first, second = groups[:2]
    assert [a + b for a, b in zip(first.rewards, second.rewards)] == [1, 1]


def test_a_match_ends_at_the_limits_of_any_seat():
    short = Trainer(NIM.changed(max_turns=1, warmup_steps=0))
    for one in short.learner.play(ADDRESSES, 1.0, short.generator):
        assert len(one.turns) <= 1
        assert one.truncated
        assert one.value == 0


def test_advantages_are_conditioned_on_the_role(trainer):
    groups = trainer._scored_groups(ADDRESSES[:3])
    for one in (one for group in groups for one in group.rollouts):
        one.truncated = False
    trainer.roles.load({"matches/nim:0": 0.75, "matches/nim:1": 0.25})
    before = {0: 0.75, 1: 0.25}
    rows = trainer._advantages_of_roles(groups).tolist()
    for group, row in zip(groups, rows):
        for one, reward, advantage in zip(group.rollouts, group.rewards, row):
            assert advantage == pytest.approx(reward - before[one.seat])
            before[one.seat] = 0.95 * before[one.seat] + 0.05 * reward
    assert trainer.roles.state() == pytest.approx(
        {f"matches/nim:{seat}": value for seat, value in before.items()}
    )


def test_truncated_matches_are_no_part_of_the_averages(trainer):
    rollouts = trainer.learner.play(ADDRESSES[:1], 1.0, trainer.generator)
    trainer.roles.load({"matches/nim:0": 0.5})
    rollouts[0].truncated = True
    assert trainer._advantages_of_roles([Group(rollouts[:1], [0.0])]).tolist() == [[0.0]]
    assert trainer.roles.averages["matches/nim", 0] == 0.5


def test_what_has_no_score_has_no_advantage(trainer):
    rollouts = trainer.learner.play(ADDRESSES[:1], 1.0, trainer.generator)
    trainer.roles.load({"matches/nim:0": 0.5})
    assert trainer._advantages_of_roles([Group(rollouts[:1], [float("nan")])]).tolist() == [[0.0]]
    assert trainer.roles.averages["matches/nim", 0] == 0.5


def test_a_judge_that_fails_leaves_no_seat_with_a_score(trainer, monkeypatch):
    def fail(self, reply):
        raise RuntimeError("out of order")

    monkeypatch.setattr(Episode, "step", fail)
    rollouts = trainer.learner.play(ADDRESSES[:1], 1.0, trainer.generator)
    assert all(isinstance(one.score, JudgeError) and one.value is None for one in rollouts)


def test_a_run_that_is_resumed_is_the_same_run(tmp_path):
    whole = Trainer(NIM)
    whole.warm_up()
    whole.take_step()
    whole.save(tmp_path / "run.pt")
    expected = whole.take_step()
    resumed = Trainer(NIM)
    resumed.restore(tmp_path / "run.pt")
    assert resumed.roles.state()
    again = resumed.take_step()
    assert (again.reward, again.loss) == (expected.reward, expected.loss)
    assert again.loss is not None
    assert resumed.roles.state() == whole.roles.state()


def test_evaluation_is_against_the_built_in_opponent(trainer):
    rollouts = trainer.rollouts_on_reserved_seeds(4)
    assert [one.seat for one in rollouts] == [None] * 4


def test_the_oracle_shows_what_each_seat_does():
    answer_format = ANSWER_FORMAT_OF["silent"]
    for address in ADDRESSES:
        task = address.task()
        shown = shown_by_oracle(address, answer_format, self_play=True)
        moves = [[reply for reply, _ in each.turns] for each in shown]
        assert list(task.solve()) in moves
        for each in shown:
            assert len(each.messages) == 1
            assert all(observation for _, observation in each.turns[:-1])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"self_play": False}, "it wants self_play"),
        ({"advantage": "remax"}, "without group_variants, gigpo and remax"),
        ({"group_variants": "wording"}, "without group_variants"),
        ({"reward": "inverted"}, "reward: true"),
        ({"dynamic_sampling": 2}, "no dynamic_sampling, keep"),
        ({"keep_rollouts": 1}, "keep_rollouts"),
    ],
)
def test_contradictions_are_refused(options, words):
    with pytest.raises(ValueError, match=words):
        NIM.changed(**options)


def test_what_is_no_match_is_refused():
    with pytest.raises(ValueError, match="algorithms/sort_six is no match"):
        Trainer(NIM.changed(environments={"algorithms/sort_six": 1.0}))
