"""Sums to work out, to turn round, and to put together from given numbers."""
