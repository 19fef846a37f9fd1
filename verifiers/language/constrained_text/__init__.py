"""Constraints on texts, and a second implementation of every count."""
