"""The options of a training run, in one place; ``palaestra train --template`` writes them down."""

import json
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from palaestra.extras import needs
from palaestra.trainers.grpo.recipes import RECIPES

Ratio = Literal["token", "sequence"]
Surrogate = Literal["clip", "unclipped", "cispo", "geometric", "reinforce"]
Tokens = Literal["all", "top_entropy", "clip_cov", "kl_cov"]
Aggregation = Literal["token", "sequence", "sum", "constant"]
Advantage = Literal[
    "grpo", "dr_grpo", "gfpo", "rloo", "reinforce++", "reinforce++_baseline", "lite_ppo", "remax",
    "gigpo", "pass@2", "pass@4", "pass@8",
]  # fmt: skip
Positive = Annotated[int, Field(ge=1, le=1_000_000_000)]
Count = Annotated[int, Field(ge=0, le=1_000_000_000)]
Share = Annotated[float, Field(ge=0, le=1)]
SomeShare = Annotated[float, Field(gt=0, le=1)]
Weight = Annotated[float, Field(ge=0, le=1e6)]

SEQUENCE_BOUND = 0.05
"""The ratio of a sequence is a mean over its tokens, and hardly ever further from 1 than this."""


def _option(default: Any, about: str) -> Any:
    return Field(default, description=about)


