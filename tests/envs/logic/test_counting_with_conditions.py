"""Tests of logic/counting_with_conditions."""

from tests.envs.sampling import sampled


def test_ages_in_conditions_differ() -> None:
    for seed in range(100):
        task = sampled("logic/counting_with_conditions", seed, 0)
        (_, one), (_, other) = task.facts[:2]  # type: ignore[attr-defined]
        assert one != other


def test_up_to_sixty_people_have_different_names() -> None:
    task = sampled("logic/counting_with_conditions", 0, 7, people=60)
    names = {name.casefold() for name in task.names}  # type: ignore[attr-defined]
    assert len(names) == 60
    assert task.audit(task.answer())
