"""The references are held themselves: by examples worked by hand, by identities between them."""

import math
from dataclasses import replace
from itertools import combinations, pairwise

import pytest

torch = pytest.importorskip("torch")

from tests.references.algorithms import (  # noqa: E402 (they import torch)
    ALGORITHMS,
    DEFAULTS,
    Batch,
    centred,
    cispo,
    clip_cov,
    clip_cov_candidates,
    covariances,
    dapo,
    deviation,
    dr_grpo,
    dynamic_sampling,
    gfpo,
    gigpo,
    gmpo,
    gradient,
    grpo,
    gspo,
    gspo_token,
    kl_cov,
    lite_ppo,
    masked_importance,
    pass_at_k,
    pass_at_k_scores,
    pass_at_k_training_scores,
    random_batch,
    reinforce_plus_plus,
    reinforce_plus_plus_baseline,
    remax,
    rloo,
    soft_overlong_punishment,
    top_entropy,
    truncated_importance,
    with_new,
)

SEEDS = range(6)
NAN = math.nan


def batch_of(rewards, lengths, ratios=None, old=-1.0, **others):
    """Single turns of so many tokens, with one ratio at all tokens of a reply, or one for each."""
    rows, length = len(lengths), max(lengths)
    mask = torch.zeros(rows, length, dtype=torch.float64)
    logs = torch.zeros(rows, length, dtype=torch.float64)
    for row, n in enumerate(lengths):
        mask[row, :n] = 1.0
        ratio = 1.0 if ratios is None else ratios[row]
        logs[row, :n] = torch.tensor(ratio, dtype=torch.float64).log()
    olds = torch.full((rows, length), old, dtype=torch.float64)
    values = {
        "rewards": torch.tensor(rewards, dtype=torch.float64),
        "truncated": torch.zeros(len(rewards), len(rewards[0]), dtype=torch.bool),
        "new": (olds + logs).requires_grad_(),
        "old": olds,
        "reference": (olds + logs).detach(),
        "engine": olds,
        "entropies": torch.zeros(rows, length, dtype=torch.float64),
        "mask": mask,
        "turns": [[(0, n)] for n in lengths],
        "turn_rewards": [[r] for group in rewards for r in group],
        "states": [["start"] for _ in lengths],
    }
    return Batch(**values | others)


def close(a, b):
    return torch.testing.assert_close(
        torch.as_tensor(a, dtype=torch.float64), torch.as_tensor(b, dtype=torch.float64)
    )


def first(result):
    """Of each reply, the advantage of its first token."""
    return result.advantages[:, 0].tolist()


def run(name, batch):
    if name == "clip_cov":
        advantages = grpo(batch, kl=0).advantages
        able, count = clip_cov_candidates(batch, advantages, low=0.2, share=0.02)
        return clip_cov(batch, able[:count])
    if name.startswith("pass@k"):  # groups of four have unjudged members
        return ALGORITHMS[name](batch, k=2)
    if name.startswith("gspo"):  # within the paper's bounds there are but few replies
        return ALGORITHMS[name](batch, clip_low=0.5, clip_high=0.5)
    return ALGORITHMS[name](batch)


def batch_for(name, seed, **options):
    return random_batch(seed, binary=name == "pass@k_training", **options)


# By hand


def test_grpo_by_hand():
    # Advantages of (0, 1): -+0.5 over the sample's deviation sqrt(0.5). The right reply's ratio of
    # 1.5 is clipped to 1.2, the wrong one's is not, although it is large: min(r A, clip(r) A).
    batch = batch_of([[0, 1]], [1, 2], ratios=[1.5, 1.5])
    result = grpo(batch)
    a = 0.5 / math.sqrt(0.5)
    close(first(result), [-a, a])
    close(result.loss.detach(), (1.5 * a - 1.2 * a) / 2)
    close(gradient(batch, result), [[1.5 * a / 2, 0], [0, 0]])


def test_kl_of_grpo_by_hand():
    reference = torch.tensor([[-2.0, 0.0], [-1.0, -1.0]], dtype=torch.float64)
    batch = batch_of([[1, 1]], [1, 2], reference=reference)
    # log(reference / new) = -1 at the first reply's token, and 0 at both of the second's.
    close(grpo(batch).loss.detach(), 0.04 * (math.exp(-1) + 1 - 1) / 2)
    close(gradient(batch, grpo(batch)), [[0.04 * (1 - math.exp(-1)) / 2, 0], [0, 0]])


