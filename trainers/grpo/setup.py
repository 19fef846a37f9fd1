"""The parts of a run, from its configuration: demonstrations, policy, limits, engine."""

from collections.abc import Sequence
from math import cos, pi
from typing import Any

import torch

from palaestra.address import Address
from palaestra.episode import ANSWER_FORMATS, BARE, AnswerFormat
from palaestra.trainers.chat_tokens import ChatTokens
from palaestra.trainers.curricula import Cell
from palaestra.trainers.demonstrations import Demonstration, shown_by_oracle
from palaestra.trainers.engines import Engine, Paged, Static, Vllm, default_engine
from palaestra.trainers.grpo.config import Config
from palaestra.trainers.grpo.rollouts import Limits
from palaestra.trainers.models.decoder import Decoder, Shape
from palaestra.trainers.models.policies import checkpoint_layers, compile_layers, with_lora
from palaestra.trainers.models.tokens import Characters, Phrases, Pieces, Tokenizer

ANSWER_FORMAT_OF = {**ANSWER_FORMATS, "silent": AnswerFormat("silent", "", BARE.read, BARE.write)}
"""The answer formats of episodes, and one without instructions, for small models."""

PROBES = 40
"""Tasks of each cell that determine the alphabet of a small decoder and the default limits."""

PROBES_OF_A_MODEL = 4
"""The same for a model of transformers, which has a tokenizer."""

REPLY_TOKENS = 1024
"""Default maximum length of a reply of a model of transformers."""


def demonstrations(config: Config, mixture: Sequence[Cell]) -> list[Demonstration]:
    """Return a few demonstrations of each cell."""
    number = PROBES_OF_A_MODEL if config.model else PROBES
    answer_format = ANSWER_FORMAT_OF[config.answer_format]
    return [
        shown
        for cell in mixture
        for seed in range(number)
        for shown in shown_by_oracle(
            Address.of(cell.env, seed, cell.level), answer_format, config.self_play
        )
    ]


def make_tokenizer(config: Config, shown: Sequence[Demonstration]) -> Tokenizer:
    """Return the model's tokenizer, or one trained on the demonstrations."""
    if config.model:
        return ChatTokens.load(config.model, config.chat_template_options)
    if config.tokenizer == "phrases":
        return Phrases.learn(
            (text for one in shown for text in one.observations()),
            (reply for one in shown for reply, _ in one.turns),
        )
    texts = sorted({text for one in shown for text in one.texts()})
    return Pieces(texts, config.vocabulary) if config.tokenizer == "bpe" else Characters.of(texts)


def make_limits(config: Config, tokenizer: Tokenizer, shown: Sequence[Demonstration]) -> Limits:
    """Return the limits of replies and episodes, by options or by demonstrations.

    By default a reply may be twice as long as the oracle's longest one (for a model of
    transformers, 1,024 tokens), and an episode twice as long as the longest demonstration with
    such replies. Raises ``ValueError`` if a prompt leaves no room for a reply.
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
    """Return the policy: a model of transformers, or a small decoder with random weights."""
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
    """Return the engine that the options select."""
    name = config.engine if config.engine != "auto" else default_engine(device, model)
    if name == "paged":
        return Paged(model, tokenizer.pad_id, tokenizer.stop_ids, config.dtype)
    if name == "vllm":
        return Vllm(
            model, config.model, tokenizer.stop_ids, limits.episode, config.dtype, config.seed
        )
    return Static(model, tokenizer.pad_id, tokenizer.stop_ids, config.sampling_batch, config.dtype)


def make_optimizer(model: Any, learning_rate: float, weight_decay: float) -> torch.optim.Optimizer:
    """Return AdamW for the weights that are trained."""
    trained = [each for each in model.parameters() if each.requires_grad]
    fused = trained[0].is_cuda
    return torch.optim.AdamW(
        trained, lr=learning_rate, weight_decay=weight_decay, fused=fused, foreach=not fused
    )


def learning_rate_at(config: Config, step: int) -> float:
    """Return the learning rate of a step, counted from 0.

    It rises for ``learning_rate_warmup`` steps, and then stays constant, or falls to 0 after the
    last step, linearly or as half a cosine.
    """
    rising = config.learning_rate_warmup
    if step < rising:
        return config.learning_rate * (step + 1) / rising
    done = min(1.0, (step - rising) / max(1, config.steps - rising))
    share = {"constant": 1.0, "linear": 1 - done, "cosine": (1 + cos(pi * done)) / 2}
    return config.learning_rate * share[config.learning_rate_schedule]
