"""Tests of logic/counting_with_conditions."""

from tests.envs.sampling import sampled


def test_ages_in_conditions_differ() -> None:
    for seed in range(100):
        task = sampled("logic/counting_with_conditions", seed, 0)
        (_, one), (_, other) = task.facts[:2]  # type: ignore[attr-defined]
        assert one != other
