"""Mutants of the references that replies are judged by, and the inputs that kill them.

Tests are sufficient where no small change of the reference passes them, unless it changes nothing:
R. DeMillo, R. Lipton and F. Sayward, "Hints on test data selection: help for the practicing
programmer" (1978). All that is mutated and run here is our own text, no player's.
"""
