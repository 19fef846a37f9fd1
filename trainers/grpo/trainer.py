"""The loop: draw tasks, play them, judge, estimate advantages, take a step; then again."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import mean
from time import perf_counter
from typing import Any

import torch
from torch import Tensor

from palaestra import __version__
from palaestra.address import Address
from palaestra.catalog import catalog
from palaestra.episode import BARE, STYLES, Episode, Style
from palaestra.trainers.curricula import Curriculum, cells, make
from palaestra.trainers.grpo import advantages as estimators
from palaestra.trainers.grpo.config import Config
from palaestra.trainers.grpo.engines import Engine, Paged, Static, Vllm
from palaestra.trainers.grpo.losses import policy_loss
from palaestra.trainers.grpo.model import (
    Decoder,
    Shape,
    autocast_context,
    compile_layers,
    logprobs_of,
    with_lora,
)
from palaestra.trainers.grpo.rollouts import Batch, Player, Rollout, Room
from palaestra.trainers.grpo.tokens import Characters, Pieces, Pretrained, Tokenizer

SILENT = Style("silent", "", BARE.read, BARE.write)
"""For small models, which need no telling how to reply."""

KNOWN = {**STYLES, "silent": SILENT}
CHECKPOINT = "last.pt"
LOG = "log.jsonl"
FREE = {"steps", "out", "device", "threads", "judges", "save_every", "evaluate_every"} | {
    "evaluate_tasks", "evaluate_samples",
}  # fmt: skip
"""What a run may be told anew when it goes on."""

PROBES = 40
"""Tasks of each cell whose texts make up the alphabet of a small decoder."""


@dataclass
class Report:
    """What a step did, as plain numbers for the log."""

    step: int
    reward: float
    correct: float
    unscored: int
    flat: float
    """The share of groups whose rewards are all the same, which teach nothing."""

    length: float
    truncated: float
    loss: float = 0.0
    clipped: float = 0.0
    moved: float = 0.0
    entropy: float | None = None
    """In nats a token, of what was learnt from: none where no group had a gradient."""

    norm: float = 0.0
    tokens: int = 0
    play_s: float = 0.0
    judge_s: float = 0.0
    """Of ``play_s``, what judging took; some of it may be hidden behind sampling."""

    learn_s: float = 0.0
    evaluation: float | None = None


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is learnt from a batch: (batch, length) what counts, the advantages there, and (batch,
    length - 1) the log-probabilities of the policy that sampled and of a reference, if they were
    worked out; and which rollouts have a gradient at all.
    """

    batch: Batch
    mask: Tensor
    weights: Tensor
    old: Tensor | None
    reference: Tensor | None
    teaches: list[bool]


