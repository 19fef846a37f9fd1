"""Optimisation problems with a proved optimum; only optimal answers are right."""
