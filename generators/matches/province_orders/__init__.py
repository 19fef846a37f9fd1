"""Simultaneous orders to units: the rules, turns of hidden moves, and the best response."""
