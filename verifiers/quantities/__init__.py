"""Quantities: numbers with units, and the units that people write."""
