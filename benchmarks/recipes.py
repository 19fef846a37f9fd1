"""The recipes of the reference trainer, each beside an implementation of its paper.

    python -m benchmarks.recipes [--batches N]    # in the checkout; writes docs/recipes.md

The implementations are those of tests/references, written from the papers. Both are given the same
random batches (episodes of several turns, replies that could not be judged, truncated ones, groups
of equal rewards, ratios far outside of the clips), which the trainer cuts into microbatches of
several sizes. Needs ``palaestra[train]``.
"""

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.references.comparison import Difference, compare

from palaestra.trainers.grpo.recipes import RECIPES, Recipe

PAGE = Path(__file__).parents[1] / "docs" / "recipes.md"
MICROBATCHES = (16_384, 200, 1)
"""Tokens that go through the model at once; with 1, each rollout by itself."""

HEAD = """\
# Recipes

`palaestra train --recipe NAME` sets the options that define an algorithm, with the values of its
paper; options that you set yourself override them. Learning rates and batch sizes depend on the
model and are not part of a recipe.

Each recipe is compared with a reference implementation in `tests/references/algorithms.py`, which
was written from the paper and independently of the trainer: loops over groups, replies and
subsets that follow the equations. The table states the largest differences between the two in
{batches} random batches, each divided into microbatches of three sizes: in the loss, in an
advantage, and in a gradient relative to its largest component, in float64. `python -m
benchmarks.recipes` writes this page, and a test refuses differences above 1e-6.
"""

TAIL = """\
## Conventions where papers are silent

- **Unscored rollouts** contribute nothing and enter no mean of their group, the batch or the
  loss. If all scored rewards of a group are equal, its advantages are exactly 0.
- **Standard deviations** divide by n - 1, as in veRL and TRL, and 1e-6 is added, as in veRL. GFPO
  divides by n in its paper and REINFORCE++ in its authors' code; so do the recipes.
- **Means** are taken over the batch, where papers write them for one question; other
  implementations do the same.
- **One update for each batch**: with `minibatches: 1` the updated policy is the one that sampled,
  all ratios are 1, and nothing is clipped; the gradients of DAPO and CISPO are then equal. KL-Cov
  would have no effect and is refused.
- **Dr.GRPO** divides by `constant_length`, or by the maximum length of a reply, as in its
  authors' code.
- **REINFORCE++** normalises over tokens, also with its baseline, so that long replies have more
  weight; so do OpenRLHF (its authors' code) and veRL. The weights of the divergence are
  OpenRLHF's.
- **DAPO**'s soft overlong penalty is `overlong_buffer`, in tokens before the maximum length. Set
  it yourself.
- **CISPO**'s upper bound is not published; 5 is the value of ScaleRL. There is no lower bound.
- **Clip-Cov** uses PPO's clip at 0 and 2, as its authors' scripts, and selects among tokens that
  are not clipped. **KL-Cov** does not clip. Their shares are fractions of a minibatch, and at
  least one token.
- **top_entropy** rounds the fifth up, as its authors' code.
- **GiGPO** counts each episode once, as in the paper; its authors' code counts an episode once
  for each of its turns.
- **Pass@k** uses the baseline of equation 33, with k = 4. A group with fewer than k scored
  replies contributes nothing.
- **Engines whose probabilities differ** from the trainer's are corrected by `loss.importance`:
  the weight of a token is min(ratio, `importance_cap`) (`truncate`, TIS), or the ratio where it
  lies between `importance_low` and `importance_high`, and 0 elsewhere (`mask`, IcePop, with its
  bounds of 0.5 and 5). It multiplies the surrogate but not the penalties.
"""


def settings(options: Mapping[str, Any]) -> Iterator[str]:
    """The options of a recipe, those of the loss as ``loss.…``."""
    for name, value in options.items():
        if name == "loss":
            yield from (f"loss.{each}" for each in settings(value))
        elif isinstance(value, float):
            yield f"{name}: {value:.4g}"
        else:
            yield f"{name}: {str(value).lower() if isinstance(value, bool) else value}"


def about(name: str, recipe: Recipe) -> str:
    """What a recipe is: its name, its paper, its settings."""
    texts = ", ".join(f"`{each}`" for each in settings(recipe.settings))
    return f"| `{name}` | {recipe.paper} | {texts} |"


def difference(name: str, batches: int) -> Difference:
    """The largest of all batches, in microbatches of all sizes."""
    gaps = [compare(name, seed, size) for seed in range(batches) for size in MICROBATCHES]
    return Difference(*map(max, zip(*gaps)))


def main() -> None:
    """Writes the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batches", type=int, default=50)
    batches = parser.parse_args().batches
    lines = [
        HEAD.format(batches=batches),
        "| recipe | paper | settings | loss | advantages | gradient |",
        "|---|---|---|---|---|---|",
    ]
    for name, recipe in RECIPES.items():
        worst = " | ".join(f"{each:.0e}" for each in difference(name, batches))
        lines.append(f"{about(name, recipe)} {worst} |")
        print(name, worst, flush=True)
    PAGE.write_text("\n".join([*lines, "", TAIL]), encoding="utf-8")


if __name__ == "__main__":
    main()
