"""Queries in steps: random ones, their SQL and their results."""
