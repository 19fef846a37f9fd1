"""Programs that two branches have changed, their merges, and the judging of resolutions."""
