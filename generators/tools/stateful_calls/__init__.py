"""Ledgers behind generated tools, and conversations whose requests refer to earlier ones."""
