"""Games of moving and falling things, turn by turn, after video games."""
