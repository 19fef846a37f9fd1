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

`palaestra train --recipe NAME` sets the options that make an algorithm, with the numbers of its
paper; what is given beside it goes before. Learning rates and the sizes of batches belong to a
model and are yours.

Each recipe is held to a reference implementation in `tests/references/algorithms.py`, written from
the paper and apart from the trainer: loops over groups, replies and subsets, with the numbers of
the equations. The table has the largest differences between the two in {batches} random batches,
each cut into microbatches of three sizes: of the loss, of an advantage, and of a gradient in parts
of the largest one, in float64. `python -m benchmarks.recipes` makes this page, and a test refuses
differences above 1e-6.
"""

TAIL = """\
## Where papers are silent

- **Not judged**: a rollout that could not be judged teaches nothing and enters no mean, neither its
  group's nor the batch's nor the loss's. Where all judged rewards of a group are equal, advantages
  are exactly 0.
- **Standard deviations** have n - 1, as in veRL and TRL, and 1e-6 added, as in veRL. GFPO has n in
  its paper, and REINFORCE++ in its authors' code; so here.
- **Means** go over the batch, where papers write them for one question: so do implementations.
- **One update a batch**: with `minibatches: 1` the policy is the one that sampled, all ratios are
  1, and nothing is ever clipped; DAPO's and CISPO's gradients are then the same. KL-Cov does
  nothing at all and is refused.
- **Dr.GRPO** divides by `constant_length`, or the longest reply there may be, as its authors' code.
- **REINFORCE++** normalises over tokens, with its baseline, too, so that long replies weigh more;
  so do OpenRLHF (its authors' code) and veRL. The weights of the divergence are OpenRLHF's.
- **DAPO**'s soft punishment of what is overlong is `overlong_buffer`, in tokens before the longest
  reply, which are yours to choose.
- **CISPO**'s upper bound is not published; the 5 is ScaleRL's. There is none below.
- **Clip-Cov** has PPO's clip at 0 and 2, as its authors' scripts, and draws among tokens that are
  not clipped. **KL-Cov** has none. Their shares are of a minibatch, and one token at least.
- **top_entropy** rounds the fifth up, as its authors' code.
- **GiGPO** compares episodes once each, as the paper; its authors' code counts an episode for each
  of its turns.
- **Pass@k** has the baseline of equation 33, with k of 4. A group with fewer than k judged replies
  teaches nothing.
- **An engine whose probabilities differ** from the trainer's is corrected by `loss.importance`: the
  weight of a token is min(ratio, cap) (`truncate`, TIS), or 0 above the cap (`mask`). It multiplies
  the surrogate, and no penalty.
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
    made = ", ".join(f"`{each}`" for each in settings(recipe.settings))
    return f"| `{name}` | {recipe.paper} | {made} |"


def difference(name: str, batches: int) -> Difference:
    """The largest of all batches, in microbatches of all sizes."""
    found = [compare(name, seed, size) for seed in range(batches) for size in MICROBATCHES]
    return Difference(*map(max, zip(*found)))


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
        found = " | ".join(f"{each:.0e}" for each in difference(name, batches))
        lines.append(f"{about(name, recipe)} {found} |")
        print(name, found, flush=True)
    PAGE.write_text("\n".join([*lines, "", TAIL]), encoding="utf-8")


if __name__ == "__main__":
    main()
