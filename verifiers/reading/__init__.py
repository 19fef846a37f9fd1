"""Reading answers into plain values, and judging the common shapes of answers."""
