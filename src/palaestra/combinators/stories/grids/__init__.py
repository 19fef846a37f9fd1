"""Stories of ``grids``."""
