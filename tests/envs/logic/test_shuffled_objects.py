"""Tests of logic/shuffled_objects."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sampled

from palaestra.generators.logic import self_reference, shuffled_objects

SEEDS = st.integers(0, 10**6)


def test_claims_and_moves_of_one_text_are_equal() -> None:
    """Fields that the text does not show may not make equal tasks differ."""
    claims = {c for n in range(300) for c in sampled("logic/self_reference", n, n % 7).claims}  # type: ignore[attr-defined]
    assert len(set(map(self_reference.as_text, claims))) == len(claims)
    moves = {m for n in range(100) for m in sampled("logic/shuffled_objects", n, 3).moves}  # type: ignore[attr-defined]
    names, things = "ABCDEFG", "abcdefg"
    assert len({shuffled_objects.as_text(move, names, things, 0) for move in moves}) == len(moves)


@settings(max_examples=20)
@given(SEEDS)
def test_no_exchange_undoes_the_last(seed: int) -> None:
    task = sampled("logic/shuffled_objects", seed, seed % 7)
    held = [list(range(len(task.names)))]  # type: ignore[attr-defined]
    for move in task.moves:  # type: ignore[attr-defined]
        after = shuffled_objects.moved(held[-1], move)
        if after != held[-1]:
            assert after not in held[-2:]
            held.append(after)
