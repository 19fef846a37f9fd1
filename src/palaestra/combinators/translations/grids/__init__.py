"""Prompts of ``grids`` in other languages."""
