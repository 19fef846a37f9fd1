"""Hold'em for two players: the strength of hands, the rules, and the best response."""
