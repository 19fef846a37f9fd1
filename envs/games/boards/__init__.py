"""Single moves and pursuits on boards of two-player games."""
