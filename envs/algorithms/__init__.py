"""Algorithms carried out by hand: sorting, and what it looks like on the way."""
