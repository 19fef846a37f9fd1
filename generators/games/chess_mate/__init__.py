"""Chess problems: the rules of chess, and the search for mates."""
