"""A help desk: tickets by a grammar, its policy, decisions, tools and a client."""
