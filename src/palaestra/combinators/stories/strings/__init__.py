"""Stories of ``strings``."""
