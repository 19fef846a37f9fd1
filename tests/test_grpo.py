"""The reference trainer against short independent references, and its loop from end to end."""

import itertools
import math
from statistics import mean, stdev

import pytest

from palaestra import Address
from palaestra.episode import BARE
from palaestra.task import Score, Unscored

torch = pytest.importorskip("torch", reason="needs palaestra[train]")

from palaestra.trainers.grpo import advantages as adv  # noqa: E402
from palaestra.trainers.grpo import losses  # noqa: E402
from palaestra.trainers.grpo.config import ADVANTAGES, Choices, Config, explained  # noqa: E402
from palaestra.trainers.grpo.engines import Completion, Sampling, Static, sampled_tokens  # noqa: E402
from palaestra.trainers.grpo.losses import policy_loss  # noqa: E402
from palaestra.trainers.grpo.model import Decoder, Shape, TokenLogprobs, logprobs_of  # noqa: E402
from palaestra.trainers.grpo.rollouts import Batch, Player, Rollout, Room  # noqa: E402
from palaestra.trainers.grpo.tokens import Characters, Pieces  # noqa: E402
from palaestra.trainers.grpo.trainer import Trainer  # noqa: E402

SORTING = {"algorithms/sort_six": 1.0}
SMALL = Config(
    environments=SORTING, levels=(0,), style="silent", reply_tokens=14, episode_tokens=48,
    warmup_steps=3, steps=2, groups=4, group_size=4, evaluate_every=0,
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
    ids = signs.opening(chat)
    assert ids[0] == signs.user
    assert ids.count(signs.policy) == 2
    assert ids.count(signs.end) == 1


def test_pieces_come_back_and_signs_in_a_text_are_text():
    texts = ["Sort: 1 2 3", "1 2 3", "hello hello"] * 3
    pieces = Pieces(texts, 300)
    for text in ("hello 1 2", "<end><pad>é…", ""):
        ids = pieces.encode(text)
        assert not {pieces.pad, pieces.user, pieces.policy, pieces.end} & set(ids)
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
    """An engine that says what it is told to."""

    def __init__(self, *replies):
        self.replies = itertools.cycle(replies)
        self.heard = []

    def generate(self, prompts, sampling, generator):
        self.heard += [list(prompt) for prompt in prompts]
        said = [next(self.replies)[:limit] for limit in sampling.limits(len(prompts))]
        return [Completion(ids, [-0.5] * len(ids), finished=True) for ids in said]


MASTERMIND = Address.of("games/mastermind", 3, level=1)


def test_what_was_sampled_and_observed_is_what_is_trained_on():
    signs = Characters.of([chr(n) for n in range(32, 127)] + ["\n"])
    replies = [[*signs.encode(text), signs.end] for text in ("123", "45 ", "zz")]
    engine = Scripted(*replies)
    (one,) = Player(engine, signs, BARE, Room(8, 4_000, 3)).play([MASTERMIND], 1.0, None)
    assert [one.ids[a:b] for a, b in one.turns] == replies
    assert [one.sampled[a:b] for a, b in one.turns] == [[True] * len(r) for r in replies]
    assert sum(one.sampled) == sum(map(len, replies))
    assert engine.heard == [one.ids[:start] for start, _ in one.turns]
    assert one.truncated  # after three replies there is no room for a fourth
    assert len(one.rewards) == len(one.states) == 3


def test_episodes_end_where_the_room_does():
    signs = Characters.of([chr(n) for n in range(32, 127)] + ["\n"])
    reply = [*signs.encode("123"), signs.end]
    start = len(signs.opening([{"role": "user", "content": "x"}]))
    (one,) = Player(Scripted(reply), signs, BARE, Room(8, start + 2, 9)).play(
        [MASTERMIND], 1.0, None
    )
    assert one.truncated
    assert one.value == 0


def test_what_could_not_be_judged_teaches_nothing(monkeypatch):
    trainer = Trainer(SMALL)

    def fail(*_):
        raise Unscored("the judge is away")

    monkeypatch.setattr("palaestra.episode.Episode.hear", fail)
    before = [each.clone() for each in trainer.model.parameters()]
    report = trainer.take_step()
    assert report.unscored == 16
    assert (report.loss, report.entropy) == (0, None)
    after = list(trainer.model.parameters())
    assert all(torch.equal(a, b) for a, b in zip(before, after))


# ------------------------------------------------------------------ advantages

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
        (
            "reinforce++",
            lambda g, everything: [
                (r - mean(g)) / (stdev(r - mean(h) for h in REWARDS for r in h) + 1e-6) for r in g
            ],
        ),
        ("lite_ppo", lambda g, everything: [(r - mean(g)) / (stdev(everything) + 1e-6) for r in g]),
    ],
)
def test_advantages_by_the_book(name, reference):
    told = adv.ESTIMATORS[name](torch.tensor(REWARDS))
    everything = [r for group in REWARDS for r in group]
    for row, group in zip(told.tolist(), REWARDS):
        assert row == pytest.approx(reference(group, everything), abs=1e-5)


