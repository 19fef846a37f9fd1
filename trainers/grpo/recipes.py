"""Algorithms by name: settings of :class:`~palaestra.trainers.grpo.config.Config` with the numbers
of the papers.

Learning rates and the sizes of batches belong to a model and are not part of a recipe; what is
given beside a recipe goes before it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp
from typing import Any


@dataclass(frozen=True, slots=True)
class Recipe:
    """An algorithm: its paper, and the settings that make it, nested as in a YAML file."""

    paper: str
    settings: Mapping[str, Any]


_DAPO_LOSS = {"aggregation": "token", "clip_low": 0.2, "clip_high": 0.28}
_PPO_LOSS = {"aggregation": "token", "clip_low": 0.2, "clip_high": 0.2}
_DAPO = {"advantage": "grpo", "dynamic_sampling": 10, "mask_truncated": True}

RECIPES: Mapping[str, Recipe] = {
    "grpo": Recipe(
        'Z. Shao et al., "DeepSeekMath", 2024 (arXiv 2402.03300)',
        {"advantage": "grpo", "mask_truncated": False,
         "loss": {"aggregation": "sequence", "clip_low": 0.2, "clip_high": 0.2, "kl": "k3",
                  "kl_coef": 0.04}},
    ),
    "dr_grpo": Recipe(
        'Z. Liu et al., "Understanding R1-Zero-Like Training: A Critical Perspective", 2025'
        " (arXiv 2503.20783)",
        {"advantage": "dr_grpo", "mask_truncated": False,
         "loss": {"aggregation": "constant", "clip_low": 0.2, "clip_high": 0.2}},
    ),
    "dapo": Recipe(
        'Q. Yu et al., "DAPO: An Open-Source LLM Reinforcement Learning System at Scale", 2025'
        " (arXiv 2503.14476)",
        {**_DAPO, "minibatches": 16, "loss": _DAPO_LOSS},
    ),
    "gspo": Recipe(
        'C. Zheng et al., "Group Sequence Policy Optimization", 2025 (arXiv 2507.18071)',
        {"advantage": "grpo", "mask_truncated": False, "minibatches": 4,
         "loss": {"ratio": "sequence", "aggregation": "sequence", "clip_low": 3e-4,
                  "clip_high": 4e-4}},
    ),
    "gmpo": Recipe(
        'Y. Zhao et al., "Geometric-Mean Policy Optimization", 2025 (arXiv 2507.20673)',
        {"advantage": "grpo", "mask_truncated": False, "minibatches": 8,
         "loss": {"surrogate": "geometric", "aggregation": "sequence",
                  "clip_low": 1 - exp(-0.4), "clip_high": exp(0.4) - 1}},
    ),
    "cispo": Recipe(
        'MiniMax, "MiniMax-M1: Scaling Test-Time Compute Efficiently with Lightning Attention",'
        " 2025 (arXiv 2506.13585), whose bound is not published; 5 as in D. Khatri et al.,"
        ' "The Art of Scaling Reinforcement Learning Compute for LLMs", 2025 (arXiv 2510.13786)',
        {**_DAPO, "mask_truncated": False, "minibatches": 16,
         "loss": {"surrogate": "cispo", "aggregation": "token", "clip_low": 1.0,
                  "clip_high": 4.0}},
    ),
    "rloo": Recipe(
        'A. Ahmadian et al., "Back to Basics: Revisiting REINFORCE Style Optimization for Learning'
        ' from Human Feedback in LLMs", 2024 (arXiv 2402.14740)',
        {"advantage": "rloo", "mask_truncated": False, "kl_in_reward": 0.03,
         "loss": {"surrogate": "reinforce", "aggregation": "sum"}},
    ),
    "reinforce++": Recipe(
        'J. Hu et al., "REINFORCE++: Stabilizing Critic-Free Policy Optimization with Global'
        ' Advantage Normalization", 2025 (arXiv 2501.03262)',
        {"advantage": "reinforce++", "mask_truncated": False, "kl_in_reward": 0.01,
         "minibatches": 8, "loss": _PPO_LOSS},
    ),
    "reinforce++_baseline": Recipe(
        'J. Hu et al., "REINFORCE++: Stabilizing Critic-Free Policy Optimization with Global'
        ' Advantage Normalization", 2025 (arXiv 2501.03262), with the baseline of a group',
        {"advantage": "reinforce++_baseline", "mask_truncated": False, "minibatches": 8,
         "loss": {**_PPO_LOSS, "kl": "k2", "kl_coef": 1e-5}},
    ),
    "remax": Recipe(
        'Z. Li et al., "ReMax: A Simple, Effective, and Efficient Reinforcement Learning Method for'
        ' Aligning Large Language Models", 2023 (arXiv 2310.10505)',
        {"advantage": "remax", "mask_truncated": False, "group_size": 1,
         "loss": {"surrogate": "reinforce", "aggregation": "sum"}},
    ),
    "gfpo": Recipe(
        'V. Shrivastava et al., "Sample More to Think Less: Group Filtered Policy Optimization for'
        ' Concise Reasoning", 2025 (arXiv 2508.09726)',
        {"advantage": "gfpo", "mask_truncated": False, "group_size": 16, "keep_rollouts": 8,
         "keep_by": "length",
         "loss": {**_PPO_LOSS, "kl": "k3", "kl_coef": 0.001, "entropy_coef": 0.001}},
    ),
    "lite_ppo": Recipe(
        'Z. Liu et al., "Part I: Tricks or Traps? A Deep Dive into RL for LLM Reasoning", 2025'
        " (arXiv 2508.08221)",
        {"advantage": "lite_ppo", "mask_truncated": False, "minibatches": 8, "loss": _PPO_LOSS},
    ),
    "clip_cov": Recipe(
        'G. Cui et al., "The Entropy Mechanism of Reinforcement Learning for Reasoning Language'
        ' Models", 2025 (arXiv 2505.22617), with the bounds of the authors\' scripts, 0 and 2',
        {"advantage": "grpo", "dynamic_sampling": 10, "mask_truncated": False, "minibatches": 8,
         "loss": {"aggregation": "token", "clip_low": 1.0, "clip_high": 1.0, "tokens": "clip_cov",
                  "clip_cov_share": 2e-4, "clip_cov_low": 1.0, "clip_cov_high": 5.0}},
    ),
    "kl_cov": Recipe(
        'G. Cui et al., "The Entropy Mechanism of Reinforcement Learning for Reasoning Language'
        ' Models", 2025 (arXiv 2505.22617)',
        {"advantage": "grpo", "dynamic_sampling": 10, "mask_truncated": False, "minibatches": 8,
         "loss": {"surrogate": "unclipped", "aggregation": "token", "tokens": "kl_cov",
                  "kl_cov_share": 2e-3, "kl_cov_coef": 1.0}},
    ),
    "top_entropy": Recipe(
        'S. Wang et al., "Beyond the 80/20 Rule: High-Entropy Minority Tokens Drive Effective'
        ' Reinforcement Learning for LLM Reasoning", 2025 (arXiv 2506.01939)',
        {**_DAPO, "minibatches": 16,
         "loss": {**_DAPO_LOSS, "tokens": "top_entropy", "top_entropy_share": 0.2}},
    ),
    "gigpo": Recipe(
        'L. Feng et al., "Group-in-Group Policy Optimization for LLM Agent Training", 2025'
        " (arXiv 2505.10978)",
        {"advantage": "gigpo", "mask_truncated": False, "discount": 0.95,
         "step_advantage_weight": 1.0, "step_advantage_norm": "std",
         "loss": {**_PPO_LOSS, "kl": "k3", "kl_coef": 0.01}},
    ),
    "pass@k": Recipe(
        'C. Walder and D. Karkhanis, "Pass@K Policy Optimization: Solving Harder Reinforcement'
        ' Learning Problems", 2025 (arXiv 2505.15201), with k of 4',
        {"advantage": "pass@4", "mask_truncated": False,
         "loss": {"surrogate": "reinforce", "aggregation": "sum"}},
    ),
}  # fmt: skip
