"""Combinatorics and probability."""
