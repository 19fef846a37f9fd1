"""Logic environments at the bounds of their knobs."""

from random import Random

import pytest

from palaestra.registry import load


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        ("logic/common_time_slot", {"people": 12, "days": 2, "busy": 12, "zones": 6, "grain": 30}),
        ("logic/common_time_slot", {"people": 12, "days": 2, "busy": 12, "zones": 0, "grain": 5}),
        ("logic/circuit_logic", {"inputs": 12, "gates": 4, "outputs": 2, "task": "satisfy"}),
        ("logic/circuit_logic", {"inputs": 3, "gates": 4, "rows": 8, "task": "evaluate"}),
        ("logic/object_properties", {"objects": 14, "traits": 2, "events": 200, "kinds": "full"}),
    ],
)
def test_extreme_knobs_can_be_sampled(name: str, chosen: dict[str, object]) -> None:
    environment = load(name)
    for seed in range(3):
        task = environment.sample(Random(seed), environment.Knobs(**chosen), tries=200)
        assert task.verify(task.answer()).correct
