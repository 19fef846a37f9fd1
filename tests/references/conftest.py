"""Nothing here is a test, and all of it needs torch."""

collect_ignore = ["algorithms.py", "comparison.py"]
