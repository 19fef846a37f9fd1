"""Mechanical puzzles and mazes with all in view, turn by turn."""
