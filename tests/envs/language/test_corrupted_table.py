"""Tests of language/corrupted_table."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.generators.language import corrupted_table

SEEDS = st.integers(0, 10**6)


@settings(max_examples=15)
@given(SEEDS)
def test_every_damage_is_undone_by_one_of_its_kind(seed: int) -> None:
    rng = Random(seed)
    table = tuple(tuple(rng.randint(1, 50) for _ in range(4)) for _ in range(3))
    for damage in corrupted_table.TOLD:
        shown = corrupted_table.damaged(rng, table, damage)
        assert table in corrupted_table.variants(shown, damage)
