"""Stories of ``arithmetic``."""
