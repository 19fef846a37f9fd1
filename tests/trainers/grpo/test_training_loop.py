"""The training loop: learning, checkpoints, options that change it."""

import math
from statistics import mean

import pytest

from palaestra import Address
from palaestra.episode import Episode
from palaestra.task import Score

torch = pytest.importorskip("torch", reason="needs palaestra[train]")
from tests.trainers.grpo.models import SMALL, group, rollout  # noqa: E402

from palaestra.trainers.demonstrations import Demonstration  # noqa: E402
from palaestra.trainers.engines import Completion  # noqa: E402
from palaestra.trainers.grpo.config import Config  # noqa: E402
from palaestra.trainers.grpo.recipes import RECIPES  # noqa: E402
from palaestra.trainers.grpo.rollouts import Group, Rollout  # noqa: E402
from palaestra.trainers.grpo.setup import (  # noqa: E402
    ANSWER_FORMAT_OF,
    learning_rate_at,
)
from palaestra.trainers.grpo.trainer import Trainer  # noqa: E402
from palaestra.trainers.models.tokens import Pieces  # noqa: E402


def changed(**options):
    return Trainer(SMALL.changed(**options))


def weights_of(trainer):
    return [each.detach().clone() for each in trainer.model.parameters()]


def moved(trainer, before):
    return any(not torch.equal(a, b) for a, b in zip(before, trainer.model.parameters()))


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

    def generate(self, *arguments):
        return [
            Completion(one.ids, [each + self.by for each in one.logprobs], one.finished)
            for one in self.engine.generate(*arguments)
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
    assert trainer.curriculum.sampled >= 4


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
    weights = []
    for tokens in (100_000, 100, 1):
        torch.manual_seed(0)
        config = Config.read(
            {"recipe": name, **SMALL.model_dump(include=set(FEW)), "minibatches": 2,
             "microbatch_tokens": tokens, "reward": "random", "group_size": 4, "width": 32}
        )  # fmt: skip
        trainer = Trainer(config)
        trainer.take_step()
        weights.append(torch.cat([each.detach().flatten() for each in trainer.model.parameters()]))
    for other in weights[1:]:
        torch.testing.assert_close(other, weights[0], atol=3e-5, rtol=0)


def test_threads_and_microbatches_do_not_change_what_is_sampled(monkeypatch):
    samples = []
    for options in ({}, {"threads": 2}, {"microbatch_tokens": 50}):
        trainer = changed(**options)
        trainer.warm_up()
        groups, _ = trainer.sample_groups()
        samples.append([one.ids for each in groups for one in each.rollouts])
    torch.set_num_threads(1)
    assert samples[0] == samples[1] == samples[2]


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
    rates = [learning_rate_at(cosine, n) for n in range(2, 6)]
    assert rates == pytest.approx([(1 + math.cos(math.pi * n / 4)) / 2 for n in range(4)])


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


def test_the_demonstration_of_a_puzzle_costs_no_judging(monkeypatch):
    monkeypatch.setattr(Episode, "step", lambda *_: pytest.fail("the oracle's answer is judged"))
    shown = Demonstration.of(Address.of("algorithms/sort_six", 5), ANSWER_FORMAT_OF["tags"])
    answer = Address.of("algorithms/sort_six", 5).task().answer()
    assert shown.turns == [(f"<answer>{answer}</answer>", "")]


def test_phrases_make_prompts_short():
    options = {"environments": {"arithmetic/power_digits": 1.0}, "max_episode_tokens": None}
    by_character = changed(**options)
    by_phrase = changed(**options, tokenizer="phrases", reward="random")
    assert by_phrase.limits.reply == by_character.limits.reply
    assert by_phrase.limits.episode < by_character.limits.episode / 2
    assert math.isfinite(by_phrase.warm_up())
    assert math.isfinite(by_phrase.take_step().loss)


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
    played_by = []
    for cohorts in (1, 3):
        trainer = changed(cohorts=cohorts)
        trainer.warm_up()
        rollouts = trainer.rollouts_on_reserved_seeds(12, temperature=0.0)
        played_by.append([(one.ids, one.value) for one in rollouts])
    assert played_by[0] == played_by[1]


@pytest.fixture(scope="module")
def llama_folder(tmp_path_factory):
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


def pretrained(folder, **options):
    return changed(
        model=folder, answer_format="bare", max_episode_tokens=200, loss={"kl_coef": 0.1},
        reward="random", mask_truncated=False, **options,
    )  # fmt: skip


@pytest.mark.filterwarnings("ignore:.*is_gradient_checkpointing:FutureWarning")  # by PEFT
def test_the_reference_of_adapters_is_the_policy_after_the_supervised_steps(llama_folder, tmp_path):
    pytest.importorskip("peft")
    options = {"lora_rank": 2, "minibatches": 2, "reference_sync": 2, "learning_rate": 0.1}
    trainer = pretrained(llama_folder, warmup_learning_rate=0.05, **options)
    trainer.warm_up()
    groups, _ = trainer.sample_groups()
    warmed = trainer.lesson(groups)
    torch.testing.assert_close(warmed.reference, warmed.old)
    with trainer.model.disable_adapter():
        base = trainer.lesson(groups).old
    assert not torch.allclose(warmed.reference, base, atol=1e-3)
    trainer.take_step()
    first = trainer.lesson(groups)
    torch.testing.assert_close(first.reference, warmed.reference)
    assert not torch.allclose(first.old, warmed.old, atol=1e-3)
    trainer.save(tmp_path / "run.pt")
    resumed = pretrained(llama_folder, warmup_learning_rate=0.05, **options)
    resumed.restore(tmp_path / "run.pt")
    assert torch.equal(resumed.lesson(groups).reference, first.reference)
    trainer.take_step()
    second = trainer.lesson(groups)
    torch.testing.assert_close(second.reference, second.old)


@pytest.mark.filterwarnings("ignore:.*is_gradient_checkpointing:FutureWarning")  # by PEFT
@pytest.mark.parametrize("options", [{}, {"engine": "paged"}, {"lora_rank": 2}], ids=str)
def test_models_of_transformers(llama_folder, options):
    if "lora_rank" in options:
        pytest.importorskip("peft")
    trainer = pretrained(llama_folder, **options)
    trainer.warm_up()
    report = trainer.take_step()
    assert math.isfinite(report.loss)
    assert report.logprob_gap_max < 1e-5
