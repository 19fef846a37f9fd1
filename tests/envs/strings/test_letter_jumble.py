"""Tests of strings/letter_jumble."""

import pytest

from palaestra.envs.strings.letter_jumble import LetterJumble
from palaestra.task import InvalidAnswer


def test_jumbles_take_any_word_that_fits():
    task = LetterJumble(listed=("ones", "nose", "tone"), jumbles=("seno",), extra=0)
    assert task.verify("ones").value == task.verify("NOSE").value == 1
    assert task.verify("tone").value == task.verify("eons").value == 0
    with pytest.raises(InvalidAnswer):
        task.verify("ones, nose")
