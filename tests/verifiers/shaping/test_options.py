"""Types of options."""

import math
import re
from contextlib import suppress
from dataclasses import MISSING, fields
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaestra.server import recipes
from palaestra.task import Score
from palaestra.verifiers.shaping import (
    Clip,
    CosineLength,
    Format,
    NGramRepetition,
    RecipeError,
    Reward,
    Transcript,
    Truth,
)

RECIPES = [kind for name, kind in recipes.KNOWN.items() if name != "Reward"]
ODD = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3), st.just(10**400),
    st.sampled_from([2.5, "brier", b"x", 1j, Fraction(1, 3), object(), {}, Truth(), Format()]),
)  # fmt: skip
OPTIONS = st.one_of(
    st.sampled_from([1, 2, 0.25, 0.5, -1, 10**5, True, ("a", "b"), (2, 1), (1.0, 0.0)]),
    ODD, st.lists(ODD, max_size=3), st.lists(ODD, max_size=3).map(tuple),
)  # fmt: skip
TRANSCRIPTS = [
    Transcript(""),
    Transcript("<think>a</think><answer>b</answer><confidence>5%</confidence>", [1, 1, 1], 5, 2),
    Transcript("x", 1 << 30, 1 << 30, 1 << 30, 0.5),
    Transcript("x", 0, 0, 0, 1),
]


@settings(max_examples=600)
@given(st.sampled_from(RECIPES), st.data())
def test_options_of_any_type_make_a_recipe_that_works_or_are_refused(kind, data):
    options = [option for option in fields(kind) if option.init]
    given_ = {
        option.name: data.draw(OPTIONS)
        for option in options
        if option.default is MISSING or data.draw(st.booleans())
    }
    try:
        made = kind(**given_)
    except RecipeError:
        return
    hash(made)
    for transcript, value in product(TRANSCRIPTS, (0, 0.5, 1)):
        with suppress(RecipeError):  # which it lacks in the transcript
            reward = made(Score(value), transcript)
            assert made.low <= reward <= made.high
            assert math.isfinite(reward)


@pytest.mark.parametrize(
    ("build", "why"),
    [
        (lambda: NGramRepetition(n=2.5), "n is a whole number, not 2.5"),
        (lambda: NGramRepetition(n=True), "n is a whole number, not True"),
        (lambda: CosineLength(right=(1, 2, 3)), "right is a tuple of 2: a number, a number, not"),
        (lambda: CosineLength(limit="9"), "limit is a whole number or None, not '9'"),
        (lambda: Format(tags="answer"), "tags is a sequence whose members are each a text"),
        (lambda: Truth(right=math.nan), "right is a number, not nan"),
        (lambda: Truth(right=10**5_000), "right is a number, not int"),
        (lambda: Clip(1, 0, 1), "recipe is a Recipe, not 1"),
        (lambda: "2" * Truth(), "terms is a sequence"),
        (lambda: Reward(1), "recipe is a Recipe"),
        (lambda: Reward(Truth(), 1), "allow_order_change is True or False"),
    ],
)
def test_an_option_of_the_wrong_type_is_named(build, why):
    with pytest.raises(RecipeError, match=re.escape(why)):
        build()


@pytest.mark.parametrize("kind", RECIPES, ids=lambda kind: kind.__name__)
def test_every_recipe_can_be_written(kind):
    """A name with a digit in it is no number with letters behind it."""
    inside = {"Clip": "Truth(), -1, 2", "Gated": "Format(), Truth()", "NGramRepetition": "3"}
    text = f"{kind.__name__}({inside.get(kind.__name__, '')})"
    reward = recipes.read(f"Reward({text}, allow_order_change=True)")
    assert type(reward.recipe) is kind


@pytest.mark.parametrize("text", ["Truth(1if 2else 3)", "Truth(0x1f)", "Truth(1_0j)", "2Truth()"])
def test_numbers_with_letters_behind_them_are_refused(text):
    with pytest.raises(RecipeError, match="made of names, numbers"):
        recipes.read(text)
