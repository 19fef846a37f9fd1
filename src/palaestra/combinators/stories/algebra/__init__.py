"""Stories of ``algebra``."""
