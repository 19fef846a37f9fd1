"""Answers that are written by choosing elements."""

import pytest

import palaestra
from palaestra.registry import load, names
from palaestra.scenes.entries import CellsEntry, ElementsEntry, PairsEntry, WordsEntry, names_of
from palaestra.scenes.layouts import drawing
from palaestra.server.drawings import drawn_at
from palaestra.task import Puzzle

PUZZLES = [name for name in sorted(names()) if issubclass(load(name), Puzzle)]


def entered(entry, answer):
    """The text that the playground writes for a right answer, by the rules of the entry."""
    if isinstance(entry, CellsEntry):
        rows = [
            line.split(entry.separator.strip() or None) if entry.separator else [*line]
            for line in answer.splitlines()
        ]
        assert [len(row) for row in rows] == [len(row) for row in entry.start]
        for row, fixed in zip(rows, entry.start, strict=True):
            for symbol, clue in zip(row, fixed, strict=True):
                assert symbol == clue if clue else symbol in entry.symbols
        return "\n".join(entry.separator.join(row) for row in rows)
    if isinstance(entry, WordsEntry):
        words = answer.split(entry.separator)
        assert {*words} <= {*entry.words}
        assert entry.repeats or sorted(words) == sorted(entry.words)
        return entry.separator.join(words)
    texts = [text for _, text in entry.names]
    parts = answer.split(entry.separator.strip() or entry.separator)
    parts = [part.strip() for part in parts]
    if isinstance(entry, PairsEntry):
        pairs = [part.split(entry.joined) for part in parts]
        assert all(len(pair) == 2 and {*pair} <= {*texts} for pair in pairs)
        return entry.separator.join(entry.joined.join(pair) for pair in pairs)
    assert isinstance(entry, ElementsEntry)
    assert {*parts} <= {*texts}
    order = parts if entry.ordered else sorted(parts, key=texts.index)
    assert entry.repeats or len({*parts}) == len(parts)
    return entry.separator.join(order)


@pytest.mark.parametrize("name", PUZZLES)
def test_right_answers_can_be_entered(name):
    environment = load(name)
    if environment.entry is Puzzle.entry:
        return
    for level in {0, environment.Knobs.levels() - 1}:
        address = palaestra.Address.of(name, 1, level)
        task = address.task()
        entry = task.entry()
        if entry is None:
            continue
        shown = {shape.name for shape in drawing(task.scene()).shapes if hasattr(shape, "name")}
        if not {*names_of(entry)} <= shown:
            assert drawn_at(str(address), None)["entry"] is None
            continue
        answer = task.answer()
        if answer != "none":
            assert task.verify(entered(entry, answer)).value == 1


def test_many_environments_can_be_played_on_the_board():
    assert sum(load(name).entry is not Puzzle.entry for name in PUZZLES) >= 40
