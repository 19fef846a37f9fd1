"""Chess: its moves, the notation of moves, and pictures of positions."""
