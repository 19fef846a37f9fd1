"""Inferring a rule from examples, and applying it to new cases."""
