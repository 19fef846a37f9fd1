"""Policies: a small decoder, operations on models of transformers, log-probabilities, tokenizers.

Requires ``palaestra[train]``.
"""
