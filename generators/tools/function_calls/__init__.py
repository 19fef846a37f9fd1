"""Generated function interfaces with documentation, and requests in words that need their calls."""
