"""Stories of ``planning``."""