@pytest.mark.parametrize("name", adv.ESTIMATORS)
def test_what_was_not_judged_has_no_advantage_and_changes_no_other(name):
    nan = float("nan")
    told = adv.ESTIMATORS[name](torch.tensor([[1.0, nan, 0.0, 1.0], [nan] * 4]))
    alone = adv.ESTIMATORS[name](torch.tensor([[1.0, 0.0, 1.0]]))
    assert told[0, 1] == 0
    assert told[1].tolist() == [0.0] * 4
    assert told[0, [0, 2, 3]].tolist() == pytest.approx(alone[0].tolist(), abs=1e-5)


def best_of(group, k, held=None):
    """The mean of the best over all sets of k others, with one that is held."""
    others = [r for n, r in enumerate(group) if n != held]
    size = k if held is None else k - 1
    sets = list(itertools.combinations(others, size))
    known = [] if held is None else [group[held]]
    return mean(max([*each, *known]) for each in sets)


@pytest.mark.parametrize("k", [1, 2, 4])
def test_the_advantage_of_the_best_of_k(k):
    group = [0.1, 0.7, 0.7, 0.0, 1.0, 0.3]
    told = adv.pass_at(k)(torch.tensor([group]))[0].tolist()
    for place in range(len(group)):
        rest = [r for n, r in enumerate(group) if n != place]
        assert told[place] == pytest.approx(best_of(group, k, place) - best_of(rest, k), abs=1e-5)


def test_environments_weigh_the_same():
    told = adv.per_environment(
        torch.tensor([[1.0, -1.0], [0.1, -0.1], [0.0, 0.0], [3.0, -3.0]]), ["a", "b", "c", "a"]
    )
    for rows in ([0, 3], [1]):
        assert float(told[rows].square().mean()) == pytest.approx(1, abs=1e-3)
    assert told[2].tolist() == [0, 0]
    assert float(told[3, 0] / told[0, 0]) == pytest.approx(3)


def test_some_of_a_group_are_kept():
    nan = float("nan")
    rewards = torch.tensor([[1.0, 0.0, 1.0, nan]])
    lengths = torch.tensor([[9.0, 2.0, 3.0, 1.0]])
    short = adv.filtered(rewards, lengths, 2, "length")
    assert (~short.isnan()).tolist()[0] == [False, True, True, False]
    worth = adv.filtered(rewards, lengths, 2, "efficiency")
    assert (~worth.isnan()).tolist()[0] == [True, False, True, False]
    assert adv.filtered(rewards, lengths, 0, "length") is rewards


def test_turns():
    assert adv.turn_returns([1.0, 0.0, 2.0], 0.5) == [1.5, 1.0, 2.0]
    told = adv.anchored([["a", "b"], ["a", "c"]], [[1.0, 0.5], [0.0, 0.2]])
    assert told == [[0.5, 0.0], [-0.5, 0.0]]
    greedy = adv.remax(torch.tensor([[1.0, 0.0]]), torch.tensor([0.25]))
    assert greedy.tolist() == [[0.75, -0.25]]


# ------------------------------------------------------------------ losses


def numbers(seed=0):
    """New, old and engine log-probabilities, entropies, advantages, a mask."""
    torch.manual_seed(seed)
    new, old, engine = (-torch.rand(3, 5) * 2 for _ in range(3))
    mask = torch.tensor([[1.0, 1, 1, 0, 0], [1, 1, 0, 0, 0], [1, 1, 1, 1, 1]])
    return new.requires_grad_(), old, engine, torch.rand(3, 5), torch.randn(3, 1), mask


def by_hand(new, old, advantage, mask, *, aggregation, each):
    """A loss in plain Python: ``each`` gives a token's, by ratio, advantage, log-probability."""
    rows = [
        [
            each(math.exp(new[r][c] - old[r][c]), advantage[r][0], new[r][c])
            for c in range(len(mask[r]))
            if mask[r][c]
        ]
        for r in range(len(mask))
    ]
    flat = [value for row in rows for value in row]
    return {
        "token": mean(flat),
        "sequence": mean(mean(row) for row in rows),
        "constant": sum(flat) / (7 * len(rows)),
    }[aggregation]


