"""The training loop: sample, score, estimate advantages, update, log, save; then again.

Read :meth:`Trainer.take_step` first. The methods that it calls follow in the order in which they
are called: :meth:`Trainer.sample_groups` (sampling and scoring), :meth:`Trainer.lesson`
(advantages), :meth:`Trainer.learn` (loss and update).
"""

import json
import random
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
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
from palaestra.trainers.demonstrations import shown_by_oracle
from palaestra.trainers.engines import Engine
from palaestra.trainers.grpo import advantages as estimators
from palaestra.trainers.grpo import checkpoints, setup
from palaestra.trainers.grpo.config import Config
from palaestra.trainers.grpo.losses import (
    divergence,
    importance_weights,
    policy_loss,
    selected_tokens,
    token_weights,
)
from palaestra.trainers.grpo.reports import Report
from palaestra.trainers.grpo.rewards import Rewards
from palaestra.trainers.grpo.rollouts import Batch, Group, Player, Rollout
from palaestra.trainers.models.logprobs import autocast_context, logprobs_of
from palaestra.trainers.models.policies import frozen_copy
from palaestra.trainers.rewards import in_band
from palaestra.trainers.self_play import RoleBaselines
from palaestra.trainers.self_play_rollouts import SelfPlayer
from palaestra.trainers.variants import variants_of

LOG = "log.jsonl"


@dataclass(frozen=True, slots=True)
class Lesson:
    """A batch of rollouts with everything that an update needs.

    Tensors are (batch, length - 1), because the first token has no probability. ``mask`` is 1 at
    the tokens that count.
    """

    batch: Batch
    mask: Tensor
    advantages: Tensor
    old: Tensor | None
    """Log-probabilities of the policy that sampled; None if the first update computes them."""

    reference: Tensor | None
    """Log-probabilities of the reference; None if there is none."""


