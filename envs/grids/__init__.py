"""Puzzles on a grid whose solution is unique, or whose certain cells are."""
