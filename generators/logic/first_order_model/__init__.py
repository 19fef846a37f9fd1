"""Finite models of first-order sentences: random sentences, and a search for models."""
