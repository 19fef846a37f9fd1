"""Tests of grids/slant."""

from palaestra.envs.grids.slant import Slant


def test_slant_refuses_a_loop() -> None:
    blank = Slant(clues=("...", "...", "..."))
    assert blank.verify("/\\\n\\/").reason == "there is a closed loop"
    assert blank.verify("\\/\n/\\").value == 1  # an X
    assert Slant(clues=("...", ".4.", "...")).verify("\\/\n/\\").value == 1
    assert Slant(clues=("...", ".3.", "...")).verify("\\/\n/\\").value == 0