def test_dr_grpo_and_dapo_by_hand():
    batch = batch_of([[0, 1]], [1, 3])
    close(first(dr_grpo(batch)), [-0.5, 0.5])
    close(dr_grpo(batch).loss.detach(), -(-0.5 + 3 * 0.5) / 2)
    close(dr_grpo(batch, max_length=10).loss.detach(), -(-0.5 + 3 * 0.5) / 20)
    a = 0.5 / math.sqrt(0.5)
    close(dapo(batch).loss.detach(), -(-a + 3 * a) / 4)
    cut = replace(batch, truncated=torch.tensor([[True, False]]))
    close(dapo(cut).loss.detach(), -a)
    close(first(dapo(cut)), [-a, a])
    close(gradient(cut, dapo(cut))[0], [0, 0, 0])
    higher = batch_of([[0, 1]], [1, 1], ratios=[0.5, 1.5])
    close(dapo(higher).loss.detach(), -(-0.8 * a + 1.28 * a) / 2)


def test_dapo_samples_what_differs():
    rewards = [[1, 1, NAN, 1], [1, 0, NAN, 1], [NAN] * 4, [0.7] * 4, [0, NAN, NAN, NAN]]
    assert dynamic_sampling(torch.tensor(rewards)) == [False, True, False, False, False]


@pytest.mark.parametrize(
    ("length", "punishment"), [(0, 0), (16_384, 0), (18_432, -0.5), (20_480, -1), (20_481, -1)]
)
def test_soft_overlong_punishment_by_hand(length, punishment):
    assert soft_overlong_punishment(length) == punishment


def test_lite_ppo_divides_by_the_deviation_of_all_rewards():
    batch = batch_of([[0, 2], [4, 4]], [1, 1, 1, 1])
    spread = math.sqrt(((2.5**2) + (0.5**2) + 2 * 1.5**2) / 3)
    close(first(lite_ppo(batch)), [-1 / spread, 1 / spread, 0, 0])


def test_gfpo_by_hand():
    # The two shortest of three are kept, with the population's deviation of 0.5; all six tokens
    # are in the denominator.
    batch = batch_of([[0, 1, 1]], [1, 2, 3])
    result = gfpo(batch, keep=2)
    close(first(result), [-1, 1, 0])
    close(result.loss.detach(), -(-1 + 2) / 6)
    close(first(gfpo(batch, keep=2, metric="efficiency")), [0, 0, 0])  # both kept are right
    entropies = torch.ones_like(batch.old)
    sure = replace(batch, entropies=entropies.requires_grad_())
    close(gfpo(sure, keep=2).loss.detach(), -1 / 6 - 0.001)
    close(gradient(sure, gfpo(sure, keep=2), entropies), -0.001 / 6 * batch.mask)


def test_gspo_clips_whole_replies():
    # The geometric mean of 2 and 1/2 is 1: nothing is clipped, whatever the tokens do.
    batch = batch_of([[0, 1]], [2, 2], ratios=[[2, 0.5], [2, 0.5]])
    result = gspo(batch)
    a = 0.5 / math.sqrt(0.5)
    close(result.loss.detach(), 0)
    close(gradient(batch, result), [[a / 4, a / 4], [-a / 4, -a / 4]])
    beyond = batch_of([[0, 1]], [2, 2], ratios=[1, 1.001])
    close(gspo(beyond).loss.detach(), (a - 1.0004 * a) / 2)
    close(gradient(beyond, gspo(beyond))[1], [0, 0])


def test_gmpo_clips_tokens_then_takes_the_mean():
    # log-ratios 1 and -1: the right reply's are clipped above, to 0.4 and -1; the wrong one's
    # below, to 1 and -0.4.
    ratios = [[math.e, 1 / math.e]] * 2
    batch = batch_of([[0, 1]], [2, 2], ratios=ratios)
    a = 0.5 / math.sqrt(0.5)
    result = gmpo(batch)
    close(result.loss.detach(), (a * math.exp(0.3) - a * math.exp(-0.3)) / 2)
    wrong, right = a * math.exp(0.3) / 4, -a * math.exp(-0.3) / 4
    close(gradient(batch, result), [[wrong, 0], [0, right]])


def test_cispo_by_hand():
    batch = batch_of([[0, 1]], [1, 3], ratios=[9, 0.25])
    a = 0.5 / math.sqrt(0.5)
    close(gradient(batch, cispo(batch)), [[5 * a / 4, 0, 0], [-0.25 * a / 4] * 3])


