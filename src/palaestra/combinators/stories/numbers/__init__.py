"""Stories of ``numbers``."""
