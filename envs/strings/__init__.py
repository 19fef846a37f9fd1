"""Strings and words: transforming, ordering and matching them."""
