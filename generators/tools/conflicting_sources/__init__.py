"""Pages of a made-up web that contradict each other, and the rules by which they count."""
