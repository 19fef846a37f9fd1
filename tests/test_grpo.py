"""The reference trainer against short independent references, and its loop from end to end."""

import itertools
import math
from statistics import mean, pstdev, stdev
from threading import Barrier, Event
from types import SimpleNamespace

import pytest

from palaestra import Address
from palaestra.episode import BARE
from palaestra.task import JudgeError, Score

torch = pytest.importorskip("torch", reason="needs palaestra[train]")

from palaestra.trainers.grpo import advantages as adv  # noqa: E402
from palaestra.trainers.grpo import losses  # noqa: E402
from palaestra.trainers.grpo.config import Config, Loss, explained  # noqa: E402
from palaestra.trainers.grpo.engines import Completion, Sampling, Static, sampled_tokens  # noqa: E402
from palaestra.trainers.grpo.model import Decoder, Shape, TokenLogprobs, logprobs_of  # noqa: E402
from palaestra.trainers.grpo.recipes import RECIPES  # noqa: E402
from palaestra.trainers.grpo.rollouts import Batch, Limits, Player, Rollout  # noqa: E402
from palaestra.trainers.grpo.setup import learning_rate_at  # noqa: E402
from palaestra.trainers.grpo.tokens import Characters, Pieces  # noqa: E402
from palaestra.trainers.grpo.trainer import Group, Trainer  # noqa: E402

SORTING = {"algorithms/sort_six": 1.0}
SMALL = Config(
    environments=SORTING, levels=(0,), answer_format="silent", max_reply_tokens=14,
    max_episode_tokens=48, warmup_steps=3, steps=2, groups=4, group_size=4, eval_every=0,
)  # fmt: skip


def model(vocabulary=20, **options):
    torch.manual_seed(1)
    return Decoder(Shape(vocabulary, width=32, layers=2, heads=2, **options))


# ------------------------------------------------------------------ tokens and policies


def test_characters_come_back():
    signs = Characters.of(["hello 12", "wor"])
    assert signs.decode([*signs.encode("hello wor"), signs.end, 7]) == "hello wor"
    assert signs.decode(signs.encode("h€")) == "h?"
    chat = [{"role": "user", "content": "he"}, {"role": "assistant", "content": "lo"}]
    ids = signs.encode_prompt(chat)
    assert ids[0] == signs.user
    assert ids.count(signs.policy) == 2
    assert ids.count(signs.end) == 1


def test_pieces_come_back_and_signs_in_a_text_are_text():
    texts = ["Sort: 1 2 3", "1 2 3", "hello hello"] * 3
    pieces = Pieces(texts, 300)
    for text in ("hello 1 2", "<end><pad>é…", ""):
        ids = pieces.encode(text)
        assert not {pieces.pad_id, pieces.user, pieces.policy, pieces.end} & set(ids)
        assert pieces.decode([*ids, pieces.end, 9]) == text
    assert len(pieces.encode("hello")) < 5
    assert pieces.encode("hello") == Pieces(texts, 300).encode("hello")


def test_the_cache_changes_nothing_and_padding_neither():
    policy = model()
    engine = Static(policy, pad_id=0, stop_ids=[4])
    prompts = [[5, 6, 7, 8, 9], [6, 7], [9, 9, 9]]
    said = engine.generate(prompts, Sampling(max_tokens=8), torch.Generator().manual_seed(3))
    for prompt, one in zip(prompts, said):
        ids = torch.tensor([[*prompt, *one.ids]])
        told, _ = logprobs_of(policy, ids, torch.ones_like(ids))
        assert told[0, len(prompt) - 1 :].tolist() == pytest.approx(one.logprobs, abs=1e-5)


def llama(**options):
    transformers = pytest.importorskip("transformers", reason="needs palaestra[train]")
    torch.manual_seed(2)
    return transformers.LlamaForCausalLM(transformers.LlamaConfig(**HUB, **options))


def mistral(**options):
    """With a window of 12 tokens, which the cache slides along."""
    transformers = pytest.importorskip("transformers", reason="needs palaestra[train]")
    torch.manual_seed(2)
    return transformers.MistralForCausalLM(
        transformers.MistralConfig(**HUB, sliding_window=12, **options)
    )


HUB = {
    "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
    "intermediate_size": 48, "vocab_size": 40, "max_position_embeddings": 128, "pad_token_id": 0,
    "bos_token_id": 1, "eos_token_id": 4, "initializer_range": 0.5,
}  # fmt: skip
"""The shape of a tiny model, whose choices are far from even."""


def recorded(step):
    """What recording a CUDA graph does, on a CPU: the step runs once before it is replayed."""
    step()
    return step


