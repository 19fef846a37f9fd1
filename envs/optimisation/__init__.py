"""Choosing the best among many: the optimum is proven, and what comes close earns a part."""
