"""Advantage estimators against formulas of their own."""

import itertools
from statistics import mean, pstdev, stdev

import pytest

torch = pytest.importorskip("torch", reason="needs palaestra[train]")
from tests.trainers.grpo.models import NAN, tensor  # noqa: E402

from palaestra.trainers.grpo import advantages as adv  # noqa: E402

REWARDS = [[1.0, 0.0, 0.0, 1.0], [0.2, 0.4, 0.9, 0.5], [1.0, 1.0, 1.0, 1.0]]


@pytest.mark.parametrize(
    ("name", "reference"),
    [
        ("grpo", lambda g, everything: [(r - mean(g)) / (stdev(g) + 1e-6) for r in g]),
        ("dr_grpo", lambda g, everything: [r - mean(g) for r in g]),
        (
            "rloo",
            lambda g, everything: [r - (sum(g) - r) / (len(g) - 1) for r in g],
        ),
        ("gfpo", lambda g, everything: [(r - mean(g)) / (pstdev(g) + 1e-6) for r in g]),
        ("lite_ppo", lambda g, everything: [(r - mean(g)) / (stdev(everything) + 1e-6) for r in g]),
    ],
)
def test_advantages_by_the_book(name, reference):
    advantages = adv.ESTIMATORS[name](tensor(REWARDS))
    everything = [r for group in REWARDS for r in group]
    for row, group in zip(advantages.tolist(), REWARDS):
        assert row == pytest.approx(reference(group, everything), abs=1e-12)


@pytest.mark.parametrize("name", adv.ESTIMATORS)
def test_what_was_not_judged_has_no_advantage_and_changes_no_other(name):
    advantages = adv.ESTIMATORS[name](tensor([[1.0, NAN, 0.0, 1.0], [NAN] * 4]))
    alone = adv.ESTIMATORS[name](tensor([[1.0, 0.0, 1.0]]))
    assert advantages[0, 1] == 0
    assert advantages[1].tolist() == [0.0] * 4
    assert advantages[0, [0, 2, 3]].tolist() == pytest.approx(alone[0].tolist(), abs=1e-12)


@pytest.mark.parametrize("name", adv.ESTIMATORS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_group_of_equal_rewards_has_no_advantage(name, dtype):
    """Twelve rewards of 0.7 have a mean that is not 0.7."""
    for size in (2, 3, 7, 10, 12):
        for reward in [n / 45 for n in range(46)] + [0.1, 0.7, 1e-3, 1 / 3]:
            group = [reward] * size
            advantages = adv.ESTIMATORS[name](torch.tensor([group, group], dtype=dtype))
            scaled = adv.scaled_by_environment(advantages, advantages, ["a", "a"])
            assert not advantages.any(), (reward, size)
            assert not scaled.any(), (reward, size)


def test_an_unjudged_rollout_leaves_the_scale_of_its_environment():
    rewards = tensor([[1.0, 0.0, NAN, NAN]])
    whole = adv.scaled_by_environment(adv.dr_grpo(rewards), rewards, ["a"])
    assert whole[0].tolist() == pytest.approx([1, -1, 0, 0], abs=1e-5)


def gain(group, k, index):
    """What one adds to the best of the others, in the mean over all sets of k that hold it."""
    others = [r for n, r in enumerate(group) if n != index]
    sets = itertools.combinations(others, k - 1)
    return mean(max(group[index], *each) - max(each) for each in sets)


@pytest.mark.parametrize("k", [2, 4, 6])
def test_the_advantage_of_the_best_of_k(k):
    group = [0.1, 0.7, 0.7, 0.0, 1.0, 0.3]
    advantages = adv.pass_at(k)(tensor([group]))[0].tolist()
    for index in range(len(group)):
        assert advantages[index] == pytest.approx(k * gain(group, k, index), abs=1e-9)


def test_environments_weigh_the_same():
    rewards = tensor([[1.0, -1.0], [0.1, -0.1], [0.0, 0.0], [3.0, -3.0]])
    advantages = adv.scaled_by_environment(rewards, rewards, ["a", "b", "c", "a"])
    for rows in ([0, 3], [1]):
        assert float(advantages[rows].square().mean()) == pytest.approx(1, abs=1e-3)
    assert advantages[2].tolist() == [0, 0]
    assert float(advantages[3, 0] / advantages[0, 0]) == pytest.approx(3)


def test_some_of_a_group_are_kept():
    rewards = tensor([[1.0, 0.0, 1.0, NAN]])
    lengths = torch.tensor([[9.0, 2.0, 3.0, 1.0]])
    short = adv.filtered(rewards, lengths, 2, "length")
    assert (~short.isnan()).tolist()[0] == [False, True, True, False]
    worth = adv.filtered(rewards, lengths, 2, "efficiency")
    assert (~worth.isnan()).tolist()[0] == [True, False, True, False]
    assert adv.filtered(rewards, lengths, 0, "length") is rewards


def test_turns():
    assert adv.discounted_returns([1.0, 0.0, 2.0], 0.5) == [1.5, 1.0, 2.0]
    states, returns = [["a", "b"], ["a", "c"]], [[1.0, 0.5], [0.0, 0.2]]
    assert adv.by_anchor_state(states, returns, "none") == [[0.5, 0.0], [-0.5, 0.0]]
    (first, _), (second, _) = adv.by_anchor_state(states, returns, "std")
    assert (first, second) == pytest.approx((0.5**0.5, -(0.5**0.5)), abs=1e-5)
    greedy = adv.remax(tensor([[1.0, 0.0]]), tensor([0.25]))
    assert greedy.tolist() == [[0.75, -0.25]]


def test_tokens_of_a_batch_are_normalized_together():
    """REINFORCE++: returns after each token, divergences taken off, over all tokens that count."""
    rewards, mask = tensor([1.0, NAN, 0.0]), tensor([[1, 1, 0], [1, 1, 1], [1, 1, 1]])
    kl = tensor([[0.1, 0.2, 9.0], [1.0, 1.0, 1.0], [0.0, 0.3, 0.1]])
    returns = [1 - 0.3, 1 - 0.2, 0 - 0.4, 0 - 0.4, 0 - 0.1]
    wanted = [(r - mean(returns)) / (pstdev(returns) + 1e-6) for r in returns]
    advantages = adv.reinforce_pp(rewards, kl, mask)
    assert advantages[0, :2].tolist() + advantages[2].tolist() == pytest.approx(wanted)
    assert not advantages[1].any()
    assert not adv.reinforce_pp(tensor([0.7] * 12), kl.new_zeros(12, 3), kl.new_ones(12, 3)).any()
