"""The loop: draw tasks, play them, judge, estimate advantages, take a step; then again.

:meth:`Trainer.take_step` reads from top to bottom: sampling (:meth:`Trainer.sample_groups`),
advantages (:meth:`Trainer.lesson`), updates (:meth:`Trainer.learn`).
"""

import json
import random
import warnings
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from math import isfinite
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import Any

import torch
from torch import Tensor

from palaestra.address import Address
from palaestra.trainers.curricula import Curriculum, cells, make
from palaestra.trainers.engines import Engine
from palaestra.trainers.grpo import advantages as estimators
from palaestra.trainers.grpo import checkpoints
from palaestra.trainers.grpo.config import Config
from palaestra.trainers.grpo.losses import (
    divergence,
    importance_weights,
    policy_loss,
    selected_tokens,
    token_weights,
)
from palaestra.trainers.grpo.rewards import Rewards, in_band
from palaestra.trainers.grpo.rollouts import Batch, Player, Rollout
from palaestra.trainers.grpo.setup import (
    ANSWER_FORMAT_OF,
    Demonstration,
    demonstrations,
    learning_rate_at,
    make_engine,
    make_limits,
    make_model,
    make_optimizer,
    make_tokenizer,
)
from palaestra.trainers.models.logprobs import autocast_context, logprobs_of
from palaestra.trainers.models.policies import frozen_copy

LOG = "log.jsonl"


@dataclass
class Report:
    """A step as plain numbers for the log. What was not measured is None, and not logged; before
    the first step that is all but ``eval_score``.
    """

    step: int
    reward: float | None = None
    """The mean of what was paid."""

    score: float | None = None
    success: float | None = None
    """The share of the rollouts that could be judged whose score is 1."""

    unscored: int | None = None
    """Rollouts that could not be judged, which teach nothing."""

    zero_std: float | None = None
    """The share of the groups whose rewards are all equal."""

    dropped: float | None = None
    """The share of the groups played that were not learnt from, as the options ask."""

    length: float | None = None
    """Tokens sampled in a rollout, in the mean."""

    truncated: float | None = None
    """The share of rollouts with a reply that was cut, or that were cut before their end."""

    masked: float | None = None
    """The share of the rollouts learnt from that teach nothing since they were cut."""

    loss: float | None = None
    """The mean over minibatches."""

    entropy: float | None = None
    """Nats a token, over the tokens that went through the model for a gradient, as are the next
    four.
    """

    clip_fraction: float | None = None
    approx_kl: float | None = None
    """The divergence from the policy that sampled (k3)."""

    logprob_gap: float | None = None
    """Between engine and trainer, absolute, before the first update; the mean in nats a token."""

    logprob_gap_max: float | None = None
    grad_norm: float | None = None
    learning_rate: float | None = None
    temperature: float | None = None
    rollouts: int | None = None
    """Those that were played, in groups that teach and in others."""

    tokens: int | None = None
    """Tokens sampled in them."""

    rollout_s: float | None = None
    judge_s: float | None = None
    """Of ``rollout_s``, what judging took; some of it may be hidden behind sampling."""

    learn_s: float | None = None
    eval_score: float | None = None

    def row(self) -> dict[str, Any]:
        """What was measured."""
        return {name: value for name, value in asdict(self).items() if value is not None}


