"""Spatial reasoning in text: rotations, movements, and reading of drawings."""
