"""Pencil puzzles on a grid with a unique solution, or with cells that can be deduced."""
