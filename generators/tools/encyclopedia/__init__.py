"""The encyclopaedia of a made-up world, questions on it, a search, and a reader of its articles."""
