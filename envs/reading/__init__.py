"""Questions on long texts about a fictional world."""
