"""Combinations that are drawn from all that there are."""

import random
from functools import cache

from palaestra.combinators import COMBINATORS
from palaestra.registry import names

PAIRS, STACKS = 300, 100


@cache
def combinations() -> list[str]:
    """The drawn pairs and stacks, each once."""
    rng, environments = random.Random("pairs"), sorted(names())
    drawn = dict.fromkeys(
        "+".join([rng.choice(environments), *rng.sample(sorted(COMBINATORS), 1 + (n >= PAIRS))])
        for n in range(PAIRS + STACKS)
    )
    return list(drawn)
