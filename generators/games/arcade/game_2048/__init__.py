"""2048: its boards, and a player who sees the board only."""
