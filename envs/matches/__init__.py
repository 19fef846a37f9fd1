"""Matches of two and more players, also playable by one against a built-in opponent."""
