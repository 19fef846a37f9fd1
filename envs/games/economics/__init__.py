"""Bargaining, auctions, repeated games and stocks."""
