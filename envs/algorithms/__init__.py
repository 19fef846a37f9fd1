"""Algorithms carried out by hand: sorting, and its intermediate states."""