def clip(ratio, a, _):
    return max(-a * ratio, -a * min(1.28, max(0.8, ratio)))


def dual(ratio, a, _):
    loss = clip(ratio, a, _)
    return min(loss, -a * 1.5) if a < 0 else loss


CASES = {
    "clip": (Choices(constant=7), clip),
    "dual": (Choices(constant=7, dual=1.5), dual),
    "cispo": (
        Choices(constant=7, surrogate="cispo"),
        lambda ratio, a, new: -min(ratio, 1.28) * a * new,
    ),
    "reinforce": (Choices(constant=7, surrogate="reinforce"), lambda ratio, a, new: -a * new),
}


@pytest.mark.parametrize("aggregation", ["token", "sequence", "constant"])
@pytest.mark.parametrize("name", CASES)
def test_losses_by_hand(name, aggregation):
    choices, each = CASES[name]
    choices = Choices(**{**vars(choices), "aggregation": aggregation})
    new, old, engine, entropy, advantage, mask = numbers()
    told = policy_loss(new, old, engine, entropy, advantage, mask, choices)
    plain = [x.tolist() for x in (new, old, advantage, mask)]
    wanted = by_hand(*plain, aggregation=aggregation, each=each)
    assert float(told.loss.detach()) == pytest.approx(wanted, abs=1e-5)


def test_masked_tokens_have_no_gradient():
    for name, (choices, _) in CASES.items():
        for ratio in ("token", "sequence", "geometric"):
            new, _, engine, entropy, advantage, mask = numbers()
            near = new.detach() + 0.01  # nothing is clipped
            told = Choices(**{**vars(choices), "ratio": ratio})
            policy_loss(new, near, engine, entropy, advantage, mask, told).loss.backward()
            assert (new.grad[mask == 0] == 0).all(), (name, ratio)
            assert new.grad.abs().sum() > 0


def test_ratios_over_sequences():
    new, old, _, _, _, mask = numbers()
    means = [
        mean((n - o) for n, o, m in zip(*rows) if m)
        for rows in zip(new.tolist(), old.tolist(), mask.tolist())
    ]
    for kind in ("sequence", "geometric"):
        told = losses.log_ratio(new, old, mask, kind)
        assert told[:, 0].tolist() == pytest.approx(means, abs=1e-5)


def test_divergences():
    new, reference = torch.tensor([[-1.0, -2.0]]), torch.tensor([[-1.5, -1.0]])
    gaps = [-0.5, 1.0]
    told = {k: losses.divergence(new, reference, k)[0].tolist() for k in ("k1", "k2", "k3", "none")}
    assert told["k1"] == pytest.approx([-g for g in gaps])
    assert told["k2"] == pytest.approx([g * g / 2 for g in gaps])
    assert told["k3"] == pytest.approx([math.exp(g) - 1 - g for g in gaps])
    assert told["none"] == [0, 0]


def test_tokens_that_count():
    new, _, _, entropy, advantage, mask = numbers()
    top, held = losses.kept_tokens(mask, entropy, new, advantage, Choices(tokens="top_entropy"))
    assert top.sum() == round(0.2 * 10)
    assert entropy[top.bool()].min() >= entropy[(mask - top).bool()].max()
    less, none = losses.kept_tokens(mask, entropy, new, advantage, Choices(tokens="clip_cov"))
    more, held = losses.kept_tokens(mask, entropy, new, advantage, Choices(tokens="kl_cov"))
    assert less.sum() == mask.sum() - held.sum()
    assert (more == mask).all()
    assert not none.any()


def test_weights_for_an_engine_are_capped():
    _, old, engine, _, _, mask = numbers()
    told = losses.importance(old, engine, mask, 1.5)
    wanted = (old - engine).exp().clamp(max=1.5)
    assert torch.allclose(told[mask.bool()], wanted[mask.bool()])
    assert (losses.importance(old, engine, mask, 0) == 1).all()


# ------------------------------------------------------------------ the loop


def test_nothing_has_moved_before_the_first_update():
    trainer = Trainer(SMALL)
    trainer.warm_up()
    report = trainer.take_step()
    assert report.clipped == 0
    assert abs(report.moved) < 1e-6


