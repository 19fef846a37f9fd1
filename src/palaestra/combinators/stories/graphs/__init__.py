"""Stories of ``graphs``."""