@dataclass(slots=True)
class Group:
    """Rollouts of one task, and what each is paid: NaN where it could not be judged."""

    rollouts: list[Rollout]
    rewards: list[float]

    @property
    def score(self) -> float | None:
        """The mean score of what could be judged, None where nothing could."""
        known = [one.value for one in self.rollouts if one.value is not None]
        return fmean(known) if known else None

    @property
    def spread(self) -> float:
        """The widest difference of two rewards."""
        known = [reward for reward in self.rewards if reward == reward]  # noqa: PLR0124  not NaN
        return max(known) - min(known) if known else 0.0


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is learnt from a batch of rollouts. Tensors are (batch, length - 1), for the first token
    has no probability: ``mask`` is 1 at tokens that count.
    """

    batch: Batch
    mask: Tensor
    advantages: Tensor
    old: Tensor | None
    """Log-probabilities of the policy that sampled; None where the first update works them out."""

    reference: Tensor | None


class Trainer:
    """A run, which can be stopped after any step and goes on as if it had not been."""

    def __init__(self, config: Config, engine: Engine | None = None) -> None:
        self.config = config
        torch.set_num_threads(config.threads)
        self.device = config.device or ("cuda" if torch.cuda.is_available() else "cpu")
        torch.manual_seed(config.seed)
        self.rng = random.Random(config.seed)
        self.mixture = cells(config.environments, config.levels)
        self.curriculum: Curriculum = make(
            config.curriculum, self.mixture, config.seed, **config.curriculum_options
        )
        shown = demonstrations(config, self.mixture)
        self.tokenizer = make_tokenizer(config, shown)
        self.limits = make_limits(config, self.tokenizer, shown)
        self.model = make_model(config, self.tokenizer, self.limits, self.device)
        self.autocast = partial(autocast_context, self.device.partition(":")[0], config.dtype)
        self.generator = torch.Generator(self.device).manual_seed(config.seed)
        self.optimizer = make_optimizer(self.model, config.learning_rate, config.weight_decay)
        self.reference = frozen_copy(self.model) if config.uses_reference else None
        self.engine = engine or make_engine(
            config, self.model, self.tokenizer, self.device, self.limits
        )
        differs = "truncate" if self.engine.own_probabilities else "none"
        chosen = config.loss.importance
        self.importance = differs if chosen == "auto" else chosen
        self.rewards = Rewards(config, self.rng, self.limits.reply)
        self.player = Player(
            self.engine, self.tokenizer, ANSWER_FORMAT_OF[config.answer_format], self.limits,
            config.cohorts, config.judge_threads,
        )  # fmt: skip
        self.temperature = config.temperature
        self.step = 0
        self.log: list[dict[str, Any]] = []

    def save(self, file: Path) -> None:
        """Keeps all that the next step depends on."""
        checkpoints.save(self, file)

    def restore(self, file: Path) -> None:
        """Goes on from a checkpoint. Raises ``ValueError`` for one of a run with other options."""
        checkpoints.restore(self, file)

    # ------------------------------------------------------------------ supervised steps

    def warm_up(self, progress: Callable[[int, float], None] = lambda *_: None) -> float:
        """Learns from the oracle's replies; gives the loss of the last step."""
        config, loss = self.config, 0.0
        optimizer = make_optimizer(self.model, config.warmup_learning_rate, 0.0)
        curriculum = self.curriculum
        if config.warmup_levels is not None:
            mixture = cells(config.environments, config.warmup_levels)
            curriculum = make("uniform", mixture, config.seed)
        for step in range(config.warmup_steps):
            addresses = curriculum.sample(config.warmup_tasks)
            shown = [
                Demonstration.of(each, ANSWER_FORMAT_OF[config.answer_format]) for each in addresses
            ]
            longest = self.limits.episode
            rollouts = [one.rollout(self.tokenizer, longest) for one in shown]
            batch = Batch.of(rollouts, self.tokenizer.pad_id, self.device)
            rows = range(len(rollouts))
            for part, length in batch.microbatches(rows, config.microbatch_tokens):
                new, _ = self._forward(self.model, batch, part, length, batch.mask[:, 1:], 1.0)
                (-new.sum() / batch.mask[:, 1:].sum()).backward()
                loss += float(-new.detach().sum() / batch.mask[:, 1:].sum())
            self._apply(optimizer, config.warmup_learning_rate * min(1, (step + 1) / 10), loss)
            progress(step, loss)
            loss = loss if step + 1 == config.warmup_steps else 0.0
        if self.reference is not None:  # what the policy is held to is what it began with
            self.reference.load_state_dict(self.model.state_dict())
        return loss

    # ------------------------------------------------------------------ steps

    def train(self, progress: Callable[[Report], None] = lambda _: None) -> list[dict[str, Any]]:
        """Takes all the steps that are left. The curve of evaluations begins before the first."""
        config = self.config
        if not self.log and config.eval_every:
            self._record(Report(self.step, eval_score=self.evaluate()), progress)
        while self.step < config.steps:
            report, last = self.take_step(), self.step == config.steps
            if config.eval_every and (self.step % config.eval_every == 0 or last):
                report.eval_score = self.evaluate()
            self._record(report, progress)
        return self.log

    def _record(self, report: Report, progress: Callable[[Report], None]) -> None:
        """Logs a step, and keeps the run where it is time to."""
        config, row = self.config, report.row()
        self.log.append(row)
        if config.out:
            folder = Path(config.out)
            folder.mkdir(parents=True, exist_ok=True)
            with (folder / LOG).open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
            due = config.save_every and self.step and self.step % config.save_every == 0
            if due or self.step == config.steps:
                self.save(folder / checkpoints.CHECKPOINT)
        progress(report)

    def take_step(self) -> Report:
        """Plays groups of rollouts and learns from them."""
        start, judged, temperature = perf_counter(), self.player.judge_s, self.temperature
        self.engine.sync()
        played, kept = self.sample_groups()
        sampled = perf_counter()
        self.curriculum.update((group.rollouts[0].address, group.score) for group in played)
        report = self._report(played, kept)
        if kept:
            lesson = self.lesson(kept)
            cut = [one.truncated for group in kept for one in group.rollouts]
            report.masked = fmean(cut) if self.config.mask_truncated else 0.0
            self._warn_of_masks(report.masked)
            self.engine.sleep()  # learning wants the memory
            for name, value in self.learn(lesson).items():
                setattr(report, name, value)
        self._steer(report.entropy)
        self.step += 1
        every = self.config.reference_sync
        if self.reference is not None and every and self.step % every == 0:
            self.reference.load_state_dict(self.model.state_dict())
        report.step, report.temperature = self.step, temperature
        report.rollout_s, report.learn_s = sampled - start, perf_counter() - sampled
        report.judge_s = self.player.judge_s - judged
        return report

    def sample_groups(self) -> tuple[list[Group], list[Group]]:
        """All groups that were played, and those of them that are learnt from.

        Groups of equal rewards are drawn anew as often as ``dynamic_sampling`` allows, and the last
        ones are learnt from as they are; then go groups outside of the band of pass rates, and all
        but the share of the widest.
        """
        config = self.config
        played: list[Group] = []
        kept: list[Group] = []
        for redraws_left in range(config.dynamic_sampling, -1, -1):
            fresh = self._play(self.curriculum.sample(config.groups - len(kept)))
            played += fresh
            kept += [group for group in fresh if group.spread or not redraws_left]
            if len(kept) >= config.groups:
                break
        if (band := (config.pass_rate_low, config.pass_rate_high)) != (0, 1):
            kept = [
                group for group in kept if in_band([one.value for one in group.rollouts], *band)
            ]
        if config.keep_groups < 1:
            kept.sort(key=lambda group: -group.spread)
            del kept[max(1, round(config.keep_groups * len(kept))) :]
        return played, kept

    def _play(self, addresses: Sequence[Address]) -> list[Group]:
        size = self.config.group_size
        each = [address for address in addresses for _ in range(size)]
        rollouts = self.player.play(each, self.temperature, self.generator)
        groups = [rollouts[n : n + size] for n in range(0, len(rollouts), size)]
        return [Group(group, self.rewards(group)) for group in groups]

    def lesson(self, groups: Sequence[Group]) -> Lesson:
        """Rewards and advantages, and what the policy and a reference think of each token."""
        config = self.config
        rollouts = [one for group in groups for one in group.rollouts]
        rewards = torch.tensor([group.rewards for group in groups], dtype=torch.float64)
        batch = Batch.of(rollouts, self.tokenizer.pad_id, self.device)
        teaches = ~rewards.isnan().reshape(-1)
        if config.mask_truncated:
            teaches &= ~torch.tensor([one.truncated for one in rollouts])
        mask = batch.mask[:, 1:] * teaches[:, None].to(self.device)
        # With one update the policy is the one that sampled, and need not be asked twice.
        needs_old = config.minibatches > 1 or config.kl_in_reward
        old = self._logprobs(self.model, batch, mask) if needs_old else None
        uses_reference = self.reference is not None
        reference = self._logprobs(self.reference, batch, mask) if uses_reference else None
        kl = torch.zeros_like(mask)
        if config.kl_in_reward and old is not None and reference is not None:
            kl = config.kl_in_reward * divergence(old, reference, "k1") * mask
        advantages = self._advantages(groups, rewards, batch, kl.cpu().double())
        return Lesson(batch, mask, advantages.to(mask), old, reference)

    def _advantages(
        self, groups: Sequence[Group], rewards: Tensor, batch: Batch, kl: Tensor
    ) -> Tensor:
        """(batch, length - 1) advantages of tokens."""
        config = self.config
        mask = batch.mask[:, 1:].cpu()
        if config.advantage == "reinforce++":
            return estimators.reinforce_pp(rewards.reshape(-1), kl, mask)
        rewards = rewards - kl.sum(-1).reshape(rewards.shape)
        if config.advantage == "remax":
            addresses = [group.rollouts[0].address for group in groups]
            greedy = self.player.play(addresses, 0.0, self.generator)
            paid = [self.rewards([one], update=False)[0] for one in greedy]
            # A baseline that could not be judged is not one of 0: its group teaches nothing.
            advantages = estimators.remax(rewards, torch.tensor(paid, dtype=torch.float64))
        elif config.advantage == "gigpo":
            return self._advantages_of_turns(groups, rewards, mask)
        else:
            lengths = [[float(one.length) for one in group.rollouts] for group in groups]
            kept = estimators.filtered(
                rewards, torch.tensor(lengths), config.keep_rollouts, config.keep_by
            )
            if config.advantage == "reinforce++_baseline":
                return estimators.reinforce_pp_baseline(kept, mask)
            advantages = estimators.ESTIMATORS[config.advantage](kept)
        if config.normalize_by_environment:
            names = [group.rollouts[0].address.env for group in groups]
            advantages = estimators.scaled_by_environment(advantages, rewards, names)
        return advantages.reshape(-1, 1).expand_as(mask)

    def _advantages_of_turns(
        self, groups: Sequence[Group], rewards: Tensor, mask: Tensor
    ) -> Tensor:
        """The advantage of a whole episode and of each of its turns, added up."""
        config = self.config
        estimate = estimators.grpo if config.step_advantage_norm == "std" else estimators.dr_grpo
        episodes = estimate(rewards)
        advantages = torch.zeros_like(mask, dtype=torch.float64)
        for number, group in enumerate(groups):
            judged = [n for n, reward in enumerate(group.rewards) if isfinite(reward)]
            known = [group.rollouts[n] for n in judged]
            returns = [
                estimators.discounted_returns(
                    self.rewards.of_turns(group.rollouts[n], group.rewards[n]), config.discount
                )
                for n in judged
            ]
            turns = estimators.by_anchor_state(
                [one.states for one in known], returns, config.step_advantage_norm
            )
            for n, one, values in zip(judged, known, turns, strict=True):
                row = number * config.group_size + n
                for (start, end), value in zip(one.turns, values, strict=True):
                    advantages[row, start - 1 : end - 1] = (
                        episodes[number, n] + config.step_advantage_weight * value
                    )
        return advantages

    # ------------------------------------------------------------------ updates

    def learn(self, lesson: Lesson) -> dict[str, float]:
        """Takes gradient steps; gives what was measured, nothing where nothing has a gradient."""
        order = list(range(len(lesson.mask)))
        self.rng.shuffle(order)
        size = -(-len(order) // self.config.minibatches)
        updates = [
            self._update(order[start : start + size], lesson, start == 0)
            for start in range(0, len(order), size)
        ]
        measured = [each for each in updates if each]
        names = {name for each in measured for name in each}
        return {name: fmean(each[name] for each in measured if name in each) for name in names}

    def _update(self, rows: list[int], lesson: Lesson, first: bool) -> dict[str, float]:
        """One gradient step. Rows without a gradient count in the means and are not worked out."""
        config, loss, batch = self.config, self.config.loss, lesson.batch
        mask, weights = lesson.mask, torch.zeros_like(lesson.mask)
        constant = loss.constant_length or self.limits.reply
        weights[rows] = token_weights(mask[rows], loss.aggregation, constant)
        kept, held = self._selected(rows, lesson)
        always = float(loss.kl_coef > 0 or loss.entropy_coef > 0)
        counts = (lesson.advantages != 0).to(mask) * kept + held + always
        teaching = (counts * mask).any(-1).tolist()
        rows = [row for row in rows if teaching[row]]
        if not rows:
            return {}
        sums, worst = torch.zeros(5, device=mask.device), torch.zeros((), device=mask.device)
        for part, length in batch.microbatches(rows, config.microbatch_tokens):
            cut = slice(length - 1)
            new, entropy = self._forward(self.model, batch, part, length, mask, self.temperature)
            counted, sampled_by = mask[part, cut], batch.logprobs[part, 1:length]
            old = new.detach() if lesson.old is None else lesson.old[part, cut]
            gap = (old - sampled_by).abs() * counted
            result = policy_loss(
                new, old, entropy, lesson.advantages[part, cut], counted, weights[part, cut],
                kept[part, cut], held[part, cut],
                importance_weights(old, sampled_by, self.importance, loss), loss,
                None if lesson.reference is None else lesson.reference[part, cut],
            )  # fmt: skip
            result.loss.backward()
            sums += torch.stack(
                [result.loss.detach(), result.clipped, result.approx_kl, result.entropy, gap.sum()]
            )
            worst = torch.maximum(worst, gap.max())
        # The one time that it is waited for the GPU.
        total, *others = sums.tolist()
        clipped, approx_kl, mean_entropy, gaps = (each / float(mask[rows].sum()) for each in others)
        statistics = {
            "loss": total, "clip_fraction": clipped, "approx_kl": approx_kl,
            "entropy": mean_entropy,
        }  # fmt: skip
        if first:
            self._check_gap(gaps)
            statistics |= {"logprob_gap": gaps, "logprob_gap_max": float(worst)}
        learning_rate = learning_rate_at(config, self.step)
        norm = self._apply(self.optimizer, learning_rate, total)
        return statistics | {"grad_norm": norm, "learning_rate": learning_rate}

    def _selected(self, rows: list[int], lesson: Lesson) -> tuple[Tensor, Tensor]:
        """The tokens whose surrogate counts, and those under a penalty, by what the policy thinks
        now of the whole minibatch.
        """
        if self.config.loss.tokens == "all":
            return lesson.mask, torch.zeros_like(lesson.mask)
        chosen = torch.zeros_like(lesson.mask)
        chosen[rows] = lesson.mask[rows]
        new, entropy = self._statistics(self.model, lesson.batch, chosen)
        old = new if lesson.old is None else lesson.old
        advantages, loss = lesson.advantages, self.config.loss
        kept, held = selected_tokens(new, old, entropy, advantages, chosen, loss)
        return kept, held

    def _apply(self, optimizer: torch.optim.Optimizer, rate: float, loss: float) -> float:
        """Steps along the gradient, and gives its norm. Raises ``FloatingPointError`` where that or
        the loss is no number, before any weight is changed.
        """
        norm = float(
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.config.max_grad_norm)
        )
        if not (isfinite(loss) and isfinite(norm)):
            raise FloatingPointError(
                f"step {self.step + 1}: the loss is {loss} and the norm of its gradient {norm};"
                " lower the learning rate, or take dtype: float32"
            )
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.step()
        optimizer.zero_grad()
        return norm

    def _check_gap(self, gap: float) -> None:
        if gap > self.config.max_logprob_gap:
            raise FloatingPointError(
                f"step {self.step + 1}: the engine's log-probabilities are {gap:.3g} nats a token"
                f" from the trainer's, more than max_logprob_gap of {self.config.max_logprob_gap}"
            )

    # ------------------------------------------------------------------ what models think

    def _forward(  # noqa: PLR0913, PLR0917
        self, model: Any, batch: Batch, rows: list[int], length: int, mask: Tensor,
        temperature: float,
    ) -> tuple[Tensor, Tensor]:  # fmt: skip
        """Log-probabilities and entropies of some rows, cut to a length: (rows, length - 1)."""
        ids, seen = batch.ids[rows, :length], batch.attention_mask[rows, :length]
        counted = torch.nn.functional.pad(mask[rows, : length - 1], (1, 0))
        with self.autocast():
            outputs: tuple[Tensor, Tensor] = logprobs_of(
                model, ids, seen, temperature, counted, self.config.compile
            )
        return outputs

    @torch.no_grad()
    def _statistics(self, model: Any, batch: Batch, mask: Tensor) -> tuple[Tensor, Tensor]:
        """The same of all rows with a token that counts; 0 elsewhere."""
        logprobs, entropies = torch.zeros_like(mask), torch.zeros_like(mask)
        rows = mask.any(-1).nonzero().squeeze(-1).tolist()
        for part, length in batch.microbatches(rows, self.config.microbatch_tokens):
            outputs = self._forward(model, batch, part, length, mask, self.temperature)
            logprobs[part, : length - 1], entropies[part, : length - 1] = outputs
        return logprobs, entropies

    def _logprobs(self, model: Any, batch: Batch, mask: Tensor) -> Tensor:
        return self._statistics(model, batch, mask)[0]

    # ------------------------------------------------------------------ around a step

    def _steer(self, entropy: float | None) -> None:
        """Raises the temperature where the policy is surer than it should be, and lowers it."""
        target = self.config.entropy_target
        if target and entropy is not None:
            self.temperature *= 1.02 if entropy < target else 0.98
            self.temperature = min(2.0, max(0.5, self.temperature))

    def _report(self, played: Sequence[Group], kept: Sequence[Group]) -> Report:
        rollouts = [one for group in played for one in group.rollouts]
        rewards = [each for group in played for each in group.rewards if isfinite(each)]
        known = [one.value for one in rollouts if one.value is not None]
        report = Report(
            step=self.step,
            unscored=len(rollouts) - len(known),
            zero_std=fmean(group.spread == 0 for group in played),
            dropped=1 - len(kept) / len(played),
            length=fmean(one.length for one in rollouts),
            truncated=fmean(one.truncated for one in rollouts),
            rollouts=len(rollouts),
            tokens=sum(one.length for one in rollouts),
        )
        if known and rewards:
            report.reward, report.score = fmean(rewards), fmean(known)
            report.success = fmean(value == 1 for value in known)
        return report

    def _warn_of_masks(self, share: float) -> None:
        if share == 1:
            warnings.warn(
                "a step teaches nothing: all its rollouts were cut, at"
                f" {self.limits.reply} tokens of a reply, {self.limits.episode} of an episode or"
                f" {self.limits.turns} turns; raise max_reply_tokens, max_episode_tokens or"
                " max_turns, or set mask_truncated: false",
                RuntimeWarning,
                stacklevel=3,
            )

    # ------------------------------------------------------------------ evaluation

    def evaluate(self, tasks: int | None = None, temperature: float | None = None) -> float:
        """The mean score on held-out seeds, spread over all cells, at a temperature; of what could
        be judged. With ``reward_part`` that part counts where the score is not 1.
        """
        rollouts = self.rollouts_on_reserved_seeds(tasks, temperature)
        known = [value for one in rollouts if (value := self.rewards.graded(one)) is not None]
        return fmean(known) if known else float("nan")

    def rollouts_on_reserved_seeds(
        self, tasks: int | None = None, temperature: float | None = None, samples: int = 1
    ) -> list[Rollout]:
        """Rollouts spread over all cells; those of a task follow each other."""
        number = tasks or self.config.eval_tasks
        addresses = [
            Address.of(cell.env, seed, cell.level, "eval")
            for seed in range(-(-number // len(self.mixture)))
            for cell in self.mixture
        ][:number]
        generator = torch.Generator(self.device).manual_seed(self.config.seed + 1)
        self.engine.sync()
        each = [address for address in addresses for _ in range(samples)]
        used = self.temperature if temperature is None else temperature
        return self.player.play(each, used, generator)