@pytest.mark.parametrize("capture", [None, recorded], ids=["plain", "captured"])
@pytest.mark.parametrize("policy", [model, llama, mistral])
def test_an_engine_samples_by_the_logprobs_of_one_plain_reading(policy, capture):
    policy = policy().eval()
    engine = Static(policy, pad_id=0, stop_ids=[4], capture=capture)
    generator = torch.Generator().manual_seed(3)
    for prompts in ([[5, 6, 7, 8, 9], [6, 7], [9, 9, 9]], [[8, 5], [7, 6, 9, 9, 5], [6, 6]]):
        for _ in range(2):
            sampled = engine.generate(prompts, Sampling(max_tokens=16), generator)
            for prompt, one in zip(prompts, sampled, strict=True):
                ids = torch.tensor([[*prompt, *one.ids]])
                logprobs, _ = logprobs_of(policy, ids, torch.ones_like(ids))
                assert logprobs[0, len(prompt) - 1 :].tolist() == pytest.approx(
                    one.logprobs, abs=1e-4
                )


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the compiler's own making
@pytest.mark.parametrize(
    ("used", "fused"),
    [
        ((1.0, 0.0), False),
        ((0.0, 1.0), False),
        ((0.7, -0.3), False),
        ((0.7, -0.3), True),
    ],
)
def test_logprobs_in_chunks_have_the_values_and_gradients_of_a_plain_softmax(
    monkeypatch, used, fused
):
    monkeypatch.setattr("palaestra.trainers.grpo.model.CHUNK", 3)
    monkeypatch.setattr(  # traced as for a GPU, but no kernels are built, which takes a minute
        "palaestra.trainers.grpo.model._compiled",
        lambda function: torch.compile(function, backend="eager", dynamic=True, fullgraph=True),
    )
    torch.manual_seed(4)
    tensors = [
        torch.randn(*shape, dtype=torch.float64, requires_grad=True)
        for shape in ((8, 5), (11, 5), (11,))
    ]
    targets, temperature = torch.randint(11, (8,)), 0.7
    parts = TokenLogprobs.apply(*tensors, targets, temperature, fused)

    plain = (torch.nn.functional.linear(*tensors) / temperature).log_softmax(-1)
    wanted = plain.gather(-1, targets[:, None]).squeeze(-1), -(plain.exp() * plain).sum(-1)
    for part, want in zip(parts, wanted, strict=True):
        torch.testing.assert_close(part, want)

    weights = torch.randn(8, dtype=torch.float64)

    def gradients(columns):
        total = sum(
            share * (weights * column).sum() for share, column in zip(used, columns) if share
        )
        return torch.autograd.grad(total, tensors)

    for found, want in zip(gradients(parts), gradients(wanted), strict=True):
        torch.testing.assert_close(found, want)


def test_tokens_are_drawn_in_proportion_to_their_probabilities():
    logits = torch.tensor([0.3, -1.0, 1.2, 0.0]).repeat(40_000, 1)
    for temperature in (0.5, 1.0, 2.0):
        tokens, logprobs = sampled_tokens(logits, temperature, torch.Generator().manual_seed(5))
        wanted = (logits[0] / temperature).softmax(-1)
        shares = torch.bincount(tokens, minlength=4) / len(tokens)
        assert torch.allclose(shares, wanted, atol=0.01)  # four standard deviations
        assert torch.allclose(logprobs, wanted[tokens].log())


def test_sampling_by_seed_and_by_temperature():
    engine = Static(model(), pad_id=0, stop_ids=[4])

    def sample(heat, seed):
        chance = torch.Generator().manual_seed(seed)
        return [one.ids for one in engine.generate([[5, 6]] * 8, Sampling(6, heat), chance)]

    assert sample(1.0, 1) == sample(1.0, 1)
    assert sample(1.0, 1) != sample(1.0, 2)
    assert len({tuple(ids) for ids in sample(0.0, 1)}) == 1


def test_positions_do_not_depend_on_padding():
    policy, ids = model(), torch.tensor([[5, 6, 7, 8]])
    padded = torch.tensor([[5, 6, 7, 8, 0, 0]])
    seen = torch.tensor([[1, 1, 1, 1, 0, 0]])
    plain, _ = logprobs_of(policy, ids, torch.ones_like(ids))
    other, _ = logprobs_of(policy, padded, seen)
    assert torch.allclose(plain, other[:, :3], atol=1e-6)


# ------------------------------------------------------------------ rollouts


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
PRINTABLE = Characters.of([chr(n) for n in range(32, 127)] + ["\n"])
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

    monkeypatch.setattr("palaestra.episode.Episode.hear", step)
    player = Player(Scripted(*encoded("1")), PRINTABLE, BARE, Limits(8, 4_000, 1), threads=1)
    rollouts = player.play([sorting] * 2 + [MASTERMIND] + [sorting] * 2, 1.0, None)
    assert [one.score.args for one in rollouts] == [("judged",)] * 5


def test_what_could_not_be_judged_teaches_nothing(monkeypatch):
    trainer = Trainer(SMALL)

    def fail(*_):
        raise JudgeError("the judge is away")

    monkeypatch.setattr("palaestra.episode.Episode.hear", fail)
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


# ------------------------------------------------------------------ advantages

REWARDS = [[1.0, 0.0, 0.0, 1.0], [0.2, 0.4, 0.9, 0.5], [1.0, 1.0, 1.0, 1.0]]
NAN = float("nan")


def tensor(rows):
    return torch.tensor(rows, dtype=torch.float64)


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
    found = adv.ESTIMATORS[name](tensor(REWARDS))
    everything = [r for group in REWARDS for r in group]
    for row, group in zip(found.tolist(), REWARDS):
        assert row == pytest.approx(reference(group, everything), abs=1e-12)


