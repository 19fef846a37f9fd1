"""What a run is made of, from its configuration: demonstrations, policy, limits, engine."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import cos, pi
from typing import Any

import torch

from palaestra.address import Address
from palaestra.episode import ANSWER_FORMATS, BARE, AnswerFormat, Episode
from palaestra.trainers.chat_tokens import ChatTokens
from palaestra.trainers.curricula import Cell
from palaestra.trainers.engines import Engine, Paged, Static, Vllm, default_engine
from palaestra.trainers.grpo.config import Config
from palaestra.trainers.grpo.rollouts import Limits, Rollout
from palaestra.trainers.models.decoder import Decoder, Shape
from palaestra.trainers.models.policies import checkpoint_layers, compile_layers, with_lora
from palaestra.trainers.models.tokens import Characters, Pieces, Tokenizer

ANSWER_FORMAT_OF = {**ANSWER_FORMATS, "silent": AnswerFormat("silent", "", BARE.read, BARE.write)}
"""The answer formats of episodes, and one for small models, which need no rule of how to reply."""

PROBES = 40
"""Tasks of each cell from which the alphabet of a small decoder and the default limits come."""

PROBES_OF_A_MODEL = 4
"""The same where there is a model of transformers, which has an alphabet."""

REPLY_TOKENS = 1024
"""The longest reply of a model of transformers, unless given."""


@dataclass(frozen=True, slots=True)
class Demonstration:
    """An episode as the oracle plays it: the opening chat, and each reply with what the task says
    to it, which is empty after the last one.
    """

    address: Address
    messages: list[dict[str, str]]
    turns: list[tuple[str, str]]

    @classmethod
    def of(cls, address: Address, answer_format: AnswerFormat) -> "Demonstration":
        """Plays a task by its oracle."""
        episode = Episode(address.task(), answer_format)
        messages, turns = episode.messages(), []
        for move in episode.task.solve():
            if episode.scores is not None:
                break
            reply = answer_format.write(move)
            episode.step(reply)
            turns.append((reply, "" if episode.scores is not None else episode.observation))
        return cls(address, messages, turns)

    def texts(self) -> Iterator[str]:
        """All that is written in it, by both sides."""
        yield from (message["content"] for message in self.messages)
        for turn in self.turns:
            yield from turn

    def rollout(self, tokenizer: Tokenizer, longest: int) -> Rollout:
        """It as tokens, cut at ``longest`` of them."""
        rollout = Rollout(self.address, [], [], [])
        rollout.append(tokenizer.encode_prompt(self.messages))
        for reply, observation in self.turns:
            ids = tokenizer.encode_reply(reply)
            rollout.append(ids, [0.0] * len(ids))
            if observation:
                rollout.append(tokenizer.encode_observation(observation, ids))
        for column in (rollout.ids, rollout.sampled, rollout.logprobs):
            del column[longest:]
        return rollout


def demonstrations(config: Config, mixture: Sequence[Cell]) -> list[Demonstration]:
    """A few of each cell."""
    number = PROBES_OF_A_MODEL if config.model else PROBES
    return [
        Demonstration.of(
            Address.of(cell.env, seed, cell.level), ANSWER_FORMAT_OF[config.answer_format]
        )
        for cell in mixture
        for seed in range(number)
    ]


def make_tokenizer(config: Config, shown: Sequence[Demonstration]) -> Tokenizer:
    """The model's tokenizer, or one of the texts that are shown."""
    if config.model:
        return ChatTokens.load(config.model, config.chat_template_options)
    texts = sorted({text for one in shown for text in one.texts()})
    return Pieces(texts, config.vocabulary) if config.tokenizer == "bpe" else Characters.of(texts)


def make_limits(config: Config, tokenizer: Tokenizer, shown: Sequence[Demonstration]) -> Limits:
    """How long replies and episodes may get: as given, or by what was shown.

    Unless given, a reply may be twice as long as the oracle's longest one (of a model of
    transformers, 1,024 tokens), and an episode twice as long as its longest one with such replies.
    Raises ``ValueError`` where a prompt leaves no room for a reply.
    """
    prompts = [len(tokenizer.encode_prompt(one.messages)) for one in shown]
    replies = [[len(tokenizer.encode_reply(reply)) for reply, _ in one.turns] for one in shown]
    longest = max((max(each, default=1) for each in replies), default=1)
    reply = config.max_reply_tokens or (REPLY_TOKENS if config.model else 2 * longest)
    if config.max_episode_tokens:
        episode = config.max_episode_tokens
    else:
        lengths = [len(one.rollout(tokenizer, 1 << 40).ids) for one in shown]
        rest = (
            2 * length + len(lengths_of_replies) * reply
            for length, lengths_of_replies in zip(lengths, replies, strict=True)
        )
        episode = max(rest, default=reply)
    for size, one in zip(prompts, shown, strict=True):
        if size >= episode:
            raise ValueError(
                f"max_episode_tokens is {episode}, and the prompt of {one.address} alone has"
                f" {size} tokens: no reply would be sampled"
            )
    return Limits(reply, episode, config.max_turns)


def make_model(config: Config, tokenizer: Tokenizer, limits: Limits, device: str) -> Any:
    """The policy's model on its device: of transformers, or a small decoder of random weights."""
    if config.model:
        from transformers import AutoModelForCausalLM

        model = AutoModelForCausalLM.from_pretrained(config.model, dtype=torch.float32)
        model = with_lora(model, config.lora_rank) if config.lora_rank else model
    else:
        model = Decoder(
            Shape(tokenizer.vocabulary_size, config.width, config.layers, config.heads,
                  limits.episode)
        )  # fmt: skip
    model.to(device)
    if config.gradient_checkpointing:
        checkpoint_layers(model)
    if config.compile:
        compile_layers(model)
    return model


def make_engine(
    config: Config, model: Any, tokenizer: Tokenizer, device: str, limits: Limits
) -> Engine:
    """What samples."""
    name = config.engine if config.engine != "auto" else default_engine(device, model)
    if name == "paged":
        return Paged(model, tokenizer.pad_id, tokenizer.stop_ids, config.dtype)
    if name == "vllm":
        return Vllm(
            model, config.model, tokenizer.stop_ids, limits.episode, config.dtype, config.seed
        )
    return Static(model, tokenizer.pad_id, tokenizer.stop_ids, config.sampling_batch, config.dtype)


def make_optimizer(model: Any, learning_rate: float, weight_decay: float) -> torch.optim.Optimizer:
    """AdamW over what is trained."""
    trained = [each for each in model.parameters() if each.requires_grad]
    fused = trained[0].is_cuda
    return torch.optim.AdamW(
        trained, lr=learning_rate, weight_decay=weight_decay, fused=fused, foreach=not fused
    )


def learning_rate_at(config: Config, step: int) -> float:
    """The learning rate of a step, from 0 on: it rises for ``learning_rate_warmup`` steps, and then
    stays, or falls to 0 after the last step in a line or half a cosine.
    """
    rising = config.learning_rate_warmup
    if step < rising:
        return config.learning_rate * (step + 1) / rising
    done = min(1.0, (step - rising) / max(1, config.steps - rising))
    share = {"constant": 1.0, "linear": 1 - done, "cosine": (1 + cos(pi * done)) / 2}
    return config.learning_rate * share[config.learning_rate_schedule]