def test_rloo_and_remax_by_hand():
    batch = batch_of([[0, 1, NAN, 3]], [1, 2, 2, 1], old=-0.5)
    away = replace(batch, reference=batch.reference - 1)  # each token costs 0.1
    close(first(rloo(away, kl=0.1)), [-0.1 - 3.7 / 2, 0.8 - 2.8 / 2, 0, 2.9 - 0.7 / 2])
    result = rloo(batch)
    close(first(result), [0 - 2, 1 - 1.5, 0, 3 - 0.5])
    close(result.loss.detach(), -(-2 * -0.5 + -0.5 * -1.0 + 2.5 * -0.5) / 3)
    close(gradient(batch, result)[1], [0.5 / 3, 0.5 / 3])
    greedy = replace(batch, greedy=torch.tensor([1.0]))
    close(first(remax(greedy)), [-1, 0, 0, 2])
    close(remax(greedy).loss.detach(), -(-1 * -0.5 + 2 * -0.5) / 3)
    close(remax(replace(batch, greedy=torch.tensor([NAN]))).advantages, torch.zeros(4, 2))


def test_reinforce_plus_plus_by_hand():
    # One reply of two tokens, log(old / reference) = (1, 3), and beta 0.1: returns 1 - 0.4 and
    # 1 - 0.3. Another of one token: 0. Mean 1.3 / 3.
    reference = torch.tensor([[-2.0, -4.0], [-1.0, 7.0]], dtype=torch.float64)
    batch = batch_of([[1, 0]], [2, 1], reference=reference)
    result = reinforce_plus_plus(batch, kl=0.1)
    mean = 1.3 / 3
    spread = math.sqrt(((0.6 - mean) ** 2 + (0.7 - mean) ** 2 + mean**2) / 3)
    expected = [[(0.6 - mean) / spread, (0.7 - mean) / spread], [-mean / spread, 0]]
    close(result.advantages, expected)
    close(result.loss.detach(), 0)  # at ratios of 1 the mean over tokens is that of advantages
    by_reply = reinforce_plus_plus(batch, kl=0.1, aggregate="sequence").loss.detach()
    close(by_reply, -(sum(expected[0]) / 2 + expected[1][0]) / 2)


def test_reinforce_plus_plus_baseline_by_hand():
    # Deviations -1 and 1 from the group's mean, on one and on three tokens: mean 0.5 over four.
    batch = batch_of([[0, 2]], [1, 3])
    spread = math.sqrt((1.5**2 + 3 * 0.5**2) / 4)
    close(first(reinforce_plus_plus_baseline(batch)), [-1.5 / spread, 0.5 / spread])
    away = replace(batch, reference=batch.reference - 2)
    result = reinforce_plus_plus_baseline(away, kl=0.5)
    close(result.loss.detach(), 0.5 * 0.5 * 4)


def test_covariance_by_hand():
    batch = batch_of([[0, 1]], [1, 1], ratios=[1, math.e])
    a = 0.5 / math.sqrt(0.5)
    computed = covariances(batch, grpo(batch).advantages)
    assert computed.keys() == {(0, 0), (1, 0)}
    close(list(computed.values()), [0.5 * a, 0.5 * a])


def test_clip_cov_by_hand():
    batch = batch_of([[0, 1]], [1, 3], ratios=[1, [3, 1.5, 1]])
    a = 0.5 / math.sqrt(0.5)
    able, count = clip_cov_candidates(batch, grpo(batch).advantages, low=-9, high=9)
    # PPO's clip at 2 already has the ratio of 3 of the right reply.
    assert (able, count) == ([(0, 0), (1, 1), (1, 2)], 1)
    result = clip_cov(batch, [(1, 2)])
    close(result.loss.detach(), -(-a + 2 * a + 1.5 * a) / 4)
    close(gradient(batch, result), [[a / 4, 0, 0], [0, -1.5 * a / 4, 0]])


def test_kl_cov_by_hand():
    batch = batch_of([[0, 1]], [1, 2], ratios=[1, [math.exp(2), math.exp(-1)]])
    a = 0.5 / math.sqrt(0.5)
    result = kl_cov(batch)  # one token of three: that with log-ratio 2
    close(result.loss.detach(), -(-a + math.exp(2) * a - 2 + math.exp(-1) * a) / 3)
    slope = [[a / 3, 0], [(1 - math.exp(2) * a) / 3, -math.exp(-1) * a / 3]]
    close(gradient(batch, result), slope)