@pytest.mark.parametrize("name", adv.ESTIMATORS)
def test_what_was_not_judged_has_no_advantage_and_changes_no_other(name):
    found = adv.ESTIMATORS[name](tensor([[1.0, NAN, 0.0, 1.0], [NAN] * 4]))
    alone = adv.ESTIMATORS[name](tensor([[1.0, 0.0, 1.0]]))
    assert found[0, 1] == 0
    assert found[1].tolist() == [0.0] * 4
    assert found[0, [0, 2, 3]].tolist() == pytest.approx(alone[0].tolist(), abs=1e-12)


@pytest.mark.parametrize("name", adv.ESTIMATORS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_group_of_equal_rewards_has_no_advantage(name, dtype):
    """Twelve rewards of 0.7 have a mean that is not 0.7."""
    for size in (2, 3, 7, 10, 12):
        for reward in [n / 45 for n in range(46)] + [0.1, 0.7, 1e-3, 1 / 3]:
            group = [reward] * size
            found = adv.ESTIMATORS[name](torch.tensor([group, group], dtype=dtype))
            scaled = adv.scaled_by_environment(found, found, ["a", "a"])
            assert not found.any(), (reward, size)
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
    found = adv.pass_at(k)(tensor([group]))[0].tolist()
    for index in range(len(group)):
        assert found[index] == pytest.approx(k * gain(group, k, index), abs=1e-9)


def test_environments_weigh_the_same():
    rewards = tensor([[1.0, -1.0], [0.1, -0.1], [0.0, 0.0], [3.0, -3.0]])
    found = adv.scaled_by_environment(rewards, rewards, ["a", "b", "c", "a"])
    for rows in ([0, 3], [1]):
        assert float(found[rows].square().mean()) == pytest.approx(1, abs=1e-3)
    assert found[2].tolist() == [0, 0]
    assert float(found[3, 0] / found[0, 0]) == pytest.approx(3)


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
    found = adv.reinforce_pp(rewards, kl, mask)
    assert found[0, :2].tolist() + found[2].tolist() == pytest.approx(wanted)
    assert not found[1].any()
    assert not adv.reinforce_pp(tensor([0.7] * 12), kl.new_zeros(12, 3), kl.new_ones(12, 3)).any()


# ------------------------------------------------------------------ losses


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


def clip(ratio, a, _):
    return max(-a * ratio, -a * min(1.28, max(0.8, ratio)))


def dual(ratio, a, _):
    clipped = clip(ratio, a, _)
    return min(clipped, -a * 1.5) if a < 0 else clipped


CASES = {
    "clip": ({}, clip),
    "dual": ({"dual_clip": 1.5}, dual),
    "cispo": (
        {"surrogate": "cispo", "clip_low": 1},
        lambda ratio, a, new: -min(ratio, 1.28) * a * new,
    ),
    "unclipped": ({"surrogate": "unclipped"}, lambda ratio, a, new: -a * ratio),
    "reinforce": ({"surrogate": "reinforce"}, lambda ratio, a, new: -a * new),
}


@pytest.mark.parametrize("aggregation", ["token", "sequence", "sum", "constant"])
@pytest.mark.parametrize("name", CASES)
def test_losses_by_hand(name, aggregation):
    options, each = CASES[name]
    new, old, entropy, advantages, mask = numbers()
    found = loss_of(Loss(**options, aggregation=aggregation), new, old, entropy, advantages, mask)
    plain = [x.tolist() for x in (new, old, advantages, mask)]
    wanted = by_hand(*plain, aggregation=aggregation, each=each)
    assert float(found.detach()) == pytest.approx(wanted, abs=1e-12)


KINDS = [
    *({**options, "aggregation": "token"} for options, _ in CASES.values()),
    {"ratio": "sequence", "aggregation": "sequence", "clip_low": 3e-4, "clip_high": 4e-4},
    {"surrogate": "geometric", "aggregation": "sequence"},
    {"tokens": "top_entropy"},
    {"tokens": "clip_cov", "clip_cov_share": 0.3, "clip_cov_low": 0.0},
    {"tokens": "kl_cov", "surrogate": "unclipped", "kl_cov_share": 0.3},
]


@pytest.mark.parametrize("options", KINDS, ids=str)
def test_microbatches_change_neither_loss_nor_gradient(options):
    loss, found = Loss(**options), []
    for parts in ([(0, 1, 2)], [(2,), (0, 1)], [(1,), (2,), (0,)]):
        new, *others = numbers()
        value = loss_of(loss, new, *others, parts=parts)
        value.backward()
        found.append((value.detach(), new.grad))
    for value, gradient in found[1:]:
        torch.testing.assert_close(value, found[0][0])
        torch.testing.assert_close(gradient, found[0][1])


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
        found = losses.surrogate(
            new, old, torch.full_like(new, advantage), torch.ones_like(new), loss
        )
        assert found[0].tolist() == pytest.approx([-advantage * math.exp(mean(logs))] * 3)


def test_divergences():
    new, reference = torch.tensor([[-1.0, -2.0]]), torch.tensor([[-1.5, -1.0]])
    gaps = [-0.5, 1.0]
    found = {k: losses.divergence(new, reference, k)[0].tolist() for k in ("k1", "k2", "k3")}
    assert found["k1"] == pytest.approx([-g for g in gaps])
    assert found["k2"] == pytest.approx([g * g / 2 for g in gaps])
    assert found["k3"] == pytest.approx([math.exp(g) - 1 - g for g in gaps])


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
    drawn = set()
    for _ in range(5):
        kept, _ = losses.selected_tokens(
            new, new, new, advantages, mask, Loss(tokens="clip_cov", clip_cov_share=2e-3)
        )
        out = kept == 0
        assert out.sum() == 4
        assert ((covariance[out] > 1) & (covariance[out] < 5)).all()
        drawn.add(tuple(out.nonzero().flatten().tolist()))
    assert len(drawn) > 1


def test_weights_for_an_engine():
    old, engine = tensor([[-1.0, -1.0, -1.0]]), tensor([[-1.5, -3.0, -0.5]])
    weights = [math.exp(0.5), math.exp(2.0), math.exp(-0.5)]
    truncated = losses.importance_weights(old, engine, "truncate", 2.0)
    assert truncated[0].tolist() == pytest.approx([weights[0], 2.0, weights[2]])
    masked = losses.importance_weights(old, engine, "mask", 2.0)
    assert masked[0].tolist() == pytest.approx([weights[0], 0.0, weights[2]])
    assert (losses.importance_weights(old, engine, "none", 2.0) == 1).all()


# ------------------------------------------------------------------ the loop


def changed(**options):
    return Trainer(SMALL.changed(**options))


def weights_of(trainer):
    return [each.detach().clone() for each in trainer.model.parameters()]


def moved(trainer, before):
    return any(not torch.equal(a, b) for a, b in zip(before, trainer.model.parameters()))


def rollout(value, length=2, *, reply="x", parts=None, status="scored", truncated=False):
    score = JudgeError("away") if value is None else Score(value, "", parts or {}, status)
    return Rollout(
        Address.of("algorithms/sort_six", 1, 0), [5, *[6] * length], [False, *[True] * length],
        [0.0, *[-1.0] * length], [(1, 1 + length)], [reply], [value or 0.0], ["start"],
        score=score, truncated=truncated,
    )  # fmt: skip


def group(*values, **options):
    rollouts = [rollout(value, **options) for value in values]
    return Group(rollouts, [NAN if value is None else value for value in values])


def played(monkeypatch, trainer, *values, **options):
    """Lets a trainer play rollouts of the given scores, and tells how many each time."""
    left, sizes = iter(values), []

    def play(addresses, *_):
        sizes.append(len(addresses))
        return [rollout(next(left), **options) for _ in addresses]

    monkeypatch.setattr(trainer.player, "play", play)
    return sizes


def test_nothing_has_moved_before_the_first_update():
    trainer = changed(reward="random")
    trainer.warm_up()
    report = trainer.take_step()
    assert report.clip_fraction == 0
    assert abs(report.approx_kl) < 1e-6


def test_the_engine_and_the_trainer_agree():
    trainer = changed(reward="random")
    trainer.warm_up()
    report = trainer.take_step()
    assert 0 < report.logprob_gap <= report.logprob_gap_max < 1e-5


class Shifted:
    """An engine that tells log-probabilities that are off."""

    own_probabilities = True

    def __init__(self, engine, by):
        self.engine, self.by = engine, by

    def sync(self):
        self.engine.sync()

    def generate(self, *asked):
        return [
            Completion(one.ids, [each + self.by for each in one.logprobs], one.finished)
            for one in self.engine.generate(*asked)
        ]


def test_an_engine_that_is_far_off_ends_the_run_before_it_teaches():
    trainer = changed(reward="random")
    trainer.warm_up()
    trainer.player.engine = Shifted(trainer.engine, -0.2)
    assert trainer.take_step().logprob_gap == pytest.approx(0.2, abs=1e-4)
    trainer.player.engine = Shifted(trainer.engine, 0.7)
    before = weights_of(trainer)
    with pytest.raises(FloatingPointError, match=r"0\.7 nats a token .* max_logprob_gap of 0\.5"):
        trainer.take_step()
    assert not moved(trainer, before)


def test_engines_of_other_numbers_are_corrected_unless_told_otherwise():
    assert changed().importance == "none"
    assert changed(dtype="bfloat16").importance == "truncate"
    assert changed(dtype="bfloat16", loss={"importance": "mask"}).importance == "mask"
    assert changed(dtype="bfloat16", loss={"importance": "none"}).importance == "none"


def test_a_loss_that_is_no_number_is_an_error_and_changes_nothing(monkeypatch):
    trainer = changed(reward="random")
    before = weights_of(trainer)
    monkeypatch.setattr(
        "palaestra.trainers.grpo.losses.divergence", lambda new, *_: new * float("nan")
    )
    monkeypatch.setattr(
        "palaestra.trainers.grpo.trainer.token_weights", lambda mask, *_: mask * float("nan")
    )
    with pytest.raises(FloatingPointError, match="the loss is nan"):
        trainer.take_step()
    assert not moved(trainer, before)


def test_a_prompt_that_leaves_no_room_is_refused_with_both_numbers():
    with pytest.raises(
        ValueError, match=r"max_episode_tokens is 20, and the prompt .* \d\d tokens"
    ):
        changed(max_episode_tokens=20)


@pytest.mark.parametrize(
    "name", ["logic/knights_and_knaves", "games/mastermind", "numbers/prime_factorization"]
)
def test_limits_follow_the_mixture(name):
    """With the defaults, the oracle's replies fit."""
    trainer = Trainer(
        Config(environments={name: 1}, levels=(0,), warmup_steps=1, warmup_tasks=4, groups=2,
               group_size=2, eval_tasks=1)
    )  # fmt: skip
    assert math.isfinite(trainer.warm_up())
    (one, *_) = trainer.rollouts_on_reserved_seeds(2)
    assert one.length


@pytest.mark.parametrize("name", RECIPES)
def test_a_step_of_every_recipe(name):
    config = SMALL.changed(recipe=name)
    plain = Config.read({"recipe": name})
    for option, value in RECIPES[name].settings.items():
        if option != "loss":
            assert getattr(plain, option) == value
    changes = {"minibatches": min(plain.minibatches, 3), "microbatch_tokens": 100}
    config = Config.read(
        {"recipe": name, **config.model_dump(include=set(FEW)), **changes, "reward": "random"}
    )
    trainer = Trainer(config)
    trainer.warm_up()
    before = weights_of(trainer)
    report = trainer.take_step()
    assert math.isfinite(report.loss)
    assert moved(trainer, before)
    assert report.tokens > 0


FEW = ("environments", "levels", "answer_format", "max_reply_tokens", "max_episode_tokens",
       "warmup_steps", "steps", "groups", "eval_every")  # fmt: skip


def test_all_kinds_of_filters_at_once():
    trainer = changed(
        loss={"kl_coef": 0.01, "importance": "truncate"}, minibatches=2, microbatch_tokens=60,
        dynamic_sampling=1, keep_groups=0.5, keep_rollouts=3, normalize_by_environment=True,
        pass_rate_high=0.99, reward="random",
    )  # fmt: skip
    trainer.warm_up()
    report = trainer.take_step()
    assert math.isfinite(report.loss)
    assert report.dropped == 0.5
    assert trainer.curriculum.drawn >= 4


@pytest.mark.parametrize(("values", "teaches"), [((0.7,) * 12, False), ((0.7, 0.2) * 6, True)])
@pytest.mark.parametrize("advantage", ["grpo", "reinforce++", "lite_ppo", "rloo", "gigpo"])
def test_equal_rewards_move_no_weight(monkeypatch, advantage, values, teaches):
    trainer = changed(group_size=12, groups=2, advantage=advantage)
    played(monkeypatch, trainer, *values * 2, length=3)
    monkeypatch.setattr(trainer, "_check_gap", lambda gap: None)
    before = weights_of(trainer)
    report = trainer.take_step()
    assert moved(trainer, before) == teaches
    assert (report.grad_norm is not None) == teaches


def test_a_mixture_of_environments_with_equal_rewards_moves_no_weight(monkeypatch):
    trainer = changed(group_size=12, groups=2, normalize_by_environment=True)
    played(monkeypatch, trainer, *(0.7,) * 24)
    before = weights_of(trainer)
    assert trainer.take_step().grad_norm is None
    assert not moved(trainer, before)


def test_turns_have_advantages_of_their_own_and_of_the_episode():
    trainer = Trainer(SMALL.changed(advantage="gigpo", discount=0.5, step_advantage_norm="none",
                                    group_size=2))  # fmt: skip
    address = Address.of("algorithms/sort_six", 1, 0)

    def episode(rewards, states):
        spans = [(1 + 3 * n, 3 + 3 * n) for n in range(len(rewards))]
        ids = [9] * (1 + 3 * len(rewards))
        return Rollout(
            address, ids, [any(a <= n < b for a, b in spans) for n in range(len(ids))],
            [0.0] * len(ids), spans, ["x"] * len(rewards), rewards, states, Score(sum(rewards), ""),
        )  # fmt: skip

    one, two = episode([0.0, 1.0], ["a", "b"]), episode([0.0, 0.0, 0.5], ["a", "c", "b"])
    lesson = trainer.lesson([Group([one, two], [1.0, 0.5])])
    whole = (0.25, -0.25)
    first = (0.5 - (0.5 + 0.125) / 2, 0.125 - (0.5 + 0.125) / 2)
    last = (1.0 - 0.75, 0.5 - 0.75)
    rows = lesson.advantages.tolist()
    assert rows[0][:6] == pytest.approx(
        [whole[0] + first[0]] * 2 + [0] + [whole[0] + last[0]] * 2 + [0]
    )
    assert rows[1] == pytest.approx(
        [whole[1] + first[1]] * 2 + [0] + [whole[1]] * 2 + [0] + [whole[1] + last[1]] * 2 + [0]
    )


def test_an_unjudged_episode_counts_in_no_mean_of_turns():
    trainer = changed(advantage="gigpo", group_size=3)
    judged = trainer.lesson([group(1.0, 0.0, None)])
    two = changed(advantage="gigpo", group_size=2).lesson([group(1.0, 0.0)])
    assert torch.allclose(judged.advantages[:2], two.advantages)
    assert not judged.advantages[2].any()
    assert not judged.mask[2].any()


def test_control_arms_reach_the_advantages_of_turns():
    """A run with random rewards must not report what the true reward teaches."""
    trainer = changed(advantage="gigpo", reward="random", group_size=2)
    lesson = trainer.lesson([Group([rollout(1.0), rollout(0.0)], [0.25, 0.75])])
    assert lesson.advantages[0, 0] < 0 < lesson.advantages[1, 0]


@pytest.mark.parametrize("name", ["grpo", "gspo", "top_entropy", "kl_cov", "clip_cov"])
def test_microbatches_change_no_gradient_of_a_step(name):
    found = []
    for tokens in (100_000, 100, 1):
        torch.manual_seed(0)
        config = Config.read(
            {"recipe": name, **SMALL.model_dump(include=set(FEW)), "minibatches": 2,
             "microbatch_tokens": tokens, "reward": "random", "group_size": 4, "width": 32}
        )  # fmt: skip
        trainer = Trainer(config)
        trainer.take_step()
        found.append(torch.cat([each.detach().flatten() for each in trainer.model.parameters()]))
    for other in found[1:]:
        torch.testing.assert_close(other, found[0], atol=3e-5, rtol=0)


def test_threads_and_microbatches_do_not_change_what_is_sampled(monkeypatch):
    found = []
    for options in ({}, {"threads": 2}, {"microbatch_tokens": 50}):
        trainer = changed(**options)
        trainer.warm_up()
        groups, _ = trainer.sample_groups()
        found.append([one.ids for each in groups for one in each.rollouts])
    torch.set_num_threads(1)
    assert found[0] == found[1] == found[2]


def test_a_run_goes_on_as_if_it_had_not_stopped(tmp_path):
    config = SMALL.changed(steps=4, curriculum="thompson", reward="random")
    through = Trainer(config)
    through.warm_up()
    for _ in range(2):
        through.take_step()
    through.save(tmp_path / "half.pt")
    for _ in range(2):
        through.take_step()
    again = Trainer(config)
    again.restore(tmp_path / "half.pt")
    for _ in range(2):
        again.take_step()
    ours, theirs = through.model.state_dict(), again.model.state_dict()
    assert all(torch.equal(ours[name], theirs[name]) for name in ours)
    assert through.curriculum.state() == again.curriculum.state()


def test_a_schedule_belongs_to_its_number_of_steps(tmp_path):
    trainer = changed(learning_rate_schedule="cosine")
    trainer.save(tmp_path / "run.pt")
    with pytest.raises(ValueError, match="another steps: 2"):
        changed(learning_rate_schedule="cosine", steps=3).restore(tmp_path / "run.pt")


def test_learning_rates_rise_and_fall():
    config = SMALL.changed(learning_rate=1.0, learning_rate_warmup=2, steps=6)
    assert [learning_rate_at(config, n) for n in range(6)] == [0.5, 1, 1, 1, 1, 1]
    line = config.changed(learning_rate_schedule="linear")
    assert [learning_rate_at(line, n) for n in range(6)] == [0.5, 1, 1, 0.75, 0.5, 0.25]
    cosine = config.changed(learning_rate_schedule="cosine")
    found = [learning_rate_at(cosine, n) for n in range(2, 6)]
    assert found == pytest.approx([(1 + math.cos(math.pi * n / 4)) / 2 for n in range(4)])


def test_the_curve_of_evaluations_begins_before_the_first_step(tmp_path):
    trainer = changed(eval_every=1, eval_tasks=4, out=str(tmp_path), steps=1)
    rows = trainer.train()
    assert [row["step"] for row in rows] == [0, 1]
    assert rows[0].keys() == {"step", "eval_score"}
    assert (tmp_path / "log.jsonl").read_text().count("\n") == 2


def test_a_baseline_that_was_not_judged_is_none_of_zero(monkeypatch):
    trainer = changed(advantage="remax", group_size=2)
    monkeypatch.setattr(trainer.player, "play", lambda *_: [rollout(None), rollout(0.5)])
    lesson = trainer.lesson([group(1.0, 0.0)] * 2)
    assert lesson.advantages[:, 0].tolist() == [0.0, 0.0, 0.5, -0.5]


def test_groups_of_equal_rewards_are_drawn_anew_and_the_widest_are_kept(monkeypatch):
    trainer = changed(dynamic_sampling=2, group_size=2, groups=2)
    sizes = played(monkeypatch, trainer, 1, 1, 0, 1, 0, 0, 0, 1)
    everything, kept = trainer.sample_groups()
    assert [[one.value for one in each.rollouts] for each in kept] == [[0, 1], [0, 1]]
    assert len(everything) == 4
    assert sizes == [4, 2, 2]
    trainer = changed(keep_groups=0.5, group_size=2, groups=2)
    played(monkeypatch, trainer, 0.4, 0.5, 0.0, 1.0)
    everything, kept = trainer.sample_groups()
    assert [each.rewards for each in kept] == [[0.0, 1.0]]
    assert len(everything) == 2


def test_what_could_not_be_judged_makes_no_group_informative(monkeypatch):
    trainer = changed(dynamic_sampling=1, group_size=4, groups=1)
    sizes = played(monkeypatch, trainer, 1, 1, None, 1, 0, 1, 0, 1)
    _, kept = trainer.sample_groups()
    assert sizes == [4, 4]
    assert kept[0].rewards == [0, 1, 0, 1]


def test_groups_are_equal_by_what_is_paid(monkeypatch):
    """All are wrong, and one is paid for a part."""
    trainer = changed(dynamic_sampling=3, reward_part="places", group_size=2, groups=1)
    replies = iter([rollout(0.0, parts={"places": 0.5}), rollout(0.0)])
    monkeypatch.setattr(trainer.player, "play", lambda *_: list(replies))
    everything, kept = trainer.sample_groups()
    assert len(everything) == len(kept) == 1


def test_what_is_dropped_is_logged_and_the_curriculum_learns_of_it(monkeypatch):
    trainer = changed(dynamic_sampling=1, group_size=2, groups=2, pass_rate_low=0.3)
    played(monkeypatch, trainer, 1, 1, 0, 1, 0.0, 0.5, length=3)
    met = []
    monkeypatch.setattr(trainer.curriculum, "update", met.extend)
    monkeypatch.setattr(trainer, "_check_gap", lambda gap: None)
    report = trainer.take_step()
    assert [value for _, value in met] == [1.0, 0.5, 0.25]
    assert report.dropped == pytest.approx(2 / 3)
    assert (report.rollouts, report.tokens) == (6, 18)
    assert report.score == pytest.approx(3.5 / 6)
    assert report.zero_std == pytest.approx(1 / 3)


def test_a_step_of_cut_episodes_says_so(monkeypatch):
    trainer = changed(group_size=2, groups=1)
    played(monkeypatch, trainer, 0.0, 1.0, truncated=True)
    before = weights_of(trainer)
    with pytest.warns(RuntimeWarning, match="all its rollouts were cut, at 14 tokens of a reply"):
        report = trainer.take_step()
    assert report.masked == 1
    assert not moved(trainer, before)


def test_temperature_steers_to_an_entropy_that_is_known():
    trainer = changed(entropy_target=0.5)
    for entropy, temperature in ((0.1, 1.02), (None, 1.02), (0.9, 1.02 * 0.98)):
        trainer._steer(entropy)
        assert trainer.temperature == pytest.approx(temperature)


def test_the_reference_stays_until_it_is_set_anew():
    trainer = changed(loss={"kl_coef": 0.1}, reference_sync=2, reward="random", learning_rate=0.1)
    first = [each.clone() for each in trainer.reference.parameters()]
    trainer.take_step()
    assert all(torch.equal(a, b) for a, b in zip(first, trainer.reference.parameters()))
    trainer.take_step()
    held = zip(trainer.model.parameters(), trainer.reference.parameters(), strict=True)
    assert all(torch.equal(a, b) for a, b in held)
    assert not all(torch.equal(a, b) for a, b in zip(first, trainer.reference.parameters()))


def test_the_reference_is_the_policy_after_the_supervised_steps():
    trainer = changed(loss={"kl_coef": 0.1})
    trainer.warm_up()
    held = zip(trainer.model.parameters(), trainer.reference.parameters(), strict=True)
    assert all(torch.equal(a, b) for a, b in held)


def test_divergence_in_the_reward_is_taken_off():
    trainer = changed(kl_in_reward=0.5, advantage="dr_grpo", group_size=2)
    with torch.no_grad():
        for each in trainer.model.parameters():
            each.mul_(1.05)
    lesson = trainer.lesson([Group([rollout(1.0, 3), rollout(0.0, 2)], [1.0, 0.0])])
    kl = ((lesson.old - lesson.reference) * lesson.mask).sum(-1).tolist()
    paid = [1 - 0.5 * kl[0], 0 - 0.5 * kl[1]]
    wanted = [each - mean(paid) for each in paid]
    assert lesson.advantages[:, 0].tolist() == pytest.approx(wanted, abs=1e-6)


def test_a_step_with_pieces_cohorts_and_bfloat16():
    trainer = changed(tokenizer="bpe", cohorts=2, dtype="bfloat16", reward="random")
    trainer.warm_up()
    before = weights_of(trainer)
    assert math.isfinite(trainer.take_step().loss)
    assert moved(trainer, before)
    held = zip(trainer.engine.model.parameters(), before, strict=True)
    assert all(mine.dtype == torch.bfloat16 for mine, _ in held)


def test_cohorts_play_as_one_does():
    """But for chance: what is likeliest is sampled at once or in parts."""
    found = []
    for cohorts in (1, 3):
        trainer = changed(cohorts=cohorts)
        trainer.warm_up()
        rollouts = trainer.rollouts_on_reserved_seeds(12, temperature=0.0)
        found.append([(one.ids, one.value) for one in rollouts])
    assert found[0] == found[1]


@pytest.fixture(scope="module")
def llama(tmp_path_factory):
    """A tiny model of transformers with a tokenizer of pieces and a chat template."""
    transformers = pytest.importorskip("transformers")
    folder = tmp_path_factory.mktemp("llama")
    pieces = Pieces([chr(n) for n in range(32, 127)] * 2, 400)
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=pieces.inner._tokenizer, eos_token="<end>", pad_token="<pad>"
    )
    tokenizer.chat_template = (
        "{% for m in messages %}<user>{{ m['content'] }}<end>{% endfor %}"
        "{% if add_generation_prompt %}<policy>{% endif %}"
    )
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        hidden_size=32, num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=1,
        intermediate_size=64, vocab_size=pieces.vocabulary_size, max_position_embeddings=256,
    )  # fmt: skip
    transformers.LlamaForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


