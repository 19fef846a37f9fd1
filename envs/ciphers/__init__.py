"""Secret writing: with the key, and without it."""