def test_top_entropy_by_hand():
    entropies = torch.tensor([[4.0, 0, 0], [1, 2, 3]], dtype=torch.float64)
    batch = batch_of([[0, 1]], [1, 3], entropies=entropies)
    a = 0.5 / math.sqrt(0.5)
    close(top_entropy(batch, share=0.5).loss.detach(), -(-a + a) / 4)
    close(gradient(batch, top_entropy(batch, share=0.5)), [[a / 4, 0, 0], [0, 0, -a / 4]])
    close(gradient(batch, top_entropy(batch)), [[a / 4, 0, 0], [0, 0, 0]])


def test_gigpo_by_hand():
    # Two episodes of two turns: both start in one state, then they part. Returns at the start are
    # 0.5 and 1, so that -+0.25 is added to the episodes' -+0.5 in the first turns alone.
    batch = batch_of(
        [[0, 2]],
        [3, 3],
        mask=torch.tensor([[1.0, 0, 1], [1, 0, 1]], dtype=torch.float64),
        turns=[[(0, 1), (2, 3)]] * 2,
        turn_rewards=[[0.0, 0.0], [1.0, 1.0]],
        states=[["a", "b"], ["a", "c"]],
    )
    close(
        gigpo(batch, norm="none", discount=0.5).advantages,
        [[-1 - 0.75, 0, -1], [1 + 0.75, 0, 1]],
    )
    a = 0.5 / math.sqrt(0.5)
    close(gigpo(batch).advantages, [[-2 * a, 0, -a], [2 * a, 0, a]])
    close(gigpo(batch, omega=0.0).advantages, [[-a, 0, -a], [a, 0, a]])
    unjudged = replace(batch, rewards=torch.tensor([[NAN, 2.0]], dtype=torch.float64))
    close(gigpo(unjudged).advantages, torch.zeros(2, 3))


def test_pass_at_k_by_hand():
    # Of three pairs from (0, 1, 3): the best is 1, 3, 3. Without one of them it is the other.
    close(pass_at_k_scores([0, 1, 3], 2), [0, 1 / 3, (3 + 2) / 3])
    # Listing 1 of the paper for (0, 0, 1, 1) and k = 2: by its binary form, eq. 33 gives a right
    # reply k/n (1 - rho(n - 1, c - 1, k - 1)) and a wrong one 0.
    close(pass_at_k_scores([0, 0, 1, 1], 2), [0, 0, 2 / 4 * 2 / 3, 2 / 4 * 2 / 3])
    close(pass_at_k_scores([0.7] * 12, 4), [0] * 12)
    batch = batch_of([[0, 1, 3], [1, NAN, NAN]], [1, 2, 1, 1, 1, 1], old=-0.5)
    result = pass_at_k(batch, k=2)
    close(first(result), [0, 1, 5, 0, 0, 0])
    close(result.loss.detach(), -(1 * -1 + 5 * -0.5) / 4)


def test_pass_at_k_training_by_hand():
    # Two right of four, pairs: p = 1 - 1/6. A wrong one has a right partner in 2 of 3 pairs.
    sigma = math.sqrt(5 / 36)
    right, wrong = (1 / 6) / sigma, (1 / 6 - 1 / 3) / sigma
    close(pass_at_k_training_scores([1, 0, 1, 0], 2), [right, wrong, right, wrong])
    assert pass_at_k_training_scores([1, 1, 1, 0], 2) == [0.0] * 4  # every pair has a right one


@pytest.mark.parametrize("right", range(9))
@pytest.mark.parametrize("k", range(1, 8))
def test_pass_at_k_training_is_the_mean_over_groups_of_k(right, k):
    # Section 3.2 of the paper: a reply has the mean of the standardised rewards of its groups.
    rewards = [1.0] * right + [0.0] * (8 - right)
    best = {s: max(rewards[i] for i in s) for s in combinations(range(8), k)}
    mean = sum(best.values()) / len(best)
    sigma = math.sqrt(mean * (1 - mean))
    for i, advantage in enumerate(pass_at_k_training_scores(rewards, k)):
        own = [value for s, value in best.items() if i in s]
        assert advantage == pytest.approx((sum(own) / len(own) - mean) / sigma if sigma else 0)


def test_importance_weights_by_hand():
    engine = torch.tensor([[-1.0, -2, 0, -3]], dtype=torch.float64)
    batch = batch_of([[1]], [4], engine=engine)
    close(truncated_importance(batch), [[1, 2, 1 / math.e, 2]])
    close(masked_importance(batch), [[1, math.e, 0, 0]])


