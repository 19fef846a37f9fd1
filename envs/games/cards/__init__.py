"""Games with playing cards and tiles."""
