"""Prompts of ``spatial`` in other languages."""
