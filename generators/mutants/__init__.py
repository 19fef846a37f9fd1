"""Mutants of the references that replies are judged by, and the inputs that kill them.

Tests are sufficient if every small change of the reference that changes its behaviour fails them:
R. DeMillo, R. Lipton and F. Sayward, "Hints on test data selection: help for the practicing
programmer" (1978). Only trusted code is mutated and run here, never code of a player.
"""
