"""Gin rummy with open cards: melds and deadwood, the rules of the match, and its opponents."""
