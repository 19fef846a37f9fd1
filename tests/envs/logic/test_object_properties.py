"""Tests of logic/object_properties."""

from tests.envs.sampling import sampled


def test_objects_do_not_all_end_up_alike() -> None:
    for seed in range(20):
        task = sampled("logic/object_properties", seed, 6)
        rows = task.answer().splitlines()
        looks = [row.split(": ")[1] for row in rows]
        assert len(set(looks)) >= 6
        for values in zip(*(look.split(", ") for look in looks)):
            assert len(set(values)) >= 3
