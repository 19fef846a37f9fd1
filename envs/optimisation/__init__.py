"""Optimisation problems with a proved optimum; near-optimal answers earn partial credit."""
