"""Tests of spatial/ascii_banner."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sample

from palaestra.envs.spatial.ascii_banner import AsciiBanner, dressed
from palaestra.generators.spatial.ascii_banner import CODES, FONT, inked, written


def test_no_two_letters_look_alike() -> None:
    """All letters can come up: a picture is only drawn if each is plainly itself."""
    assert min((a ^ b).bit_count() for a, b in combinations(CODES.values(), 2)) >= 4


@settings(max_examples=20, deadline=None)
@given(word=st.text("".join(FONT), min_size=3, max_size=8))
@pytest.mark.parametrize("style", ["plain", "inverted", "sheared", "mirrored", "upended"])
def test_banner_is_read_back(word: str, style: str) -> None:
    slope = -1 if style == "sheared" else 0
    picture = inked(dressed(written(word), style, slope, (2, 2)), "#.")
    task = AsciiBanner(
        picture=picture, ink="#.", style=style, size=(2, 2), slope=slope, letters=len(word)
    )
    assert task.answer() == word
    assert task.is_valid()
    assert task.verify(" ".join(word.lower())).value == 1


def test_banner_tells_which_way_it_reads() -> None:
    tasks = [sample(AsciiBanner, seed, 4) for seed in range(60)]
    ways = {"mirrored": "reads from right to left", "upended": "reads from the top down"}
    for task in tasks:
        assert all((way in task.prompt()) == (task.style == style) for style, way in ways.items())
    assert {*ways} <= {task.style for task in tasks}
