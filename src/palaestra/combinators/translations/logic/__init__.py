"""Prompts of ``logic`` in other languages."""
