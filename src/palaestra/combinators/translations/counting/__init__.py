"""Prompts of ``counting`` in other languages."""
