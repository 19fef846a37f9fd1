"""A telephone company with lines, and customers whose phones have faults."""
