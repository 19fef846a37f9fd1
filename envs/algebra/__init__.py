"""Equations, polynomials and calculus with exact answers."""