# Identities


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("seed", SEEDS)
def test_only_sampled_tokens_of_judged_replies_are_taught(name, seed):
    batch = batch_for(name, seed)
    result = run(name, batch)
    slope = gradient(batch, result)
    assert slope.isfinite().all()
    assert result.advantages.isfinite().all()
    unjudged = batch.rewards.flatten().isnan()
    assert unjudged.any()
    for values in (slope, result.advantages):
        assert not values[unjudged].any()
        assert not values[batch.mask == 0].any()
    assert slope.any()


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("seed", SEEDS)
def test_unjudged_replies_might_as_well_not_be_there(name, seed):
    batch = batch_for(name, seed)
    result = run(name, batch)
    unjudged = batch.rewards.flatten().isnan()[:, None]
    noise = torch.rand(batch.old.shape, generator=torch.Generator().manual_seed(seed)).double()

    def other(values):
        return torch.where(unjudged, values + noise, values.detach())

    changed = replace(
        batch,
        new=other(batch.new).requires_grad_(),
        old=other(batch.old),
        reference=other(batch.reference),
        entropies=other(batch.entropies),
        mask=torch.where(unjudged, 1.0, batch.mask),
    )
    again = run(name, changed)
    close(again.loss.detach(), result.loss.detach())
    close(gradient(changed, again), gradient(batch, result))


@pytest.mark.parametrize("name", ALGORITHMS)
def test_groups_in_which_all_earn_the_same_teach_nothing(name):
    same = 1.0 if name == "pass@k_training" else 0.7
    batch = batch_of([[same] * 12] * 2, [1 + i % 3 for i in range(24)])
    batch = replace(batch, greedy=torch.tensor([same, same], dtype=torch.float64))
    result = run(name, batch)
    assert not result.advantages.any()
    assert not gradient(batch, result).any()


@pytest.mark.parametrize("values", [[0.7] * 12, [0.1] * 3, [1 / 3] * 10, [0.7]])
def test_equal_values_have_no_spread(values):
    assert deviation(values, ddof=1) == 0
    assert centred(values) == [0.0] * len(values)


@pytest.mark.parametrize("seed", SEEDS)
def test_gspo_of_replies_of_one_token_is_grpo(seed):
    batch = random_batch(seed, turns=1)
    one = torch.zeros_like(batch.mask)
    one[:, 0] = 1.0
    batch = replace(batch, mask=one)
    a, b = gspo(batch), grpo(batch, kl=0, clip_low=3e-4, clip_high=4e-4)
    close(a.loss.detach(), b.loss.detach())
    close(gradient(batch, a), gradient(batch, b))
    clip = {"clip_low": 1 - math.exp(-0.4), "clip_high": math.exp(0.4) - 1}
    a, b = gmpo(batch), grpo(batch, kl=0, **clip)
    close(a.loss.detach(), b.loss.detach())
    close(gradient(batch, a), gradient(batch, b))


@pytest.mark.parametrize("seed", SEEDS)
def test_gspo_token_with_one_advantage_is_gspo(seed):
    batch = random_batch(seed)
    for clip in ({}, {"clip_low": 0.3, "clip_high": 0.5}):
        a, b = gspo(batch, **clip), gspo_token(batch, **clip)
        close(a.loss.detach(), b.loss.detach())
        close(gradient(batch, a), gradient(batch, b))


@pytest.mark.parametrize("seed", SEEDS)
def test_gmpo_differs_from_gspo_where_tokens_are_clipped(seed):
    batch = random_batch(seed)
    wide = {"clip_low": 1e9, "clip_high": 1e9}
    assert not torch.allclose(gmpo(batch).loss, gspo(batch, **wide).loss)
    close(gmpo(batch, log_clip=1e9).loss.detach(), gspo(batch, **wide).loss.detach())


@pytest.mark.parametrize("seed", SEEDS)
def test_cispo_of_the_old_policy_is_reinforce(seed):
    batch = random_batch(seed, on_policy=True)
    result = cispo(batch)
    tokens = (batch.mask * ~batch.rewards.flatten().isnan()[:, None]).sum()
    close(gradient(batch, result), -result.advantages / tokens)
    close(gradient(batch, result), gradient(batch, dapo(batch, mask_truncated=False)))


