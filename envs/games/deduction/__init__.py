"""Hidden states that questions, probes and guesses reveal."""
