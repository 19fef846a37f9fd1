"""Matrices and grids of numbers: transformations, windows, regions, distances."""
