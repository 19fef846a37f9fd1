"""Tests of grids/survo."""

from palaestra.envs.grids import survo


def test_the_puzzle_of_survo_s_inventor_has_its_published_solution():
    task = survo.Survo(
        givens=((0, 6, 0, 0), (8, 0, 0, 0), (0, 0, 3, 0)),
        across=(30, 18, 30),
        down=(27, 16, 10, 25),
    )
    assert task.is_valid()
    assert " ".join(task.answer().split()) == "12 6 2 10 8 1 5 4 7 9 3 11"
