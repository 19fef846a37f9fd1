"""The generator of tasks draws what ``random.Random`` draws."""

import pickle
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.rng import Rng

SIZES = st.integers(1, 300) | st.integers(1, 2**70)
CALLS = st.one_of(
    st.tuples(st.just("randrange"), SIZES.map(lambda n: (n,))),
    st.tuples(st.just("randrange"), st.tuples(st.integers(-9, 0), SIZES)),
    st.tuples(st.just("randrange"), st.tuples(st.integers(-9, 0), SIZES, st.integers(1, 5))),
    st.tuples(st.just("randint"), st.tuples(st.integers(-9, 0), SIZES)),
    st.tuples(st.just("choice"), st.integers(1, 90).map(lambda n: ("x" * n + "y",))),
    st.tuples(st.just("shuffle"), st.integers(0, 90)),
    st.tuples(st.just("sample"), st.integers(0, 90)),
    st.tuples(st.just("random"), st.just(())),
)


def called(rng, name, arguments):
    """The result of a call, the list itself where it is shuffled."""
    if name == "shuffle":
        items = list(range(arguments))
        rng.shuffle(items)
        return items
    if name == "sample":
        return [
            rng.sample(population, min(arguments, len(population)))
            for population in (range(60), "abc" * 9, list(range(arguments)), (1, 2), range(10**6))
        ]
    return getattr(rng, name)(*arguments)


@given(st.integers(0, 2**64) | st.text(), st.lists(CALLS, max_size=30))
def test_it_draws_what_the_standard_library_draws(seed, calls):
    ours, theirs = Rng(seed), Random(seed)
    for call in calls:
        assert called(ours, *call) == called(theirs, *call)
    assert ours.getstate() == theirs.getstate()


def test_a_sample_may_have_counts():
    assert Rng(3).sample("ab", 3, counts=[9, 9]) == Random(3).sample("ab", 3, counts=[9, 9])


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("randrange", (0,)),
        ("randrange", (3, 3)),
        ("randrange", (1, 9, 0)),
        ("randint", (2, 1)),
        ("choice", ("",)),
        ("sample", ("ab", 3)),
        ("sample", ("ab", -1)),
        ("sample", ({1, 2}, 1)),
    ],
)
def test_it_refuses_what_the_standard_library_refuses(name, arguments):
    with pytest.raises((ValueError, IndexError, TypeError)) as theirs:
        getattr(Random(1), name)(*arguments)
    with pytest.raises(theirs.type):
        getattr(Rng(1), name)(*arguments)


def test_a_copy_continues_in_the_same_way():
    rng = Rng("seed")
    rng.shuffle([1, 2, 3])
    assert pickle.loads(pickle.dumps(rng)).random() == rng.random()