@pytest.mark.parametrize("seed", SEEDS)
def test_rloo_is_dr_grpo_times_n_over_n_less_one(seed):
    batch = random_batch(seed, on_policy=True)
    a, b = rloo(batch, kl=0), dr_grpo(batch)
    size = batch.rewards.shape[1]
    for group in range(len(batch.rewards)):
        n = int((~batch.rewards[group].isnan()).sum())
        rows = slice(group * size, (group + 1) * size)
        if n > 1:
            close(a.advantages[rows], b.advantages[rows] * n / (n - 1))
            close(gradient(batch, a)[rows], gradient(batch, b)[rows] * n / (n - 1))


@pytest.mark.parametrize("seed", SEEDS)
def test_pass_at_one_is_leave_one_out(seed):
    batch = random_batch(seed)
    ours = pass_at_k(batch, k=1).advantages
    leave_one_out = rloo(batch, kl=0).advantages
    size = batch.rewards.shape[1]
    for group in range(len(batch.rewards)):
        n = int((~batch.rewards[group].isnan()).sum())
        rows = slice(group * size, (group + 1) * size)
        if n > 1:
            close(ours[rows], leave_one_out[rows])


@pytest.mark.parametrize("seed", SEEDS)
def test_kl_cov_of_the_old_policy_does_nothing(seed):
    batch = random_batch(seed, on_policy=True)
    a, b = kl_cov(batch, share=0.5), kl_cov(batch, kl=0.0)
    assert torch.equal(a.loss, b.loss)
    assert torch.equal(gradient(batch, a), gradient(batch, b))
    moved = random_batch(seed)
    assert not torch.equal(kl_cov(moved, share=0.5).loss, kl_cov(moved, kl=0.0).loss)


@pytest.mark.parametrize("seed", SEEDS)
def test_choices_of_everything_or_nothing_are_dapo(seed):
    batch = random_batch(seed)
    same = {"clip_low": 0.2, "clip_high": 0.28}
    a = top_entropy(batch, share=1.0)
    close(gradient(batch, a), gradient(batch, dapo(batch)))
    whole = dapo(batch, mask_truncated=False)
    close(gradient(batch, clip_cov(batch, [], **same)), gradient(batch, whole))
    keep_all = gfpo(batch, keep=99, kl=0, entropy=0, clip_high=0.28)
    close(gradient(batch, keep_all), gradient(batch, dapo(batch, ddof=0, mask_truncated=False)))


@pytest.mark.parametrize("seed", SEEDS)
def test_gigpo_without_turns_is_grpo(seed):
    batch = random_batch(seed)
    a = gigpo(batch, omega=0.0, kl=0.0)
    close(a.advantages, grpo(batch).advantages)
    close(gradient(batch, a), gradient(batch, dapo(batch, clip_high=0.2, mask_truncated=False)))
    one = random_batch(seed, turns=1)  # all are in one state: its advantage is the episode's again
    close(gigpo(one).advantages, 2 * grpo(one).advantages)


@pytest.mark.parametrize("seed", SEEDS)
def test_importance_weights_of_the_own_engine_change_nothing(seed):
    batch = random_batch(seed)
    own = replace(batch, engine=batch.old)
    for weights in (truncated_importance(own), masked_importance(own)):
        close(weights, batch.mask)
        assert torch.equal(grpo(own, weights).loss, grpo(own).loss)
    assert not torch.equal(grpo(batch, truncated_importance(batch)).loss, grpo(batch).loss)
    assert truncated_importance(batch).max() == 2


# CISPO's weights change with the policy, and are constants to the gradient: it is that of no loss.
@pytest.mark.parametrize("name", sorted(ALGORITHMS.keys() - {"cispo"}))
def test_the_gradient_leads_downhill(name):
    batch = batch_for(name, 2)
    result = run(name, batch)
    slope = gradient(batch, result)
    step = 1e-7 / slope.norm()
    moved = with_new(batch, batch.new - step * slope)
    fallen = float(result.loss.detach() - run(name, moved).loss.detach())
    assert fallen == pytest.approx(float(step * slope.norm() ** 2), rel=1e-3)


def test_every_algorithm_has_its_settings():
    assert ALGORITHMS.keys() == DEFAULTS.keys()


def test_random_batches_have_all_that_goes_wrong():
    for seed in SEEDS:
        batch = random_batch(seed)
        rewards = batch.rewards
        assert (rewards[0] == 0.7).all()
        assert rewards.isnan().any()
        log_ratio = ((batch.new - batch.old) * batch.mask).detach()
        assert log_ratio.max() > 1.5
        assert log_ratio.min() < -1.5
        assert batch.truncated.any()
        assert any(end < after for row in batch.turns for (_, end), (after, _) in pairwise(row))
    assert random_batch(2).rewards.shape == (5, 12)
