"""What a training run can be told, in one place; ``palaestra train --template`` writes it down."""

# ruff: noqa: RUF009  what looks like a call in a default is dataclasses.field

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, get_args, get_type_hints

Ratio = Literal["token", "sequence", "geometric"]
Surrogate = Literal["clip", "cispo", "reinforce"]
Tokens = Literal["all", "clip_cov", "kl_cov", "top_entropy"]
Aggregation = Literal["sequence", "token", "constant"]
Penalty = Literal["none", "k1", "k2", "k3"]


ADVANTAGES = ("grpo", "dr_grpo", "rloo", "reinforce++", "lite_ppo", "pass@2", "pass@4", "pass@8",
              "remax")  # fmt: skip


def _about(default: Any, told: str) -> Any:
    """A field with its explanation."""
    if isinstance(default, dict):
        return field(default_factory=lambda: dict(default), metadata={"about": told})
    return field(default=default, metadata={"about": told})


@dataclass(frozen=True)
class Choices:
    """What the loss is made of; :mod:`palaestra.trainers.grpo.losses` has each with its paper."""

    ratio: Ratio = _about("token", "per token, sequence (GSPO) or geometric mean (GMPO)")
    surrogate: Surrogate = _about("clip", "clip (PPO), cispo, or plain reinforce")
    tokens: Tokens = _about("all", "that count: all, top_entropy, or held: clip_cov, kl_cov")
    aggregation: Aggregation = _about("token", "token (DAPO), sequence (GRPO), constant (Dr.GRPO)")
    penalty: Penalty = _about("none", "divergence from the reference: none, k1, k2 or k3")
    low: float = _about(0.2, "how far below 1 the ratio counts")
    high: float = _about(0.28, "how far above 1 the ratio counts")
    dual: float = _about(0.0, "bound of what was bad and became likely, such as 3; 0 for none")
    constant: int = _about(32, "the length that Dr.GRPO divides by")
    share: float = _about(0.2, "of the tokens that are kept by entropy, or held by covariance")
    beta: float = _about(0.0, "weight of the penalty")
    importance: float = _about(0.0, "cap of the correction for the engine's numbers, 0 for none")

    def __post_init__(self) -> None:
        for name, kind in get_type_hints(type(self)).items():
            known, value = get_args(kind), getattr(self, name)
            if known and value not in known:
                raise ValueError(f"loss.{name} is {', '.join(known)}, not {value!r}")


