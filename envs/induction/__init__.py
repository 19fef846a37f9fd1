"""Finding a rule from examples of what it does, and applying it to what it has not been seen on."""
