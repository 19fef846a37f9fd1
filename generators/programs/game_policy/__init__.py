"""Small games of two players, their rules in words, and policies that play them."""
