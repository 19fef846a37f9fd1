"""Quantities, their units and dimensions, and motion."""
