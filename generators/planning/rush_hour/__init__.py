"""Rush hour: the parking space, and the search for hard positions."""
