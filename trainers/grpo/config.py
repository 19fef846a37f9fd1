"""The options of a training run; ``palaestra train --template`` writes them as YAML."""

import json
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from palaestra.extras import needs
from palaestra.trainers.curricula import FORMS_OF_LEVELS, Levels
from palaestra.trainers.grpo.recipes import RECIPES
from palaestra.trainers.variants import Variants

Aggregation = Literal["token", "sequence", "sum", "constant"]
Advantage = Literal[
    "grpo", "dr_grpo", "gfpo", "rloo", "reinforce++", "reinforce++_baseline", "lite_ppo", "remax",
    "gigpo", "pass@2", "pass@4", "pass@8", "role",
]  # fmt: skip
Positive = Annotated[int, Field(ge=1, le=1_000_000_000)]
Count = Annotated[int, Field(ge=0, le=1_000_000_000)]
Threads = Annotated[int, Field(ge=1, le=1024)]
Share = Annotated[float, Field(ge=0, le=1)]
PositiveShare = Annotated[float, Field(gt=0, le=1)]
Weight = Annotated[float, Field(ge=0, le=1e6)]

SEQUENCE_BOUND = 0.05
"""Largest useful clip bound of a sequence's ratio, which is a mean over tokens and stays near 1."""

Rules = Iterable[tuple[object, str]]
"""Conditions that contradict each other if true, each with the sentence that states so."""


def refuse(rules: Rules) -> None:
    """Raise ``ValueError`` with the sentence of the first condition that is true."""
    for contradiction, sentence in rules:
        if contradiction:
            raise ValueError(sentence)


class _Options(BaseModel):
    model_config = ConfigDict(
        frozen=True, extra="forbid", allow_inf_nan=False, use_attribute_docstrings=True
    )

    def _contradictions(self) -> Rules:
        raise NotImplementedError

    @model_validator(mode="after")
    def _check(self) -> Self:
        refuse(self._contradictions())
        return self


class Loss(_Options):
    """The components of the loss; :mod:`palaestra.trainers.grpo.losses` names their papers."""

    ratio: Literal["token", "sequence"] = "token"
    """Importance ratio: per token, or sequence (GSPO)."""

    surrogate: Literal["clip", "unclipped", "cispo", "geometric", "reinforce"] = "clip"
    """Clip (PPO), unclipped, cispo, geometric (GMPO), or reinforce, without a ratio."""

    tokens: Literal["all", "top_entropy", "clip_cov", "kl_cov"] = "all"
    """Tokens that contribute: all, top_entropy, clip_cov or kl_cov."""

    aggregation: Aggregation = "token"
    """Mean over tokens (DAPO), over means of a sequence (GRPO), over a sum of a sequence (RLOO),
    or over such sums divided by a constant (Dr.GRPO)."""

    clip_low: Share = 0.2
    """How far the ratio may fall below 1 before it is clipped."""

    clip_high: Weight = 0.28
    """How far the ratio may rise above 1 before it is clipped."""

    dual_clip: Weight = 0.0
    """Upper bound of the weight of a token with negative advantage, such as 3; 0 for none."""

    constant_length: Count = 0
    """Divisor of aggregation: constant; 0 for max_reply_tokens."""

    top_entropy_share: PositiveShare = 0.2
    """Fraction of tokens with the highest entropy that contribute."""

    clip_cov_share: PositiveShare = 2e-4
    """Fraction of tokens that clip_cov leaves out."""

    clip_cov_low: Weight = 1.0
    """Minimum covariance of these tokens."""

    clip_cov_high: Weight = 5.0
    """Maximum covariance of these tokens."""

    kl_cov_share: PositiveShare = 2e-3
    """Fraction of tokens that kl_cov penalises."""

    kl_cov_coef: Weight = 1.0
    """Weight of the penalty of kl_cov."""

    kl: Literal["k1", "k2", "k3"] = "k3"
    """Estimator of the divergence from the reference: k2 or k3."""

    kl_coef: Weight = 0.0
    """Weight of the divergence in the loss; 0 for no reference."""

    entropy_coef: Weight = 0.0
    """Weight of the entropy bonus."""

    importance: Literal["auto", "none", "truncate", "mask"] = "auto"
    """Correction of engines whose probabilities differ from the trainer's: truncate (TIS), mask
    (IcePop), none, or auto, which truncates for engines of another precision."""

    importance_cap: Annotated[float, Field(ge=1, le=1e6)] = 2.0
    """Maximum importance weight of a token (truncate)."""

    importance_low: Share = 0.5
    """Importance weight below which a token has weight 0 (mask)."""

    importance_high: Annotated[float, Field(ge=1, le=1e6)] = 5.0
    """Importance weight above which a token has weight 0 (mask)."""

    def _contradictions(self) -> Rules:
        whole = self.ratio == "sequence" or self.surrogate == "geometric"
        return [
            (self.kl == "k1",
             "k1 as a loss has an expected gradient of zero; take k2 or k3, or kl_in_reward"),
            (self.ratio == "sequence" and self.surrogate != "clip",
             "ratio: sequence is for surrogate: clip"),
            (self.ratio == "sequence" and max(self.clip_low, self.clip_high) > SEQUENCE_BOUND,
             (f"ratio: sequence takes clip_low and clip_high of at most {SEQUENCE_BOUND}, such as"
              f" 3e-4 and 4e-4: {self.clip_low:g} and {self.clip_high:g} would never clip")),
            (whole and self.aggregation != "sequence",
             "a ratio of a whole sequence goes with aggregation: sequence"),
            (whole and self.tokens != "all", f"tokens: {self.tokens} goes with a ratio per token"),
            (self.dual_clip and (self.dual_clip <= 1 or self.surrogate != "clip"),
             "dual_clip is above 1, and for surrogate: clip"),
            (self.tokens == "kl_cov" and self.surrogate != "unclipped",
             "tokens: kl_cov takes the place of clipping: surrogate: unclipped"),
            (self.clip_cov_low > self.clip_cov_high, "clip_cov_low is at most clip_cov_high"),
        ]  # fmt: skip