class Trainer:
    """A run, which can be stopped after any step and goes on as if it had not been."""

    def __init__(self, config: Config, engine: Engine | None = None) -> None:
        self.config = config
        torch.set_num_threads(config.threads)
        self.device = config.device or ("cuda" if torch.cuda.is_available() else "cpu")
        torch.manual_seed(config.seed)
        self.mixture = cells(config.environments, config.levels)
        self.curriculum: Curriculum = make(
            config.curriculum, self.mixture, config.seed, **config.curriculum_options
        )
        self.tokenizer, self.model = self._policy()
        self.model.to(self.device)
        if config.compile:
            compile_layers(self.model)
        self.logprobs_of = partial(logprobs_of, fused=config.compile)
        self.mixed = partial(autocast_context, self.device.partition(":")[0], config.dtype)
        self.chance = torch.Generator(self.device).manual_seed(config.seed)
        self.rng = random.Random(config.seed)
        self.optimiser = self._optimiser(config.rate, config.weight_decay)
        copied = config.loss.beta and not config.lora
        self.reference = deepcopy(self.model).eval() if copied else None
        room = Room(config.reply_tokens, config.episode_tokens, config.episode_replies)
        self.engine = engine or self._engine()
        self.player = Player(
            self.engine, self.tokenizer, KNOWN[config.style], room, config.cohorts, config.judges
        )
        self.temperature = config.temperature
        self.step = 0
        self.log: list[dict[str, Any]] = []

    def _policy(self) -> tuple[Tokenizer, Any]:
        config = self.config
        if config.model:
            from transformers import AutoModelForCausalLM, AutoTokenizer

            tokenizer = Pretrained(AutoTokenizer.from_pretrained(config.model))
            model = AutoModelForCausalLM.from_pretrained(config.model, dtype=torch.float32)
            return tokenizer, with_lora(model, config.lora) if config.lora else model
        texts = sorted(set(self._texts()))
        bpe = config.tokenizer == "bpe"
        signs = Pieces(texts, config.vocabulary) if bpe else Characters.of(texts)
        shape = Shape(signs.size, config.width, config.layers, config.heads, config.episode_tokens)
        return signs, Decoder(shape)

    def _engine(self) -> Engine:
        config, tokens = self.config, self.tokenizer
        if config.engine == "paged":
            return Paged(self.model, tokens.pad, [tokens.end])
        if config.engine == "vllm":
            return Vllm(self.model, config.model, [tokens.end])
        return Static(self.model, tokens.pad, [tokens.end], config.microbatch, config.dtype)

    def _optimiser(self, rate: float, decay: float = 0.0) -> torch.optim.Optimizer:
        trained = [each for each in self.model.parameters() if each.requires_grad]
        fused = self.device.startswith("cuda")
        return torch.optim.AdamW(
            trained, lr=rate, weight_decay=decay, fused=fused, foreach=not fused
        )

    def _texts(self) -> Iterator[str]:
        """What is said in a few tasks of each cell, by both sides."""
        for cell in self.mixture:
            for seed in range(PROBES):
                yield from _spoken(Address.of(cell.env, seed, cell.level), self.config.style)

    # ------------------------------------------------------------------ supervised steps

    def warm_up(self, told: Callable[[int, float], None] = lambda *_: None) -> float:
        """Learns from the oracle's replies; gives the loss of the last step."""
        config, loss = self.config, 0.0
        optimiser = self._optimiser(config.warmup_rate)
        easy = self.curriculum
        if config.warmup_levels is not None:
            easy = make("uniform", cells(config.environments, config.warmup_levels), config.seed)
        for step in range(config.warmup_steps):
            for group in optimiser.param_groups:
                group["lr"] = config.warmup_rate * min(1, (step + 1) / 10)
            shown = [self._shown(address) for address in easy.draw(config.warmup_tasks)]
            batch = Batch.of(shown, self.tokenizer.pad, self.device)
            with self.mixed():
                new, _ = self.logprobs_of(self.model, batch.ids, batch.seen, 1.0, batch.mask)
            total = -new.sum() / batch.mask[:, 1:].sum()
            optimiser.zero_grad()
            total.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), config.clip_norm)
            optimiser.step()
            loss = float(total.detach())
            told(step, loss)
        return loss

    def _shown(self, address: Address) -> Rollout:
        """An episode as the oracle plays it, in the policy's place."""
        style = KNOWN[self.config.style]
        episode = Episode(address.task(), style)
        ids = self.tokenizer.opening(episode.messages())
        shown = Rollout(address, list(ids), [False] * len(ids), [0.0] * len(ids))
        for move in episode.task.solve():
            if episode.scores is not None:
                break
            reply = style.write(move)
            said = [*self.tokenizer.encode(reply), self.tokenizer.end]
            episode.hear(reply)
            for part, mine in ((said, True), (self._answer(episode), False)):
                shown.ids += part
                shown.sampled += [mine] * len(part)
        shown.ids = shown.ids[: self.config.episode_tokens]
        shown.sampled = shown.sampled[: self.config.episode_tokens]
        shown.logprobs = [0.0] * len(shown.ids)
        return shown

    def _answer(self, episode: Episode) -> list[int]:
        return [] if episode.scores is not None else self.tokenizer.answer(episode.says)

    # ------------------------------------------------------------------ steps

    def train(self, told: Callable[[Report], None] = lambda _: None) -> list[dict[str, Any]]:
        """Takes all the steps that are left."""
        config = self.config
        while self.step < config.steps:
            report, last = self.take_step(), self.step == config.steps
            if config.evaluate_every and (self.step % config.evaluate_every == 0 or last):
                report.evaluation = self.evaluate()
            self.log.append(asdict(report))
            self._write(report)
            if config.out and (last or (config.save_every and self.step % config.save_every == 0)):
                self.save(Path(config.out, CHECKPOINT))
            told(report)
        return self.log

    def take_step(self) -> Report:
        """Plays groups of rollouts and learns from them."""
        start, judged = perf_counter(), self.player.judge_s
        self.engine.sync()
        groups = self._groups()
        played = perf_counter()
        rollouts = [one for group in groups for one in group]
        rewards = torch.tensor([[self._reward(one) for one in group] for group in groups])
        self._teach_curriculum(groups)
        report = self._report(groups, rewards)
        lengths = torch.tensor([[float(one.length) for one in group] for group in groups])
        rewards = estimators.filtered(
            rewards, lengths, self.config.keep_rollouts, self.config.keep_by
        )
        if told := self._learn(groups, rewards):
            report.loss, report.clipped, report.moved, report.entropy, report.norm = told
        report.tokens = sum(one.length for one in rollouts)
        report.play_s, report.learn_s = played - start, perf_counter() - played
        report.judge_s = self.player.judge_s - judged
        self._steer(report.entropy)
        self.step += 1
        report.step = self.step
        every = self.config.reference_every
        if self.reference is not None and every and self.step % every == 0:
            self.reference.load_state_dict(self.model.state_dict())
        return report

    def _groups(self) -> list[list[Rollout]]:
        """Groups of rollouts of one task each; those of one mind may be drawn anew."""
        config = self.config
        kept: list[list[Rollout]] = []
        for again in range(config.dynamic + 1):
            wanted = self.curriculum.draw(config.groups - len(kept))
            addresses = [each for each in wanted for _ in range(config.group_size)]
            found = self.player.play(addresses, self.temperature, self.chance)
            groups = [
                found[n : n + config.group_size] for n in range(0, len(found), config.group_size)
            ]
            last = again == config.dynamic
            flat = [group for group in groups if len({one.value for one in group}) == 1]
            if not last:
                self._teach_curriculum(flat)  # those that go on are told of later
            kept += groups if last else [group for group in groups if group not in flat]
            if len(kept) >= config.groups:
                break
        number = max(1, round(config.keep_groups * len(kept)))
        if number < len(kept):
            kept.sort(key=lambda group: -_spread([one.value for one in group]))
        return kept[:number]

    def _teach_curriculum(self, groups: Sequence[Sequence[Rollout]]) -> None:
        for group in groups:
            known = [one.value for one in group if one.value is not None]
            self.curriculum.update([(group[0].address, mean(known) if known else None)])

    def _earned(self, one: Rollout) -> float | None:
        """The score of a rollout, or the part of it that is paid in its place."""
        if self.config.part and one.value is not None and one.value < 1:
            return one.parts.get(self.config.part, 0.0)
        return one.value

    def _reward(self, one: Rollout) -> float:
        """What a rollout is paid, by the arm of the experiment; not a number where nobody knows."""
        config, value = self.config, self._earned(one)
        if value is None:
            return float("nan")
        paid = {
            "true": lambda: value,
            "random": self.rng.random,
            "inverted": lambda: 1 - value,
            "format": lambda: float(one.score is not None and one.score.status == "scored"),
            "majority": lambda: value,
        }[config.reward]()
        if config.soft_overlong:
            over = one.length - (config.reply_tokens - config.soft_overlong)
            paid -= min(1.0, max(0.0, over / config.soft_overlong))
        return float(paid)

    def _advantages(self, groups: list[list[Rollout]], rewards: Tensor) -> Tensor:
        """(groups, size) advantages of whole rollouts."""
        if self.config.reward == "majority":
            agreed = torch.tensor([_agreement(group) for group in groups])
            rewards = agreed.masked_fill(rewards.isnan(), float("nan"))
        if self.config.advantage == "remax":
            addresses = [group[0].address for group in groups]
            greedy = self.player.play(addresses, 0.0, self.chance)
            # A baseline that could not be judged is not one of 0: its group teaches nothing.
            return estimators.remax(rewards, torch.tensor([self._reward(one) for one in greedy]))
        return estimators.ESTIMATORS[self.config.advantage](rewards)

    def _learn(
        self, groups: list[list[Rollout]], rewards: Tensor
    ) -> tuple[float, float, float, float, float] | None:
        """Takes gradient steps on a batch of rollouts; none where nothing has a gradient."""
        config = self.config
        rollouts = [one for group in groups for one in group]
        batch = Batch.of(rollouts, self.tokenizer.pad, self.device)
        advantage = self._advantages(groups, rewards)
        if config.by_environment:
            names = [group[0].address.env for group in groups]
            advantage = estimators.per_environment(advantage, names)
        advantage = advantage.reshape(-1, 1)
        weights = advantage.expand(-1, batch.ids.shape[1]).clone().to(self.device)
        if config.turn_level:
            self._by_turns(groups, weights)
        mask = batch.mask.clone()
        if config.mask_truncated:
            mask *= torch.tensor([[float(not one.truncated)] for one in rollouts]).to(self.device)
        mask *= (~rewards.isnan()).reshape(-1, 1).to(self.device)
        # With one update the policy is the one that sampled, and need not be asked twice.
        old = self._logprobs(self.model, batch) if config.minibatches > 1 else None
        teaching = mask * (weights != 0) if self._only_advantage() else mask
        lesson = Lesson(
            batch, mask, weights, old, self._reference(batch), teaching.any(-1).tolist()
        )
        order = list(range(len(rollouts)))
        self.rng.shuffle(order)
        size = -(-len(order) // config.minibatches)
        steps = [self._update(order[n : n + size], lesson) for n in range(0, len(order), size)]
        told = [step for step in steps if step is not None]
        return tuple(mean(column) for column in zip(*told)) if told else None

    def _by_turns(self, groups: list[list[Rollout]], weights: Tensor) -> None:
        """Puts the advantage of each turn where its tokens are."""
        row = 0
        for group in groups:
            returns = [estimators.turn_returns(one.rewards, self.config.discount) for one in group]
            for one, values in zip(group, estimators.anchored([g.states for g in group], returns)):
                weights[row] = 0
                for (start, end), value in zip(one.turns, values):
                    weights[row, start:end] = value
                row += 1

    def _reference(self, batch: Batch) -> Tensor | None:
        """What the frozen policy thinks: a copy, or the same with its adapters off."""
        if self.config.lora and self.config.loss.beta:
            with self.model.disable_adapter():
                return self._logprobs(self.model, batch)
        return None if self.reference is None else self._logprobs(self.reference, batch)

    @torch.no_grad()
    def _logprobs(self, model: Any, batch: Batch) -> Tensor:
        size = self.config.microbatch
        with self.mixed():
            parts = [
                self.logprobs_of(model, ids, seen, self.temperature, mask)[0]
                for ids, seen, mask in zip(
                    batch.ids.split(size), batch.seen.split(size), batch.mask.split(size)
                )
            ]
        return torch.cat(parts)

    def _update(
        self, places: list[int], lesson: Lesson
    ) -> tuple[float, float, float, float, float] | None:
        """One gradient step; what does not fit the memory at once is added up."""
        config = self.config
        for group in self.optimiser.param_groups:
            group["lr"] = config.rate * min(1.0, (self.step + 1) / max(1, config.rate_warmup))
        self.optimiser.zero_grad()
        # Rollouts of no gradient count in the means and need not be worked out.
        taught = [place for place in places if lesson.teaches[place]]
        parts = [
            taught[n : n + config.microbatch] for n in range(0, len(taught), config.microbatch)
        ]
        told = []
        batch, mask = lesson.batch, lesson.mask
        tokens = float(mask[places].sum()) or 1.0
        for part in parts:
            ids, seen, sampled = batch.ids[part], batch.seen[part], batch.mask[part]
            with self.mixed():
                new, entropy = self.logprobs_of(self.model, ids, seen, self.temperature, sampled)
            chosen = mask[part][:, 1:]
            before = new.detach() if lesson.old is None else lesson.old[part]
            result = policy_loss(
                new, before, batch.logprobs[part][:, 1:], entropy, lesson.weights[part][:, 1:],
                chosen, config.loss,
                None if lesson.reference is None else lesson.reference[part],
            )  # fmt: skip
            by_tokens = config.loss.aggregation == "token"
            share = float(chosen.sum()) / tokens if by_tokens else len(part) / len(places)
            (result.loss * share).backward()
            told.append((float(result.loss.detach()), result.clipped, result.moved, result.entropy))
        if not told:
            return None
        norm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), config.clip_norm)
        self.optimiser.step()
        loss, clipped, moved, entropy = (mean(column) for column in zip(*told))
        return loss, clipped, moved, entropy, float(norm)

    def _only_advantage(self) -> bool:
        """Whether a token whose advantage is 0 has no gradient at all."""
        loss = self.config.loss
        return loss.tokens == "all" and not loss.beta

    def _steer(self, entropy: float | None) -> None:
        """Warms sampling up where the policy is surer than it should be, and cools it down."""
        target = self.config.entropy_target
        if target and entropy is not None:
            self.temperature *= 1.02 if entropy < target else 0.98
            self.temperature = min(2.0, max(0.5, self.temperature))

    def _report(self, groups: list[list[Rollout]], rewards: Tensor) -> Report:
        rollouts = [one for group in groups for one in group]
        known = [one.value for one in rollouts if one.value is not None]
        return Report(
            step=self.step,
            reward=float(torch.nan_to_num(rewards.nanmean())),
            correct=mean(value == 1 for value in known) if known else 0.0,
            unscored=len(rollouts) - len(known),
            flat=mean(len({one.value for one in group}) == 1 for group in groups),
            length=mean(one.length for one in rollouts),
            truncated=mean(one.truncated for one in rollouts),
        )

    # ------------------------------------------------------------------ evaluation

    def evaluate(self, tasks: int | None = None, temperature: float | None = None) -> float:
        """The mean score on reserved seeds, spread over all cells, at a temperature; of what could
        be judged.
        """
        earned = [self._earned(one) for one in self.reserved(tasks, temperature)]
        known = [value for value in earned if value is not None]
        return mean(known) if known else float("nan")

    def reserved(
        self, tasks: int | None = None, temperature: float | None = None, samples: int = 1
    ) -> list[Rollout]:
        """Rollouts on reserved seeds, spread over all cells; those of a task follow each other."""
        number = tasks or self.config.evaluate_tasks
        addresses = [
            Address.of(cell.env, n, cell.level, "eval")
            for n in range(-(-number // len(self.mixture)))
            for cell in self.mixture
        ][:number]
        heat = self.temperature if temperature is None else temperature
        chance = torch.Generator(self.device).manual_seed(self.config.seed + 1)
        self.engine.sync()
        return self.player.play([one for one in addresses for _ in range(samples)], heat, chance)

    # ------------------------------------------------------------------ keeping

    def save(self, file: Path) -> None:
        """Keeps all that the next step depends on."""
        file.parent.mkdir(parents=True, exist_ok=True)
        fresh = file.with_suffix(".new")
        torch.save(
            {
                "model": self.model.state_dict(),
                "optimiser": self.optimiser.state_dict(),
                "reference": None if self.reference is None else self.reference.state_dict(),
                "chance": self.chance.get_state(),
                "torch": torch.get_rng_state(),
                "rng": json.dumps(self.rng.getstate()),
                "curriculum": json.dumps(self.curriculum.state()),
                "step": self.step,
                "temperature": self.temperature,
                "log": json.dumps(self.log),
                "manifest": json.dumps(self.manifest()),
            },
            fresh,
        )
        fresh.replace(file)  # a run that is killed meanwhile leaves the one before

    def restore(self, file: Path) -> None:
        """Goes on from a checkpoint, which holds tensors and text and cannot execute.

        Raises ``ValueError`` for one of a run that was told other things.
        """
        held = torch.load(file, map_location=self.device, weights_only=True)
        before = Config.read(json.loads(held["manifest"])["config"]).plain()
        mine = self.config.plain()
        if odd := [name for name in mine if name not in FREE and mine[name] != before[name]]:
            raise ValueError(f"the run that is kept there has another {odd[0]}: {before[odd[0]]!r}")
        self.model.load_state_dict(held["model"])
        self.optimiser.load_state_dict(held["optimiser"])
        if self.reference is not None and held["reference"] is not None:
            self.reference.load_state_dict(held["reference"])
        self.chance.set_state(held["chance"].cpu())
        torch.set_rng_state(held["torch"].cpu())
        version, numbers, carried = json.loads(held["rng"])
        self.rng.setstate((version, tuple(numbers), carried))
        self.curriculum.restore(json.loads(held["curriculum"]))
        self.step, self.temperature = held["step"], held["temperature"]
        self.log = json.loads(held["log"])

    def manifest(self) -> dict[str, Any]:
        """What it takes to know a run again."""
        return {
            "palaestra": __version__,
            "torch": torch.__version__,
            "config": self.config.plain(),
            "fingerprints": {
                cell.env: catalog().get(cell.env, {}).get("fingerprint") for cell in self.mixture
            },
            "parameters": sum(each.numel() for each in self.model.parameters()),
        }

    def _write(self, report: Report) -> None:
        if self.config.out:
            folder = Path(self.config.out)
            folder.mkdir(parents=True, exist_ok=True)
            with (folder / LOG).open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(report)) + "\n")


def _spread(values: list[float | None]) -> float:
    known = [value for value in values if value is not None]
    return max(known) - min(known) if known else 0.0


def _agreement(group: list[Rollout]) -> list[float]:
    """1 for the replies that most of a group gave, the reward of those who know no answers."""
    said = [one.reply.strip() for one in group]
    most = max(said, key=said.count)
    return [float(reply == most) for reply in said]


def _spoken(address: Address, style: str) -> Iterator[str]:
    """What is said in a task that its oracle plays."""
    episode = Episode(address.task(), KNOWN[style])
    yield from (message["content"] for message in episode.messages())
    for move in episode.task.solve():
        if episode.scores is not None:
            break
        reply = KNOWN[style].write(move)
        yield reply
        episode.hear(reply)
        yield episode.says