def test_the_engine_and_the_trainer_agree():
    trainer = Trainer(SMALL)
    trainer.warm_up()
    (group, *_) = trainer._groups()
    batch = Batch.of(group, trainer.tokenizer.pad)
    told, _ = logprobs_of(trainer.model, batch.ids, batch.seen)
    gaps = (told - batch.logprobs[:, 1:]).abs() * batch.mask[:, 1:]
    assert gaps.max() < 1e-5


@pytest.mark.parametrize("name", [*adv.ESTIMATORS, "remax"])
def test_a_step_of_every_kind(name):
    choices = Choices(penalty="k3", beta=0.01, importance=2.0)
    config = Config(**{**vars(SMALL), "advantage": name, "loss": choices, "minibatches": 2,
                       "microbatch": 3, "dynamic": 1, "keep_groups": 0.5, "keep_rollouts": 3,
                       "by_environment": True})  # fmt: skip
    trainer = Trainer(config)
    trainer.warm_up()
    report = trainer.take_step()
    assert math.isfinite(report.loss)
    assert trainer.curriculum.drawn >= 4


def test_turns_of_a_game_have_advantages_of_their_own():
    config = Config(
        environments={"games/mastermind": 1.0}, levels=(0,), turn_level=True, style="silent",
        reply_tokens=5, episode_tokens=900, groups=2, group_size=2, warmup_steps=1,
        warmup_tasks=2, evaluate_every=0,
    )  # fmt: skip
    trainer = Trainer(config)
    trainer.warm_up()
    assert math.isfinite(trainer.take_step().loss)


def test_a_run_goes_on_as_if_it_had_not_stopped(tmp_path):
    config = Config(**{**vars(SMALL), "steps": 4, "curriculum": "thompson"})
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


def changed(**options):
    return Trainer(Config(**{**vars(SMALL), **options}))


def rollout(value, length=2, reply="x", parts=None, status="scored"):
    score = Unscored("away") if value is None else Score(value, "", parts or {}, status)
    return Rollout(Address.of("algorithms/sort_six", 1, 0), [0] * length, [True] * length,
                  [0.0] * length, score=score, reply=reply)  # fmt: skip


def test_arms_and_parts_and_length_are_paid_as_told():
    half = rollout(0.0, parts={"places": 0.5})
    assert changed()._reward(half) == 0
    assert changed(part="places")._reward(half) == 0.5
    assert changed(part="places")._reward(rollout(1.0)) == 1
    assert changed(reward="inverted")._reward(rollout(0.25)) == 0.75
    assert changed(reward="format")._reward(rollout(0.0)) == 1
    assert changed(reward="format")._reward(rollout(0.0, status="malformed")) == 0
    arm = changed(reward="random")
    assert len({arm._reward(rollout(1.0)) for _ in range(5)}) == 5
    for length, paid in ((10, 1.0), (12, 0.5), (14, 0.0)):
        assert changed(soft_overlong=4)._reward(rollout(1.0, length)) == paid
    for name in ("true", "random", "inverted", "format", "majority"):
        assert math.isnan(changed(reward=name)._reward(rollout(None)))


def test_majorities_leave_out_what_was_not_judged():
    trainer = changed(reward="majority", advantage="dr_grpo")
    group = [rollout(0.0, reply=reply) for reply in "aab"] + [rollout(None, reply="a")]
    told = trainer._advantages([group], torch.tensor([[0.0, 0.0, 0.0, float("nan")]]))
    assert told[0].tolist() == pytest.approx([1 / 3, 1 / 3, -2 / 3, 0.0])


def test_a_baseline_that_was_not_judged_is_none_of_zero(monkeypatch):
    trainer = changed(advantage="remax")
    monkeypatch.setattr(trainer.player, "play", lambda *_: [rollout(None), rollout(0.5)])
    groups = [[rollout(1.0), rollout(0.0)]] * 2
    told = trainer._advantages(groups, torch.tensor([[1.0, 0.0]] * 2))
    assert told.tolist() == [[0.0, 0.0], [0.5, -0.5]]


def test_groups_of_one_mind_are_drawn_anew_and_the_widest_are_kept(monkeypatch):
    trainer = changed(dynamic=2, group_size=2, groups=2)
    values = iter([1, 1, 0, 1, 0, 0, 0, 1])
    played = []

    def play(addresses, *_):
        played.append(len(addresses))
        return [rollout(float(next(values))) for _ in addresses]

    monkeypatch.setattr(trainer.player, "play", play)
    assert [[one.value for one in group] for group in trainer._groups()] == [[0, 1], [0, 1]]
    assert played == [4, 2, 2]
    trainer = changed(keep_groups=0.5, group_size=2, groups=2)
    values = iter([0.4, 0.5, 0.0, 1.0])
    monkeypatch.setattr(trainer.player, "play", play)
    assert [[one.value for one in group] for group in trainer._groups()] == [[0.0, 1.0]]


