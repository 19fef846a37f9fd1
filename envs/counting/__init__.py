"""How many ways there are, and how likely they make a thing."""
