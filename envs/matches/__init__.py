"""Matches between two or more players, also playable alone against a built-in opponent."""
