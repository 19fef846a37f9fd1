"""What makes test data is run as a script, by its own test; it is not collected."""

collect_ignore = ["answers"]
