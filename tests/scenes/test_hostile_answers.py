"""Answers that nobody should give are refused by scenes, or drawn as something of sane size."""

from contextlib import suppress

import pytest
from tests.hostile_texts import TEXTS
from tests.scenes import test_induction, test_numbers, test_spatial, test_words
from tests.scenes.reading import tasks

from palaestra.scenes.layouts import drawing
from palaestra.scenes.shapes import Label, Tile
from palaestra.task import InvalidAnswer

NAMES = [
    *test_spatial.SOLVED, *test_induction.NAMES, *test_numbers.SOLVED, *test_words.SOLVED,
]  # fmt: skip
LARGEST = 6_000
"""How many shapes an answer may be drawn with."""

LONGEST = 130
"""How many characters a text of a picture has at most, with the names of places."""


def texts_of(shapes):
    for shape in shapes:
        if isinstance(shape, Tile):
            yield from texts_of(shape.shapes)
        elif isinstance(shape, Label):
            yield shape.text


@pytest.mark.parametrize("name", NAMES)
def test_hostile_answers_are_refused_or_drawn(name):
    task = tasks(name)[0]
    right = task.answer()  # every 25th of the texts: reading all of them is tested elsewhere
    long = [f"{right} {right}", right * 50, "\n".join([right] * 300), ", ".join([right] * 300)]
    repeated = ["7" * 5_000, "1/7 " * 400, "abc, " * 3_000, f"{'9' * 900}, {'3' * 900}"]
    for answer in (*TEXTS[::25], *long, *repeated):
        with suppress(InvalidAnswer):
            shapes = drawing(task.solved_scene(answer)).shapes
            assert len(shapes) < LARGEST
            assert max(map(len, texts_of(shapes)), default=0) < LONGEST
