"""Tests of grids/skyscrapers."""

from palaestra.envs.grids import skyscrapers


def test_towers_are_counted_from_each_side():
    rows = [[1, 2, 3], [2, 3, 1], [3, 1, 2]]
    seen = [number for _, number in skyscrapers.every_clue(rows)[9:]]
    assert seen == [3, 2, 1, 3, 2, 1, 1, 2, 2, 1, 2, 2]  # left, top, right, bottom
    task = skyscrapers.Skyscrapers(
        givens=((0,) * 3,) * 3, seen=((3, 0, 0), (0, 0, 0), (0, 0, 2), (0, 0, 0))
    )
    assert task.verify("1 2 3\n2 3 1\n3 1 2").correct
    assert "row 1 from the left" in task.verify("2 1 3\n1 3 2\n3 2 1").reason


def test_clues_can_be_the_sums_of_the_heights_seen():
    rows = [[1, 2, 3], [2, 3, 1], [3, 1, 2]]
    sums = [number for _, number in skyscrapers.every_clue(rows, "sum")[9:]]
    assert sums == [6, 5, 3, 6, 5, 3, 3, 4, 5, 3, 4, 5]
    task = skyscrapers.Skyscrapers(
        givens=((0,) * 3,) * 3, seen=((6, 5, 0), (0, 0, 0), (0, 0, 5), (0, 0, 0)), clue_type="sum"
    )
    assert task.verify("1 2 3\n2 3 1\n3 1 2").correct
    assert task.verify("2 1 3\n1 3 2\n3 2 1").reason == "a sum of 5 is seen in row 1 from the left"
