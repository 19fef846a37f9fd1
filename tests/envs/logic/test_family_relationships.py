"""Tests of logic/family_relationships."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sampled

from palaestra.generators.logic import family_relationships

SEEDS = st.integers(0, 10**6)


@settings(max_examples=15)
@given(SEEDS)
def test_the_statements_determine_the_family(seed: int) -> None:
    rng = Random(seed)
    family = family_relationships.random_family(rng, rng.randint(6, 24), 3)
    statements = family_relationships.statements(rng, family, 0.6)
    assert (
        family_relationships.deduced(rng.sample(statements, len(statements)), len(family)) == family
    )


def test_a_family_by_hand() -> None:
    # 0 and 1 have 2 and 3; 2 and 4 have 5; 3 and 6 have 7.
    pairs = [(1, -1, -1, 1), (0, -1, -1, 0), (1, 0, 1, 4), (0, 0, 1, 6), (0, -1, -1, 2)]
    pairs += [(1, 2, 4, -1), (1, -1, -1, 3), (0, 6, 3, -1)]
    kin = family_relationships.Kin(
        [family_relationships.Person(bool(w), *rest) for w, *rest in pairs]
    )
    assert kin.of(5) == {
        2: "mother", 4: "father", 0: "grandmother", 1: "grandfather", 3: "uncle", 7: "cousin",
    }  # fmt: skip
    assert kin.of(4)[0] == "mother-in-law"
    assert kin.of(4)[3] == "brother-in-law"
    assert kin.of(3)[5] == "niece"
    assert 6 not in kin.of(5)


def test_the_prompt_states_what_a_couple_is() -> None:
    task = sampled("logic/family_relationships", 1, 3)
    assert "every couple is a wife and her husband" in task.prompt()
