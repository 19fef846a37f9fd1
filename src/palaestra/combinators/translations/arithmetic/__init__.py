"""Prompts of ``arithmetic`` in other languages."""
