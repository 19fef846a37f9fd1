"""Rows of data sets under all the names that trainers look for.

Every trainer carries one opaque label to its scorer. Ours is the address, which goes by the name
that each of them has for it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from palaestra.address import Address


def trainer_row(
    address: str, messages: Sequence[Mapping[str, str]], style: str = "tags"
) -> dict[str, Any]:
    """One row: TRL, veRL, OpenRLHF, slime, EasyR1, ROLL and NeMo RL each find theirs in it."""
    named = Address.parse(address)
    said = [dict(message) for message in messages]
    return {
        "prompt": said,
        "messages": said,
        "input": said[-1]["content"],
        "label": address,
        "labels": address,
        "ground_truth": address,
        "address": address,
        "reward_model": {"style": "rule", "ground_truth": address},
        "data_source": f"palaestra/{named.env}",
        "ability": named.env.partition("/")[0],
        "extra_info": {"address": address, "split": named.split, "style": style},
        "env": named.env,
        "seed": named.seed,
        "level": named.level,
    }