class Config(_Options):
    """A run. Every option has a default, bounds where there are any, and a description."""

    environments: dict[str, float] = {"algorithms/sort_six": 1.0}
    """Environments and their weights in the mixture."""

    levels: Levels | None = None
    """Levels to sample from, for all environments or for each by its name; default: all."""

    answer_format: Literal[
        "bare", "tags", "tags-last", "tags-truncated", "tags-last-truncated",
        "boxed", "boxed-same", "boxed-truncated", "boxed-same-truncated", "silent",
    ] = "bare"  # fmt: skip
    """How answers are marked: silent, which is bare without an instruction, or an answer format."""

    curriculum: str = "uniform"
    """How tasks are selected; see palaestra.trainers.curricula."""

    curriculum_options: dict[str, Any] = {}
    """Options of the curriculum."""

    model: str = ""
    """Hugging Face model by path or name; if empty, a small decoder."""

    chat_template_options: dict[str, Any] = {}
    """Options of the model's chat template."""

    tokenizer: Literal["characters", "phrases", "bpe"] = "characters"
    """Tokenizer of the small decoder: characters, phrases (characters, and a token for each passage
    that prompts share), or bpe."""

    vocabulary: Positive = 512
    """Vocabulary size of bpe."""

    width: Positive = 64
    """Width of the small decoder."""

    layers: Positive = 2
    """Layers of the small decoder."""

    heads: Positive = 4
    """Attention heads of the small decoder."""

    dtype: Literal["float32", "bfloat16"] = "float32"
    """Precision of computation: float32, or bfloat16 with float32 weights."""

    compile: bool = False
    """Compile layers and losses; worthwhile on a GPU."""

    gradient_checkpointing: bool = False
    """Recompute activations for the gradient, to save memory."""

    lora_rank: Annotated[int, Field(ge=0, le=4096)] = 0
    """Rank of LoRA adapters (PEFT); 0 trains all weights."""

    engine: Literal["auto", "static", "paged", "vllm"] = "auto"
    """Sampling engine: static, paged (transformers), vllm, or auto, by the device."""

    sampling_batch: Positive = 256
    """Sequences that the static engine samples in parallel."""

    device: str = ""
    """Processor: cpu or cuda; default: cuda if available."""

    cohorts: Annotated[int, Field(ge=1, le=64)] = 1
    """Parts of a batch; while one is judged, the next one is sampled."""

    judge_threads: Threads = 2
    """Minimum number of threads that judge expensive tasks, such as programs."""

    warmup_steps: Count = 80
    """Supervised steps on the oracle's replies, before policy optimisation."""

    warmup_levels: tuple[Count, ...] | None = None
    """Levels of the supervised steps; default: those of levels."""

    warmup_learning_rate: Share = 3e-3
    """Learning rate of the supervised steps."""

    warmup_tasks: Positive = 64
    """Tasks in each supervised step."""

    recipe: str = Field("", description=f"Algorithm by name: {', '.join(RECIPES)}.")

    steps: Count = 120
    """Steps of policy optimisation."""

    groups: Positive = 64
    """Tasks in each step."""

    group_size: Positive = 8
    """Rollouts of each task."""

    group_variants: Variants = "none"
    """Whether a group plays variants of its task: in other words (``wording``), with its statements
    in other orders (``reorder``), with other names (``rename``), or as stories (``story``); see
    palaestra.trainers.variants."""

    self_play: bool = False
    """Whether the policy plays all seats of matches. The rollouts of one seat in all matches of a
    task are a group; evaluations are played against the built-in opponents."""

    temperature: Annotated[float, Field(ge=0.01, le=10)] = 1.0
    """Sampling temperature."""

    max_reply_tokens: Positive | None = None
    """Maximum length of a reply; default: from the oracle's replies, or 1,024 for a model."""

    max_episode_tokens: Positive | None = None
    """Maximum length of an episode with its prompt; default: from the mixture's tasks."""

    max_turns: Positive = 16
    """Maximum number of replies in an episode."""

    dynamic_sampling: Annotated[int, Field(ge=0, le=1000)] = 0
    """How often to resample groups of equal rewards (DAPO); 0 for never."""

    pass_rate_low: Share = 0.0
    """Groups with a lower fraction of right rollouts are not used."""

    pass_rate_high: Share = 1.0
    """Groups with a higher fraction of right rollouts are not used."""

    keep_groups: Annotated[float, Field(ge=0.01, le=1)] = 1.0
    """Fraction of groups to keep: those with the largest spread of rewards."""

    keep_rollouts: Count = 0
    """Rollouts of each group to use (GFPO); 0 for all."""

    keep_by: Literal["length", "efficiency"] = "length"
    """Rollouts to keep: the shortest (length), or most reward per token (efficiency)."""

    mask_truncated: bool = True
    """Ignore truncated replies and episodes (DAPO)."""

    reward: str = "true"
    """The reward: true; a control arm: random, inverted, format; majority; or a group verifier:
    pairwise, tournament."""

    reward_part: str = ""
    """Part of the score that serves as the reward of wrong replies."""

    reward_recipe: dict[str, Any] = {}
    """Recipe that shapes the reward, and its target; see palaestra.trainers.rewards."""

    reward_options: dict[str, Any] = {}
    """Options of majority (quorum, trusted) or of a group verifier (judge)."""

    overlong_buffer: Count = 0
    """Tokens before max_reply_tokens at which the length penalty begins (DAPO)."""

    advantage: Advantage = "grpo"
    """Estimator of advantages; see palaestra.trainers.grpo.advantages."""

    normalize_by_environment: bool = False
    """Scale the advantages of each environment to the same size."""

    role_decay: Annotated[float, Field(ge=0, lt=1)] = 0.95
    """Weight of the past in the average score of each seat of each match (role)."""

    discount: Share = 0.95
    """Discount of the rewards of later turns (gigpo)."""

    step_advantage_weight: Weight = 1.0
    """Weight of the advantage of a turn (gigpo)."""

    step_advantage_norm: Literal["std", "none"] = "std"
    """Divisor of advantages of gigpo: std, or none."""

    kl_in_reward: Weight = 0.0
    """Weight of the divergence from the reference (k1) that is subtracted from the reward."""

    loss: Loss = Field(default_factory=Loss)
    """Options of the loss."""

    learning_rate: Share = 5e-4
    """Learning rate of AdamW."""

    learning_rate_warmup: Count = 10
    """Steps in which the learning rate rises to its value."""

    learning_rate_schedule: Literal["constant", "linear", "cosine"] = "constant"
    """Schedule of the learning rate after the warm-up."""

    weight_decay: Share = 0.0
    """Weight decay of AdamW."""

    max_grad_norm: Annotated[float, Field(gt=0, le=1e6)] = 1.0
    """Maximum norm of the gradient."""

    minibatches: Annotated[int, Field(ge=1, le=10_000)] = 1
    """Updates for each batch of rollouts; with 1, no ratio is clipped."""

    microbatch_tokens: Positive = 16_384
    """Maximum number of tokens, with padding, in one forward pass."""

    max_logprob_gap: Annotated[float, Field(gt=0, le=100)] = 0.5
    """Difference in nats per token between engine and trainer that ends a run."""

    reference_sync: Count = 0
    """Steps between updates of the reference to the policy; 0 for never."""

    entropy_target: Weight = 0.0
    """Entropy in nats at which the temperature is controlled; 0 for no control."""

    eval_every: Count = 20
    """Steps between evaluations on held-out seeds."""

    eval_tasks: Positive = 128
    """Tasks of each evaluation, distributed over environments and levels."""

    eval_samples: Positive = 4
    """Attempts at each task in the last evaluation, for pass@k."""

    save_every: Count = 50
    """Steps between checkpoints; 0 for only the last."""

    log_to: tuple[Literal["tensorboard", "wandb"], ...] = ()
    """Additional logs: tensorboard, wandb."""

    seed: Count = 0
    """Seed of all randomness."""

    threads: Threads = 1
    """Processor threads; 1 is fastest for small models."""

    out: str = ""
    """Folder for logs, plots and checkpoints; none if empty."""

    @property
    def uses_reference(self) -> bool:
        """Whether the policy is compared with a frozen reference."""
        return bool(self.loss.kl_coef or self.kl_in_reward)

    @model_validator(mode="before")
    @classmethod
    def _with_recipe(cls, values: Any) -> Any:
        """Add the settings of the recipe, which explicit options override."""
        name = values.get("recipe") if isinstance(values, Mapping) else None
        if not name:
            return values
        if name not in RECIPES:
            raise ValueError(f"no recipe {name!r}{_near(str(name), RECIPES)}")
        options = dict(values)
        if isinstance(options.get("loss"), Loss):
            options["loss"] = options["loss"].model_dump(exclude_unset=True)
        return merged(RECIPES[name].settings, options)

    def _contradictions(self) -> Rules:
        loss, advantage = self.loss, self.advantage
        best_of = int(advantage.removeprefix("pass@")) if "pass@" in advantage else 0
        filters_groups = self.dynamic_sampling > 0 or self.keep_groups < 1
        pretrained_only = {
            "lora_rank is": self.lora_rank,
            f"engine: {self.engine} is": self.engine in {"paged", "vllm"},
            "chat_template_options are": self.chat_template_options,
        }
        return [
            (self.group_size < 2 and self.steps > 0
             and advantage not in {"remax", "reinforce++", "role"},
             f"advantage: {advantage} compares rollouts of a group: group_size is 2 or more"),
            (best_of > self.group_size,
             f"advantage: {advantage} wants a group_size of {best_of} or more"),
            (0 < self.keep_rollouts < best_of,
             f"advantage: {advantage} wants keep_rollouts of {best_of} or more"),
            (0 < self.group_size <= self.keep_rollouts, "keep_rollouts is below group_size"),
            (self.keep_rollouts == 1, "keep_rollouts of 1 leaves nothing to compare"),
            (self.minibatches > self.groups * self.group_size,
             "there are fewer rollouts than minibatches"),
            (loss.tokens == "kl_cov" and self.minibatches == 1,
             "tokens: kl_cov does nothing before a second update: minibatches is 2 or more"),
            (advantage in {"remax", "role"} and filters_groups,
             f"{advantage} learns from groups of equal rewards: no dynamic_sampling, keep_groups"),
            (self.group_size == 1 and filters_groups,
             "a group_size of 1 has equal rewards: no dynamic_sampling, no keep_groups"),
            (advantage == "gigpo" and (loss.ratio == "sequence" or loss.surrogate == "geometric"),
             "gigpo has an advantage for each turn, and wants a ratio per token"),
            (self.normalize_by_environment
             and advantage in {"gigpo", "reinforce++", "reinforce++_baseline"},
             f"normalize_by_environment is for advantages of whole rollouts, not {advantage}"),
            (advantage in {"gigpo", "remax", "reinforce++", "role"} and self.keep_rollouts > 0,
             f"{advantage} learns from all rollouts: no keep_rollouts"),
            (self.self_play and (advantage in {"remax", "gigpo"} or self.reward != "true"
                                 or self.group_variants != "none"),
             "self_play is for reward: true, without group_variants, gigpo and remax"),
            (advantage == "role" and not self.self_play,
             "advantage: role compares the seats of matches: it wants self_play"),
            (self.pass_rate_low > self.pass_rate_high, "pass_rate_low is above pass_rate_high"),
            (self.max_reply_tokens is not None and self.overlong_buffer > self.max_reply_tokens,
             "overlong_buffer is at most max_reply_tokens"),
            *((value and not self.model, f"{option} for models of transformers; set model")
              for option, value in pretrained_only.items()),
            (self.reference_sync > 0 and not self.uses_reference,
             "reference_sync copies the policy to the reference: it wants kl_coef or kl_in_reward"),
            (isinstance(self.levels, dict) and self.levels.keys() - self.environments.keys(),
             "levels by name are of environments of the mixture"),
            (self.width % self.heads != 0 or self.width // self.heads % 2 != 0,
             "width is a multiple of twice the heads"),
        ]  # fmt: skip

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> "Config":
        """Return a configuration from plain values, such as those of a YAML file.

        Raises ``ValueError`` with one sentence for each wrong value: unknown names, with the most
        similar ones; types; bounds; options that contradict each other.
        """
        try:
            return cls.model_validate(dict(values))
        except ValidationError as error:
            raise ValueError("; ".join(map(_sentence, error.errors()))) from None

    @classmethod
    def load(cls, file: Path, changes: Mapping[str, Any] | None = None) -> "Config":
        """Return the configuration in a YAML file, with some changes."""
        with needs("yaml", "PyYAML"):
            import yaml

        values = yaml.safe_load(file.read_text("utf-8")) or {}
        if not isinstance(values, dict):
            raise ValueError(f"{file} is no mapping of options")  # noqa: TRY004  a bad value
        return cls.read(merged(values, changes or {}))

    def plain(self) -> dict[str, Any]:
        """Return the options as plain values, for JSON and YAML."""
        return self.model_dump(mode="json")

    def changed(self, **changes: Any) -> "Config":
        """Return a copy with some options changed; those of ``loss`` are merged."""
        return self.read(merged(self.plain(), changes))