@dataclass(frozen=True)
class Config:
    """A run. Every field has a default, a bound where there is one, and an explanation."""

    environments: Mapping[str, float] = _about(
        {"algorithms/sort_six": 1.0}, "environments and their weights in the mixture"
    )
    levels: tuple[int, ...] | None = _about(None, "levels to draw from; all unless given")
    style: str = _about("bare", "how replies are written: bare, tags, boxed or silent")
    curriculum: str = _about("uniform", "how cells are chosen; see palaestra.trainers.curricula")
    curriculum_options: Mapping[str, Any] = _about({}, "what the curriculum can be told")

    model: str = _about("", "a Hugging Face model by path or name; a small decoder if empty")
    tokenizer: str = _about("characters", "of the small decoder: characters, or bpe (pieces)")
    vocabulary: int = _about(512, "pieces that bpe has at most")
    width: int = _about(64, "of the small decoder")
    layers: int = _about(2, "of the small decoder")
    heads: int = _about(4, "of the small decoder")
    dtype: str = _about("float32", "computed with: float32, or bfloat16 over weights of float32")
    compile: bool = _about(False, "whether layers and losses are compiled; pays off on a GPU")
    lora: int = _about(0, "rank of the adapters that alone are trained, 0 for all weights (PEFT)")
    engine: str = _about("static", "what samples: static, paged (transformers) or vllm")
    device: str = _about("", "cpu or cuda; whatever there is unless given")
    cohorts: int = _about(1, "parts of a batch; while one is judged the next one samples")
    judges: int = _about(2, "threads that judge heavy tasks, such as programs, side by side")

    warmup_steps: int = _about(80, "supervised steps on the oracle's replies before all else")
    warmup_levels: tuple[int, ...] | None = _about(None, "levels of those steps; all unless given")
    warmup_rate: float = _about(3e-3, "learning rate of those steps")
    warmup_tasks: int = _about(64, "tasks in each of those steps")

    steps: int = _about(120, "steps of policy optimisation")
    groups: int = _about(64, "tasks in each step")
    group_size: int = _about(8, "rollouts of each task")
    temperature: float = _about(1.0, "of sampling")
    reply_tokens: int = _about(32, "the longest reply")
    episode_tokens: int = _about(256, "the longest episode, with all that the task says")
    episode_replies: int = _about(16, "the most replies in an episode")
    dynamic: int = _about(0, "how often groups of one mind are drawn anew, 0 for never (DAPO)")
    keep_groups: float = _about(1.0, "share of the groups kept, those of the widest rewards")
    keep_rollouts: int = _about(0, "rollouts of each group that teach, 0 for all (GFPO)")
    keep_by: str = _about(
        "length", "which: the shortest (length) or most reward a token (efficiency)"
    )
    mask_truncated: bool = _about(True, "whether what was cut short teaches nothing (DAPO)")
    soft_overlong: int = _about(0, "tokens before the longest reply from where length costs")

    advantage: str = _about("grpo", "the estimator; see palaestra.trainers.grpo.advantages")
    by_environment: bool = _about(False, "whether each environment's advantages are of one size")
    turn_level: bool = _about(False, "whether each turn has its own return, by anchor states")
    discount: float = _about(1.0, "of later turns' rewards")
    loss: Choices = field(default_factory=Choices, metadata={"about": "what the loss is made of"})
    rate: float = _about(5e-4, "learning rate")
    rate_warmup: int = _about(10, "steps over which it rises to that")
    weight_decay: float = _about(0.0, "of AdamW")
    clip_norm: float = _about(1.0, "largest norm of the gradient")
    minibatches: int = _about(1, "updates for each batch of rollouts")
    microbatch: int = _about(256, "rollouts that go through the model at once")
    reference_every: int = _about(0, "steps after which the reference is set anew, 0 for never")
    entropy_target: float = _about(0.0, "nats that the temperature steers to, 0 for none")
    reward: str = _about("true", "control arms: true, random, inverted, format or majority")
    part: str = _about("", "a part of the score that is paid in its place, such as places")

    evaluate_every: int = _about(20, "steps between evaluations on reserved seeds")
    evaluate_tasks: int = _about(128, "tasks of each evaluation, spread over the cells")
    evaluate_samples: int = _about(4, "attempts at each of them in the last one, for pass@k")
    save_every: int = _about(50, "steps between checkpoints, 0 for none but the last")
    seed: int = _about(0, "of everything")
    threads: int = _about(1, "of the processor; one is fastest for small models")
    out: str = _about("", "where logs, plots and checkpoints go; nowhere if empty")

    def __post_init__(self) -> None:
        bounds: dict[str, tuple[float, float]] = {
            "groups": (1, 1e6), "group_size": (1, 1e4), "temperature": (0.01, 10),
            "reply_tokens": (1, 1e6), "episode_tokens": (2, 1e7), "steps": (0, 1e9),
            "warmup_steps": (0, 1e9), "rate": (0, 10), "keep_groups": (0.01, 1),
            "minibatches": (1, 1e4), "microbatch": (1, 1e6), "discount": (0, 1),
            "cohorts": (1, 64), "keep_rollouts": (0, 1e4),
            "judges": (1, 1024), "lora": (0, 4096), "threads": (1, 1024),
        }  # fmt: skip
        for name, (low, high) in bounds.items():
            if not low <= getattr(self, name) <= high:
                raise ValueError(f"{name} lies from {low:g} to {high:g}, not {getattr(self, name)}")
        words = {
            "reward": ("true", "random", "inverted", "format", "majority"),
            "style": ("bare", "tags", "boxed", "silent"), "advantage": ADVANTAGES,
            "engine": ("static", "paged", "vllm"), "dtype": ("float32", "bfloat16"),
            "tokenizer": ("characters", "bpe"), "keep_by": ("length", "efficiency"),
        }  # fmt: skip
        for name, known in words.items():
            if getattr(self, name) not in known:
                raise ValueError(f"{name} is {', '.join(known)}, not {getattr(self, name)!r}")
        self._check_together()

    def _check_together(self) -> None:
        """Options that mean nothing together are refused and not passed over."""
        for name, usual in (("lora", 0), ("engine", "static")):
            if getattr(self, name) != usual and not self.model:
                raise ValueError(f"{name} is for models of transformers, and no model is given")
        if self.lora and self.engine == "vllm":
            raise ValueError("vllm takes whole models, and no lora")
        if self.reference_every and (self.lora or not self.loss.beta):
            raise ValueError("reference_every sets a copy anew: it wants loss.beta, and no lora")

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> "Config":
        """A configuration from plain values, such as a YAML file holds.

        Raises ``ValueError`` for names that there are not.
        """
        told = dict(told)
        loss = replace(Choices(), **_known(Choices, told.pop("loss", {}), "loss."))
        values = _known(cls, told, "")
        for name in ("levels", "warmup_levels"):
            if values.get(name) is not None:
                values[name] = tuple(values[name])
        return cls(**values, loss=loss)

    @classmethod
    def load(cls, file: Path, changes: Mapping[str, Any] | None = None) -> "Config":
        """A configuration from a file, with some changes."""
        import yaml

        told = yaml.safe_load(file.read_text("utf-8")) or {}
        if not isinstance(told, dict):
            raise ValueError(f"{file} is no mapping of options")  # noqa: TRY004  a bad value
        return cls.read(merged(told, changes or {}))

    def plain(self) -> dict[str, Any]:
        """The same as plain values."""
        told = asdict(self)
        return {name: [*held] if isinstance(held, tuple) else held for name, held in told.items()}


def _known(kind: Any, told: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    names = {each.name for each in fields(kind)}
    if odd := sorted(told.keys() - names):
        raise ValueError(f"no option {prefix}{odd[0]}; there are {', '.join(sorted(names))}")
    return dict(told)


def merged(told: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Options with some changed; those of the loss one by one."""
    loss = {**told.get("loss", {}), **changes.get("loss", {})}
    return {**told, **changes, **({"loss": loss} if loss else {})}


def explained() -> list[tuple[str, Any, str]]:
    """Every option with its default and what it means; those of the loss as ``loss.…``."""
    plain = Config()
    rows = [(each.name, getattr(plain, each.name), each.metadata["about"]) for each in fields(plain)
            if each.name != "loss"]  # fmt: skip
    return rows + [
        (f"loss.{each.name}", getattr(plain.loss, each.name), each.metadata["about"])
        for each in fields(Choices)
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
