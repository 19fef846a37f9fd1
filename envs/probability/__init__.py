"""Exact inference in models of chance."""
