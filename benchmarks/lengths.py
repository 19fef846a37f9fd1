"""What recipes of length do to the replies of a policy that rambles, on a CPU.

python benchmarks/lengths.py            # one seed of each recipe
python benchmarks/lengths.py --seeds 3

A small decoder learns to sort six digits from examples with up to nine blanks before the answer,
which no verifier minds, and goes on by GRPO. Printed are the share of right replies and the mean
length of these in tokens, on reserved seeds, before and after, and the targets that were found, for
hard, medium and easy tasks. Needs ``palaestra[train]``.
"""

import argparse
from statistics import fmean

from palaestra.episode import BARE, AnswerFormat
from palaestra.trainers.grpo import setup
from palaestra.trainers.grpo.config import Config
from palaestra.trainers.grpo.trainer import Trainer

FOLLOWS = {"lengths": [6, 8, 10, 12, 14, 16, 18, 20, 22, 24], "every": 64}
RECIPES = {
    "the score": {"recipe": "Truth(partial=0)"},
    "LASER, 24 tokens": {"recipe": "Truth(partial=0) + LaserStep()", "target": 24},
    "LASER-D": {"recipe": "Truth(partial=0) + LaserStep()", "target": FOLLOWS},
    "L1, 12 tokens": {"recipe": "Truth(partial=0) + L1Exact(alpha=0.04)", "target": 12},
}


def rambling(move: str) -> str:
    """A reply with blanks before its move, as many as its digits say."""
    return " " * (sum(map(ord, move)) % 10) + move


def run(name: str, seed: int, steps: int) -> None:
    """One run, as a line of a table."""
    setup.ANSWER_FORMAT_OF["silent"] = AnswerFormat("silent", "", BARE.read, rambling)
    config = Config.read({
        "environments": {"algorithms/sort_six": 1}, "levels": [0], "answer_format": "silent",
        "max_reply_tokens": 24, "max_episode_tokens": 84, "warmup_steps": 150,
        "warmup_learning_rate": 3e-3, "steps": steps, "groups": 16, "group_size": 8,
        "learning_rate": 1e-3, "eval_every": 0, "seed": seed, "reward_recipe": RECIPES[name],
    })  # fmt: skip
    trainer = Trainer(config)
    trainer.warm_up()
    before = measured(trainer)
    trainer.train()
    targets = trainer.rewards.state().get("adaptive", {}).get("targets", "")
    print(f"| {name} | {seed} | {before} | {measured(trainer)} | {targets} |", flush=True)


def measured(trainer: Trainer) -> str:
    """The share of right replies, and how many tokens these have."""
    rollouts = trainer.rollouts_on_reserved_seeds(256)
    right = [one.length for one in rollouts if one.value == 1]
    return f"{len(right) / len(rollouts):.2f} | {fmean(right) if right else 0:.1f}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--only", choices=RECIPES, default=None)
    options = parser.parse_args()
    print("| paid by | seed | right | tokens | right after | tokens after | targets |")
    print("|---|---|---|---|---|---|---|")
    for recipe in [options.only] if options.only else RECIPES:
        for number in range(options.seeds):
            run(recipe, number, options.steps)
