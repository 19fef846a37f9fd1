"""Stories of ``optimisation``."""