def _near(name: str, known: Any) -> str:
    """Return a suffix for an error message with the names most similar to an unknown one."""
    near = get_close_matches(name, known, 3, 0.5) or sorted(known)
    return f"; perhaps {', '.join(near)}"


def _sentence(error: Any) -> str:
    """Return an error of pydantic as one sentence."""
    name = ".".join(str(part) for part in error["loc"] if part not in FORMS_OF_LEVELS)
    if error["type"] == "extra_forbidden":
        section = Loss if error["loc"][0] == "loss" else Config
        return f"no option {name}{_near(str(error['loc'][-1]), section.model_fields)}"
    if error["type"] == "value_error":
        return f"{name}: {error['ctx']['error']}" if name else str(error["ctx"]["error"])
    return f"{name}: {error['msg'][0].lower()}{error['msg'][1:]}, not {error['input']!r:.60}"


def merged(values: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return options with some changed; those of the loss are merged."""
    both = values.get("loss", {}), changes.get("loss", {})
    if all(isinstance(each, Mapping) for each in both):
        return {**values, **changes, "loss": {**both[0], **both[1]}}
    return {**values, **changes}


def explained() -> list[tuple[str, Any, str]]:
    """Return the name, default and description of each option; those of the loss as ``loss.…``."""
    plain = Config().plain()
    sections = ("", plain, Config.model_fields), ("loss.", plain.pop("loss"), Loss.model_fields)
    return [
        (f"{prefix}{name}", default, " ".join(str(fields[name].description).split()).rstrip("."))
        for prefix, values, fields in sections
        for name, default in values.items()
    ]


def template() -> str:
    """Return all options as YAML, with their defaults and descriptions."""
    lines = ["# A training run; every option is optional."]
    for name, default, description in explained():
        if name.startswith("loss.") and "loss:" not in lines:
            lines.append("loss:")
        option = name.replace("loss.", "  ")
        lines.append(f"{option}: {json.dumps(default)}  # {description}")
    return "\n".join([*lines, ""])
