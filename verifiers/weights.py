"""Weights of the parts of a score, for verifiers that can tell how far a wrong answer came."""

from collections.abc import Collection, Mapping
from math import isfinite

from palaestra.verifiers.verifier import GoldError


def check_weights(weights: Mapping[str, float] | None, parts: Collection[str]) -> None:
    """Raise :class:`GoldError` unless ``weights`` are of these parts, at least 0, and add up to
    less than 1, so that no wrong answer scores as much as a right one.
    """
    for name, weight in (weights or {}).items():
        if name not in parts:
            raise GoldError(f"there is no part {name!r} (they are {', '.join(parts)})")
        if not (isfinite(weight) and weight >= 0):
            raise GoldError(f"the weight of {name} is at least 0, not {weight}")
    if weights and sum(weights.values()) >= 1:
        raise GoldError("weights of parts add up to less than 1, the score of a right answer")