def test_temperature_steers_to_an_entropy_that_is_known():
    trainer = changed(entropy_target=0.5)
    for entropy, heat in ((0.1, 1.02), (None, 1.02), (0.9, 1.02 * 0.98)):
        trainer._steer(entropy)
        assert trainer.temperature == pytest.approx(heat)


def test_the_reference_stays_until_it_is_set_anew():
    trainer = changed(
        loss=Choices(penalty="k3", beta=0.1), reference_every=2, reward="random", rate=0.1
    )
    first = [each.clone() for each in trainer.reference.parameters()]
    trainer.take_step()
    assert all(torch.equal(a, b) for a, b in zip(first, trainer.reference.parameters()))
    trainer.take_step()
    held = zip(trainer.model.parameters(), trainer.reference.parameters(), strict=True)
    assert all(torch.equal(a, b) for a, b in held)
    assert not all(torch.equal(a, b) for a, b in zip(first, trainer.reference.parameters()))


def test_a_step_with_pieces_cohorts_and_bfloat16():
    config = Config(**{**vars(SMALL), "tokenizer": "bpe", "cohorts": 2, "dtype": "bfloat16",
                       "reward": "random", "loss": Choices(importance=2.0)})  # fmt: skip
    trainer = Trainer(config)
    trainer.warm_up()
    before = [each.clone() for each in trainer.model.parameters()]
    assert math.isfinite(trainer.take_step().loss)
    assert any(not torch.equal(a, b) for a, b in zip(before, trainer.model.parameters()))
    held = zip(trainer.engine.model.parameters(), before, strict=True)
    assert all(mine.dtype == torch.bfloat16 for mine, _ in held)


def test_cohorts_play_as_one_does():
    """But for chance: what is likeliest is said at once or in parts."""
    told = []
    for cohorts in (1, 3):
        trainer = Trainer(Config(**{**vars(SMALL), "cohorts": cohorts}))
        trainer.warm_up()
        told.append([(one.ids, one.value) for one in trainer.reserved(12, temperature=0.0)])
    assert told[0] == told[1]


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
        intermediate_size=64, vocab_size=pieces.size, max_position_embeddings=256,
    )  # fmt: skip
    transformers.LlamaForCausalLM(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return str(folder)


@pytest.mark.filterwarnings("ignore:.*is_gradient_checkpointing:FutureWarning")  # PEFT asks
@pytest.mark.parametrize("changed", [{}, {"engine": "paged"}, {"lora": 2}], ids=str)
def test_models_of_transformers(llama, changed):
    if "lora" in changed:
        pytest.importorskip("peft")
    loss = Choices(penalty="k3", beta=0.1)
    config = Config(**{**vars(SMALL), "model": llama, "style": "bare", "episode_tokens": 200,
                       "loss": loss, **changed})  # fmt: skip
    trainer = Trainer(config)
    trainer.warm_up()
    (group, *_) = trainer._groups()
    batch = Batch.of(group, trainer.tokenizer.pad)
    told, _ = logprobs_of(trainer.model, batch.ids, batch.seen)
    gaps = (told - batch.logprobs[:, 1:]).abs() * batch.mask[:, 1:]
    assert gaps.max() < 1e-5
    assert torch.isfinite(trainer._reference(batch)).all()
    assert math.isfinite(trainer.take_step().loss)


def test_options_are_known_and_bounded():
    assert Config.read({"groups": 8, "loss": {"beta": 0.1}}).loss.beta == 0.1
    for told, match in (
        ({"group": 8}, "no option group"),
        ({"loss": {"betta": 1}}, "no option loss.betta"),
        ({"groups": 0}, "groups lies from"),
        ({"reward": "gold"}, "reward is true, random"),
        ({"style": "loud"}, "style is bare"),
        ({"advantage": "gae"}, "advantage is grpo"),
        ({"lora": 4}, "lora is for models"),
        ({"engine": "paged"}, "engine is for models"),
        ({"model": "x", "lora": 4, "engine": "vllm"}, "no lora"),
        ({"reference_every": 5}, "wants loss.beta"),
    ):
        with pytest.raises(ValueError, match=match):
            Config.read(told)
    assert set(ADVANTAGES) == {*adv.ESTIMATORS, "remax"}
    assert all(about for _, _, about in explained())
    assert Config.read(SMALL.plain()) == SMALL
