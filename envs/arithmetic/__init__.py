"""Calculations, and expressions to build from given numbers."""