class Trainer:
    """A training run, which can stop after any step and resume as if it had not stopped."""

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
        shown = setup.demonstrations(config, self.mixture)
        self.tokenizer = setup.make_tokenizer(config, shown)
        self.limits = setup.make_limits(config, self.tokenizer, shown)
        self.model = setup.make_model(config, self.tokenizer, self.limits, self.device)
        self.autocast = partial(autocast_context, self.device.partition(":")[0], config.dtype)
        self.generator = torch.Generator(self.device).manual_seed(config.seed)
        self.optimizer = setup.make_optimizer(self.model, config.learning_rate, config.weight_decay)
        self.reference = frozen_copy(self.model) if config.uses_reference else None
        self.engine = engine or setup.make_engine(
            config, self.model, self.tokenizer, self.device, self.limits
        )
        automatic = "truncate" if self.engine.own_probabilities else "none"
        self.importance = config.loss.importance.replace("auto", automatic)
        self.rewards = Rewards(config, self.rng, self.limits.reply)
        parts = (
            self.engine, self.tokenizer, setup.ANSWER_FORMAT_OF[config.answer_format], self.limits,
            config.cohorts, config.judge_threads,
        )  # fmt: skip
        self.player = Player(*parts)
        self.learner = SelfPlayer(*parts) if config.self_play else self.player
        """Plays the rollouts of updates."""
        self.roles = RoleBaselines(config.role_decay)
        self.temperature = config.temperature
        self.step = 0
        self.log: list[dict[str, Any]] = []

    def save(self, file: Path) -> None:
        """Save everything that the next step depends on."""
        checkpoints.save(self, file)

    def restore(self, file: Path) -> None:
        """Resume from a checkpoint. Raises ``ValueError`` if its run has other options."""
        checkpoints.restore(self, file)

    # ------------------------------------------------------------------ supervised steps

    def warm_up(self, progress: Callable[[int, float], None] = lambda *_: None) -> float:
        """Train on the oracle's replies, and return the loss of the last step."""
        config, loss = self.config, 0.0
        optimizer = setup.make_optimizer(self.model, config.warmup_learning_rate, 0.0)
        curriculum = self.curriculum
        if config.warmup_levels is not None:
            mixture = cells(config.environments, config.warmup_levels)
            curriculum = make("uniform", mixture, config.seed)
        for step in range(config.warmup_steps):
            rate = config.warmup_learning_rate * min(1, (step + 1) / 10)
            loss = self.imitate(curriculum.sample(config.warmup_tasks), optimizer, rate)
            progress(step, loss)
        self._update_reference()
        return loss

    def imitate(
        self, addresses: Sequence[Address], optimizer: torch.optim.Optimizer, learning_rate: float
    ) -> float:
        """Take a supervised step on the oracle's replies to some tasks.

        Returns the mean loss of a token of these replies before the step, in nats.
        """
        answer_format = setup.ANSWER_FORMAT_OF[self.config.answer_format]
        rollouts = [
            shown.rollout(self.tokenizer, self.limits.episode)
            for each in addresses
            for shown in shown_by_oracle(each, answer_format, self.config.self_play)
        ]
        batch, loss = Batch.of(rollouts, self.tokenizer.pad_id, self.device), 0.0
        mask, rows = batch.mask[:, 1:], range(len(rollouts))
        for part, length in batch.microbatches(rows, self.config.microbatch_tokens):
            new, _ = self._forward(self.model, batch, part, length, mask, 1.0)
            share = -new.sum() / mask.sum()
            share.backward()
            loss += float(share.detach())
        self._apply(optimizer, learning_rate, loss)
        return loss

    def _update_reference(self) -> None:
        """Copy the weights of the policy to the reference, if there is one."""
        if self.reference is not None:
            self.reference.load_state_dict(self.model.state_dict())

    # ------------------------------------------------------------------ steps

    def train(self, progress: Callable[[Report], None] = lambda _: None) -> list[dict[str, Any]]:
        """Take the remaining steps. The first evaluation precedes the first step."""
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
        """Log a step, and save the run if a checkpoint is due."""
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
        """Sample groups of rollouts, score them, and update the policy."""
        start, judge_s, temperature = perf_counter(), self.learner.judge_s, self.temperature
        self.engine.sync()
        sampled, kept = self.sample_groups()
        sampled_at = perf_counter()
        self.curriculum.update((group.rollouts[0].address, group.score) for group in sampled)
        report = Report.of(self.step, sampled, kept)
        if kept:
            lesson = self.lesson(kept)
            report.masked = self._masked(kept)
            self.engine.sleep()  # its memory is for the update
            for name, value in self.learn(lesson).items():
                setattr(report, name, value)
        self._steer(report.entropy)
        self.step += 1
        if self.config.reference_sync and self.step % self.config.reference_sync == 0:
            self._update_reference()
        report.step, report.temperature = self.step, temperature
        report.rollout_s, report.learn_s = sampled_at - start, perf_counter() - sampled_at
        report.judge_s = self.learner.judge_s - judge_s
        return report

    # ------------------------------------------------------------------ sampling and scoring

    def sample_groups(self) -> tuple[list[Group], list[Group]]:
        """Return all sampled groups, and those of them that enter the update.

        Groups of equal rewards are replaced as often as ``dynamic_sampling`` allows; the last ones
        are used as they are. Then groups outside of the band of pass rates are dropped, and all
        but the fraction ``keep_groups`` with the largest spread.
        """
        config = self.config
        sampled: list[Group] = []
        kept: list[Group] = []
        for attempts_left in range(config.dynamic_sampling, -1, -1):
            fresh = self._scored_groups(self.curriculum.sample(config.groups - len(kept)))
            sampled += fresh
            kept += [group for group in fresh if group.spread or not attempts_left]
            if len(kept) >= config.groups:
                break
        if (band := (config.pass_rate_low, config.pass_rate_high)) != (0, 1):
            kept = [
                group for group in kept if in_band([one.value for one in group.rollouts], *band)
            ]
        if config.keep_groups < 1:
            kept.sort(key=lambda group: -group.spread)
            del kept[max(1, round(config.keep_groups * len(kept))) :]
        return sampled, kept

    def _scored_groups(self, addresses: Sequence[Address]) -> list[Group]:
        """Play a group of episodes for each task, and compute their rewards."""
        size, combinator = self.config.group_size, self.config.group_variants
        each = [
            variant for address in addresses for variant in variants_of(address, size, combinator)
        ]
        rollouts = self.learner.play(each, self.temperature, self.generator)
        seats = len(rollouts) // max(1, len(each))  # the rollouts of a match are adjacent
        tasks = [rollouts[n : n + size * seats] for n in range(0, len(rollouts), size * seats)]
        groups = [task[seat::seats] for task in tasks for seat in range(seats)]
        return [Group(group, self.rewards(group)) for group in groups]

    # ------------------------------------------------------------------ advantages

    def lesson(self, groups: Sequence[Group]) -> Lesson:
        """Return the groups as a batch, with advantages and the log-probabilities that it needs."""
        config = self.config
        rollouts = [one for group in groups for one in group.rollouts]
        rewards = torch.tensor([group.rewards for group in groups], dtype=torch.float64)
        batch = Batch.of(rollouts, self.tokenizer.pad_id, self.device)
        counts = ~rewards.isnan().reshape(-1)
        if config.mask_truncated:
            counts &= ~torch.tensor([one.truncated for one in rollouts])
        mask = batch.mask[:, 1:] * counts[:, None].to(self.device)
        # With one update the first forward pass gives the policy's log-probabilities anyway.
        needs_old = config.minibatches > 1 or config.kl_in_reward
        old = self._logprobs(self.model, batch, mask) if needs_old else None
        has_reference = self.reference is not None
        reference = self._logprobs(self.reference, batch, mask) if has_reference else None
        kl = torch.zeros_like(mask)
        if config.kl_in_reward and old is not None and reference is not None:
            kl = config.kl_in_reward * divergence(old, reference, "k1") * mask
        advantages = self._advantages(groups, rewards, batch, kl.cpu().double())
        return Lesson(batch, mask, advantages.to(mask), old, reference)

    def _advantages(
        self, groups: Sequence[Group], rewards: Tensor, batch: Batch, kl: Tensor
    ) -> Tensor:
        """Return the advantages of tokens, (batch, length - 1)."""
        config = self.config
        mask = batch.mask[:, 1:].cpu()
        if config.advantage == "reinforce++":
            return estimators.reinforce_pp(rewards.reshape(-1), kl, mask)
        rewards = rewards - kl.sum(-1).reshape(rewards.shape)
        if config.advantage == "gigpo":
            return self._advantages_of_turns(groups, rewards, mask)
        if config.advantage == "role":
            advantages = self._advantages_of_roles(groups)
        elif config.advantage == "remax":
            advantages = estimators.remax(rewards, self._greedy_rewards(groups))
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

    def _advantages_of_roles(self, groups: Sequence[Group]) -> Tensor:
        """Return rewards less the average of the seat in that environment before (SPIRAL).

        What the update ignores because of truncation is no part of the averages.
        """
        rows = [
            [0.0 if one.truncated and self.config.mask_truncated
             else self.roles.advantage(one.address.env, one.seat or 0, reward)
             for one, reward in zip(group.rollouts, group.rewards, strict=True)] for group in groups
        ]  # fmt: skip
        return torch.tensor(rows, dtype=torch.float64)

    def _greedy_rewards(self, groups: Sequence[Group]) -> Tensor:
        """Return the reward of the greedy reply to each task, NaN if it could not be scored."""
        addresses = [group.rollouts[0].address for group in groups]
        greedy = self.player.play(addresses, 0.0, self.generator)
        rewards = [self.rewards([one], update=False)[0] for one in greedy]
        return torch.tensor(rewards, dtype=torch.float64)

    def _advantages_of_turns(
        self, groups: Sequence[Group], rewards: Tensor, mask: Tensor
    ) -> Tensor:
        """Return the sum of the advantages of each episode and of each of its turns (GiGPO)."""
        config = self.config
        estimate = estimators.grpo if config.step_advantage_norm == "std" else estimators.dr_grpo
        episodes = estimate(rewards)
        advantages = torch.zeros_like(mask, dtype=torch.float64)
        for number, group in enumerate(groups):
            scored = [n for n, reward in enumerate(group.rewards) if isfinite(reward)]
            rollouts = [group.rollouts[n] for n in scored]
            returns = [
                estimators.discounted_returns(
                    self.rewards.of_turns(one, group.rewards[n]), config.discount
                )
                for n, one in zip(scored, rollouts, strict=True)
            ]
            turns = estimators.by_anchor_state(
                [one.states for one in rollouts], returns, config.step_advantage_norm
            )
            for n, one, values in zip(scored, rollouts, turns, strict=True):
                row = number * config.group_size + n
                for (start, end), value in zip(one.turns, values, strict=True):
                    advantages[row, start - 1 : end - 1] = (
                        episodes[number, n] + config.step_advantage_weight * value
                    )
        return advantages

    def _masked(self, groups: Sequence[Group]) -> float:
        """Return the fraction of the rollouts that truncation masks; warn if all are."""
        if not self.config.mask_truncated:
            return 0.0
        fraction = fmean(one.truncated for group in groups for one in group.rollouts)
        if fraction == 1:
            warnings.warn(
                "a step teaches nothing: all its rollouts were cut, at"
                f" {self.limits.reply} tokens of a reply, {self.limits.episode} of an episode or"
                f" {self.limits.turns} turns; raise max_reply_tokens, max_episode_tokens or"
                " max_turns, or set mask_truncated: false",
                RuntimeWarning,
                stacklevel=3,
            )
        return fraction

    # ------------------------------------------------------------------ loss and update

    def learn(self, lesson: Lesson) -> dict[str, float]:
        """Update the policy once for each minibatch, and return the mean of their statistics.

        Nothing is returned if no token has a gradient.
        """
        order = list(range(len(lesson.mask)))
        self.rng.shuffle(order)
        size = -(-len(order) // self.config.minibatches)
        updates = [
            self._update(order[start : start + size], lesson, start == 0)
            for start in range(0, len(order), size)
        ]
        names = {name for each in updates for name in each}
        return {name: fmean(each[name] for each in updates if name in each) for name in names}

    def _update(self, rows: list[int], lesson: Lesson, first: bool) -> dict[str, float]:
        """Take one gradient step on some rows, and return its statistics.

        Rows without a gradient count in means, but do not go through the model.
        """
        loss, mask = self.config.loss, lesson.mask
        weights = torch.zeros_like(mask)
        constant = loss.constant_length or self.limits.reply
        weights[rows] = token_weights(mask[rows], loss.aggregation, constant)
        kept, held = self._selected(rows, lesson)
        always = float(loss.kl_coef > 0 or loss.entropy_coef > 0)
        counts = (lesson.advantages != 0).to(mask) * kept + held + always
        has_gradient = (counts * mask).any(-1).tolist()
        rows = [row for row in rows if has_gradient[row]]
        if not rows:
            return {}
        sums, largest_gap = self._backward(rows, lesson, weights, kept, held)
        total, *others = sums.tolist()  # the only time that the step waits for the GPU
        names = ("clip_fraction", "approx_kl", "entropy", "logprob_gap")
        statistics = {
            name: each / float(mask[rows].sum()) for name, each in zip(names, others, strict=True)
        }
        gap = statistics.pop("logprob_gap")
        if first:
            self._check_gap(gap)
            statistics |= {"logprob_gap": gap, "logprob_gap_max": float(largest_gap)}
        learning_rate = setup.learning_rate_at(self.config, self.step)
        norm = self._apply(self.optimizer, learning_rate, total)
        return statistics | {"loss": total, "grad_norm": norm, "learning_rate": learning_rate}

    def _backward(
        self, rows: list[int], lesson: Lesson, weights: Tensor, kept: Tensor, held: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Accumulate the gradient of some rows, a microbatch at a time.

        Returns the loss and, summed over tokens, clips, the divergence from the policy that
        sampled, entropies, and differences to the engine, (5,); and the largest difference.
        """
        loss, batch, mask = self.config.loss, lesson.batch, lesson.mask
        sums, largest_gap = torch.zeros(5, device=mask.device), torch.zeros((), device=mask.device)
        for part, length in batch.microbatches(rows, self.config.microbatch_tokens):
            cut = slice(length - 1)
            new, entropy = self._forward(self.model, batch, part, length, mask, self.temperature)
            counted, engine = mask[part, cut], batch.logprobs[part, 1:length]
            old = new.detach() if lesson.old is None else lesson.old[part, cut]
            gap = (old - engine).abs() * counted
            result = policy_loss(
                new, old, entropy, lesson.advantages[part, cut], counted, weights[part, cut],
                kept[part, cut], held[part, cut],
                importance_weights(old, engine, self.importance, loss), loss,
                None if lesson.reference is None else lesson.reference[part, cut],
            )  # fmt: skip
            result.loss.backward()
            sums += torch.stack(
                [result.loss.detach(), result.clipped, result.approx_kl, result.entropy, gap.sum()]
            )
            largest_gap = torch.maximum(largest_gap, gap.max())
        return sums, largest_gap

    def _selected(self, rows: list[int], lesson: Lesson) -> tuple[Tensor, Tensor]:
        """Return the tokens whose surrogate counts and those under a penalty, for a minibatch."""
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
        """Take the optimiser's step, and return the norm of the gradient.

        Raises ``FloatingPointError`` before any weight changes if the norm or the loss is not
        finite.
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
        """Raise ``FloatingPointError`` if the engine samples with other probabilities."""
        if gap > self.config.max_logprob_gap:
            raise FloatingPointError(
                f"step {self.step + 1}: the engine's log-probabilities are {gap:.3g} nats a token"
                f" from the trainer's, more than max_logprob_gap of {self.config.max_logprob_gap}"
            )

    def _steer(self, entropy: float | None) -> None:
        """Raise the temperature if the entropy is below its target, and lower it otherwise."""
        target = self.config.entropy_target
        if target and entropy is not None:
            self.temperature *= 1.02 if entropy < target else 0.98
            self.temperature = min(2.0, max(0.5, self.temperature))

    # ------------------------------------------------------------------ log-probabilities

    def _forward(  # noqa: PLR0913, PLR0917
        self, model: Any, batch: Batch, rows: list[int], length: int, mask: Tensor,
        temperature: float,
    ) -> tuple[Tensor, Tensor]:  # fmt: skip
        """Return log-probabilities and entropies of some rows, (rows, length - 1) each."""
        ids, attended = batch.ids[rows, :length], batch.attention_mask[rows, :length]
        counted = torch.nn.functional.pad(mask[rows, : length - 1], (1, 0))
        with self.autocast():
            outputs: tuple[Tensor, Tensor] = logprobs_of(
                model, ids, attended, temperature, counted, self.config.compile
            )
        return outputs

    @torch.no_grad()
    def _statistics(self, model: Any, batch: Batch, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return the same without a gradient for all rows with a token that counts; 0 elsewhere."""
        logprobs, entropies = torch.zeros_like(mask), torch.zeros_like(mask)
        rows = mask.any(-1).nonzero().squeeze(-1).tolist()
        for part, length in batch.microbatches(rows, self.config.microbatch_tokens):
            outputs = self._forward(model, batch, part, length, mask, self.temperature)
            logprobs[part, : length - 1], entropies[part, : length - 1] = outputs
        return logprobs, entropies

    def _logprobs(self, model: Any, batch: Batch, mask: Tensor) -> Tensor:
        return self._statistics(model, batch, mask)[0]

    # ------------------------------------------------------------------ evaluation

    def evaluate(self, tasks: int | None = None, temperature: float | None = None) -> float:
        """Return the mean score on held-out seeds, over all cells of the mixture.

        Rollouts without a score do not count. With ``reward_part``, that part counts where the
        score is not 1.
        """
        rollouts = self.rollouts_on_reserved_seeds(tasks, temperature)
        scores = [value for one in rollouts if (value := self.rewards.graded(one)) is not None]
        return fmean(scores) if scores else float("nan")

    def rollouts_on_reserved_seeds(
        self, tasks: int | None = None, temperature: float | None = None, samples: int = 1
    ) -> list[Rollout]:
        """Return rollouts over all cells of the mixture; those of a task are adjacent."""
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
