"""Rules that a text states, applied to cases and positions."""
