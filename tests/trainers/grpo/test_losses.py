"""Losses against formulas of their own."""

import math
from statistics import mean

import pytest

torch = pytest.importorskip("torch", reason="needs palaestra[train]")
from tests.trainers.grpo.models import CASES, KINDS, tensor  # noqa: E402

from palaestra.trainers.grpo import losses  # noqa: E402
from palaestra.trainers.grpo.config import Loss  # noqa: E402


def numbers(seed=0):
    """New and old log-probabilities, entropies, advantages, a mask."""
    generator = torch.Generator().manual_seed(seed)
    new, old = (-torch.rand(3, 5, generator=generator, dtype=torch.float64) * 2 for _ in range(2))
    mask = tensor([[1.0, 1, 1, 0, 0], [1, 1, 0, 0, 0], [1, 1, 1, 1, 1]])
    entropy = torch.rand(3, 5, generator=generator, dtype=torch.float64)
    advantages = torch.randn(3, 1, generator=generator, dtype=torch.float64).expand(3, 5)
    return (new * mask).requires_grad_(), old * mask, entropy, advantages, mask


def loss_of(loss, new, *others, parts=((0, 1, 2),)):
    """The loss of a minibatch, worked out in parts."""
    old, entropy, advantages, mask = others
    weights = losses.token_weights(mask, loss.aggregation, 7)
    generator = torch.Generator().manual_seed(1)
    kept, held = losses.selected_tokens(new, old, entropy, advantages, mask, loss, generator)
    total = 0.0
    for part in map(list, parts):
        columns = (
            each[part] for each in (new, old, entropy, advantages, mask, weights, kept, held)
        )
        total = total + losses.policy_loss(*columns, torch.ones_like(old[part]), loss).loss
    return total


def by_hand(new, old, advantages, mask, *, aggregation, each):
    """A loss in plain Python: ``each`` gives a token's, by ratio, advantage, log-probability."""
    rows = [
        [
            each(math.exp(new[r][c] - old[r][c]), advantages[r][0], new[r][c])
            for c in range(len(mask[r]))
            if mask[r][c]
        ]
        for r in range(len(mask))
    ]
    everything = [value for row in rows for value in row]
    return {
        "token": mean(everything),
        "sequence": mean(mean(row) for row in rows),
        "sum": mean(sum(row) for row in rows),
        "constant": sum(everything) / (7 * len(rows)),
    }[aggregation]


@pytest.mark.parametrize("aggregation", ["token", "sequence", "sum", "constant"])
@pytest.mark.parametrize("name", CASES)
def test_losses_by_hand(name, aggregation):
    options, each = CASES[name]
    new, old, entropy, advantages, mask = numbers()
    computed = loss_of(
        Loss(**options, aggregation=aggregation), new, old, entropy, advantages, mask
    )
    plain = [x.tolist() for x in (new, old, advantages, mask)]
    wanted = by_hand(*plain, aggregation=aggregation, each=each)
    assert float(computed.detach()) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("options", KINDS, ids=str)
def test_microbatches_change_neither_loss_nor_gradient(options):
    loss, results = Loss(**options), []
    for parts in ([(0, 1, 2)], [(2,), (0, 1)], [(1,), (2,), (0,)]):
        new, *others = numbers()
        value = loss_of(loss, new, *others, parts=parts)
        value.backward()
        results.append((value.detach(), new.grad))
    for value, gradient in results[1:]:
        torch.testing.assert_close(value, results[0][0])
        torch.testing.assert_close(gradient, results[0][1])


@pytest.mark.parametrize("options", KINDS, ids=str)
def test_tokens_that_do_not_count_have_no_gradient(options):
    new, _, entropy, advantages, mask = numbers()
    loss_of(Loss(**options), new, new.detach() + 1e-4, entropy, advantages, mask).backward()
    assert (new.grad[mask == 0] == 0).all()
    assert new.grad.abs().sum() > 0


def test_a_geometric_mean_clips_each_token():
    """GMPO: one token far above the bound does not lift the whole sequence."""
    loss = Loss(surrogate="geometric", aggregation="sequence", clip_low=0.3, clip_high=0.5)
    new, old = tensor([[0.0, 1.0, -1.0]]), tensor([[0.0, 0.0, 0.0]])
    for advantage, logs in ((1.0, [0.0, math.log(1.5), -1.0]), (-1.0, [0.0, 1.0, math.log(0.7)])):
        computed = losses.surrogate(
            new, old, torch.full_like(new, advantage), torch.ones_like(new), loss
        )
        assert computed[0].tolist() == pytest.approx([-advantage * math.exp(mean(logs))] * 3)


def test_divergences():
    new, reference = torch.tensor([[-1.0, -2.0]]), torch.tensor([[-1.5, -1.0]])
    gaps = [-0.5, 1.0]
    divergences = {k: losses.divergence(new, reference, k)[0].tolist() for k in ("k1", "k2", "k3")}
    assert divergences["k1"] == pytest.approx([-g for g in gaps])
    assert divergences["k2"] == pytest.approx([g * g / 2 for g in gaps])
    assert divergences["k3"] == pytest.approx([math.exp(g) - 1 - g for g in gaps])


def test_tokens_that_count():
    new, old, *others = numbers()
    entropy, advantages, mask = others
    top, held = losses.selected_tokens(new, old, *others, Loss(tokens="top_entropy"))
    assert top.sum() == round(0.2 * 10)
    assert entropy[top.bool()].min() >= entropy[(mask - top).bool()].max()
    assert not held.any()
    kl_cov = Loss(tokens="kl_cov", surrogate="unclipped", kl_cov_share=0.2)
    kept, held = losses.selected_tokens(new, old, *others, kl_cov)
    assert (kept == mask).all()
    assert held.sum() == 2
    known = mask.bool()
    covariance = (new - new[known].mean()) * (advantages - advantages[known].mean())
    assert covariance[held.bool()].min() >= covariance[(mask - held).bool()].max()


def test_clip_cov_draws_a_few_of_the_tokens_within_its_bounds():
    torch.manual_seed(0)
    new, advantages = torch.randn(40, 50), torch.randn(40, 1).expand(40, 50)
    mask = torch.ones_like(new)
    covariance = (new - new.mean()) * (advantages - advantages.mean())
    selections = set()
    for _ in range(5):
        kept, _ = losses.selected_tokens(
            new, new, new, advantages, mask, Loss(tokens="clip_cov", clip_cov_share=2e-3)
        )
        out = kept == 0
        assert out.sum() == 4
        assert ((covariance[out] > 1) & (covariance[out] < 5)).all()
        selections.add(tuple(out.nonzero().flatten().tolist()))
    assert len(selections) > 1


def test_weights_for_an_engine():
    old, engine = tensor([[-1.0, -1.0, -1.0, -1.0]]), tensor([[-1.5, -3.0, -0.5, -0.1]])
    weights = [math.exp(0.5), math.exp(2.0), math.exp(-0.5), math.exp(-0.9)]
    loss = Loss()
    truncated = losses.importance_weights(old, engine, "truncate", loss)
    assert truncated[0].tolist() == pytest.approx([weights[0], 2.0, weights[2], weights[3]])
    masked = losses.importance_weights(old, engine, "mask", loss)
    assert masked[0].tolist() == pytest.approx([weights[0], 0.0, weights[2], 0.0])
    wide = Loss(importance_low=0.0, importance_high=8.0)
    masked = losses.importance_weights(old, engine, "mask", wide)
    assert masked[0].tolist() == pytest.approx(weights)
    assert (losses.importance_weights(old, engine, "none", loss) == 1).all()
