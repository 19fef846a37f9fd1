"""Tests of logic/object_properties."""

from tests.envs.sampling import sampled


def test_objects_stay_different() -> None:
    for seed in range(20):
        task = sampled("logic/object_properties", seed, 6)
        rows = task.answer().splitlines()
        objects = [row.split(": ")[1] for row in rows]
        assert len(set(objects)) >= 6
        for values in zip(*(traits.split(", ") for traits in objects)):
            assert len(set(values)) >= 3
