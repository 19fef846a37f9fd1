"""Prompts of ``planning`` in other languages."""
