"""False claims about numbers, graphs and permutations, and the objects that refute them."""
