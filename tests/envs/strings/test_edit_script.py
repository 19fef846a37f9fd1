"""Tests of strings/edit_script."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaestra.envs.strings.edit_script import EditScript, blocks_kept, replacements
from palaestra.generators.strings.alignments import distances, script
from palaestra.task import InvalidAnswer

short = st.text("abc", max_size=9)


@given(short, short)
def test_edit_scripts_are_right_and_shortest(one, other):
    edits = script(one, other)
    assert len(edits) == distances(one, other)[-1][-1]
    text = one
    for edit in edits:
        after = edit.position - (edit.operation == "insert")
        text = text[: edit.position - 1] + edit.letter + text[after:]
    assert text == other


@given(short, short)
def test_edits_of_players_without_search_are_right(one, other):
    for edits in (
        replacements(one, other),
        replacements(one, other, from_right=True),
        blocks_kept(one, other),
    ):
        text = one
        for edit in edits:
            after = edit.position - (edit.operation == "insert")
            text = text[: edit.position - 1] + edit.letter + text[after:]
        assert text == other
        assert len(edits) >= distances(one, other)[-1][-1]


def test_edits():
    task = EditScript(first="kitten", second="sitting")
    right = "replace 1 by s\nreplace 5 by i\ninsert g at 7"
    assert task.fewest() == 3
    assert task.verify(right).value == 1
    assert task.audit(right)
    assert task.verify("insert g at 7\nreplace 5 by i\nreplace 1 by s").value == 1
    assert "fewer" in task.verify(right + "\ninsert x at 1\ndelete 1").reason
    assert task.verify("delete 99").value == task.verify("insert x at 0").value == 0
    with pytest.raises(InvalidAnswer):
        task.verify("replace 1 by xx")
