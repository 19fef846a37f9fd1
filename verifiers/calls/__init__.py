"""Tool calls in replies: reading them, and comparing them with the calls that are expected."""
