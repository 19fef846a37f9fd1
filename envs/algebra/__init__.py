"""Equations and what solves them: unknowns, roots, all of it exact."""