class _Options(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Loss(_Options):
    """What the loss is made of; :mod:`palaestra.trainers.grpo.losses` has each with its paper."""

    ratio: Ratio = _option("token", "importance ratio: per token, or sequence (GSPO)")
    surrogate: Surrogate = _option(
        "clip", "clip (PPO), unclipped, cispo, geometric (GMPO), or reinforce, without a ratio"
    )
    tokens: Tokens = _option("all", "tokens that contribute: all, top_entropy, clip_cov or kl_cov")
    aggregation: Aggregation = _option(
        "token", "mean over tokens (DAPO), over means of a sequence (GRPO), over a sum of a"
        " sequence (RLOO), or over such sums divided by a constant (Dr.GRPO)",
    )  # fmt: skip
    clip_low: Share = _option(0.2, "how far the ratio may fall below 1 before it is clipped")
    clip_high: Weight = _option(0.28, "how far the ratio may rise above 1 before it is clipped")
    dual_clip: Weight = _option(
        0.0, "upper bound of the weight of a token with negative advantage, such as 3; 0 for none"
    )
    constant_length: Count = _option(0, "divisor of aggregation: constant; 0 for max_reply_tokens")
    top_entropy_share: SomeShare = _option(
        0.2, "fraction of tokens with the highest entropy that contribute"
    )
    clip_cov_share: SomeShare = _option(2e-4, "fraction of tokens that clip_cov leaves out")
    clip_cov_low: Weight = _option(1.0, "minimum covariance of these tokens")
    clip_cov_high: Weight = _option(5.0, "maximum covariance of these tokens")
    kl_cov_share: SomeShare = _option(2e-3, "fraction of tokens that kl_cov penalises")
    kl_cov_coef: Weight = _option(1.0, "weight of the penalty of kl_cov")
    kl: Literal["k2", "k3"] = _option("k3", "estimator of the divergence from the reference")
    kl_coef: Weight = _option(0.0, "weight of the divergence in the loss; 0 for no reference")
    entropy_coef: Weight = _option(0.0, "weight of the entropy bonus")
    importance: Literal["auto", "none", "truncate", "mask"] = _option(
        "auto", "correction of engines whose probabilities differ from the trainer's: truncate"
        " (TIS), mask, none, or auto, which truncates for engines of another precision",
    )  # fmt: skip
    importance_cap: float = Field(
        2.0, ge=1, le=1e6, description="maximum importance weight of a token"
    )

    @model_validator(mode="before")
    @classmethod
    def _explain_k1(cls, values: Any) -> Any:
        if isinstance(values, Mapping) and values.get("kl") == "k1":
            raise ValueError(
                "k1 as a loss has an expected gradient of zero; take k2 or k3, or kl_in_reward"
            )
        return values

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.ratio == "sequence" and self.surrogate != "clip":
            raise ValueError("ratio: sequence is for surrogate: clip")
        if self.ratio == "sequence" and max(self.clip_low, self.clip_high) > SEQUENCE_BOUND:
            raise ValueError(
                f"with ratio: sequence, clip_low and clip_high are at most {SEQUENCE_BOUND}"
                f" (the paper has 3e-4 and 4e-4): {self.clip_low:g} and {self.clip_high:g} would"
                " never clip"
            )
        whole = self.ratio == "sequence" or self.surrogate == "geometric"
        if whole and self.aggregation != "sequence":
            raise ValueError("a ratio of a whole sequence goes with aggregation: sequence")
        if whole and self.tokens != "all":
            raise ValueError(f"tokens: {self.tokens} goes with a ratio per token")
        if self.dual_clip and (self.dual_clip <= 1 or self.surrogate != "clip"):
            raise ValueError("dual_clip is above 1, and for surrogate: clip")
        if self.tokens == "kl_cov" and self.surrogate != "unclipped":
            raise ValueError("tokens: kl_cov takes the place of clipping: surrogate: unclipped")
        if self.clip_cov_low > self.clip_cov_high:
            raise ValueError("clip_cov_low is at most clip_cov_high")
        return self


class Config(_Options):
    """A run. Every field has a default, bounds where there are any, and an explanation."""

    environments: dict[str, float] = _option(
        {"algorithms/sort_six": 1.0}, "environments and their weights in the mixture"
    )
    levels: tuple[Count, ...] | None = _option(None, "levels to sample from; default: all")
    answer_format: Literal["bare", "tags", "boxed", "silent"] = _option(
        "bare", "how answers are marked: bare, tags, boxed or silent"
    )
    curriculum: str = _option("uniform", "how tasks are selected; see palaestra.trainers.curricula")
    curriculum_options: dict[str, Any] = _option({}, "options of the curriculum")

    model: str = _option("", "Hugging Face model by path or name; if empty, a small decoder")
    chat_template_options: dict[str, Any] = _option({}, "options of the model's chat template")
    tokenizer: Literal["characters", "bpe"] = _option(
        "characters", "tokenizer of the small decoder"
    )
    vocabulary: Positive = _option(512, "vocabulary size of bpe")
    width: Positive = _option(64, "width of the small decoder")
    layers: Positive = _option(2, "layers of the small decoder")
    heads: Positive = _option(4, "attention heads of the small decoder")
    dtype: Literal["float32", "bfloat16"] = _option(
        "float32", "precision of computation: float32, or bfloat16 with float32 weights"
    )
    compile: bool = _option(False, "compile layers and losses; worthwhile on a GPU")
    gradient_checkpointing: bool = _option(
        False, "recompute activations for the gradient, to save memory"
    )
    lora_rank: Annotated[int, Field(ge=0, le=4096)] = _option(
        0, "rank of LoRA adapters (PEFT); 0 trains all weights"
    )
    engine: Literal["auto", "static", "paged", "vllm"] = _option(
        "auto", "sampling engine: static, paged (transformers), vllm, or auto, by the device"
    )
    sampling_batch: Positive = _option(256, "sequences that the static engine samples in parallel")
    device: str = _option("", "cpu or cuda; default: cuda if available")
    cohorts: Annotated[int, Field(ge=1, le=64)] = _option(
        1, "parts of a batch; while one is judged, the next one is sampled"
    )
    judge_threads: Annotated[int, Field(ge=1, le=1024)] = _option(
        2, "minimum number of threads that judge expensive tasks, such as programs"
    )

    warmup_steps: Count = _option(
        80, "supervised steps on the oracle's replies, before policy optimisation"
    )
    warmup_levels: tuple[Count, ...] | None = _option(
        None, "levels of the supervised steps; default: all"
    )
    warmup_learning_rate: Share = _option(3e-3, "learning rate of the supervised steps")
    warmup_tasks: Positive = _option(64, "tasks in each supervised step")

    recipe: str = _option("", f"algorithm by name: {', '.join(RECIPES)}")
    steps: Count = _option(120, "steps of policy optimisation")
    groups: Positive = _option(64, "tasks in each step")
    group_size: Positive = _option(8, "rollouts of each task")
    temperature: float = Field(1.0, ge=0.01, le=10, description="sampling temperature")
    max_reply_tokens: Positive | None = _option(
        None, "maximum length of a reply; default: from the oracle's replies, or 1,024 for a model"
    )
    max_episode_tokens: Positive | None = _option(
        None, "maximum length of an episode with its prompt; default: from the mixture's tasks"
    )
    max_turns: Positive = _option(16, "maximum number of replies in an episode")
    dynamic_sampling: Annotated[int, Field(ge=0, le=1000)] = _option(
        0, "how often to resample groups of equal rewards (DAPO); 0 for never"
    )
    pass_rate_low: Share = _option(
        0.0, "groups with a lower fraction of right rollouts are not used"
    )
    pass_rate_high: Share = _option(
        1.0, "groups with a higher fraction of right rollouts are not used"
    )
    keep_groups: float = Field(
        1.0,
        ge=0.01,
        le=1,
        description="fraction of groups to keep: those with the largest spread of rewards",
    )
    keep_rollouts: Count = _option(0, "rollouts of each group to use (GFPO); 0 for all")
    keep_by: Literal["length", "efficiency"] = _option(
        "length", "rollouts to keep: the shortest (length), or most reward per token (efficiency)"
    )
    mask_truncated: bool = _option(True, "ignore truncated replies and episodes (DAPO)")

    reward: str = _option(
        "true",
        "true; a control arm: random, inverted, format; majority; or a group verifier:"
        " pairwise, tournament",
    )
    reward_part: str = _option("", "part of the score that serves as the reward of wrong replies")
    reward_recipe: dict[str, Any] = _option(
        {}, "recipe that shapes the reward, and its target; see palaestra.trainers.rewards"
    )
    reward_options: dict[str, Any] = _option(
        {}, "options of majority (quorum, trusted) or of a group verifier (judge)"
    )
    overlong_buffer: Count = _option(
        0, "tokens before max_reply_tokens at which the length penalty begins (DAPO)"
    )

    advantage: Advantage = _option(
        "grpo", "estimator of advantages; see palaestra.trainers.grpo.advantages"
    )
    normalize_by_environment: bool = _option(
        False, "scale the advantages of each environment to the same size"
    )
    discount: Share = _option(0.95, "discount of the rewards of later turns (gigpo)")
    step_advantage_weight: Weight = _option(1.0, "weight of the advantage of a turn (gigpo)")
    step_advantage_norm: Literal["std", "none"] = _option(
        "std", "divisor of advantages of gigpo: std, or none"
    )
    kl_in_reward: Weight = _option(
        0.0, "weight of the divergence from the reference (k1) that is subtracted from the reward"
    )
    loss: Loss = Field(default_factory=Loss, description="options of the loss")
    learning_rate: Share = _option(5e-4, "learning rate of AdamW")
    learning_rate_warmup: Count = _option(10, "steps in which the learning rate rises to its value")
    learning_rate_schedule: Literal["constant", "linear", "cosine"] = _option(
        "constant", "schedule of the learning rate after the warm-up"
    )
    weight_decay: Share = _option(0.0, "weight decay of AdamW")
    max_grad_norm: float = Field(1.0, gt=0, le=1e6, description="maximum norm of the gradient")
    minibatches: Annotated[int, Field(ge=1, le=10_000)] = _option(
        1, "updates for each batch of rollouts; with 1, no ratio is clipped"
    )
    microbatch_tokens: Positive = _option(
        16_384, "maximum number of tokens, with padding, in one forward pass"
    )
    max_logprob_gap: float = Field(
        0.5, gt=0, le=100,
        description="difference in nats per token between engine and trainer that ends a run",
    )  # fmt: skip
    reference_sync: Count = _option(
        0, "steps between updates of the reference to the policy; 0 for never"
    )
    entropy_target: Weight = _option(
        0.0, "entropy in nats at which the temperature is controlled; 0 for no control"
    )

    eval_every: Count = _option(20, "steps between evaluations on held-out seeds")
    eval_tasks: Positive = _option(
        128, "tasks of each evaluation, distributed over environments and levels"
    )
    eval_samples: Positive = _option(4, "attempts at each task in the last evaluation, for pass@k")
    save_every: Count = _option(50, "steps between checkpoints; 0 for only the last")
    log_to: tuple[Literal["tensorboard", "wandb"], ...] = _option(
        (), "additional logs: tensorboard, wandb"
    )
    seed: Count = _option(0, "seed of all randomness")
    threads: Annotated[int, Field(ge=1, le=1024)] = _option(
        1, "processor threads; 1 is fastest for small models"
    )
    out: str = _option("", "folder for logs, plots and checkpoints; none if empty")

    @model_validator(mode="before")
    @classmethod
    def _with_recipe(cls, values: Any) -> Any:
        """The settings of the recipe, beneath those that are given."""
        name = values.get("recipe") if isinstance(values, Mapping) else None
        if not name:
            return values
        if name not in RECIPES:
            raise ValueError(f"no recipe {name!r}{_near(str(name), RECIPES)}")
        options = dict(values)
        if isinstance(options.get("loss"), Loss):
            options["loss"] = options["loss"].model_dump(exclude_unset=True)
        return merged(RECIPES[name].settings, options)

    @model_validator(mode="after")
    def _check(self) -> Self:
        """Refuses options that contradict each other."""
        for held, sentence in self._contradictions():
            if held:
                raise ValueError(sentence)
        return self

    def _contradictions(self) -> list[tuple[bool, str]]:
        loss, alone = self.loss, self.advantage in {"remax", "reinforce++"}
        best_of = int(self.advantage.removeprefix("pass@")) if "pass@" in self.advantage else 0
        whole = loss.ratio == "sequence" or loss.surrogate == "geometric"
        reference = loss.kl_coef or self.kl_in_reward
        return [
            (self.group_size < 2 and not alone and self.steps > 0,
             f"advantage: {self.advantage} compares rollouts of a group: group_size is 2 or more"),
            (best_of > self.group_size,
             f"advantage: {self.advantage} wants a group_size of {best_of} or more"),
            (0 < self.keep_rollouts < best_of,
             f"advantage: {self.advantage} wants keep_rollouts of {best_of} or more"),
            (0 < self.group_size <= self.keep_rollouts,
             "keep_rollouts is below group_size"),
            (self.keep_rollouts == 1, "keep_rollouts of 1 leaves nothing to compare"),
            (self.minibatches > self.groups * self.group_size,
             "there are fewer rollouts than minibatches"),
            (loss.tokens == "kl_cov" and self.minibatches == 1,
             "tokens: kl_cov does nothing before a second update: minibatches is 2 or more"),
            (self.advantage == "remax" and (self.dynamic_sampling > 0 or self.keep_groups < 1),
             "remax learns from groups of equal rewards, too: no dynamic_sampling, no keep_groups"),
            (self.group_size == 1 and (self.dynamic_sampling > 0 or self.keep_groups < 1),
             "a group_size of 1 has equal rewards: no dynamic_sampling, no keep_groups"),
            (self.advantage == "gigpo" and whole,
             "gigpo has an advantage for each turn, and wants a ratio per token"),
            (self.normalize_by_environment
             and self.advantage in {"gigpo", "reinforce++", "reinforce++_baseline"},
             f"normalize_by_environment is for advantages of whole rollouts, not {self.advantage}"),
            (self.advantage in {"gigpo", "remax", "reinforce++"} and self.keep_rollouts > 0,
             f"{self.advantage} learns from all rollouts: no keep_rollouts"),
            (self.pass_rate_low > self.pass_rate_high, "pass_rate_low is above pass_rate_high"),
            (self.max_reply_tokens is not None and self.overlong_buffer > self.max_reply_tokens,
             "overlong_buffer is at most max_reply_tokens"),
            (bool(self.lora_rank) and not self.model,
             "lora_rank is for models of transformers, and no model is given"),
            (self.engine in {"paged", "vllm"} and not self.model,
             f"engine: {self.engine} is for models of transformers, and no model is given"),
            (bool(self.chat_template_options) and not self.model,
             "chat_template_options are for models of transformers, and no model is given"),
            (self.reference_sync > 0 and (bool(self.lora_rank) or not reference),
             "reference_sync copies the policy: it wants kl_coef or kl_in_reward, no lora_rank"),
            (self.width % self.heads != 0 or self.width // self.heads % 2 != 0,
             "width is a multiple of twice the heads"),
        ]  # fmt: skip

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> "Config":
        """A configuration from plain values, such as a YAML file holds.

        Raises ``ValueError`` with a line for each value that is wrong: names that there are not,
        with the nearest ones; types; bounds; options that contradict each other.
        """
        try:
            return cls.model_validate(dict(values))
        except ValidationError as error:
            raise ValueError("; ".join(map(_sentence, error.errors()))) from None

    @classmethod
    def load(cls, file: Path, changes: Mapping[str, Any] | None = None) -> "Config":
        """A configuration from a file, with some changes."""
        with needs("yaml", "PyYAML"):
            import yaml

        values = yaml.safe_load(file.read_text("utf-8")) or {}
        if not isinstance(values, dict):
            raise ValueError(f"{file} is no mapping of options")  # noqa: TRY004  a bad value
        return cls.read(merged(values, changes or {}))

    def plain(self) -> dict[str, Any]:
        """The same as plain values, of which JSON and YAML can be made."""
        return self.model_dump(mode="json")

    def changed(self, **changes: Any) -> "Config":
        """The same with some options changed; those of ``loss`` one by one."""
        return self.read(merged(self.plain(), changes))


def _near(name: str, known: Any) -> str:
    """What a name was perhaps meant to be."""
    near = get_close_matches(name, known, 3, 0.5) or sorted(known)
    return f"; perhaps {', '.join(near)}"


def _sentence(error: Any) -> str:
    name = ".".join(map(str, error["loc"]))
    if error["type"] == "extra_forbidden":
        section = Loss if error["loc"][0] == "loss" else Config
        return f"no option {name}{_near(str(error['loc'][-1]), section.model_fields)}"
    if error["type"] == "value_error":
        return f"{name}: {error['ctx']['error']}" if name else str(error["ctx"]["error"])
    return f"{name}: {error['msg'][0].lower()}{error['msg'][1:]}, not {error['input']!r:.60}"


def merged(values: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Options with some changed; those of the loss one by one."""
    both = values.get("loss", {}), changes.get("loss", {})
    if all(isinstance(each, Mapping) for each in both):
        return {**values, **changes, "loss": {**both[0], **both[1]}}
    return {**values, **changes}


def explained() -> list[tuple[str, Any, str]]:
    """Every option with its default and what it means; those of the loss as ``loss.…``."""
    plain = Config().plain()
    rows = [(name, plain[name], str(each.description))
            for name, each in Config.model_fields.items() if name != "loss"]  # fmt: skip
    return rows + [
        (f"loss.{name}", plain["loss"][name], str(each.description))
        for name, each in Loss.model_fields.items()
    ]


def template() -> str:
    """All options as YAML, with their defaults and what they mean."""
    lines, inside = ["# A training run; every option is optional."], False
    for name, default, about in explained():
        _, dot, rest = name.rpartition(".")
        if dot and not inside:
            lines.append("loss:")
            inside = True
        lines.append(f"{'  ' if dot else ''}{rest}: {json.dumps(default)}  # {about}")
    return "\n".join([*lines, ""])
