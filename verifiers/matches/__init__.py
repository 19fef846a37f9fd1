"""Readers of the moves of matches."""