@pytest.mark.filterwarnings("ignore:.*is_gradient_checkpointing:FutureWarning")  # PEFT asks
@pytest.mark.parametrize("options", [{}, {"engine": "paged"}, {"lora_rank": 2}], ids=str)
def test_models_of_transformers(llama, options):
    if "lora_rank" in options:
        pytest.importorskip("peft")
    trainer = changed(
        model=llama, answer_format="bare", max_episode_tokens=200, loss={"kl_coef": 0.1},
        reward="random", mask_truncated=False, **options,
    )  # fmt: skip
    trainer.warm_up()
    report = trainer.take_step()
    assert math.isfinite(report.loss)
    assert report.logprob_gap_max < 1e-5


# ------------------------------------------------------------------ options


@pytest.mark.parametrize(
    ("values", "match"),
    [
        ({"rate": 1e-3}, "no option rate; perhaps .*"),
        ({"learning_rat": 1e-3}, "perhaps learning_rate"),
        ({"loss": {"clip_hi": 1}}, "no option loss.clip_hi; perhaps clip_high"),
        ({"loss": 3}, "loss"),
        ({"groups": 0}, "groups: .*greater than or equal to 1"),
        ({"groups": "many"}, "groups: .*integer"),
        ({"groups": [1]}, "groups: .*integer"),
        ({"steps": -1}, "steps: .*greater"),
        ({"learning_rate": float("nan")}, "learning_rate: .*finite"),
        ({"learning_rate": "fast"}, "learning_rate: .*number"),
        ({"answer_format": "loud"}, "answer_format: .*'bare'"),
        ({"advantage": "gae"}, "advantage: .*'grpo'"),
        ({"levels": 3}, "levels: .*tuple"),
        ({"recipe": "gpso"}, "no recipe 'gpso'; perhaps gspo"),
        ({"environments": {"a/b": "much"}}, "environments.a/b: .*number"),
        ({"lora_rank": 4}, "lora_rank is for models"),
        ({"engine": "paged"}, "engine: paged is for models"),
        ({"chat_template_options": {"enable_thinking": False}}, "are for models"),
        ({"reference_sync": 5}, "wants kl_coef"),
        ({"group_size": 1}, "compares rollouts of a group"),
        ({"advantage": "pass@8", "group_size": 4}, "wants a group_size of 8 or more"),
        ({"keep_rollouts": 8}, "keep_rollouts is below group_size"),
        ({"minibatches": 1000}, "fewer rollouts than minibatches"),
        ({"loss": {"kl": "k1", "kl_coef": 0.1}}, "expected gradient of zero"),
        ({"loss": {"ratio": "sequence", "aggregation": "sequence"}}, "would never clip"),
        ({"loss": {"ratio": "sequence", "clip_low": 3e-4, "clip_high": 4e-4}},
         "goes with aggregation: sequence"),
        ({"loss": {"surrogate": "geometric"}}, "goes with aggregation: sequence"),
        ({"loss": {"dual_clip": 0.5}}, "dual_clip is above 1"),
        ({"loss": {"dual_clip": 3, "surrogate": "cispo"}}, "dual_clip is above 1"),
        ({"loss": {"tokens": "kl_cov"}}, "surrogate: unclipped"),
        ({"loss": {"tokens": "kl_cov", "surrogate": "unclipped"}}, "minibatches is 2 or more"),
        ({"advantage": "remax", "dynamic_sampling": 2}, "remax learns from groups of equal"),
        ({"loss": {"kl_cov_share": 0}}, "loss.kl_cov_share: .*greater than 0"),
        ({"advantage": "gigpo", "keep_rollouts": 2}, "no keep_rollouts"),
        ({"advantage": "gigpo", "normalize_by_environment": True}, "whole rollouts, not gigpo"),
        ({"pass_rate_low": 0.9, "pass_rate_high": 0.1}, "pass_rate_low is above"),
        ({"max_reply_tokens": 10, "overlong_buffer": 11}, "overlong_buffer is at most"),
        ({"width": 63}, "width is a multiple"),
    ],
    ids=str,
)  # fmt: skip
def test_options_that_are_wrong_are_named(values, match):
    with pytest.raises(ValueError, match=match) as refused:
        Config.read(values)
    assert "\n" not in str(refused.value)


def test_options_are_read_as_yaml_gives_them():
    """YAML takes 1e-3 for text."""
    import yaml

    config = Config.read(yaml.safe_load("{learning_rate: 1e-3, groups: 8, loss: {kl_coef: 1e-2}}"))
    assert (config.learning_rate, config.groups, config.loss.kl_coef) == (1e-3, 8, 0.01)
    assert all(about for _, _, about in explained())
    assert Config.read(SMALL.plain()) == SMALL
    for name in RECIPES:
        config = Config.read({"recipe": name})
        assert Config.read(config.plain()) == config
    assert Config.read({"recipe": "gspo", "loss": {"clip_high": 0.01}}).loss.clip_low == 3e-4
    assert Config(recipe="gspo", loss=Loss(clip_high=0.01)).loss.clip_low == 3e-4
